"""The kernel table against XProf's, launch by launch, for every XSpace of the corpus that holds GPU kernels.

XProf cuts each duration to whole ns where stepscope rounds start and end, so times may differ by 1 ns per event.
A 0 of XProf in registers, shared memory and occupancy means that it could not tell; stepscope may know more.
Rows of one launch (kernel, grid, block) that differ in the op only are added up on both sides, for the ops need not agree:
XProf may take one from the compiled program stored in the file.  In OPS_IN_EVENTS the events name them, so there they must.
tests/golden/xprof/make.py froze the answers of two versions.  RULES is the one whose Tensor Core rules `--tc-rules=xprof`
follows; op names are compared with OP_NAMES, which no longer leaves the colon of `name:type` behind an empty type.
"""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness

RULES, OP_NAMES = "2.22.3", "2.24.2"
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "xprof")
EXACT = ("count", "tc_eligible", "uses_tc")
OPS_IN_EVENTS = ("jax-mi300-conv-legacy", "jax-mi300-gemm")
IF_KNOWN = ("registers", "smem_bytes", "occupancy_pct")


def golden_rows(golden):
    """XProf's rows as dicts, with the flags and the op name of the chosen versions."""
    columns, flag_columns = golden["columns"], golden["flag_columns"]
    for values, flags, names in zip(golden["rows"], golden["flags"][RULES], golden["flags"][OP_NAMES]):
        row = dict(zip(columns, values)) | dict(zip(flag_columns, flags))
        row["op"] = names[flag_columns.index("op")]
        yield row


def launch(row):
    return row["name"], row["block"], row["grid"]


def add(total, row):
    """Two rows as one, by the rules of each column."""
    count, total_ns = total["count"] + row["count"], total["total_ns"] + row["total_ns"]
    return row | {
        "count": count,
        "total_ns": total_ns,
        "avg_ns": total_ns // count,
        "min_ns": min(total["min_ns"], row["min_ns"]),
        "max_ns": max(total["max_ns"], row["max_ns"]),
    }


def fold(rows):
    """One row per launch."""
    folded = {}
    for row in rows:
        numbers = {c: harness.number(value) for c, value in row.items() if c.endswith("_ns") or c == "count"}
        row, key = row | numbers, launch(row)
        folded[key] = add(folded[key], row) if key in folded else row
    return folded


def differences(want, got):
    """Columns in which one row of ours departs from XProf's."""
    apart = {c for c in EXACT if got[c] != want[c]} | {c for c in IF_KNOWN if want[c] and got[c] != want[c]}
    slack = {"total_ns": want["count"], "avg_ns": 1, "min_ns": 1, "max_ns": 1}
    return apart | {c for c, ns in slack.items() if abs(got[c] - want[c]) > ns}


def called(key):
    name, _, grid = key
    return f"{name[:40]} grid {grid}"


def check_launches(tap, trace, want, got):
    told = [f"missing: {called(key)}" for key in want.keys() - got.keys()]
    told += [f"not in XProf's: {called(key)}" for key in got.keys() - want.keys()]
    tap.ok(not told, f"{trace}: the same kernels and launches", "\n".join(sorted(told)))
    for key in sorted(want.keys() & got.keys()):
        apart = sorted(differences(want[key], got[key]))
        why = "\n".join(f"{c}: expected {want[key][c]!r} got {got[key][c]!r}" for c in apart)
        tap.ok(not apart, f"{trace}: {called(key)}", why)


def check_ops(tap, trace, want, got):
    ours = {launch(row) + (row["op"],) for row in got}
    missing = [f"{called(launch(row))}: expected op {row['op']}" for row in want if row["op"] and launch(row) + (row["op"],) not in ours]
    tap.ok(not missing, f"{trace}: the same framework ops", "\n".join(missing))


def check(tap, golden, trace_file):
    want = list(golden_rows(golden))
    got = harness.table("kernels", trace_file, "--tc-rules=xprof", "--no-cache").rows
    check_launches(tap, golden["trace"], fold(want), fold(got))
    if golden["trace"] in OPS_IN_EVENTS:
        check_ops(tap, golden["trace"], want, got)


def main():
    tap = harness.Tap()
    harness.need_program()
    for golden_file in sorted(glob.glob(os.path.join(GOLDEN, "kernel_stats-*.json"))):
        with open(golden_file, encoding="utf-8") as f:
            golden = json.load(f)
        files = glob.glob(os.path.join(harness.TRACES, "xspace", golden["trace"], "*.xplane.pb"))
        if not files:
            tap.skip(golden["trace"], "the trace corpus is not here")
            continue
        try:
            check(tap, golden, files[0])
        except harness.TableError as e:
            tap.ok(False, golden["trace"], e)
    tap.done()


main()
