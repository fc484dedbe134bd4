#!/usr/bin/env python3
"""The guide's situations (tests/golden/scenes) as acceptance tests: each scene as XSpace and as Chrome trace must give the
same numbers in the tables, in the report (Markdown and HTML) and on the screen (80x24 and 200x60)."""
import math
import os
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "scenes")]
import specs
from harness import HeldTap, TableError, Tap, holds, need_program, number, play, scratch, stepscope, table, visible_text
from scene import LAUNCH_CALLS, MS

SIZES = ("80x24", "200x60")
AT_ONCE = 3  # most of the time the program waits for a key, or a script for the program


class Opened:
    """One scene in one format."""

    def __init__(self, tap, name, form, path, scene):
        self.tap, self.path, self.scene = tap, path, scene
        self.form = form
        self.label, self.cached, self.reports, self.plays = f"{name} ({form})", {}, {}, []

    def rows(self, name, **where):
        if name not in self.cached:
            self.cached[name] = table(name, self.path).rows
        return [r for r in self.cached[name] if all(str(r.get(k)) == str(v) for k, v in where.items())]

    def row(self, name, cells, /, **where):
        """Exactly one row of the table fits `where`, and holds these cells."""
        what = f"{self.label}: {name} {' '.join(str(v) for v in where.values())}".rstrip()
        try:
            rows = self.rows(name, **where)
        except TableError as e:
            return self.tap.ok(False, what, e)
        if len(rows) != 1:
            return self.tap.ok(False, what, f"{len(rows)} rows fit {where} of:\n" +
                               "\n".join(map(str, self.cached.get(name, [])[:8])))
        got = {key: number(rows[0].get(key)) for key in cells}
        return self.tap.ok(same(got, cells), what, f"expected {cells}\ngot      {got}")

    def overview(self, **expected):
        """These keys of the overview; shares are given in tenths of a percent, as the screen shows them."""
        try:
            facts = {r["key"]: number(r["value"]) for r in self.rows("overview")}
        except TableError as e:
            return self.tap.ok(False, f"{self.label}: overview", e)
        got = {key: tenths(facts.get(key)) if key.endswith("_pct") else facts.get(key) for key in expected}
        return self.tap.equal(got, expected, f"{self.label}: overview {' '.join(expected)}")

    def input(self, **expected):
        """These keys of the input table."""
        facts = {r["key"]: number(r["value"]) for r in self.rows("input")}
        got = {key: facts.get(key) for key in expected}
        self.tap.ok(same(got, expected), f"{self.label}: input {' '.join(expected)}", f"expected {expected}\ngot      {got}")

    def check(self, what, got, expected):
        self.tap.equal(got, expected, f"{self.label}: {what}")

    def report(self, form, *args):
        """The run and its text without markup; each report is made once."""
        if (form, *args) not in self.reports:
            run = stepscope("report", self.path, "--format", form, *args)
            self.reports[(form, *args)] = run, visible_text(run.out) if form == "html" else run.out
        return self.reports[(form, *args)]

    def says(self, what, *args, lengths=(), words=()):
        """Report and screens print these lengths (ns) and words."""
        for form in ("md", "html"):
            run, text = self.report(form, *args)
            self.tap.ok(run.status == 0 and not missing(text, lengths, words), f"{self.label}: the {form} report says {what}",
                        f"missing {missing(text, lengths, words)}\n{run.told()}\n{text[:1500]}")

    def played(self, what, script, lengths, words, wrapped=False):
        """After the script the screen shows these lengths and words at both sizes; `wrapped`: sentences go over several lines."""
        self.plays.append((what, script, lengths, words, wrapped))

    def play_all(self):
        """All scripts in one process, each from the overview."""
        sizes = "".join(f"resize {size}\nsettle\nscreen\n" for size in SIZES[1:])
        parts = [f"keys 1\nsettle\n{script}settle\nscreen\n{sizes}resize {SIZES[0]}\nsettle\n" for _, script, *_ in self.plays]
        screen = play("wait 1 Over\nsettle\n" + "".join(parts) + "keys Q\n", self.path, size=SIZES[0]) if parts else None
        for at, (what, _, lengths, words, wrapped) in enumerate(self.plays):
            for i, size in enumerate(SIZES, at * len(SIZES)):
                shown = "\n".join(screen.screens[i]) if i < len(screen.screens) else ""
                lacks = missing(" ".join(shown.split()) if wrapped else shown, lengths, words)
                self.tap.ok(shown and not lacks, f"{self.label}: {what} at {size}",
                            f"missing {lacks} on\n{shown}\n{screen.run.err}" + "\n".join(screen.said))

    def pane(self, keys, lengths=(), words=()):
        """The pane behind these keys shows these lengths and words at both sizes."""
        self.played(f"key {keys}", f"keys {keys[0]}\nsettle\nkeys {keys}\n", lengths, words, wrapped=True)

    def shows(self, name, lengths=(), words=(), keys=""):
        """The table's pane, after these keys, shows these lengths and words at both sizes."""
        self.played(f"the pane {name}", f"keys :\ntype table {name}\nkeys Enter\nsettle\n{keys and f'keys {keys}'}\n", lengths, words)


def tenths(value):
    return None if value is None else math.floor(value * 10 + 0.5) / 10


def same(got, expected):
    return all(close(got[key], expected[key]) for key in expected)


def close(got, expected):
    if isinstance(expected, float):
        return isinstance(got, (int, float)) and abs(got - expected) < 5e-7 * max(1.0, abs(expected))
    return got == expected


def missing(text, lengths, words):
    return [ns for ns in lengths if not holds(text, ns)] + [w for w in words if w.lower() not in text.lower()]


# ---- what each scene must give

