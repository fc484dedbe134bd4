#!/usr/bin/env python3
"""Who waits for whom: jobs of several ranks with known answers (ranks.py), and the real ones against a count of its own."""
import glob
import gzip
import json
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenes"))
import device_pairs
import groups
import harness
import late as late_ones
import ranks
import real
import sizes
from harness import number, scratch, table
from job import MS, Job, late, steps

# ---- lateness and its reasons ----------------------------------------------------------------------------------------------------

def reasons(tap):
    j = Job(tap, "rank 3 computes 5 ms longer", 4, steps(8, late(3, 5), ("call", "AllReduce", 1), ("compute", 1)))
    j.as_planned()
    j.because(3, "its kernels take longer")
    j.says("waits-for-rank", "warn", "Rank 3 is last at 8 of 8", "by 5.000 ms on average", "120.000 ms", "its kernels take longer (5.000 ms more than the others' mean)")
    j.says("replicas", "warn", "Rank 3 computes")
    j.is_(j.finding("waits-for-rank")["lost_ns"], 8 * 3 * 5 * MS, "at stake: the waiting of all three others")
    j.is_(j.finding("collectives")["about"], "waiting for rank 3", "and collectives are expensive for that reason")
    j = Job(tap, "rank 1 waits for input", 4, steps(8, ("wait", {1: 6, "else": 1}), ("compute", 20), ("call", "AllReduce", 1)))
    j.as_planned()
    j.because(1, "it waits longer for its input")
    j.says("replicas", "pass", "compute about equally long")
    j = Job(tap, "rank 2 has a busy host", 3, steps(8, ("host", {2: 4, "else": 1}), ("compute", 10), ("call", "AllReduce", 1)))
    j.as_planned()
    j.because(2, "its host works longer")
    j = Job(tap, "nobody is late", 4, steps(8, ("compute", 20), ("call", "AllReduce", 3)))
    j.as_planned()
    j.says("waits-for-rank", "pass", "0.0 %")
    j.is_([r["last_rank"] for r in j.rows("collectives")], [None] * 32, "nobody is last")
    j = Job(tap, "two take turns", 2, steps(8, ("compute", {0: 11, 1: 10}), ("call", "AllReduce", 1), ("compute", {0: 10, 1: 11}),
                                              ("call", "AllReduce", 1)))
    j.as_planned()
    j = Job(tap, "late by a step that begins later", 2, steps(6, ("compute", 10), ("call", "AllReduce", 1)), begin={1: 7})
    j.as_planned()
    j = Job(tap, "one step alone", 4, steps(1, late(3, 5), ("call", "AllReduce", 1)))
    j.as_planned()
    j.says("waits-for-rank", "info", "Rank 3 is last at 1 of 1", "from a single iteration")


def comms_pane(folder):
    return harness.play("wait Guide\nsettle\nkeys 8\nwait last at\nsettle\nscreen\nkeys Q\nend\n", folder, "--no-cache", size="80x24").screens[-1]


# ---- which calls belong together ----------------------------------------------------------------------------------------------------

