"""The kernel table against XProf's, row by row, for every XSpace of the corpus that holds GPU kernels.

XProf cuts each duration to whole ns where stepscope rounds start and end, so times may differ by 1 ns per event.
A 0 of XProf in registers, shared memory and occupancy means that it could not tell; stepscope may know more.
tests/golden/xprof/make.py froze the answers of two versions, which differ in Tensor Core rules and op names; VERSION counts.
"""
import collections
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness

VERSION = "2.24.2"
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "xprof")
EXACT = ("count", "tc_eligible", "uses_tc")
IF_KNOWN = ("registers", "smem_bytes", "occupancy_pct")
MOST = 1000  # rows that XProf lists


def golden_rows(golden):
    """XProf's rows as dicts, with the flags and the op name of the chosen version."""
    for values, flags in zip(golden["rows"], golden["flags"][VERSION]):
        yield dict(zip(golden["columns"], values)) | dict(zip(golden["flag_columns"], flags))


def our_rows(trace_file):
    rows = harness.table("kernels", trace_file, "--semantics=xprof", "--tc-rules=xprof", "--no-cache").rows
    for row in rows[:MOST]:
        numbers = {c: harness.number(value) for c, value in row.items() if c.endswith("_ns")}
        yield row | numbers | {"count": harness.number(row["kernels"]), "op": row["op"] or ""}


def key(row):
    return row["name"], row["block"], row["grid"], row["op"]


def by_key(rows):
    """The rows of a key differ in registers or shared memory; they stay in the table's order."""
    found = collections.defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def differences(want, got):
    """Columns in which one row of ours departs from XProf's."""
    apart = {c for c in EXACT if got[c] != want[c]} | {c for c in IF_KNOWN if want[c] and got[c] != want[c]}
    slack = {"total_ns": want["count"], "avg_ns": 1, "min_ns": 1, "max_ns": 1}
    return apart | {c for c, ns in slack.items() if abs(got[c] - want[c]) > ns}


def called(row):
    return f"{row['name'][:40]} grid {row['grid']}"


def check_rows(tap, trace, want, got):
    for row, ours in zip(want, got):
        apart = sorted(differences(row, ours))
        why = "\n".join(f"{c}: expected {row[c]!r} got {ours[c]!r}" for c in apart)
        tap.ok(not apart, f"{trace}: {called(row)}", why)


def check_order(tap, trace, want, got):
    """Longest first; rows as long as each other to the slack of their sums may change places."""
    swapped = [f"{i}: expected {w['total_ns']} got {g['total_ns']}" for i, (w, g) in enumerate(zip(want, got))
               if abs(w["total_ns"] - g["total_ns"]) > max(w["count"], g["count"])]
    tap.ok(not swapped, f"{trace}: the order of the rows", "\n".join(swapped))


def check(tap, golden, trace_file):
    trace, want, got = golden["trace"], list(golden_rows(golden)), list(our_rows(trace_file))
    theirs, ours = by_key(want), by_key(got)
    counts = [{k: len(rows) for k, rows in found.items()} for found in (theirs, ours)]
    told = [f"{k}: expected {counts[0].get(k, 0)} rows got {counts[1].get(k, 0)}"
            for k in sorted(set(theirs) | set(ours)) if counts[0].get(k) != counts[1].get(k)]
    tap.ok(not told, f"{trace}: the same {len(want)} kernels, launches and ops", "\n".join(told))
    check_order(tap, trace, want, got)
    for k, rows in theirs.items():
        check_rows(tap, trace, rows, ours.get(k, []))


def main():
    tap = harness.Tap()
    harness.need_program()
    for golden_file in sorted(glob.glob(os.path.join(GOLDEN, "kernel_stats/*.json"))):
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
