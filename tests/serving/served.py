"""A made server: turns of a loop on one thread, each with a label, launches and device work, as PyTorch's profiler writes them."""
import gzip
import json


class Served:
    """Times in us. `launch` begins at the thread's clock; device work runs in order on its stream, not before its launch."""

    def __init__(self, device=0, stream=7, pid=100, tid=100):
        self.events, self.corr, self.ids = [], 1, 0
        self.device, self.stream, self.pid, self.tid = device, stream, pid, tid
        self.clock, self.free = 1000.0, {}

    def put(self, cat, name, ts, dur, pid, tid, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "ts": round(ts, 3), "dur": round(dur, 3), "pid": pid, "tid": tid,
                            "args": args})

    def on(self, **place):
        """The same file, seen from another thread or device."""
        other = Served.__new__(Served)
        other.__dict__.update(self.__dict__)
        other.__dict__.update(place)
        return other

    def host(self, name, dur, cat="cpu_op"):
        self.put(cat, name, self.clock, dur, self.pid, self.tid)
        self.clock += dur

    def label(self, name, begin):
        self.put("user_annotation", name, begin, self.clock - begin, self.pid, self.tid)

    def launch(self, kernels, call="cudaLaunchKernel", call_us=5, stream=None, cat="kernel", after=0):
        """kernels: [(name, us)] or [(name, us, blocks)], without blocks 80, of None no grid; all of one call."""
        corr, self.corr = self.corr, self.corr + 1
        # several threads of one file share the numbers
        while any(e["args"].get("correlation") == corr for e in self.events):
            corr, self.corr = self.corr, self.corr + 1
        stream = self.stream if stream is None else stream
        self.put("cuda_runtime", call, self.clock, call_us, self.pid, self.tid, correlation=corr)
        at = max(self.clock + call_us + 2, self.free.get((self.device, stream), 0)) + after
        for name, us, *blocks in kernels:
            shape = {} if blocks == [None] else {"grid": [*(blocks or [80]), 1, 1], "block": [128, 1, 1]}
            self.put(cat, name, at, us, self.device, stream, device=self.device, stream=stream, correlation=corr, **shape)
            at += us
        self.free[self.device, stream] = at
        self.clock += call_us

    def graph(self, kernels, **more):
        self.launch(kernels, call="cudaGraphLaunch", **more)

    def fetch(self, us=3, wait=True):
        """The results come back to the host."""
        self.launch([("Memcpy DtoH (Device -> Pinned)", us)], call="cudaMemcpyAsync", cat="gpu_memcpy")
        if wait:
            end = self.free[self.device, self.stream]
            begin, self.clock = self.clock, max(self.clock, end) + 1
            self.put("cuda_runtime", "cudaStreamSynchronize", begin, self.clock - begin, self.pid, self.tid)

    def write(self, path, **device):
        with gzip.open(path, "wt", compresslevel=1) as f:
            json.dump({"schemaVersion": 1, "deviceProperties": [{"id": self.device, "name": "NVIDIA H100 80GB HBM3",
                                                                "totalGlobalMem": 85000000000, "numSms": 132, **device}],
                       "displayTimeUnit": "ms", "traceEvents": self.events}, f)
        return path
