"""Little training loops as Kineto writes them: one thread, one device, events in microseconds."""
import json

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

    def write(self, path):
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"schemaVersion": 1, "deviceProperties": [A100], "traceEvents": self.events}, f)
