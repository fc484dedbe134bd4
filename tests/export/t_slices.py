#!/usr/bin/env python3
"""Slices in Chrome's format: a whole trace that was exported and read back gives every table as before; of a window the tables that
follow from what happens in it; every event is there; what the file is, an independent validator says."""
import csv
import gzip
import io
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import chrome_format
from harness import ROOT, TRACES, Tap, corpus, need_program, scratch, stepscope, table

LARGEST = 400_000  # bytes of a source: what is larger is one more of its kind
SMALL = [os.path.join(ROOT, "tests/golden/small", f) for f in sorted(os.listdir(os.path.join(ROOT, "tests/golden/small"))) if f.endswith(".json")]
# the file itself is another one: its format, size, ledger, path
OF_THE_FILE = {"trace", "notes"}
ABOUT_THE_FILE = ("notes_", "read-whole,")
# From what happens in a window: no ids of events, gaps, steps; no allocations whose other end lies outside; nothing that compares with
# steps outside (steady steps, periods).
COUNTED_OTHERWISE = {"first_event", "streams", "steps", "in_steps", "of_steps", "places", "copies_per_step", "kernels_per_step", "expected", "peak_bytes_per_s", "rate_pct",
                     "pieces", "placement", "placed_ops", "placed_runs", "placed_self_ns", "placed_pct"}
# in the slice steps are inferred, which the whole trace does not have: copies are then grouped by whether a step expects them
NOT_THERE = {"kineto/segment-anything-fast/amg_example_trace.json.gz": {"copies"}}
NUMBERED = {"id", "track", "depth", "step"}
OF_THE_WINDOW = ["kernels", "kernel_families", "ops", "op_types", "roofline", "copies", "syncs", "precisions", "tensor_cores", "latency_histogram", "devices",
                 "launches", "compiles"]


def export(path, out, *options):
    run = stepscope("export", path, "-o", out, "--force", "-q", *options)
    return run if run.status not in (0, 4) else None


def tables(path, name, *options):
    """Every table as lines, by its name: the head, the rows sorted."""
    folder = scratch(name + "/")
    shutil.rmtree(folder, ignore_errors=True)
    wrong = export(path, folder, *options)
    if wrong:
        return {"": [wrong.told()]}
    made = {}
    for f in os.listdir(folder):
        with open(os.path.join(folder, f), encoding="utf-8", errors="replace") as text:
            head = next(text, "")
            made[f[:-4]] = [head, *sorted(line for line in text if not line.startswith(ABOUT_THE_FILE))]
    return made


def slice_of(path, *options):
    """The slice under the name of its source, which tells the host and the rank."""
    folder = scratch("slices")
    os.makedirs(folder, exist_ok=True)
    out = os.path.join(folder, re.sub(r"(\.json)?(\.gz)?$", "", os.path.basename(path)) + ".json.gz")
    return export(path, out, *options), out


def validate(tap, out, label):
    with gzip.open(out, "rt", encoding="utf-8") as f:
        text = f.read()
    wrong, made = chrome_format.faults(text, flows=len(text) < 20_000_000)
    tap.ok(not wrong, f"{label}: the validator finds nothing", "\n".join(wrong[:10]))
    entries = sum(e["ph"] in "Xibn" for e in made["traceEvents"])
    tap.equal(entries, int(made["otherData"]["events"]), f"{label}: as many entries as it says events")
    return made


def whole(tap, path, label):
    wrong, out = slice_of(path)
    if wrong:
        return
    events = len(table("events", path).rows)
    made = validate(tap, out, label)
    tap.equal(int(made["otherData"]["events"]), events, f"{label}: every event is in it")
    before, after = tables(path, "before"), tables(out, "after")
    differ = [f"{t}: {len(set(before[t]) ^ set(after.get(t, [])))} lines, as {sorted(set(before[t]) ^ set(after.get(t, [])))[:2]}"
              for t in before if t not in OF_THE_FILE and before[t] != after.get(t)]
    tap.ok(not differ and len(before) > 50, f"{label}: read back, every table is as before", "\n".join(differ))


def begin_ns(made):
    return min(chrome_format.ns(e["ts"]) for e in made["traceEvents"] if e["ph"] in "XibnC")


def rows_of(lines, columns):
    return sorted([v for k, v in row.items() if k not in columns] for row in csv.DictReader(io.StringIO("".join(lines))))


def window(tap, path, label, a_ns, b_ns, origin_ns):
    wrong, out = slice_of(path, f"--window={a_ns}ns..{b_ns}ns")
    if wrong:
        tap.ok(False, f"{label}: a window is exported", wrong.told())
        return
    made = validate(tap, out, f"{label}, a window")
    shift = begin_ns(made) - origin_ns
    before = tables(path, "before", f"--window={a_ns}ns..{b_ns}ns")
    after = tables(out, "after", f"--window={a_ns - shift}ns..{b_ns - shift}ns")
    differ = []
    for t in OF_THE_WINDOW:
        x, y = rows_of(before[t], COUNTED_OTHERWISE), rows_of(after.get(t, []), COUNTED_OTHERWISE)
        if x != y and t not in NOT_THERE.get(label, ()):
            differ.append(f"{t}: {[r for r in x if r not in y][:1]} {[r for r in y if r not in x][:1]}")
    tap.ok(not differ, f"{label}: the window's tables are as before", "\n".join(differ))
    x, y = (rows_of(z["events"], NUMBERED | {"start_ns"}) for z in (before, after))
    tap.equal(x, y, f"{label}: every event of the window is in it")


def windows(tap, path, label):
    wrong, out = slice_of(path)
    if wrong:
        return
    with gzip.open(out, "rt", encoding="utf-8") as f:
        origin_ns = begin_ns(chrome_format.parse(f.read()))
    span_ns = int(table("trace", path).keyed()["span_ns"])
    window(tap, path, label, span_ns * 3 // 10, span_ns * 6 // 10, origin_ns)


def main():
    need_program()
    tap = Tap()
    for path in SMALL:
        whole(tap, path, os.path.basename(path))
    for name in corpus():
        path = os.path.join(TRACES, name)
        if name.startswith(("kineto", "chrome")) and os.path.getsize(path) < LARGEST:
            whole(tap, path, name)
            if name.startswith("kineto"):
                windows(tap, path, name)
    tap.done()


main()