def every_scene(o):
    """In every scene: the ledger closes, and the steps' parts add up."""
    facts = table("trace", o.path).keyed()
    entries, shown, merged, noted = (number(facts.get(k)) for k in (
        "entries_in_file", "events_shown", "events_merged", "events_noted"))
    o.check("events in the file = shown + merged + noted", entries, shown + merged + noted)
    o.check("every event of the scene is shown", shown, o.scene.count(o.form))
    idle_adds_up(o)
    for row in table("steps", o.path).rows:
        parts = [number(row[c]) for c in row if c.endswith("_ns") and c not in ("start_ns", "dur_ns")]
        if None not in parts and sum(parts) != number(row["dur_ns"]):
            o.check(f"the parts of step {row['step']} add up to its length", sum(parts), number(row["dur_ns"]))
            return
    o.tap.ok(True, f"{o.label}: the parts of every step add up to its length")


IDLE_PARTS = ("not_recorded", "input_wait", "host_work", "loss_scaling", "thread_contention", "synchronisation", "compilation", "allocator",
              "communication_wait", "host_wait", "launch_latency", "host_compute", "copies", "python_overhead", "profiler", "held_back", "records_lost")


def idle_adds_up(o):
    """Every ns in which a device does nothing has one reason, and shares are whole."""
    wrong = [r for r in o.rows("idle") if sum(number(r[f"{p}_ns"]) for p in IDLE_PARTS) != number(r["idle_ns"])
             or (r["idle_ns"] and round(sum(r[f"{p}_pct"] for p in IDLE_PARTS), 6) != 100)]
    o.check("the parts of idle time add up to it, and their shares to 100 %", wrong, [])
    shares = {of: round(sum(r["part_share_pct"] or 0 for r in o.rows("step_parts", of=of)), 6) for of in ("step", "idle")}
    o.check("the shares of the parts of a step add up to 100 %", {k: v for k, v in shares.items() if v not in (0, 100)}, {})


def idle_is(o, idle, every_step, **parts):
    """The device's idle time in the whole trace, and in each of its steps these parts (others are 0)."""
    total = o.rows("idle", step="all")
    o.check("idle time of the device", [number(r["idle_ns"]) for r in total], [idle])
    expected = {**dict.fromkeys(IDLE_PARTS, 0), **parts}
    steps = [r for r in o.rows("idle") if r["step"] != "all"]
    got = [(number(r["idle_ns"]), {p: number(r[f"{p}_ns"]) for p in IDLE_PARTS}) for r in steps]
    o.check(f"each step is idle for {every_step} ns", got, [(every_step, expected)] * len(steps))


def ideal(o):
    # every step: kernels wait 1 ms for nothing that is recorded; 20 us after the call of 5 us it is no latency any more
    idle_is(o, 9 * MS, MS, launch_latency=25_000, not_recorded=975_000)
    o.row("step_parts", {"avg_ns": 98 * MS, "sd_ns": 0, "part_share_pct": 98.0}, part="device_compute")
    o.row("step_parts", {"avg_ns": 485_000, "sd_ns": 0, "part_share_pct": 100 * 485_000 / (100 * MS)}, part="kernel_launch")
    o.row("step_parts", {"avg_ns": 100 * MS, "sd_ns": 0, "min_ns": 100 * MS, "max_ns": 100 * MS, "samples": 10}, part="step")
    o.row("devices", {"kernels": 970, "kernel_ns": 980 * MS, "busy_ns": 990 * MS, "idle_ns": 9 * MS, "span_ns": 999 * MS})
    for stream, role in ((118, "compute+D2D"), (119, "H2D"), (120, "D2H")):
        o.row("streams", {"role": role}, stream=stream)
    gaps = o.rows("gaps", scope="step")
    o.check("9 gaps of 1.000 ms", [number(g["dur_ns"]) for g in gaps], [MS] * 9)
    o.check("each 1.0 % of the period", [round(g["period_pct"], 6) for g in gaps], [1.0] * 9)
    steps = o.rows("steps")
    o.check("10 steps of 100 ms", [number(s["dur_ns"]) for s in steps], [100 * MS] * 10)
    o.overview(step_mean_ns=100 * MS, device_compute_pct=98.0, device_to_device_pct=1.0, kernel_launch_pct=0.5,
               other_pct=0.5, busy_ns=990 * MS, span_ns=999 * MS, duty_cycle_pct=99.1)
    o.overview(kernels=970, kernels_16bit=900, kernels_16bit_pct=92.8, kernels_16bit_time_pct=91.8)
    o.overview(device_ops_count_pct=100.0, host_ops_count_pct=0.0, device_compute_mean_ns=98.0 * MS, device_compute_sd_ns=0,
               overhead_mean_ns=2.0 * MS, device_count=1, replicas=1)
    phases = {"forward_ns": 40 * MS, "loss_ns": 2 * MS, "backward_ns": 50 * MS, "optimizer_ns": 6 * MS,
              "no_phase_ns": 3 * MS + 100_000}  # the copies
    o.check("phases of every step", [{c: number(r[c]) for c in phases} for r in o.rows("phases") if r["step"] != "all"],
            [phases] * 10)
    o.row("phases", {c: 10 * ns for c, ns in phases.items()}, step="all")
    o.shows("phases", words=["39.6 %", "2.0 %", "49.5 %", "5.9 %"])
    o.says("the phases", lengths=[400 * MS, 500 * MS, 60 * MS, 20 * MS])
    o.check("steps are numbered 1..10", [str(s["step"]) for s in steps], [str(i) for i in range(1, 11)])
    o.says("busy and idle", lengths=[990 * MS, 999 * MS], words=["99.1 %"])
    o.shows("devices", lengths=[990 * MS])
    o.shows("gaps", lengths=[MS], words=["1.0 %"])
    o.shows("streams", words=["compute+D2D", "H2D", "D2H"])


def biggest(o):
    return sorted(o.rows("gaps", scope="step"), key=lambda g: -number(g["dur_ns"]))


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


