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
       "pieces", "placement", "placed_ops", "placed_runs", "placed_self_ns", "placed_pct", "id", "track", "depth", "gap", "event", "main_event_id", "longest_gap", "call"}
TIMES = {"start_ns"}
# Tables whose rows say what lies outside of a window, too: the capture, lanes without events there, whole steps and where one lies, runs of
# kernels that steps repeat, allocations made before it, calls that were waiting when it began, what streams idle for, whole replays of graphs.
BEYOND = OF_THE_FILE | {"tracks", "threads", "overview", "steps", "phases", "iterations", "input", "findings", "memory", "memory_peak", "memory_curve",
                        "allocations", "memory_steps", "queue", "gaps", "fusion", "graphs", "graph_kernels", "attention_context"}
# and columns that do, of other tables
OUTSIDE = {
    "streams": ["role"],  # what a stream mostly does
    "iteration_kinds": ["iteration_mean_ns", "device_mean_ns", "idle_mean_pct", "tokens_per_s"],  # until the next one begins
    # what computes beside a collective that reaches beyond the window
    **dict.fromkeys(("collectives", "collective_sizes", "comm_groups"), ["exposed_comms_ns", "hidden_comms_ns", "step_place"]),
    "launch_totals": ["launch_bound_pct"],  # of the time of steps
    "hosts": ["axis_pairs", "axis_residual_ns", "axis_shift_ns", "axis_drift_ppm"],  # by all collectives that hosts share
    "replicas": ["replica_steps", "step_time_ns", "own_time_ns", "replica_steps_ns", "compute_per_step_ns", "own_kernels_per_step", "calls_per_step"],
    # gaps of whole steps, and what a step would take without; what to do about it, by what sort of program all of the capture is
    "gap_groups": ["possible_gaps", "lost_per_step_ns", "every_k", "period_ns", "period_every_k_ns", "saved_pct", "advice"],
    "idle_causes": ["lost_ns", "lost_pct", "watched_ns", "watched_idle_ns", "watched_busy_pct", "between_steps_ns", "edge_ns", "startup_ns", "advice"],
    "verdicts": ["advice"],
    "copies": ["blocking_ns"],  # unknown where no call of the window is recorded
    "syncs": ["drained"],
    "inductor_kernels": ["kernel_file"],  # a path
}
# steps are inferred from what repeats, and less repeats in a window
BY_STEPS = {"collective_sizes", "collective_steps", "copies", "gap_groups", "idle", "idle_causes", "launch_totals", "replicas", "step_parts", "verdicts"}
# Of a whole trace, columns that stay at home (a path) and tables that come back in another order: of
# streams that are processes, which become threads of their device.
AT_HOME = {"kineto/": {"inductor_kernels": ["kernel_file"]}, "tf/": {"tracks": None, "events": None}}
LEDGER = {"start_ns", "dur_ns", "kind", "name", "stream", "thread", "device"}  # of events


def at_home(name):
    """By table the columns that are not compared, None: the whole of it."""
    return {t: columns for begin, which in AT_HOME.items() if name.startswith(begin) for t, columns in which.items()}


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


def as_before(table_name, before, after, leave):
    if table_name not in leave:
        return before == after
    return leave[table_name] is None or rows_of(before, 0, leave=leave[table_name]) == rows_of(after, 0, leave=leave[table_name])


def whole(tap, path, label, leave=None):
    wrong, out = slice_of(path)
    if wrong:
        tap.ok(False, f"{label}: it is exported", wrong.told())
        return
    events = len(table("events", path).rows)
    made = validate(tap, out, label)
    tap.equal(int(made["otherData"]["events"]), events, f"{label}: every event is in it")
    before, after = tables(path, "before"), tables(out, "after")
    differ = [f"{t}: {len(set(before[t]) ^ set(after.get(t, [])))} lines, as {sorted(set(before[t]) ^ set(after.get(t, [])))[:2]}"
              for t in before if t not in OF_THE_FILE and not as_before(t, before[t], after.get(t, []), leave or {})]
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


def rows_of(lines, shift_ns=0, columns=None, leave=IDS):
    """The rows without ids, times moved; `columns`: of these alone, else all but `leave`."""
    made = []
    for row in csv.DictReader(io.StringIO("".join(lines))):
        made.append([str(int(v) - shift_ns) if k in TIMES and v else v for k, v in row.items() if (k in columns if columns else k not in leave)])
    return sorted(made)


def copies_of(lines):
    """Whether copies are expected, which parts a row, is told by all steps: sums by what else they are known by."""
    known, summed, sums = ("direction", "memory", "op", "op_by", "size", "caller", "rank", "device"), ("copies", "copy_bytes", "total_ns", "exposed_ns"), {}
    for row in csv.DictReader(io.StringIO("".join(lines))):
        held = sums.setdefault(tuple(row[k] for k in known), [0] * len(summed))
        held[:] = [x + int(row[k] or 0) for x, k in zip(held, summed)]
    return sorted([*k, *v] for k, v in sums.items())


def without(lines, column, values):
    """The lines less those that have one of the values in the column."""
    head = next(csv.reader(lines[:1]), [])
    at = head.index(column) if column in head else None
    return lines if at is None else lines[:1] + [line for line in lines[1:] if next(csv.reader([line]))[at] not in values]


