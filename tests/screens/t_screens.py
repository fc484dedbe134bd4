#!/usr/bin/env python3
"""Golden screens: every .t file below tests/screens/golden plays keys and says what the screen must show.

    # what this shows
    size 80x24   trace two_steps.json
    keys b
    |whole screen, line by line ...

A file has one header line (size, trace; optional: options after `--`), then orders of tests/screens/pty.c. Lines with '|'
behind an order are the whole screen at that point, trailing blanks left out. Traces lie in tests/golden/small or tests/traces; the trace
"diff" is that verb, and the options behind it name two, from the root.
Those of matrix.py are played, too. GENERATE=1 rewrites the screens (write a single '|' where a new one is wanted); say in the commit why a golden changed."""
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, ".."))
import matrix
from harness import Tap, Unplayed, need_program, play

GENERATE = os.environ.get("GENERATE") == "1"
HEADER = re.compile(r"^size (\d+x\d+)\s+trace (\S+)(?:\s+--\s*(.*))?$")


class Golden:
    """comments and header as text; steps = [(order, expected screen or None)]"""

    def __init__(self, path):
        self.path, self.head, self.steps = path, [], []
        self.size = self.trace = None
        self.options = []
        for line in open(path, encoding="utf-8").read().splitlines():
            self.take(line)

    def take(self, line):
        header = HEADER.match(line)
        if header:
            self.size, self.trace = header.group(1), header.group(2)
            self.options = (header.group(3) or "").split()
            self.head.append(line)
        elif line.startswith("|"):
            order, screen = self.steps[-1]
            self.steps[-1] = (order, (screen or []) + [line[1:]])
        elif not self.steps and (line.startswith("#") or not line.strip()):
            self.head.append(line)
        elif line.strip():
            self.steps.append((line, None))

    def play(self):
        """The screens at the places where one is expected."""
        script = f"wait {'[parts' if self.trace == 'diff' else '1 Over'}\nsettle\n"
        for order, expected in self.steps:
            script += f"{order}\n"
            if expected is not None:
                script += "settle\nscreen\n"
        done = play(script, self.trace, *self.options, size=self.size, cwd=self.folder())
        return [[line.rstrip() for line in s] for s in done.screens]

    def folder(self):
        for folder in ("tests/screens", "tests/golden/small", "tests/traces"):
            if os.path.exists(os.path.join(ROOT, folder, self.trace)):
                return os.path.join(ROOT, folder)
        return ROOT

    def rewrite(self, screens):
        """A single '|' behind an order asks for a screen there."""
        shown = iter(screens)
        with open(self.path, "w", encoding="utf-8") as f:
            f.write("".join(line + "\n" for line in self.head))
            for order, expected in self.steps:
                f.write(order + "\n")
                if expected is not None:
                    f.write("".join(f"|{line}\n" for line in next(shown, [])))


def difference(expected, got):
    rows = [(i, e, g) for i, (e, g) in enumerate(zip(expected, got)) if e != g]
    text = "".join(f"row {i} expected |{e}\nrow {i} got      |{g}\n" for i, e, g in rows[:10])
    return text + (f"{len(expected)} rows expected, {len(got)} shown" if len(expected) != len(got) else "")


def check(tap, golden):
    name = os.path.basename(golden.path)
    try:
        screens = golden.play()
    except Unplayed as e:
        tap.ok(False, f"{name}: plays to its end", e)
        return
    if GENERATE:
        golden.rewrite(screens)
        return
    expected = [(order, screen) for order, screen in golden.steps if screen is not None]
    tap.equal(len(screens), len(expected), f"{name}: plays to its end")
    for i, (order, screen) in enumerate(expected[:len(screens)]):
        tap.ok(screens[i] == screen, f"{name}: screen {i + 1} after '{order}'", difference(screen, screens[i]))


def main():
    need_program()
    tap = Tap()
    found = sorted(glob.glob(os.path.join(HERE, "golden/**/*.t"), recursive=True))
    for path in found:
        check(tap, Golden(path))
    tap.ok(found, "there are golden screens")
    matrix.check(tap, GENERATE)
    tap.equal(glob.glob(os.path.join(HERE, "*.t")), [], "all of them lie below golden/, where they are played")
    tap.done()


main()
