#!/usr/bin/env python3
"""`--semantics kineto`: steps, their parts and the averages against the TensorBoard plugin's answers for the same files.

Times must agree within EXACT_US: the plugin prints whole microseconds where the file has them, and keeps fractional ones in
a double, which holds a quarter of one at these magnitudes; two of them make the ends of a part, and a part has many ends.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ORACLES, TRACES, TableError, Tap, need_program, number, skip_all, table, unpacked

COLUMNS = {"Kernel": "kernel_ns", "Memcpy": "memcpy_ns", "Memset": "memset_ns", "Communication": "communication_ns",
           "Runtime": "runtime_ns", "DataLoader": "dataloader_ns", "CPU Exec": "cpu_exec_ns", "Other": "other_ns"}
EXACT_US, AVERAGE_US, SHARE_PCT = 1.0, 1.0, 0.1
NO_OPS = "mi210-gpu-only/gpu_only_trace.json.gz"


def files(oracles):
    """Oracle name -> path of the trace; the eight ranks are named by number there."""
    ranks = next(row["files"] for row in json.load(open(os.path.join(ORACLES, "hta.json"))) if row["name"] == "dlrm-8rank-nccl")
    for name in oracles:
        folder, _, rank = name.partition("#")
        yield name, os.path.join(TRACES, "kineto", folder, ranks[rank]) if rank else os.path.join(TRACES, "kineto", name)


def apart_in(columns, ours, theirs, tolerance_us):
    """Columns that are further apart, both values in us."""
    pairs = [(c, number(ours[COLUMNS[c]]) / 1000, us) for c, us in zip(columns, theirs)]
    return [f"{c}: expected {us} got {got}" for c, got, us in pairs if abs(got - us) > tolerance_us]


def compare_steps(tap, name, columns, ours, theirs):
    tap.equal([str(r["step"]).split("/")[-1] for r in ours], [row[0] for row in theirs], f"{name}: the same steps")
    for row, expected in zip(ours, theirs):
        apart = apart_in(columns, row, expected[1:], EXACT_US)
        tap.ok(not apart, f"{name}: parts of step {expected[0]}", "\n".join(apart))
        parts = sum(number(row[c]) for c in COLUMNS.values())
        tap.equal(parts, number(row["dur_ns"]), f"{name}: the parts of step {expected[0]} add up")


def compare_averages(tap, name, ours, theirs):
    """Average step time, and each part's mean and share of it."""
    mean_us, parts = theirs[1], theirs[2]
    rows = {r["part"] + "_ns": r for r in ours}
    tap.ok(abs(rows["step_ns"]["mean_ns"] / 1000 - mean_us) <= AVERAGE_US, f"{name}: average step time",
           f"expected {mean_us} got {rows['step_ns']['mean_ns'] / 1000}")
    apart = []
    for label, us, pct in parts:
        row = rows[COLUMNS[label]]
        if abs(row["mean_ns"] / 1000 - us) > AVERAGE_US or abs(row["share_pct"] - pct) > SHARE_PCT:
            apart.append(f"{label}: expected {us} us, {pct} % got {row['mean_ns'] / 1000} us, {row['share_pct']} %")
    tap.ok(not apart, f"{name}: average parts", "\n".join(apart))
    shares = sum(round(r["share_pct"] * 10) for r in ours if r["of"] == "step")
    tap.equal(shares, 1000, f"{name}: the shares add up to 100.0 %")


def check(tap, name, path, oracle):
    if name == NO_OPS:
        # one step over no event at all: the plugin's lasts from its largest to its smallest number
        tap.equal(len(table("steps", path, "--semantics", "kineto").rows), 0, f"{name}: without ops there is no step")
        return
    compare_steps(tap, name, oracle["step_columns"], table("steps", path, "--semantics", "kineto").rows, oracle["steps"])
    compare_averages(tap, name, table("step_parts", path, "--semantics", "kineto").rows, oracle["performance"][0])


def main():
    need_program()
    oracle = os.path.join(ORACLES, "kineto-plugin.json")
    if not os.path.exists(oracle) or not os.path.isdir(TRACES):
        skip_all("no ../shared/reference/oracles or ../shared/traces")
    tap = Tap()
    oracles = json.load(open(oracle))
    for name, path in files(oracles):
        if "error" in oracles[name]:
            tap.skip(name, "the plugin failed on this file")
            continue
        try:
            check(tap, name, path, oracles[name])
        except TableError as e:
            tap.ok(False, name, e)
    tap.done()


main()
