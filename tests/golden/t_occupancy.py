"""Occupancy of every kernel of the corpus against what its recorder says.

Kineto tells `est. achieved occupancy %`.  Its rule: the blocks that fit on a multiprocessor by the calculation that comes
with CUDA, or blocks of the grid per multiprocessor where these are fewer, times the threads of a block, of the threads that a
multiprocessor can hold; rounded to a whole number.  It asks that calculation without the leave to use more than 48 KiB of
shared memory per block, which gives 0 for kernels that do (most matrix products since Volta); the table computes those.
XSpaces tell the theoretical occupancy; those in hand with kernels tell none.

From the table: theoretical_pct is what fits, waves < 1 says by how much the grid is too small.  --semantics kineto shows
what the recorder told, whatever the table thinks of it."""
import collections
import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness

WITHOUT_LEAVE = 48 * 1024
WANTED_PCT, WANTED_CAPABILITIES = 99, 3
# devices of the corpus and what their producers call their compute capability
CAPABILITIES = {"V100": "7.0", "2080 Ti": "7.5", "A100": "8.0", "H100": "9.0", "B200": "10.0"}


def capability(device):
    return next((cc for name, cc in CAPABILITIES.items() if name in device), None)


def estimate(row):
    """Kineto's number before it is rounded."""
    if row["smem_bytes"] > WITHOUT_LEAVE:
        return 0
    return row["theoretical_pct"] * min(1, row["waves"])


def agrees(row):
    """Recorders round halves up or to even."""
    return abs(estimate(row) - row["occupancy_pct"]) <= 0.5 + 1e-9


def launch(row):
    return tuple(row[c] for c in ("name", "op", "registers", "smem_bytes", "block", "grid"))


def compare(tap, name, trace):
    devices = [d["name"] for d in harness.table("devices", trace).rows if d["kernels"]]
    rows = [r for r in harness.table("kernels", trace, "--semantics", "kineto").rows if r["occupancy_pct"] is not None]
    kernels = sum(r["kernels"] for r in rows)
    if not kernels:
        return None, 0, 0
    known = [r for r in rows if r["theoretical_pct"] is not None and r["waves"] is not None]
    same = sum(r["kernels"] for r in known if agrees(r))
    wrong = [f"{r['name'][:50]} {r['block']} {r['grid']} {r['registers']} registers {r['smem_bytes']} bytes: told "
             f"{r['occupancy_pct']}, computed {r['theoretical_pct']} {r['waves']}" for r in rows if r not in known or not agrees(r)]
    tap.ok(100 * same >= WANTED_PCT * kernels, f"{name}: {same} of {kernels} kernels as told", "\n".join(wrong))
    check_computed(tap, name, trace, {launch(r): r for r in rows})
    return capability(devices[0] or ""), same, kernels


def check_computed(tap, name, trace, told):
    """Where the recorder says 0 the table says what the launch can reach, and that it computed it."""
    wrong = []
    for row in harness.table("kernels", trace).rows:
        zero = launch(row) in told and told[launch(row)]["occupancy_pct"] == 0
        reach = row["theoretical_pct"] * min(1, row["waves"]) if zero else row["occupancy_pct"]
        if row["occupancy_by"] != ("computed" if zero else "given") or abs(row["occupancy_pct"] - reach) > 1e-9:
            wrong.append(f"{row['name'][:60]}: {row['occupancy_pct']} {row['occupancy_by']}")
    tap.ok(not wrong, f"{name}: a told 0 is computed instead", "\n".join(wrong))


def main():
    harness.need_program()
    tap = harness.Tap()
    files = sorted(glob.glob(os.path.join(harness.TRACES, "kineto", "*", "*.json*")))
    if not files:
        harness.skip_all("the trace corpus is not here")
    sums = collections.defaultdict(lambda: [0, 0])
    for trace in files:
        name = "/".join(trace.split("/")[-2:])[:60]
        cc, same, kernels = compare(tap, name, trace)
        sums[cc][0] += same
        sums[cc][1] += kernels
    print("# compute capability   kernels   as told")
    for cc, (same, kernels) in sorted(sums.items(), key=str):
        if kernels:
            print(f"# {cc or 'unknown':18} {kernels:9} {100 * same / kernels:8.2f} %")
    met = [cc for cc, (same, kernels) in sums.items() if cc and kernels and 100 * same >= WANTED_PCT * kernels]
    tap.ok(len(met) >= WANTED_CAPABILITIES, f"{len(met)} compute capabilities", sums)
    tap.done()


main()
