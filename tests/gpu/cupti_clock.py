"""How far CUPTI's clock lies from the wall clock, in ns: of the libcupti that this process has mapped, or of the one named."""
import ctypes
import sys
import time


def mapped():
    with open("/proc/self/maps") as f:
        return next((line.split()[-1] for line in f if "libcupti.so" in line), None)


def off_ns(path=None):
    """None where there is no libcupti, or it does not tell."""
    path = path or mapped()
    if not path:
        return None
    cupti, stamp = ctypes.CDLL(path), ctypes.c_uint64()
    offs = []
    for _ in range(20):
        before = time.time_ns()
        if cupti.cuptiGetTimestamp(ctypes.byref(stamp)):
            return None
        offs.append((time.time_ns() - before, stamp.value - before))
    return min(offs)[1]


if __name__ == "__main__":
    print(off_ns(sys.argv[1] if len(sys.argv) > 1 else None))
