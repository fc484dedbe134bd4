"""What a GPU has to show of a guest's promises, none of which a stand-in can prove: ranges arrive, nothing is taken for a takeover,
the last records come, clocks and thread ids are the system's, nothing is left with CUPTI, and no start hangs. Part t15 of run.py."""
import collections
import os
import sys
import time

import cupti_clock
from rig import HERE, LAUNCHES, comment, has, last_json, live_through, options, results, tap, target
from viewer import INJECT, STANDIN, TARGET, Rendezvous, Viewer, socket_of, until


def watch(t, command, *kinds, patience_s=120):
    """One command of the launches program under a viewer's eyes: (viewer, states, seconds until its first kernel appeared)."""
    v = Viewer(t.socket())
    v.start(*kinds)
    states, appeared, said = set(), None, b""
    began = time.monotonic()
    os.set_blocking(t.process.stdout.fileno(), False)
    t.say(command)
    while not said.endswith(b"\n") and time.monotonic() - began < patience_s:
        v.read()
        states.add(v.state)
        if appeared is None and v.count["kernel"]:
            appeared = time.monotonic() - began
        time.sleep(0.005)
        try:
            said += os.read(t.process.stdout.fileno(), 4096)
        except BlockingIOError:
            pass
    v.stop()
    return v, states, appeared


def t15_no_takeover():
    """Half a minute of kernels one behind the other, never waited for; then one of five seconds while another stream launches."""
    quick = options.standin
    n = 1000 if quick else 15000
    with target(LAUNCHES, STANDIN_KERNEL_US=2000) as t:
        v, states, appeared = watch(t, f"long {n}", "kernel", "driver")
        tap.equal((states, v.count["kernel"]), ({"recording"}, n), "t15: kernels in flight all the time: never taken for a takeover")
        results["t15 first kernel s"] = appeared
        tap.ok(appeared is not None and appeared < (10 if quick else 1), "t15: the first one appears within a second", appeared)
        t.process.stdin.close()
        t.process.stdin = None
        t.end()
    with target(LAUNCHES, STANDIN_KERNEL_US=100, STANDIN_STRAGGLER_MS=2000 if quick else 5000) as t:
        v, states, _ = watch(t, f"beside {2000 if quick else 5000}", "kernel")
        tap.ok(states == {"recording"} and v.count["kernel"] > 20, "t15: one long kernel beside others: never taken for a takeover",
               (states, v.count["kernel"]))


def t15_to_the_end():
    with target(LAUNCHES) as t:
        v = Viewer(t.socket())
        text = v.start().text
        t.say("kernels 500")
        t.process.stdout.readline()
        living = set(map(int, os.listdir(f"/proc/{t.pid}/task")))
        status = t.end()[0]
        v.read()
        tids = {r["tid"] for k in ("runtime", "driver") for r in v.of(k)}
        tap.equal((status, v.count["kernel"], v.ended), (0, 500, True), "t15: START, normal exit: every launch has its kernel, the end is there")
        tap.ok("thread" not in text and tids and tids <= living, "t15: threads are named as the system does", (text, tids, living))


def t15_nothing_left():
    with target(LAUNCHES, STEPSCOPE_YIELD=1) as t:
        v = Viewer(t.socket())
        v.start()
        for _ in range(5):
            t.say("kernels 500")
            t.process.stdout.readline()
        v.stop()
        tap.equal((v.state, v.value("buffers_in_use")), ("yielded", 0), "t15: behind STOP, yielding, no buffer of ours is in use")
        results["t15 state behind STOP"] = (v.state, v.text, v.value("buffers_in_use"))
        t.say("kernels 500")
        t.process.stdout.readline()
        tap.equal(t.end()[0], 0, "t15: and the program goes on to its end")
    if options.standin or not has("jax"):
        tap.skip("t15: jax.profiler behind STOP", "not on stand-ins" if options.standin else "no jax here")
        return
    with target(sys.executable, os.path.join(HERE, "jax_loop.py"), "profile", "wait", STEPSCOPE_YIELD=1) as t:
        until(lambda: os.path.exists(socket_of(t.runtime, t.pid)), "jax's socket", 60)
        v = until(lambda: (lambda v: v if v.ring else None)(Viewer(t.socket())), "jax", 60)
        v.start()
        while t.process.stdout.readline() != "ready\n":
            v.read()
        v.stop()
        v.close()
        t.say()
        status, out, err = t.end()
        tap.ok(status == 0 and last_json(out)["xspace_has_gpu_plane"], "t15: jax.profiler survives, and sees the GPU, behind STOP", (status, err[-500:]))


