"""What the test scripts share: TAP lines, running stepscope, reading its tables, finding the trace corpus."""
import gc
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import tables_once

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.abspath(os.environ.get("OUT", os.path.join(ROOT, "build/plain")))
STEPSCOPE = os.path.join(OUT, "stepscope")
SANITIZED = os.path.basename(OUT) in ("san", "tsan")  # its allocator takes more memory, and cannot be replaced
PTY = os.path.join(OUT, "tests/screens/pty")
TRACES = os.path.normpath(os.path.join(ROOT, "../shared/traces"))
ORACLES = os.path.normpath(os.path.join(ROOT, "../shared/reference/oracles"))
gc.disable()  # traces as Python objects hold no circles, and looking for some takes a third of the time of reading them
WAYS = ("STEPSCOPE_THREADS", "STEPSCOPE_WINDOW_BYTES", "STEPSCOPE_VECTOR")  # set: how imports work is what is tested
os.environ["XDG_STATE_HOME"] = "/dev/null"  # nothing can be remembered there, so there are no hints of the first start
for _said in ("COLORTERM", "TERM_PROGRAM", "TMUX", "STY"):  # of the terminal that the tests happen to run in
    os.environ.pop(_said, None)
TIMEOUT_S = 120 * int(os.environ.get("TEST_SLOW", "1"))  # ends what hangs; nothing is judged by it
PLAY_S = 3 * TIMEOUT_S  # pty itself waits half of TIMEOUT_S for each thing, and tells then what it has waited for


class Unplayed(Exception):
    """A script of keys that did not come to its end: what was waited for, and the screen of then."""


class Tap:
    """Counts tests and prints them as TAP; `done` prints the plan and leaves with the right status. What nobody catches, in whichever
    thread, is a test that failed."""

    def __init__(self):
        self.ran = self.failed = 0
        sys.excepthook = lambda _, e, where: self.ends_by(e)
        threading.excepthook = lambda died: self.died(f"thread {died.thread.name}", died.exc_value)

    def ok(self, good, name, why=""):
        self.ran += 1
        self.failed += not good
        print(f"{'' if good else 'not '}ok {self.ran} - {name}")
        if not good and why:
            for line in str(why).splitlines()[:30]:
                print(f"# {line}")
        sys.stdout.flush()
        return bool(good)

    def equal(self, got, expected, name):
        return self.ok(got == expected, name, f"expected {expected!r}\ngot      {got!r}")

    def died(self, name, e):
        """A test that could not go on: at which line of it, and why."""
        at = [f for f in traceback.extract_tb(e.__traceback__) if f.filename != __file__][-1:]
        where = "".join(f"at {os.path.relpath(f.filename, ROOT)}:{f.lineno}: {f.line}\n" for f in at)
        self.ok(False, f"{name} comes to its end", f"{where}{type(e).__name__}: {e}")

    def ends_by(self, e):
        self.died("the program", e)
        print(f"1..{self.ran}", flush=True)

    def each(self, tests):
        """All of them, also those after one that could not go on."""
        for test in tests:
            try:
                test()
            except Exception as e:
                self.died(test.__name__, e)

    def take(self, held):
        for tell in held.held:
            tell(self)

    def skip(self, name, reason):
        self.ran += 1
        print(f"ok {self.ran} - {name} # SKIP {reason}")

    def done(self):
        print(f"1..{self.ran}")
        sys.exit(1 if self.failed else 0)


class HeldTap(Tap):
    """Keeps results instead of printing them, so that parts of a test may run side by side: `tap.take(held)` prints them."""

    def __init__(self):
        self.held = []

    def ok(self, good, name, why=""):
        self.held.append(lambda tap: tap.ok(good, name, why))
        return bool(good)

    def skip(self, name, reason):
        self.held.append(lambda tap: tap.skip(name, reason))


def skip_all(reason):
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)


