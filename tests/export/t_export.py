#!/usr/bin/env python3
"""stepscope export: the ending decides, others are refused with those there are; a folder and a database hold what `stepscope table` prints;
the queries that README.md shows run; stacks add up; nothing recorded about the environment leaves."""
import csv
import gzip
import io
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, STEPSCOPE, TRACES, Tap, need_program, play, scratch, stepscope, table

TWO_STEPS = os.path.join(ROOT, "tests/golden/small/two_steps.json")
RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
README = os.path.join(ROOT, "tui/export/README.md")


def names():
    return [line.split()[0] for line in stepscope("table", TWO_STEPS).out.splitlines()]


def endings(tap):
    for name in ("x.txt", "x.pb", "x.html", "x.csv", "x"):
        run = stepscope("export", TWO_STEPS, "-o", scratch(name))
        tap.ok(run.status == 2 and all(w in run.err for w in (".json.gz", ".sqlite", ".stepscope", ".folded", "out/")) and
               not os.path.exists(scratch(name)), f"{name} is refused with the endings there are", run.told())
    run = stepscope("export", TWO_STEPS)
    tap.ok(run.status == 2 and "-o" in run.err, "without -o it says what is missing", run.told())
    run = stepscope("export", TWO_STEPS, "--step", "last", "-o", scratch("part.stepscope"))
    tap.ok(run.status == 2 and "whole" in run.err, "a window does not become a .stepscope", run.told())
    run = stepscope("export", TWO_STEPS, "-o", scratch("no/such/folder/x.json"))
    tap.ok(run.status == 5, "a folder that is not there is an output that was not written", run.told())
    stepscope("export", TWO_STEPS, "-o", scratch("kept.json"))
    run = stepscope("export", TWO_STEPS, "-o", scratch("kept.json"))
    tap.ok(run.status == 5 and "--force" in run.err, "an existing file is kept", run.told())
    run = stepscope("pack", TWO_STEPS, "-o", scratch("x.sqlite"))
    tap.ok(run.status == 2 and "stepscope export" in run.err, "pack names export for what it does not write", run.told())
    os.symlink("/dev/full", scratch("full.json"))
    run = stepscope("export", TWO_STEPS, "-o", scratch("full.json"))
    tap.ok(run.status == 5, "what cannot be written is exit 5", run.told())


def streams(tap):
    """Into a pipe comes what would stand in the file; the format must be named."""
    for form in ("json", "json.gz", "sqlite", "stepscope", "folded"):
        stepscope("export", TWO_STEPS, "-o", scratch("stream." + form))
        with open(scratch("stream." + form), "rb") as f:
            whole = f.read()
        for target in ("-", "/dev/stdout", "/dev/fd/1"):
            run = subprocess.run([STEPSCOPE, "export", TWO_STEPS, "-o", target, "--format", form], capture_output=True, check=False)
            tap.ok(run.returncode == 0 and run.stdout == whole, f"{form} to {target} is the file", run.stderr)
    run = stepscope("export", TWO_STEPS, "-o", "-")
    tap.ok(run.status == 2 and "--format json" in run.err and not run.out, "without a format: which there are", run.told())
    run = stepscope("export", TWO_STEPS, "-o", "-", "--format", "csv")
    tap.ok(run.status == 2 and "not 'csv'" in run.err, "tables are a folder, no stream", run.told())


def interrupted(tap):
    """SIGINT and SIGTERM amid an export leave whole files or none."""
    stepscope("export", RESNET, "-o", scratch("whole/"))
    for sig in (signal.SIGINT, signal.SIGTERM):
        ended, told = 0, []
        for attempt in range(40):
            folder = scratch(f"cut{sig}-{attempt}/")
            p = subprocess.Popen([STEPSCOPE, "export", RESNET, "-q", "-o", folder], stderr=subprocess.DEVNULL)
            while p.poll() is None and not (os.path.isdir(folder) and os.listdir(folder)):
                time.sleep(0.0005)
            p.send_signal(sig)
            ended += p.wait() == -sig
            for name in os.listdir(folder):
                same = name.endswith(".csv") and open(folder + name, "rb").read() == open(scratch("whole/") + name, "rb").read()
                told += [] if same else [name]
            shutil.rmtree(folder)
            if ended == 3:
                break
        tap.ok(ended and not told, f"{signal.Signals(sig).name}: it ends by it, and what stands there is whole", (ended, told))


