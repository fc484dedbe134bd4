"""A made-up profile in exact nanoseconds, written as XSpace, as the Chrome trace that TensorFlow and JAX write
beside it, and as PyTorch's profiler does. The spec says what happens (marker, kernel, copy, host event); launches and correlation ids follow from it."""
import gzip
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import mkxspace  # noqa: E402
from mkxspace import Ref, Uint  # noqa: E402

MS, US = 1_000_000, 1_000
LAUNCH = 5 * US
BASE_NS = 1_000  # where the profiler's clock stands when the scene begins
HIDDEN = {"_r", "_pt", "_p", "_ct", "_c", "_a", "flops", "program_id", "symbol_id"}  # not in the JSON form
LAUNCH_CALLS = "launch calls"  # as Scene.without: the calls that launch, whatever they are called
HOST_PID, MAIN = 701, 1001


def ms(value):
    """Milliseconds as written in a scene ('42.1') to ns, exactly."""
    whole, _, fraction = str(value).partition(".")
    return int(whole) * MS + int((fraction + "000000")[:6])


dense = json.JSONEncoder(separators=(",", ":")).encode


class Event:
    __slots__ = ("name", "start", "dur", "stats")

    def __init__(self, name, start, dur, stats):
        self.name, self.start, self.dur, self.stats = name, start, dur, stats


class Lane:
    def __init__(self, id, name):
        self.id, self.name, self.events = id, name, []

    def add(self, name, start, dur, stats=()):
        self.events.append(Event(name, start, dur, dict(stats)))


class Gpu:
    def __init__(self, ordinal, stats):
        self.ordinal, self.stats, self.streams = ordinal, stats, {}


class Scene:
    def __init__(self):
        self.gpus, self.threads, self.next_corr = {}, {}, 1
        self.without = None  # a word: events whose name holds it are left out

    def gpu(self, ordinal=0, cc=(7, 0), name="Tesla V100-SXM2-16GB", memory=16 << 30):
        stats = {"device_vendor": "Nvidia", "gpu_device_name": name, "clock_rate": 1530000, "core_count": 80,
                 "memory_bandwidth": Uint(898048000000), "memory_size": Uint(memory), "compute_cap_major": cc[0],
                 "compute_cap_minor": cc[1]}
        return self.gpus.setdefault(ordinal, Gpu(ordinal, stats))

    def stream(self, id, types, gpu=0):
        return self.gpu(gpu).streams.setdefault(id, Lane(id, f"Stream #{id}({types})"))

    def thread(self, tid=MAIN, name="python"):
        return self.threads.setdefault(tid, Lane(tid, name))

    def host(self, name, start, end, thread=None, **stats):
        (thread or self.thread()).add(name, start, end - start, stats)

    def marker(self, number, start, end, name="train", thread=None):
        self.host(name, start, end, thread, step_num=number, _r=1)

    def launch(self, name, at, gpu, thread=None, dur=LAUNCH):
        """A driver call that starts device work: carries the symbol as its name. Gives the correlation id."""
        corr, self.next_corr = self.next_corr, self.next_corr + 1
        self.host(name, at, at + dur, thread, correlation_id=Uint(corr), device_id=Uint(gpu))
        return corr

    def kernel(self, stream, name, start, dur, launch_at, op=None, gpu=0, thread=None, details=None, shape=None,
               launch_dur=LAUNCH, eager=None):
        text = details or "regs:64 static_shared:0 dynamic_shared:32768 grid:80,1,1 block:256,1,1 occ_pct:25"
        stats = {"correlation_id": Uint(self.launch(name, launch_at, gpu, thread, launch_dur)),
                 "context_id": "$$1", "kernel_details": Ref(text), "theoretical_occupancy_pct": 25.0}
        if op:
            stats["tf_op"] = Ref(op)
        if shape:
            stats["shape"] = Ref(shape)
        stream.add(name, start, dur, stats)

    def copy(self, stream, kind, start, dur, launch_at, bytes=4096, gpu=0, op=None, thread=None, memory="pageable"):
        ends = {"H2D": (memory, "device"), "D2H": ("device", memory), "D2D": ("device", "device")}[kind]
        name = f"Memcpy{kind}"
        stats = {"correlation_id": Uint(self.launch(name, launch_at, gpu, thread)), "context_id": "$$1",
                 "memcpy_details": Ref(f"kind_src:{ends[0]} kind_dst:{ends[1]} size:{bytes} dest:{gpu} async:1")}
        if op:
            stats["tf_op"] = Ref(op)
        stream.add(name, start, dur, stats)

    # ---- what is in the file

    def lanes(self):
        """(plane name, plane id, pid in the JSON form, plane stats, lanes)"""
        for gpu in sorted(self.gpus.values(), key=lambda g: g.ordinal):
            yield (f"/device:GPU:{gpu.ordinal}", gpu.ordinal, 1 + gpu.ordinal, gpu.stats,
                   sorted(gpu.streams.values(), key=lambda s: s.id))
        yield "/host:CPU", 0, HOST_PID, {}, sorted(self.threads.values(), key=lambda t: t.id)

    def kept(self, lane):
        if self.without == LAUNCH_CALLS and lane in self.threads.values():
            return [e for e in lane.events if "correlation_id" not in e.stats]
        return [e for e in lane.events if not (self.without and self.without in e.name)]

    def count(self, form="xspace"):
        """Events in a file of that form; PyTorch's has the op around each launch, too."""
        ops = self.ops() if form == "kineto" else {}
        return sum(1 + (lane in self.threads.values() and int(e.stats.get("correlation_id", 0)) in ops)
                   for *_, lanes in self.lanes() for lane in lanes for e in self.kept(lane))

    def ops(self):
        """Op by correlation id, of all device work that says one."""
        return {int(e.stats["correlation_id"]): str(e.stats["tf_op"]) for *_, lanes in self.lanes() for lane in lanes for e in lane.events
                if "tf_op" in e.stats}

    def write_xspace(self, path):
        space = mkxspace.Space(hostnames=["scene"])
        for name, id, _, stats, lanes in self.lanes():
            plane = space.plane(name, id=id, stats=stats)
            for lane in lanes:
                line = plane.line(lane.id, lane.name, timestamp_ns=BASE_NS)
                for e in self.kept(lane):
                    line.event(e.name, start_ns=BASE_NS + e.start, dur_ns=e.dur, stats=e.stats)
        space.write(path)

    def write_kineto(self, path):
        """As PyTorch's profiler writes it: markers ProfilerStep#N, launches by cudaLaunchKernel inside the op that they are for."""
        ops = self.ops()
        entries = [meta("process_name", HOST_PID, None, name="python")]
        for _, id, pid, stats, lanes in self.lanes():
            for lane in lanes:
                entries.append(meta("thread_name", id if stats else pid, lane.id, name=f"stream {lane.id}" if stats else lane.name))
                for e in self.kept(lane):
                    entries += kineto_device(e, id, lane.id) if stats else kineto_host(e, pid, lane.id, ops)
        devices = [{"id": id, "name": stats["gpu_device_name"], "computeMajor": stats["compute_cap_major"],
                    "computeMinor": stats["compute_cap_minor"], "numSms": 80} for _, id, _, stats, _ in self.lanes() if stats]
        text = f'{{"schemaVersion":1,"deviceProperties":{dense(devices)},\n"traceEvents":[\n' + ",\n".join(entries) + "]}\n"
        with gzip.GzipFile(path, "wb", compresslevel=1, mtime=0) as f:
            f.write(text.encode())

    def write_chrome(self, path):
        entries = []
        for name, _, pid, _, lanes in self.lanes():
            entries.append(meta("process_name", pid, None, name=name))
            entries.append(meta("process_sort_index", pid, None, sort_index=pid))
            for lane in lanes:
                entries.append(meta("thread_name", pid, lane.id, name=lane.name))
                entries.append(meta("thread_sort_index", pid, lane.id, sort_index=lane.id))
        for _, _, pid, _, lanes in self.lanes():
            for lane in lanes:
                entries += [complete(e, pid, lane.id) for e in self.kept(lane)]
        text = '{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},\n"traceEvents":[\n' + \
            ",\n".join(entries) + ",{}]}\n"
        with gzip.GzipFile(path, "wb", compresslevel=1, mtime=0) as f:
            f.write(text.encode())


