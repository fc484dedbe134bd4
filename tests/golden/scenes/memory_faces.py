"""Memory as a row of the timeline, and phases below its curve. Run by t_memory.py."""
import os

from harness import play, scratch
from memory_trace import GIB, MIB, Case, Torch


def trace():
    """1 GiB from before; 4 GiB from 150 to 700 us, 2 GiB more inside the backward op, 1 MiB inside the optimizer's."""
    t = Torch(base=GIB)
    t.op("aten::linear", 100, 200)
    t.op("autograd::engine::evaluate_function: AddmmBackward0", 600, 300)
    t.op("Optimizer.step#SGD.step", 1000, 100)
    t.block(150, 700, 4 * GIB)
    t.block(620, 650, 2 * GIB)
    t.block(1050, 1060, MIB)
    t.event("kernel", "k", 1199, 1, pid=0, tid=7, device=0, stream=7)
    return t


def faces(tap):
    c = Case(tap, "memory in the timeline", trace())
    told = {r["curve_phase"] for r in c.rows("memory_curve")}
    c.is_(told, {None, "backward", "optimizer"}, "points of the curve tell the phase that names around their allocations tell")
    keys = "wait Guide\nsettle\nkeys 2\nwait in use\nsettle\nscreen\nkeys Q\nend\n"
    rows = [line for line in play(keys, c.path, "--no-cache", size="140x36").screens[-1] if "memory (derived)" in line]
    c.is_(len(rows), 1, "one row, for the device and none for the host")
    tap.ok("1.0 GiB in use, scale 0..16.0 GiB" in rows[0], f"{c.name}: the value at the cursor, and the scale", rows[0])
    tap.ok(rows[0].index("\u2581") < rows[0].index("\u2583") < rows[0].index("\u2584") < rows[0].rindex("\u2581"), f"{c.name}: it rises and falls", rows[0])
    keys = "wait Guide\nsettle\nkeys 7\nwait at the peak\nsettle\nscreen\nkeys Q\nend\n"
    below = [line for line in play(keys, c.path, "--no-cache", size="140x36").screens[-1] if line.split()[:1] == ["phase"]]
    tap.ok(below and below[0].index("b") < below[0].rindex("o"), f"{c.name}: phases stand below the curve in order of time", below)


def nothing(tap):
    t = Torch()
    t.op("aten::linear", 100, 200)
    c = Case(tap, "a timeline without allocations", t)
    shown = play("wait Guide\nsettle\nkeys 2\nwait GPU 0\nsettle\nscreen\nkeys Q\nend\n", c.path, "--no-cache", size="140x36").screens[-1]
    tap.ok(not any("memory (derived)" in line for line in shown), f"{c.name}: has no row of memory", "\n".join(shown))


def of_the_host(tap):
    """Allocations of the host alone: a row below the threads, with its value and scale; a device has none."""
    t = Torch()
    t.op("aten::linear", 100, 200)
    t.op("aten::linear", 1100, 100)
    t.memory(150, 4 * MIB, 4096, kind=0)
    t.memory(700, -4 * MIB, 4096, kind=0)
    t.memory(1190, MIB, 8192, kind=0)
    c = Case(tap, "memory of the host in the timeline", t)
    shown = play("wait Guide\nsettle\nkeys 2\nwait in use\nsettle\nscreen\nkeys Q\nend\n", c.path, "--no-cache", size="140x36").screens[-1]
    rows = [i for i, line in enumerate(shown) if "memory (derived)" in line]
    tap.ok(len(rows) == 1 and any("thread" in line for line in shown[:rows[0]]), f"{c.name}: one row, below the threads", "\n".join(shown))
    tap.ok(rows and "scale 0..4.0 MiB" in shown[rows[0]] and "\u2588" in shown[rows[0]], f"{c.name}: its curve and scale", "\n".join(shown))


def of_one_rank(tap):
    """Two ranks of which one recorded its memory: the other one's device, of the same number, has no row."""
    folder = scratch("memory_of_one_rank")
    os.makedirs(folder, exist_ok=True)
    for rank in range(2):
        t = trace() if rank else Torch()
        t.op("aten::linear", 100, 200)
        t.head["distributedInfo"] = {"rank": rank, "world_size": 2}
        t.write(os.path.join(folder, f"rank{rank}.json"))
    shown = play("wait Guide\nsettle\nkeys 2\nwait in use\nsettle\nscreen\nkeys Q\nend\n", folder, "--no-cache", size="140x50").screens[-1]
    rows = [i for i, line in enumerate(shown) if "memory (derived)" in line]
    second = [i for i, line in enumerate(shown) if line.startswith("rank 1 GPU 0")]
    tap.ok(len(rows) == 1 and second and rows[0] > second[0], "memory of one rank of two: the row stands below its device alone", "\n".join(shown))


CASES = (faces, nothing, of_the_host, of_one_rank)
