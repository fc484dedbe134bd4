"""Memory of every real trace, replayed a second time by a script that has nothing of stepscope in it: per process and allocator the peak and
when it is reached, what was in use before, how many blocks are given out and taken back, what is in use at the peak (blocks and bytes,
by size), what each step does, and which free ends which allocation."""
import bisect
import os

import count
from harness import TRACES, corpus, number, table

C10 = {0: "cpu", 1: "cuda", 6: "hip"}


class Block:
    """One event of an allocator: bytes below 0 are taken back, None: as many as were given."""

    def __init__(self, ns, order, addr, size, total, free):
        self.ns, self.order, self.addr, self.size, self.total, self.free = ns, order, addr, size, total, free
        self.partner = None
        self.ended = 0  # bytes of the block whose address it was given


def from_json(path):
    pools, at = {}, 0
    for e in count.json_events(path):
        at += 1
        args = e.get("args") or {}
        if e.get("name") != "[memory]" or not int(args.get("Bytes", 0)):
            continue
        size = int(args["Bytes"])
        key = (str(e["pid"]), C10[int(args["Device Type"])], int(args["Device Id"]))
        total = int(args["Total Allocated"]) if "Total Allocated" in args else None
        pools.setdefault(key, []).append(Block(count.span_ns(e["ts"], "0")[0], at, int(args.get("Addr", 0)), size, total, size < 0))
    return pools


def stats_of(event, names):
    out = {}
    for f, stat in event:
        if f != 4:
            continue
        parts = dict(count.fields(stat))
        value = next((count.signed(parts[n]) for n in (3, 4) if n in parts), None)
        value = parts[5].decode() if 5 in parts else names.get(parts[7], "") if 7 in parts else value
        out[names.get(parts.get(1))] = value
    return out


def from_xspace(path):
    pools, at = {}, 0
    data = count.read(path)[1]
    for n, plane in count.fields(data):
        parts = list(count.fields(plane)) if n == count.PLANE else []
        if next((v for f, v in parts if f == count.PLANE_NAME), b"") != b"/host:CPU":
            continue
        maps = [{count.first(v, 1, 0): count.first(count.first(v, 2, b""), 2, b"").decode("utf-8", "replace") for f, v in parts if f == field}
                for field in (4, count.STAT_META)]
        for line in (v for f, v in parts if f == count.LINE):
            line = list(count.fields(line))
            base = next((count.signed(v) for f, v in line if f == count.LINE_TIME), 0)
            for event in (v for f, v in line if f == count.EVENT):
                at += 1
                event = list(count.fields(event))
                facts = dict((f, v) for f, v in event if f != 4)
                name = maps[0].get(facts.get(1), "")
                if name not in ("MemoryAllocation", "MemoryDeallocation"):
                    continue
                s, free = stats_of(event, maps[1]), name == "MemoryDeallocation"
                if "bytes_allocated" not in s or (not free and "allocation_bytes" not in s):
                    continue
                allocator = s.get("allocator_name") or str(s.get("device_ordinal", s.get("index_on_host")))
                size = s.get("allocation_bytes")
                if size == 0:
                    continue
                total = s["bytes_allocated"] + (s.get("bytes_reserved") or 0)
                ns = base + (count.signed(facts.get(2, 0)) + 500) // 1000
                pools.setdefault(("", allocator, 0), []).append(
                    Block(ns, at, s.get("addr", 0), -size if free and size is not None else size, total, free))
    return pools


class Replay:
    """The events of one pool in order of time."""

    def __init__(self, blocks):
        self.blocks = sorted(blocks, key=lambda b: (b.ns, b.order))
        totals, addresses = all(b.total is not None for b in blocks), all(b.addr for b in blocks)
        self.match(addresses)
        self.totals = totals
        used, self.used, self.differences = 0, [], 0
        for i, b in enumerate(self.blocks):
            told = used + self.bytes(b)
            if i and totals and told != b.total:
                self.differences += 1
            self.before = b.total - told if not i and totals else self.before if i else 0
            used = b.total if totals else told
            self.used.append(used)
        if not totals:
            self.before = max(0, -min(self.used))
            self.used = [u + self.before for u in self.used]

    def bytes(self, b):
        return b.size - b.ended if b.size is not None else -b.partner.size if b.partner else 0

    def match(self, addresses):
        live, self.unknown, self.again = {}, 0, 0
        for b in self.blocks:
            key = b.addr if addresses else abs(b.size)
            stack = live.setdefault(key, [])
            if not b.free:
                if addresses and stack:
                    over = stack.pop()
                    over.partner, b.ended = b, over.size
                    self.again += 1
                stack.append(b)
            elif stack:
                b.partner = stack.pop()
                b.partner.partner = b
            else:
                self.unknown += 1

    def peak(self):
        """Most in use, the last time that it is reached: bytes, place; place -1: before the first event."""
        best, place = self.before, -1
        for i, used in enumerate(self.used):
            if used >= best:
                best, place = used, i
        return best, place

    def alive(self, place):
        now = set(self.blocks[:place + 1])
        return [b for b in now if not b.free and (b.partner is None or b.partner not in now)]

    def used_at(self, ns):
        place = bisect.bisect_left([b.ns for b in self.blocks], ns)
        return self.used[place - 1] if place else self.before


