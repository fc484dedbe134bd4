#!/usr/bin/env python3
"""One rank of a trace of several is what its file alone gives, in all tables and to the event's number; two ranks of one trace are compared
as two runs, and what only all of them together tell stands beside it: who waits for whom, call by call."""
import glob
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../golden/scenes")]
import specs
from harness import TRACES, Tap, need_program, scratch, stepscope, table
from scene import MS

DLRM = os.path.join(TRACES, "kineto/dlrm-8rank-nccl")


def write(spec, name, form):
    path = scratch(name + (".xplane.pb" if form == "xspace" else ".json.gz"))
    (spec.write_xspace if form == "xspace" else spec.write_chrome)(path)
    return path


def file_of(rank):
    return glob.glob(os.path.join(DLRM, f"worker{rank}_*"))[0]


def all_tables():
    return re.findall(r"^  ([a-z_]+)  +\S", stepscope("table", "--help").out.split("Tables:")[1], re.M)


def told(name, *args):
    """Without the ledger of the import, which is of all files that were read together."""
    run = stepscope("table", name, *args, "--format", "csv")
    return [line for line in run.out.splitlines() if not line.startswith(("notes_", "entries_", "flow"))], run


def alone(tap):
    """Every table of rank 3 out of eight, beside those of its file."""
    names = [n for n in all_tables() if n not in ("notes", "trace")]
    tap.ok(len(names) > 50, "all tables are asked", names)
    saved = scratch("all.stepscope")
    stepscope("pack", DLRM, "-o", saved)
    for name in names:
        want, _ = told(name, file_of(3))
        got, run = told(name, DLRM, "--rank", "3")
        tap.ok(run.status in (0, 4) and got == want, f"rank 3 of eight, table {name}: what its file alone gives",
               [(a, b) for a, b in zip(got, want) if a != b][:2] or run.told())
    for name in ("events", "kernels", "allocations", "steps", "collectives"):
        tap.ok(told(name, saved, "--rank", "3")[0] == told(name, file_of(3))[0], f"the same out of a saved file: {name}")


def pair(tap):
    """Rank 1 waits, rank 7 is waited for."""
    both = json.loads(stepscope("diff", DLRM, "--rank", "1", "--vs-rank", "7", "--format", "json").out)
    apart = json.loads(stepscope("diff", file_of(1), file_of(7), "--format", "json").out)
    tap.equal(both["change"], apart["change"], "dlrm, rank 1 and 7: the change of the two files")

    def rows(result, name):
        return [t["rows"] for t in result["tables"] if t["name"] == name]

    for name in ("kernels", "ops", "copies", "kernel_families", "idle_causes", "gap_groups", "kernel_sequence"):
        tap.equal(rows(both, name), rows(apart, name), f"dlrm, rank 1 and 7: table {name} of the two files")
    text = stepscope("diff", DLRM, "--rank", "1", "--vs-rank", "7").out
    own = {r["rank"]: r for r in table("replicas", DLRM).rows}
    tap.ok("without waiting for other ranks 8.776 ms -> 10.975 ms (+25.1 %): A waits 11.125 ms a step and is last at 0 of 8 collectives, "
           "B 1.534 ms, last at 5 of 8" in text and (own[1]["own_time_ns"], own[7]["own_time_ns"]) == (8776000, 10975000),
           "dlrm: rank 7 works longer and is waited for, with the numbers of the table replicas", text[:600])
    tap.ok("Advice" not in text and "gone " not in text and "only B  " in text and "one device alone" not in text,
           "neither is before the other, and nothing is said as of a recording without the others", text[:3000])
    more = stepscope("diff", file_of(7), DLRM).out
    tap.ok("a step takes 3.499 ms longer: communication 0 ns, waiting for late devices 4.280 ms, waits for input and copies to devices -15.875 us, everything else -765.375 us; "
           "the busiest device computes 1.12 x the mean" in more, "dlrm, one rank and all: what scaling costs is waiting", more[:700])
    pairs = table("collectives", DLRM, "--rank", "1", "--vs-rank", "7").rows
    calls = {(r["rank"], r["step_place"]): r for r in table("collectives", DLRM).rows}
    wrong = [p for p in pairs for side, rank in (("a", 1), ("b", 7)) for key in ("dur", "wait", "transfer")
             if p[f"{key}_{side}_ns"] != calls[rank, p["step_place"]][f"{key}_ns"] or p["op"] != calls[rank, p["step_place"]]["op"]]
    tap.ok(len(pairs) == 8 and not wrong and sum(p["wait_a_ns"] for p in pairs) == 11125000, "eight calls, each beside its own, with waits", wrong or pairs)


