"""Freeze XProf's kernel table, steps, overview, input analysis, op statistics, memory profile and memory viewer for XSpace files of the corpus and of tests/traces.

Run it once per XProf version; each run fills in that version's answers and checks that the numbers
are those already stored.  Between 2.22.3 and 2.23.3 XProf changed three columns (`flags` below), nothing else.

    pip install xprof==2.22.3 && python make.py ../../../../shared/traces/xspace
    pip install xprof==2.24.2 && python make.py ../../../../shared/traces/xspace

File kernel_stats/<trace>.json:
    columns, rows   what every version agrees on, in XProf's order (total time descending); times in ns
    flags           version -> one [tc_eligible, uses_tc, op] per row
File steps/<trace>.json:
    columns         those of a row; times in ns
    versions        version -> one row per step of the overview page; since 2.23 XProf leaves out the first and the last marker
Files ops/, input/ and overview/<trace>.json:
    columns         those of a row; times in ns; a share is a fraction where XProf's page has one, text where it has text
    versions        version -> rows, or the name of the version that gave the same rows
    breakdown       (input) the five sums of the host-side analysis, in the same form
File memory/<trace>.json:
    columns         those of an allocator, at the most heap and stack in use; only of traces that have one
File viewer/<trace>.json: what the memory viewer says of compiled programs; only of traces that have some
    columns         those of a program in a memory space: peak, arguments, outputs (arguments that are outputs, too, among them), all
                    allocations; the heap after each of its steps; [instruction, bytes, shape, kind, opcode, op] of each buffer of 16 KiB or
                    more that is in use at the peak. Of the spaces 0, 1, 2, 5 that have something
"""

import glob
import json
import os
import shutil
import sys
import tempfile
from importlib.metadata import version

from xprof.convert.raw_to_tool_data import xspace_to_tool_data, xspace_to_tool_names

KERNEL_TRACES = ("jax-mi300-attention", "jax-mi300-conv-legacy", "jax-mi300-gemm", "tf-v100-multi-worker")
CORPUS_TRACES = KERNEL_TRACES + ("tpu-inference",)
OWN_TRACES = ("sample", "tf-cpu", "keras-fit", "keras-legacy-fit", "tf-data-tree", "tf-loop", "tf-eager", "tf-retrace", "jax-steps", "jax-grain")
TRACES = CORPUS_TRACES + OWN_TRACES
PROGRAM_TRACES = TRACES + ("jax-memory",)  # asked for compiled programs alone

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
# the table with IDLE; averages and running sums follow from the others
OPS = {
    "host_or_device": "host_or_device",
    "type": "type",
    "operation": "operation",
    "occurrences": "occurrences",
    "total_ns": "total_time",
    "self_ns": "total_self_time",
    "device_self_share": "device_total_self_time_percent",
    "host_self_share": "host_total_self_time_percent",
    "measured_flop_rate": "measured_flop_rate",
    "model_flop_rate": "model_flop_rate",
    "measured_memory_bw": "measured_memory_bw",
    "operational_intensity": "operational_intensity",
    "tensorcore_utilization": "gpu_tensorcore_utilization",
    "bound_by": "bound_by",
    "eager": "eager",
}
INPUT = {
    "op": "opName",
    "count": "count",
    "total_ms": "timeInMs",
    "total_share": "timeInPercent",
    "self_ms": "selfTimeInMs",
    "self_share": "selfTimeInPercent",
    "category": "category",
}
BREAKDOWN = ("enqueue_us", "demanded_file_read_us", "advanced_file_read_us", "preprocessing_us", "unclassified_nonequeue_us")
MEMORY = ("allocator", "peak_bytes", "capacity_bytes", "fragmentation")
# the overview page: its tables by number, and which of their properties say something about a trace
ANALYSIS, STEP_TIMES, ENVIRONMENT, ADVICE = range(4)
OVERVIEW = {
    ANALYSIS: ("device_compute_16bit_percent", "device_compute_32bit_percent", "device_duty_cycle_percent", "device_idle_time_percent",
               "device_op_time_eager_percent", "host_op_time_eager_percent", "device_tf_op_percent", "host_tf_op_percent"),
    STEP_TIMES: ("steptime_ms_average", "steptime_ms_standard_deviation", "steptime_ms_minimum", "steptime_ms_maximum")
    + tuple(f"{part}_time_ms_{what}" for what in ("avg", "sdv") for part in (
        "device_compute", "device_to_device", "device_collectives", "host_compute", "kernel_launch", "infeed", "outfeed", "compile", "other")),
    ENVIRONMENT: ("device_type", "device_core_count", "host_count", "task_count"),
    ADVICE: ("bottleneck", "statement", "kernel_launch_bottleneck", "kernel_launch_statement", "all_other_bottleneck", "all_other_statement",
             "device_collectives_bottleneck", "device_collectives_statement", "precision_statement"),
}
VIEWER = {"peak_bytes": "peakHeapMib", "argument_bytes": "entryComputationParametersMib", "output_bytes": "maybeLiveOutMib",
          "total_bytes": "totalBufferAllocationMib"}
