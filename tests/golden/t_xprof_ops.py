"""The table `ops` against XProf's op statistics, IDLE included (frozen by tests/golden/xprof/make.py).

XProf lists 500 ops per side. Of those all must be there with the same type, count, times, shares and execution mode; times may be 1 ns apart.

Where device work comes from programs that XLA compiled, both take the names, types and counts of ops from the program stored in the
file, and what its instructions cost from their shapes. XProf counts arithmetic in clocks of a table of its own, except for products
and convolutions: only of those the rates can be the same, others are null (`measured_flop_rate`, `operational_intensity`). On TPUs XProf takes lengths by the device's own clock, which the events have as well (device_duration_ps),
and stepscope those of the timeline: the ops and counts must be the same, and the sums within a ten-thousandth.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "xprof")]
import frozen
import harness

MOST = 500
TPU = ("tpu-inference",)
# theirs: ours
TIMES = {"total_ns": "total_time", "self_ns": "total_self_time"}
SHARES = {"device_self_share": "device_total_self_time_percent", "host_self_share": "host_total_self_time_percent"}  # of one, of 100
# theirs: ours, in units of theirs; null where stepscope does not tell
RATES = {"measured_flop_rate": ("measured_flop_rate", 1e9), "model_flop_rate": ("model_flop_rate", 1e9),
         "measured_memory_bw": ("measured_memory_bw", 2**30), "operational_intensity": ("operational_intensity", 1),
         "tensorcore_utilization": ("gpu_tensorcore_utilization", 100)}
PLAIN = {"occurrences": "occurrences", "bound_by": "bound_by", "eager": "eager"}


def side(rows, which):
    return {(row["type"], row["operation"]): row for row in rows if row["host_or_device"] == which}


def apart(ours, theirs):
    """The columns in which two rows differ."""
    off = [t for t, o in TIMES.items() if abs(harness.number(ours[o] or 0) - theirs[t]) > 1]
    off += [t for t, o in SHARES.items() if abs(harness.number(ours[o] or 0) / 100 - theirs[t]) > 1e-6]
    off += [t for t, (o, unit) in RATES.items() if ours[o] is not None and abs(ours[o] / unit - theirs[t]) > 1e-6 * abs(theirs[t])]
    off += ["measured_memory_bw"] if theirs["measured_memory_bw"] and ours["measured_memory_bw"] is None else []
    return off + [t for t, o in PLAIN.items() if harness.number(ours[o]) != theirs[t]]


def compare(tap, trace, which, ours, theirs):
    missing = [key for key in theirs if key not in ours]
    tap.ok(not missing, f"{trace}: {which}: XProf's {len(theirs)} ops are there", "\n".join(map(str, missing)))
    wrong = [f"{key} {apart(ours[key], row)}\nexpected {row}\ngot      {ours[key]}"
             for key, row in theirs.items() if key in ours and apart(ours[key], row)]
    tap.ok(not wrong, f"{trace}: {which}: types, counts, times, shares, modes and rates", "\n".join(wrong))
    if len(theirs) < MOST:
        tap.equal(sorted(map(str, set(ours) - set(theirs))), [], f"{trace}: {which}: no other ops")


def sums(rows, column):
    """Time of IDLE, and of everything else."""
    idle = sum(harness.number(row[column]) for (kind, _), row in rows.items() if kind == "IDLE")
    return idle, sum(harness.number(row[column]) for row in rows.values()) - idle


def compare_sums(tap, trace, ours, theirs, part):
    got, expected = sums(ours, "total_self_time"), sums(theirs, "self_ns")
    near = all(abs(g - e) <= max(part * e, len(theirs)) for g, e in zip(got, expected))
    tap.ok(near, f"{trace}: Device: time of IDLE and of all ops", f"expected {expected}\ngot      {got}")


def compare_counts(tap, trace, ours, theirs):
    counts = [{key: harness.number(row["occurrences"]) for key, row in rows.items()} for rows in (ours, theirs)]
    tap.equal(*counts, f"{trace}: Device: the same ops as often")


def device(tap, trace, ours, theirs):
    if trace in TPU:
        compare_sums(tap, trace, ours, theirs, 1e-4)
        compare_counts(tap, trace, ours, theirs)
    else:
        compare(tap, trace, "Device", ours, theirs)


def check(tap, trace):
    ours, theirs = frozen.ask("ops", trace, "--tc-rules=xprof").rows, frozen.dicts("ops", trace)
    device(tap, trace, side(ours, "Device"), side(theirs, "Device"))
    compare(tap, trace, "Host", side(ours, "Host"), side(theirs, "Host"))


def main():
    tap = harness.Tap()
    harness.need_program()
    frozen.each(tap, frozen.TRACES, check)
    tap.done()


main()
