#!/usr/bin/env python3
"""Saved files that were damaged or made to do damage: a changed bit gives the same answers or is told, what unpacks to more
than a file of its size may hold is refused before memory is taken."""
import json
import os
import random
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import STEPSCOPE, TIMEOUT_S, Tap, need_program, scratch, stepscope
from saved_file import KINDS, MASK, PLANES, RAW, STEPS, ZSTD, SavedFile, checksum, frame, part

EVENTS = 6000
ATTR_FLIPS, OTHER_FLIPS = 150, 4  # in blocks of attributes; in every other section
LITTLE = 400 << 20  # bytes of address space: enough for the program and any honest small file
REFUSED = "cannot hold what it says"


def made_trace():
    """Attributes enough for several blocks, with arrows, kernels and counters."""
    pick = random.Random(5)
    events = [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python"}}]
    for i in range(EVENTS):
        args = {"External id": i, "Input Dims": [[pick.randrange(4096), pick.randrange(4096)]], "note": f"{pick.random()}"}
        if i % 3 == 2:
            events.append({"ph": "X", "cat": "kernel", "name": f"kernel_{i % 7}", "pid": 0, "tid": 7, "ts": i * 10 + 5, "dur": 8,
                           "args": {"device": 0, "stream": 7, "correlation": i - 1, "grid": [i % 50, 1, 1], "block": [128, 1, 1]}})
        else:
            events.append({"ph": "X", "cat": "cuda_runtime" if i % 3 else "cpu_op", "name": f"op_{i % 11}", "pid": 1, "tid": 1,
                           "ts": i * 10, "dur": 7, "args": dict(args, correlation=i) if i % 3 else args})
        if i % 5 == 0:
            events.append({"ph": "C", "name": "memory", "pid": 1, "ts": i * 10, "args": {"bytes": i * 100}})
        if i % 6 == 0:
            events.append({"ph": "s", "id": i, "cat": "flow", "name": "f", "pid": 1, "tid": 1, "ts": i * 10 + 1})
            events.append({"ph": "f", "id": i, "cat": "flow", "name": "f", "pid": 1, "tid": 1, "ts": i * 10 + 11, "bp": "e"})
    path = scratch("made.json")
    with open(path, "w") as f:
        json.dump({"traceEvents": events}, f)
    return path


def write(name, data):
    path = scratch(name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def read(path):
    with open(path, "rb") as f:
        return f.read()


def events(path, *options, env=None):
    return stepscope("table", "events", path, "--all-columns", "--format", "csv", *options, env=env)


def flipped(data, at, bit):
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:]


def wrong(run, sound):
    """Other answers, and nobody said so."""
    told = run.status == 3 and "damaged" in run.err or run.status == 4 and "read only in part" in run.err
    return not told and (run.status, run.out) != (sound.status, sound.out)


def flips(tap, data):
    sound, pick, bad = events(write("sound.stepscope", data)), random.Random(1), []
    count = {3: 0, 4: 0, 0: 0}
    for name, s in SavedFile(data).sections.items():
        for _ in range(min(s["stored"], ATTR_FLIPS if name == "attr_blocks" else OTHER_FLIPS)):
            at, bit = s["offset"] + pick.randrange(s["stored"]), pick.randrange(8)
            run = events(write("flipped.stepscope", flipped(data, at, bit)))
            count[run.status] = count.get(run.status, 0) + 1
            if wrong(run, sound):
                bad.append(f"{name}, byte {at}, bit {bit}: {run.told()}")
    tap.ok(sound.status == 0 and not bad, "a changed bit anywhere gives the same events or is told", "\n".join(bad[:9]))
    tap.ok(count[4] >= ATTR_FLIPS and count[3] > 0, "in attributes it costs its block, elsewhere the file", count)


def damaged_attributes(tap, data):
    s = SavedFile(data).sections["attr_blocks"]
    path = write("attrs.stepscope", flipped(data, s["offset"] + s["stored"] // 2, 2))
    run = stepscope("notes", path, "--format", "csv")
    tap.ok(run.status == 4 and "attrs_damaged,lost,1" in run.out, "notes reads all attributes and names the damage", run.told())
    run = stepscope("report", path)
    tap.ok(run.status == 4 and "attrs_damaged" in run.out, "a report says so", run.told())
    run = stepscope("table", "devices", path)
    tap.ok(run.status == 0, "what needs no attributes reads none", run.told())
    again = scratch("again.stepscope")
    run = stepscope("pack", path, "-o", again, "--force")
    later = stepscope("notes", again, "--format", "csv")
    tap.ok(run.status == 4 and later.status == 4 and "attrs_damaged,lost,1" in later.out,
           "packed again it is told, and stays damaged", f"{run.told()}\n{later.told()}\n{later.out}")


def cached_entry(tap, source):
    env = {"STEPSCOPE_CACHE_AFTER_MS": "0"}
    folder = scratch("cache", "stepscope")
    sound = events(source, env=env)
    entry = os.path.join(folder, os.listdir(folder)[0])
    data = read(entry)
    s = SavedFile(data).sections["attr_blocks"]
    with open(entry, "r+b") as f:
        f.seek(s["offset"] + s["stored"] // 3)
        f.write(flipped(data, s["offset"] + s["stored"] // 3, 5)[s["offset"] + s["stored"] // 3:][:1])
    run = events(source, env=env)
    tap.ok(not wrong(run, sound) and run.status == 4, "a damaged cache entry is told", run.told())
    run = events(source, env=env)
    tap.ok((run.status, run.out) == (0, sound.out), "and is gone the next time", run.told())


def in_little_memory(*words):
    """The program with LITTLE bytes of address space; and the most memory a child ever had."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (LITTLE, LITTLE))  # noqa: E731
    sanitized = "san" in os.path.basename(os.path.dirname(STEPSCOPE))  # a sanitizer maps terabytes
    return subprocess.run([STEPSCOPE, *words, "--threads", "1"], capture_output=True, text=True, timeout=TIMEOUT_S,
                          preexec_fn=None if sanitized else limit)


def bombs(data):
    """Name -> file, each with right checksums."""
    rows = {"kind": (PLANES, 1), "start_ns": (STEPS, 8), "dur_ns": (PLANES, 8), "name": (PLANES, 4), "detail": (KINDS, 4),
            "depth": (PLANES, 2), "disp": (PLANES, 2), "attrs": (KINDS, 8), "links": (KINDS, 4), "corrs": (KINDS, 8)}
    made = {}

    def add(name, change):
        f = SavedFile(data)
        change(f)
        made[name] = f.data()

    def all_rows(f):
        n = 40_000_000
        f.put_words([("times", f"0 0 1 {n}"), ("source:chrome", "x.json")])
        for name, (codec, size) in rows.items():
            f.put_zeros(name, codec, n, size)

    def claimed(name, count):
        def change(f):
            f.sections[name]["count"] = count
        return change

    add("forty million rows of nothing", all_rows)
    for name, codec, count, size in (("samples", ZSTD, 60_000_000, 16), ("flows", STEPS, 80_000_000, 8),
                                     ("words", ZSTD, 100_000_000, 1), ("kernels", PLANES, 160_000_000, 4),
                                     ("hosts", STEPS, 80_000_000, 8), ("host_details", STEPS, 150_000_000, 8),
                                     ("string_bytes", ZSTD, 500_000_000, 1), ("string_sizes", PLANES, 100_000_000, 4),
                                     ("attr_sizes", PLANES, 1_000_000, 4)):
        add(f"{count} elements of {name}", lambda f, x=(name, codec, count, size): f.put_zeros(*x))
    for count in (1 << 40, 1 << 61, MASK):
        for name in ("kind", "samples", "kernels", "string_bytes", "attr_sizes"):
            add(f"{name}, {count} times", claimed(name, count))
    return made


def expansion(tap, data):
    bad = []
    for name, forged in bombs(data).items():
        run = in_little_memory("table", "trace", write("bomb.stepscope", forged))
        if run.returncode != 3 or REFUSED not in run.stderr:
            bad.append(f"{name} ({len(forged)} bytes): exit {run.returncode}, {run.stderr.strip()[-200:]}")
    tap.ok(not bad, "files that unpack to far more than their size are refused before memory is taken", "\n".join(bad))
    run = in_little_memory("table", "trace", write("sound.stepscope", data))
    tap.ok(run.returncode == 0, "a sound file opens in as little memory", run.stderr)


def lengths(tap, data):
    """A record whose text says that it is longer than everything; a log that says so."""
    f = SavedFile(data)
    f.put("attr_total", RAW, 1, 8, (1 << 61).to_bytes(8, "little"))
    run = in_little_memory("table", "events", write("long.stepscope", f.data()), "--all-columns")
    tap.ok(run.returncode == 3 and "attributes" in run.stderr, "attributes that say to be 2^61 bytes are refused", run.stderr)
    f = SavedFile(data)
    block = b"\x02\x00" + b"\xff" * 8 + b"\x1f"  # key 1, a text of 2^61 bytes
    packed = frame(len(block), data=block)
    f.put("attr_blocks", RAW, len(packed), 1, packed)
    f.put("attr_sizes", PLANES, 1, 4, bytes([1, 0, 0, 0]) + part(frame(1, data=bytes([len(packed)]))))
    f.put("attr_hashes", RAW, 1, 8, checksum(packed).to_bytes(8, "little"))
    f.put("attr_total", RAW, 1, 8, len(block).to_bytes(8, "little"))
    run = in_little_memory("table", "events", write("long.stepscope", f.data()), "--all-columns")
    tap.ok(run.returncode == 4 and "read only in part" in run.stderr, "a text longer than the attributes is noted", run.stderr)


def main():
    need_program()
    tap = Tap()
    source, saved = made_trace(), scratch("made.stepscope")
    run = stepscope("pack", source, "-o", saved, "--no-cache")
    data = read(saved)
    tap.ok(run.status == 0 and len(SavedFile(data).sections["attr_hashes"]["bytes"]) > 8, "attributes fill several blocks")
    tap.ok(SavedFile(data).data() == data, "a saved file is put together as it was taken apart")
    flips(tap, data)
    damaged_attributes(tap, data)
    cached_entry(tap, source)
    expansion(tap, data)
    lengths(tap, data)
    tap.done()


main()
