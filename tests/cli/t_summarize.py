#!/usr/bin/env python3
"""Summaries: what is worked out of them is what traces say; merged in any order and grouping they are the same; lines keep to their schema;
a file that was made to harm ends in a sentence."""
import gzip
import itertools
import json
import os
import random
import re
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "scenes"))
import harness
import ranks
from harness import number, scratch, stepscope, table

HERE = os.path.dirname(os.path.abspath(__file__))
DAMAGED = 30
PLAN = [[("compute", {2: 23, "else": 20}), ("call", "AllReduce", 1, {"items": 1 << 20}), ("compute", 5),
         ("call", "AllGather", 2, {"out": 4000})]] * 6
REPLICAS = ["replica_steps", "step_time_ns", "own_time_ns", "replica_steps_ns", "replica_steps_wait_ns", "compute_per_step_ns", "compute_to_mean",
            "own_kernels_per_step", "calls_per_step", "busy_ns", "matched_calls", "collective_wait_ns", "last_at", "waited_for_ns", "late_by_ns", "late_alone_ns",
            "late_because", "late_because_ns", "late_because_in", "judged_calls", "replica_steps_exposed_ns", "exposed_wait_ns"]
CALLS = ["op", "step", "device", "message_bytes", "comm_group", "group_kind", "call", "call_devices", "dur_ns", "wait_ns", "transfer_ns", "last_rank",
         "last_by_ns", "exposed_comms_ns", "hidden_comms_ns", "algorithm_bytes_per_s", "bus_bytes_per_s", "algorithm", "protocol", "dtype", "purpose", "step_place", "exposed_by"]
HOSTS = ["host", "devices", "axis", "axis_pairs", "axis_residual_ns", "axis_shift_ns", "axis_drift_ppm", "run"]
STEPS = ["step", "dur_ns", "collective_calls", "step_message_bytes", "smallest_bytes", "largest_bytes", "communication_ns", "exposed_comms_ns",
         "hidden_comms_ns", "wait_ns", "transfer_ns", "late_ns", "counted", "phase", "exposed_by", "exposed_waiting_ns", "exposed_behind_ns", "most_exposed"]
RULES = ("waits-for-rank", "replicas")


def summarize(out, *what):
    run = stepscope("summarize", *what, "-o", out, "--force")
    assert run.status == 0, run.told()
    return out


def lines(what, folder):
    """Of a file, or of several that are merged."""
    with open(summarize(os.path.join(folder, "rows.jsonl"), *([what] if isinstance(what, str) else what)), encoding="utf-8") as f:
        return f.read()


def each_rank(folder, n):
    return [summarize(os.path.join(folder, f"r{i}.sqlite"), os.path.join(folder, f"rank{i}.json")) for i in range(n)]


def values(name, what, columns, key):
    rows = [{k: number(v) for k, v in r.items()} for r in table(name, *what).rows]
    return sorted([tuple(r[k] for k in key) + tuple(round(r[c], 6) if isinstance(r[c], float) else r[c] for c in columns) for r in rows],
                  key=lambda r: [str(x) for x in r])


def said(what):
    """What rules about ranks say; what they ask a summary in vain for is not in these traces."""
    return [(r["rule"], r["severity"], r["sentence"], r["value"], r["lost_ns"]) for r in table("findings", *what).rows if r["rule"] in RULES]


def same_as_traces(tap, folder, files, what):
    together = summarize(os.path.join(folder, "together.sqlite"), *files)
    apart = [summarize(os.path.join(folder, f"apart{i}.sqlite"), f) for i, f in enumerate(files)]
    merged, steps = summarize(os.path.join(folder, "merged.sqlite"), *apart), 0
    for name, columns, key in (("replicas", REPLICAS, ["rank"]), ("collective_steps", STEPS, ["rank"]), ("collectives", CALLS, ["rank"]),
                               ("hosts", HOSTS, ["rank"])):
        true = values(name, files, columns, key)
        tap.ok(len(true) > 1, f"{what}: {name} has rows")
        tap.equal(values(name, [merged], columns, key), true, f"{what}: {name} merged is that of the traces")
        steps = len(true) if name == "collective_steps" else steps
    tap.equal(said([merged]), said(files), f"{what}: rules say the same of it")
    tap.equal(lines(together, folder), lines(merged, folder), f"{what}: of all at once it has the rows of those that were merged")
    per = os.path.getsize(merged) / max(1, steps)
    tap.ok(per < 8192, f"{what}: a few kB per rank and step", per)


