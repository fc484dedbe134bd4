#!/usr/bin/env python3
"""Every number that a finding says is one of its inputs, every input is the cell (or the sum of cells, or the number of rows) of the
table that it names, in the same window, and what is made of inputs is made as its formula says. The same for the gap panel's sentence
against the tables gaps and verdicts. Over all real traces; of some a window, too."""
import itertools
import json
import math
import os
import re
import shutil
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import TRACES, HeldTap, Table, TableError, Tap, corpus, kept_table, need_program, number, scratch, skip_all, spelling, stepscope, table

NUMBER = re.compile(r"(?<![\w.=])-?\d+(?:,\d{3})*(?:\.\d+)?(?: (?:ns|us|ms|s|%)(?!\w))?")
LABELS = r"\b(?:GPU|TPU|device|rank|thread)s? \d+\b(?:[:/]\d+)*"
NUMBERS = itertools.count()  # of folders
WORDS = re.compile(r"\b(?:8|16|32)[ -]bit\b|\b99th percentile")  # numbers that are words


def explained(path, *window):
    """All findings, and the edges of the window as sentences say them."""
    run = stepscope("findings", path, *window, "--explain", "all", "--format", "json")
    if run.status not in (0, 4):
        raise TableError(run.told())
    told = json.loads(run.out)
    return told["findings"], set(map(spelling, told["window_ns"])) if window else set()


