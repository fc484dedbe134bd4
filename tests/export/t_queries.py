#!/usr/bin/env python3
"""The first five queries that tui/export/README.md documents give the same rows in sqlite3, which t_export.py holds against the tables, in pandas
and, over the folder of CSV files, in DuckDB; these two come from PyPI."""
import json
import os
import re
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, need_program, scratch, stepscope
from pypi import python_with

README = os.path.join(ROOT, "tui/export/README.md")
RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
PANDAS = """
import json, sqlite3, sys
import pandas
db = sqlite3.connect(sys.argv[1])
for query in json.load(sys.stdin):
    print(json.dumps(json.loads(pandas.read_sql_query(query, db).to_json(orient="values", double_precision=15))))
"""
DUCKDB = """
import glob, json, os, sys
import duckdb
db = duckdb.connect()
for path in glob.glob(os.path.join(sys.argv[1], "*.csv")):
    name = os.path.basename(path)[:-4]
    db.execute(f"CREATE VIEW \\"{name}\\" AS SELECT * FROM read_csv('{path}', header=true, sample_size=-1)")
for query in json.load(sys.stdin):
    print(json.dumps([[int(v) if hasattr(v, "as_integer_ratio") and v == int(v) else v for v in row] for row in db.execute(query).fetchall()]))
"""


def queries():
    with open(README, encoding="utf-8") as f:
        text = re.search(r"```sql\n(.*?)```", f.read(), re.S)[1]
    return [q.strip() for q in re.split(r"-- \d+\. [^\n]*\n", text) if q.strip()][:5]


def sorted_rows(rows):
    """As text: what stands in a CSV file has no type, so names of steps that are numbers are read as numbers, and whole numbers as real ones."""
    return sorted([str(int(v) if isinstance(v, float) and v == int(v) else v) for v in row] for row in rows)


def asks(tap, name, package, script, where):
    python, why = python_with(name, *package)
    if not python:
        tap.skip(f"{name}: the documented queries", why)
        return
    done = subprocess.run([python, "-c", script, where], input=json.dumps(queries()), capture_output=True, text=True, timeout=120)
    if not tap.ok(done.returncode == 0, f"{name} runs the documented queries", done.stderr[-1500:]):
        return
    db = sqlite3.connect(scratch("all.sqlite"))
    for i, (query, line) in enumerate(zip(queries(), done.stdout.splitlines()), 1):
        expected = [list(r) for r in db.execute(query).fetchall()]
        tap.ok(expected and sorted_rows(json.loads(line)) == sorted_rows(expected), f"{name}: query {i} gives sqlite3's rows",
               f"{json.loads(line)[:2]}\n{expected[:2]}")


def main():
    need_program()
    tap = Tap()
    made = [stepscope("export", RESNET, "-o", out) for out in (scratch("all.sqlite"), scratch("tables/"))]
    tap.ok(all(r.status == 0 for r in made) and len(queries()) == 5, "the database and the folder are made", made[0].told())
    asks(tap, "pandas", ["pandas"], PANDAS, scratch("all.sqlite"))
    asks(tap, "DuckDB", ["duckdb"], DUCKDB, scratch("tables/"))
    tap.done()


main()
