"""bench.py WORK OUT - measures, compares, prints one table; writes WORK/bench.md and WORK/bench.json.
WORK holds inputs and yardsticks, OUT is the build tree. Exit status 1 when a "must" is missed, in any run.
Environment: ROUNDS (9), RUNS (1), BIG=1, PERFETTO=path of trace_processor_shell."""
import json
import os
import platform
import subprocess
import sys
import time

import goals
import measure
from measure import READ, ROUND

WORK, OUT = (os.path.abspath(p) for p in sys.argv[1:3])
HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = max(1, int(os.environ.get("ROUNDS") or 9))
AGAIN = 2  # how often a comparison whose yardstick is noisy is repeated
MEMORY_ROUNDS = min(3, ROUNDS)  # the highest counts
TABLE_ROUNDS = min(3, ROUNDS)
RANK_ROUNDS = min(5, ROUNDS)  # the worst of dozens of ratios is judged: of three rounds it is the noisiest
RUNS = max(1, int(os.environ.get("RUNS") or 1))
BIG = os.environ.get("BIG", "") not in ("", "0")
PERFETTO = os.environ.get("PERFETTO", "")
BEGUN = time.monotonic()
PROGRAM = os.path.join(OUT, "stepscope")


def work(name):
    return os.path.join(WORK, name)


def ours(name):
    return os.path.join(OUT, "tests/bench", name)


def perfetto(name):
    return {f"Perfetto {name.split('.')[0]}": [PERFETTO, "-q", "/dev/null", work(name)]} if PERFETTO else {}


def json_small():
    return {"import K1 -t1": [ours("import"), "-t", "1", work("K1.json")],
            "yajl K1": [work("yard_json_yajl"), work("K1.json")],
            "simdjson K1": [work("yard_json_simdjson"), work("K1.json")],
            "simdjson windows K1": [work("yard_json_simdjson"), "-w", work("K1.json")],
            "import K1": [ours("import"), work("K1.json")],
            "reopen K1": [ours("import"), "-d", work("K1.stepscope")], **perfetto("K1.json")}


def packed():
    return {"import K1.gz": [ours("import"), work("K1.json.gz")],
            "import K1.gz -t1": [ours("import"), "-t", "1", work("K1.json.gz")],
            "libdeflate K1": [work("yard_gunzip"), "libdeflate", work("K1.json.gz")],
            "gzip -dc K1": ["sh", "-c", f"exec gzip -dc '{work('K1.json.gz')}' >/dev/null"]}


def xspace(size):
    file = work(f"{size}.xplane.pb")
    return {f"import {size}": [ours("import"), file], f"import {size} -t1": [ours("import"), "-t", "1", file],
            f"protobuf-c {size}": [work("yard_xspace"), file],
            **({f"protobuf C++ {size}": [work("yard_xspace_arena"), file]} if size == "X1" else {})}


def json_big():
    return {"import K10 -t1": [ours("import"), "-t", "1", work("K10.json")],
            "simdjson K10": [work("yard_json_simdjson"), work("K10.json")],
            "import K10 -t2": [ours("import"), "-t", "2", work("K10.json")],
            "reopen K10": [ours("import"), "-d", work("K10.stepscope")],
            **({"overview K10": [PROGRAM, "-q", "--no-cache", work("K10.json")]} if PERFETTO else {}), **perfetto("K10.json")}


def faces(size):
    """What is asked of a saved trace, in files as a user would have them."""
    saved = work(f"{size}.stepscope")
    report = [PROGRAM, "report", "-q", "-f", "-o", work("report.html")]
    rows = {f"{name} {size}": ["sh", "-c", f"exec '{PROGRAM}' table {name} -q --format csv '{saved}' >'{work(name + '.csv')}'"]
            for name in ("gaps", "events")}
    return {f"open {size}": [ours("import"), saved],
            f"notes {size}": [PROGRAM, "notes", "-q", saved],
            f"findings {size}": [PROGRAM, "findings", "-q", "--fail-on", "never", saved],
            f"gap report {size}": [*report, "--window", "gap:biggest", saved],
            f"report {size}": [*report, "--window", "all", saved],
            f"diff {size}": [PROGRAM, "diff", "-q", "--format", "text", saved, saved], **rows}


