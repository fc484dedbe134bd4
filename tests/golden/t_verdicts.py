#!/usr/bin/env python3
"""Verdicts on real traces: gaps judged by hand from the events in them, and the little programs that provoke one cause each
(tests/traces/causes, with what must and must not be said about them in expected.json)."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, TRACES, TableError, Tap, need_program, number, table

CAUSES = os.path.join(ROOT, "tests/traces/causes")
WORDS = {"input wait", "host work outside the graph", "loss scaling", "thread contention", "synchronisation", "compilation",
         "allocator", "communication wait", "launch latency", "host compute", "copies", "Python overhead", "profiler overhead",
         "held back", "host wait", "not recorded"}

# file, length of the gap in ns, verdict, part of the name of the main event or of what it lies in; what the events in the gap say, read by hand:
BY_HAND = [
    # the Python thread sits in DataLoader's __next__ from the last kernel of a step to the first copy of the next
    ("kineto/resnet50-v100-2spans/worker0.1623143089861.pt.trace.json.gz", 62_339_000, "input wait", "_SingleProcessDataLoaderIter"),
    ("kineto/resnet50-array-form/worker0.pt.trace.json.gz", 60_001_000, "input wait", "_SingleProcessDataLoaderIter"),
    ("kineto/resnet50-autograd-13streams/worker0.pt.trace.json.gz", 72_639_000, "input wait", "_SingleProcessDataLoaderIter"),
    ("kineto/param-resnet/resnet_kineto.json.gz", 2_252_907_000, "input wait", "_MultiProcessingDataLoaderIter"),
    ("kineto/dlrm-8rank-nccl/worker3_step_12.1694128201557.pt.trace.json.gz", 1_083_000, "input wait", "_SingleProcessDataLoaderIter"),
    ("kineto/h100-owlv2/google_owlv2-large-patch14-ensemble__1016001.json.gz", 126_054_327, "input wait", "_SingleProcessDataLoaderIter"),
    # cuDNN's first backward convolution: workspaces are freed and taken again
    ("kineto/resnet50-autograd-13streams/worker0.pt.trace.json.gz", 476_786_000, "allocator", "cudaFree"),
    ("kineto/param-resnet/resnet_kineto.json.gz", 1_845_463_000, "allocator", "cudaFree"),
    ("kineto/vllm-decode-graph/graph_capture_rank_0.1773709742341309550.pt.trace.json.gz", 1_314_433, "allocator", "hipFree"),
    # the host asks whether a tensor is true and waits for 24 us; then Python for 92 us, until the next op
    ("kineto/h100-bert/gaunernst_bert-small-uncased__1016001.json.gz", 153_855, "Python overhead", ""),
    ("kineto/h100-qwen/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 290_943, "synchronisation", "synchronize"),
    # TorchRec waits for the lengths of all ranks before it can send the tensors
    ("kineto/dlrm-8rank-nccl/worker0_step_12.1694128201545.pt.trace.json.gz", 116_000, "communication wait", "AllToAll"),
    # a stack of Python frames and tiny ops, no single one of them long
    ("kineto/h100-bert/gaunernst_bert-small-uncased__1016001.json.gz", 247_551, "Python overhead", ""),
    # a graph capture: 127,000 frames and ops, none of them long; and a step that is dispatched op by op
    ("kineto/vllm-decode-graph/graph_capture_rank_0.1773709742341309550.pt.trace.json.gz", 56_138_430, "compilation", "Graph"),
    ("kineto/transformer-small/dcb0aa1a78e7_4399.1752181589621105859.pt.trace.json", 201_000, "Python overhead", ""),
    # leaving record_function ranges takes longest: there only because of the profiler
    ("kineto/transformer-small/dcb0aa1a78e7_4399.1752181589621105859.pt.trace.json", 125_000, "profiler overhead", "profiler.py"),
    # handing a collective over takes the host longer than the device has work, nobody waits for a peer
    ("kineto/b200-eager/eager_trace.json.gz", 194_304, "launch latency", "all_reduce"),
    # one op of 2.4 ms that loads its kernel: later ones take less than a tenth
    ("kineto/b200-eager/eager_trace.json.gz", 2_638_105, "compilation", "aten::addmm"),
    # one launch that loads its module: 1.6 s in cudaLaunchKernel
    ("kineto/resnet50-autograd-13streams/worker0.pt.trace.json.gz", 1_564_974_000, "compilation", "cudaLaunchKernel"),
    # nothing but a few calls of the API in 56 ms
    ("kineto/segment-anything-fast/amg_example_trace.json.gz", 55_965_000, "not recorded", ""),
]


def by_hand(tap, file, dur_ns, verdict, cause):
    name = f"{file.split('/')[1]}: the gap of {dur_ns / 1e6:.3f} ms is {verdict}"
    path = os.path.join(TRACES, file)
    if not os.path.exists(path):
        return tap.skip(name, "no corpus of traces")
    rows = [r for r in table("verdicts", path).rows if number(r["dur_ns"]) == dur_ns]
    tap.ok(any(r["cause"] == verdict and cause in f"{r['main_event']} {r['what']}" for r in rows), name,
           "\n".join(f"{r['cause']}: {r['what']}" for r in rows) or "no such gap")


def always(tap, name, path):
    """What holds for every verdict on any trace."""
    wrong = []
    for r in table("verdicts", path).rows:
        known, lost, dur = r["cause"] != "not recorded", number(r["lost_ns"]), number(r["dur_ns"])
        if r["cause"] not in WORDS or not r["what"] or not r["advice"]:
            wrong.append(r)
        elif r["cause"] == "held back" and not (lost is None and r["confidence"] and "what held it back is not in the file" in r["what"]):
            wrong.append(r)
        elif known and r["cause"] != "held back" and not (0 < r["confidence"] <= 1 and 0 < lost <= dur and r["main_event"] and lost * 10 >= dur):
            wrong.append(r)
        elif not known and (lost is not None or r["confidence"] is not None or "cannot tell" not in r["what"]):
            wrong.append(r)
    tap.ok(not wrong, f"{name}: every verdict has its evidence, or admits that it cannot tell", wrong[:3])
    groups = table("gap_groups", path).rows
    sound = all(number(g["total_ns"]) >= number(g["lost_ns"] or 0) and (number(g["gaps"]) > 0) and
                (g["period_every_k_ns"] is None or number(g["period_every_k_ns"]) <= number(g["period_ns"])) for g in groups)
    tap.ok(sound, f"{name}: no group costs more than its gaps")


def one_advice(tap, name, path):
    """The same cause has the same advice in every table and in the findings."""
    said = {r["cause"]: r["advice"] for r in table("idle_causes", path).rows}
    for rows in (table("verdicts", path).rows, table("gap_groups", path).rows):
        wrong = [(r["cause"], r["advice"]) for r in rows if r["advice"] != said.setdefault(r["cause"], r["advice"])]
        tap.ok(not wrong, f"{name}: one advice per cause", wrong[:3])
    findings = {r["advice"] for r in table("findings", path).rows if r["rule"] == "idle" and r["advice"]}
    tap.ok(findings <= set(said.values()), f"{name}: the findings give it, too", findings - set(said.values()))


def provoked(tap):
    """Programs that provoke one cause each."""
    try:
        with open(os.path.join(CAUSES, "expected.json"), encoding="utf-8") as f:
            expected = json.load(f)
    except FileNotFoundError:
        return tap.skip("programs that provoke one cause each", "tests/traces/causes is not there")
    for file, said in sorted(expected.items()):
        path = os.path.join(CAUSES, file)
        rows = table("verdicts", path).rows
        found = {r["cause"] for r in rows}
        told = "\n".join(f"{r['scope']} {r['dur_ns']} {r['cause']}: {r['what']}" for r in rows[:12])
        if said.get("given"):
            tap.ok(rows and rows[0]["cause"] == said["given"], f"{file}: most time is lost to {said['given']}", told)
        tap.ok(not found & set(said.get("not", [])), f"{file}: nothing is blamed on {', '.join(said.get('not', []))}", told)
        always(tap, file, path)


def main():
    need_program()
    tap = Tap()
    for case in BY_HAND:
        try:
            by_hand(tap, *case)
        except TableError as e:
            tap.ok(False, case[0], e)
    for file in sorted({case[0] for case in BY_HAND}):
        if os.path.exists(os.path.join(TRACES, file)):
            always(tap, file.split("/")[1], os.path.join(TRACES, file))
            one_advice(tap, file.split("/")[1], os.path.join(TRACES, file))
    provoked(tap)
    tap.done()


main()
