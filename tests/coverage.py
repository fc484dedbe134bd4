#!/usr/bin/env python3
"""Lines and branches reached, per folder, from what a build with --coverage left in a build tree: coverage.py build/cov"""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BATCH = 40


def notes(tree):
    """All .gcda below the tree but those of the tests themselves."""
    for folder, _, names in os.walk(tree):
        if os.path.relpath(folder, tree).split(os.sep)[0] not in ("tests", "gen"):
            yield from (os.path.join(folder, n) for n in names if n.endswith(".gcda"))


def documents(paths):
    """gcov's JSON for each object."""
    for i in range(0, len(paths), BATCH):
        done = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *paths[i:i + BATCH]], cwd=ROOT,
                              capture_output=True, text=True, check=True)
        yield from (json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))


def reached(paths):
    """{file: ({line: runs}, {(line, branch): runs})} over all objects a line is in."""
    files = {}
    for document in documents(paths):
        for file in document["files"]:
            lines, branches = files.setdefault(os.path.normpath(file["file"]), ({}, {}))
            for line in file["lines"]:
                number = line["line_number"]
                lines[number] = lines.get(number, 0) + line["count"]
                for i, branch in enumerate(b for b in line["branches"] if not b["throw"]):
                    branches[number, i] = branches.get((number, i), 0) + branch["count"]
    return files


def share(counts):
    return f"{100 * sum(n > 0 for n in counts) / len(counts):5.1f} %" if counts else "    - "


def main():
    tree = os.path.join(ROOT, sys.argv[1] if len(sys.argv) > 1 else "build/cov")
    folders, files = {}, reached(sorted(notes(tree)))
    for file, (lines, branches) in files.items():
        if os.path.isabs(file) or file.startswith(("build", "tests")):
            continue
        for key in (os.path.dirname(file), "all"):
            total = folders.setdefault(key, ([], []))
            total[0].extend(lines.values())
            total[1].extend(branches.values())
    print("| folder | lines | reached | branches | reached |\n|---|--:|--:|--:|--:|")
    for key in sorted(folders, key=lambda k: (k == "all", k)):
        lines, branches = folders[key]
        print(f"| {key} | {len(lines)} | {share(lines)} | {len(branches)} | {share(branches)} |")


if __name__ == "__main__":
    main()