def matching(tap):
    plan = steps(8, late(1, 3), ("call", "AllReduce", 1), ("compute", {"else": 2, 0: 3}), ("call", "AllReduce", 1))
    Job(tap, "numbered", 4, plan).as_planned()
    Job(tap, "a group without numbers", 4, plan, seq=False).as_planned()
    Job(tap, "nothing recorded", 4, plan, recorded=False).as_planned()
    Job(tap, "no steps and nothing recorded", 4, plan, recorded=False, marks=False).as_planned()
    j = Job(tap, "one call and no step", 4, steps(1, late(1, 3), ("call", "AllReduce", 1)), marks=False)
    shown = " ".join(" ".join(comms_pane(j.folder)).split())
    tap.ok("longest for rank 1, 9.000 ms in all, which is last at 1 of its 1 matched calls; there are no steps" in shown,
           "no steps: the pane says who is waited for, and that nothing tells what it costs", shown)
    pairs = [("call", "AllReduce", 1, {"ranks": r, "group": g, "desc": "mesh_tp"}) for r, g in (([0, 1], "1"), ([2, 3], "2"))]
    tp = steps(6, late(1, 3), *pairs, late(2, 4), *pairs, ("compute", 1), ("call", "AllReduce", 2))
    for seq in (True, False):
        j = Job(tap, f"tensor parallel pairs{'' if seq else ' without numbers'}", 4, tp, seq=seq)
        j.as_planned()
        j.is_(sorted({(r["comm_group"], r["call_devices"]) for r in j.rows("collectives")}), [("default_pg", 4), ("mesh_tp", 2)],
              "groups and their sizes")
    j = Job(tap, "one rank is missing", 4, steps(6, late(3, 5), ("call", "AllReduce", 1)), ranks=[0, 1, 2])
    j.is_({r["call_devices"] for r in j.rows("collectives")}, {3}, "three devices of the call are recorded")
    j.is_(sum(r["wait_ns"] for r in j.rows("collectives")), 0, "who is missing cannot be named")
    j = Job(tap, "one rank alone", 4, steps(6, late(3, 5), ("call", "AllReduce", 1)), ranks=[2])
    j.is_({(r["wait_ns"], r["transfer_ns"], r["call"], r["last_rank"]) for r in j.rows("collectives")}, {(None, None, None, None)},
          "one rank cannot tell")
    j.says("waits-for-rank", None)
    j = Job(tap, "sends and receives", 2, steps(6, ("compute", 5), ("call", "SendRecv", 1)))
    j.is_({r["call"] for r in j.rows("collectives")}, {None}, "are not matched as if all took part")
    j = Job(tap, "broadcasts of a recorded group", 2, steps(6, late(1, 2), ("call", "Broadcast", 1)))
    j.as_planned()
    j = Job(tap, "broadcasts by name alone", 2, steps(6, late(1, 2), ("call", "Broadcast", 1)), recorded=False)
    j.is_({r["call"] for r in j.rows("collectives")}, {None}, "need not end together and are not matched")


# ---- clocks ----------------------------------------------------------------------------------------------------------------------------

def clocks(tap):
    plan = steps(40, late(1, 3), ("call", "AllReduce", 1, {"items": 1 << 20}), ("compute", 5))
    j = Job(tap, "clocks agree", 3, plan)
    j.is_({(r["axis"], r["axis_shift_ns"], r["axis_residual_ns"]) for r in j.rows("hosts")}, {("recorded times", 0, 0)}, "recorded times")
    j = Job(tap, "clocks 20 us apart", 2, plan, offsets={1: 0.02})
    j.is_({r["axis"] for r in j.rows("hosts")}, {"recorded times"}, "too little to move anything")
    for name, how in (("clocks 3 s apart", {"offsets": {1: 3000}}), ("a clock 700 us behind", {"offsets": {1: -0.7}}),
                      ("clocks 3 s apart, drifting", {"offsets": {1: 3000}, "drifts": {1: 20}}),
                      ("clocks apart, nothing recorded", {"offsets": {1: 40, 2: -80}, "recorded": False})):
        j = Job(tap, name, 3, plan, **how)
        j.as_planned(tolerance=2000)
        hosts = {r["rank"]: r for r in j.rows("hosts")}
        j.is_({r["axis"] for r in hosts.values()}, {"collectives"}, "moved by collectives")
        j.near(hosts[1]["axis_shift_ns"] - hosts[0]["axis_shift_ns"], ranks.ns(how["offsets"].get(1, 0)) + how.get("drifts", {}).get(1, 0) * 1_000_000, 100_000, "shift of rank 1")
        if "drifts" in how:
            j.near(hosts[1]["axis_drift_ppm"], 20, 1, "drift of rank 1")
        j.tap.ok(all(r["axis_residual_ns"] < 2000 for r in hosts.values()), f"{name}: what is left")


# ---- bytes, rates, cost ----------------------------------------------------------------------------------------------------------------

