"""Copies of every real trace, counted a second time by a script that has nothing of stepscope in it: per device and
direction the number, the bytes and the time are the same. And what windows see adds up to the whole."""
import json
import os
import re

import count
import mkxspace
import shown
from harness import TRACES, TableError, corpus, number, scratch, stepscope, table

DIRECTION = re.compile(r"(?:Memcpy|Copy)\s*_?(Host|Device|[HDP])\s*(?:2|to)\s*(Host|Device|[HDP])", re.I)
SUMS = ("copies", "copy_bytes", "total_ns", "exposed_ns", "blocking_ns")


def direction(name):
    found = DIRECTION.search(name)
    return f"{found[1][0]}2{found[2][0]}".upper() if found else None


class Seen(dict):
    """{(device, direction): [number, bytes or None, ns]}"""

    def add(self, device, name, size, ns):
        seen = self.setdefault((str(device), direction(name)), [0, None, 0])
        seen[0] += 1
        seen[1] = seen[1] if size is None else (seen[1] or 0) + int(size)
        seen[2] += ns


def seen_in_json(events):
    seen = Seen()
    tf1 = count.tf1_streams(events)
    for e in events:
        work = count.work_of(e, tf1) if e.get("ph") == "X" else None
        if work and work[0] == "copy":
            start, end = count.span_ns(e["ts"], e.get("dur", "0"))
            seen.add(work[1][0], e["name"], e.get("args", {}).get("bytes"), end - start)
    return seen


def names_in(parts, field):
    """{id: name} of a plane's map of metadata."""
    return {count.first(v, 1, 0): count.first(count.first(v, 2, b""), 2, b"").decode("utf-8", "replace")
            for n, v in parts if n == field}


def size_in(stats, stat_names):
    """Bytes that memcpy_details tell, as written in either era; False when the event is no copy."""
    for stat in stats:
        parts = dict(count.fields(stat))
        if stat_names.get(parts.get(1)) == "memcpy_details":
            text = parts[5].decode() if 5 in parts else stat_names.get(parts.get(7), "")
            found = re.search(r"\b(?:size|num_bytes):(\d+)", text)
            return found and found[1]
    return False


def seen_in_xspace(data):
    seen = Seen()
    for n, plane in count.fields(data):
        parts = list(count.fields(plane)) if n == count.PLANE else []
        name = next((v for f, v in parts if f == count.PLANE_NAME), b"").decode("utf-8", "replace")
        if not name.startswith("/device:GPU:"):
            continue
        events, stats = names_in(parts, 4), names_in(parts, count.STAT_META)
        for line in (v for f, v in parts if f == count.LINE):
            line = list(count.fields(line))
            base = next((count.signed(v) for f, v in line if f == count.LINE_TIME), 0)
            for event in (v for f, v in line if f == count.EVENT):
                event = list(count.fields(event))
                size = size_in((v for f, v in event if f == 4), stats)
                if size is False:
                    continue
                facts = dict((f, v) for f, v in event if f != 4)
                begin, dur = base * 1000 + count.signed(facts.get(2, 0)), count.signed(facts.get(3, 0))
                seen.add(name.rsplit(":", 1)[1], events.get(facts.get(1), ""), size,
                         (begin + dur + 500) // 1000 - (begin + 500) // 1000)
    return seen


def told(rows):
    out = {}
    for r in rows:
        sums = out.setdefault((str(r["device"]), r["direction"]), [0, None, 0])
        sums[0] += number(r["copies"])
        sums[1] = sums[1] if r["copy_bytes"] is None else (sums[1] or 0) + number(r["copy_bytes"])
        sums[2] += number(r["total_ns"])
    return out


def totals(rows):
    return {c: sum(number(r[c]) or 0 for r in rows) for c in SUMS}


def adds_up(tap, name, path, whole):
    """Three windows that share no moment."""
    span = number(shown.facts(path)["span_ns"])
    edges = [0, span // 3, span // 2 + 1, span + 1]
    parts = [totals(table("copies", path, "--window", f"{a}ns..{b}ns").rows) for a, b in zip(edges, edges[1:])]
    tap.equal({c: sum(p[c] for p in parts) for c in SUMS}, totals(whole), f"{name}: what three windows see adds up")


# ---- copies between devices: made up, as no published trace has them

def kineto_pairs(path):
    events = [{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy PtoP (Device -> Device)", "pid": a, "tid": 20, "ts": 10 * i, "dur": 4,
               "args": {"device": a, "stream": 20, "correlation": i + 1, "bytes": 1 << 20, "fromDevice": a, "inDevice": a,
                        "toDevice": b}} for i, (a, b) in enumerate(((0, 1), (1, 0), (0, 1), (2, 3)))]
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"schemaVersion": 1, "deviceProperties": [{"id": i, "name": "NVIDIA A100"} for i in range(4)],
                   "traceEvents": events}, f)


def xspace_pairs(path):
    space = mkxspace.Space(hostnames=["h"])
    for a, ends in ((0, (1, 1)), (1, (0,)), (2, (3,)), (3, ())):
        line = space.plane(f"/device:GPU:{a}", id=a).line(20, "Stream #20(MemcpyP2P)", timestamp_ns=1000)
        for i, b in enumerate(ends):
            line.event("MemcpyP2P", start_ns=1000 + 10_000 * (i + 1), dur_ns=4000, stats={
                "memcpy_details": mkxspace.Ref(f"kind_src:device kind_dst:device size:1048576 dest:{b} async:1")})
    space.write(path)


def pairs_are_told(tap, what, path):
    rows = sorted((r["direction"], r["src"], r["dst"], number(r["copies"]), number(r["copy_bytes"])) for r in table("copies", path).rows)
    tap.equal(rows, [("P2P", "GPU 0", "GPU 1", 2, 2 << 20), ("P2P", "GPU 1", "GPU 0", 1, 1 << 20),
                     ("P2P", "GPU 2", "GPU 3", 1, 1 << 20)], f"{what}: copies per pair of devices")


def between_devices(tap):
    for what, ending, make in (("Kineto", "json", kineto_pairs), ("XSpace", "xplane.pb", xspace_pairs)):
        path, saved = scratch(f"pairs.{ending}"), scratch(f"{what}.stepscope")
        make(path)
        pairs_are_told(tap, what, path)
        stepscope("pack", path, "-o", saved)
        pairs_are_told(tap, f"{what}, saved", saved)


def check(tap, name, path):
    try:
        rows = table("copies", path).rows
    except TableError:
        return  # refused on purpose; tests of the importers look at those
    events, data = count.read(path)
    seen = seen_in_json(events) if data is None else seen_in_xspace(data)
    tap.equal(told(rows), dict(seen), f"{name}: {sum(s[0] for s in seen.values())} copies")
    bad = [r for r in rows if not (number(r["blocking_ns"]) or 0) <= number(r["exposed_ns"]) <= number(r["total_ns"])]
    tap.equal(bad, [], f"{name}: blocking <= exposed <= all time of a row")
    if rows:
        adds_up(tap, name, path, rows)


def jobs():
    yield "", between_devices
    for name in corpus():
        if name.split(os.sep)[0] in ("kineto", "xspace", "tf"):
            path = os.path.join(TRACES, name)
            yield path, (lambda tap, n=name, p=path: check(tap, n, p))
