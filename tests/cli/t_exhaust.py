"""Nothing crashes, hangs, or tells less than it should when memory, threads or the disk are out: the n-th call of each kind
fails. Here some n of each command; `make exhaust` (EXHAUST=1) takes every n of what is quick, ten times as many of the rest,
and a large trace under limits of memory."""
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../exhaust"))
from exhaust import KINETO, Case, cases, exhaust, fill_disk, starve
from harness import OUT, SANITIZED, Tap, need_program, scratch, skip_all, stepscope, unpacked

ALL = bool(os.environ.get("EXHAUST"))
MOST = 5000 if ALL else 96
MIB = 1 << 20


def zstd_frame(data):
    """As zstd may store it: a window of 2 MiB, blocks as they are, no checksum."""
    out = [b"\x28\xb5\x2f\xfd", b"\x00", bytes([11 << 3])]
    blocks = [data[at:at + 100000] for at in range(0, len(data), 100000)]
    for i, block in enumerate(blocks):
        out += [(len(block) << 3 | (i == len(blocks) - 1)).to_bytes(3, "little"), block]
    return b"".join(out)


def told(what, result, began):
    """One line for each command, with figures where all n are taken."""
    runs, absorbed, wrong = result
    figures = f" ({runs} runs, {absorbed} absorbed, {time.monotonic() - began:.0f} s)" if ALL else ""
    t.ok(runs and not wrong, what + figures, "\n".join(f"{x}: {why}; {where}" for x, why, where in wrong))


need_program()
if SANITIZED:
    skip_all("sanitizers bring their own allocator")

t = Tap()
saved, packed = scratch("saved.stepscope"), scratch("trace.json.zst")
stepscope("pack", KINETO, "-o", saved)
with open(packed, "wb") as f:
    f.write(zstd_frame(unpacked(KINETO)))

for case in cases(saved, packed):
    began = time.monotonic()
    told(f"{case.name}: what fails is told", exhaust(case, MOST), began)

for case in (Case("pack", KINETO, out="new.stepscope"), Case("report", KINETO, out="report.html")):
    began = time.monotonic()
    told(f"{case.name}: a full disk is told", fill_disk(case, 200 if ALL else 12), began)

began = time.monotonic()
limits = [n * MIB for n in (range(20, 200) if ALL else range(24, 120, 4))]
told("a report under limits of address space", starve(Case("report", KINETO, "--format", "html"), limits), began)

if ALL:
    large = scratch("large.json")
    with open(large, "wb") as f:
        subprocess.run([os.path.join(OUT, "tests/bench/gen_kineto"), "-c", "400k"], stdout=f, stderr=subprocess.DEVNULL, check=True)
    for words in (("report", large, "--format", "html"), ("table", "kernels", large), ("report", large, "--threads", "1")):
        began = time.monotonic()
        case = Case(*words)
        told(f"{case.name}: 400,000 events under limits of address space", starve(case, [n * MIB for n in range(64, 1200, 64)]), began)

t.done()