def costs(tap):
    j = Job(tap, "bytes of an AllReduce", 4, steps(6, ("compute", 5), ("call", "AllReduce", 2, {"items": 5_000_000})),
            options=("--link-bandwidth", "10GB/s"))
    row = j.rows("collectives")[0]
    j.is_([row[k] for k in ("message_bytes", "dtype", "expected_ns", "algorithm_bytes_per_s", "bus_bytes_per_s")],
          [20_000_000, "fp32", 2 * MS, 10e9, 15e9], "bytes, type, expected, both bandwidths")
    j.says("collective-speed", "pass", "1.00 times")
    j = Job(tap, "a slow link", 4, steps(6, ("compute", 5), ("call", "AllReduce", 4, {"items": 5_000_000})),
            options=("--link-bandwidth", "80Gbit/s"))
    j.as_planned()
    j.says("collective-speed", "warn", "2.00 times", "2.000 ms")
    j.says("waits-for-rank", "pass")
    for op, items, out, dtype, each, bus in (("AllGather", 1000, 8000, "BFloat16", 2, 7 / 8), ("ReduceScatter", 8000, 1000, "Half", 2, 7 / 8),
                                             ("AllReduce", 4096, 4096, "Double", 8, 14 / 8)):
        j = Job(tap, f"{op} of {dtype}", 8, steps(4, ("compute", 5), ("call", op, 1, {"items": items, "out": out, "dtype": dtype})))
        row = j.rows("collectives")[0]
        j.is_((row["op"], row["message_bytes"], round(row["bus_bytes_per_s"] / row["algorithm_bytes_per_s"], 9)),
              (op, max(items, out) * each, round(bus, 9)), "the whole message, and the bus factor of 8 devices")
    j = Job(tap, "half hidden", 2, steps(6, ("compute", 5), ("under", 3, ("call", "AllReduce", 6))))
    j.is_({(r["hidden_comms_ns"], r["exposed_comms_ns"]) for r in j.rows("collectives")}, {(3 * MS, 3 * MS)}, "3 of 6 ms under compute")
    j = Job(tap, "hidden as a whole", 2, steps(6, ("compute", 5), ("under", 9, ("call", "AllReduce", 6))))
    j.is_({(r["hidden_comms_ns"], r["exposed_comms_ns"]) for r in j.rows("collectives")}, {(6 * MS, 0)}, "6 of 6 ms under compute")
    many = [("call", "AllReduce", 1, {"items": 1000})] * 12
    j = Job(tap, "twelve small ones", 2, steps(6, ("compute", 50), *many))
    j.is_({(r["collective_calls"], r["step_message_bytes"], r["smallest_bytes"]) for r in j.rows("collective_steps")}, {(12, 48_000, 4000)},
          "12 calls per step")
    j.says("collective-sizes", "warn", "12 collectives", "3.9 KiB")
    j = Job(tap, "twelve small ones under compute", 2, steps(6, ("compute", 50), *[("under", 3, x) for x in many]))
    j.says("collective-sizes", "info", "12 collectives", "3.9 KiB")
    j = Job(tap, "one large one", 2, steps(6, ("compute", 50), ("call", "AllReduce", 12, {"items": 1 << 26})))
    j.says("collective-sizes", "pass", "One collective")
    j = Job(tap, "buckets of a usual size", 2, steps(6, ("compute", 50), *[("call", "AllReduce", 3, {"items": 6_500_000})] * 4))
    j.says("collective-sizes", "info", "24.8 MiB")
    large = ("call", "AllReduce", 6, {"items": 1 << 20})
    j = Job(tap, "two in steps of two lengths", 2, steps(6, large, ("call", "AllReduce", 6, {"items": 3 << 20}), ("compute", {0: 50, 1: 20})))
    rows = j.rows("collective_steps")
    share = 100 * sum(r["transfer_ns"] for r in rows) / sum(r["dur_ns"] for r in rows)
    j.says("collective-sizes", "info", f"{share:.1f} % of the steps without waiting", "8.0 MiB each")


