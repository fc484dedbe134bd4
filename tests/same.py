#!/usr/bin/env python3
"""Two builds say the same: every table, report and some screens of the bundled traces and of the corpus, byte by byte.

    tests/same.py OLD_PROGRAM [NEW_PROGRAM]          [--only WORD]: traces whose path holds it
    make same OLD=COMMIT                             builds that commit first

For changes that must not change what is said. What may differ stands in tests/renames.txt, one rule a line:
    table   OLD NEW            a table has another name
    column  TABLE OLD NEW      a column of it has (TABLE * = of every table)
    gone    TABLE COLUMN       a column that is no more; `new` the other way round
    key     TABLE OLD NEW      a key of a table of keys and values has, or a field of an object of the JSON report
    help    TABLE              help texts of its columns differ (TABLE * = of every table)
    unit    TABLE COLUMN       so does this column's unit
    text    OLD => NEW         words of tables, reports and screens: a regular expression and what stands there now
What names and explains columns in a report is no part of the comparison (its tables are compared by `table`), nor how many blanks stand
between cells and where a long one is cut, as that follows from the names. TAP on stdout, one test per trace and face."""
import argparse
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from harness import ROOT, STEPSCOPE, TRACES, Tap, Unplayed, corpus, play, scratch, stepscope

REPORTS = ("md", "html", "svg", "json", "text")
KEYS = ("1", "2", "3", "4", "5", "6", "9")
SIZES = ("80x24", "200x60")


class Renames:
    def __init__(self, path):
        self.rules = []
        with open(path, encoding="utf-8") as f:
            for line in filter(None, (line.split("#")[0].strip() for line in f)):
                word, rest = line.split(None, 1)
                self.rules.append((word, [p.strip() for p in rest.split("=>")] if word == "text" else rest.split()))

    def of(self, word, table=None):
        """The rules of this kind, without their table's name where one is asked for."""
        found = [args for kind, args in self.rules if kind == word]
        return found if table is None else [args[1:] for args in found if args[0] in (table, "*")]

    def table(self, name):
        return dict(map(tuple, self.of("table"))).get(name, name)

    def text(self, text):
        """An old report or screen as it reads today."""
        for old, new in self.of("text"):
            text = re.sub(old, new, text)
        return text


def without(table, columns):
    """The table as columns by name, in order, and the rest of what it says."""
    names = [c["name"] for c in table["columns"]]
    kept = [i for i, n in enumerate(names) if n not in columns]
    return ([table["columns"][i] for i in kept], [[row[i] for i in kept] for row in table["rows"]],
            {k: v for k, v in table.items() if k not in ("columns", "rows")})


def table_differs(old, new, name, renames):
    """None when equal but for what may differ, else what differs first."""
    if old == new:
        return None
    now = renames.table(name)
    old["name"] = now
    columns = dict(map(tuple, renames.of("column", now)))
    for c in old["columns"]:
        c["name"] = columns.get(c["name"], c["name"])
    keys = dict(map(tuple, renames.of("key", now)))
    for row in old["rows"] if keys else ():
        row[0] = keys.get(row[0], row[0])
    if renames.of("help", now):
        for c in old["columns"] + new["columns"]:
            c["help"] = ""
    for c in old["columns"] + new["columns"]:
        c["unit"] = "" if [c["name"]] in renames.of("unit", now) else c["unit"]
    a = without(old, [args[0] for args in renames.of("gone", now)])
    b = without(new, [args[0] for args in renames.of("new", now)])
    for what, x, y in zip(("columns", "rows", "other"), a, b):
        if x != y:
            first = next((i for i, (p, q) in enumerate(zip(x, y)) if p != q), "length") if what != "other" else ""
            return f"{now}: {what} {first}: {x[first] if isinstance(first, int) else ''} became {y[first] if isinstance(first, int) else ''}"[:400]
    return None


def report_differs(old, new, renames):
    """The same of JSON reports."""
    sections = [[d.pop("sections") for d in (old, new)]] if "sections" in old and "sections" in new else []
    for name, value in old.items():
        keys = dict(map(tuple, renames.of("key", name))) if isinstance(value, dict) else {}
        old[name] = {keys.get(k, k): v for k, v in value.items()} if keys else value
    if old != new:
        return next(f"{k}: {v} became {new.get(k)}"[:400] for k, v in old.items() if v != new.get(k))
    for a, b in sections:
        wrong = [table_differs(x["table"], y["table"], x["table"]["name"], renames) for x, y in zip(a, b)]
        apart = [w for w in wrong if w] + [x["title"] for x, y in zip(a, b) if (x["title"], x["rows_total"]) != (y["title"], y["rows_total"])]
        if apart or len(a) != len(b):
            return "\n".join(apart) or f"{len(a)} sections became {len(b)}"
    return None


