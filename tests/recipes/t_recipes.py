#!/usr/bin/env python3
"""The recipes of the rooms' README.md are true: each is done on a copy of the tree by the patch of its name that lies here. A patch touches
at most three files beside tests, each of them named by its recipe, and it fits the tree as it stands. The copy with a new option, verb and
importer is built, these are asked for, and help, manual and completions know them; what a new kind of event touches compiles. With RECIPES=1
(`make recipes`) the copy is built after each patch, what was added is asked for, and the tests of command line, manual and layers pass."""
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import OUT, ROOT, Tap, play, scratch, stepscope  # noqa: E402

TRACE = os.path.join(ROOT, "tests/traces/sample")
SMALL = os.path.join(ROOT, "tests/golden/small/two_steps.json")
MOST_FILES = 3
TREE = "build/plain"
ALL = bool(os.environ.get("RECIPES"))
HAS_OBJECTS = os.path.basename(OUT) == "plain" and not os.path.relpath(OUT, ROOT).startswith("..")  # to build a part of the copy from
DOCUMENTS = ("stepscope.1", "stepscope.bash", "_stepscope", "stepscope.fish")
KIND_OBJECTS = ("model/store/facts/facts", "tui/screen/bars", "tui/report/lane", "model/filter_parse", "importers/chrome/category")


def pane(program):
    screen = play("wait Overview\nsettle\nkeys :\ntype table streams\nkeys Enter\nsettle\nkeys t\nwait streams, number\nsettle\nscreen\nkeys Q\nend\n", SMALL, "--no-cache", program=program)
    return "1 streams, number 0" in screen.last and "Streams" in screen.last, "\n".join(screen.said) + screen.last


def finding(program):
    run = stepscope("findings", TRACE, "--fail-on", "never", program=program)
    return "The trace holds 12 steps." in run.out, run.told() + run.out


def documents(program, word, sentence):
    """None when the manual and all completions know the word, and the manual says the sentence, else what does not."""
    for name in DOCUMENTS:
        with open(os.path.join(os.path.dirname(program), "doc", name), encoding="utf-8") as f:
            text = f.read().replace("\\-", "-")
        if not re.search(rf"\b{word}\b", text) or (name == DOCUMENTS[0] and sentence not in text):
            return f"{name} does not know {word}"
    return None


def option(program):
    run = stepscope("table", "gaps", SMALL, "--beyond", "3", "--no-cache", program=program)
    told = "without the first N rows" in stepscope("table", "--help", program=program).out
    wrong = documents(program, "beyond", "Without the first N rows.")
    return run.status == 0 and "beyond 3" in run.err and told and not wrong, f"{wrong}, in the help: {told}\n{run.told()}"


def verb(program):
    run, whole = stepscope("greet", program=program), stepscope("--help", "all", program=program).out
    wrong = documents(program, "greet", "Say good morning.")
    return run.out == "good morning\n" and "say good morning" in whole and not wrong, f"{wrong}\n{run.told()}{run.out}{whole[:800]}"


def importer(program):
    path = scratch("trace.lines")
    with open(path, "w") as f:
        f.write("\x01lines\n10 20 first\n40 5 second one\nnonsense\n")
    run = stepscope("table", "events", path, "--format", "csv", program=program)
    whole = " ".join(stepscope("--help", "all", program=program).out.split())
    told = "lines" in json.loads(stepscope("--version", "--json", program=program).out)["import_formats"] and "a file of lines" in whole
    return run.status == 4 and "first" in run.out and "second one" in run.out and told, f"told: {told}\n{run.told()}{run.out}"


def event_kind(program):
    path = scratch("io.json")
    with open(path, "w") as f:
        f.write('[{"ph": "X", "cat": "io", "name": "read", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]')
    run = stepscope("table", "events", path, "--filter", "kind=io", "--format", "csv", program=program)
    return run.status == 0 and ",io," in run.out and "read" in run.out, run.told() + run.out


