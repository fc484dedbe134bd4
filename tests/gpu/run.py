"""Live mode on a real GPU: python3 tests/gpu/run.py [--only t1,t6] [--results DIR] [--standin] [--soak N]

  t1   a C program with known work: every record found again, with all its numbers
  t3   a viewer that comes late, goes, and comes again
  t5   torch and jax loops; their own profilers while we are armed, recording, yielding
  t6   what it costs: launch by launch, interleaved with and without us, medians and 95 % intervals
  t9   a soak of graph replays past the point where CUPTI 13.0 is known to lose its buffers
  t13  raw activity buffers, recorded for replay where there is no GPU
  t15  a guest's promises: ranges, no false takeover, the end, clocks, thread ids, nothing left behind, no hang (coexistence.py)

Prints TAP on stdout and numbers as comments; writes results.json after each test, and raw-*.cupti.gz, into --results. All of it
takes about a quarter of an hour, t6 and t9 most of that. --standin runs the same script on our stand-ins for driver and CUPTI:
that proves the script, not CUPTI, and its numbers mean nothing."""
import collections
import csv
import gzip
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from rig import CUPTI_FOLDER, HERE, LAUNCHES, WORK, comment, cupti_of, env, gpu_now, has, last_json, live_through, options, results
from rig import tap, target
from coexistence import t15  # noqa: F401 - rig told Python where the next two are
from harness import STEPSCOPE
from viewer import INJECT, L, Rendezvous, Target, Viewer, until

# ---- t1: known work ----

def near(got, expected, share):
    return abs(got - expected) <= share * expected


def t1_kernels(v, told):
    adds = [r for r in v.of("kernel") if r["name"] == "k_add"]
    spins = [r for r in v.of("kernel") if r["name"] == "k_spin"]
    tap.equal((len(adds), len(spins)), (told["launches"], told["spins"]), "t1: every launch has its kernel")
    tap.equal({(r["grid"], r["block"], r["smem"]) for r in adds}, {((7, 1, 1), (128, 1, 1), 3072)}, "t1: grid, block, shared memory")
    split = sorted(collections.Counter(r["place"][2] for r in adds).values())
    tap.equal(split, [told["launches"] - told["on_first"], told["on_first"]], "t1: split over two streams")
    launches = collections.Counter(r["corr"] for r in v.of("driver") + v.of("runtime") if "aunch" in r["name"])
    tap.equal({launches[r["corr"]] for r in adds + spins}, {1}, "t1: each kernel finds exactly one launch call")
    tap.ok(all(r["start"] < r["end"] for r in adds + spins), "t1: kernels end behind their start")
    overlaps = 0
    for stream in {r["place"][2] for r in adds}:
        ordered = sorted((r["start"], r["end"]) for r in adds + spins if r["place"][2] == stream)
        overlaps += sum(b[0] < a[1] for a, b in zip(ordered, ordered[1:]))
    tap.equal(overlaps, 0, "t1: kernels of one stream do not overlap")
    spin_ns = sum(r["end"] - r["start"] for r in spins)
    comment(f"t1: long kernels {spin_ns} ns by records, {told['spin_event_ns']} ns by CUDA events")
    if not options.standin:
        tap.ok(near(spin_ns, told["spin_event_ns"], 0.05), "t1: long kernels last as long as CUDA events say, within 5 %")
    calls = {r["corr"]: r for r in v.of("driver") + v.of("runtime")}
    early = [r["start"] - calls[r["corr"]]["start"] for r in adds if r["corr"] in calls]
    results["t1_launch_to_start_ns"] = {"min": min(early), "median": statistics.median(early)}
    tap.ok(min(early) > -1_000_000, "t1: no kernel starts a millisecond before its launch", min(early))


def t1_copies(v, told):
    groups = collections.Counter((r["copy"][0], r["bytes"]) for r in v.of("copy"))
    tap.equal(groups, {(1, told["pinned_bytes"]): told["pinned"], (2, told["pageable_bytes"]): told["pageable"],
                       (8, told["device_bytes"]): told["on_device"]}, "t1: copies by kind and size")
    kinds = {r["copy"] for r in v.of("copy")}
    tap.equal(kinds, {(1, 2, 3), (2, 3, 1), (8, 3, 3)}, "t1: pinned and pageable memory are told apart")
    tap.ok(all(r["flags"] & L["WIRE_ASYNC"] for r in v.of("copy") if r["copy"][0] == 1), "t1: copies from pinned memory are asynchronous")
    fills = v.of("memset")
    tap.equal((len(fills), {(r["bytes"], r["value"]) for r in fills}), (told["sets"], {(told["set_bytes"], 0xab)}), "t1: memsets")