def why_exposed(tap):
    """Each reason alone, and two together; the last ones are as exposed for another reason."""
    j = Job(tap, "no compute left", 2, steps(6, ("compute", 5), ("call", "AllReduce", 2)))
    j.exposed(last=2)
    j.is_({r["exposed_by"] for r in j.rows("collectives")}, {"no compute left"}, "each call says so")
    j.says("collectives", "fail", "goes to collectives that nothing hides: high; all of their exposed time with no compute left")
    j = Job(tap, "waited for a rank, then no compute left", 2, steps(6, late(1, 5), ("call", "AllReduce", 2)))
    j.exposed(rank=0, waiting=5, last=2)
    j.exposed(rank=1, last=2)
    j.is_({(r["rank"], r["exposed_by"]) for r in j.rows("collectives")}, {(0, "waited for a rank"), (1, "no compute left")}, "each call says so")
    j.says("collectives", "fail", "55.6 % of their exposed time while they wait for other ranks")
    j = Job(tap, "a link of half the speed", 2, steps(6, ("compute", 5), ("call", "AllReduce", 4, {"items": 5_000_000})), options=("--link-bandwidth", "10GB/s"))
    j.exposed(link=2, last=2)
    j = Job(tap, "a link of the speed that is told", 2, steps(6, ("compute", 5), ("call", "AllReduce", 2, {"items": 5_000_000})), options=("--link-bandwidth", "10GB/s"))
    j.exposed(last=2)
    j = Job(tap, "launched late", 2, steps(6, ("compute", 5), ("host", 3), ("call", "AllReduce", 2)))
    j.exposed(late=2)
    j.says("collectives", "fail", "all of their exposed time because they are launched when compute is over")
    j = Job(tap, "launched a little late", 2, steps(6, ("compute", 5), ("host", 0.1), ("call", "AllReduce", 2)))
    j.exposed(last=2)
    j = Job(tap, "on the compute stream", 2, steps(6, ("compute", 5), ("host", 3), ("call", "AllReduce", 2, {"stream": 7})))
    j.exposed(stream=2)
    j.says("collectives", "fail", "all of their exposed time on the stream that computes")
    j = Job(tap, "half hidden, for a reason", 2, steps(6, ("compute", 5), ("under", 3, ("call", "AllReduce", 6))))
    j.exposed(last=3)
    j = Job(tap, "hidden while it waits", 2, steps(6, late(1, 4, 5), ("under", 3, ("call", "AllReduce", 2))))
    j.exposed(rank=0, waiting=1, last=2)
    j.says("waits-for-rank", "warn", "24.000 ms of waiting in all (18.0 % of steady steps, 4.5 % exposed; 9.0 % more in transfers that it leaves without compute beside them)")
    j = Job(tap, "compute hides all waiting", 2, steps(6, late(1, 4, 5), ("under", 9, ("call", "AllReduce", 2))))
    j.as_planned()
    j.says("waits-for-rank", "info", "Rank 1 is last at 6 of 6", "24.000 ms of waiting in all (18.2 % of steady steps, 0.0 % exposed)")
    j.is_(j.finding("waits-for-rank")["lost_ns"], 0, "nothing is at stake")
    j = Job(tap, "hidden as a whole, for no reason", 2, steps(6, ("compute", 5), ("under", 9, ("call", "AllReduce", 6))))
    j.exposed()
    j.is_({r["exposed_by"] for r in j.rows("collectives")}, {None}, "nothing is exposed")
    j = Job(tap, "one rank alone of two", 2, steps(6, ("compute", 5), ("call", "AllReduce", 2)), ranks=[0])
    j.exposed(untold=2)
    j.says("collectives", "fail", "in calls of whose other ranks nothing is known, so that it may be waiting as well as transfer")
    j = Job(tap, "one rank alone, launched late", 2, steps(6, ("compute", 5), ("host", 3), ("call", "AllReduce", 2)), ranks=[0])
    j.exposed(untold=2)


def pipeline_step(stages, batches, forward, backward, moving=0.1, facts=None):
    """All forward, then all backward (GPipe); every item concerns one or two ranks, so each rank keeps the order of its own."""
    out = []
    facts = {"items": 250_000, **(facts or {})}
    for b in range(batches):
        for s in range(stages):
            out.append(("compute", {s: forward}))
            if s + 1 < stages:
                out.append(("send", s, s + 1, moving, facts))
    for b in range(batches):
        for s in reversed(range(stages)):
            out.append(("compute", {s: backward}))
            if s:
                out.append(("send", s, s - 1, moving, facts))
    return out + [("call", "AllReduce", 0.5)]


