"""odd.py WORK OUT [COUNT [KIND...]] - what odd traces (gen_odd.c) cost in time and memory, beside an ordinary one (gen_kineto.c).
WORK holds the generators, OUT is the build tree, COUNT is the size of all of them (200k). Writes WORK/odd.md and WORK/odd.measured,
which `make bench` judges.
An import, and memory of any face, is compared by the bytes of the file, the time of every other face by the objects in it. Exit status 1
when one costs more than MUST times what the ordinary trace does, or ends at the limit of a run: LIMIT_S seconds or LIMIT_GIB of memory.
Environment: LIMIT_S (60), LIMIT_GIB (4), ROUNDS (5) after one that does not count. In each of them the trace, the ordinary one and one of
next to nothing are run in turn, as what a machine gives changes within minutes; medians count, of memory the most."""
import json
import math
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from measure import touch

WORK, OUT = (os.path.abspath(p) for p in sys.argv[1:3])
COUNT = sys.argv[3] if len(sys.argv) > 3 else "200k"
LIMIT_S = float(os.environ.get("LIMIT_S") or 60)
LIMIT_BYTES = int(float(os.environ.get("LIMIT_GIB") or 4) * 2**30)
ROUNDS = int(os.environ.get("ROUNDS") or 5)
MUST = 3          # times what an ordinary trace costs
LEAST_B = 64      # bytes per object that nobody counts
NAME_US, NAME_BYTES = 2, 200  # what one more name of its own may cost, beside that
NAMED = {"names": 2, "mangled": 2, "counters": 1}  # objects for each such name
WARM_KIB = 256 << 10  # memory that is touched before each round, and more: see measure.touch
ORDINARY = "ordinary"
TINY = "1k"       # objects of a trace that tells what a face takes without any
NO_GAP = "no gap"  # there is none to report

PROGRAM = os.path.join(OUT, "stepscope")
IMPORT = os.path.join(OUT, "tests/bench/import")
REPORT = os.path.join(WORK, "odd.html")


def trace_of(kind):
    return os.path.join(WORK, f"odd-{kind}.json")


def saved_of(kind):
    return os.path.join(WORK, f"odd-{kind}.stepscope")


# face: command of a trace that was generated and of what the second one saved; these two read the former, the others the latter
FACES = {
    "import": lambda trace, saved: [IMPORT, trace],
    "save": lambda trace, saved: [IMPORT, "-s", saved, trace],
    "first frame": lambda trace, saved: [IMPORT, "-d", saved],
    "overview": lambda trace, saved: [PROGRAM, "-q", saved],
    "findings": lambda trace, saved: [PROGRAM, "findings", "-q", "--fail-on", "never", saved],
    "kernels": lambda trace, saved: [PROGRAM, "table", "kernels", "-q", "--top", "20", saved],
    "gap report": lambda trace, saved: [PROGRAM, "report", "-q", "-f", "--window", "gap:biggest", "-o", REPORT, saved],
    "report": lambda trace, saved: [PROGRAM, "report", "-q", "-f", "--window", "all", "-o", REPORT, saved],
}
FROM_TRACE = ("import", "save")
# of this face what it takes until the frame is there: the explorer goes on beside it, with tables that are looked at later
TELLS_CPU = {"first frame": "frame_cpu_s"}


def limited():
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT_BYTES, LIMIT_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (int(LIMIT_S), int(LIMIT_S) + 1))


def run_once(command, tells=None):
    """(CPU seconds, peak KiB), or why there are none; tells: the field of what the command prints that has the former."""
    told = tempfile.TemporaryFile() if tells else subprocess.DEVNULL
    child = subprocess.Popen(command, stdout=told, stderr=subprocess.PIPE, preexec_fn=limited)
    stopper = threading.Timer(2 * LIMIT_S, child.kill)  # a run that waits takes no CPU time
    stopper.start()
    error = child.stderr.read().decode(errors="replace").strip()
    _, status, used = os.wait4(child.pid, 0)
    stopper.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "over time"
    if child.returncode < 0:
        return f"signal {-child.returncode}"
    if child.returncode == 3 and "memory" in error:
        return "over memory"
    if child.returncode == 2 and "no gap" in error:
        return NO_GAP
    if child.returncode != 0:
        return f"exit {child.returncode}: {error[-60:]}"
    if tells:
        told.seek(0)
        return json.load(told)[tells], used.ru_maxrss
    return used.ru_utime + used.ru_stime, used.ru_maxrss


