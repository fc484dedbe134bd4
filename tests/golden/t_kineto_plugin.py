#!/usr/bin/env python3
"""`--semantics kineto`: steps, their parts and the averages, the GPU metrics and the kernels against the TensorBoard plugin's
answers for the same files.

Times must agree within EXACT_US: the plugin prints whole microseconds where the file has them, and keeps fractional ones in
a double, which holds a quarter of one at these magnitudes; two of them make the ends of a part, and a part has many ends.
The metrics are shares of the whole: RATIO covers the same quarters. The plugin merges kernels by name alone, so the rows of the
kernel table are added up by it; of means it prints two digits.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ORACLES, TRACES, TableError, Tap, need_program, number, skip_all, table, unpacked

COLUMNS = {"Kernel": "kernel_ns", "Memcpy": "memcpy_ns", "Memset": "memset_ns", "Communication": "communication_ns",
           "Runtime": "runtime_ns", "DataLoader": "dataloader_ns", "CPU Exec": "cpu_exec_ns", "Other": "other_ns"}
EXACT_US, AVERAGE_US, SHARE_PCT, RATIO = 1.0, 1.0, 0.1, 1e-5
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
    rows = {r["part"] + "_ns": r for r in ours if r["of"] != "idle"}
    tap.ok(abs(rows["step_ns"]["avg_ns"] / 1000 - mean_us) <= AVERAGE_US, f"{name}: average step time",
           f"expected {mean_us} got {rows['step_ns']['avg_ns'] / 1000}")
    apart = []
    for label, us, pct in parts:
        row = rows[COLUMNS[label]]
        if abs(row["avg_ns"] / 1000 - us) > AVERAGE_US or abs(row["part_share_pct"] - pct) > SHARE_PCT:
            apart.append(f"{label}: expected {us} us, {pct} % got {row['avg_ns'] / 1000} us, {row['part_share_pct']} %")
    tap.ok(not apart, f"{name}: average parts", "\n".join(apart))
    shares = round(sum(r["part_share_pct"] for r in ours if r["of"] == "step"), 6)
    tap.equal(shares, 100, f"{name}: the shares add up to 100 %")


METRICS = {"utilization_pct": ("gpu_utilization", 100), "sm_efficiency_pct": ("avg_approximated_sm_efficiency_per_device", 100),
           "mean_occupancy_pct": ("avg_occupancy_per_device", 1)}


def metrics_apart(row, gmp, outside):
    """Columns of one device's row that differ; the plugin keeps a list by the device's number, a null where it knows nothing.
    It counts the kernels outside of the steps as well."""
    device = row["device"]
    for column, (theirs, percent) in METRICS.items():
        expected, got = gmp[theirs][device], row[column]
        if (expected is None) != (got is None) or (got is not None and abs(got - expected * percent) > RATIO * 100):
            yield f"{column}: expected {expected} got {got}"
    for column, theirs in (("blocks_known", "blocks_per_sm_count"), ("occupancy_known", "occupancy_count")):
        expected = gmp[theirs][device] and gmp[theirs][device] - outside
        if row[column] != expected:
            yield f"{column}: expected {expected} got {row[column]}"


def compare_metrics(tap, name, rows, gmp, kernels):
    rows = [row for row in rows if row["range_kernels"]]
    tap.equal([row["device"] for row in rows], gmp["gpu_ids"], f"{name}: the same devices")
    for row in rows:
        apart = list(metrics_apart(row, gmp, kernels[row["device"]] - row["range_kernels"]))
        tap.ok(not apart, f"{name}: utilization, SM efficiency and occupancy of GPU {row['device']}", "\n".join(apart))


def by_name(rows):
    """Kernel table rows by name."""
    found = {}
    for row in rows:
        found.setdefault(row["name"], []).append(row)
    return found


def mean(rows, column):
    """By time, as the plugin takes it; None when a row does not tell."""
    if any(row[column] is None for row in rows):
        return None
    total = sum(number(row["total_ns"]) for row in rows)
    return sum(row[column] * number(row["total_ns"]) for row in rows) / total if total else None


def kernel_apart(rows, theirs):
    """What differs between our rows of a name and the plugin's row; it prints whole us, and means to two digits."""
    calls = sum(number(row["kernels"]) for row in rows)
    sums = {"Calls": (calls, 0), "Total Duration (us)": (sum(number(row["total_ns"]) for row in rows) / 1000, 1 + calls * 0.25),
            "Max Duration (us)": (max(number(row["max_ns"]) for row in rows) / 1000, 1),
            "Min Duration (us)": (min(number(row["min_ns"]) for row in rows) / 1000, 1),
            "Mean Blocks Per SM": (mean(rows, "blocks_per_sm"), 0.011), "Mean Est. Achieved Occupancy (%)": (mean(rows, "occupancy_pct"), 0.011)}
    for column, (got, slack) in sums.items():
        if column in theirs and (got is None or abs(got - theirs[column]) > slack):
            yield f"{column}: expected {theirs[column]} got {got}"


def compare_kernels(tap, name, rows, oracle):
    """The plugin's longest kernels. It merges them by name alone."""
    ours = by_name(rows)
    apart = [f"{row['Name'][:60]}: {why}" for row in oracle["kernels"]
             for why in (kernel_apart(ours[row["Name"]], row) if row["Name"] in ours else ["missing"])]
    tap.ok(not apart, f"{name}: calls, times, blocks and occupancy of the longest {len(oracle['kernels'])} kernels",
           "\n".join(apart))
    tap.equal(len(ours), oracle["kernel_rows"], f"{name}: as many kernels by name")


RATIO_POINTS = 0.05


def compare_tensor_cores(tap, name, path, oracle):
    """The pie over all kernels, which names use them, and which ops could. The oracle keeps the first rows of its tables."""
    facts = table("overview", path, "--semantics", "kineto").keyed()
    share = number(facts["tensor_core_time_pct"])
    tap.ok(abs(share - 100 * oracle["tc_pie"][0][1]) < RATIO_POINTS, f"{name}: share of the kernel time on Tensor Cores",
           f"expected {100 * oracle['tc_pie'][0][1]} got {share}")
    rows = table("kernels", path, "--semantics", "kineto").rows
    uses = {row["name"]: row["uses_tc"] for row in rows}
    tap.equal([uses.get(k["Name"]) for k in oracle["kernels"]], [k["Tensor Cores Used"] == "Yes" for k in oracle["kernels"]],
              f"{name}: which kernels use Tensor Cores")
    eligible = {row["op"]: row["tc_eligible"] for row in rows if row["op"]}
    ops = [o for o in oracle["ops"] if o["name"] in eligible]
    tap.equal([eligible[o["name"]] for o in ops], [o["tc_eligible"] == "Yes" for o in ops], f"{name}: which ops could use them")


def check_devices(tap, name, path, oracle):
    kernels = {row["device"]: row["kernels"] for row in table("devices", path).rows}
    compare_metrics(tap, name, table("gpu_metrics", path, "--semantics", "kineto").rows, oracle["gmp"], kernels)
    if "kernels" in oracle:
        compare_kernels(tap, name, table("kernels", path, "--semantics", "kineto").rows, oracle)


def check(tap, name, path, oracle):
    if name == NO_OPS:
        # one step over no event at all: the plugin's lasts from its largest to its smallest number
        tap.equal(len(table("steps", path, "--semantics", "kineto").rows), 0, f"{name}: without ops there is no step")
        return
    check_devices(tap, name, path, oracle)
    if "tc_pie" in oracle:
        compare_tensor_cores(tap, name, path, oracle)
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
