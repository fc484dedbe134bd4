#!/usr/bin/env python3
"""Whatever ends the explorer, the terminal is as it was: alternate screen left, cursor visible, mouse off, modes back.
Each case first proves that the terminal was taken, so that a program which never started cannot pass."""
import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, STEPSCOPE, Tap, need_program, play

SIGNALS = {"TERM": 15, "INT": 2, "HUP": 1, "QUIT": 3, "SEGV": 11, "ABRT": 6}
TRACE = os.path.join(ROOT, "tests/traces/sample")


def ends_with(tap, name, script, endings, *words):
    screen = play(script, *words)
    said = screen.said
    taken = any(line.startswith("terminal:") and "alternate screen on" in line for line in said[:1])
    tap.ok(taken, f"{name}: the explorer had taken the terminal", "\n".join(said) + screen.last + screen.run.err)
    tap.ok(any(end in said for end in endings), f"{name}: ends with {' or '.join(endings)}", "\n".join(said))
    tap.ok("terminal: restored" in said, f"{name}: the terminal is restored", "\n".join(said))


def main():
    need_program()
    tap = Tap()
    begin = "wait Overview\nsettle\nterminal\n"
    for signal, number in SIGNALS.items():
        ends_with(tap, f"SIG{signal}", f"{begin}signal {signal}\nend\n", [f"signal {number}", f"exit {128 + number}"], TRACE)
    ends_with(tap, "the key q", f"{begin}keys q\nend\n", ["exit 0"], TRACE)
    ends_with(tap, "SIGTERM at another size", f"{begin}resize 200x60\nsettle\nsignal TERM\nend\n",
              ["signal 15", "exit 143"], TRACE)
    suspended(tap)
    while_loading(tap)
    tap.done()


def suspended(tap):
    """In a shell, C-z gives the terminal back and fg takes it again and draws everything as it was."""
    script = f"""wait ready>
type '{STEPSCOPE}' '{TRACE}'
keys Enter
wait Overview
settle
screen
keys C-z
wait Stopped
settle
terminal
type fg
keys Enter
wait Overview
settle
terminal
screen
keys Q
wait ready>
"""
    screen = play(script, "--norc", "--noprofile", "-i", program="bash", env={"PS1": "ready>"})
    said = [line for line in screen.said if line.startswith("terminal:")]
    tap.ok(len(said) == 2 and "alternate screen" not in said[0] and "cursor hidden" not in said[0] and "mouse" not in said[0],
           "C-z gives the terminal back", "\n".join(screen.said) + screen.run.err)
    tap.ok(len(said) == 2 and "alternate screen on" in said[1], "fg takes it again", "\n".join(screen.said) + screen.run.err)
    tap.ok(len(screen.screens) == 2 and screen.screens[0] == screen.screens[1], "after fg the same picture",
           "\n".join(map("\n".join, screen.screens)))


def while_loading(tap):
    """A signal during import: no half-drawn terminal is left either."""
    big = glob.glob(os.path.join(ROOT, "../shared/traces/kineto/mi300-flux-big/*.json.gz"))
    if not big:
        tap.skip("SIGTERM while loading", "no ../shared/traces")
        return
    screen = play("wait Overview\nsignal TERM\nend\n", big[0])
    tap.ok("terminal: restored" in screen.said, "SIGTERM while loading: the terminal is restored",
           "\n".join(screen.said) + screen.last)


main()