def t1():
    viewers, status, out = live_through([WORK], "all")
    told, v = last_json(out), viewers[0]
    tap.equal((status, len(viewers)), (7, 1), "t1: the program's own status, one process")
    tap.ok(v.ended and v.unaccounted() == {}, "t1: seen = sent + dropped + bad time, to the end", v.unaccounted())
    tap.equal((v.value("lost_cupti"), v.value("unknown"), sum(map(sum, v.gaps))), (0, 0, 0), "t1: nothing was lost, nothing unreadable")
    tap.equal({k: v.counters(k)["bad_time"] for k in ("kernel", "copy", "memset", "driver")},
              {"kernel": 0, "copy": 0, "memset": 0, "driver": 0}, "t1: no record without times")
    t1_kernels(v, told)
    t1_copies(v, told)
    syncs = collections.Counter(r["type"] for r in v.of("sync"))
    tap.ok(syncs[3] >= told["stream_syncs"] and syncs[2] == told["waits"] and syncs[4] >= 1, "t1: synchronisations by type", syncs)
    tap.ok(v.count["memory"] >= 2 * told["pooled"], "t1: allocations from the pool", v.count["memory"])
    results["t1"] = {"counts": v.count, "cupti": cupti_of(v), "syncs by type": dict(syncs),
                     "copies": sorted(map(str, collections.Counter((*r["copy"], r["flags"]) for r in v.of("copy")).items()))}
    comment("t1:", json.dumps(results["t1"]))


# ---- t3: late viewers ----

def t3():
    with target(LAUNCHES) as t:
        def launch(n):
            t.say(f"kernels {n}")
            return t.process.stdout.readline()
        launch(500)
        time.sleep(2 if not options.standin else 0.1)
        first = Viewer(t.socket())
        began_ns = time.time_ns()
        tap.equal(first.hello.state, "armed", "t3: armed")
        first.start()
        launch(300)
        first.stop()
        tap.equal(first.count["kernel"], 300, "t3: all kernels behind START, none from before")
        tap.ok(min(r["start"] for r in first.of("kernel")) > began_ns - 1_000_000, "t3: no time from before")
        tap.ok(any(k == L["WIRE_DEVICE"] for k, _ in first.facts) and any(k == L["WIRE_STREAM"] for k, _ in first.facts),
               "t3: devices and streams that exist already are told")
        places = {r["place"][:3] for r in first.of("kernel")}
        first.close()
        launch(100)
        second = until(lambda: (lambda v: v if v.ring else None)(Viewer(t.socket())), "a ring")
        second.start()
        launch(200)
        second.stop()
        tap.equal((second.count["kernel"], second.unaccounted()), (200, {}), "t3: the next viewer, its own kernels and counters")
        tap.equal({r["place"][:3] for r in second.of("kernel")}, places, "t3: devices, contexts and streams keep their ids")
        tap.ok(max(r["corr"] for r in first.of("kernel")) < min(r["corr"] for r in second.of("kernel")), "t3: correlation goes on")
        calls = {r["corr"] for r in second.of("driver") + second.of("runtime")}
        results["t3_unmatched"] = sum(r["corr"] not in calls for r in second.of("kernel"))
        tap.equal(results["t3_unmatched"], 0, "t3: kernels of the second session have their launches")
        tap.equal(t.end()[0], 0, "t3: the program ends well")


# ---- t5: frameworks ----

