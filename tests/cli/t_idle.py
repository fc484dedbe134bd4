#!/usr/bin/env python3
"""Idle time has one cause at each moment: on every real trace, for each device and step, the causes add up to the idle time to
the ns; so do the rows of idle_causes, the halves of a window, and what the findings claim."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import TRACES, TableError, Tap, need_program, number, skip_all, table

NOT_CAUSES = {"start_ns", "dur_ns", "idle_ns", "longest_ns"}


def causes(row):
    return {c: number(v) for c, v in row.items() if c.endswith("_ns") and c not in NOT_CAUSES}


def key(row):
    return row["host"], row["rank"], row["device"]


def sums(rows):
    out = {}
    for r in rows:
        out[key(r)] = out.get(key(r), 0) + number(r["idle_ns"])
    return out


def wholes(rows):
    """Two recordings of one worker have the same names: their devices are added up."""
    return sums([r for r in rows if r["step"] == "all"])


def check_sums(tap, label, path):
    rows = table("idle", path).rows
    wrong = [(r["step"], key(r), sum(causes(r).values()), r["idle_ns"]) for r in rows if sum(causes(r).values()) != number(r["idle_ns"])]
    tap.ok(not wrong, f"{label}: {len(rows)} rows of idle time, the causes add up", str(wrong[:4]))
    idle = wholes(rows)
    tap.equal(sums(table("idle_causes", path).rows), {k: v for k, v in idle.items() if v}, f"{label}: idle_causes adds up to the idle time of each device")
    tap.equal(idle, sums([r for r in table("devices", path).rows if key(r) in idle]), f"{label}: that is what the table of devices says")
    claimed = sum(number(r["claimed_idle_ns"]) or 0 for r in table("findings", path).rows)
    tap.ok(claimed <= sum(idle.values()), f"{label}: findings claim no ns twice", f"{claimed} of {sum(idle.values())}")
    return rows


def check_window(tap, label, path, rows):
    """Cut in the middle of the longest idle time: what is on both sides is the whole, cause by cause."""
    whole = [r for r in rows if r["step"] == "all" and number(r["idle_ns"])]
    if not whole:
        return
    gap = max((g for g in table("gaps", path).rows if g["scope"] == "device"), key=lambda g: number(g["dur_ns"]))
    cut = number(gap["start_ns"]) + number(gap["dur_ns"]) // 2
    both = {}
    for window in (f"0ns..{cut}ns", f"{cut}ns..100000s"):
        for r in table("idle", path, "--window", window).rows:
            if r["step"] == "all":
                for cause, ns in causes(r).items():
                    both[cause] = both.get(cause, 0) + ns
    tap.equal(both, {c: sum(causes(r)[c] for r in whole) for c in both}, f"{label}: causes of two windows add up to those of the whole")


def main():
    need_program()
    if not os.path.isdir(TRACES):
        skip_all("no ../shared/traces")
    tap = Tap()
    for kind in ("kineto", "xspace", "tf"):
        for name in sorted(os.listdir(os.path.join(TRACES, kind))):
            label, path = f"{kind}/{name}", os.path.join(TRACES, kind, name)
            try:
                if table("devices", path).rows:
                    check_window(tap, label, path, check_sums(tap, label, path))
            except TableError as e:
                tap.ok("broken" in name or "legacy" in name, label, repr(e))
    tap.done()


main()
