"""Bytes of collectives: the 4 bytes that --parameters counts, and how large messages are. Run by t_collectives.py."""
import harness
from job import MS, Job, steps

TOLD = ("--parameters", "25e6", "--link-bandwidth", "10GB/s")


def parameters_of(tap, name, *calls, options=TOLD, **how):
    return Job(tap, name, 2, steps(6, ("compute", 50), *calls), options=options, **how)


def reduced(typed, ms=10, op="AllReduce"):
    return ("call", op, ms, {"typed": typed})


def four_bytes(tap):
    """The guide counts 4 bytes per parameter: where what is reduced has others, the expected time is not one to judge by."""
    for typed, word, each in (("bf16", "bf16", "2 bytes"), ("f16", "fp16", "2 bytes"), ("f64", "fp64", "8 bytes"), ("f8e4m3", "fp8", "1 byte")):
        j = parameters_of(tap, f"parameters of {word}", reduced(typed), recorded=False)
        j.is_({(r["parameters_dtype"], r["expected_ns"]) for r in j.rows("collective_steps")}, {(word, 10 * MS)}, "each step says which type")
        j.says("collective-speed", "warn", "1.00 times", "4 bytes per parameter", f"12 of 12 reduce {word}, which has {each}.")
    told = harness.stepscope("findings", j.folder, *TOLD, "--explain", "collective-speed").out
    tap.ok("rows_of_other_dtype" in told and "parameters_dtype" in told, "the finding hands over which rows it means", told)
    j = parameters_of(tap, "parameters of fp32", reduced("f32"), recorded=False)
    j.is_({r["parameters_dtype"] for r in j.rows("collective_steps")}, {None}, "nothing to say")
    j.says("collective-speed", "pass", "slowest step.")
    j = parameters_of(tap, "parameters of fp32 beside a flag", reduced("f32", 9.9), reduced("u8", 0.1), recorded=False)
    j.says("collective-speed", "pass", "slowest step.")
    j = parameters_of(tap, "parameters of bf16 beside a loss", reduced("bf16", 9.9), reduced("f32", 0.1), recorded=False)
    j.says("collective-speed", "warn", "12 of 12 reduce bf16")
    j = parameters_of(tap, "parameters beside gathers", reduced("f32", 5), ("call", "AllGather", 7), recorded=False)
    j.says("collective-speed", "pass", "slowest step.")
    j = Job(tap, "recorded bytes of bf16", 2, steps(6, ("compute", 50), ("call", "AllReduce", 5, {"items": 25_000_000, "dtype": "BFloat16", "typed": "bf16"})), options=TOLD)
    j.is_({r["parameters_dtype"] for r in j.rows("collective_steps")}, {None}, "need no parameters")
    j.says("collective-speed", "pass", "slowest step.")
    j = parameters_of(tap, "bf16 and no parameters", reduced("bf16"), options=("--link-bandwidth", "10GB/s"), recorded=False)
    j.says("collective-speed", None)


CHECKS = (four_bytes,)
