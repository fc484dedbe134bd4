#!/usr/bin/env python3
"""What is advised fits what stands in the timeline: little training loops, each with one thing wrong, written as Kineto writes them."""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, need_program, table

GEMM = "sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_stage3_warpsize2x2x1_tensor16x8x16_kernel"
A100 = {"id": 0, "name": "NVIDIA A100-SXM4-80GB", "computeMajor": 8, "computeMinor": 0, "numSms": 108, "warpSize": 32}


class Loop:
    """Events in microseconds; `now` is where the current step begins."""

    def __init__(self):
        self.events, self.calls, self.now, self.steps = [], 0, 0, 0

    def host(self, name, at, dur, cat="cpu_op", **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": 100, "tid": 1, "ts": self.now + at, "dur": dur, "args": args})

    def device(self, cat, name, call, launch, at, dur, **args):
        self.calls += 1
        self.host(call[0], launch, call[1], "cuda_runtime", correlation=self.calls)
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": 0, "tid": 7, "ts": self.now + at, "dur": dur,
                            "args": {"correlation": self.calls, "device": 0, "stream": 7, **args}})

    def products(self, n, launch, at, dur, apart=0):
        """n products, launched every (apart or 40) us from `launch` on, the first of them runs from `at` on."""
        for i in range(n):
            begin = launch + i * (apart or 40)
            self.host("aten::mm", begin - 2, 12)
            self.device("kernel", GEMM, ("cudaLaunchKernel", 5), begin, at + i * max(apart, dur + 2), dur)

    def copy(self, kind, at, dur, size):
        """The calling thread waits for it, as for copies with pageable memory."""
        self.device("gpu_memcpy", f"Memcpy {kind}", ("cudaMemcpyAsync", dur + 20), at, at + 10, dur, bytes=size)

    def step(self, dur):
        self.host(f"ProfilerStep#{self.steps}", 0, dur, "user_annotation")
        self.steps += 1
        self.now += dur + 50


def checkpoints():
    x = Loop()
    for i in range(12):
        x.products(30, 100, 200, 1180)
        if i % 5 == 4:
            x.host("train.py(88): save_checkpoint", 37200, 90000, "python_function")
            x.host("torch/serialization.py(629): save", 37300, 89800, "python_function")
            for k in range(10):
                x.copy("DtoH (Device -> Pageable)", 37500 + k * 8900, 1500, 30_000_000)
        x.step(127500 if i % 5 == 4 else 37000)
    return x


def garbage():
    x = Loop()
    for _ in range(10):
        x.products(25, 300, 320, 380, 400)
        x.host("<built-in function collect>", 10500, 6000, "python_function")
        x.step(16600)
    return x


def python_alone():
    x = Loop()
    for _ in range(10):
        x.products(25, 300, 320, 380, 400)
        x.host("train.py(9): schedule", 10500, 6000, "python_function")
        x.step(16600)
    return x


def batches(fetch):
    """Pageable copies of 9 ms before the products; with a DataLoader or without."""
    x = Loop()
    for _ in range(10):
        if fetch:
            x.host(fetch, 5, 30, "user_annotation")
        x.copy("HtoD (Pageable -> Device)", 50, 9000, 200_000_000)
        x.products(25, 9100, 9200, 798)
        x.step(29300)
    return x


CASES = (  # what is wrong, the loop, the rule, what its advice says and what it must not say
    ("checkpoints between steps", checkpoints(), "idle", "Save checkpoints less often, or asynchronously", "Log and fetch"),
    ("checkpoints copied from the device", checkpoints(), "pageable-copies", "Copy into pinned tensors", "DataLoader"),
    ("garbage collected in each step", garbage(), "idle", "Collect garbage outside of the loop", "torch.compile"),
    ("Python between ops, no garbage", python_alone(), "idle", "torch.compile", "Collect garbage outside"),
    ("batches copied, nobody knows where from", batches(None), "pageable-copies", "tensor.pin_memory()", "DataLoader"),
    ("batches copied, from a DataLoader", batches("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"), "pageable-copies",
     "DataLoader(pin_memory=True)", "tensor.pin_memory()"),
)


def main():
    need_program()
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "loop.json")
        for what, loop, rule, says, not_this in CASES:
            with open(path, "w", encoding="utf-8") as f:
                json.dump({"schemaVersion": 1, "deviceProperties": [A100], "traceEvents": loop.events}, f)
            rows = [r for r in table("findings", path).rows if r["rule"] == rule and r["severity"] in ("warn", "fail")]
            advice = rows[0]["advice"] or "" if rows else "no finding"
            tap.ok(len(rows) == 1 and says in advice and not_this not in advice, f"{what}: {says}", advice)
            if rule == "idle":
                causes = [r for r in table("idle_causes", path).rows if r["advice"] == advice]
                tap.ok(len(causes) == 1, f"{what}: the table of causes says the same")
    tap.done()


main()
