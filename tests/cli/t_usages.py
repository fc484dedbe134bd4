#!/usr/bin/env python3
"""Wrong usages, each with the one sentence that it gets: wrong_usages.txt. `GENERATE=1` writes what the program says, which is then read."""
import os
import shlex
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import ROOT, Tap, need_program, scratch, stepscope

LIST = os.path.join(HERE, "wrong_usages.txt")
TRACE = os.path.join(ROOT, "tests/golden/small/two_steps.json")


def said(line):
    run = stepscope(*[TRACE if w == "TRACE" else w for w in shlex.split(line)], cwd=scratch(""))
    return f"{run.status} " + (run.err.strip().splitlines() or [""])[0].replace(TRACE, "TRACE")


def main():
    need_program()
    with open(LIST, encoding="utf-8") as f:
        lines = f.read().splitlines()
    usages = [line[2:] for line in lines if line.startswith("$ ")]
    if os.environ.get("GENERATE"):
        with open(LIST, "w", encoding="utf-8") as f:
            f.write("".join(f"$ {u}\n{said(u)}\n" for u in usages))
        return
    tap = Tap()
    tap.ok(len(usages) >= 25, "25 wrong usages, at least", len(usages))
    for usage, expected in zip(usages, (line for line in lines if not line.startswith("$ "))):
        got = said(usage)
        tap.equal(got, expected, usage)
        tap.ok(got[0] in "235" and got[2:].startswith("stepscope: ") and not got.endswith("."), f"{usage}: one sentence and a code")
    tap.done()


main()
