"""The library put into a process that runs already, by tracing it: on stand-ins, with targets that wait in different ways. What
the target was doing goes on as if nothing had been."""
import os
import platform
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from viewer import INJECT, LIVE, SANITIZED, Target, Viewer, until  # noqa: E402
from harness import STEPSCOPE, Tap, skip_all, stepscope  # noqa: E402

if platform.machine() != "x86_64":
    skip_all("only for x86-64")
if SANITIZED:
    skip_all("a sanitizer keeps its own account of stacks and calls")
tap = Tap()


def graft(pid, library=INJECT):
    done = subprocess.run([os.path.join(LIVE, "graft"), str(pid), library], capture_output=True, text=True, timeout=30)
    return done.returncode, done.stderr.strip()


def wait_for(t, line):
    while t.process.stdout.readline() != line + "\n":
        assert t.process.poll() is None


with Target("line", CUDA_INJECTION64_PATH=None) as t:
    status, told = graft(t.pid)
    if status and "not permitted" in told:
        skip_all("processes cannot be traced here")
    t.say()
    tap.equal((status, t.end()[0]), (0, 0), "a process that waits for input takes the library")

with Target("kernels=5", "say=ready", "line", "kernels=30", "say=done", "line", "exit=7", CUDA_INJECTION64_PATH=None) as t:
    wait_for(t, "ready")
    tap.equal(graft(t.pid), (0, ""), "a process that uses CUDA and waits for input")
    v = Viewer(t.socket())
    tap.equal((v.hello.state, v.start().result), ("armed", 0), "is armed from then on")
    t.say()
    wait_for(t, "done")
    v.stop()
    tap.equal((v.count["kernel"], v.value("late", "I")), (30, 1), "its kernels arrive, marked as late")
    tap.equal(graft(t.pid)[0], 0, "doing it again does nothing")
    t.say()
    tap.equal(t.end(), (7, "", ""), "and it ends as it wants")

with Target("say=ready", "sleep=700", "say=awake", "exit=3", CUDA_INJECTION64_PATH=None) as t:
    wait_for(t, "ready")
    began = time.monotonic()
    status, _ = graft(t.pid)
    end = t.end()
    tap.ok(status == 0 and end == (3, "awake\n", "") and time.monotonic() - began > 0.5, "a sleep that was interrupted sleeps on", end)

with Target("rate=0", "say=ready", "kernels=100000000000", CUDA_INJECTION64_PATH=None) as t:
    wait_for(t, "ready")
    status, told = graft(t.pid)
    tap.ok(status == 1 and "try again" in told, "a busy process is left alone", told)
    tap.equal(t.process.poll(), None, "and runs on")

with Target("say=ready", "line", "kernels=40", "say=done", "line", "exit=3", CUDA_INJECTION64_PATH=None) as t:
    wait_for(t, "ready")
    saved = os.path.join(t.runtime, "grafted.stepscope")
    plain = stepscope("attach", t.pid, "-o", saved, env={"XDG_RUNTIME_DIR": t.runtime})
    tap.ok(plain.status == 2 and "--graft" in plain.err, "attach tells of --graft", plain.told())
    attach = subprocess.Popen([STEPSCOPE, "attach", str(t.pid), "--graft", "-o", saved], stderr=subprocess.PIPE, text=True,
                              env=dict(os.environ, XDG_RUNTIME_DIR=t.runtime))
    until(lambda: any("stepscope-ring" in m for m in open(f"/proc/{t.pid}/maps")), "the ring")
    time.sleep(0.3)  # START follows HELLO
    t.say()
    wait_for(t, "done")
    t.say()
    tap.equal(t.end()[0], 3, "attach --graft: the target ends as it wants")
    attach.communicate(timeout=20)
    kernels = stepscope("table", "kernels", saved, "--format", "csv")
    tap.ok(attach.returncode == 0 and "k_add" in kernels.out, "and its kernels are in the file", kernels.told())

with Target("say=ready", "line", "exit=3", CUDA_INJECTION64_PATH=None) as t:
    wait_for(t, "ready")
    status, told = graft(t.pid, "/nowhere/libstepscope-inject.so")
    tap.ok(status == 1 and "cannot load /nowhere" in told, "a library that is not there is said so", told)
    t.say()
    tap.equal(t.end()[0], 3, "and nothing else happens")
tap.ok(graft(2 ** 22 - 1)[0] == 1, "no such process")
tap.done()
