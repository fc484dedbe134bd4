#!/usr/bin/env python3
"""The guide's situations (tests/golden/scenes) as acceptance tests: each scene as XSpace and as Chrome trace must give the
same numbers in the tables, in the report (Markdown and HTML) and on the screen (80x24 and 200x60)."""
import os
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "scenes")]
import specs
from harness import HeldTap, TableError, Tap, need_program, scratch
from every_scene import every_scene
from gap_checks import callback, contention, large_gap, loss_scaling, nothing_recorded, recompile, without_its_event, without_the_key_event
from gpu_checks import all_reduce, replicas, serial, starved, without_a_reduction, without_late_launches, without_the_meeting, without_work_in_turn
from opened import Opened
from scene import LAUNCH_CALLS
from shown import panes_and_reports
from step_checks import ideal, input_bound, launch_bound, synthetic_input, without_launches
from work_checks import excess_copies, many_small_kernels, placement, tensor_cores, without_copies, without_matmul, without_the_fallback

AT_ONCE = 3  # most of the time the program waits for a key, or a script for the program
CHECKS = {"ideal": ideal, "large_gap": large_gap, "nothing_recorded": nothing_recorded,
          "contention": contention, "callback": callback, "loss_scaling": loss_scaling, "recompile": recompile,
          "input_bound": input_bound, "synthetic_input": synthetic_input,
          "launch_bound": launch_bound, "placement": placement, "many_small_kernels": many_small_kernels, "excess_copies": excess_copies,
          "tensor_cores": tensor_cores, "all_reduce": all_reduce, "replicas": replicas, "serial": serial,
          "starved": starved}
REMOVED = [("large_gap", "IteratorGetNext", without_the_key_event),
           ("contention", "Iterator", without_its_event("thread contention")),
           ("callback", "Callback", without_its_event("host work outside the graph")),
           ("loss_scaling", "LossScale", without_its_event("loss scaling")),
           ("excess_copies", "Memcpy", without_copies),
           ("placement", "embedding", without_matmul),
           ("recompile", "XlaCompile", without_its_event("compilation")),
           ("tensor_cores", "sgemm", without_the_fallback),
           ("starved", LAUNCH_CALLS, without_late_launches),
           ("all_reduce", "AllReduce", without_a_reduction),
           ("replicas", "AllReduce", without_the_meeting),
           ("serial", "compute_kernel", without_work_in_turn),
           ("launch_bound", LAUNCH_CALLS, without_launches),
           ("many_small_kernels", LAUNCH_CALLS, without_launches)]
FORMS = (("xspace", "xplane.pb"), ("chrome", "trace.json.gz"))
SEVERAL = ("all_reduce", "replicas", "serial", "starved")  # scenes of several GPUs, which PyTorch records, too
WRITERS = {"xspace": "write_xspace", "chrome": "write_chrome", "kineto": "write_kineto"}


def forms_of(name):
    return (*FORMS, ("kineto", "pt.trace.json.gz")) if name in SEVERAL else FORMS


def run_scene(name, form, ending, scene, check):
    """The results of one scene in one format, kept."""
    tap, path = HeldTap(), scratch(f"{name}.{ending}")
    getattr(scene, WRITERS[form])(path)
    opened = Opened(tap, name, form, path, scene)
    try:
        every_scene(opened)
        check(opened)
        panes_and_reports(opened, name)
        opened.play_all()
    except (TableError, KeyError, IndexError, TypeError) as e:
        tap.ok(False, f"{opened.label}: can be checked", f"{type(e).__name__}: {e}")
    return tap


def jobs(only):
    """Each scene and each scene with its key event removed, in both formats."""
    for name, make in specs.SCENES.items():
        if not only or name in only:
            scene = make()
            yield from ((name, form, ending, scene, CHECKS.get(name, lambda o: None)) for form, ending in forms_of(name))
    for name, word, check in REMOVED:
        if not only or name in only:
            scene = specs.SCENES[name]()
            scene.without = word
            for form, ending in forms_of(name):
                yield f"{name} without {word}", form, ending, scene, check


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap = Tap()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for held in pool.map(lambda job: run_scene(*job), jobs(sys.argv[1:])):
            tap.take(held)
    tap.done()


main()
