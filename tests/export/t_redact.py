#!/usr/bin/env python3
"""--redact: exports of real traces, searched for what was recorded as host, user, path, thread or name that a user chose; hashes are
the same for the same name within one file, and others in the next."""
import gzip
import json
import os
import re
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, TRACES, Tap, corpus, need_program, scratch, stepscope, table, unpacked

RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
LARGEST = 60_000
PATH = re.compile(rb"/(?:home|root|opt|usr|tmp|workspace|data|mnt|var|Users)/[\w.+-]+(?:/[\w.+-]+)*")
SECRET = re.compile(rb"hf_[A-Za-z0-9]{16,}|AKIA[A-Z0-9]{16}|ghp_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9]{20,}")
FRAME = re.compile(rb"[\w/.]+\.py\(\d+\): \w+")
FORMATS = ("json.gz", "sqlite", "folded")


def said(path, form, *options):
    """All bytes of the export."""
    out = scratch("redacted." + form)
    run = stepscope("export", path, "-o", out, "--force", "-q", *options)
    if run.status not in (0, 4):
        return None
    with open(out, "rb") as f:
        return gzip.decompress(f.read()) if form.endswith(".gz") else f.read()


def private(path):
    """What the file says of hosts, users, paths, threads of its own, frames of the user's code."""
    data = unpacked(path)
    words = set(PATH.findall(data)) | set(SECRET.findall(data)) | set(FRAME.findall(data))
    users = {w.split(b"/")[2] for w in PATH.findall(data) if w.startswith((b"/home/", b"/Users/"))}
    hosts = {r["host"].encode() for r in table("hosts", path).rows if r["host"] and len(r["host"]) > 6}
    return {w for w in words | users | hosts if len(w) > 4}


def real_traces(tap):
    for name in corpus():
        path = os.path.join(TRACES, name)
        if not name.startswith(("kineto", "xspace", "chrome")) or os.path.getsize(path) > LARGEST:
            continue
        if stepscope("table", "hosts", path, "-q").status not in (0, 4):
            continue
        words, told = private(path), []
        for form in FORMATS:
            data = said(path, form, "--redact")
            if data is None:
                told.append(f"{form} was not written")
            else:
                told += [f"{form}: {w!r}" for w in words if re.search(rb"(?<![\w-])" + re.escape(w) + rb"(?![\w-])", data)][:5]
        tap.ok(not told, f"{name}: {len(words)} private words, in no export", "\n".join(told))


def consistent(tap):
    a, b = said(RESNET, "json.gz", "--redact"), said(RESNET, "json.gz", "--redact")
    tap.ok(a != b, "the next file has other hashes")
    hashes = re.findall(rb"thread-[0-9a-f]+", a)
    tap.ok(hashes and not set(hashes) & set(re.findall(rb"thread-[0-9a-f]+", b)), "of threads, too")
    said(RESNET, "sqlite", "--redact")
    db = sqlite3.connect(scratch("redacted.sqlite"))
    plain = {r["id"]: r["name"] for r in table("events", RESNET).rows}
    words = {}
    for i, name in db.execute("SELECT id, name FROM events"):
        words.setdefault(plain[i], set()).add(name)
    hashed = {k: v for k, v in words.items() if v != {k}}
    tap.ok(hashed and all(len(v) == 1 for v in words.values()) and len({w for v in hashed.values() for w in v}) == len(hashed),
           "within one file a name has one hash, and no other name has it")
    kernels = {r["name"] for r in table("kernels", RESNET).rows}
    tap.ok(kernels and not kernels & set(hashed), "names of kernels stay")
    sums = [tuple(db.execute("SELECT count(*), sum(dur_ns), sum(start_ns) FROM events").fetchone())]
    rows = table("events", RESNET).rows
    tap.equal(sums, [(len(rows), sum(r["dur_ns"] for r in rows), sum(r["start_ns"] for r in rows))], "numbers are those of the trace")


def refused(tap):
    run = stepscope("export", RESNET, "--redact", "-o", scratch("x.stepscope"))
    tap.ok(run.status == 2 and "redact" in run.err, "a .stepscope file cannot be redacted, and says so", run.told())
    with open(scratch("x.json"), "w", encoding="utf-8") as f:
        json.dump({"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "name": "w", "args": {"name": "secret-words"}}]}, f)
    tap.ok(b"secret-words" not in said(scratch("x.json"), "json", "--redact", "--all-columns"), "redacted, texts of arguments stay at home")


def main():
    need_program()
    tap = Tap()
    for test in (consistent, refused, real_traces):
        test(tap)
    tap.done()


main()
