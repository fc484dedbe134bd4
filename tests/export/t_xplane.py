#!/usr/bin/env python3
"""Slices of an XSpace as an XSpace: events are those of the recording byte by byte, metadata what they refer to, read back the tables of the
window are the same; counters keep the sample that holds; what is no XSpace is refused; XProf, where it can be had, opens them."""
import gzip
import json
import os
import subprocess
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."), os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden")]
import mkxspace
import slices
import xspace_format
from harness import ROOT, SANITIZED, TRACES, Tap, corpus, need_program, scratch, stepscope, table, unpacked
from pypi import python_with

SAMPLES = ("xspace/jax-mi300-gemm/tw003.xplane.pb", "xspace/jax-mi300-attention/tw003.xplane.pb", "xspace/jax-mi300-conv-legacy/chi-mi300x-013.xplane.pb")
JSON = os.path.join(ROOT, "tests/golden/small/two_steps.json")


def made():
    """A thread, a stream, a counter; names that share a fusion; a plane of programs; an event of no place."""
    s = mkxspace.Space(hostnames=["worker-0"], warnings=["careful"])
    host = s.plane("/host:CPU")
    thread = host.line(7, "python", timestamp_ns=1000)
    child = host.event_meta("inner of the fusion", stats={"note": mkxspace.Ref("kept")})
    fusion = host.event_meta("fusion", children=(child,))
    for i in range(10):
        thread.event(fusion if i == 5 else f"call {i}", start_ns=1000 + i * 100, dur_ns=90, stats={"correlation_id": mkxspace.Uint(i + 1), "said": f"text {i}"})
    thread.event("counted elsewhere", occurrences=3)
    gpu = s.plane("/device:GPU:0", stats={"core_count": 108})
    stream = gpu.line(14, "Stream #14(Compute)", timestamp_ns=1000)
    for i in range(10):
        stream.event(f"kernel {i}", start_ns=1050 + i * 100, dur_ns=100, stats={"correlation_id": mkxspace.Uint(i + 1), "kernel_details": mkxspace.Ref("regs:32 grid:8,1,1 block:256,1,1")})
    counter = gpu.line(99, "_counters_power", timestamp_ns=1000)
    for i in range(10):
        counter.event("watts", start_ns=1000 + i * 100, stats={"value": 100.0 + i})
    s.plane("/host:metadata").event_meta("program", stats={"Hlo Proto": b"\\x00\\x01"})
    path = scratch("worker-0.xplane.pb")
    s.write(path)
    return path


def names(space, plane):
    p = next(p for p in space if p.name == plane)
    return [p.events[e.id][0].decode() for l in p.lines for e in l.events]


def by_hand(tap):
    path = made()
    whole = scratch("all.xplane.pb")
    slices.export(path, whole)
    tap.ok(unpacked(whole) == unpacked(path), "a whole trace is the recording, byte by byte")
    out = scratch("part.xplane.pb")
    slices.export(path, out, "--window=420ns..580ns")
    space, source = xspace_format.read(unpacked(out)), xspace_format.read(unpacked(path))
    tap.equal(xspace_format.faults(space), [], "metadata are those that are referred to, and all of these")
    tap.equal([p.name for p in space], [p.name for p in source], "planes stay")
    tap.equal([[l.name for l in p.lines] for p in space], [[l.name for l in p.lines] for p in source], "lines stay")
    tap.equal(names(space, b"/host:CPU"), ["call 2", "call 3", "call 4", "fusion", "call 6"],
              "calls of the window, and those that launched its work and the work beside it")
    tap.ok(b"inner of the fusion" in [n for n, _, _ in space[0].events.values()], "what a name's children are called goes along")
    counters = [e for l in space[1].lines for e in l.events if l.name == b"_counters_power"]
    tap.equal([e.offset_ps for e in counters], [400_000, 500_000], "samples: the one that holds when the window begins, and those in it")
    slices.xspace_marks(tap, "by hand", [space[0]._replace(lines=space[0].lines[:1])], 1420, 1580)
    plain = {e.bytes for p in source for l in p.lines for e in l.events}
    events = [(e.bytes, xspace_format.mark(p, e)) for p in space for l in p.lines for e in l.events]
    tap.ok(all(any(b.startswith(x) for x in plain) if m else b in plain for b, m in events), "events are as recorded, but for their mark")
    packed = scratch("part.xplane.pb.gz")
    slices.export(path, packed, "--window=420ns..580ns")
    with open(out, "rb") as x, gzip.open(packed, "rb") as y:
        tap.ok(x.read() == y.read(), ".gz is the same, packed")
    tap.equal(table("events", packed).rows, table("events", out).rows, "and is read")


