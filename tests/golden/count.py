"""Counts a trace file a second time, with nothing of stepscope in it: Python's json with numbers kept as text, and a
protobuf walker of a few lines. What is counted is defined by the formats, not by the program under test."""
import functools
import json
import operator
import os
import re
import sqlite3
import sys
from decimal import ROUND_FLOOR, Decimal

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import unpacked  # noqa: E402

# Kineto's categories, lower case; the files of 2020-2021 write them capitalised.
KERNEL, COPY, MEMSET = {"kernel"}, {"gpu_memcpy", "memcpy"}, {"gpu_memset", "memset"}
WORK = KERNEL | COPY | MEMSET
CALLS = {"cuda_runtime", "cuda_driver", "runtime"}


class Counts:
    def __init__(self):
        self.entries = self.kernels = self.kernel_ns = self.copies = self.memsets = 0
        self.streams, self.phases = set(), {}

    def add(self, kind, stream, dur_ns):
        self.streams.add(stream)
        if kind == "kernel":
            self.kernels += 1
            self.kernel_ns += dur_ns
        elif kind == "copy":
            self.copies += 1
        else:
            self.memsets += 1


def round_half_up(value):
    return int((value + Decimal("0.5")).to_integral_value(ROUND_FLOOR))


def whole_ns(text):
    """Microseconds of at most three decimals in ns, exactly; None for a text that has more of them or is written otherwise."""
    whole, _, part = text.partition(".")
    if len(part) > 3 or not (whole + part).isdigit() or not whole:
        return None
    return int(whole + part) * (1000, 100, 10, 1)[len(part)]


def span_ns(ts, dur):
    """Start and end of microsecond texts in whole ns: both ends rounded to nearest, so that nesting survives."""
    start_ns, length_ns = whole_ns(ts), whole_ns(dur)
    if start_ns is not None and length_ns is not None:
        return start_ns, start_ns + length_ns
    start, length = Decimal(ts), Decimal(dur)
    return round_half_up(start * 1000), round_half_up((start + length) * 1000)


# ---- Chrome JSON

def load_json(data):
    """The document with every number as text; an array that is not closed is closed as viewers do."""
    text = data.decode("utf-8", "replace")
    keep = {"parse_float": str, "parse_int": str}
    try:
        return json.loads(text, strict=False, **keep)
    except ValueError:
        return json.loads(text.rstrip().rstrip(",") + "]", strict=False, **keep)


def entries_in(data):
    document = load_json(data)
    return document if isinstance(document, list) else document["traceEvents"]


def numbers(value):
    """Lists of whole numbers, whose texts `load_json` keeps, as numbers."""
    if isinstance(value, list):
        return [numbers(v) for v in value]
    return int(value) if isinstance(value, str) and value.lstrip("-").isdigit() else value


# TensorFlow 1 names a process per stream; "stream:all" holds the same work again.
TF1_STREAM = re.compile(r"^/device:GPU:(\d+)/stream:(\d+) Compute$")


def tf1_streams(events):
    """{pid: (device, stream)} of the processes that are streams of a TensorFlow 1 timeline."""
    names = {e["pid"]: str(e["args"].get("name")) for e in events if e.get("ph") == "M" and e.get("name") == "process_name"}
    found = {pid: TF1_STREAM.match(name) for pid, name in names.items()}
    return {pid: match.groups() for pid, match in found.items() if match}


def work_of(e, tf1):
    """(kind, stream) of a complete event that is device work, else None."""
    category, args = str(e.get("cat", "")).lower(), e.get("args", {})
    if category in WORK:
        kind = "kernel" if category in KERNEL else "copy" if category in COPY else "memset"
        return kind, (str(args.get("device", e.get("pid"))), str(args.get("stream", e.get("tid"))))
    if e.get("pid") in tf1:
        return "copy" if e["name"].upper().startswith("MEMCPY") else "kernel", tf1[e["pid"]]
    return None


def count_json(events):
    counts = Counts()
    tf1 = tf1_streams(events)
    for e in events:
        counts.entries += 1
        phase = e.get("ph", "")
        counts.phases[phase] = counts.phases.get(phase, 0) + 1
        work = work_of(e, tf1) if phase == "X" else None
        if work:
            start, end = span_ns(e["ts"], e.get("dur", "0"))
            counts.add(*work, end - start)
    return counts


# ---- XSpace

