#!/usr/bin/env python3
"""One cause, one number: on every real trace the class of a gap stands with the time of that class, its main event with that event's own
time, and gaps, verdicts, gap_groups, overview, report, its JSON and the panel on the screen show the same cells."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import (TRACES, TableError, Tap, corpus, holds, need_program, number, play, scratch, skip_all, stepscope, table)

PAIR = ("cause", "cause_ns", "confidence", "main_event", "main_event_ns")
PANEL_SIZE, LONGEST = "150x45", 300


def pair(row, prefix="", digits=9):
    cells = {key: number(row.get(prefix + key)) for key in PAIR}
    if cells["confidence"] is not None:
        cells["confidence"] = round(cells["confidence"], digits)
    return cells


def judged(path):
    """The longest gaps that have a verdict, by id."""
    rows = [r for r in table("gaps", path, "--sort", "-dur_ns", "--top", LONGEST).rows if r["cause"]]
    return {r["gap"]: r for r in rows}


def possible(row):
    """Own time is part of the class's, and that part of the gap's."""
    cause_ns, event_ns = number(row["cause_ns"]), number(row["main_event_ns"])
    if row["cause"] == "unknown":
        return cause_ns is None and row["confidence"] is None
    return row["main_event"] and 0 <= event_ns <= cause_ns and 0 < cause_ns and 0 < row["confidence"] <= 1


def words(row):
    """What every sentence about the gap holds."""
    if row["cause"] == "unknown":
        return ["cannot tell"]
    return ["maybe " * (row["confidence"] < 0.5 and row["cause"] != "records lost") + row["cause"], f"confidence {row['confidence']:.2f}"]


def says(text, row):
    flat = " ".join(text.split())
    lengths = [] if row["cause"] == "unknown" else [number(row["cause_ns"])]
    if lengths and number(row["main_event_ns"]) != lengths[0]:
        lengths.append(number(row["main_event_ns"]))
    return all(w in flat for w in words(row)) and all(holds(flat, ns) for ns in lengths)


def tables(tap, name, path, gaps):
    tap.ok(all(map(possible, gaps.values())), f"{name}: own time <= time of the class", [r for r in gaps.values() if not possible(r)][:2])
    verdicts = {r["gap"]: pair(r) for r in table("verdicts", path).rows}
    other = [(gap, pair(r), verdicts[gap]) for gap, r in gaps.items() if gap in verdicts and verdicts[gap] != pair(r)]
    tap.ok(not other, f"{name}: verdicts has the pairs of gaps", other[:2])
    groups = [r for r in table("gap_groups", path).rows if r["longest_gap"] in verdicts]
    own = ("cause", "cause_ns", "main_event", "main_event_ns")
    other = [g for g in groups if any(number(g[k]) != verdicts[g["longest_gap"]][k] for k in own)]
    tap.ok(not other, f"{name}: gap_groups has those of its longest members", other[:2])


def overview(tap, name, path, gaps):
    facts, known = table("overview", path).keyed(), [(number(r["dur_ns"]), pair(r)) for r in gaps.values()]
    lengths = {dur_ns for dur_ns, _ in known}
    listed = [k for k in (1, 2, 3) if number(facts.get(f"gap_{k}_ns")) in lengths]
    other = [k for k in listed if (number(facts[f"gap_{k}_ns"]), pair(facts, f"gap_{k}_")) not in known]
    tap.ok(not other, f"{name}: overview has the pairs of gaps", {key: v for key, v in facts.items() if key.startswith("gap_")})


def report(tap, name, path, gap, row):
    told = json.loads(stepscope("report", path, "--gap", gap, "--format", "json").out)
    focus, want = told["focus_gap"], pair(row, digits=4)
    focus["confidence"] = focus["confidence"] if row["confidence"] is not None else None
    tap.equal(pair(focus, digits=4), want, f"{name}: gap {gap}: the report's JSON has the pair")
    tap.ok(says(told["verdict"], row), f"{name}: gap {gap}: so has its title", told["verdict"])
    tap.ok(says(told["numbers"], row), f"{name}: gap {gap}: so have its cards", told["numbers"])


def panel(tap, name, path, gap, row):
    script = f"timeout 60\nwait Overview\nsettle\nkeys 2\nsettle\nkeys : g a p Space {' '.join(str(gap))} Enter\nsettle\nscreen\nkeys Q\n"
    screen = play(script, path, size=PANEL_SIZE)
    text = "\n".join(screen.screens[-1]) if screen.screens else screen.run.err
    at = text.find("─ gap ") if "─ gap " in text else text.find("─ idle")
    tap.ok(says(text[at:], row), f"{name}: gap {gap}: so has the panel", text)


def check(tap, name):
    path = os.path.join(TRACES, name)
    try:
        gaps = judged(path)
    except TableError:
        return
    if not gaps:
        return
    short = "/".join(name.split("/")[:2])
    tables(tap, short, path, gaps)
    overview(tap, short, path, gaps)
    told = {}
    for gap, row in gaps.items():
        told.setdefault((row["scope"], row["cause"]), (gap, row))
    for n, (gap, row) in enumerate(told.values()):
        if n < 3:
            report(tap, short, path, gap, row)
        if n < 1:
            panel(tap, short, path, gap, row)


def main():
    need_program()
    tap = Tap()
    names = [n for n in corpus() if n.startswith(("kineto/", "xspace/", "tf/")) and ("dlrm" not in n or "worker1_" in n)]
    if not names:
        skip_all("no corpus of traces")
    for name in names:
        check(tap, name)
    tap.done()


main()
