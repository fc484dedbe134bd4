#!/usr/bin/env python3
"""Fusion: runs counted a second time from the tables of events and kernels are the same in every real trace, and windows
add up. What is element-wise is the rules' word; which names stay apart and what makes a run is told here again."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import TRACES, TableError, Tap, corpus, need_program, number, skip_all, table

APART = ("triton", "fusion", "fused", "cudnn", "miopen", "subtensorop", "transpose", "nchw", "nhwc", "im2col", "cutlass")
PAUSE_NS = 50_000
SUMS = ("repeats", "in_ns", "between_ns", "saved_ns")


def families(path):
    """{kernel: family by its name alone}, as far as it is fusible."""
    return {r["name"]: r["family"] for r in table("kernels", path).rows
            if r["family"] in ("elementwise", "copy/cast", "indexing", "rng") and not any(w in r["name"].lower() for w in APART)}


def runs(path):
    """Lists of kernels in a row."""
    streams = {str(r["track"]) for r in table("tracks", path).rows if r["track_kind"] == "stream"}
    fusible, run, last = families(path), [], None
    for e in table("events", path).rows:
        if str(e["track"]) not in streams:
            continue
        good = e["kind"] == "kernel" and e["name"] in fusible
        joined = good and run and last is run[-1] and last["track"] == e["track"] and last["step"] == e["step"] and \
            number(e["start_ns"]) - number(last["start_ns"]) - number(last["dur_ns"]) <= PAUSE_NS
        if not joined and run:
            yield run
            run = []
        if good:
            run.append(e)
        last = e
    if run:
        yield run


def counted(path):
    fusible, sums = families(path), dict.fromkeys(SUMS, 0)
    for run in runs(path):
        if len(run) < 2 or not any(fusible[e["name"]] == "elementwise" for e in run):
            continue
        spans = [(number(e["start_ns"]), number(e["dur_ns"])) for e in run]
        inside = sum(d for _, d in spans)
        between = sum(max(0, b[0] - a[0] - a[1]) for a, b in zip(spans, spans[1:]))
        for key, value in zip(SUMS, (1, inside, between, inside + between - max(d for _, d in spans))):
            sums[key] += value
    return sums


def told(path, *window):
    rows = table("fusion", path, *window).rows
    return {c: sum(number(r[c]) for r in rows) for c in SUMS}


def main():
    need_program()
    tap, paths = Tap(), [p for p in corpus() if p.split(os.sep)[0] in ("kineto", "xspace")]
    if not paths:
        skip_all("no corpus of real traces (../shared/traces)")
    for name in paths:
        path = os.path.join(TRACES, name)
        try:
            whole = told(path)
        except TableError:
            continue  # refused on purpose; tests of the importers look at those
        tap.equal(whole, counted(path), f"{name}: {whole['repeats']} runs")
        if not whole["repeats"]:
            continue
        span = number(table("trace", path).keyed()["span_ns"])
        edges = [0, span // 3, span // 2 + 1, span + 1]
        parts = [told(path, "--window", f"{a}ns..{b}ns") for a, b in zip(edges, edges[1:])]
        tap.equal({c: sum(p[c] for p in parts) for c in SUMS}, whole, f"{name}: what three windows see adds up")
    tap.done()


main()
