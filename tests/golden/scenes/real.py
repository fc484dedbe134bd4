"""Collectives of every recorded trace of several ranks or devices against a count of its own: how many, how long, how many bytes; wait and
transfer add up to the duration, exposed and hidden time to the total, and what is opened together is what its files are alone. Run by
t_collectives.py."""
import glob
import gzip
import json
import os
import re
import sqlite3
from collections import Counter

import count
import harness
from harness import number, table

PLACES = ("kineto/dlrm-8rank-nccl", "kineto/resnet50-v100-2spans", "kineto/b200-eager/eager_trace.json.gz", "kineto/mi300-ddp-resnet18",
          "kineto/segment-anything-fast", "xspace/jax-mi300-attention", "xspace/jax-mi300-conv-legacy", "xspace/jax-mi300-gemm",
          "xspace/tf-v100-multi-worker", "xspace/tpu-inference", "tf/tf1-timeline-gpu",
          "nsys/h100-train-2gpu-before", "nsys/h100-train-2gpu-after", "nsys/h100-video-2gpu")
KERNEL = re.compile(r"nccl|rccl|multimem|cross_device_reduce", re.I)
INSTRUCTION = re.compile(r"^%?(all-reduce|all-gather|all-to-all|reduce-scatter|collective-permute)\b")
TYPES = {"float": 4, "int": 4, "long int": 8, "Float": 4, "BFloat16": 2, "Half": 2}


# ---- Chrome JSON

def around(events, launch):
    """Annotations of communication around a launch, the innermost first."""
    found = [e for e in events if e.get("ph") == "X" and e.get("tid") == launch["tid"] and e.get("pid") == launch["pid"] and
             e["name"].startswith(("nccl:", "c10d::", "record_param_comms")) and e["ts"] <= launch["ts"] and
             e["ts"] + e["dur"] >= launch["ts"] + launch["dur"]]
    return sorted(found, key=lambda e: e["dur"])


def bytes_of(events, launches, kernel):
    """By the record of the kernel itself, else by the one tensor that the innermost annotation sends; None: not told."""
    args = kernel.get("args", {})
    if "In msg nelems" in args:
        return max(int(args["In msg nelems"]), int(args["Out msg nelems"])) * TYPES[args["dtype"]]
    launch = launches.get(args.get("correlation"))
    for e in around(events, launch) if launch else ():
        dims, types = e["args"].get("Input Dims"), e["args"].get("Input type")
        sent = [(d, TYPES[t]) for d, t in zip(dims or (), types or ()) if d and t in TYPES]
        if len(sent) == 1:
            size = sent[0][1]
            for n in sent[0][0]:
                size *= n
            return size
    return None


def of_json(path):
    with (gzip.open if path.endswith(".gz") else open)(path) as f:
        doc = json.load(f)
    events = doc if isinstance(doc, list) else doc["traceEvents"]
    launches = {e["args"]["correlation"]: e for e in events if e.get("cat") in ("cuda_runtime", "Runtime") and "correlation" in e.get("args", {})}
    for e in events:
        if str(e.get("cat")).lower() == "kernel" and KERNEL.search(e["name"]):
            yield round(e["dur"] * 1000), bytes_of(events, launches, e)


# ---- XSpace

def names_of(plane):
    """Of the metadata of a plane's events: id -> name."""
    names = {}
    for n, entry in count.fields(plane):
        if n == 4:
            for k, value in count.fields(entry):
                if k == 2:
                    names[count.first(value, 1, 0)] = count.first(value, 2, b"").decode("utf-8", "replace")
    return names


def of_line(line, names):
    if count.first(line, 2, b"") not in (b"XLA Ops",) and not count.first(line, 2, b"").startswith(b"Stream"):
        return
    for n, event in count.fields(line):
        name = names.get(count.first(event, 1, 0), "") if n == 4 else ""
        if KERNEL.search(name) or INSTRUCTION.match(name):
            yield count.first(event, 3, 0), None


def of_xspace(path):
    with open(path, "rb") as f:
        data = f.read()
    for n, plane in count.fields(data):
        if n == 1 and count.first(plane, 2, b"").startswith(b"/device:"):
            names = names_of(plane)
            for k, line in count.fields(plane):
                if k == 3:
                    for dur_ps, size in of_line(line, names):
                        yield round(dur_ps / 1000), size


# ---- Nsight Systems

def of_sqlite(path):
    """Their names alone tell that they are collectives; nothing tells their bytes."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    for name, dur_ns in db.execute("SELECT s.value, k.end - k.start FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName"):
        if KERNEL.search(name):
            yield dur_ns, None
    db.close()


# ---- the checks

def files_of(place):
    return sorted(f for f in glob.glob(os.path.join(place, "*")) if f.endswith((".json", ".json.gz", ".pb", ".sqlite"))) if os.path.isdir(place) else [place]


def rows(path):
    return [{k: number(v) for k, v in r.items()} for r in table("collectives", path).rows]


def one_place(tap, name, place):
    files = files_of(place)
    counted = [c for f in files for c in (of_xspace(f) if f.endswith(".pb") else of_sqlite(f) if f.endswith(".sqlite") else of_json(f))]
    together = rows(place)
    tap.equal(len(together), len(counted), f"{name}: as many calls as counted")
    tap.equal(sorted(r["message_bytes"] or -1 for r in together), sorted(c[1] or -1 for c in counted), f"{name}: bytes of each")
    tap.ok(all(abs(a - b) <= 1 for a, b in zip(sorted(r["dur_ns"] for r in together), sorted(c[0] for c in counted))), f"{name}: duration of each")
    tap.equal([r for r in together if (r["wait_ns"] is None) != (r["transfer_ns"] is None) or
               (r["wait_ns"] is not None and r["wait_ns"] + r["transfer_ns"] != r["dur_ns"])], [], f"{name}: wait and transfer are the duration")
    tap.equal([r for r in together if r["exposed_comms_ns"] + r["hidden_comms_ns"] != r["dur_ns"]], [], f"{name}: exposed and hidden are all of it")
    keys = ("rank", "op", "dur_ns", "message_bytes", "exposed_comms_ns", "hidden_comms_ns")
    tap.equal(Counter(tuple(r[k] for k in keys) for r in together), Counter(tuple(r[k] for k in keys) for f in files for r in rows(f)),
              f"{name}: opened together they are what each is alone")
    return len(counted)


def real(tap):
    found, calls = 0, 0
    for name in PLACES:
        place = os.path.join(harness.TRACES, name)
        if not os.path.exists(place):
            tap.skip(name, "the trace corpus is not here")
            continue
        found += 1
        calls += one_place(tap, name, place)
    tap.ok(not found or calls > 100, "there are collectives among them", calls)


CHECKS = (real,)
