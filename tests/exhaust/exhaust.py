"""Runs stepscope while the n-th allocation, mapping, thread or write fails (fail.c), and judges what it did.

What may happen: the failure is absorbed, output and exit code are those of a good run; or exit 3 (reading) or 5 (writing)
with one sentence on stderr. Never a signal, a hang, another output, a file left behind, a terminal not given back."""
import os
import pty
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import OUT, ROOT, STEPSCOPE, TIMEOUT_S

LIBRARY = os.path.join(OUT, "tests/exhaust/libfail.so")
LIMIT_S = TIMEOUT_S
QUIET_S = 0.15
KINDS = ("alloc", "map", "thread", "write")
BUNDLED = os.path.join(ROOT, "tests/traces/causes")
KINETO = os.path.join(BUNDLED, "torch-input.json.gz")
XSPACE = os.path.join(BUNDLED, "tf-input.xplane.pb")


def nameless():
    try:
        os.close(os.open(tempfile.gettempdir(), os.O_TMPFILE | os.O_RDWR))
    except OSError:
        return False
    return True


NAMELESS = nameless()


def cases(saved, packed):
    """What is run: import of every format, tables, reports, saving, the explorer. `saved`: a stepscope file; `packed`: a .zst."""
    folder = os.path.join(ROOT, "tests/traces/jax-steps")
    return [
        Case("table", "trace", KINETO), Case("table", "kernels", KINETO, slow=2), Case("table", "gaps", XSPACE),
        Case("table", "events", KINETO, "--format", "json", "--filter", "name=/gemm/"), Case("notes", XSPACE),
        Case("notes", packed), Case("table", "steps", folder, slow=2), Case("table", "idle", XSPACE, cache=True),
        Case("table", "ops", saved, slow=2), Case("findings", KINETO, slow=2),
        Case("report", KINETO, "--format", "html", slow=8), Case("report", XSPACE, slow=8),
        Case("report", XSPACE, "--format", "json", slow=8), Case("report", KINETO, out="report.svg", slow=3),
        Case("pack", KINETO, out="new.stepscope"), Case("pack", saved, out="new.stepscope"),
        Case(KINETO, out="screen.svg", by="--screenshot", slow=8),
        Case(KINETO, screen=True, slow=16), Case(saved, screen=True, slow=16),
    ]


class Case:
    """A command whose file, if it writes one, is called `out` and given by the option `by`; `screen`: at a terminal, left with Q;
    `slow`: how many times as long it takes as a table of a small trace."""

    def __init__(self, *words, out=None, by="-o", screen=False, cache=False, slow=1):
        self.words, self.out, self.screen, self.cache, self.slow = words, out, screen, cache, slow
        self.by = by
        shown = [os.path.basename(w) if os.path.isabs(w) else w for w in words]
        self.name = " ".join((["screen"] if screen else []) + shown + (["cached"] if cache else []))

    def command(self, folder):
        words = [STEPSCOPE, *self.words] + ([self.by, os.path.join(folder, self.out)] if self.out else [])
        return words + ([] if self.cache else ["--no-cache"])


class Seen:
    """What a run left: exit status, output (of stdout and the file), stderr, files, and whether the terminal is as before."""

    def __init__(self, status, stdout, stderr, folder, case, restored=True):
        self.status, self.err, self.restored = status, stderr, restored
        files = sorted(os.path.relpath(os.path.join(at, f), folder) for at, _, names in os.walk(folder) for f in names)
        self.files = [f for f in files if f not in ("count", "stack")]
        self.output = b"" if case.screen else stdout
        if case.out and case.out in self.files:
            with open(os.path.join(folder, case.out), "rb") as f:
                self.output += f.read()
        self.counts, self.stack = {}, ""
        if "count" in files:
            with open(os.path.join(folder, "count")) as f:
                self.counts = {k: int(n) for k, n in (line.split() for line in f)}
        if "stack" in files:
            with open(os.path.join(folder, "stack")) as f:
                self.stack = f.read()

    def stray(self, good, case):
        """Files nobody asked for. The cache is written beside the work: what ends the program may come between the name a
        complete entry has for a moment and its own; the next start removes it. So it is where files cannot be without a name."""
        named = case.cache or not NAMELESS
        return [f for f in self.files if f not in good.files and not (named and os.path.basename(f).startswith(".stepscope-"))]


def environment(folder, fail):
    env = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"), XDG_CONFIG_HOME=os.path.join(folder, "config"), XDG_STATE_HOME="/dev/null",
               LD_PRELOAD=LIBRARY, STEPSCOPE_FAIL_COUNT=os.path.join(folder, "count"), TMPDIR=folder, TERM="xterm-256color",
               STEPSCOPE_FAIL_STACK=os.path.join(folder, "stack"), LC_ALL="C.UTF-8", STEPSCOPE_CACHE_AFTER_MS="0")
    if fail:
        env["STEPSCOPE_FAIL"] = fail
    return env


def limits(file_bytes, memory_bytes):
    """What the child sets for itself; a file that grows beyond its bound fails as a full disk does."""
    def set_them():
        if file_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
        if memory_bytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    return set_them


def plain(command, env, before):
    try:
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, preexec_fn=before)
    except subprocess.TimeoutExpired:
        return 124, b"", b"still running"
    return done.returncode, done.stdout, done.stderr


def converse(child, master):
    """Reads what the program shows and presses Q whenever it is quiet, until it has ended and all of its last words are read."""
    shown, until, ended = b"", time.monotonic() + LIMIT_S, False
    while time.monotonic() < until:
        if select.select([master], [], [], 0 if ended else QUIET_S)[0]:
            shown += os.read(master, 65536)
        elif ended:
            return shown
        elif child.poll() is not None:
            ended = True  # it may have written since the last look
        else:
            os.write(master, b"Q")
    child.kill()
    return shown


