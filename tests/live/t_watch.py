#!/usr/bin/env python3
"""`stepscope watch DIR`: a new profile opens when it is finished, in the explorer and as text; what was there before does not."""
import os
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import ROOT, STEPSCOPE, Tap, need_program, play, scratch, stepscope, until  # noqa: E402

TWO_STEPS = os.path.join(ROOT, "tests/golden/small/two_steps.json")
PAIRS = os.path.join(ROOT, "tests/golden/small/pairs.json")
KERAS = os.path.join(ROOT, "tests/traces/keras-fit")


def folder(name):
    path = scratch(name)
    os.makedirs(path)
    shutil.copy(PAIRS, os.path.join(path, "old.json"))
    return path


def explorer(tap):
    """The screen waits, then shows one profile after the other; F keeps the one that is there."""
    logs = folder("logs")

    seen = scratch("seen")

    def writes():
        until(lambda: os.path.exists(seen), "the screen that waits")
        with open(TWO_STEPS) as f:
            text = f.read()
        with open(os.path.join(logs, "rank0.json"), "w") as f:  # first half, a pause, second half
            f.write(text[: len(text) // 2])
            f.flush()
            time.sleep(1.2)
            f.write(text[len(text) // 2 :])
    writer = threading.Thread(target=writes)
    writer.start()
    script = f"""wait there already
screen
touch {seen}
wait Overview
wait rank0.json
wait WATCH 1 new
screen
keys 3
wait ProfilerStep
keys F
wait frozen
keys Escape
keys F
wait following
keys Q
end
"""
    shown = play(script, "watch", logs)
    writer.join()
    tap.ok("1 trace file there already" in "\n".join(shown.screens[0]), "it says what was there before", shown.last)
    last = "\n".join(shown.screens[-1])
    tap.ok("rank0.json" in last and "WATCH 1 new" in last, "a profile opens once it is whole", last + shown.run.err)
    tap.ok("exit 0" in shown.said, "q leaves", shown.said)


def pauses(pid):
    """It sleeps between two looks at the folder: clock_nanosleep on x86-64 and arm64."""
    with open(f"/proc/{pid}/syscall") as f:
        return f.read().split()[0] in ("230", "115")


def text(tap):
    """Without a terminal: an overview for each; a run folder is one profile; an unreadable file is told and passed over."""
    logs = folder("text")
    process = subprocess.Popen([STEPSCOPE, "watch", logs, "--no-cache"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until(lambda: pauses(process.pid), "its first look")
    run = os.path.join(logs, "plugins/profile/2024_01_02_03_04_05")
    source = next(os.path.join(f, n) for f, _, names in os.walk(KERAS) for n in names if n.endswith(".xplane.pb"))
    os.makedirs(run)
    shutil.copy(source, os.path.join(run, "host.xplane.pb"))
    with open(os.path.join(run, "host.trace.json.gz"), "wb") as f:
        f.write(b"no trace")
    lines = []

    def reads():
        for line in process.stdout:
            lines.append(line)
    reader = threading.Thread(target=reads)
    reader.start()
    until(lambda: any("Ledger" in line for line in lines), "the overview")
    process.terminate()
    reader.join()
    errors = process.stderr.read()
    process.wait()
    told = "".join(lines)
    tap.ok("2024_01_02_03_04_05" in told, "a run folder is one profile", told + errors)
    tap.equal(told.count("Ledger"), 1, "and is told once")
    tap.ok("old.json" not in told, "what was there before is not told", told)
    tap.equal(process.returncode, -15, "a signal ends it")


def usage(tap):
    run = stepscope("watch", scratch("nowhere"))
    tap.ok(run.status == 3 and "there is no such folder" in run.err and "mkdir -p" in run.err, "a folder that is not there", run.told())
    run = stepscope("watch", TWO_STEPS)
    tap.ok(run.status == 2 and "is not a folder" in run.err, "a file", run.told())
    run = stepscope("watch")
    tap.ok(run.status == 2 and "wants one folder" in run.err, "nothing", run.told())


def main():
    need_program()
    tap = Tap()
    explorer(tap)
    text(tap)
    usage(tap)
    tap.done()


main()