def what_faces_wrote(size):
    """Of the last round: the report of the whole stands behind that of the gap."""
    found = {}
    measure.run_once([PROGRAM, "report", "-q", "-f", "-o", work("report.html"), "--window", "all", work(f"{size}.stepscope")],
                     measure.Measured())
    found[f"report size {size}"] = {"bytes": os.path.getsize(work("report.html"))}
    for name in ("gaps", "events"):
        with open(work(f"{name}.csv"), "rb") as f:
            found[f"rows of {name} {size}"] = {"rows": sum(block.count(b"\n") for block in iter(lambda: f.read(1 << 24), b"")) - 1}
        os.unlink(work(f"{name}.csv"))
    return found


def real():
    """A trace of a real program, repeated: repeat_trace.py."""
    return {"import real": [ours("import"), work("real.json")], "yajl real": [work("yard_json_yajl"), work("real.json")]}


def other_json(shape):
    """Chrome traces that are not Kineto's."""
    file = work(f"{shape}.json")
    return {f"import {shape}": [ours("import"), file], f"yajl {shape}": [work("yard_json_yajl"), file],
            f"import {shape} -t1": [ours("import"), "-t", "1", file]}


def one_and_two(size, trace):
    """A group of their own: beside a program that takes 5 GB in small pages, two threads wait longer for large ones than one does."""
    return {f"{words} {size}": [ours("import"), "-t", n, work(trace)] for words, n in (("one thread", "1"), ("two threads", "2"))}


def nsys(size):
    """An export of Nsight Systems, and every value of it as a text by SQLite's own program."""
    file, tables = work(f"{size}.sqlite"), "CUPTI_ACTIVITY_KIND_KERNEL CUPTI_ACTIVITY_KIND_RUNTIME NVTX_EVENTS StringIds"
    return {f"import {size}": [ours("import"), file], f"import {size} -t1": [ours("import"), "-t", "1", file],
            f"select {size}": ["sh", "-c", f"for t in {tables}; do sqlite3 '{file}' \"SELECT * FROM $t\" >/dev/null; done"]}


def picture(size, trace):
    return {f"picture {size}": [sys.executable, os.path.join(HERE, "first_picture.py"), PROGRAM, work(trace)]}


def open_ranks(name, *traces):
    """All that stands between a user and the first pane: clocks and collectives of the ranks included."""
    return {f"open {name}": [PROGRAM, "table", "hosts", "-q", "--no-cache", *map(work, traces)]}


def same_memory(folder):
    """All ranks of a folder in one program, and each in a program of its own; whoever has opened something keeps it."""
    ranks = [os.path.join(work(folder), name) for name in sorted(os.listdir(work(folder)))]
    return {f"together {folder}": measure.Kept([[ours("import"), "-dw", *ranks]]),
            f"apart {folder}": measure.Kept([[ours("import"), "-dw", rank] for rank in ranks])}


def comms_pane(folder):
    """What the pane of several ranks asks first: its rows, and its map of ranks and steps."""
    return {f"Comms {folder}": [ours("tables"), *(word for name in goals.COMMS for word in ("-n", name)), work(folder)]}


def summaries():
    """1,000 of one rank's, each under its own rank: merging does not look at what the rows say."""
    one = work("rank0.sqlite")
    measure.run_once([PROGRAM, "summarize", "-q", "-f", "--no-cache", "-o", one, work("R64/rank0.json.gz")], measure.Measured())
    measure.run_once([sys.executable, os.path.join(HERE, "copy_summaries.py"), one, work("summaries"), "1000"], measure.Measured())
    paths = [os.path.join(work("summaries"), f"{i}.sqlite") for i in range(1000)]
    return {"merge 1000": [PROGRAM, "summarize", "-q", "-f", "-o", work("merged.sqlite"), *paths],
            "replicas of 1000": [PROGRAM, "table", "replicas", "-q", work("merged.sqlite")]}


def overlap_counts(size, file):
    return {f"import {size}": [ours("import"), work(file)],
            f"counted {size}": [sys.executable, os.path.join(HERE, "overlaps.py"), work(file)]}


def memory(size, file):
    """A run of its own: the thread that watches would disturb the times."""
    return {f"memory {size}": [ours("import"), "-m", work(file)]}


