"""Memory, mappings, threads and writes fail, one after the other: of the library in the target, which runs and ends as if we were
not there; of `record`, which writes a file that opens or says why not. The target's own calls never fail."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../exhaust")]
from exhaust import KINDS, LIBRARY, spread  # noqa: E402
from viewer import SANITIZED, TARGET, Rendezvous, Target  # noqa: E402
import command  # noqa: E402
from harness import STEPSCOPE, Tap, scratch, skip_all, stepscope  # noqa: E402

WORDS = ("kernels=40", "copies=5", "graphs=2", "exit=7")
MOST = 40
if SANITIZED:
    skip_all("sanitizers bring their own allocator")
tap = Tap()
os.makedirs(scratch("here"))
os.chdir(scratch("here"))  # a recording that cannot be written where it should is put here


def target(**more):
    """(exit status, stdout, stderr) of a target that is watched from its start."""
    door = Rendezvous()
    with Target(*WORDS, STEPSCOPE_VIEWER=door.path, STEPSCOPE_START="all", LD_PRELOAD=LIBRARY,
                STEPSCOPE_FAIL_IN="libstepscope-inject", **more) as t:
        return t.end()


def record(**more):
    """What is wrong with a recording, "" when nothing is."""
    out = scratch("recorded.stepscope")
    status, said, told = command.run("record", "-f", "-o", out, "--", TARGET, *WORDS,
                                     env=command.env(LD_PRELOAD=LIBRARY, STEPSCOPE_FAIL_IN=STEPSCOPE, **more))
    there = os.path.exists(out)
    opens = there and stepscope("notes", out, "--no-cache").status in (0, 4)
    if there:
        os.unlink(out)
    if status < 0 or status > 126:
        return f"record ended with {status}: {told}"
    if there and not opens:
        return "a file that does not open"
    if status == 7 and not said.startswith("kernels 40\n"):
        return f"the target said {said!r}"
    return "" if there or told.startswith("stepscope: ") else f"no file and no word, exit {status}"


def counts(run):
    run(STEPSCOPE_FAIL_COUNT=scratch("count"))
    with open(scratch("count")) as f:
        return {kind: int(n) for kind, n in map(str.split, f)}


def each(calls, kind):
    return [f"{kind}:{n}{more}" for n in spread(calls[kind], MOST) for more in ("", "+")]


alone = target(CUDA_INJECTION64_PATH=None)
calls = counts(target)
tap.ok(all(calls[kind] > 0 for kind in ("alloc", "map", "thread")), "the library allocates, maps and starts threads", calls)
for kind in KINDS:
    tap.equal([fail for fail in each(calls, kind) if target(STEPSCOPE_FAIL=fail) != alone], [], f"{kind}: the target does not notice")

tap.equal(record(), "", "a recording")
calls = counts(record)
tap.ok(calls["alloc"] > 20, "record allocates", calls)
for kind in KINDS:
    odd = {fail: why for fail, why in ((fail, record(STEPSCOPE_FAIL=fail)) for fail in each(calls, kind)) if why}
    tap.equal(odd, {}, f"{kind}: a recording is a file or a word")
tap.done()
