#!/usr/bin/env python3
"""make lint: clang's and gcc's static analysers and cppcheck over the sources. What they say and we know better stands in
tests/lint.known, one line each with the reason; everything else is printed and makes it fail. So does a line of that list that
nothing matches any more. What a tool said of a file is kept in $OUT/lint until the file, a header it includes, the tool or how it is
asked changes: clang alone takes seconds a file.

    lint.py [-j JOBS] [--only clang|gcc|cppcheck] [FILE...]"""
import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
OUT = os.path.join(ROOT, os.environ.get("OUT", "build/plain"))
GEN = os.path.join(os.environ.get("OUT", "build/plain"), "gen")
KEPT = os.path.join(OUT, "lint")
LANGUAGE = ["-std=c11", "-D_GNU_SOURCE", '-DVERSION="0"']
LIMIT_S = 300  # of one file with one analyser
CPPCHECK = ["cppcheck", "--std=c11", "--enable=warning,portability,performance", "-q", "--max-configs=1", "--error-exitcode=0",
            "-D__BYTE_ORDER__=1234", "-D__ORDER_LITTLE_ENDIAN__=1234", "-D__x86_64__=1", "-D__linux__=1", "--library=tests/lint.cfg",
            "--template={file}:{line}: warning: {message} [{id}]"]
GCC_OFF = ["-Wno-analyzer-" + check for check in ("malloc-leak", "possible-null-argument", "null-argument", "null-dereference")]  # README.md
COMMANDS = {
    "clang": lambda f: ["clang", *LANGUAGE, "-O2", "-iquote", ".", "-I" + GEN, "--analyze", "--analyzer-output", "text", "-o", os.devnull, f],
    "gcc": lambda f: ["gcc", *LANGUAGE, "-O1", "-iquote", ".", "-I" + GEN, "-fanalyzer", *GCC_OFF, "-c", f, "-o", os.devnull],
    "cppcheck": lambda f: [*CPPCHECK, *LANGUAGE[1:], "-I.", f],
}
REPORT = re.compile(r"^([^\s:]+):(\d+):(?:\d+:)? (?:warning|error): (.*?)(?: \[(?:CWE-\d+\] \[)?-?W?(?:analyzer-)?([\w.-]+)\])?$")


def sources():
    listed = subprocess.run(["git", "ls-files", "model/*.c", "importers/*.c", "live/*.c", "tui/*.c"], cwd=ROOT, capture_output=True,
                            text=True, check=True).stdout.split()
    return [f for f in listed if os.path.exists(os.path.join(ROOT, f))]


def known():
    """[(tool, file, check)] in order."""
    with open(os.path.join(HERE, "lint.known"), encoding="utf-8") as f:
        lines = [line.split(None, 3) for line in f if line.strip() and not line.startswith("#")]
    bad = [line for line in lines if len(line) < 4]
    if bad:
        sys.exit(f"lint.known: tool, file, check and reason are wanted: {' '.join(bad[0])}")
    return [tuple(line[:3]) for line in lines]


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def read(path):
    with open(os.path.join(ROOT, path), "rb") as f:
        return f.read()


@functools.cache
def asked_how(tool):
    """Version of a tool, and what else its answers depend on."""
    version = subprocess.run([tool, "--version"], capture_output=True, check=True).stdout
    return digest(version, repr(COMMANDS[tool]("")).encode(), read("tests/lint.cfg"))


@functools.cache
def text_of(file):
    """What a compiler reads of it; None where it does not compile."""
    done = subprocess.run(["gcc", *LANGUAGE, "-O2", "-iquote", ".", "-I" + GEN, "-E", file], cwd=ROOT, capture_output=True)
    return None if done.returncode else digest(read(file), done.stdout)


def ask(tool, file):
    """What a tool says about a file: [(file, line, check, message)], from last time where nothing has changed since; a tool that fails
    or takes too long says so itself, and is asked again."""
    text = text_of(file)
    kept = text and os.path.join(KEPT, digest(tool.encode(), asked_how(tool).encode(), file.encode(), text.encode()))
    if kept and os.path.exists(kept):
        with open(kept, encoding="utf-8") as f:
            return [tuple(report) for report in json.load(f)], kept
    try:
        done = subprocess.run(COMMANDS[tool](file), cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return [(file, 0, "time", f"not done after {LIMIT_S} s")], None
    said = [m.groups() for m in map(REPORT.match, (done.stdout + done.stderr).splitlines()) if m]
    if done.returncode and not said:
        return [(file, 0, "failed", done.stderr.strip()[-300:])], None
    reports = [(os.path.normpath(path), int(line), check or "compile", message) for path, line, message, check in said]
    if kept:
        with open(f"{kept}.{os.getpid()}", "w", encoding="utf-8") as f:
            json.dump(reports, f)
        os.replace(f"{kept}.{os.getpid()}", kept)
    return reports, kept


def forget(kept):
    """What no file says any more."""
    for name in os.listdir(KEPT):
        if os.path.join(KEPT, name) not in kept:
            os.remove(os.path.join(KEPT, name))


def matches(entry, tool, report):
    return entry[0] == tool and entry[2] == report[2] and entry[1] in ("*", report[0])


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("-j", type=int, default=os.cpu_count())
    words.add_argument("--only", choices=COMMANDS)
    words.add_argument("files", nargs="*")
    args = words.parse_args()
    tools, files, entries = [args.only] if args.only else list(COMMANDS), args.files or sources(), known()
    used, shown, kept = set(), set(), set()
    os.makedirs(KEPT, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        asked = {pool.submit(ask, tool, file): tool for tool in tools for file in files}
        for done in concurrent.futures.as_completed(asked):
            reports, place = done.result()
            kept.add(place)
            for report in reports:
                hits = {e for e in entries if matches(e, asked[done], report)}
                used |= hits
                if not hits and (asked[done], *report) not in shown:
                    shown.add((asked[done], *report))
                    print(f"{report[0]}:{report[1]}: {asked[done]} {report[2]}: {report[3]}", flush=True)
    if not args.files and not args.only:
        forget(kept)
    stale = [e for e in entries if e not in used and e[0] in tools] if not args.files else []
    for entry in stale:
        print(f"tests/lint.known: nothing matches any more: {' '.join(entry)}")
    print(f"{len(files)} files, {', '.join(tools)}: {len(shown)} findings, {len(entries)} known ones")
    return 1 if shown or stale else 0


if __name__ == "__main__":
    sys.exit(main())
