#!/usr/bin/env python3
"""--redact: exports and reports of real traces, searched for what was recorded as host, user, path, environment, thread or name that a
user chose; hashes are the same for the same name within one file, and others in the next."""
import gzip
import html
import json
import os
import re
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, TRACES, Tap, corpus, need_program, scratch, stepscope, table, unpacked

RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
LARGEST = 60_000
REPORTED = int(os.environ.get("STEPSCOPE_REDACT_BYTES", 150_000))  # of the largest trace
PATH = re.compile(rb"/(?:home|root|opt|usr|tmp|workspace|data|mnt|var|Users)/[\w.+-]+(?:/[\w.+-]+)*")
SECRET = re.compile(rb"hf_[A-Za-z0-9]{16,}|AKIA[A-Z0-9]{16}|ghp_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9]{20,}")
FRAME = re.compile(rb"(?!torch/)[\w/.]+\.py\(\d+\): \w+")
FORMATS = ("json.gz", "sqlite", "folded")
REPORTS = ("html", "md", "text", "svg", "json")
# ranges that libraries write, and what everybody calls a step
PUBLIC = re.compile(r"torch/|enumerate\(DataLoader\)#_(Single|Multi)Process|nccl:|gloo:|c10d::|autograd::|PyTorch Profiler|ProfilerStep#|"
                    r"PjRt|Tfrt|Xla|Gpu|Thunk|ThreadpoolListener::|Iterator::|step\[|execute_\d+_context_")


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


def chosen(path):
    """What a user called ranges and threads: more than one word of letters, which any report may say."""
    names = {r["name"] for r in table("events", path).rows if r["kind"] in ("annotation", "async", "device_range")}
    names |= {r["name"] for r in table("tracks", path).rows if r["track_kind"] == "thread"}
    technical = {r["name"] for r in table("events", path).rows if r["kind"] in ("op", "kernel", "runtime", "overhead", "profile", "copy", "memset", "device_other")}
    return {n.encode() for n in names - technical if n and len(n) > 4 and not PUBLIC.match(n) and n + ".kd" not in technical and not re.fullmatch(r"[A-Za-z]*[ #:_\d]*", n)
            and not n.startswith(("/host:", "/device:"))}


def forms_of(word):
    """The word as it would stand there."""
    text = word.decode("utf-8", "replace")
    ways = {text, html.escape(text), json.dumps(text)[1:-1], re.sub(r"([\\`*_{}\[\]<>()#+!|~-])", r"\\\1", text)}
    return {w.encode() for w in ways}


LETTER = re.compile(rb"[\w-]")


def stands(word, data):
    """Is it there, and not as a part of a longer word?"""
    at = data.find(word)
    while at >= 0:
        end = at + len(word)
        if not LETTER.match(data[max(at - 1, 0):at]) and not LETTER.match(data[end:end + 1]):
            return True
        at = data.find(word, at + 1)
    return False


def left(words, data, form):
    return [f"{form}: {w!r}" for w in words if any(stands(x, data) for x in forms_of(w))][:5]


def reports(tap):
    anyway = set(re.findall(rb"\w+", stepscope("report", RESNET, "--format", "html", "--redact").out.encode()))
    for name in corpus():
        path = os.path.join(TRACES, name)
        if os.path.getsize(path) > REPORTED or stepscope("table", "hosts", path, "-q").status not in (0, 4):
            continue
        words, told = (private(path) | chosen(path)) - anyway, []
        for form in REPORTS:
            for part in ((), ("--gap", "biggest")) if form in ("html", "json") else ((),):
                run = stepscope("report", path, *part, "--format", form, "--redact", "-q")
                if run.status in (0, 4):
                    told += left(words, run.out.encode(), f"{form} {' '.join(part)}")
        tap.ok(not told, f"{name}: {len(words)} private words, in no report", "\n".join(told))


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
                told += left(words, data, form)
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
        json.dump({"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "name": "w", "args": {"name": "secret-words", "context": "secret-words", "size": {"of": "secret-words"}, "device": 3}}]}, f)
    tap.ok(b"secret-words" not in said(scratch("x.json"), "json", "--redact", "--all-columns"), "redacted, texts of arguments stay at home")


def main():
    need_program()
    tap = Tap()
    for test in (consistent, refused, real_traces, reports):
        test(tap)
    tap.done()


main()