def saved(tap):
    a, b = scratch("a.stepscope"), scratch("b.stepscope")
    stepscope("pack", TWO_STEPS, "-o", a)
    stepscope("export", TWO_STEPS, "-o", b)
    with open(a, "rb") as x, open(b, "rb") as y:
        tap.ok(x.read() == y.read(), ".stepscope is what pack writes")


def plain_and_packed(tap):
    a, b = scratch("same.json"), scratch("same.json.gz")
    stepscope("export", TWO_STEPS, "-o", a)
    stepscope("export", TWO_STEPS, "-o", b)
    with open(a, "rb") as x, gzip.open(b, "rb") as y:
        tap.ok(x.read() == y.read(), ".json.gz is .json, packed")
    with open(a, "rb") as f:
        text = f.read()
    tap.ok(b"nan" not in text.lower() and json.loads(text)["traceEvents"], "it is JSON")


def folder(tap):
    out = scratch("tables/")
    run = stepscope("export", RESNET, "-o", out)
    tap.ok(run.status == 0 and sorted(os.listdir(out)) == sorted(f"{n}.csv" for n in names()), "a folder holds every table", run.told())
    wrong = []
    for n in names():
        with open(os.path.join(out, n + ".csv"), encoding="utf-8") as f:
            if f.read() != stepscope("table", n, RESNET, "--format", "csv", "-q").out:
                wrong.append(n)
    tap.ok(not wrong, "each is what `stepscope table` prints", wrong)
    lines = scratch("lines/")
    stepscope("export", RESNET, "-o", lines, "--format", "jsonl", "--step", "last")
    wrong = []
    for n in names():
        with open(os.path.join(lines, n + ".jsonl"), encoding="utf-8") as f:
            if [json.loads(line) for line in f] != table(n, RESNET, "--step", "last").rows:
                wrong.append(n)
    tap.ok(not wrong, "as JSON lines, too, one object for each row", wrong)
    run = stepscope("export", RESNET, "-o", scratch("x.json"), "--format", "jsonl")
    tap.ok(run.status == 2 and "folder" in run.err, "--format is for folders", run.told())


def same(x, y):
    return x == y or str(x) == str(y) or (isinstance(x, float) and isinstance(y, (int, float)) and abs(x - y) <= 1e-9 * abs(x))


def database(tap):
    out = scratch("all.sqlite")
    run = stepscope("export", RESNET, "-o", out)
    db = sqlite3.connect(out)
    tap.ok(run.status == 0 and db.execute("PRAGMA integrity_check").fetchone() == ("ok",), "a database", run.told())
    run = stepscope("brief", out)
    tap.ok(run.status == 3 and "a database that stepscope exported" in run.err, "it is no trace to open, and says so", run.told())
    tap.equal((db.execute("PRAGMA user_version").fetchone()[0], db.execute("PRAGMA application_id").fetchone()[0]), (1, 0x73746578),
              "that says its version and whose it is")
    wrong = []
    for n in names():
        t = table(n, RESNET)
        rows = db.execute(f'SELECT * FROM "{n}" ORDER BY rowid').fetchall()
        head = [c[1] for c in db.execute(f'PRAGMA table_info("{n}")')]
        told = [[int(v) if isinstance(v, str) and c["type"] == "int" else v for v, c in zip(r, t.json["columns"])] for r in t.json["rows"]]
        if head != t.columns or len(rows) != len(told) or not all(same(x, y) for a, b in zip(told, rows) for x, y in zip(a, b)):
            wrong.append(n)
        behind = db.execute("SELECT row_number - 1, event FROM evidence WHERE table_name = ? AND event IS NOT NULL ORDER BY rowid", (n,)).fetchall()
        if n != "events" and behind != [(i, e) for i, v in enumerate(t.evidence) for e in v["events"]]:
            wrong.append(n + " (evidence)")
    tap.ok(not wrong, "every table, its columns, rows and evidence are what `stepscope table` prints", wrong)


def queries():
    with open(README, encoding="utf-8") as f:
        text = re.search(r"```sql\n(.*?)```", f.read(), re.S)[1]
    return [q.strip() for q in re.split(r"-- \d+\. [^\n]*\n", text) if q.strip()]