def until(condition, what, patience_s=TIMEOUT_S):
    """Polls until the condition holds; its value. A test that waits in vain fails by that."""
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.005)
    raise AssertionError(f"waited in vain for {what}")


def until_said(process, word):
    """Reads what a process prints, up to the line with that word."""
    line = None
    while line not in (b"", ""):
        line = process.stdout.readline()
        if word in (line if isinstance(line, str) else line.decode()):
            return
    raise AssertionError(f"waited in vain for '{word}': the process has said its last word")


class Run:
    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def crashed(self):
        """Died by a signal, or a sanitizer spoke."""
        return self.status < 0 or self.status > 128 or "Sanitizer" in self.err or "runtime error:" in self.err

    def told(self):
        return f"exit {self.status}\n{self.err.strip()[-1500:]}"


def own_places(words, env):
    """The environment of a run that touches neither the user's cache, configuration nor state. Imports of real traces are kept where the next
    test finds them, unless the test says otherwise; the program knows them by build and trace."""
    real = any(str(w).startswith(TRACES) for w in words) and not any(v in os.environ for v in WAYS)
    cache = {"XDG_CACHE_HOME": os.path.join(OUT, "traces"), "STEPSCOPE_CACHE_AFTER_MS": "20", "STEPSCOPE_CACHE_MIB": "256"}
    return {**os.environ, **(cache if real else {"XDG_CACHE_HOME": scratch("cache")}), "XDG_CONFIG_HOME": scratch("config"), **(env or {})}


def stepscope(*args, stdin=None, env=None, cwd=None, program=STEPSCOPE):
    """Runs the program (or that of another build) on the given words."""
    environment = own_places(args, env)
    try:
        done = subprocess.run([program, *map(str, args)], input=stdin, capture_output=True, env=environment, cwd=cwd,
                              timeout=TIMEOUT_S, stdin=None if stdin is not None else subprocess.DEVNULL)
    except subprocess.TimeoutExpired as e:
        return Run(subprocess.CompletedProcess(e.cmd, 124, "", f"still running after {TIMEOUT_S} s"))
    done.stdout, done.stderr = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    return Run(done)


class TableError(Exception):
    pass


class Table:
    """A table as `--format json` gives it: rows as dicts, `columns` as names."""

    def __init__(self, text):
        self.json = json.loads(text)
        if self.json.get("schema") != "stepscope.table/1":
            raise TableError(f"schema is {self.json.get('schema')!r}")
        self.columns = [c["name"] for c in self.json["columns"]]
        self.rows = [dict(zip(self.columns, row)) for row in self.json["rows"]]
        self.evidence = self.json.get("evidence", [])

    def keyed(self):
        """A key/value table as one dict."""
        return {row["key"]: row["value"] for row in self.rows}

    def keyed_by(self, column):
        """Rows by what stands in that column."""
        return {row[column]: row for row in self.rows}


def is_real(path):
    return str(path).startswith((TRACES, os.path.join(ROOT, "tests/traces")))


def are_kept(args):
    """Whether one start writes all tables for all tests: not where options, the user's own rules or the way to import matter."""
    own_rules = any(files for _, _, files in os.walk(scratch("config")))
    return len(args) == 1 and is_real(args[0]) and not any(v in os.environ for v in WAYS) and not own_rules


def kept_table(name, args):
    """The text of a table that was written with all others, or None."""
    return tables_once.text_of(name, str(args[0]), stepscope) if are_kept(args) else None


def kept_names(args):
    """The names of the tables that `kept_table` has, or None."""
    return tables_once.names_of(str(args[0]), stepscope) if are_kept(args) else None


def table(name, *args):
    """The table `name` of the trace(s) and options in args; TableError says what went wrong."""
    kept = kept_table(name, args)
    if kept:
        return Table(kept)
    run = stepscope("table", name, *args, "--format", "json")
    if run.status not in (0, 4):
        raise TableError(run.told())
    try:
        return Table(run.out)
    except (ValueError, KeyError) as e:
        raise TableError(f"table {name}: {e!r}\n{run.told()}\n{run.out[:400]}") from e


