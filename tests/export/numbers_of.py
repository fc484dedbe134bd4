"""Every number in every format against `stepscope table --format json`: CSV, JSON lines, Markdown, the database. What a person reads there and in
reports ("2.114 ms") must be the number rounded to the digits it shows."""
import csv
import html
import io
import json
import os
import re
import shutil
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import scratch, stepscope

SCALES = {"": 1, "%": 1, "ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "PiB": 2**50,
          "B/s": 1, "kB/s": 10**3, "MB/s": 10**6, "GB/s": 10**9, "TB/s": 10**12, "FLOP/s": 1, "kFLOP/s": 10**3, "MFLOP/s": 10**6, "GFLOP/s": 10**9,
          "TFLOP/s": 10**12, "PFLOP/s": 10**15, "FLOP": 1, "kFLOP": 10**3, "MFLOP": 10**6, "GFLOP": 10**9, "TFLOP": 10**12, "PFLOP": 10**15}
SHOWN = re.compile(r"(-?)([\d,]*\.?\d+)(?:e([+-]\d+))? ?([A-Za-z%/]*)\Z")
ABSENT = ("", "-", "\u2013")


def table_rows(text):
    """(columns, their types, rows) of stepscope.table/1; numbers beyond 2^53 as numbers."""
    made = json.loads(text)
    types = [c["type"] for c in made["columns"]]
    rows = [[int(v) if t == "int" and isinstance(v, str) else v for v, t in zip(row, types)] for row in made["rows"]]
    return [c["name"] for c in made["columns"]], types, rows


def folder(path, form, *options):
    out = scratch(f"all-{form}/")
    shutil.rmtree(out, ignore_errors=True)
    run = stepscope("table", "--all", path, "-o", out, "--format", form, "-q", *options)
    if run.status not in (0, 4):
        raise RuntimeError(run.told())
    made = {}
    for f in os.listdir(out):
        with open(os.path.join(out, f), encoding="utf-8", errors="replace") as text:
            made[f.rsplit(".", 1)[0]] = text.read()
    return made


def is_number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def same(x, y):
    return x == y or (is_number(x) and is_number(y) and abs(x - y) <= 1e-12 * abs(x))


def shows(text, value):
    """Does the text a person reads stand for that value?"""
    text = text.replace("\u00a0", " ").strip()
    if value is None or text in ABSENT:
        return value is None and text in ABSENT
    found = SHOWN.match(text)
    if not found or found[4] not in SCALES:
        return False
    digits = found[2].replace(",", "")
    scale = SCALES[found[4]] * 10.0 ** int(found[3] or 0)
    places = len(digits.split(".")[1]) if "." in digits else 0
    told = float(digits) * scale * (-1 if found[1] else 1)
    return abs(told - value) <= scale * 10.0 ** -places * 0.501 + 1e-9 * abs(value)


# ---- one format after the other; each gives what differs


def as_csv(name, text, columns, types, rows):
    told = list(csv.reader(io.StringIO(text)))
    if told[0] != columns or len(told) - 1 != len(rows):
        return [f"{name}.csv: {told[0]}, {len(told) - 1} rows of {len(rows)}"]
    read = {"int": int, "real": float, "bool": lambda v: v == "true"}
    wrong = []
    for i, (line, row) in enumerate(zip(told[1:], rows)):
        for v, t, x, c in zip(line, types, row, columns):
            kind = t if t != "text" else "real" if is_number(x) else ""  # values of keys have a type of their own each
            if kind and not (v == "" and x is None) and not (v != "" and same(x, read[kind](v))):
                wrong.append(f"{name}.csv row {i} {c}: {v!r}, not {x!r}")
    return wrong


def as_lines(name, text, columns, types, rows):
    told = [json.loads(line) for line in text.splitlines()]
    plain = [[int(v) if t == "int" and isinstance(v, str) else v for (v, t) in zip(o.values(), types)] for o in told]
    return [] if plain == rows and all(list(o) == columns for o in told) else [f"{name}.jsonl: {len(told)} rows of {len(rows)}"]


def as_markdown(name, text, columns, types, rows):
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("|")][2:]
    if len(lines) != len(rows):
        return [f"{name}.md: {len(lines)} rows of {len(rows)}"]
    wrong = []
    for i, (line, row) in enumerate(zip(lines, rows)):
        for v, t, x, c in zip(line, types, row, columns):
            if (t in ("int", "real") or is_number(x)) and c != "device" and not shows(v, x):
                wrong.append(f"{name}.md row {i} {c}: {v.strip()!r}, not {x!r}")
    return wrong


def as_database(db, name, columns, types, rows):
    told = db.execute(f'SELECT * FROM "{name}" ORDER BY rowid').fetchall()
    wrong = [] if len(told) == len(rows) else [f"{name} in the database: {len(told)} rows of {len(rows)}"]
    for i, (line, row) in enumerate(zip(told, rows)):
        for v, t, x, c in zip(line, types, row, columns):
            if not (t == "text" and not is_number(x)) and not same(x, bool(v) if t == "bool" and v is not None else v):
                wrong.append(f"{name} in the database, row {i} {c}: {v!r}, not {x!r}")
    return wrong


CELL = re.compile(r'<td class="n"[^>]*? data-v="([^"]+)"[^>]*>(.*?)</td>', re.S)


def as_page(page):
    """What a cell of a report shows is the number behind it, by which it is sorted; that this is the table's, t_numbers.py finds."""
    wrong, seen = [], 0
    for value, shown in CELL.findall(page):
        seen += 1
        text = html.unescape(re.sub(r"<[^>]*>", "", shown))
        if not shows(text, float(value)):
            wrong.append(f"HTML: {text!r} stands for {value}")
    return wrong, seen


# ---- a trace


def check(path, *options):
    """(what differs, how many numbers were compared)"""
    tables = {n: table_rows(t) for n, t in folder(path, "json", *options).items()}
    wrong, seen = [], 5 * sum(is_number(v) for _, _, rows in tables.values() for row in rows for v in row)
    for form, read in (("csv", as_csv), ("jsonl", as_lines), ("md", as_markdown)):
        made = folder(path, form, *options)
        wrong += [w for n in tables for w in read(n, made.get(n, ""), *tables[n])]
    out = scratch("numbers.sqlite")
    stepscope("export", path, "-o", out, "--force", "-q", *options)
    db = sqlite3.connect(out)
    wrong += [w for n in tables for w in as_database(db, n, *tables[n])]
    db.close()
    told, more = as_page(stepscope("report", path, "--format", "html", *options).out)
    return wrong + told, seen + more
