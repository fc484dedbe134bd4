#!/usr/bin/env python3
"""Every number in every format is the one that `stepscope table` prints: five traces, one of a window; `make numbers` asks all."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import numbers_of
from harness import ROOT, TRACES, Tap, corpus, need_program

OWN = ("tests/golden/small/two_steps.json", "tests/traces/resnet/resnet.pt.trace.json.gz")
CORPUS = ("kineto/h100-bert/gaunernst_bert-small-uncased__1016001.json.gz", "xspace/jax-mi300-gemm/tw003.xplane.pb",
          "kineto/vllm-decode-graph/graph_execution.json.gz")


def ask(tap, path, label, *options):
    wrong, seen = numbers_of.check(path, *options)
    tap.ok(not wrong and seen > 500, f"{label}: {seen} numbers are the tables'", f"{len(wrong)} differ\n" + "\n".join(wrong[:12]))


def main():
    need_program()
    tap = Tap()
    for name in OWN:
        ask(tap, os.path.join(ROOT, name), name)
    ask(tap, os.path.join(ROOT, OWN[0]), "a step", "--step", "last")
    for name in CORPUS if corpus() else ():
        ask(tap, os.path.join(TRACES, name), name)
    tap.done()


main()
