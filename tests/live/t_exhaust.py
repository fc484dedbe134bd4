"""Memory, mappings, threads and writes of the library in the target fail, every one in turn: the target runs and ends as if we
were not there. Only the library's own calls fail, not the target's."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../exhaust")]
from exhaust import KINDS, LIBRARY  # noqa: E402
from viewer import SANITIZED, Rendezvous, Target  # noqa: E402
from harness import Tap, scratch, skip_all  # noqa: E402

WORDS = ("kernels=40", "copies=5", "graphs=2", "exit=7")
if SANITIZED:
    skip_all("sanitizers bring their own allocator")
tap = Tap()


def run(**more):
    """(exit status, stdout, stderr) of a target that is watched from its start."""
    door = Rendezvous()
    with Target(*WORDS, STEPSCOPE_VIEWER=door.path, STEPSCOPE_START="all", LD_PRELOAD=LIBRARY,
                STEPSCOPE_FAIL_IN="libstepscope-inject", **more) as t:
        return t.end()


def counts():
    run(STEPSCOPE_FAIL_COUNT=scratch("count"))
    with open(scratch("count")) as f:
        return {kind: int(n) for kind, n in map(str.split, f)}


alone = run(CUDA_INJECTION64_PATH=None)
calls = counts()
tap.ok(all(calls[kind] > 0 for kind in ("alloc", "map", "thread")), "the library allocates, maps and starts threads", calls)
for kind in KINDS:
    odd = [f"{kind}:{n}{more}" for n in range(1, min(calls[kind], 40) + 1) for more in ("", "+")
           if run(STEPSCOPE_FAIL=f"{kind}:{n}{more}") != alone]
    tap.equal(odd, [], f"{kind}: the target does not notice")
tap.done()