def documented(tap):
    db = sqlite3.connect(scratch("all.sqlite"))
    made = [db.execute(q).fetchall() for q in queries()]
    tap.ok(len(made) == 10 and all(made), "ten queries of README.md give rows", [len(m) for m in made])
    sums = {}
    for r in table("kernels", RESNET).rows:
        k, ns = sums.get(r["name"], (0, 0))
        sums[r["name"]] = (k + r["kernels"], ns + r["total_ns"])
    tap.equal(made[0], sorted(((n, k, ns) for n, (k, ns) in sums.items()), key=lambda r: (-r[2], r[0]))[:10], "1: kernels")
    causes = {}
    for r in table("idle_causes", RESNET).rows:
        causes[(r["device"], r["cause"])] = causes.get((r["device"], r["cause"]), 0) + (r["idle_ns"] or 0)
    tap.equal({(d, c): ns for d, c, ns in made[1]}, causes, "2: idle time")
    gaps = sorted(table("gaps", RESNET).rows, key=lambda r: (-r["dur_ns"], r["gap"]))[:10]
    tap.equal(made[2], [tuple(r[k] for k in ("gap", "scope", "device", "start_ns", "dur_ns", "cause")) for r in gaps], "3: gaps")
    steps = table("steps", RESNET).rows
    tap.equal(sorted(made[3]), sorted(tuple(r[k] for k in ("step", "device", "dur_ns", "device_compute_ns", "input_ns")) for r in steps), "4: steps")
    ways = {}
    for r in table("copies", RESNET).rows:
        old = ways.get(r["direction"], (0, 0, 0))
        ways[r["direction"]] = tuple(a + b for a, b in zip(old, (r["copies"], r["copy_bytes"], r["total_ns"])))
    tap.equal({r[0]: r[1:] for r in made[4]}, ways, "5: copies")


def folded(tap):
    out = scratch("x.folded")
    run = stepscope("export", RESNET, "-o", out)
    with open(out, encoding="utf-8") as f:
        lines = [line.rstrip("\n").rsplit(" ", 1) for line in f]
    tap.ok(run.status == 0 and lines and all(len(x) == 2 and x[1].isdigit() and int(x[1]) > 0 for x in lines), "stacks and numbers", run.told())
    device = sum(int(ns) for stack, ns in lines if stack.startswith("GPU 0;"))
    work = sum(r["dur_ns"] for r in table("events", RESNET).rows if r["kind"] in ("kernel", "copy", "memset"))
    tap.equal(device, work, "a device's stacks add up to its work")
    tap.ok(any(re.match(r"GPU 0;aten::.*gemm", stack) for stack, _ in lines), "kernels stand below the ops that launched them")