def groups():
    """What is measured in turn with what, how many rounds, and what goes before them."""
    yield json_small(), ROUNDS, ROUND
    yield packed(), ROUNDS, ROUND
    yield other_json("catapult"), ROUNDS, ROUND
    yield other_json("bazel"), ROUNDS, ROUND
    yield real(), ROUNDS, ROUND
    yield xspace("X1"), ROUNDS, ROUND
    yield xspace("X10"), ROUNDS, ROUND
    yield one_and_two("X10", "X10.xplane.pb"), ROUNDS, ROUND
    yield memory("X10", "X10.xplane.pb"), MEMORY_ROUNDS, READ
    yield nsys("N1"), ROUNDS, ROUND
    yield {"frame 10M": [ours("frame"), "10M"]}, ROUNDS, READ
    yield {"tables K1": [ours("tables"), work("K1.stepscope")]}, TABLE_ROUNDS, READ
    yield overlap_counts("Km", "Km.json"), 1, READ
    yield overlap_counts("Xk", "Xk.xplane.pb"), 1, READ
    if BIG:
        yield json_big(), ROUNDS, ROUND
        yield one_and_two("K10", "K10.json"), ROUNDS, ROUND
        yield faces("K10"), ROUNDS, ROUND
        yield memory("K10", "K10.json"), MEMORY_ROUNDS, READ
        yield picture("K10", "K10.json"), ROUNDS, READ
        yield {"tables K10": [ours("tables"), work("K10.stepscope")]}, TABLE_ROUNDS, READ
        yield allocations(work("A10.stepscope")), MEMORY_ROUNDS, READ
        yield {"frame 100M": [ours("frame"), "100M"]}, 1, READ
        yield {**open_ranks("R1", "R64/rank0.json.gz"),
               **open_ranks("R8", *(f"R64/rank{i}.json.gz" for i in range(8)))}, ROUNDS, ROUND
        yield open_ranks("R64", "R64"), MEMORY_ROUNDS, READ
        yield same_memory("R64"), MEMORY_ROUNDS, READ
        yield picture("R64", "R64"), MEMORY_ROUNDS, READ
        yield comms_pane("R64"), MEMORY_ROUNDS, READ
        yield {"tables R64": [ours("tables"), work("R64")],
               "tables K10 beside R64": [ours("tables"), work("K10.stepscope")]}, RANK_ROUNDS, READ
        yield nsys("N10"), MEMORY_ROUNDS, ROUND
        yield summaries(), MEMORY_ROUNDS, READ


def allocations(file):
    """The first question replays all of them; the others find that done."""
    asked = ("memory_peak", "memory_curve") * 2
    return {"first memory A10": [ours("tables"), "-n", "memory_peak", file],
            "memory A10": [ours("tables"), *(word for name in asked for word in ("-n", name)), file]}


def progress(text):
    print(f"{time.monotonic() - BEGUN:4.0f} s  {text}", file=sys.stderr, flush=True)


def save(size):
    progress(f"saving {size}")
    measure.run_once([ours("import"), "-s", work(f"{size}.stepscope"), work(f"{size}.json")], measure.Measured())
    return {"bytes": os.path.getsize(work(f"{size}.stepscope"))}


def measure_all():
    """The saved files must exist before they are opened."""
    found = {"saved K1": dict(save("K1"), gz_bytes=os.path.getsize(work("K1.json.gz")))}
    if BIG:
        found["saved K10"], found["saved A10"] = save("K10"), save("A10")
    for commands, rounds, first in groups():
        progress(f"measuring {', '.join(commands)}" + (f" ({rounds} rounds)" if rounds > 1 else ""))
        found.update(measured_again(commands, rounds, first))
    if BIG:
        found.update(what_faces_wrote("K10"))
    if os.path.exists(work("odd.measured")):
        with open(work("odd.measured")) as f:
            found["odd traces"] = json.load(f)
    return found


def measured_again(commands, rounds, first):
    """Until no yardstick is noisy, as long as there is hope."""
    for left in reversed(range(AGAIN + 1)):
        found = measure.alternate(commands, rounds, first)
        noisy = [name for name, m in found.items() if rounds > 1 and goals.is_noisy(name, m)]
        if not noisy or not left:
            return found
        progress(f"noisy: {', '.join(noisy)}; once more")
    return found


# ---- what is told

def machine():
    with open("/proc/cpuinfo") as f:
        model = next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), platform.machine())
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {os.cpu_count()} cores, {memory_gib:.0f} GiB, Linux {platform.release().split('-')[0]}"


def version():
    text = subprocess.run([os.path.join(OUT, "stepscope"), "--version"], capture_output=True, text=True).stdout.strip()
    commit = subprocess.run(["git", "-C", HERE, "describe", "--always", "--dirty"], capture_output=True, text=True)
    return f"{text} ({commit.stdout.strip()})" if commit.returncode == 0 else text


def markdown(columns, rows):
    """A Markdown table whose columns also line up as plain text."""
    cells = [columns] + [["" if c is None else str(c) for c in row] for row in rows]
    wide = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    lines = ["| " + " | ".join(c.ljust(w) for c, w in zip(row, wide)) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in wide) + "|")
    return "\n".join(lines) + "\n"


