#!/usr/bin/env python3
"""Reports take little memory beyond the trace, however many rows their tables have: measured on two generated traces, one twice as
long as the other. Memory of the trace itself is what `notes` takes, which reads all of it."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from harness import ROOT, SANITIZED, STEPSCOPE, Tap, need_program, scratch, skip_all  # noqa: E402

# Shorter ones take less than this interpreter, whose peak a process begins with.
SIZES = ("300k", "600k")
MIB = 1 << 20
GAP_MOST = 4 * MIB      # report of one gap: rows of its tables are made when they are read
PER_EVENT_MOST = 45     # report of the whole: bytes for each further event


def written(size):
    """A saved file with about so many events, and how many."""
    binary, path, saved = scratch("gen_kineto"), scratch(f"{size}.json"), scratch(f"{size}.stepscope")
    if not os.path.exists(binary):
        subprocess.run(["cc", "-O1", "-o", binary, os.path.join(ROOT, "tests/bench/gen_kineto.c"), "-lm"], check=True)
    with open(path, "wb") as f:
        subprocess.run([binary, size], stdout=f, stderr=subprocess.DEVNULL, check=True)
    subprocess.run([STEPSCOPE, "pack", path, "-o", saved, "-q", "--force"], check=True)
    os.remove(path)
    return saved, int(size[:-1]) * 1000


def peak(*args):
    """The least of three runs: what the kernel adds is no doing of ours."""
    peaks = []
    for _ in range(3):
        process = subprocess.Popen([STEPSCOPE, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
        peaks.append(used.ru_maxrss * 1024)
    return min(peaks)


def main():
    need_program()
    if SANITIZED:
        skip_all("sanitizers bring their own allocator")
    tap = Tap()
    beyond = []
    for size in SIZES:
        path, events = written(size)
        trace, gap, whole = peak("notes", path), peak("report", path, "--gap", "biggest"), peak("report", path, "--format", "html")
        tap.ok(gap - trace < GAP_MOST, f"{size}: the report of a gap takes less than {GAP_MOST >> 20} MiB beyond the trace", gap - trace)
        beyond.append((whole - trace, events))
        os.remove(path)
    (less, fewer), (more, many) = beyond
    tap.ok(more - less < PER_EVENT_MOST * (many - fewer), f"the report of the whole grows by less than {PER_EVENT_MOST} bytes per event", beyond)
    tap.ok(more < 2 * less, "twice the events take less than twice the memory beyond the trace", beyond)
    tap.done()


main()
