#!/usr/bin/env python3
"""A step that the window of an export cuts is none of the slice's steps: it is shown as cut, and no mean, share or finding has it. Made
traces with and without markers, as Chrome's format, as an XSpace and saved; and a real one. Idle time that a slice holds has the cause
that it has in the whole."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden"))
import mkxspace
from harness import TRACES, Tap, corpus, need_program, scratch, stepscope, table

STEPS, STEP_US, WORK = 8, 10_000, 6
OF_A_STEP = ("dur_ns", "device_compute_ns", "input_ns", "kernel_launch_ns", "host_compute_ns", "other_ns", "idle_pct", "work")
OF_ALL = ("steps", "step_mean_ns", "step_median_ns", "step_min_ns", "step_max_ns", "steps_total_ns", "steps_text")


def chrome(name, marked, slow=None, **extra):
    """Steps of six launches with their kernels, each a little longer than the one before, in the first half of 10 ms.
    slow: the step whose first launch takes 2 ms, which in a kernel's first run would be loading its code."""
    events, corr = [], 0
    for step in range(STEPS):
        at = 1000 + step * STEP_US
        if marked:
            events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1, "ts": at, "dur": STEP_US - 100, "args": extra})
        for k in range(WORK):
            corr += 1
            launch = at + 10 + k * 800
            long = 2000 if step == slow and k == 0 else 0
            at += long
            for cat, what, pid, tid, ts, dur, args in (("cpu_op", f"aten::op{k}", 1, 1, launch - 5, 50, {}), ("cuda_runtime", "cudaLaunchKernel", 1, 1, launch, 20 + long, {}),
                                                       ("kernel", f"kernel_{k}", 0, 7, launch + long + 100, 400 + step + k, {"device": 0, "stream": 7})):
                events.append({"ph": "X", "cat": cat, "name": what, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": {**args, "correlation": corr} if cat != "cpu_op" else {}})
    path = scratch(name + ".json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU"}], "traceEvents": events}, f)
    return path


def xspace(name):
    """Steps of a host thread, with an op in each."""
    space = mkxspace.Space(hostnames=["h"])
    line = space.plane("/host:CPU").line(1, "python", timestamp_ns=1000)
    for step in range(STEPS):
        line.event("train", start_ns=step * 10_000_000, dur_ns=9_900_000, stats={"step_num": step, "_r": 1})
        line.event("op", start_ns=step * 10_000_000 + 1000, dur_ns=5_000_000)
    path = scratch(name + ".xplane.pb")
    space.write(path)
    return path


def sliced(path, window, ending):
    out = scratch(os.path.basename(path).split(".")[0] + "_slice" + ending)
    run = stepscope("export", path, "--window", window, "-o", out, "--force", "-q")
    return out if run.status == 0 else run.told()


def rows(path, *args):
    return {r["step"]: r for r in table("steps", path, *args).rows}


def overview(path, *args):
    found = table("overview", path, *args).keyed()
    return {k: found.get(k) for k in OF_ALL}


def states(path):
    return {r["rule"]: (r["severity"], r["sentence"]) for r in table("findings", path).rows}


def saved(path):
    out = path.split(".")[0] + ".stepscope"
    stepscope("pack", path, "--no-cache", "-o", out, "--force", "--quiet")
    return out


def with_whole_steps(tap, path, window, whole, ending=".json.gz"):
    """The window cuts the first and the last step that it meets."""
    label = f"{os.path.basename(path)} {window} as {ending}"
    out = sliced(path, window, ending)
    for again in (out, saved(out)):
        before, after = rows(path), rows(again)
        tap.equal(sorted(s for s, r in after.items() if not r["cut"]), sorted(whole), f"{label}: the steps that are whole")
        tap.equal({r["counted"] for s, r in after.items() if s not in whole}, {False}, f"{label}: the others count for nothing")
        tap.equal({r["phase"] for s, r in after.items() if s not in whole}, {None}, f"{label}: and are neither steady nor outliers")
        tap.equal([[after[s][c] for c in OF_A_STEP] for s in whole], [[before[s][c] for c in OF_A_STEP] for s in whole], f"{label}: whole steps say what they said")
        tap.equal(overview(again), overview(path, "--window", window), f"{label}: the mean is that of the window")
        tap.ok("cuts some of them" in states(again)["step-markers"][1], f"{label}: it is told that some are cut", states(again)["step-markers"])


