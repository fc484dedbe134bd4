"""Busy and idle time against HolisticTraceAnalysis' numbers for the same files. Its rule differs from ours in three
ways, so all are applied here to the events stepscope shows, and must then give its numbers exactly:
  work      every event whose args name a stream counts, host ops that happen to carry one included;
  window    with two or more ProfilerSteps only work launched before the last one begins counts;
  rounding  where the file has fractional microseconds each event shrinks to whole ones, start up and end down.
Without such differences (one step at most, whole microseconds) our own busy_ns must equal it as it stands.
`--semantics hta` applies these rules in the program: its table of idle time must hold the same numbers, and those of the
idle time of each stream (host wait, kernel wait, other)."""
import json
import os
import re

import count
import shown
from harness import ORACLES, TRACES, TableError, number, stepscope, table

WORK = {"kernel", "copy", "memset", "device_other"}
COMMUNICATION = re.compile(r"^nccl|^hip|^hccl|ncclKernel")
WAITS = ("host_wait", "kernel_wait", "other")
MEMORY = re.compile(r"^(hip)?Memcpy|^(hip)?Memset|^dma")


def base_ns(events, path):
    """What stepscope subtracted: seen on the first kernel of the file."""
    first = min(start for _, _, (start, _) in count.complete(path).of(count.KERNEL))
    return first - min(int(e["start_ns"]) for e in events if e["kind"] == "kernel")


def odd_ones(raw, base):
    """Start and name of the events that are no device work but name a stream."""
    return {(count.span_ns(e["ts"], "0")[0] - base, e["name"]) for e in raw
            if e.get("ph") == "X" and str(e.get("cat", "")).lower() not in count.WORK
            and str(e.get("args", {}).get("stream", "-1")) != "-1"}


def window(events, odd):
    """The work that counts, by the reference's rule, and whether a window was applied."""
    work = [e for e in events if e["kind"] in WORK or (int(e["start_ns"]), e["name"]) in odd]
    steps = [e for e in events if e["name"].startswith("ProfilerStep") and e["kind"] not in WORK | {"device_range"}]
    if len({e["name"] for e in steps}) < 2:
        return work, False
    last = max(int(e["start_ns"]) for e in steps)
    launched = {e["corr"] for e in events if e["kind"] not in WORK and e["corr"] and int(e["start_ns"]) < last}
    return [e for e in work if e["corr"] in launched], True


