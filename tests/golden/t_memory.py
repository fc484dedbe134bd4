#!/usr/bin/env python3
"""Memory of made-up traces with answers that follow from their few events: PyTorch's records with and without totals and addresses, and
TensorFlow's. Each trace is opened as it is and from its saved file."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenes"))
import long_memory
import memory_faces
import programs
from harness import ROOT, Tap, need_program, number, play, scratch, stepscope, table
from memory_trace import CPU, GIB, HIP, MIB, Case, Tensor, Torch

MS = 1_000_000


# ---- order, matching, totals

def plain(tap):
    t = Torch(base=GIB)
    t.op("aten::mm", 100, 50)
    t.op("aten::empty", 105, 10)
    t.block(110, 200, 3 * MIB)
    t.op("aten::relu", 160, 20)
    t.block(165, 300, MIB)
    c = Case(tap, "two blocks", t)
    c.memory(peak_bytes=GIB + 4 * MIB, peak_at_ns=165_000, start_used_bytes=GIB, end_used_bytes=GIB, allocations=2, frees=2, peak_op="aten::relu",
             capacity_bytes=16 * GIB, unknown_frees=0, given_again=0, total_differences=0, matched_by="address", device=0, allocator="cuda")
    c.peak({("cuda", "aten::mm"): (1, 3 * MIB), ("cuda", "aten::relu"): (1, MIB), ("cuda", "allocated before the trace"): (None, GIB)})
    c.is_([(r["given_at_ns"], r["taken_at_ns"], r["block_bytes"]) for r in c.rows("allocations")],
          [(110_000, 200_000, 3 * MIB), (165_000, 300_000, MIB)], "lives of blocks")


def free_before(tap):
    t = Torch(base=8 * MIB)
    t.memory(10, -2 * MIB, 4096)
    t.memory(20, MIB, 8192)
    c = Case(tap, "freed without allocation", t)
    c.memory(peak_bytes=8 * MIB, peak_at_ns=0, peak_op=None, start_used_bytes=8 * MIB, end_used_bytes=7 * MIB, unknown_frees=1)
    c.peak({("cuda", "allocated before the trace"): (None, 8 * MIB)})
    c.is_([(r["allocation"] is None, r["given_at_ns"], r["block_bytes"]) for r in c.rows("allocations")],
          [(True, None, 2 * MIB), (False, 20_000, MIB)], "blocks")


def no_totals(tap):
    t = Torch(totals=False)
    t.memory(10, -2 * MIB, 4096)
    t.memory(20, MIB, 8192)
    t.memory(30, -3 * MIB, 12288)
    Case(tap, "without totals", t).memory(peak_bytes=4 * MIB, start_used_bytes=4 * MIB, end_used_bytes=0, unknown_frees=2, headroom_batch=None,
                                             total_differences=None)


def no_addresses(tap):
    t = Torch(totals=False, addresses=False)
    for ts, size in ((10, 512), (20, 512), (30, -512), (40, 256), (50, -512), (60, -256)):
        t.memory(ts, size)
    c = Case(tap, "without addresses", t)
    c.memory(peak_bytes=1024, peak_at_ns=20_000, matched_by="size", unknown_frees=0)
    c.is_([(r["given_at_ns"], r["taken_at_ns"]) for r in c.rows("allocations")], [(10_000, 50_000), (20_000, 30_000), (40_000, 60_000)],
          "the latest block of the size is freed first")


def address_reused(tap):
    t = Torch()
    for ts, size in ((10, MIB), (20, -MIB), (30, 2 * MIB), (40, -2 * MIB)):
        t.memory(ts, size, 4096)
    c = Case(tap, "address used again", t)
    c.memory(peak_bytes=2 * MIB, given_again=0, unknown_frees=0)
    c.is_([(r["given_at_ns"], r["taken_at_ns"], r["addr"]) for r in c.rows("allocations")], [(10_000, 20_000, 4096), (30_000, 40_000, 4096)],
          "two blocks")


def given_again(tap):
    t = Torch(totals=False)
    t.memory(10, MIB, 4096)
    t.memory(20, 3 * MIB, 4096)
    t.memory(30, -3 * MIB, 4096)
    c = Case(tap, "address given again", t)
    c.memory(peak_bytes=3 * MIB, end_used_bytes=0, given_again=1, unknown_frees=0)
    c.peak({("cuda", "unknown"): (1, 3 * MIB)})


def differing_totals(tap):
    t = Torch()
    t.memory(10, MIB, 4096)
    t.memory(20, MIB, 8192, total=5 * MIB)
    t.memory(30, -MIB, 8192, total=4 * MIB)
    c = Case(tap, "totals that differ", t)
    c.memory(peak_bytes=5 * MIB, end_used_bytes=4 * MIB, total_differences=1)
    c.peak({("cuda", "unknown"): (2, 2 * MIB), ("cuda", "allocated before the trace"): (None, 3 * MIB)})


def negative_totals(tap):
    t = Torch()
    t.memory(10, MIB, 4096, total=-3 * MIB)
    t.memory(20, MIB, 8192, total=-2 * MIB)
    Case(tap, "negative totals", t).memory(peak_bytes=-2 * MIB, start_used_bytes=-4 * MIB, total_differences=0)


def absurd(tap):
    t = Torch()
    t.memory(10, (1 << 63) - 1, 4096, total=(1 << 63) - 1)
    t.memory(20, (1 << 63) - 1, 8192, total=5)
    t.memory(30, MIB, 12288, total=MIB)
    Case(tap, "bytes of no memory", t).memory(peak_bytes=MIB, allocations=1)


def two_allocators(tap):
    t = Torch()
    t.block(10, 40, MIB)
    t.block(20, 30, 512, kind=CPU)
    c = Case(tap, "two allocators", t)
    c.is_([(r["allocator"], r["device"], r["peak_bytes"], r["capacity_bytes"]) for r in c.rows("memory")],
          [("cuda", 0, MIB, 16 * GIB), ("cpu", None, 512, None)], "a row each, devices first")


def two_devices(tap):
    t = Torch(devices=2)
    t.block(10, 40, MIB, device=0)
    t.block(20, 30, 3 * MIB, device=1)
    c = Case(tap, "two devices", t)
    c.is_([(r["device"], r["peak_bytes"], r["peak_at_ns"]) for r in c.rows("memory")], [(0, MIB, 10_000), (1, 3 * MIB, 20_000)], "a row each")


def two_threads(tap):
    t = Torch()
    t.memory(10, MIB, 4096, tid=1)
    t.memory(30, MIB, 8192, tid=2)
    t.memory(20, -MIB, 4096, tid=2)
    t.memory(40, -MIB, 8192, tid=1)
    t.retotal()
    Case(tap, "given by one thread and taken by another", t).memory(peak_bytes=MIB, peak_at_ns=30_000, unknown_frees=0, total_differences=0)


def numbered_otherwise(tap):
    """ROCm's recorder counts all devices of the machine, the allocator those that the process sees."""
    t = Torch(capacity=0)
    t.head = {"deviceProperties": [{"id": 2, "name": "GPU", "totalGlobalMem": 4 * MIB}]}
    t.event("kernel", "k", 5, 1, pid=2, tid=7, device=2, stream=7)
    t.block(10, 20, MIB, kind=HIP, device=0)
    Case(tap, "a device of two numbers", t).memory(device=2, allocator="hip", capacity_bytes=4 * MIB, peak_pct=25.0)


