"""Bad luck on the target's side of live mode, on stand-ins: viewers that die, stall or lie, full rings, CUPTI misbehaving, missing
folders and descriptors. Each time the target must run and end as if we were not there, and loss must be told to the record."""
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from viewer import L, SANITIZED, TARGET, Onlooker, Rendezvous, Target, Viewer, environment, message, socket_of  # noqa: E402
from harness import STEPSCOPE, TIMEOUT_S, Tap, until  # noqa: E402

tap = Tap()
HERE = os.path.dirname(os.path.abspath(__file__))


def wait_for_line(t, line="done\n"):
    while t.process.stdout.readline() != line:
        assert t.process.poll() is None


def talk(t, v):
    """Lets the target go to its next line and waits until it said so."""
    t.say()
    wait_for_line(t)
    v.read()


def some_viewer(t):
    return until(lambda: (lambda v: v if v.ring else None)(Viewer(t.socket())), "a ring")


def test_ring_full():
    """A viewer that does not read: the newest records are dropped, and every one of them is told by a gap."""
    with Target("line", "kernels=60000", "say=done", "line", "kernels=10", "say=done", "line", "exit=3") as t:
        v = some_viewer(t)
        v.start("kernel", "driver")
        t.say()
        wait_for_line(t)
        until(lambda: v.counters("kernel")["seen"] == 60000, "the decoder")
        tap.ok(v.counters("kernel")["dropped"] > 20000, "a full ring drops")
        v.read()
        talk(t, v)
        v.stop()
        tap.equal(v.unaccounted(), {}, "seen = sent + dropped, and the gaps tell every drop")
        tap.ok(1 <= len(v.gaps) <= 3, "one gap for a run of drops, not one for each record", v.gaps)
        tap.equal(v.count["kernel"], 60010 - v.counters("kernel")["dropped"], "what came behind the gap is there")
        t.say()
        tap.equal(t.end()[0], 3, "the target ends as it wants")


def test_gap_at_stop():
    """Nothing comes behind the drops: STOP tells the gap, into room that was kept; and so does a pause, once there is room."""
    with Target("line", "kernels=40000", "say=done", "line", "kernels=40000", "say=done", "line") as t:
        v = some_viewer(t)
        v.start("kernel")
        t.say()
        wait_for_line(t)
        v.stop()
        tap.equal((len(v.gaps), v.unaccounted()), (1, {}), "STOP behind drops tells them")
        v.start("kernel")
        t.say()
        wait_for_line(t)
        until(lambda: v.counters("kernel")["seen"] == 80000, "the decoder")
        v.read()
        v.read_until(lambda: not v.unaccounted(), "the gap")
        tap.equal(len(v.gaps), 2, "and so does a quiet target, once the viewer has read")
        t.say()
        tap.equal(t.end()[0], 0, "the target ends as it wants")


def test_ring_full_to_the_end():
    """Nobody ever reads: the last frames still tell how much is missing."""
    door = Rendezvous()
    with Target("kernels=40000", STEPSCOPE_VIEWER=door.path, STEPSCOPE_START="kernel") as t:
        v = door.accept()
        status = t.end()[0]
        v.read()
        tap.equal((status, v.ended, v.unaccounted()), (0, True, {}), "room for the last gap and the end was kept")


def test_viewer_killed():
    """kill -9 of the viewer in the middle of a busy recording: the target goes back to armed and idle."""
    script = ("import sys; sys.path.insert(0, sys.argv[1])\nfrom viewer import *\nv = Viewer(sys.argv[2]); v.start('kernel')\n"
              "v.keep = False\nprint('on', flush=True)\nwhile True: v.read()")
    with Target("rate=20000", "line", "kernels=6000", "say=done", "line", "exit=5") as t:
        other = subprocess.Popen([sys.executable, "-c", script, HERE, t.socket()], stdout=subprocess.PIPE)
        other.stdout.readline()
        t.say()
        time.sleep(0.1)
        other.kill()
        other.communicate()
        v = some_viewer(t)
        tap.equal(v.hello.state, "armed", "behind a killed viewer the target is idle")
        wait_for_line(t)
        v.start("kernel")
        v.stop()
        t.say()
        tap.equal(t.end()[0], 5, "the target ends as it wants")


