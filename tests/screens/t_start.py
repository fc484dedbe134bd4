#!/usr/bin/env python3
"""`stepscope` without a trace: a list to choose from, which never takes long, and hints on the first start that go after their first use."""
import os
import re
import shutil
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, need_program, play, scratch, stepscope

SMALL = os.path.join(ROOT, "tests/golden/small/two_steps.json")
HINT = "biggest gap: how long"


def put(path, hours_old, source=SMALL):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copyfile(source, path)
    then = time.time() - hours_old * 3600
    os.utime(path, (then, then))


def tree():
    """A folder with a trace of each kind, the newest first by name, and things that are none."""
    folder = scratch("tree")
    put(f"{folder}/runs/a.pt.trace.json", 3)
    put(f"{folder}/deep/er/b.xplane.pb", 5)
    put(f"{folder}/tb/plugins/profile/2024_01_02/one.xplane.pb", 80)
    put(f"{folder}/tb/plugins/profile/2024_01_02/two.xplane.pb", 70)
    put(f"{folder}/d.stepscope", 24 * 100)
    for none in ("package.json", ".hidden/e.stepscope", "node/f.txt"):
        put(f"{folder}/{none}", 1)
    os.mkfifo(f"{folder}/pipe.stepscope")
    os.symlink("..", f"{folder}/runs/round")
    return folder


def lines_of(text):
    return [re.sub(r" +", " ", line).strip() for line in text.splitlines() if re.search(r"(?:[KMG]iB|\d B) ", line)]


def test_list(tap, folder):
    size = os.path.getsize(SMALL)
    assert 1000 < size < 10000
    kib = f"{size / 1024:.1f} KiB"
    run = stepscope(cwd=folder)
    tap.equal(lines_of(run.out), [f"{kib} 3 hours runs/a.pt.trace.json", f"{kib} 5 hours deep/er/b.xplane.pb",
                                  f"{2 * size / 1024:.1f} KiB 2 days tb/plugins/profile/2024_01_02", f"{kib} 3 months d.stepscope"],
              "without a terminal: what lies below, newest first, with size and age; a run folder is one")
    tap.ok(run.status == 2 and "wants a trace" in run.err and "--help" in run.err, "and what to do, with the exit code of wrong usage", run.told())
    run = stepscope(cwd=os.path.join(folder, "node"))
    tap.equal((run.out, run.status), ("", 2), "where there is none, nothing is printed but what to do")


def test_choice(tap, folder):
    state = scratch("state-choice")
    shown = play("wait which trace\nsettle\nscreen\nkeys j\nsettle\nscreen\nkeys k Enter\nwait Overview\nsettle\nscreen\nkeys Q\nend\n",
                 env={"XDG_STATE_HOME": state}, cwd=folder)
    first, _, opened = shown.screens
    tap.equal(len(lines_of("\n".join(first))), 4, "on a terminal: the same list")
    tap.ok("Enter open" in first[-1] and "q leave" in first[-1], "its keys stand in the last line", first[-1])
    tap.ok("a.pt.tra" in opened[0] and "exit 0" in shown.said, "Enter opens the chosen one", shown.run.told() + "\n".join(opened))
    rows = [y for y, line in enumerate(first) if "ago" not in line and ".json" in line or "er/b." in line]
    clicked = play(f"wait which trace\nsettle\nclick {rows[-1]} 30\nsettle\nscreen\nclick {rows[0] - 1} 3\nsettle\nscreen\n"
                   f"double {rows[-1]} 30\nwait Overview\nsettle\nscreen\nkeys Q\nend\n", env={"XDG_STATE_HOME": scratch("state-clicks")}, cwd=folder)
    chose, head, opened = ("\n".join(s) for s in clicked.screens)
    tap.ok(f"{len(rows)} of 4" in chose, "a click chooses a row", chose)
    tap.equal(head, chose, "one on a heading does nothing")
    tap.ok("[1 Overview]" in opened and "exit 0" in clicked.said, "two clicks open it", opened)
    again = stepscope(cwd=os.path.join(folder, "node"), env={"XDG_STATE_HOME": state})
    tap.equal(lines_of(again.out)[0].split(" ")[-1], os.path.realpath(f"{folder}/runs/a.pt.trace.json"), "what was opened is listed from anywhere")
    play("wait two_steps\nsettle\nkeys Q\nend\n", SMALL, env={"XDG_STATE_HOME": state})
    again = stepscope(cwd=folder, env={"XDG_STATE_HOME": state}).out
    tap.equal([line.split("/")[-1] for line in lines_of(again)[:2]], ["two_steps.json", "a.pt.trace.json"], "the latest first, before what lies below")
    os.rename(f"{folder}/runs/a.pt.trace.json", f"{folder}/runs/gone.json")
    tap.ok("a.pt.trace.json" not in stepscope(cwd=folder, env={"XDG_STATE_HOME": state}).out, "one that is gone is not listed")
    left = play("wait which trace\nkeys Q\nend\n", cwd=folder)
    tap.ok("exit 0" in left.said and "terminal: restored" in left.said, "q leaves", left.run.told())
    empty = play("wait No trace was opened\nsettle\nscreen\nkeys Enter Down q\nend\n", cwd=f"{folder}/node")
    tap.ok("watch FOLDER" in empty.last and "exit 0" in empty.said, "an empty list says what to do and can be left", empty.run.told() + empty.last)