def side_table(program):
    path, saved = scratch("memory.json"), scratch("memory.stepscope")
    with open(path, "w") as f:
        f.write('[{"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "s": "t", "pid": 1, "tid": 1, "ts": 3, "args": {"bytes": 512}},'
                '{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 7}]')
    stepscope("pack", path, "--no-cache", "-o", saved, program=program)
    runs = [stepscope("dump", p, "--no-cache", program=program) for p in (path, saved)]
    today = stepscope("dump", saved, "--no-cache")  # passes over what it does not know
    return (all(run.status == 0 and "transfers_row event=1 bytes=512" in run.out for run in runs) and today.status == 0 and
            "transfers" not in today.out, "".join(run.told() + run.out for run in [*runs, today]))


def precisions(program, name, *columns):
    run = stepscope("table", name, SMALL, "--format", "csv", program=program)
    return run.status == 0 and all(c in run.out.split("\n")[0].split(",") for c in columns), run.told() + run.out


def renamed(program):
    old = stepscope("table", "precisions", SMALL, program=program)
    good, why = precisions(program, "kernel_precisions", "precision", "tc_ns")
    return good and old.status == 2, why + old.told()


def column(program):
    return precisions(program, "kernel_precisions", "no_tc_pct")


def renamed_column(program):
    run = stepscope("table", "copies", SMALL, "--format", "csv", program=program)
    names = run.out.split("\n")[0].split(",")
    return run.status == 0 and "host_memory" in names and "memory" not in names, run.told() + run.out


def added_table(program):
    return precisions(program, "machines", "host", "processes")


# patch, the page with its recipe, what to ask the program that was built with it
RECIPES = [
    ("add_option", "tui/cli", option),
    ("add_verb", "tui/cli", verb),
    ("add_importer", "importers", importer),
    ("add_event_kind", "model/store", event_kind),
    ("add_side_table", "model/store", side_table),
    ("add_pane", "tui/panes", pane),
    ("add_finding", "model/analysis/findings", finding),
    ("rename_table", "model/analysis", renamed),
    ("add_column", "model/analysis", column),
    ("rename_column", "model/analysis", renamed_column),
    ("add_table", "model/analysis", added_table),
]
BUILT_AT_ONCE = ("add_option", "add_verb", "add_importer")  # by every run, after the last of them


def text_of(*parts):
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as f:
        return f.read()


def touched(patch):
    """Files that a patch changes or adds, tests aside; those it adds once more."""
    old = re.findall(r"^--- (?:a/)?(\S+)", patch, re.M)
    new = re.findall(r"^\+\+\+ (?:b/)?(\S+)", patch, re.M)
    pairs = [(a, b) for a, b in zip(old, new) if not (a if b == "/dev/null" else b).startswith("tests/")]
    return sorted({a if b == "/dev/null" else b for a, b in pairs}), {b for a, b in pairs if a == "/dev/null"}


def names(page, path, added):
    """Whether a recipe names a file: an old one by its name, a new one by its folder (or as the page's own room)."""
    folder, name = os.path.split(path)
    return name in page or any(name.endswith(end) and "X" + end in page for end in ("_table.c", "_columns.h")) or (path in added and (folder in page or os.path.dirname(folder) in page))


def apply(name, tree):
    return subprocess.run(["git", "apply", "-C1", "--recount", os.path.join(HERE, name + ".patch")], cwd=tree, capture_output=True, text=True)


