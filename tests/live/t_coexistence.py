"""What a guest in somebody else's process must not do, and must not believe, on stand-ins that behave as NVIDIA documents it; the
document is named at each test. None of it has been seen on a GPU yet: tests/gpu asks a real one the same questions."""
import concurrent.futures
import os
import select
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from viewer import L, STANDIN, Rendezvous, Target, Viewer, message, until  # noqa: E402
from harness import Tap  # noqa: E402

tap = Tap()
RATE = 200


def wait_for_line(t, line="done\n"):
    while t.process.stdout.readline() != line:
        assert t.process.poll() is None


def told():
    return os.path.join(tempfile.mkdtemp(prefix="live"), "told")


def lines(path):
    if not os.path.exists(path):
        return []
    with open(path) as f:
        return f.read().splitlines()


# ---- no takeover where there is none ----

def watched(kinds, words, **more):
    """A program's run under a viewer's eyes: states seen, the viewer, its status, how many kernels came first."""
    with Target("line", *words, "say=done", "line", "exit=3", **more) as t:
        v = Viewer(t.socket())
        v.start(*kinds)
        states, first = set(), 0
        t.say()

        def is_done():
            nonlocal first
            v.read()
            states.add(v.state)
            first = first or v.count["kernel"]
            return select.select([t.process.stdout], [], [], 0)[0]
        until(is_done, "the program's work")
        wait_for_line(t)
        v.stop()
        t.say()
        return states, v, t.end()[0], first


def never_waiting():
    """cupti_activity.h, cuptiActivityFlushAll: flag 0 "doesn't return buffers which have one or more incomplete activity records". A
    program that launches 200 kernels of 5 ms a second and never waits has one in flight in every buffer until that is full."""
    states, v, status, first = watched(["kernel"], [f"rate={RATE}", "kernels=1200"], STANDIN_KERNEL_US=5000)
    return [("kernels in flight all the time: never taken for a takeover", (states, status, v.count["kernel"]), ({"recording"}, 3, 1200)),
            ("and the first records appear while the program runs", 0 < first < 1200, True)]


def straggler():
    """The same document: one kernel that lasts (NCCL waiting for its peers) holds its buffer back, while few others launch."""
    states, v, status, _ = watched(["kernel"], ["rate=20", "kernels=120"], STANDIN_KERNEL_US=100, STANDIN_STRAGGLER_MS=5500)
    return [("a kernel that lasts beside others: never taken for a takeover", (states, status, v.count["kernel"]), ({"recording"}, 3, 120))]


def no_records_wanted():
    """cupti_activity.h: a kernel leaves a record when its kind is enabled. Launches say nothing where only copies are recorded."""
    states, v, status, _ = watched(["copy"], [f"rate={RATE}", "kernels=1200"])
    return [("launches while only copies are recorded: no takeover", (states, status), ({"recording"}, 3))]


def nothing_left_on():
    """cupti_activity.h, cuptiActivityDisable: a kind is collected until it is disabled. Behind a takeover it is, at the latest when
    the viewer stops; somebody must fetch the records."""
    path = told()
    noticed = path + "-noticed"
    with Target("line", f"rate={RATE}", "busy=" + noticed, "say=done", "line", "exit=3", STANDIN_TAKEN_AFTER=100, STANDIN_TELL=path) as t:
        v = Viewer(t.socket())
        v.start("kernel")
        t.say()
        state = until(lambda: v.state != "recording" and v.state, "another state")
        open(noticed, "w").close()
        wait_for_line(t)
        v.stop()
        said = lines(path)
        after = v.state
        t.say()
        status = t.end()[0]
    return [("a takeover is noticed, and nothing stays switched on behind STOP",
             (state, after, "disable 10" in said, status), ("taken", "armed", True, 3))]


def test_takeovers():
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for done in [pool.submit(f) for f in (never_waiting, straggler, no_records_wanted, nothing_left_on)]:
            for name, got, expected in done.result():
                tap.equal(got, expected, name)


# ---- while the driver starts up, and when it goes ----

