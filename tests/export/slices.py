"""Slices that are exported and read back: what the tests of both formats share. A whole trace gives every table as before; a window those
that follow from what happens in it; every event is there; what the file is, validators say that know nothing of stepscope."""
import csv
import gzip
import io
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import chrome_format
import xspace_format
from harness import TRACES, corpus, scratch, stepscope, table, unpacked

# the file itself is another one: its format, size, ledger, path, how many files it is
OF_THE_FILE = {"trace", "notes"}
ABOUT_THE_FILE = ("notes_", "read-whole,", "tasks,")
# Of a window: no ids of events, gaps, steps; nothing that compares with steps outside (steady steps, periods); times count from the first event
# of each file.
IDS = {"first_event", "streams", "steps", "in_steps", "of_steps", "places", "copies_per_step", "kernels_per_step", "expected", "peak_bytes_per_s", "rate_pct",
       "pieces", "placement", "placed_ops", "placed_runs", "placed_self_ns", "placed_pct", "id", "track", "depth", "gap", "event", "main_event_id", "longest_gap"}
TIMES = {"start_ns"}
# Tables that say what lies outside of a window, too: the capture, lanes without events there, whole steps and where one lies, allocations made before
# it, calls that were waiting when it began, what streams idle for, what computes beside a collective that reaches beyond it, clocks that
# all collectives of the capture put right, whole replays of graphs.
BEYOND = OF_THE_FILE | {"tracks", "threads", "streams", "overview", "steps", "phases", "iterations", "iteration_kinds", "attention_context", "input", "findings", "memory", "memory_peak", "memory_curve",
                        "allocations", "memory_steps", "queue", "gaps", "collectives", "collective_sizes", "collective_steps", "comm_groups", "hosts", "graphs", "graph_kernels"}
# steps are inferred from what repeats, and less repeats in a window
BY_STEPS = {"copies", "fusion", "gap_groups", "idle", "idle_causes", "launch_totals", "replicas", "step_parts", "verdicts"}
# what stays at home is missing in a whole trace: the file of a compiled kernel is a path; advice on recording names the recorder; streams that
# are processes come back as threads of their device, in another order
AT_HOME = {"kineto/torch-compile-triton/": ["inductor_kernels"], "nsys/": ["findings"], "tf/": ["tracks", "events"]}
LEDGER = {"start_ns", "dur_ns", "kind", "name", "stream", "thread", "device"}  # of events


def at_home(name):
    return [t for begin, which in AT_HOME.items() if name.startswith(begin) for t in which]


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


def slice_of(path, *options, ending=".json.gz"):
    """The slice under the name of its source, which tells the host and the rank."""
    folder = scratch("slices")
    os.makedirs(folder, exist_ok=True)
    out = os.path.join(folder, re.sub(r"(\.json|\.sqlite|\.xplane\.pb)?(\.gz)?$", "", os.path.basename(path)) + ending)
    return export(path, out, *options), out


def validate(tap, out, label):
    with gzip.open(out, "rt", encoding="utf-8") as f:
        text = f.read()
    wrong, made = chrome_format.faults(text, flows=len(text) < 20_000_000)
    tap.ok(not wrong, f"{label}: the validator finds nothing", "\n".join(wrong[:10]))
    entries = sum(e["ph"] in "Xibn" for e in made["traceEvents"])
    tap.equal(entries, int(made["otherData"]["events"]), f"{label}: as many entries as it says events")
    return made


def whole(tap, path, label, leave=()):
    wrong, out = slice_of(path)
    if wrong:
        tap.ok(False, f"{label}: it is exported", wrong.told())
        return
    events = len(table("events", path).rows)
    made = validate(tap, out, label)
    tap.equal(int(made["otherData"]["events"]), events, f"{label}: every event is in it")
    before, after = tables(path, "before"), tables(out, "after")
    differ = [f"{t}: {len(set(before[t]) ^ set(after.get(t, [])))} lines, as {sorted(set(before[t]) ^ set(after.get(t, [])))[:2]}"
              for t in before if t not in OF_THE_FILE | set(leave) and before[t] != after.get(t)]
    tap.ok(not differ and len(before) > 50, f"{label}: read back, every table is as before", "\n".join(differ))


# What an XSpace says that Chrome's format has no place for: allocators, what programs cost, devices without work, names of hosts
TYPED = OF_THE_FILE | {"allocations", "devices", "events", "findings", "gpu_metrics", "hosts", "kernels", "memory", "memory_curve", "memory_peak", "memory_steps", "ops", "overview", "roofline",
                       "xla_buffers", "xla_heap", "xla_memory"}
TYPED_COLUMNS = {"kernels": ["name", "op", "kernels", "total_ns", "grid", "block", "occupancy_pct"], "ops": ["type", "operation", "occurrences", "total_time", "total_self_time", "self_share_pct"]}


def of_xspace(tap, path, label):
    """An XSpace in Chrome's format: all tables that it has a place for."""
    wrong, out = slice_of(path)
    if wrong:
        tap.ok(False, f"{label}: it is exported", wrong.told())
        return
    before, after = tables(path, "before"), tables(out, "after")
    differ = []
    for t in sorted(set(before) - TYPED | set(TYPED_COLUMNS)):
        columns = TYPED_COLUMNS.get(t) or [c for c in next(csv.reader([before[t][0]])) if c != "host"]
        if rows_of(before[t], 0, columns) != rows_of(after.get(t, []), 0, columns):
            differ.append(t)
    tap.ok(not differ and len(before) > 50, f"{label}: {len(before) - len(TYPED)} tables, kernels and ops are as before", differ)