def nothing(tap):
    t = Torch()
    t.op("aten::mm", 10, 5)
    c = Case(tap, "no memory recorded", t)
    for name in ("memory", "memory_peak", "memory_steps", "allocations"):
        c.is_(c.rows(name), [], f"{name} is empty")


def windows(tap):
    t = Torch(base=MIB)
    t.op("aten::mm", 0, 500)
    t.block(100, 400, 4 * MIB)
    t.block(200, 300, MIB)
    c = Case(tap, "windows", t)
    peaks = [c.rows("memory", "--window", w)[0]["peak_bytes"] for w in ("0us..150us", "150us..250us", "250us..350us", "350us..450us", "401us..450us")]
    c.is_(peaks, [5 * MIB, 6 * MIB, 6 * MIB, 5 * MIB, MIB], "what was in use at the begin counts")
    c.is_(len(c.rows("allocations", "--window", "310us..350us")), 1, "blocks that are in use in the window")


def ties(tap):
    t = Torch()
    t.block(100, 200, MIB)
    t.block(300, 400, MIB)
    Case(tap, "equal peaks", t).memory(peak_bytes=MIB, peak_at_ns=300_000)


def sizes(tap):
    t = Torch()
    for i, size in enumerate((512, 1000, 1024, 3 * MIB)):
        t.block(10 + i, None, size)
    Case(tap, "sizes", t).peak({("cuda", "512 B up to 1.0 KiB"): (2, 1512), ("cuda", "1.0 KiB up to 2.0 KiB"): (1, 1024),
                                ("cuda", "2.0 MiB up to 4.0 MiB"): (1, 3 * MIB)}, "--by", "size")