def t5_steps(v, steps):
    """Ranges named "step N" on the thread that launches, with the launches and kernels inside."""
    starts = {r["id"]: r for r in v.marks if r["begin"]}
    ranges = sorted((starts[r["id"]]["at"], r["at"], starts[r["id"]]["name"]) for r in v.marks
                    if r["end"] and r["id"] in starts and starts[r["id"]]["name"].startswith("step "))
    tap.equal(len(ranges), steps, "t5: a range for each step")
    launches = [r for r in v.of("runtime") + v.of("driver") if "aunch" in r["name"]]
    per_step = [sum(a <= r["start"] < b for r in launches) for a, b, _ in ranges]
    corrs = [{r["corr"] for r in launches if a <= r["start"] < b} for a, b, _ in ranges]
    tap.ok(len(set(per_step[3:])) == 1 and per_step[3:], "t5: as many launches in each step", per_step)
    inside = [all(a <= r["start"] and r["end"] <= b for r in v.of("kernel") if r["corr"] in c) for (a, b, _), c in zip(ranges, corrs)]
    tap.ok(all(inside[3:]), "t5: synchronised steps enclose their kernels", inside)


def t5_torch():
    command = [sys.executable, os.path.join(HERE, "torch_loop.py")]
    for how in ("fork", "spawn"):
        viewers, status, out = live_through(command + [how], NVTX_INJECTION64_PATH=INJECT)
        busy = [v for v in viewers if v.count["kernel"]]
        tap.equal((status, len(busy)), (0, 1), f"t5: torch with {how} workers ends well, one process launches")
        tap.ok(busy and busy[0].unaccounted() == {}, "t5: its records are accounted for")
    v, told = busy[0], last_json(out)
    t5_steps(v, told["steps"])
    products = sorted({r["name"] for r in v.of("kernel") if any(w in r["name"] for w in ("gemm", "nvjet", "cutlass"))})
    tap.ok(products, "t5: the products' kernels are named", products)
    results["t5_torch"] = {"version": told["torch"], "products": products, "counts": v.count, "cupti": cupti_of(v)}
    comment("t5: torch", told["torch"], json.dumps(results["t5_torch"]["cupti"]))


def t5_flags():
    """The program itself, from the running process to its table: which kernels use Tensor Cores."""
    file = os.path.join(tempfile.mkdtemp(prefix="live"), "torch.stepscope")
    plain = {k: v for k, v in env(tempfile.mkdtemp(prefix="live")).items() if not k.startswith(("CUDA_INJECTION", "STEPSCOPE_"))}
    try:
        done = subprocess.run([STEPSCOPE, "record", "-o", file, "--", sys.executable, os.path.join(HERE, "torch_loop.py")],
                              env=plain, capture_output=True, text=True, timeout=200)
        told = subprocess.run([STEPSCOPE, "table", "kernels", file, "--format", "csv"], env=plain, capture_output=True, text=True)
    except OSError as e:
        tap.skip("t5: Tensor Core kernels are flagged", f"no stepscope here: {e}")
        return
    rows = list(csv.DictReader(told.stdout.splitlines()))
    products = {r["name"]: r["uses_tc"] for r in rows if any(w in r["name"] for w in ("gemm", "nvjet", "cutlass"))}
    results["t5_flags"] = products
    tap.equal((done.returncode, told.returncode, set(products.values())), (0, 0, {"true"}),
              "t5: recorded and tabled, half precision products are flagged as Tensor Core kernels")


def t5_profilers(script, name, device_events):
    """The framework's own profiler beside us. Only yielding promises that it works; the rest is recorded as it is."""
    modes = {"without us": (None, {"CUDA_INJECTION64_PATH": None}), "armed": (None, {}), "yielding": (None, {"STEPSCOPE_YIELD": 1}),
             "recording": ("default", {}), "recording, yielding": ("default", {"STEPSCOPE_YIELD": 1})}
    seen = {}
    for mode, (kinds, more) in modes.items():
        viewers, status, out = live_through([sys.executable, os.path.join(HERE, script), "profile"], kinds, **more)
        seen[mode] = {"status": status, "device events": device_events(last_json(out)) if "{" in out else None,
                      "our states": [v.states for v in viewers], "our kernels": [v.count["kernel"] for v in viewers],
                      "our bad times": [v.counters("kernel")["bad_time"] for v in viewers]}
        comment(f"t5: {name}'s profiler, {mode}:", json.dumps(seen[mode]))
    results[f"t5_{name}_profiler"] = seen
    tap.equal({mode: s["status"] for mode, s in seen.items()}, dict.fromkeys(seen, 0), f"t5: {name} ends well in every mode")
    tap.ok(seen["without us"]["device events"], f"t5: without us, {name}'s profiler sees the device")
    tap.equal(bool(seen["yielding"]["device events"]), bool(seen["without us"]["device events"]),
              f"t5: yielding, {name}'s profiler sees the device as without us")
    if not any("taken" in map(lambda s: s[0], states) for states in seen["recording"]["our states"]):
        tap.ok(any(seen["recording"]["our kernels"]), f"t5: recording, and not taken over by {name}'s profiler, we see the kernels")


