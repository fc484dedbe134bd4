#!/usr/bin/env python3
"""The guide's situations again, twice, in other numbers and with other names for markers, ops, threads and streams: what was
right for the numbers of t_scenes.py must not be right for them alone. Each as XSpace and as Chrome trace, those of several GPUs as PyTorch
writes them, too."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "scenes")]
import varied
import varied_gpus
from harness import TableError, Tap, need_program, number, scratch, table

FORMS = (("xspace", "xplane.pb", "write_xspace"), ("chrome", "trace.json.gz", "write_chrome"))
KINETO = (("kineto", "pt.trace.json.gz", "write_kineto"),)


class Said:
    """What the program says of one scene in one form."""

    def __init__(self, tap, label, path):
        self.tap, self.label, self.path, self.cached, self.options = tap, label, path, {}, ()

    def rows(self, name, **where):
        if name not in self.cached:
            self.cached[name] = table(name, self.path, *self.options).rows
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


# ---- several GPUs

def options(o, expected):
    o.options = expected


def cells(rows, keys):
    return {k: number(rows[0][k]) for k in keys} if len(rows) == 1 else rows


def comm_steps(o, expected):
    o.equal("communication of every step and GPU", [{k: number(r[k]) for k in expected} for r in o.rows("collective_steps")],
            [expected] * len(o.rows("collective_steps")))
    o.equal("there are steps with it", bool(o.rows("collective_steps")), True)


def overheads(o, expected):
    got = {tuple(round(r[k], 6) for k in ("overhead_pct", "overhead_at_twice_pct", "to_expected")) for r in o.rows("collective_steps")}
    o.equal("overhead, at twice the batch, to what was expected", got, {tuple(round(v, 6) for v in expected)})


def severities(o, expected):
    o.equal("what rules say", {rule: o.severity(rule) for rule in expected}, expected)


def replicas(o, expected):
    for gpu, told in expected.items():
        o.equal(f"GPU {gpu} beside the others", cells(o.rows("replicas", device=gpu), told), told)


def because(o, expected):
    o.equal("why it is late", [(r["device"], r["late_because"]) for r in o.rows("replicas") if number(r["last_at"])], [expected])
    (told,) = o.rows("findings", rule="waits-for-rank")
    o.equal("who is last, and why", [w in told["sentence"] for w in (f"GPU {expected[0]} is last", expected[1])], [True, True])


def transfer_ns(o, expected):
    o.equal("transfer of every call", {number(r["transfer_ns"]) for r in o.rows("collectives")}, {expected})


def overlap_pct(o, expected):
    o.equal("how much they work together", {r["overlap_pct"] for r in o.rows("replicas")}, {expected})


def order(o, expected):
    for gpu, told in expected.items():
        o.equal(f"when GPU {gpu} is launched, and by how many", cells(o.rows("launch_order", device=gpu), told), told)


def no_threads(o, expected):
    o.equal("lanes that are no threads", sorted(r["thread"] for r in o.rows("threads") if not r["is_thread"]), expected)


SEVERAL = {"options": options, "comm_steps": comm_steps, "overheads": overheads, "severities": severities, "replicas": replicas, "because": because,
           "transfer_ns": transfer_ns, "overlap_pct": overlap_pct, "order": order, "no_threads": no_threads}
CHECKS = {"steps": steps, "step_gaps": step_gaps, "parts": parts, "overview": overview, "phases": phases, "cause": cause, "lost_ns": lost_ns,
          "input": input_facts, "iterators": iterators, "launches": launches, "kernels": kernels, "tiny": tiny, "host_ops": host_ops,
          "copies": copies, "excess_lost_ns": excess_lost_ns, "tensor_cores": tensor_cores}


def steps_gaps_from(o, expected):
    """Where the longest gap lies."""
    longest = max(o.rows("gaps", scope="step"), key=lambda g: number(g["dur_ns"]))
    o.equal("the longest gap", [(number(longest["start_ns"]), number(longest["dur_ns"]))], expected)


CHECKS["steps_gaps_from"] = steps_gaps_from
CHECKS.update(SEVERAL)


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
    for module, forms in ((varied, FORMS), (varied_gpus, FORMS + KINETO)):
        for letter, numbers in module.SETS.items():
            for make in module.SCENES:
                scene, said = make(numbers)
                for form, ending, write in forms:
                    path = scratch(f"{make.__name__}-{letter}.{ending}")
                    getattr(scene, write)(path)
                    check_scene(tap, f"{make.__name__} {letter} ({form})", path, said)
    tap.done()


if __name__ == "__main__":
    main()
