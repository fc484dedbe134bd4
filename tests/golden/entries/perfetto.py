"""Slices, unclosed begins, flows and counters against Perfetto's trace_processor, for every JSON file of the corpus.
Where we differ on purpose the difference is computed from the raw file by the reason given here, never just accepted."""
import json
import os

import count
import shown
from harness import ORACLES, TRACES, TableError, Table, number, stepscope, table

SLICE_PHASES = set("XBiIRbn")


def is_negative(text):
    return str(text).startswith("-")


# What the reference leaves out and we show: (reason, test on one raw entry)
LEFT_OUT = [
    ("an X without dur is an instant for us, a parse failure there", lambda e: e.get("ph") == "X" and "dur" not in e),
    ("an event before time 0 is dropped there", lambda e: e.get("ph") in SLICE_PHASES and is_negative(e.get("ts", "0"))),
]


def not_bound(wanted):
    """Arrows the reference lost by its own ledger: thread numbers written as a number in flows and as a text in slices."""
    return sum(int(stat["value"]) for stat in wanted["stats"] if stat["name"] == "flow_no_enclosing_slice")


# Arrows that are in the file, found by reading it, and that the reference does not draw.
MORE_FLOWS = {"chrome/catapult/flow_simple.json": 1}  # SenderA -> OtherSlice -> SomeSlice and SenderB -> Blergh: three


class Ours:
    def __init__(self, path):
        self.facts = {k: number(v) for k, v in shown.facts(path).items()}
        run = stepscope("notes", path, "--format", "json")
        self.notes = {row["note"]: row["times"] for row in Table(run.out).rows}
        self.tracks = table("tracks", path).rows

    def noted(self, *words):
        return sum(number(self.notes.get(w, 0)) for w in words)

    def counters(self):
        return [t for t in self.tracks if t["track_kind"] == "counter"]


def compare(tap, name, wanted):
    raw = count.json_events(os.path.join(TRACES, name))
    try:
        ours = Ours(os.path.join(TRACES, name))
    except (TableError, ValueError, KeyError) as e:
        tap.ok(False, f"{name} opens", repr(e))
        return
    slices = wanted["slices"][0]
    extra = [(reason, sum(1 for e in raw if test(e))) for reason, test in LEFT_OUT]
    expected = int(slices["n"]) + sum(n for _, n in extra)
    tap.ok(ours.facts["events_shown"] == expected, f"{name}: slices",
           f"expected {slices['n']} + {[x for x in extra if x[1]]} = {expected}\ngot {ours.facts['events_shown']}")
    tap.equal(ours.noted("begin_without_end", "async_begin_without_end"), int(slices["unclosed"]), f"{name}: unclosed")
    counters = wanted["counters"][0]
    tap.equal(len(ours.counters()), int(counters["tracks"]), f"{name}: counter series")
    tap.equal(sum(number(t["counter_samples"]) for t in ours.counters()), int(counters["n"]), f"{name}: counter samples")
    flows = int(wanted["flows"][0]["n"]) + not_bound(wanted) + MORE_FLOWS.get(name, 0)
    tap.equal(ours.facts.get("flows"), flows, f"{name}: flows")


def jobs():
    oracle = os.path.join(ORACLES, "perfetto.json")
    if not os.path.exists(oracle):
        yield "", lambda tap: tap.skip("trace_processor's numbers", "no ../shared/reference/oracles")
        return
    with open(oracle, encoding="utf-8") as f:
        for name, wanted in json.load(f).items():
            yield os.path.join(TRACES, name), (lambda tap, n=name, w=wanted: compare(tap, n, w))
