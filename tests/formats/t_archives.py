#!/usr/bin/env python3
"""Traces in zip and tar archives: one, several, a run; archives that are cut, lie, or hold nothing to open."""
import gzip
import io
import json
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "golden"), os.path.join(HERE, "..", "nsys")]
import mkxspace  # noqa: E402
from harness import Tap, TableError, need_program, number, scratch, stepscope, table  # noqa: E402
from make import small, usual  # noqa: E402


def trace(rank, kernels=2):
    events = [{"ph": "X", "cat": "kernel", "name": f"k{rank}", "pid": 0, "tid": 7, "ts": 10 * i, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": i}}
              for i in range(1, kernels + 1)]
    return json.dumps({"schemaVersion": 1, "distributedInfo": {"rank": rank, "world_size": 2}, "traceEvents": events}).encode()


def zipped(name, members, how=zipfile.ZIP_DEFLATED):
    path = scratch(name)
    with zipfile.ZipFile(path, "w", how) as z:
        for member, data in members:
            z.writestr(member, data)
    return path


def tarred(name, members, mode="w:gz"):
    path = scratch(name)
    with tarfile.open(path, mode) as t:
        for member, data in members:
            info = tarfile.TarInfo(member)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    return path


def names(path):
    return sorted(row["name"] for row in table("events", path).rows)


def one_or_more(tap):
    two = [("run/rank0.json", trace(0)), ("run/README.md", b"what this is"), ("run/rank1.json.gz", gzip.compress(trace(1)))]
    packed = {"a.zip": zipped("a.zip", two), "stored.zip": zipped("stored.zip", two, zipfile.ZIP_STORED), "a.tar": tarred("a.tar", two, "w"),
              "a.tar.gz": tarred("a.tar.gz", two)}
    if shutil.which("zstd"):
        subprocess.run(["zstd", "-q", "-f", packed["a.tar"], "-o", scratch("a.tar.zst")], check=True)
        packed["a.tar.zst"] = scratch("a.tar.zst")
    for what, path in packed.items():
        tap.equal((names(path), sorted(row["rank"] for row in table("devices", path).rows)), (["k0", "k0", "k1", "k1"], [0, 1]),
                  f"{what}: both ranks, one of them packed once more")
    facts = [row["value"] for row in table("trace", packed["a.zip"]).rows if row["key"] == "source"]
    tap.equal([os.path.relpath(f, packed["a.zip"]) for f in facts], ["run/rank0.json", "run/rank1.json.gz"], "sources are named as files of a folder")
    tap.equal(names(zipped("one.zip", [("t.json", trace(3))])), ["k3", "k3"], "one trace in a zip")
    for ways in ({"STEPSCOPE_THREADS": "1", "STEPSCOPE_WINDOW_BYTES": "7"}, {"STEPSCOPE_THREADS": "4", "STEPSCOPE_WINDOW_BYTES": "61"}):
        for what in ("a.zip", "a.tar.gz"):
            told = stepscope("table", "events", packed[what], "--no-cache", "--format", "csv", env=ways)
            tap.equal(told.out, stepscope("table", "events", packed[what], "--format", "csv").out, f"{what}: the same in windows of {ways['STEPSCOPE_WINDOW_BYTES']} bytes")


def other_kinds(tap):
    space = mkxspace.Space(["h"])
    space.plane("/device:GPU:0", id=0).line(7, "Stream #7", timestamp_ns=1000).event("x", offset_ps=0, dur_ps=10**6)
    written = scratch("x.xplane.pb")
    space.write(written)
    with open(written, "rb") as f:
        pb = f.read()
    with open(small("usual.sqlite", usual()), "rb") as f:
        database = f.read()
    runs = [(f"log/plugins/profile/{run}/{host}.xplane.pb", pb) for run, hosts in (("2024_05_31_12_00_00", "ab"), ("2024_06_01_08_00_00", "ab"), ("2024_01_01_00_00_00", "a"))
            for host in hosts]
    for path in (zipped("runs.zip", runs), tarred("runs.tgz", runs)):
        facts = [row["value"] for row in table("trace", path).rows if row["key"] == "source"]
        tap.equal([f.split("profile/")[1] for f in facts], ["2024_06_01_08_00_00/a.xplane.pb", "2024_06_01_08_00_00/b.xplane.pb"], f"{os.path.basename(path)}: the newest run")
    tap.equal(len(names(zipped("nsys.zip", [("report.sqlite", database)]))), 6, "an export of Nsight Systems in a zip")
    mixed = stepscope("table", "events", zipped("mixed.zip", [("a.json", trace(0)), ("b.xplane.pb", pb)]))
    tap.ok(mixed.status == 3 and "several formats" in mixed.err, "several formats: the user is asked", mixed.told())


def refused(tap):
    for what, path, words in (("nothing to open", zipped("none.zip", [("a.txt", b"hello"), ("b.bin", bytes(100))]), "nothing in this archive"),
                              ("an empty zip with one folder", zipped("empty.zip", [("d/", b"")]), "nothing in this archive"),
                              ("a zip in a zip", zipped("nested.zip", [("in.zip", open(zipped("one.zip", [("t.json", trace(3))]), "rb").read())]), "nothing in this archive")):
        run = stepscope("table", "events", path)
        tap.ok(run.status == 3 and words in run.err, f"{what}: refused with a reason", run.told())
    with open(zipped("one.zip", [("t.json", trace(3))]), "rb") as f:
        run = stepscope("table", "events", "-", stdin=f.read())
    tap.ok(run.status == 3 and "pipe" in run.err, "through a pipe: refused with a reason", run.told())


def damaged(tap):
    """Cut at many places and with bytes changed: never a crash, whole events or a reason."""
    plain = [("rank0.json", trace(0, 50)), ("rank1.json", trace(1, 50))]
    for path in (zipped("cut.zip", plain), tarred("cut.tar.gz", plain), tarred("cut.tar", plain, "w")):
        with open(path, "rb") as f:
            data = f.read()
        out, bad = scratch("broken"), []
        for i in range(24):
            broken = bytearray(data[: len(data) * i // 12] if i < 12 else data)
            if i >= 12:
                broken[len(data) * (i - 12) // 12 + 3] ^= 0xff
            with open(out, "wb") as f:
                f.write(broken)
            run = stepscope("table", "events", out, "--no-cache")
            if run.status not in (0, 3, 4) or run.crashed:
                bad.append((i, run.told()))
        tap.equal(bad, [], f"{os.path.basename(path)}: cut and changed copies are read in part or refused")
    with open(tarred("half.tar", plain, "w"), "rb") as f:
        half = f.read()
    with open(scratch("half.tar"), "wb") as f:
        f.write(half[: 512 + len(plain[0][1]) // 512 * 512 + 512 + 512 + 2000])
    run = stepscope("table", "events", scratch("half.tar"), "--no-cache")
    tap.ok(run.status == 4 and "k0" in run.out, "a tar that ends in its second file: what is there, and exit code 4", run.told())


def overlapping(name, copies, each):
    """A zip whose directory names the same packed bytes again and again: each gives `each` bytes."""
    head, tail = b'{"traceEvents":[', b"]}"
    body = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = body.compress(head) + b"".join(body.compress(b" " * (1 << 20)) for _ in range(each >> 20)) + body.compress(tail) + body.flush()
    crc = zlib.crc32(head)
    for _ in range(each >> 20):
        crc = zlib.crc32(b" " * (1 << 20), crc)
    crc, size, path = zlib.crc32(tail, crc), len(head) + (each >> 20 << 20) + len(tail), scratch(name)
    local = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 8, 0, 0, crc, len(packed), size, 6, 0) + b"a.json"
    entry = b"".join(struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, len(packed), size, 6, 0, 0, 0, 0, 0, 0) + b"a.json" for _ in range(copies))
    with open(path, "wb") as f:
        f.write(local + packed + entry + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, copies, copies, len(entry), len(local + packed), 0))
    return path


def bombs(tap):
    path = overlapping("bomb.zip", 2000, 16 << 20)
    run = stepscope("table", "notes", path, "--no-cache")
    size = os.path.getsize(path)
    tap.ok(run.status in (0, 3, 4) and not run.crashed, f"a zip of {size} bytes that says it holds 32 GB ends", run.told())
    packed = gzip.compress(b'{"traceEvents":[' + b" " * (64 << 20) + b"]}", 9)
    run = stepscope("table", "notes", zipped("twice.zip", [("a.json.gz", gzip.compress(packed, 9))]), "--no-cache")
    tap.ok(run.status == 3, "packed three times: no trace", run.told())
    last = b',{"ph":"X","name":"late","pid":1,"tid":1,"ts":1,"dur":1}]}'
    deep = gzip.compress(trace(0)[:-2] + b" " * (64 << 20) + last, 9)
    path = zipped("deep.zip", [("a.json.gz", deep)])
    run = stepscope("table", "events", path, "--no-cache")
    tap.ok(run.status == 4 and "k0" in run.out and "late" not in run.out, f"packed twice, 64 MiB in {os.path.getsize(path)} bytes: read up to the bound", run.told())
    run = stepscope("table", "events", zipped("deep.zip", [("a.json.gz", deep)], zipfile.ZIP_STORED), "--no-cache")
    tap.ok(run.status == 0 and "late" in run.out, "packed once as far as packing goes: read", run.told())
    many = zipped("many.zip", [(f"{i}.txt", b"x") for i in range(70000)], zipfile.ZIP_STORED)
    run = stepscope("table", "notes", many, "--no-cache")
    tap.ok(run.status == 2 and "65536" in run.err, "more files than anyone opens are refused", run.told())


def main():
    need_program()
    tap = Tap()
    one_or_more(tap)
    other_kinds(tap)
    refused(tap)
    damaged(tap)
    bombs(tap)
    tap.done()


if __name__ == "__main__":
    main()
