"""What the scenes about gaps must give: each gap with its cause, its price and its sentence, and none of that without its event."""
from harness import holds, number
from every_scene import biggest
from opened import tenths
from scene import MS


def verdict_of(o, gap, **expected):
    """The row of a gap in the table of verdicts holds these cells; the table of gaps and the report say the same."""
    row = o.rows("verdicts", gap=gap["gap"])[0]
    got = {key: number(row[key]) for key in expected}
    o.check(f"the verdict on gap {gap['before']} -> {gap['after']}", got, expected)
    for key in ("cause", "cause_ns", "confidence", "lost_ns", "main_event", "main_event_ns", "main_event_id"):
        o.check(f"the table of gaps agrees on {key}", number(gap[key]), number(row[key]))
    lengths = [number(row["cause_ns"])] if row["cause"] != "not recorded" and row["cause_ns"] is not None else []
    o.says(f"the verdict {row['cause']}", "--gap", gap["gap"], lengths=[number(gap["dur_ns"])],
           words=["cannot tell" if row["cause"] == "not recorded" else row["cause"]])
    o.check("the sentence has the number", all(holds(row["what"], ns) for ns in lengths) or row["cause"] == "thread contention", True)
    return row


def every_verdict(o, verdict, count, each_ns, **group):
    """All step gaps have this verdict and cost, and they form one group with these cells."""
    rows = o.rows("verdicts", scope="step")
    o.check(f"{count} verdicts", [(r["cause"], number(r["lost_ns"])) for r in rows], [(verdict, each_ns)] * count)
    groups = o.rows("gap_groups", scope="step")
    o.check("one group", [(g["place"], g["cause"], number(g["gaps"]), number(g["possible_gaps"])) for g in groups],
            [("before every step", verdict, count, count)])
    got = {key: tenths(number(groups[0][key])) if key.endswith("_pct") else number(groups[0][key]) for key in group}
    o.check(f"what-if: {' '.join(group)}", got, group)


def names_the_steps(o, words, rule="idle"):
    """One finding of the rule holds these words."""
    said = [f["sentence"] for f in o.rows("findings", rule=rule)]
    o.check(f"a finding says '{words}'", [s for s in said if words in s] != [] or said, True)


def cause_of(name, part_ns, gap_ns, gaps):
    """A check: each of the step gaps has this length, and this host event fills so much of it."""
    def check(o):
        found = biggest(o)[:gaps]
        o.check(f"{gaps} gaps of {gap_ns // MS} ms", [number(g["dur_ns"]) for g in found], [gap_ns] * gaps)
        o.check("their cause", [(g["main_event"], number(g["main_event_ns"])) for g in found], [(name, part_ns)] * gaps)
    return check


def sixty_ms_gap(o):
    gaps = biggest(o)
    o.check("the gaps", [(str(g["before"]), str(g["after"]), number(g["dur_ns"])) for g in gaps],
            [("8", "9", 60 * MS), ("7", "8", 2 * MS), ("9", "10", 2 * MS)])
    o.check("the longest begins at 202 ms and is 37.5 % of its period",
            [(number(g["start_ns"]), g["period_pct"]) for g in gaps[:1]], [(202 * MS, 37.5)])
    o.row("devices", {"busy_ns": 400 * MS, "idle_ns": 64 * MS, "span_ns": 464 * MS, "kernels": 40})
    o.overview(idle_ns=64 * MS, span_ns=464 * MS, idle_pct=13.8)


def timeline(o, lengths, words):
    """One key from the start, the timeline stands on the biggest gap."""
    o.played("b on the timeline", "keys 2\nsettle\nkeys b\n", lengths, words)


def large_gap(o):
    sixty_ms_gap(o)
    cause = biggest(o)[0]
    o.check("its cause", ("IteratorGetNext" in str(cause["main_event"]), number(cause["main_event_ns"])), (True, 55 * MS))
    o.says("the gap and its cause", lengths=[60 * MS, 55 * MS], words=["37.5 %", "IteratorGetNext"])
    o.says("the gap when it is the window", "--gap", cause["gap"], lengths=[60 * MS, 55 * MS],
           words=["37.5 %", "91.7 %", "IteratorGetNext"])
    o.shows("gaps", lengths=[60 * MS, 2 * MS], words=["37.5 %"])
    row = verdict_of(o, cause, cause="input wait", lost_ns=55 * MS, cause_ns=55 * MS)
    o.check("the confidence", 0.85 < row["confidence"] < 1, True)
    o.check("the shorter gaps are not blamed on input", [g["cause"] for g in biggest(o)[1:]], ["not recorded"] * 2)
    timeline(o, lengths=[60 * MS], words=["37.5 %", "IteratorGetNext"])


