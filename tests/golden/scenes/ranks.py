"""Made-up jobs of several ranks: one Kineto file for each, with known lateness, clocks, groups and bytes.

A job is a list of steps; a step is a list of items that every rank runs one after another on its GPU:
    ("compute", ms[, name])           kernels
    ("wait", ms)                      the host waits for its DataLoader, the GPU idles
    ("host", ms[, name, category])    the host works, the GPU idles
    ("call", op, moving_ms, facts)    a collective: begins where the rank stands, ends on all ranks moving_ms after the last began
    ("send", from, to, moving_ms, facts)  both ends begin where they stand, and end moving_ms after the later one began
    ("under", ms, item)               compute of so many ms that begins with the item, on another stream
A number may be a dict by rank; `ranks` of facts says who takes part, `stream` where (20; compute runs on 7),
`within` what the host calls it from, `typed` the type in its kernel's name (f32), `lone` that the record names all ranks though only those call. Times are kept in ns."""
import json
import os

KERNEL = "ampere_sgemm_128x64_nn"
MS = 1_000_000
NCCL = {"AllReduce": "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "AllGather": "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "ReduceScatter": "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "AllToAll": "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
        "SendRecv": "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
        "Broadcast": "ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "Generic": "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)"}
RECORDED = {"AllReduce": "allreduce", "AllGather": "_allgather_base", "ReduceScatter": "_reduce_scatter_base",
            "SendRecv": "send", "AllToAll": "all_to_allv", "Broadcast": "broadcast"}


def of(value, rank):
    return value.get(rank, value.get("else", 0)) if isinstance(value, dict) else value


def ns(ms):
    return round(ms * MS)


class Rank:
    def __init__(self, rank, size):
        self.rank, self.size, self.events, self.correlation = rank, size, [], 0

    def add(self, name, cat, at, dur, tid, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": self.rank if cat in ("kernel",) else 1000 + self.rank,
                            "tid": tid, "_at": at, "_dur": dur, "args": args})

    def device(self, name, at, dur, stream, launched_at, **args):
        self.correlation += 1
        self.add("cudaLaunchKernel", "cuda_runtime", launched_at, 2000, 1, correlation=self.correlation, cbid=211)
        self.add(name, "kernel", at, dur, stream, device=self.rank, stream=stream, correlation=self.correlation, context=1,
                 grid=[64, 1, 1], block=[256, 1, 1], **args)

    def write(self, folder, offset, drift_ppm, skip_steps=0, named=True):
        def clock(t):
            return t + offset + round((t * drift_ppm) / 1e6)
        out = []
        for e in self.events:
            e = dict(e)
            a, b = clock(e.pop("_at")), 0
            b = clock(e["args"].pop("_end")) if "_end" in e["args"] else a + e.pop("_dur")
            e.pop("_dur", None)
            e["ts"], e["dur"] = f"@{a // 1000}.{a % 1000:03d}@", f"@{(b - a) // 1000}.{(b - a) % 1000:03d}@"
            out.append(e)
        doc = {"schemaVersion": 1, "baseTimeNanoseconds": 0, "traceEvents": out,
               "deviceProperties": [{"id": i, "name": "NVIDIA A100", "computeMajor": 8, "computeMinor": 0, "numSms": 108}
                                    for i in range(self.size)]}
        if named:
            doc["distributedInfo"] = {"backend": "nccl", "rank": self.rank, "world_size": self.size}
        text = json.dumps(doc).replace('"@', "").replace('@"', "")
        with open(os.path.join(folder, f"rank{self.rank}.json"), "w", encoding="ascii") as f:
            f.write(text)


def make(folder, size, steps, recorded=True, seq=True, offsets=None, drifts=None, marks=True, ranks=None, begin=None):
    """Writes rank*.json; returns the calls as [(op, {rank: (start, end)})] on the true clock. begin: ms before the first step."""
    os.makedirs(folder, exist_ok=True)
    job = [Rank(r, size) for r in range(size)]
    at = {r: 1_000_000_000_000 + ns(of(begin or 0, r)) for r in range(size)}
    calls, numbers = [], {}
    for number, items in enumerate(steps):
        began = dict(at)
        for item in items:
            run(job, at, item, calls, numbers, recorded, seq)
        for r in range(size):
            if marks:
                job[r].add(f"ProfilerStep#{number}", "user_annotation", began[r] - 8_000, at[r] - began[r] + 8_000, 1)
            at[r] += 10_000
    for r in ranks if ranks is not None else range(size):
        job[r].write(folder, ns(of(offsets or 0, r)), of(drifts or 0, r))
    return calls


