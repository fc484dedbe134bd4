"""NVTX through our library: a real NVTX v3 program is unharmed by it, and CUPTI gets its ranges where it is there. No GPU is
needed; that ranges arrive as records can only be seen with one (tests/gpu)."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cuda_places import LIBRARY, first, has_driver  # noqa: E402
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
built = subprocess.run(["cc", "-std=c11", "-iquote", ROOT, "-D_GNU_SOURCE", "-I", os.path.dirname(os.path.dirname(HEADER)),
                        os.path.join(ROOT, "tests/live/nvtx.c"), "-o", program, "-ldl"], capture_output=True, text=True)
if not tap.ok(built.returncode == 0, "the program builds", built.stderr):
    tap.done()


def ends(name, taker="nobody", **more):
    """taker: the library that NVTX hands the ranges to; nobody when the tool reports 0, which NVTX takes for failure."""
    env = environment(folder, **{"NVTX_INJECTION64_PATH": INJECT, **more})
    done = subprocess.run([program], env=env, capture_output=True, text=True)
    tap.equal((done.returncode, done.stdout, done.stderr), (3, f"1000 steps for {taker}\n", ""), name)


ends("without us", NVTX_INJECTION64_PATH=None)
ends("with a CUPTI that knows no NVTX", STEPSCOPE_CUPTI=os.path.join(STANDIN, "libcupti.so.13"), STANDIN_NO_NVTX="1")
ends("with one that takes its ranges", "libcupti.so.13", STEPSCOPE_CUPTI=os.path.join(STANDIN, "libcupti.so.13"))
ends("without CUPTI", STEPSCOPE_CUPTI="/nowhere/libcupti.so")
ends("switched off", STEPSCOPE_DISABLE="1")
if LIBRARY:
    takes = has_driver() or "so.12" in LIBRARY  # 13 takes no ranges while it has no driver
    ends("with the real CUPTI" + ", which takes the ranges" * takes, os.path.basename(LIBRARY) if takes else "nobody",
         STEPSCOPE_CUPTI=LIBRARY, LD_LIBRARY_PATH=None)
else:
    tap.skip("with the real CUPTI", "no libcupti here")
tap.done()
