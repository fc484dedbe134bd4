#!/usr/bin/env python3
"""Every cause of idle time and rules with a threshold, on made-up traces at both sides of each edge: just below it says less, just above it
speaks. A spec is one step of 10 ms on one GPU, written as lines `track name from..to` in ms, repeated: see `trace`."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenes"))
from harness import Tap, need_program, scratch, stepscope
from scene import MS, US, Scene  # noqa: E402

STEPS, PERIOD = 8, 10.0
# track of a line: (cat, pid, tid)
TRACKS = {"op": ("cpu_op", 1, 1), "python": ("python_function", 1, 1), "call": ("cuda_runtime", 1, 1), "note": ("user_annotation", 1, 1),
          "kernel": ("kernel", 0, 7), "copy": ("gpu_memcpy", 0, 7)}
LINE = re.compile(r"(\w+) (.+) ([\d.]+)\.\.([\d.]+)$")


def events_of(spec, steps, marked, scale):
    """`kernel NAME a..b` and `copy NAME a..b` bring the call that launches them, 20 us before they begin, not before their step. Steps are marked from begin to
    end, or, with `marked`, only so far: what comes behind lies outside of them."""
    out, corr = [], 0
    us = 1000 * scale
    for step in range(steps):
        at = step * PERIOD * us
        out.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1, "ts": at, "dur": marked * us})
        for line in spec.strip().splitlines():
            track, name, a, b = LINE.match(line.strip()).groups()
            cat, pid, tid = TRACKS[track]
            ts, dur = at + float(a) * us, (float(b) - float(a)) * us
            e = {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": round(ts, 3), "dur": round(dur, 3)}
            if pid == 0:
                corr += 1
                e["args"] = {"correlation": corr, "device": 0, "stream": tid}
                launch = "cudaMemcpyAsync" if track == "copy" else "cudaLaunchKernel"
                out.append({"ph": "X", "cat": "cuda_runtime", "name": launch, "pid": 1, "tid": 1, "ts": round(max(ts - 20, at), 3), "dur": 10,
                            "args": {"correlation": corr}})
            out.append(e)
    return out


def trace(name, spec, steps=STEPS, marked=PERIOD, scale=1):
    path = scratch(name + ".json")
    whole = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "computeMajor": 9, "computeMinor": 0, "numSms": 132}],
             "traceEvents": events_of(spec, steps, marked, scale)}
    with open(path, "w", encoding="utf-8") as f:
        json.dump(whole, f)
    return path


def findings(path, rule, *words):
    run = stepscope("findings", path, *words, "--explain", rule, "--format", "json")
    return [f for f in json.loads(run.out)["findings"] if f["severity"]]


# ---- causes of idle time: a kernel, then an event of the cause until the next step's launch

NAMED, DIFFUSE = (2, 5, 20), (5, 10, 30)  # told, warns, fails
CAUSES = (  # cause, line of the event, edges in per cent, what else the trace has
    ("input wait", "note enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", NAMED, {}),
    ("allocator", "call cudaFree", NAMED, {}),
    ("compilation", "op nvrtcCompileProgram", NAMED, {}),
    ("loss scaling", "op aten::_amp_update_scale_", NAMED, {}),
    ("communication wait", "op gloo:all_reduce", NAMED, {}),
    ("copies", "call cudaMemcpyAsync", NAMED, {}),
    ("host work outside the graph", "op aten::sort", NAMED, {"outside": True, "scale": 10, "between": True, "far": True}),  # between: what lies behind the last step is no part of it
    ("host work outside the graph", "python $callback.py:815 _wrapped_callback", NAMED, {"between": True, "far": True}),
    ("Python overhead", "python train.py(10): log", DIFFUSE, {"scale": 0.27, "far": True}),
    ("host compute", "python train.py(10): log", DIFFUSE, {"scale": 10}),  # the interpreter does not stay in one frame for a millisecond
    ("host wait", "python <built-in method acquire of _thread.lock object at 0x7f>", NAMED[:2], {}),  # perhaps nobody asked: that never fails
    ("host compute", "op aten::sort", DIFFUSE, {"scale": 10}),  # ops of less than a millisecond are being handed over
    ("launch latency", "op aten::add", DIFFUSE, {"scale": 0.1}),
)
STATES = ("silent", "info", "warn", "fail")


def idle_spec(line, pct):
    """Idle for this share of the period, all of it in the event, but for 20 us around the launch."""
    end = PERIOD - pct * PERIOD / 100
    return end, f"kernel gemm 0.02..{end:.3f}\n{line} {end:.3f}..{PERIOD - 0.005:.3f}"


def said_of(path, cause):
    found = [f for f in findings(path, "idle") if cause.lower() in f["sentence"].split(":")[0].lower()]
    return (found[0]["severity"], found[0]["value"]) if found else ("silent", None)


def causes(tap):
    for cause, line, edges, more in CAUSES:
        for i, edge in enumerate(edges):
            by = 0.15 * edge + 0.3 if "far" in more else 0.7
            for side, pct, state in (("below", edge - by, STATES[i]), ("above", edge + by, STATES[i + 1])):
                end, spec = idle_spec(line, 100 * STEPS * pct / (100 * (STEPS - 1) + pct) if "between" in more else pct)
                path = trace(f"{cause}-{edge}-{side}".replace(" ", "_"), spec, marked=end if more.get("outside") else PERIOD,
                             scale=more.get("scale", 1))
                severity, value = said_of(path, cause)
                near = value is None or abs(value - edge) < 2 * by + 0.1
                tap.ok(severity == state and near, f"{cause}, {side} {edge} %: {state}", f"{severity}, {value}")


def launches_are_seen(tap):
    """Ops that any eager program has: their names say little, the launch that ends each idle time says it all."""
    said = [f["sentence"] for f in findings(trace("seen", idle_spec("op aten::add", 30)[1], scale=0.1), "idle")]
    tap.ok(any(s.startswith("Launch latency: GPU 0 idles") for s in said), "many short idle times are launch latency, not maybe", f"{said}")


# ---- rules with thresholds: lines of a step of 10 ms, {x}: what the edge is about

GEMM16, GEMM32 = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", "ampere_sgemm_128x64_tn"
ADD = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int)"
TRANSPOSE = "batched_transpose_32x32_half"
RULES = (  # rule, state below, state above, spec with {b}: where the first kernel ends, per cent of the period at the edge
    ("device-busy", "warn", "pass", f"kernel {GEMM16} 0.02..{{b}}", 46.67),  # of the span, which ends with the last kernel
    ("memory-bound", "silent", "info", f"kernel {ADD} 0.02..{{b}}\nkernel {GEMM16} {{b}}..9.0", 40 * 0.898),
    ("copying-kernels", "silent", "info", f"kernel {TRANSPOSE} 0.02..{{b}}\nkernel {GEMM16} {{b}}..9.0", 10 * 0.898),
    ("copying-kernels", "info", "warn", f"kernel {TRANSPOSE} 0.02..{{b}}\nkernel {GEMM16} {{b}}..9.0", 15 * 0.898),
    ("copying-kernels", "silent", "info", f"kernel {TRANSPOSE} 0.02..{{b}}\nkernel {GEMM16} 9.0..9.9", 5 * 0.988),
    ("precision-16bit", "warn", "pass", f"kernel {GEMM16} 0.02..{{b}}\nkernel {GEMM32} {{b}}..9.9", 10 * 0.988),
    ("tensor-cores", "pass", "warn", f"kernel {GEMM32} 0.02..{{b}}\nkernel {GEMM16} {{b}}..9.9", 10 * 0.988),
    ("output", "pass", "warn", f"copy Memcpy DtoH (Device -> Pageable) 0.02..{{b}}\nkernel {GEMM16} {{b}}..9.9", 5),
    ("output", "warn", "fail", f"copy Memcpy DtoH (Device -> Pageable) 0.02..{{b}}\nkernel {GEMM16} {{b}}..9.9", 20),
    ("collectives", "pass", "warn", f"kernel ncclDevKernel_AllReduce_Sum_f32_RING_LL 0.02..{{b}}\nkernel {GEMM16} {{b}}..9.9", 3),
    ("collectives", "warn", "fail", f"kernel ncclDevKernel_AllReduce_Sum_f32_RING_LL 0.02..{{b}}\nkernel {GEMM16} {{b}}..9.9", 15),
)


def worst(path, rule):
    severities = [f["severity"] for f in findings(path, rule)]
    return max(severities, key=("pass", "unknown", "info", "warn", "fail").index, default="silent")


def thresholds(tap):
    for rule, below, above, spec, edge in RULES:
        for side, pct, state in (("below", edge - 0.4, below), ("above", edge + 0.4, above)):
            path = trace(f"{rule}-{edge:.0f}-{side}", spec.format(b=f"{pct * PERIOD / 100 + 0.02:.3f}"))
            tap.equal(worst(path, rule), state, f"{rule}, {side} its edge: {state}")


# ---- sentences and counts

def counts(tap):
    busy = f"kernel {GEMM16} 0.02..9.9"
    for steps, state in ((3, "info"), (4, "silent")):
        tap.equal(worst(trace(f"steps-{steps}", busy, steps=steps), "few-steps"), state, f"few-steps: {steps} steps: {state}")
    busy = trace("all-busy", busy)
    tap.equal(worst(busy, "compute-bound"), "pass", "compute-bound: a device busy with products")
    tap.equal([f["severity"] for f in findings(busy, "all") if f["severity"] in ("warn", "fail")], [], "and nothing else warns")
    comms = findings(trace("one-rank", RULES[-1][3].format(b="2.0")), "collectives")[0]
    tap.ok("One rank alone cannot tell waiting for others from transfer" in (comms["advice"] or ""), "one rank of many", comms)
    ranges = [{"ph": "X", "cat": "cuda_profiler_range", "name": "__cuda_profiler_range_kernel", "pid": 0, "tid": 0, "ts": i * 10, "dur": 5,
               "args": {"sm__cycles_active.sum": 12345}} for i in range(3)]
    path = scratch("counters.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"schemaVersion": 1, "traceEvents": ranges}, f)
    said = findings(path, "device-busy")
    tap.ok(len(said) == 1 and said[0]["severity"] == "info" and "hardware counters by range" in said[0]["sentence"], "counters only", said)


def chain_trace(name, ops):
    """One step; each op (name, kernel, shape) launches a kernel of 1 ms, 1.02 ms after the one before."""
    out = [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#0", "pid": 1, "tid": 1, "ts": 0, "dur": 50_000}]
    for i, (op, kernel, shape) in enumerate(ops):
        out += [{"ph": "X", "cat": "cpu_op", "name": op, "pid": 1, "tid": 1, "ts": i * 100, "dur": 90,
                 "args": {"Input Dims": [shape, shape], "Input type": ["float", "float"]}},
                {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": i * 100 + 10, "dur": 10,
                 "args": {"correlation": i + 1}},
                {"ph": "X", "cat": "kernel", "name": kernel, "pid": 0, "tid": 7, "ts": 5000 + i * 1020, "dur": 1000,
                 "args": {"correlation": i + 1, "device": 0, "stream": 7}}]
    path = scratch(name + ".json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3"}], "traceEvents": out}, f)
    return path


def fusion_chains(tap):
    """What fusing saves at most: all but the longest kernel of each chain, by shapes and launch order."""
    add, mul = ("aten::add", ADD), ("aten::mul", ADD.replace("CUDAFunctor_add", "MulFunctor"))
    big, small = [1024, 1024], [512, 512]
    for name, ops, saved_ms in (
            ("one-kernel", [(*add, big)] * 4, 3),
            ("two-kernels", [(*add, big), (*mul, big)], 1),
            ("other-outputs", [(*add, big), (*mul, small)], 0),
            ("same-work-on-other-data", [(*add, big), (*mul, big)] * 3, 3)):
        found = findings(chain_trace("chain-" + name, ops), "fusion")[0]
        saved = next(x["value"] for x in found["inputs"] if x["name"] == "saved_ns")
        tap.equal(saved, saved_ms * 1_000_000, f"fusion, {name}: at most {saved_ms} ms")
        tap.ok("at most" in found["sentence"] and "if each run became one kernel" in found["sentence"], f"fusion, {name}: bound and assumption")


def what_waits(tap):
    """fp32 products, but the device waits for input two fifths of the time: precision comes second, and says so."""
    end, spec = idle_spec("note enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 40)
    waiting = trace("precision-waits", spec.replace("kernel gemm", f"kernel {GEMM32}"))
    said = findings(waiting, "all")
    late = next(f for f in said if f["rule"] == "precision-16bit")
    tap.ok(late["waits_for"] == "idle" and late["advice"].startswith("Once the device no longer waits for input, ") and late["advice"].split(", ")[1][0].islower(), "precision waits for input", late)
    order = [f["rule"] for f in said if f["severity"] in ("warn", "fail")]
    tap.ok(order.index("precision-16bit") > order.index("device-busy" if "device-busy" in order else "idle"), "and stands behind", order)
    alone = findings(trace("precision-alone", f"kernel {GEMM32} 0.02..9.9"), "precision-16bit")[0]
    tap.ok(alone["severity"] == "warn" and alone["waits_for"] is None, "where nothing waits, it waits for nothing", alone)


def transfer_waits(tap):
    """Device ops that only wait for a copy, at 2, 5 and 20 % of the time."""
    for edge, below, above in ((2, "silent", "info"), (5, "info", "warn"), (20, "warn", "fail")):
        for side, pct, state in (("below", edge - 0.4, below), ("above", edge + 0.4, above)):
            s, work = Scene(), int(pct * MS / 10)
            stream = s.stream(7, "Compute")
            for step in range(STEPS):
                at = step * 10 * MS
                s.marker(step, at, at + 10 * MS)
                s.kernel(stream, "copy-done.1", at + 20 * US, work, at + 5 * US, op="copy-done.1")
                s.kernel(stream, "fusion.2", at + 20 * US + work, 10 * MS - 20 * US - work, at + 12 * US, op="fusion.2")
            path = scratch(f"waits-{edge}-{side}.xplane.pb")
            s.write_xspace(path)
            tap.equal(worst(path, "transfer-waits"), state, f"transfer-waits, {side} {edge} %: {state}")
    s = Scene()  # of two devices one is never idle
    for gpu, part in ((0, 10), (1, 2)):
        for at in range(0, 40, 10):
            s.kernel(s.stream(7, "Compute", gpu), "copy-done.1", (1 + at) * MS, part * MS, 20 * US * (at + gpu + 1), op="copy-done.1", gpu=gpu)
    s.write_xspace(scratch("one-busy.xplane.pb"))
    said = findings(scratch("one-busy.xplane.pb"), "transfer-waits")[0]
    tap.ok(65 < said["value"] < 69, "the time of a device that is never idle counts, too", said)  # 48 of 72 ms


def main():
    need_program()
    tap = Tap()
    causes(tap)
    launches_are_seen(tap)
    thresholds(tap)
    counts(tap)
    what_waits(tap)
    fusion_chains(tap)
    transfer_waits(tap)
    tap.done()


main()
