"""bench.py WORK OUT - measures, compares, prints one table; writes WORK/bench.md and WORK/bench.json.
WORK holds inputs and yardsticks, OUT is the build tree. Environment: ROUNDS (5), BIG=1, PERFETTO=path of trace_processor_shell."""
import json
import os
import platform
import subprocess
import sys

import goals
import measure

WORK, OUT = (os.path.abspath(p) for p in sys.argv[1:3])
HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = max(1, int(os.environ.get("ROUNDS", "5")))
BIG = os.environ.get("BIG", "") not in ("", "0")
PERFETTO = os.environ.get("PERFETTO", "")


def work(name):
    return os.path.join(WORK, name)


def ours(name):
    return os.path.join(OUT, "tests/bench", name)


def perfetto(name):
    return {f"Perfetto {name.split('.')[0]}": [PERFETTO, "-q", "/dev/null", work(name)]} if PERFETTO else {}


def json_small():
    return {"import K1": [ours("import"), work("K1.json")],
            "yajl K1": [work("yard_json_yajl"), work("K1.json")],
            "simdjson K1": [work("yard_json_simdjson"), work("K1.json")],
            "reopen K1": [ours("import"), "-d", work("K1.stepscope")], **perfetto("K1.json")}


def packed():
    return {"import K1.gz": [ours("import"), work("K1.json.gz")],
            "libdeflate K1": [work("yard_gunzip"), "libdeflate", work("K1.json.gz")],
            "isal K1": [work("yard_gunzip"), "isal", work("K1.json.gz")],
            "zlib K1": [work("yard_gunzip"), "zlib", work("K1.json.gz")],
            "gzip -dc K1": ["sh", "-c", f"exec gzip -dc '{work('K1.json.gz')}' >/dev/null"]}


def xspace(size):
    return {f"import {size}": [ours("import"), work(f"{size}.xplane.pb")],
            f"protobuf-c {size}": [work("yard_xspace"), work(f"{size}.xplane.pb")]}


def json_big():
    return {"import K10": [ours("import"), work("K10.json")],
            "simdjson K10": [work("yard_json_simdjson"), work("K10.json")],
            "yajl K10": [work("yard_json_yajl"), work("K10.json")], **perfetto("K10.json")}


def picture(size):
    return {f"picture {size}": [sys.executable, os.path.join(HERE, "first_picture.py"), os.path.join(OUT, "stepscope"),
                                work(f"{size}.json")]}


def overlap_counts():
    return {"import Km": [ours("import"), work("Km.json")],
            "counted Km": [sys.executable, os.path.join(HERE, "overlaps.py"), work("Km.json")]}


def groups():
    """What is measured in turn with what, and how many rounds; the saved file must exist before."""
    yield json_small(), ROUNDS
    yield packed(), ROUNDS
    yield xspace("X1"), ROUNDS
    yield xspace("X10"), ROUNDS
    yield {"frame 10M": [ours("frame"), "10M"]}, ROUNDS
    yield {"tables K1": [ours("tables"), work("K1.stepscope")]}, 1
    yield overlap_counts(), 1
    if BIG:
        yield json_big(), ROUNDS
        yield picture("K10"), ROUNDS
        yield {"tables K10": [ours("tables"), work("K10.stepscope")]}, 1
        yield {"frame 100M": [ours("frame"), "100M"]}, 1


def save(size):
    measure.run_once([ours("import"), "-s", work(f"{size}.stepscope"), work(f"{size}.json")], measure.Measured())
    return {"bytes": os.path.getsize(work(f"{size}.stepscope"))}


def measure_all():
    found = {"saved K1": dict(save("K1"), gz_bytes=os.path.getsize(work("K1.json.gz")))}
    if BIG:
        found["saved K10"] = save("K10")
    for commands, rounds in groups():
        print("measuring", ", ".join(commands), file=sys.stderr)
        found.update(measure.alternate(commands, rounds))
    return found


def machine():
    with open("/proc/cpuinfo") as f:
        model = next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), platform.machine())
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {os.cpu_count()} cores, {memory_gib:.0f} GiB, Linux {platform.release()}"


def markdown(columns, rows):
    """A Markdown table whose columns also line up as plain text."""
    cells = [columns] + [[str(c) for c in row] for row in rows]
    wide = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    lines = ["| " + " | ".join(c.ljust(w) for c, w in zip(row, wide)) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in wide) + "|")
    return "\n".join(lines) + "\n"


def details(found):
    rows = []
    for name, m in found.items():
        if isinstance(m, measure.Measured):
            rows.append((name, f"{m.wall_s:.3f}", f"{min(m.wall):.3f}..{max(m.wall):.3f}", f"{m.cpu_s:.3f}",
                         f"{max(m.peak_kib) / 1024:.0f}"))
    return markdown(["run", "median s", "range s", "CPU s", "peak MiB"], rows)


def phases(found):
    keys = ["read_s", "seal_s", "derive_s", "frame_s", "events"]
    rows = []
    for name, m in found.items():
        if isinstance(m, measure.Measured) and m.said and "read_s" in m.said[0]:
            rows.append((name, *(f"{m.median(k):.6g}" if k in m.said[0] else "" for k in keys)))
    return markdown(["import", *keys], rows)


def tables(found):
    rows = []
    for name, m in found.items():
        if name.startswith("tables"):
            rows += [(name[7:], k, f"{1e3 * v[0]:.2f}", f"{1e3 * v[1]:.2f}") for k, v in m.said[0].items() if k != "n_events"]
    return markdown(["trace", "table", "whole ms", "1 % window ms"], rows)


def main():
    load = os.getloadavg()[0]
    found = measure_all()
    version = subprocess.run([os.path.join(OUT, "stepscope"), "--version"], capture_output=True, text=True).stdout.strip()
    text = f"{version} on {machine()}; {ROUNDS} rounds, medians\n"
    if load > 0.5 * (os.cpu_count() or 1):
        text += f"The machine was busy when this began (load {load:.1f}): trust the ratios of CPU time more than wall time.\n"
    rows = goals.judge(found)
    text += "\n" + markdown(["#", "goal", "measured", "by CPU time", "must", "aim", "verdict"], rows)
    text += "\n" + details(found) + "\n" + phases(found) + "\n" + tables(found)
    print(text)
    with open(work("bench.md"), "w") as f:
        f.write(text)
    with open(work("bench.json"), "w") as f:
        json.dump({"version": version, "machine": machine(), "rounds": ROUNDS, "load": load,
                   "goals": [dict(zip(("number", "what", "measured", "by_cpu_time", "must", "aim", "verdict"), r)) for r in rows],
                   "runs": {k: m.as_json() if isinstance(m, measure.Measured) else m for k, m in found.items()}}, f, indent=1)


main()