def at_terminal(command, env, before):
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (30, 100))
    lines = termios.tcgetattr(slave)
    child = subprocess.Popen(command, env=env, stdin=slave, stdout=slave, stderr=subprocess.PIPE, preexec_fn=before,
                             start_new_session=True)
    shown = converse(child, master)
    stderr = child.stderr.read()
    status = child.wait()
    left = shown.rfind(b"\x1b[?1049h") <= shown.rfind(b"\x1b[?1049l")
    restored = left and termios.tcgetattr(slave) == lines
    child.stderr.close()
    os.close(master)
    os.close(slave)
    return 124 if status == -signal.SIGKILL else status, shown, stderr, restored


def run(case, fail=None, file_bytes=None, memory_bytes=None, preload=True):
    """One run in a folder of its own; `fail` as in fail.c."""
    folder = tempfile.mkdtemp(prefix="stepscope-exhaust-")
    try:
        env = environment(folder, fail)
        if not preload:
            del env["LD_PRELOAD"]
        how = at_terminal if case.screen else plain
        before = limits(file_bytes, memory_bytes) if file_bytes is not None or memory_bytes is not None else None
        status, stdout, stderr, *restored = how(case.command(folder), env, before)
        text = stderr.decode("utf-8", "replace").replace(folder, "DIR")
        return Seen(status, stdout.replace(folder.encode(), b"DIR"), text, folder, case, *restored)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def inside_ncurses(stack):
    """Some of its functions use what malloc gave without a look; all that can be done is to give the terminal back."""
    ours = stack.find("/stepscope(")
    return any(library in stack[:ours] for library in ("libtinfo", "libncursesw"))


def verdict(case, seen, good):
    """Empty when all is well, else what is wrong."""
    if seen.status == 124:
        return "hangs"
    if inside_ncurses(seen.stack) and seen.restored and seen.status in (-11, -6):
        return ""
    if seen.status < 0 or seen.status > 128:
        return f"dies by signal {-seen.status if seen.status < 0 else seen.status - 128}"
    if not seen.restored:
        return "leaves the terminal as it is"
    stray = seen.stray(good, case)
    if stray:
        return f"leaves {', '.join(stray)} behind"
    if (seen.status, seen.output, seen.err) == (good.status, good.output, good.err):
        return ""
    if seen.status not in (3, 5):
        same = "the same output" if seen.output == good.output else "another output"
        return f"exit {seen.status} with {same}: {seen.err.strip()[:300]}"
    if case.screen:  # ncurses has its own word before it calls exit
        seen.err = re.sub(r'^"\?", line 0, col 0: (Out of memory\n)?', "", seen.err)
    if not re.fullmatch(r"stepscope: [^\n]+\n", seen.err):
        return f"exit {seen.status} says {seen.err!r:.300}"
    return ""


def spread(n, most):
    """At most `most` numbers of 1..n, the first and the last among them."""
    if n <= most:
        return list(range(1, n + 1))
    return sorted({1 + i * (n - 1) // (most - 1) for i in range(most)})


def fails(case, counts, most):
    """Which calls to let fail: in turn once, and for good from then on. What a terminal does not take is nobody's loss."""
    for kind in KINDS[:-1] if case.screen else KINDS:
        for i, n in enumerate(spread(counts.get(kind, 0), max(most // case.slow, 4))):
            yield f"{kind}:{n}{'+' if i % 2 else ''}"


def place(stack):
    """The innermost frames of ours, as file:line; for whoever mends it."""
    at = re.findall(r"stepscope\(\+?[^)]*\+?(0x[0-9a-f]+)?\) ?\[(0x[0-9a-f]+)\]", stack)
    offsets = re.findall(r"/stepscope\(\+(0x[0-9a-f]+)\)", stack)
    if not at or not offsets:
        return stack[:300]
    told = subprocess.run(["addr2line", "-fse", STEPSCOPE, *offsets[:6]], capture_output=True, text=True).stdout.split("\n")
    return " < ".join(f"{f} {w}" for f, w in zip(told[::2], told[1::2]))


def judged(case, good, todo, how, workers=2):
    """(runs, absorbed, [(what failed, what is wrong, where)]) of how(x) for every x of `todo`."""
    absorbed, wrong = 0, []
    with ThreadPoolExecutor(workers) as pool:
        for x, seen in zip(todo, pool.map(how, todo)):
            why = verdict(case, seen, good)
            absorbed += not why and seen.status not in (3, 5)
            if why:
                wrong.append((x, why, place(seen.stack)))
    return len(todo), absorbed, wrong


def exhaust(case, most):
    """Lets about `most` calls of each kind fail, one in each run."""
    good = run(case)
    if good.status not in (0, 1, 4) or not good.restored or not good.counts:
        return 0, 0, [("nothing", f"exit {good.status}: {good.err}", "")]
    return judged(case, good, list(fails(case, good.counts, most)), lambda fail: run(case, fail))


def starve(case, limits_bytes):
    """The same under limits of address space (ulimit -v)."""
    good = run(case, preload=False)
    return judged(case, good, limits_bytes, lambda limit: run(case, memory_bytes=limit, preload=False))


def fill_disk(case, most):
    """The same where no file may grow beyond a size, as on a full disk: what is written through stdio fails, too."""
    good = run(case, preload=False)
    bounds = [n - 1 for n in spread(len(good.output), most)]
    return judged(case, good, bounds, lambda bound: run(case, file_bytes=bound, preload=False))
