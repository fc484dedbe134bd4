"""Process groups: what they are for, which ranks are recorded, how evenly all-to-alls and input are spread. Run by t_collectives.py."""
from job import Job, late, steps

KINDS = (("mesh_tp", "TP"), ("TENSOR_MODEL_PARALLEL_GROUP", "TP"), ("dp", "DP"), ("DATA_PARALLEL_GROUP", "DP"), ("dp_shard", "FSDP"), ("fsdp", "FSDP"),
         ("pipe", "PP"), ("mesh_pp", "PP"), ("EXPERT_MODEL_PARALLEL_GROUP", "EP"), ("ep", "EP"), ("mesh_cp", "CP"), ("CONTEXT_PARALLEL_GROUP", "CP"),
         ("default_pg", None), ("DATA_PARALLEL_GROUP_WITH_CP", None), ("tensors", None))


def kinds(tap):
    plan = [("compute", 5)] + [("call", "AllReduce", 1, {"group": str(i), "desc": desc}) for i, (desc, _) in enumerate(KINDS)]
    j = Job(tap, "kinds of groups", 2, steps(4, *plan))
    j.as_planned()
    j.is_([(r["comm_group"], r["group_kind"]) for r in j.rows("comm_groups")], list(KINDS), "by their descriptions")
    j.is_({(r["comm_group"], r["group_kind"]) for r in j.rows("collectives")}, set(KINDS), "in the table of calls, too")
    j.is_({(r["group_calls"], r["lone_calls"], r["group_ranks"], r["recorded_ranks"], r["missing_ranks"]) for r in j.rows("comm_groups")},
          {(8, 0, 2, 2, None)}, "nothing is missing")
    j.says("missing-ranks", None)
    ring = [("compute", 5)] + [("send", r, 1 - r, 0.2, {"desc": "mesh_cp"}) for r in range(2)]
    j = Job(tap, "context parallelism of two", 2, steps(5, *ring))
    j.is_(j.rows("pipeline_stages"), [], "is no pipeline")


def purposes(tap):
    """DDP's buckets and FSDP's gathers are told by what is around their launch."""
    within = (("AllReduce", "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", "DDP bucket"),
              ("AllGather", "FSDP::all_gather", "FSDP gather"), ("ReduceScatter", "FSDP::post_backward_reduce", "FSDP scatter"),
              ("AllReduce", "my_own_sync", None))
    plan = [("compute", 5)] + [("call", op, 1, {"within": around}) for op, around, _ in within]
    j = Job(tap, "purposes", 2, steps(4, *plan))
    j.is_({(r["op"], r["purpose"]) for r in j.rows("collectives")}, {(op, p) for op, _, p in within}, "by the annotations around the launch")


def missing(tap):
    plan = steps(6, late(3, 5), ("call", "AllReduce", 1))
    j = Job(tap, "rank 3 is not there", 4, plan, ranks=[0, 1, 2])
    j.is_([(r["group_ranks"], r["recorded_ranks"], r["missing_ranks"], r["group_calls"], r["lone_calls"]) for r in j.rows("comm_groups")],
          [(4, 3, 3, 18, 18)], "3 of 4 ranks, and no call is whole")
    j.says("missing-ranks", "info", "3 of the 4 ranks", "not recorded: 3")
    j = Job(tap, "one of eight", 8, steps(6, ("compute", 5), ("call", "AllReduce", 1)), ranks=[5])
    j.is_([(r["recorded_ranks"], r["missing_ranks"]) for r in j.rows("comm_groups")], [(1, "0-4, 6-7")], "its ranks are listed")
    j.says("missing-ranks", "unknown", "Cannot tell who waits for whom", "1 of the 8 ranks", "0-4, 6-7")
    j = Job(tap, "three of 40", 40, steps(4, ("compute", 5), ("call", "AllReduce", 1)), ranks=[0, 1, 35])
    j.is_([(r["group_ranks"], r["recorded_ranks"], r["missing_ranks"]) for r in j.rows("comm_groups")], [(40, 3, "2-29 and 9 that are not listed")],
          "30 ranks are listed, one of the others is recorded")
    j.says("missing-ranks", "info", "3 of the 40 ranks", "not recorded: 2-29 and 9 that are not listed")
    j = Job(tap, "the listed ones of 40", 40, steps(4, ("compute", 5), ("call", "AllReduce", 1)), ranks=range(30))
    j.is_([(r["recorded_ranks"], r["missing_ranks"]) for r in j.rows("comm_groups")], [(30, "10 that are not listed")], "all that are listed are there, and that is not all")
    j = Job(tap, "all 40", 40, steps(2, ("compute", 5), ("call", "AllReduce", 1)))
    j.is_([(r["recorded_ranks"], r["missing_ranks"], r["lone_calls"]) for r in j.rows("comm_groups")], [(40, None, 0)], "none is missing, though 30 are listed")
    j = Job(tap, "all are there", 4, plan)
    j.says("missing-ranks", None)
    j = Job(tap, "nothing is recorded of groups", 4, plan, recorded=False)
    j.is_([(r["comm_group"], r["group_ranks"], r["lone_calls"]) for r in j.rows("comm_groups")], [(None, None, 0)], "one row")
    j.says("missing-ranks", None)
    plan = steps(6, ("compute", 5), ("call", "AllReduce", 1)) + steps(3, ("compute", 5), ("call", "AllReduce", 1, {"ranks": [0], "lone": True}))
    j = Job(tap, "more calls on one rank", 2, plan)
    j.is_([(r["group_calls"], r["lone_calls"]) for r in j.rows("comm_groups")], [(15, 3)], "three have no counterpart")
    j.says("missing-ranks", "info", "3 of 15 calls")


