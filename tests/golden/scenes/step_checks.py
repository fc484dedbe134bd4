"""What the scenes about steps, input and launches must give."""
from harness import number
from every_scene import IDLE_PARTS, rated, steps_hold
from opened import tenths
from scene import MS


def idle_is(o, idle, every_step, **parts):
    """The device's idle time in the whole trace, and in each of its steps these parts (others are 0)."""
    total = o.rows("idle", step="all")
    o.check("idle time of the device", [number(r["idle_ns"]) for r in total], [idle])
    expected = {**dict.fromkeys(IDLE_PARTS, 0), **parts}
    steps = [r for r in o.rows("idle") if r["step"] != "all"]
    got = [(number(r["idle_ns"]), {p: number(r[f"{p}_ns"]) for p in IDLE_PARTS}) for r in steps]
    o.check(f"each step is idle for {every_step} ns", got, [(every_step, expected)] * len(steps))


def ideal(o):
    # every step: kernels wait 1 ms for nothing that is recorded; 20 us after the call of 5 us it is no latency any more
    idle_is(o, 9 * MS, MS, launch_latency=25_000, not_recorded=975_000)
    o.row("step_parts", {"avg_ns": 98 * MS, "sd_ns": 0, "part_share_pct": 98.0}, part="device_compute")
    o.row("step_parts", {"avg_ns": 485_000, "sd_ns": 0, "part_share_pct": 100 * 485_000 / (100 * MS)}, part="kernel_launch")
    o.row("step_parts", {"avg_ns": 100 * MS, "sd_ns": 0, "min_ns": 100 * MS, "max_ns": 100 * MS, "samples": 10}, part="step")
    o.row("devices", {"kernels": 970, "kernel_ns": 980 * MS, "busy_ns": 990 * MS, "idle_ns": 9 * MS, "span_ns": 999 * MS})
    for stream, role in ((118, "compute+D2D"), (119, "H2D"), (120, "D2H")):
        o.row("streams", {"role": role}, stream=stream)
    gaps = o.rows("gaps", scope="step")
    o.check("9 gaps of 1.000 ms", [number(g["dur_ns"]) for g in gaps], [MS] * 9)
    o.check("each 1.0 % of the period", [round(g["period_pct"], 6) for g in gaps], [1.0] * 9)
    steps = o.rows("steps")
    o.check("10 steps of 100 ms", [number(s["dur_ns"]) for s in steps], [100 * MS] * 10)
    o.overview(step_mean_ns=100 * MS, device_compute_pct=98.0, device_to_device_pct=1.0, kernel_launch_pct=0.5,
               other_pct=0.5, busy_ns=990 * MS, span_ns=999 * MS, duty_cycle_pct=99.1)
    o.overview(kernels=970, kernels_16bit=900, kernels_16bit_pct=92.8, kernels_16bit_time_pct=91.8)
    o.overview(device_ops_count_pct=100.0, host_ops_count_pct=0.0, device_compute_mean_ns=98.0 * MS, device_compute_sd_ns=0,
               overhead_mean_ns=2.0 * MS, device_count=1, replicas=1)
    phases = {"forward_ns": 40 * MS, "loss_ns": 2 * MS, "backward_ns": 50 * MS, "optimizer_ns": 6 * MS,
              "no_phase_ns": 3 * MS + 100_000}  # the copies
    o.check("phases of every step", [{c: number(r[c]) for c in phases} for r in o.rows("phases") if r["step"] != "all"],
            [phases] * 10)
    o.row("phases", {c: 10 * ns for c, ns in phases.items()}, step="all")
    o.shows("phases", words=["39.6 %", "2.0 %", "49.5 %", "5.9 %"])
    o.says("the phases", lengths=[400 * MS, 500 * MS, 60 * MS, 20 * MS])
    o.check("steps are numbered 1..10", [str(s["step"]) for s in steps], [str(i) for i in range(1, 11)])
    o.says("busy and idle", lengths=[990 * MS, 999 * MS], words=["99.1 %"])
    o.shows("devices", lengths=[990 * MS])
    o.shows("gaps", lengths=[MS], words=["1.0 %"])
    o.shows("streams", words=["compute+D2D", "H2D", "D2H"])


def input_bound(o):
    steps_hold(dur_ns=200 * MS, input_ns=90 * MS, kernel_launch_ns=10 * MS, device_compute_ns=100 * MS)(o)
    o.overview(input_pct=45.0, kernel_launch_pct=5.0, device_compute_pct=50.0, step_mean_ns=200 * MS)
    o.overview(input_mean_ns=90.0 * MS, kernel_launch_mean_ns=10.0 * MS, overhead_mean_ns=100.0 * MS, overhead_per_compute=1.0)
    o.input(input_pct=45.0, verdict="highly input-bound", bottleneck="ParallelMap", bottleneck_self_ns=70 * MS,
            best_step_no_wait_ns=118 * MS, best_step_prefetched_ns=110 * MS, step_mean_ns=200 * MS, missing=None)
    o.check("self times of the iterators in the slowest call",
            [(r["iterator"], number(r["slowest_self_ns"]), r["is_bottleneck"]) for r in o.rows("iterators")],
            [("Prefetch", 2 * MS, False), ("ParallelMap", 70 * MS, True), ("TFRecord", 10 * MS, False)])
    o.row("pipelines", {"pipeline": "Host:0", "root_calls": 10, "max_ns": 82 * MS, "slow_calls": 10, "bottleneck": "ParallelMap"})
    o.shows("input", words=["45.0 %", "highly input-bound"])
    o.shows("iterators", words=["ParallelMap"])


