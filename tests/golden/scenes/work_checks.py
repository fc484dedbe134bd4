"""What the scenes about kernels, ops and copies must give."""
from harness import number, table
from every_scene import rated
from scene import MS


def many_small_kernels(o):
    o.row("devices", {"kernels": 126224, "kernel_ns": 2_770_000_000, "idle_ns": 385_596_945, "span_ns": 3_155_596_945})
    o.overview(kernels=126224, kernel_ns=2_770_000_000, idle_ns=385_596_945, idle_pct=12.2)
    kernels = sorted(o.rows("kernels"), key=lambda k: -number(k["total_ns"]))
    o.check("kernels by op", [(k["op"], number(k["kernels"]), number(k["total_ns"])) for k in kernels],
            [("while/mul", 100000, 2_194_514_320), ("while/mul_1", 26224, 575_485_680)])
    o.check("shortest and longest", [(number(k["min_ns"]), number(k["max_ns"])) for k in kernels], [(21945, 21946), (21945, 21945)])
    o.row("op_types", {"ops": 2, "occurrences": 126224, "total_time": 2_770_000_000, "self_share_pct": 100.0}, type="Mul")
    o.check("their average", round(o.rows("op_types")[0]["avg_time"]), 21945)
    o.check("ops by name", [(r["operation"], number(r["occurrences"]), number(r["total_self_time"])) for r in o.rows("ops")],
            [("while/mul", 100000, 2_194_514_320), ("while/mul_1", 26224, 575_485_680)])
    idle = {"idle_before_ns": 385_596_945, "launch_bound_ns": 0, "not_launched_ns": 385_596_945}
    o.row("tiny_ops", {"ops": 2, "runs": 126224, "kernels": 126224, "total_ns": 2_770_000_000, "launch_range": "within", **idle}, type="Mul")
    o.check("their average in tiny_ops", round(o.rows("tiny_ops")[0]["avg_ns"]), 21945)
    o.check("tiny ops by name", [(r["op"], number(r["runs"]), number(r["total_ns"]), r["launch_range"]) for r in
                                 table("tiny_ops", o.path, "--by", "op").rows],
            [("while/mul", 100000, 2_194_514_320, "within"), ("while/mul_1", 26224, 575_485_680, "within")])
    o.check("the finding about small kernels", rated(o, "small-kernels"), ["warn"])
    said = o.rows("findings", rule="small-kernels")[0]
    o.check("it says it with the guide's numbers", [w for w in ("Mul", "126,224 times", "2.770 s", "21.945 us", "within the 20-40 us", "12.2 %")
                                                    if w not in said["sentence"]], [])
    o.check("its advice comes in the guide's order", "concatenate" in said["advice"] and number(said["lost_ns"]), 385_596_945)
    o.shows("tiny_ops", lengths=[2_770_000_000], words=["Mul", "126,224", "21.945 us", "within"])
    o.shows("kernels", lengths=[2_770_000_000])
    o.shows("kernels", lengths=[2_194_514_320, 575_485_680], keys="o")
    o.says("the idle share", words=["12.2 %"], lengths=[2_770_000_000])
    o.row("fusion", {"run_kernels": 126_224, "repeats": 1, "in_ns": 2_770_000_000, "between_ns": 385_596_945,
                     "saved_ns": 3_155_596_945 - 21_946, "enclosed_by": "while", "op_list": "mul x100000, mul_1 x26224"})
    o.shows("fusion", words=["mul x100000"])
    o.says("the run to fuse", lengths=[2_770_000_000], words=["mul x100000, mul_1 x26224"])


