#!/usr/bin/env python3
"""Launches and queues in `--semantics hta` against HolisticTraceAnalysis' numbers for the same files.
Exact: number of launches, sums of call, kernel and delay, longest and median delay; per stream the number of changes of the
queue's length, shortest, longest and median length. The mean length alone is told within bounds: where a call begins in the
very microsecond in which a kernel starts, the order of the two decides about it, and the reference leaves that order to an
unstable sort. So its mean must lie between ours with calls first and ours with kernels first, at a whole number of places."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ORACLES, TRACES, TableError, Tap, need_program, number, skip_all, table

ROUNDED = 5e-5  # the oracle's means have four decimals


def launches(tap, label, path, wanted):
    rows = table("launch_totals", path, "--semantics", "hta").rows
    if not wanted["rows"]:
        tap.equal(rows, [], f"{label}: no launches of these names")
        return
    (row,) = rows
    keys = {"launch_calls": "rows", "call_ns": "cpu_sum", "work_ns": "gpu_sum", "latency_sum_ns": "delay_sum",
            "latency_max_ns": "delay_max", "latency_p50_ns": "delay_median"}
    got = {theirs: in_us(row.get(ours), ours) for ours, theirs in keys.items()}
    tap.equal(got, wanted, f"{label}: launches, their calls, kernels and delays")


def in_us(value, column):
    value = number(value)
    return value if value is None or column == "launch_calls" else value / 1000


def between(row, mean):
    """The reference's mean is one that some order of the ties gives."""
    low, high, n = row["depth_mean_low"], row["depth_mean"], number(row["begun_calls"])
    swaps = (mean - low) * n
    return low - ROUNDED <= mean <= high + ROUNDED and abs(swaps - round(swaps)) <= ROUNDED * n


def queues(tap, label, path, wanted):
    rows = {number(r["stream"]): r for r in table("queue", path, "--semantics", "hta").rows}
    got = {s: [number(r["begun_calls"]), number(r["depth_min"]), r["depth_median"], number(r["depth_max"])] for s, r in rows.items()}
    tap.equal(got, {stream: [n, low, median, high] for (_, stream), n, _, low, median, high in wanted},
              f"{label}: changes, shortest, median and longest queue of every stream")
    wrong = [(stream, mean, rows.get(stream)) for (_, stream), _, mean, *_ in wanted
             if stream not in rows or not between(rows[stream], mean)]
    tap.ok(not wrong, f"{label}: the mean length is that of an order of the ties", wrong)


def check(tap, entry):
    folder = entry["name"] if "/" not in entry["name"] else os.path.dirname(entry["name"])
    for rank, file in entry["files"].items():
        label, path = f"{folder}/{file}", os.path.join(TRACES, "kineto", folder, file)
        try:
            if isinstance(entry.get("launch"), dict):
                launches(tap, label, path, entry["launch"][rank])
            if isinstance(entry.get("queue"), list):
                queues(tap, label, path, [q for q in entry["queue"] if str(q[0][0]) == rank])
        except TableError as e:
            tap.ok(False, label, e)


def main():
    need_program()
    oracle = os.path.join(ORACLES, "hta.json")
    if not os.path.exists(oracle) or not os.path.isdir(TRACES):
        skip_all("no ../shared/reference/oracles or ../shared/traces")
    tap = Tap()
    for entry in json.load(open(oracle)):
        check(tap, entry) if "launch" in entry else tap.skip(entry["name"], "the reference failed on this file")
    tap.done()


main()