# ---- steps

def steps_of(t, n, each, length=1000):
    for i in range(n):
        t.step(i + 1, i * length, length - 10)
        each(i, i * length)


def lives(tap):
    t = Torch(base=0)
    steps_of(t, 4, lambda i, at: (t.block(at + 100, at + 900, 2 * MIB), t.block(at + 200, None, MIB) if i == 0 else None))
    c = Case(tap, "lives", t)
    c.peak({("cuda", "this step"): (1, 2 * MIB), ("cuda", "earlier steps"): (1, MIB)}, "--by", "life")
    c.steps("constant_bytes", [0, MIB, MIB, MIB])
    c.steps("own_peak_bytes", [3 * MIB, 2 * MIB, 2 * MIB, 2 * MIB])
    c.steps("kept_bytes", [MIB, 0, None, None])
    c.steps("grown_bytes", [MIB, 0, 0, 0])


def leak(tap):
    t = Torch(base=64 * MIB)

    def each(i, at):
        t.op("aten::clone", at + 300, 50)
        t.block(at + 100, at + 900, 8 * MIB)
        t.block(at + 310, None, MIB)

    steps_of(t, 8, each)
    c = Case(tap, "a leak of 1 MiB per step", t)
    c.memory(growth_bytes_per_step=MIB, keeping_steps=6, telling_steps=6, growth_op="aten::clone", counted_steps=8)
    c.steps("kept_bytes", [MIB] * 6 + [None] * 2)
    c.finding("memory-leak", "fail", "grows by 1.0 MiB per step", "6 of 6 steps", "aten::clone")
    c.is_(c.first(), "memory-leak", "the first finding")


def no_leak(tap):
    t = Torch(base=64 * MIB)
    steps_of(t, 8, lambda i, at: (t.block(at + 100, at + 900, 8 * MIB), t.block(at + 310, at + 950, MIB)))
    Case(tap, "no leak", t).finding("memory-leak", None)


def three_steps(tap):
    t = Torch(base=64 * MIB)
    steps_of(t, 4, lambda i, at: t.block(at + 310, None, MIB))
    Case(tap, "too few steps for a leak", t).finding("memory-leak", None)


def window_of_blocks(tap):
    t = Torch()
    steps_of(t, 10, lambda i, at: t.block(at + 100, at + 5100 if i < 5 else None, MIB))
    c = Case(tap, "a queue of five batches", t)
    c.steps("kept_bytes", [MIB] * 8 + [None] * 2)
    c.is_(c.rows("memory")[0]["end_used_bytes"], 5 * MIB, "in use at the end")
    c.finding("memory-leak", None)


def batch(tap):
    """Constant 4 GiB, 3 GiB that grow with the batch, 16 GiB in all: it fits four times."""
    t = Torch(base=4 * GIB)
    steps_of(t, 5, lambda i, at: (t.block(at + 100, at + 800, 2 * GIB), t.block(at + 200, at + 700, GIB)))
    c = Case(tap, "room for the batch", t)
    c.memory(constant_bytes=4 * GIB, per_batch_bytes=3 * GIB, headroom_batch=4.0, peak_bytes=7 * GIB, peak_pct=43.75)
    c.finding("batch-headroom", "info", "4.00 times", "4.0 GiB", "3.0 GiB", "16.0 GiB")
    c.finding("memory-full", "pass", "7.0 GiB of 16.0 GiB", "43.8 %")


