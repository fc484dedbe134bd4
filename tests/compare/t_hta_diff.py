#!/usr/bin/env python3
"""What HolisticTraceAnalysis 0.5 finds changed between two steps (hta_diff.tsv, made by hta_diff_make.py), op by op and kernel by kernel:
how often and how long on both sides, and what was added, deleted, more or fewer. Ours are the tables ops and kernels of the same steps.
HTA rounds fractions of a microsecond inwards, up to 2 us an event, and leaves out kernels whose launch is not recorded."""
import csv
import glob
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../.."))
TRACES = os.path.normpath(os.path.join(ROOT, "../shared/traces"))


def trace(*parts):
    found = glob.glob(os.path.join(TRACES, *parts)) or [os.path.join(TRACES, *parts)]
    return found[0]


CHANGES = os.path.join(ROOT, "tests/traces/changes")
PAIRS = {"two spans": ((trace("kineto/resnet50-v100-2spans/worker0.1623143089861.pt.trace.json.gz"),
                        trace("kineto/resnet50-v100-2spans/worker0.1623143566756.pt.trace.json.gz")), (6, 17)),
         "input mended": ((os.path.join(CHANGES, "torch-before.json.gz"), os.path.join(CHANGES, "torch-after.json.gz")), (12, 13)),
         "rank 1 and 7": ((trace("kineto/dlrm-8rank-nccl/worker1_*"), trace("kineto/dlrm-8rank-nccl/worker7_*")), (10, 10))}
OURS = {"cpu_op": "ops", "operator": "ops", "kernel": "kernels"}  # categories; annotations and calls of the runtime are in neither
ROUNDED_US = 2


def theirs(pair):
    with open(os.path.join(HERE, "hta_diff.tsv"), encoding="utf-8") as f:
        for row in csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row[0] == pair and row[4] in OURS and not row[5].startswith("ProfilerStep#"):
                yield OURS[row[4]], row[5], row[6], [int(n) for n in row[7:]]


def of_side(table, number, path, step):
    """name -> how often, and us; for kernels how many of them have no launch, and their us, too."""
    out = {}
    for r in table("ops", path, "--filter", f"step={step}").rows:
        if r["host_or_device"] == "Host":
            out["ops", r["operation"]] = [number(r["occurrences"]), number(r["total_time"]) / 1000, 0, 0]
    for r in table("kernels", path, "--filter", f"step={step}").rows:
        at = out.setdefault(("kernels", r["name"]), [0, 0, 0, 0])
        at[0] += number(r["kernels"])
        at[1] += number(r["total_ns"]) / 1000
    launched = {r["corr"] for r in table("events", path, "--filter", "kind=runtime", "--top", "0").rows}
    for r in table("events", path, "--filter", f"step={step} kind=kernel", "--top", "0").rows:
        if r["corr"] not in launched:
            out["kernels", r["name"]][2] += 1
            out["kernels", r["name"]][3] += number(r["dur_ns"]) / 1000
    return out


def fits(want_n, want_us, got, rounded_us):
    n, us, lone_n, lone_us = got
    us -= lone_us
    return want_n == n - lone_n and us - rounded_us * (n - lone_n) - 1e-6 <= want_us <= us + 1e-6


def word(a, b):
    return "added" if not a else "deleted" if not b else "increased" if b > a else "decreased" if b < a else "unchanged"


def main():
    sys.path.insert(0, os.path.join(HERE, ".."))
    from harness import Tap, need_program, number, table
    need_program()
    tap = Tap()
    for pair, (files, steps) in PAIRS.items():
        if not all(os.path.exists(path) for path in files):
            tap.skip(f"{pair}: as HTA has it", "no ../shared/traces")
            continue
        sides = [of_side(table, number, path, step) for path, step in zip(files, steps)]
        wrong, n, words, seen = [], {"ops": 0, "kernels": 0}, [], set()
        fractions = any(v[1] != int(v[1]) for side in sides for v in side.values())
        rounded_us = ROUNDED_US if fractions else 0
        for of, name, what, (a_n, b_n, a_us, b_us) in theirs(pair):
            got = [side.get((of, name), [0, 0, 0, 0]) for side in sides]
            seen.add((of, name))
            n[of] += 1
            if not fits(a_n, a_us, got[0], rounded_us) or not fits(b_n, b_us, got[1], rounded_us):
                wrong.append((of, name[:80], (a_n, b_n, a_us, b_us), got))
            if word(got[0][0] - got[0][2], got[1][0] - got[1][2]) != what:
                words.append((of, name[:80], what, got))
        more = [key for side in sides for key, v in side.items() if key not in seen and v[0] > v[2]]
        tap.ok(not wrong and n["ops"] > 40, f"{pair}: {n['ops']} ops and {n['kernels']} kernels, as often and as long on both sides", wrong[:5])
        tap.ok(not words, f"{pair}: added, deleted, increased, decreased, unchanged", words[:5])
        tap.ok(not more, f"{pair}: and no other ones", more[:5])
    folder = os.path.dirname(PAIRS["rank 1 and 7"][0][0])
    if os.path.isdir(folder):
        changed = {r["operation"]: r for r in table("ops", folder, "--rank", "1", "--vs-rank", "7", "--filter", "step=10").rows if r["host_or_device"] == "Host"}
        wrong = [(name, counts, changed.get(name)) for of, name, _, counts in theirs("rank 1 and 7") if of == "ops" and
                 [changed[name][k] for k in ("occurrences_a", "occurrences_b", "total_time_a", "total_time_b")] != [*counts[:2], *(1000 * us for us in counts[2:])]]
        tap.ok(not wrong, "rank 1 and 7 out of one trace, by --rank and --vs-rank: the same numbers", wrong[:5])
    tap.done()


if __name__ == "__main__":
    main()
