"""What our side costs, on stand-ins: python3 tests/live/measure.py. Not a test: it prints. The records come as fast as one
thread can make them, which no GPU does; CUPTI's own cost is not in here."""
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cuda_places import LIBRARY  # noqa: E402
from viewer import LIVE, STANDIN, Rendezvous, Target  # noqa: E402

KERNELS = 1_500_000


def reads_all(v):
    v.skip()
    time.sleep(0.002)


def is_slow(v):
    v.read()


def never_reads(v):
    time.sleep(0.002)


def measure(name, look, rate=0):
    door = Rendezvous()
    words = [f"rate={rate}", f"kernels={KERNELS if not rate else rate * 2}"]
    with Target(*words, STEPSCOPE_VIEWER=door.path, STEPSCOPE_START="kernel,driver", STEPSCOPE_RING_MB=16,
                STEPSCOPE_FLUSH_MS=100) as t:
        v = door.accept()
        v.keep = False
        began = time.monotonic()
        while t.process.poll() is None:
            look(v)
        took = time.monotonic() - began
        t.end()
        if look is not reads_all:  # that one gave the dictionary away unread
            v.read()
    c = [v.counters(k) for k in ("kernel", "driver")]
    seen, sent, dropped = (sum(x[k] for x in c) for k in ("seen", "sent", "dropped"))
    told = sum(map(sum, v.gaps))
    print(f"{name:28} {seen / took / 1e6:5.2f} M records/s, {100 * sent / seen:5.1f} % sent, {dropped} dropped, {told} of them told by "
          f"{len(v.gaps)} gaps; decoder {v.value('decode_ns') / seen:4.0f} ns a record, {v.value('decode_ns') / took / 1e7:4.1f} % "
          f"of a core; control {v.value('control_ns') / took / 1e7:4.1f} %")


for library in filter(None, (os.path.join(STANDIN, "libcupti.so.13"), LIBRARY)):
    print(os.path.basename(library), "iterator:")
    print(subprocess.run([os.path.join(LIVE, "records"), library, "bench"], capture_output=True, text=True).stdout.rstrip())
measure("a viewer that keeps up", reads_all)
measure("a slow viewer", is_slow)
measure("a viewer that never reads", never_reads)
measure("100000 kernels/s", reads_all, 100_000)
measure("10000 kernels/s", reads_all, 10_000)