def orders(tap, folder, parts):
    rows = {lines(summarize(os.path.join(folder, "m.sqlite"), *parts), folder)}
    for order in itertools.permutations([0, 1, 2]):
        rows.add(lines([*(parts[i] for i in order), *parts[3:]], folder))
    tap.equal(len(rows), 1, "all orders give the same rows")
    a = summarize(os.path.join(folder, "a.sqlite"), *parts[:2])
    b = summarize(os.path.join(folder, "b.sqlite"), *parts[1:])
    c = summarize(os.path.join(folder, "c.sqlite"), b, a, parts[0])
    tap.equal(lines(c, folder), rows.pop(), "so does any grouping, and what is there twice counts once")


def reasons(tap):
    """Why a rank is late is that of the traces: its input, its driver in an event by name, compute beside earlier calls, and outliers that wait."""
    late_input = [[("compute", 20), ("wait", {1: 9, "else": 2}), ("compute", 5), ("call", "AllReduce", 1, {"items": 1 << 20})]] * 6
    allocates = [[("host", {3: 8, "else": 1}, "cudaMalloc", "cuda_runtime"), ("compute", 10), ("call", "AllReduce", 1), ("compute", 3),
                  ("call", "AllGather", 1)]] * 8
    outlier = [[("compute", {2: 12, "else": 9}), ("under", {0: 4, "else": 30}, ("call", "AllReduce", 3))]] * 7
    outlier = outlier[:5] + [[("compute", {2: 90, "else": 20}), ("call", "AllReduce", 1)]] + outlier[5:]
    late_begin = [[("compute", 10), ("call", "AllReduce", 1), ("host", {1: 7, "else": 1}, "gc.collect", "python_function")]] * 7
    for what, plan, words in (("input", late_input, "because it waits longer for its input"), ("the driver", allocates, "most in cudaMalloc"),
                              ("outliers", outlier, "Rank 2 is last at"), ("a late begin", late_begin, "Rank 1 is last at")):
        folder = scratch("summaries_late_" + what.split()[-1])
        ranks.make(folder, 4, plan)
        same_as_traces(tap, folder, [os.path.join(folder, f"rank{i}.json") for i in range(4)], f"late: {what}")
        told = [r["sentence"] for r in table("findings", os.path.join(folder, "merged.sqlite")).rows if r["rule"] == "waits-for-rank"]
        tap.ok(words in told[0], f"late: {what}: {words}", told)
    merged = os.path.join(scratch("summaries_late_driver"), "merged.sqlite")
    run = stepscope("findings", merged)
    tap.ok(run.status == 1 and "most in" in run.out and "cudaMalloc" in run.out, "the verb findings reads it, and its exit code tells", run.told())
    run = stepscope("findings", merged, "--explain", "replicas")
    tap.ok(run.status == 2 and "want the traces" in run.err, "what it cannot explain it says", run.told())
    run = stepscope("table", "replicas", merged, "--format", "md")
    tap.ok("rank 3 GPU 3" in run.out, "a person reads what the device is called, as everywhere", run.told())


def as_version_1(path, out):
    """What the first version wrote of the same recording."""
    with open(path, "rb") as f, open(out, "wb") as g:
        g.write(f.read())
    new = {"steps": ["step_name", "step_begin_ns", "compiles", "ahead", "cut"],
           "calls": ["exposed_at", "on_compute_stream", "without_compute_ns", "group_size", "algorithm", "protocol", "dtype", "purpose", "beside_call",
                     "since_call", "before_step"]}
    spoil(out, *(f"ALTER TABLE {t} DROP COLUMN {c}" for t, columns in new.items() for c in columns), "PRAGMA user_version = 1")
    db = sqlite3.connect(out)
    db.row_factory = sqlite3.Row
    with open(out + ".jsonl", "w", encoding="utf-8") as f:
        f.write('{"schema":"stepscope.summary/1"}\n')
        for part in ("recordings", "steps", "calls"):
            f.writelines(json.dumps({"part": part, **dict(row)}) + "\n" for row in db.execute(f"SELECT * FROM {part}"))
    db.close()
    return out


