"""The library inside the target, on stand-ins for the driver and CUPTI: what arrives, and that the target does not notice.
The stand-ins are ours; they prove our code and say nothing about CUPTI."""
import os
import shutil
import signal
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from viewer import L, SANITIZED, STANDIN, Rendezvous, Target, Viewer, until  # noqa: E402
from harness import Tap  # noqa: E402

tap = Tap()


def run(*words, **more):
    """A whole run of the target: (exit status, stdout, stderr)."""
    with Target(*words, **more) as t:
        return t.end()


def recorded(*words, kinds="default", **more):
    """The target's whole life as a viewer that started it sees it, and how the target ended."""
    door = Rendezvous()
    with Target(*words, STEPSCOPE_VIEWER=door.path, STEPSCOPE_START=kinds, **more) as t:
        v = door.accept()
        while t.process.poll() is None:
            v.read()
            until(lambda: t.process.poll() is not None or v.value("head") != v.tail, "the target")
        end = t.end()
        v.read()
    return v, end


def test_target_does_not_notice():
    """Same status, same output, with every way to end, with and without us, idle and recording."""
    for words in (["kernels=20", "exit=7"], ["kernels=20", "_exit=3"], ["kernels=20", "abort"], ["kernels=20", "segv"],
                  ["kernels=20", "kill"], ["kernels=20"], ["kernels=5", "fork", "vfork", "spawn", "exit=4"], ["kernels=5", "exec"]):
        alone = run(*words, CUDA_INJECTION64_PATH=None)
        for name, more in (("armed", {}), ("recording", {"STEPSCOPE_START": "all"}), ("disabled", {"STEPSCOPE_DISABLE": "1"}),
                           ("without CUPTI", {"STEPSCOPE_CUPTI": "/nowhere/libcupti.so"})):
            tap.equal(run(*words, **more), alone, f"{' '.join(words)}: {name}, the target ends and prints as without us")


def test_every_record():
    v, end = recorded("kernels=300", "copies=20", "sets=30", "graphs=5", "exit=7")
    tap.equal(end[0], 7, "the exit status is the target's")
    tap.equal(v.ended, True, "the last frame says that nothing follows")
    tap.equal(v.unaccounted(), {}, "seen = sent + dropped + bad time, and all that was sent was read")
    tap.equal({k: v.count[k] for k in ("kernel", "copy", "memset", "sync")},
              {"kernel": 300 + 5 * 20, "copy": 20, "memset": 30, "sync": 4}, "as many records as the target did work")
    kernel = v.of("kernel")[0]
    tap.equal((kernel["name"], kernel["grid"], kernel["block"], kernel["smem"], kernel["place"]),
              ("k_add", (7, 1, 1), (128, 1, 1), 3072, (0, 1, 7)), "a kernel has name, grid, block, shared memory and place")
    calls = {r["corr"]: r["name"] for r in v.of("driver")}
    tap.equal({calls.get(r["corr"]) for r in v.of("kernel")}, {"cuLaunchKernel", "cuGraphLaunch"}, "each kernel has its launch")
    tap.equal(sorted({r["graph"] for r in v.of("kernel")}), [0, 1], "kernels of a graph say so")
    tap.equal(len({r["node"] for r in v.of("kernel") if r["graph"]}), 20, "and from which node they come")
    copy, fill = v.of("copy")[0], v.of("memset")[0]
    tap.equal((copy["bytes"], copy["copy"], copy["flags"]), (4096, (1, 1, 3), L["WIRE_ASYNC"]), "a copy has bytes and kinds")
    tap.equal((fill["bytes"], fill["value"]), (512, 0xab), "a memset has bytes and value")
    tap.ok(all(r["start"] < r["end"] for r in v.records), "everything starts before it ends")
    tap.equal([r["name"] for r in v.of("driver") if r["name"].startswith("cuDevice")], [], "cheap queries are left out")
    tap.ok(v.value("left_out") == 0 and v.value("unknown") == 0, "nothing was unreadable")