def unused_products(o):
    """dense_1 by its type, dense_2 by a dimension, Relu by its bytes; the convolution is left alone. Only XSpace tells the
    device: elsewhere nothing is at stake for certain, and the rules abstain."""
    known = o.path.endswith("pb")
    rows = {
        "dense_1/MatMul": dict(tc_problem="unused", reason="fp32", total_ns=100 * MS, stake_ns=66_666_667, m=64, n=1024, k=512, detail=None),
        "dense_2/MatMul": dict(tc_problem="unused", reason="dimension", total_ns=40 * MS, stake_ns=26_666_667, m=64, n=1023, k=512,
                               detail="N = 1023, 1023 mod 8 = 7"),
        "activation/Relu": dict(tc_problem="bytes", reason="32 bit", total_ns=50 * MS, stake_ns=25 * MS, n=None, detail=None)}
    o.check("ranked by what is at stake", [r["op"] for r in o.rows("tensor_cores")], list(rows))
    for op, expected in rows.items():
        if not known and expected["tc_problem"] == "unused":
            expected["stake_ns"] = None
        o.row("tensor_cores", expected, op=op)
    o.check("advice only where the device is known", [r["advice"] is not None for r in o.rows("tensor_cores")], [known] * 3)
    findings = {r["rule"]: r for r in o.rows("findings")}
    state = "warn" if known else "unknown"
    o.check("rules on Tensor Cores", [findings[r]["severity"] for r in ("tensor-cores", "tensor-core-dims", "half-bytes")],
            [state, state, "info"])
    said = findings["tensor-cores"]["sentence"]
    o.check("what the first one says", [w for w in ("36.7 %", "140.000 ms", "46.7 %", "dense_1/MatMul") if w not in said], [])
    o.check("what the second one says", "N = 1023, 1023 mod 8 = 7" in findings["tensor-core-dims"]["sentence"], True)
    o.check("what the third one says", "25.000 ms" in findings["half-bytes"]["sentence"], True)
    o.shows("tensor_cores", lengths=[100 * MS, 40 * MS], words=["fp32", "dimension", "32 bit"])
    o.says("the unused products", lengths=[100 * MS, 40 * MS, 25 * MS], words=["1023 mod 8 = 7", "dense_1/MatMul", "dense_2/MatMul"])


def tensor_cores(o):
    kernels = {k["op"]: k for k in o.rows("kernels")}
    expected = {  # op: count, total, uses Tensor Cores, eligible, 16 bit
        "dense/MatMul": (300, 60, True, True, True), "dense_1/MatMul": (100, 100, False, True, False),
        "dense_2/MatMul": (100, 40, False, True, True), "conv/Conv2D": (100, 50, True, True, True),
        "activation/Relu": (200, 50, False, False, False)}
    for op, (count, total, uses, eligible, half) in expected.items():
        k = kernels.get(op, {})
        # a kernel no rule knows is "unknown", which is not the same as yes
        got = (number(k.get("kernels")), number(k.get("total_ns")), bool(k.get("uses_tc")), bool(k.get("tc_eligible")),
               k.get("precision") in ("fp16", "bf16"))
        o.check(f"kernel of {op}", got, (count, total * MS, uses, eligible, half))
    o.overview(tensor_core_time_pct=36.7, tensor_core_unused_ns=140 * MS, tensor_core_unused_pct=46.7, kernels=800,
               kernels_16bit=500, kernels_16bit_time_pct=50.0)
    o.row("roofline", {"flops": 300 * 2 * 64 * 512 * 1024, "occurrences": 300, "time_ns": 60 * MS}, op="dense/MatMul")
    o.row("roofline", {"flops": 200 * 64 * 1024, "bytes": 200 * 2 * 4 * 64 * 1024, "time_ns": 50 * MS}, op="activation/Relu")
    rows = list(kernels.values())
    o.check("Tensor Core time 110.0 of 300.0 ms", sum(number(k["total_ns"]) for k in rows if k["uses_tc"]), 110 * MS)
    o.check("eligible but unused 140.0 ms",
            sum(number(k["total_ns"]) for k in rows if k["tc_eligible"] and not k["uses_tc"]), 140 * MS)
    unused_products(o)
    split = {r["precision"]: (number(r["kernels"]), number(r["total_ns"]), number(r["tc_ns"])) for r in o.rows("precisions")}
    o.check("precisions", split, {"fp16": (500, 150 * MS, 110 * MS), "fp32": (300, 150 * MS, 0)})
    o.shows("kernels", lengths=[60 * MS, 100 * MS, 40 * MS, 50 * MS], keys="o")
    o.says("the kernels", lengths=[100 * MS, 60 * MS], words=["36.7 %"])


def without_the_fallback(o):
    """All products on Tensor Cores: nothing is unused, and the rules pass whatever the device."""
    o.check("nothing unused", [r["op"] for r in o.rows("tensor_cores")], ["activation/Relu"])
    findings = {r["rule"]: r["severity"] for r in o.rows("findings")}
    o.check("the rules pass", [findings["tensor-cores"], findings["tensor-core-dims"]], ["pass", "pass"])