def sixty_ms_gap(o):
    gaps = biggest(o)
    o.check("the gaps", [(str(g["before"]), str(g["after"]), number(g["dur_ns"])) for g in gaps],
            [("8", "9", 60 * MS), ("7", "8", 2 * MS), ("9", "10", 2 * MS)])
    o.check("the longest begins at 202 ms and is 37.5 % of its period",
            [(number(g["start_ns"]), g["period_pct"]) for g in gaps[:1]], [(202 * MS, 37.5)])
    o.row("devices", {"busy_ns": 400 * MS, "idle_ns": 64 * MS, "span_ns": 464 * MS, "kernels": 40})
    o.overview(idle_ns=64 * MS, span_ns=464 * MS, idle_pct=13.8)


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


def timeline(o, lengths, words):
    """One key from the start, the timeline stands on the biggest gap."""
    o.played("b on the timeline", "keys 2\nsettle\nkeys b\n", lengths, words)


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
    names_the_steps(o, "all of it between steps 8 and 9;")


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
    names_the_steps(o, "all of it between steps 8 and 9;")
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


def many_small_kernels(o):
    o.row("devices", {"kernels": 126224, "kernel_ns": 2_770_000_000, "idle_ns": 385_596_945, "span_ns": 3_155_596_945})
    o.overview(kernels=126224, kernel_ns=2_770_000_000, idle_ns=385_596_945, idle_pct=12.2)
    kernels = sorted(o.rows("kernels"), key=lambda k: -number(k["total_ns"]))
    o.check("kernels by op", [(k["op"], number(k["kernels"]), number(k["total_ns"])) for k in kernels],
            [("while/mul", 100000, 2_194_514_320), ("while/mul_1", 26224, 575_485_680)])
    o.check("shortest and longest", [(number(k["min_ns"]), number(k["max_ns"])) for k in kernels], [(21945, 21946), (21945, 21945)])
    o.row("op_types", {"ops": 2, "occurrences": 126224, "total_time": 2_770_000_000, "self_share_pct": 100.0}, type="Mul")
    o.check("their average", round(o.rows("op_types")[0]["avg_time"]), 21945)
    o.check("ops by name", [(r["operation"], number(r["occurrences"]), number(r["total_self_time"])) for r in o.rows("ops")],
            [("while/mul", 100000, 2_194_514_320), ("while/mul_1", 26224, 575_485_680)])
    idle = {"idle_before_ns": 385_596_945, "launch_bound_ns": 0, "not_launched_ns": 385_596_945}
    o.row("tiny_ops", {"ops": 2, "runs": 126224, "kernels": 126224, "total_ns": 2_770_000_000, "launch_range": "within", **idle}, type="Mul")
    o.check("their average in tiny_ops", round(o.rows("tiny_ops")[0]["avg_ns"]), 21945)
    o.check("tiny ops by name", [(r["op"], number(r["runs"]), number(r["total_ns"]), r["launch_range"]) for r in
                                 table("tiny_ops", o.path, "--by", "op").rows],
            [("while/mul", 100000, 2_194_514_320, "within"), ("while/mul_1", 26224, 575_485_680, "within")])
    o.check("the finding about small kernels", rated(o, "small-kernels"), ["warn"])
    said = o.rows("findings", rule="small-kernels")[0]
    o.check("it says it with the guide's numbers", [w for w in ("Mul", "126,224 times", "2.770 s", "21.945 us", "within the 20-40 us", "12.2 %")
                                                    if w not in said["sentence"]], [])
    o.check("its advice comes in the guide's order", "concatenate" in said["advice"] and number(said["lost_ns"]), 385_596_945)
    o.shows("tiny_ops", lengths=[2_770_000_000], words=["Mul", "126,224", "21.945 us", "within"])
    o.shows("kernels", lengths=[2_770_000_000])
    o.shows("kernels", lengths=[2_194_514_320, 575_485_680], keys="o")
    o.says("the idle share", words=["12.2 %"], lengths=[2_770_000_000])
    o.row("fusion", {"run_kernels": 126_224, "repeats": 1, "in_ns": 2_770_000_000, "between_ns": 385_596_945,
                     "saved_ns": 3_155_596_945 - 21_946, "enclosed_by": "while", "op_list": "mul x100000, mul_1 x26224"})
    o.shows("fusion", words=["mul x100000"])
    o.says("the run to fuse", lengths=[2_770_000_000], words=["mul x100000, mul_1 x26224"])


def unused_products(o):
    """dense_1 by its type, dense_2 by a dimension, Relu by its bytes; the convolution is left alone. Only XSpace tells the
    device: elsewhere nothing is at stake for certain, and the rules abstain."""
    known = o.path.endswith("pb")
    rows = {
        "dense_1/MatMul": dict(tc_problem="unused", reason="fp32", total_ns=100 * MS, stake_ns=66_666_667, m=64, n=1024, k=512, detail=None),
        "dense_2/MatMul": dict(tc_problem="unused", reason="dimension", total_ns=40 * MS, stake_ns=26_666_667, m=64, n=1023, k=512,
                               detail="N = 1023, 1023 mod 8 = 7"),
        "activation/Relu": dict(tc_problem="bytes", reason="32 bit", total_ns=50 * MS, stake_ns=25 * MS, n=None, detail=None)}
    o.check("ranked by what is at stake", [r["op"] for r in o.rows("tensor_cores")], list(rows))
    for op, expected in rows.items():
        if not known and expected["tc_problem"] == "unused":
            expected["stake_ns"] = None
        o.row("tensor_cores", expected, op=op)
    o.check("advice only where the device is known", [r["advice"] is not None for r in o.rows("tensor_cores")], [known] * 3)
    findings = {r["rule"]: r for r in o.rows("findings")}
    state = "warn" if known else "unknown"
    o.check("rules on Tensor Cores", [findings[r]["severity"] for r in ("tensor-cores", "tensor-core-dims", "half-bytes")],
            [state, state, "info"])
    said = findings["tensor-cores"]["sentence"]
    o.check("what the first one says", [w for w in ("36.7 %", "140.000 ms", "46.7 %", "dense_1/MatMul") if w not in said], [])
    o.check("what the second one says", "N = 1023, 1023 mod 8 = 7" in findings["tensor-core-dims"]["sentence"], True)
    o.check("what the third one says", "25.000 ms" in findings["half-bytes"]["sentence"], True)
    o.shows("tensor_cores", lengths=[100 * MS, 40 * MS], words=["fp32", "dimension", "32 bit"])
    o.says("the unused products", lengths=[100 * MS, 40 * MS, 25 * MS], words=["1023 mod 8 = 7", "dense_1/MatMul", "dense_2/MatMul"])


