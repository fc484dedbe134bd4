#!/usr/bin/env python3
"""pack, and the cache behind every command: a saved trace gives the same tables as its source, byte for byte; what is not
sound, or not alone, is refused with a reason."""
import os
import random
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, TRACES, Tap, corpus, need_program, scratch, stepscope

TABLES = ["trace", "devices", "streams", "tracks", "steps", "gaps", "kernels", "overview", "notes"]
LARGEST = 40 << 20  # bytes of a source: larger ones take too long for nine tables three times
GOLDEN = os.path.join(ROOT, "tests/golden/small/two_steps.json")
CACHED = {"XDG_CACHE_HOME": scratch("cache"), "STEPSCOPE_CACHE_AFTER_MS": "0"}  # keep everything, however quick its import was


def answers(path, *options, env=None):
    """All tables of a trace as CSV, which does not name the source, with their exit codes."""
    runs = {t: stepscope("table", t, path, "--format", "csv", "-q", *options, env=env) for t in TABLES}
    runs["events"] = stepscope("table", "events", path, "--format", "csv", "-q", "--all-columns", "--top", "20000", *options,
                               env=env)
    return {t: (r.status, r.out) for t, r in runs.items()}


def differing(a, b):
    return ", ".join(t for t in a if a[t] != b[t])


def entries():
    """The cache of CACHED: one inode per kept trace."""
    folder = scratch("cache", "stepscope")
    return [os.stat(os.path.join(folder, f)).st_ino for f in os.listdir(folder)] if os.path.isdir(folder) else []


def empty_cache():
    shutil.rmtree(scratch("cache"), ignore_errors=True)


def packed(path, name):
    """The saved file of a trace; None when the trace cannot be opened."""
    out = scratch(name)
    run = stepscope("pack", path, "-o", out, "--force", "-q", "--no-cache")
    return out if run.status in (0, 4) else None


def same_tables(tap, path, label):
    saved = packed(path, "one.stepscope")
    if not saved:
        return
    source = answers(path, "--no-cache")
    differs = differing(source, answers(saved))
    tap.ok(not differs, f"{label}: a packed trace gives the same tables", differs)
    empty_cache()
    stepscope("table", "trace", path, "-q", env=CACHED)
    kept = entries()
    differs = differing(source, answers(path, env=CACHED))
    tap.ok(len(kept) == 1 and kept == entries() and not differs, f"{label}: a cached trace gives the same tables",
           f"entries {kept} then {entries()}; tables that differ: {differs}")


def real_traces():
    return [p for p in corpus() if os.path.getsize(os.path.join(TRACES, p)) <= LARGEST]


def choose(traces):
    """The smallest and the largest of every kind of trace (its top folder and its ending)."""
    kinds = {}
    for path in traces:
        kinds.setdefault((path.split(os.sep)[0], os.path.splitext(path)[1]), []).append(path)
    size = lambda p: os.path.getsize(os.path.join(TRACES, p))  # noqa: E731
    return sorted({choice for group in kinds.values() for choice in (min(group, key=size), max(group, key=size))})


def refused(tap, path, words, name):
    run = stepscope("table", "trace", path, "--no-cache")
    return tap.ok(run.status == 3 and re.search(words, run.err), name, run.told())


def damage(tap):
    saved = packed(GOLDEN, "sound.stepscope")
    with open(saved, "rb") as f:
        data = f.read()
    pick, bad = random.Random(3), scratch("damaged.stepscope")
    wrong = []
    for cut in sorted({8, 16, 47, 48, len(data) - 1} | {pick.randrange(8, len(data)) for _ in range(40)}):
        with open(bad, "wb") as f:
            f.write(data[:cut])
        run = stepscope("table", "trace", bad)
        if run.status != 3 or "damaged" not in run.err and "not a stepscope" not in run.err:
            wrong.append(f"cut at {cut}: {run.told()}")
    tap.ok(not wrong, "a file cut anywhere is refused with a reason", "\n".join(wrong))
    crashed = []
    for _ in range(60):
        at = pick.randrange(8, len(data))
        with open(bad, "wb") as f:
            f.write(data[:at] + bytes([data[at] ^ 1 << pick.randrange(8)]) + data[at + 1:])
        run = stepscope("table", "events", bad, "--all-columns", "-q")
        if run.crashed or run.status not in (0, 3, 4):
            crashed.append(f"byte {at}: {run.told()}")
    tap.ok(not crashed, "a file with a changed bit is refused or read, never crashed on", "\n".join(crashed))


def refusals(tap):
    saved, foreign = packed(GOLDEN, "alone.stepscope"), scratch("foreign.stepscope")
    with open(foreign, "wb") as f:
        f.write(b"PK\3\4 something else under that name")
    refused(tap, foreign, "a zip or tar archive", "a foreign file with our ending is judged by its bytes")
    run = stepscope("table", "trace", saved, GOLDEN)
    tap.ok(run.status == 3 and "alone" in run.err, "a saved file among others is refused", run.told())
    with open(saved, "rb") as f:
        run = stepscope("table", "trace", "-", stdin=f.read())
    tap.ok(run.status == 3 and "by its name" in run.err, "a saved file on stdin is refused", run.told())


def usage(tap):
    out = scratch("kept.stepscope")
    tap.ok(stepscope("pack", GOLDEN).status == 2, "pack wants -o")
    tap.ok(stepscope("pack", GOLDEN, "-o", out).status == 0, "pack writes a new file")
    with open(out, "rb") as f:
        before = f.read()
    run = stepscope("pack", os.path.join(ROOT, "tests/golden/small/pairs.json"), "-o", out)
    with open(out, "rb") as f:
        tap.ok(run.status == 5 and "--force" in run.err and f.read() == before, "an existing file is kept", run.told())
    tap.ok(stepscope("pack", out, "-o", out, "--force").status == 0, "--force overwrites, even a file with itself")
    with open(out, "rb") as f:
        tap.ok(f.read() == before, "packing a packed trace changes nothing")
    run = stepscope("pack", scratch("absent.json"), "-o", scratch("never.stepscope"))
    left = [f for f in os.listdir(os.path.dirname(scratch("x"))) if f.startswith("never")]
    tap.ok(run.status == 3 and not left, "a trace that cannot be read leaves no file", f"{run.told()}\n{left}")
    run = stepscope("pack", GOLDEN, "-o", scratch("no/such/folder/x.stepscope"))
    tap.ok(run.status == 5 and "cannot write" in run.err, "a place that cannot be written is named", run.told())


def no_cache(tap):
    empty_cache()
    stepscope("table", "trace", GOLDEN, "--no-cache", env=CACHED)
    tap.ok(not entries(), "--no-cache adds nothing to the cache", entries())


def main():
    need_program()
    tap = Tap()
    usage(tap)
    refusals(tap)
    damage(tap)
    no_cache(tap)
    for name in ("pairs.json", "two_steps.json"):
        same_tables(tap, os.path.join(ROOT, "tests/golden/small", name), name)
    same_tables(tap, os.path.join(ROOT, "tests/traces/sample"), "a directory")
    if not real_traces():
        tap.skip("real traces", f"no traces in {os.path.relpath(TRACES)}")
    for path in choose(real_traces()):
        same_tables(tap, os.path.join(TRACES, path), path)
    tap.done()


main()
