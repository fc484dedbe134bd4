#!/usr/bin/env python3
"""The number of threads changes nothing: the saved file - every column, attribute and text - and the notes are the same byte
for byte on one, two and four threads; for damaged files, too."""
import gzip
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, TRACES, Tap, corpus, need_program, scratch, stepscope

THREADS = (1, 2, 4)


def outcome(path, threads):
    """What an import of `path` gives: exit status, saved file, notes."""
    saved = scratch(f"{threads}.stepscope")
    packed = stepscope("pack", path, "-o", saved, "--force", "--no-cache", "--threads", threads)
    content = b""
    if packed.status in (0, 4):
        with open(saved, "rb") as f:
            content = f.read()
    notes = stepscope("table", "notes", path, "--no-cache", "--threads", threads)
    return packed.status, content, notes.status, notes.out


def difference(one, other):
    names = ("exit status of pack", "saved file", "exit status of notes", "notes")
    return ", ".join(n for n, a, b in zip(names, one, other) if a != b)


def check(tap, label, path):
    alone = outcome(path, 1)
    for threads in THREADS[1:]:
        differ = difference(alone, outcome(path, threads))
        tap.ok(not differ, f"{label}: {threads} threads give what one gives", f"different: {differ}")


def entry(rng, i):
    """One entry of a kind that exporters write, or of one that they should not."""
    args = {0: '{"External id": %d, "Ev Idx": %d}' % (i, i + 1),
            1: '{"queued": 0, "device": 0, "stream": 7, "correlation": %d, "grid": [%d, 1, 1], "block": [64, 1, 1]}' % (i, i % 9),
            2: '{"te\\u0078t": "a\\nb", "x": [1, {"y": 2}], "z": null, }',
            3: '{}',
            4: '"no object"'}[rng.randrange(5)]
    category = rng.choice(["cpu_op", "kernel", "cuda_runtime", "own %d" % (i % 40)])
    whole = ('{"ph": "X", "cat": "%s", "name": "op %d", "pid": %d, "tid": "thread %d",\n "ts": %d.%03d, "dur": 2.5, "args": %s}'
             % (category, i % 17, i % 3, i % 20, 1712195495000000 + i, i % 1000, args))
    return {0: whole[:rng.randrange(1, whole.index('"args"'))], 1: whole.replace('"pid"', '"pid" '), 2: whole.replace(" ", " " * 70, 3)
            }.get(rng.randrange(60), whole)


def made_file(seed, entries):
    """Entries of many shapes, with commas missing and doubled, and a clock base behind them."""
    rng = random.Random(seed)
    body = "".join(entry(rng, i) + rng.choice([",\n"] * 30 + ["\n", ",,"]) for i in range(entries))
    path = scratch(f"made{seed}.json.gz")
    with gzip.open(path, "wb", compresslevel=1) as f:
        f.write(('{"schemaVersion": 1, "traceEvents": [' + body + '], "baseTimeNanoseconds": 1000000000}').encode())
    return path


def main():
    need_program()
    tap = Tap()
    check(tap, "two_steps", os.path.join(ROOT, "tests/golden/two_steps.json"))
    for seed in (1, 2):
        check(tap, f"a made file of 30000 entries, some of them broken ({seed})", made_file(seed, 30000))
    real = [p for p in corpus() if p.endswith((".json", ".json.gz", ".pb"))]
    for path in real[::4]:
        check(tap, path, os.path.join(TRACES, path))
    if not real:
        tap.skip("real traces", "no ../shared/traces")
    tap.done()


main()
