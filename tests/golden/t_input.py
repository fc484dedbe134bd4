#!/usr/bin/env python3
"""The input pipeline analyzer on small hand-made XSpaces: classes of ops, self time, verdicts at their edges, who waits for
whom among tf.data iterators, device pipelines, the 50 us limit, the reference tool's estimate of the host's side; and what
counts as a compilation. Every expected value is worked out in the comment beside it. Times are in us unless they end in _ns."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
from harness import Tap, need_program, number, scratch, table
from mkxspace import Ref, Space, Uint

US = 1000
BASE_NS = 1000


class Profile:
    """A host with threads, GPUs with one stream each."""

    def __init__(self):
        self.space = Space(hostnames=["host"])
        self.gpus, self.lines, self.corr = {}, {}, 0
        self.cpu = self.space.plane("/host:CPU", id=100)

    def thread(self, tid=1):
        if tid not in self.lines:
            self.lines[tid] = self.cpu.line(tid, f"thread {tid}", timestamp_ns=BASE_NS)
        return self.lines[tid]

    def host(self, name, start, end, tid=1, **stats):
        self.thread(tid).event(name, start_ns=BASE_NS + round(start * US), dur_ns=round((end - start) * US), stats=stats)
        return self

    def step(self, number, start, end):
        return self.host("train", start, end, step_num=number, _r=1)

    def work(self, name, start, end, launch=None, gpu=0, call="cudaLaunchKernel", launch_end=None, **stats):
        """Device work and, inside [launch, launch_end), the call that starts it."""
        if gpu not in self.gpus:
            plane = self.space.plane(f"/device:GPU:{gpu}", id=gpu)
            self.gpus[gpu] = plane.line(7, "Stream #7(Compute)", timestamp_ns=BASE_NS)
        self.corr += 1
        at = start if launch is None else launch
        self.host(call, at, at + 0.5 if launch_end is None else launch_end, correlation_id=Uint(self.corr), device_id=Uint(gpu))
        self.gpus[gpu].event(name, start_ns=BASE_NS + round(start * US), dur_ns=round((end - start) * US),
                             stats={"correlation_id": Uint(self.corr), **stats})
        return self

    def kernel(self, start, end, **more):
        return self.work("kernel", start, end, kernel_details=Ref("regs:32 grid:1,1,1 block:32,1,1"), **more)

    def copy(self, start, end, name="MemcpyH2D", **more):
        return self.work(name, start, end, memcpy_details=Ref("kind_src:pinned kind_dst:device size:4 dest:0 async:1"), **more)

    def iterator(self, name, start, end, id=None, parent=None, tid=1, **stats):
        ids = {key: value for key, value in (("id", id), ("parent_id", parent)) if value is not None}
        return self.host(name, start, end, tid, **ids, **stats)


class Case:
    def __init__(self, tap, name, profile):
        self.tap, self.name, self.path = tap, name, scratch(name.replace(" ", "-") + ".xplane.pb")
        os.makedirs(scratch(), exist_ok=True)
        profile.space.write(self.path)

    def rows(self, name, *args):
        return table(name, self.path, *args).rows

    def findings(self, rule, *args):
        return [r for r in self.rows("findings", *args) if r["rule"] == rule]

    def input(self, *args):
        return {r["key"]: number(r["value"]) for r in self.rows("input", *args)}

    def equal(self, what, got, expected):
        self.tap.equal(got, expected, f"{self.name}: {what}")

    def keys(self, expected, *args):
        got = self.input(*args)
        self.equal(" ".join(list(args) + list(expected)), {k: round(got[k], 6) if isinstance(got[k], float) else got[k]
                                                           for k in expected}, expected)

    def ops(self, *args):
        return {r["op"]: (number(r["occurrences"]), number(r["total_ns"]), number(r["self_ns"]), r["category"])
                for r in self.rows("input_ops", *args)}

    def iterators(self):
        return {r["iterator"]: (number(r["total_ns"]), number(r["self_ns"]), r["blocking"], r["is_bottleneck"])
                for r in self.rows("iterators")}


XPROF = ("--semantics", "xprof")
CLASSES = {  # SEMANTICS.md, X9: readers by the end of the name, ahead of time by what stands before
    "Iterator::Root::TFRecord": "Demanded file read", "Iterator::Root::SSTable": "Demanded file read",
    "Iterator::Root::ArrayRecord": "Demanded file read", "Iterator::Root::Map::TextLine": "Demanded file read",
    "Iterator::Root::Prefetch::TFRecord": "Advanced file read", "Iterator::Root::MemoryReader::RecordIO": "Advanced file read",
    "Iterator::Root::ParallelMapV2::TextLine": "Advanced file read",
    "Iterator::Root::Interleave[0]::FixedLengthRecord": "Advanced file read",
    "Iterator::Root::FixedLengthRecordV2": "Preprocessing", "Iterator::Root::TFRecord::Map": "Preprocessing",
    "Iterator::Root": "Preprocessing", "MemcpyHToD": "Enqueue", "memcpyhtod 4 bytes": "Enqueue"}


def classes(tap):
    p = Profile()
    for i, name in enumerate(CLASSES):
        p.host(name, 10 * i, 10 * i + 1)
    p.host("in:InfeedEnqueueTuple", 900, 903)
    p.host("IteratorGetNext:IteratorGetNext", 910, 920).host("dense/MatMul:MatMul", 930, 940).host("user code", 950, 960)
    c = Case(tap, "classes", p)
    ops = c.ops(*XPROF)
    expected = {name: (1, 1000, 1000, category) for name, category in CLASSES.items()}
    expected["in"] = (1, 3000, 3000, "Enqueue")  # the name part of "in:InfeedEnqueueTuple"
    c.equal("the reference tool's ops are exactly these", ops, expected)
    expected["IteratorGetNext"] = (1, 10000, 10000, "Wait")
    c.equal("by default the waits are listed too", c.ops(), expected)
    shares = {r["op"]: (r["total_pct"], r["self_pct"]) for r in c.rows("input_ops")}
    c.equal("shares are of 13 x 1 + 3 us, waits have none", (shares["in"], shares["IteratorGetNext"]),
            ((18.75, 18.75), (None, None)))


def self_time(tap):
    # Map [0,100) holds TFRecord [10,30) and a TensorFlow op [40,90), which holds Batch [50,60)
    p = Profile().host("Iterator::Map", 0, 100).host("Iterator::Map::TFRecord", 10, 30)
    p.host("decode:DecodeJpeg", 40, 90).host("Iterator::Batch", 50, 60).host("user code", 5, 95, tid=2)
    p.host("Iterator::Map", 0, 7, tid=2)
    c = Case(tap, "self time", p)
    expected = {"Iterator::Map": (2, 107000, 37000, "Preprocessing"),  # 100 - 20 - 50, and 7 on the other thread
                "Iterator::Map::TFRecord": (1, 20000, 20000, "Demanded file read"),
                "Iterator::Batch": (1, 10000, 10000, "Preprocessing")}
    c.equal("every op nested counts, also those that are no input ops", c.ops(), expected)
    c.equal("the same for the reference tool", c.ops(*XPROF), expected)
    halves = [c.ops("--window", w) for w in ("0us..45us", "45us..100us")]
    for op in expected:
        c.equal(f"two windows add up for {op}", [sum(h.get(op, (0, 0, 0))[i] for h in halves) for i in range(3)],
                list(expected[op][:3]))


def equal_ends(tap):
    # both end at 100: XProf sees the outer end first, and what lies on top of the stack then is lost
    p = Profile().host("Iterator::Map", 0, 100).host("Iterator::Map::TFRecord", 60, 100)
    c = Case(tap, "equal ends", p)
    c.equal("nested by default", c.ops(), {"Iterator::Map": (1, 100000, 60000, "Preprocessing"),
                                           "Iterator::Map::TFRecord": (1, 40000, 40000, "Demanded file read")})
    c.equal("lost by the reference tool", c.ops(*XPROF), {"Iterator::Map": (1, 100000, 100000, "Preprocessing")})


def overlap(tap):
    # A [0,60) and B [40,100) on one thread: B interrupts A, and is lost by XProf
    p = Profile().host("Iterator::A", 0, 60).host("Iterator::B", 40, 100)
    c = Case(tap, "overlap", p)
    c.equal("the later one has the time", {k: v[2] for k, v in c.ops().items()}, {"Iterator::A": 40000, "Iterator::B": 60000})
    c.equal("the reference tool keeps the first", {k: v[2] for k, v in c.ops(*XPROF).items()}, {"Iterator::A": 60000})


VERDICTS = [  # wait and unexplained time of 10,000 us
    (2000, 0, "highly input-bound"), (1999, 0, "moderately input-bound"), (500, 0, "moderately input-bound"),
    (499, 300, "potentially input-bound"), (499, 299, "not input-bound"), (5, 300, "potentially input-bound"), (0, 300, "not input-bound"),
    (0, 299, "not input-bound"), (500, 9000, "moderately input-bound")]


def verdicts(tap):
    for wait, other, verdict in VERDICTS:
        p = Profile().step(1, 0, 10000)
        if wait:
            p.host("IteratorGetNext:IteratorGetNext", 0, wait)
        p.kernel(wait + other, 10000, launch=9900)  # the launch lies under the kernel
        c = Case(tap, f"wait {wait / 100} % unexplained {other / 100} %", p)
        c.keys({"verdict": verdict, "input_pct": wait / 100, "other_pct": other / 100})


def named_by_the_program(tap):
    # the program's own range: a wait for input, as for the causes of idle time; not for the reference tool
    c = Case(tap, "load_batch", Profile().step(1, 0, 10000).host("load_batch", 0, 6000).kernel(6000, 10000, launch=5990))
    c.keys({"verdict": "highly input-bound", "input_pct": 60.0})
    c.keys({"input_pct": 0.0}, *XPROF)


def copies_count(tap):
    # wait [0,100), H2D [100,200), compute [150,1000): 50 of the copy are hidden: 100 + 50 of 1000 = 15 %
    p = Profile().step(1, 0, 1000).host("IteratorGetNext:IteratorGetNext", 0, 100)
    p.copy(100, 200, launch=50).kernel(150, 1000, launch=300)
    c = Case(tap, "copies", p)
    c.keys({"input_pct": 15.0, "input_wait_pct": 10.0, "input_copy_pct": 5.0, "verdict": "moderately input-bound"})
    c.keys({"step_mean_ns": 1000000, "best_step_no_wait_ns": 900000, "best_step_prefetched_ns": 850000, "steps": 1,
            "step_wait_ns": 100000, "step_copy_ns": 50000, "replicas": 1, "input_wait_ns": 100000, "missing": None})
    c.equal("the call that starts the copy enqueues", c.ops()["cudaLaunchKernel"][3], "Enqueue")


def copies_weigh_more(tap):
    # of each 1000: wait [0,20), H2D [20,300), compute [300,1000): loading faster wins 2 %, copying beside the compute 28 %
    p = Profile()
    for at in range(0, 4000, 1000):
        p.step(at // 1000 + 1, at, at + 1000).host("IteratorGetNext:IteratorGetNext", at, at + 20)
        p.copy(at + 20, at + 300, launch=at + 15).kernel(at + 300, at + 1000, launch=at + 10)
    c = Case(tap, "more copies than waits", p)
    c.keys({"input_wait_pct": 2.0, "input_copy_pct": 28.0})
    said = c.findings("input-bound")[0]
    c.equal("said", said["sentence"], "30.0 % of the step time goes to copies to the device (28.0 %) or waits for input (2.0 %): highly input-bound.")
    c.equal("the advice is about copies", ["Copy the next" in said["advice"], "num_parallel_calls" in said["advice"]], [True, False])
    c.equal("without the copy", [r["sentence"] for r in c.findings("input-best-case")],
            ["If nothing else changed, a step without the wait for input would take at least 980.000 us instead of 1.000 ms, "
             "with its copy prefetched too, 700.000 us."])


def copies_that_copy_themselves(tap):
    # a call that returns 10 before the 300 of its pageable copy end copied itself: copies to the device, no launch; the kernel's call is one
    p = Profile()
    for at in range(0, 4000, 1000):
        p.step(at // 1000 + 1, at, at + 1000).copy(at + 10, at + 310, launch=at, launch_end=at + 300)
        p.kernel(at + 330, at + 1000, launch=at + 310, launch_end=at + 330)
    c = Case(tap, "pageable copies", p)
    c.keys({"input_wait_pct": 0.0, "input_copy_pct": 30.0})
    c.equal("launch calls", {r["kernel_launch_ns"] for r in table("steps", c.path).rows}, {20000})
    # a short one that begins before its call returns was handed over: of [0,10) the copy [9,11) takes 1
    p = Profile().step(1, 0, 1000).copy(9, 11, launch=0, launch_end=10).kernel(30, 1000, launch=12, launch_end=13)
    c.equal("handed over", [r["kernel_launch_ns"] for r in table("steps", Case(tap, "short copy", p).path).rows], [11000])
    c.equal("called by what it is", [r["label"] for r in table("step_parts", c.path).rows if r["part"] == "input"], ["Copies to device"])


def copies_that_are_no_input(tap):
    # of each 1000: wait [0,60) with the input copy [40,60), kernel [60,300), H2D [300,900) in mid-step, kernel [900,1000): copies, whatever else waits
    p = Profile()
    for at in range(0, 4000, 1000):
        p.step(at // 1000 + 1, at, at + 1000).host("IteratorGetNext:IteratorGetNext", at, at + 60)
        p.copy(at + 40, at + 60, launch=at + 30).kernel(at + 60, at + 300, launch=at + 50).copy(at + 300, at + 900, launch=at + 70).kernel(at + 900, at + 1000, launch=at + 80)
    c = Case(tap, "copies between kernels", p)
    c.keys({"verdict": "waiting for copies to the device, most of them no input", "input_pct": 66.0})
    c.equal("said", c.findings("input-bound")[0]["sentence"],
            "Copies to the device take 60.0 % of the step time, and 96.8 % of that is not input but copies made between kernels, as when parameters are offloaded; another 6.0 % waits for input.")


def validation_between_steps(tap):
    # steps [0,100) and [300,400); between them validation [105,295), 100 of which wait for its own input: the sentence says where that is
    p = Profile().step(1, 0, 100).host("validation", 105, 295).host("IteratorGetNext:IteratorGetNext", 110, 210).step(2, 300, 400)
    said = Case(tap, "validation", p).rows("verdicts")[0]["what"]
    tap.ok(said.startswith("maybe input wait 100.000 us (50.0 %)") and "; 190.000 us (95.0 %) of it in validation" in said, "validation: named", said)
    # a range that a rule knows is its own cause; one that covers little of the gap names nothing
    p = Profile().step(1, 0, 100).host("load_batch", 105, 295).step(2, 300, 400).host("validation", 405, 450).step(3, 600, 700)
    whats = [r["what"] for r in Case(tap, "known ranges", p).rows("verdicts")]
    tap.ok(len(whats) == 2 and not any("of it in" in w for w in whats), "ranges that say nothing more", whats)


def kernels_alone(tap):
    # 40 times the same five kernels and nothing of the host: a layer repeats as a step does
    p = Profile()
    stream = p.space.plane("/device:GPU:0", id=0).line(7, "Stream #7(Compute)", timestamp_ns=BASE_NS)
    for i in range(200):
        stream.event(f"layer_kernel_{'abcde'[i % 5]}", start_ns=BASE_NS + 150 * US * i, dur_ns=100 * US,
                     stats={"kernel_details": Ref("regs:32 grid:1,1,1 block:32,1,1")})
    said = Case(tap, "kernels alone", p).findings("step-markers")[0]["sentence"]
    tap.ok("inferred" in said and said.endswith(", and nothing on the host is recorded: what repeats may be a layer or another part of a step."),
           "kernels alone: may be layers", said)


def replicas(tap):
    # both steps are the marker [0,1000); GPU 0 computes [200,1000), GPU 1 [400,1000); wait [0,200): of GPU 1's idle time 200
    # are input as well, and 200 unexplained. Copy [200,300) to GPU 1 only.
    p = Profile().step(1, 0, 1000).host("IteratorGetNext:IteratorGetNext", 0, 200)
    p.kernel(200, 1000, launch=500).kernel(400, 1000, launch=510, gpu=1).copy(200, 300, launch=520, gpu=1)
    c = Case(tap, "replicas", p)
    # (200 + 200 + 100) / 2000; without the wait GPU 0 and GPU 1 both need 800; without the copy GPU 0 still does
    c.keys({"input_pct": 25.0, "replicas": 2, "input_pct_most": 30.0, "input_device_most": 1, "step_mean_ns": 1000000,
            "best_step_no_wait_ns": 800000, "best_step_prefetched_ns": 800000})


def estimate(tap):
    # copies fill 200 of 1000 us (their call lies under the kernel): r = 0.2; the host needs E = 100 for them: N = 100 * 0.8 / 0.2 = 400.
    # T = 50 + 50 + 100: demanded 400 * 50 / 200 = 100, advanced 100, preprocessing 200, nothing is left.
    p = Profile().step(1, 0, 1000).copy(0, 200, name="MemcpyHToD", call="MemcpyHToD", launch=300, launch_end=400)
    p.kernel(200, 1000, launch=500)
    bare = Case(tap, "estimate without tf.data", p)
    bare.keys({"enqueue_ns": 100000.0, "demanded_read_ns": 0, "unclassified_ns": 400000.0}, *XPROF)
    p.host("Iterator::Root::TFRecord", 0, 50, tid=2).host("Iterator::Root::Prefetch::TFRecord", 50, 100, tid=2)
    p.host("Iterator::Root::Map", 100, 200, tid=2)
    c = Case(tap, "estimate", p)
    c.keys({"enqueue_ns": 100000, "demanded_read_ns": 100000.0, "advanced_read_ns": 100000.0,
            "preprocessing_ns": 200000.0, "unclassified_ns": 0}, *XPROF)
    c.keys({"enqueue_ns": 100000, "demanded_read_ns": 50000, "advanced_read_ns": 50000, "preprocessing_ns": 100000,
            "unclassified_ns": 0})  # by default as measured


def infeed(tap):
    # enqueues [0,10) and [40,60): the first lasts 10 and the next starts 40 later, r = 0.25; E = 30: N = 30 * 3 = 90
    p = Profile().host("a:InfeedEnqueue", 0, 10).host("a:InfeedEnqueue", 40, 60).host("Iterator::Root", 100, 150)
    c = Case(tap, "infeed", p)
    c.keys({"enqueue_ns": 30000, "preprocessing_ns": 90000.0, "unclassified_ns": 0, "verdict": "unknown"}, *XPROF)


def unexplained_wait(tap):
    # the host waits [0,100), iterators work in [20,50) on another thread: 70 of the wait are nobody's
    p = Profile().host("IteratorGetNext:IteratorGetNext", 0, 100).host("Iterator::Root", 20, 50, tid=2)
    c = Case(tap, "unexplained wait", p)
    c.keys({"input_wait_ns": 100000, "unclassified_ns": 0, "not_recorded_ns": 70000, "preprocessing_ns": 30000})


def nested_iterators(tap):
    p = Profile().iterator("Iterator::Root", 0, 100, 1).iterator("Iterator::Root::Map", 10, 90, 2, 1, parallelism=4)
    p.iterator("Iterator::Root::Map::TFRecord", 20, 80, 3, 2)
    c = Case(tap, "nested iterators", p)
    c.equal("self times", c.iterators(), {"Root": (100000, 20000, True, False), "Map": (80000, 20000, True, False),
                                          "TFRecord": (60000, 60000, True, True)})
    c.keys({"bottleneck": "TFRecord", "bottleneck_self_ns": 60000, "pipeline": "Host:0", "tf_data": "slow"})
    rows = c.rows("iterators")
    c.equal("callers come first", [(r["iterator"], r["parent"], number(r["depth"])) for r in rows],
            [("Root", None, 0), ("Map", "Root", 1), ("TFRecord", "Map", 2)])
    c.equal("what an iterator tells of itself", rows[1]["parameters"], "parallelism=4")
    c.equal("advice for a slow source", "interleave" in c.rows("pipelines")[0]["advice"], True)


def handed_over(element=7, produce=(10, 80), extra=False):
    """Root [100,200) > Prefetch [105,195) > PrefetchConsume; on another thread PrefetchProduce > Map."""
    p = Profile().iterator("Iterator::Root", 100, 200, 1).iterator("Iterator::Root::Prefetch", 105, 195, 2, 1)
    p.host("PrefetchConsume", 180, 190, element_id=7)
    a, b = produce
    p.host("PrefetchProduce", a, b, 2, element_id=element)
    p.iterator("Iterator::Root::Prefetch::Map", a + 2, (a + b) / 2 if extra else b - 2, 3, 2, tid=2)
    if extra:
        p.iterator("Iterator::Root::Prefetch::Map", (a + b) / 2 + 1, b - 1, 4, 2, tid=2)
    return p


def across_threads(tap):
    # Map [112,178) lies inside Prefetch [105,195): self of Prefetch 90 - 66 = 24, of Root 100 - 90 = 10
    c = Case(tap, "across threads", handed_over(produce=(110, 180)))
    c.equal("the consumer calls the producer", c.iterators(), {
        "Root": (100000, 10000, True, False), "Prefetch": (90000, 24000, True, False), "Map": (66000, 66000, True, True)})
    # Map [12,78) was done before Prefetch was called: nobody waited for it
    c = Case(tap, "done before", handed_over())
    c.equal("without overlap nothing is taken off and nobody waited", c.iterators(), {
        "Root": (100000, 10000, True, False), "Prefetch": (90000, 90000, True, True), "Map": (66000, 66000, False, False)})
    c = Case(tap, "other element", handed_over(element=8, produce=(110, 180)))
    c.equal("another element is another handover", sorted(c.iterators()), ["Prefetch", "Root"])
    # Produce [110,180): Map id 3 in [112,145), id 4 in [146,179): only the first one is handed over
    c = Case(tap, "first child", handed_over(produce=(110, 180), extra=True))
    c.equal("a Produce hands over its first iterator only", [(r["iterator"], number(r["total_ns"])) for r in c.rows("iterators")],
            [("Root", 100000), ("Prefetch", 90000), ("Map", 33000)])
    c.equal("those that work ahead", [(r["iterator"], r["async"]) for r in c.rows("iterators")],
            [("Root", False), ("Prefetch", True), ("Map", False)])


def not_between(tap):
    # a function runs between Map and the iterator below: nesting ties direct neighbours only
    p = Profile().iterator("Iterator::Root", 0, 100, 1).host("InstantiatedCapturedFunction::Run", 10, 90)
    p.iterator("Iterator::Root::Map", 20, 80, 2, 1)
    c = Case(tap, "something between", p)
    c.equal("the inner iterator is not called by the outer one", c.iterators(), {"Root": (100000, 100000, True, True)})


def device_pipeline(tap):
    # id 1 is the parent of a Prefetch::Generator: Device:0, without a bottleneck. id 5 is a host's pipeline.
    p = Profile().iterator("Iterator::Prefetch", 0, 900, 1).iterator("Iterator::Prefetch::Generator", 10, 890, 2, 1)
    c = Case(tap, "device pipeline", p)
    c.keys({"bottleneck": None, "tf_data": "none", "pipeline": None})
    c.equal("it is listed", [(r["pipeline"], r["pipeline_kind"], r["bottleneck"]) for r in c.rows("pipelines")], [("Device:0", "device", None)])
    p.iterator("Iterator::Root", 1000, 1060, 5)
    c = Case(tap, "device and host pipeline", p)
    c.equal("hosts come first", [(r["pipeline"], r["bottleneck"]) for r in c.rows("pipelines")], [("Host:0", "Root"), ("Device:0", None)])
    c.keys({"bottleneck": "Root", "bottleneck_self_ns": 60000, "pipeline_max_ns": 60000})


def fifty_us(tap):
    c = Case(tap, "50 us", Profile().iterator("Iterator::Root", 0, 50, 1))
    c.keys({"tf_data": "fast", "advice": None, "pipeline_max_ns": 50000})
    c.equal("is not slow", number(c.rows("pipelines")[0]["slow_calls"]), 0)
    c = Case(tap, "50.001 us", Profile().iterator("Iterator::Root", 0, 50.001, 1))
    c.keys({"tf_data": "slow", "pipeline_max_ns": 50001})
    c.equal("is slow", number(c.rows("pipelines")[0]["slow_calls"]), 1)


def calls(tap):
    # Host:0 is called for 10, 70 and 40; Host:1 for 100. In the call of 70 Map has 60, in the one of 40 the root has all.
    p = Profile().iterator("Iterator::Root", 0, 10, 1).iterator("Iterator::Root", 100, 170, 1)
    p.iterator("Iterator::Root::Map", 105, 165, 2, 1).iterator("Iterator::Root", 200, 240, 1)
    p.iterator("Iterator::Model", 300, 400, 8, tid=2)
    c = Case(tap, "calls", p)
    rows = [(r["pipeline"], number(r["root_calls"]), round(number(r["avg_ns"])), number(r["min_ns"]), number(r["max_ns"]),
             number(r["slow_calls"]), r["bottleneck"], number(r["bottleneck_self_ns"])) for r in c.rows("pipelines")]
    c.equal("the slowest call speaks for its pipeline, the slowest pipeline comes first", rows,
            [("Host:1", 1, 100000, 100000, 100000, 1, "Model", 100000), ("Host:0", 3, 40000, 10000, 70000, 1, "Map", 60000)])
    rows = c.rows("pipelines", "--window", "0us..150us")
    c.equal("a window has the calls that start in it", [(r["pipeline"], number(r["root_calls"])) for r in rows], [("Host:0", 2)])


def no_ids(tap):
    p = Profile().iterator("Iterator::Root", 0, 100).iterator("Iterator::Root", 200, 260, 1).iterator("Iterator::Root::Map", 210, 250)
    c = Case(tap, "no ids", p)
    # the call without id is none; Map's time is taken off although nobody knows whose it is
    c.equal("events without an id are nobody's", c.iterators(), {"Root": (60000, 20000, True, True)})


def circle(tap):
    """Two iterators that feed each other: impossible, and no reason to hang."""
    p = Profile()
    for i in range(40):
        for tid, me, other in ((1, 1, 2), (2, 2, 1)):
            t = 100 * i
            p.host("PrefetchProduce", t, t + 90, tid, element_id=5)
            p.iterator("Iterator::Root", t + 1, t + 80, me, other, tid=tid)
            p.host("PrefetchConsume", t + 2, t + 70, tid, element_id=5)
    c = Case(tap, "circle", p)
    c.equal("is walked to an end", [(r["pipeline"], number(r["root_calls"])) for r in c.rows("pipelines")], [("Host:0", 40), ("Host:1", 40)])


def stages(tap):
    p = Profile()
    for i, (category, _) in enumerate(STAGES):
        p.host(f"stage {i}", 10 * i, 10 * i + 5, _ipl_stage_id=i, _ipl_stage_name=Ref(f"Source{i}"), _ipl_stage_cat=Ref(category))
    p.host("no id", 100, 110, _ipl_stage_cat=Ref("read"))
    c = Case(tap, "stages", p)
    c.equal("Grain's stages by their names", {op: v[3] for op, v in c.ops().items()},
            {f"Source{i}": text for i, (_, text) in enumerate(STAGES) if text})


STAGES = [("enqueue", "Enqueue"), ("Read", "Demanded file read"), ("PREPROCESSING", "Preprocessing"),
          ("unknown", "Unclassified"), ("something", None)]


def advice(tap):
    for name, ours, xprof in (("ParallelMapV2", "raise num_parallel_calls", "performance guide"), ("Map", "AUTOTUNE", "AUTOTUNE"),
                              ("BatchV2", "shards", "performance guide"), ("DataService", "service", "service"),
                              ("TensorSlice", "Slow source", "Slow source")):
        p = Profile().iterator("Iterator::Root", 0, 100, 1).iterator(f"Iterator::Root::{name}", 5, 95, 2, 1)
        c = Case(tap, f"advice for {name}", p)
        for args, words in (((), ours), (XPROF, xprof)):
            c.tap.ok(words in (c.input(*args)["advice"] or ""), f"{c.name}: {' '.join(args)} says '{words}'", c.input(*args)["advice"])


def missing(tap):
    c = Case(tap, "nothing but an op", Profile().host("a:MatMul", 0, 10))
    got = c.input()
    c.equal("steps and devices are missing", ["no steps" in got["missing"], "no device work" in got["missing"], got["verdict"],
                                             got["input_pct"], got["best_step_no_wait_ns"]], [True, True, "unknown", None, None])
    c = Case(tap, "calls of the driver only", Profile().kernel(10, 20))
    c.equal("the host is missing", "no host events" in c.input()["missing"], True)
    c.equal("the finding names it", [w in r["sentence"] for r in c.findings("input-bound") for w in ("no steps", "no host events")], [True, True])
    c.keys({"verdict": "unknown", "input_wait_ns": None, "enqueue_ns": None})


def compilations(tap):
    p = Profile()
    for i in range(4):
        p.step(i + 1, 1000 * i, 1000 * i + 900)
    p.host("XlaCompile", 100, 500, shape=Ref("(float[32])")).host("backend_compile", 150, 450)  # a part of it
    p.host("FusionCompiler::Compile", 200, 300, tid=2)  # the compiler's own thread, meanwhile
    p.host("TorchDynamo Cache Lookup", 1100, 1110).host("PjitFunction(f)", 1200, 1300)
    p.host("f", 2100, 2200, tf_function_call=Ref("notTraced-nonXla")).host("f", 2300, 2400, tf_function_call=Ref("traced-nonXla"))
    p.host("XlaCompile", 3100, 3150, shape=Ref("(float[33])")).host("cuModuleLoadData", 3200, 3210)
    c = Case(tap, "compilations", p)
    rows = [(r["compiler"], r["step"], number(r["start_ns"]), number(r["dur_ns"]), r["after_warmup"], r["compiled_shape"], r["previous_shape"])
            for r in c.rows("compiles")]
    c.equal("the outermost ones; lookups, dispatch and untraced calls are none", rows, [
        ("xla", "1", 100000, 400000, False, "(float[32])", None),
        ("tf_function", "3", 2300000, 100000, True, None, None),
        ("xla", "4", 3100000, 50000, True, "(float[33])", "(float[32])"),
        ("nvrtc", "4", 3200000, 10000, True, None, None)])
    late = c.findings("recompilation")[0]  # one of kind xla after the warm-up; 100 + 50 + 10 us of all kinds
    c.equal("one program is compiled again", [number(late["value"]), number(late["lost_ns"])], [1, 160000])
    c = Case(tap, "compilation without steps", Profile().host("XlaCompile", 0, 10))
    c.equal("warm-up is unknown", [r["after_warmup"] for r in c.rows("compiles")], [None])


def main():
    need_program()
    tap = Tap()
    for check in (classes, self_time, equal_ends, overlap, verdicts, named_by_the_program, copies_count, copies_weigh_more,
                  copies_that_copy_themselves, copies_that_are_no_input, validation_between_steps, kernels_alone, replicas, estimate, infeed, unexplained_wait,
                  nested_iterators, across_threads, not_between, device_pipeline, fifty_us, calls, no_ids, circle, stages, advice,
                  missing, compilations):
        try:
            check(tap)
        except Exception as e:  # noqa: BLE001 - a case that cannot be read is a failed case
            tap.ok(False, f"{check.__name__} can be checked", f"{type(e).__name__}: {e}")
    tap.done()


main()