SPACES = (0, 1, 2, 5)
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


def plain(column, value):
    """Whole ns where the page has microseconds; the fractions to the digits that a comparison needs."""
    if column.endswith("_ns"):
        return round(value * 1000)
    return round(value, 9) if isinstance(value, float) and value % 1 else int(value) if isinstance(value, float) else value


def chosen(columns, table):
    """The rows of a page's table, reduced to `columns` (ours: theirs); a column that a page lacks is null."""
    return [[plain(ours, row.get(theirs)) for ours, theirs in columns.items()] for row in dicts(table)] if table else []


def overview_rows(page):
    """[key, value] for the properties, then one row for each op of the top ten."""
    rows = [[key, page[table]["p"][key]] for table, keys in OVERVIEW.items() for key in keys if key in page[table].get("p", {})]
    top = [[f"top_op_{i}", [plain("", value) for value in op.values()]] for i, op in enumerate(dicts(page[ANALYSIS]), 1)]
    return rows + top + [["diagnostic", message["message"]] for message in dicts(page[-1])]


def breakdown_rows(host_side):
    return [[key, host_side["p"][key]] for key in BREAKDOWN] if host_side else []


def memory_rows(page):
    out = []
    for allocator, profile in sorted(page.get("memoryProfilePerAllocator", {}).items()):
        s = profile["profileSummary"]
        out.append([allocator, int(s["peakStats"]["peakBytesInUse"]), int(s["memoryCapacity"]), s["peakStats"]["fragmentation"]])
    return out


def viewer_row(program, space, page):
    """Sizes are MiB in doubles, exact for whole bytes below 2**52."""
    def whole(value):
        return round(value * (1 << 20))
    totals = [whole(page.get(key, 0)) for key in VIEWER.values()]
    heap = [whole(v) for v in page.get("heapSizes", [])[1:]]
    buffers = [[b.get("instructionName"), whole(b["logicalBufferSizeMib"]), b.get("shapeString"), b.get("groupName"), b.get("opCode"), b.get("tfOpName")]
               for b in page.get("maxHeapBySize", []) if b.get("instructionName")]
    return [program, space, *totals, heap, sorted(buffers)]


def viewer_rows(trace_file):
    """XProf writes the programs beside the file when it is first asked."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(trace_file, folder)
        xspace_to_tool_data([copy], "kernel_stats", {})
        xspace_to_tool_names([copy])
        for path in sorted(glob.glob(os.path.join(folder, "*.hlo_proto.pb"))):
            program = os.path.basename(path)[: -len(".hlo_proto.pb")]
            for space in SPACES if program != "NO_MODULE" else ():
                data, _ = xspace_to_tool_data([copy], "memory_viewer", {"module_name": program, "memory_space": str(space)})
                row = viewer_row(program, space, json.loads(data))
                rows += [row] if any(row[2:]) else []
    return rows


def merge_viewer(golden_file, trace, rows):
    return {"trace": trace, "columns": ["program", "space", *VIEWER, "heap", "buffers"], "versions": merge_versions(load(golden_file).get("versions", {}), rows)}


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


def merge_versions(stored, rows):
    """`stored` with this version's rows, or with the name of the version that has the same."""
    mine = version("xprof")
    others = {v: r for v, r in stored.items() if v != mine}
    same = [v for v, r in others.items() if r == rows]
    return others | {mine: same[0] if same else rows}


