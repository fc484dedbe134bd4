"""NVTX through our library: a real NVTX v3 program is unharmed by it, whether CUPTI is there or not. No GPU is needed; that
ranges arrive as records can only be seen with one (tests/gpu)."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cuda_places import LIBRARY, first  # noqa: E402
from viewer import INJECT, SANITIZED, STANDIN, environment  # noqa: E402
from harness import ROOT, Tap, skip_all  # noqa: E402

HEADER = first("include/nvtx3/nvToolsExt.h")
if not HEADER:
    skip_all("no nvtx3/nvToolsExt.h here")
if SANITIZED:
    skip_all("the sanitized library needs a sanitized program")
tap = Tap()
folder = tempfile.mkdtemp(prefix="live")
program = os.path.join(folder, "nvtx")
built = subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-I", os.path.dirname(os.path.dirname(HEADER)),
                        os.path.join(ROOT, "tests/live/nvtx.c"), "-o", program, "-ldl"], capture_output=True, text=True)
if not tap.ok(built.returncode == 0, "the program builds", built.stderr):
    tap.done()


def ends(name, **more):
    env = environment(folder, **{"NVTX_INJECTION64_PATH": INJECT, **more})
    done = subprocess.run([program], env=env, capture_output=True, text=True)
    tap.equal((done.returncode, done.stdout, done.stderr), (3, "1000 steps\n", ""), name)


ends("without us", NVTX_INJECTION64_PATH=None)
ends("with a CUPTI that knows no NVTX", STEPSCOPE_CUPTI=os.path.join(STANDIN, "libcupti.so.13"), STANDIN_NO_NVTX="1")
ends("with one that takes its ranges", STEPSCOPE_CUPTI=os.path.join(STANDIN, "libcupti.so.13"))
ends("without CUPTI", STEPSCOPE_CUPTI="/nowhere/libcupti.so")
ends("switched off", STEPSCOPE_DISABLE="1")
if LIBRARY:
    ends("with the real CUPTI", STEPSCOPE_CUPTI=LIBRARY, LD_LIBRARY_PATH=None)
else:
    tap.skip("with the real CUPTI", "no libcupti here")
tap.done()