def run(job, at, item, calls, numbers, recorded, seq):
    kind = item[0]
    if kind == "under":
        start = dict(at)
        run(job, at, item[2], calls, numbers, recorded, seq)
        for r, rank in enumerate(job):
            rank.device(KERNEL, start[r], ns(of(item[1], r)), 7, start[r] - 5000)
    elif kind == "send":
        send(job, at, *item[1:4], item[4] if len(item) > 4 else {}, calls, recorded)
    elif kind == "call":
        collective(job, at, item[1], item[2], item[3] if len(item) > 3 else {}, calls, numbers, recorded, seq)
    else:
        for r, rank in enumerate(job):
            dur = ns(of(item[1], r))
            if not dur:
                continue
            if kind == "compute":
                rank.device(item[2] if len(item) > 2 else KERNEL, at[r], dur, 7, at[r] - 5000)
            else:
                name, cat = (("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "user_annotation") if kind == "wait"
                             else item[2:] or ("aten::item_of_mine", "cpu_op"))
                rank.add(name, cat, at[r], dur - 10_000, 1)
            at[r] += dur


def listed(ranks):
    """As PyTorch writes them: 30 at most."""
    return str(ranks) if len(ranks) <= 30 else str(ranks[:30])[:-1] + ", ...]"


def collective(job, at, op, moving, facts, calls, numbers, recorded, seq):
    members = facts.get("ranks", list(range(len(job))))
    told = list(range(len(job))) if facts.get("lone") else members
    desc, group = facts.get("desc", "default_pg"), facts.get("group", "0")
    end = max(at[r] for r in members) + ns(moving)
    number = numbers[(group, tuple(told))] = numbers.get((group, tuple(told)), -1) + 1
    calls.append((op, {r: (at[r], end) for r in members}))
    for r in members:
        args = {}
        if recorded:
            items = of(facts.get("items", 1000), r)
            args = {"Collective name": RECORDED[op], "In msg nelems": items, "Out msg nelems": of(facts.get("out", items), r),
                    "In split size": str(of(facts.get("split", "[]"), r)), "Out split size": "[]", "Group size": len(told), "dtype": facts.get("dtype", "Float"), "Process Group Name": group,
                    "Process Group Description": desc, "Process Group Ranks": listed(told)}
            if seq:
                args["Seq"] = number
        if "within" in facts:
            job[r].add(facts["within"], "cpu_op", at[r] - 6000, 5000, 1)
        job[r].device(NCCL[op].replace("f32", facts.get("typed", "f32")), at[r], end - at[r], facts.get("stream", 20), at[r] - 5000, _end=end, **args)
        at[r] = end


def send(job, at, source, target, moving, facts, calls, recorded):
    end = max(at[source], at[target]) + ns(moving)
    calls.append(("Send", {r: (at[r], end) for r in (source, target)}))
    members = facts.get("ranks", list(range(len(job))))
    for r, word, key, other in ((source, "send", "Dst Rank", target), (target, "recv", "Src Rank", source)):
        args = {}
        if recorded:
            items = facts.get("items", 1000)
            args = {"Collective name": word, "In msg nelems": items, "Out msg nelems": items, "Group size": len(members),
                    "dtype": facts.get("dtype", "Float"), "Process Group Name": facts.get("group", "0"),
                    "Process Group Description": facts.get("desc", "default_pg"), "Process Group Ranks": listed(members),
                    key: members.index(other)}
        else:
            arrow = f"{word} {r}->{other}" if word == "send" else f"{word} {r}<-{other}"
            job[r].add(f"nccl:{arrow}", "user_annotation", at[r] - 6000, 4000, 1)
        job[r].device(NCCL["SendRecv"], at[r], end - at[r], facts.get("stream", 20), at[r] - 5000, _end=end, **args)
        at[r] = end
