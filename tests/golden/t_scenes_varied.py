#!/usr/bin/env python3
"""The guide's situations 1 to 9 again, twice, in other numbers and with other names for markers, ops, threads and streams: what was
right for the numbers of t_scenes.py must not be right for them alone. Each as XSpace and as Chrome trace."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "scenes")]
import varied
from harness import TableError, Tap, need_program, number, scratch, table

FORMS = (("xspace", "xplane.pb"), ("chrome", "trace.json.gz"))


class Said:
    """What the program says of one scene in one form."""

    def __init__(self, tap, label, path):
        self.tap, self.label, self.path, self.cached = tap, label, path, {}

    def rows(self, name, **where):
        if name not in self.cached:
            self.cached[name] = table(name, self.path).rows
        return [r for r in self.cached[name] if all(str(r.get(k)) == str(v) for k, v in where.items())]

    def facts(self, name):
        return {r["key"]: number(r["value"]) for r in self.rows(name)}

    def equal(self, what, got, expected):
        self.tap.equal(got, expected, f"{self.label}: {what}")

    def severity(self, rule):
        return [r["severity"] for r in self.rows("findings", rule=rule)]


def steps(o, expected):
    o.equal("lengths of the steps", [number(r["dur_ns"]) for r in o.rows("steps")], expected)


def step_gaps(o, expected):
    o.equal("gaps between steps", sorted((number(g["dur_ns"]) for g in o.rows("gaps", scope="step")), reverse=True), expected)


def parts(o, expected):
    o.equal("parts of every step", [{k: number(r[k]) for k in expected} for r in o.rows("steps")], [expected] * len(o.rows("steps")))


def overview(o, expected):
    facts = o.facts("overview")
    o.equal("overview", {k: facts.get(k) for k in expected}, expected)


def phases(o, expected):
    rows = [r for r in o.rows("phases") if r["step"] != "all"]
    o.equal("phases of every step", [{k: number(r[k]) for k in expected} for r in rows], [expected] * len(o.rows("steps")))


def cause(o, expected):
    """The longest gap; in `callback` and `loss_scaling` all are as long."""
    name, event_ns = expected
    longest = max(o.rows("gaps", scope="step"), key=lambda g: number(g["dur_ns"]))
    o.equal("cause of the longest gap", longest["cause"], name)
    (verdict,) = o.rows("verdicts", gap=longest["gap"])
    o.equal("its verdict", verdict["cause"], name)
    if name == "unknown":
        o.equal("nothing is made up", (longest["main_event"], verdict["confidence"]), (None, None))
    elif event_ns is not None:
        o.equal("its main event's time", number(longest["main_event_ns"]), event_ns)


def lost_ns(o, expected):
    o.equal("lost to all of them", sum(number(r["lost_ns"]) for r in o.rows("verdicts", scope="step")), expected)


def input_facts(o, expected):
    facts = o.facts("input")
    o.equal("input", {k: facts.get(k) for k in expected}, expected)


def iterators(o, expected):
    got = {}
    for r in o.rows("iterators"):
        name = r["iterator"].split("::")[-1]
        got[name] = got.get(name, 0) + number(r["self_ns"])
    o.equal("self times of the iterators", got, expected)


def launches(o, expected):
    o.equal("launches", [{k: number(r[k]) for k in expected} for r in o.rows("launches")], [expected])


def kernels(o, expected):
    o.equal("kernels by op", {r["op"]: (number(r["kernels"]), number(r["total_ns"])) for r in o.rows("kernels")}, expected)


def tiny(o, expected):
    o.equal("tiny ops by type", [{k: number(r[k]) for k in expected} for r in o.rows("tiny_ops")], [expected])


def host_ops(o, expected):
    got = {r["operation"]: (number(r["runs_here"]), number(r["total_self_time"]), r["placement"]) for r in o.rows("ops", host_or_device="Host")}
    o.equal("ops on the host", got, expected)
    o.equal("the product on the host is warned of", o.severity("op-placement")[:1], ["warn"])


def copies(o, expected):
    got = {}
    for r in o.rows("copies"):
        key = (r["direction"], bool(r["expected"]))
        count, total = got.get(key, (0, 0))
        got[key] = (count + number(r["copies"]), None if key[1] else total + number(r["total_ns"]))
    o.equal("copies expected and in excess", got, expected)


def excess_lost_ns(o, expected):
    o.equal("time the copies block kernels", [number(r["lost_ns"]) for r in o.rows("findings", rule="excess-copies")], [expected])


def tensor_cores(o, expected):
    got = {r["op"]: (r["reason"], number(r["total_ns"]), r["detail"]) for r in o.rows("tensor_cores") if r["tc_problem"] == "unused"}
    o.equal("products that do not use Tensor Cores", got, expected)


CHECKS = {"steps": steps, "step_gaps": step_gaps, "parts": parts, "overview": overview, "phases": phases, "cause": cause, "lost_ns": lost_ns,
          "input": input_facts, "iterators": iterators, "launches": launches, "kernels": kernels, "tiny": tiny, "host_ops": host_ops,
          "copies": copies, "excess_lost_ns": excess_lost_ns, "tensor_cores": tensor_cores}


def steps_gaps_from(o, expected):
    """Where the longest gap lies."""
    longest = max(o.rows("gaps", scope="step"), key=lambda g: number(g["dur_ns"]))
    o.equal("the longest gap", [(number(longest["start_ns"]), number(longest["dur_ns"]))], expected)


CHECKS["steps_gaps_from"] = steps_gaps_from


def check_scene(tap, label, path, said):
    o = Said(tap, label, path)
    for what, expected in said.items():
        try:
            CHECKS[what](o, expected)
        except (TableError, KeyError, IndexError, TypeError, ValueError) as e:
            tap.ok(False, f"{label}: {what} can be checked", f"{type(e).__name__}: {e}")


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap = Tap()
    for letter, numbers in varied.SETS.items():
        for make in varied.SCENES:
            scene, said = make(numbers)
            for form, ending in FORMS:
                path = scratch(f"{make.__name__}-{letter}.{ending}")
                (scene.write_xspace if form == "xspace" else scene.write_chrome)(path)
                check_scene(tap, f"{make.__name__} {letter} ({form})", path, said)
    tap.done()


if __name__ == "__main__":
    main()