def t5():
    if options.standin or not has("torch"):
        tap.skip("t5: torch", "not on stand-ins" if options.standin else "no torch here")
    else:
        t5_torch()
        t5_flags()
        t5_profilers("torch_loop.py", "torch", lambda told: told.get("profiler_device_events", 0))
    if options.standin or not has("jax"):
        tap.skip("t5: jax", "not on stand-ins" if options.standin else "no jax here")
        return
    viewers, status, _ = live_through([sys.executable, os.path.join(HERE, "jax_loop.py")])
    busy = [v for v in viewers if v.count["kernel"]]
    launched = {r["corr"] for v in busy for r in v.of("driver") + v.of("runtime")}
    orphans = sum(r["corr"] not in launched for v in busy for r in v.of("kernel"))
    tap.ok(status == 0 and busy, "t5: jax runs and its kernels arrive")
    tap.equal(orphans, 0, "t5: its launches, by the driver API, are there too")
    results["t5_jax"] = {"counts": [v.count for v in busy], "cupti": [cupti_of(v) for v in busy],
                         "launches": dict(collections.Counter(r["name"] for v in busy for k in ("driver", "runtime") for r in v.of(k)
                                                              if "aunch" in r["name"]))}
    comment("t5: jax", json.dumps(results["t5_jax"]))
    t5_profilers("jax_loop.py", "jax", lambda told: told.get("xspace_has_gpu_plane"))


# ---- t6: cost ----

def interval(samples):
    """Median with a bootstrap 95 % interval."""
    dice = random.Random(1)
    medians = sorted(statistics.median(dice.choices(samples, k=len(samples))) for _ in range(500))
    return {"median": statistics.median(samples), "low": medians[12], "high": medians[487]}


class Process:
    """One launches program, with or without us, that runs blocks on command."""

    def __init__(self, threads=1, **more):
        self.target = target(LAUNCHES, str(threads), **more)
        self.viewer = None
        self.reads = True

    def block(self, kind, n):
        self.target.say(f"{kind} {n}")
        host, device = map(float, self.target.process.stdout.readline().split())
        if self.viewer and self.reads:
            self.viewer.read()
        return host, device

    def is_idle(self):
        """Armed again, and free for a viewer; looks by being one for a moment."""
        v = Viewer(self.target.socket())
        v.close()
        return v.hello.verb == L["WIRE_HELLO"] and v.hello.state == "armed"

    def attach(self):
        self.viewer = Viewer(self.target.socket())
        self.viewer.keep = False

    def close(self):
        self.target.__exit__()


def compare(load, n, plain, ours, around=lambda p: (lambda: None)):
    """ABBA blocks of two processes; around(ours) switches recording on and returns how to switch it off. ns per launch more."""
    more = {"host": [], "device": []}
    for pair in range(options.pairs):
        order = (plain, ours) if pair % 2 else (ours, plain)
        host, device = {}, {}
        for p in order:
            off = around(p) if p is ours else (lambda: None)
            host[p], device[p] = p.block(load, n)
            off()
        more["host"].append(host[ours] - host[plain])
        more["device"].append((device[ours] - device[plain]) / n)
    return {k: interval(v) for k, v in more.items()}


def recording(*kinds, flush_ms=0, reads=True):
    def around(p):
        p.viewer.start(*kinds, flush_ms=flush_ms)
        p.block("kernels", 50)  # the first launches behind START are not what lasts
        p.reads = reads

        def off():
            p.reads = True
            p.viewer.stop()
        return off
    return around