def test_dead_before_we_looked():
    door = Rendezvous()
    status, out, _ = run("kernels=50", "exit=2", STEPSCOPE_VIEWER=door.path, STEPSCOPE_START="default")
    v = door.accept()
    v.read()
    tap.equal((status, out, v.count["kernel"], v.ended), (2, "kernels 50\n", 50, True),
              "a target that is over before its viewer looks has left everything")


def test_late_viewer():
    with Target("kernels=10", "line", "kernels=20", "say=done", "line", "kernels=30", "say=done", "line", "exit=1") as t:
        first = Viewer(t.socket())
        tap.equal((first.hello.abi, first.hello.state, first.hello.pid), (L["WIRE_ABI"], "armed", t.pid), "the target says hello")
        tap.equal(first.start().result, 0, "START is answered")
        t.say()
        while t.process.stdout.readline() != "done\n":
            pass
        first.stop()
        tap.equal(first.count["kernel"], 20, "a late viewer sees nothing from before START and all behind it")
        tap.equal([bool(s[2]) for s in first.sessions], [False, True, False], "sessions say when recording began and ended")
        tap.equal(first.value("late", "I"), 1, "and that contexts may be older")
        first.close()
        until(lambda: Viewer(t.socket()).hello.verb == L["WIRE_HELLO"], "the target to be free again")
        second = until(lambda: (lambda v: v if v.ring else None)(Viewer(t.socket())), "a ring")
        second.start()
        t.say()
        while t.process.stdout.readline() != "done\n":
            pass
        second.stop()
        tap.equal((second.count["kernel"], second.of("kernel")[0]["name"]), (30, "k_add"), "the next viewer gets the dictionary again")
        tap.equal(second.unaccounted(), {}, "and counters of its own")
        tap.ok(any(k == L["WIRE_DEVICE"] for k, _ in second.facts) and any(k == L["WIRE_THREAD"] for k, _ in second.facts),
               "and devices and threads")
        second.close()
        t.say()
        tap.equal(t.end()[0], 1, "the target ends as it wants")


def test_verbs():
    with Target("line", "kernels=5", "copies=5", "say=done", "line", "copies=5", "kernels=5", "say=done", "line") as t:
        v = Viewer(t.socket())
        other = Viewer(t.socket())
        tap.equal((other.hello.verb, other.hello.pid), (L["WIRE_BUSY"], os.getpid()), "a second viewer hears who is in charge")
        tap.equal(v.start("kernel").kinds, 1 << L["KIND_kernel"], "START takes kinds")
        t.say()
        while t.process.stdout.readline() != "done\n":
            pass
        v.stop()
        tap.equal((v.count["kernel"], v.count["copy"], v.count["driver"]), (5, 0, 0), "only what was asked for is recorded")
        tap.equal(v.ask(L["WIRE_SET_KINDS"], 1 << L["KIND_copy"]).kinds, 1 << L["KIND_copy"], "SET_KINDS changes them")
        t.say()
        while t.process.stdout.readline() != "done\n":
            pass
        tap.equal(v.ask(L["WIRE_STATS"]).state, "recording", "STATS tells the state")
        v.stop()
        tap.equal((v.count["kernel"], v.count["copy"]), (5, 5), "from then on")
        tap.ok(v.ask(77).result, "an unknown verb is refused")
        tap.equal(v.ask(L["WIRE_DETACH"]).result, 0, "DETACH is answered")
        until(lambda: not v.is_connected(), "the end of the connection")
        again = until(lambda: (lambda w: w if w.ring else None)(Viewer(t.socket())), "a ring")
        tap.equal((again.hello.state, again.start().result), ("yielded", 0), "behind DETACH, CUPTI is free; START takes it again")
        t.say()
        tap.equal(t.end()[0], 0, "the target ends well")


