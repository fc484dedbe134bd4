#!/usr/bin/env python3
"""Every number of a report, as HTML and as JSON, is that of the table it names: each row that is shown is a row of what `stepscope table --all` writes,
which holds all tables. On the traces of ../shared/traces, and on the bundled one."""
import collections.abc
import html
import json
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import ROOT, TRACES, Table, Tap, corpus, kept_names, kept_table, need_program, number, scratch, stepscope  # noqa: E402

RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
# made for the report alone: no table has their rows
OWN = {"self_times", "threads_in_gap", "edges_of_gap", "longest_device_events", "longest_events", "top_ops"}
MOST_BYTES = 60 << 20  # packed; larger ones are the bench's


TAG = re.compile(r"<(div|table|th|tr|td)\b([^>]*)>")  # texts and values of a page have no bare < or >
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


def tables_in(page):
    """All whole tables of a page: name, exact names of columns, rows of exact values; None: a text, "": unknown."""
    tables, whole = [], False
    for tag, words in TAG.findall(page):
        if tag == "div":
            whole = "whole" in dict(ATTRIBUTE.findall(words)).get("class", "")
        if not whole or tag == "div":
            continue
        a = dict(ATTRIBUTE.findall(words))
        if tag == "table":
            tables.append((a["data-t"], [], []))
        elif tag == "th":
            tables[-1][1].append(html.unescape(a["data-c"]))
        elif tag == "tr" and tables and tables[-1][1]:
            tables[-1][2].append([])
        elif tag == "td" and "colspan" not in a:
            value = a.get("data-v", a.get("title"))
            tables[-1][2][-1].append(value and html.unescape(value))
    return tables


class Whole(collections.abc.Mapping):
    """The tables of an export: each is read when it is asked for, and what is looked up in it is made once for all reports."""

    def __init__(self, *words):
        self.words, self.folder, self.read, self.sets = words, scratch("tables/"), {}, {}
        self.names = kept_names(words)
        if self.names is None:
            shutil.rmtree(self.folder, ignore_errors=True)
            run = stepscope("table", "--all", *words, "--format", "json", "-o", self.folder, "-q")
            self.names = {n[:-5] for n in os.listdir(self.folder)} if run.status in (0, 4) else set()

    def __iter__(self):
        return iter(self.names)

    def __len__(self):
        return len(self.names)

    def __getitem__(self, name):
        if name not in self.names:
            raise KeyError(name)
        if name not in self.read:
            self.read[name] = Table(self.text(name)).rows if name != "events" else []
        return self.read[name]

    def text(self, name):
        kept = kept_table(name, self.words)
        if kept:
            return kept
        with open(os.path.join(self.folder, f"{name}.json"), encoding="utf-8") as f:
            return f.read()

    def known(self, name, rows, columns):
        """What the columns have, row by row."""
        if (name, columns) not in self.sets:
            self.sets[name, columns] = {tuple(same(r.get(c), c) for c in columns) for r in rows}
        return self.sets[name, columns]


def same(text, column=""):
    """A number as both write it; what is no number is not compared. Means of ns are whole in reports."""
    if type(text) is int:
        return text
    if isinstance(text, bool) or text is None:
        return None
    v = number(text)
    if isinstance(v, str):
        try:
            v = float(v)
        except ValueError:
            return None
    if column.endswith("_ns"):
        return round(v)
    return float(f"{v:.9g}") if isinstance(v, float) and not v.is_integer() else int(v) if abs(v) < 1e300 else v


def is_numeric(rows, column):
    return any(isinstance(r.get(column), (int, float)) and not isinstance(r.get(column), bool) for r in rows)


def strangers(name, columns, rows, whole):
    """Rows that no row of the whole table has, compared in the columns of numbers that both have."""
    by_form = "forms" in columns
    all_rows = by_name(whole[name]) if by_form else whole[name]
    if columns[:2] == ["key", "value"]:
        known = {r["key"]: r["value"] for r in all_rows}
        return [r for r in rows if same(r[1]) is not None and same(r[1]) != same(known.get(r[0]))]
    shared = [i for i, c in enumerate(columns) if is_numeric(all_rows, c)]
    # what a table for people words (a device, a rank) has no exact value there
    shown = [i for i in shared if any(same(r[i]) is not None for r in rows)]
    known = whole.known((name, by_form), all_rows, tuple(columns[i] for i in shown)) if shown else set()
    return [r for r in rows if tuple(same(r[i], columns[i]) for i in shown) not in known] if shown else []


def by_name(kernels):
    """Kernels whatever their launch shapes and ops: what the report shows."""
    out = {}
    for r in kernels:
        k = out.setdefault(r["name"], {"count": 0, "total_ns": 0, "min_ns": r["min_ns"], "max_ns": 0, "forms": 0})
        for column, value in (("count", k["count"] + number(r["kernels"])), ("total_ns", k["total_ns"] + number(r["total_ns"])), ("min_ns", min(k["min_ns"], r["min_ns"])),
                              ("max_ns", max(k["max_ns"], r["max_ns"])), ("forms", k["forms"] + 1)):
            k[column] = value
    return list(out.values())


def check(tap, name, path, *words):
    whole = Whole(path, *words)
    if not whole:
        return 0
    page = stepscope("report", path, *words, "--format", "html").out
    told = json.loads(stepscope("report", path, *words, "--format", "json").out)
    sections = [(s["table"]["name"], [c["name"] for c in s["table"]["columns"]], s["table"]["rows"]) for s in told["sections"]]
    cells = 0
    for form, tables in (("html", tables_in(page)), ("json", sections)):
        wrong = []
        for table, columns, rows in tables:
            if table == "tracks" and "share_pct" in columns:
                continue  # the busiest threads, made for the report
            rows = [r for r in rows if len(r) == len(columns)]  # the last line of one that was cut is none
            if table in OWN or table not in whole or not rows:
                continue
            bad = strangers(table, columns, rows, whole)
            wrong += [(table, dict(zip(columns, r))) for r in bad[:1]]
            cells += sum(same(v) is not None for r in rows for v in r)
        tap.equal(wrong, [], f"{name} {' '.join(words)}: {form}")
    return cells


def main():
    need_program()
    tap = Tap()
    cells = check(tap, "resnet", RESNET) + check(tap, "resnet", RESNET, "--step", "3")
    tap.ok(cells > 2000, "numbers were compared", cells)
    for name in corpus():
        path = os.path.join(TRACES, name)
        if re.search(r"dlrm-8rank-nccl/worker[1-7]", name):
            continue  # like the first
        if os.path.isfile(path) and os.path.getsize(path) > MOST_BYTES:
            tap.skip(name, "too large for a walk")
        else:
            check(tap, name, path)
    tap.done()


if __name__ == "__main__":
    main()