def synthetic_input(o):
    """4 B: without the 82 ms, steps of 118; only the copy is left: 8 ms, 5 us of them under the call that starts it, 6.8 %."""
    o.input(input_wait_pct=0, input_copy_pct=7.995 / 118 * 100, verdict="moderately input-bound", bottleneck=None,
            step_mean_ns=118 * MS, best_step_no_wait_ns=118 * MS, best_step_prefetched_ns=110_005_000)


def launch_bound(o):
    steps_hold(dur_ns=100_020_000, kernel_launch_ns=10_020_000, device_compute_ns=90 * MS)(o)
    o.overview(kernels=20000, kernel_launch_pct=10.0, device_compute_pct=90.0)
    inside = [g for g in o.rows("gaps", scope="device") if number(g["dur_ns"]) == 5000]
    o.check("1,999 gaps of 5.0 us in each of 10 steps", len(inside), 19990)
    # each idle time lies within the 25 us call of the work that ends it; the first one lies before the device's first work
    idle_is(o, 10 * 10_020_000 - 25_000, 10_020_000, launch_latency=10_020_000)
    o.row("step_parts", {"avg_ns": 10_020_000, "sd_ns": 0, "part_share_pct": 100 * 10_020_000 / 100_020_000}, part="kernel_launch")
    o.row("step_parts", {"avg_ns": 10_020_000, "sd_ns": 0, "part_share_pct": 100.0}, part="launch_latency")
    launches_of_scene_5(o)


def launches_of_scene_5(o):
    """2,000 calls of 25 us per step, each kernel right behind its call; the first 25 us of a step wait for it, too."""
    o.row("launches", {"op": "model/add", "kernel": "small_kernel", "work": 20000, "launch_calls": 20000, "call_ns": 500 * MS,
                       "latency_min_ns": 25_000, "latency_p50_ns": 25_000, "latency_p95_ns": 25_000, "latency_p99_ns": 25_000,
                       "latency_max_ns": 25_000, "queue_max": 1, "launch_bound_ns": 10 * 10_020_000, "not_launched_ns": 0,
                       "work_ns": 900 * MS, "work_p50_ns": 45_000, "short": 0, "no_launch": 0, "early": 0})
    o.row("launch_totals", {"work": 20000, "launch_calls": 20000, "latency_p50_ns": 25_000, "latency_p99_ns": 25_000, "queue_max": 1,
                            "launch_bound_ns": 100_200_000, "graph": 0, "graph_pct": 0.0, "blocked_ns": 0})
    o.check("launch-bound share of the step time", tenths(o.rows("launch_totals")[0]["launch_bound_pct"]), 10.0)
    o.check("one bucket holds every latency, call and kernel",
            [(r["measure"], number(r["from_ns"]), number(r["to_ns"]), number(r["entries"])) for r in o.rows("latency_histogram")],
            [(m, 20_000, 50_000, 20000) for m in ("latency", "call", "work")])
    (queue,) = [r for r in o.rows("queue") if r["bucket"] is None]
    o.check("half of the time one call waits", [number(queue[k]) for k in ("begun_calls", "depth_max", "waiting_ns", "full_ns")],
            [20000, 1, 500 * MS, 0])
    o.check("findings", rated(o, "kernel-launch", "small-kernels", "launch-queue"), ["warn", "pass", "pass"])
    o.check("kernels of 45 us are no tiny ones", o.rows("tiny_ops"), [])
    o.check("nothing waits for the device", o.rows("syncs"), [])
    o.shows("launches", lengths=[25_000, 100_200_000], words=["10.0 %", "moderate", "20-50 us", "20,000"], keys="t")
    o.shows("launches", lengths=[25_000, 100_200_000], words=["model/add"])


def without_launches(o):
    """Without the calls nobody can tell how long kernels wait for them, or what small kernels cost."""
    o.check("no latency is invented", [r["latency_p50_ns"] for r in o.rows("launches")], [None] * len(o.rows("launches")))
    o.check("no idle time is blamed on launches", [number(r["launch_bound_ns"]) for r in o.rows("launch_totals")], [0])
    o.check("the guide cannot tell", rated(o, "launch-queue"), ["unknown"])
    o.check("and does not warn of launches", [r for r in rated(o, "kernel-launch", "small-kernels") if r in ("warn", "fail")], [])