def test_start_while_recording():
    """START and SET_KINDS in the middle: what is recorded before and behind them is recorded throughout."""
    with Target("rate=50000", "line", "kernels=20000", "say=done", "line", STEPSCOPE_RING_MB=16) as t:
        v = Viewer(t.socket())
        v.start("kernel")
        t.say()
        while v.counters("kernel")["seen"] < 15000:
            v.start("kernel", "copy")
            v.start("kernel", "driver")
            v.read()
        while t.process.stdout.readline() != "done\n":
            pass
        v.stop()
        tap.equal((v.count["kernel"], v.unaccounted()), (20000, {}), "other kinds while recording: none of the kernels is missing")
        t.say()


def test_kinds_that_are_missing():
    with Target("line", "kernels=5", "copies=5", "say=done", "line", STANDIN_LACKS=22) as t:
        v = Viewer(t.socket())
        tap.ok(v.start().kinds & 1 << L["KIND_copy"], "copies are recorded where copies between devices cannot be")
        v.close()
        t.say()
        t.say()
        t.end()
    with Target("line", "kernels=5", "copies=5", "say=done", "line", STANDIN_LACKS=10) as t:
        v = Viewer(t.socket())
        answer = v.start()
        tap.equal((answer.result, answer.state, answer.kinds & 1 << L["KIND_kernel"]), (0, "recording", 0),
                  "a kind that cannot be enabled is missing in the answer")
        tap.ok("not available" in answer.text, "which says so", answer.text)
        t.say()
        while t.process.stdout.readline() != "done\n":
            pass
        v.stop()
        tap.equal((v.count["kernel"], v.count["copy"]), (0, 5), "the others are recorded")
        t.say()
        t.end()


def test_unfinished_kernel():
    with Target("line", "kernels=2", "forever", "say=done", "line") as t:
        v = Viewer(t.socket())
        v.start()
        t.say()
        while t.process.stdout.readline() != "done\n":
            pass
        v.stop()
        flags = {r["name"]: r["flags"] for r in v.of("kernel")}
        tap.equal(flags, {"k_add": 0, "k_forever": L["WIRE_UNFINISHED"]}, "a kernel that still ran when we stopped is marked so")
        t.say()


def test_family():
    """Children that start a driver of their own are targets of their own; a fork without exec is none. exec asks nobody:
    what was not fetched yet is lost with the old program, hence the line before it."""
    door = Rendezvous()
    with Target("kernels=4", "fork", "vfork", "spawn", "line", "exec", STEPSCOPE_VIEWER=door.path, STEPSCOPE_START="default") as t:
        viewers = [door.accept() for _ in range(3)]
        viewers[0].read_until(lambda: viewers[0].count["kernel"] == 4, "kernels")
        t.say()
        viewers.append(door.accept())
        status, out, _ = t.end()
        for v in viewers:
            v.read()
        tap.equal(status, 6, "the status of the last program")
        tap.equal(sorted(v.count["kernel"] for v in viewers), [3, 3, 3, 4], "parent and three programs, each with its kernels")
        tap.equal(len({v.hello.pid for v in viewers}), 3, "exec keeps the pid")
        tap.ok("fork: child ended with 5" in out, "the forked child ran")
        tap.equal(sum(v.ended for v in viewers), 3, "all ended in order but the one that exec replaced")


def test_child_without_fork_handlers():
    """Who calls clone() itself asks no handler of ours. Its exit must not take the target's socket away, nor end our thread."""
    with Target("clone", "say=done", "line", "kernels=7", "say=done", "line", "exit=4") as t:
        while t.process.stdout.readline() != "done\n":
            pass
        v = Viewer(t.socket())
        v.start("kernel")
        t.say()
        while t.process.stdout.readline() != "done\n":
            pass
        v.stop()
        tap.equal((v.state, v.count["kernel"]), ("armed", 7), "a child made by clone() ends, and the target is served on")
        t.say()
        tap.equal(t.end()[0], 4, "and ends as it wants")


