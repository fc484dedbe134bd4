"""The step table of our own CPU recordings against XProf's overview page (frozen by tests/golden/xprof/make.py).

Every part of every step must agree with XProf 2.22.3 to the nanosecond (1 ns is allowed: XProf cuts, stepscope rounds).

XProf 2.24.2 leaves out the first and the last step. Where JAX runs a step on a thread pool it differs in the parts too: it no longer takes
the begin and end of a pool's region for one event, so what runs inside is lost to the step; and the begin, an instant, lasts until the next
event of the step begins or ends, unless another event encloses it. `by_later_rule` computes its host time so from the table of events.
"""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness

TRACES = ("sample", "tf-cpu", "keras-fit", "keras-legacy-fit", "tf-data-tree", "tf-loop", "tf-eager", "tf-retrace", "jax-steps", "jax-grain")
THREAD_POOLS = ("sample", "jax-steps", "jax-grain")
VERSION, LATER = "2.22.3", "2.24.2"
HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = ("device_compute_ns", "device_to_device_ns", "collectives_ns", "host_compute_ns", "kernel_launch_ns", "input_ns",
         "output_ns", "compilation_ns", "other_ns")


def golden_steps(trace):
    """XProf version -> its rows as dicts."""
    with open(os.path.join(HERE, "xprof/steps", f"{trace}.json"), encoding="utf-8") as f:
        golden = json.load(f)
    return {v: [dict(zip(golden["columns"], row)) for row in rows] for v, rows in golden["versions"].items()}


def xprof_name(row):
    """XProf calls a step `train 9`; here it is step `9` or, where several names count, `train:9`, and its name is `train`."""
    return f"{row['name']} {str(row['step']).split(':')[-1]}"


def compare(tap, ours, theirs, columns, name):
    """One test for one step: the columns in which it is more than 1 ns apart, with both values."""
    apart = [c for c in columns if abs(harness.number(ours[c] or 0) - theirs[c]) > 1]
    tap.ok(not apart, name, "\n".join(f"{c}: expected {theirs[c]} got {ours[c]}" for c in apart))


def covered(spans):
    """Time that any of the spans covers."""
    total, until = 0, None
    for a, b in sorted(spans):
        if until is None or b > until:
            total += b - (a if until is None else max(a, until))
            until = b
    return total


def by_later_rule(events):
    """A step's host time as XProf 2.24.2 counts it; `events` are those of the step, its marker first."""
    marker, *rest = events
    own = [(e["start_ns"], e["start_ns"] + e["dur_ns"]) for e in rest if e["track"] == marker["track"]]
    borders = sorted({t for span in own for t in span})
    begins = [e["start_ns"] for e in rest if e["name"] == "ThreadpoolListener::StartRegion"]
    late = [(t, min(b for b in borders if b > t)) for t in begins if not any(a <= t < b for a, b in own)]
    waiting = [(e["start_ns"], e["start_ns"] + e["dur_ns"]) for e in rest if e["name"].startswith("PrefetchDatasetIterator")]
    return covered(own + late) - covered(waiting)


def later_rule(tap, trace, file, theirs):
    events = {}
    for event in harness.table("events", file, "--no-cache", "--semantics", "xprof").rows:
        events.setdefault(event["step"], []).append(event)
    for row in theirs:
        mine = sorted(events[row["step"].split()[-1]], key=lambda e: (e["start_ns"], -e["dur_ns"]))
        host_ns = by_later_rule(mine)
        tap.ok(abs(host_ns - row["host_compute_ns"]) <= len(mine), f"{trace}: {row['step']}: host time by the rule of {LATER}",
               f"expected {row['host_compute_ns']} got {host_ns}")


def check(tap, trace):
    (file,) = glob.glob(os.path.join(HERE, "../traces", trace, "plugins/profile/*/*.xplane.pb"))
    golden = golden_steps(trace)
    got = {xprof_name(row): row for row in harness.table("steps", file, "--no-cache", "--semantics", "xprof").rows}
    tap.equal(list(got), [row["step"] for row in golden[VERSION]], f"{trace}: the same steps")
    tap.equal([row["step"] for row in golden[LATER]], list(got)[1:-1], f"{trace}: {LATER} leaves out the first and the last")
    for theirs in golden[VERSION]:
        ours = got.get(theirs["step"])
        if ours:
            compare(tap, ours, theirs, ("dur_ns", *PARTS), f"{trace}: {theirs['step']} and its parts last as long")
            tap.equal(sum(harness.number(ours[c] or 0) for c in PARTS), ours["dur_ns"], f"{trace}: the parts of {theirs['step']} add up")
    if trace in THREAD_POOLS:
        later_rule(tap, trace, file, golden[LATER])
        return
    for theirs in golden[LATER]:
        compare(tap, got[theirs["step"]], theirs, PARTS, f"{trace}: {theirs['step']} has the same parts in {LATER}")


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