def test_bounds(tap):
    folder = scratch("huge")
    deep = os.path.join(folder, *"12345678")
    os.makedirs(os.path.join(deep, "9"))
    put(f"{deep}/in.stepscope", 1)
    put(f"{deep}/9/out.stepscope", 1)
    found = stepscope(cwd=folder).out
    tap.ok("in.stepscope" in found and "out.stepscope" not in found, "eight folders deep and no deeper", found)
    os.makedirs(f"{folder}/many")
    for i in range(150):
        put(f"{folder}/many/{i}.stepscope", i)
    found = stepscope(cwd=folder).out
    tap.equal((len(lines_of(found)), "There may be more" in found), (100, True), "the hundred newest, and that there are more")
    for i in range(50001):
        os.close(os.open(f"{folder}/many/x{i}", os.O_CREAT | os.O_WRONLY))
    begun = time.monotonic()
    found = stepscope(cwd=folder).out
    tap.ok("There may be more" in found, f"a huge tree is left in time ({time.monotonic() - begun:.2f} s)", found[-300:])
    shutil.rmtree(folder)


def test_hints(tap):
    state = scratch("state-hints")
    env = {"XDG_STATE_HOME": state}
    script = "wait Overview\nsettle\nscreen\nkeys {}\nsettle\nscreen\nkeys q\nkeys Q\nend\n"
    unused = play(script.format("3"), SMALL, env=env)
    tap.ok(all(HINT in "\n".join(s) for s in unused.screens), "the first start shows three lines, on every pane", unused.last)
    used = play(script.format("b"), SMALL, env=env)
    tap.ok(HINT in "\n".join(used.screens[0]), "also the next one, when none of their keys was used", "\n".join(used.screens[0]))
    tap.ok(HINT not in used.last, "they go with the first of their keys", used.last)
    tap.ok(HINT not in "\n".join(play(script.format("3"), SMALL, env=env).screens[0]), "and stay away")
    tap.equal(oct(os.stat(f"{state}/stepscope").st_mode & 0o777), "0o700", "nobody else may look at what is remembered")
    low = play("wait Overview\nsettle\nscreen\nkeys Q\nend\n", SMALL, size="80x19", env={"XDG_STATE_HOME": scratch("state-low")})
    tap.ok(HINT not in low.last, "a low screen has no room for them", low.last)
    os.makedirs(scratch("state-open", "stepscope"), mode=0o755)
    for name, place in (("another's folder", scratch("state-open")), ("no folder", "/dev/null"), ("a relative path", "state")):
        shown = play(script.format("b"), SMALL, env={"XDG_STATE_HOME": place, "HOME": "/dev/null"})
        tap.ok(HINT not in "\n".join(shown.screens[0]) and "exit 0" in shown.said, f"{name}: no hints where they cannot be remembered", shown.run.told())
    tap.equal(os.listdir(scratch("state-open", "stepscope")), [], "and nothing is written there")


def main():
    need_program()
    tap = Tap()
    os.makedirs(scratch(), exist_ok=True)
    folder = tree()
    test_list(tap, folder)
    test_choice(tap, folder)
    test_bounds(tap)
    test_hints(tap)
    tap.done()


main()