VARIANTS = {"gpu kinds": recording("kernel", "copy", "memset"), "+runtime": recording("kernel", "copy", "memset", "runtime"),
            "+driver": recording("kernel", "copy", "memset", "runtime", "driver"), "default": recording(),
            "flush 250 ms": recording(flush_ms=250), "flush 1000 ms": recording(flush_ms=1000),
            "with NVTX": recording("kernel", "copy", "memset", "runtime", "driver", "nvtx"),
            "a viewer that does not read": recording(reads=False)}


def t6_load(load, n, threads=1):
    plain, disabled = Process(threads, CUDA_INJECTION64_PATH=None), Process(threads, STEPSCOPE_DISABLE=1)
    armed, yielding = Process(threads), Process(threads, STEPSCOPE_YIELD=1)
    stamped = Process(threads, STEPSCOPE_LATENCY=1)
    armed.attach()
    stamped.attach()
    for p in (plain, disabled, armed, yielding, stamped):
        p.block(load, n)
    base = statistics.median(plain.block(load, n)[0] for _ in range(5))
    twin = plain_twin(threads, load, n)
    cost = {"ns per launch without us": base, "none against itself": compare(load, n, plain, twin),
            "disabled": compare(load, n, plain, disabled), "armed idle": compare(load, n, plain, armed),
            "yielding idle": compare(load, n, plain, yielding)}
    for name, around in VARIANTS.items():
        cost[name] = compare(load, n, plain, armed, around)
    cost["latency stamps"] = compare(load, n, plain, stamped, recording())
    cost["after recording, idle"] = compare(load, n, plain, armed)
    v = armed.viewer
    armed.viewer.start()
    armed.viewer.close()
    armed.viewer = None
    until(lambda: armed.is_idle(), "the target to notice that its viewer went")
    cost["behind a viewer that went away"] = compare(load, n, plain, armed)
    absent = Process(threads, STEPSCOPE_START="default")
    absent.block(load, n)
    cost["recording, and no viewer"] = compare(load, n, plain, absent)
    cost["dropped"], cost["lost by CUPTI"] = sum(v.counters(k)["dropped"] for k in v.count), v.value("lost_cupti")
    records = sum(v.counters(k)["seen"] for k in v.count)
    cost["decode ns per record"] = v.value("decode_ns") / max(records, 1)
    for p in (plain, disabled, armed, yielding, stamped, twin, absent):
        p.close()
    return cost


def plain_twin(threads, load, n):
    twin = Process(threads, CUDA_INJECTION64_PATH=None)
    twin.block(load, n)
    return twin


def t6_memory():
    """MiB of the device, and of the host's memory, that a target takes: without us, armed, recording."""
    told = {"device before": device_memory_mib()}
    for mode, more in (("plain", {"CUDA_INJECTION64_PATH": None}), ("armed", {}), ("recording", {"STEPSCOPE_START": "default"})):
        before, p = device_memory_mib(), Process(**more)
        p.block("kernels", 2000)
        p.block("graphs", 2)
        after = device_memory_mib()
        told[mode] = {"device": None if after is None else after - before, "host": host_memory_mib(p.target.pid)}
        p.close()
    results["t6"]["memory MiB"] = told
    comment("t6: memory MiB", json.dumps(told))


def t6_framework(script, *words):
    """Milliseconds that a framework tells of its loops, each run a process of its own, plain, armed and recorded in turns."""
    command = [sys.executable, os.path.join(HERE, script), *words]
    ms, modes = collections.defaultdict(lambda: collections.defaultdict(list)), {
        "plain": (None, {"CUDA_INJECTION64_PATH": None}), "armed": (None, {}), "recording": ("default", {})}
    for run in range(options.runs):
        for mode in list(modes)[::-1 if run % 2 else 1]:
            kinds, more = modes[mode]
            began = time.monotonic()
            told = last_json(live_through(command, kinds, **more)[2])
            for what in [w for w in told if w.endswith("_ms")]:
                ms[what][mode].append(told[what])
            ms["whole process"][mode].append((time.monotonic() - began) * 1e3)
    for what, of in ms.items():
        for mode in ("armed", "recording"):
            more = interval([a - b for a, b in zip(of[mode], of["plain"])])
            results["t6"][f"{script}, {what}, {mode}"] = {**more, "plain": statistics.median(of["plain"])}
            comment(f"t6: {script}, {what}: {statistics.median(of['plain']):.4f} ms, {mode}: {more['median'] * 1000:+.1f} us "
                    f"[{more['low'] * 1000:+.1f}, {more['high'] * 1000:+.1f}]")
    return ms