def without_the_fallback(o):
    """All products on Tensor Cores: nothing is unused, and the rules pass whatever the device."""
    o.check("nothing unused", [r["op"] for r in o.rows("tensor_cores")], ["activation/Relu"])
    findings = {r["rule"]: r["severity"] for r in o.rows("findings")}
    o.check("the rules pass", [findings["tensor-cores"], findings["tensor-core-dims"]], ["pass", "pass"])


def tensor_cores(o):
    kernels = {k["op"]: k for k in o.rows("kernels")}
    expected = {  # op: count, total, uses Tensor Cores, eligible, 16 bit
        "dense/MatMul": (300, 60, True, True, True), "dense_1/MatMul": (100, 100, False, True, False),
        "dense_2/MatMul": (100, 40, False, True, True), "conv/Conv2D": (100, 50, True, True, True),
        "activation/Relu": (200, 50, False, False, False)}
    for op, (count, total, uses, eligible, half) in expected.items():
        k = kernels.get(op, {})
        # a kernel no rule knows is "unknown", which is not the same as yes
        got = (number(k.get("kernels")), number(k.get("total_ns")), bool(k.get("uses_tc")), bool(k.get("tc_eligible")),
               k.get("precision") in ("fp16", "bf16"))
        o.check(f"kernel of {op}", got, (count, total * MS, uses, eligible, half))
    o.overview(tensor_core_time_pct=36.7, tensor_core_unused_ns=140 * MS, tensor_core_unused_pct=46.7, kernels=800,
               kernels_16bit=500, kernels_16bit_time_pct=50.0)
    o.row("roofline", {"flops": 300 * 2 * 64 * 512 * 1024, "occurrences": 300, "time_ns": 60 * MS}, op="dense/MatMul")
    o.row("roofline", {"flops": 200 * 64 * 1024, "bytes": 200 * 2 * 4 * 64 * 1024, "time_ns": 50 * MS}, op="activation/Relu")
    rows = list(kernels.values())
    o.check("Tensor Core time 110.0 of 300.0 ms", sum(number(k["total_ns"]) for k in rows if k["uses_tc"]), 110 * MS)
    o.check("eligible but unused 140.0 ms",
            sum(number(k["total_ns"]) for k in rows if k["tc_eligible"] and not k["uses_tc"]), 140 * MS)
    unused_products(o)
    split = {r["precision"]: (number(r["kernels"]), number(r["total_ns"]), number(r["tc_ns"])) for r in o.rows("precisions")}
    o.check("precisions", split, {"fp16": (500, 150 * MS, 110 * MS), "fp32": (300, 150 * MS, 0)})
    o.shows("kernels", lengths=[60 * MS, 100 * MS, 40 * MS, 50 * MS], keys="o")
    o.says("the kernels", lengths=[100 * MS, 60 * MS], words=["36.7 %"])


def cause_of(name, part_ns, gap_ns, gaps):
    """A check: each of the step gaps has this length, and this host event fills so much of it."""
    def check(o):
        found = biggest(o)[:gaps]
        o.check(f"{gaps} gaps of {gap_ns // MS} ms", [number(g["dur_ns"]) for g in found], [gap_ns] * gaps)
        o.check("their cause", [(g["main_event"], number(g["main_event_ns"])) for g in found], [(name, part_ns)] * gaps)
    return check


def steps_hold(**expected):
    """A check: every step has these parts."""
    def check(o):
        rows = o.rows("steps")
        o.check(f"every step: {' '.join(expected)}", [{k: number(r[k]) for k in expected} for r in rows], [expected] * len(rows))
        o.tap.ok(len(rows) > 1, f"{o.label}: there are steps")
    return check


def input_bound(o):
    steps_hold(dur_ns=200 * MS, input_ns=90 * MS, kernel_launch_ns=10 * MS, device_compute_ns=100 * MS)(o)
    o.overview(input_pct=45.0, kernel_launch_pct=5.0, device_compute_pct=50.0, step_mean_ns=200 * MS)
    o.overview(input_mean_ns=90.0 * MS, kernel_launch_mean_ns=10.0 * MS, overhead_mean_ns=100.0 * MS, overhead_per_compute=1.0)
    o.input(input_pct=45.0, verdict="highly input-bound", bottleneck="ParallelMap", bottleneck_self_ns=70 * MS,
            best_step_no_wait_ns=118 * MS, best_step_prefetched_ns=110 * MS, step_mean_ns=200 * MS, missing=None)
    o.check("self times of the iterators in the slowest call",
            [(r["iterator"], number(r["slowest_self_ns"]), r["is_bottleneck"]) for r in o.rows("iterators")],
            [("Prefetch", 2 * MS, False), ("ParallelMap", 70 * MS, True), ("TFRecord", 10 * MS, False)])
    o.row("pipelines", {"pipeline": "Host:0", "root_calls": 10, "max_ns": 82 * MS, "slow_calls": 10, "bottleneck": "ParallelMap"})
    o.shows("input", words=["45.0 %", "highly input-bound"])
    o.shows("iterators", words=["ParallelMap"])


def synthetic_input(o):
    """4 B: without the 82 ms, steps of 118; only the copy is left: 8 ms, 5 us of them under the call that starts it, 6.8 %."""
    o.input(input_wait_pct=0, input_copy_pct=7.995 / 118 * 100, verdict="moderately input-bound", bottleneck=None,
            step_mean_ns=118 * MS, best_step_no_wait_ns=118 * MS, best_step_prefetched_ns=110_005_000)