def test_viewer_stopped():
    """SIGSTOP of the viewer: the target keeps its pace; what was dropped is counted."""
    script = ("import sys, json; sys.path.insert(0, sys.argv[1])\nfrom viewer import *\nv = Viewer(sys.argv[2]); v.start('kernel', 'driver')\n"
              "v.keep = False\nprint('on', flush=True)\nwhile v.counters('kernel')['seen'] < 60000: v.read(); time.sleep(.001)\n"
              "v.stop(); print(json.dumps([v.unaccounted(), v.counters('kernel')['dropped'], v.count['kernel']]), flush=True)")
    with Target("line", "kernels=50000", "say=done", "line", "rate=50000", "kernels=10000", "say=done", "line") as t:
        other = subprocess.Popen([sys.executable, "-c", script, HERE, t.socket()], stdout=subprocess.PIPE, text=True)
        other.stdout.readline()
        os.kill(other.pid, signal.SIGSTOP)
        t.say()
        wait_for_line(t)
        until(lambda: Onlooker(t.pid).counters("kernel")["seen"] == 50000, "the decoder")
        os.kill(other.pid, signal.SIGCONT)
        t.say()
        wait_for_line(t)
        told = other.communicate(timeout=TIMEOUT_S)[0]
        wrong, dropped, count = eval(told)  # our own program's words
        tap.equal((wrong, count), ({}, 60000 - dropped), "a stopped viewer loses records, and knows how many")
        tap.ok(dropped > 10000, "records were lost while it stood still", dropped)
        t.say()
        tap.equal(t.end()[0], 0, "the target did not wait for it")


def test_target_killed():
    with Target("rate=50000", "line", "kernels=1000000") as t:
        v = some_viewer(t)
        v.start("kernel")
        t.say()
        v.read_until(lambda: v.count["kernel"] > 2000, "kernels")
        t.process.kill()
        t.process.wait()
        v.read()
        until(lambda: not v.is_connected(), "the end of the connection")
        tap.ok(v.count["kernel"] > 2000 and not v.ended, "kill -9 of the target leaves a readable ring without an end")
        tap.equal(v.count["kernel"], v.counters("kernel")["sent"], "up to the last whole frame")


def test_nonsense_from_the_viewer():
    """The viewer writes nonsense where it may write: the tail. And says nonsense on the socket."""
    with Target("line", "kernels=2000", "say=done", "line", "kernels=10", "say=done", "line", "exit=2") as t:
        v = some_viewer(t)
        v.start("kernel")
        for tail in (2 ** 64 - 1, 2 ** 63, v.value("head") + 8, 1):
            struct.pack_into("Q", v.ring, L["wire_header.tail"], tail)
        for at in range(L["wire_header.head"], L["wire_header.tail"]):
            v.ring[at] = 0xff  # it can, though it should not; the target never reads these back
        t.say()
        wait_for_line(t)
        v.connection.send(b"too short")
        until(lambda: not v.is_connected(), "the end of the connection")
        w = some_viewer(t)
        w.connection.send(message(5) + b"too long")
        until(lambda: not w.is_connected(), "the end of the connection")
        x = some_viewer(t)
        x.start("kernel")
        talk(t, x)
        x.stop()
        tap.equal((x.count["kernel"], x.unaccounted()), (10, {}), "the next viewer is served as ever")
        t.say()
        tap.equal(t.end()[0], 2, "the target ends as it wants")


def test_flood_of_messages():
    with Target("line", "exit=2") as t:
        v = some_viewer(t)
        v.connection.setblocking(False)
        for _ in range(2000):  # answers are never read
            try:
                v.connection.send(message(L["WIRE_STATS"]))
            except BlockingIOError:
                time.sleep(0.0005)
        t.say()
        tap.equal(t.end()[0], 2, "a viewer that asks and never listens does not hold the target")


def quick_end(name, **more):
    """The target's end is not held up, however long CUPTI takes."""
    door = Rendezvous()
    with Target("kernels=50", "exit=8", STEPSCOPE_VIEWER=door.path, STEPSCOPE_START="default", **more) as t:
        status = t.end()[0]
        tap.equal(status, 8, name)


def one_life(*words, enough=None, **more):
    """The whole of it under a viewer's eyes. `enough`: what must hold of the viewer before the word "busy" is over."""
    door, noticed = Rendezvous(), os.path.join(tempfile.mkdtemp(prefix="live"), "noticed")
    words = [f"busy={noticed}" if w == "busy" else w for w in words]
    with Target(*words, STEPSCOPE_VIEWER=door.path, STEPSCOPE_START="kernel", **more) as t:
        v = door.accept()
        def has_ended():
            v.read()
            if enough and enough(v):
                open(noticed, "w").close()
            return t.process.poll() is not None
        until(has_ended, "the target's end")
        status = t.end()[0]
        v.read()
    return v, status


