#!/usr/bin/env python3
"""What README.md shows and promises on its first page is what the program does today.
GENERATE=1 renews the picture."""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, TRACES, Tap, need_program, play, stepscope

PICTURED = "kineto/resnet50-v100-2spans/*9861*"


def readme():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        return f.read()


def test_picture(tap, text):
    pictured = re.search(r"```text\n(.*?)\n```", text, re.S).group(1).split("\n")
    found = glob.glob(os.path.join(TRACES, PICTURED))
    if not found:
        tap.skip("the picture", "no ../shared/traces")
        return
    screen = play("timeout 30\nwait Overview\nsettle\nkeys b\nsettle\nscreen\nkeys q\n", found[0], size="100x30").screens[-1]
    shown = [line.rstrip() for line in screen]
    if os.environ.get("GENERATE") == "1" and shown != pictured:
        with open(os.path.join(ROOT, "README.md"), "w", encoding="utf-8") as f:
            f.write(text.replace("\n".join(pictured), "\n".join(shown), 1))
        return
    tap.equal(shown, pictured, "the picture is the screen after b, in 100 columns and 30 rows")


def test_first_page(tap, text):
    first = text.split("\n---\n")[0]
    tap.equal(len(re.findall(r"^make ", first, re.M)), 2, "two commands")
    keys = re.search(r"^Five keys: (.*)$", first, re.M).group(1)
    tap.equal(len(re.findall(r"`[^`]+`", keys)), 6, "five keys, zoom being one there and one back")
    tap.ok(first.split("\n\n")[1].count(". ") == 0, "one sentence says what it is", first.split("\n\n")[1])


def test_words(tap, text):
    whole = stepscope("--help").out
    tables = set(re.findall(r"^  ([a-z_]+) ", whole.split("\nTables:\n")[1].split("\nExamples:")[0], re.M))
    named = set(re.findall(r":table ([a-z_]+)", text)) | set(re.findall(r"stepscope table ([a-z_]+)", text))
    tap.equal(named - tables, set(), "every table it names is there")
    commands = set(re.findall(r"^(?:Usage:|      ) \S+ ([a-z]+) \[OPTION\]", whole, re.M))
    tap.equal(commands - set(re.findall(r"stepscope ([a-z]+)", text)), set(), "every command is in it")
    options = set(re.findall(r"(--[a-z][a-z-]+)", "".join(stepscope(c, "--help").out for c in sorted(commands)) + whole))
    own = {"--nproc-per-node", "--analyze"}  # of other programs
    tap.equal(set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", text.split("<!-- bench")[0])) - options - own, set(), "every option it names is there")


def main():
    need_program()
    tap, text = Tap(), readme()
    for test in (test_first_page, test_picture, test_words):
        test(tap, text)
    tap.done()


main()