def merge_ops(golden_file, trace, page):
    rows = chosen(OPS, page[0] if page else None)
    return {"trace": trace, "columns": list(OPS), "versions": merge_versions(load(golden_file).get("versions", {}), rows)}


def merge_input(golden_file, trace, page):
    stored, host_side = load(golden_file), page[2]
    return {
        "trace": trace,
        "columns": list(INPUT),
        "versions": merge_versions(stored.get("versions", {}), chosen(INPUT, host_side)),
        "breakdown": merge_versions(stored.get("breakdown", {}), breakdown_rows(host_side)),
    }


def merge_overview(golden_file, trace, page):
    stored = load(golden_file).get("versions", {})
    return {"trace": trace, "columns": ["key", "value"], "versions": merge_versions(stored, overview_rows(page))}


def merge_memory(golden_file, trace, page):
    return {"trace": trace, "columns": list(MEMORY), "versions": merge_versions(load(golden_file).get("versions", {}), memory_rows(page))}


def lines(rows):
    """One row per line, so that a difference can be read."""
    if isinstance(rows, str):
        return json.dumps(rows)
    return "[\n" + ",\n".join("   " + json.dumps(row, ensure_ascii=False) for row in rows) + "\n  ]"


def dump(golden):
    """Values as JSON writes them, but lists of rows, alone or by version, as `lines`."""
    parts = []
    for key, value in golden.items():
        if key == "rows":
            text = lines(value)
        elif isinstance(value, dict):
            text = "{\n" + ",\n".join(f'  "{v}": {lines(rows) if rows else json.dumps(rows)}' for v, rows in sorted(value.items())) + "\n }"
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


def freeze(trace, trace_file):
    """All that is asked of every trace."""
    pages = {tool: ask(trace_file, tool) for tool in ("overview_page", "input_pipeline_analyzer", "framework_op_stats", "memory_profile")}
    merged = {
        "steps": lambda f: merge_steps(f, trace, step_rows(pages["overview_page"][STEP_TIMES])),
        "overview": lambda f: merge_overview(f, trace, pages["overview_page"]),
        "input": lambda f: merge_input(f, trace, pages["input_pipeline_analyzer"]),
        "ops": lambda f: merge_ops(f, trace, pages["framework_op_stats"]),
        "memory": lambda f: merge_memory(f, trace, pages["memory_profile"]),
    }
    for kind, merge in merged.items():
        if kind == "memory" and not memory_rows(pages["memory_profile"]):
            continue
        golden_file = os.path.join(HERE, kind, f"{trace}.json")
        write(golden_file, merge(golden_file))


def freeze_programs(trace, trace_file):
    rows = viewer_rows(trace_file)
    if rows:
        golden_file = os.path.join(HERE, "viewer", f"{trace}.json")
        write(golden_file, merge_viewer(golden_file, trace, rows))


def main(xspace_dir):
    for trace in KERNEL_TRACES:
        golden_file = os.path.join(HERE, "kernel_stats", f"{trace}.json")
        write(golden_file, merge_kernels(golden_file, trace, dicts(ask(find(trace, xspace_dir), "kernel_stats"))))
    for trace in TRACES:
        freeze(trace, find(trace, xspace_dir))
    for trace in PROGRAM_TRACES:
        freeze_programs(trace, find(trace, xspace_dir))


if __name__ == "__main__":
    main(sys.argv[1])
