"""Traces of allocations as PyTorch and TensorFlow write them, and what is asked of one and of its saved file. Run by t_memory.py."""
import json

import mkxspace
from harness import number, scratch, stepscope, table

MIB, GIB = 1 << 20, 1 << 30
CPU, CUDA, HIP = 0, 1, 6


class Torch:
    """A trace of PyTorch: times in us; totals are kept per device unless they are left out."""

    def __init__(self, totals=True, addresses=True, base=0, reserved=None, capacity=16 * GIB, devices=1):
        self.events, self.totals, self.addresses, self.reserved = [], totals, addresses, reserved
        self.used = {}
        self.base, self.next_addr = base, 4096
        self.head = {"deviceProperties": [{"id": i, "name": "GPU", "totalGlobalMem": capacity} for i in range(devices)]} if capacity else {}
        for i in range(devices if capacity else 0):  # work makes the device known
            self.event("kernel", "k", i, 1, pid=i, tid=7, device=i, stream=7)

    def event(self, cat, name, ts, dur, tid=1, pid=100, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args})

    def op(self, name, ts, dur, tid=1):
        self.event("cpu_op", name, ts, dur, tid)

    def step(self, n, ts, dur):
        self.event("user_annotation", f"ProfilerStep#{n}", ts, dur)

    def memory(self, ts, size, addr=0, device=0, kind=CUDA, tid=1, total=None, reserved=None):
        key = (kind, device)
        self.used[key] = self.used.get(key, self.base) + size
        args = {"Bytes": size, "Device Id": device if kind != CPU else -1, "Device Type": kind}
        if self.addresses:
            args["Addr"] = addr
        if self.totals:
            args["Total Allocated"] = self.used[key] if total is None else total
            args["Total Reserved"] = reserved if reserved is not None else self.reserved if self.reserved is not None else args["Total Allocated"]
        self.events.append({"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 100, "tid": tid, "ts": ts, "args": args})

    def block(self, ts, until, size, **how):
        """Given out at ts, taken back at `until` (None: never); gives its address."""
        self.next_addr += 512
        addr = self.next_addr
        self.memory(ts, size, addr, **how)
        if until is not None:
            self.later = getattr(self, "later", []) + [(until, -size, addr, how)]
        return addr

    def finish(self):
        """Frees in their order: totals follow from it."""
        for until, size, addr, how in sorted(getattr(self, "later", []), key=lambda x: x[0]):
            self.memory(until, size, addr, **how)
        if self.totals and getattr(self, "later", []):
            self.retotal()

    def retotal(self):
        used = {}
        for e in sorted((e for e in self.events if e["name"] == "[memory]"), key=lambda e: e["ts"]):
            key = e["args"]["Device Type"], e["args"]["Device Id"]
            used[key] = used.get(key, self.base) + e["args"]["Bytes"]
            e["args"]["Total Allocated"] = used[key]
            if self.reserved is None:
                e["args"]["Total Reserved"] = used[key]

    def write(self, path):
        self.finish()
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"schemaVersion": 1, **self.head, "traceEvents": self.events}, f)


class Tensor:
    """A trace of TensorFlow: one allocator's heap, state told after each event."""

    def __init__(self, capacity=16 * GIB, allocator="GPU_0_bfc", used=0):
        self.space = mkxspace.Space(hostnames=["h"])
        self.line = self.space.plane("/host:CPU").line(1, "python", timestamp_ns=1000)
        self.capacity, self.allocator, self.used, self.peak = capacity, allocator, used, used

    def memory(self, at_ns, size, addr, fragmentation=0.0, stack=0, **stats):
        self.used += size
        self.peak = max(self.peak, self.used)
        told = {"allocator_name": self.allocator, "bytes_allocated": self.used, "bytes_available": self.capacity - self.used - stack,
                "bytes_reserved": stack, "fragmentation": fragmentation, "peak_bytes_in_use": self.peak, "requested_bytes": abs(size),
                "allocation_bytes": abs(size), "addr": addr, **stats}
        self.line.event("MemoryAllocation" if size > 0 else "MemoryDeallocation", start_ns=at_ns, dur_ns=0, stats=told)

    def write(self, path):
        self.space.write(path)


class Case:
    def __init__(self, tap, name, trace, suffix=".json"):
        self.tap, self.name = tap, name
        self.path = scratch(name.replace(" ", "_") + (".xplane.pb" if isinstance(trace, Tensor) else suffix))
        trace.write(self.path)
        self.saved = self.path.rsplit(".", 1)[0] + ".stepscope"
        stepscope("pack", self.path, "--no-cache", "-o", self.saved, "--force", "--quiet")

    def rows(self, name, *args):
        rows = [[{k: number(v) for k, v in r.items()} for r in table(name, path, *args).rows] for path in (self.path, self.saved)]
        self.tap.equal(rows[1], rows[0], f"{self.name}: {' '.join((name, *args))}: the saved file says the same")
        return rows[0]

    def memory(self, at=0, **expected):
        row = self.rows("memory")[at]
        self.tap.equal({k: row[k] for k in expected}, expected, f"{self.name}: memory")
        return row

    def peak(self, expected, *args):
        got = {(r["allocator"], r["blocks_of"]): (r["blocks"], r["in_use_bytes"]) for r in self.rows("memory_peak", *args)}
        self.tap.equal(got, expected, f"{self.name}: in use at the peak {' '.join(args)}")

    def steps(self, column, expected):
        self.tap.equal([r[column] for r in self.rows("memory_steps")], expected, f"{self.name}: {column} of steps")

    def finding(self, rule, severity, *words, without=()):
        found = [r for r in table("findings", self.path).rows if r["rule"] == rule]
        state, said = (found[0]["severity"], found[0]["sentence"]) if found else (None, "")
        self.tap.ok(state == severity and all(w in said for w in words), f"{self.name}: {rule} is {severity}", f"{state}: {said}")

    def first(self):
        return table("findings", self.path).rows[0]["rule"]

    def is_(self, got, expected, what):
        self.tap.equal(got, expected, f"{self.name}: {what}")
