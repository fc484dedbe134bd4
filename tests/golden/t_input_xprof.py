#!/usr/bin/env python3
"""The input ops of real recordings under --semantics xprof against XProf's own input pipeline page (frozen in xprof/input-*.json):
the same ops, counts, categories, times within 1 ns per event, and the same breakdown of the host's side."""
import glob
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import harness

VERSION = "2.22.3"
BREAKDOWN = {"enqueue_us": "enqueue_ns", "demanded_file_read_us": "demanded_read_ns", "advanced_file_read_us": "advanced_read_ns",
             "preprocessing_us": "preprocessing_ns", "unclassified_nonequeue_us": "unclassified_ns"}


def trace_file(name):
    """Our own recordings lie beside the tests, published ones in the corpus, which may be absent."""
    found = glob.glob(os.path.join(HERE, "../traces", name, "plugins/profile/*/*.xplane.pb")) + \
        glob.glob(os.path.join(HERE, "../../../shared/traces/xspace", name, "*.xplane.pb"))
    return found[0] if found else None


def apart(theirs, ours):
    """What differs between XProf's row and ours, as text; "" when they agree."""
    if ours is None:
        return "absent"
    op, count, total_ms, total_share, self_ms, self_share, category = theirs
    pairs = {"count": (count, ours["count"], 0), "total_ns": (total_ms * 1e6, harness.number(ours["total_ns"]), count + 1),
             "self_ns": (self_ms * 1e6, harness.number(ours["self_ns"]), 2 * count + 1),
             "total_pct": (total_share * 100, ours["total_pct"], 1e-3), "self_pct": (self_share * 100, ours["self_pct"], 1e-3)}
    bad = [f"{key} {got} for {want}" for key, (want, got, slack) in pairs.items() if abs(want - got) > slack]
    return ", ".join(bad + ([] if category == ours["category"] else [ours["category"]]))


def check(tap, name, golden, path):
    ours = {r["op"]: r for r in harness.table("input_ops", path, "--no-cache", "--semantics", "xprof").rows}
    rows = golden["versions"][VERSION]
    told = {row[0]: apart(row, ours.get(row[0])) for row in rows}
    tap.ok(not any(told.values()), f"{name}: the {len(rows)} input ops agree", "\n".join(f"{k}: {v}" for k, v in told.items() if v))
    tap.equal(sorted(set(ours) - set(told)), [], f"{name}: no others")
    keys = harness.table("input", path, "--no-cache", "--semantics", "xprof").keyed()
    got = {us: harness.number(keys[ns]) for us, ns in BREAKDOWN.items()}
    bad = [f"{us}: {got[us]} ns for {want} us" for us, want in golden["breakdown"][VERSION] if abs(got[us] - float(want) * 1e3) > 500]
    tap.ok(not bad, f"{name}: the host's side agrees", "\n".join(bad))


def main():
    harness.need_program()
    tap = harness.Tap()
    for file in sorted(glob.glob(os.path.join(HERE, "xprof", "input-*.json"))):
        with open(file, encoding="utf-8") as f:
            golden = json.load(f)
        path = trace_file(golden["trace"])
        if not path:
            tap.skip(golden["trace"], "the trace is not here")
            continue
        try:
            check(tap, golden["trace"], golden, path)
        except harness.TableError as e:
            tap.ok(False, golden["trace"], e)
    tap.done()


main()