def shrink(e, base, fractional):
    """Start and end in ns; whole microseconds where the reference rounds."""
    start = int(e["start_ns"]) + base
    end = start + int(e["dur_ns"])
    if fractional:
        # the reference reads microseconds into a double, which holds about a quarter of one at these magnitudes
        ts, dur = start / 1000, (end - start) / 1000
        return -int(-ts // 1) * 1000, int((ts + dur) // 1) * 1000
    return start, end


def union(spans):
    """Covered time; spans that shrank below nothing count negative, as in the reference."""
    total, group = 0, None
    for start, end in sorted(spans, key=lambda s: s[0]):
        if group and start <= group[1]:
            group[1] = max(group[1], end)
        else:
            total += group[1] - group[0] if group else 0
            group = [start, end]
    return total + (group[1] - group[0] if group else 0)


def is_compute(name):
    return not COMMUNICATION.search(name) and not MEMORY.search(name)


def reference_rule(work, base, fractional):
    spans = [(shrink(e, base, fractional), e["name"]) for e in work]
    busy, compute = union([s for s, _ in spans]), union([s for s, name in spans if is_compute(name)])
    whole = max(s[1] for s, _ in spans) - min(s[0] for s, _ in spans)
    return {"idle": (whole - busy) // 1000, "compute": compute // 1000, "kernel_time": whole // 1000}


def compare(tap, name, path, wanted):
    raw = count.json_events(path)
    fractional = any("." in str(e.get("ts", "")) for e in raw)
    try:
        events, devices = shown.events(path), table("devices", path)
        base = base_ns(events, path)
        odd = odd_ones(raw, base)
        work, windowed = window(events, odd)
    except (TableError, ValueError, KeyError) as e:
        tap.ok(False, f"{name} gives events", repr(e))
        return
    expected = {"idle": int(wanted["idle_time(us)"]), "compute": int(wanted["compute_time(us)"]),
                "kernel_time": int(wanted["kernel_time(us)"])}
    tap.equal(reference_rule(work, base, fractional), expected, f"{name}: the reference's rule on our events")
    own = union([(int(e["start_ns"]), int(e["start_ns"]) + int(e["dur_ns"])) for e in events if e["kind"] in WORK])
    busy = sum(number(row["busy_ns"]) for row in devices.rows)
    tap.equal(busy, own, f"{name}: busy_ns is the union of the events shown")
    if not fractional and not windowed and not odd:
        tap.equal(busy // 1000, expected["kernel_time"] - expected["idle"], f"{name}: busy_ns equals the reference's")


def rank_row(tap, label, rows, wanted):
    """The program's own row of the rank, in us and percent."""
    (row,) = [r for r in rows if r["stream"] is None]
    keys = {"dur_ns": "kernel_time(us)", "idle_ns": "idle_time(us)", "compute_ns": "compute_time(us)",
            "non_compute_ns": "non_compute_time(us)"}
    tap.equal({k: number(row[k]) // 1000 for k in keys}, {k: int(wanted[v]) for k, v in keys.items()},
              f"{label}: --semantics hta gives idle, compute and non-compute time")
    shares = {"idle_pct": "idle_time_pctg", "compute_pct": "compute_time_pctg", "non_compute_pct": "non_compute_time_pctg"}
    tap.ok(all(abs(row[k] - wanted[v]) < 0.006 for k, v in shares.items()), f"{label}: and their shares", row)


def stream_rows(tap, label, rows, wanted):
    """host_wait, kernel_wait and other of every stream; what the reference leaves out is 0."""
    got = {r["stream"]: {c: number(r[f"{c}_ns"]) // 1000 for c in WAITS} for r in rows if r["stream"] is not None}
    expected = {}
    for w in wanted:
        expected.setdefault(w["stream"], dict.fromkeys(WAITS, 0))[w["idle_category"]] = int(w["idle_time"])
    tap.equal(got, expected, f"{label}: --semantics hta splits the idle time of each stream")


def program(tap, label, path, row, rank):
    """What the program says itself for a rank of one row of the oracle."""
    try:
        rows = table("idle", path, "--semantics", "hta").rows
    except TableError as e:
        tap.ok(False, f"{label} --semantics hta", e)
        return
    if isinstance(row.get("temporal"), list):
        rank_row(tap, label, rows, next(t for t in row["temporal"] if str(t["rank"]) == rank))
    if isinstance(row.get("idle"), list):
        stream_rows(tap, label, rows, [w for w in row["idle"] if str(w["rank"]) == rank])


def place(row, rank):
    """Label and path of the file of a rank."""
    folder = row["name"] if "/" not in row["name"] else os.path.dirname(row["name"])
    return f"{folder}/{row['files'][rank]}", os.path.join(TRACES, "kineto", folder, row["files"][rank])


def jobs():
    oracle = os.path.join(ORACLES, "hta.json")
    if not os.path.exists(oracle):
        yield "", lambda tap: tap.skip("HolisticTraceAnalysis' numbers", "no ../shared/reference/oracles")
        return
    with open(oracle, encoding="utf-8") as f:
        rows = json.load(f)
    for row in rows:
        if "files" not in row:
            yield "", (lambda tap, r=row: tap.skip(r["name"], "the reference failed on this file"))
        for rank in row.get("files", ()):
            label, path = place(row, rank)
            yield path, (lambda tap, a=(label, path, row, rank): program(tap, *a))
        for wanted in row["temporal"] if isinstance(row.get("temporal"), list) else ():  # elsewhere the reference failed
            label, path = place(row, str(wanted["rank"]))
            yield path, (lambda tap, a=(label, path, wanted): compare(tap, *a))