def test_threads():
    v, end = recorded("threads=256", "kernels=20", STEPSCOPE_RING_MB="4")
    tap.equal((end[0], v.count["kernel"], v.unaccounted()), (0, 5120, {}), "256 threads, none of their kernels is missing")
    tap.equal(len({r["tid"] for r in v.of("driver") if r["name"] == "cuLaunchKernel"}), 256, "each under its own thread")


def state_of(**more):
    with Target("line", "kernels=3", "line", "exit=9", **more) as t:
        v = Viewer(t.socket())
        state, text, answer = v.hello.state, v.hello.text, v.start()
        t.say()
        t.say()
        return state, text, answer, t.end()[0]


def test_states():
    state, text, answer, status = state_of(STANDIN_HOLDER="nsys")
    tap.equal((state, text, answer.result > 0, status), ("busy", "nsys", True, 9), "another client of CUPTI is named")
    state, text, answer, status = state_of(STANDIN_REFUSE="35")
    tap.ok(state == "failed" and "cuptiSubscribe" in text and answer.code == 35 and status == 9, "a refusal carries call and code",
           (state, text, answer.code, status))
    state, text, answer, status = state_of(STEPSCOPE_CUPTI="/nowhere/libcupti.so")
    tap.ok(state == "no-cupti" and "/nowhere/libcupti.so" in text and status == 9, "without CUPTI it says what was tried", text)
    state, text, answer, status = state_of(STEPSCOPE_YIELD="1")
    tap.equal((state, answer.result, status), ("yielded", 0, 9), "while yielding CUPTI is others' until START")
    state, text, answer, status = state_of(STEPSCOPE_CUPTI=None)
    tap.equal((state, answer.result, status), ("armed", 0, 9), "libcupti is found by name")


def test_versions():
    """The size of a record changes with CUPTI's version, what we read of it does not."""
    for version in (18, 19, 24, 28, 130000, 130400):
        v, end = recorded("kernels=30", "graphs=1", STANDIN_CUPTI_VERSION=version)
        kernel = v.of("kernel")[0]
        tap.equal((end[0], v.count["kernel"], kernel["name"], kernel["grid"], kernel["smem"], v.hello.cupti_version),
                  (0, 50, "k_add", (7, 1, 1), 3072, version), f"CUPTI {version}")


def test_exit_in_the_middle():
    for more in ({}, {"STEPSCOPE_START": "all"}):
        tap.equal(run("race=11", **more)[0], 11, "exit() while four threads launch kernels" + (", recording" if more else ""))


def found(**more):
    """Which libcupti the target took, when nobody names one."""
    with Target("line", STEPSCOPE_CUPTI=None, **more) as t:
        v = Viewer(t.socket())
        at = L["wire_header.cupti_path"]
        t.say()
        return v.ring[at:at + 512].split(b"\0")[0].decode(), v.hello.text


def test_which_cupti():
    """The copy that is mapped already; else one beside the CUDA libraries that are mapped; never a second one."""
    if SANITIZED:
        tap.skip("which libcupti is taken", "a sanitizer wants to be loaded first")
        return
    only_driver, wheel = tempfile.mkdtemp(prefix="live"), tempfile.mkdtemp(prefix="live")
    os.symlink(os.path.join(STANDIN, "libcuda.so.1"), os.path.join(only_driver, "libcuda.so.1"))
    layout = {"nvidia/cuda_runtime/lib/libcudart.so.13": "libcuda.so.1", "nvidia/cu13/lib/libcupti.so.13": "libcupti.so.13",
              "torch/lib/libcupti.so.13": "libcupti.so.13", "toolkit/lib64/libcudart.so.13": "libcuda.so.1",
              "toolkit/extras/CUPTI/lib64/libcupti.so.12": "libcupti.so.13"}
    for name, copy in layout.items():
        os.makedirs(os.path.dirname(os.path.join(wheel, name)), exist_ok=True)
        shutil.copy(os.path.join(STANDIN, copy), os.path.join(wheel, name))
    runtime, mapped = (os.path.join(wheel, n) for n in ("nvidia/cuda_runtime/lib/libcudart.so.13", "torch/lib/libcupti.so.13"))
    tap.equal(found(LD_PRELOAD=mapped)[0], mapped, "a libcupti that is mapped is the one")
    path, _ = found(LD_PRELOAD=runtime, LD_LIBRARY_PATH=only_driver)
    tap.equal(os.path.normpath(path), os.path.join(wheel, "nvidia/cu13/lib/libcupti.so.13"), "the wheel of the mapped runtime has one")
    path, _ = found(LD_LIBRARY_PATH=only_driver, CUDA_HOME=os.path.join(wheel, "toolkit"), STANDIN_DRIVER=12080)
    tap.equal(os.path.normpath(path), os.path.join(wheel, "toolkit/extras/CUPTI/lib64/libcupti.so.12"), "at last the toolkit's own is looked for")
    path, text = found(LD_LIBRARY_PATH=only_driver + ":" + os.path.join(wheel, "torch/lib"), STANDIN_DRIVER=12080)
    tap.ok(path == "" and "libcupti.so.12" in text and "libcupti.so.13" not in text, "never one newer than the driver", (path, text))