HEADERS = {"md": r"^\|[^\n]*\n(?=\|-)|^- `[a-z0-9_]+`: [^\n]*\n|^\|[-:| ]+\n", "html": r"(?s)<th\b.*?</th>|<li><code>[a-z0-9_]+</code>.*?</li>|>without a value in any row: [^<]*<",
           "text": r"(?<=\n)\n[^\n]+\n[^\n]+\n"}  # in text: a title and the line of names


def body(text, form):
    """A report without names and help of columns, one blank for many."""
    return re.sub(r" +|-{2,}", " ", re.sub(HEADERS[form], "", text, flags=re.M)) if form in HEADERS else text


def alike(old, new):
    """Two lines are the same, or would be if none of their cells were cut."""
    if old == new:
        return True
    wild = [re.compile(".*?".join(map(re.escape, re.split(r"\.\.\.|…", line.strip())))) for line in (old, new)]
    return any(w.fullmatch(line.strip()) for w, line in zip(wild, (new, old)))


def first_line(old, new):
    """None when all lines are alike, or the words are the same and go over to the next line elsewhere; else the first that is not."""
    a, b = old.splitlines(), new.splitlines()
    for number, (x, y) in enumerate(zip(a, b) if old.split() != new.split() else (), 1):
        if not alike(x, y):
            at = next((i for i, (p, q) in enumerate(zip(x, y)) if p != q), min(len(x), len(y)))
            return f"line {number}: ...{x[max(0, at - 60):at + 100]}\nbecame ...{y[max(0, at - 60):at + 100]}"
    return None if len(a) == len(b) else f"{len(a)} lines became {len(b)}"


class Pair:
    def __init__(self, old, new, renames):
        self.old, self.new, self.renames = old, new, renames

    def both(self, old_args, new_args):
        return [stepscope(*args, program=p) for p, args in ((self.old, old_args), (self.new, new_args))]

    def tables(self, tap, label, path, names):
        found = []
        for name in names:
            now = self.renames.table(name)
            a, b = self.both(("table", name, path, "--format", "json"), ("table", now, path, "--format", "json"))
            if a.status != b.status:
                found.append(f"{name}: exit {a.status} became {b.status}: {b.err[:200]}")
            elif a.status in (0, 4):
                differs = table_differs(json.loads(self.renames.text(a.out)), json.loads(b.out), name, self.renames)
                found += [differs] if differs else []
        tap.ok(not found, f"{label}: tables", "\n".join(found))

    def reports(self, tap, label, path):
        for form in REPORTS:
            a, b = self.both(*[("report", path, "--format", form)] * 2)
            old, new = body(self.renames.text(a.out), form), body(b.out, form)
            differs = first_line(old, new)
            if form == "json" and a.status in (0, 4):
                differs = report_differs(json.loads(old), json.loads(new), self.renames)
            tap.ok(a.status == b.status and not differs, f"{label}: report {form}", f"exit {a.status} became {b.status}\n{differs}")

    def screens(self, tap, label, path):
        script = "wait Overview\nsettle\n" + "".join(f"keys {k}\nsettle\nscreen\n" for k in (*KEYS, "b")) + "keys Q\n"
        for size in SIZES:
            try:
                old, new = (play(script, path, size=size, program=p) for p in (self.old, self.new))
            except Unplayed as e:
                tap.ok(False, f"{label}: screens {size}", e)
                continue
            a, b = ("\n".join("\n".join(s) for s in one.screens) for one in (old, new))
            a, b = (re.sub(" +", " ", text) for text in (self.renames.text(a), b))
            differs = first_line(a, b)
            tap.ok(old.screens and not differs, f"{label}: screens {size}", differs)


def tables_of(program):
    whole = stepscope("--help", "all", program=program).out
    return re.findall(r"^  ([a-z_]+) ", whole.split("\nTables:\n")[1].split("\nExamples:")[0], re.M)


def traces(only):
    for folder, _, files in os.walk(os.path.join(ROOT, "tests/traces")):
        if os.path.basename(os.path.dirname(folder)) != "make":
            yield from (os.path.join(folder, f) for f in sorted(files) if re.search(r"\.pb$|\.json(\.gz)?$", f) and only in os.path.join(folder, f))
    yield from (os.path.join(TRACES, f) for f in corpus() if only in f)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("old")
    words.add_argument("new", nargs="?", default=STEPSCOPE)
    words.add_argument("--only", default="")
    words.add_argument("--renames", default=os.path.join(HERE, "renames.txt"))
    given = words.parse_args()
    os.makedirs(scratch(), exist_ok=True)
    tap, pair = Tap(), Pair(os.path.abspath(given.old), os.path.abspath(given.new), Renames(given.renames))
    names = tables_of(pair.old)
    for path in traces(given.only):
        label = os.path.relpath(path, ROOT)
        pair.tables(tap, label, path, names)
        pair.reports(tap, label, path)
        pair.screens(tap, label, path)
    tap.done()


if __name__ == "__main__":
    main()
