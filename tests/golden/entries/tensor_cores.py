"""The table `tensor_cores` against the kernel table and against dimensions read from the files by other means; the user's own
rules; windows."""
import collections
import json
import os

import count
import shown
from harness import TRACES, TableError, corpus, number, scratch, table

LAST = "\x7f"  # behind all paths
PRODUCTS = {"aten::mm": 0, "aten::bmm": 0, "aten::addmm": 1, "aten::baddbmm": 1}
SMALL_BYTES = 600_000
NARROW = {"fp16": 8, "bf16": 8, "fp8": 16, "int8": 16}


# ---- a second way to the dimensions

def first_ops(events):
    """External id -> the innermost op of that id: the producer gives each its own, which its kernels carry."""
    return {e["args"]["External id"]: e for e in events
            if str(e.get("cat", "")).lower() == "cpu_op" and "External id" in e.get("args", {})}


def dims_of(op):
    """m, n, k of the product an op tells, None where it is none."""
    first = PRODUCTS.get(op["name"])
    dims = count.numbers(op["args"].get("Input Dims") or [])
    if first is None or len(dims) < first + 2 or any(len(d) < 2 or isinstance(d[0], list) for d in dims[first:first + 2]):
        return None
    a, b = dims[first][-2:], dims[first + 1][-2:]
    return (a[0], b[1], a[1]) if a[1] == b[0] else None


def misfits(events, kernels):
    """(kernel, op, m, n, k) -> how many 16-bit products have an N or K that is no multiple of 8, and their time in ns."""
    ops, found = first_ops(events), collections.defaultdict(lambda: [0, 0])
    for e in events:
        op = ops.get(e.get("args", {}).get("External id")) if str(e.get("cat", "")).lower() == "kernel" else None
        dims = dims_of(op) if op else None
        factor = NARROW.get(kernels.get(e["name"])) if dims else None
        if factor and 1 not in dims and (dims[1] % factor or dims[2] % factor):
            entry = found[(e["name"], op["name"], *dims)]
            entry[0] += 1
            entry[1] += round(float(e["dur"]) * 1000)
    return found


def tell_their_op(events):
    """In older files the External id of a kernel is its correlation and says nothing about the op."""
    ops = first_ops(events)
    return any(str(e.get("cat", "")).lower() == "kernel" and e.get("args", {}).get("External id") in ops for e in events)


def check_dimensions(tap, name, path, rows, kernels):
    """How many traces were compared: 0 where the kernels do not carry the id of their op, as in files of old recorders."""
    used, events = {k["name"]: k["precision"] for k in kernels if k["uses_tc"]}, count.json_events(path)
    if not tell_their_op(events):
        return 0
    expected = misfits(events, used)
    ours = {(r["kernel"], r["op"], r["m"], r["n"], r["k"]): (r["kernels"], number(r["total_ns"])) for r in rows
            if r["tc_problem"] == "inefficient" and r["reason"] == "dimension" and r["op"] in PRODUCTS}
    apart = [f"{key}: expected {want} got {ours.get(key)}" for key, want in expected.items()
             if key not in ours or ours[key][0] != want[0] or abs(ours[key][1] - want[1]) > want[0]]
    more = [key for key in ours if key not in expected]
    tap.ok(not apart and not more, f"{name}: {len(expected)} products with a dimension that does not fit, as the file says",
           "\n".join(apart + [f"too many: {key}" for key in more]))
    return 1


# ---- against the kernel table

def check_against_kernels(tap, name, rows, kernels):
    per_kernel = collections.Counter()
    for r in rows:
        per_kernel[r["kernel"]] += number(r["total_ns"])
    totals, facts = collections.Counter(), collections.defaultdict(set)
    for k in kernels:
        totals[k["name"]] += number(k["total_ns"])
        facts[k["name"]].add((k["uses_tc"], k["tc_eligible"]))
    over = [f"{n}: {ns} of {totals[n]}" for n, ns in per_kernel.items() if ns > totals[n]]
    tap.ok(not over, f"{name}: no kernel has more time at stake than it takes", "\n".join(over))
    wrong = [r["kernel"] for r in rows if r["tc_problem"] == "unused" and (False, True) not in facts[r["kernel"]]]
    wrong += [r["kernel"] for r in rows if r["tc_problem"] == "inefficient" and not any(uses for uses, _ in facts[r["kernel"]])]
    tap.equal(wrong, [], f"{name}: unused ones are eligible and not used, inefficient ones used")
    stakes = [r for r in rows if r["stake_ns"] is not None and number(r["stake_ns"]) > number(r["total_ns"]) * 2 / 3 + 1]
    tap.equal(stakes, [], f"{name}: never more than the guide's 3x at stake")