def pipelines(tap):
    """A pipeline of 4 stages: what each rank does is known, and the rest of the step is bubble."""
    for name, how in (("four stages", {}), ("four stages by annotations", {"recorded": False})):
        stages, batches, n = 4, 4, 5
        j = Job(tap, name, stages, [pipeline_step(stages, batches, 2, 4)] * n, **how)
        rows = j.rows("pipeline_stages")
        j.is_([(r["stage"], r["rank"], r["stage_steps"]) for r in rows], [(s, s, n) for s in range(stages)], "stages in their order")
        j.is_([r["stage_compute_ns"] for r in rows], [n * batches * 6 * MS] * stages, "compute of every stage")
        j.is_([(r["sends"], r["receives"]) for r in rows], [(n * batches * k, n * batches * k) for k in (1, 2, 2, 1)], "sends and receives")
        moved = {s: sum(b - max(a for a, _ in m.values()) for op, m in j.calls if op == "Send" and s in m for _, b in [m[s]]) for s in range(stages)}
        for r in rows:
            j.is_(r["bubble_ns"], r["stage_steps_ns"] - r["stage_compute_ns"] - moved[r["rank"]] - n * MS // 2, f"bubble of stage {r['stage']}")
        # the formula of the textbook: (stages - 1) / (batches + stages - 1), but for transfers and the reduction
        for r in rows:
            j.near(r["bubble_pct"], 100 * 3 / 7, 4, f"stage {r['stage']}: near (p - 1) / (m + p - 1)")
        if not how:
            j.is_([r["sent_bytes"] for r in rows], [n * batches * k * 1_000_000 for k in (1, 2, 2, 1)], "bytes sent")
        j.is_({r["call_devices"] for r in j.rows("collectives") if r["op"] in ("Send", "Recv")}, {2}, "each send has its receive")
        j.is_([r for r in j.rows("collectives") if r["wait_ns"] + r["transfer_ns"] != r["dur_ns"]], [], "wait and transfer add up")
        j.says("pipeline-bubble", "fail", "The 4 stages")
        j.is_(j.finding("pipeline-bubble")["lost_ns"], sum(r["bubble_ns"] for r in rows), "at stake: the bubbles of all stages")
        j.is_({r["rank"]: (r["matched_calls"], r["last_at"]) for r in j.rows("replicas")}, {0: (n, n), 1: (n, 0), 2: (n, 0), 3: (n, 0)},
              "who sends is not late; at the reduction the first stage is")
        j.says("waits-for-rank", "info")
    few = Job(tap, "more micro-batches", 4, [pipeline_step(4, 16, 2, 4)] * 4)
    few.near(few.rows("pipeline_stages")[0]["bubble_pct"], 100 * 3 / 19, 5, "a smaller bubble")
    j = Job(tap, "two stages, ends as places in a group", 4, [pipeline_step(2, 2, 3, 3)] * 4)
    j.is_([r["rank"] for r in j.rows("pipeline_stages")], [0, 1], "only those that send and receive are stages")
    ring = [("compute", 5)] + [("send", r, (r + 1) % 4, 0.2) for r in range(4)]
    j = Job(tap, "a ring", 4, [ring] * 5)
    j.is_(j.rows("pipeline_stages"), [], "is no pipeline")
    j.says("pipeline-bubble", None)
    j = Job(tap, "a stage alone", 4, [pipeline_step(4, 4, 2, 4)] * 4, ranks=[1])
    j.is_((j.rows("pipeline_stages"), {r["wait_ns"] for r in j.rows("collectives")}), ([], {None}), "one rank of four cannot tell")


def parameters(tap):
    """What the user tells counts where the trace does not."""
    plan = steps(6, ("compute", 50), ("call", "AllReduce", 20))
    j = Job(tap, "parameters", 2, plan, recorded=False, options=("--parameters", "25e6", "--link-bandwidth", "10GB/s"))
    j.is_({(r["message_bytes"], r["expected_ns"]) for r in j.rows("collectives")}, {(100_000_000, 10 * MS)}, "4 bytes of each")
    j.says("collective-speed", "warn", "2.00 times", "10.000 ms")
    j = Job(tap, "parameters beside a record", 2, steps(6, ("compute", 50), ("call", "AllReduce", 20, {"items": 1000})),
            options=("--parameters", "25e6"))
    j.is_({r["message_bytes"] for r in j.rows("collectives")}, {4000}, "the record counts")
    for word, why in (("--parameters=-3", "a number above 0"), ("--parameters=many", "a number above 0"), ("--link-bandwidth=fast", "10GB/s")):
        run = harness.stepscope("table", "collectives", j.folder, word)
        tap.ok(run.status == 2 and why in run.err, f"{word} is refused", run.told())


def serial(tap):
    j = Job(tap, "devices in turn", 2, steps(6, ("compute", {0: 10}), ("host", {1: 10}), ("compute", {1: 10}), ("host", {0: 10})))
    j.is_({r["overlap_pct"] for r in j.rows("replicas")}, {0}, "no overlap")
    j.says("serial-devices", "warn", "take turns", "0.0 %")
    j = Job(tap, "devices together", 2, steps(6, ("compute", 10), ("host", 1)))
    j.says("serial-devices", None)


def apart(tap):
    """Two recordings of one rank, one after the other, are no two devices that take turns; two ranks whose clocks differ are beside each other."""
    folder = scratch("spans")
    for i, begin in enumerate((0, 5000)):
        ranks.make(os.path.join(folder, str(i)), 1, steps(6, ("compute", 10), ("host", 2)), begin=begin)
        os.rename(os.path.join(folder, str(i), "rank0.json"), os.path.join(folder, f"worker0.{i}.pt.trace.json"))
        os.rmdir(os.path.join(folder, str(i)))
    j = Job.__new__(Job)
    j.tap, j.name, j.folder, j.options, j.kept = tap, "two spans of one rank", folder, (), {}
    j.is_([(r["overlap_pct"], r["compute_to_mean"]) for r in j.rows("replicas")], [(None, None)] * 2, "are not compared")
    j.says("serial-devices", None)
    j.says("replicas", None)
    j.says("input-replicas", None)
    for seq in (True, False):
        folder = scratch(f"twice{seq}")
        for i in range(2):
            ranks.make(os.path.join(folder, str(i)), 1, steps(6, ("compute", 10), ("call", "AllReduce", 2)), seq=seq)
            os.rename(os.path.join(folder, str(i), "rank0.json"), os.path.join(folder, f"worker0.{i}.pt.trace.json"))
            os.rmdir(os.path.join(folder, str(i)))
        tap.equal({(r["call"], r["wait_ns"]) for r in table("collectives", folder).rows}, {(None, None)},
                  f"one rank's file twice{'' if seq else ', without numbers'}: nobody waits for himself")
    folder = scratch("two_hosts")
    for name in ("first", "second"):
        ranks.make(os.path.join(folder, name), 1, steps(6, ("compute", 10), ("call", "AllReduce", 2)))
        with open(os.path.join(folder, name, "rank0.json"), encoding="ascii") as f:
            text = re.sub(r'"distributedInfo": \{[^}]*\}', '"unknown": 0', f.read())
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="ascii") as f:
            f.write(text)
        os.unlink(os.path.join(folder, name, "rank0.json"))
        os.rmdir(os.path.join(folder, name))
    told = harness.stepscope("table", "replicas", folder, "-q").out
    tap.equal([told.count(f"{name} GPU 0 ") for name in ("first", "second")], [1, 1], "hosts without ranks: each row is of its own host")
    j = Job(tap, "ranks together whose clocks differ", 2, steps(20, late(1, 2), ("call", "AllReduce", 1)), offsets={1: 4000})
    tap.ok(all(r["overlap_pct"] > 90 for r in j.rows("replicas")), "they work together all the same", j.rows("replicas"))
    j.says("serial-devices", None)


