#!/usr/bin/env python3
"""`stepscope dump` tells the derived data that tables are made of: its steps, gaps and counts are those of the tables, in a window too."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import Tap, need_program, number, scratch, stepscope, table  # noqa: E402

TRACE = os.path.join(HERE, "../golden/small/two_steps.json")


def dump(tap, name, *args):
    run = stepscope("dump", TRACE, *args)
    tap.ok(run.status == 0 and run.err == "", f"dump {name}", run.told())
    rows = [re.findall(r"(\w+)(?:=| (?=\d))?(\S*)", line) for line in run.out.splitlines()]
    return [{"what": line.split()[0], **dict(row)} for line, row in zip(run.out.splitlines(), rows)]


def of(rows, what):
    return [row for row in rows if row["what"] == what]


def counted(rows):
    """Events by kind, added up over rows."""
    kinds = {}
    for row in rows:
        for key in ("op", "kernel", "copy", "runtime", "annotation"):
            kinds[key] = kinds.get(key, 0) + int(row.get(key, 0))
    return kinds


def main():
    need_program()
    tap = Tap()
    rows = dump(tap, "of a trace")
    tap.equal([row["label"] for row in of(rows, "step")], [str(row["step"]) for row in table("steps", TRACE).rows], "the steps are those of the table")
    gaps = {int(row["gap"]): int(row["dur_ns"]) for row in of(rows, "gap")}
    tap.equal(gaps, {number(row["gap"]): number(row["dur_ns"]) for row in table("gaps", TRACE).rows}, "so are the gaps, with their ids")
    tap.ok(gaps, "and there are some")
    tap.equal(sum(int(row["work"]) for row in of(rows, "step_device")), 3, "work of steps on devices")
    events = table("events", TRACE).rows
    expected = {kind: sum(row["kind"] == kind for row in events) for kind in ("op", "kernel", "copy", "runtime", "annotation")}
    tap.equal(counted(of(rows, "track")), expected, "each event stands on one track")
    members = [row for row in of(rows, "members") if row["step"] != "-"]
    tap.equal(sum(counted(members).values()), sum(row["step"] is not None for row in events), "and those of steps with their step")
    roles = [row["role"] for row in of(rows, "track") if "role" in row]
    tap.equal(roles, [row["role"] for row in table("streams", TRACE).rows], "the roles of the streams")
    one = dump(tap, "of a step", "--step", "42")
    tap.equal([row["label"] for row in of(one, "step")], ["42"], "a window holds its steps only")
    kernels = dump(tap, "of what a filter keeps", "--filter", "kind=kernel")
    tap.equal(counted(of(kernels, "track")), {**dict.fromkeys(expected, 0), "kernel": expected["kernel"]}, "a filter keeps what it says")
    sides = {row["name"]: int(row["rows"]) for row in of(rows, "side_table")}
    tap.equal([name for name in ("kernels", "copies", "host_details", "ends") if name not in sides], [], "the tables beside the events are told")
    tap.ok(sides["kernels"] > 0, "with the number of their rows", str(sides))
    late = scratch("late.json")
    with open(late, "w", encoding="utf-8") as f:
        f.write('{"traceEvents": [{"ph": "X", "name": "op", "cat": "cpu_op", "ts": 10, "dur": 5, "pid": 1, "tid": 1},'
                '{"ph": "i", "name": "end", "ts": 15, "pid": 1, "tid": 2, "s": "t"}]}')
    tap.ok(" instant=1" in stepscope("dump", late).out, "an instant at the end of the trace is there")
    tap.done()


if __name__ == "__main__":
    main()
