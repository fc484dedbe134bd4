#!/usr/bin/env python3
"""`make slices`: every trace that can be read as slices, whole and three windows, in Chrome's format and, of XSpaces, as XSpace; some minutes.
Words: parts of names, to take only those."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import slices
from harness import Tap, need_program

PARTS = [(0, 10), (30, 60), (72, 73)]


def main():
    need_program()
    tap = Tap()
    for name, path in slices.all_traces():
        typed = not name.startswith("xspace")
        if typed:
            slices.whole(tap, path, name, slices.at_home(name))
        elif "tpu" not in name:
            slices.of_xspace(tap, path, name)
        slices.chrome_windows(tap, path, name, PARTS, None if "tpu" in name else typed)
        for a_ns, b_ns in [] if typed else slices.places(path, PARTS):
            if slices.happens(path, f"--window={a_ns}ns..{b_ns}ns"):
                slices.xspace_window(tap, path, name, a_ns, b_ns)
    tap.done()


main()
