#!/usr/bin/env python3
"""Peak, capacity and fragmentation of every allocator against XProf's memory profile of the same files, which was frozen once."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "xprof"))
import frozen
from harness import Tap, need_program, number, table

TRACES = ("jax-mi300-attention", "jax-mi300-conv-legacy", "jax-mi300-gemm", "tf-v100-multi-worker", "tpu-inference")


def check(tap, trace):
    got = {r["allocator"]: r for r in table("memory", frozen.trace_file(trace)).rows}
    tap.equal(sorted(got), sorted(r["allocator"] for r in frozen.dicts("memory", trace)), f"{trace}: allocators")
    for want in frozen.dicts("memory", trace):
        row = got.get(want["allocator"], {})
        told = [number(row.get("peak_bytes")), number(row.get("capacity_bytes"))]
        tap.equal(told, [want["peak_bytes"], want["capacity_bytes"]], f"{trace}: {want['allocator']}: peak and capacity")
        tap.equal(round(float(row.get("fragmentation_pct") or 0), 4), round(want["fragmentation"] * 100, 4), f"{trace}: {want['allocator']}: fragmentation")


def main():
    need_program()
    tap = Tap()
    frozen.each(tap, TRACES, check)
    tap.done()


main()
