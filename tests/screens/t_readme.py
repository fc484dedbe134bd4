#!/usr/bin/env python3
"""What README.md says is true: what it names is there, its commands do what stands beside them, and each of its sections has a test or a
command beside it. Its pictures: t_pictures.py."""
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, need_program, scratch, stepscope

TRACE = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
MOST_WORDS = 1200
# Options that README.md leaves to --help and the manual: why, and which.
NOT_HERE = {
    "which part of a table, report or export": "all all-columns baseline by columns explain filter graphs idle iterations names note output rank sections sort "
                                               "spreadsheet title top vs vs-rank vs-step vs-window window",
    "what numbers are of": "all-steps allow-unjudged capture every-k kv-bytes-per-token link-bandwidth parameter-bytes parameters semantics steps-by tc-rules",
    "how the program runs": "force no-cache no-config no-mouse no-state quiet size threads version",
    "live mode": "for keep kinds pid preload yield",
}
TOLD_NOT_TESTED = {"Beside other tools", "Contributing", "Licence"}  # what other tools do, and where things lie


def readme():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        return f.read()


def sections(text):
    """Heading and body of each; the first page is ""."""
    parts = re.split(r"^## (.*)$", text, flags=re.M)
    return list(zip(["", *parts[1::2]], parts[::2]))


def test_first_page(tap, text):
    first = text.split("\n---\n")[0]
    tap.equal(len(re.findall(r"^make ", first, re.M)), 2, "two commands")
    keys = re.search(r"^Five keys: (.*)$", first, re.M).group(1)
    tap.equal(len(re.findall(r"`[^`]+`", keys)), 6, "five keys, zoom being one there and one back")
    tap.ok(first.split("\n\n")[1].count(". ") == 0, "one sentence says what it is", first.split("\n\n")[1])
    tap.ok(text[: text.index("```text")].count("\n") <= 6, "the picture begins on the first screen")
    words = re.findall(r"\S*\w\S*", text)  # pieces of the picture's bars and lines are none
    tap.ok(len(words) <= MOST_WORDS, f"at most {MOST_WORDS} words", len(words))


def test_words(tap, text):
    whole = stepscope("--help", "all").out
    tables = set(re.findall(r"^  ([a-z_]+) ", whole.split("\nTables:\n")[1].split("\nExamples:")[0], re.M))
    named = set(re.findall(r":table ([a-z_]+)", text)) | set(re.findall(r"stepscope table ([a-z_]+)", text))
    tap.equal(named - tables, set(), "every table it names is there")
    commands = set(re.findall(r"^(?:Usage:|      ) \S+ ([a-z]+) \[OPTION\]", whole, re.M))
    tap.equal(set(re.findall(r"[`\n]stepscope ([a-z]+)", text)) - commands, set(), "every command it names is there")
    options = set(re.findall(r"^  (?:-., )?--([a-z][a-z-]+)", "".join(stepscope(c, "--help").out for c in sorted(commands)) + whole, re.M))
    named, elsewhere = set(re.findall(r"(?<![\w-])--([a-z][a-z-]+)", re.sub(r"<!--.*?-->", "", text))), set(" ".join(NOT_HERE.values()).split())
    tap.equal(named - options, set(), "every option it names is there")
    tap.equal(options - named, elsewhere, "every other option is one of those that --help and the manual tell")


def test_places(tap, text):
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    tap.equal([link for link in links if not os.path.exists(os.path.join(ROOT, link))], [], "every file it leads to is there")
    with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as f:
        targets = set(re.findall(r"^([a-z-]+):", f.read(), re.M))
    tap.equal(set(re.findall(r"`make ([a-z]+)|^make ([a-z]+)", text, re.M)) - {(t, "") for t in targets} - {("", t) for t in targets}, set(),
              "every make target it names is there")


def test_proofs(tap, text):
    proofs = re.findall(r"<!-- proof: (.*?) -->", text)
    paths = [path for proof in proofs for path in proof.split()]
    tap.equal([p for p in paths if not os.path.isfile(os.path.join(ROOT, p))], [], "tests that stand beside what it says are there")
    bare = [head for head, body in sections(text) if "<!-- proof:" not in body and head not in TOLD_NOT_TESTED]
    tap.equal(bare, [], "each section has a test beside it")


def test_script(tap, text):
    """The commands of "For scripts", on the bundled trace."""
    (body,) = [body for head, body in sections(text) if head == "For scripts"]
    lines = re.findall(r"^stepscope (.*?)(?: +# .*)?$", body, re.M)
    tap.ok(len(lines) >= 5, "commands for scripts", lines)
    for line in lines:
        words = [TRACE if word in ("TRACE", "BEFORE", "AFTER") else word for word in shlex.split(line)]
        run = stepscope(*words, cwd=scratch())
        written = [w for before, w in zip(words, words[1:]) if before in ("-o", "--screenshot")]
        good = run.status == (1 if words[0] == "findings" else 0) and all(os.path.getsize(scratch(w)) > 0 for w in written)
        tap.ok(good and (written or run.out), f"stepscope {line}", run.told())


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap, text = Tap(), readme()
    for test in (test_first_page, test_words, test_places, test_proofs, test_script):
        test(tap, text)
    tap.done()


main()
