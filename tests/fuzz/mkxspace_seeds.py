#!/usr/bin/env python3
"""Writes the seeds of fuzz_xspace into corpus/xspace. The first byte of a seed chooses the window."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
import mkxspace
from mkxspace import Ref, Uint


def gpu_host():
    s = mkxspace.Space(hostnames=["worker-0"], warnings=["Detected GPU events dropped on worker-0"])
    host = s.plane("/host:CPU")
    main = host.line(7, "python", 1000, display_name="main thread")
    main.event("train", offset_ps=0, dur_ps=90_000_000, stats={"step_num": 4, "_r": 1, "group_id": 0})
    main.event("cuLaunchKernel", offset_ps=1_000_000, dur_ps=2_000_000,
               stats={"correlation_id": Uint(9), "device_id": Uint(0), "tf_op": Ref("a/MatMul:MatMul")})
    host.event_meta("a/b/Relu:Relu", display_name="Relu", stats={"level": 2, "note": "x", "raw": b"\x00\xff"})
    main.event("a/b/Relu:Relu", offset_ps=4_000_500, dur_ps=1_499, stats={"fragmentation": 0.5})
    main.event("total", occurrences=5, dur_ps=1)
    gpu = s.plane("/device:GPU:0", stats={"core_count": 108, "device_vendor": "Nvidia", "memory_size": Uint(1 << 34)})
    stream = gpu.line(14, "Stream #14(Compute)", 1000, display_id=2)
    stream.event("gemm", offset_ps=5_000_000, dur_ps=7_000_000, stats={
        "correlation_id": Uint(9), "tf_op": Ref("a/MatMul:MatMul"), "theoretical_occupancy_pct": 50.0,
        "kernel_details": Ref("regs:32 static_shared:0 dynamic_shared:0 grid:8,1,1 block:256,1,1 occ_pct:50")})
    stream.event("MemcpyH2D", offset_ps=13_000_000, dur_ps=1_000_000, stats={
        "memcpy_details": "kind_src:pinned kind_dst:device size:64 dest:0 async:1"})
    gpu.line(-559038737, "Steps", 1000).event("0", offset_ps=5_000_000, dur_ps=9_000_000, stats={"group_id": 0})
    gpu.line(99, "_counters_").event("power_mw", offset_ps=1, stats={"value": 3.5})
    s.plane("Task Environment", stats={"profile_start_time": Uint(1771595660705918620)})
    return s


def maps_first():
    s = mkxspace.Space()
    p = s.plane("/host:CUPTI", maps_first=True)
    p.event_meta("$f.py:1 g", id=5, key=1 << 40)
    p.event_meta("x", key=-1, children=(1, 2))
    p.line(4711, "Host Threads/4711", -5).event(1 << 40, offset_ps=-1500, dur_ps=2500).event(-1, dur_ps=1)
    return s


def tpu():
    s = mkxspace.Space(errors=["no trace"])
    p = s.plane("/device:TPU:0", stats={"device_type_string": "TPU v6"})
    p.event_meta("%add.1 = f32[2] add(..)", display_name="add.1", stats={"tf_op": "jit(f)/add:", "hlo_op": "a::b"})
    p.line(3, "XLA Ops").event("%add.1 = f32[2] add(..)", offset_ps=1, dur_ps=2)
    p.line(4, "Async XLA Ops").event("copy", offset_ps=0, dur_ps=5, stats=[("_a", 1), ("flow", Uint(77))])
    s.plane("/host:metadata").event_meta("jit_f(3)", stats={"Hlo Proto": b"0123456789"})
    return s


def program():
    """A program with a product in a fusion, and a kernel of it."""
    number, block = mkxspace.number, mkxspace.block

    def text(field, value):
        return block(field, value.encode())

    shape = block(3, number(2, 11) + block(3, b"\x08\x20"))
    dot = text(1, "dot.1") + text(2, "dot") + shape + number(35, 7) + block(36, b"\x05\x05") + block(30, block(1, b"\x01"))
    fusion = text(1, "fusion.2") + text(2, "fusion") + shape + text(11, "kCustom") + number(35, 9) + block(38, b"\x03")
    fusion += block(7, text(2, "jit(f)/dot_general") + text(3, "f.py") + number(4, 3))
    module = text(1, "jit_f") + block(3, block(2, dot) + number(5, 3)) + block(3, block(2, fusion) + number(5, 1)) + number(5, 3)
    s = mkxspace.Space()
    s.plane("/host:metadata").event_meta("jit_f(3)", stats={"Hlo Proto": block(1, module)})
    s.plane("/device:GPU:0").line(14, "Stream #14(Compute)").event("fusion_2", offset_ps=0, dur_ps=9000, stats={
        "hlo_op": Ref("fusion.2"), "hlo_module": Ref("jit_f"), "program_id": 3, "kernel_details": Ref("regs:8 grid:1,1,1 block:1,1,1")})
    return s


def main():
    out = os.path.join(HERE, "corpus", "xspace")
    os.makedirs(out, exist_ok=True)
    whole = gpu_host().encode()
    damaged = bytearray(whole)
    damaged[60] ^= 0x80
    text = whole.decode("latin-1").encode("ascii", "replace").replace(b"?", b"\xef\xbf\xbd")
    seeds = {"gpu": whole, "maps_first": maps_first().encode(), "tpu": tpu().encode(), "damaged": bytes(damaged),
             "as_text": text, "cut": whole[:-100], "program": program().encode(), "empty_plane": mkxspace.block(1, b"")}
    for window, (name, data) in enumerate(seeds.items()):
        with open(os.path.join(out, name), "wb") as f:
            f.write(bytes([window % 8]) + data)


if __name__ == "__main__":
    main()
