#!/usr/bin/env python3
"""Regular expressions that run away: from the command line and from rules files, they end soon, with exit 2 and one sentence
that names the pattern, the limit and what to do. Never a table that says "no rows" because nobody looked."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, need_program, scratch, stepscope

RUNS_AWAY = r"^(a+)+$"
EVENTS = 20


def make_trace(path):
    """Kernels and host ops whose names are what such a pattern is slow on: many a, then something else."""
    events = []
    for i in range(EVENTS):
        launch = {"correlation": i + 1}
        name = "a" * (30 + i) + "!"
        common = {"ph": "X", "dur": 50, "name": name}
        events += [{**common, "cat": "kernel", "ts": 100 * i + 20, "pid": 0, "tid": 7, "args": {**launch, "device": 0, "stream": 7}},
                   {**common, "cat": "cpu_op", "ts": 100 * i, "pid": 1, "tid": 1, "args": {}},
                   {**common, "cat": "cuda_runtime", "ts": 100 * i + 1, "dur": 5, "name": "cudaLaunchKernel", "pid": 1, "tid": 1,
                    "args": launch}]
    events += [{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "ts": 0, "args": {"name": "a" * 60 + "!"}},
               {"ph": "M", "name": "process_name", "pid": 1, "ts": 0, "args": {"name": "a" * 60 + "!"}}]
    with open(path, "w") as f:
        json.dump({"schemaVersion": 1, "traceEvents": events}, f)


def ends(tap, what, whose, *words):
    run = stepscope(*words, "--no-cache")
    tap.ok(run.status == 2 and not run.out, f"{what}: exit 2 and nothing that looks like an answer", run.told() + run.out[:300])
    told = run.err.strip().splitlines()
    tap.ok(len(told) == 1 and f"{whose}: the pattern '{RUNS_AWAY}' is too costly: more than " in told[0] and "avoid" in told[0],
           f"{what}: one sentence says whose pattern, which limit, and what to do", run.told())


def filters(tap, trace):
    for field in ["", "!", "op=", "process=", "dur>1us name="]:
        ends(tap, f"--filter {field}", "filter", "table", "events", trace, "--filter", f"{field}/{RUNS_AWAY}/")
    for command in [["report", trace], ["table", "steps", trace], ["table", "kernels", trace]]:
        ends(tap, f"--filter of {' '.join(command[:-1])}", "filter", *command, "--filter", f"/{RUNS_AWAY}/")
    run = stepscope("table", "events", trace, "--no-cache", "--filter", "/^a+!$/ kind=kernel", "--format", "csv")
    tap.equal((run.status, len(run.out.splitlines())), (0, EVENTS + 1), "a filter that ends gives its rows as ever")


def steps(tap, trace):
    ends(tap, "--steps-by", "--steps-by", "table", "steps", trace, "--steps-by", RUNS_AWAY)


RULES = f"version 2\n[{{}}]\nyes re {RUNS_AWAY}\n"


def rules(tap, trace):
    path = scratch("costly.rules")
    tables = {"tensor-core": "kernels", "collective": "devices", "helper": "tensor_cores", "eligible-op": "precisions"}
    for section, table in tables.items():
        with open(path, "w") as f:
            f.write(RULES.format(section))
        ends(tap, f"--tc-rules, [{section}]", f"rules file {path}, line 3", "table", table, trace, "--tc-rules", path)
    ends(tap, "--tc-rules, findings", f"rules file {path}, line 3", "findings", trace, "--tc-rules", path)
    own = scratch("config", "stepscope")
    os.makedirs(own)
    files = {"kernels.rules": RULES.format("tensor-core"), "families.rules": f"version 1\n[kernel]\ngemm re {RUNS_AWAY}\n"}
    for name, text in files.items():
        with open(os.path.join(own, name), "w") as f:
            f.write(text)
        ends(tap, f"one's own {name}", f"rules file {own}/{name}, line 3", "table", "kernels", trace)
        os.remove(os.path.join(own, name))


def compile_limits(tap, trace):
    for what, pattern in {"too long": "a" * 5000, "nested too deep": "(" * 200 + "a" + ")" * 200}.items():
        run = stepscope("table", "events", trace, "--no-cache", "--filter", f"/{pattern}/")
        tap.ok(run.status == 2 and not run.out and "wrong pattern (" in run.err, f"a pattern {what} is refused", run.told())


def main():
    need_program()
    tap = Tap()
    trace = scratch("costly.json")
    os.makedirs(os.path.dirname(trace), exist_ok=True)
    make_trace(trace)
    filters(tap, trace)
    steps(tap, trace)
    rules(tap, trace)
    compile_limits(tap, trace)
    tap.done()


main()
