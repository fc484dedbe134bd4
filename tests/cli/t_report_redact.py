#!/usr/bin/env python3
"""`report --redact`: no name of a user's file or function leaves, in whatever format, wherever it stands; PyTorch's own frames do."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "serving"), os.path.join(HERE, "..", "golden")]
import mkxspace
from harness import Tap, need_program, scratch, stepscope
from served import Served

FRAMES = ("/home/alice/secret/train.py(12): step_alice", "alice_loop.py(7): alice_epoch", "$alice_io.py:9 alice_reads",
          "torch/nn/modules/module.py(1736): _call_impl")


def trace():
    """Steps with gaps, in each of which one of the frames runs."""
    s = Served()
    for i in range(8):
        begin = s.clock
        s.launch([("alice_free_kernel", 400)])
        s.fetch()
        s.label(f"ProfilerStep#{i}", begin)
        s.host(FRAMES[i % len(FRAMES)], 900, cat="python_function")
        s.host("/data/alice/cache", 100, cat="user_annotation")
    return s.write(scratch("frames.json.gz"))


def two_hosts():
    """Both have steps 0 to 3, which are told apart by their hosts' names."""
    folder = scratch("hosts")
    os.mkdir(folder)
    for n, name in enumerate(("alice-one.example", "alice-two.example")):
        space = mkxspace.Space([name])
        cpu = space.plane("/host:CPU", id=100).line(1, "main", timestamp_ns=1000)
        gpu = space.plane("/device:GPU:0", id=0).line(7, "Stream #7(Compute)", timestamp_ns=1000)
        for step in range(4):
            corr = {"correlation_id": mkxspace.Uint(step + 1)}
            cpu.event("train", offset_ps=step * 10**9, dur_ps=9 * 10**8, stats={"_r": 1, "step_num": step})
            cpu.event("cuLaunchKernel", offset_ps=step * 10**9 + 10**6, dur_ps=10**6, stats=dict(corr, device_id=mkxspace.Uint(0)))
            gpu.event("gemm", offset_ps=step * 10**9 + 10**7, dur_ps=(4 + n) * 10**8, stats=corr)
        space.write(os.path.join(folder, name + ".xplane.pb"))
    return folder


def nothing_left(tap, path, parts):
    for form in ("html", "md", "json", "svg", "text"):
        for part in parts:
            plain = stepscope("report", path, *part, "--format", form).out
            said = stepscope("report", path, *part, "--format", form, "--redact").out.replace("alice_free_kernel", "")
            where = f"{form} {' '.join(part)}"
            left = [said[max(0, i - 40):i + 40] for i in range(len(said)) if said.startswith("alice", i)]
            tap.equal(left[:3], [], f"{where}: nothing of the user's files")
            tap.ok("about-" not in said.lower(), f"{where}: the cause of idle time is said")
            tap.ok("alice" not in plain or "file-" in said or "host-" in said, f"{where}: hashes stand for them")


def main():
    need_program()
    tap, path = Tap(), trace()
    nothing_left(tap, path, ((), ("--gap", "biggest"), ("--step", "3")))
    nothing_left(tap, two_hosts(), ((),))
    whole = stepscope("report", path, "--format", "html", "--redact").out
    tap.ok("torch/nn/modules/module.py(1736): _call_impl" in whole, "PyTorch's own frames stay")
    again = stepscope("report", path, "--format", "html", "--redact").out
    tap.ok(whole != again, "another run has other hashes")
    tap.done()


main()
