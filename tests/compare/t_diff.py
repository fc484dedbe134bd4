#!/usr/bin/env python3
"""`stepscope diff`: the step's change and where it comes from, what is matched with what, and gates that know what they can tell.
Pairs of made traces with known answers, real traces against each other, and repetitions with noise."""
import gzip
import itertools
import json
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../golden/scenes")]
import specs
from harness import TRACES, Tap, corpus, need_program, number, scratch, stepscope, table
from scene import MS

US = 1000


def write(spec, name, form="json"):
    path = scratch(name + (".xplane.pb" if form == "xspace" else ".json.gz"))
    (spec.write_xspace if form == "xspace" else spec.write_chrome)(path)
    return path


def diff(*args):
    run = stepscope("diff", *args, "--format", "json")
    if run.status not in (0, 1, 4):
        raise RuntimeError(run.told())
    return json.loads(run.out)


def rows(result, name):
    for t in result["tables"]:
        if t["name"] == name:
            names = [c["name"] for c in t["columns"]]
            return [dict(zip(names, row)) for row in t["rows"]]
    return []


# ---- a made training run: one device, steps of some kernels, as PyTorch's profiler writes them ----------------------------------

class Run:
    """ops: (op, kernel, us, shape) in order; wait_us before each step; noise: relative, of each step's length."""

    def __init__(self, ops, steps=8, wait_us=0, noise=0.0, seed=1, device="Tesla V100-SXM2-16GB", gap_us=0, rank=None):
        self.ops, self.steps, self.wait, self.noise, self.device, self.gap = ops, steps, wait_us, noise, device, gap_us
        self.rank = rank
        self.random = random.Random(seed)

    def write(self, name):
        events, at, corr, ext = [], 1000.0, 1, 1

        def put(kind, what, ts, dur, pid, tid, **args):
            events.append({"ph": "X", "cat": kind, "name": what, "ts": round(ts, 3), "dur": round(dur, 3), "pid": pid, "tid": tid,
                           "args": args})

        for step in range(self.steps):
            begin = at
            if self.wait:
                put("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at, self.wait, 1, 1)
                at += self.wait
            stretch = 1 + self.noise * self.random.gauss(0, 1)
            launch, device = at, at + 10
            for op, kernel, us, shape in self.ops:
                tied = {"External id": ext} if op else {}
                if op:
                    put("cpu_op", op, launch, 4, 1, 1, **tied, **{"Input Dims": shape or []})
                put("cuda_runtime", "cudaLaunchKernel", launch + 1, 2, 1, 1, correlation=corr, **tied)
                put("kernel", kernel, device, us * stretch, 0, 7, correlation=corr, device=0, stream=7, **tied)
                launch, device = launch + 5, device + us * stretch
                corr, ext = corr + 1, ext + 1
            at = max(launch, device) + self.gap
            put("user_annotation", f"ProfilerStep#{step}", begin, at - begin, 1, 1)
        path = scratch(name + ".json.gz")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        told = {} if self.rank is None else {"distributedInfo": {"backend": "nccl", "rank": self.rank, "world_size": 2}}
        body = {**told, "schemaVersion": 1, "deviceProperties": [{"id": 0, "name": self.device, "computeMajor": 7, "computeMinor": 0,
                                                          "numSms": 80, "totalGlobalMem": 16 << 30}], "traceEvents": events}
        with gzip.GzipFile(path, "wb", compresslevel=1, mtime=0) as f:
            f.write(json.dumps(body).encode())
        return path


MODEL = [("aten::conv2d", "volta_scudnn_128x64_relu_nn_v1", 400, [[32, 3, 224, 224], [64, 3, 7, 7]]),
         ("aten::batch_norm", "bn_fw_tr_1C11_kernel_NCHW<float>", 100, [[32, 64, 112, 112]]),
         ("aten::relu", "vectorized_elementwise_kernel<4, relu>", 60, [[32, 64, 112, 112]]),
         ("aten::addmm", "volta_sgemm_128x64_tn", 240, [[32, 512], [512, 1000]])]


def changed(at, **what):
    """MODEL with one op changed: op, kernel, us, shape."""
    order = ("op", "kernel", "us", "shape")
    return [tuple(what.get(k, v) for k, v in zip(order, row)) if i == at else row for i, row in enumerate(MODEL)]


def step_us(ops, **more):
    return sum(row[2] for row in ops) + 10 + more.get("wait_us", 0) + more.get("gap_us", 0)


def expect(result, change_us, part=None, match=None):
    """None where the step changes by so much, all of it in `part`, and these kernels are matched so; else what is wrong."""
    change = result["change"]
    got = change["change_ns"] / US
    if abs(got - change_us) > 0.01:
        return f"change of {got} us, not {change_us}"
    parts = {p["part"]: p["change_ns"] / US for p in change["parts"]}
    if part and abs(parts[part] - change_us) > 0.01:
        return f"{part} changes by {parts[part]}, not {change_us}: {parts}"
    for key, value in (match or {}).items():
        found = [r["match"] for r in rows(result, "kernels") if r["name"] == key or r["op"] == key]
        if value not in found:
            return f"{key} is matched as {found}, not {value}"
    return None


def against(tap, base, name, what, run, check):
    """`check` finds nothing wrong in what diff says of the base and this run."""
    result = diff(base, run.write(name))
    try:
        problem = check(result)
    except (KeyError, IndexError, TypeError) as e:
        problem = repr(e)
    tap.ok(not problem, f"pair: {what}", f"{problem}\n{json.dumps({k: result[k] for k in ('verdict', 'not_the_same', 'change')})[:1500]}")


def other_work(tap, base):
    """Ops and kernels that are slower, others, gone, new, or called otherwise."""
    against(tap, base, "slower", "one op slower", Run(changed(3, us=340)), lambda r: expect(r, 100, "device_compute") or
            (None if rows(r, "kernels")[0]["name"] == "volta_sgemm_128x64_tn" and rows(r, "kernels")[0]["total_change_ns"] == 100 * US
             else rows(r, "kernels")[0]))
    against(tap, base, "replaced", "one kernel replaced by another of the same op", Run(changed(3, kernel="cutlass_80_tensorop_s16816gemm", us=80)),
            lambda r: expect(r, -160, "device_compute", {"aten::addmm": "replaced"}))
    against(tap, base, "renamed", "kernels that differ in tile sizes are the same",
            Run(changed(0, kernel="volta_scudnn_256x128_relu_nn_v1")), lambda r: expect(r, 0, None, {"aten::conv2d": "other numbers"}))
    against(tap, base, "hashed", "a hash in a name is no other kernel", Run(changed(2, kernel="vectorized_elementwise_kernel<8, relu>")),
            lambda r: expect(r, 0, None, {"aten::relu": "other numbers"}))
    against(tap, base, "fused", "a chain made one kernel", Run([MODEL[0], ("aten::_fused_bn_relu", "bn_relu_fused", 110, None), MODEL[3]]),
            lambda r: expect(r, -50, "device_compute", {"aten::_fused_bn_relu": "only B", "aten::relu": "only A"}))
    against(tap, base, "dropped", "an op that is gone", Run(MODEL[:2] + MODEL[3:]), lambda r: expect(r, -60, "device_compute", {"aten::relu": "only A"}))
    against(tap, base, "added", "an op that is new", Run(MODEL + [("aten::clone", "copy_kernel", 30, None)]),
            lambda r: expect(r, 30, "device_compute", {"aten::clone": "only B"}))
    against(tap, base, "triton", "kernels that a compiler named by a hash", Run(changed(1, kernel="triton_poi_fused_bn_9c3a77f01b")), lambda r: expect(
        r, 0, None, {"aten::batch_norm": "replaced"}))
    hashed = Run(changed(1, kernel="triton_poi_fused_bn_9c3a77f01b")).write("hashed_a"), Run(changed(1, kernel="triton_poi_fused_bn_1f20ab44de")).write("hashed_b")
    kernels = {r["op"]: r["match"] for r in rows(diff(*hashed), "kernels")}
    tap.equal(kernels["aten::batch_norm"], "other numbers", "pair: another hash in a name is no other kernel")
    against(tap, base, "order", "the same ops in another order", Run([MODEL[1], MODEL[0], *MODEL[2:]]), lambda r: expect(r, 0) or (
        None if all(k["total_change_ns"] == 0 for k in rows(r, "kernels")) else rows(r, "kernels")))


def other_runs(tap, base):
    """What changes beside the work: waiting, length, batch, device, noise."""
    against(tap, base, "waiting", "input that comes late", Run(MODEL, wait_us=500), lambda r: expect(r, 500, "input_wait") or
            (None if any(f["change"] == "new" and f["rule"] == "input-bound" for f in r["findings"]) else "no new finding input-bound"))
    against(tap, base, "gap", "time in which nothing is recorded", Run(MODEL, gap_us=700), lambda r: expect(r, 700, "other"))
    against(tap, base, "longer", "twice as many steps are the same steps", Run(MODEL, steps=16), lambda r: expect(r, 0) or
            (None if all(k["total_change_ns"] == 0 for k in rows(r, "kernels")) else rows(r, "kernels")))
    doubled = [(op, k, 2 * us, [[2 * d if d == 32 else d for d in dims] for dims in shape]) for op, k, us, shape in MODEL]
    against(tap, base, "doubled", "twice the batch is told, and time per sample", Run(doubled), lambda r: expect(r, 800, "device_compute") or
            (None if {"what": "batch", "a": "32", "b": "64"} in r["not_the_same"] else r["not_the_same"]))
    against(tap, base, "device", "another device is told", Run(MODEL, device="NVIDIA A100-SXM4-40GB"), lambda r: expect(r, 0) or
            (None if {"what": "device", "a": "Tesla V100-SXM2-16GB", "b": "NVIDIA A100-SXM4-40GB"} in r["not_the_same"] else r["not_the_same"]))
    against(tap, base, "one_shape", "one op of another shape is no other batch", Run(changed(2, shape=[[48, 64, 112, 112]])),
            lambda r: expect(r, 0) or (None if not any(w["what"] == "batch" for w in r["not_the_same"]) else r["not_the_same"]))
    against(tap, base, "noise", "noise alone is told as noise", Run(MODEL, noise=0.02, seed=7),
            lambda r: None if r["noise"] and "noise" in r["noise"] else f"noise: {r['noise']}")
    irregular = Run(MODEL, noise=0.0)
    irregular.noise, irregular.random = 0.9, random.Random(3)
    against(tap, base, "irregular", "irregular steps are compared by their medians", irregular,
            lambda r: None if r["change"]["of"] == "median_step" else r["change"]["of"])
    late, soon = Run(MODEL, gap_us=700).write("gap_before"), base
    gone = diff(late, soon)
    tap.equal({p["part"]: p["change_ns"] for p in gone["change"]["parts"] if p["change_ns"]}, {"other": -700 * US}, "pair: a gap that is gone")
    halved = [(op, k, us / 2, [[d // 2 if d == 32 else d for d in dims] for dims in shape]) for op, k, us, shape in MODEL]
    against(tap, base, "halved", "half the batch in half the time is no gain", Run(halved), lambda r: expect(r, -400, "device_compute") or (
        None if {"what": "batch", "a": "32", "b": "16"} in r["not_the_same"] else r["not_the_same"]))
    against(tap, base, "same", "the same run", Run(MODEL), lambda r: expect(r, 0) or (None if not any(
        p["change_ns"] for p in r["change"]["parts"]) else "a part changes"))


def pairs(tap):
    base = Run(MODEL).write("base")
    other_work(tap, base)
    other_runs(tap, base)


def sequences(tap):
    """The kernels of one step in their order: what was put in, left out, replaced, made one."""
    keys = ("change", "kernels_a", "kernels_b", "count", "total_a_ns", "total_b_ns")
    names = [(None, kernel, us, None) for _, kernel, us, _ in MODEL]  # without ops: the order alone tells
    layers = names * 6

    def check(what, before, after, expected, also=None):
        result = diff(Run(before).write("sequence_a"), Run(after).write("sequence_b"))
        got = [tuple(r[k] for k in keys) for r in rows(result, "kernel_sequence")]
        problem = also(result) if also and got == expected else None
        tap.ok(got == expected and not problem, f"sequence: {what}", f"{got}\n{expected}\n{problem}")

    conv, norm, relu, gemm = (row[1] for row in MODEL)
    check("the same kernels", layers, layers, [])
    check("a chain made one, in every layer", layers, [names[0], (None, "bn_relu", 110, None), names[3]] * 6,
          [("fused", f"{norm} + {relu}", "bn_relu", 6, 960 * US, 660 * US)])
    check("one made a chain", [names[0], (None, "bn_relu", 110, None), names[3]] * 6, layers,
          [("split", "bn_relu", f"{norm} + {relu}", 6, 660 * US, 960 * US)])
    check("a kernel left out", layers, [row for row in layers if row[1] != relu], [("removed", relu, None, 6, 360 * US, 0)])
    check("a kernel put in, in one layer", layers, layers[:9] + [(None, "copy_kernel", 30, None)] + layers[9:], [("inserted", None, "copy_kernel", 1, 0, 30 * US)])
    check("another kernel in its place, without an op to tell it", layers, [(None, "winner_conv", 250, None) if row[1] == conv else row for row in layers],
          [("replaced", conv, "winner_conv", 6, 2400 * US, 1500 * US)],
          lambda r: None if {k["name"]: k["match"] for k in rows(r, "kernels")}[conv] == "replaced" else rows(r, "kernels"))
    check("kernels that changed places", layers, [layers[1], layers[0], *layers[2:]], [])
    check("tile sizes and hashes", layers, [(op, k.replace("128", "256"), us, s) for op, k, us, s in layers], [])
    check("n by m", layers, [names[0], (None, "one", 50, None), (None, "two", 60, None)] * 6, [
        ("rewritten", f"{norm} + {relu} + {gemm}", "one + two", 6, 2400 * US, 660 * US)])
    text = stepscope("diff", Run(layers).write("sequence_a"), Run([names[0], (None, "bn_relu", 110, None), names[3]] * 6).write("sequence_b")).out
    tap.ok("Kernels of one step in their order: 24 kernels -> 18, 12 of them as before" in text and "fused, 2 by 1, 6 x" in text, "sequence: in the text", text[-900:])


def ranks(tap):
    """Two ranks, one slower than the other: files in another order, and ranks that have changed places."""
    slow = changed(3, us=340)

    def folder(name, files):
        return os.path.dirname([Run(ops, rank=rank).write(f"{name}/{file}") for file, rank, ops in files][0])

    a = folder("ranks_a", [("host0", 0, MODEL), ("host1", 1, slow)])
    for name, what, files in (("ranks_files", "files of ranks in another order", [("host1", 0, MODEL), ("host0", 1, slow)]),
                              ("ranks_swapped", "ranks that have changed places", [("host0", 1, MODEL), ("host1", 0, slow)])):
        result = diff(a, folder(name, files))
        moved = [r for r in rows(result, "kernels") if r["total_change_ns"]]
        tap.ok(result["change"]["change_ns"] == 0 and not moved and result["a"]["devices"] == 2 and not result["not_the_same"],
               f"pair: {what} are the same run", (result["verdict"], moved, result["not_the_same"]))


def real_changes(tap):
    """Two programs recorded before and after a change: tests/traces/README.md says what an expert reads there."""
    own = os.path.join(HERE, "..", "traces", "changes")
    torch = diff(os.path.join(own, "torch-before.json.gz"), os.path.join(own, "torch-after.json.gz"))
    parts = {p["part"]: p for p in torch["change"]["parts"]}
    tap.ok(parts["input_wait"]["change_ns"] < -3.9 * MS and parts["input_wait"]["b_ns"] < 0.6 * MS and -22 < torch["change"]["change_pct"] < -21,
           "PyTorch, samples inflated before the loop: the wait for input is gone", torch["verdict"])
    told = {f["rule"]: f["change"] for f in torch["findings"]}
    tap.equal(told, {"input-bound": "better", "other": "stays"},
              "and the same unexplained time in a shorter step is not worse, though it is a larger share")
    back = diff(os.path.join(own, "torch-after.json.gz"), os.path.join(own, "torch-before.json.gz"))
    tap.equal({f["rule"]: f["change"] for f in back["findings"]}, {"input-bound": "worse", "other": "stays"},
              "nor in a longer step better, though it is a smaller one")
    jax = diff(os.path.join(own, "jax-before.xplane.pb"), os.path.join(own, "jax-after.xplane.pb"))
    parts = {p["part"]: p for p in jax["change"]["parts"]}
    tap.ok(parts["compilation"]["a_ns"] > 400 * MS and parts["compilation"]["b_ns"] == 0 and jax["change"]["of"] == "median_step" and
           [(f["rule"], f["change"]) for f in jax["findings"]] == [("recompilation", "gone")],
           "JAX, batches padded to one length: nothing is compiled again", (jax["verdict"], jax["findings"]))
    tap.ok("how small a change" in jax["noise"], "irregular steps: that their noise is not known is said", jax["noise"])


# ---- the guide's scenes ---------------------------------------------------------------------------------------------------------

def scenes(tap):
    for form in ("json", "xspace"):
        a, b = write(specs.input_bound(), "scene4a", form), write(specs.synthetic_input(), "scene4b", form)
        result = diff(a, b)
        tap.equal((result["change"]["a_ns"], result["change"]["b_ns"], round(result["change"]["change_pct"], 1)),
                  (200 * MS, 118 * MS, -41.0), f"scene 4 ({form}): 200.0 -> 118.0 ms, -41.0 %")
        parts = {p["part"]: p["change_ns"] for p in result["change"]["parts"] if p["change_ns"]}
        # the first launch of A hides 5 us under the wait for input; without it they show
        tap.equal(parts, {"input_wait": -82 * MS, "kernel_launch": 5 * US, "input_copies": -5 * US}, f"scene 4 ({form}): it is input wait")
        tap.ok(any(f["rule"] == "input-bound" and f["change"] in ("gone", "better") for f in result["findings"]),
               f"scene 4 ({form}): the finding is gone or better", json.dumps(result["findings"])[:900])
        for words, args in (("text", []), ("Markdown", ["--format", "md"])):
            run = stepscope("diff", a, b, *args)
            tap.ok(run.status == 0 and "step 200.000 ms -> 118.000 ms (-41.0 %): input wait -82.000 ms" in run.out.replace("\u2192", "->"),
                   f"scene 4 ({form}): the verdict in {words}", run.told())
        page = scratch(f"change-{form}.html")
        run = stepscope("diff", a, b, "-o", page)
        text = open(page).read() if run.status == 0 else ""
        tap.ok("step 200.000 ms \u2192 118.000 ms (-41.0 %): input wait -82.000 ms" in text and "//" not in re.sub(r"http://www.w3.org/\S+", "", text.split("<body>")[-1].split("<script>")[0])
               and text.count("<svg") == 3, f"scene 4 ({form}): the page says it, with three pictures and nothing from elsewhere", run.told())
        heads = re.findall(r'<th scope="col"[^>]* data-c="([^"]*)"', text.partition('data-t="advice"')[2].partition("</thead>")[0])
        tap.equal(heads, ["title", "followed", "sentence", "brought_ns", "advice"], f"scene 4 ({form}): of what was advised as much as has room")
        tap.equal(stepscope("diff", a, b, "-o", page).status, 5, f"scene 4 ({form}): a page is not written over")
        c, d = write(specs.one_gpu(), "scene10c", form), write(specs.all_reduce(), "scene10a", form)
        text = stepscope("diff", c, d).out
        tap.ok("1 device -> 2: 1.54 x the work per second, 77.0 % of linear" in text, f"scene 10 C -> A ({form})", text[:900])
        tap.ok("a step takes 23.000 ms longer: communication 20.000 ms, waiting for late devices 0 ns, waits for input and copies to devices 0 ns, everything else 3.000 ms; "
               "the busiest device computes 1.00 x the mean" in text, f"scene 10 C -> A ({form}): where the rest of linear went", text[:900])
        parts = {p["part"]: p["change_ns"] for p in diff(c, d)["change"]["parts"] if p["change_ns"]}
        tap.equal(parts.get("collectives"), 20 * MS, f"scene 10 C -> A ({form}): 20 ms of it are collectives")


def advice(tap):
    "Of advice given for the run before: was it done, and what did it bring."
    def told(a, b):
        return {r["rule"]: r for r in rows(diff(a, b), "advice")}

    a, b = write(specs.input_bound(), "scene4a"), write(specs.synthetic_input(), "scene4b")
    got = told(a, b)
    best = got["input-best-case"]
    tap.ok((best["followed"], best["predicted_ns"], best["brought_ns"]) == ("followed", 118 * MS, -82 * MS) and best["sentence"].endswith(
        "at best a step of 118.000 ms was predicted, it is 118.000 ms: reached"), "advice: scene 4, synthetic data: the predicted best step is reached", best)
    tap.equal((got["input-bound"]["followed"], got["input-bound"]["brought_ns"]), ("followed", -82 * MS), "advice: scene 4, input: followed")
    half = told(a, write(specs.input_bound(wait=41), "scene4half"))
    tap.ok(half["input-bound"]["followed"] == "in part" and "the wait is not gone" in half["input-best-case"]["sentence"],
           "advice: half the wait is in part, and the best step is not claimed", half)
    same = told(a, a)
    tap.ok(not same and "the runs do not differ" in stepscope("diff", a, a).out, "a run beside itself: no difference, and no advice in between", same)
    full = Run(MODEL).write("amp_before")
    amp = Run(changed(3, kernel="volta_fp16_s884gemm_fp16_128x64_ldg8_f2f_nn", us=60)).write("amp_after")
    got = told(full, amp)
    tap.ok(got["precision-16bit"]["after"] > 9 and got["precision-16bit"]["brought_ns"] == -180 * US and "compute per step -180.000 us" in got["precision-16bit"]["sentence"],
           "advice: AMP: the 16-bit share, and what compute became", got.get("precision-16bit"))
    tap.ok(got["tensor-cores"]["before"] == 0 and got["tensor-cores"]["after"] > 9, "advice: AMP: Tensor Core time", got.get("tensor-cores"))
    point = [("aten::add", f"vectorized_elementwise_kernel<4, op{i}>", 20, None) for i in range(8)]
    loose = [MODEL[0], *[(op, k.replace("op", "op_" + "abcdefgh"[i] + "_"), us, s) for i, (op, k, us, s) in enumerate(point)], MODEL[3]]
    fused = [MODEL[0], ("aten::fused", "triton_poi_fused_all", 30, None), MODEL[3]]
    got = told(Run(loose).write("xla_before"), Run(fused).write("xla_after"))
    tap.ok("fusion" in got and (got["fusion"]["before"], got["fusion"]["after"]) == (10, 3) and "fused at 1 place of the step" in got["fusion"]["sentence"] and
           got["fusion"]["brought_ns"] == -130 * US, "advice: fusion: kernels of the step, and what it brought", got)
    run = stepscope("findings", a, "--vs", b)
    tap.ok(run.status == 1 and "followed      Without input: input wait 82.000 ms -> 0 ns" in run.out and "followed      Input pipeline: " in run.out,
           "findings --vs: in words; 1 while something stands", run.told())
    csv = stepscope("findings", a, "--vs", b, "--format", "csv", "--fail-on", "never")
    tap.ok(csv.status == 0 and csv.out.startswith("rule,title,followed,sentence,measure,before,after,brought_ns,predicted_ns,advice"), "findings --vs: as a table", csv.told())
    tap.equal(stepscope("findings", a, "--vs", b, "--explain", "idle").status, 2, "findings --vs and --explain do not go together")
    told_by = {r["change"] + " " + (r["a_sentence"] or r["b_sentence"]).split(":")[0] for r in diff(a, b)["findings"] if r["rule"] == "idle"}
    tap.equal(told_by, {"gone Input wait"}, "findings: idle time is compared cause by cause")


def more_tables(tap):
    """Tables whose rows have counterparts: gaps by what stands around them, parts, phases, memory; in diff and by themselves."""
    leak = os.path.join(HERE, "..", "traces", "torch-leak")
    a, b = os.path.join(leak, "leak.pt.trace.json.gz"), os.path.join(leak, "fixed.pt.trace.json.gz")
    peaks = table("memory", a, "--vs", b).rows
    tap.ok(peaks[0]["allocator"] == "cpu" and peaks[0]["peak_bytes_a"] - peaks[0]["peak_bytes_b"] == -peaks[0]["peak_bytes_change"] and
           peaks[0]["peak_bytes_change"] < -7 << 20, "a leak mended: the peak, as it is and not per step", peaks[0])
    tap.ok(any(r["peak_bytes_change"] == peaks[0]["peak_bytes_change"] for r in rows(diff(a, b), "memory")) and
           "Memory: the largest changes\n" in stepscope("diff", a, b).out, "and in diff")
    late, soon = Run(MODEL, gap_us=700).write("gap_before"), Run(MODEL).write("base")
    gaps = rows(diff(late, soon), "gap_groups")
    tap.ok(gaps and gaps[0]["place"] == "before every step" and gaps[0]["total_change_ns"] < -600 * US, "gaps by what stands around them", gaps[:2])
    parts = {r["part"]: r for r in table("step_parts", late, "--vs", soon).rows}
    tap.equal((parts["step"]["avg_a_ns"], parts["step"]["avg_b_ns"]), ((step_us(MODEL) + 700) * US, step_us(MODEL) * US), "step_parts --vs: means as they are")
    phases = table("phases", write(specs.all_reduce(), "ph_a"), "--vs", write(specs.one_gpu(), "ph_b")).rows
    tap.ok(all(r["match"] for r in phases), "phases --vs: of all steps together, per step", phases[:1])
    for name in re.findall(r"^  ([a-z_]+)  +\S", stepscope("table", "--help").out.split("Tables:")[1], re.M):
        every_table(tap, name)


def every_table(tap, name):
    """It has A and B beside each other, and nothing changes against itself; or a sentence says why not, and where else to look."""
    run = stepscope("table", name, base_of(), "--vs", base_of(), "--format", "json")
    if run.status == 2:
        why = run.err.split(f"rows of '{name}' have no counterparts in another run: ")[-1].strip()
        tap.ok(20 < len(why) < 120 and why != "(null)" and (name in ("hosts", "notes") or any(f in why for f in (" has ", " have ", "findings A"))),
               f"table {name} --vs: a sentence why not", run.err)
        return
    same = json.loads(run.out)
    names = [c["name"] for c in same["columns"]]
    changes = [i for i, c in enumerate(names) if c.endswith(("_change", "_change_ns"))]
    tap.ok(changes and not any(row[i] for row in same["rows"] for i in changes), f"table {name} --vs itself: A, B and no change", (names, same["rows"][:1]))


def base_of():
    return Run(MODEL).write("base")


# ---- rules that hold for any two traces -----------------------------------------------------------------------------------------

def check_sums(tap, name, result):
    change = result["change"]
    for side in ("a_ns", "b_ns", "change_ns"):
        if sum(p[side] for p in change["parts"]) != change[side] and change["of"] != "nothing":
            return tap.ok(False, name, f"{side}: parts add up to {sum(p[side] for p in change['parts'])}, not {change[side]}")
    return tap.ok(change["change_ns"] == change["b_ns"] - change["a_ns"], name, change)


def flipped(tap, name, ab, ba):
    a = {p["part"]: p["change_ns"] for p in ab["change"]["parts"]}
    b = {p["part"]: -p["change_ns"] for p in ba["change"]["parts"]}
    tables = all(sorted((r["match"] in ("only A", "only B"), round(r[key], 3)) for r in rows(ab, t)) ==
                 sorted((r["match"] in ("only A", "only B"), round(-r[key], 3)) for r in rows(ba, t))
                 for t, key in (("kernels", "total_change_ns"), ("ops", "total_self_time_change")))
    words = {"fused": "split", "split": "fused", "removed": "inserted", "inserted": "removed"}
    tables = tables and sorted((r["change"], r["count"], r["total_change_ns"]) for r in rows(ab, "kernel_sequence")) == \
        sorted((words.get(r["change"], r["change"]), r["count"], -r["total_change_ns"]) for r in rows(ba, "kernel_sequence"))
    tap.ok(a == b and ab["change"]["change_ns"] == -ba["change"]["change_ns"] and tables, name, (a, b, ab, ba))


def real_traces():
    """One path per trace: a folder of several files is one run."""
    found = {}
    for path in corpus():
        top = os.sep.join(path.split(os.sep)[:2])
        if path.startswith(("kineto", "xspace", "tf")) and os.path.getsize(os.path.join(TRACES, path)) < 8 << 20:
            found.setdefault(top, os.path.join(TRACES, top))
    return sorted(path for path in found.values() if stepscope("notes", path).status in (0, 4))


def any_two(tap):
    traces = real_traces()
    if not traces:
        return tap.skip("real traces against each other", "no ../shared/traces")
    for path in traces:
        name = os.path.basename(path)
        result = diff(path, path)
        zero = not any(p["change_ns"] for p in result["change"]["parts"]) and not any(
            r["total_change_ns"] for r in rows(result, "kernels"))
        tap.ok(zero and result["change"]["change_ns"] == 0 and not result["not_the_same"], f"{name}: against itself nothing changes")
        facts = {r["key"]: number(r["value"]) for r in table("overview", path).rows}
        key = {"mean_step": "step_mean_ns", "median_step": "step_median_ns"}.get(result["change"]["of"])
        if key:
            tap.ok(abs(result["change"]["a_ns"] - facts[key]) <= 1, f"{name}: its step is that of the overview",
                   (result["change"]["a_ns"], facts[key]))
    for a, b in zip(traces, traces[1:]):
        name = f"{os.path.basename(a)} and {os.path.basename(b)}"
        ab, ba = diff(a, b), diff(b, a)
        check_sums(tap, f"{name}: parts add up to the ns", ab)
        flipped(tap, f"{name}: the other way round is the negative", ab, ba)
    return None


# ---- gates ----------------------------------------------------------------------------------------------------------------------

def gate(*args, more=()):
    run = stepscope("diff", *args, *more, "--format", "json")
    result = json.loads(run.out)
    return run.status, [g["verdict"] for g in result["gates"]]


def gates(tap):
    base, slow = Run(MODEL).write("gate_base"), Run(changed(0, us=440)).write("gate_slow")
    tap.equal(gate(base, slow, "--gate", "step +3%"), (1, ["fails"]), "gate: +4.9 % is more than 3 %")
    tap.equal(gate(base, slow, "--gate", "step +8%"), (0, ["passes"]), "gate: and less than 8 %")
    tap.equal(gate(slow, base, "--gate", "step +3%"), (0, ["passes"]), "gate: faster passes")
    tap.equal(gate(slow, base, "--gate", "step -3%"), (1, ["fails"]), "gate: a limit downwards")
    tap.equal(gate(base, slow, "--gate", "step +30us", "--gate", "step +50us"), (1, ["fails", "passes"]), "gate: limits in time, several")
    tap.equal(gate(base, slow, "--gate", "kernels +1%"), (0, ["passes"]), "gate: a key of the overview")
    tap.equal(gate(base, Run(MODEL, wait_us=900).write("gate_wait"), "--gate", "input_pct +5", "--gate", "findings new"),
              (1, ["fails", "fails"]), "gate: points of a share, and new findings")
    one = Run(MODEL, steps=1).write("gate_one")
    tap.equal(gate(one, one, "--gate", "step +3%"), (1, ["cannot judge"]), "gate: one step has no spread")
    tap.equal(gate(one, one, "--gate", "step +3%", more=["--allow-unjudged"]), (0, ["cannot judge"]), "gate: which may be let pass")
    tap.equal(stepscope("diff", "--baseline", base, slow, "--gate", "step +3%").status, 1, "gate: a baseline is the run before")
    tap.equal(gate(base, slow, "--gate", "no_such_key +3%"), (1, ["cannot judge"]), "gate: a key that neither has")
    for key, said in (("no_such_key", "there is no key no_such_key; there are step, findings, "), ("stp", "there is no key stp, step is probably meant; "),
                      ("step_mean_n", "step_mean_ns is probably meant"), ("top_op_1", "top_op_1 is not known as a number in both runs")):
        run = stepscope("diff", base, slow, "--gate", f"{key} +3%")
        tap.ok(run.status == 1 and said in run.out, f"gate: {said}", run.told())
    listed = re.search(r"there are (.*?) and the other", stepscope("diff", base, slow, "--gate", "no_such_key +3%").out).group(1).split(", ")
    tap.ok(len(listed) > 9 and all(gate(base, slow, "--gate", f"{k} +1e15")[1] == ["passes"] for k in listed if k != "findings"), "gate: and can judge each of the keys that it lists", listed)
    for wrong in ("step", "step 3%", "step +x", "+3%", "step +3parsecs"):
        run = stepscope("diff", base, slow, "--gate", wrong)
        tap.ok(run.status == 2 and "--gate" in run.err, f"gate: '{wrong}' is refused before anything is read", run.told())
    # repetitions and noise
    names = itertools.count()

    def repeated(scale, seeds):
        ops = [(op, k, us * scale, s) for op, k, us, s in MODEL]
        return [Run(ops, steps=12, noise=0.01, seed=s).write(f"sim{next(names)}") for s in seeds]

    # how often gates are wrong is simulated in tests/unit/analysis/test_gate.c
    pool, slower = repeated(1.0, range(100, 108)), repeated(1.05, range(200, 204))
    tap.ok(all(gate(a, b, "--gate", "step +3%")[1] != ["fails"] for a, b in zip(pool, pool[1:])), "gate: runs without a change do not fail")
    tap.ok(all(gate(a, b, "--gate", "step +3%")[0] == 1 for a, b in zip(pool, slower)), "gate: runs that are 5 % slower do")
    tap.equal(gate(*pool[:4], "--vs", *pool[4:8], "--gate", "step +3%"), (0, ["passes"]), "gate: repetitions without a change")
    tap.equal(gate(*pool[:4], "--vs", *slower[:4], "--gate", "step +3%"), (1, ["fails"]), "gate: repetitions that are slower")


# ---- the command line -----------------------------------------------------------------------------------------------------------

def words(tap):
    base, slow = Run(MODEL).write("w_base"), Run(changed(3, us=340)).write("w_slow")
    for args, said in ((["diff", base], "two traces"), (["diff"], "wants a trace"), (["table", "events", base, "--vs", slow], "counterparts"),
                       (["diff", base, slow, "--format", "csv"], "text, json, md or html")):
        run = stepscope(*args)
        tap.ok(run.status == 2 and said in run.err, f"usage: {' '.join(os.path.basename(a) for a in args)}", run.told())
    steps = stepscope("diff", base, "--step", "2", "--vs-step", "5").out
    tap.ok("step:2" in steps and "step:5" in steps and "(+0.0 %)" in steps, "two steps of one run", steps[:600])
    t = table("kernels", base, "--vs", slow)
    first = t.rows[0]
    tap.ok(first["name"] == "volta_sgemm_128x64_tn" and first["total_a_ns"] == 240 * US and first["total_b_ns"] == 340 * US and
           abs(first["change_pct"] - 100 / 2.4) < 1e-6, "table kernels --vs: per step, the largest change first", first)
    facts = {r["key"]: r for r in table("overview", base, "--vs", slow).rows}
    tap.ok(facts["step_mean_ns"]["value_change"] == 100 * US, "table overview --vs", facts["step_mean_ns"])
    md = stepscope("diff", base, slow, "--format", "md").out
    for args in (["report", base, "--vs", slow], ["report", "--vs", slow, base]):
        run = stepscope(*args)
        tap.ok(run.status == 0 and run.out == md, f"{' '.join(os.path.basename(a) for a in args)}: the comparison as Markdown", run.told())
    several = diff(base, slow, base)
    tap.equal([r["change"]["change_ns"] for r in several], [100 * US, 0], "each further run is compared with the first")


def main():
    need_program()
    tap = Tap()
    pairs(tap)
    sequences(tap)
    ranks(tap)
    real_changes(tap)
    scenes(tap)
    advice(tap)
    more_tables(tap)
    words(tap)
    gates(tap)
    any_two(tap)
    tap.done()


main()