# ---- real ones ------------------------------------------------------------------------------------------------------------------------

def dlrm(tap):
    folder = os.path.join(harness.TRACES, "kineto", "dlrm-8rank-nccl")
    files = sorted(glob.glob(os.path.join(folder, "*.json.gz")))
    if not files:
        tap.skip("eight ranks of DLRM", "the trace corpus is not here")
        return
    by_rank = {}
    for path in files:
        with gzip.open(path) as f:
            doc = json.load(f)
        by_rank[doc["distributedInfo"]["rank"]] = sorted(
            (e["ts"] * 1000, (e["ts"] + e["dur"]) * 1000) for e in doc["traceEvents"]
            if e.get("cat") == "kernel" and e["name"].startswith("nccl"))
    calls = [("", dict(zip(by_rank, members))) for members in zip(*by_rank.values())]
    j = Job.__new__(Job)
    j.tap, j.name, j.folder, j.options, j.kept, j.calls = tap, "eight ranks of DLRM", folder, (), {}, calls
    j.as_planned()
    rows = j.rows("collectives")
    j.is_((sum(r["wait_ns"] for r in rows), sum(r["transfer_ns"] for r in rows)), (46_843_000, 1_699_000), "46.843 ms wait, 1.699 ms transfer")
    j.is_([r["last_at"] for r in j.rows("replicas")], [0, 0, 0, 0, 1, 2, 0, 5], "rank 7 is last at 5 of 8")
    j.is_({(r["op"], r["call_devices"]) for r in rows}, {("AllToAll", 8), ("AllReduce", 8)}, "all-to-all by its annotation")
    j.is_(sorted({r["message_bytes"] for r in rows if r["op"] == "AllReduce"}), sorted({394241 * 4, *[r["message_bytes"] for r in rows if r["op"] == "AllReduce"]}),
          "bytes by the shapes of the annotation")
    j.is_({r["axis"] for r in j.rows("hosts")}, {"recorded times"}, "the recorded times agree")
    j.says("waits-for-rank", "warn", "Rank 7 is last at 5 of 8", "46.843 ms", "its step begins later")
    alone, exposed = (sum(r[k] for r in j.rows(t)) for t, k in (("steps", "collectives_ns"), ("collective_steps", "exposed_comms_ns")))
    j.is_((alone, exposed, j.finding("collectives")["lost_ns"]), (46_880_000, 46_890_000, alone), "what nothing hides is at stake; copies stand beside the rest")
    j.says("collectives", "fail", "36.6 % of the step time goes to collectives that nothing hides", "96.6 % of their exposed time while they wait")
    shown = comms_pane(folder)
    at = [i for i, line in enumerate(shown) if line.rstrip().endswith("is recorded.")]
    j.tap.ok(at and shown[at[0] + 1].startswith(" device"), "eight ranks of DLRM: the sentence stands as a whole above the list", "\n".join(shown))
    whole = {n: table(n, folder).rows for n in ("kernels",)}
    apart = sum(number(r["kernels"]) for path in files for r in table("kernels", path).rows)
    j.is_(sum(number(r["kernels"]) for r in whole["kernels"]), apart, "kernels of all ranks are those of each")


