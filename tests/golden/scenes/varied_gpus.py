"""Scenes 10 to 12, of several GPUs, in other numbers and names (varied.py has 1 to 9): each function takes a set and gives a fresh Scene
and what must be said of it, worked out from the set."""
from dataclasses import dataclass

from scene import US, Scene, ms


@dataclass(frozen=True)
class Set:
    marker: str
    first: int          # number of the first step
    nccl: str           # kernel of the reduction
    reduce: tuple       # GPUs; steps; ms of forward, backward, concat, reduction, split, optimizer
    parameters: float
    link: int           # bytes per s
    join: str           # op types that join and split
    split: str
    uneven: tuple       # GPU that computes more, GPUs; steps; ms of step, of its compute, of the others'; kernels of each
    turns: tuple        # GPUs; steps; ms that each works
    order: tuple        # late GPU, first GPU; steps, late steps; ms: step, launch of the first, how much later, work; threads for each


SETS = {
    "a": Set(marker="epoch_step", first=7, nccl="ncclKernel_AllReduce_RING_LL128_Sum_float(ncclWorkElem)",
             reduce=((2, 5, 6), 6, "41", "83.5", "1.25", "16", "0.75", "3.5"), parameters=12.5e6, link=5_000_000_000, join="Pack", split="Unpack",
             uneven=(2, (0, 1, 2), 5, "60", "44", "31", 88, 62), turns=((3, 4, 5), 4, "12.5"),
             order=(3, 0, 12, 5, "80", "1.5", "22.25", "33", 2, 5)),
    "b": Set(marker="loop", first=0, nccl="ncclDevKernel_AllReduce_Sum_f32_TREE_LL(ncclDevKernelArgsStorage<4096ul>)",
             reduce=((0, 1, 2, 3), 9, "5", "9", "0.2", "1.2", "0.1", "0.5"), parameters=1.5e6, link=20_000_000_000, join="ConcatV2", split="SplitV",
             uneven=(0, (0, 1), 8, "7.5", "6.25", "5", 25, 25), turns=((0, 7), 11, "3"),
             order=(0, 6, 7, 7, "15", "0.25", "5.5", "6.5", 1, 3)),
}


def step(scene, s, number, start, length):
    scene.marker(s.first + number, start, start + length, s.marker)


def work(scene, gpu, number, t, kernels, launch_at, thread):
    """Kernels (name, start, dur, op) of one GPU in one step, launched back to back on a thread that is tied to the marker."""
    lane = scene.thread(thread, f"feeder/{thread}")
    scene.gpu(gpu)
    scene.host("ExecutorState::Process", launch_at, launch_at + len(kernels) * US, lane, _ct=2, _c=number * 64 + gpu, id=number + 1)
    for i, (name, start, dur, op) in enumerate(kernels):
        scene.kernel(scene.stream(21, "Compute", gpu), name, start, dur, launch_at + i * US, op, gpu, lane, launch_dur=US)
    scene.host(f"feed {gpu}", t + gpu * US, t + (gpu + 1) * US, _pt=2, _p=number * 64 + gpu)


def all_reduce(s):
    """10: forward, backward, joining, reduction, splitting, optimizer on every GPU."""
    scene = Scene()
    gpus, steps, *lengths = s.reduce
    forward, backward, join, reduce, split, optimizer = map(ms, lengths)
    parts = [("forward_kernel", forward, "model/MatMul:MatMul"), ("backward_kernel", backward, "gradients/MatMul:MatMul"),
             ("join_kernel", join, f"gradients/join:{s.join}"), (s.nccl, reduce, "replica/AllReduce:CollectiveReduce"),
             ("split_kernel", split, f"gradients/split:{s.split}"), ("optimizer_kernel", optimizer, "sgd/Apply:ResourceApplyAdam")]
    length = sum(p[1] for p in parts)
    for i in range(steps):
        t = i * length
        step(scene, s, i, t, length)
        for gpu in gpus:
            at, kernels = t, []
            for name, dur, op in parts:
                kernels.append((name, at, dur, op))
                at += dur
            work(scene, gpu, i, t, kernels, t, 1100 + gpu)
    cost = join + reduce + split
    expected = round(s.parameters * 4 / s.link * 1e9)
    return scene, {"options": ("--parameters", str(s.parameters), "--link-bandwidth", f"{s.link // 10**9}GB/s"),
                   "comm_steps": {"collective_calls": 1, "communication_ns": reduce, "exposed_comms_ns": reduce, "hidden_comms_ns": 0, "wait_ns": 0,
                                  "transfer_ns": reduce, "expected_ns": expected, "joining_ns": join, "splitting_ns": split,
                                  "step_message_bytes": round(s.parameters * 4)},
                   "overheads": (100 * cost / length, 100 * cost / (length + forward + backward), reduce / expected),
                   "severities": {"waits-for-rank": ["pass"], "replicas": ["pass"], "serial-devices": [], "launch-order": ["pass"]}}


