"""The bundled recordings answer what tests/traces/README.md says of them.  Needs no corpus."""
import collections
import glob
import gzip
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness

TRACES = os.path.join(harness.ROOT, "tests/traces")
SAMPLE = os.path.join(TRACES, "sample")
TORCH = os.path.join(TRACES, "torch-cpu")
TF = os.path.join(TRACES, "tf-cpu")
GLOO = os.path.join(TRACES, "gloo")
RESNET = os.path.join(TRACES, "resnet/resnet.pt.trace.json.gz")
DEVICE_WORK = ("kernel", "gpu_memcpy", "gpu_memset")


def table(name, trace):
    return harness.table(name, trace, "--no-cache")


def one(pattern):
    (path,) = glob.glob(os.path.join(SAMPLE, "plugins/profile/*", pattern))
    return path


def step_numbers(rows):
    return [int(str(row["step"]).replace(":", " ").split()[-1]) for row in rows]


def nothing_lost(tap, trace, told):
    entries = [harness.number(told[key]) for key in ("entries_in_file", "events_shown", "events_merged", "events_noted")]
    tap.equal(entries[0], sum(entries[1:]), f"{trace}: every entry is shown, merged or noted")


def no_device(tap, trace, path):
    tap.equal([table(name, path).rows for name in ("devices", "kernels")], [[], []], f"{trace}: no device, no kernel")


def biggest_step_gap(path):
    return max((row for row in table("gaps", path).rows if row["scope"] == "step"), key=lambda row: row["dur_ns"])


def sample(tap):
    told = table("trace", SAMPLE).keyed()
    tap.equal(harness.number(told["events_shown"]), 1442, "sample: the directory is read once, though it holds the capture twice")
    nothing_lost(tap, "sample", told)
    no_device(tap, "sample", SAMPLE)
    tap.equal(step_numbers(table("steps", SAMPLE).rows), list(range(1, 13)), "sample: steps 1 to 12")
    gap = biggest_step_gap(SAMPLE)
    tap.equal((gap["dur_ns"], gap["main_event_ns"]), (40_480_084, 40_427_274), "sample: the gap after step 8 and its cause, to the ns")
    tap.ok("load_batch" in f"{gap['main_event']} {gap['main_event_id']}", "sample: the cause is load_batch", gap)


def twins(tap):
    """The XSpace and the JSON beside it are one capture."""
    xspace, chrome = (table("steps", one(name)).rows for name in ("host.xplane.pb", "host.trace.json.gz"))
    tap.equal([row["dur_ns"] for row in chrome], [row["dur_ns"] for row in xspace], "sample: both files have the same steps")
    xspace, chrome = (biggest_step_gap(one(name)) for name in ("host.xplane.pb", "host.trace.json.gz"))
    tap.equal(chrome["dur_ns"], xspace["dur_ns"], "sample: both files have the same biggest gap")


def torch(tap):
    nothing_lost(tap, "torch-cpu", table("trace", TORCH).keyed())
    no_device(tap, "torch-cpu", TORCH)
    steps = table("steps", TORCH).rows
    numbers = [int(str(row["step"]).split("#")[-1]) for row in steps]
    tap.equal(numbers, [2, 3, 4, 5, 6, 7], "torch-cpu: steps 2 to 7")
    slow = max(steps, key=lambda row: row["dur_ns"])
    tap.equal((slow["step"], slow["dur_ns"]), (steps[3]["step"], 41_823_368), "torch-cpu: step 5 lasts 41.8 ms")


def tensorflow(tap):
    nothing_lost(tap, "tf-cpu", table("trace", TF).keyed())
    no_device(tap, "tf-cpu", TF)
    tap.equal(step_numbers(table("steps", TF).rows), list(range(1, 9)), "tf-cpu: steps 1 to 8")