def without(tap, path, window, ending=".json.gz"):
    label = f"{os.path.basename(path)} {window} as {ending}"
    out = sliced(path, window, ending)
    after, found = rows(out), states(out)
    tap.ok(after and {(r["cut"], r["counted"]) for r in after.values()} == {(True, False)}, f"{label}: all steps are cut", after)
    tap.equal({k: v for k, v in overview(out).items() if v not in (None, 0)}, {}, f"{label}: no mean, no number of steps")
    tap.ok("cuts all of them" in found["step-markers"][1], f"{label}: it is told that all are cut", found["step-markers"])
    wrong = {rule: x for rule, x in found.items() if rule in ("other", "input-bound", "kernel-launch", "few-steps") and x[0] != "unknown"}
    tap.equal(wrong, {}, f"{label}: no share of steps is told")
    brief = stepscope("brief", out).out
    tap.ok("none lies inside as a whole" in brief and "step  " in brief and "mean" not in brief, f"{label}: brief says so", brief)


def causes(path):
    """Idle times of devices that are long enough to be looked at, and what each is told to be for."""
    out = {}
    for r in table("gaps", path).rows:
        if r["scope"] == "device" and r["dur_ns"] >= 20_000:
            out.setdefault((r["device"], r["dur_ns"], r["before"], r["after"]), set()).add((r["cause"], r["main_event"], r["lost_ns"]))
    return out


def same_causes(tap, path, window, least):
    """At least so many idle times lie in the slice from end to end."""
    label, found, whole = f"{os.path.basename(path)} {window}", causes(sliced(path, window, ".json.gz")), causes(path)
    both = [k for k in found if k in whole]
    tap.ok(len(both) >= least, f"{label}: idle times are there as a whole", len(both))
    tap.equal([(k[1], found[k], whole[k]) for k in both if not found[k] <= whole[k]], [], f"{label}: idle time has the cause of the whole")


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap = Tap()
    marked = chrome("marked", True)
    with_whole_steps(tap, marked, "14ms..48ms", ["2", "3"])
    without(tap, marked, "33ms..36ms")
    space = xspace("space")
    for ending in (".xplane.pb", ".json.gz"):
        with_whole_steps(tap, space, "14ms..48ms", ["2", "3"], ending)
    without(tap, space, "33ms..36ms", ".xplane.pb")
    inferred = chrome("inferred", False)
    found = rows(sliced(inferred, "14ms..58ms", ".json.gz"))
    tap.ok(len(found) >= 3 and {r["dur_ns"] for r in found.values() if not r["cut"]} <= {10_000_000} and
           sum(not r["cut"] for r in found.values()) >= 2, "inferred steps: those that are whole last as long as all", found)
    tap.equal({r["cut"] for r in rows(chrome("another", True, window="main")).values()}, {False}, "an argument 'window' of another program is no mark")
    same_causes(tap, chrome("slow", True, slow=4), "40ms..44ms", 1)
    nsys = "nsys/h100-train-2gpu-after/mfu_2gpu_after.sqlite"
    if nsys in corpus():
        same_causes(tap, os.path.join(TRACES, nsys), "172ms..180ms", 5)
        same_causes(tap, os.path.join(TRACES, nsys), "gap:3857", 1)
    name = "kineto/resnet50-v100-2spans/worker0.1623143566756.pt.trace.json.gz"
    if name in corpus():
        with_whole_steps(tap, os.path.join(TRACES, name), "250ms..700ms", ["18", "19"])
        without(tap, os.path.join(TRACES, name), "gap:biggest")
    tap.done()


main()
