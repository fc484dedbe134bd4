#!/usr/bin/env python3
"""What people come for, played key by key on the bundled ResNet trace: each task ends where its answer stands on the screen or in a
file, compared with the tables, and takes no more keys than promised. Typed letters count. `t_tasks.py table` prints the table."""
import os
import re
import shutil
import sys
from collections import namedtuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, holds, need_program, number, play, scratch, table

RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
NAMED = {"Enter", "Tab", "BTab", "Escape", "BSpace", "Up", "Down", "Left", "Right", "Space"}

# name: what is asked, with its number in the list of questions; keys: named ones, else letters typed one after the other;
# answers: of the screens (one after each key or word) and the files written, True when the answer is there
Task = namedtuple("Task", "name most keys answers")
Played = namedtuple("Played", "screens files said")


def biggest_gap():
    return max((row for row in table("gaps", RESNET).rows if row["scope"] == "step"), key=lambda row: number(row["dur_ns"]))


def gap_and_report(p):
    gap = biggest_gap()
    shown, report = p.screens[0], "".join(p.files.values())
    cause = gap["main_event"][:16]
    return holds(shown, number(gap["dur_ns"])) and cause in shown and cause in report and holds(report, number(gap["dur_ns"]))


def longest_instance(p):
    """The kernel with the most time that could use Tensor Cores and does not; its longest run; its launch; the list again."""
    could = [row for row in table("kernels", RESNET).rows if row["tc_eligible"] and not row["uses_tc"]]
    name = max({row["name"] for row in could}, key=lambda name: sum(number(row["total_ns"]) for row in could if row["name"] == name))
    most = max(number(row["max_ns"]) for row in could if row["name"] == name)
    listed, instance, launch, back = p.screens[0], p.screens[1], p.screens[2], p.screens[-1]
    return (name in listed and name in instance and holds(instance, most) and "cudaLaunchKernel" in launch and
            re.search(r"launches \] " + re.escape(name[:16]), launch) and back == listed)


def long_copies(p):
    """Shown, told how many, and the filter gone again."""
    passing = len(table("events", RESNET, "--filter", "kind=copy dur>100us").rows)
    return f"{passing} events pass" in p.screens[-2] and "no filter" in p.screens[-1]


def action_found(p):
    """The palette names the key beside the action, and Enter does it."""
    gap = biggest_gap()
    return re.search(r"gap-biggest +b ", p.screens[1]) and holds(p.screens[-1], number(gap["dur_ns"]))


def first_copies():
    """The first two events of the stream that the timeline begins with."""
    rows = [r for r in table("events", RESNET, "--filter", "stream=7").rows if not r["track_name"].startswith("thread")]
    return sorted(rows, key=lambda r: number(r["start_ns"]))[:3]


def time_between(p):
    """Start to start of the event measured from and the one two further on its stream, as the table of events has them."""
    events = first_copies()
    return (holds(p.screens[-1], number(events[2]["start_ns"]) - number(events[0]["start_ns"])) and "start to start" in p.screens[-1])


def name_copied(p):
    """The whole name, not what the column has room for."""
    copied = re.search(r"copied: (.+?) *$", p.screens[-1], re.M)
    return copied and copied[1] in {row["name"] for row in table("kernels", RESNET, "--names", "full").rows}


def lane_hidden(p):
    """The stream that the timeline begins with is gone from the screen, it is said how it comes back, and all is as before."""
    before, hidden, after = [screen.splitlines() for screen in p.screens]
    shown = [any(line.startswith(" stream 7") for line in lines[:20]) for lines in (before, hidden)]
    return (shown == [True, False] and "hidden; X shows all again" in hidden[-2] and "shown again" in after[-2] and
            after[:20] == before[:20])


def input_verdict(p):
    return "input-bound" in p.screens[-1] and "DataLoader" in p.screens[-1]


def between_steps(p):
    first = min((row for row in table("gaps", RESNET).rows if row["scope"] == "step"), key=lambda row: number(row["start_ns"]))
    return holds(p.screens[-1], number(first["dur_ns"])) and "cause" in p.screens[-1]


def slowest_op(p):
    slowest = max(table("ops", RESNET).rows, key=lambda row: number(row["total_self_time"]))["operation"]
    return slowest in p.screens[0] and "[2 Timeline]" in p.screens[-1] and f"op {slowest}" in p.screens[-1]