def placement(o):
    """950 of 1,000 ops on the device; of the host's, MatMul has the time."""
    ops = [(r["host_or_device"], r["type"], number(r["occurrences"]), number(r["total_self_time"])) for r in o.rows("op_types")]
    o.check("ops by type and side", [x for x in ops if x[0] == "Host"],
            [("Host", "MatMul", 10, 160 * MS), ("Host", "Unique", 40, 40 * MS)])
    o.check("ops on the device", sum(n for side, _, n, _ in ops if side == "Device"), 950)
    o.overview(device_ops_count_pct=95.0, host_ops_count_pct=5.0, host_ops_time_pct=17.4, device_ops_time_pct=82.6)
    o.overview(device_ops=950, host_ops=50)
    first = o.rows("ops", host_or_device="Host")[0]
    o.check("the largest host op comes first", (first["operation"], first["type"], number(first["total_self_time"])),
            ("embedding/MatMul", "MatMul", 160 * MS))
    o.row("ops", {"placement": "compute-intensive", "runs_here": 10}, operation="embedding/MatMul")
    o.row("ops", {"placement": "host only", "runs_here": 40}, operation="model/Unique")
    told = [(r["severity"], number(r["lost_ns"])) for r in o.rows("findings", rule="op-placement")]
    o.check("MatMul is warned of, Unique is told", told, [("warn", 160 * MS), ("info", None)])
    o.shows("ops", words=["embedding/MatMul"], keys="G")


def without_matmul(o):
    """7 without the MatMul on the host: what is left there has no other place."""
    told = [r["severity"] for r in o.rows("findings", rule="op-placement")]
    o.check("nothing to warn of", sorted(told), ["info", "pass"])


def excess_copies(o):
    o.row("streams", {"role": "H2D", "copies": 105, "copy_bytes": 440_401_920, "busy_ns": 90 * MS}, stream=168)
    o.row("streams", {"role": "D2H", "copies": 105, "copy_bytes": 104_878_080, "busy_ns": 50_500_000}, stream=169)
    o.row("streams", {"role": "compute", "kernels": 100, "kernel_ns": 350 * MS}, stream=167)
    totals = {kind: tuple(sum(number(r[c]) for r in o.rows("copies", direction=kind)) for c in ("copies", "copy_bytes", "total_ns"))
              for kind in ("H2D", "D2H")}
    o.check("copies by direction", totals, {"H2D": (105, 440_401_920, 90 * MS), "D2H": (105, 104_878_080, 50_500_000)})
    trip = {"copies": 100, "copy_bytes": 100 << 20, "total_ns": 50 * MS, "bytes_per_s": 2_097_152_000, "op": "metrics/PyFunc",
            "copies_per_step": 20, "places": 20, "in_steps": 5, "of_steps": 5, "blocking_ns": 50 * MS, "memory": "pageable, async"}
    o.row("copies", {**trip, "op_by": "correlation"}, direction="D2H", expected=False)
    o.row("copies", {**trip, "op_by": "neighbour"}, direction="H2D", expected=False)
    o.row("copies", {"copies": 5, "size": "64-256 MiB", "bytes_per_s": 8_388_608_000, "copies_per_step": 1}, direction="H2D", expected=True)
    o.row("copies", {"copies": 5, "size": "4-16 KiB", "blocking_ns": 0, "copies_per_step": 1}, direction="D2H", expected=True)
    o.shows("copies", words=["H2D", "2.10 GB/s", "8.39 GB/s", "1-4 MiB", "64-256 MiB"], lengths=[50 * MS, 40 * MS])
    o.row("findings", {"severity": "fail", "value": 100 / 490.5 * 100, "lost_ns": 100 * MS}, rule="excess-copies")
    o.check("and where most of it is lost", ", the largest part for metrics/PyFunc" in o.rows("findings", rule="excess-copies")[0]["sentence"], True)


def without_copies(o):
    """8 with its copies removed: there is nothing to warn of."""
    o.row("findings", {"severity": "pass"}, rule="excess-copies")
    o.check("no copies", o.rows("copies"), [])