def version_1(tap, folder, parts):
    """It is read, alone and among others in any order; what it does not hold is unknown, and a row of version 2 fills it in."""
    old = [as_version_1(p, os.path.join(folder, f"old{i}.sqlite")) for i, p in enumerate(parts)]
    known = [c for c in REPLICAS if c not in ("late_because", "late_because_ns", "late_because_in", "judged_calls", "replica_steps_exposed_ns", "exposed_wait_ns")]
    tap.equal(values("replicas", old, known, ["rank"]), values("replicas", parts, known, ["rank"]), "version 1 tells what it told")
    rows = table("replicas", *old).rows
    tap.ok(all(r[c] is None for r in rows for c in ("late_because", "judged_calls", "exposed_wait_ns")), "what it does not hold is unknown", rows)
    tap.ok(all(r["phase"] is None for r in table("collective_steps", *old).rows), "phases, too")
    told = [r for r in table("findings", *old).rows if r["rule"] == "waits-for-rank"]
    tap.ok(told[0]["severity"] == "info" and "exposed" not in told[0]["sentence"] and "version 1" in told[0]["advice"], "the rule says what is missing", told)
    tap.equal(lines([o + ".jsonl" for o in old], folder), lines(old, folder), "its lines are the same rows")
    mixed = [[parts[0], old[1], old[2] + ".jsonl", parts[3]], [old[2] + ".jsonl", parts[3], parts[0], old[1]],
             [summarize(os.path.join(folder, "x.sqlite"), old[1], parts[3]), old[2], parts[0]]]
    tap.equal(len({lines(m, folder) for m in mixed}), 1, "among others, in any order and grouping, the rows are the same")
    whole = lines(parts, folder)
    for what, files in (("before", [*old, *parts]), ("behind", [*parts, *old]), ("as lines between", [parts[0], *(o + ".jsonl" for o in old), *parts[1:]])):
        tap.equal(lines(files, folder), whole, f"old rows {what} new ones of the same recordings add nothing")


def sql(tap, folder, merged):
    """The recipe for sqlite3 adds up what ranks wait for their input."""
    query = re.search(r"```sqlite\n(.*?)```", open(os.path.join(harness.ROOT, "model/summary/README.md"), encoding="utf-8").read(), re.S)[1]
    db = sqlite3.connect(merged)
    got = dict(db.execute(query).fetchall())
    db.close()
    tap.ok(set(got) == {0, 1, 2, 3} and got[1] > 3 * got[0] > 0, f"the recipe for sqlite3, of {os.path.basename(folder)}", got)


def odd_texts(tap, folder, good):
    """Texts of what went on before calls may be anybody's."""
    bad, crashed = os.path.join(folder, "bad.sqlite"), []
    data = open(good, "rb").read()
    for text in ("|", "=", "compute", "compute=", "compute=-", "compute=99999999999999999999", "idle.", "idle.x=1", "idle.input_wait=1,", "idle.input_wait=1,2",
                 "idle.input_wait=1,2,\\", "idle.copies=1,2,a\\pb|", "compute=1||launch=2", "0+", "0+1,", "-1+5", "5+-1", "é=1"):
        with open(bad, "wb") as f:
            f.write(data)
        spoil(bad, *(f"UPDATE calls SET {c} = '{text}'" for c in ("since_call", "beside_call", "before_step", "exposed_at")))
        runs = [stepscope("table", t, bad) for t in ("replicas", "collective_steps", "findings")]
        crashed += [(text, r.told()) for r in runs if r.crashed or r.status]
    tap.equal(crashed, [], "texts that are none of ours are unknown")


def clocks(tap):
    folder = scratch("summaries_3_s_apart")
    calls = ranks.make(folder, 3, PLAN, offsets={1: 3000})
    merged = summarize(os.path.join(folder, "m.sqlite"), *each_rank(folder, 3))
    waits = {r: sum(max(a for a, _ in m.values()) - m[r][0] for _, m in calls) for r in range(3)}
    got = {number(r["rank"]): number(r["collective_wait_ns"]) for r in table("replicas", merged).rows}
    tap.ok(all(abs(got[r] - waits[r]) < 20_000 for r in waits), "ranks whose clocks are 3 s apart wait as planned", (got, waits))


def fits(value, kind):
    kinds = kind if isinstance(kind, list) else [kind]
    known = {"null": type(None), "integer": int, "string": str}
    return any(isinstance(value, known[k]) for k in kinds)


