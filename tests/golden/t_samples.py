"""The bundled recordings answer what tests/traces/README.md says of them.  Needs no corpus."""
import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness

TRACES = os.path.join(harness.ROOT, "tests/traces")
SAMPLE = os.path.join(TRACES, "sample")
TORCH = os.path.join(TRACES, "torch-cpu")
TF = os.path.join(TRACES, "tf-cpu")


def table(name, trace):
    return harness.table(name, trace, "--no-cache")


def one(pattern):
    (path,) = glob.glob(os.path.join(SAMPLE, "plugins/profile/*", pattern))
    return path


def step_numbers(rows):
    return [int(str(row["step"]).replace(":", " ").split()[-1]) for row in rows]


def nothing_lost(tap, trace, told):
    entries = [harness.number(told[key]) for key in ("entries_in_file", "events_shown", "events_merged", "events_noted")]
    tap.equal(entries[0], sum(entries[1:]), f"{trace}: every entry is shown, merged or noted")


def no_device(tap, trace, path):
    tap.equal([table(name, path).rows for name in ("devices", "kernels")], [[], []], f"{trace}: no device, no kernel")


def biggest_step_gap(path):
    return max((row for row in table("gaps", path).rows if row["scope"] == "step"), key=lambda row: row["dur_ns"])


def sample(tap):
    told = table("trace", SAMPLE).keyed()
    tap.equal(harness.number(told["events_shown"]), 1442, "sample: the directory is read once, though it holds the capture twice")
    nothing_lost(tap, "sample", told)
    no_device(tap, "sample", SAMPLE)
    tap.equal(step_numbers(table("steps", SAMPLE).rows), list(range(1, 13)), "sample: steps 1 to 12")
    gap = biggest_step_gap(SAMPLE)
    tap.equal((gap["dur_ns"], gap["main_event_ns"]), (40_480_084, 40_427_274), "sample: the gap after step 8 and its cause, to the ns")
    tap.ok("load_batch" in f"{gap['main_event']} {gap['main_event_id']}", "sample: the cause is load_batch", gap)


def twins(tap):
    """The XSpace and the JSON beside it are one capture."""
    xspace, chrome = (table("steps", one(name)).rows for name in ("host.xplane.pb", "host.trace.json.gz"))
    tap.equal([row["dur_ns"] for row in chrome], [row["dur_ns"] for row in xspace], "sample: both files have the same steps")
    xspace, chrome = (biggest_step_gap(one(name)) for name in ("host.xplane.pb", "host.trace.json.gz"))
    tap.equal(chrome["dur_ns"], xspace["dur_ns"], "sample: both files have the same biggest gap")


def torch(tap):
    nothing_lost(tap, "torch-cpu", table("trace", TORCH).keyed())
    no_device(tap, "torch-cpu", TORCH)
    steps = table("steps", TORCH).rows
    numbers = [int(str(row["step"]).split("#")[-1]) for row in steps]
    tap.equal(numbers, [2, 3, 4, 5, 6, 7], "torch-cpu: steps 2 to 7")
    slow = max(steps, key=lambda row: row["dur_ns"])
    tap.equal((slow["step"], slow["dur_ns"]), (steps[3]["step"], 41_823_368), "torch-cpu: step 5 lasts 41.8 ms")


def tensorflow(tap):
    nothing_lost(tap, "tf-cpu", table("trace", TF).keyed())
    no_device(tap, "tf-cpu", TF)
    tap.equal(step_numbers(table("steps", TF).rows), list(range(1, 9)), "tf-cpu: steps 1 to 8")


def main():
    tap = harness.Tap()
    harness.need_program()
    for check in (sample, twins, torch, tensorflow):
        try:
            check(tap)
        except harness.TableError as e:
            tap.ok(False, check.__name__, e)
    tap.done()


main()
