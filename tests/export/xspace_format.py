"""What an XSpace has to be, told by its schema alone: knows nothing of stepscope. `read(data)` gives planes as Python has them,
`faults(space)` what is wrong with them as a part of a recording."""
import collections

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
Plane = collections.namedtuple("Plane", "name lines events stats own_stats")  # events, stats: id -> (name, stats) and name
Line = collections.namedtuple("Line", "id name timestamp_ns events")
Event = collections.namedtuple("Event", "id offset_ps dur_ps stats bytes")
SPACE, PLANE, LINE, EVENT = {1, 2, 3, 4}, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 9, 10, 11}, {1, 2, 3, 4, 5}
EVENT_META, STAT_META, STAT = {1, 2, 3, 4, 5, 6}, {1, 2, 3}, {1, 2, 3, 4, 5, 6, 7}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data, known):
    """(number, value) of each field: a number, or bytes."""
    at, found = 0, []
    while at < len(data):
        tag, at = varint(data, at)
        number, wire = tag >> 3, tag & 7
        if number not in known or wire not in (VARINT, FIXED64, BYTES, FIXED32):
            raise ValueError(f"field {number} of wire type {wire}")
        if wire == VARINT:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if wire == BYTES else (8 if wire == FIXED64 else 4, at)
            value = data[at:at + size]
            if len(value) != size:
                raise ValueError("a field ends behind its message")
            at += size
        found.append((number, value))
    return found


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def stat(data):
    """(id, reference or None, value)"""
    told = dict(fields(data, STAT))
    value = next((v for k, v in told.items() if k > 1), None)
    return told.get(1, 0), told.get(7), value


def entry(data, known):
    told = dict(fields(data, {1, 2}))
    return told.get(1, 0), fields(told.get(2, b""), known)


def event(data):
    told = fields(data, EVENT)
    one = dict(told)
    return Event(one.get(1, 0), signed(one.get(2, 0)), signed(one.get(3, 0)), [stat(v) for k, v in told if k == 4], data)


def line(data):
    told = fields(data, LINE)
    one = dict(told)
    return Line(signed(one.get(1, 0)), one.get(2, b""), signed(one.get(3, 0)), [event(v) for k, v in told if k == 4])


def plane(data):
    told = fields(data, PLANE)
    events, stats = {}, {}
    for key, value in (entry(v, EVENT_META) for k, v in told if k == 4):
        events[key] = (dict(value).get(2, b""), [stat(v) for k, v in value if k == 5], [v for k, v in value if k == 6])
    for key, value in (entry(v, STAT_META) for k, v in told if k == 5):
        stats[key] = dict(value).get(2, b"")
    return Plane(dict(told).get(2, b""), [line(v) for k, v in told if k == 3], events, stats, [stat(v) for k, v in told if k == 6])


def read(data):
    return [plane(v) for k, v in fields(data, SPACE) if k == 1]


def children(of):
    """child_id, one by one or packed."""
    for value in of:
        at = 0
        if isinstance(value, int):
            yield value
        while not isinstance(value, int) and at < len(value):
            child, at = varint(value, at)
            yield child


def plane_faults(p):
    events = [e for l in p.lines for e in l.events]
    used = {e.id for e in events}
    while True:
        more = {c for i in used if i in p.events for c in children(p.events[i][2])} - used
        if not more:
            break
        used |= more
    stats = [s for e in events for s in e.stats] + [s for i in used & set(p.events) for s in p.events[i][1]] + p.own_stats
    names = {s[0] for s in stats} | {s[1] for s in stats if s[1] is not None}
    wrong = [f"event metadata {i} is missing" for i in {e.id for e in events} - set(p.events)]
    wrong += [f"stat metadata {i} is missing" for i in names - set(p.stats)]
    if p.lines:
        wrong += [f"event metadata {i} is of no event" for i in set(p.events) - used]
        wrong += [f"stat metadata {i} is of no stat" for i in set(p.stats) - names]
    return [f"{p.name.decode()}: {w}" for w in wrong]


def faults(space):
    return [w for p in space for w in plane_faults(p)]


def place(l, e):
    """Start and end as whole ns, each to the nearest."""
    return l.timestamp_ns + (e.offset_ps + 500) // 1000, l.timestamp_ns + (e.offset_ps + e.dur_ps + 500) // 1000


def mark(p, e):
    """What the stat "window" says of an event."""
    return next((value.decode() for i, _, value in e.stats if p.stats.get(i) == b"window"), "")