def in_explorer(tap, merged):
    """Of a merged summary the explorer has the pane Comms and a few tables, and says what there is not."""
    told = {number(r["rank"]): r for r in table("replicas", merged).rows}
    late = max(told, key=lambda r: number(told[r]["waited_for_ns"]))
    shown = harness.play("wait collectives, by\nwait rank 3\nsettle\nscreen\nkeys Enter\nwait a summary has no timeline\nkeys 2\nwait A summary has no timeline\nsettle\nscreen\nkeys :\ntype table collectives\nkeys Enter\nwait of 48\nsettle\nscreen\nkeys :\ntype table kernels\nkeys Enter\nwait A summary has no timeline\nkeys Q\nend\n", merged)
    comms, timeline, calls = ("\n".join(lines) for lines in shown.screens)
    tap.equal(shown.said, ["exit 0", "terminal: restored"], "it opens and ends well")
    said = " ".join(comms.split())
    sentence = next(r["sentence"] for r in table("findings", merged).rows if r["rule"] == "waits-for-rank")
    tap.ok(f"Rank {late} is last at" in sentence and sentence in said, "who is last, and why, stands above the rows", comms)
    rows = [line for line in comms.splitlines() if re.match(r" rank \d +\S+ ms", line)]
    tap.ok(len(rows) == 4 and all(re.search(r" of 12 +[·░▒▓█]{6}", line) for line in rows), "each rank has its row and its steps in the map", comms)
    tap.ok("replicas, collective_steps, collectives, hosts, findings" in " ".join(timeline.split()), "the timeline's place says what there is", timeline)
    tap.ok("AllReduce" in calls and "AllGather" in calls, "the table of calls", calls)


def schema(tap, text):
    spec = json.load(open(os.path.join(HERE, "../schemas/summary.schema.json"), encoding="utf-8"))
    parts = {s["properties"]["part"]["const"]: s for s in spec["oneOf"]}
    rows = [json.loads(line) for line in text.splitlines()]
    tap.equal(rows[0], {"schema": spec["$id"]}, "the first line names the schema")
    wrong = [r for r in rows[1:] if sorted(r) != sorted(parts[r["part"]]["required"]) or
             not all(k == "part" or fits(v, parts[r["part"]]["properties"][k]["type"]) for k, v in r.items())]
    tap.equal(wrong, [], "every row keeps to it")
    tap.equal({r["part"] for r in rows[1:]}, set(parts), "each part has rows")


def spoil(path, *sql):
    db = sqlite3.connect(path, isolation_level=None)
    for s in sql:
        db.execute(s)
    db.close()


def refused(tap, what, folder, bad, both):
    """The verbs have one reader: the second one is asked where `both` says so."""
    for verb in (("table", "replicas", bad), ("summarize", bad, "-o", os.path.join(folder, "out.sqlite"), "--force"))[:1 + both]:
        run = stepscope(*verb)
        tap.ok(run.status == 3 and len(run.err.strip().splitlines()) == 1, f"{what}: {verb[0]} ends in a sentence", run.told()[:500])


def damaged(tap, bad, data, first, seed):
    """Files with bytes behind `first` changed, every third one cut as well."""
    rng, crashed = random.Random(seed), []
    for i in range(DAMAGED):
        other = bytearray(data[:rng.randrange(64, len(data))] if i % 3 == 0 else data)
        for _ in range(rng.randrange(1, 20)):
            other[rng.randrange(first, len(other))] = rng.randrange(256)
        with open(bad, "wb") as f:
            f.write(other)
        run = stepscope("table", "replicas", bad)
        if run.crashed or run.status not in (0, 3):
            crashed.append((i, run.told()))
    tap.equal(crashed, [], "damaged ones end in rows or in a sentence")


