"""Loops of made servers (served.py), and what is asked of their iterations: rows of the table, its finding, pictures of panes."""
from harness import scratch, stepscope, table
from served import Served

LAYER = [("gemm_kernel", 100), ("flash_fwd_kernel", 60), ("rms_norm_kernel", 40)]


def loop(turns, between_us=0, label="execute_context_0(0)_generation_{bs}({bs})", bs=8, kernels=LAYER, after=None):
    s = Served()
    for i in range(turns):
        begin = s.clock
        s.host("prepare_inputs", 20)
        s.graph(kernels)
        s.fetch()
        s.label(label.format(bs=bs, i=i), begin)
        if between_us:
            s.host("vllm/v1/core/sched/scheduler.py(12): schedule", between_us, cat="python_function")
        if after:
            after(s, i)
    return s


def rows(path, *more):
    return table("iterations", path, *more).rows


def finding(path):
    found = [f for f in table("findings", path).rows if f["rule"] == "iterations"]
    return found[0] if found else None


def shot(path, pressed, size="120x30", *more):
    at = scratch("shot.txt")
    stepscope(path, "--screenshot", at, "--keys", pressed, "--size", size, "--force", *more)
    with open(at, encoding="utf-8") as f:
        return f.read()
