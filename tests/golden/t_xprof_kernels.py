"""The kernel table against XProf's, row by row, for every XSpace of the corpus that holds GPU kernels.

XProf cuts each duration to whole ns where stepscope rounds start and end, so times may differ by 1 ns per event.
A 0 of XProf in registers, shared memory, occupancy and an empty op mean that it could not tell; stepscope may know more,
and rows that differ only in such an op are added up before they are compared.
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
IF_KNOWN = ("registers", "smem_bytes", "occupancy_pct")


def golden_rows(golden):
    """XProf's rows as dicts, with the flags and the op name of the chosen versions."""
    columns, flag_columns = golden["columns"], golden["flag_columns"]
    for values, flags, names in zip(golden["rows"], golden["flags"][RULES], golden["flags"][OP_NAMES]):
        row = dict(zip(columns, values)) | dict(zip(flag_columns, flags))
        row["op"] = names[flag_columns.index("op")]
        yield row


def launch(row, op):
    return row["name"], row["block"], row["grid"], op


def add(total, row):
    """Two rows of ours as one, by the rules of each column."""
    count, total_ns = total["count"] + row["count"], total["total_ns"] + row["total_ns"]
    return row | {
        "count": count,
        "total_ns": total_ns,
        "avg_ns": total_ns // count,
        "min_ns": min(total["min_ns"], row["min_ns"]),
        "max_ns": max(total["max_ns"], row["max_ns"]),
    }


def fold(rows, known):
    """Our rows by XProf's key: with the op where XProf names it, else without."""
    folded = {}
    for row in rows:
        row = {column: harness.number(value) if column.endswith("_ns") or column == "count" else value
               for column, value in row.items()}
        key = launch(row, row["op"] or "")
        key = key if key in known else launch(row, "")
        folded[key] = add(folded[key], row) if key in folded else row
    return folded


def differences(want, got):
    """Columns in which one row of ours departs from XProf's."""
    apart = {c for c in EXACT if got[c] != want[c]} | {c for c in IF_KNOWN if want[c] and got[c] != want[c]}
    slack = {"total_ns": want["count"], "avg_ns": 1, "min_ns": 1, "max_ns": 1}
    return apart | {c for c, ns in slack.items() if abs(got[c] - want[c]) > ns}


def called(key):
    name, _, grid, op = key
    return f"{name[:40]} grid {grid} {op}".rstrip()


def check(tap, golden, trace_file):
    want = {launch(row, row["op"]): row for row in golden_rows(golden)}
    got = fold(harness.table("kernels", trace_file, "--tc-rules=xprof", "--no-cache").rows, want)
    told = [f"missing: {called(key)}" for key in want.keys() - got.keys()]
    told += [f"not in XProf's: {called(key)}" for key in got.keys() - want.keys()]
    tap.ok(not told, f"{golden['trace']}: the same kernels, launches and ops", "\n".join(sorted(told)))
    for key in sorted(want.keys() & got.keys()):
        apart = sorted(differences(want[key], got[key]))
        why = "\n".join(f"{c}: expected {want[key][c]!r} got {got[key][c]!r}" for c in apart)
        tap.ok(not apart, f"{golden['trace']}: {called(key)}", why)


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
