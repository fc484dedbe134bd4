#!/usr/bin/env python3
"""STEPSCOPE_LOG=FILE: the explorer tells what it does, line by line, and a log that cannot be written is said at once."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, need_program, play, scratch

TRACE = os.path.join(ROOT, "tests/traces/sample")
LINE = re.compile(r"\d{9,}\.\d{6} \d+ (\S.*)")


def main():
    need_program()
    tap = Tap()
    log = scratch("log")
    os.makedirs(scratch(), exist_ok=True)
    play("wait Overview\nsettle\nkeys 5\nwait Kernels\nsettle\nkeys Down\ntype :table nothing\nkeys Enter\nsettle\nkeys Q\nend\n", TRACE, "--no-cache",
         env={"STEPSCOPE_LOG": log})
    text = open(log, encoding="utf-8").read() if os.path.exists(log) else ""
    found = [LINE.fullmatch(line) for line in text.splitlines()]
    tap.ok(found and all(found), "every line has a time, a process and a text", text[:800])
    lines = [m[1] for m in found if m]
    expected = [r"explorer begins: version \S+, 1 paths, first '.*sample'", r"load: read, \d+ ms, \d+ events", r"load: sorted or loaded, .*",
                r"load: derived, .*", "key 5 in Overview", "pane Kernels", "key Down in Kernels", "key : in Kernels",
                "pane Kernels, input line", "command :table nothing", r'status: .*no table "nothing".*', "key Q in Kernels",
                "explorer ends: exit code 0"]
    at = 0
    for pattern in expected:
        here = next((i for i in range(at, len(lines)) if re.fullmatch(pattern, lines[i])), None)
        tap.ok(here is not None, f"in this order: {pattern}", "\n".join(lines[at:]))
        at = at if here is None else here + 1
    for job in ("table overview", "table kernels"):
        tap.ok(f"worker begins: {job}" in lines and any(re.fullmatch(f"worker ends: {job}, \\d+ ms", x) for x in lines),
               f"the worker begins and ends: {job}", "\n".join(lines))
    tap.equal(os.path.exists(log) and os.stat(log).st_mode & 0o777, 0o600, "only its owner may read it")
    screen = play("end\nscreen\n", TRACE, env={"STEPSCOPE_LOG": scratch("absent", "log")})
    shown = "\n".join(screen.said) + screen.last + screen.run.out + screen.run.err
    tap.ok("exit 2" in screen.said and "STEPSCOPE_LOG: cannot write to" in shown, "a log that cannot be written: exit code 2 and why", shown)
    tap.done()


if __name__ == "__main__":
    main()