# What HolisticTraceAnalysis 0.5.0 says of it: get_comm_comp_overlap, get_potential_stragglers (2 candidates, last step included).
HTA_OVERLAP_PCT = {0: 4.50, 1: 2.47, 2: 7.88, 3: 3.31, 4: 0.56, 5: 0.64, 6: 7.56, 7: 9.51}
HTA_STRAGGLERS = [2, 7]


def as_hta(tap):
    """The share of communication that compute hides is HTA's. Its stragglers follow from our table: of the op whose last long call (1 % of
    the step or more) differs most in length between ranks, the ranks whose last long call begins last. That misses ranks 4 and 5, which
    others wait for too: their last calls are short because they are late."""
    folder = os.path.join(harness.TRACES, "kineto", "dlrm-8rank-nccl")
    if not os.path.isdir(folder):
        tap.skip("numbers of HTA", "the trace corpus is not here")
        return
    steps_of = [{k: number(v) for k, v in r.items()} for r in table("collective_steps", folder).rows]
    tap.equal({r["rank"]: round(100 * r["hidden_comms_ns"] / r["communication_ns"], 2) for r in steps_of}, HTA_OVERLAP_PCT,
              "overlap of communication and compute by rank, as HTA says it")
    calls = [{k: number(v) for k, v in r.items()} for r in table("collectives", folder).rows]
    long_ns = 0.01 * (max(r["start_ns"] + r["dur_ns"] for r in steps_of) - min(r["start_ns"] for r in steps_of))
    last = {}
    for r in calls:
        if r["dur_ns"] >= long_ns:
            last.setdefault(r["op"], {})[r["rank"]] = r
    op = max(last, key=lambda o: statistics.stdev(r["dur_ns"] for r in last[o].values()))
    late = sorted(last[op].values(), key=lambda r: -r["start_ns"])[:2]
    tap.equal(sorted(r["rank"] for r in late), HTA_STRAGGLERS, "its stragglers, derived")
    last_at = {number(r["rank"]): number(r["last_at"]) for r in table("replicas", folder).rows}
    tap.equal(max(last_at, key=last_at.get), 7, "the one that is last most often is among them")


HTA_IS_COMMUNICATION = re.compile(r"^nccl|^hip|^hccl|ncclKernel")


def overlaps(tap):
    """HTA's share on every other Kineto trace that it can read: none where it knows no communication, else of the same kernels."""
    oracle = os.path.join(harness.ORACLES, "hta.json")
    if not os.path.exists(oracle) or not os.path.isdir(harness.TRACES):
        tap.skip("overlap as HTA has it", "no ../shared")
        return
    with open(oracle, encoding="utf-8") as f:
        entries = [e for e in json.load(f) if e.get("overlap_pct") and len(e["files"]) == 1]
    for e in entries:
        path = os.path.join(harness.TRACES, "kineto", e["name"])
        names = {number(r["id"]): r["name"] for r in table("events", path, "--filter", "kind=kernel name=/nccl|^hip|^hccl/", "--top", "0").rows}
        calls = [r for r in table("collectives", path).rows if HTA_IS_COMMUNICATION.search(names.get(number(r["event"]), ""))]
        total = sum(number(r["dur_ns"]) for r in calls)
        got = round(100 * sum(number(r["hidden_comms_ns"]) for r in calls) / total, 2) if total else None
        tap.equal(got, e["overlap_pct"][0]["comp_comm_overlap_pctg"], f"{e['name']}: overlap as HTA has it")
    tap.ok(len(entries) > 15, "all traces that HTA reads", len(entries))