DERIVED_FIRST, DERIVED_IDS = -559038737, 2000  # 0xdeadbeef as a 32-bit int, and the lines counted up from it
PLANE, PLANE_NAME, LINE, STAT_META = 1, 2, 3, 5
EVENT, LINE_ID, LINE_TIME = 4, 1, 3
LANES = {"Steps", "TensorFlow Ops", "TensorFlow Name Scope", "Framework Ops", "Framework Name Scope", "XLA Modules",
         "XLA Ops", "Source code", "Launch Stats"}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of a message; value is an int or the bytes of a length-delimited field."""
    at, end = 0, len(data)
    while at < end:
        tag, at = varint(data, at)
        wire = tag & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise ValueError("truncated")
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
            value, at = data[at:at + size], at + size
        else:
            raise ValueError(f"wire type {wire}")
        yield tag >> 3, value


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def first(data, number, default):
    return next((v for n, v in fields(data) if n == number), default)


def is_derived(line_id, name):
    return DERIVED_FIRST <= line_id < DERIVED_FIRST + DERIVED_IDS or name.split(" - ")[0] in LANES


def count_line(counts, line, gpu, tpu, details):
    parts = list(fields(line))
    base = next((signed(v) for n, v in parts if n == LINE_TIME), 0)
    line_id = next((signed(v) for n, v in parts if n == LINE_ID), 0)
    name = next((v.decode("utf-8", "replace") for n, v in parts if n == 2), "")
    for number, event in parts:
        if number != EVENT:
            continue
        counts.entries += 1
        if tpu and name == "XLA Ops":
            counts.streams.add((tpu, line_id))
        if gpu is None or is_derived(line_id, name):
            continue
        offset = duration = 0
        kinds = set()
        for n, v in fields(event):
            if n == 2:
                offset = signed(v)
            elif n == 3:
                duration = signed(v)
            elif n == 4:
                kinds.add(details.get(first(v, 1, 0)))
        kind = next((k for k in ("kernel", "copy", "memset") if k in kinds), None)
        if kind:
            start = base * 1000 + offset
            counts.add(kind, (gpu, line_id), (start + duration + 500) // 1000 - (start + 500) // 1000)


DETAILS = {b"kernel_details": "kernel", b"memcpy_details": "copy", b"Memset_details": "memset",
           b"memset_details": "memset"}


def count_xspace(data):
    counts = Counts()
    for number, plane in fields(data):
        if number != PLANE:
            continue
        parts = list(fields(plane))
        name = next((v for n, v in parts if n == PLANE_NAME), b"").decode("utf-8", "replace")
        gpu = name if name.startswith("/device:GPU:") else None
        tpu = name if name.startswith("/device:TPU:") else None  # its line of ops is the work
        details = {}
        for n, v in parts:
            if n == STAT_META:
                details[first(v, 1, 0)] = DETAILS.get(first(first(v, 2, b""), 2, b""))
        for n, v in parts:
            if n == LINE:
                count_line(counts, v, gpu, tpu, details)
    return counts


# ---- Nsight Systems

NSYS_READ = ("StringIds META_DATA_EXPORT TARGET_INFO_SESSION_START_TIME ANALYSIS_DETAILS PROCESSES ThreadNames TARGET_INFO_GPU TARGET_INFO_CUDA_DEVICE "
             "CUPTI_ACTIVITY_KIND_KERNEL CUPTI_ACTIVITY_KIND_MEMCPY CUPTI_ACTIVITY_KIND_MEMSET CUPTI_ACTIVITY_KIND_GRAPH_TRACE "
             "CUPTI_ACTIVITY_KIND_RUNTIME CUPTI_ACTIVITY_KIND_SYNCHRONIZATION CUPTI_ACTIVITY_KIND_CUDA_EVENT NVTX_EVENTS NVTX_PAYLOAD_SCHEMA_ENTRIES NVTX_PAYLOAD_ENUM_ENTRIES PROFILER_OVERHEAD "
             "CUPTI_ACTIVITY_KIND_OVERHEAD DIAGNOSTIC_EVENT").split()


def count_nsys(path):
    """Of the tables of an export that are read; a database is read by SQLite, not as bytes."""
    db, counts = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True), Counts()
    there = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    counts.entries = sum(db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in NSYS_READ if name in there)
    for kind, name in (("kernel", "KERNEL"), ("copy", "MEMCPY"), ("memset", "MEMSET")):
        for process, device, stream, ns in db.execute(f"SELECT globalPid,deviceId,streamId,end-start FROM CUPTI_ACTIVITY_KIND_{name}"):
            counts.add(kind, (process, device, stream), ns)
    return counts


def is_nsys(path):
    with open(path, "rb") as f:
        return f.read(15) == b"SQLite format 3"


# ---- files

def is_json(data):
    return data.lstrip()[:1] in (b"{", b"[")


@functools.lru_cache(1)
def read(path):
    """(entries of a Chrome trace, None) or (None, bytes of an XSpace); the last file that was asked for is kept. Not to be changed."""
    data = unpacked(path)
    if not is_json(data):
        return None, data
    return entries_in(data), None


def json_events(path):
    return read(path)[0]


class Complete:
    """The complete events of a Chrome trace by category, in small letters: each is looked at once, whoever asks. Not to be changed."""

    def __init__(self, events):
        self.groups, self.spans = {}, {}
        for place, e in enumerate(events):
            if e.get("ph") == "X":
                self.groups.setdefault(str(e.get("cat", "")).lower(), []).append((place, e))

    def of(self, categories):
        """[(place in the file, event, (start, end))] in the order of the file."""
        found = [self.with_spans(c) for c in categories if c in self.groups]
        return found[0] if len(found) == 1 else sorted((x for group in found for x in group), key=operator.itemgetter(0))

    def with_spans(self, category):
        if category not in self.spans:
            self.spans[category] = [(place, e, span_ns(e["ts"], e.get("dur", "0"))) for place, e in self.groups[category]]
        return self.spans[category]


@functools.lru_cache(1)
def complete(path):
    return Complete(json_events(path))


def count(path):
    if is_nsys(path):
        return count_nsys(path)
    events, data = read(path)
    return count_xspace(data) if events is None else count_json(events)
