#!/usr/bin/env python3
"""Findings against judged.tsv, what an expert says of each real trace: how often the first finding is the first problem, how many of
the judged problems are among the first three, and which findings are false. What was reached may only get better: FLOOR and CEILING.
`t_judged.py table` prints a row per trace with what is missed and why."""
import csv
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, TRACES, Tap, TableError, Table, need_program, skip_all, stepscope

JUDGED = os.path.join(ROOT, "tests/golden/judged.tsv")
# Reached so far. Whoever makes a number better writes it here; a worse one is red.
FLOOR = {"first right": 26, "first among three": 26, "problems among three": 47}
CEILING = {"false alarms": 0, "false remarks": 6}

# What a rule claims: classes of judged.tsv; "" claims nothing and takes no place in the order; NONE takes one and names no class; SAYS:
# the class that its sentence names first, or NONE.
SAYS, NONE = "SAYS", "no class"
CLAIMS = {
    "read-whole": "", "step-markers": "", "step-phases": SAYS, "device-busy": SAYS, "worth-the-device": NONE, "step-gap": SAYS,
    "input-bound": "input wait", "input-bottleneck": "input wait", "input-best-case": "",
    "kernel-launch": "launch latency", "small-kernels": "small kernels", "launch-queue": "launch latency",
    "idle": SAYS, "warm-up": "warm-up only", "few-steps": "few steps", "transfer-waits": "copies", "memory-bound": "memory-bound ops",
    "compute-bound": "compute-bound",
    "synchronisation": "synchronisation", "collectives": "communication wait", "other": "not recorded",
    "output": "copies", "excess-copies": "excess copies|copies", "pageable-copies": "copies|excess copies",
    "device-copies": "copies|excess copies", "fusion": "memory-bound ops", "half-bytes": "precision|memory-bound ops",
    "recompilation": "compilation", "op-share": "", "op-placement": "host compute", "eager": "Python overhead",
    "precision-16bit": "precision", "tensor-cores": "no tensor cores", "tensor-core-dims": "no tensor cores", "softmax-16bit": "precision",
    "collective-speed": "communication wait", "collective-sizes": "communication wait", "waits-for-rank": "straggler|communication wait",
    "replicas": "straggler", "serial-devices": "", "through-host": "copies|excess copies", "missing-ranks": "", "uneven-exchange": "communication wait", "experts": "", "input-replicas": "input wait", "pipeline-bubble": "communication wait", "launch-order": "launch latency|thread contention",
    "step-change": "", "slow-steps": "", "host-work": "host work outside the graph", "copying-kernels": "excess copies|copies", "memory-full": "", "memory-fragmented": "", "memory-leak": "", "memory-churn": "allocator", "batch-headroom": "",
}
CLASSES = ("input wait", "launch latency", "host compute", "Python overhead", "allocator", "synchronisation", "copies", "compilation",
           "communication wait", "host wait", "loss scaling", "thread contention", "host work outside the graph", "profiler", "not recorded", "held back",
           "warm-up only", "no tensor cores", "precision", "small kernels", "compute-bound", "memory-bound ops", "excess copies",
           "straggler", "few steps", "nothing found")
# Phrases of must_not_say that are no class: what to look for in sentence and advice.
PHRASES = {
    "DataLoader workers": r"num_workers",
    "device busy or idle shares": r"works \S+ % of (its span|the time of its)|devices work less than|works least",
    "8 steps": r"\b8 steps\b",
    "Python overhead in the model": r"Python overhead",
    "use CUDA graphs": r"CUDA graph",
    "record host events": r"record .*host",
    "devices compute 0 % of the step": r"computes? for 0\.0 %",
    "gpu_private threads": r"gpu_private",
    "excess streams": r"\bstreams\b.*(too many|excess)",
    "nothing found": r"nothing found",
}
ALARMS = ("fail", "warn")
REMARKS = ("info",)


def judged():
    with open(JUDGED, encoding="utf-8") as f:
        return list(csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE))


def source(trace):
    """A folder of one run, a file, or the file whose name begins so."""
    path = os.path.join(TRACES, trace)
    return path if os.path.exists(path) else next(iter(glob.glob(path + "*")), None)


def findings(path):
    run = stepscope("findings", path, "--format", "json")
    if run.status not in (0, 1, 4):
        raise TableError(run.told())
    return Table(run.out).rows