def copy_tree(tree):
    """The sources and what was built of them, so that only what a patch touches is built again."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(lambda n: os.path.isfile(os.path.join(ROOT, n)), listed.stdout.split("\n")):
        os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
        shutil.copy2(os.path.join(ROOT, name), os.path.join(tree, name))
    if HAS_OBJECTS:
        shutil.copytree(OUT, os.path.join(tree, TREE), ignore=shutil.ignore_patterns("tests", "fuzz*", "share"))


def make(tree, *goals):
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    quick = [] if ALL else ["CFLAGS=-O0"]
    return subprocess.run(["make", "-j2", "OUT=" + TREE, *quick, *goals], cwd=tree, env=env, capture_output=True, text=True)


def build(tap, tree, added):
    """Builds the copy and asks it for what the recipes of these names added."""
    made = make(tree, "all")
    compiled = len(re.findall(r"^ *CC ", made.stdout, re.M))
    if not tap.ok(made.returncode == 0 and "warning:" not in made.stderr, f"{', '.join(added)}: builds without a warning, {compiled} files compiled",
                  made.stderr[-1500:]):
        return
    for name, _, ask in filter(lambda r: r[0] in added, RECIPES):
        good, why = ask(os.path.join(tree, TREE, "stepscope"))
        tap.ok(good, f"{name}: what was added is there", why)


def built(tap, tree, name):
    """After the patch of this name: all of it, or the part that is quick."""
    if ALL:
        build(tap, tree, [name])
    elif not HAS_OBJECTS:
        tap.skip(f"{name}: what was added is there", "tried on the plain build")
    elif name == BUILT_AT_ONCE[-1]:
        build(tap, tree, BUILT_AT_ONCE)
    elif name == "add_event_kind":
        made = make(tree, *(f"{TREE}/{o}.o" for o in KIND_OBJECTS))
        tap.ok(made.returncode == 0, f"{name}: what it touches compiles", made.stderr[-2000:])


def templates(tap, tree):
    """A template that names what is not there stops the build."""
    for mark in ("@option beyomd@", "@command tabel@", "@option help@\n@option help@"):
        path = os.path.join(tree, "tui/man/wrong.1.in")
        with open(path, "w") as f:
            f.write(f".TH X\n{mark}\n")
        done, page = make(tree, f"{TREE}/doc/wrong.1"), os.path.join(tree, TREE, "doc/wrong.1")
        tap.ok(done.returncode != 0 and "line " in done.stderr and not os.path.exists(page),
               f"{mark.split(chr(10))[0]}: the build says so", done.stdout + done.stderr)
        os.unlink(path)


def whole(tap, tree):
    """The tests that know every table, verb, option, key and room, on the tree with all patches."""
    env = dict(os.environ, OUT=os.path.join(tree, TREE))
    for args in (["git", "init", "-q"], ["git", "add", "-A"]):
        subprocess.run(args, cwd=tree, check=True, capture_output=True)
    for test in ("tests/layers", "tests/cli/t_cli.py"):
        run = subprocess.run([sys.executable, test], cwd=tree, env=env, capture_output=True, text=True)
        failed = re.findall(r"^not ok.*(?:\n#.*)*", run.stdout, re.M)
        tap.ok(not failed and "\n1.." in run.stdout, f"with all of them {test} passes", "\n".join(failed) or run.stderr)


def main():
    tap, tree = Tap(), scratch("tree")
    copy_tree(tree)
    for name, room, _ in RECIPES:
        files, added = touched(text_of("tests/recipes", name + ".patch"))
        page = text_of(room, "README.md")
        tap.ok(0 < len(files) <= MOST_FILES, f"{name} touches at most {MOST_FILES} files beside tests", "\n".join(files))
        tap.equal([f for f in files if not names(page, f, added)], [], f"{name}: {room}/README.md names each of them")
        done = apply(name, tree)
        if tap.ok(done.returncode == 0, f"{name} fits the tree", done.stderr):
            built(tap, tree, name)
        if name == BUILT_AT_ONCE[-1] and HAS_OBJECTS:
            templates(tap, tree)
    there = {f[:-6] for f in os.listdir(HERE) if f.endswith(".patch")}
    tap.equal(there, {name for name, _, _ in RECIPES}, "every patch belongs to a recipe")
    if ALL:
        whole(tap, tree)
    tap.done()


if __name__ == "__main__":
    main()
