#!/usr/bin/env python3
"""Golden tables: every tests/golden/small/*.t names commands on the tiny traces beside it and the text they must print.

    # what this shows
    $ stepscope table gaps two_steps.json
    |gap scope ...
    exit 0

Lines after a command that start with '|' are its standard output; `exit N` its status (0 when not said).
GENERATE=1 rewrites the files; say in the commit why a golden changed."""
import glob
import os
import shlex
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SMALL = os.path.join(HERE, "small")
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import Tap, need_program, stepscope

GENERATE = os.environ.get("GENERATE") == "1"


class Case:
    def __init__(self, command):
        self.command, self.lines, self.status = command, [], 0


def parse(path):
    """The file as a list of comment lines and Cases, in order."""
    parts = []
    for line in open(path, encoding="utf-8").read().splitlines():
        if line.startswith("$ stepscope "):
            parts.append(Case(line[2:]))
        elif line.startswith("|"):
            parts[-1].lines.append(line[1:])
        elif line.startswith("exit "):
            parts[-1].status = int(line[5:])
        else:
            parts.append(line)
    return parts


def run(case):
    done = stepscope(*shlex.split(case.command)[1:], cwd=SMALL)
    return [line.rstrip() for line in done.out.splitlines()], done.status, done.err


def rewrite(path, parts):
    with open(path, "w", encoding="utf-8") as f:
        for part in parts:
            if isinstance(part, str):
                f.write(part + "\n")
                continue
            lines, status, _ = run(part)
            f.write(f"$ {part.command}\n" + "".join(f"|{line}\n" for line in lines))
            f.write(f"exit {status}\n" if status else "")


def difference(expected, got):
    out = []
    for i in range(max(len(expected), len(got))):
        want = expected[i] if i < len(expected) else None
        have = got[i] if i < len(got) else None
        if want != have:
            out += [f"line {i + 1} expected |{want}", f"line {i + 1} got      |{have}"]
    return "\n".join(out)


def main():
    need_program()
    tap = Tap()
    for path in sorted(glob.glob(os.path.join(SMALL, "*.t"))):
        parts = parse(path)
        if GENERATE:
            rewrite(path, parts)
            parts = parse(path)
        for case in (p for p in parts if isinstance(p, Case)):
            lines, status, err = run(case)
            tap.ok(lines == case.lines and status == case.status, f"{os.path.basename(path)}: {case.command}",
                   difference(case.lines, lines) + f"\nexit {status}, expected {case.status} {err.strip()}")
    tap.ok(tap.ran > 0, "there are golden tables")
    tap.done()


main()
