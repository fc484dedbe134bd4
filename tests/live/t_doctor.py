"""`stepscope doctor`: what it finds, on this machine and on stand-ins, and what it says about each CUPTI."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from viewer import STANDIN, Target  # noqa: E402
from harness import Tap, need_program, scratch, stepscope  # noqa: E402

tap = Tap()


def test_doctor():
    runtime = scratch("runtime")
    os.makedirs(runtime)
    run = stepscope("doctor", env={"XDG_RUNTIME_DIR": runtime})
    tap.ok(run.status in (0, 1) and run.err == "", "doctor", run.told())
    tap.equal(run.status == 1, "\nBAD " in "\n" + run.out, "exit 1 where live mode cannot work")
    for word in ("driver", "CUPTI", "library", "sockets", "process", "--kinds"):
        tap.ok(word in run.out, f"doctor speaks about {word}", run.out)
    tap.ok(os.path.join(runtime, "stepscope") in run.out, "it looks where the environment says", run.out)
    os.makedirs(os.path.join(runtime, "stepscope"))
    os.chmod(os.path.join(runtime, "stepscope"), 0o755)
    run = stepscope("doctor", env={"XDG_RUNTIME_DIR": runtime, "CUDA_INJECTION64_PATH": "/opt/other.so"})
    tap.ok("chmod 700" in run.out, "a folder that is open to others", run.out)
    tap.ok("another tool" in run.out, "the slot is taken", run.out)
    run = stepscope("run", "--", "true", env={"XDG_RUNTIME_DIR": runtime, "CUDA_INJECTION64_PATH": "/opt/other.so"})
    tap.ok(run.status == 126 and "--force" in run.err, "run does not push another tool out", run.told())


def test_doctor_and_cupti():
    """The CUPTI found and the one in use, what is known of each, and what no GPU has proven."""
    def told(**more):
        runtime = tempfile.mkdtemp(prefix="live")
        return stepscope("doctor", env={"XDG_RUNTIME_DIR": runtime, "LD_LIBRARY_PATH": "", **more}).out
    standin = os.path.join(STANDIN, "libcupti.so.13")
    out = told(STEPSCOPE_CUPTI=standin, STANDIN_CUPTI_VERSION="130001")
    tap.ok(f"{standin}, version 13.0.1" in out and "16 million" in out and "first NVTX range" in out, "CUPTI's version and what is known of it", out)
    tap.ok("Not seen on a GPU yet" in out, "what is not proven is said", out)
    out = told(STEPSCOPE_CUPTI=standin, STANDIN_CUPTI_VERSION="130700")
    tap.ok("newer than all that were tried" in out, "a version that nobody has tried", out)
    out = told(STEPSCOPE_CUPTI=os.path.join(STANDIN, "13.2/libcupti.so.13"))
    tap.ok("13.2/libcupti.so.13, 13.2 or later: its exact version is not known" in out, "13.2 without a driver is found and not called", out)
    with Target("line", STANDIN_CUPTI_VERSION="22") as t:
        t.socket()
        out = told(XDG_RUNTIME_DIR=t.runtime)
        tap.ok(f"in use by {t.pid}: {standin}, version API 22, under a driver of CUDA 13.0" in out and "before 12.5" in out,
               "the CUPTI that a process uses, and what is known of that", out)
        t.say()


need_program()
for test in (test_doctor, test_doctor_and_cupti):
    test()
tap.done()
