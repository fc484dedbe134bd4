#!/usr/bin/env python3
"""Costly patterns in the explorer: the frame never waits for them. Searches and filters run beside it, keys act meanwhile, Esc
stops them, and a limit that is hit is said where people look. Nothing here is timed: what must not happen takes minutes."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, need_program, play, scratch

RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")

RUNS_AWAY = "^(a+)+$"  # hopeless on the first name
LINGERS = "^(a|aa)+$"  # some milliseconds for each of many names: slow, but within the limits for one
SAYS = "is too costly: more than"


def write(name, names, host=False):
    """Kernels of these names, or what runs on the host."""
    path = scratch(name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    cat, args = ("cpu_op", {}) if host else ("kernel", {"device": 0, "stream": 7})
    events = [{"ph": "X", "cat": cat, "name": text, "ts": 100 * i, "dur": 50, "pid": 0, "tid": 7, "args": args}
              for i, text in enumerate(names)]
    with open(path, "w") as f:
        json.dump({"schemaVersion": 1, "traceEvents": events}, f)
    return path


def finishes(tap, name, trace, orders):
    """The orders are carried out one by one, each seen on the screen, and then Q leaves."""
    screen = play(f"wait Overview\nsettle\n{orders}settle\nscreen\nkeys Q\nend\n", trace, "--no-cache")
    tap.ok("exit 0" in screen.said, name, "\n".join(screen.said) + screen.last + screen.run.err)
    return screen


def limits(tap, trace):
    pattern = f"type {RUNS_AWAY}\nkeys Enter\nwait {SAYS}\nscreen\nkeys j\ngone {SAYS}\n"
    finishes(tap, "a search on the timeline that runs away says so, and the next key acts", trace, f"keys 2 /\n{pattern}")
    finishes(tap, "so does a search in a table", trace, f"type :table events\nkeys Enter\nwait of 60\n"
             + f"keys /\n{pattern}")
    screen = finishes(tap, "so does a filter", trace,
                      f"keys 2 &\ntype /{RUNS_AWAY}/\nkeys Enter\nwait {SAYS}\nkeys j\ngone {SAYS}\n")
    tap.ok("filter" not in screen.last, "and the filter does not hold: nothing is left out", screen.last)
    screen = finishes(tap, "so does a filter of the prompt", trace, f"type :filter /{RUNS_AWAY}/\nkeys Enter\nwait {SAYS}\n")


def stopping(tap, trace):
    begin = f"keys 2 /\ntype {LINGERS}\nkeys Enter\nwait searching /\n"
    finishes(tap, "a slow search says that it searches, keys act, and Esc stops it", trace,
             f"{begin}keys ?\nwait Help\nkeys ?\nwait searching /\nkeys n N n\nwait searching /\nkeys Escape\nwait stopped looking\n")
    screen = play(f"wait Overview\nsettle\n{begin}keys Q\nend\n", trace, "--no-cache")
    tap.ok("exit 0" in screen.said, "Q leaves amid a search", "\n".join(screen.said) + screen.run.err)
    screen = play(f"wait Overview\nsettle\n{begin}signal TERM\nend\n", trace, "--no-cache")
    tap.ok("terminal: restored" in screen.said, "so does SIGTERM", "\n".join(screen.said) + screen.run.err)
    finishes(tap, "a slow filter says that it looks, and Esc stops it", trace,
             f"keys 2 &\ntype /{LINGERS}/\nkeys Enter\nwait looking for events\nkeys Escape\nwait stopped looking\n")


def adding_up(tap, trace):
    """However many of the keys come while the search runs, they lead to the same event."""
    for where, says in {"keys 2\n": "needle_3", "type :table events\nkeys Enter\nwait of 60\n": "needle_3"}.items():
        screen = finishes(tap, f"n and N are counted ({where.split()[1]})", trace,
                          f"{where}keys /\ntype needle\nkeys Enter n n n n N\nsettle\n")
        tap.ok(any(says in line for line in screen.screens[-1][-12:]), "and end where they lead one by one", screen.last)


def asked_early(tap):
    """; before the findings are made leads to the first of them as soon as they are."""
    shown = play("wait Overview\nkeys ;\nwait [2 Timeline]\nsettle\nscreen\nkeys Q\nend\n", RESNET, "--no-cache", size="120x30")
    tap.ok(shown.screens and re.search(r"finding \d+ of \d+: ", "\n".join(shown.screens[-1])), "; is not lost on who is quick", shown.last)


def main():
    need_program()
    tap = Tap()
    few = write("few.json", ["needle_%d" % (i // 10) if i % 10 == 5 else "a" * (30 + i) + "!" for i in range(60)])
    many = write("many.json", ["a" * 23 + "!%d" % i for i in range(40000)], host=True)
    limits(tap, few)
    adding_up(tap, few)
    stopping(tap, many)
    asked_early(tap)
    tap.done()


main()
