#!/usr/bin/env python3
"""What is said of gaps on every real trace. One cause, one number: the class of a gap stands with the time of that class, its main event
with that event's own time, and gaps, verdicts, gap_groups, overview, report, its JSON and the panel on the screen show the same cells.
Biggest means biggest: `--gap biggest`, the overview and the report name the longest idle time of any kind, with its kind, and the idle
times of a device add up to what the table of devices says."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import (TRACES, TableError, Tap, corpus, holds, need_program, number, play, scratch, skip_all, stepscope, table)

PAIR = ("cause", "cause_ns", "confidence", "main_event", "main_event_ns")
PANEL_SIZE, LONGEST = "150x45", 300
LEAST_NS = 1000
# Read off the device events by hand: length and kind.
BY_HAND = {
    "xspace/jax-mi300-attention": (20_693_000, "inside a step"),
    "kineto/resnet50-autograd-13streams": (1_564_974_000, "inside a step"),
    "kineto/param-resnet": (2_252_907_000, "before the first step's work"),
    "kineto/resnet50-v100-2spans": (62_339_000, "between steps"),
    "kineto/sglang-decode": (463_017_000, None),
}


def pair(row, prefix="", digits=9):
    cells = {key: number(row.get(prefix + key)) for key in PAIR}
    if cells["confidence"] is not None:
        cells["confidence"] = round(cells["confidence"], digits)
    return cells


def judged(rows):
    """The longest gaps that have a verdict, by id."""
    longest_first = sorted(rows, key=lambda r: -number(r["dur_ns"]))[:LONGEST]
    return {r["gap"]: r for r in longest_first if r["cause"]}


def possible(row):
    """Own time is part of the class's, and that part of the gap's."""
    cause_ns, event_ns = number(row["cause_ns"]), number(row["main_event_ns"])
    if row["cause"] == "not recorded":
        return cause_ns is None and row["confidence"] is None
    return row["main_event"] and 0 <= event_ns <= cause_ns and 0 < cause_ns and 0 < row["confidence"] <= 1


def words(row, unknown):
    """What every sentence about the gap holds."""
    if row["cause"] == "not recorded":
        return [unknown]
    return ["maybe " * (row["confidence"] < 0.5 and row["cause"] != "records lost") + row["cause"], f"confidence {row['confidence']:.2f}"]


def says(text, row, unknown="cause not recorded"):
    flat = " ".join(text.split())
    lengths = [] if row["cause"] == "not recorded" else [number(row["cause_ns"])]
    # an event that lies beside the gap, like the launch of what came late, has no time of its own in it: sentences leave it out
    if lengths and number(row["main_event_ns"]) not in (0, lengths[0]):
        lengths.append(number(row["main_event_ns"]))
    return all(w in flat for w in words(row, unknown)) and all(holds(flat, ns) for ns in lengths)


def tables(tap, name, path, gaps):
    tap.ok(all(map(possible, gaps.values())), f"{name}: own time <= time of the class", [r for r in gaps.values() if not possible(r)][:2])
    judged = table("verdicts", path).rows
    verdicts = {r["gap"]: pair(r) for r in judged}
    other = [r for r in judged if r["cause"] == "not recorded" and
             (r["launched_ahead_ns"] is not None) != ("had launched the work in time" in r["advice"])]
    tap.ok(not other, f"{name}: verdicts asks for more of the host only where the work was not launched in time", other[:2])
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


def report(tap, name, gap, row, told):
    focus, want = told["focus_gap"], pair(row, digits=4)
    focus["confidence"] = focus["confidence"] if row["confidence"] is not None else None
    tap.equal(pair(focus, digits=4), want, f"{name}: gap {gap}: the report's JSON has the pair")
    tap.ok(says(told["verdict"], row, "cannot tell why"), f"{name}: gap {gap}: so has its title", told["verdict"])
    tap.ok(says(told["numbers"], row), f"{name}: gap {gap}: so have its cards", told["numbers"])
    if row["cause"] == "not recorded":
        waited = ["the device itself waited" in told[key] for key in ("verdict", "numbers")]
        tap.ok(waited[0] == waited[1], f"{name}: gap {gap}: both agree whether the device itself waited", told)


def panel(tap, name, path, gap, row):
    script = f"wait 1 Over\nsettle\nkeys 2\nsettle\nkeys : g a p Space {' '.join(str(gap))} Enter\nsettle\nscreen\nkeys Q\n"
    screen = play(script, path, size=PANEL_SIZE)
    text = screen.last
    at = text.find("─ gap ") if "─ gap " in text else text.find("─ idle")
    tap.ok(says(text[at:], row), f"{name}: gap {gap}: so has the panel", text)


# ---- the biggest ------------------------------------------------------------------------------------------------------

def longest(rows):
    """Of the step gaps and the idle times of devices in none of them; of equal ones the earlier."""
    ranked = [r for r in rows if r["scope"] == "step" or (r["scope"] == "device" and r["gap_kind"] != "between steps")]
    ranked = [r for r in ranked if number(r["dur_ns"]) >= LEAST_NS]
    return min(ranked, key=lambda r: (-number(r["dur_ns"]), number(r["start_ns"]), number(r["gap"])), default=None)


def idle_adds_up(tap, name, path, rows):
    idle = {}
    for r in rows:
        if r["scope"] == "device":
            key = (r["host"], r["device"])
            idle[key] = idle.get(key, 0) + number(r["idle_ns"])
    devices = {(r["host"], r["device"]): number(r["idle_ns"]) for r in table("devices", path).rows if number(r["idle_ns"])}
    tap.equal(idle, devices, f"{name}: the idle times of scope device add up to those of the devices")
    wrong = [r for r in rows if r["scope"] == "step" and not 0 <= number(r["idle_ns"]) <= number(r["dur_ns"])]
    tap.ok(not wrong, f"{name}: idle time in a step gap is at most its length", wrong[:2])


def reported(path, *window):
    return json.loads(stepscope("report", path, *window, "--format", "json").out)


def biggest(tap, name, path, rows):
    """The biggest gap and its report in JSON, by its id; {} when there is none."""
    want = longest(rows)
    if not want:
        tap.ok(stepscope("report", path, "--gap", "biggest").status == 2, f"{name}: nothing of 1 us or more is a biggest gap")
        return {}
    short = "/".join(name.split("/")[:2])
    idle_adds_up(tap, name, path, rows)
    told = reported(path, "--gap", "biggest")
    tap.equal((told["focus_gap"]["gap"], told["focus_gap"]["gap_kind"]), (want["gap"], want["gap_kind"]), f"{name}: --gap biggest")
    facts = table("overview", path).keyed()
    tap.equal((number(facts["gap_1_ns"]), facts["gap_1_kind"]), (number(want["dur_ns"]), want["gap_kind"]), f"{name}: the overview")
    whole = reported(path)
    tap.equal(whole["focus_gap"]["gap"], want["gap"], f"{name}: the report of the whole trace")
    if short in BY_HAND and name.split("/")[-1] != "worker0.1623143566756.pt.trace.json.gz":
        length, kind = BY_HAND[short]
        tap.ok(abs(number(want["dur_ns"]) - length) < 1_000_000 and kind in (None, want["gap_kind"]), f"{name}: as read by hand",
               f"{want['dur_ns']} {want['gap_kind']}")
    return {want["gap"]: told}


def on_screen(tap):
    path = os.path.join(TRACES, "kineto/param-resnet/resnet_kineto.json.gz")
    script = "wait 1 Over\nsettle\nkeys b\nsettle\nscreen\nkeys b\nsettle\nscreen\nkeys b\nsettle\nscreen\n"
    script += "keys : g a p s Space i n s i d e Enter\nwait inside a step\nsettle\nscreen\nkeys Q\n"
    texts = ["\n".join(s) for s in play(script, path, size="150x45").screens]
    for text, place in zip(texts, ("before the first step's work: 2.253 s", "inside step 0: 1.845 s", "24→25: 670.933 ms", "inside a step only")):
        tap.ok(place in text, f"the screen says {place}", text)


# ---- all --------------------------------------------------------------------------------------------------------------

def check(tap, name):
    path = os.path.join(TRACES, name)
    try:
        rows = table("gaps", path).rows
    except TableError:
        return
    gaps, known = judged(rows), biggest(tap, name, path, rows)
    if not gaps or ("dlrm" in name and "worker1_" not in name):
        return
    short = "/".join(name.split("/")[:2])
    tables(tap, short, path, gaps)
    overview(tap, short, path, gaps)
    told = {}
    for gap, row in gaps.items():
        told.setdefault((row["scope"], row["cause"]), (gap, row))
    for n, (gap, row) in enumerate(told.values()):
        if n < 3:
            report(tap, short, gap, row, known.get(gap) or reported(path, "--gap", gap))
        if n < 1:
            panel(tap, short, path, gap, row)


def main():
    need_program()
    tap = Tap()
    names = [n for n in corpus() if n.startswith(("kineto/", "xspace/", "tf/"))]
    if not names:
        skip_all("no corpus of traces")
    for name in names:
        check(tap, name)
    on_screen(tap)
    tap.done()


main()
