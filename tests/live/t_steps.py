"""Steps of a running program, the whole way: ranges that it marks through NVTX, the stand-in CUPTI's records of them, record and
run --view. By name, by a pattern, and by what repeats when nothing is marked. The stand-ins are ours and prove our code."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from command import env, run  # noqa: E402
from viewer import TARGET  # noqa: E402
from harness import Tap, need_program, play, scratch, table  # noqa: E402

STEPS, WORK = 12, 10  # a copy, eight kernels, another kernel
tap = Tap()


def recorded(name, *words):
    out = scratch(name + ".stepscope")
    status, _, err = run("record", "-q", "--force", "-o", out, "--", TARGET, *words, f"steps={STEPS}", env=env())
    if status:
        tap.ok(False, f"record {words}", err)
    return out


def facts(path, *options):
    return {r["key"]: r["value"] for r in table("trace", path, *options).rows}


def test_steps_by_name():
    for mark, name, source in (("ProfilerStep#", "ProfilerStep", "ProfilerStep"), ("step ", "step", "annotations: a range"),
                               ("train ", "train", "annotations: a range")):
        out = recorded("named", "mark=" + mark)
        steps = table("steps", out).rows
        tap.equal([(r["step"], r["name"], r["step_source"], r["work"]) for r in steps],
                  [(str(n), name, "marker", WORK) for n in range(STEPS)], f"steps marked '{mark}N', each with its own work")
        tap.equal(facts(out)["steps_source"], source, f"'{mark}N': the rule that found them")


def test_ranges_are_what_was_marked():
    out = recorded("ranges", "mark=step ")
    ranges = [r for r in table("events", out).rows if r["kind"] == "annotation"]
    kernels = [r for r in table("events", out).rows if r["kind"] == "runtime" and r["name"] == "cuLaunchKernel"]
    tap.equal([r["name"] for r in ranges], [f"step {n}" for n in range(STEPS)], "a range is one event of its name")
    inside = [sum(r["start_ns"] <= k["start_ns"] < r["start_ns"] + r["dur_ns"] for k in kernels) for r in ranges]
    tap.equal(inside, [WORK - 1] * STEPS, "and lies around the launches that it enclosed")


def test_steps_by_pattern():
    out = recorded("pattern", "mark=phase/")
    tap.equal(facts(out)["steps_source"], "inferred", "a name that nobody uses for steps is none")
    steps = table("steps", out, "--steps-by", r"^phase/\d+$").rows
    tap.equal([(r["step_source"], r["work"]) for r in steps], [("marker", WORK)] * STEPS, "--steps-by says that it is")
    tap.equal(facts(out, "--steps-by", r"^phase/\d+$")["steps_source"], "pattern", "by the pattern")


def test_steps_inferred():
    out = recorded("unmarked")
    steps = table("steps", out).rows
    tap.equal([(r["step_source"], r["work"]) for r in steps], [("inferred", WORK)] * STEPS, "nothing is marked: by what repeats")
    tap.equal(facts(out)["inferred_kernels_per_step"], WORK, "so much work each")
    overview = {r["key"]: r["value"] for r in table("overview", out).rows}
    tap.equal(overview["eager_device_pct"], None, "no framework was recorded: nothing is called eager")


def test_allocations():
    """The stand-in says what CUPTI's records of memory say: size and address when a block is given out, the address when it is taken back."""
    out = scratch("blocks.stepscope")
    status, _, err = run("record", "-q", "--force", "--kinds", "default,memory", "-o", out, "--", TARGET, "kernels=3", "blocks=5", "kernels=3", env=env())
    tap.equal((status, err), (0, ""), "record --kinds default,memory")
    (row,) = [r for r in table("memory", out).rows if r["allocator"] == "CUDA device memory"]
    tap.equal((row["device"], row["frees"], row["unknown_frees"], row["total_differences"], row["matched_by"]), (0, 4, 0, None, "address"), "frees find their blocks")
    tap.equal(row["peak_bytes"] - row["end_used_bytes"], 3 << 20, "two blocks at the peak, one in the end")
    blocks = [r for r in table("allocations", out).rows if r["block_bytes"] == 3 << 20]
    tap.equal([r["taken_at_ns"] is None for r in blocks], [False] * 4 + [True], "all but the last are taken back")


def shown(name, *words, options=(), want):
    """The explorer finds the steps while the command runs."""
    go = scratch("go-" + want.split()[0])
    script = f"wait Overview\nwait LIVE\ntype :table steps\nkeys Enter\nwait {want}\ntouch {go}\nkeys Q\nend\n"
    e = {k: v for k, v in env().items() if not k.startswith("XDG_C")}
    picture = play(script, "run", "--view", *options, "--", TARGET, *words, "steps=30", f"until={go}", size="120x30", env=e,
                   cwd=scratch())
    tap.ok("exit 0" in picture.said, name, picture.said + [picture.last])


def test_steps_on_the_fly():
    shown("run --view: steps by name", "mark=train ", want="train  marker")
    shown("run --view: steps by pattern", "mark=phase/", options=("--steps-by", "^phase"), want="phase  marker")
    shown("run --view: inferred steps", want="inferred")


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap.each((test_steps_by_name, test_ranges_are_what_was_marked, test_steps_by_pattern, test_steps_inferred, test_allocations,
              test_steps_on_the_fly))
    tap.done()


main()
