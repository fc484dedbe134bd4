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


def histogram(tap):
    """Twelve small messages and a large one are two rows of a step and device, in the classes of copies."""
    def of(j):
        return [(r["step"], r["rank"], r["message_size"], r["sized_calls"], r["sized_bytes"], r["sized_ns"], r["exposed_comms_ns"]) for r in j.rows("collective_sizes")]
    small, large = ("call", "AllReduce", 1, {"items": 1000}), ("call", "AllReduce", 7, {"items": 1 << 20})
    j = Job(tap, "sizes of messages", 2, steps(3, ("compute", 50), *[small] * 12, large))
    j.is_(sorted(of(j)), sorted((r["step"], r["rank"], *size) for r in j.rows("collective_steps")
                                for size in (("1-4 KiB", 12, 48_000, 12 * MS, 12 * MS), ("4-16 MiB", 1, 4 << 20, 7 * MS, 7 * MS))), "two classes in each step")
    j.is_({(sum(x[3] for x in rows), sum(x[4] for x in rows)) for rows in ([x for x in of(j) if x[:2] == at] for at in {x[:2] for x in of(j)})},
          {(r["collective_calls"], r["step_message_bytes"]) for r in j.rows("collective_steps")}, "they add up to the step's calls and bytes")
    edges = [("call", "AllReduce", 1, {"items": n}) for n in (255, 256, 1023, 1024, 1 << 28, 1 << 30)]
    j = Job(tap, "sizes at the edges of classes", 2, steps(2, ("compute", 50), *edges))
    j.is_({(x[2], x[3]) for x in of(j)}, {("below 1 KiB", 1), ("1-4 KiB", 2), ("4-16 KiB", 1), ("1-4 GiB", 1), ("4 GiB or more", 1)}, "a class begins with its first number")
    j = Job(tap, "sizes that are not told", 2, steps(2, ("compute", 50), *[small] * 3), recorded=False)
    j.is_({x[2:5] for x in of(j)}, {(None, 3, None)}, "are a row without a class")
    j = Job(tap, "sizes without steps", 2, steps(2, ("compute", 50), small), marks=False)
    j.is_(sum(x[3] for x in of(j)), 4, "calls of no step count, too")
    j = Job(tap, "no collectives have no sizes", 1, steps(2, ("compute", 50)))
    j.is_(of(j), [], "no row")


CHECKS = (four_bytes, histogram)