def of_one_process(tap, form):
    """Scene 11: no ranks, so the GPU's number; GPU 0 computes 90 of 100 and is last, the others wait 30."""
    path = write(specs.replicas(), f"replicas-{form}", form)
    result = json.loads(stepscope("diff", path, "--rank", "0", "--vs-rank", "2", "--format", "json").out)
    parts = {p["part"]: p["change_ns"] for p in result["change"]["parts"] if p["change_ns"]}
    tap.equal((result["change"]["change_ns"], parts), (0, {"device_compute": -30 * MS, "collectives": 30 * MS}), f"scene 11 ({form}): GPU 0 and 2 of one process")
    text = stepscope("diff", path, "--rank", "0", "--vs-rank", "2").out
    tap.ok("without waiting for other ranks 100.000 ms -> 70.000 ms (-30.0 %): A waits 0 ns a step and is last at 3 of 3 collectives, "
           "B 30.000 ms, last at 0 of 3" in text, f"scene 11 ({form}): GPU 0 is last", text[:500])
    (row,) = table("collectives", path, "--rank", "0", "--vs-rank", "2").rows
    tap.equal([row[k] for k in ("op", "step_place", "wait_a_ns", "wait_b_ns", "transfer_change_ns")], ["AllReduce", 0, 0, 30 * MS, 0],
              f"scene 11 ({form}): the call of each step")
    back = json.loads(stepscope("diff", path, "--rank", "2", "--vs-rank", "0", "--format", "json").out)
    tap.equal({p["part"]: -p["change_ns"] for p in back["change"]["parts"] if p["change_ns"]}, parts, f"scene 11 ({form}): the other way round")
    same = json.loads(stepscope("diff", path, "--rank", "2", "--vs-rank", "1", "--format", "json").out)
    tap.ok(not any(p["change_ns"] for p in same["change"]["parts"]) and not any(
        c for t in same["tables"] for r in t["rows"] for n, c in zip((c["name"] for c in t["columns"]), r) if n.endswith("_change_ns")),
        f"scene 11 ({form}): GPU 1 and 2 do the same", same["verdict"])


def words(tap):
    path = write(specs.replicas(), "replicas-words", "json")
    for args, said in ((["--rank", "9", "--vs-rank", "1"], "no rank '9'; the trace has: 0, 1, 2, 3"), (["--vs-rank", "1"], "--vs-rank wants --rank"),
                       (["--rank", "x", "--vs-rank", "1"], "no rank 'x'")):
        run = stepscope("diff", path, *args)
        tap.ok(run.status == 2 and said in run.err, f"diff {' '.join(args)}: {said}", run.told())
    two = stepscope("diff", path, path, "--rank", "1")
    tap.ok(two.status == 0 and two.out.count("rank 1:") == 2 and "(+0.0 %)" in two.out, "--rank alone is of both runs", two.told())
    page = stepscope("diff", path, "--rank", "0", "--vs-rank", "2", "--format", "html").out
    tap.ok("--rank 0 --vs-rank 2</code>" in page, "the page says how to ask again", page[:300])
    steps = table("kernels", path, "--step", "1", "--vs-step", "2").rows
    tap.ok(steps and not any(r["total_change_ns"] for r in steps), "table NAME A --vs-step within one trace", steps)


def main():
    need_program()
    tap = Tap()
    for form in ("json", "xspace"):
        of_one_process(tap, form)
    words(tap)
    if os.path.isdir(DLRM):
        alone(tap)
        pair(tap)
    else:
        tap.skip("one rank of eight beside its file", "no ../shared/traces")
    tap.done()


main()