def number(value):
    """Integers beyond 2^53 come as texts."""
    return int(value) if isinstance(value, str) and value.lstrip("-").isdigit() else value


_scratch = None


def scratch(*parts):
    """A path in a folder that goes away with the test."""
    global _scratch
    if _scratch is None:
        _scratch = tempfile.TemporaryDirectory(prefix="stepscope-test-")
    return os.path.join(_scratch.name, *parts)


def corpus():
    """Paths of all real traces, relative to TRACES; empty when the corpus is not there."""
    found = []
    for folder, _, files in os.walk(TRACES):
        found += [os.path.relpath(os.path.join(folder, f), TRACES) for f in files if f != "README.md"]
    return sorted(found)


def unpacked(path):
    """The bytes of a trace file after gzip."""
    with open(path, "rb") as f:
        data = f.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def need_program():
    if not os.access(STEPSCOPE, os.X_OK):
        print(f"not ok 1 - {os.path.relpath(STEPSCOPE, ROOT)} is built\n1..1")
        sys.exit(1)


class Screen:
    """What pty printed: the screens in order, and the lines between them."""

    def __init__(self, run):
        self.run, self.screens, self.said = run, [], []
        lines, inside = run.out.splitlines(), False
        for line in lines:
            if line.startswith("|") and line.endswith("|"):
                if not inside:
                    self.screens.append([])
                self.screens[-1].append(line[1:-1])
                inside = True
            else:
                self.said += [line] if line else []
                inside = False

    @property
    def last(self):
        return "\n".join(self.screens[-1]) if self.screens else ""

    def told(self):
        """Why it came to no end: the words of pty, and what stood on the screen."""
        said = [line for line in self.said if line.startswith("pty: ")] or [self.run.told()]
        return "\n".join(said + ["|" + line.rstrip() for line in self.last.splitlines() if line.strip()])


def play(script, *command, size="80x24", term="xterm-256color", env=None, cwd=None, program=STEPSCOPE):
    """Plays a pty script (see tests/screens/pty.c) on stepscope (or another program) with the given words. Unplayed: an order of it
    failed, or was waited for in vain."""
    environment = own_places(command, env)
    try:
        done = subprocess.run([PTY, "-s", size, "-t", term, "-", program, *map(str, command)], input=script.encode(),
                              capture_output=True, env=environment, cwd=cwd, timeout=PLAY_S)
    except subprocess.TimeoutExpired as e:
        done = subprocess.CompletedProcess(e.cmd, 124, e.stdout or b"", f"still running after {PLAY_S} s".encode())
    done.stdout, done.stderr = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    screen = Screen(Run(done))
    if done.returncode != 0:
        raise Unplayed(f"{' '.join([os.path.basename(program), *map(str, command)])}\n{screen.told()}")
    return screen


def visible_text(markup):
    return re.sub(r"<[^>]+>", "\n", markup).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def spelling(ns):
    """A time as the program writes it everywhere: the largest unit that gives at least 1, three decimals."""
    units = [("s", 10**9), ("ms", 10**6), ("us", 10**3)]
    unit, size = next(((u, s) for u, s in units if ns + s // 2000000 >= s), ("ns", 1))  # never "1000.000 ms"
    if size == 1:
        return f"{ns} ns"
    scaled = decimal(ns, size, 3)
    return f"{scaled // 1000}.{scaled % 1000:03d} {unit}"


def decimal(value, unit, digits):
    """value / unit in units of the last digit, rounded half up."""
    return (value * 10**digits * 2 + unit) // (2 * unit)


def holds(text, ns):
    """The length stands there, and not as the end of a longer number."""
    return re.search(r"(?<![\d.])" + re.escape(spelling(ns)), text) is not None
