#!/usr/bin/env python3
"""`make numbers`: every number of every format of every trace that can be read, against `stepscope table`; some minutes, and some GB for the
largest. Words: parts of names, to take only those. MOST_BYTES: larger sources are left out, which is told."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import numbers_of
import slices
from harness import Tap, need_program

MOST_BYTES = int(os.environ.get("MOST_BYTES", "2500000"))


def main():
    need_program()
    tap, total = Tap(), 0
    for name, path in slices.all_traces():
        if os.path.getsize(path) > MOST_BYTES:
            tap.skip(name, f"more than {MOST_BYTES} bytes: MOST_BYTES={os.path.getsize(path)} takes it")
            continue
        wrong, seen = numbers_of.check(path)
        total += seen
        tap.ok(not wrong, f"{name}: {seen} numbers are the tables'", f"{len(wrong)} differ\n" + "\n".join(wrong[:12]))
    print(f"# {total} numbers")
    tap.done()


main()