def test_raw_buffers():
    """Buffers recorded in one process give the same records when they are replayed in another."""
    folder = tempfile.mkdtemp(prefix="live")
    v, _ = recorded("kernels=200", "copies=20", "graphs=3", "forever", STEPSCOPE_RAW=folder)
    file = os.path.join(folder, os.listdir(folder)[0])
    w, end = recorded("sleep=50", STANDIN_REPLAY=file)
    shape = lambda v: [(r["name"], r["grid"], r["corr"], r["end"] - r["start"]) for r in v.of("kernel") if not r["flags"]]  # noqa: E731
    calls = lambda v: [(r["name"], r["corr"]) for r in v.of("driver") if r["corr"]]  # noqa: E731
    tap.equal((end[0], shape(w)), (0, shape(v)), "raw buffers replay to the same kernels")
    tap.ok(set(calls(v)) <= set(calls(w)), "and the same calls")


def each(pid, what, ask):
    """What `ask` says of each thread ("task") or file ("fd") of a process; of those that end meanwhile, nothing."""
    said = []
    for i in os.listdir(f"/proc/{pid}/{what}"):
        try:
            said.append(ask(f"/proc/{pid}/{what}/{i}"))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return said


def content(path):
    with open(path) as f:
        return f.read()


def test_traces_left():
    runtime = tempfile.mkdtemp(prefix="live")
    with Target("line", runtime=runtime) as t:
        before = t.socket()
        names = lambda: sorted(each(t.pid, "task", lambda p: content(p + "/comm").strip()))  # noqa: E731
        ours = until(lambda: (lambda n: len(n) == 2 and n)([n for n in names() if n != "target"]), "our threads")
        v = Viewer(before)
        v.start()
        v.close()
        until(lambda: not any("stepscope-ring" in f for f in each(t.pid, "fd", os.readlink)), "the ring to be let go")
        tap.equal(ours, ["stepscope-ctl", "stepscope-dec"], "two threads of ours, both named")
        tap.equal(sum("stepscope-ring" in m for m in open(f"/proc/{t.pid}/maps")), 0, "behind a viewer no mapping is left")
        tap.equal(os.stat(os.path.dirname(before)).st_mode & 0o777, 0o700, "the folder of sockets is ours alone")
        masks = each(t.pid, "task", lambda p: content(p + "/status"))
        blocked = [int(m.split("SigBlk:")[1].split()[0], 16) for m in masks if "stepscope" in m.splitlines()[0]]
        tap.ok(all(b & (1 << (signal.SIGTERM - 1)) and b & (1 << (signal.SIGINT - 1)) for b in blocked),
               "signals of the target do not reach our threads")
        t.say()
        t.end()
    tap.equal(os.listdir(os.path.join(runtime, "stepscope")), [], "no socket is left behind")


tap.each(f for name, f in sorted(globals().items()) if name.startswith("test_"))
tap.done()