LONG_S = 10  # a run of so long is not repeated


class Face:
    """What a face takes of several traces, in rounds."""

    def __init__(self, name, kinds):
        self.commands = [FACES[name](trace_of(kind), saved_of(kind)) for kind in kinds]
        self.tells, self.found, self.why = TELLS_CPU.get(name), [[] for _ in kinds], None
        self.took_s = 0

    def ends(self):
        return self.why or any(runs and runs[-1][0] > LONG_S for runs in self.found)

    def go_round(self, n):
        """All of them once, in changing order; the first round does not count."""
        begun = time.monotonic()
        places = list(range(len(self.commands)))
        for place in places if n % 2 else reversed(places):
            got = run_once(self.commands[place], self.tells)
            if isinstance(got, str):
                self.why = got
                break
            if n > 0 or got[0] > LONG_S:
                self.found[place].append(got)
        self.took_s += time.monotonic() - begun

    def medians(self):
        """For each of them the median time and the highest memory of the rounds, or why there are none."""
        if self.why:
            return [self.why] * len(self.commands)
        return [(statistics.median(s for s, _ in runs), max(k for _, k in runs)) if runs else run_once(command, self.tells)
                for runs, command in zip(self.found, self.commands)]


def in_turn(faces):
    """Round by round all faces, not face by face all rounds: a machine that is slow for a second or two would change all of one."""
    for n in range(ROUNDS + 1):
        touch(WARM_KIB)
        for face in faces:
            if not face.ends():
                face.go_round(n)


