"""The step table of our own CPU recordings against XProf's overview page (frozen by tests/golden/xprof/make.py).

Every part of every step must agree to the nanosecond (1 ns is allowed: XProf cuts, stepscope rounds).  XProf leaves out the
first and the last marker since 2.23; their lengths are compared with OLDER, which lists them.
"""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness

# Not here: keras-fit (no step in XProf, which takes the functions that Keras runs for no marker), jax-grain (stages of Grain are input there)
# and jax-steps. Its 2.24.2 leaves out what a thread pool runs for the step, but lets the instant at which that begins last until the next
# event of the step, when no other encloses it; 2.22.3 counts the whole region. Computed so, all its steps come out to the nanosecond.
TRACES = ("sample", "tf-cpu", "keras-legacy-fit", "tf-data-tree", "tf-eager", "tf-retrace", "tf-loop")
VERSION, OLDER = "2.24.2", "2.22.3"
HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = ("device_compute_ns", "device_to_device_ns", "collectives_ns", "host_compute_ns", "kernel_launch_ns", "input_ns",
         "output_ns", "compilation_ns", "other_ns")


def golden_steps(trace):
    """XProf version -> its rows as dicts."""
    with open(os.path.join(HERE, "xprof", f"steps-{trace}.json"), encoding="utf-8") as f:
        golden = json.load(f)
    return {v: [dict(zip(golden["columns"], row)) for row in rows] for v, rows in golden["versions"].items()}


def xprof_name(row):
    """XProf calls a step `train 9`; here it is step `9` or, where several names count, `train:9`, and its name is `train`."""
    return f"{row['name']} {str(row['step']).split(':')[-1]}"


def compare(tap, ours, theirs, columns, name):
    """One test for one step: the columns in which it is more than 1 ns apart, with both values."""
    apart = [c for c in columns if abs(harness.number(ours[c] or 0) - theirs[c]) > 1]
    tap.ok(not apart, name, "\n".join(f"{c}: expected {theirs[c]} got {ours[c]}" for c in apart))


def check(tap, trace):
    (trace_file,) = glob.glob(os.path.join(HERE, "../traces", trace, "plugins/profile/*/*.xplane.pb"))
    golden = golden_steps(trace)
    got = {xprof_name(row): row for row in harness.table("steps", trace_file, "--no-cache", "--semantics", "xprof").rows}
    tap.equal(list(got), [row["step"] for row in golden[OLDER]], f"{trace}: the same steps")
    for theirs in golden[OLDER]:
        ours = got.get(theirs["step"])
        if ours:
            compare(tap, ours, theirs, ["dur_ns"], f"{trace}: {theirs['step']} lasts as long")
            tap.equal(sum(harness.number(ours[c] or 0) for c in PARTS), ours["dur_ns"], f"{trace}: the parts of {theirs['step']} add up")
    for theirs in golden[VERSION]:
        if theirs["step"] in got:
            compare(tap, got[theirs["step"]], theirs, PARTS, f"{trace}: {theirs['step']} has the same parts")


def main():
    tap = harness.Tap()
    harness.need_program()
    for trace in TRACES:
        try:
            check(tap, trace)
        except harness.TableError as e:
            tap.ok(False, trace, e)
    tap.done()


main()
