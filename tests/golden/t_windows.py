#!/usr/bin/env python3
"""Windows are half-open and additive: over any partition of a trace the sums of time and the counts of events that start
inside add up to the whole, cut events included."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, TRACES, TableError, Tap, need_program, number, table

ADDITIVE = {  # table: (key columns, columns that add up)
    "devices": (("device",), ("kernels", "kernel_ns", "busy_ns")),
    "streams": (("stream",), ("kernels", "kernel_ns", "copies", "copy_bytes", "memsets", "busy_ns")),
    "kernels": (("name", "registers", "block", "grid", "op"), ("kernels", "total_ns")),
    "launches": (("op",), ("work", "launch_calls", "call_ns", "work_ns", "launch_bound_ns", "not_launched_ns", "no_launch")),
    "syncs": (("name", "op"), ("syncs", "total_ns", "waited_ns")),
    "threads": (("thread", "device", "host"), ("launches",)),
}
PIECES = 5


def sums(name, path, *window):
    """{key: {column: sum}} of one table; unknown cells count as nothing."""
    keys, columns = ADDITIVE[name]
    out = {}
    for row in table(name, path, *window).rows:
        into = out.setdefault(tuple(str(row[k]) for k in keys), dict.fromkeys(columns, 0))
        for column in columns:
            into[column] += number(row[column]) or 0
    return out


def partition(span, seed):
    rng = random.Random(seed)
    cuts = sorted(rng.randrange(1, span) for _ in range(PIECES - 1))
    return list(zip([0, *cuts], [*cuts, span]))


def add(parts):
    total = {}
    for part in parts:
        for key, cells in part.items():
            into = total.setdefault(key, dict.fromkeys(cells, 0))
            for column, value in cells.items():
                into[column] += value
    return total


def nonzero(values):
    return {key: cells for key, cells in values.items() if any(cells.values())}


def check(tap, label, path):
    span = number(table("trace", path).keyed()["span_ns"])
    pieces = partition(span, label)
    for name in ADDITIVE:
        whole = sums(name, path)
        parts = add(sums(name, path, "--window", f"{a}ns..{b}ns") for a, b in pieces)
        wrong = [f"{key}: whole {whole.get(key)}, parts {parts.get(key)}" for key in {**whole, **parts}
                 if nonzero(whole).get(key) != nonzero(parts).get(key)]
        tap.ok(not wrong, f"{label}: {name} over {PIECES} windows add up", f"{pieces}\n" + "\n".join(wrong[:6]))


def main():
    need_program()
    tap = Tap()
    check_or_fail(tap, "two_steps", os.path.join(ROOT, "tests/golden/small/two_steps.json"))
    for name in ("kineto/transformer-small", "kineto/segment-anything-fast", "xspace/jax-mi300-gemm"):
        folder = os.path.join(TRACES, name)
        if os.path.isdir(folder):
            check_or_fail(tap, name, os.path.join(folder, sorted(os.listdir(folder))[0]))
        else:
            tap.skip(name, "no ../shared/traces")
    tap.done()


def check_or_fail(tap, label, path):
    try:
        check(tap, label, path)
    except (TableError, KeyError, TypeError) as e:
        tap.ok(False, f"{label}: can be cut into windows", f"{type(e).__name__}: {e}")


main()
