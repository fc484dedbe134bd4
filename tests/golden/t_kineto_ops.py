#!/usr/bin/env python3
"""The table `ops` of PyTorch traces against the TensorBoard plugin's op table: calls, host time with children, device time of the op
itself, for the first rows of each file that the oracle keeps. The plugin prints whole microseconds and adds up doubles of them.

Where the two part, the reason is known and named below: then only that column is left out."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ORACLES, TRACES, TableError, Tap, need_program, number, skip_all, table

# column: (side of our table, column there, in what)
COLUMNS = {"calls": ("Host", "occurrences", 1), "host_total_duration": ("Host", "total_time", 1000),
           "device_self_duration": ("Device", "total_self_time", 1000)}
HOST, DEVICE = ("calls", "host_total_duration"), ("device_self_duration",)
DRIVER = "the plugin does not follow launches by driver calls (cuLaunchKernel...)"
MEMSET = "the plugin leaves memsets out of an op's device time"
IDS = "the External id of kernels is their correlation there: the plugin finds no op by it, or another one; stepscope joins by the launching call"
NESTED = "an op inside one of its own name counts once for the plugin (empty in empty: 41 of 490, _to_copy: 4 of 195)"
UNKNOWN = "5 of the 15 calls, those below ones_like, are not in the plugin's table; why is not known"
PARTS = {
    "resnet50-autograd-13streams/worker0.pt.trace.json.gz": [(HOST, None, NESTED)],
    "dlrm-8rank-nccl": [(DEVICE, "aten::fill_", MEMSET)],
    "b200-eager/eager_trace.json.gz": [(DEVICE, "vllm::moe_forward", DRIVER)],
    "h100-bert/gaunernst_bert-small-uncased__1016001.json.gz": [(DEVICE, "aten::addmm", DRIVER)],
    "h100-owlv2/google_owlv2-large-patch14-ensemble__1016001.json.gz": [(DEVICE, "aten::addmm", DRIVER)],
    "mi300-ddp-resnet18/train_resnet18.json.gz": [(HOST + DEVICE, "aten::fill_", UNKNOWN)],
    "param-resnet/resnet_kineto.json.gz": [(DEVICE, None, IDS), (HOST, "aten::result_type", NESTED)],
    "segment-anything-fast/amg_example_trace.json.gz": [(DEVICE, None, IDS), (HOST, None, NESTED)],
    "transformer-small/dcb0aa1a78e7_4399.1752181589621105859.pt.trace.json": [(DEVICE, None, IDS)],
}


def left_out(name, op, column):
    parts = PARTS.get(name.partition("#")[0], [])
    return any(column in columns and which in (None, op) for columns, which, _ in parts)


def paths(oracles):
    """Oracle name -> path of the trace; the eight ranks are named by number there."""
    with open(os.path.join(ORACLES, "hta.json"), encoding="utf-8") as f:
        ranks = next(row["files"] for row in json.load(f) if row["name"] == "dlrm-8rank-nccl")
    for name in oracles:
        folder, _, rank = name.partition("#")
        yield name, os.path.join(TRACES, "kineto", folder, ranks[rank] if rank else "")


def differences(name, ours, theirs):
    for column, (side, own, unit) in COLUMNS.items():
        if column not in theirs or left_out(name, theirs["name"], column):
            continue
        row = ours.get((side, theirs["name"]))
        got, slack = number(row[own]) / unit if row else 0, 1 + 0.3 * theirs["calls"] if unit > 1 else 0
        if abs(got - theirs[column]) > slack:
            yield f"{theirs['name']} {column}: expected {theirs[column]} got {got}"


def check(tap, name, path, oracle):
    rows = table("ops", path, "--semantics", "kineto").rows
    ours = {(row["host_or_device"], row["operation"]): row for row in rows}
    apart = [why for op in oracle["ops"] for why in differences(name, ours, op)]
    tap.ok(not apart, f"{name}: {len(oracle['ops'])} ops: calls, host and device time", "\n".join(apart))


def main():
    need_program()
    if not os.path.exists(os.path.join(ORACLES, "kineto-plugin.json")) or not os.path.isdir(TRACES):
        skip_all("no ../shared/reference/oracles or ../shared/traces")
    tap = Tap()
    with open(os.path.join(ORACLES, "kineto-plugin.json"), encoding="utf-8") as f:
        oracles = json.load(f)
    for name, path in paths(oracles):
        if not oracles[name].get("ops"):
            tap.skip(name, "the plugin has no ops of this file")
            continue
        try:
            check(tap, name, path.rstrip("/"), oracles[name])
        except TableError as e:
            tap.ok(False, name, e)
    tap.done()


main()
