"""The scenes of specs.py in other numbers and other names: each function takes a set (SETS) and gives a fresh Scene and what must
be said of it. Expected numbers are worked out here from the set, never read from the program."""
from dataclasses import dataclass

from scene import LAUNCH, US, Scene, ms


@dataclass(frozen=True)
class Set:
    marker: str         # what the loop calls its steps
    first: int          # number of the first step
    thread: tuple       # id and name of the launching thread
    stream: int         # of the kernels; copies lie on the next two
    product: str        # a kernel on Tensor Cores
    plain: str          # a product in 32 bit
    op: str
    device: int         # ordinal of the GPU
    ideal: tuple        # steps; kernels and ms each of forward, loss, backward, optimizer; ms of the copy at the end and of the idle start
    gap: tuple          # device ms of a step, of the small gaps, of the large one, of the host event in it
    callback: tuple     # device ms of a step, ms of the gap, of the callback, steps
    scaling: tuple      # device ms of a step, ms of the gap, of the conditional, steps
    input: tuple        # steps; ms of wait, copy, launch, compute; self ms of Prefetch, the map and the reader
    launches: tuple     # steps; launches per step, us of a launch, us of a kernel
    small: tuple        # count, period ns, kernel ns of two ops and their shares of the count
    placement: tuple    # device ops, host-only ops, ms each; products on the host, ms each
    copies: tuple       # steps, round trips per step, ms of a copy, of the kernel between, of the input
    cores: tuple        # count and ms each: on Tensor Cores, fp32 product, N = odd, element-wise; the odd N
    words: dict         # names of events the scenes turn on
    order: int          # -1: inner events stand before outer ones in the file


SETS = {
    "a": Set(marker="fit_batch", first=31, thread=(4711, "trainer"), stream=7,
             product="ampere_fp16_s16816gemm_fp16_256x128_ldg8_f2f_stages_32x3_nn", plain="ampere_sgemm_64x32_sliced1x4_tn",
             op="encoder/block_3/proj/MatMul:MatMul", device=3,
             ideal=(7, (20, "0.7"), (1, "0.4"), (30, "0.9"), (4, "0.6"), "0.8", "0.5"), gap=("37.5", "0.9", "22.2", "19.8"),
             callback=("48", "31", "29.5", 6), scaling=("23", "3.2", "2.4", 9), input=(6, "9.4", "0.7", "1.1", "55.3", "0.9", "7.2", "1.3"),
             launches=(5, 900, 40, 31), small=(4001, 31_000, 14_507, 30_001, 0.25), placement=(180, 12, "0.3", 4, "9"),
             copies=(4, 9, "0.25", "2", "3"), cores=((90, "0.3"), (70, "0.8"), (50, "0.35"), (40, "0.15"), 509),
             words={"wait": "IteratorGetNext:IteratorGetNext", "callback": "SaveCheckpoint/after_batch", "scaling": "train/LossScaleOptimizer_1/cond_2:If",
                    "map": "MapAndBatch", "reader": "TextLine", "pool": "tf_data_private_threadpool"}, order=1),
    "b": Set(marker="outer_loop", first=0, thread=(90210, "MainThread"), stream=55,
             product="turing_fp16_s1688gemm_fp16_128x64_ldg8_f2f_nt", plain="turing_sgemm_128x32_nn",
             op="tower_1/attention/dense/einsum/MatMul:MatMul", device=0,
             ideal=(12, (11, "3.1"), (2, "0.8"), (17, "2.7"), (3, "1.3"), "1.9", "2.2"), gap=("81.25", "4.5", "133.7", "120.1"),
             callback=("15.5", "9.75", "8.5", 5), scaling=("64", "8.1", "6.6", 5), input=(9, "120", "11", "6", "44", "0", "93", "20.5"),
             launches=(3, 3100, 14, 22), small=(9000, 40_000, 24_900, 11_300, 0.6), placement=(400, 30, "1.5", 7, "22.5"),
             copies=(6, 5, "1.2", "4.4", "6"), cores=((35, "1.1"), (21, "4"), (64, "0.9"), (120, "0.5"), 4099),
             words={"wait": "IteratorGetNext:IteratorGetNext", "callback": "evaluate_now", "scaling": "amp/LossScaleOptimizer/cond:If",
                    "map": "ParallelMapV2", "reader": "FixedLengthRecord", "pool": "tf_data_private_threadpool"}, order=-1),
}