def launch_bound(o):
    steps_hold(dur_ns=100_020_000, kernel_launch_ns=10_020_000, device_compute_ns=90 * MS)(o)
    o.overview(kernels=20000, kernel_launch_pct=10.0, device_compute_pct=90.0)
    inside = [g for g in o.rows("gaps", scope="device") if number(g["dur_ns"]) == 5000]
    o.check("1,999 gaps of 5.0 us in each of 10 steps", len(inside), 19990)
    # each idle time lies within the 25 us call of the work that ends it; the first one lies before the device's first work
    idle_is(o, 10 * 10_020_000 - 25_000, 10_020_000, launch_latency=10_020_000)
    o.row("step_parts", {"avg_ns": 10_020_000, "sd_ns": 0, "part_share_pct": 100 * 10_020_000 / 100_020_000}, part="kernel_launch")
    o.row("step_parts", {"avg_ns": 10_020_000, "sd_ns": 0, "part_share_pct": 100.0}, part="launch_latency")
    launches_of_scene_5(o)


def rated(o, *rules):
    """What the findings of these rules say, worst first."""
    return [next((r["severity"] for r in o.rows("findings", rule=rule)), None) for rule in rules]


def without_launches(o):
    """Without the calls nobody can tell how long kernels wait for them, or what small kernels cost."""
    o.check("no latency is invented", [r["latency_p50_ns"] for r in o.rows("launches")], [None] * len(o.rows("launches")))
    o.check("no idle time is blamed on launches", [number(r["launch_bound_ns"]) for r in o.rows("launch_totals")], [0])
    o.check("the guide cannot tell", rated(o, "launch-queue"), ["unknown"])
    o.check("and does not warn of launches", [r for r in rated(o, "kernel-launch", "small-kernels") if r in ("warn", "fail")], [])


def launches_of_scene_5(o):
    """2,000 calls of 25 us per step, each kernel right behind its call; the first 25 us of a step wait for it, too."""
    o.row("launches", {"op": "model/add", "kernel": "small_kernel", "work": 20000, "launch_calls": 20000, "call_ns": 500 * MS,
                       "latency_min_ns": 25_000, "latency_p50_ns": 25_000, "latency_p95_ns": 25_000, "latency_p99_ns": 25_000,
                       "latency_max_ns": 25_000, "queue_max": 1, "launch_bound_ns": 10 * 10_020_000, "not_launched_ns": 0,
                       "work_ns": 900 * MS, "work_p50_ns": 45_000, "short": 0, "no_launch": 0, "early": 0})
    o.row("launch_totals", {"work": 20000, "launch_calls": 20000, "latency_p50_ns": 25_000, "latency_p99_ns": 25_000, "queue_max": 1,
                            "launch_bound_ns": 100_200_000, "graph": 0, "graph_pct": 0.0, "blocked_ns": 0})
    o.check("launch-bound share of the step time", tenths(o.rows("launch_totals")[0]["launch_bound_pct"]), 10.0)
    o.check("one bucket holds every latency, call and kernel",
            [(r["measure"], number(r["from_ns"]), number(r["to_ns"]), number(r["entries"])) for r in o.rows("latency_histogram")],
            [(m, 20_000, 50_000, 20000) for m in ("latency", "call", "work")])
    (queue,) = [r for r in o.rows("queue") if r["bucket"] is None]
    o.check("half of the time one call waits", [number(queue[k]) for k in ("begun_calls", "depth_max", "waiting_ns", "full_ns")],
            [20000, 1, 500 * MS, 0])
    o.check("findings", rated(o, "kernel-launch", "small-kernels", "launch-queue"), ["warn", "pass", "pass"])
    o.check("kernels of 45 us are no tiny ones", o.rows("tiny_ops"), [])
    o.check("nothing waits for the device", o.rows("syncs"), [])
    o.shows("launches", lengths=[25_000, 100_200_000], words=["10.0 %", "moderate", "20-50 us", "20,000"], keys="t")
    o.shows("launches", lengths=[25_000, 100_200_000], words=["model/add"])


def placement(o):
    """950 of 1,000 ops on the device; of the host's, MatMul has the time."""
    ops = [(r["host_or_device"], r["type"], number(r["occurrences"]), number(r["total_self_time"])) for r in o.rows("op_types")]
    o.check("ops by type and side", [x for x in ops if x[0] == "Host"],
            [("Host", "MatMul", 10, 160 * MS), ("Host", "Unique", 40, 40 * MS)])
    o.check("ops on the device", sum(n for side, _, n, _ in ops if side == "Device"), 950)
    o.overview(device_ops_count_pct=95.0, host_ops_count_pct=5.0, host_ops_time_pct=17.4, device_ops_time_pct=82.6)
    o.overview(device_ops=950, host_ops=50)
    first = o.rows("ops", host_or_device="Host")[0]
    o.check("the largest host op comes first", (first["operation"], first["type"], number(first["total_self_time"])),
            ("embedding/MatMul", "MatMul", 160 * MS))
    o.row("ops", {"placement": "compute-intensive", "runs_here": 10}, operation="embedding/MatMul")
    o.row("ops", {"placement": "host only", "runs_here": 40}, operation="model/Unique")
    told = [(r["severity"], number(r["lost_ns"])) for r in o.rows("findings", rule="op-placement")]
    o.check("MatMul is warned of, Unique is told", told, [("warn", 160 * MS), ("info", None)])
    o.shows("ops", words=["embedding/MatMul"], keys="G")