def refused(tap):
    run = stepscope("export", JSON, "-o", scratch("x.xplane.pb"))
    tap.ok(run.status == 2 and ".json.gz" in run.err and not os.path.exists(scratch("x.xplane.pb")), "another format is refused, with what to write", run.told())
    path = made()
    run = stepscope("export", path, "--redact", "-o", scratch("x.xplane.pb"))
    tap.ok(run.status == 2 and "redact" in run.err, "a recording cannot be redacted, and says so", run.told())
    saved = scratch("worker-0.stepscope")
    stepscope("pack", path, "-o", saved)
    other = scratch("gone.xplane.pb")
    os.rename(path, other)
    run = stepscope("export", saved, "--window=420ns..580ns", "-o", scratch("x.xplane.pb"))
    tap.ok(run.status in (2, 3) and "worker-0" in run.err, "without the recording there is nothing to cut", run.told())
    with open(other, "rb") as f:
        data = f.read()
    with open(path, "wb") as f:
        f.write(data[:-40])
    run = stepscope("export", path, "--window=420ns..580ns", "-o", scratch("x.xplane.pb"))
    tap.ok(run.status == 3 and "byte" in run.err and not os.path.exists(scratch("x.xplane.pb")), "a damaged one is refused, and says where", run.told())
    two = [scratch("a.xplane.pb"), scratch("b.xplane.pb")]
    for p in two:
        with open(p, "wb") as f:
            f.write(data)
    run = stepscope("export", *two, "-o", scratch("x.xplane.pb"))
    tap.ok(run.status == 2 and "one host" in run.err, "several hosts are refused", run.told())


XPROF = """
import json, sys
from xprof.convert.raw_to_tool_data import xspace_to_tool_data
data, _ = xspace_to_tool_data([sys.argv[1]], "kernel_stats", {})
told = json.loads(data)
cols = [c["id"] for c in told["cols"]]
print(json.dumps([dict(zip(cols, (c["v"] for c in row["c"]))) for row in told["rows"]]))
"""


def sums(rows, name, count, ns):
    made = {}
    for r in rows:
        k, t = made.get(r[name], (0, 0))
        made[r[name]] = (k + int(r[count]), t + ns(r))
    return made


def xprof(tap):
    python, why = (None, "no instrumented xprof") if SANITIZED else python_with("xprof", "xprof==2.24.2")
    if not python:
        tap.skip("XProf opens slices", why)
        return
    for name in SAMPLES[:2]:
        path = os.path.join(TRACES, name)
        (a_ns, b_ns), = slices.places(path, [(30, 70)])
        out = os.path.join(scratch(f"xprof at {a_ns}"), os.path.basename(name))  # it keeps what it computed beside the file
        os.makedirs(os.path.dirname(out))
        slices.export(path, out, f"--window={a_ns}ns..{b_ns}ns")
        done = subprocess.run([python, "-c", XPROF, out], capture_output=True, text=True, timeout=120)
        told = json.loads(done.stdout.strip().splitlines()[-1]) if done.returncode == 0 else []
        its = sums(told, "kernel_name", "occurrences", lambda r: round(r["total_duration_us"] * 1000))
        ours = sums(table("kernels", out, "--semantics=xprof").rows, "name", "kernels", lambda r: int(r["total_ns"]))
        near = set(its) == set(ours) and all(its[k][0] == ours[k][0] and abs(its[k][1] - ours[k][1]) <= ours[k][0] for k in ours)
        tap.ok(ours and near, f"{name}: XProf's kernels of the slice are ours", f"{done.stderr[-500:]}\n{its}\n{ours}")


def main():
    need_program()
    tap = Tap()
    by_hand(tap)
    refused(tap)
    for name in SAMPLES if corpus() else ():
        for a_ns, b_ns in slices.places(os.path.join(TRACES, name), [(0, 100), (30, 60)]):
            slices.xspace_window(tap, os.path.join(TRACES, name), name, a_ns, b_ns)
    if corpus():
        xprof(tap)
    tap.done()


main()
