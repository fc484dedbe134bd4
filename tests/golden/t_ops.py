#!/usr/bin/env python3
"""Sums of the table `ops` on every recorded GPU trace: self times are the streams' busy time, groups add up to the ops, and
the kernels' time by op, with what belongs to no op, is the kernels' time."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..")]
from harness import TRACES, TableError, Tap, corpus, need_program, number, skip_all, table

BYS = ("type", "scope", "module", "shape", "stack")
REFUSED = ("xspace/broken-utf8-mangled/tpu_inference_2.xplane.pb",)  # unreadable on purpose
COUNTS = ("occurrences", "runs_here")
SUMS = ("total_time", "total_self_time", "pieces")


def total(rows, column, **where):
    return sum(number(r[column]) or 0 for r in rows if all(r[k] == v for k, v in where.items()))


def by_side(rows, columns):
    return {(side, c): total(rows, c, host_or_device=side) for side in ("Device", "Host") for c in columns}


def check_tree(tap, name, ops, tree):
    """The tree tells the same calls apart by where they stand; its device times are by launch, so PyTorch's."""
    tap.equal({c: total(tree, c) for c in ("op_calls", "host_self_ns")},
              {"op_calls": total(ops, "occurrences", host_or_device="Host"), "host_self_ns": total(ops, "total_self_time", host_or_device="Host")},
              f"{name}: the op tree adds up to the host's ops")
    rows = {r["node"]: r for r in tree}
    inner = {}
    for r in tree:
        inner[r["parent_node"]] = inner.get(r["parent_node"], 0) + number(r["device_total_ns"])
    wrong = [r for r in tree if number(r["device_total_ns"]) != number(r["device_self_ns"]) + inner.get(r["node"], 0)]
    tap.equal(wrong, [], f"{name}: device time of an op = its own and that of the ops in it")
    tap.equal([r for r in tree if r["parent_node"] is not None and r["parent_node"] not in rows], [], f"{name}: every parent is there")
    if name.startswith("kineto/"):
        named = sum(number(r["total_time"]) for r in ops if r["host_or_device"] == "Device" and r["operation"] != "(no op)"
                    and not r["operation"].startswith("graph/"))
        tap.equal(total(tree, "device_self_ns"), named, f"{name}: device time in the tree = device time of ops")


def check(tap, name, path):
    ops = table("ops", path).rows
    busy = total(table("streams", path).rows, "busy_ns")
    tap.equal(total(ops, "total_self_time", host_or_device="Device"), busy, f"{name}: self times of device ops = busy time of streams")
    # work of no op counts as often as its most frequent kernel runs: in two groups those may be two kernels
    sums = SUMS if any(r["operation"].startswith(("(no op)", "graph/")) for r in ops) else SUMS + COUNTS
    for by in BYS:
        tap.equal(by_side(table("ops", path, "--by", by).rows, sums), by_side(ops, sums), f"{name}: by {by}: the groups add up to the ops")
    check_tree(tap, name, ops, table("op_tree", path).rows)
    kernels = table("ops", path, "--filter", "kind=kernel").rows
    tap.equal(total(kernels, "total_time", host_or_device="Device"), total(table("devices", path).rows, "kernel_ns"),
              f"{name}: kernels by op and of no op = kernel time")


def main():
    tap = Tap()
    need_program()
    traces = [name for name in corpus() if name.startswith(("kineto/", "xspace/"))]
    if not traces:
        skip_all("the recorded traces are not here")
    for name in traces:
        try:
            check(tap, name, os.path.join(TRACES, name))
        except TableError as e:
            tap.ok(name in REFUSED, f"{name} opens", e)
    tap.done()


main()
