"""Where NVIDIA's libcupti and headers are, if they are installed: said by the environment, known to the linker, or the
toolkit's default place."""
import ctypes
import glob
import os
import shutil
import subprocess


def roots():
    named = [os.environ[v] for v in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(v)]
    nvcc = shutil.which("nvcc")
    return named + ([os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))] if nvcc else []) + sorted(glob.glob("/usr/local/cuda*"))


def first(*patterns):
    found = [f for root in roots() for p in patterns for f in sorted(glob.glob(os.path.join(root, p)))]
    return found[0] if found else None


def from_linker():
    try:
        listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout
    except OSError:
        return None
    return next((line.split("=> ")[1] for line in listed.splitlines() if "libcupti.so.1" in line), None)


def has_driver():
    try:
        ctypes.CDLL("libcuda.so.1")
        return True
    except OSError:
        return False


LIBRARY = first("lib64/libcupti.so.1[0-9]", "extras/CUPTI/lib64/libcupti.so.1[0-9]", "lib/libcupti.so.1[0-9]") or from_linker()
HEADER = first("include/cupti.h", "extras/CUPTI/include/cupti.h")
CUDA_HEADER = first("include/cuda.h")