def begin(s, cc=(7, 0), name="Tesla V100-SXM2-16GB"):
    """A scene of this set with its GPU, launching thread and compute stream."""
    scene = Scene()
    scene.gpu(s.device, cc, name)
    scene.names = s
    return scene, scene.stream(s.stream, "Compute", s.device), scene.thread(*s.thread)


def mark(scene, number, start, end):
    s = scene.names
    scene.marker(s.first + number, start, end, s.marker, scene.thread(*s.thread))


def kernel(scene, stream, name, start, dur, launch_at, op=None, launch_dur=LAUNCH, **more):
    s = scene.names
    scene.kernel(stream, name, start, dur, launch_at, op or s.op, s.device, scene.thread(*s.thread), launch_dur=launch_dur, **more)


def copy(scene, stream, kind, start, dur, launch_at, bytes, **more):
    s = scene.names
    scene.copy(stream, kind, start, dur, launch_at, bytes, s.device, thread=scene.thread(*s.thread), **more)


def host(scene, name, start, end, thread=None, **stats):
    scene.host(name, start, end, thread or scene.thread(*scene.names.thread), **stats)


def device_step(scene, stream, start, length, parts=5):
    """Kernels that fill the length, launched back to back as it begins."""
    each = length // parts
    for i in range(parts):
        kernel(scene, stream, scene.names.product, start + i * each, each if i < parts - 1 else length - each * (parts - 1), start + i * LAUNCH)


