"""Step time of every real trace whose steps have markers, worked out a second time from the table of events: from the begin of the
marker to the later of its end and the end of the last member, but not beyond the next marker of that name on the same host."""
import os

from harness import TRACES, TableError, corpus, number, table

import shown
from corpus import refusal


def end_of(event):
    return int(event["start_ns"]) + int(event["dur_ns"])


def marker_of(step, members):
    """The longest host event that begins with the step and has its name."""
    at = [e for e in members if int(e["start_ns"]) == number(step["start_ns"]) and e["name"].startswith(step["name"]) and e["kind"] not in ("kernel", "copy", "memset")]
    return max(at, key=lambda e: int(e["dur_ns"]), default=None)


def expected(step, steps, members):
    start, marker = int(step["start_ns"]), marker_of(step, members)
    after = min((int(s["start_ns"]) for s in steps if (s["name"], s["host"]) == (step["name"], step["host"]) and int(s["start_ns"]) > start), default=None)
    end = max(map(end_of, members))
    return marker and max(end_of(marker), end if after is None else min(end, after)) - start


def compare(tap, name, path):
    try:
        steps = [s for s in table("steps", path).rows if s["step_source"] == "marker"]
        members = {}
        for e in shown.events(path) if steps else ():
            members.setdefault(e["step"], []).append(e)
    except TableError as e:
        return tap.ok(False, f"{name} opens", e)
    if steps:
        wrong = [(s["step"], number(s["dur_ns"]), want) for s in steps if (want := expected(s, steps, members[s["step"]])) != number(s["dur_ns"])]
        tap.equal(wrong, [], f"{name}: {len(steps)} steps last to the end of their last member or to the next marker")
    return None


def jobs():
    for name in corpus():
        path = os.path.join(TRACES, name)
        if not refusal(name):
            yield path, (lambda tap, n=name, p=path: compare(tap, n, p))