def test_start_amid_init():
    """No document of NVIDIA's allows it: their samples enable kinds inside InitializeInjection (cupti_trace_injection) or when the
    driver is up. The stand-in ends the process when asked by another thread before cuInit is over."""
    for more, name in (({}, "attached"), ({"STEPSCOPE_YIELD": 1}, "attached, yielding")):
        with Target("line", "kernels=5", "say=done", "line", "exit=3", STANDIN_INIT_MS=400, **more) as t:
            v = Viewer(t.socket())
            answer = v.start("kernel")
            assert "started up" not in answer.text, "answered when it is done"
            t.say()
            wait_for_line(t)
            v.stop()
            tap.equal((answer.result, answer.kinds, v.count["kernel"]), (0, 1 << L["KIND_kernel"], 5), f"START amid cuInit waits for its end ({name})")
            t.say()
            tap.equal(t.end()[0], 3, "the target lives")
    with Target("line", "kernels=5", "exit=3", STANDIN_INIT_MS=400) as t:
        v = Viewer(t.socket())
        for verb in ("WIRE_START", "WIRE_STOP", "WIRE_START", "WIRE_DETACH"):
            v.connection.send(message(L[verb], 1 << L["KIND_kernel"]))
        until(lambda: not v.is_connected() or v.connection.recv(4096) == b"", "the end of the connection")
        w = until(lambda: (lambda w: w if w.ring else None)(Viewer(t.socket())), "a ring")
        until(lambda: w.ask(L["WIRE_STATS"]).state == "yielded", "CUPTI to be left")
        t.say()
        tap.equal(t.end()[0], 3, "START, STOP, START and DETACH amid cuInit: nothing is asked of CUPTI")
    door = Rendezvous()
    with Target("kernels=5", "exit=3", STANDIN_INIT_MS=400, STEPSCOPE_VIEWER=door.path, STEPSCOPE_START="default") as t:
        v = door.accept()
        v.start()
        status = t.end()[0]
        v.read()
        tap.equal((status, v.count["kernel"]), (3, 5), "recorded from the start: enabled inside InitializeInjection, flushed behind cuInit only")


def test_exit_behind_the_driver():
    """libc runs exit handlers last in, first out (atexit(3)). The stand-in driver puts its own in at the end of cuInit, and CUPTI has
    nothing to fetch from any more once that has run."""
    for ms in (0, 300):
        door = Rendezvous()
        with Target("kernels=5", "exit=3", STANDIN_INIT_MS=ms, STEPSCOPE_VIEWER=door.path, STEPSCOPE_START="kernel") as t:
            v = door.accept()
            status = t.end()[0]
            v.read()
            tap.equal((status, v.count["kernel"], v.ended), (3, 5, True), f"cuInit of {ms} ms: the last records come before the driver goes")


# ---- what is the whole process's ----

def test_clock():
    """cupti_activity.h: another client may register a clock of its own (cuptiActivityRegisterTimestampCallback), which records then
    are in; cuptiGetTimestamp "returns a timestamp normalized to correspond with the start and end timestamps" of records."""
    with Target("line", "kernels=50", "copies=5", "say=done", "line", "exit=3", STANDIN_CLOCK="other") as t:
        v = Viewer(t.socket())
        began = time.time_ns()
        text = v.start("kernel", "copy", "driver").text
        t.say()
        wait_for_line(t)
        v.stop()
        late = [r["start"] for k in ("kernel", "copy", "driver") for r in v.of(k) if not began - 10**9 < r["start"] < time.time_ns() + 10**9]
        tap.equal((v.count["kernel"], v.counters("kernel")["bad_time"], late), (50, 0, []), "records in another clock: their times are converted")
        tap.ok("clock" in text, "and the viewer hears of it", text)
        t.say()
        tap.equal(t.end()[0], 3, "the target ends as ever")
    with Target("line", "kernels=50", "say=done", "line", "exit=3", STANDIN_CLOCK="ticks") as t:
        v = Viewer(t.socket())
        answer = v.start("kernel")
        t.say()
        wait_for_line(t)
        tap.ok(answer.result and answer.state == "failed" and "clock" in answer.text, "a clock that does not count ns: refused, with the reason", answer.text)
        t.say()
        tap.equal(t.end()[0], 3, "the target ends as ever")