def excess_copies(o):
    o.row("streams", {"role": "H2D", "copies": 105, "copy_bytes": 440_401_920, "busy_ns": 90 * MS}, stream=168)
    o.row("streams", {"role": "D2H", "copies": 105, "copy_bytes": 104_878_080, "busy_ns": 50_500_000}, stream=169)
    o.row("streams", {"role": "compute", "kernels": 100, "kernel_ns": 350 * MS}, stream=167)
    totals = {kind: tuple(sum(number(r[c]) for r in o.rows("copies", direction=kind)) for c in ("copies", "copy_bytes", "total_ns"))
              for kind in ("H2D", "D2H")}
    o.check("copies by direction", totals, {"H2D": (105, 440_401_920, 90 * MS), "D2H": (105, 104_878_080, 50_500_000)})
    trip = {"copies": 100, "copy_bytes": 100 << 20, "total_ns": 50 * MS, "bytes_per_s": 2_097_152_000, "op": "metrics/PyFunc",
            "copies_per_step": 20, "places": 20, "in_steps": 5, "of_steps": 5, "blocking_ns": 50 * MS, "memory": "pageable, async"}
    o.row("copies", {**trip, "op_by": "correlation"}, direction="D2H", expected=False)
    o.row("copies", {**trip, "op_by": "neighbour"}, direction="H2D", expected=False)
    o.row("copies", {"copies": 5, "size": "64-256 MiB", "bytes_per_s": 8_388_608_000, "copies_per_step": 1}, direction="H2D", expected=True)
    o.row("copies", {"copies": 5, "size": "4-16 KiB", "blocking_ns": 0, "copies_per_step": 1}, direction="D2H", expected=True)
    o.shows("copies", words=["H2D", "2.10 GB/s", "8.39 GB/s", "1-4 MiB", "64-256 MiB"], lengths=[50 * MS, 40 * MS])
    o.row("findings", {"severity": "fail", "value": 100 / 490.5 * 100, "lost_ns": 100 * MS}, rule="excess-copies")


def all_reduce(o):
    steps_hold(dur_ns=100 * MS, collectives_ns=20 * MS, device_compute_ns=80 * MS)(o)
    o.check("a row per step and GPU", len(o.rows("steps")), 20)
    told = ("--parameters", "25e6", "--link-bandwidth", "10GB/s")
    cost = [r for r in table("collective_steps", o.path, *told).rows]
    o.check("20 ms where 10 are expected, 23 % with joining and splitting, 13.5 % at twice the batch",
            {(number(r["communication_ns"]), number(r["exposed_comms_ns"]), number(r["expected_ns"]), r["to_expected"], number(r["joining_ns"]),
              number(r["splitting_ns"]), tenths(r["overhead_pct"]), tenths(r["overhead_at_twice_pct"])) for r in cost},
            {(20 * MS, 20 * MS, 10 * MS, 2, 2 * MS, MS, 23.0, 13.5)})
    o.check("one call of 100,000,000 bytes at 5 GB/s per step and GPU",
            {(number(r["message_bytes"]), r["algorithm_bytes_per_s"]) for r in table("collectives", o.path, *told).rows}, {(100_000_000, 5e9)})
    o.row("findings", {"severity": "pass", "value": 1}, rule="collective-sizes")
    o.row("findings", {"severity": "pass", "value": 0}, rule="waits-for-rank")


def replicas(o):
    devices = {str(d["device"]): (number(d["kernels"]), number(d["busy_ns"])) for d in o.rows("devices")}
    o.check("kernels with one collective per step, busy", devices,
            {"0": (453, 300 * MS), **{str(gpu): (303, 300 * MS) for gpu in (1, 2, 3)}})
    beside = {str(r["device"]): (number(r["compute_per_step_ns"]), r["own_kernels_per_step"], r["calls_per_step"], number(r["collective_wait_ns"]),
                                 number(r["last_at"])) for r in o.rows("replicas")}
    o.check("compute 90 beside 60, 150 kernels beside 100, a wait of 30 each step on the others", beside,
            {"0": (90 * MS, 150, 1, 0, 3), **{str(gpu): (60 * MS, 100, 1, 90 * MS, 0) for gpu in (1, 2, 3)}})
    o.check("GPU 0 is 1.33 times the mean", [round(r["compute_to_mean"], 2) for r in o.rows("replicas", device=0)], [1.33])
    o.check("the transfer is 10", {number(r["transfer_ns"]) for r in o.rows("collectives")}, {10 * MS})
    o.row("findings", {"severity": "fail"}, rule="replicas")
    o.row("findings", {"severity": "fail"}, rule="waits-for-rank")


def serial(o):
    devices = {str(d["device"]): (number(d["busy_ns"]), number(d["idle_ns"])) for d in o.rows("devices")}
    o.check("busy and idle of both GPUs", devices, {"0": (150 * MS, 100 * MS), "1": (150 * MS, 100 * MS)})
    o.check("they never work together", [r["overlap_pct"] for r in o.rows("replicas")], [0, 0])
    o.row("findings", {"severity": "warn", "value": 0}, rule="serial-devices")


def starved(o):
    gaps = [(str(g["device"]), number(g["dur_ns"])) for g in o.rows("gaps", scope="step")]
    o.check("GPU 2 idles 50 ms between all steps", sorted(g for g in gaps if g[0] == "2"), [("2", 50 * MS)] * 9)
    o.check("GPU 1 idles 10 ms once the launches come early", sorted(g for g in gaps if g[0] == "1"),
            [("1", 10 * MS)] + [("1", 50 * MS)] * 8)
    threads = {"1": [], "2": [], "None": []}
    for r in o.rows("threads"):
        threads[str(r["device"])].append(r)
    o.check("1 thread launches for GPU 1, 8 for GPU 2", [len([r for r in threads[gpu] if r["is_thread"]]) for gpu in "12"], [1, 8])
    o.check("GPU 1 is launched 40 ms late", [(number(r["first_launch_ns"]), number(r["skew_ns"])) for r in threads["1"]],
            [(44_975_000, 40 * MS)])
    o.check("GPU 2 comes first", {(number(r["first_launch_ns"]), number(r["skew_ns"])) for r in threads["2"]}, {(4_975_000, 0)})
    o.check("lanes of the executor are no threads", sorted(r["thread"] for r in threads["None"] if not r["is_thread"]),
            [f"tf_Compute/{i}" for i in range(4)])
    order = {str(r["device"]): {k: number(v) for k, v in r.items()} for r in o.rows("launch_order")}
    o.check("late in 7 of 10 steps, by 40 ms, after GPU 2; 1 thread", {k: order["1"][k] for k in (
        "late_steps", "order_steps", "behind_by_ns", "behind_device", "begin_idle_ns", "launching_threads", "first_steps", "unfed_ns")},
        {"late_steps": 7, "order_steps": 10, "behind_by_ns": 40 * MS, "behind_device": 2, "begin_idle_ns": 45 * MS,
         "launching_threads": 1, "first_steps": 0, "unfed_ns": 280 * MS})
    o.check("GPU 2 is never late; 8 threads", {k: order["2"][k] for k in ("late_steps", "begin_idle_ns", "launching_threads", "first_steps")},
            {"late_steps": 0, "begin_idle_ns": 5 * MS, "launching_threads": 8, "first_steps": 7})
    o.row("findings", {"severity": "fail", "value": 28, "lost_ns": 280 * MS}, rule="launch-order")
    o.check("threads of the late one and of the first one",
            "1 thread launches for it, 8 for the other" in o.rows("findings", rule="launch-order")[0]["sentence"], True)
    advice = o.rows("findings", rule="launch-order")[0]["advice"]
    o.check("and its advice", [w in advice for w in (["DistributedDataParallel"] if o.form == "kineto" else
                                                     ["TF_GPU_THREAD_MODE=gpu_private", "TF_GPU_THREAD_COUNT"])], [True] * (1 if o.form == "kineto" else 2))
    o.check("the tracks say the same", [r["is_thread"] for r in o.rows("tracks") if r["name"].startswith("tf_Compute/")], [False] * 4)