def last_step(p):
    step = table("steps", RESNET).rows[-1]
    return re.search(rf"─ step {step['step']} ─", p.screens[-1]) and "device compute" in p.screens[-1]


def first_advice(p):
    return "✗" in p.screens[0] and "what to do" in p.screens[0] and "[2 Timeline]" in p.screens[-1]


def found_by_name(p):
    return re.search(r"wgrad", p.screens[-1], re.I) and "[2 Timeline]" in p.screens[-1] and "kernel #" in p.screens[-1]


def kernels_as_data(p):
    text = "".join(p.files.values())
    return list(p.files) == ["stepscope-kernels.csv"] and all(row["name"].split("<")[0] in text for row in table("kernels", RESNET).rows[:5])


def notes(p):
    return "Notes" in p.screens[-1] or "note" in p.screens[-1].splitlines()[1].lower()


def whole_again(p):
    return p.screens[-1] == p.screens[0] and p.screens[-1] != p.screens[-2]


def families(p):
    most = max(table("kernel_families", RESNET).rows, key=lambda row: number(row["total_ns"]))
    return "by family" in p.screens[-1] and re.search(rf"^ {re.escape(most['family'])} ", p.screens[-1], re.M)


TASKS = [
    Task("the biggest gap, its cause, a report of it (Q8, Q9, Q33)", 3, "b e h", gap_and_report),
    Task("a kernel that could use Tensor Cores, its longest run, its launch, and back (Q17, Q18)", 6, "5 Enter [ BSpace BSpace", longest_instance),
    Task("copies of more than 100 us, and the filter cleared (Q16, Q25)", 16, "& k Tab m Tab dur>100us Enter c", long_copies),
    Task("an action whose key was forgotten", 6, ": big Enter", action_found),
    Task("time between two events (Q6)", 6, "2 Tab M Tab Tab", time_between),
    Task("a kernel's name to the clipboard", 3, "5 y n", name_copied),
    Task("a lane hidden, and back", 3, "2 x X", lane_hidden),
    Task("is it input-bound, and by what (Q10, Q11)", 1, "6", input_verdict),
    Task("what fills the time between two steps (Q9)", 2, "2 g", between_steps),
    Task("the op that takes most time, on the timeline (Q5, Q15)", 2, "4 Enter", slowest_op),
    Task("what the last step is made of (Q1)", 2, "3 G", last_step),
    Task("what to do first, and what shows it (Q38)", 3, "9 j Enter", first_advice),
    Task("a kernel by a part of its name (Q6)", 8, "2 /wgrad Enter", found_by_name),
    Task("the kernels as a spreadsheet (Q33)", 3, "5 e c", kernels_as_data),
    Task("what the import could not simply show", 1, "!", notes),
    Task("a closer look, then the whole trace again (Q6)", 4, "2 w w 0", whole_again),
    Task("the kernels by family (Q17)", 3, "5 o o", families),
]


def words_of(keys):
    return keys.split()


def count(keys):
    return sum(1 if word in NAMED or len(word) == 1 else len(word) for word in words_of(keys))


def play_task(task, folder):
    script = "wait Overview\nsettle\n"
    for word in words_of(task.keys):
        script += (f"keys {word}" if word in NAMED or len(word) == 1 else f"type {word}") + "\nsettle\nscreen\n"
    done = play(script + "keys Q\n", RESNET, size="120x40", cwd=folder)
    files = {name: open(os.path.join(folder, name), encoding="utf-8").read() for name in sorted(os.listdir(folder)) if name[0] != "."}
    return Played(["\n".join(line.rstrip() for line in s) for s in done.screens], files, done.run.told())


def print_table():
    print("| task | keys | most | played |\n|---|--:|--:|---|")
    for task in TASKS:
        print(f"| {task.name} | {count(task.keys)} | {task.most} | `{task.keys}` |")


def main():
    if sys.argv[1:] == ["table"]:
        print_table()
        return
    need_program()
    tap = Tap()
    for task in TASKS:
        folder = scratch("task")
        os.makedirs(folder)
        played = play_task(task, folder)
        shutil.rmtree(folder)
        complete = len(played.screens) == len(words_of(task.keys))
        tap.ok(complete and task.answers(played), f"{task.name}: answered", (played.screens[-1:] or [played.said])[0])
        tap.ok(count(task.keys) <= task.most, f"{task.name}: {count(task.keys)} key{'s' * (count(task.keys) > 1)}, {task.most} at most")
    tap.done()


main()
