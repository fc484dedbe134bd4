"""Why ranks are late, and who is named: what the host of the late one did, several that are late together, another one each time, steps
that alone wait; what to do about collectives, by what they are for. Run by t_collectives.py."""
from job import MS, Job, late, steps

CALL = ("call", "AllReduce", 1)


def hosts(tap):
    """The host's part of lateness is told by what it did, and by the event that it did it in."""
    for name, item, words, within, advice in (
            ("an allocator", ("host", {1: 5}, "cudaMalloc", "cuda_runtime"), "its driver takes longer to allocate and free memory", "cudaMalloc", "expandable_segments"),
            ("garbage collection", ("host", {1: 5}, "Python GC", "cpu_op"), "its Python interpreter takes longer", "Python GC", "gc.freeze()"),
            ("an op of its host", ("host", {1: 5}), "its host works longer", "aten::item_of_mine", "find out what its host does"),
            ("a wait for its device", ("host", {1: 5}, "cudaStreamSynchronize", "cuda_runtime"), "its host waits longer for its device", "cudaStreamSynchronize", "run ahead")):
        j = Job(tap, f"late by {name}", 3, steps(8, ("compute", 10), item, ("compute", 1), CALL))
        j.as_planned()
        j.because(1, words)
        row = next(r for r in j.rows("replicas") if r["rank"] == 1)
        j.is_(row["late_because_in"], within, "in which event")
        j.near(row["late_because_ns"] / row["judged_calls"], 5 * MS, 50_000, "by how much")
        j.says("waits-for-rank", "fail", words, f"more than the others' mean, most in {within})")
        j.tap.ok(advice in j.finding("waits-for-rank")["advice"], f"{j.name}: what to do", j.finding("waits-for-rank")["advice"])


def beside_compute(tap):
    """While the others wait they compute what the late one still has before it: its kernels take no longer, whatever it does between the two calls."""
    j = Job(tap, "late once, computing later", 3, steps(8, ("compute", 10), ("host", {1: 5}), ("compute", 1), ("under", {1: 1, "else": 6}, CALL), ("compute", {1: 5}), CALL))
    j.as_planned()
    j.is_({r["compute_per_step_ns"] for r in j.rows("replicas")}, {17 * MS}, "all compute alike")
    j.because(1, "its host works longer")
    row = next(r for r in j.rows("replicas") if r["rank"] == 1)
    j.is_((row["last_at"], row["judged_calls"]), (16, 16), "it is last at both calls of each step")
    j.near(row["late_because_ns"] / row["judged_calls"], 5 * MS, 50_000, "by what it lost once")
    j = Job(tap, "late twice, computing more", 3, steps(8, ("under", {1: 6, "else": 4}, CALL), ("compute", {1: 7, "else": 5}), CALL))
    j.because(1, "its kernels take longer")


def many_ranks(tap):
    """Of a large job as many calls are judged as have 4,096 members: those that waited most."""
    j = Job(tap, "64 ranks, one late", 64, [[("compute", {9: 10 + i % 4, "else": 10}), CALL] for i in range(96)])
    row = next(r for r in j.rows("replicas") if r["rank"] == 9)
    j.is_((row["last_at"], row["judged_calls"]), (72, 64), "64 calls of 64 are judged")
    j.because(9, "its kernels take longer")
    j.is_(row["late_because_ns"], (24 * 3 + 24 * 2 + 16) * MS, "those with most waiting")


def together(tap):
    """Two are late, one of them a little more: the others would hardly wait less without it."""
    j = Job(tap, "two are late", 4, steps(8, ("compute", {1: 25, 2: 25.1, "else": 20}), CALL))
    j.as_planned()
    j.is_([(r["waited_for_ns"], r["late_alone_ns"]) for r in j.rows("replicas")],
          [(0, 0), (0, 0), (8 * (5_100_000 * 2 + 100_000), 8 * 3 * 100_000), (0, 0)], "what would go if it came with the last but one")
    j.says("waits-for-rank", "warn", "Rank 2 is last at 8 of 8", "all but 2.400 ms of it for another one as well")
    j.tap.ok("Several ranks are late together" in j.finding("waits-for-rank")["advice"], f"{j.name}: what to do", j.finding("waits-for-rank"))
    j.is_(j.finding("waits-for-rank")["about"], "waiting for other ranks", "no single one is to blame")
    j = Job(tap, "one is late, another one a little", 4, steps(8, ("compute", {1: 21, 2: 25, "else": 20}), CALL))
    j.tap.ok("as well" not in j.finding("waits-for-rank")["sentence"], f"{j.name}: one is named alone", j.finding("waits-for-rank"))
    j.is_(j.finding("waits-for-rank")["about"], "waiting for rank 2", "and is to blame")


