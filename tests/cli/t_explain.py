#!/usr/bin/env python3
"""`findings --explain RULE`: formula, inputs with the places where they stand, thresholds, why, and events; every rule of the list says
something or says why not; as text and as JSON."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, need_program, number, scratch, stepscope, table

# One GPU, four steps of 10 ms: a 4 ms kernel, then 6 ms in which the training thread loads a batch.
MS = 1000


def trace():
    events = [{"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "python"}}]
    for step in range(4):
        at, corr = step * 10 * MS, step + 1
        events += [
            {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1, "ts": at, "dur": 10 * MS},
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": at + 5, "dur": 40},
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at + 10, "dur": 10,
             "args": {"correlation": corr}},
            {"ph": "X", "cat": "user_annotation", "name": "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "pid": 1, "tid": 1,
             "ts": at + 4 * MS, "dur": 5900},
            {"ph": "X", "cat": "kernel", "name": "ampere_sgemm_128x64_tn", "pid": 0, "tid": 7, "ts": at + 30, "dur": 4 * MS,
             "args": {"correlation": corr, "device": 0, "stream": 7}}]
    path = scratch("four_steps.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "H100", "computeMajor": 9, "computeMinor": 0}],
                   "traceEvents": events}, f)
    return path


def rules():
    text = stepscope("findings", "--help").out
    return re.findall(r"^  ([a-z0-9-]+) ", text[text.index("\nRules:"):text.index("\nExamples:")], re.M)


def as_text(tap, path):
    run = stepscope("findings", path, "--explain", "idle")
    flat = " ".join(run.out.split())
    tap.ok(run.status == 0, "--explain is no gate", run.told())
    for part in ("idle (Q13): why devices are idle", "why: fired, as a failure; its value is", "its threshold 5.0 %",
                 "formula: idle time of this cause", "table idle_causes, column lost_ns, cause=input wait",
                 "= 100 * lost_ns / watched_ns = 100 *", "events (1): "):
        tap.ok(part in flat, f"--explain idle says {part!r}", run.out)
    silent = stepscope("findings", path, "--explain", "transfer-waits").out
    tap.ok("why: no finding; no device op of a type that only waits for a copy" in silent, "a rule without a finding says why", silent)
    passed = stepscope("findings", path, "--explain", "output").out
    tap.ok("why: did not fire; its value is 0.0 %, its threshold 5.0 %" in passed, "a rule that passes says so", passed)


def as_json(tap, path):
    run = stepscope("findings", path, "--explain", "all", "--format", "json")
    told = json.loads(run.out)
    tap.equal(told["schema"], "stepscope.explain/1", "JSON says what it is")
    tap.equal(sorted({f["rule"] for f in told["findings"]}), sorted(rules()), "every rule of the help has a finding or a reason for none")
    tap.equal([f["rule"] for f in told["findings"] if f["severity"] is None and not f["why"]], [], "no rule is silent without a reason")
    ids = {number(r["id"]) for r in table("events", path).rows}
    tap.ok(all(set(f["events"]) <= ids for f in told["findings"]), "ids of the evidence are those of the table events")
    tap.ok(any(f["events"] for f in told["findings"]), "there are some")
    plain = json.loads(stepscope("findings", path, "--format", "json").out)
    tap.equal([e["inputs"] for e in plain["evidence"]], [f["inputs"] for f in told["findings"] if f["severity"]],
              "findings --format json has the same inputs")
    tap.ok("inputs" not in stepscope("table", "devices", path, "--format", "json").out, "rows of other tables have none")


def wrong_words(tap, path):
    near, far = stepscope("findings", path, "--explain", "idel"), stepscope("findings", path, "--explain", "nonsense")
    tap.ok(near.status == 2 and "did you mean 'idle'?" in near.err, "a rule that does not exist", near.told())
    tap.ok(far.status == 2 and f"lists all {len(rules())}" in far.err, "a rule like no other: where the list is", far.told())
    csv = stepscope("findings", path, "--explain", "idle", "--format", "csv")
    tap.ok(csv.status == 2 and "text or json" in csv.err, "a format that it cannot write", csv.told())


def main():
    need_program()
    tap, path = Tap(), trace()
    as_text(tap, path)
    as_json(tap, path)
    wrong_words(tap, path)
    tap.done()


main()
