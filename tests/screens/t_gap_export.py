#!/usr/bin/env python3
"""The path the README promises: open a trace, find the longest gap between steps, export it, with the keys of its comment
`gap-export-keys:` (tmux send-keys notation), which are those it names beside it. The screen, the report and `stepscope table gaps` must tell one number."""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import OUT, ROOT, TRACES, TableError, Tap, holds, need_program, number, play, scratch, spelling, table, visible_text

MAX_KEYS = 6
CC = shlex.split(os.environ.get("CC", "cc"))


def keys_of_readme():
    path = os.path.join(ROOT, "README.md")
    text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    found = re.search(r"^(.*)<!-- gap-export-keys: ([^<>\n]+?) -->", text, re.M)
    keys = found.group(2).split() if found else []
    return keys if found and re.findall(r"`([^`]+)`", found.group(1)) == keys else []


def made_up_xspace():
    """A TensorFlow-like profile from the generator, made up, built here because nothing large is kept."""
    folder = os.path.join(OUT, "tests/bench")
    os.makedirs(folder, exist_ok=True)
    program, path = os.path.join(folder, "gen_xspace"), scratch("made-up.xplane.pb")
    subprocess.run([*CC, "-O2", "-o", program, os.path.join(ROOT, "tests/bench/gen_xspace.c"), "-lm"], check=True)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        subprocess.run([program, "100k"], check=True, stdout=f, stderr=subprocess.DEVNULL)
    return path


def traces():
    for pattern in ("kineto/resnet50-v100-2spans/*9861*", "kineto/resnet50-array-form/*.gz"):
        found = glob.glob(os.path.join(TRACES, pattern))
        yield pattern.split("/")[1], found[0] if found else None
    yield "made-up XSpace", made_up_xspace()


def biggest_step_gap(path):
    rows = [row for row in table("gaps", path).rows if row["scope"] == "step"]
    return max(rows, key=lambda row: number(row["dur_ns"]))


def play_keys(path, keys, folder):
    """One key at a time, a picture after each."""
    script = "wait Overview\nsettle\nscreen\n" + "".join(f"keys {key}\nsettle\nscreen\n" for key in keys) + "keys Q\n"
    return play(script, path, size="120x40", cwd=folder)


def check(tap, name, path, keys):
    folder = scratch(re.sub(r"\W+", "-", name))
    os.makedirs(folder)
    try:
        gap = biggest_step_gap(path)
    except (TableError, ValueError) as e:
        tap.ok(False, f"{name}: has step gaps", repr(e))
        return
    length, cause = number(gap["dur_ns"]), gap["main_event"]
    screen = play_keys(path, keys, folder)
    pictures = ["\n".join(s) for s in screen.screens]
    on_screen = [p for p in pictures if holds(p, length)]
    tap.ok(on_screen, f"{name}: the screen shows the gap's length",
           f"{spelling(length)} on none of:\n" + "\n----\n".join(pictures[-2:]) + screen.run.err)
    if cause:
        word = cause.split("(")[0][:18]
        tap.ok(any(word in p for p in on_screen), f"{name}: and its cause beside it", f"{word} is not on\n" + "".join(on_screen[-1:]))
    written = [f for f in os.listdir(folder) if not f.startswith(".")]
    tap.equal(len(written), 1, f"{name}: one report file is written")
    if written:
        check_report(tap, name, os.path.join(folder, written[0]), gap, path)
    shutil.rmtree(folder)


def check_report(tap, name, file, gap, path):
    text = open(file, encoding="utf-8").read()
    shown = visible_text(text) if text.lstrip().startswith("<") else text
    length, start = number(gap["dur_ns"]), number(gap["start_ns"])
    tap.ok(holds(shown, length), f"{name}: the report states the gap's length", f"{spelling(length)} in {file}")
    tap.ok(holds(shown, start), f"{name}: and where it begins", f"{spelling(start)} in {file}")
    if gap["main_event"]:
        tap.ok(gap["main_event"] in shown, f"{name}: and the cause", gap["main_event"])
        tap.ok(holds(shown, number(gap["main_event_ns"])), f"{name}: and how much of the gap it fills", spelling(number(gap["main_event_ns"])))
    tap.ok(os.path.basename(path) in shown, f"{name}: and which trace it is about", os.path.basename(path))
    pictures = re.findall(r"<svg.*?</svg>", text, re.S)
    texts = [t for p in pictures for t in re.findall(r"<(?:text|title|tspan)[^>]*>([^<]*)", p)]
    tap.ok(any(holds(t, length) for t in texts), f"{name}: and draws it with the same number",
           f"{len(pictures)} pictures with {len(texts)} texts: {texts[:10]}")


def main():
    need_program()
    tap = Tap()
    keys = keys_of_readme()
    tap.ok(0 < len(keys) <= MAX_KEYS, f"README.md has gap-export-keys, at most {MAX_KEYS}, and names the same ones to its readers", f"found {keys}")
    for name, path in traces():
        if path is None:
            tap.skip(name, "no ../shared/traces")
        elif keys:
            check(tap, name, path, keys)
    tap.done()


main()