def generate(kind, count):
    """How many objects the file has and how many bytes."""
    usual = kind in (ORDINARY, TINY)
    command = [os.path.join(WORK, "gen_kineto"), count] if usual else [os.path.join(WORK, "gen_odd"), kind, count]
    with open(trace_of(kind), "wb") as f:
        subprocess.run(command, stdout=f, stderr=subprocess.DEVNULL, check=True)
    with open(trace_of(kind), "rb") as f:
        objects = sum(block.count(b'"ph":') for block in iter(lambda: f.read(1 << 20), b""))
    subprocess.run(FACES["save"](trace_of(kind), saved_of(kind)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limited)
    return {"objects": objects, "bytes": os.path.getsize(trace_of(kind))}


def beyond(got, base):
    return got if isinstance(got, str) else [max(0, x - y) for x, y in zip(got, base)]


def measure(kind, usual):
    """Of each face seconds and KiB beyond what it takes with next to nothing in the trace; of the ordinary trace the same in "ordinary"."""
    found = usual if kind == ORDINARY else generate(kind, COUNT)
    found["ordinary"] = {"objects": usual["objects"], "bytes": usual["bytes"]}
    saved = os.path.exists(saved_of(kind))
    faces = {name: Face(name, (TINY, ORDINARY, kind)) for name in FACES if saved or name in FROM_TRACE}
    in_turn(faces.values())
    for name in FACES:
        if name not in faces:
            found[name] = "not saved"
            continue
        base, ordinary, own = faces[name].medians()
        found[name] = beyond(own, base)
        found["ordinary"][name] = beyond(ordinary, base)
        print(f"{kind:16} {name:12} {found[name]} {found['ordinary'][name]} {faces[name].took_s:.1f} s", file=sys.stderr, flush=True)
    return found


def remove(kind):
    for path in (trace_of(kind), saved_of(kind)):
        if os.path.exists(path):
            os.unlink(path)


# ---- what is told

def cost(found, face):
    """us and bytes of memory; per KB of the file for an import, else per object."""
    seconds, kib = found[face]
    per = found["bytes"] / 1000 if face in FROM_TRACE else found["objects"]
    return 1e6 * seconds / per, kib * 1024 / per


def object_bytes(found):
    return found["bytes"] / found["objects"]


def times(kind, found, face):
    """Time and memory as multiples of those of the ordinary trace, memory of one whose file is as large; names of their own have an allowance."""
    (us, b), (usual_us, usual_b) = cost(found, face), cost(found["ordinary"], face)
    per = found["bytes"] / 1000 if face in FROM_TRACE else found["objects"]
    names = found["objects"] / NAMED[kind] / per if kind in NAMED else 0
    as_large = 1 if face in FROM_TRACE else object_bytes(found) / object_bytes(found["ordinary"])
    return max(0, us - names * NAME_US) / max(usual_us, 1e-6), max(0, b - names * NAME_BYTES) / (max(usual_b, LEAST_B) * as_large)


def cell(kind, found, face):
    if isinstance(found[face], str):
        return found[face]
    us, b = cost(found, face)
    if kind == ORDINARY:
        return f"{us:.3g} us {b:.0f} B"
    time_x, memory_x = times(kind, found, face)
    return f"{us:.3g} us {b:.0f} B ({time_x:.1f}, {memory_x:.1f})"


def missed(kind, found):
    """Each face that costs too much, with the reason."""
    for face in FACES:
        if isinstance(found[face], str):
            if found[face] != NO_GAP:
                yield f"{kind}, {face}: {found[face]}"
            continue
        for what, x in zip(("time", "memory"), times(kind, found, face)):
            if x > MUST:
                yield f"{kind}, {face}: {what} {x:.1f} times that of an ordinary trace, must {MUST}"


def worst(found):
    """The largest multiples of time and memory; what ended at a limit counts as infinite."""
    told = [times(kind, f, face) if not isinstance(f[face], str) else (math.inf, math.inf)
            for kind, f in found.items() if kind != ORDINARY for face in FACES if f[face] != NO_GAP]
    return [max(pair[i] for pair in told) for i in (0, 1)]


def markdown(rows):
    wide = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["| " + " | ".join(c.ljust(w) for c, w in zip(row, wide)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in wide) + "|")
    return "\n".join(lines) + "\n"


def kinds_known():
    text = subprocess.run([os.path.join(WORK, "gen_odd"), "list"], capture_output=True, text=True, check=True).stdout
    return dict(line.split("\t") for line in text.splitlines())


def main():
    known = kinds_known()
    asked = sys.argv[4:] or list(known)
    generate(TINY, TINY)
    usual = generate(ORDINARY, COUNT)
    found = {}
    for kind in [ORDINARY, *asked]:
        found[kind] = measure(kind, usual)
        if kind != ORDINARY:
            remove(kind)
    remove(ORDINARY)
    remove(TINY)
    if os.path.exists(REPORT):
        os.unlink(REPORT)
    rows = [["trace of " + COUNT, *FACES]]
    rows += [[known.get(kind, ORDINARY), *(cell(kind, f, face) for face in FACES)] for kind, f in found.items()]
    problems = [line for kind, f in found.items() if kind != ORDINARY for line in missed(kind, f)]
    verdict = f"{len(problems)} figures are above {MUST}" if problems else f"no face costs more than {MUST} times what it does for an ordinary trace"
    table = markdown(rows)
    text = "\n".join([verdict, *problems]) + "\n\n" + table
    print(text, end="")
    with open(os.path.join(WORK, "odd.md"), "w") as f:
        f.write(text)
    with open(os.path.join(WORK, "odd.measured"), "w") as f:
        json.dump({"count": COUNT, "date": time.strftime("%Y-%m-%d"), "whole": asked == list(known), "verdict": verdict, "table": table,
                   "worst": worst(found), "found": found, "missed": problems}, f, indent=1)
    return bool(problems)


sys.exit(main())
