#!/usr/bin/env python3
"""Which steps carry the numbers: the steady ones, with what those that are left out cost beside them, in the same words everywhere;
steps that differ too much have a median and no mean; --all-steps takes all. Made-up traces; the numbers are worked out here."""
import json
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, need_program, number, play, scratch, spelling, stepscope, table

US = 1000


def trace(name, lengths, slow_launch=0):
    """One marker per length (us), each with a launch of a tenth of it and a kernel of half; the first step's launch takes
    `slow_launch`, and its kernel begins when that is over."""
    events, at = [], 0
    for n, length in enumerate(lengths):
        call = slow_launch if n == 0 and slow_launch else length // 10
        event = {"ph": "X", "pid": 1, "tid": 1, "cat": "cuda_runtime", "name": "cudaLaunchKernel", "args": {"correlation": n + 1}}
        events += [{"ph": "X", "pid": 1, "tid": 1, "cat": "user_annotation", "name": f"ProfilerStep#{n}", "ts": at, "dur": length},
                   {**event, "ts": at + 1, "dur": call},
                   {"ph": "X", "pid": 0, "tid": 7, "cat": "kernel", "name": "gemm", "ts": at + 2, "dur": 1,
                    "args": {"device": 0, "stream": 7, "correlation": 1000 + n}},
                   {"ph": "X", "pid": 1, "tid": 1, "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": at, "dur": 1, "args": {"correlation": 1000 + n}},
                   {"ph": "X", "pid": 0, "tid": 7, "cat": "kernel", "name": "gemm", "ts": at + call + 2, "dur": length - call - 10,
                    "args": {"device": 0, "stream": 7, "correlation": n + 1}}]
        at += length
    path = scratch(f"{name}.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU"}], "traceEvents": events}, f)
    return path


def faces(path, *options):
    """What each face says, on one line each."""
    steps = play("wait 1 Over\nsettle\nkeys 3\nwait step\nsettle\nscreen\nkeys Q\n", path, *options, size="160x40").screens[-1]
    first = play("wait 1 Over\nsettle\nscreen\nkeys Q\n", path, *options, size="200x40").screens[-1]
    report = "\n".join(stepscope("report", path, "--format", "md", *options).out.splitlines()[:5])
    return {"the text": " ".join(stepscope(path, *options).out.split()), "the report's first lines": report,
            "the pane of steps": " ".join(line.strip() for line in steps), "the first pane": " ".join(line.strip() for line in first)}


def sentence(path, *options):
    return next((r["sentence"] for r in table("findings", path, *options).rows if r["rule"] == "step-phases"), "")


def check(tap, name, path, counted, lengths, cost):
    facts = table("overview", path).keyed()
    mean, sd = statistics.mean(counted) * US, statistics.stdev(counted) * US
    tap.ok(abs(number(facts["step_mean_ns"]) - mean) < 1 and abs(number(facts["step_sd_ns"]) - sd) < 1, f"{name}: mean and deviation", facts["step_mean_ns"])
    tap.equal((number(facts["steps"]), number(facts["steps_left_out"]), facts["step_lengths"]), (len(counted), len(lengths) - len(counted), "regular"), f"{name}: how many")
    words = f"{len(counted)} of {len(lengths)} steps"
    tap.equal(facts["steps_text"], f"{words}; {cost}", f"{name}: what the longest of the others cost")
    for face, text in faces(path).items():
        said = words in text and (face == "the first pane" or cost.split(":")[0] in text)
        tap.ok(said, f"{name}: {face}", text)
    tap.ok(cost in sentence(path), f"{name}: the finding", sentence(path))