# Keys, lengths, words: what the panes 3 Steps, 6 Input and 9 Guide must show.
PANES = {
    "ideal": [("2 }", [], ["op (derived)", "phase", "forward", "backward"]), ("9", [], ["0 failed, 0 warnings"]), ("3", [100 * MS, 98 * MS], ["98.0 %", "10 steps"]),
              ("3 j", [MS], ["device compute"])],
    "large_gap": [("3 j j", [60 * MS, 55 * MS], ["input wait 55.000 ms (91.7 %)", "IteratorGetNext"]),
                  ("9", [55 * MS], ["input wait"])],
    "nothing_recorded": [("3 j j", [60 * MS], ["cannot tell"]), ("9", [], ["Cannot tell"])],
    "contention": [("3 j j", [60 * MS], ["thread contention"]), ("9", [55 * MS], ["thread contention", "gpu_private"])],
    "callback": [("3 j", [60 * MS], ["host work outside the graph"]),
                 ("9", [180 * MS], ["host work outside the graph", "steps_per_execution"])],
    "loss_scaling": [("3 j", [5 * MS, 4 * MS], ["loss scaling"]), ("9", [12 * MS], ["loss scaling"])],
    "recompile": [("3 j j", [60 * MS, 55 * MS], ["compilation"]), ("9", [], ["compil"])],
    "input_bound": [("6", [200 * MS, 118 * MS, 110 * MS, 70 * MS],
                     ["45.0 %", "highly input-bound", "ParallelMap", "-41.0 %", "20 %"]),
                    ("3", [200 * MS, 100 * MS, 90 * MS, 10 * MS], ["50.0 %", "45.0 %", "5.0 %", "input wait"]),
                    ("9", [], ["45.0 %", "highly"])],
    "placement": [("4", [], ["embedding/MatMul", "80.0 %", "model/Unique", "20.0 %"]),
                  ("9", [160 * MS], ["embedding/MatMul runs on the host"])],
    "excess_copies": [("9", [20 * MS, 98_100_000, 100 * MS], ["200 copies in excess", "40 places in 5 of 5 steps", "20.4 %",
                                                              "10 are input and output", "metrics/PyFunc"])],
    "launch_bound": [("3", [100_020_000, 10_020_000, 90 * MS], ["10.0 %", "90.0 %", "kernel launch"]),
                     ("9", [], ["moderate"])],
    "all_reduce": [("8", [100 * MS, 80 * MS], ["0 of 10", "hardly wait"])],
    "replicas": [("8", [100 * MS, 90 * MS, 60 * MS], ["GPU 0 is last at 3 of 3", "3 of 3", "0 of 3", "its kernels take longer"])],
    "serial": [("8", [100 * MS, 50 * MS], ["take turns", "0.0 %"]), ("9", [], ["take turns", "0.0 %"])],
    "starved": [("8", [100 * MS, 50 * MS, 40 * MS, 45 * MS], ["GPU 1 idles until it is launched", "7 of 10 steps", "1 launching thread"]),
                ("8 j", [5 * MS], ["8 launching threads"]), ("9", [40 * MS], ["after GPU 2", "7 of 10 steps"])],
    "many_small_kernels": [("4 o", [2_770_000_000], ["126,224", "Mul", "100.0 %"]), ("9", [385_596_945], ["126,224", "21.945 us", "12.2 %"])],
}
# Lengths, words: what the reports of the whole trace must say.
REPORTS = {
    "placement": ([160 * MS, 40 * MS], ["embedding/MatMul runs on the host", "by implementation", "95.0 %", "17.4 %",
                                        "tf.debugging.set_log_device_placement(True)"]),
    "excess_copies": ([20 * MS, 98_100_000, 50 * MS], ["200 copies in excess", "40 places", "20.4 %", "8.39 GB/s", "2.10 GB/s",
                                                       "metrics/PyFunc"]),
    "ideal": ([100 * MS, 98 * MS], ["0 failed, 0 warnings", "98.0 %"]),
    "large_gap": ([60 * MS, 55 * MS], ["input wait", "IteratorGetNext"]),
    "nothing_recorded": ([60 * MS], ["Cannot tell"]),
    "contention": ([60 * MS, 55 * MS], ["thread contention", "gpu_private"]),
    "callback": ([180 * MS, 160 * MS, 106 * MS], ["host work outside the graph", "33.8 %", "steps_per_execution"]),
    "loss_scaling": ([4 * MS, 5 * MS], ["loss scaling"]),
    "recompile": ([60 * MS, 55 * MS], ["compilation"]),
    "input_bound": ([200 * MS, 118 * MS, 110 * MS, 70 * MS], ["45.0 %", "highly input-bound", "ParallelMap", "50.0 %", "5.0 %"]),
    "launch_bound": ([10_020_000, 90 * MS, 25_000, 100_200_000], ["10.0 %", "90.0 %", "moderate", "20-50 us", "launch latency"]),
    "all_reduce": ([20 * MS, 2 * MS], ["23.0 %", "13.5 %", "One collective per step and device"]),
    "replicas": ([90 * MS, 60 * MS, 30 * MS, 10 * MS], ["GPU 0 is last at 3 of 3", "1.33 times", "its kernels take longer"]),
    "serial": ([50 * MS], ["take turns", "0.0 %"]),
    "starved": ([40 * MS, 45 * MS, 5 * MS], ["GPU 1 idles until it is launched", "7 of 10 steps", "28.0 %", "1 thread launches for it, 8 for the other"]),
    "many_small_kernels": ([2_770_000_000, 2_194_514_320, 575_485_680, 385_596_945],
                           ["100,000", "26,224", "79.2 %", "20.8 %", "126,224", "21.945 us", "within"]),
}