def hostile(tap, folder, good):
    bytes_ = open(good, "rb").read()
    bad = os.path.join(folder, "bad.sqlite")
    cases = {
        "a view instead of a table": ("ALTER TABLE calls RENAME TO x", "CREATE VIEW calls AS SELECT * FROM x"),
        "a trigger beside them": ("CREATE TRIGGER t AFTER INSERT ON steps BEGIN DELETE FROM steps; END",),
        "a text where a number belongs": ("UPDATE calls SET dur_ns = 'abc'",),
        "a blob where a text belongs": ("UPDATE recordings SET host = x'00ff'",),
        "a time that no sum holds": ("UPDATE calls SET dur_ns = 9223372036854775807",),
        "a time below nothing": ("UPDATE steps SET dur_ns = -1",),
        "a text with a zero byte": ("UPDATE recordings SET host = 'a' || char(0) || 'b'",),
        "a text of 10 MB": ("UPDATE recordings SET host = hex(zeroblob(5000000))",),
        "another version": ("PRAGMA user_version = 3",),
        "another program's": ("PRAGMA application_id = 7",),
        "no calls": ("DROP TABLE calls",),
        "a column less": ("ALTER TABLE calls DROP COLUMN exposed_ns",),
        "version 1, and a column less": ("ALTER TABLE calls DROP COLUMN exposed_ns", "PRAGMA user_version = 1"),
    }
    for what, sql in cases.items():
        with open(bad, "wb") as f:
            f.write(bytes_)
        spoil(bad, *sql)
        refused(tap, what, folder, bad, what == "a view instead of a table")
    with open(bad, "wb") as f:
        f.write(bytes_)
    spoil(bad, "UPDATE calls SET start_ns = 1 << 61, dur_ns = 1 << 46", "UPDATE recordings SET rank = -5, start_ns = -(1 << 61)",
          "UPDATE calls SET recording = 'nobody' WHERE ordinal = 1", "UPDATE steps SET dur_ns = NULL", "UPDATE calls SET op = 'AllReduc'")
    tap.ok(not stepscope("table", "replicas", bad).crashed and not stepscope("table", "collective_steps", bad).crashed, "odd numbers and unknown ops crash nothing")
    damaged(tap, bad, bytes_, 16, 1)


def read_back(tap, folder, parts):
    """Lines are as good as a database: alone, among databases, behind each other, in other hands' spelling."""
    merged = lines(summarize(os.path.join(folder, "m.sqlite"), *parts), folder)
    each = [summarize(os.path.join(folder, f"back{i}.jsonl"), p) for i, p in enumerate(parts)]
    for what, files in (("lines alone", each), ("lines among databases", [each[0], parts[1], each[2], parts[3], each[0]])):
        tap.equal(lines(summarize(os.path.join(folder, "c.sqlite"), *files), folder), merged, f"{what} are the same rows")
        for name, columns in (("replicas", REPLICAS), ("collective_steps", STEPS)):
            tap.equal(values(name, files, columns, ["rank"]), values(name, parts, columns, ["rank"]), f"{what}: {name}")
    packed = os.path.join(folder, "back.jsonl.gz")
    with gzip.open(packed, "wb") as f:
        f.writelines(open(p, "rb").read() for p in each)
    tap.equal(lines(summarize(os.path.join(folder, "c.sqlite"), packed), folder), merged, "lines of all ranks, packed, are the same rows")
    with open(packed, "rb") as f:
        cut = f.read()[:-20]
    with open(packed, "wb") as f:
        f.write(cut)
    run = stepscope("table", "replicas", packed)
    tap.ok(run.status == 3 and len(run.err.strip().splitlines()) == 1, "a packed one that is cut ends in a sentence", run.told())
    rows = [json.loads(line) for p in each for line in open(p, encoding="utf-8")]
    random.Random(2).shuffle(rows)
    odd = os.path.join(folder, "odd.jsonl")
    with open(odd, "w", encoding="utf-8") as f:
        f.write('{ "schema" : "stepscope.summary/2" }\n' + "\n".join(json.dumps(dict(reversed(r.items())), indent=None) for r in rows))
    tap.equal(lines(odd, folder), merged, "all in one file, in any order, keys too, without a last newline")


def hostile_lines(tap, folder, good):
    text = lines(good, folder)
    row = next(x for x in text.splitlines() if '"part":"calls"' in x)
    call, bad = json.loads(row), os.path.join(folder, "bad.jsonl")

    def other(**values):
        return json.dumps({**call, **values})
    cases = {
        "another version": '{"schema":"stepscope.summary/3"}', "a cut line": row[:60], "a list": "[1, 2]", "a text": '"abc"', "no JSON": "abc", "an empty line": "",
        "another part": other(part="nobody"), "a key too many": other(more=1), "a key less": json.dumps({k: v for k, v in call.items() if k != "dur_ns"}),
        "another key instead": other(more=1).replace('"dur_ns"', '"dur"').replace(', "more": 1', ""), "a text where a number belongs": other(dur_ns="12"),
        "a number where a text belongs": other(communicator=7), "a fraction": other(dur_ns=1.5), "a truth": other(dur_ns=True), "a list as a value": other(op=[1]),
        "a number that no sum holds": other(dur_ns=1 << 62), "a number of 30 digits": other(dur_ns=10**30), "a time below nothing": other(dur_ns=-1),
        "a key that is null": other(recording=None), "a text with a zero": other(op="a\0b"), "a text of 100 kB": other(op="x" * 100_000),
        "a line of 3 MB": other(op="x" * 3_000_000), "lists in lists": "[" * 500_000, "a zero byte": row[:30] + "\0" + row[30:],
        "a text that speaks SQL": other(part="calls' OR 1=1 --"),
    }
    for what, line in cases.items():
        with open(bad, "w", encoding="utf-8") as f:
            f.write(text + line + "\n" + row + "\n")
        refused(tap, what, folder, bad, what == "another version")
    damaged(tap, bad, text.encode(), 40, 3)