def in_turn(tap):
    """Another one each time: none is named as the late one."""
    plan = [[late(i % 4, 5), CALL] for i in range(8)]
    j = Job(tap, "each is late in turn", 4, plan)
    j.as_planned()
    j.says("waits-for-rank", "warn", "Ranks wait 120.000 ms for each other", "for no single one: longest for rank 0, 30.000 ms, last at 2 of its 8")
    j.tap.ok("Another one is late each time" in j.finding("waits-for-rank")["advice"], f"{j.name}: what to do", j.finding("waits-for-rank"))
    j.is_(j.finding("waits-for-rank")["about"], "waiting for other ranks", "no single one is to blame")
    j.tap.ok("why ranks are late" in j.finding("collectives")["advice"], f"{j.name}: all are late", j.finding("collectives")["advice"])


def outliers(tap):
    """Three of eleven steps wait for the input of one rank; the steady ones do not."""
    plan = [[("wait", {2: 9 if i in (3, 6, 9) else 1, "else": 1}), ("compute", 20), CALL] for i in range(11)]
    j = Job(tap, "some steps wait", 3, plan)
    j.as_planned()
    j.says("waits-for-rank", "warn", "Rank 2 is last at 3 of 11", "of 48.000 ms of waiting in all (0.0 % of steady steps, 17.8 % of outliers)", "it waits longer for its input")
    j.is_({(r["step"], r["phase"]) for r in j.rows("collective_steps") if r["rank"] == 0}, {(f"r0:{i}", "outlier" if i in (3, 6, 9) else "steady") for i in range(11)},
          "which steps these are")
    plan = [[("wait", {2: 9 if i == 0 else 1, "else": 1}), ("compute", 20), CALL] for i in range(11)]
    j = Job(tap, "the first step waits", 3, plan)
    j.says("waits-for-rank", "pass", "0.0 % of their steps")


def unmatched(tap):
    """Two ranks, whose calls nothing ties together."""
    j = Job(tap, "many calls of a generic kernel", 2, steps(6, late(1, 3), ("call", "Generic", 1)), recorded=False)
    j.says("waits-for-rank", "warn", "Rank 1 is last at 6 of 6", "by 3.000 ms on average")
    j = Job(tap, "three calls of a generic kernel", 2, steps(3, late(1, 3), ("call", "Generic", 1)), recorded=False)
    j.is_({r["call"] for r in j.rows("collectives")}, {None}, "are not matched")
    j.says("waits-for-rank", "unknown", "Cannot tell who waits for whom", "nothing says which collectives of the devices are one call")
    comms = j.finding("collectives")
    j.tap.ok("it may be waiting as well as transfer" in comms["sentence"] and "No call is known on two ranks" in comms["advice"] and "One rank alone" not in comms["advice"],
             f"{j.name}: no word of a rank that is alone", comms)
    ring = [("compute", 5)] + [("send", r, 1 - r, 1, {"desc": "mesh_cp"}) for r in range(2)]
    j = Job(tap, "a ring whose ends are matched", 2, steps(6, *ring))
    comms = j.finding("collectives")
    j.tap.ok("rank" not in (comms["about"] or "") and "One rank alone" not in comms["advice"], f"{j.name}: nobody is named, nobody is alone", comms)
    one = Job(tap, "one rank of two, alone", 2, steps(6, ("compute", 5), CALL), ranks=[0])
    one.tap.ok("One rank alone" in one.finding("collectives")["advice"], f"{one.name}: is told to be alone", one.finding("collectives"))


def hiding(tap):
    """What to do about time that nothing hides depends on what the collectives are for."""
    for desc, op, part in (("mesh_fsdp", "AllGather", "forward_prefetch"), ("mesh_tp", "AllReduce", "async tensor parallelism"), ("ep", "AllToAll", "beside the all-to-alls"),
                           ("cp", "AllGather", "next block of keys"), ("dp", "AllReduce", "DistributedDataParallel")):
        j = Job(tap, f"exposed for {desc}", 2, steps(6, ("compute", 5), ("call", op, 2, {"desc": desc})))
        j.tap.ok(part in j.finding("collectives")["advice"], f"{j.name}: what to do", j.finding("collectives"))
    j = Job(tap, "exposed for FSDP without a description", 2, steps(6, ("compute", 5), ("call", "AllGather", 2, {"within": "FSDP::all_gather"})))
    j.tap.ok("forward_prefetch" in j.finding("collectives")["advice"], f"{j.name}: what to do", j.finding("collectives"))


CHECKS = (hosts, beside_compute, many_ranks, together, in_turn, outliers, unmatched, hiding)
