#!/usr/bin/env python3
"""Entries of a shape met before take a short way into the trace. Here each unusual entry stands among usual ones of its
shape; the same entries with other blanks in each, so that no shape comes twice, take the long way: events, attributes,
arrows, threads and notes are the same."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, scratch, table

US = 1712195495000000
USUAL = {
    "an op": '"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 7, "ts": TS, "dur": 3.250, '
             '"args": {"External id": 17, "Ev Idx": 4}',
    "a call": '"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 7, "ts": TS, "dur": 2.001, '
              '"args": {"cbid": 211, "correlation": CORR}',
    "a kernel": '"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 9, "ts": TS, "dur": 9.125, '
                '"args": {"device": 0, "stream": 9, "correlation": CORR, "registers per thread": 40, "grid": [4, 2, 1]}',
    "a copy": '"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0, "tid": 9, "ts": TS, '
              '"dur": 1.5, "args": {"device": 0, "stream": 9, "correlation": CORR, "bytes": 4096}',
    "a start": '"ph": "s", "id": CORR, "pid": 1, "tid": 7, "ts": TS, "cat": "ac2g", "name": "ac2g"',
    "a finish": '"ph": "f", "id": CORR, "pid": 0, "tid": 9, "ts": TS, "cat": "ac2g", "name": "ac2g", "bp": "e"',
}
# what stands instead of what, in whichever entries have it
CHANGES = {
    "a time as text": ("TS", '"TS"'),
    "no time": ("TS", "null"),
    "a time with five places": ("TS", "TS125"),
    "a time with an exponent": ("TS", "1.712195495e15"),
    "a time beyond all": ("TS", "9e99"),
    "a negative duration": ('"dur": ', '"dur": -'),
    "a duration as text": ('"dur": 3.250', '"dur": "3.250"'),
    "a duration beyond all": ('"dur": 2.001', '"dur": 99999999999999999'),
    "an escaped name": ("aten::add", "aten\\u003a:add"),
    "bytes that are no text": ("aten::add", "aten\udcff:add"),
    "a name that is a number": ('"aten::add"', "5"),
    "no name": ('"gemm"', "null"),
    "an id as text": ("CORR", '"CORR"'),
    "an id that is none": ("CORR", "-1"),
    "a real id": ("CORR", "CORR.5"),
    "an id beyond 64 bits": ("CORR", "CORR00000000000000000000"),
    "an id in hexadecimal": ('"id": CORR', '"id": "0xCORR"'),
    "an id that is null": ("CORR", "null"),
    "another thread": ('"tid": 7', '"tid": 8'),
    "a thread as text": ('"tid": 7', '"tid": "worker"'),
    "another stream": ('"stream": 9', '"stream": 11'),
    "a stream as text": ('"stream": 9', '"stream": "stream 12"'),
    "another category": ("cpu_op", "python_function"),
    "a category with an escape": ("cpu_op", "cpu\\u005fop"),
    "another phase": ('"ph": "X"', '"ph": "B"'),
    "a member twice": ('"Ev Idx": 4', '"Ev Idx": 4, "Ev Idx": 5'),
    "a call's number twice": ('"cbid": 211', '"correlation": 1, "cbid": 211'),
    "an argument that is a text": ('"External id": 17', '"External id": "17"'),
    "an argument that is an object": ('"External id": 17', '"External id": {"a":[1,{"b":2}]}'),
    "an argument that is no JSON": ('"External id": 17', '"External id": NaN'),
    "an absurd argument": ('"registers per thread": 40', '"registers per thread": 99999999'),
    "a short grid": ("[4, 2, 1]", "[4]"),
    "a grid without blanks": ("[4, 2, 1]", "[4,2,1]"),
    "a grid with more of them": ("[4, 2, 1]", "[ 4 , 2 , 1 ]"),
    "a grid of four": ("[4, 2, 1]", "[4, 2, 1, 9]"),
    "a grid of eight digits": ("[4, 2, 1]", "[12345678, 2, 1]"),
    "a grid of nine digits": ("[4, 2, 1]", "[123456789, 2, 1]"),
    "a grid beyond all": ("[4, 2, 1]", "[4294967296, 2147483648, 1]"),
    "a grid of texts": ("[4, 2, 1]", '["4", -2, 1.5]'),
    "no grid": ("[4, 2, 1]", "[]"),
    "an id before the phase": ('"ph": "s", "id": CORR', '"id": CORR, "ph": "s"'),
    "an arrow of another name": ('"name": "ac2g"', '"name": "other"'),
    "brackets that do not match": ('{"External id": 17', '{[[["External id": 17'),
    "arguments twice": ('"Ev Idx": 4}', '"Ev Idx": 4}, "args": {"cbid": 5}'),
    "a phase twice": ('"ph": "X", "cat": "kernel"', '"ph": "s", "ph": "X", "cat": "kernel"'),
    "no arguments": (', "args": {"External id": 17, "Ev Idx": 4}', ""),
    "arguments that are a text": ('{"External id": 17, "Ev Idx": 4}', '"none"'),
    "empty arguments": ('{"External id": 17, "Ev Idx": 4}', "{}"),
    "arguments in front": ('"ph": "X", "cat": "cuda_runtime"', '"args": {"zero": 0}, "ph": "X", "cat": "cuda_runtime"'),
    "another member": ('"pid": 1', '"pid": 1, "tts": 5'),
    "the category behind": ('"cat": "kernel", "name": "gemm"', '"name": "gemm", "cat": "kernel"'),
    "a trailing comma": ('"Ev Idx": 4', '"Ev Idx": 4,'),
}


def entries():
    """Each usual entry some times, each change of it once, usual ones in between."""
    rng = random.Random(5)
    out = [text for text in USUAL.values() for _ in range(3)]
    for old, new in CHANGES.values():
        for text in USUAL.values():
            out += [text.replace(old, new), text] if old in text else []
        out.append(rng.choice(list(USUAL.values())))
    return [fill(text, i) for i, text in enumerate(out)]


def fill(text, i):
    return text.replace("TS", f"{US + 20 * i}.{i % 1000:03d}").replace("CORR", str(i // 2 * 2 + 100))


def write(folder, blanks):
    path = scratch(os.path.join(folder, "made.json"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    lines = ["{" + text.replace('": ', '"' + blanks(i) + ": ").replace(', "', "," + blanks(i) + ' "') + "}"
             for i, text in enumerate(entries())]
    body = '{"traceEvents": [\n' + ",\n".join(lines) + "\n]}"
    with open(path, "wb") as f:
        f.write(body.encode("utf-8", "surrogateescape"))
    return path


def seen(path):
    """Everything but where in the file it stood: rows by table, and how often each note was taken."""
    found = {t: table(t, path, "--all-columns", "--no-cache").rows for t in "events tracks launches kernels copies".split()}
    found["notes"] = {row["note"]: row["times"] for row in table("notes", path, "--no-cache").rows}
    return found


def main():
    tap = Tap()
    short, long = seen(write("short", lambda i: "")), seen(write("long", lambda i: " " * (i + 1)))
    tap.ok(len(short["events"]) > len(entries()) / 2, "most entries are events")
    tap.ok(len(short["notes"]) > 5, "the unusual ones are noted")
    for name in short:
        tap.equal(short[name], long[name], f"{name}: the same by both ways")
    tap.done()


main()
