"""The table `roofline` on every recorded trace: matrix products of PyTorch counted a second time from the file, no kernel faster
than its device can be, and time that adds up to that of all device work."""
import os

import count
from harness import TRACES, corpus, number, table

LAST = "\x7f"  # behind all paths

PRODUCTS = {"aten::mm": 0, "aten::bmm": 0, "aten::addmm": 1, "aten::baddbmm": 1}  # op: its first matrix
# Gradients of a mean: expanded, then divided; counted whole they came to 119 %.
BELOW = {"resnet50-v100-2spans": {"aten::div": 70}}
CACHE = 1.5  # inputs and results of a few ten MB are in the cache at times: so much faster than the memory


def operations(op):
    """Of one matrix product, None when the shapes are not recorded."""
    dims = count.numbers(op.get("args", {}).get("Input Dims") or op.get("args", {}).get("Input dims"))
    first = PRODUCTS[op["name"]]
    if not dims or len(dims) < first + 2:
        return None
    a, b = dims[first:first + 2]
    batch = a[0] if len(a) == 3 else 1
    return 2 * batch * a[-2] * a[-1] * b[-1]


def counted(path):
    """op: (operations of all its calls, how many)."""
    found = {}
    for e in innermost([e for e in count.json_events(path) if e.get("name") in PRODUCTS and e.get("cat") in ("cpu_op", "Operator", "operator")]):
        n = operations(e)
        if n is not None:
            flops, calls = found.get(e["name"], (0, 0))
            found[e["name"]] = flops + n, calls + 1
    return found


def innermost(ops):
    """Without those that call themselves: old dispatchers recorded every layer."""
    ops.sort(key=lambda e: (str(e["tid"]), float(e["ts"]), -float(e["dur"])))
    for e, following in zip(ops, ops[1:] + [None]):
        inside = following and following["tid"] == e["tid"] and float(following["ts"]) < float(e["ts"]) + float(e["dur"])
        if not inside:
            yield e


def check(tap, name, path):
    rows = {r["op"]: r for r in table("roofline", path).rows}
    expected = {op: x for op, x in counted(path).items() if op in rows} if name.startswith("kineto/") else {}
    got = {op: (rows[op]["flops"], number(rows[op]["occurrences"])) for op in expected}
    tap.equal(got, expected, f"{name}: operations of matrix products")
    fast = [r for r in rows.values() if r["flop_rate"] and r["peak_flops"] and r["flop_rate"] > r["peak_flops"]]
    tap.equal(fast, [], f"{name}: nothing computes faster than the device can")
    fast = [r for r in rows.values() if (r["roof_pct"] or 0) > 100 * CACHE]
    tap.equal(fast, [], f"{name}: nothing is much faster than its roof")
    noted = {op for op, r in rows.items() if r["roof_note"]}
    tap.equal(noted, {op for op, r in rows.items() if (r["roof_pct"] or 0) >= 100.05}, f"{name}: what lies above its peak says so")
    for op, most in BELOW.get(name.split(os.sep)[1], {}).items():
        tap.ok(op in rows and rows[op]["roof_pct"] < most, f"{name}: {op} reads its broadcast input once", rows.get(op, {}).get("roof_pct"))
    work = sum(number(r["total_time"]) for r in table("ops", path).rows if r["host_or_device"] == "Device")
    tap.equal(sum(number(r["time_ns"]) for r in rows.values()), work, f"{name}: time of known and of unknown cost is all")
    return len(expected)


def jobs():
    compared = []
    for name in corpus():
        if name.startswith(("kineto/", "xspace/jax-")):
            path = os.path.join(TRACES, name)
            yield path, (lambda tap, n=name, p=path: compared.append(check(tap, n, p)))
    yield LAST, lambda tap: tap.ok(sum(compared) >= 15, f"{sum(compared)} ops were compared")
