#!/usr/bin/env python3
"""Slices in Chrome's format: a whole trace that was exported and read back gives every table as before; of a window the tables that
follow from what happens in it; every event is there; what the file is, an independent validator says. `make slices` asks all traces."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import slices
from harness import ROOT, TRACES, Tap, corpus, need_program, scratch

LARGEST = 400_000  # bytes of a source: what is larger is one more of its kind
SMALL = os.path.join(ROOT, "tests/golden/small")
NSYS = "nsys/h100-video-2gpu/h100_2gpu_1s.sqlite"  # two ranks
XSPACES = ["xspace/jax-mi300-gemm/tw003.xplane.pb", "xspace/tf-v100-multi-worker/34.83.195.179_6003.xplane.pb"]
TF1 = "tf/tf1-timeline-gpu/timeline_01.json"


def numbers_that_viewers_cut():
    path = scratch("numbers.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"traceEvents": [{"ph": "X", "pid": pid, "tid": tid, "ts": 10 * tid, "dur": 5, "name": f"work of {pid}", "cat": "cpu_op"}
                                   for pid in (7, -1, 1 << 31) for tid in (0, 3)]}, f)
    return path


def main():
    need_program()
    tap = Tap()
    slices.whole(tap, numbers_that_viewers_cut(), "processes -1 and 2^31")
    for name in sorted(f for f in os.listdir(SMALL) if f.endswith(".json")):
        slices.whole(tap, os.path.join(SMALL, name), name)
    for name in corpus():
        path = os.path.join(TRACES, name)
        small = name.startswith(("kineto", "chrome")) and os.path.getsize(path) < LARGEST
        if small or name == NSYS:
            slices.whole(tap, path, name, slices.at_home(name))
        if (small and name.startswith("kineto")) or name == NSYS:
            # the first work of the Qwen trace has no launch; the other window lies in the replay of a graph, behind all ops
            slices.chrome_windows(tap, path, name, [(0, 10) if "h100-qwen" in name else (72, 73) if "graph_execution" in name else (30, 60)])
    if corpus():
        # long ops there are first calls, as short ones of the same names behind the window tell
        slices.chrome_windows(tap, os.path.join(TRACES, TF1), TF1, [(0, 10)])
        for name in XSPACES:
            slices.of_xspace(tap, os.path.join(TRACES, name), name)
        # a process without a name or an event of its own has no number in the original
        slices.whole(tap, os.path.join(TRACES, "kineto/dlrm-8rank-nccl"), "eight ranks in one file", leave={"tracks": None})
    tap.done()


main()
