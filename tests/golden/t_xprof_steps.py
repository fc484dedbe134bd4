"""The step table of our own CPU recordings against XProf's overview page (frozen by tests/golden/xprof/make.py).

Lengths, input and output must agree to the nanosecond (1 ns is allowed: XProf cuts, stepscope rounds).  Host compute
and the rest are not compared: XProf counts the threads of the runtime, stepscope those that launch.  VERSION is the
XProf that still lists every step; later ones leave out the first and the last.
"""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness

VERSION = "2.22.3"
HERE = os.path.dirname(os.path.abspath(__file__))
SAME = ("dur_ns", "input_ns", "output_ns")
PARTS = ("device_compute_ns", "device_to_device_ns", "collectives_ns", "host_compute_ns", "kernel_launch_ns", "input_ns",
         "output_ns", "compilation_ns", "other_ns")


def golden_steps(trace):
    with open(os.path.join(HERE, "xprof", f"steps-{trace}.json"), encoding="utf-8") as f:
        golden = json.load(f)
    return [dict(zip(golden["columns"], row)) for row in golden["versions"][VERSION]]


def number_in(step):
    """`train 9`, `train:9` and `9` are step 9."""
    return int(str(step).replace(":", " ").split()[-1])


def check(tap, trace):
    (trace_file,) = glob.glob(os.path.join(HERE, "../traces", trace, "plugins/profile/*/*.xplane.pb"))
    want = golden_steps(trace)
    got = harness.table("steps", trace_file, "--no-cache").rows
    tap.equal([number_in(row["step"]) for row in got], [number_in(row["step"]) for row in want], f"{trace}: the same steps")
    for ours, theirs in zip(got, want):
        apart = [c for c in SAME if abs((ours[c] or 0) - theirs[c]) > 1]
        tap.ok(not apart, f"{trace}: {theirs['step']} lasts and waits as long", f"expected {[theirs[c] for c in apart]} "
               f"got {[ours[c] for c in apart]} in {apart}")
        tap.equal(sum(ours[c] or 0 for c in PARTS), ours["dur_ns"], f"{trace}: the parts of {theirs['step']} add up")


def main():
    tap = harness.Tap()
    harness.need_program()
    for trace in ("sample", "tf-cpu"):
        try:
            check(tap, trace)
        except harness.TableError as e:
            tap.ok(False, trace, e)
    tap.done()


main()