def ideal(s):
    """1: steps that leave the GPU idle only as they begin."""
    scene, work, _ = begin(s)
    steps, fwd, loss, bwd, opt, d2d, idle = s.ideal
    parts = [(s.product, fwd, "model/fwd/MatMul:MatMul"), ("loss_kernel", loss, "loss/Mean:Mean"),
             (s.product, bwd, "gradients/MatMul_grad/MatMul:MatMul"), ("optimizer_kernel", opt, "sgd/Apply:ResourceApplyGradientDescent")]
    compute, calls = sum(n * ms(each) for _, (n, each), _ in parts), sum(n for _, (n, _), _ in parts)
    length = ms(idle) + compute + ms(d2d)
    for i in range(steps):
        t, at, call = i * length, i * length + ms(idle), 0
        mark(scene, i, t, t + length)
        for name, (n, each), op in parts:
            for _ in range(n):
                kernel(scene, work, name, at, ms(each), t + call * LAUNCH, op)
                at, call = at + ms(each), call + 1
        copy(scene, work, "D2D", at, ms(d2d), t + length // 2, 1 << 20)
    half = fwd[0] + bwd[0]
    return scene, {"steps": [length] * steps, "step_gaps": [ms(idle)] * (steps - 1),
                   "parts": {"device_compute_ns": compute, "kernel_launch_ns": calls * LAUNCH, "device_to_device_ns": ms(d2d)},
                   "overview": {"kernels": calls * steps, "kernels_16bit": half * steps, "busy_ns": (compute + ms(d2d)) * steps,
                                "idle_ns": ms(idle) * (steps - 1)},
                   "phases": {"forward_ns": fwd[0] * ms(fwd[1]), "loss_ns": loss[0] * ms(loss[1]), "backward_ns": bwd[0] * ms(bwd[1]),
                              "optimizer_ns": opt[0] * ms(opt[1])}}


def gap_between(s, fill):
    """Four device steps with a large gap before the third; fill(scene, from, to) puts what the host does there."""
    scene, work, _ = begin(s)
    step, small, large, _ = map(ms, s.gap)
    at, starts = 0, []
    for i, before in enumerate((0, small, large, small)):
        at += before
        starts.append(at)
        device_step(scene, work, at, step)
        at += step
    for i, start in enumerate(starts):  # a marker ends after its device work, and the next begins there
        mark(scene, i, starts[i - 1] + step + small // 2 if i else 0, start + step + small // 2)
    gap_start = starts[1] + step
    fill(scene, gap_start + small // 2 + 10 * US)
    return scene, {"steps_gaps_from": [(gap_start, large)], "step_gaps": [large, small, small],
                   "overview": {"idle_ns": large + 2 * small, "span_ns": 4 * step + large + 2 * small, "busy_ns": 4 * step}}


def large_gap(s):
    """2: input wait before the third step."""
    wait = ms(s.gap[3])
    scene, said = gap_between(s, lambda scene, at: host(scene, s.words["wait"], at, at + wait))
    return scene, {**said, "cause": ("input wait", wait)}


def contention(s):
    """3a: the launching thread does nothing that is recorded while eight threads of the input pool are busy."""
    def fill(scene, at):
        for i in range(8):
            host(scene, f"Iterator::{s.words['map']}::{s.words['reader']}", at, at + ms(s.gap[3]), scene.thread(6001 + i, f"{s.words['pool']}/{i}"))
    scene, said = gap_between(s, fill)
    return scene, {**said, "cause": ("thread contention", None)}


def compilation(s):
    """3d: XLA compiles before the third step, for a new shape."""
    def fill(scene, at):
        host(scene, "XlaCompile", 1000, 2000, shape="(float[8,64])")
        host(scene, "XlaCompile", at, at + ms(s.gap[3]), shape="(float[9,64])")
    scene, said = gap_between(s, fill)
    return scene, {**said, "cause": ("compilation", ms(s.gap[3]))}


def nothing_recorded(s):
    """3e: the same gap, the host says nothing."""
    scene, said = gap_between(s, lambda scene, at: None)
    return scene, {**said, "cause": ("not recorded", None)}


def every_gap(s, numbers, name, inside):
    """Steps with one event in every gap: within the marker, or after it."""
    scene, work, _ = begin(s)
    step, gap, event, steps = ms(numbers[0]), ms(numbers[1]), ms(numbers[2]), numbers[3]
    lead = (gap - event) // 2
    for i in range(steps):
        t = i * (step + gap)
        mark(scene, i, t, t + step + (gap if inside else lead // 2))
        device_step(scene, work, t, step)
        if i < steps - 1 or inside:
            host(scene, name, t + step + lead, t + step + lead + event)
    return scene, {"step_gaps": [gap] * (steps - 1)}, event, gap


def callback(s):
    """3b: a callback between the markers."""
    scene, said, event, gap = every_gap(s, s.callback, s.words["callback"], False)
    return scene, {**said, "cause": ("host work outside the graph", event), "lost_ns": gap * (s.callback[3] - 1)}


def loss_scaling(s):
    """3c: the conditional of dynamic loss scaling within each step."""
    scene, said, event, _ = every_gap(s, s.scaling, s.words["scaling"], True)
    return scene, {**said, "cause": ("loss scaling", event), "lost_ns": event * (s.scaling[3] - 1)}


def input_bound(s):
    """4: wait, copy, launch, compute; three iterators within each other, the map the slowest by its own time."""
    scene, work, _ = begin(s)
    h2d, data = scene.stream(s.stream + 1, "MemcpyH2D", s.device), scene.thread(7001, "tf_data_iterator")
    steps = s.input[0]
    wait, moved, call, compute, prefetch, mapped, reader = map(ms, s.input[1:])
    length = wait + moved + call + compute
    names = ["Prefetch", s.words["map"], s.words["reader"]]
    for i in range(steps):
        t = i * length
        mark(scene, i, t, t + length)
        host(scene, s.words["wait"], t, t + wait)
        # the innermost two begin together, and without time of its own the outermost is as long as what lies in it: none may hide
        # another, whichever the file names first
        spans = [(t, prefetch + mapped + reader), (t + prefetch, mapped + reader), (t + prefetch, reader)]
        for depth, (at, span) in list(enumerate(spans))[::s.order]:
            parent = {"parent_id": depth} if depth else {}
            host(scene, "::".join(["Iterator", *names[:depth + 1]]), at, at + span, data, id=depth + 1, **parent)
        copy(scene, h2d, "H2D", t + wait, moved, t + wait - LAUNCH, 8 << 20)
        kernel(scene, work, s.plain, t + wait + moved + call, compute, t + wait + moved, launch_dur=call)
    return scene, {"steps": [length] * steps, "parts": {"input_ns": wait + moved, "kernel_launch_ns": call, "device_compute_ns": compute},
                   "input": {"step_mean_ns": length, "best_step_no_wait_ns": length - wait,
                             "best_step_prefetched_ns": length - wait - moved, "bottleneck": s.words["map"]},
                   "iterators": {names[0]: prefetch * steps, names[1]: mapped * steps, names[2]: reader * steps}}


def launch_bound(s):
    """5: every kernel waits for its call and is over before the next begins."""
    scene, work, _ = begin(s)
    steps, n, call, dur = s.launches[0], s.launches[1], s.launches[2] * US, s.launches[3] * US
    period = call + dur + 3 * US
    length = n * period
    for i in range(steps):
        t = i * length
        mark(scene, i, t, t + length)
        for k in range(n):
            kernel(scene, work, "small_kernel", t + k * period + call, dur, t + k * period, "model/add:Add", launch_dur=call)
    return scene, {"steps": [length] * steps, "parts": {"kernel_launch_ns": n * call, "device_compute_ns": n * dur},
                   "overview": {"kernels": n * steps, "kernel_ns": n * steps * dur},
                   "launches": {"latency_p50_ns": call, "latency_p99_ns": call, "queue_max": 1, "work": n * steps}}


def many_small_kernels(s):
    """6: one type of op, two places, each kernel shorter than a launch."""
    scene, work, _ = begin(s)
    total, period, first, second, share = s.small
    mark(scene, 0, 0, total * period)
    n = int(total * share)
    for i in range(total):
        op, dur = ("loop/body/scale:Mul", first) if i < n else ("loop/body/scale_1:Mul", second)
        kernel(scene, work, "Mul_GPU_DT_HALF_kernel", i * period, dur, i * period, op)
    work_ns = n * first + (total - n) * second
    span = (total - 1) * period + second
    return scene, {"overview": {"kernels": total, "kernel_ns": work_ns, "idle_ns": span - work_ns, "span_ns": span},
                   "kernels": {"loop/body/scale": (n, n * first), "loop/body/scale_1": (total - n, (total - n) * second)},
                   "tiny": {"runs": total, "total_ns": work_ns, "idle_before_ns": span - work_ns}}


def placement(s):
    """7: most ops on the device; on the host some that have no kernel and some that should not be there."""
    scene, work, _ = begin(s)
    on_device, only_host, each, products, long = s.placement
    lane, length = scene.thread(8001, "executor/4"), on_device * ms("0.5")
    end = max(length, only_host * ms(each) + products * ms(long)) + ms(1)
    mark(scene, 0, 0, end + ms(1))
    for i in range(on_device):
        kernel(scene, work, s.product, ms(1) + i * ms("0.5"), ms("0.5"), i * LAUNCH // 5, f"net/layer_{i}/MatMul:MatMul", launch_dur=LAUNCH // 5)
    at = ms(1)
    for i in range(only_host):
        host(scene, "table/Unique:Unique", at, at + ms(each), lane)
        at += ms(each)
    for i in range(products):
        host(scene, "lookup/MatMul:MatMul", at, at + ms(long), lane)
        at += ms(long)
    return scene, {"overview": {"device_ops": on_device, "host_ops": only_host + products},
                   "host_ops": {"lookup/MatMul": (products, products * ms(long), "compute-intensive"),
                                "table/Unique": (only_host, only_host * ms(each), "host only")}}


def excess_copies(s):
    """8: round trips in every step that block the kernel behind them."""
    scene, work, _ = begin(s)
    h2d, d2h = scene.stream(s.stream + 1, "MemcpyH2D", s.device), scene.stream(s.stream + 2, "MemcpyD2H", s.device)
    steps, trips = s.copies[:2]
    each, compute, first = map(ms, s.copies[2:])
    end = first + trips * (2 * each + compute)
    length = end + ms(1)
    for i in range(steps):
        t = i * length
        mark(scene, i, t, t + length)
        copy(scene, h2d, "H2D", t, first, t, 32 << 20)
        for k in range(trips):
            at = t + first + k * (2 * each + compute)
            copy(scene, d2h, "D2H", at, each, t + (1 + 3 * k) * LAUNCH, 1 << 20, op="stats/PyFunc:PyFunc")
            copy(scene, h2d, "H2D", at + each, each, t + (2 + 3 * k) * LAUNCH, 1 << 20)
            kernel(scene, work, s.plain, at + 2 * each, compute, t + (3 + 3 * k) * LAUNCH)
        copy(scene, d2h, "D2H", t + end, ms("0.1"), t + (3 * trips + 1) * LAUNCH, 4096)
    return scene, {"copies": {("H2D", True): (steps, None), ("D2H", True): (steps, None),
                              ("D2H", False): (steps * trips, steps * trips * each), ("H2D", False): (steps * trips, steps * trips * each)},
                   "excess_lost_ns": steps * trips * 2 * each}


def tensor_cores(s):
    """9: products on Tensor Cores, in 32 bit, with an odd dimension; and element-wise kernels."""
    scene, work, _ = begin(s, (7, 5), "Tesla T4")
    odd = s.cores[4]
    kinds = [(s.product, "dense/MatMul", "(half[64,512];half[512,1024])"), (s.plain, "dense_7/MatMul", "(float[64,512];float[512,1024])"),
             ("volta_fp16_sgemm_fp16_64x64_nn", "dense_8/MatMul", f"(half[64,512];half[512,{odd}])"),
             ("Tanh_GPU_DT_FLOAT_DT_FLOAT_kernel", "activation/Tanh", "(float[64,1024])")]
    at, call, totals = ms(1), 0, {}
    for (name, op, shape), (n, each) in zip(kinds, s.cores[:4]):
        totals[op] = n * ms(each)
        for _ in range(n):
            kernel(scene, work, name, at, ms(each), call * LAUNCH // 10, f"{op}:{op.split('/')[1]}", launch_dur=LAUNCH // 10, shape=shape)
            at, call = at + ms(each), call + 1
    mark(scene, 0, 0, at + ms(1))
    everything = sum(totals.values())
    return scene, {"overview": {"tensor_core_unused_ns": totals["dense_7/MatMul"] + totals["dense_8/MatMul"], "kernel_ns": everything},
                   "tensor_cores": {"dense_7/MatMul": ("fp32", totals["dense_7/MatMul"], None),
                                    "dense_8/MatMul": ("dimension", totals["dense_8/MatMul"], f"N = {odd}, {odd} mod 8 = {odd % 8}")}}


SCENES = (ideal, large_gap, contention, compilation, nothing_recorded, callback, loss_scaling, input_bound, launch_bound, many_small_kernels,
          placement, excess_copies, tensor_cores)