def resnet(tap):
    """What the README's first minute shows: a GPU, its gap, and Tensor Cores left alone."""
    told = table("trace", RESNET).keyed()
    tap.equal((harness.number(told["events_shown"]), harness.number(told["events_noted"])), (17514, 0), "resnet: 17,514 events, nothing noted")
    nothing_lost(tap, "resnet", told)
    tap.equal(len(table("steps", RESNET).rows), 7, "resnet: 7 steps")
    gap = biggest_step_gap(RESNET)
    tap.equal((gap["dur_ns"], gap["cause"], gap["main_event_ns"]), (670_933_000, "input wait", 643_608_000), "resnet: the gap and its cause, to the ns")
    tap.equal(gap["marker_gap_ns"], None, "resnet: between markers lies nothing that is known: its steps are inferred")
    unused = sum(row["total_ns"] for row in table("tensor_cores", RESNET).rows if row["tc_problem"] == "unused" and row["reason"] == "fp32")
    tap.equal(unused, 443_746_000, "resnet: what could use Tensor Cores and does not")


def resnet_is_whole(tap):
    """The cut took no launch from its work and nothing out of what it lies in, and names nobody."""
    with gzip.open(RESNET, "rt", encoding="utf-8") as f:
        text = f.read()
    events = json.loads(text)["traceEvents"]
    work = [e["args"]["correlation"] for e in events if e.get("cat") in DEVICE_WORK]
    calls = collections.Counter(e["args"]["correlation"] for e in events if e.get("cat") == "cuda_runtime")
    tap.equal((len(work), {calls[c] for c in work}), (2345, {1}), "resnet: all device work has its one launch")
    ends = collections.Counter((e["id"], e["ph"]) for e in events if e["ph"] in "sf")
    tap.equal({ends[(i, "s")] and ends[(i, "f")] for i, _ in ends}, {1}, "resnet: flows have both ends")
    tap.equal(overlaps(e for e in events if e["ph"] == "X"), [], "resnet: events nest")
    tap.equal(re.findall(r"/(?:home|users|data|mnt)/|zhang|@|\b\d+\.\d+\.\d+\.\d+\b", text), [], "resnet: no path, person or host")


def host_events(path, name):
    with gzip.open(path, "rt", encoding="utf-8") as f:
        return [e["dur"] for e in json.load(f)["traceEvents"] if e.get("ph") == "X" and e["name"] == name]


def gloo(tap):
    """Rank 1 sleeps in `load_batch`; the others wait in their reductions. What is expected is counted in the files themselves."""
    paths = [os.path.join(GLOO, f"rank{rank}.pt.trace.json.gz") for rank in range(3)]
    waits, loads = ([sum(host_events(p, name)) for p in paths] for name in ("gloo:all_reduce", "load_batch"))
    late = waits.index(min(waits))
    tap.equal((late, loads.index(max(loads))), (1, 1), "gloo: rank 1 loads longest and is in reductions least")
    (said,) = [row for row in table("findings", GLOO).rows if row["rule"] == "collectives"]
    tap.equal((said["severity"], said["about"]), ("fail", "waiting for rank 1"), "gloo: the others wait for rank 1")
    told = re.search(r"rank 1 is in them for .* of a step, the others for .*: they wait for it, which has ([\d.]+) ms more of input wait",
                     said["sentence"])
    tap.ok(told, "gloo: because of its input", said["sentence"])
    tap.ok(told and 25 <= float(told.group(1)) <= max(host_events(paths[1], "load_batch")) / 1e3,
           "gloo: by no less than it sleeps, and no more than its longest load", said["sentence"])
    tap.ok("record" not in said["advice"], "gloo: all ranks are recorded", said["advice"])


def overlaps(events):
    """Events that begin in another one of their lane and end behind it."""
    found, open_until = [], {}
    for e in sorted(events, key=lambda e: (e["ts"], -e["dur"])):
        stack = open_until.setdefault((e["pid"], e["tid"]), [])
        while stack and stack[-1] <= e["ts"]:
            stack.pop()
        if stack and e["ts"] + e["dur"] > stack[-1]:
            found.append(e["name"])
        stack.append(e["ts"] + e["dur"])
    return found


def main():
    tap = harness.Tap()
    harness.need_program()
    for check in (sample, twins, torch, gloo, tensorflow, resnet, resnet_is_whole):
        try:
            check(tap)
        except harness.TableError as e:
            tap.ok(False, check.__name__, e)
    tap.done()


main()