def t6_show(name, cost):
    for variant, c in cost.items():
        if isinstance(c, dict):
            h, d = c["host"], c["device"]
            comment(f"t6: {name}, {variant}: host {h['median']:+.0f} ns [{h['low']:+.0f}, {h['high']:+.0f}], "
                    f"device {d['median']:+.0f} ns [{d['low']:+.0f}, {d['high']:+.0f}] per launch")
        else:
            comment(f"t6: {name}, {variant}: {c:.1f}")


def t6():
    quick = options.standin
    loads = [("kernels", 500 if quick else 5000, 1), ("long", 5 if quick else 20, 1), ("graphs", 2 if quick else 10, 1),
             ("kernels", 200 if quick else 1000, 8)]
    results["t6"] = {}
    for load, n, threads in loads:
        name = f"{load}, {threads} threads"
        cost = results["t6"][name] = t6_load(load, n, threads)
        t6_show(name, cost)
        if quick:
            continue
        idle, long_share = cost["armed idle"]["host"], cost["default"]["device"]["median"] / 2e6
        tap.ok(idle["low"] <= 0 and idle["median"] <= 0.005 * cost["ns per launch without us"],
               f"t6: {name}: armed idle costs at most half a percent, and nothing that can be told from noise", idle)
        if load == "kernels" and threads == 1:
            tap.ok(cost["default"]["host"]["median"] <= 3000, f"t6: {name}: recording costs at most 3 us a launch")
        if load == "long":
            tap.ok(long_share <= 0.01, f"t6: {name}: long kernels are at most 1 % longer", long_share)
    tap.ok(len(results["t6"]) == len(loads), "t6: every load was measured")
    t6_memory()
    if not quick and has("torch"):
        gemm = t6_framework("torch_loop.py", "time")["gemm_ms"]
        more = interval([a / b - 1 for a, b in zip(gemm["recording"], gemm["plain"])])
        tap.ok(more["median"] <= 0.01, "t6: a loop of large products is at most 1 % slower while recorded", more)
    if not quick and has("jax"):
        t6_framework("jax_loop.py", "time")


# ---- t9: soak ----

def device_memory_mib():
    told = gpu_now("memory.used")
    return int(told) if told and told.isdigit() else None


