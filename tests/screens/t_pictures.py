#!/usr/bin/env python3
"""The pictures of README.md are what the program shows of the bundled trace today, to the byte. `make pictures` (GENERATE=1) makes them anew.
They are drawn by the program itself, with --screenshot."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, need_program, scratch, stepscope

TRACE = "tests/traces/resnet/resnet.pt.trace.json.gz"
README = os.path.join(ROOT, "README.md")
FOLDER = "tui/man"
# name: keys, size
PICTURES = {"overview": ("", "100x30"), "guide": ("9", "100x30"), "gap": ("b", "100x30")}
TEXT = ("b", "100x28")  # between ```text and ``` in README.md
BLOCK = re.compile(r"(?<=```text\n).*?(?=\n```)", re.S)


def shot(ending, keys, size, *words):
    path = scratch("shot" + ending)
    run = stepscope(TRACE, "--screenshot", path, "--force", "--keys", keys, "--size", size, *words, env={"LC_ALL": "C.UTF-8"}, cwd=ROOT)
    if run.status != 0:
        sys.exit(run.told())
    with open(path, encoding="utf-8") as f:
        return f.read()


def made():
    """Path from the root and text of every file."""
    for name, (keys, size) in PICTURES.items():
        for theme in ("dark", "light"):
            yield f"{FOLDER}/{name}-{theme}.svg", shot(".svg", keys, size, "--theme", theme)
    readme = stored("README.md")
    yield "README.md", BLOCK.sub(lambda _: shot(".txt", *TEXT).rstrip("\n"), readme, count=1)


def stored(path):
    path = os.path.join(ROOT, path)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as f:
        return f.read()


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap, readme = Tap(), stored("README.md")
    for path, text in made():
        if os.environ.get("GENERATE") == "1" and text != stored(path):
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as f:
                f.write(text)
        tap.ok(text == stored(path), f"{path} is what the program draws; else: make pictures")
        tap.ok(path in readme or path == "README.md", f"{path} is shown in README.md")
    shown = set(re.findall(r'(?:srcset|src)="([^"]+)"', readme))
    kept = {f"{FOLDER}/{f}" for f in os.listdir(os.path.join(ROOT, FOLDER)) if f.endswith(".svg")}
    tap.equal(shown ^ kept, set(), "README.md shows all pictures that are kept, and no other one")
    tap.ok(all(80 <= int(size.split("x")[0]) <= 120 for _, size in [*PICTURES.values(), TEXT]), "they have 80 to 120 columns")
    tap.done()


main()