def all_steps(tap, path, lengths):
    facts = table("overview", path, "--all-steps").keyed()
    tap.ok(abs(number(facts["step_mean_ns"]) - statistics.mean(lengths) * US) < 1, "--all-steps: the mean is of all", facts["step_mean_ns"])
    tap.equal((number(facts["steps"]), number(facts["steps_left_out"]), facts["steps_text"]), (len(lengths), 0, f"{len(lengths)} steps"), "--all-steps: none is left out")
    share = table("input", path, "--all-steps").keyed()
    tap.equal(number(share["steps"]), len(lengths), "--all-steps: the table of input, too")
    for face, text in faces(path, "--all-steps").items():
        tap.ok(f"{len(lengths)} steps" in text and "took" not in text, f"--all-steps: {face}", text)
    again = next(line for line in stepscope("report", path, "--format", "md", "--all-steps").out.splitlines() if line.startswith("**To reproduce:**"))
    tap.ok("--all-steps" in again, "--all-steps: the command that makes the report again has it", again)
    steady = table("step_parts", path).rows[0]["samples"]
    tap.equal((number(table("step_parts", path, "--all-steps").rows[0]["samples"]), number(steady)), (len(lengths), len(lengths) - 1), "--all-steps: parts of a step")


def what_if(tap, path, lengths):
    """From step to step: the periods that begin with a steady step, or with any."""
    for options, periods in (((), lengths[1:-1]), (("--all-steps",), lengths[:-1])):
        told = {number(g["period_ns"]) for g in table("gap_groups", path, *options).rows if g["scope"] == "step"}
        tap.equal(told, {sum(periods) * US // len(periods)}, f"the period that recurring gaps are told of {' '.join(options)}")


def irregular(tap, lengths):
    path = trace("irregular", lengths)
    facts = table("overview", path).keyed()
    tap.equal((facts["step_mean_ns"], facts["step_sd_ns"], facts["step_lengths"]), (None, None, "irregular"), "irregular: no mean")
    tap.equal([number(facts[f"step_{k}_ns"]) for k in ("median", "min", "max")],
              [statistics.median(lengths) * US, min(lengths) * US, max(lengths) * US], "irregular: median and range")
    tap.equal(table("input", path).keyed()["step_mean_ns"], None, "irregular: the table of input has no mean either")
    tap.equal({r["avg_ns"] for r in table("step_parts", path).rows}, {None}, "irregular: nor have the parts of a step")
    for face, text in faces(path).items():
        tap.ok("median" in text and "mean step" not in text and spelling(statistics.median(lengths) * US) in text, f"irregular: {face}", text)
    tap.ok("irregular" in sentence(path) and "no mean" in sentence(path), "irregular: the finding", sentence(path))
    tap.equal(table("overview", path, "--all-steps").keyed()["step_mean_ns"], None, "irregular: with --all-steps as without")


def ops_alone(tap):
    """Steps inferred from ops, no device: 2 ms of 10 wait for the loader, 1 ms is not recorded."""
    parts = ("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 2000), ("aten::mm", 5000), ("Optimizer.step#SGD.step", 2000)
    events, at = [], 0
    for _ in range(8):
        for name, length in parts:
            events.append({"ph": "X", "pid": 1, "tid": 1, "cat": "cpu_op", "name": name, "ts": at, "dur": length})
            at += length
        at += 1000
    path = scratch("ops_alone.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"schemaVersion": 1, "traceEvents": events}, f)
    facts = table("overview", path).keyed()
    tap.equal((facts["steps_text"], facts["top_op_1"]), ("8 steps, inferred", "aten::mm"), "ops alone: steps")
    inner = table("steps", path).rows[3]
    tap.equal([number(inner[k]) // US for k in ("dur_ns", "input_ns", "host_compute_ns", "other_ns")], [10000, 2000, 7000, 1000],
              "ops alone: the thread whose ops repeat tells what a step is made of")
    said = stepscope("brief", path).out.splitlines()
    tap.ok(any(line.startswith("verdict     input-bound: 20.") for line in said), "ops alone: the verdict", said[1])
    tap.ok(any(" other host work, 20." in line and "0.0 %" not in line for line in said), "ops alone: brief names the parts that are there", said)


def handed_over(name, every, work):
    """Six steps, of which the host hands one over every so many us, to a device that copies for 2000 us and computes for `work`."""
    events, begun = [], 100
    for n in range(6):
        at = n * every
        events.append({"ph": "X", "pid": 1, "tid": 1, "cat": "user_annotation", "name": f"ProfilerStep#{n}", "ts": at, "dur": every})
        for k, (call, what, cat, dur) in enumerate((("cudaMemcpyAsync", "Memcpy HtoD (Pinned -> Device)", "gpu_memcpy", 2000),
                                                    ("cudaLaunchKernel", "gemm", "kernel", work))):
            args = {"correlation": 2 * n + k + 1}
            events += [{"ph": "X", "pid": 1, "tid": 1, "cat": "cuda_runtime", "name": call, "ts": at + 10 * k + 5, "dur": 5, "args": args},
                       {"ph": "X", "pid": 0, "tid": 7, "cat": cat, "name": what, "ts": max(begun, at + 20), "dur": dur,
                        "args": {"device": 0, "stream": 7, **args}}]
            begun = max(begun, at + 20) + dur
    events.append({"ph": "X", "pid": 1, "tid": 1, "cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "ts": 6 * every - 10, "dur": begun - 6 * every + 20})
    path = scratch(f"{name}.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU"}], "traceEvents": events}, f)
    return path


def far_ahead(tap):
    """Lengths of steps tell how fast they are handed over; their shares would be those of the first one's begin."""
    path = handed_over("ahead", 1000, 18000)
    facts = table("overview", path).keyed()
    tap.equal((facts["steps_text"], round(number(facts["step_mean_ns"]) * 6)), ("6 steps", 120_110 * US), "far ahead: the mean is of all steps")
    tap.equal({r["phase"] for r in table("steps", path).rows}, {None}, "far ahead: no step has a phase")
    tap.ok("runs far ahead: for 83.3 % of the steps" in sentence(path), "far ahead: the finding", sentence(path))
    tap.equal([r["severity"] for r in table("findings", path).rows if r["rule"] == "input-bound"], ["warn"], "far ahead: its copies are a tenth of all")
    path = handed_over("level", 20000, 17900)
    tap.equal({r["phase"] for r in table("steps", path).rows}, {"steady"}, "ahead by less than half of the work: steps have phases")


def main():
    need_program()
    tap = Tap()
    lengths = [9000, 1000, 1010, 990, 1000, 1005]
    slow = trace("slow_start", lengths, slow_launch=7000)
    check(tap, "a slow start", slow, lengths[1:], lengths, "step 0 took 9.000 ms: cudaLaunchKernel 6.998 ms")  # of 7 ms in it the device works 2 us
    all_steps(tap, slow, lengths)
    what_if(tap, slow, lengths)
    alike = table("overview", trace("alike", [1000, 1010, 990, 1000])).keyed()
    tap.equal((alike["steps_text"], number(alike["steps_left_out"])), ("4 steps", 0), "steps that are alike all count")
    few = table("overview", trace("few", [9000, 1000, 1000], slow_launch=7000)).keyed()
    tap.ok((few["steps_text"], few["step_lengths"]) == ("3 steps", "regular") and abs(number(few["step_mean_ns"]) - 11000 * US / 3) < 1,
           "fewer than four: all count, nothing tells which are steady", few["steps_text"])
    twice = table("overview", trace("twice", [1000, 1500, 2000, 1250, 1750])).keyed()
    tap.equal((twice["step_lengths"], twice["step_mean_ns"] is None), ("regular", False), "the longest takes just twice the shortest: a mean")
    mixed = sentence(trace("mixed", [1000, 1000, 1010, 990, 9000, 1000, 300, 1005]))
    tap.ok("2 of 8 steps last unusually long (4) or short (6); " in mixed, "outliers: which last long, which short", mixed)
    idle = [r["sentence"] for r in table("findings", trace("long", [10000] * 5)).rows if r["rule"] == "idle"]
    tap.ok(idle and "between steps" not in " ".join(idle), "10 us of 1 ms lie between steps: too little to tell", idle)
    brief = sentence(trace("brief", [1000, 1000, 1010, 990, 300, 1005]))
    tap.ok("1 of 6 steps lasts unusually short: 4; " in brief, "an outlier that is short", brief)
    irregular(tap, [1000, 1500, 2001, 1250, 1750])
    ops_alone(tap)
    far_ahead(tap)
    tap.done()


main()
