#!/usr/bin/env python3
"""`report --redact`: no name of a user's file or function leaves, in whatever format, wherever it stands; PyTorch's own frames do."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "serving")]
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


def main():
    need_program()
    tap, path = Tap(), trace()
    for form in ("html", "md", "json", "svg", "text"):
        for part in ((), ("--gap", "biggest"), ("--step", "3")):
            plain = stepscope("report", path, *part, "--format", form).out
            said = stepscope("report", path, *part, "--format", form, "--redact").out.replace("alice_free_kernel", "")
            where = f"{form} {' '.join(part)}"
            left = [said[max(0, i - 40):i + 40] for i in range(len(said)) if said.startswith("alice", i)]
            tap.equal(left[:3], [], f"{where}: nothing of the user's files")
            tap.ok("alice" not in plain or "file-" in said, f"{where}: hashes stand for them")
    whole = stepscope("report", path, "--format", "html", "--redact").out
    tap.ok("torch/nn/modules/module.py(1736): _call_impl" in whole, "PyTorch's own frames stay")
    again = stepscope("report", path, "--format", "html", "--redact").out
    tap.ok(whole != again, "another run has other hashes")
    tap.done()


main()
