"""What the scenes of several GPUs must give."""
from harness import number, table
from every_scene import steps_hold
from opened import tenths
from scene import MS


def all_reduce(o):
    steps_hold(dur_ns=100 * MS, collectives_ns=20 * MS, device_compute_ns=80 * MS)(o)
    o.check("a row per step and GPU", len(o.rows("steps")), 20)
    told = ("--parameters", "25e6", "--link-bandwidth", "10GB/s")
    cost = [r for r in table("collective_steps", o.path, *told).rows]
    o.check("20 ms where 10 are expected, 23 % with joining and splitting, 13.5 % at twice the batch",
            {(number(r["communication_ns"]), number(r["exposed_comms_ns"]), number(r["expected_ns"]), r["to_expected"], number(r["joining_ns"]),
              number(r["splitting_ns"]), tenths(r["overhead_pct"]), tenths(r["overhead_at_twice_pct"])) for r in cost},
            {(20 * MS, 20 * MS, 10 * MS, 2, 2 * MS, MS, 23.0, 13.5)})
    o.check("one call of 100,000,000 bytes at 5 GB/s per step and GPU",
            {(number(r["message_bytes"]), r["algorithm_bytes_per_s"]) for r in table("collectives", o.path, *told).rows}, {(100_000_000, 5e9)})
    o.row("findings", {"severity": "pass", "value": 1}, rule="collective-sizes")
    o.row("findings", {"severity": "pass", "value": 0}, rule="waits-for-rank")


def without_a_reduction(o):
    """10 without the all-reduce: nothing is said of communication, and it costs nothing."""
    o.check("no calls", (o.rows("collectives"), o.rows("collective_steps")), ([], []))
    o.check("no findings", o.rows("findings", rule="waits-for-rank") + o.rows("findings", rule="collective-sizes"), [])


def replicas(o):
    devices = {str(d["device"]): (number(d["kernels"]), number(d["busy_ns"])) for d in o.rows("devices")}
    o.check("kernels with one collective per step, busy", devices,
            {"0": (453, 300 * MS), **{str(gpu): (303, 300 * MS) for gpu in (1, 2, 3)}})
    beside = {str(r["device"]): (number(r["compute_per_step_ns"]), r["own_kernels_per_step"], r["calls_per_step"], number(r["collective_wait_ns"]),
                                 number(r["last_at"])) for r in o.rows("replicas")}
    o.check("compute 90 beside 60, 150 kernels beside 100, a wait of 30 each step on the others", beside,
            {"0": (90 * MS, 150, 1, 0, 3), **{str(gpu): (60 * MS, 100, 1, 90 * MS, 0) for gpu in (1, 2, 3)}})
    o.check("GPU 0 is 1.33 times the mean", [round(r["compute_to_mean"], 2) for r in o.rows("replicas", device=0)], [1.33])
    o.check("the transfer is 10", {number(r["transfer_ns"]) for r in o.rows("collectives")}, {10 * MS})
    o.row("findings", {"severity": "fail"}, rule="replicas")
    o.row("findings", {"severity": "fail"}, rule="waits-for-rank")


def without_the_meeting(o):
    """11a without the all-reduce: GPU 0 still computes more; nobody waits for it."""
    o.row("findings", {"severity": "fail"}, rule="replicas")
    o.check("no waits", o.rows("findings", rule="waits-for-rank"), [])


def serial(o):
    devices = {str(d["device"]): (number(d["busy_ns"]), number(d["idle_ns"])) for d in o.rows("devices")}
    o.check("busy and idle of both GPUs", devices, {"0": (150 * MS, 100 * MS), "1": (150 * MS, 100 * MS)})
    o.check("they never work together", [r["overlap_pct"] for r in o.rows("replicas")], [0, 0])
    o.row("findings", {"severity": "warn", "value": 0}, rule="serial-devices")


def without_work_in_turn(o):
    """11b without its kernels: no device works, and none takes turns."""
    o.check("nothing is said of turns", o.rows("findings", rule="serial-devices"), [])


def starved(o):
    gaps = [(str(g["device"]), number(g["dur_ns"])) for g in o.rows("gaps", scope="step")]
    o.check("GPU 2 idles 50 ms between all steps", sorted(g for g in gaps if g[0] == "2"), [("2", 50 * MS)] * 9)
    o.check("GPU 1 idles 10 ms once the launches come early", sorted(g for g in gaps if g[0] == "1"),
            [("1", 10 * MS)] + [("1", 50 * MS)] * 8)
    threads = {"1": [], "2": [], "None": []}
    for r in o.rows("threads"):
        threads[str(r["device"])].append(r)
    o.check("1 thread launches for GPU 1, 8 for GPU 2", [len([r for r in threads[gpu] if r["is_thread"]]) for gpu in "12"], [1, 8])
    o.check("GPU 1 is launched 40 ms late", [(number(r["first_launch_ns"]), number(r["skew_ns"])) for r in threads["1"]],
            [(44_975_000, 40 * MS)])
    o.check("GPU 2 comes first", {(number(r["first_launch_ns"]), number(r["skew_ns"])) for r in threads["2"]}, {(4_975_000, 0)})
    o.check("lanes of the executor are no threads", sorted(r["thread"] for r in threads["None"] if not r["is_thread"]),
            [f"tf_Compute/{i}" for i in range(4)])
    order = {str(r["device"]): {k: number(v) for k, v in r.items()} for r in o.rows("launch_order")}
    o.check("late in 7 of 10 steps, by 40 ms, after GPU 2; 1 thread", {k: order["1"][k] for k in (
        "late_steps", "order_steps", "behind_by_ns", "behind_device", "begin_idle_ns", "launching_threads", "first_steps", "unfed_ns")},
        {"late_steps": 7, "order_steps": 10, "behind_by_ns": 40 * MS, "behind_device": 2, "begin_idle_ns": 45 * MS,
         "launching_threads": 1, "first_steps": 0, "unfed_ns": 280 * MS})
    o.check("GPU 2 is never late; 8 threads", {k: order["2"][k] for k in ("late_steps", "begin_idle_ns", "launching_threads", "first_steps")},
            {"late_steps": 0, "begin_idle_ns": 5 * MS, "launching_threads": 8, "first_steps": 7})
    o.row("findings", {"severity": "fail", "value": 28, "lost_ns": 280 * MS}, rule="launch-order")
    o.check("threads of the late one and of the first one",
            "1 thread launches for it, 8 for the other" in o.rows("findings", rule="launch-order")[0]["sentence"], True)
    advice = o.rows("findings", rule="launch-order")[0]["advice"]
    o.check("and its advice", [w in advice for w in (["DistributedDataParallel"] if o.form == "kineto" else
                                                     ["TF_GPU_THREAD_MODE=gpu_private", "TF_GPU_THREAD_COUNT"])], [True] * (1 if o.form == "kineto" else 2))
    o.check("the tracks say the same", [r["is_thread"] for r in o.rows("tracks") if r["name"].startswith("tf_Compute/")], [False] * 4)


def without_late_launches(o):
    """12 without the launches: nobody can tell who was launched first."""
    o.check("no order is made up", o.rows("launch_order"), [])
    told = o.rows("findings", rule="launch-order")
    o.check("it is said that it cannot be told, once for all that lacks launches",
            [r["severity"] for r in told or o.rows("findings", rule="launch-queue")], ["unknown"])