def experts(tap):
    """Rank 1 holds the experts that most tokens go to."""
    heavy = {"split": {"else": [1000, 5000, 1000, 1000]}, "items": 8000, "out": {1: 20_000, "else": 4000}}
    j = Job(tap, "an all-to-all with a heavy rank", 4, steps(6, ("compute", 5, "fused_moe_kernel"), ("call", "AllToAll", 1, heavy)))
    j.as_planned()
    j.is_([(r["rank"], r["exchanges"], r["given_bytes"], r["received_bytes"], r["given_to_one_pct"], r["received_to_mean"]) for r in j.rows("all_to_all")],
          [(r, 6, 6 * 32_000, 6 * 4 * (20_000 if r == 1 else 4000), 62.5, 2.5 if r == 1 else 0.5) for r in range(4)], "bytes per rank")
    j.says("uneven-exchange", "warn", "Rank 1 receives 468.8 KiB", "2.50 times")
    j.says("experts", None)
    even = {"split": {"else": [2000] * 4}, "items": 8000}
    j = Job(tap, "an even all-to-all", 4, steps(6, ("compute", 5, "fused_moe_kernel"), ("call", "AllToAll", 1, even)))
    j.says("uneven-exchange", "pass", "1.00 times")
    j.says("experts", None)
    j = Job(tap, "an all-to-all without sizes", 4, steps(6, ("compute", 5, "fused_moe_kernel"), ("call", "AllToAll", 1)), recorded=False)
    j.says("uneven-exchange", None)
    j.says("experts", "unknown", "how evenly tokens are spread over experts", "fused_moe_kernel")
    j = Job(tap, "an all-to-all of no experts", 4, steps(6, ("compute", 5), ("call", "AllToAll", 1)), recorded=False)
    j.says("experts", None)


def inputs(tap):
    """Does input keep up with all of them, and with each?"""
    def job_of(name, waits):
        return Job(tap, name, 4, steps(8, ("wait", waits), ("compute", 20), ("call", "AllReduce", 1)))
    job_of("input keeps up", 0.5).says("input-replicas", "pass", "keeps up with all 4 devices")
    job_of("input is late on one", {2: 12, "else": 0.5}).says("input-replicas", "warn", "one of 4 devices", "rank 2")
    job_of("input is late on all", 12).says("input-replicas", "info", "All 4 devices wait for input")
    once = Job(tap, "input of one iteration", 4, steps(1, ("wait", 12), ("compute", 20), ("call", "AllReduce", 1)))
    once.says("input-replicas", None)
    alone = Job(tap, "input of one", 1, steps(8, ("wait", 12), ("compute", 20)))
    alone.says("input-replicas", None)


CHECKS = (kinds, purposes, missing, experts, inputs)
