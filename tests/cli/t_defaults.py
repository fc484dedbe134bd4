#!/usr/bin/env python3
"""The file of default options: what is typed comes before it, a fault in it names file and line; colours where they were asked for, and in no document."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import ROOT, Tap, need_program, scratch, stepscope  # noqa: E402

TRACE = os.path.join(ROOT, "tests/golden/small/two_steps.json")
FOLDER = scratch("configured")
FILE = os.path.join(FOLDER, "stepscope", "options")


def run(*words, env=None):
    return stepscope(*words, env={"XDG_CONFIG_HOME": FOLDER, **(env or {})})


def write(*lines):
    os.makedirs(os.path.dirname(FILE), exist_ok=True)
    with open(FILE, "w", encoding="utf-8") as f:
        f.write("".join(line + "\n" for line in lines))


def test_defaults(tap):
    gaps = ("table", "gaps", TRACE, "--columns", "gap")
    write()
    plain = run(*gaps).out
    tap.equal(plain, stepscope(*gaps).out, "an empty file changes nothing")
    write("# mine", "", "  table   top  1  ", "--format csv", "report format html", "theme light", "report ascii")
    tap.equal(run(*gaps).out, "gap\n0\n", "options of the command, and of all that know them; # and blank lines count for nothing")
    tap.equal(run(*gaps, "--top", "2", "--format", "text").out.split(), ["gap", "0", "1"], "what is typed comes first")
    tap.equal(run(*gaps, "--no-config").out, plain, "--no-config: without it")
    write("report format html", "report title What we saw")
    page = run("report", TRACE)
    tap.ok(page.out.startswith("<!doctype html>") and "<h1>What we saw</h1>" in page.out, "a value may hold blanks", page.told())
    tap.equal(run("brief", TRACE).out, stepscope("brief", TRACE).out, "another command's lines are not of this one")
    write("table top 1\r", "quiet")
    tap.equal(run(*gaps).out.split(), ["gap", "0"], "lines may end as on Windows")


def test_faults(tap):
    for line, words in (("tble top 1", "'tble' is neither an option nor a command"), ("tob 1", "'tob' is neither an option nor a command"),
                        ("asci", "there is no option '--asci'; did you mean '--ascii'?"), ("color green", "--color cannot be 'green'"),
                        ("table theme dark", "--theme has no meaning for 'table'"), ("output x.html", "--output is of one run"),
                        ("gap biggest", "--gap is of one run"), ("table", "an option must follow a command"), ("ascii yes", "--ascii takes no value"),
                        ("format", "--format wants a value"), ("brief color green", "--color cannot be 'green'")):
        write("# mine", line)
        said = run("table", "gaps", TRACE)
        tap.ok(said.status == 2 and said.out == "" and said.err.startswith(f"stepscope: {FILE}:2: {words}"), f"{line}: the file and its line", said.told())
    write("x" * 20000)
    tap.ok("no list of options" in run("table", "gaps", TRACE).err, "what cannot be such a list")
    write("color green")
    tap.equal(run("--help").status, 0, "help is told whatever stands there")


def test_colours(tap):
    write()
    ask = (("table", "gaps"), ("findings", "--fail-on", "never"), ("brief",), ("notes",))
    for words in ask:
        shown = run(*words, TRACE, "--color", "always").out
        plain = run(*words, TRACE).out
        tap.ok("\x1b[" in shown and "\x1b" not in plain, f"{words[0]}: colours in a pipe only where they were asked for", shown[:200])
        tap.equal(shown.replace("\x1b[0m", "").replace("\x1b[1;31m", "").replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[33m", "").replace("\x1b[32m", ""), plain,
                  f"{words[0]}: and nothing else changes")
        tap.equal(run(*words, TRACE, "--color", "never").out, plain, f"{words[0]}: never")
        tap.ok("\x1b[" in run(*words, TRACE, "--color", "always", env={"NO_COLOR": "1"}).out, f"{words[0]}: who asks for it gets it, whatever NO_COLOR says")
    for words in (("report", "--format", "text"), ("report", "--format", "md"), ("table", "gaps", "--format", "csv"), ("table", "gaps", "--format", "md"), ("export", "-o", scratch("c.folded")), ("dump",)):
        shown = run(*words, TRACE, "--color", "always")
        tap.ok(shown.status in (0, 1) and "\x1b" not in shown.out, f"{' '.join(words[:3])}: what programs and colleagues read has none", shown.told())
    out = scratch("gaps.txt")
    run("table", "gaps", TRACE, "--color", "always", "-o", out)
    tap.ok("\x1b" not in open(out, encoding="utf-8").read(), "nor has a file")


def main():
    need_program()
    tap = Tap()
    for test in (test_defaults, test_faults, test_colours):
        test(tap)
    tap.done()


main()
