"""The tables of launches on every real PyTorch trace against the same numbers worked out here from the file's own entries:
counts, calls, latencies (nearest rank), queue depths and launch-bound time by kernel name, and that the sums agree."""
import glob
import os

import count
from harness import TRACES, TableError, number, table

HELD = 20_000  # ns after the end of its call in which work still waits for its launch
LARGEST = 12_000_000  # bytes of a file that is read here


class Work:
    """One kernel, copy or set; launch = (begin, end) of its call or None."""
    __slots__ = ("name", "stream", "start", "end", "launch", "owner", "depth", "bound", "before")

    def __init__(self, name, stream, start, end, launch):
        self.name, self.stream, self.start, self.end, self.launch = name, stream, start, end, launch
        self.owner, self.depth, self.bound, self.before = False, 0, 0, 0

    def latency(self):
        return max(0, self.start - self.launch[0])


def read(events):
    """All device work, first of each call marked."""
    calls, work = {}, []
    for _, e, span in events.of(count.CALLS):
        calls.setdefault(str((e.get("args") or {}).get("correlation")), span)
    for _, e, (start, end) in events.of(count.WORK):
        args = e.get("args") or {}
        corr = str(args.get("correlation", "0"))
        work.append((start, Work(str(e["name"]), (str(args.get("device")), str(args.get("stream"))), start, end,
                                 None if corr in ("0", "-1") else calls.get(corr)), corr))
    work.sort(key=lambda x: x[0])
    seen = set()
    for _, w, corr in work:
        w.owner = w.launch is not None and corr not in seen
        seen.add(corr)
    return [w for _, w, _ in work]


def count_depths(work):
    """Calls of the stream begun at or before this one's begin, less those whose work has started."""
    streams = {}
    for w in work:
        if w.owner:
            streams.setdefault(w.stream, []).append(w)
    for mine in streams.values():
        begins, starts = sorted(w.launch[0] for w in mine), sorted(w.start for w in mine)
        for w in mine:
            here = w.launch[0]
            begun, gone = below(begins, here), below(starts, here) - (w.start <= here)
            w.depth = max(1, begun - gone)


def below(ordered, limit):
    """How many are at most `limit`."""
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] <= limit:
            low = middle + 1
        else:
            high = middle
    return low


def find_idle(work):
    """What the device idled for launches, and before them."""
    devices = {}
    for w in work:
        end = devices.get(w.stream[0])
        if w.launch and (end is None or w.start > end):
            begun, held = min(w.launch[0], w.start), w.launch[1] + HELD
            free = begun if end is None else end
            w.bound, w.before = max(0, min(held, w.start) - max(free, begun)), max(0, begun - free)
        devices[w.stream[0]] = max(w.end, end if end is not None else w.end)


def rank(values, per_mille):
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * per_mille // 1000) - 1)] if ordered else None


COLUMNS = ("work", "launch_calls", "call_ns", "latency_min_ns", "latency_p50_ns", "latency_p95_ns", "latency_p99_ns", "latency_max_ns",
           "queue_max", "work_ns", "work_p50_ns", "short", "no_launch", "launch_bound_ns", "not_launched_ns", "call_far_ns")


def expected(work):
    groups = {}
    for w in work:
        groups.setdefault(w.name, []).append(w)
    out = {}
    for name, mine in groups.items():
        owners = [w for w in mine if w.owner]
        waits, calls = [w.latency() for w in owners], [w.launch[1] - w.launch[0] for w in owners]
        out[name] = dict(zip(COLUMNS, (
            len(mine), len(owners), sum(calls), min(waits, default=None), rank(waits, 500), rank(waits, 950), rank(waits, 990),
            max(waits, default=None), max((w.depth for w in owners), default=None), sum(w.end - w.start for w in mine),
            rank([w.end - w.start for w in mine], 500), sum(c > w.end - w.start for c, w in zip(calls, owners)),
            sum(w.launch is None for w in mine), sum(w.bound for w in mine), sum(w.before for w in mine),
            sum(c - rank(calls, 500) for c in calls if c > 10 * rank(calls, 500)) if calls else None)))
    return out


def differences(rows, wanted):
    got = {r["kernel"]: {c: number(r[c]) for c in COLUMNS} for r in rows}
    return [f"{name[:60]}: {c}: {got.get(name, {}).get(c)} instead of {wanted.get(name, {}).get(c)}"
            for name in {**got, **wanted} for c in COLUMNS if got.get(name, {}).get(c) != wanted.get(name, {}).get(c)]


def check(tap, label, path):
    work = read(count.complete(path))
    if not work:
        return
    count_depths(work)
    find_idle(work)
    wrong = differences(table("launches", path, "--by", "kernel").rows, expected(work))
    tap.ok(not wrong, f"{label}: launches by kernel name, {len(work)} works", "\n".join(wrong[:8]))
    totals = table("launch_totals", path).rows
    tap.equal(sum(number(r["launch_bound_ns"]) for r in totals), sum(w.bound for w in work), f"{label}: launch-bound time in all")
    for by in ("op", "thread", "api", "device"):
        rows = table("launches", path, "--by", by).rows
        sums = {c: sum(number(r[c]) for r in rows) for c in ("work", "launch_calls", "call_ns", "work_ns", "launch_bound_ns")}
        tap.equal(sums, {c: sum(number(r[c]) for r in totals) for c in sums}, f"{label}: the sums are the same by {by}")


def job(tap, label, path):
    try:
        check(tap, label, path)
    except (TableError, ValueError, KeyError) as e:
        tap.ok(False, label, repr(e))


def jobs():
    for path in glob.glob(os.path.join(TRACES, "kineto", "*", "*")):
        if os.path.getsize(path) < LARGEST:
            yield path, (lambda tap, p=path: job(tap, os.path.relpath(p, os.path.join(TRACES, "kineto")), p))
