#!/usr/bin/env python3
"""The real exports in use: two runs of two ranks compared, whose numbers SQL gives, too; ranks on one axis, as JSON and back, in every pane."""
import glob
import json
import os
import sqlite3
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import TRACES, Tap, need_program, number, play, scratch, skip_all, stepscope, table  # noqa: E402
from make import PID, call, small, usual, work  # noqa: E402

NAMED = "FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id=demangledName WHERE value LIKE '%{}%'"
ONCE_A_STEP = NAMED.format("flash_fwd_kernel") + " AND gridX=244"  # attention over both halves; the other launch of a step has 122
PCT_OF_STEP, PCT_OF_KERNELS = 1.0, 2.0  # of the run; the comparison leaves warm-up and outliers out


def query(path):
    db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    return lambda sql: db.execute(sql).fetchall()


def periods(sql):
    """From one step's first attention to the next one's, on each GPU."""
    out = []
    for device in (0, 1):
        at = [a for (a,) in sql(f"SELECT start {ONCE_A_STEP} AND deviceId={device} ORDER BY start")]
        out += [b - a for a, b in zip(at, at[1:])]
    return out


def near(tap, got, wanted, pct, name):
    tap.ok(abs(got - wanted) <= abs(wanted) * pct / 100, name, f"expected {wanted} got {got}")


def steps(tap, name, path):
    sql, rows = query(path), table("steps", path).rows
    by_sql = periods(sql)
    near(tap, statistics.median(number(row["dur_ns"]) for row in rows), statistics.median(by_sql), PCT_OF_STEP, f"{name}: half of the steps take less than by SQL")
    tap.ok(abs(len(rows) - len(by_sql)) <= 4, f"{name}: as many steps as SQL counts, but for those that the capture cuts", f"{len(rows)} {len(by_sql)}")
    kernels = sql("SELECT deviceId,start,end " + ONCE_A_STEP)
    base = min(a for (a,) in sql("SELECT min(start) FROM CUPTI_ACTIVITY_KIND_KERNEL UNION ALL SELECT min(start) FROM NVTX_EVENTS UNION ALL "
                                 "SELECT min(start) FROM CUPTI_ACTIVITY_KIND_RUNTIME UNION ALL SELECT min(start) FROM CUPTI_ACTIVITY_KIND_MEMCPY"))
    ends = [(row["rank"], number(row["start_ns"]) + base, number(row["start_ns"]) + number(row["dur_ns"]) + base) for row in rows]
    held = [sum(device == rank and a <= start and end <= b for device, start, end in kernels) for rank, a, b in ends]
    tap.equal(set(held[1:-1]) - {0}, {1}, f"{name}: none holds the attention of two")
    tap.ok(held.count(0) <= 4, f"{name}: only cut ones hold none", held)


def per_step(sql, like):
    """A kernel's time per step and device by SQL: its calls are as many in each step."""
    count, total = sql("SELECT count(*),sum(end-start) " + NAMED.format(like))[0]
    (whole,), = sql("SELECT count(*) " + ONCE_A_STEP)
    return total / count * round(count / whole)


def family_ns(found, family, column):
    families = next(t for t in found["tables"] if t["name"] == "kernel_families")
    names = [c["name"] for c in families["columns"]]
    return next(row[names.index(f"total_{column}_ns")] for row in families["rows"] if row[names.index("family")] == family)


def compared(tap, before, after):
    runs = [query(p) for p in (before, after)]
    found = json.loads(stepscope("diff", before, after, "--format", "json").out)
    step, parts = found["change"], {p["part"]: p["change_ns"] for p in found["change"]["parts"]}
    by_sql = [statistics.median(periods(sql)) for sql in runs]
    tap.ok(abs(step["change_pct"] - 100 * (by_sql[1] / by_sql[0] - 1)) < 3, "the step takes longer by as much as by SQL", f"{step['change_pct']} {by_sql}")
    tap.equal(sum(parts.values()), step["change_ns"], "the parts are the whole of the change")
    longest = sorted(parts, key=parts.get)[-2:]
    tap.equal(sorted(longest), ["host_compute", "kernel_launch"], "most of it is the host's: its kernels take as long as before")
    for family, like in (("attention", "flash_fwd_kernel"), ("gemm", "nvjet")):
        for sql, column, run in zip(runs, "ab", ("before", "after")):
            near(tap, family_ns(found, family, column), per_step(sql, like), PCT_OF_KERNELS, f"{family} per step and device, {run}, as by SQL")


def first_kernels(*paths):
    """Rank -> where its first kernel starts."""
    ranks, first = {row["track"]: row["rank"] for row in table("tracks", *paths).rows}, {}
    for row in table("events", *paths).rows:
        if row["kind"] == "kernel":
            first[ranks[row["track"]]] = min(number(row["start_ns"]), first.get(ranks[row["track"]], 1 << 62))
    return first