def merged(tap):
    """A merged import of several ranks holds the same calls as imports of each rank alone; only what needs the others is new."""
    folder = os.path.join(harness.TRACES, "kineto", "dlrm-8rank-nccl")
    own = scratch("merged")
    ranks.make(own, 3, steps(6, late(1, 3), ("under", 3, ("call", "AllReduce", 1, {"items": 5000})), ("call", "AllGather", 2)))
    for where, name in ((folder, "eight ranks of DLRM"), (own, "three ranks")):
        files = sorted(glob.glob(os.path.join(where, "*.json*")))
        if not files:
            tap.skip(name, "the trace corpus is not here")
            continue
        keys = ("rank", "op", "dur_ns", "message_bytes", "dtype", "exposed_comms_ns", "hidden_comms_ns", "comm_group")
        def counted(paths):
            return sorted(str([number(r[k]) for k in keys]) for p in paths for r in table("collectives", p).rows)
        tap.equal(counted([where]), counted(files), f"{name}: calls, bytes, exposed and hidden time are those of each rank alone")
    told = harness.stepscope("report", own, "--window", "all", "--format", "md", "-q").out
    tap.ok("What the launching thread of rank 0 GPU 0 did" in told, "a report of several ranks says whose launching thread it tells of", told[:400])


def multimem(tap):
    """An all-reduce without NCCL in its name, and one all-gather whose record tells all of it."""
    path = os.path.join(harness.TRACES, "kineto", "b200-eager", "eager_trace.json.gz")
    if not os.path.exists(path):
        tap.skip("multimem kernels", "the trace corpus is not here")
        return
    rows = table("collectives", path).rows
    ops = {}
    for r in rows:
        ops[r["op"]] = ops.get(r["op"], 0) + 1
    tap.equal(ops.get("AllReduce"), 73, "multimem kernels are all-reduces")
    with gzip.open(path) as f:
        told = [e["args"] for e in json.load(f)["traceEvents"] if e.get("cat") == "kernel" and "Collective name" in e.get("args", {})]
    gathers = [r for r in rows if r["op"] == "AllGather"]
    size = {"BFloat16": 2, "Float": 4, "Half": 2}
    tap.equal([number(r["message_bytes"]) for r in gathers],
              [max(a["In msg nelems"], a["Out msg nelems"]) * size[a["dtype"]] for a in told], "bytes of the gather as recorded")
    tap.equal({(r["wait_ns"], r["call"]) for r in rows}, {(None, None)}, "one rank of eight cannot tell who waits")
    excess = [r["sentence"] for r in table("findings", path).rows if r["rule"] == "excess-copies"]
    tap.ok(len(excess) == 1 and excess[0].endswith(" 0 ns in all."), "of copies that cost nothing none is named as the largest part", excess)


def of_xla(tap):
    """All-reduces that only their instruction names, on four devices of one host."""
    path = os.path.join(harness.TRACES, "xspace", "tpu-inference", "tpu_inference_2.xplane.pb")
    if not os.path.exists(path):
        tap.skip("all-reduces of XLA", "the trace corpus is not here")
        return
    rows = [{k: number(v) for k, v in r.items()} for r in table("collectives", path).rows]
    tap.equal({(r["op"], r["call_devices"]) for r in rows}, {("AllReduce", 4)}, "three calls on four devices")
    tap.equal(len(rows), 12, "of 12 events in all")
    tap.equal([r for r in rows if r["wait_ns"] + r["transfer_ns"] != r["dur_ns"] or r["wait_ns"] > 3000], [], "which hardly wait for each other")


def launched_apart(tap):
    """Steps of a device that lie 600 ms from those of another: neither waits for its launches while the other is fed."""
    path = os.path.join(harness.TRACES, "xspace", "tf-v100-multi-worker", "34.83.195.179_6003.xplane.pb")
    if not os.path.exists(path):
        tap.skip("steps that lie apart", "the trace corpus is not here")
        return
    tap.equal([r for r in table("findings", path).rows if r["rule"] == "launch-order"], [], "launches of steps that lie apart are not compared")
    tap.equal({number(r["late_steps"]) for r in table("launch_order", path).rows} - {None}, {0}, "and none is late")


def main():
    harness.need_program()
    tap = harness.Tap()
    for check in (reasons, matching, clocks, costs, why_exposed, pipelines, parameters, serial, apart, dlrm, as_hta, overlaps, merged, multimem, of_xla, launched_apart, *late_ones.CHECKS, *device_pairs.CHECKS, *groups.CHECKS, *sizes.CHECKS, *real.CHECKS):
        check(tap)
    tap.done()


if __name__ == "__main__":
    main()
