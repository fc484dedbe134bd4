#!/usr/bin/env python3
"""Grouping of events into steps, one small hand-made XSpace per rule.

Each case: the events, the steps that must come out, and for named events the step they belong to ("-" = none).  The
expected values follow from the rule in the case's comment.  Times are in us.  `xprof=True` asks for --semantics xprof.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness
import mkxspace
from mkxspace import Ref, Uint


class Trace:
    """Host threads and GPU streams by number; `launch` makes the call and its kernel."""

    def __init__(self):
        self.space, self.host, self.gpus, self.lines, self.corr = mkxspace.Space(["h"]), None, {}, {}, 0
        self.host = self.space.plane("/host:CPU", id=100)

    def line(self, gpu, id):
        if gpu is not None and gpu not in self.gpus:
            self.gpus[gpu] = self.space.plane(f"/device:GPU:{gpu}", id=gpu)
        plane = self.host if gpu is None else self.gpus[gpu]
        if (gpu, id) not in self.lines:
            name = f"thread {id}" if gpu is None else f"Stream #{id}(Compute)"
            self.lines[gpu, id] = plane.line(id, name, timestamp_ns=1000)
        return self.lines[gpu, id]

    def on(self, thread, name, start, dur, **stats):
        self.line(None, thread).event(name, offset_ps=start * 10**6, dur_ps=dur * 10**6, stats=stats)
        return self

    def kernel(self, name, start, dur, corr=None, gpu=0, stream=7, **stats):
        stats = dict(stats, kernel_details=Ref("regs:32 grid:1,1,1 block:32,1,1"))
        if corr is not None:
            stats["correlation_id"] = Uint(corr)
        self.line(gpu, stream).event(name, offset_ps=start * 10**6, dur_ps=dur * 10**6, stats=stats)
        return self

    def launch(self, thread, at, name, start, dur, gpu=0, stream=7):
        self.corr += 1
        self.on(thread, name + " call", at, 2, device_id=Uint(gpu), correlation_id=Uint(self.corr))
        return self.kernel(name, start, dur, self.corr, gpu, stream)

    def root(self, thread, name, num, start, dur, level=1):
        return self.on(thread, name, start, dur, _r=level, step_num=num)


CASES = []


def case(xprof=False):
    def keep(make):
        CASES.append((make, xprof))
        return make
    return keep


# ---- roots ---------------------------------------------------------------------------------------------------------------

@case()
def a_root_owns_what_is_nested_and_what_that_launches():
    # thread 1: op and launch lie in the root's 0..100; the kernel at 200 follows its launch (edge by correlation_id)
    t = Trace().root(1, "train", 7, 0, 100).on(1, "op", 10, 20).launch(1, 12, "k", 200, 5)
    return t, ["7"], {"op": "7", "k call": "7", "k": "7"}


@case()
def another_thread_needs_an_edge():
    # same time, other thread, no producer or consumer: not reached
    t = Trace().root(1, "train", 7, 0, 100).launch(1, 12, "k", 50, 5).on(2, "beside", 10, 20)
    return t, ["7"], {"beside": "-"}


@case()
def trace_context_is_a_root_of_level_one():
    # no step_num: numbers are counted from 0 in order of begin
    t = Trace().on(1, "TraceContext", 0, 50).on(1, "TraceContext", 60, 50).on(1, "b", 70, 5)
    return t, ["0", "1"], {"b": "1"}


@case()
def a_root_inside_a_root_of_its_level_is_skipped():
    # train 1 is the ancestor of train 2: it groups it
    t = Trace().root(1, "train", 1, 0, 100).root(1, "train", 2, 10, 20).on(1, "op", 12, 5)
    return t, ["1"], {"op": "1"}


@case()
def the_higher_level_claims_first():
    # level 2 comes before level 1 though it begins later: it keeps op, the outer root gets the rest
    t = Trace().root(1, "outer", 1, 0, 100).root(1, "inner", 9, 10, 20, level=2)
    t.on(1, "in", 12, 5).on(1, "out", 50, 5)
    return t, ["1", "9"], {"in": "9", "out": "1"}


@case()
def names_tell_equal_numbers_apart():
    t = Trace().root(1, "train", 5, 0, 10).root(1, "test", 5, 20, 10)
    return t, ["train:5", "test:5"], {}


@case()
def iter_num_goes_before_step_num():
    # the first found of iter_num, step_num, group id
    t = Trace().on(1, "train", 0, 10, _r=1, step_num=5, iter_num=3)
    return t, ["3"], {}


@case()
def a_number_may_stand_on_an_ancestor():
    # the root carries none; the event around it does
    t = Trace().on(1, "outer", 0, 100, step_num=41).on(1, "train", 10, 20, _r=1)
    return t, ["41"], {"outer": "-"}


# ---- edges between threads -------------------------------------------------------------------------------------------------

def produced(types, ids, **more):
    t = Trace().root(1, "train", 1, 0, 100).on(1, "producer", 10, 20, _pt=types[0], _p=Uint(ids[0]))
    return t.on(2, "consumer", 50, 20, _ct=types[1], _c=Uint(ids[1]), **more).on(2, "inside", 55, 5)


@case()
def a_producer_reaches_its_consumer():
    # type and id agree; `inside` is nested in the consumer
    return produced((2, 2), (77, 77)), ["1"], {"consumer": "1", "inside": "1"}


@case()
def another_id_is_another_consumer():
    return produced((2, 2), (77, 78)), ["1"], {"consumer": "-", "inside": "-"}


@case()
def another_type_is_another_consumer():
    return produced((2, 3), (77, 77)), ["1"], {"consumer": "-"}


@case()
def a_chain_of_producers_is_followed():
    # 1 -> 2 by id 5, then thread 2's own producer -> thread 3 by id 6
    t = Trace().root(1, "train", 1, 0, 100).on(1, "a", 10, 5, _pt=2, _p=Uint(5))
    t.on(2, "b", 20, 20, _ct=2, _c=Uint(5)).on(2, "c", 25, 5, _pt=3, _p=Uint(6)).on(3, "d", 40, 5, _ct=3, _c=Uint(6))
    return t, ["1"], {"b": "1", "c": "1", "d": "1"}


def crowd(producers, consumers):
    t = Trace().root(1, "train", 1, 0, 1000)
    for i in range(producers):
        t.on(1, f"p{i}", 1 + 2 * i, 1, _pt=2, _p=Uint(9))
    for i in range(consumers):
        t.on(2, f"c{i}", 2000 + 2 * i, 1, _ct=2, _c=Uint(9))
    return t


@case()
def sixty_four_on_both_sides_join_nothing():
    return crowd(64, 64), ["1"], {"p0": "1", "c0": "-", "c63": "-"}


@case()
def sixty_three_on_one_side_still_join():
    return crowd(63, 64), ["1"], {"c0": "1", "c63": "1"}


@case()
def the_executor_reaches_its_iterator():
    # id and iter_num equal: 4/0 joins, 5/0 does not
    t = Trace().root(1, "train", 1, 0, 100).on(1, "ExecutorState::Process", 10, 20, id=4, iter_num=0)
    t.on(2, "IteratorGetNextOp::DoCompute", 12, 5, id=4, iter_num=0)
    t.on(3, "IteratorGetNextAsOptionalOp::DoCompute", 12, 5, id=5, iter_num=0)
    return t, ["1"], {"IteratorGetNextOp::DoCompute": "1", "IteratorGetNextAsOptionalOp::DoCompute": "-"}


@case()
def async_events_have_no_children():
    # `_a` neither gets nor becomes a nesting parent
    t = Trace().root(1, "train", 1, 0, 100).on(1, "async", 10, 50, _a=1).on(1, "op", 20, 5)
    return t, ["1"], {"async": "-", "op": "1"}


@case()
def a_thread_pool_region_belongs_to_its_scheduler():
    # Record produces 123; start and stop of the region are instants on the pool's thread; what lies between is nested
    t = Trace().root(1, "train", 1, 0, 100).on(1, "ThreadpoolListener::Record", 10, 0, _pt=15, _p=Uint(123))
    t.on(2, "before", 15, 2).on(2, "ThreadpoolListener::StartRegion", 20, 0, _ct=15, _c=Uint(123))
    t.on(2, "hello", 25, 10).on(2, "ThreadpoolListener::StopRegion", 40, 0).on(2, "after", 50, 5)
    return t, ["1"], {"hello": "1", "before": "-", "after": "-"}


# ---- other roots ---------------------------------------------------------------------------------------------------------------

@case()
def process_batch_claims_before_batching_session_run():
    # the pre-pass gives BatchingSessionRun level 1 and ProcessBatch level 2
    t = Trace().on(1, "BatchingSessionRun", 0, 100).on(1, "ProcessBatch", 10, 20).on(1, "in", 12, 5).on(1, "out", 50, 5)
    return t, ["BatchingSessionRun:0", "ProcessBatch:0"], {"in": "ProcessBatch:0", "out": "BatchingSessionRun:0"}


@case()
def old_function_runs_are_roots_when_nothing_else_is():
    # implicit roots of TensorFlow up to 2.4; the inner RunGraph has an ancestor root of its level
    t = Trace().on(1, "SessionRun", 0, 50).on(1, "RunGraph", 5, 20).launch(1, 10, "a", 60, 5)
    t.on(1, "SessionRun", 100, 50).launch(1, 110, "b", 160, 5)
    return t, ["0", "1"], {"a": "0", "b": "1"}


@case()
def an_explicit_root_makes_them_plain_events():
    t = Trace().root(1, "train", 4, 0, 50).on(1, "FunctionRun", 5, 20).on(1, "FunctionRun", 100, 20)
    return t, ["4"], {}


@case(xprof=True)
def the_reference_tool_of_today_has_no_implicit_roots():
    return Trace().on(1, "FunctionRun", 5, 20).launch(1, 10, "a", 60, 5), [], {"a": "-"}


@case()
def functions_of_the_input_pipeline_are_no_steps():
    # id 8 is a tf.data function (InstantiatedCapturedFunction): the root with that id is ignored
    t = Trace().on(2, "InstantiatedCapturedFunction::Run", 0, 40, id=8).on(2, "FunctionRun", 5, 20, id=8, _r=1)
    return t.root(1, "train", 1, 50, 20), ["1"], {"FunctionRun": "-"}


def loop():
    # id 8 runs three iterations; id 100 only its iteration 0 and is no loop
    t = Trace()
    for i in range(3):
        t.on(1, "ExecutorState::Process", i * 100, 40, id=8, iter_num=i).launch(1, i * 100 + 5, f"k{i}", i * 100 + 50, 5)
    return t.on(2, "ExecutorState::Process", 0, 10, id=100, iter_num=0)


@case()
def all_threads_of_an_iteration_are_in_its_step():
    # two threads run parts of iteration 1, one of them before anything of the loop is launched there; both parts are of the step
    t = loop().on(2, "ExecutorState::Process", 120, 30, id=8, iter_num=1).on(2, "MatMul:MatMul", 122, 10)
    return t.launch(2, 124, "beside", 170, 5), ["0", "1", "2"], {"k1": "1", "MatMul:MatMul": "1", "beside": "1"}


@case()
def executors_below_a_root_stay_apart():
    # without a loop an executor's id joins nothing but iterators
    t = Trace().root(1, "train", 1, 0, 100).on(1, "ExecutorState::Process", 10, 20, id=4, iter_num=0)
    t.on(2, "ExecutorState::Process", 12, 20, id=4, iter_num=0)
    return t.kernel("k", 30, 5), ["1"], {"train": "1"}


@case()
def iterations_of_a_loop_are_steps():
    return loop(), ["0", "1", "2"], {"k0": "0", "k2": "2"}


@case()
def iterations_far_apart_are_not_one():
    # 100,000 iterations lie between; another thread runs a part of the second
    t = Trace().on(1, "ExecutorState::Process", 0, 40, id=8, iter_num=1).on(1, "ExecutorState::Process", 100, 40, id=8, iter_num=100001)
    return t.on(2, "ExecutorState::Process", 110, 20, id=8, iter_num=100001).on(2, "op", 112, 5), ["1", "100001"], {"op": "100001"}


@case()
def a_root_goes_before_the_loop():
    return loop().root(3, "train", 9, 0, 400), ["9"], {"k0": "-"}


@case(xprof=True)
def the_reference_tool_takes_the_loop_first():
    return loop().root(3, "train", 9, 0, 400), ["0", "1", "2"], {"k1": "1"}


def with_loop_op():
    return Trace().root(1, "train", 1, 0, 100).launch(1, 10, "k", 20, 5).on(2, "ForOp", 200, 5)


@case()
def loop_ops_do_not_disturb_us():
    return with_loop_op(), ["1"], {"k": "1"}


@case(xprof=True)
def loop_ops_stop_the_reference_tool():
    return with_loop_op(), [], {"k": "-"}


def unrooted():
    # Trace(name, step_num=n) written without _r
    return Trace().on(1, "train", 0, 50, step_num=3).launch(1, 10, "k", 60, 5)


@case()
def a_step_number_is_enough_for_us():
    return unrooted(), ["3"], {"k": "3"}


@case(xprof=True)
def the_reference_tool_wants_the_root_level():
    return unrooted(), [], {"k": "-"}


# ---- groups of the file, and what devices inherit (sections 5 and 8.2) ------------------------------------------------------------

def orphans():
    # kernels in order of time: early (no group yet), k of step 1, late without launch, other: launched outside every step
    t = Trace().root(1, "train", 1, 100, 50).launch(1, 110, "k", 200, 10)
    return t.kernel("early", 50, 5).kernel("late", 300, 5).launch(2, 350, "other", 400, 5)


@case()
def work_without_launch_inherits_the_latest_group():
    return orphans(), ["1"], {"early": "-", "k": "1", "late": "1", "other": "-"}


@case(xprof=True)
def for_the_reference_tool_all_ungrouped_work_inherits():
    return orphans(), ["1"], {"early": "-", "late": "1", "other": "1"}


def hostly():
    # step 1 works on the device, step 2 only on the host
    return Trace().root(1, "train", 1, 0, 50).launch(1, 10, "k", 60, 5).root(1, "train", 2, 100, 50)


@case()
def a_step_on_the_host_alone_is_a_step_for_us():
    return hostly(), ["1", "2"], {}


@case(xprof=True)
def the_reference_tool_keeps_groups_seen_on_both_sides():
    return hostly(), ["1"], {}


@case()
def every_gpu_of_the_host_has_its_part():
    t = Trace().root(1, "train", 1, 0, 50).launch(1, 10, "a", 60, 5).launch(1, 20, "b", 60, 5, gpu=1)
    return t, ["1", "1"], {"a": "1", "b": "1"}


@case()
def the_file_may_carry_its_groups():
    # group_id on both sides: nothing is computed
    t = Trace().on(1, "train", 0, 50, group_id=0, step_name="train 12").kernel("k", 60, 5, group_id=0)
    return t, ["12"], {"k": "12"}


# ---- annotations --------------------------------------------------------------------------------------------------------------------

@case()
def numbered_nvtx_ranges_are_steps():
    t = Trace().on(1, "NVTX:iteration 4", 0, 50).on(1, "op", 10, 5).on(1, "NVTX:iteration 5", 60, 50)
    return t, ["4", "5"], {"op": "4"}


@case()
def lightning_batches_are_counted():
    name = "[pl][profile]run_training_batch"
    return Trace().on(1, name, 0, 50).on(1, name, 60, 50).on(1, "op", 70, 5), ["0", "1"], {"op": "1"}


@case()
def deepspeed_goes_from_forward_to_step():
    # the optimizer's part at 40..50 ends the step that began with forward
    t = Trace().on(1, "NVTX:DeepSpeedEngine.forward", 0, 10).on(1, "mid", 20, 5).on(1, "NVTX:DeepSpeedEngine.step", 40, 10)
    return t.on(1, "later", 60, 5), ["0"], {"mid": "0", "later": "-"}


@case(xprof=True)
def the_reference_tool_knows_no_annotations():
    t = Trace().on(1, "NVTX:iteration 4", 0, 50).on(1, "op", 10, 5).on(1, "NVTX:iteration 5", 60, 50)
    return t, [], {"op": "-"}


def check(tap, make, xprof):
    trace, steps, members = make()
    name = make.__name__.replace("_", " ")
    path = harness.scratch(make.__name__ + ".xplane.pb")
    trace.space.write(path)
    options = ["--no-cache"] + (["--semantics", "xprof"] if xprof else [])
    try:
        got = [row["step"] for row in harness.table("steps", path, *options).rows]
        of = {row["name"]: row["step"] or "-" for row in harness.table("events", path, *options).rows}
    except harness.TableError as e:
        tap.ok(False, name, e)
        return
    tap.equal((got, {event: of.get(event, "no such event") for event in members}), (steps, members), name)


def main():
    harness.need_program()
    tap = harness.Tap()
    for make, xprof in CASES:
        check(tap, make, xprof)
    tap.done()


main()