def full(tap):
    t = Torch(base=15 * GIB, reserved=15 * GIB + 900 * MIB)
    steps_of(t, 5, lambda i, at: t.block(at + 100, at + 800, 800 * MIB))
    c = Case(tap, "nearly full", t)
    c.memory(peak_bytes=15 * GIB + 800 * MIB, reserved_peak_bytes=15 * GIB + 900 * MIB)
    c.finding("memory-full", "warn", "98.6 %")
    c.finding("batch-headroom", "pass", "1.28 times")
    c.finding("memory-fragmented", None)


def fragmented(tap):
    t = Torch(base=9 * GIB, reserved=14 * GIB)
    steps_of(t, 5, lambda i, at: t.block(at + 100, at + 800, GIB))
    c = Case(tap, "reserved and unused", t)
    c.memory(reserved_unused_pct=100 * 4 / 14)
    c.finding("memory-fragmented", "warn", "14.0 GiB", "28.6 %")


def churn(tap):
    t = Torch()

    def each(i, at):
        for k in range(4):
            t.event("cuda_runtime", "cudaMalloc" if k % 2 else "cudaFree", at + 100 + 100 * k, 40)
        t.event("kernel", "k", at + 700, 50, pid=0, tid=7, device=0, stream=7)
        t.block(at + 100, at + 800, MIB)

    steps_of(t, 5, each)
    c = Case(tap, "churn", t)
    c.memory(churn_calls=20, churn_ns=800_000, steady_churn_calls=20, steady_churn_ns=800_000)
    c.finding("memory-churn", "fail", "20 calls", "800.000 us")


def churn_behind_work(tap):
    """The device has enough queued: nobody waits for the driver."""
    t = Torch()

    def each(i, at):
        for k in range(4):
            t.event("cuda_runtime", "cudaMalloc" if k % 2 else "cudaFree", at + 100 + 100 * k, 40)
        t.event("kernel", "k", at, 990, pid=0, tid=7, device=0, stream=7)
        t.block(at + 100, at + 800, MIB)

    steps_of(t, 5, each)
    c = Case(tap, "churn behind work", t)
    c.memory(churn_calls=20, churn_ns=800_000, steady_churn_calls=20, steady_churn_ns=800_000)
    c.finding("memory-churn", "info", "20 calls", "800.000 us in all, of which devices idle for", "they have enough queued")


def churn_alone(tap):
    t = Torch()
    t.event("cuda_runtime", "cudaMalloc", 100, 40)
    c = Case(tap, "churn without allocations", t)
    c.memory(churn_calls=1, churn_ns=40_000, peak_bytes=None, device=0, allocator=None)


# ---- TensorFlow

def heap_and_stack(tap):
    t = Tensor(used=GIB)
    t.memory(100, 2 * GIB, 4096, stack=GIB, tf_op="model/dense/MatMul:MatMul", region_type="output", data_type=1, shape="[8,8]")
    t.memory(200, GIB, 8192, stack=GIB, fragmentation=0.25, tf_op="model/relu:Relu", region_type="temp")
    t.memory(300, -GIB, 8192, stack=GIB)
    c = Case(tap, "heap and stack", t)
    c.memory(peak_bytes=5 * GIB, peak_at_ns=100, capacity_bytes=16 * GIB, fragmentation_pct=25.0, largest_free_bytes=11 * GIB * 3 // 4,
             peak_op="model/relu", device=0, allocator="GPU_0_bfc", total_differences=0)
    c.peak({("GPU_0_bfc", "model/dense/MatMul"): (1, 2 * GIB), ("GPU_0_bfc", "model/relu"): (1, GIB),
            ("GPU_0_bfc", "stack of programs"): (None, GIB), ("GPU_0_bfc", "allocated before the trace"): (None, GIB)})
    c.peak({("GPU_0_bfc", "float"): (1, 2 * GIB), ("GPU_0_bfc", "unknown"): (1, GIB), ("GPU_0_bfc", "stack of programs"): (None, GIB),
            ("GPU_0_bfc", "allocated before the trace"): (None, GIB)}, "--by", "type")
    c.is_([(r["region"], r["block_shape"], r["requested_bytes"]) for r in c.rows("allocations")],
          [("output", "[8,8]", 2 * GIB), ("temp", None, GIB)], "what is recorded of blocks")


