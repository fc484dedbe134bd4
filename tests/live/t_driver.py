"""CUPTIs that turn to the driver before they do anything (13.2 and later), where there is none or no whole one: 13.2 ends the
process whichever of its functions is called. On stand-ins that were written after what the wheels of 13.2.23 to 13.5.25 do on a
machine without a driver (tests/live/README.md); the wheels themselves: make cupti-versions."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from viewer import INJECT, LIVE, STANDIN, Target, Viewer, environment  # noqa: E402
from harness import Tap  # noqa: E402

tap = Tap()
RANGES, WHOLE = os.path.join(LIVE, "ranges"), os.path.join(STANDIN, "whole")


def cupti(minor):
    return os.path.join(STANDIN, minor, "libcupti.so.13")


def ranges(name, expected, **more):
    env = environment(tempfile.mkdtemp(prefix="live"), **{"NVTX_INJECTION64_PATH": INJECT, **more})
    done = subprocess.run([RANGES], env=env, capture_output=True, text=True)
    tap.equal((done.returncode, done.stdout, done.stderr), (3, f"1000 steps for {expected}\n", ""), name)


ranges("NVTX and a CUPTI: it gets the ranges", "a tool")
ranges("NVTX only, CUPTI 13.0 Update 1, no driver: its first range would end the process", "nobody", STANDIN_CUPTI_VERSION="130001",
       LD_LIBRARY_PATH=None)
ranges("NVTX only, CUPTI 12.9, no driver: it takes ranges all the same", "a tool", STANDIN_CUPTI_VERSION="28", LD_LIBRARY_PATH=None)
ranges("NVTX only, CUPTI 13.0.0: ends the process when it starts up with NVTX", "nobody", STANDIN_CUPTI_VERSION="130000")
for minor in ("13.2", "13.3"):
    ranges(f"NVTX only, CUPTI {minor}, no driver: left alone", "nobody", STEPSCOPE_CUPTI=cupti(minor), LD_LIBRARY_PATH=None)
    ranges(f"NVTX only, CUPTI {minor}, a driver that is none", "nobody", STEPSCOPE_CUPTI=cupti(minor))
    ranges(f"NVTX only, CUPTI {minor}, a driver of CUDA 12", "nobody", STEPSCOPE_CUPTI=cupti(minor), LD_LIBRARY_PATH=WHOLE,
           STANDIN_DRIVER="12080")
if not any(map(os.path.exists, ("/dev/nvidiactl", "/dev/dxg", "/dev/nvmap"))):
    ranges("NVTX only, CUPTI 13.2, a driver without a device: left alone", "nobody", STEPSCOPE_CUPTI=cupti("13.2"), LD_LIBRARY_PATH=WHOLE)
ranges("NVTX only, CUPTI 13.3, a working driver: it gets the ranges", "a tool", STEPSCOPE_CUPTI=cupti("13.3"), LD_LIBRARY_PATH=WHOLE)

for minor in ("13.2", "13.3"):
    with Target("kernels=3", "line", "exit=4", STEPSCOPE_CUPTI=cupti(minor)) as t:
        v = Viewer(t.socket())
        tap.ok(v.hello.state == "no-cupti" and cupti(minor) in v.hello.text and "working driver" in v.hello.text,
               f"CUPTI {minor} in a target without a working driver: the viewer hears why", (v.hello.state, v.hello.text))
        tap.ok(v.start().result, "START is refused")
        t.say()
        tap.equal(t.end(), (4, "kernels 3\n", ""), "the target runs and ends as ever")
    with Target("line", "kernels=3", "exit=4", STEPSCOPE_CUPTI=cupti(minor), LD_LIBRARY_PATH=WHOLE, STANDIN_CUPTI_VERSION="130200") as t:
        v = Viewer(t.socket())
        v.start()
        t.say()
        tap.equal(t.end()[0], 4, f"CUPTI {minor} in a target with one")
        v.read()
        tap.equal(v.count["kernel"], 3, "is used")

with Target("kernels=3", "line", "exit=4", STEPSCOPE_CUPTI=os.path.join(STANDIN, "libcupti.so.13"), STANDIN_NO_VERSION="1") as t:
    v = Viewer(t.socket())
    tap.ok(v.hello.state == "no-cupti" and "cuptiGetVersion" in v.hello.text and "999" in v.hello.text,
           "a CUPTI that does not tell its version: which one, and its answer", (v.hello.state, v.hello.text))
    t.say()
    tap.equal(t.end()[0], 4, "the target ends as ever")
tap.done()
