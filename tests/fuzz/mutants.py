#!/usr/bin/env python3
"""Runs the program on mutated files (mutate.py) and holds it to its word: exit code 0, 1, 3 or 4 within 10 s of processor time, no signal, a
reason with each 3, no control characters in what it prints, and no more memory than 64 MiB + 200 B per event + 4 x the file.

    mutants.py [-n 20000] [--first 0] [-j 2] [--keep FOLDER] [--memory MIB] [--of FILE ...]

--of: n mutants of each of these files, cut, flipped or spliced, each through one of the verbs in turn. --memory: with no more address space
than that (RLIMIT_AS; a sanitizer's build needs more than there is). Prints a line per offence and the figures at the end; exit 1 when there was one. Offending files are kept in FOLDER.
$OUT is the build tree, as in tests/run."""
import argparse
import contextlib
import glob
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAM = os.path.join(os.path.realpath(os.path.join(ROOT, os.environ.get("OUT", "build/plain"))), "stepscope")
SANITIZED = os.path.basename(os.path.dirname(PROGRAM)) in ("san", "tsan")  # its allocator takes more memory
LIMIT_S, WALL_S = 10, 120  # of processor time; the machine may have other things to do
BATCH = 100
BASE_KB, EVENT_BYTES, FILE_TIMES = 64 << 10, 200, 4
GOOD = (0, 1, 3, 4)
CONTROL = bytes(set(range(32)) - {9, 10}) + b"\x7f"
VERBS = (("notes",), ("table", "overview"), ("findings",), ("table", "events"), ("report", "--format"))
REPORTS = ("html", "md")