def nothing_recorded(o):
    sixty_ms_gap(o)
    o.check("no cause is invented", [(g["main_event"], g["main_event_ns"]) for g in biggest(o)[:1]], [(None, None)])
    o.says("that it cannot tell", "--gap", biggest(o)[0]["gap"], lengths=[60 * MS], words=["cannot tell"])
    o.shows("gaps", lengths=[60 * MS], words=["37.5 %"])
    verdict_of(o, biggest(o)[0], cause="not recorded", lost_ns=None, confidence=None)
    names_the_steps(o, "all of it between steps 7 and 8, 8 and 9, 9 and 10.")


def contention(o):
    o.check("the main event is a busy thread's", biggest(o)[0]["main_event"].startswith("Iterator::"), True)
    row = verdict_of(o, biggest(o)[0], cause="thread contention", lost_ns=55 * MS, threads_busy=8)
    o.check("its advice", "TF_GPU_THREAD_MODE=gpu_private" in row["advice"], True)
    names_the_steps(o, "all of it between steps 8 and 9")


def callback(o):
    cause_of("Callback/on_train_batch_end", 55 * MS, 60 * MS, 3)(o)
    every_verdict(o, "host work outside the graph", 3, 60 * MS, total_ns=180 * MS, lost_ns=180 * MS, period_ns=160 * MS,
                  every_k=10, period_every_k_ns=106 * MS, saved_pct=33.8)
    row = verdict_of(o, biggest(o)[0], cause="host work outside the graph", cause_ns=55 * MS)
    o.check("its advice", "steps_per_execution" in row["advice"], True)
    names_the_steps(o, "between steps 1 and 2, 2 and 3, 3 and 4 (60.000 ms per step; run every 10 steps: at best 106.000 ms instead of 160.000 ms "
                    "from step to step, -33.8 %)")


def loss_scaling(o):
    cause_of("LossScaleOptimizer/cond:If", 4 * MS, 5 * MS, 3)(o)
    every_verdict(o, "loss scaling", 3, 4 * MS, lost_per_step_ns=4 * MS)
    row = verdict_of(o, biggest(o)[0], cause="loss scaling", cause_ns=4 * MS)
    o.check("its advice", "static scale" in row["advice"], True)
    names_the_steps(o, "between steps 1 and 2, 2 and 3, 3 and 4 (4.000 ms per step)")


def recompile(o):
    cause_of("XlaCompile", 55 * MS, 60 * MS, 1)(o)
    verdict_of(o, biggest(o)[0], cause="compilation", lost_ns=55 * MS)
    late = [(r["compiler"], str(r["step"]), number(r["dur_ns"]), r["previous_shape"], r["compiled_shape"])
            for r in o.rows("compiles") if r["after_warmup"]]
    o.check("1 recompile after warm-up, with a new shape", late, [("xla", "9", 55 * MS, "(float[32,128])", "(float[33,128])")])
    o.shows("compiles", lengths=[55 * MS])
    names_the_steps(o, "all of it between steps 8 and 9")
    names_the_steps(o, "the first in step 9 for the shape", rule="recompilation")


def without_its_event(verdict):
    """A check: no gap has this verdict."""
    def check(o):
        found = [r["cause"] for r in o.rows("verdicts")]
        o.check(f"no verdict '{verdict}' without its event", verdict in found, False)
        o.tap.ok(len(found) > 0, f"{o.label}: there are verdicts")
    return check


def without_the_key_event(o):
    """Scene 2 with the input wait taken out must not tell the same story."""
    o.check("the cause is gone with the event", "IteratorGetNext" in str(biggest(o)[0]["main_event"]), False)
    without_its_event("input wait")(o)