def goal_table(rows):
    def told(values, unit):
        return f"{', '.join(f'{v:.3g}' for v in values)} {unit}".strip() if values else ""
    def limit(value):
        return value if value is None else f"{value:.3g}"

    return markdown(["#", "goal", "measured", "by CPU time", "spread", "must", "aim", "verdict"],
                    [(r.number, r.what, told(r.values, r.unit) or "-", told(r.cpus, r.unit),
                      "" if r.spread is None else f"{100 * r.spread:.0f} %", limit(r.must), limit(r.aim), r.verdict)
                     for r in rows])


def details(found):
    rows = []
    for name, m in found.items():
        if isinstance(m, measure.Measured):
            rows.append((name, f"{m.wall_s:.3f}", f"{min(m.wall):.3f}..{max(m.wall):.3f}", f"{m.cpu_s:.3f}",
                         f"{max(m.peak_kib) / 1024:.0f}"))
    return markdown(["run", "median s", "range s", "CPU s", "peak MiB"], rows)


def phases(found):
    keys = ["read_s", "seal_s", "derive_s", "frame_s", "events", "peak_anon_kib", "peak_kib"]
    rows = []
    for name, m in found.items():
        if isinstance(m, measure.Measured) and m.said and "read_s" in m.said[0]:
            rows.append((name, *(f"{m.median(k):.6g}" if k in m.said[0] else "" for k in keys)))
    return markdown(["import", *keys], rows)


def tables(found):
    rows = []
    for name, m in found.items():
        if name.startswith("tables"):
            whole, window = (goals.table_times(m, column) for column in (0, 1))
            rows += [(name[7:], k, f"{1e3 * whole[k]:.2f}", f"{1e3 * window[k]:.2f}") for k in whole]
    return markdown(["trace", "table", "whole ms", "1 % window ms"], rows)


def conclusion(rows):
    missed, noisy = ([r for r in rows if r.verdict == verdict] for verdict in ("MISSED", "noisy"))
    unknown = [r for r in rows if not r.values]
    lines = [f"missed: {r.number} {r.what}: {', '.join(f'{v:.3g}' for v in r.values)} {r.unit}, must {r.must}"
             for r in missed]
    lines += [f"noisy: {r.number} {r.what}: the yardstick's own rounds lie {100 * r.spread:.0f} % apart" for r in noisy]
    judged = [r for r in rows if r.must is not None and r.values]
    lines.append(f"{len(judged)} goals judged: {sum(r.verdict == 'aim' for r in judged)} reach the aim, "
                 f"{sum(r.verdict == 'must' for r in judged)} the must, {len(missed)} missed, {len(noisy)} noisy; "
                 f"{len(unknown)} not measured")
    return "\n".join(lines) + "\n"


def main():
    load = os.getloadavg()[0]
    runs = []
    for i in range(RUNS):
        progress(f"run {i + 1} of {RUNS}")
        runs.append(measure_all())
    rows = goals.judge(runs)
    head = f"{version()} on {machine()}; medians of {ROUNDS} rounds, {RUNS} run(s)\n"
    if load > 0.5 * (os.cpu_count() or 1):
        head += f"The machine was busy when this began (load {load:.1f}): trust the ratios of CPU time more than wall time.\n"
    missed = [r.what for r in rows if r.verdict == "MISSED"]
    first = f"{len(missed)} missed: {'; '.join(missed)}\n" if missed else "no goal is missed\n"
    text = first + head + "\n" + goal_table(rows) + "\n" + conclusion(rows)
    for found in runs:
        text += "\n" + details(found) + "\n" + phases(found) + "\n" + tables(found)
    progress("done")
    print(text + "\n" + conclusion(rows), end="")
    with open(work("bench.md"), "w") as f:
        f.write(text)
    with open(work("bench.json"), "w") as f:
        json.dump({"version": version(), "machine": machine(), "rounds": ROUNDS, "runs": RUNS, "big": BIG, "load": load,
                   "date": time.strftime("%Y-%m-%d"), "table": goal_table(rows), "conclusion": conclusion(rows),
                   "goals": [r._asdict() for r in rows],
                   "measured": [{k: m.as_json() if isinstance(m, measure.Measured) else m for k, m in found.items()}
                                for found in runs]}, f, indent=1)
    return any(r.verdict == "MISSED" for r in rows)


sys.exit(main())
