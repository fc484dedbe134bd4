"""The overview against XProf's overview page (frozen by tests/golden/xprof/make.py), to the digit that its page shows.

Compared with the older version: since 2.23 the page leaves out the first and the last step.

Ops of programs that XLA compiled are named and counted by the program in the file, which stepscope does not keep (t_xprof_ops.py): there
the counts of OP_SHARES and the largest ops are not compared, nor are the largest ops of TPUs, which XProf measures by another clock.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "xprof")]
import frozen
import harness

# ours: theirs, in ms with one digit
STEP_TIMES = {"step_mean_ns": "steptime_ms_average", "step_sd_ns": "steptime_ms_standard_deviation"}
# share of the step time: mean in ms with one digit
PARTS = {
    "device_compute_pct": "device_compute",
    "device_to_device_pct": "device_to_device",
    "collectives_pct": "device_collectives",
    "kernel_launch_pct": "kernel_launch",
    "input_pct": "infeed",
    "output_pct": "outfeed",
    "compilation_pct": "compile",
}

# Traces whose device ops XProf counts by compiled programs.
PROGRAMS = ("jax-mi300-attention", "jax-mi300-conv-legacy", "jax-mi300-gemm")
TPU = ("tpu-inference",)
# percentages with one digit
OP_SHARES = {
    "device_ops_count_pct": "device_tf_op_percent",
    "host_ops_count_pct": "host_tf_op_percent",
}
SHARES = {
    "eager_device_pct": "device_op_time_eager_percent",
    "eager_host_pct": "host_op_time_eager_percent",
    "device_compute_16bit_pct": "device_compute_16bit_percent",
    "device_compute_32bit_pct": "device_compute_32bit_percent",
}
ENVIRONMENT = {"device_type": "device_type", "device_count": "device_core_count", "hosts": "host_count"}


def number(text):
    """0 where XProf divides by nothing."""
    return 0.0 if "nan" in text else float(text.rstrip("%"))


def off(ours, theirs, rounding):
    return abs((ours or 0) - theirs) > rounding


def step_times(tap, trace, ours, theirs):
    apart = [f"{o}: expected {theirs[t]} ms got {ours[o]}" for o, t in STEP_TIMES.items()
             if off(harness.number(ours.get(o) or 0) / 1e6, number(theirs.get(t, "0")), 0.0501)]
    tap.ok(not apart, f"{trace}: mean and deviation of the step time", "\n".join(apart))


def parts(tap, trace, ours, theirs):
    mean_ms = harness.number(ours.get("step_mean_ns") or 0) / 1e6
    apart = []
    for mine, name in PARTS.items():
        got, expected = (ours.get(mine) or 0) / 100 * mean_ms, number(theirs.get(f"{name}_time_ms_avg", "0"))
        if off(got, expected, 0.0501):
            apart.append(f"{mine}: expected {expected} ms got {got:.4f}")
    tap.ok(not apart, f"{trace}: parts of the step time", "\n".join(apart))


def shares(tap, trace, ours, theirs):
    wanted = SHARES if trace in PROGRAMS else SHARES | OP_SHARES
    apart = [f"{o}: expected {theirs[t]} got {ours.get(o)}" for o, t in wanted.items()
             if t in theirs and off(ours.get(o), number(theirs[t]), 0.0501)]
    tap.ok(not apart, f"{trace}: op placement, eager shares and precision", "\n".join(apart))


def environment(tap, trace, ours, theirs):
    got = {o: str(ours[o]) for o in ENVIRONMENT} | {"tasks": f"{ours['tasks']} (num tasks per host = {ours['tasks'] // ours['hosts']})"}
    tap.equal(got, {o: theirs[t] for o, t in ENVIRONMENT.items()} | {"tasks": theirs["task_count"]}, f"{trace}: run environment")


def top_ops(tap, trace, ours, theirs):
    """Place, share and name; no other ops."""
    got = [(ours[f"top_op_{i}"], round(ours[f"top_op_{i}_pct"], 4)) for i in range(1, 11) if f"top_op_{i}" in ours]
    expected = [(op[3], round(100 * op[0], 4)) for op in (theirs[f"top_op_{i}"] for i in range(1, 11) if f"top_op_{i}" in theirs)]
    tap.equal(got, expected, f"{trace}: the largest device ops")


def check(tap, trace):
    ours, theirs = frozen.ask("overview", trace).keyed(), frozen.keyed("overview", trace, frozen.OLDER)
    step_times(tap, trace, ours, theirs)
    parts(tap, trace, ours, theirs)
    shares(tap, trace, ours, theirs)
    environment(tap, trace, ours, theirs)
    if trace not in PROGRAMS + TPU:
        top_ops(tap, trace, ours, theirs)


def main():
    tap = harness.Tap()
    harness.need_program()
    frozen.each(tap, frozen.TRACES, check)
    tap.done()


main()
