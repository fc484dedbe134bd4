#!/usr/bin/env python3
"""What is worked out a second time from the entries of every real trace: each file is read once, and then all that the modules in
`entries` prove with it is asked. t_entries.py MODULE... asks only those."""
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(HERE, "entries")]
from harness import Tap, corpus, need_program, scratch

MODULES = ("corpus", "copies", "hta", "infer", "launches", "memory", "perfetto", "phases", "roofline", "step_times", "tensor_cores")


class NamedTap(Tap):
    """Says which module proves what."""
    module = ""

    def ok(self, good, name, why=""):
        return super().ok(good, f"{self.module}: {name}", why)

    def skip(self, name, reason):
        super().skip(f"{self.module}: {name}", reason)


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap, checks = NamedTap(), {}
    for module in sys.argv[1:] or MODULES:
        for path, check in importlib.import_module(module).jobs():
            checks.setdefault(path, []).append((module, check))
    if not corpus():
        checks = {"": checks.get("", [])}  # what needs no trace
        Tap.skip(tap, "real traces", "no ../shared/traces")
    for path in sorted(checks):
        for tap.module, check in checks[path]:
            check(tap)
    tap.done()


main()