# ---- windows


def rows_of(lines, shift_ns=0, columns=None):
    """The rows without ids, times moved; `columns`: of these alone."""
    made = []
    for row in csv.DictReader(io.StringIO("".join(lines))):
        made.append([str(int(v) - shift_ns) if k in TIMES and v else v for k, v in row.items() if (k in columns if columns else k not in IDS)])
    return sorted(made)


def compare(tap, label, before, after, shift_ns, leave):
    """Tables of the window: of the source, and of the slice, whose times are `shift_ns` smaller."""
    differ = []
    for t in sorted(set(before) - leave - {"events"}):
        x, y = rows_of(before[t], shift_ns), rows_of(after.get(t, []))
        if x != y:
            differ.append(f"{t}: {[r for r in x if r not in y][:1]} {[r for r in y if r not in x][:1]}")
    tap.ok(not differ and len(before) > 50, f"{label}: {len(set(before) - leave)} tables of the window are as before", "\n".join(differ))


def infers_steps(path):
    return table("trace", path).keyed()["steps_source"] == "inferred"


def begin_ns(out):
    with gzip.open(out, "rt", encoding="utf-8") as f:
        return min(chrome_format.ns(e["ts"]) for e in chrome_format.parse(f.read())["traceEvents"] if e["ph"] in "XibnC")


def places(path, parts):
    span_ns = int(table("trace", path).keyed()["span_ns"])
    return [(span_ns * a // 100, span_ns * b // 100) for a, b in parts]


def chrome_window(tap, path, label, a_ns, b_ns, origin_ns, typed=True):
    """typed: the source's details have a place in Chrome's format."""
    wrong, out = slice_of(path, f"--window={a_ns}ns..{b_ns}ns")
    if wrong:
        tap.ok(False, f"{label}: a window is exported", wrong.told())
        return
    validate(tap, out, f"{label}, {a_ns}-{b_ns} ns")
    shift_ns = begin_ns(out) - origin_ns
    mine, its = f"--window={a_ns}ns..{b_ns}ns", f"--window={a_ns - shift_ns}ns..{b_ns - shift_ns}ns"
    before, after = tables(path, "before", mine), tables(out, "after", its)
    tap.equal(*(rows_of(z.get("events", []), s, LEDGER if typed else LEDGER - {"kind"}) for z, s in ((after, 0), (before, shift_ns))),
              f"{label}: every event of the window is in it")
    if typed:
        compare(tap, label, before, after, shift_ns, BEYOND | (BY_STEPS if infers_steps(path) or infers_steps(out) else set()))


def chrome_windows(tap, path, label, parts, typed=True):
    wrong, out = slice_of(path)
    if wrong:
        tap.ok(False, f"{label}: it is exported", wrong.told())
        return
    origin_ns = begin_ns(out)
    for a_ns, b_ns in places(path, parts):
        chrome_window(tap, path, label, a_ns, b_ns, origin_ns, typed)


def marked(space):
    """(start, end, mark) of each event, as absolute ns."""
    return [(*xspace_format.place(l, e), xspace_format.mark(p, e)) for p in space for l in p.lines for e in l.events]


def meets(start, end, a, b):
    return start < b and (end > a or start >= a)


def xspace_marks(tap, label, space, a, b):
    words = {(True, False, False): "", (True, True, False): "begins before", (True, False, True): "ends behind",
             (True, True, True): "begins before, ends behind"}
    wrong = [m for m in marked(space) if m[2] != (words[True, m[0] < a, m[1] > b] if meets(m[0], m[1], a, b) else "outside, for context")]
    tap.ok(not wrong, f"{label}: what reaches beyond the window says so", wrong[:3])


def xspace_window(tap, path, label, a_ns, b_ns):
    wrong, out = slice_of(path, f"--window={a_ns}ns..{b_ns}ns", ending=".xplane.pb")
    if wrong:
        tap.ok(False, f"{label}: a window is exported as XSpace", wrong.told())
        return
    space, base_ns = xspace_format.read(unpacked(out)), int(table("trace", path).keyed()["base_ns"])
    wrong = xspace_format.faults(space)
    tap.ok(not wrong, f"{label}, {a_ns}-{b_ns} ns: the validator finds nothing", "\n".join(wrong[:10]))
    xspace_marks(tap, label, space, a_ns + base_ns, b_ns + base_ns)
    shift_ns = int(table("trace", out).keyed()["base_ns"]) - base_ns
    before, after = tables(path, "before", f"--window={a_ns}ns..{b_ns}ns"), tables(out, "after", f"--window={a_ns - shift_ns}ns..{b_ns - shift_ns}ns")
    tap.equal(*(rows_of(z.get("events", []), s, LEDGER) for z, s in ((after, 0), (before, shift_ns))), f"{label}: every event of the window is in it")
    compare(tap, label, before, after, shift_ns, BEYOND | (BY_STEPS if infers_steps(path) or infers_steps(out) else set()))


def readable(name):
    return stepscope("table", "trace", os.path.join(TRACES, name), "-q").status in (0, 4)


def all_traces():
    """(name, path) of what can be read."""
    return [(n, os.path.join(TRACES, n)) for n in corpus() if readable(n)]
