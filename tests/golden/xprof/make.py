"""Freeze XProf's GPU kernel table and step breakdown for XSpace files of the corpus and of tests/traces.

Run it once per XProf version; each run fills in that version's answers and checks that the numbers
are those already stored.  Between 2.22.3 and 2.23.3 XProf changed three columns (`flags` below), nothing else.

    pip install xprof==2.22.3 && python make.py ../../../../shared/traces/xspace
    pip install xprof==2.24.2 && python make.py ../../../../shared/traces/xspace

File kernel_stats-<trace>.json:
    columns, rows   what every version agrees on, in XProf's order (total time descending); times in ns
    flags           version -> one [tc_eligible, uses_tc, op] per row
File steps-<trace>.json:
    columns         those of a row; times in ns
    versions        version -> one row per step of the overview page; since 2.23 XProf leaves out the first and the last marker
"""

import glob
import json
import os
import shutil
import sys
import tempfile
from importlib.metadata import version

from xprof.convert.raw_to_tool_data import xspace_to_tool_data

KERNEL_TRACES = ("jax-mi300-attention", "jax-mi300-conv-legacy", "jax-mi300-gemm", "tf-v100-multi-worker")
STEP_TRACES = ("tf-v100-multi-worker", "sample", "tf-cpu")

# our column: XProf's column id
STEPS = {
    "step": "stepnum",
    "dur_ns": "stepTimeMs",
    "device_compute_ns": "deviceComputeTimeMs",
    "device_to_device_ns": "deviceToDeviceTimeMs",
    "collectives_ns": "deviceCollectivesTimeMs",
    "host_compute_ns": "hostComputeTimeMs",
    "kernel_launch_ns": "kernelLaunchTimeMs",
    "input_ns": "infeedTimeMs",
    "output_ns": "outfeedTimeMs",
    "compilation_ns": "compileTimeMs",
    "other_ns": "otherTimeMs",
}
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


HERE = os.path.dirname(os.path.abspath(__file__))


def ask(trace_file, tool):
    """One of XProf's pages.  XProf writes a cache beside its input: give it a copy."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(trace_file, folder)
        data, _ = xspace_to_tool_data([copy], tool, {})
    return json.loads(data)


def dicts(table):
    """A page's table as a list of {column id: value}."""
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


def step_rows(table):
    """The times are ms with six decimals, hence whole ns."""
    return [
        [round(row[theirs] * 1e6) if ours.endswith("_ns") else row[theirs] for ours, theirs in STEPS.items()]
        for row in dicts(table)
    ]


def load(golden_file):
    if not os.path.exists(golden_file):
        return {}
    with open(golden_file, encoding="utf-8") as f:
        return json.load(f)


def merge_kernels(golden_file, trace, stats):
    fresh = {"trace": trace, "columns": list(SHARED), "rows": shared_rows(stats), "flag_columns": list(FLAGS), "flags": {}}
    stored = load(golden_file)
    if stored:
        if stored["rows"] != fresh["rows"]:
            sys.exit(f"{golden_file}: this version of XProf gives other numbers")
        fresh["flags"] = stored["flags"]
    fresh["flags"][version("xprof")] = [[row[theirs] for theirs in FLAGS.values()] for row in stats]
    return fresh


def merge_steps(golden_file, trace, rows):
    versions = load(golden_file).get("versions", {}) | {version("xprof"): rows}
    return {"trace": trace, "columns": list(STEPS), "versions": versions}


def lines(rows):
    """One row per line, so that a difference can be read."""
    return "[\n" + ",\n".join("   " + json.dumps(row, ensure_ascii=False) for row in rows) + "\n  ]"


def dump(golden):
    """Values as JSON writes them, but lists of rows, alone or by version, as `lines`."""
    parts = []
    for key, value in golden.items():
        if key == "rows":
            text = lines(value)
        elif isinstance(value, dict):
            text = "{\n" + ",\n".join(f'  "{v}": {lines(rows)}' for v, rows in sorted(value.items())) + "\n }"
        else:
            text = json.dumps(value)
        parts.append(f' "{key}": {text}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write(golden_file, golden):
    with open(golden_file, "w", encoding="utf-8") as f:
        f.write(dump(golden))


def find(trace, xspace_dir):
    """The corpus has <trace>/<host>.xplane.pb, our own recordings are run directories."""
    own = os.path.join(HERE, "../../traces", trace, "plugins/profile/*/*.xplane.pb")
    (trace_file,) = glob.glob(os.path.join(xspace_dir, trace, "*.xplane.pb")) or glob.glob(own)
    return trace_file


def main(xspace_dir):
    for trace in KERNEL_TRACES:
        golden_file = os.path.join(HERE, f"kernel_stats-{trace}.json")
        write(golden_file, merge_kernels(golden_file, trace, dicts(ask(find(trace, xspace_dir), "kernel_stats"))))
    for trace in STEP_TRACES:
        rows = step_rows(ask(find(trace, xspace_dir), "overview_page")[1])
        golden_file = os.path.join(HERE, f"steps-{trace}.json")
        write(golden_file, merge_steps(golden_file, trace, rows))


if __name__ == "__main__":
    main(sys.argv[1])
