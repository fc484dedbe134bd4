#!/usr/bin/env python3
"""The recipe for Spark in model/summary/README.md says what the program says of the same traces. Only with RECIPES=1 (`make recipes`): it wants
pyspark and a Java runtime. SPARK_PYTHON names the Python that has pyspark; else it is this one."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "golden", "scenes")]
import ranks  # noqa: E402
from harness import OUT, ROOT, Tap, need_program, number, scratch, skip_all, table  # noqa: E402

PYTHON = os.environ.get("SPARK_PYTHON", sys.executable)
PLAN = [[("compute", {2: 23, "else": 20}), ("call", "AllReduce", 1, {"items": 1 << 20}), ("compute", {1: 9, "else": 5}), ("call", "AllGather", 2)]] * 6


def runs(*command):
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def main():
    need_program()
    if not os.environ.get("RECIPES"):
        skip_all("RECIPES=1 runs it")
    if not runs(PYTHON, "-c", "import pyspark"):
        skip_all("pyspark is not installed (pip install pyspark; SPARK_PYTHON names the Python that has it)")
    if not runs("java", "-version"):
        skip_all("there is no Java (apt install openjdk-17-jre-headless)")
    tap, folder = Tap(), scratch("spark")
    ranks.make(folder, 4, PLAN)
    with open(os.path.join(ROOT, "model/summary/README.md"), encoding="utf-8") as f:
        recipe = re.search(r"```python\n(.*?)```", f.read(), re.S)[1]
    script = os.path.join(folder, "spark_late.py")
    with open(script, "w", encoding="utf-8") as f:
        f.write(recipe)
    here = dict(os.environ, PATH=f"{os.path.abspath(OUT)}:{os.environ['PATH']}", PYSPARK_PYTHON=PYTHON, PYSPARK_DRIVER_PYTHON=PYTHON,
                SPARK_LOCAL_IP="127.0.0.1")
    traces = [os.path.join(folder, f"rank{i}.json") for i in range(4)]
    done = subprocess.run([PYTHON, script, *traces], env=here, cwd=folder, capture_output=True, text=True, check=False)
    got = [tuple(map(int, line.split())) for line in done.stdout.splitlines()] if done.returncode == 0 else done.stderr[-2000:]
    told = [{k: number(r[k]) for k in ("rank", "last_at", "collective_wait_ns")} for r in table("replicas", folder).rows]
    expected = sorted(((r["rank"], r["last_at"], r["collective_wait_ns"]) for r in told), key=lambda r: (-r[1], r[0]))
    tap.equal(got, expected, "who enters last, how often, and how long each waits")
    tap.done()


main()