def panes_and_reports(o, name):
    for keys, lengths, words in PANES.get(name, []):
        o.pane(keys, lengths, words)
    if name in REPORTS:
        o.says("what the tables say", lengths=REPORTS[name][0], words=REPORTS[name][1])


def without_matmul(o):
    """7 without the MatMul on the host: what is left there has no other place."""
    told = [r["severity"] for r in o.rows("findings", rule="op-placement")]
    o.check("nothing to warn of", sorted(told), ["info", "pass"])


def without_copies(o):
    """8 with its copies removed: there is nothing to warn of."""
    o.row("findings", {"severity": "pass"}, rule="excess-copies")
    o.check("no copies", o.rows("copies"), [])


def without_late_launches(o):
    """12 without the launches: nobody can tell who was launched first."""
    o.check("no order is made up", o.rows("launch_order"), [])
    told = o.rows("findings", rule="launch-order")
    o.check("it is said that it cannot be told, once for all that lacks launches",
            [r["severity"] for r in told or o.rows("findings", rule="launch-queue")], ["unknown"])


def without_a_reduction(o):
    """10 without the all-reduce: nothing is said of communication, and it costs nothing."""
    o.check("no calls", (o.rows("collectives"), o.rows("collective_steps")), ([], []))
    o.check("no findings", o.rows("findings", rule="waits-for-rank") + o.rows("findings", rule="collective-sizes"), [])


def without_the_meeting(o):
    """11a without the all-reduce: GPU 0 still computes more; nobody waits for it."""
    o.row("findings", {"severity": "fail"}, rule="replicas")
    o.check("no waits", o.rows("findings", rule="waits-for-rank"), [])


def without_work_in_turn(o):
    """11b without its kernels: no device works, and none takes turns."""
    o.check("nothing is said of turns", o.rows("findings", rule="serial-devices"), [])


CHECKS = {"ideal": ideal, "large_gap": large_gap, "nothing_recorded": nothing_recorded,
          "contention": contention, "callback": callback, "loss_scaling": loss_scaling, "recompile": recompile,
          "input_bound": input_bound, "synthetic_input": synthetic_input,
          "launch_bound": launch_bound, "placement": placement, "many_small_kernels": many_small_kernels, "excess_copies": excess_copies,
          "tensor_cores": tensor_cores, "all_reduce": all_reduce, "replicas": replicas, "serial": serial,
          "starved": starved}
REMOVED = [("large_gap", "IteratorGetNext", without_the_key_event),
           ("contention", "Iterator", without_its_event("thread contention")),
           ("callback", "Callback", without_its_event("host work outside the graph")),
           ("loss_scaling", "LossScale", without_its_event("loss scaling")),
           ("excess_copies", "Memcpy", without_copies),
           ("placement", "embedding", without_matmul),
           ("recompile", "XlaCompile", without_its_event("compilation")),
           ("tensor_cores", "sgemm", without_the_fallback),
           ("starved", LAUNCH_CALLS, without_late_launches),
           ("all_reduce", "AllReduce", without_a_reduction),
           ("replicas", "AllReduce", without_the_meeting),
           ("serial", "compute_kernel", without_work_in_turn),
           ("launch_bound", LAUNCH_CALLS, without_launches),
           ("many_small_kernels", LAUNCH_CALLS, without_launches)]
FORMS = (("xspace", "xplane.pb"), ("chrome", "trace.json.gz"))
SEVERAL = ("all_reduce", "replicas", "serial", "starved")  # scenes of several GPUs, which PyTorch records, too


def forms_of(name):
    return (*FORMS, ("kineto", "pt.trace.json.gz")) if name in SEVERAL else FORMS


WRITERS = {"xspace": "write_xspace", "chrome": "write_chrome", "kineto": "write_kineto"}


def run_scene(name, form, ending, scene, check):
    """The results of one scene in one format, kept."""
    tap, path = HeldTap(), scratch(f"{name}.{ending}")
    getattr(scene, WRITERS[form])(path)
    opened = Opened(tap, name, form, path, scene)
    try:
        every_scene(opened)
        check(opened)
        panes_and_reports(opened, name)
        opened.play_all()
    except (TableError, KeyError, IndexError, TypeError) as e:
        tap.ok(False, f"{opened.label}: can be checked", f"{type(e).__name__}: {e}")
    return tap


def jobs(only):
    """Each scene and each scene with its key event removed, in both formats."""
    for name, make in specs.SCENES.items():
        if not only or name in only:
            scene = make()
            yield from ((name, form, ending, scene, CHECKS.get(name, lambda o: None)) for form, ending in forms_of(name))
    for name, word, check in REMOVED:
        if not only or name in only:
            scene = specs.SCENES[name]()
            scene.without = word
            for form, ending in forms_of(name):
                yield f"{name} without {word}", form, ending, scene, check


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap = Tap()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for held in pool.map(lambda job: run_scene(*job), jobs(sys.argv[1:])):
            tap.take(held)
    tap.done()


main()
