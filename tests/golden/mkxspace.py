#!/usr/bin/env python3
"""Writes XSpace files (*.xplane.pb), the format of TensorFlow's and JAX's profiler, from a description in Python.

    import mkxspace
    s = mkxspace.Space(hostnames=["worker-0"])
    gpu = s.plane("/device:GPU:0", id=0, stats={"core_count": 108})
    stream = gpu.line(14, "Stream #14(Compute)", timestamp_ns=1000)
    stream.event("gemm", offset_ps=5_000_000, dur_ps=2_000_000,
                 stats={"kernel_details": Ref("regs:32 grid:8,1,1 block:256,1,1"), "correlation_id": Uint(7)})
    s.write("worker-0.xplane.pb")

Stat values: int -> int64, Uint(n) -> uint64, float -> double, str -> text, Ref(text) -> interned text, bytes -> bytes.
`stats` is a dict, or a list of (name, value) pairs where a name comes twice. Times may be given in ns (start_ns on the
line's clock base, dur_ns) instead of ps. Only the standard library is used; the same description gives the same bytes.
"""
import functools
import struct

VARINT, FIXED64, BYTES = 0, 1, 2


class Uint(int):
    """An integer that is written as uint64_value."""


class Ref(str):
    """A text that is written once, as the name of a stat metadata entry, and referred to by its id."""


ONE_BYTE = [bytes([i]) for i in range(0x80)]


def varint(value):
    if 0 <= value < 0x80:
        return ONE_BYTE[value]
    value &= (1 << 64) - 1  # int64 below zero takes ten bytes
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


@functools.lru_cache(None)
def tag(field, wire):
    return varint(field << 3 | wire)


def number(field, value):
    return tag(field, VARINT) + varint(value)


def block(field, payload):
    if isinstance(payload, str):
        payload = payload.encode()
    return tag(field, BYTES) + varint(len(payload)) + payload


def pairs(stats):
    return list(stats.items()) if isinstance(stats, dict) else list(stats or [])


class Line:
    def __init__(self, plane, id, name, timestamp_ns, display_id, display_name, duration_ps):
        self.plane, self.id, self.name, self.timestamp_ns = plane, id, name, timestamp_ns
        self.display_id, self.display_name, self.duration_ps = display_id, display_name, duration_ps
        self.events = []

    def event(self, name, offset_ps=None, dur_ps=None, stats=None, occurrences=None, start_ns=None, dur_ns=None):
        """`name` is a text, or the number of a metadata entry. Without any time the event has no offset field."""
        if start_ns is not None:
            offset_ps = (start_ns - self.timestamp_ns) * 1000
        if dur_ns is not None:
            dur_ps = dur_ns * 1000
        id = name if isinstance(name, int) else self.plane.event_id(name)
        body = number(1, id)
        if offset_ps is not None:
            body += number(2, offset_ps)
        if dur_ps is not None:
            body += number(3, dur_ps)
        for key, value in pairs(stats):
            body += block(4, self.plane.stat(key, value))
        if occurrences is not None:
            body += number(5, occurrences)
        self.events.append(body)
        return self

    def encode(self):
        out = number(1, self.id) + block(2, self.name) + number(3, self.timestamp_ns)
        out += b"".join(block(4, e) for e in self.events)
        if self.duration_ps:
            out += number(9, self.duration_ps)
        if self.display_id:
            out += number(10, self.display_id)
        if self.display_name:
            out += block(11, self.display_name)
        return out


class Plane:
    def __init__(self, name, id, stats, maps_first):
        self.name, self.id, self.maps_first = name, id, maps_first
        self.lines, self.event_maps, self.stat_maps = [], [], []
        self.refs, self.event_ids, self.stat_ids, self.next_event, self.next_stat = {}, {}, {}, 1, 1
        self.stats = [self.stat(k, v) for k, v in pairs(stats)]

    def line(self, id, name="", timestamp_ns=0, display_id=0, display_name="", duration_ps=0):
        self.lines.append(Line(self, id, name, timestamp_ns, display_id, display_name, duration_ps))
        return self.lines[-1]

    def event_meta(self, name, display_name="", stats=None, metadata=b"", id=None, key=None, children=()):
        """An explicit entry of the event map. `key` is what events refer to, `id` the field inside the entry."""
        key = self.next_event if key is None else key
        self.next_event = max(self.next_event, key) + 1
        body = number(1, key if id is None else id) + block(2, name)
        if metadata:
            body += block(3, metadata)
        if display_name:
            body += block(4, display_name)
        body += b"".join(block(5, self.stat(k, v)) for k, v in pairs(stats))
        body += b"".join(number(6, c) for c in children)
        self.event_maps.append(block(4, number(1, key) + block(2, body)))
        self.event_ids[name] = key
        return key

    def stat_meta(self, name, id=None, key=None, description=""):
        key = self.next_stat if key is None else key
        self.next_stat = max(self.next_stat, key) + 1
        body = number(1, key if id is None else id) + block(2, name)
        if description:
            body += block(3, description)
        self.stat_maps.append(block(5, number(1, key) + block(2, body)))
        self.stat_ids[name] = key
        return key

    def event_id(self, name):
        return self.event_ids[name] if name in self.event_ids else self.event_meta(name)

    def stat_id(self, name):
        return self.stat_ids[name] if name in self.stat_ids else self.stat_meta(name)

    def stat_of(self, key):
        return number(1, key if isinstance(key, int) else self.stat_id(key))

    def stat(self, key, value):
        if isinstance(value, Ref):  # the same few again and again
            known = self.refs.get((key, value))
            if known is None:
                known = self.refs[key, value] = self.stat_of(key) + number(7, self.stat_id(str(value)))
            return known
        out = self.stat_of(key)
        if isinstance(value, Uint):
            return out + number(3, value)
        if isinstance(value, (bool, int)):
            return out + number(4, int(value))
        if isinstance(value, float):
            return out + tag(2, FIXED64) + struct.pack("<d", value)
        if isinstance(value, str):
            return out + block(5, value)
        if isinstance(value, bytes):
            return out + block(6, value)
        raise TypeError(f"stat {key}: {type(value).__name__} has no place in an XStat")

    def encode(self):
        lines = [block(3, l.encode()) for l in self.lines]
        maps = self.event_maps + self.stat_maps
        out = number(1, self.id) + block(2, self.name)
        out += b"".join(maps + lines if self.maps_first else lines + maps)
        return out + b"".join(block(6, s) for s in self.stats)


class Space:
    def __init__(self, hostnames=(), errors=(), warnings=()):
        self.hostnames, self.errors, self.warnings, self.planes = list(hostnames), list(errors), list(warnings), []

    def plane(self, name, id=None, stats=None, maps_first=False):
        """Real files come in both orders: lines before the metadata maps (the default here), or behind them."""
        self.planes.append(Plane(name, len(self.planes) if id is None else id, stats, maps_first))
        return self.planes[-1]

    def encode(self):
        out = b"".join(block(1, p.encode()) for p in self.planes)
        out += b"".join(block(2, t) for t in self.errors)
        out += b"".join(block(3, t) for t in self.warnings)
        return out + b"".join(block(4, t) for t in self.hostnames)

    def write(self, path):
        with open(path, "wb") as f:
            f.write(self.encode())