def words(tap, folder, good):
    for args, word in ((["summarize", good], "-o RUN.sqlite"), (["summarize", good, "-o", os.path.join(folder, "x.txt")], "not 'x.txt'"),
                       (["table", "kernels", good], "no timeline"), ([good], "no timeline")):
        run = stepscope(*args)
        tap.ok(run.status == 2 and word in run.err, f"{' '.join(map(os.path.basename, args))}: {word}", run.told())
    run = stepscope("summarize", good, "-o", good)
    tap.ok(run.status == 5, "nothing is overwritten", run.told())


def duckdb(tap, folder, n):
    query = re.search(r"```sql\n(.*?)```", open(os.path.join(harness.ROOT, "model/summary/README.md"), encoding="utf-8").read(), re.S)[1]
    python = os.environ.get("DUCKDB_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import duckdb"], capture_output=True, check=False).returncode:
        tap.skip("the recipe for DuckDB", "duckdb is not installed (pip install duckdb)")
        return
    lake = scratch("lake")
    os.makedirs(lake, exist_ok=True)
    for i in range(n):
        summarize(os.path.join(lake, f"r{i}.jsonl"), os.path.join(folder, f"rank{i}.json"))
    done = subprocess.run([python, "-c", f"import duckdb, json; print(json.dumps(duckdb.sql({query!r}).fetchall(), default=int))"], cwd=lake,
                          capture_output=True, text=True, check=False)
    got = {r[0]: (r[1], r[2]) for r in json.loads(done.stdout)} if done.returncode == 0 else done.stderr
    true = {number(r["rank"]): number(r["collective_wait_ns"]) for r in table("replicas", folder).rows}
    tap.equal({r: v[1] for r, v in got.items()} if isinstance(got, dict) else got, true, "the recipe for DuckDB: waits by rank")


def main():
    harness.need_program()
    tap = harness.Tap()
    folder = scratch("summaries")
    ranks.make(folder, 4, PLAN)
    files = [os.path.join(folder, f"rank{i}.json") for i in range(4)]
    same_as_traces(tap, folder, files, "four ranks")
    parts = each_rank(folder, 4)
    orders(tap, folder, parts)
    in_explorer(tap, os.path.join(folder, "m.sqlite"))
    plain = scratch("summaries_nothing_recorded")
    ranks.make(plain, 3, PLAN, recorded=False)
    same_as_traces(tap, plain, [os.path.join(plain, f"rank{i}.json") for i in range(3)], "groups that are not recorded")
    stages = scratch("summaries_of_stages")
    ranks.make(stages, 2, [[("compute", {0: 5}), ("send", 0, 1, 1), ("compute", {1: 7, 0: 2}), ("send", 1, 0, 1), ("call", "AllReduce", 1)]] * 6)
    same_as_traces(tap, stages, [os.path.join(stages, f"rank{i}.json") for i in range(2)], "sends and receives")
    clocks(tap)
    schema(tap, lines(parts[0], folder))
    read_back(tap, folder, parts)
    version_1(tap, folder, parts)
    reasons(tap)
    late = scratch("summaries_late_input")
    sql(tap, late, os.path.join(late, "merged.sqlite"))
    odd_texts(tap, folder, os.path.join(folder, "m.sqlite"))
    hostile(tap, folder, parts[0])
    hostile_lines(tap, folder, parts[0])
    words(tap, folder, parts[0])
    duckdb(tap, folder, 4)
    dlrm = os.path.join(harness.TRACES, "kineto", "dlrm-8rank-nccl")
    if os.path.isdir(dlrm):
        place = scratch("summaries_dlrm")
        os.makedirs(place, exist_ok=True)
        same_as_traces(tap, place, [os.path.join(dlrm, f) for f in sorted(os.listdir(dlrm))], "eight ranks of DLRM")
    tap.done()


main()