class Box:
    """Where the program runs: no home, no cache, its output in files that are looked at."""

    def __init__(self, folder):
        self.out, self.err = os.path.join(folder, "out"), os.path.join(folder, "err")
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder, "XDG_CACHE_HOME": folder, "XDG_CONFIG_HOME": folder, "LC_ALL": "C.UTF-8",
                            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        self.pid = 0
        signal.signal(signal.SIGALRM, lambda *_: self.stop())

    def stop(self):
        with contextlib.suppress(ProcessLookupError):  # it ended while the alarm rang
            os.kill(self.pid, signal.SIGKILL)

    def run(self, words):
        """(wait status, peak KiB, seconds of processor time); the output is in the files. The peak of a child begins with that of its parent,
        which is why nothing large is loaded here."""
        files = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                 (os.POSIX_SPAWN_OPEN, 1, self.out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
                 (os.POSIX_SPAWN_OPEN, 2, self.err, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
        self.pid = os.posix_spawn(PROGRAM, [PROGRAM, *words], self.environment, file_actions=files)
        signal.setitimer(signal.ITIMER_REAL, WALL_S)
        _, status, usage = os.wait4(self.pid, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return status, usage.ru_maxrss, usage.ru_utime + usage.ru_stime

    def events(self, path):
        """What the file gave, counted only when memory is in doubt."""
        self.run(["table", "trace", path, "--no-cache", "--format", "json"])
        try:
            rows = dict(row[:2] for row in json.loads(read(self.out, 1 << 20))["rows"])
            return int(rows.get("entries_in_file", 0))
        except (ValueError, KeyError):
            return 0


def read(path, most=1 << 16):
    with open(path, "rb") as f:
        return f.read(most)


def offence(box, path, status, peak_kb, seconds):
    """What is wrong with a run, or None."""
    code = os.waitstatus_to_exitcode(status)
    said, printed = read(box.err), read(box.out)
    if code == -signal.SIGKILL or seconds > LIMIT_S:
        return f"took {seconds:.1f} s"
    if code < 0:
        return f"signal {-code}: {said[-200:]!r}"
    if b"Sanitizer" in said or b"runtime error" in said:
        return f"sanitizer: {said[:300]!r}"
    if code not in GOOD:
        return f"exit {code}: {said[-200:]!r}"
    if code == 3 and not said.strip():
        return "exit 3 without a reason"
    if said.translate(None, CONTROL) != said or printed.translate(None, CONTROL) != printed:
        return "a control character in the output"
    if SANITIZED:
        return None
    limit_kb = BASE_KB + FILE_TIMES * os.path.getsize(path) // 1024
    if peak_kb > limit_kb and peak_kb > limit_kb + EVENT_BYTES * box.events(path) // 1024:
        return f"{peak_kb} KiB of memory for a file of {os.path.getsize(path)} bytes"
    return None


def runs_of(number, files):
    """The program's words for one mutant, but for the file; of many mutants of few files one after the other."""
    verbs = [VERBS[number // len(files) % len(VERBS)]] if files else VERBS
    return [(*verb, REPORTS[number % len(REPORTS)]) if verb[0] == "report" else verb for verb in verbs]


def try_file(box, number, path, figures, args):
    for words in runs_of(number, args.of):
        split = 2 if words[0] == "table" else 1
        status, peak_kb, seconds = box.run([*words[:split], path, "--no-cache", *words[split:]])
        figures["runs"] += 1
        figures["peak_kb"] = max(figures["peak_kb"], peak_kb)
        figures["longest_s"] = max(figures["longest_s"], round(seconds, 2))
        code = str(os.waitstatus_to_exitcode(status))
        figures["exits"][code] = figures["exits"].get(code, 0) + 1
        why = offence(box, path, status, peak_kb, seconds)
        if why:
            figures["offences"] += 1
            print(f"mutant {number}: stepscope {' '.join(words)} {os.path.basename(path)}: {why}", flush=True)
            if args.keep:
                shutil.copy(path, args.keep)


def no_figures():
    return {"files": 0, "runs": 0, "exits": {}, "peak_kb": 0, "longest_s": 0, "offences": 0}


def work(first, count, step, args, saved):
    """Every step-th batch, in a process of its own; the figures of each as one line of JSON on stdout."""
    with tempfile.TemporaryDirectory() as folder:
        box, files = Box(folder), os.path.join(folder, "files")
        for begin in range(first, args.first + args.n, step * BATCH):
            n = min(BATCH, args.first + args.n - begin)
            figures = no_figures()
            subprocess.run([sys.executable, os.path.join(HERE, "mutate.py"), str(begin), str(n), files, "--saved", saved,
                            *(["--of", *args.of] if args.of else [])], check=True)
            for name in sorted(os.listdir(files)):
                try_file(box, int(name.split(".")[0]), os.path.join(files, name), figures, args)
                figures["files"] += 1
            shutil.rmtree(files)
            print("=" + json.dumps(figures), flush=True)


def pack_seeds(folder):
    """Saved files of the small traces."""
    os.makedirs(folder)
    sources = glob.glob(os.path.join(ROOT, "tests/golden/*.json")) + glob.glob(os.path.join(ROOT, "tests/traces/causes/*.json.gz"))
    sources += glob.glob(os.path.join(ROOT, "tests/traces/causes/*.xplane.pb"))
    for i, source in enumerate(sorted(s for s in sources if os.path.basename(s) != "expected.json")):
        subprocess.run([PROGRAM, "pack", "--no-cache", source, "-o", os.path.join(folder, f"{i:02}.stepscope")], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


def together(parts):
    total = no_figures()
    for figures in parts:
        for key in ("files", "runs", "offences"):
            total[key] += figures[key]
        for key in ("peak_kb", "longest_s"):
            total[key] = max(total[key], figures[key])
        for code, n in figures["exits"].items():
            total["exits"][code] = total["exits"].get(code, 0) + n
    return total


def run_all(args, saved):
    """The workers' lines as they come; returns the figures of all, those of the batches that are done when interrupted."""
    jobs = [subprocess.Popen([sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--worker", str(i), "--saved", saved],
                             stdout=subprocess.PIPE, text=True) for i in range(args.j)]
    parts, lock = [], threading.Lock()

    def listen(job):
        for line in job.stdout:
            with lock:
                if line.startswith("="):
                    parts.append(json.loads(line[1:]))
                else:
                    print(line, end="", flush=True)

    listeners = [threading.Thread(target=listen, args=(job,)) for job in jobs]
    try:
        for listener in listeners:
            listener.start()
        for listener in listeners:
            listener.join()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        for listener in listeners:
            listener.join()
    return together(parts)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("-n", type=int, default=20000)
    words.add_argument("--first", type=int, default=0)
    words.add_argument("-j", type=int, default=os.cpu_count())
    words.add_argument("--keep")
    words.add_argument("--of", nargs="+", default=[])
    words.add_argument("--memory", type=int)
    words.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    words.add_argument("--saved", help=argparse.SUPPRESS)
    args = words.parse_args()
    args.of = [os.path.realpath(path) for path in args.of]
    args.n *= len(args.of) or 1
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if args.worker is not None:
        if args.memory:
            resource.setrlimit(resource.RLIMIT_AS, (args.memory << 20, args.memory << 20))
        return work(args.first + args.worker * BATCH, args.n, args.j, args, args.saved)
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        if not args.of:
            pack_seeds(os.path.join(folder, "saved"))
        figures = run_all(args, os.path.join(folder, "saved"))
    print(json.dumps(figures))
    return 0 if not figures["offences"] and figures["files"] == args.n else 1


if __name__ == "__main__":
    sys.exit(main())