def recorded():
    """What stands in a trace about its environment, under names of its own."""
    with open(TWO_STEPS, encoding="utf-8") as f:
        trace = json.load(f)
    trace["env_HF_TOKEN"] = "hf_live_token"
    trace["traceName"] = "/home/somebody/run.json"
    for e in trace["traceEvents"]:
        if e.get("ph") == "X":
            e.setdefault("args", {})["api_key"] = "sk-live"
            e["args"]["cwd"] = "/home/somebody/work"
    path = scratch("told.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(trace, f)
    return path


def columns(tap):
    rows = table("kernels", RESNET).rows
    run = stepscope("table", "kernels", RESNET, "--columns", "total_ns,kernels", "--format", "csv", "--sort", "-total_ns", "--top", "3")
    expected = sorted(((r["total_ns"], r["kernels"]) for r in rows), key=lambda r: -r[0])[:3]
    tap.equal([tuple(map(int, r)) for r in list(csv.reader(io.StringIO(run.out)))[1:]], expected, "--columns: these, in this order")
    run = stepscope("table", "kernels", RESNET, "--columns", "kernels", "--top", "2")
    tap.ok(run.status == 0 and run.out.split()[0] == "kernels" and len(run.out.split()) == 3, "as text, too", run.told() + run.out)


def all_tables(tap):
    for form in ("csv", "json", "jsonl", "md", "text"):
        out = scratch(f"all-{form}/")
        run = stepscope("table", "--all", TWO_STEPS, "-o", out, "--format", form, "--step", "last")
        wrong = [n for n in names() if stepscope("table", n, TWO_STEPS, "--format", form, "--step", "last").out !=
                 open(os.path.join(out, f"{n}.{'txt' if form == 'text' else form}"), encoding="utf-8").read()]
        tap.ok(run.status == 0 and len(os.listdir(out)) == len(names()) and not wrong, f"table --all: {form} as `stepscope table` prints each", wrong or run.told())
    run = stepscope("table", "--all", TWO_STEPS)
    tap.ok(run.status == 2 and "-o DIR" in run.err, "--all wants a folder", run.told())
    run = stepscope("table", "--all", TWO_STEPS, "-o", scratch("no/"), "--sort", "name")
    tap.ok(run.status == 2 and "--sort" in run.err, "and nothing that is about one table", run.told())


def kernels_by_name(tap):
    sums, forms = {}, {}
    for r in table("kernels", RESNET).rows:
        k, ns = sums.get(r["name"], (0, 0))
        sums[r["name"]], forms[r["name"]] = (k + r["kernels"], ns + r["total_ns"]), forms.get(r["name"], 0) + 1
    rows = table("kernels", RESNET, "--by", "name").rows
    tap.equal({r["name"]: (r["count"], r["total_ns"]) for r in rows}, sums, "kernels --by name: what those by shape add up to")
    tap.equal({r["name"]: r["forms"] for r in rows}, forms, "and in how many rows these are")
    tap.ok(len(rows) == len(sums) and [r["total_ns"] for r in rows] == sorted((r["total_ns"] for r in rows), reverse=True), "one row for each name, longest first")
    tap.equal(table("kernels", RESNET, "--by", "shape").rows, table("kernels", RESNET).rows, "--by shape is the table itself")


def progress(tap):
    """A FIFO that nobody reads yet makes any export a long one."""
    fifo = scratch("slow.json")
    os.mkfifo(fifo)
    script = f'stty -echo; {STEPSCOPE} export {TWO_STEPS} -o {fifo} & stepscope=$!; read go; cat {fifo} >/dev/null; wait $stepscope && echo all-written'
    screen = play("wait writing\nkeys Enter\nwait all-written\nscreen\n", "-c", script, program="/bin/sh")
    tap.ok("all-written" in screen.last and "writing" not in screen.last.replace("all-written", ""), "an export of more than a second tells how far it is; the line goes", screen.last)


def from_the_explorer(tap):
    folder_of_it = scratch("explorer")
    os.makedirs(folder_of_it)
    screen = play("wait Overview\nkeys : e x p o r t Space p . j s o n . g z Enter\nwait wrote p.json.gz\n"
                  "keys e p\nwait wrote stepscope-all.json.gz\nkeys Q\n", RESNET, size="120x40", cwd=folder_of_it)
    stepscope("export", RESNET, "-o", scratch("cli.json.gz"))
    made = []
    for path in (scratch("cli.json.gz"), os.path.join(folder_of_it, "p.json.gz"), os.path.join(folder_of_it, "stepscope-all.json.gz")):
        made.append(gzip.open(path).read() if os.path.exists(path) else path)
    tap.ok(made[0] == made[1] == made[2], "the explorer writes the same file: :export FILE, e p", screen.last)


def stays_at_home(tap):
    path = recorded()
    for out in (scratch("told.json.gz"), scratch("told.sqlite"), scratch("told.folded")):
        stepscope("export", path, "-o", out)
        with open(out, "rb") as f:
            data = f.read()
        data = gzip.decompress(data) if out.endswith(".gz") else data
        tap.ok(data and not any(w in data for w in (b"hf_live_token", b"sk-live", b"/home/somebody/work")), f"{os.path.basename(out)}: no secret leaves")
    with gzip.open(scratch("told.json.gz"), "rt") as f:
        tap.ok(json.load(f)["otherData"]["arguments_left_out"] > 0, "how many arguments were left out is told")
    stepscope("export", path, "-o", scratch("told-all.json"), "--all-columns")
    with open(scratch("told-all.json"), "rb") as f:
        data = f.read()
    tap.ok(b"sk-live" in data and b"hf_live_token" not in data, "--all-columns sends every argument, and no fact of the environment")


def main():
    need_program()
    tap = Tap()
    for test in (endings, streams, interrupted, saved, plain_and_packed, folder, database, documented, folded, columns, all_tables, kernels_by_name, progress, from_the_explorer, stays_at_home):
        test(tap)
    tap.done()


main()