def named_first(sentence):
    """The class that a sentence names first; of two that begin there, the longer."""
    at = {name: m.start() for name in CLASSES if (m := re.search(r"\b" + re.escape(name), sentence, re.I))}
    return min(at, key=lambda name: (at[name], -len(name)), default=NONE)


def claim(finding):
    if finding["rule"] not in CLAIMS:
        raise TableError(f"{finding['rule']} is a new rule: say in CLAIMS what it claims")
    what = CLAIMS[finding["rule"]]
    return frozenset((named_first(finding["sentence"]) if what == SAYS else what).split("|")) - {""}


def places(rows):
    """What is claimed, the most important first; to repeat a claim takes no place of its own."""
    out = []
    for row in rows:
        if row["severity"] in ALARMS + REMARKS and claim(row) and claim(row) not in out:
            out.append(claim(row))
    return out


def slots(row):
    return [frozenset(row[k].split("|")) for k in ("first", "second", "third") if row[k] != "-"]


def is_said(slot, claims, rows):
    return any(slot & c for c in claims) or ("nothing found" in slot and not any(r["severity"] in ALARMS for r in rows))


def forbidden(row, rows, severities):
    """Rules that say what must not be said, each with the class or phrase."""
    out = []
    for what in filter(None, row["must_not_say"].split(";")):
        for r in rows:
            text = " ".join(filter(None, (r["sentence"], r["advice"])))
            if r["severity"] in severities and (what in claim(r) if what not in PHRASES else re.search(PHRASES[what], text, re.I)):
                out.append(f"{what} ({r['rule']})")
    return out


class Score:
    """One row of judged.tsv against what is said of its trace."""

    def __init__(self, row, rows):
        self.trace, self.wanted, self.claims = row["trace"], slots(row), places(rows)[:3]
        self.alarms, self.remarks = forbidden(row, rows, ALARMS), forbidden(row, rows, REMARKS)
        self.first = is_said(self.wanted[0], self.claims[:1], rows)
        self.found = [is_said(slot, self.claims, rows) for slot in self.wanted]

    def told(self):
        def text(slot):
            return "|".join(sorted(slot))
        said = "; ".join(text(c) for c in self.claims) or "nothing"
        out = [f"{self.trace}: {'right' if self.first else 'MISSED'}, {sum(self.found)} of {len(self.found)} problems; says {said}"]
        out += [f"    not among the first three: {text(slot)}" for slot, found in zip(self.wanted, self.found) if not found]
        out += [f"    FALSE ALARM: {a}" for a in self.alarms] + [f"    false remark: {r}" for r in self.remarks]
        return "\n".join(out)


def totals(scores):
    return {"first right": sum(s.first for s in scores), "first among three": sum(s.found[0] for s in scores),
            "problems among three": sum(sum(s.found) for s in scores), "false alarms": sum(len(s.alarms) for s in scores),
            "false remarks": sum(len(s.remarks) for s in scores)}


def lists_hold(tap, rows):
    said = {c for row in rows for slot in slots(row) for c in slot} | {c for what in CLAIMS.values() if what not in (SAYS, NONE, "") for c in what.split("|")}
    tap.equal(said - set(CLASSES), set(), "judged.tsv and the rules use the classes of the list")
    banned = {w for row in rows for w in row["must_not_say"].split(";") if w}
    tap.equal(banned - set(CLASSES) - set(PHRASES), set(), "what must not be said is a class or has a pattern")


def main():
    need_program()
    rows = judged()
    if not os.path.isdir(TRACES):
        skip_all("no corpus of traces")
    scores = [Score(row, findings(source(row["trace"]))) for row in rows]
    of = {"first right": len(rows), "first among three": len(rows), "problems among three": sum(len(s.wanted) for s in scores)}
    table = "\n".join(s.told() for s in scores)
    reached = totals(scores)
    if sys.argv[1:] == ["table"]:
        print(table + "\n" + "\n".join(f"{name}: {n}" + (f" of {of[name]}" if name in of else "") for name, n in reached.items()))
        return
    tap = Tap()
    lists_hold(tap, rows)
    for name, floor in FLOOR.items():
        tap.ok(reached[name] >= floor, f"{name}: {reached[name]} of {of[name]}, at least {floor}", table)
    for name, most in CEILING.items():
        tap.ok(reached[name] <= most, f"{name}: {reached[name]}, at most {most}", table)
    tap.done()


main()
