#!/usr/bin/env python3
"""What the explorer remembers of a trace from run to run: lanes and marks, known by what the trace holds; and when it remembers nothing."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, need_program, play, scratch, stepscope

SMALL = os.path.join(ROOT, "tests/golden/small/two_steps.json")
OTHER = os.path.join(ROOT, "tests/golden/small/counters.json")
ARRANGE = "keys 2\nsettle\nkeys x\nwait hidden; X shows all again\nkeys m b\nwait mark b set\nkeys Q\nend\n"
LOOK = "keys 2\nsettle\nscreen\nkeys Q\nend\n"


def run(script, trace, state, *options):
    return play("wait Overview\nsettle\n" + script, trace, *options, env={"XDG_STATE_HOME": state})


def timeline(trace, state, *options):
    shown = run(LOOK, trace, state, *options)
    return "\n".join(shown.screens[0])


def hidden(screen):
    return "1 hidden (X)" in screen and " stream 7" not in screen


def remembered(tap, state):
    tap.ok(" stream 7" in timeline(SMALL, state), "at first all lanes are there")
    run(ARRANGE, SMALL, state)
    again = timeline(SMALL, state)
    tap.ok(hidden(again), "a hidden lane is hidden at the next start, which says so", again)
    copy = scratch("elsewhere.json")
    shutil.copyfile(SMALL, copy)
    tap.ok(hidden(timeline(copy, state)), "also in a copy of another name")
    saved = scratch("saved.stepscope")
    stepscope("pack", SMALL, "-o", saved)
    tap.ok(hidden(timeline(saved, state)), "and in the file saved from it")
    tap.ok("hidden" not in timeline(OTHER, state), "not in another trace")
    gone = run("keys '\nwait b 0 ns\nkeys b\nsettle\nscreen\nkeys Q\nend\n", SMALL, state)
    tap.ok("exit 0" in gone.said and "[2 Timeline]" in gone.screens[0][0], "a mark leads where it did", gone.last)


def forgotten(tap, state):
    run("type :forget\nkeys Enter\nwait are reset\nkeys Q\nend\n", SMALL, state)
    tap.ok(" stream 7" in timeline(SMALL, state), ":forget shows it again, at the next start, too")


def not_kept(tap, state):
    run(ARRANGE, SMALL, state)
    tap.ok(" stream 7" in timeline(SMALL, state, "--no-state"), "--no-state does not use it")
    file = os.path.join(state, "stepscope/arranged")
    os.remove(file)
    run(ARRANGE, SMALL, state, "--no-state")
    tap.ok(not os.path.exists(file), "nor keep it")
    dark = scratch("dark")
    run(ARRANGE, SMALL, dark, "--no-state")
    tap.ok(not os.path.exists(dark), "nor make the folder")
    done = run(ARRANGE, SMALL, "/dev/null")
    tap.ok("exit 0" in done.said, "where there can be no folder all goes on without a word", done.last)
    shut = scratch("shut")
    os.makedirs(os.path.join(shut, "stepscope/arranged"), mode=0o700)  # a folder where the file should be
    os.chmod(os.path.join(shut, "stepscope"), 0o700)
    done = run(ARRANGE, SMALL, shut)
    tap.ok("exit 0" in done.said, "nor where the file cannot be written", done.last)


def main():
    need_program()
    tap = Tap()
    state = scratch("state-arranged")
    remembered(tap, state)
    forgotten(tap, state)
    not_kept(tap, state)
    tap.done()


main()