def t15_hello_start():
    """START as soon as HELLO is there, which is amid cuInit."""
    times, good, slowest = (5 if options.standin else 200), 0, 0
    for _ in range(times):
        began = time.monotonic()
        with Rendezvous() as door, target(LAUNCHES, STEPSCOPE_VIEWER=door.path, STANDIN_INIT_MS=30) as t:
            v = door.accept()
            v.start("kernel", "runtime", "driver")
            t.say("kernels 10")
            t.process.stdout.readline()
            good += t.end()[0] == 0
        slowest = max(slowest, time.monotonic() - began)
    tap.equal(good, times, f"t15: START within a millisecond of HELLO, {times} times: no hang")
    results["t15 slowest start s"] = slowest


def t15_clock():
    """cuptiGetTimestamp and the wall clock: before and behind torch.profiler, which may put a clock of its own in."""
    if options.standin:
        off = cupti_clock.off_ns(os.path.join(STANDIN, "libcupti.so.13"))
        tap.ok(abs(off) < 1_000_000_000, "t15: the stand-in's clock is compared with the wall clock", off)
        return
    if not has("torch"):
        tap.skip("t15: CUPTI's clock around torch.profiler", "no torch here")
        return
    viewers, status, out = live_through([sys.executable, os.path.join(HERE, "torch_loop.py"), "profile"])
    told = last_json(out)
    off = {k: told[k] for k in ("clock_off_ns_before", "clock_off_ns_after")}
    results["t15 clock"] = off
    tap.ok(status == 0 and all(abs(ns) < 1_000_000 for ns in off.values()), "t15: CUPTI's clock is the wall clock, before and behind torch.profiler", off)
    tap.equal(sum(v.counters("kernel")["bad_time"] for v in viewers), 0, "t15: no kernel has an impossible time")


def marks_of(viewers):
    return sum(v.count["nvtx"] for v in viewers)


def t15_ranges():
    if options.standin:
        viewers, status, _ = live_through([TARGET, "mark=step", "steps=5"], NVTX_INJECTION64_PATH=INJECT)
        tap.ok(status == 0 and marks_of(viewers) >= 10, "t15: NVTX ranges arrive", marks_of(viewers))
        return
    for script, name in (("torch_loop.py", "torch"), ("nccl_loop.py", "NCCL")):
        if not has("torch"):
            tap.skip(f"t15: NVTX ranges of {name}", "no torch here")
            continue
        viewers, status, _ = live_through([sys.executable, os.path.join(HERE, script)], NVTX_INJECTION64_PATH=INJECT)
        names = collections.Counter(m["name"] for v in viewers for m in v.marks if m["begin"])
        results[f"t15 ranges of {name}"] = names.most_common(10)
        tap.ok(status == 0 and marks_of(viewers) > 0, f"t15: NVTX ranges of {name} arrive", (status, names.most_common(5)))


def t15_torch():
    """Each kernel that torch launches itself has one call of the runtime; how many calls of the driver share its correlation is counted.
    Workers of a DataLoader, forked while we are in the process, end as they do without us."""
    if options.standin or not has("torch"):
        tap.skip("t15: torch's kernels and calls", "not on stand-ins" if options.standin else "no torch here")
        return
    command = [sys.executable, os.path.join(HERE, "torch_loop.py"), "fork"]
    with target(*command, CUDA_INJECTION64_PATH=None) as t:
        alone = t.end()
    viewers, status, out = live_through(command)
    tap.equal((status, last_json(out)), (alone[0], last_json(alone[1])), "t15: a forked DataLoader ends as without us")
    v = max(viewers, key=lambda v: v.count["kernel"])
    runtime, driver = (collections.Counter(r["corr"] for r in v.of(k)) for k in ("runtime", "driver"))
    outside_graphs = [r for r in v.of("kernel") if not r["graph"]]
    results["t15 calls per kernel"] = {"runtime": collections.Counter(runtime[r["corr"]] for r in outside_graphs),
                                       "driver": collections.Counter(driver[r["corr"]] for r in outside_graphs)}
    comment("t15: calls per kernel:", results["t15 calls per kernel"])
    tap.equal(set(results["t15 calls per kernel"]["runtime"]), {1}, "t15: each of torch's kernels has exactly one call of the runtime")


def t15():
    tap.each((t15_no_takeover, t15_to_the_end, t15_nothing_left, t15_hello_start, t15_clock, t15_ranges, t15_torch))