def meta(kind, pid, tid, **args):
    entry = {"ph": "M", "pid": pid, "name": kind, "args": args}
    if tid is not None:
        entry["tid"] = tid
    return dense(entry)


def micros(ns):
    return f"{ns // 1000}.{ns % 1000:03d}".rstrip("0").rstrip(".")


def complete(e, pid, tid):
    """ts and dur are decimal texts of microseconds, so they are put in by hand: a double would not hold them."""
    args = {key: text_of(value) for key, value in e.stats.items() if key not in HIDDEN}
    return (f'{{"ph":"X","pid":{pid},"tid":{tid},"ts":{micros(BASE_NS + e.start)},"dur":{micros(e.dur)},'
            f'"name":{dense(e.name)},"args":{dense(args)}}}')


def kineto(cat, name, pid, tid, e, **args):
    return (f'{{"ph":"X","cat":"{cat}","pid":{pid},"tid":{tid},"ts":{micros(BASE_NS + e.start)},"dur":{micros(e.dur)},'
            f'"name":{dense(name)},"args":{dense(args)}}}')


def kineto_device(e, device, stream):
    told = {"device": device, "stream": stream, "correlation": int(e.stats["correlation_id"]), "context": 1}
    size = re.search(r"size:(\d+)", str(e.stats.get("memcpy_details", "")))
    if not size:
        return [kineto("kernel", e.name, device, stream, e, grid=[80, 1, 1], block=[256, 1, 1], **told)]
    ends = {"MemcpyH2D": "HtoD (Pageable -> Device)", "MemcpyD2H": "DtoH (Device -> Pageable)", "MemcpyD2D": "DtoD (Device -> Device)"}
    return [kineto("gpu_memcpy", f"Memcpy {ends[e.name]}", device, stream, e, bytes=int(size[1]), **told)]


def kineto_host(e, pid, tid, ops):
    if "step_num" in e.stats:
        return [kineto("user_annotation", f"ProfilerStep#{e.stats['step_num']}", pid, tid, e)]
    if "correlation_id" not in e.stats:
        return [kineto("cpu_op", e.name, pid, tid, e)]
    corr = int(e.stats["correlation_id"])
    around = [kineto("cpu_op", ops[corr], pid, tid, e)] if corr in ops else []
    return around + [kineto("cuda_runtime", "cudaLaunchKernel", pid, tid, e, correlation=corr, cbid=211)]


def text_of(value):
    return f"{value:g}" if isinstance(value, float) else str(value)