def test_cupti_misbehaves():
    quick_end("CUPTI hangs in a flush for an hour: the exit does not wait for it", STANDIN_FLUSH_MS=3600000)
    v, status = one_life("kernels=100", "sleep=100", "exit=8", STANDIN_DROP=17)
    tap.equal((status, v.lost, v.value("lost_cupti"), v.count["kernel"]), (8, 17, 17, 100), "what CUPTI lost is told")
    v, status = one_life("kernels=100", STANDIN_BAD_KIND=1)
    tap.equal((status, v.value("unknown")), (0, 1), "a record CUPTI cannot step over ends its buffer and is counted")
    v, status = one_life("rate=30000", "busy", enough=lambda v: v.count["kernel"] > 2000, STANDIN_ZERO_AFTER=2000)
    bad = v.counters("kernel")["bad_time"]
    tap.ok(status == 0 and v.value("rearmed") == 1 and bad >= 1000 and not v.unaccounted(),
           "kernels without times: CUPTI is rested once, they are counted, and those behind the rest have times again", (status, v.value("rearmed"), bad))
    noticed = os.path.join(tempfile.mkdtemp(prefix="live"), "noticed")
    with Target("rate=200", "line", "busy=" + noticed, "say=done", "line", "kernels=50", "say=done", "line", STANDIN_TAKEN_AFTER=100) as t:
        v = some_viewer(t)
        v.start("kernel")
        t.say()
        until(lambda: v.state != "recording", "another state")
        open(noticed, "w").close()
        wait_for_line(t)
        tap.equal((v.state, v.counters("kernel")["seen"]), ("taken", 100), "another client takes our records: it is noticed and said")
        tap.equal(v.start("kernel").state, "recording", "START takes CUPTI back")
        talk(t, v)
        v.stop()
        tap.equal((v.count["kernel"], v.unaccounted()), (150, {}), "and records again")
        t.say()
    v, status = one_life("threads=4", "kernels=20000", STANDIN_CUPTI_VERSION=24, STEPSCOPE_RING_MB=16)
    tap.equal((status, v.unaccounted()), (0, {}), "an old CUPTI that cannot bear to get no buffer always gets one")
    with Target("line", "kernels=3", "say=done", "line", "exit=8", STANDIN_LATE_BUFFER=1) as t:
        v = some_viewer(t)
        v.start("kernel")
        talk(t, v)
        v.ask(L["WIRE_DETACH"])
        time.sleep(0.1)
        t.say()
        tap.equal(t.end()[0], 8, "a buffer that comes after CUPTI was left does no harm")


def test_windows():
    v, status = one_life("rate=30000", "kernels=6000", STEPSCOPE_WINDOW=1, STANDIN_CUPTI_VERSION=28)
    tap.equal((status, v.value("rearmed"), v.count["kernel"]), (0, 0, 6000), "a window that is not full rests nothing")
    if SANITIZED:
        tap.skip("a full window", "the decoder is too slow under a sanitizer to see a million kernels")
        return
    v, status = one_life(*["kernels=250000", "sleep=200"] * 5, STEPSCOPE_WINDOW=1, STANDIN_CUPTI_VERSION=28)
    pauses = [b[0] - a[0] for a, b in zip(v.sessions, v.sessions[1:]) if not a[2] and b[2]]
    tap.equal((status, v.value("rearmed"), len(v.sessions)), (0, 1, 5), "a full window: CUPTI is rested, the sessions show the pause")
    tap.ok(len(pauses) == 2 and v.counters("kernel")["seen"] > 1_000_000 and not v.unaccounted(), "and records go on behind it", pauses)


def refused(name, prepare):
    """A folder for sockets that cannot be trusted: nobody can attach, the target runs."""
    runtime = tempfile.mkdtemp(prefix="live")
    prepare(os.path.join(runtime, "stepscope"))
    log = os.path.join(runtime, "log")
    with Target("kernels=3", "exit=4", runtime=runtime, STEPSCOPE_LOG=log) as t:
        status, out, err = t.end()
    inside = os.path.join(runtime, "stepscope")
    sockets = [f for f in os.listdir(inside) if f.endswith(".sock")] if os.path.isdir(inside) else []
    tap.equal((status, out, err, sockets), (4, "kernels 3\n", "", []), name)


def make_link(path):
    os.symlink(tempfile.mkdtemp(prefix="live"), path)


def test_folders():
    refused("a link instead of the folder is not followed", make_link)
    refused("a folder that others can enter is not used", lambda p: os.mkdir(p, 0o755) or os.chmod(p, 0o755))
    refused("a file instead of the folder", lambda p: open(p, "w").close())
    if os.getuid() == 0:
        refused("a folder of somebody else", lambda p: os.mkdir(p, 0o700) or os.chown(p, 65534, 65534))
    else:
        tap.skip("a folder of somebody else", "only root can make one")
    with Target("kernels=3", "exit=4", runtime="/proc/nowhere") as t:
        fallback = f"/tmp/stepscope-{os.getuid()}"
        tap.equal((t.end()[0], os.path.isdir(fallback)), (4, True), "where XDG_RUNTIME_DIR cannot be used, /tmp serves")


