"""Freeze XProf's GPU kernel table for the XSpace files of the corpus.

Run it once per XProf version; each run fills in that version's answers and checks that the numbers
are those already stored.  XProf changed three columns after 2.22 (`flags` below), nothing else.

    pip install xprof==2.22.3 && python make.py ../../../../shared/traces/xspace
    pip install xprof==2.24.2 && python make.py ../../../../shared/traces/xspace

File kernel_stats-<trace>.json:
    columns, rows   what every version agrees on, in XProf's order (total time descending); times in ns
    flags           version -> one [tc_eligible, uses_tc, op] per row
"""

import glob
import json
import os
import shutil
import sys
import tempfile
from importlib.metadata import version

from xprof.convert.raw_to_tool_data import xspace_to_tool_data

TRACES = ("jax-mi300-attention", "jax-mi300-conv-legacy", "jax-mi300-gemm", "tf-v100-multi-worker")

# our column: XProf's column id
SHARED = {
    "name": "kernel_name",
    "registers": "registers_per_thread",
    "smem_bytes": "shmem_bytes",
    "block": "block_dim",
    "grid": "grid_dim",
    "occupancy_pct": "occupancy_pct",
    "count": "occurrences",
    "total_ns": "total_duration_us",
    "avg_ns": "avg_duration_us",
    "min_ns": "min_duration_us",
    "max_ns": "max_duration_us",
}
FLAGS = {"tc_eligible": "is_op_tensor_core_eligible", "uses_tc": "is_kernel_using_tensor_core", "op": "op_name"}


def kernel_stats(trace_file):
    """XProf's table as a list of {column id: value}.  XProf writes a cache beside its input: give it a copy."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(trace_file, folder)
        data, _ = xspace_to_tool_data([copy], "kernel_stats", {})
    table = json.loads(data)
    ids = [column["id"] for column in table["cols"]]
    return [dict(zip(ids, (cell["v"] for cell in row["c"]))) for row in table["rows"]]


def exact(column, value):
    """Undo the table's doubles: microseconds become whole ns, counts become integers."""
    if column.endswith("_ns"):
        return round(value * 1000)
    if column in ("registers", "smem_bytes", "count"):
        return int(value)
    return value


def shared_rows(stats):
    return [[exact(ours, row[theirs]) for ours, theirs in SHARED.items()] for row in stats]


def merge(golden_file, trace, stats):
    fresh = {"trace": trace, "columns": list(SHARED), "rows": shared_rows(stats), "flag_columns": list(FLAGS), "flags": {}}
    if os.path.exists(golden_file):
        with open(golden_file, encoding="utf-8") as f:
            stored = json.load(f)
        if stored["rows"] != fresh["rows"]:
            sys.exit(f"{golden_file}: this version of XProf gives other numbers")
        fresh["flags"] = stored["flags"]
    fresh["flags"][version("xprof")] = [[row[theirs] for theirs in FLAGS.values()] for row in stats]
    return fresh


def dump(golden):
    """One row per line, so that a difference can be read."""
    lines = lambda rows: "[\n" + ",\n".join("   " + json.dumps(row, ensure_ascii=False) for row in rows) + "\n  ]"
    flags = ",\n".join(f'  "{v}": {lines(rows)}' for v, rows in sorted(golden["flags"].items()))
    return (
        f'{{\n "trace": {json.dumps(golden["trace"])},\n "columns": {json.dumps(golden["columns"])},\n'
        f' "rows": {lines(golden["rows"])},\n "flag_columns": {json.dumps(golden["flag_columns"])},\n'
        f' "flags": {{\n{flags}\n }}\n}}\n'
    )


def main(xspace_dir):
    here = os.path.dirname(os.path.abspath(__file__))
    for trace in TRACES:
        (trace_file,) = glob.glob(os.path.join(xspace_dir, trace, "*.xplane.pb"))
        golden_file = os.path.join(here, f"kernel_stats-{trace}.json")
        text = dump(merge(golden_file, trace, kernel_stats(trace_file)))
        with open(golden_file, "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main(sys.argv[1])
