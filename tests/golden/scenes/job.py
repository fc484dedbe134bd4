"""A made-up job of several ranks (ranks.py), what the program says of it, and checks against the plan."""
import ranks
from harness import number, scratch, table

MS = ranks.MS
REASONS = ("exposed_waiting_ns", "exposed_link_ns", "exposed_in_line_ns", "exposed_late_ns", "exposed_last_ns", "exposed_untold_ns")
STEP = [("wait", 1), ("compute", 20), ("call", "AllReduce", 2, {"items": 1_000_000}), ("compute", 2)]


def steps(n, *items):
    return [list(items)] * n


def late(rank, ms, base=20):
    """Compute that takes so much longer on one rank."""
    return ("compute", {rank: base + ms, "else": base})


class Job:
    def __init__(self, tap, name, size, plan, options=(), **how):
        self.tap, self.name = tap, name
        self.folder = scratch(name.replace(" ", "_"))
        self.calls = ranks.make(self.folder, size, plan, **how)
        self.options, self.kept = options, {}

    def rows(self, name):
        if name not in self.kept:
            self.kept[name] = [{k: number(v) for k, v in r.items()} for r in table(name, self.folder, *self.options).rows]
        return self.kept[name]

    def is_(self, got, expected, what):
        self.tap.equal(got, expected, f"{self.name}: {what}")

    def near(self, got, expected, tolerance, what):
        self.tap.ok(got is not None and abs(got - expected) <= tolerance, f"{self.name}: {what}", f"expected {expected}, got {got}")

    def truth(self):
        """Waits, transfers and who is last, from the plan."""
        waits, moving, last = {}, 0, {}
        for _, members in self.calls:
            begun = max(a for a, _ in members.values())
            for r, (a, b) in members.items():
                waits[r] = waits.get(r, 0) + min(begun, b) - a
                moving += b - max(begun, a)
            ends = [r for r in members if members[r][0] == begun]
            if len(ends) == 1:
                last[ends[0]] = last.get(ends[0], 0) + 1
        return waits, moving, last

    def as_planned(self, tolerance=0):
        waits, moving, last = self.truth()
        rows, replicas = self.rows("collectives"), {r["rank"]: r for r in self.rows("replicas")}
        self.near(sum(r["wait_ns"] or 0 for r in rows), sum(waits.values()), tolerance * len(rows), "wait of all")
        self.near(sum(r["transfer_ns"] or 0 for r in rows), moving, tolerance * len(rows), "transfer of all")
        if tolerance == 0:
            self.is_({r: replicas[r]["collective_wait_ns"] for r in replicas}, {r: waits.get(r, 0) for r in replicas}, "wait by rank")
        self.is_({r: replicas[r]["last_at"] for r in replicas if replicas[r]["last_at"]}, last, "who is last, how often")
        self.is_([r["event"] for r in rows if (r["wait_ns"] is None) != (r["transfer_ns"] is None) or
                  (r["wait_ns"] is not None and r["wait_ns"] + r["transfer_ns"] != r["dur_ns"])], [], "wait and transfer add up")
        self.is_([r["event"] for r in rows if r["exposed_comms_ns"] + r["hidden_comms_ns"] != r["dur_ns"]], [], "exposed and hidden add up")
        self.reasons_add_up()

    def reasons_add_up(self):
        steps = self.rows("collective_steps")
        self.is_([r["step"] for r in steps if sum(r[k] for k in REASONS) != r["exposed_comms_ns"] or
                  r["exposed_comms_ns"] + r["hidden_comms_ns"] != r["communication_ns"]], [], "why it is exposed adds up, and so does what is hidden")

    def exposed(self, rank=0, **expected):
        """Of every step of a rank: ms by reason."""
        keys = dict(zip(("waiting", "link", "stream", "late", "last", "untold"), REASONS))
        got = {tuple(r[k] for k in REASONS) for r in self.rows("collective_steps") if r["rank"] == rank}
        self.is_(got, {tuple(ranks.ns(expected.get(k, 0)) for k in keys)}, f"why it is exposed on rank {rank}")
        self.reasons_add_up()

    def because(self, rank, words):
        row = next(r for r in self.rows("replicas") if r["rank"] == rank)
        self.is_(row["late_because"], words, f"rank {rank} is late because")

    def finding(self, rule):
        found = [r for r in table("findings", self.folder, *self.options).rows if r["rule"] == rule]
        return found[0] if found else {"severity": None, "sentence": ""}

    def says(self, rule, severity, *words):
        f = self.finding(rule)
        self.tap.ok(f["severity"] == severity and all(w in f["sentence"] for w in words), f"{self.name}: {rule} {severity} {words}",
                    f"{f['severity']}: {f['sentence']}")
