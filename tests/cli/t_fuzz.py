#!/usr/bin/env python3
"""One fuzz target rebuilt with libFuzzer makes a few hundred runs (make fuzz runs all of them), and a sample of mutated files goes through the
program (make mutants runs thousands)."""
import glob
import json
import os
import platform
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, need_program, scratch  # noqa: E402

TARGET = "fuzz_attrs"  # needs the fewest objects
RUNS = 500
SAMPLE = 60
RUNTIME = f"/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-{platform.machine()}.a"


def clean_environment():
    """Without what an outer make says to its own children."""
    return {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "OUT", "SAN")}


def smoke(tap):
    name = f"{TARGET} built with libFuzzer makes {RUNS} runs"
    if not shutil.which("clang") or not glob.glob(RUNTIME):
        tap.skip(name, "clang with its runtime is not installed: clang, libclang-rt-14-dev")
        return
    made = subprocess.run(["make", f"fuzz-{TARGET}"], cwd=ROOT, env=clean_environment(), capture_output=True, text=True)
    if not tap.ok(made.returncode == 0, f"{TARGET} builds with clang", made.stderr[-1500:]):
        return
    found, corpus = scratch("found"), os.path.join(ROOT, "tests/fuzz/corpus", TARGET.removeprefix("fuzz_"))
    os.makedirs(found)
    ran = subprocess.run([os.path.join(ROOT, "build/fuzz", TARGET), f"-runs={RUNS}", "-max_total_time=60", "-timeout=10", "-print_final_stats=1",
                          found, corpus], cwd=scratch("."), env=clean_environment(), capture_output=True, text=True)
    runs = next((int(line.split()[1]) for line in ran.stderr.splitlines() if line.startswith("stat::number_of_executed_units")), 0)
    tap.ok(ran.returncode == 0 and runs > 100, name, f"exit {ran.returncode}, {runs} runs\n{ran.stderr[-2500:]}")


def mutants(tap):
    ran = subprocess.run([sys.executable, os.path.join(ROOT, "tests/fuzz/mutants.py"), "-n", str(SAMPLE), "-j", "1"],
                         capture_output=True, text=True)
    figures = ran.stdout.strip().splitlines()[-1] if ran.stdout.strip() else "{}"
    tap.ok(ran.returncode == 0, f"{SAMPLE} mutated files do no harm", ran.stdout + ran.stderr[-1500:])
    exits = json.loads(figures).get("exits", {})
    tap.ok({"0", "3", "4"} <= set(exits), "some of them are read, some in part, some refused", figures)


def dictionaries(tap):
    """The words that mutations of databases insert are those that the readers ask for."""
    for room in ("nsys", "rocpd"):
        source = "".join(open(path).read() for path in sorted(glob.glob(os.path.join(ROOT, "importers", room, "*.c"))))
        lists = re.findall(r"_columns\[\] = \{(.*?)\};", source, re.S)
        words = set(re.findall(r'ROW_TABLE\("(\w+)"', source)) | set(re.findall(r'"(\w+)"', "".join(lists)))
        with open(os.path.join(ROOT, "tests/fuzz/dict", room + ".dict")) as f:
            missing = words - set(re.findall(r'^"(\w+)"$', f.read(), re.M))
        tap.ok(len(words) > 30 and not missing, f"{room}.dict holds the {len(words)} tables and columns that are read", sorted(missing))


def main():
    need_program()
    tap = Tap()
    dictionaries(tap)
    mutants(tap)
    smoke(tap)
    tap.done()


if __name__ == "__main__":
    main()
