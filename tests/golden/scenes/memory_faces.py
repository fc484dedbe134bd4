"""Memory as a row of the timeline, and phases below its curve. Run by t_memory.py, which hands over how traces are made."""
from harness import play

GIB, MIB = 1 << 30, 1 << 20


def trace(torch):
    """1 GiB from before; 4 GiB from 150 to 700 us, 2 GiB more inside the backward op, 1 MiB inside the optimizer's."""
    t = torch(base=GIB)
    t.op("aten::linear", 100, 200)
    t.op("autograd::engine::evaluate_function: AddmmBackward0", 600, 300)
    t.op("Optimizer.step#SGD.step", 1000, 100)
    t.block(150, 700, 4 * GIB)
    t.block(620, 650, 2 * GIB)
    t.block(1050, 1060, MIB)
    t.event("kernel", "k", 1199, 1, pid=0, tid=7, device=0, stream=7)
    return t


def faces(tap, case, torch):
    c = case(tap, "memory in the timeline", trace(torch))
    told = {r["curve_phase"] for r in c.rows("memory_curve")}
    c.is_(told, {None, "backward", "optimizer"}, "points of the curve tell the phase that names around their allocations tell")
    keys = "wait Guide\nsettle\nkeys 2\nwait in use\nsettle\nscreen\nkeys Q\nend\n"
    rows = [line for line in play(keys, c.path, "--no-cache", size="140x36").screens[-1] if "memory (derived)" in line]
    c.is_(len(rows), 1, "one row for the device")
    tap.ok("1.0 GiB in use, scale 0..16.0 GiB" in rows[0], f"{c.name}: the value at the cursor, and the scale", rows[0])
    tap.ok(rows[0].index("\u2581") < rows[0].index("\u2583") < rows[0].index("\u2584") < rows[0].rindex("\u2581"), f"{c.name}: it rises and falls", rows[0])
    keys = "wait Guide\nsettle\nkeys 7\nwait at the peak\nsettle\nscreen\nkeys Q\nend\n"
    below = [line for line in play(keys, c.path, "--no-cache", size="140x36").screens[-1] if line.split()[:1] == ["phase"]]
    tap.ok(below and below[0].index("b") < below[0].rindex("o"), f"{c.name}: phases stand below the curve in order of time", below)


def nothing(tap, case, torch):
    t = torch()
    t.op("aten::linear", 100, 200)
    c = case(tap, "a timeline without allocations", t)
    shown = play("wait Guide\nsettle\nkeys 2\nwait GPU 0\nsettle\nscreen\nkeys Q\nend\n", c.path, "--no-cache", size="140x36").screens[-1]
    tap.ok(not any("memory (derived)" in line for line in shown), f"{c.name}: has no row of memory", "\n".join(shown))


CASES = (faces, nothing)