def host_memory_mib(pid):
    with open(f"/proc/{pid}/status") as f:
        return next(int(line.split()[1]) // 1024 for line in f if line.startswith("VmRSS"))


def cpu_s(pid):
    with open(f"/proc/{pid}/stat") as f:
        words = f.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def soak(window, records, patience_s=240):
    p = Process(STEPSCOPE_WINDOW=window)
    p.attach()
    p.block("graphs", 1)
    p.viewer.start("kernel")
    p.reads = False
    began, memory_before, replays, samples = time.monotonic(), device_memory_mib(), 0, []
    while p.viewer.counters("kernel")["seen"] < records and time.monotonic() - began < patience_s:
        p.block("graphs", 50)
        p.viewer.skip()
        replays += 50
        if replays % 2000 == 0:
            samples.append((p.viewer.counters("kernel")["seen"], device_memory_mib(), host_memory_mib(p.target.pid),
                            cpu_s(p.target.pid), (p.viewer.value("decode_ns") + p.viewer.value("control_ns")) / 1e9))
    took_s = time.monotonic() - began
    p.viewer.ask(L["WIRE_STOP"])
    p.viewer.skip()
    c, v = p.viewer.counters("kernel"), p.viewer
    told = {"window": window, "seconds": took_s, "launched": replays * 1000, "kernels": c, "lost by CUPTI": v.value("lost_cupti"),
            "rested": v.value("rearmed"), "memory MiB before": memory_before, "samples": samples[-50:],
            "decode ns per record": v.value("decode_ns") / max(c["seen"], 1), "denied buffers": v.value("buffers_denied"),
            "control ns": v.value("control_ns"), "our CPU %": (v.value("decode_ns") + v.value("control_ns")) / took_s / 1e7,
            "memory MiB after": device_memory_mib()}
    p.close()
    return told


def t9():
    for name, window in (("without rests", 1_000_000), ("rests each 16 million", 16)):
        told = soak(window, options.soak)
        results[f"t9 {name}"] = told
        comment(f"t9, {name}:", json.dumps({k: v for k, v in told.items() if k != "samples"}))
        c, launched = told["kernels"], told["launched"]
        tap.equal(c["seen"], c["sent"] + c["dropped"] + c["bad_time"], f"t9, {name}: every record that arrived is accounted for")
        if window > 16:
            continue  # what CUPTI does then is its own affair: the comment and the results tell it
        if not told["rested"]:  # a rest is a pause: what is launched meanwhile is nobody's record
            tap.ok(c["seen"] + told["lost by CUPTI"] >= launched, f"t9, {name}: what did not arrive was told as lost")
        tap.ok(c["seen"] >= options.soak, f"t9, {name}: records go on to the end", c)
        tap.equal(c["bad_time"], 0, f"t9, {name}: no kernel lost its times")
        mib = [s[1] for s in told["samples"] if s[1] is not None]
        if len(mib) > 1:
            tap.ok(mib[-1] - mib[0] <= 64, f"t9, {name}: device memory stays flat", mib)


# ---- t13: raw buffers ----

def t13_record(name, command, kinds="all", says=(), **more):
    """One program's raw buffers, packed for the repository and replayed through the stand-in. Bytes packed."""
    folder = tempfile.mkdtemp(prefix="live")
    viewers, status, _ = live_through(command, kinds, says, STEPSCOPE_RAW=folder, **more)
    busy = next(v for v in viewers if v.count["kernel"])
    file = os.path.join(folder, f"{busy.hello.pid}.cupti")
    tap.ok(status in (0, 7) and os.path.exists(file), f"t13: {name}: a file of raw buffers", (status, os.listdir(folder)))
    with open(file, "rb") as f, gzip.open(os.path.join(options.results, f"raw-{name}.cupti.gz"), "wb", 9) as to:
        shutil.copyfileobj(f, to)
    with Rendezvous() as door, Target("sleep=100", STEPSCOPE_VIEWER=door.path, STEPSCOPE_START=kinds, STEPSCOPE_RING_MB=64,
                                      STANDIN_REPLAY=file, STANDIN_CUPTI_VERSION=busy.hello.cupti_version) as t:
        v = door.accept()
        t.end()
        v.read()
    same = {k: v.count[k] for k in ("kernel", "copy", "memset")}
    tap.equal(same, {k: busy.count[k] for k in same}, f"t13: {name}: replayed through the stand-in, the same records come out")
    results[f"t13 {name}"] = {"cupti": cupti_of(busy), "counts": busy.count, "raw bytes": os.path.getsize(file)}
    return os.path.getsize(os.path.join(options.results, f"raw-{name}.cupti.gz"))


def t13():
    packed = [t13_record("work", [WORK]), t13_record("graphs", [LAUNCHES], says=["kernels 100", "graphs 5", "long 3"])]
    if not options.standin and has("torch"):
        packed.append(t13_record("torch", [sys.executable, os.path.join(HERE, "torch_loop.py")], NVTX_INJECTION64_PATH=INJECT))
    tap.ok(0 < sum(packed) < 5_000_000, f"t13: {sum(packed)} bytes packed, under 5 MB")


if not os.path.exists(WORK):
    sys.exit("build first: make gpu-programs")
comment("machine:", shutil.which("nvidia-smi") and subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.strip()
        or "no nvidia-smi", gpu_now("driver_version"), "CUPTI for our programs:", CUPTI_FOLDER or "as the library finds it")
CLOCKS = "clocks.sm,clocks.mem,temperature.gpu,power.draw"
for test in options.only.split(","):
    began, clocks = time.monotonic(), gpu_now(CLOCKS)
    tap.each([globals()[test]])
    results[f"{test} clocks before and after"] = (CLOCKS, clocks, gpu_now(CLOCKS))
    comment(f"{test} took {time.monotonic() - began:.1f} s; {CLOCKS}: {clocks}, then {gpu_now(CLOCKS)}")
    with open(os.path.join(options.results, "results.json"), "w") as f:  # after each, so that a machine lost loses one
        json.dump(results, f, indent=1, default=str)
comment("results in", options.results)
tap.done()
