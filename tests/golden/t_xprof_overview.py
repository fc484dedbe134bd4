"""The overview against XProf's overview page (frozen by tests/golden/xprof/make.py), to the digit that its page shows.

Compared with the older version: since 2.23 the page leaves out the first and the last step.
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


def check(tap, trace):
    ours, theirs = frozen.ask("overview", trace).keyed(), frozen.keyed("overview", trace, frozen.OLDER)
    step_times(tap, trace, ours, theirs)
    parts(tap, trace, ours, theirs)


def main():
    tap = harness.Tap()
    harness.need_program()
    frozen.each(tap, frozen.TRACES, check)
    tap.done()


main()