def scene_ten(tap):
    """The guide's tenth situation: heap of 12 GiB, 4 GiB free."""
    t = Tensor()
    t.memory(100, 12 * GIB, 4096, tf_op="model/dense/MatMul:MatMul")
    t.memory(200, -GIB, 8192)
    c = Case(tap, "twelve of sixteen GiB", t)
    c.memory(peak_bytes=12 * GIB, capacity_bytes=16 * GIB, peak_pct=75.0)
    c.finding("memory-full", "pass", "12.0 GiB of 16.0 GiB", "75.0 %", "model/dense/MatMul")
    said = stepscope("report", c.path, "--format", "md").out
    tap.ok("### Memory" in said and all(w in said for w in ("12.0 GiB", "16.0 GiB", "75.0 %")), f"{c.name}: the report says the same", said[:800])
    shown = play("wait Guide\nsettle\nkeys 7\nwait at the peak\nsettle\nscreen\nkeys Q\nend\n", c.path, "--no-cache").last
    tap.ok("peak 12.0 GiB of 16.0 GiB" in shown and "75.0 %" in " ".join(shown.split()), f"{c.name}: the pane shows the same", shown)


def free_of_unknown_size(tap):
    t = Tensor()
    t.memory(100, MIB, 4096)
    t.memory(200, MIB, 8192)
    t.used -= MIB
    t.line.event("MemoryDeallocation", start_ns=300, dur_ns=0, stats={
        "allocator_name": "GPU_0_bfc", "bytes_allocated": t.used, "bytes_available": 0, "bytes_reserved": 0, "addr": 4096})
    c = Case(tap, "freed without its size", t)
    c.memory(peak_bytes=2 * MIB, end_used_bytes=MIB, frees=1, total_differences=0)
    c.is_([(r["block_bytes"], r["taken_at_ns"]) for r in c.rows("allocations")], [(MIB, 200), (MIB, None)], "blocks")


def by_index(tap):
    t = Tensor(allocator="")
    t.memory(100, MIB, 4096, index_on_host=3)
    Case(tap, "a device by its number", t).memory(device=3, allocator=3, peak_bytes=MIB)


def host_allocator(tap):
    t = Tensor(allocator="gpu_host_bfc", capacity=GIB)
    t.memory(100, MIB, 4096)
    Case(tap, "the host's pinned memory", t).memory(device=None, allocator="gpu_host_bfc", capacity_bytes=GIB)


def recorded_leak(tap):
    """A program that keeps 1 MiB of every step, and the same mended: tests/traces/torch-leak."""
    rows = {}
    for name in ("leak", "fixed"):
        path = os.path.join(ROOT, f"tests/traces/torch-leak/{name}.pt.trace.json.gz")
        found, first = [r["rule"] for r in table("findings", path).rows], table("findings", path).rows[0]
        rows[name] = table("memory", path).rows[0]
        if name == "leak":
            tap.ok(first["rule"] == "memory-leak" and first["severity"] == "fail" and "aten::clone" in first["sentence"],
                   "a recorded leak is the first finding", first["sentence"])
        else:
            tap.ok("memory-leak" not in found, "and gone when it is mended", found)
    tap.equal([number(rows[k]["growth_bytes_per_step"]) for k in rows], [float(MIB), 0.0], "1 MiB per step, and nothing")