def judged_inside(before, after, shift_ns, a_ns, b_ns):
    """Both without what is said of gaps that reach out of the window: what other threads did in them is not all in the slice."""
    judged = list(csv.DictReader(before.get("verdicts", [])))
    cut = [v for v in judged if int(v["start_ns"]) < a_ns or int(v["start_ns"]) + int(v["dur_ns"]) > b_ns]
    ids, starts = {v["gap"] for v in cut}, {v["start_ns"] for v in cut}
    groups = {g["place"] for g in csv.DictReader(before.get("gap_groups", [])) if g["longest_gap"] in ids}
    for tables_of, shift in ((before, 0), (after, shift_ns)):
        for t, column, values in (("verdicts", "start_ns", {str(int(x) - shift) for x in starts}), ("gap_groups", "place", groups)):
            tables_of[t] = without(tables_of.get(t, []), column, values)


def compare(tap, label, before, after, shift_ns, leave, window, lacking=frozenset()):
    """Tables of the window: of the source, and of the slice, whose times are `shift_ns` smaller. lacking: columns that it has no place for."""
    differ = []
    judged_inside(before, after, shift_ns, *window)
    for t in sorted(set(before) - leave - {"events"}):
        left = IDS | lacking | set(OUTSIDE.get(t, [])) | ({"step"} if BY_STEPS <= leave else set())
        x, y = rows_of(before[t], shift_ns, leave=left), rows_of(after.get(t, []), leave=left)
        if t == "copies":
            x, y = copies_of(before[t]), copies_of(after.get(t, []))
        if x != y:
            differ.append(f"{t}: {[r for r in x if r not in y][:1]} {[r for r in y if r not in x][:1]}")
    tap.ok(not differ and len(before) > 50, f"{label}: {len(set(before) - leave)} tables of the window are as before", "\n".join(differ))


def infers_steps(path):
    return table("trace", path).keyed()["steps_source"] == "inferred"


def base_ns(out):
    """What the times of a slice count from."""
    return int(table("trace", out).keyed()["base_ns"])


def happens(path, *options):
    """Whether anything does: else a slice may end before its window, or have nothing in it."""
    return bool(table("events", path, "--top", "1", *options).rows)


def places(path, parts):
    span_ns = int(table("trace", path).keyed()["span_ns"])
    return [(span_ns * a // 100, span_ns * b // 100) for a, b in parts]


def chrome_window(tap, path, label, a_ns, b_ns, origin_ns, typed=True):
    """typed: the source's details have a place in Chrome's format; None: not even its lanes have one, as those of TPUs."""
    wrong, out = slice_of(path, f"--window={a_ns}ns..{b_ns}ns")
    if wrong:
        tap.ok(False, f"{label}: a window is exported", wrong.told())
        return
    validate(tap, out, f"{label}, {a_ns}-{b_ns} ns")
    shift_ns = base_ns(out) - origin_ns
    mine, its = f"--window={a_ns}ns..{b_ns}ns", f"--window={max(0, a_ns - shift_ns)}ns..{b_ns - shift_ns}ns"
    moment = table("trace", out).keyed()["span_ns"] == 0  # in which no window fits
    before, after = tables(path, "before", mine), tables(out, "after", *[] if moment else [its])
    tap.equal(*(rows_of(z.get("events", []), s, LEDGER if typed else LEDGER - {"kind"}) for z, s in ((after, 0), (before, shift_ns))),
              f"{label}: every event of the window is in it")
    if typed is None:
        return
    leave = BEYOND | (set() if typed else TYPED) | (BY_STEPS if infers_steps(path) or infers_steps(out) else set())
    compare(tap, label, before, after, shift_ns, leave, (a_ns, b_ns), set() if typed else {"host"})


def chrome_windows(tap, path, label, parts, typed=True):
    wrong, out = slice_of(path)
    if wrong:
        tap.ok(False, f"{label}: it is exported", wrong.told())
        return
    origin_ns = base_ns(out)
    for a_ns, b_ns in places(path, parts):
        if happens(path, f"--window={a_ns}ns..{b_ns}ns"):
            chrome_window(tap, path, label, a_ns, b_ns, origin_ns, typed)
        else:
            tap.skip(f"{label}, {a_ns}-{b_ns} ns", "nothing happens there")


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
    space, begin_ns = xspace_format.read(unpacked(out)), base_ns(path)
    wrong = xspace_format.faults(space)
    tap.ok(not wrong, f"{label}, {a_ns}-{b_ns} ns: the validator finds nothing", "\n".join(wrong[:10]))
    xspace_marks(tap, label, space, a_ns + begin_ns, b_ns + begin_ns)
    shift_ns = base_ns(out) - begin_ns
    before, after = tables(path, "before", f"--window={a_ns}ns..{b_ns}ns"), tables(out, "after", f"--window={a_ns - shift_ns}ns..{b_ns - shift_ns}ns")
    tap.equal(*(rows_of(z.get("events", []), s, LEDGER) for z, s in ((after, 0), (before, shift_ns))), f"{label}: every event of the window is in it")
    compare(tap, label, before, after, shift_ns, BEYOND | (BY_STEPS if infers_steps(path) or infers_steps(out) else set()), (a_ns, b_ns))


def readable(name):
    return stepscope("table", "trace", os.path.join(TRACES, name), "-q").status in (0, 4)


def all_traces():
    """(name, path) of what can be read; words on the command line: of those whose names contain one of them."""
    words = sys.argv[1:] or [""]
    return [(n, os.path.join(TRACES, n)) for n in corpus() if any(w in n for w in words) and readable(n)]
