#!/usr/bin/env python3
"""Details of Kineto and Chrome traces that few files have, each with a trace of a few entries made here."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, need_program, number, scratch, stepscope, table  # noqa: E402


def trace(name, events):
    path = scratch(name)
    with open(path, "w") as f:
        json.dump({"schemaVersion": 1, "traceEvents": events}, f)
    return path


def work(cat, name, at, device=0, stream=7, corr=1, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": device, "tid": stream, "ts": at, "dur": 10,
            "args": {"device": device, "stream": stream, "correlation": corr, **args}}


def call(cat, at, corr):
    return {"ph": "X", "cat": cat, "name": "launch", "pid": 9, "tid": 9, "ts": at, "dur": 2, "args": {"correlation": corr}}


def accelerators(tap):
    """Words of Kineto's plugins: what is device work of each, and what calls it."""
    for device, runtime in (("mtia_ccp_events", "mtia_runtime"), ("kernel", "xpu_runtime"), ("kernel", "privateuse1_runtime"), ("kernel", "gcu_runtime"),
                            ("kernel", "hpu_op"), ("gcu_memcpy", "gcu_driver"), ("gcu_memset", "gcu_runtime")):
        path = trace(f"{device}-{runtime}.json", [call(runtime, 0, 1), work(device, "Memcpy HtoD" if "memcpy" in device else "k", 5)])
        row, launches = table("devices", path).rows, table("launches", path).rows
        tap.equal([number(r["busy_ns"]) for r in row], [10000], f"{device} keeps a device busy")
        tap.equal([(r["api"], number(r["latency_p50_ns"])) for r in launches], [("launch", 5000)], f"and {runtime} launches it")


def unknown(tap):
    path = trace("unknown.json", [call("npu_runtime", 0, 1), work("npu_task", "a", 5), work("npu_task", "b", 15), work("npu_copy", "c", 25)])
    facts, notes = table("trace", path).keyed(), {row["note"]: row["times"] for row in table("notes", path).rows}
    tap.equal((facts.get("fact:unknown_device_categories"), notes.get("category_unknown")), ("npu_task, npu_copy", 3), "unknown device categories are named in a note")
    plain = trace("plain.json", [{"ph": "X", "cat": "mine", "name": "x", "pid": 1, "tid": 1, "ts": 0, "dur": 1, "args": {"device": 0}}])
    tap.ok("category_unknown" not in {row["note"] for row in table("notes", plain).rows}, "a program's own events are none")


def counters(tap):
    path = trace("counter.json", [{"ph": "C", "name": "load", "pid": 1, "ts": t, "args": {"cpu": v}} for t, v in ((0, "1.5"), (10, "2"), (20, "many"))])
    notes, facts = {row["note"]: row["times"] for row in table("notes", path).rows}, table("trace", path).keyed()
    tap.equal((number(facts["events_merged"]), notes.get("counter_not_number")), (2, 1), "a counter's number may be a text")
    tap.ok(not stepscope("report", path, "--format", "html").crashed, "and is drawn")


def arrows(tap):
    """Events that say themselves what arrow goes in and out; their ids hold for all categories and processes."""
    def event(ph, name, at, pid=1, **more):
        return {"ph": ph, "name": name, "cat": name, "pid": pid, "tid": 1, "ts": at, "args": {}, **({"dur": 4} if ph == "X" else {}), **more}
    path = trace("bind_id.json", [
        event("X", "send", 0, bind_id="0x1", flow_out=True), event("X", "inner", 0), event("X", "relay", 10, 2, bind_id="0x1", flow_in=True, flow_out=True),
        event("B", "receive", 20, bind_id="0x1", flow_in=True), event("B", "nested", 20), event("E", "", 22), event("E", "", 25),
        event("X", "alone", 30, bind_id="0x2", flow_in=True), event("X", "unnamed", 40, flow_out=True), event("X", "plain", 50, bind_id="0x3"),
        {"ph": "s", "cat": "bind_id", "name": "v1", "id": 1, "pid": 1, "tid": 1, "ts": 51}])
    out = scratch("bind_id_out.json")
    stepscope("export", path, "-o", out)
    with open(out) as f:
        points = [(e["ph"], e["id"], e["pid"], e["ts"]) for e in json.load(f)["traceEvents"] if e["ph"] in "sf"]
    tap.equal(points, [("s", 1, 1, 0), ("f", 1, 2, 10), ("s", 2, 2, 10), ("f", 2, 1, 24.999)], "flow_in and flow_out make arrows, each to its own event")
    notes, facts = {row["note"]: row["times"] for row in table("notes", path).rows}, table("trace", path).keyed()
    tap.equal((notes.get("arrow_unmatched"), notes.get("flow_unbound")), (2, 1), "ends without the other one are noted")
    tap.equal([number(facts[k]) for k in ("events_shown", "events_merged")], [8, 2], "arrows of events are no entries of their own")


def main():
    need_program()
    tap = Tap()
    accelerators(tap)
    unknown(tap)
    counters(tap)
    arrows(tap)
    tap.done()


if __name__ == "__main__":
    main()