def one_axis(tap, path):
    """Both ranks' work lies as far apart as in the file; two exports of one job lie by their wall clocks."""
    sql, first = query(path), first_kernels(path)
    by_sql = dict(sql("SELECT deviceId,min(start) FROM CUPTI_ACTIVITY_KIND_KERNEL GROUP BY 1"))
    tap.equal(first[1] - first[0], by_sql[1] - by_sql[0], "ranks of one export: on its clock")
    paths = []
    for rank, (clock, late) in enumerate(((1_000_000, 0), (77_000_000, 250))):
        made = usual()
        made["TARGET_INFO_SESSION_START_TIME"] = [{"utcEpochNs": 1_700_000_000_000_000_000, "systemClockNs": clock}]
        made["CUPTI_ACTIVITY_KIND_KERNEL"] = [work(clock + 5000 + late, clock + 9000 + late, 1, demangledName=1)]
        made["CUPTI_ACTIVITY_KIND_RUNTIME"], made["NVTX_EVENTS"] = [call(clock + 2000, clock + 3000, 1)], []
        made["CUPTI_ACTIVITY_KIND_MEMCPY"] = []
        paths.append(small(f"axis-rank{rank}.sqlite", made))
    at = first_kernels(*paths)
    tap.equal(at[1] - at[0], 250, "ranks in files of their own: by their wall clocks, whatever their own clocks count from")
    orders = [[row["rank"] for row in table("devices", *given).rows] for given in ([path], paths, paths[::-1])]
    tap.equal(orders, [[0, 1]] * 3, "ranks come in the order of their numbers, whichever the file or the user names first")


def memory(tap):
    """Allocations of two GPUs and of the host, pinned: each is a pool of its own with its peak."""
    rows = usual()
    rows["TARGET_INFO_CUDA_DEVICE"] = [{"gpuId": 0, "cudaId": 0, "pid": 100}]
    rows["TARGET_INFO_GPU"][0]["id"] = 0
    kinds = {"device": 2, "pinned": 1}
    each = [(10, 0, 1000, "device", 1), (20, 0, 500, "device", 2), (30, 1, 1000, "device", 1), (40, 0, 700, "device", 3), (15, 0, 64, "pinned", 9)]
    rows["CUDA_GPU_MEMORY_USAGE_EVENTS"] = [{"start": at, "globalPid": PID, "deviceId": 0, "address": 4096 * where, "bytes": size, "memKind": kinds[kind],
                                             "memoryOperationType": frees} for at, frees, size, kind, where in each]
    path = small("memory.sqlite", rows)
    got = {row["allocator"]: (row["peak_bytes"], row["device"]) for row in table("memory", path).rows}
    tap.equal(got, {"cuda": (1500, 0), "cuda host": (64, None)}, "peaks of the GPU's memory and of pinned memory")
    events = [row for row in table("events", path, "--all-columns").rows if row["kind"] == "memory"]
    tap.equal(sorted((row["name"], row["args.bytes"]) for row in events), sorted((("allocation", "free")[frees], size) for _, frees, size, _, _ in each),
              "each record is an event")


def as_chrome(tap, path):
    """The whole of it as Chrome JSON, and read again: the same kernels, copies and ranks."""
    out = scratch("back.json.gz")
    run = stepscope("export", path, "-o", out)
    tap.ok(run.status == 0, "an export as JSON", run.told())
    for name, columns in (("kernels", ("name", "rank", "device", "kernels", "total_ns", "grid")), ("copies", ("direction", "rank", "copies", "copy_bytes", "total_ns"))):
        ours, back = ([[row.get(c) for c in columns] for row in table(name, p).rows] for p in (path, out))
        tap.ok(ours and sorted(map(repr, ours)) == sorted(map(repr, back)), f"{name} of it are those of the database", f"{ours[:3]}\n{back[:3]}")


def panes(tap, path):
    name, sql = os.path.basename(path), query(path)
    script = "wait 1 Overview\nsettle\n" + "".join(f"keys {k}\nsettle\nscreen\n" for k in range(1, 10))
    shown = play(script, path, size="140x40")
    screens = ["\n".join(s) for s in shown.screens]
    titles = ["[1 Overview]", "[2 Timeline]", "[3 Steps]", "[4 Ops]", "[5 Kernels]", "[6 Input]", "[Memory]", "[8 Comms]", "[9 Guide]"]
    tap.equal(([t for t, s in zip(titles, screens) if t not in s], len(screens), shown.run.status), ([], 9, 0), f"{name}: every pane opens")
    (_, total), = sql("SELECT value,sum(end-start) FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id=demangledName GROUP BY 1 ORDER BY 2 DESC LIMIT 1")
    wanted = {4: f"{total / 1e6:.3f} ms", 1: "rank 1", 2: "inferred", 6: "--cuda-memory-usage=true", 7: "ast at"}
    lacking = {k: w for k, w in wanted.items() if w not in screens[k]}
    tap.ok(not lacking, f"{name}: with what is theirs", "\n".join([str(lacking), *(screens[k] for k in lacking)]))


def main():
    need_program()
    found = {os.path.basename(os.path.dirname(p)): p for p in glob.glob(os.path.join(TRACES, "nsys/*/*.sqlite"))}
    if len(found) < 3:
        skip_all("no ../shared/traces/nsys")
    tap = Tap()
    before, after = found["h100-train-2gpu-before"], found["h100-train-2gpu-after"]
    steps(tap, "before", before)
    steps(tap, "after", after)
    compared(tap, before, after)
    one_axis(tap, before)
    memory(tap)
    as_chrome(tap, before)
    for path in found.values():
        panes(tap, path)
    tap.done()


if __name__ == "__main__":
    main()