class Tables:
    """The tables of one window, all written by one call, each read when it is asked for."""

    def __init__(self, path, window):
        self.words, self.known = (path, *window), {}
        self.folder = scratch(f"{next(NUMBERS)}/")

    def rows(self, name):
        if name not in self.known:
            self.known[name] = self.read(name)
        return self.known[name]

    def text(self, name):
        kept = kept_table(name, self.words)
        if kept:
            return kept
        if not os.path.isdir(self.folder):
            run = stepscope("table", "--all", *self.words, "--format", "json", "-o", self.folder, "-q")
            if run.status not in (0, 4):
                raise TableError(run.told())
        with open(os.path.join(self.folder, name + ".json"), encoding="utf-8") as f:
            return f.read()

    def read(self, name):
        t = Table(self.text(name))
        whole = {c["name"] for c in t.json["columns"] if c["type"] == "int"}
        return [{k: number(v) if k in whole or k == "value" else v for k, v in row.items()} for row in t.rows]

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def word(value):
    return "null" if value is None else {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else \
        str(round(value)) if isinstance(value, float) else str(value)


def meets(row, condition):
    column, op, rest = re.match(r"(\w+)(!=|=|~|<)(.*)", condition, re.S).groups()
    if op == "<":
        return row[column] is not None and row[column] < float(rest)
    if op == "~":
        return rest in word(row[column])
    return (word(row[column]) in rest.split("|")) == (op == "=")


def one_per_device(rows):
    """A device has one row for each cause it idles for; two recordings of one worker bring two devices of one name."""
    device, causes, out = None, set(), []
    for row in rows:
        own = (row["host"], row["rank"], row["device"])
        if own != device or row["cause"] in causes:
            device, causes = own, set()
            out.append(row)
        causes.add(row["cause"])
    return out


def chosen(rows, how):
    if how is None:
        return rows
    if how.startswith("first of "):
        return chosen(rows, how[len("first of "):])[:1]
    if how == "one per device":
        return one_per_device(rows)
    if m := re.fullmatch(r"row (\d+)", how):
        return [rows[int(m[1]) - 1]]
    if m := re.fullmatch(r"(.*\boperation)=(.*)", how, re.S):  # names may hold any character
        first, name = how.split(" and operation=", 1)
        return [r for r in rows if r["operation"] == name and all(meets(r, c) for c in first.split(" and "))]
    return [r for r in rows if all(meets(r, c) for c in how.split(" and "))]


def looked_up(x, tables):
    rows = chosen(tables.rows(x["table"]), x.get("rows"))
    if "column" not in x:
        return len(rows)
    cells = [r[x["column"]] for r in rows]
    if isinstance(x["value"], str):
        return str(cells[0]) if cells else None
    texts = [c for c in cells if isinstance(c, str)]
    if texts:
        return len(set(texts))
    known = [c for c in cells if c is not None]
    return sum(known) if known or not cells else None


def same(got, claimed):
    """Whole numbers exactly; of others what a double keeps of sums in another order."""
    if got is None or claimed is None or isinstance(got, str) or isinstance(claimed, str):
        return got == claimed or (got is None and claimed == 0)
    return abs(got - claimed) <= (0 if isinstance(got, int) and claimed == int(claimed) else 1e-9 * max(1, abs(got)) + 1e-6)


def made(x, values):
    known = {k: v for k, v in values.items() if isinstance(v, (int, float))}
    return eval(x["made_of"], {"__builtins__": {}}, {"min": min, "max": max, **known})


def wrong_inputs(finding, tables):
    values, out = {}, []
    for x in finding["inputs"]:
        values[x["name"]] = x["value"]
        if "made_of" in x and isinstance(x["value"], str):
            continue  # a name, shortened
        try:
            got = made(x, values) if "made_of" in x else looked_up(x, tables)
        except (KeyError, IndexError, NameError, ZeroDivisionError, SyntaxError) as e:
            got = repr(e)
        if not same(got, x["value"]):
            out.append(f"{finding['rule']}: {x['name']} is {x['value']!r}, its place has {got!r}: {x}")
    return out


def spellings(x):
    """All ways in which a sentence may write the number."""
    v, unit = x["value"], x.get("unit")
    if v is None or isinstance(v, str):
        return set()
    whole = math.floor(v + 0.5)
    if unit == "ns":
        return {spelling(whole)}
    if unit == "percent":
        return {f"{v + math.copysign(1e-9, v):.1f} %", f"{v:.1f} %"}
    if unit == "bytes":
        steps = next((i for i in range(5, 0, -1) if v >= 1024 ** i), 0)
        return {f"{v / 1024 ** steps:.1f} {' KMGTP'[steps]}iB" if steps else f"{whole} B"}
    return {str(whole), f"{whole:,}", f"{v:.2f}"}


def without_names(sentence, finding, labels):
    """Names may hold digits: texts among the inputs, whole or cut at their end, and labels of devices."""
    for x in sorted((x for x in finding["inputs"] if isinstance(x["value"], str)), key=lambda x: -len(x["value"])):
        for n in [len(x["value"]), *range(min(len(x["value"]), 400), 7, -1)]:
            whole = r"(?!\w|\.\d)" if n == len(x["value"]) else ""
            at = re.search(r"(?<![\w.])" + re.escape(x["value"][:n]) + whole, sentence)
            if at:
                sentence = sentence[:at.start()] + " # " + sentence[at.end():]
                break
    return WORDS.sub("#", re.sub(labels, "#", sentence))


def untold_numbers(finding, labels, edges):
    allowed = set().union(*map(spellings, finding["inputs"])) if finding["inputs"] else set()
    allowed |= set(NUMBER.findall(finding["formula"] or "")) | edges
    sentence = without_names(finding["sentence"] or "", finding, labels)
    loose = {a.split(" ")[0] for a in allowed}
    return [f"{finding['rule']}: {n!r} in {finding['sentence']!r}" for n in NUMBER.findall(sentence) if n not in allowed and n not in loose]


def windows(name):
    """The whole, and of one trace in three of those with device work the middle half."""
    yield ()
    if name.split(os.sep)[0] != "chrome" and zlib.crc32(name.encode()) % 3 == 0:
        try:
            span = table("trace", os.path.join(TRACES, name)).keyed()["span_ns"]
        except TableError:
            return
        yield ("--window", f"{number(span) // 4}ns..{3 * number(span) // 4}ns")


def several():
    """Traces of several files that are one run."""
    folders = {os.path.dirname(n) for n in corpus()}
    return sorted(f for f in folders if f.split(os.sep)[0] in ("kineto", "xspace") and sum(os.path.dirname(n) == f for n in corpus()) > 1)


def cell_spellings(row):
    """Every number of a row in every way in which a sentence may write it."""
    out = set()
    for column, v in row.items():
        if isinstance(v, bool) or v is None or isinstance(v, str) and not v.isdigit():
            continue
        v = number(v)
        out |= {str(v), f"{v:,}", spelling(round(v)), f"{v:.1f} %", f"{v:.2f}"}
    return out


def gap_sentence(tap, name, path, tables):
    """What a report says of the biggest gap: each number a cell of its rows in gaps and verdicts, or an end of it."""
    report = stepscope("report", path, "--gap", "biggest", "--format", "text")
    said = re.search(r"^verdict +(.*)$", report.out, re.M)
    if report.status not in (0, 4) or not said or "gap " not in report.out.splitlines()[0]:
        return
    gap = re.search(r"gap (\d+):", report.out)[1]
    rows = [next(r for r in tables.rows(t) if str(r["gap"]) == gap) for t in ("gaps", "verdicts")]
    start, dur = number(rows[0]["start_ns"]), number(rows[0]["dur_ns"])
    allowed = set().union(*map(cell_spellings, rows)) | {spelling(start), spelling(start + dur)}
    names = {v for r in rows for k, v in r.items() if k in ("main_event", "before", "after", "step", "host", "thread", "held_stream") and v}
    names |= set(re.findall(r"\S+\.py\(\d+\): \S+|\[\S+", said[1]))
    told = without_names(said[1], {"inputs": [{"value": n} for n in names]}, LABELS)
    wrong = [n for n in NUMBER.findall(told) if n not in allowed]
    tap.ok(not wrong, f"{name}: what is said of the biggest gap stands in gaps and verdicts", f"{wrong} in {said[1]}")


def check(tap, name, *window):
    path = os.path.join(TRACES, name)
    title = " ".join((name, *window))
    try:
        findings, edges = explained(path, *window)
    except TableError:
        return  # refused on purpose; tests of the importers look at those
    tables = Tables(path, window)
    wrong = [w for f in findings for w in wrong_inputs(f, tables)]
    tap.ok(not wrong, f"{title}: each input stands where it says", "\n".join(wrong))
    untold = [w for f in findings for w in untold_numbers(f, LABELS, edges)]
    tap.ok(not untold, f"{title}: each number of a sentence is an input", "\n".join(untold))
    unended = [f["sentence"] for f in findings if f["sentence"] and not re.search(r"(?<!\.)(\.|\.\.\.)$", f["sentence"])]
    tap.ok(not unended, f"{title}: each sentence ends in a full stop, a list that goes on in three", "\n".join(unended))
    if not window:
        gap_sentence(tap, name, path, tables)
    tables.close()


def main():
    need_program()
    names = sys.argv[1:] or corpus() + several()
    if not names:
        skip_all("no corpus of real traces (../shared/traces)")
    tap = Tap()

    def one(name):
        held = HeldTap()
        for window in windows(name):
            check(held, name, *window)
        return held
    with ThreadPoolExecutor(2) as pool:
        for held in pool.map(one, names):
            tap.take(held)
    tap.done()


main()
