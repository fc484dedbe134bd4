"""NVIDIA's libcupti itself, where it is installed: our declaration of its records against its headers, its record iterator under
our converter, and its answers on a machine without a driver, which are our error paths. No GPU is needed."""
import ctypes
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cupti_headers  # noqa: E402
from cuda_places import CUDA_HEADER, HEADER, LIBRARY, has_driver  # noqa: E402
from viewer import LIVE, STANDIN, Target, Viewer  # noqa: E402
from harness import Tap  # noqa: E402

tap = Tap()


def records(name, library):
    done = subprocess.run([os.path.join(LIVE, "records"), library], capture_output=True, text=True)
    for line in done.stdout.splitlines():
        if " - " in line:
            tap.ok(line.startswith("ok"), f"{name}: {line.split(' - ', 1)[1]}")
    tap.ok(done.returncode == 0, f"{name}: all of it", f"exit {done.returncode} {done.stderr[-500:]}")


def test_headers():
    if not HEADER or not CUDA_HEADER:
        tap.skip("every field of a record lies where NVIDIA's headers say", "no cupti.h and cuda.h here")
        return
    fine, told = cupti_headers.check(os.path.dirname(HEADER), os.path.dirname(CUDA_HEADER), os.path.basename(LIBRARY or ""))
    tap.ok(fine, f"every field of a record lies where NVIDIA's headers say ({told[-60:]})", told)


# Answers of the real library on a machine without a driver: "no driver" is 15 (not initialised) up to 12.9 and 999 (unknown) in
# 13.0 and 13.1. Later ones must not be asked at all (13.2), or say 999 to everything: make cupti-versions looks at those.
DRIVERLESS = [("cuptiActivityEnable", (ctypes.c_int(10),)), ("cuptiActivityFlushAll", (ctypes.c_uint(0),)),
              ("cuptiSetThreadIdType", (ctypes.c_int(1),))]


def test_driverless():
    if not LIBRARY or has_driver():
        tap.skip("the real library without a driver", "no libcupti here" if not LIBRARY else "there is a driver")
        return
    cupti = ctypes.CDLL(LIBRARY)
    if hasattr(cupti, "cuptiActivityGetStructSize"):
        tap.skip("the real library without a driver", "it must not be called without one")
        return
    version, stamp, dropped, name = ctypes.c_uint32(), ctypes.c_uint64(), ctypes.c_size_t(), ctypes.c_char_p()
    tap.ok(cupti.cuptiGetVersion(ctypes.byref(version)) == 0 and version.value >= 13, f"cuptiGetVersion ({version.value})")
    tap.equal(cupti.cuptiGetTimestamp(ctypes.byref(stamp)), 0, "cuptiGetTimestamp")
    no_driver = 15 if version.value < 130000 else 999
    tap.equal(cupti.cuptiActivityGetNumDroppedRecords(None, 0, ctypes.byref(dropped)), 15 if version.value < 23 else 0,
              "cuptiActivityGetNumDroppedRecords")
    tap.ok(cupti.cuptiGetCallbackName(1, 307, ctypes.byref(name)) == 0 and name.value == b"cuLaunchKernel", "cuptiGetCallbackName")
    tap.ok(cupti.cuptiGetCallbackName(2, 211, ctypes.byref(name)) == 0 and name.value == b"cudaLaunchKernel_v7000",
           "names of the runtime carry a version", name.value)
    subscriber, callback = ctypes.c_void_p(), ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p)
    idle = callback(lambda *_: None)
    tap.equal([cupti.cuptiSubscribe(ctypes.byref(subscriber), idle, None) for _ in range(2)], [no_driver] * 2, "cuptiSubscribe, twice")
    for call, arguments in DRIVERLESS:
        tap.equal(getattr(cupti, call)(*arguments), no_driver, call)


def test_real_library_without_driver():
    """The real CUPTI in a target whose driver is our stand-in: it refuses, the target does not care."""
    if not LIBRARY or has_driver():
        tap.skip("the real library in a target", "no libcupti here" if not LIBRARY else "there is a driver")
        return
    with Target("kernels=3", "line", "exit=4", STEPSCOPE_CUPTI=LIBRARY) as t:
        v = Viewer(t.socket())
        tap.ok((v.hello.state == "failed" and v.hello.code and "cuptiSubscribe" in v.hello.text) or v.hello.state == "no-cupti",
               f"it refuses, and we say so: {v.hello.text}", (v.hello.state, v.hello.code, v.hello.text))
        tap.ok(v.start().result, "START is refused")
        t.say()
        tap.equal(t.end()[:2], (4, "kernels 3\n"), "the target runs and ends as ever")


test_headers()
records("stand-in iterator", os.path.join(STANDIN, "libcupti.so.13"))
if LIBRARY:
    records("real iterator", LIBRARY)
else:
    tap.skip("real iterator", "no libcupti here")
test_driverless()
test_real_library_without_driver()
tap.done()
