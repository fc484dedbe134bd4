#!/usr/bin/env python3
"""Peak, capacity and fragmentation of every allocator against XProf's memory profile of the same files, and what compiled programs need
against its memory viewer; both were frozen once."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "xprof"))
import frozen
from harness import Tap, need_program, number, table

TRACES = ("jax-mi300-attention", "jax-mi300-conv-legacy", "jax-mi300-gemm", "tf-v100-multi-worker", "tpu-inference")
PROGRAMS = ("jax-mi300-attention", "jax-mi300-conv-legacy", "jax-mi300-gemm", "tpu-inference", "tf-retrace", "jax-memory")


def check(tap, trace):
    got = {r["allocator"]: r for r in table("memory", frozen.trace_file(trace)).rows}
    tap.equal(sorted(got), sorted(r["allocator"] for r in frozen.dicts("memory", trace)), f"{trace}: allocators")
    for want in frozen.dicts("memory", trace):
        row = got.get(want["allocator"], {})
        told = [number(row.get("peak_bytes")), number(row.get("capacity_bytes"))]
        tap.equal(told, [want["peak_bytes"], want["capacity_bytes"]], f"{trace}: {want['allocator']}: peak and capacity")
        tap.equal(round(float(row.get("fragmentation_pct") or 0), 4), round(want["fragmentation"] * 100, 4), f"{trace}: {want['allocator']}: fragmentation")
    about = [r["sentence"] for r in table("findings", frozen.trace_file(trace)).rows if r["sentence"].startswith("Memory of ")]
    kind = "TPU" if trace.startswith("tpu") else "GPU"
    tap.equal([s for s in about if not s.startswith((f"Memory of {kind} ", "Memory of the host"))], [], f"{trace}: a {kind} is called that")


def beside_heaps(buffers):
    """Temporaries without a heap: XProf has them in all allocations, not in the peak."""
    heaps = {b["allocation_number"] for b in buffers if b["from_position"] is not None}
    return sum({b["allocation_number"]: number(b["allocation_bytes"]) for b in buffers
                if b["buffer_kind"] == "temporary" and b["allocation_number"] not in heaps}.values())


def large_at_peak(buffers):
    kinds = {"argument": "Parameter", "output": "Output", "constant": "Constant", "temporary": "Temporary"}
    return sorted([b["instruction"], number(b["buffer_bytes"]), b["buffer_shape"], kinds[b["buffer_kind"]], b["opcode"], b["buffer_op"]]
                  for b in buffers if b["at_peak"] and number(b["buffer_bytes"]) >= 16 << 10)


def check_program(tap, trace, want, got, buffers, heap):
    name = f"{trace}: {want['program'][:60]}, space {want['space']}"
    told = [number(got[c]) for c in ("program_peak_bytes", "argument_bytes", "output_bytes", "set_aside_bytes")]
    told[0] -= beside_heaps(buffers)
    told[2] += number(got["aliased_bytes"])
    tap.equal(told, [want[c] for c in ("peak_bytes", "argument_bytes", "output_bytes", "total_bytes")], f"{name}: peak, arguments, outputs, all")
    tap.equal([number(r["heap_bytes"]) - beside_heaps(buffers) for r in heap], want["heap"], f"{name}: the heap")
    if want["space"] in (0, 1):  # of other spaces XProf lists no buffers
        tap.equal(large_at_peak(buffers), [b[:4] + [x or None for x in b[4:]] for b in want["buffers"]], f"{name}: buffers at the peak")


def check_programs(tap, trace):
    def of(kind):
        rows = {}
        for r in table(kind, frozen.trace_file(trace)).rows:
            rows.setdefault((r["xla_program"], number(r["memory_space"])), []).append(r)
        return rows
    memory, buffers, heap = of("xla_memory"), of("xla_buffers"), of("xla_heap")
    for want in frozen.dicts("viewer", trace):
        at = want["program"], want["space"]
        if at not in memory:
            tap.ok(False, f"{trace}: {want['program']} is listed")
            continue
        check_program(tap, trace, want, memory[at][0], buffers[at], heap.get(at, []))
    tap.equal(sum(len(r) for r in memory.values()), len(memory), f"{trace}: a row for each program and space")


def main():
    need_program()
    tap = Tap()
    frozen.each(tap, TRACES, check)
    frozen.each(tap, PROGRAMS, check_programs)
    tap.done()


main()