def filter_fields(tap):
    """`bytes` and `addr` find both ends of a block; what nobody tells of an event fails a condition on it and passes its negation."""
    t = Torch()
    big, small = t.block(100, 400, 4 * MIB), t.block(200, None, MIB)
    t.event("gpu_memcpy", "Memcpy HtoD", 500, 1, pid=0, tid=7, device=0, stream=7, bytes=4 * MIB)
    c = Case(tap, "filtered", t)

    def found(text):
        return [(r["name"], r["start_ns"] // 1000) for r in c.rows("events", "--filter", text)]

    given, taken, other, copy = ("[memory]", 100), ("[memory]", 400), ("[memory]", 200), ("Memcpy HtoD", 500)
    for text, expected in (("bytes=4MiB", [given, taken, copy]), ("bytes<4MiB", [other]), ("bytes>=0 kind!=memcpy", [given, other, taken]),
                           (f"addr={big}", [given, taken]), (f"addr={small:#x}", [other]), (f"addr={big:#x}..{small:#X}".replace("0X", "0x"), [given, other, taken]),
                           (f"addr>{small}", []), ("addr!=0 kind=memcpy", [copy]), ("!bytes>=0", [("k", 0)])):
        c.is_(sorted(found(text), key=lambda event: event[1]), expected, text)


def filter_of_the_size_that_is_unknown(tap):
    t = Tensor()
    t.memory(100, MIB, 4096)
    t.line.event("MemoryDeallocation", start_ns=300, dur_ns=0, stats={"allocator_name": "GPU_0_bfc", "bytes_allocated": 0, "bytes_available": 0,
                                                                      "bytes_reserved": 0, "addr": 4096})
    c = Case(tap, "filtered without a size", t)
    c.is_([r["name"] for r in c.rows("events", "--filter", "bytes>=0")], ["MemoryAllocation"], "only the size that is told")
    c.is_([r["name"] for r in c.rows("events", "--filter", "addr=0x1000")], ["MemoryAllocation", "MemoryDeallocation"], "the address is told of both")


def both_ends_in_the_explorer(tap):
    """Enter on a row of the table goes to the event that gives the block out, `]` from there to its free, `[` back."""
    t = Torch()
    t.block(100, 400, 4 * MIB)
    t.block(200, None, MIB)
    t.memory(300, -MIB, 77)
    t.memory(500, MIB, 88)
    t.memory(600, MIB, 88)
    c = Case(tap, "both ends", t)
    first, other, unknown, twice, again = (r["allocation"] if r["allocation"] is not None else r["free"] for r in c.rows("allocations"))
    end = c.rows("allocations")[0]["free"]

    def at(rows_down, keys):
        """The event that is selected then, as its details name it."""
        return play("wait Guide\nsettle\nkeys :\nsettle\ntype table allocations\nkeys Enter\nsettle\n" + "keys j\nsettle\n" * rows_down +
                     "keys Enter\nsettle\n" + "".join(f"keys {k}\nsettle\n" for k in keys) + "screen\nkeys Enter\nsettle\nscreen\nkeys Q\nend\n",
                     c.path, "--no-cache", size="120x40")

    for name, down, keys, event, said in (
            ("Enter", 0, "", first, f"freed ] [memory] #{end}, 300.000 us later"), ("]", 0, "]", end, f"allocated [ [memory] #{first}, 300.000 us before"),
            ("[ leads back", 0, "][", first, "freed ]"), ("a block that stays", 1, "]", other, "nothing in the trace frees this block"),
            ("an address given again", 3, "", twice, f"press ] again [memory] #{again}, 100.000 us later"), ("a block from before", 2, "[", unknown, "the allocation of this block is not in the trace")):
        screens = ["\n".join(lines) for lines in at(down, keys).screens] or [""]
        tap.ok(f"#{event} " in screens[-1], f"both ends: {name}: the event", screens[-1])
        tap.ok(any(said in " ".join(screen.split()) for screen in screens), f"both ends: {name}: what is said of the other end", "\n".join(screens))


CASES = (plain, both_ends_in_the_explorer, filter_fields, filter_of_the_size_that_is_unknown, free_before, no_totals, no_addresses, address_reused, given_again, differing_totals, negative_totals, absurd, two_allocators, two_devices,
         two_threads, numbered_otherwise, nothing, windows, ties, sizes, lives, leak, no_leak, three_steps, window_of_blocks, batch, full, fragmented, churn, churn_behind_work, churn_alone, heap_and_stack, scene_ten,
         free_of_unknown_size, by_index, host_allocator, recorded_leak)


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap = Tap()
    for case in CASES + programs.CASES + memory_faces.CASES + long_memory.CASES:
        case(tap)
    tap.done()


main()