def uneven(s):
    """11a: one GPU computes longer, and all meet in one reduction."""
    scene = Scene()
    heavy, gpus, steps, length, much, little, many, few = s.uneven
    length, much, little = map(ms, (length, much, little))
    for i in range(steps):
        t = i * length
        step(scene, s, i, t, length)
        for gpu in gpus:
            busy, n = (much, many) if gpu == heavy else (little, few)
            kernels = [("compute_kernel", t + k * (busy // n), busy // n if k < n - 1 else busy - k * (busy // n), "net/MatMul:MatMul") for k in range(n)]
            work(scene, gpu, i, t, kernels + [(s.nccl, t + busy, length - busy, "AllReduce:CollectiveReduce")], t, 1100 + gpu)
    others = len(gpus) - 1
    return scene, {"replicas": {gpu: {"compute_per_step_ns": much if gpu == heavy else little, "own_kernels_per_step": many if gpu == heavy else few,
                                      "collective_wait_ns": 0 if gpu == heavy else (much - little) * steps,
                                      "last_at": steps if gpu == heavy else 0,
                                      "waited_for_ns": (much - little) * steps * others if gpu == heavy else 0} for gpu in gpus},
                   "because": (heavy, "it runs more kernels" if (many - few) * little * 2 >= (much - little) * few else "its kernels take longer"),
                   "severities": {"serial-devices": []}, "transfer_ns": length - much}


def turns(s):
    """11b: one after another."""
    scene = Scene()
    gpus, steps, each = s.turns
    each = ms(each)
    for i in range(steps):
        t = i * each * len(gpus)
        step(scene, s, i, t, each * len(gpus))
        for k, gpu in enumerate(gpus):
            at = t + k * each
            work(scene, gpu, i, t, [("compute_kernel", at, each // 2, "net/MatMul:MatMul"), ("compute_kernel", at + each // 2, each - each // 2, "net/MatMul:MatMul")],
                 at, 1100 + gpu)
    return scene, {"overlap_pct": 0, "severities": {"serial-devices": ["warn"], "launch-order": []}}


def starved(s):
    """12: one GPU idles until another was launched."""
    scene = Scene()
    late, first, steps, late_steps, length, begin, later, busy, own, other = s.order
    length, begin, later, busy = map(ms, (length, begin, later, busy))
    for i in range(steps):
        t = i * length
        step(scene, s, i, t, length)
        for gpu, launch, threads in ((first, begin, other), (late, begin + (later if i < late_steps else 0), own)):
            kernels = [("compute_kernel", t + launch + 10 * US + k * (busy // 5), busy // 5, "net/MatMul:MatMul") for k in range(5)]
            work(scene, gpu, i, t, kernels, t + launch, 2000 + 100 * gpu + i % threads)
        for lane in range(3):
            scene.host("net/MatMul:MatMul", t + ms(1), t + ms(2), scene.thread(9001 + lane, f"tf_Compute/{lane}"))
    often = late_steps * 2 > steps
    return scene, {"order": {late: {"late_steps": late_steps, "order_steps": steps, "behind_by_ns": later, "behind_device": first,
                                    "launching_threads": own, "begin_idle_ns": begin + 10 * US + (later if often else 0),
                                    "unfed_ns": later_idle(late_steps, steps, later, length, busy)},
                             first: {"late_steps": 0, "order_steps": steps, "launching_threads": other, "begin_idle_ns": begin + 10 * US}},
                   "no_threads": [f"tf_Compute/{i}" for i in range(3)],
                   "severities": {"launch-order": ["warn" if 3 <= 100 * later * late_steps / (length * steps) < 15 else "fail"]}}


def later_idle(late_steps, steps, later, length, busy):
    """Nothing of the step before reaches into the time in which the late GPU is not yet launched."""
    assert busy + later < length and late_steps <= steps
    return later * late_steps


SCENES = (all_reduce, uneven, turns, starved)