def test_foreign_uid():
    if os.getuid():
        tap.skip("a foreign user is turned away", "only root can become somebody else")
        return
    with Target("line", "exit=4") as t:
        path = t.socket()
        for p in (tempfile.tempdir, t.runtime, os.path.dirname(path)):
            os.chmod(p, 0o711)
        os.chmod(path, 0o777)  # as if somebody had opened the door on purpose
        code = ("import os, socket, sys\nos.setuid(65534)\ns = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
                "s.connect(sys.argv[1])\ns.settimeout(5)\nprint(len(s.recv(4096)))")
        got = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
        tap.equal(got.stdout.strip() or got.stderr.splitlines()[-1][:20], "0", "a foreign user is turned away without a word")
        tap.ok(some_viewer(t).ring, "and the owner is still served")
        t.say()
        tap.equal(t.end()[0], 4, "the target ends as it wants")


def limited(name, limit, value, **more):
    """Runs with a resource limit; the same status and output as ever."""
    runtime = tempfile.mkdtemp(prefix="live")
    done = subprocess.run([TARGET, "kernels=200", "exit=4"], env=environment(runtime, STEPSCOPE_START="all", **more),
                          capture_output=True, text=True, preexec_fn=lambda: resource.setrlimit(limit, (value, value)))
    tap.equal((done.returncode, done.stdout, done.stderr), (4, "kernels 200\n", ""), name)


def test_log_that_cannot_be_written():
    pipe = os.path.join(tempfile.mkdtemp(prefix="live"), "pipe")
    os.mkfifo(pipe)
    for log, name in (("/dev/full", "a full disk"), (pipe, "a pipe that nobody reads"), ("/nowhere/log", "a path that is not there")):
        with Target("kernels=3", "exit=4", STEPSCOPE_LOG=log, STEPSCOPE_RAW="/nowhere", STEPSCOPE_START="all") as t:
            tap.equal(t.end(), (4, "kernels 3\n", ""), f"the log goes to {name}: the target runs")


def test_other_pids():
    """In a container the process has another number than here: the list tells ours."""
    if subprocess.run(["unshare", "--pid", "--fork", "true"], capture_output=True).returncode:
        tap.skip("a process with a pid of its own namespace", "unshare is not allowed here")
        return
    with Target("--pid", "--fork", "--kill-child", TARGET, "kernels=2", "say=up", "line", "exit=4", program="unshare",
                env=(e := environment(tempfile.mkdtemp(prefix="live")))) as t:
        wait_for_line(t, "up\n")
        with open(f"/proc/{t.pid}/task/{t.pid}/children") as f:
            inner = int(f.read())
        listed = subprocess.run([STEPSCOPE, "attach"], env=e, capture_output=True, text=True).stdout
        tap.ok(str(inner) in listed and "kernels=2" in listed, "a process with a pid of its own namespace is listed by ours", listed)
        t.say()
        tap.equal(t.end()[0], 4, "and ends as it wants")


def test_limits():
    limited("no file may grow: there is no ring, the target runs", resource.RLIMIT_FSIZE, 4096)
    limited("hardly a descriptor to be had", resource.RLIMIT_NOFILE, 7)
    if not SANITIZED:  # a sanitizer's shadow needs more than that
        limited("hardly any address space", resource.RLIMIT_AS, 48 << 20)
    with Target("line", "exit=4") as t:
        path = t.socket()
        resource.prlimit(t.pid, resource.RLIMIT_NOFILE, (1, 1))
        s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        s.connect(path)
        time.sleep(0.05)
        resource.prlimit(t.pid, resource.RLIMIT_NOFILE, (1, 1))
        t.say()
        tap.equal(t.end()[0], 4, "a viewer knocks while the target is out of descriptors")


def test_stale_socket():
    """A socket of a process that is gone, or of another one with the same pid, is no target."""
    with Target("line", "exit=4") as t:
        path = t.socket()
        t.process.kill()
        t.process.wait()
        tap.equal(os.path.exists(path), True, "kill -9 leaves the socket's name behind")
        try:
            Viewer(path)
            tap.ok(False, "nobody answers there")
        except ConnectionRefusedError:
            tap.ok(True, "nobody answers there")
    with Target("line", "exit=4", runtime=t.runtime) as u:
        tap.ok(u.socket() != path and Viewer(u.socket()).ring, "a new target takes no notice")
        u.say()
        tap.equal(u.end()[0], 4, "and ends as it wants")
    tap.ok(path.endswith(".sock") and socket_of, "the name tells pid and start")


tap.each(f for name, f in sorted(globals().items()) if name.startswith("test_"))
tap.done()