def sizes(blocks):
    out = {}
    for b in blocks:
        seen = out.setdefault(b.size.bit_length(), [0, 0])
        seen[0] += 1
        seen[1] += b.size
    return sorted(v for v in out.values())


def same_steps(tap, name, replay, rows, base):
    """What is in use when steps begin and end, and the most inside."""
    wrong = []
    for r in rows:
        a, b = number(r["start_ns"]) + base, number(r["end_ns"]) + base
        inside = [u for x, u in zip(replay.blocks, replay.used) if a <= x.ns < b]
        expected = [replay.used_at(a), replay.used_at(b), max([replay.used_at(a)] + inside)]
        got = [number(r[c]) for c in ("start_used_bytes", "end_used_bytes", "peak_bytes")]
        wrong += [(r["step"], expected, got)] if got != expected else []
    tap.equal(wrong, [], f"{name}: steps")


def same_pool(tap, name, replay, row, base, groups):
    """base: absolute ns of time 0."""
    peak, place = replay.peak()
    expected = {"peak_bytes": peak, "start_used_bytes": replay.before, "end_used_bytes": replay.used[-1],
                "peak_at_ns": replay.blocks[place].ns - base if place >= 0 else 0,
                "allocations": sum(not b.free for b in replay.blocks), "frees": sum(b.free for b in replay.blocks),
                "allocated_bytes": sum(b.size for b in replay.blocks if not b.free), "unknown_frees": replay.unknown,
                "given_again": replay.again, "total_differences": replay.differences if replay.totals else None}
    tap.equal({c: number(row[c]) for c in expected}, expected, f"{name}: peak and counts")
    got = sorted([number(r["blocks"]), number(r["in_use_bytes"])] for r in groups if r["blocks"] is not None)
    tap.equal(got, sizes(replay.alive(place)), f"{name}: blocks at the peak, by size")
    tap.equal(sum(number(r["in_use_bytes"]) for r in groups), peak, f"{name}: what is in use at the peak adds up")


def ends(replay):
    """(given at, taken at) of every block."""
    out = [(b.ns, b.partner.ns if b.partner else None) for b in replay.blocks if not b.free]
    return sorted(out + [(None, b.ns) for b in replay.blocks if b.free and not b.partner], key=str)


def pool_of(row):
    return row["allocator"], -1 if row["device"] is None else number(row["device"])


def same(tap, name, path, json_trace):
    pools = from_json(path) if json_trace else from_xspace(path)
    rows = [r for r in table("memory", path).rows if r["allocator"]]
    groups, steps, blocks = table("memory_peak", path, "--by", "size").rows, table("memory_steps", path), table("allocations", path).rows
    for row, evidence in zip(steps.rows, steps.evidence):
        row["start_ns"], row["end_ns"] = evidence["window_ns"]
    tap.equal(len(rows), len(pools), f"{name}: allocators")
    shift = None  # time 0 of the trace: by the first block of the first pool, the same for all
    for key, events in sorted(pools.items()):
        # ROCm's recorder numbers all devices of the machine, the allocator those that it sees
        mine = (lambda r: pool_of(r) == (key[1], key[2])) if json_trace and key[1] != "hip" else (lambda r: r["allocator"] == key[1])
        replay, row = Replay(events), next((r for r in rows if mine(r)), None)
        if not tap.ok(row, f"{name}: {key} is there"):
            continue
        own = [r for r in blocks if mine(r)]
        if shift is None:
            shift = replay.blocks[0].ns - min(number(r["given_at_ns"] if r["given_at_ns"] is not None else r["taken_at_ns"]) for r in own)
        label = f"{name}: {key[1]} {key[2]}"
        same_pool(tap, label, replay, row, shift, [r for r in groups if mine(r)])
        got = sorted(((r["given_at_ns"] if r["given_at_ns"] is None else number(r["given_at_ns"]) + shift,
                       r["taken_at_ns"] if r["taken_at_ns"] is None else number(r["taken_at_ns"]) + shift) for r in own), key=str)
        tap.equal(got, ends(replay), f"{label}: when blocks begin and end")
        same_steps(tap, label, replay, [r for r in steps.rows if mine(r)], shift)


def jobs():
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../traces")
    paths = {f"kineto {p}": os.path.join(own, f"{p}.pt.trace.json.gz") for p in ("torch-cpu/train", "torch-leak/leak", "torch-leak/fixed")}
    paths.update({name: os.path.join(TRACES, name) for name in corpus() if name.startswith(("kineto/", "xspace/")) and "broken" not in name})
    for name, path in sorted(paths.items()):
        yield path, lambda tap, n=name, p=path: same(tap, n, p, n.startswith("kineto"))
