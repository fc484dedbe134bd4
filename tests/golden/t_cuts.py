#!/usr/bin/env python3
"""Every real trace cut short: as stored (packed bytes for .gz) and unpacked, at ten places from a fixed seed. Never a
crash; exit 4 with a note that names the byte when something survives, 3 when nothing does, 0 only at a legal boundary."""
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import count
from harness import TRACES, Tap, Table, corpus, need_program, scratch, skip_all, stepscope, unpacked

CUTS = 10
REFUSED = {"tf/legacy-trace-protobuf/local.trace", "xspace/broken-utf8-mangled/tpu_inference_2.xplane.pb"}


def json_boundary(text):
    """True when the text ends right behind a whole record of the event array (or its comma), or is complete."""
    body = text.rstrip()
    if body.endswith(b","):
        body = body[:-1].rstrip()
    if not body.endswith((b"}", b"[")):
        return False
    stack = brackets(body)
    return stack in ([], [b"["], [b"{", b"["])


STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.S)
NO_BRACKETS = bytes(c for c in range(256) if c not in b"[]{}")


def brackets(body):
    """The brackets left open; [b'"'] when the text ends inside a string."""
    bare = STRING.sub(b"", body)
    if b'"' in bare:
        return [b'"']
    stack = []
    for mark in bare.translate(None, NO_BRACKETS):
        if mark in b"[{":
            stack.append(bytes((mark,)))
        elif stack:
            stack.pop()
    return stack


def xspace_boundary(data, size):
    """True when the cut falls between two top-level fields."""
    at = 0
    while at < size:
        tag, at = count.varint(data, at)
        if tag & 7 == 0:
            _, at = count.varint(data, at)
        else:
            length, at = count.varint(data, at)
            at += length
    return at == size


def expected(kind, data, size):
    if kind == "packed":
        return "damaged"
    legal = json_boundary(data[:size]) if kind == "json" else xspace_boundary(data, size)
    return "legal" if legal else "damaged"


def judge(run, expect):
    """What is wrong with this answer to a cut, or None."""
    if run.crashed or run.status == 124:
        return "crashed"
    if run.status == 3:
        return None if run.err.strip() else "exit 3 without a word"
    if run.status not in (0, 4):
        return f"exit {run.status}"
    if run.status == 0 and expect == "damaged":
        return "exit 0, though the cut is inside a record"
    if run.status == 4 and expect == "legal":
        return "exit 4, though the cut is at a legal boundary"
    try:
        rows = Table(run.out).rows
    except (ValueError, KeyError) as e:
        return f"notes are no table: {e!r}"
    if run.status == 0:
        return None
    lost = [r for r in rows if r["note_severity"] == "lost" and r["times"]]
    if not lost:
        return "exit 4 without a lost note"
    if all(r["first_offset"] is None for r in lost):
        return "no note names the byte"
    return None


def cut_places(seed, size):
    rng = random.Random(seed)
    return sorted(rng.randrange(1, size) for _ in range(CUTS)) if size > 1 else []


def try_cuts(name, kind, data, sizes):
    """What is wrong with the answers to these cuts: the file is written once and grows shorter."""
    path, found = scratch("cut-" + os.path.basename(name)), []
    with open(path, "wb") as f:
        f.write(data[:max(sizes, default=0)])
    for size in sorted(sizes, reverse=True):
        os.truncate(path, size)
        run = stepscope("notes", path, "--format", "json", "--no-cache")
        expect = expected(kind, data, size)
        wrong = judge(run, expect)
        found += [f"{kind} cut at {size} of {len(data)} ({expect}): {wrong}\n  {run.told()}"] if wrong else []
    os.unlink(path)
    return found


def cuts_of(name):
    """(kind, bytes) of the forms of a file that are cut."""
    with open(os.path.join(TRACES, name), "rb") as f:
        stored = f.read()
    plain = unpacked(os.path.join(TRACES, name))
    if plain is not stored and stored[:2] == b"\x1f\x8b":
        yield "packed", stored
    yield ("json" if count.is_json(plain) else "xspace"), plain


def main():
    need_program()
    files = corpus()
    if not files:
        skip_all("no ../shared/traces")
    os.makedirs(scratch(), exist_ok=True)
    tap = Tap()
    for name in files:
        if name in REFUSED:
            continue
        for kind, data in cuts_of(name):
            wrong = try_cuts(name, kind, data, cut_places(name + kind, len(data)))
            tap.ok(not wrong, f"{name}, {kind}, {CUTS} cuts", "\n".join(wrong))
    legal(tap)
    tap.done()


def legal(tap):
    """A cut right behind a record is legal for the JSON form: nothing is lost, an info note says so."""
    name = "chrome/catapult/main_thread_has_unclosed_slices.json"
    data = unpacked(os.path.join(TRACES, name))
    for label, size in (("behind a record", data.rindex(b"},", 0, len(data) // 2) + 1),
                        ("behind its comma", data.rindex(b"},", 0, len(data) // 2) + 2)):
        wrong = try_cuts(name, "json", data, [size])
        path = scratch("legal.json")
        with open(path, "wb") as f:
            f.write(data[:size])
        run = stepscope("notes", path, "--format", "json")
        noted = run.status == 0 and any(r["note"] == "array_unclosed" and r["times"] for r in Table(run.out).rows)
        tap.ok(not wrong and noted, f"a cut {label} loses nothing and is noted", wrong or run.told() + run.out)


main()
