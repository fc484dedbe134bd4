#!/usr/bin/env python3
"""Slices opened by Perfetto itself (perfetto.py; from PyPI, with PYPI=1): it finds nothing to complain of, and each event where and as long as
`stepscope table events` has it, of a whole trace under what encloses it; as many flows and samples of counters as the file holds. Words: parts of names
of traces to open besides, whole and a window."""
import collections
import gzip
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import chrome_format
import perfetto
import slices
from harness import ROOT, Tap, need_program, table

RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
ASYNC = "EXISTS (SELECT 1 FROM track t WHERE t.id = s.track_id AND t.type LIKE '%async%')"
QUERIES = ["SELECT name, value FROM stats WHERE value > 0 AND severity IN ('error', 'data_loss')",
           f"SELECT ts, dur, name, depth, {ASYNC} FROM slice s",
           "SELECT count(*) FROM flow", "SELECT count(*) FROM counter"]


def first_few(a, b):
    return f"{sum((a - b).values())} only in Perfetto, as {list(a - b)[:3]}\n{sum((b - a).values())} only in the table, as {list(b - a)[:3]}"


def read(out):
    with gzip.open(out, "rt", encoding="utf-8") as f:
        return chrome_format.parse(f.read())["traceEvents"]


def compare_depths(tap, label, events, seen, first):
    """Of two that take no time, at one time, Perfetto has one in the other."""
    here = collections.Counter((e["start_ns"] + first, e["name"], e["depth"]) for e in events if e["dur_ns"] and e["kind"] != "async")
    there = collections.Counter((ts, name or "", depth) for ts, dur, name, depth, apart in seen if dur > 0 and not apart)
    tap.ok(here == there, f"{label}: under what encloses them", first_few(there, here))


def compare(tap, folder, path, label, *window):
    wrong, out = slices.slice_of(path, *window)
    if wrong:
        tap.ok(False, f"{label}: it is exported", wrong.told())
        return
    entries, (told, seen, flows, samples) = read(out), perfetto.ask(folder, out, QUERIES)
    tap.ok(not told, f"{label}: Perfetto finds no error", told)
    events = table("events", out if window else path).rows
    first = min((ts for ts, *_ in seen), default=0) - min((e["start_ns"] for e in events), default=0)
    here = collections.Counter((e["start_ns"] + first, e["dur_ns"], e["name"]) for e in events)
    there = collections.Counter((ts, max(dur, 0), name or "") for ts, dur, name, _, _ in seen)
    tap.ok(here == there, f"{label}: {len(seen)} events in their places", first_few(there, here))
    if not window:  # events of a slice may lie on a thread of their own for the sake of some that are not in it
        compare_depths(tap, label, events, seen, first)
    ends = sum(e["ph"] == "f" for e in entries)
    tap.equal(flows[0][0], ends, f"{label}: {ends} flows")
    counted = sum(len(e["args"]) for e in entries if e["ph"] == "C")
    tap.equal(samples[0][0], counted, f"{label}: {counted} samples of counters")


def main():
    need_program()
    tap = Tap()
    folder, why = perfetto.reader()
    if folder:
        compare(tap, folder, RESNET, "resnet")
        compare(tap, folder, RESNET, "a gap of resnet", "--gap=biggest")
    else:
        tap.skip("slices in Perfetto", why)
    for name, path in slices.all_traces() if folder and sys.argv[1:] else []:
        compare(tap, folder, path, name)
        for a_ns, b_ns in slices.places(path, [(30, 33)]):
            compare(tap, folder, path, f"a window of {name}", f"--window={a_ns}ns..{b_ns}ns")
    tap.done()


main()