def check_precisions(tap, name, path, kernels):
    """Counts and times by precision and Tensor Core use, added up from the kernel table."""
    expected = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    for k in kernels:
        sums, ns = expected[k["precision"]], number(k["total_ns"])
        sums[0] += number(k["kernels"])
        sums[1] += ns
        sums[{True: 2, False: 3, None: 4}[k["uses_tc"]]] += ns
    columns = ("kernels", "total_ns", "tc_ns", "no_tc_ns", "tc_unknown_ns")
    got = {r["precision"]: [number(r[c]) for c in columns] for r in table("precisions", path).rows}
    tap.equal(got, dict(expected), f"{name}: precisions add up to the kernels")


def check_windows(tap, name, path, rows):
    """Times over two halves add up to the whole."""
    span = number(shown.facts(path)["span_ns"])
    middle = span // 2
    parts = [table("tensor_cores", path, "--window", w).rows for w in (f"0ns..{middle}ns", f"{middle}ns..{span}ns")]
    sums = sum(number(r["total_ns"]) for part in parts for r in part)
    tap.equal(sums, sum(number(r["total_ns"]) for r in rows), f"{name}: two halves add up")


def check(tap, name, path):
    """How many traces had their dimensions compared: one or none."""
    kernels = table("kernels", path).rows
    if not kernels:
        return 0
    rows = table("tensor_cores", path).rows
    check_against_kernels(tap, name, rows, kernels)
    check_precisions(tap, name, path, kernels)
    if os.path.getsize(path) < SMALL_BYTES:
        check_windows(tap, name, path, rows)
    return check_dimensions(tap, name, path, rows, kernels) if name.startswith("kineto") else 0


def job(tap, name, path, compared):
    try:
        compared.append(check(tap, name, path))
    except (TableError, KeyError, TypeError) as e:
        tap.ok(False, f"{name}: can be checked", f"{type(e).__name__}: {e}")


# ---- rules of one's own

def check_own_rules(tap):
    path = scratch("own.json")
    event = {"ph": "X", "cat": "kernel", "name": "my_secret_gemm", "pid": 0, "tid": 7, "ts": 0, "dur": 5, "args": {"device": 0, "stream": 7}}
    with open(path, "w") as f:
        json.dump({"traceEvents": [event]}, f)
    before = table("kernels", path).rows[0]
    folder = scratch("config", "stepscope")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "kernels.rules"), "w") as f:
        f.write("version 2\nname mine\n[tensor-core]\ntrust 60\nyes begins my_secret\n[precision]\nfp8 is my_secret_gemm\n")
    after = table("kernels", path).rows[0]
    os.remove(os.path.join(folder, "kernels.rules"))
    tap.equal((before["uses_tc"], before["precision"]), (None, None), "own rules: unknown without them")
    tap.equal((after["uses_tc"], after["precision"], after["tc_confidence"]), (True, "fp8", 60), "own rules: read from the config directory")
    tap.equal(after["tc_rule"], "kernels.rules:5: begins my_secret", "own rules: named with file and line")


def jobs():
    compared = []
    yield "", check_own_rules
    for name in corpus():
        if name.startswith(("kineto/", "xspace/jax", "xspace/tf")):
            path = os.path.join(TRACES, name)
            yield path, (lambda tap, n=name, p=path: job(tap, n, p, compared))
    if corpus():
        yield LAST, lambda tap: tap.ok(sum(compared) >= 12, f"dimensions of {sum(compared)} traces were compared", compared)