def test_thread_ids():
    """cupti_activity.h, cuptiSetThreadIdType: one setting for the process, the result may be CUPTI_ERROR_NOT_SUPPORTED."""
    path = told()
    with Target("line", "kernels=5", "say=done", "line", "exit=3", STANDIN_TELL=path) as t:
        v = Viewer(t.socket())
        before = [w for w in lines(path) if w.startswith("thread")]
        text = v.start("driver").text
        t.say()
        wait_for_line(t)
        v.stop()
        tids = {r["tid"] for r in v.of("driver")}
        tap.equal((before, [w for w in lines(path) if w.startswith("thread")], tids, text), ([], ["thread ids 1", "thread ids 0"], {t.pid}, ""),
                  "how threads are numbered is changed for a recording, and put back")
        t.say()
        t.end()
    with Target("line", "kernels=5", "say=done", "line", "exit=3", STANDIN_TID_REFUSE=1) as t:
        v = Viewer(t.socket())
        answer = v.start("driver")
        t.say()
        wait_for_line(t)
        tap.ok(not answer.result and "thread" in answer.text, "a refusal is said", answer.text)
        v.stop()
        t.say()
        tap.equal(t.end()[0], 3, "and harms nobody")


def test_held_buffers():
    """cupti_activity.h, cuptiActivityRegisterCallbacks: one pair of callbacks for the process; PyTorch's and XLA's free() what they
    are given. The stand-in ends the process when it is left while it holds a buffer of ours."""
    with tempfile.NamedTemporaryFile() as never_given_back:
        given_back = never_given_back.name + ".1"
        with open(given_back, "w"):
            pass
        with Target("line", "kernels=5", "say=done", "line", "exit=3", STANDIN_KEEPS=given_back, STEPSCOPE_YIELD=1) as t:
            v = Viewer(t.socket())
            v.start("kernel")
            t.say()
            wait_for_line(t)
            early = v.stop().state
            os.unlink(given_back)
            until(lambda: v.ask(L["WIRE_STATS"]).state == "yielded", "CUPTI to be left")
            v.read()
            tap.equal((early, v.value("buffers_in_use"), v.count["kernel"]), ("armed", 0, 5), "CUPTI is left only when it holds no buffer of ours")
            t.say()
            tap.equal(t.end()[0], 3, "the target lives")
        with Target("line", "kernels=5", "say=done", "line", "exit=3", STANDIN_KEEPS=never_given_back.name, STEPSCOPE_YIELD=1) as t:
            v = Viewer(t.socket())
            v.start("kernel")
            t.say()
            wait_for_line(t)
            v.stop()
            v.close()
            t.say()
            tap.equal(t.end()[0], 3, "one that never gives it back is never left")


def test_zero_stamps_start_anew():
    """A count of kernels without times that STOP interrupts is no reason to rest CUPTI in the next session."""
    with Target("line", "kernels=900", "say=done", "line", "kernels=200", "say=done", "line", STANDIN_ZERO_AFTER=0) as t:
        v = Viewer(t.socket())
        for _ in range(2):
            v.start("kernel")
            t.say()
            wait_for_line(t)
            v.stop()
        tap.equal((v.value("rearmed"), v.counters("kernel")["bad_time"]), (0, 1100), "900 kernels without times, STOP, 200 more: not 1000 in a row")
        t.say()
        t.end()


def test_old_versions():
    """Headers of 12.0 to 12.4: no cuptiActivityEnableDriverApi. 12.0 and 12.1 say 18 as 11.8 does, and have Kernel9."""
    with Target("line", "kernels=5", "say=done", "line", STANDIN_CUPTI_VERSION=18, STEPSCOPE_CUPTI=os.path.join(STANDIN, "12.0/libcupti.so.12")) as t:
        v = Viewer(t.socket())
        kinds = v.start().kinds
        tap.ok(not kinds & 1 << L["KIND_driver"] and kinds & 1 << L["KIND_kernel"], "before 12.5 calls of the driver are not recorded by default")
        tap.ok(v.ask(L["WIRE_SET_KINDS"], 1 << L["KIND_driver"]).kinds, "they are when asked for")
        v.start("kernel")
        t.say()
        wait_for_line(t)
        v.stop()
        tap.equal((v.count["kernel"], {k["clusters"] for k in v.shapes.values()}), (5, {2}), "12.0: clusters that fit at once are read")
        t.say()
        t.end()
    with Target("line", "copies=5", "kernels=5", "say=done", "line", STANDIN_CUPTI_VERSION=28) as t:
        v = Viewer(t.socket())
        v.start("copy", "kernel")
        t.say()
        wait_for_line(t)
        v.stop()
        tap.equal({r["flags"] & L["WIRE_DEVICE_LAUNCHED"] for r in v.of("copy")}, {0}, "12.9: padding is not read as 'launched by the device'")
        t.say()
        t.end()


tap.each(f for name, f in sorted(globals().items()) if name.startswith("test_"))
tap.done()
