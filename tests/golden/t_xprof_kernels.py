"""The kernel table against XProf's, row by row, for every XSpace of the corpus that holds GPU kernels.

XProf cuts each duration to whole ns where stepscope rounds start and end, so times may differ by 1 ns per event.
tests/golden/xprof/make.py froze the answers of two versions.  RULES is the one whose Tensor Core rules `--tc-rules=xprof`
follows; op names are compared with OP_NAMES, which no longer leaves the colon of `name:type` behind an empty type.
"""
import glob
import json
import os
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness

RULES, OP_NAMES = "2.22.3", "2.24.2"
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "xprof")
LAUNCH = ("name", "registers", "smem_bytes", "block", "grid", "op")  # what XProf groups by, except the two flags


def launch(row):
    return tuple(row[column] or "" if column == "op" else row[column] for column in LAUNCH)


def short(key):
    return (key[0][:40], *key[1:])


def golden_rows(golden):
    """XProf's rows as dicts, with the flags and the op name of the chosen versions."""
    columns, flag_columns = golden["columns"], golden["flag_columns"]
    for values, flags, names in zip(golden["rows"], golden["flags"][RULES], golden["flags"][OP_NAMES], strict=True):
        row = dict(zip(columns, values)) | dict(zip(flag_columns, flags))
        row["op"] = names[flag_columns.index("op")]
        yield row


def ours(trace_file):
    rows = harness.table("kernels", trace_file, "--tc-rules=xprof", "--no-cache").rows
    for row in rows:
        for column in ("count", "total_ns", "avg_ns", "min_ns", "max_ns"):
            row[column] = harness.number(row[column])
    return rows


def differences(want, got):
    """Columns in which one row of ours departs from XProf's."""
    apart = {column: got[column] for column in ("count", "tc_eligible", "uses_tc") if got[column] != want[column]}
    slack = {"total_ns": want["count"], "avg_ns": 1, "min_ns": 1, "max_ns": 1}
    apart |= {column: got[column] for column, ns in slack.items() if abs(got[column] - want[column]) > ns}
    if want["occupancy_pct"] and got["occupancy_pct"] != want["occupancy_pct"]:
        apart["occupancy_pct"] = got["occupancy_pct"]
    return apart


def check(tap, golden, trace_file):
    trace = golden["trace"]
    want, got = list(golden_rows(golden)), ours(trace_file)
    by_launch = {launch(row): row for row in got}
    theirs, mine = Counter(map(launch, want)), Counter(map(launch, got))
    told = [f"only {who}: {short(row)}" for who, rows in (("XProf", theirs - mine), ("ours", mine - theirs)) for row in rows]
    tap.ok(not told, f"{trace}: the same kernels, launches and ops", "\n".join(told))
    for row in want:
        name = f"{trace}: {row['name'][:40]} grid {row['grid']} {row['op']}".rstrip()
        if launch(row) in by_launch:
            apart = differences(row, by_launch[launch(row)])
            tap.ok(not apart, name, f"expected { {c: row[c] for c in apart} }\ngot      {apart}")


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
