"""Runs programs in turn, several rounds, and keeps for each the median wall time, CPU time and the highest peak memory. The order of
the programs changes from round to round, and none meets colder memory than another: after one that took much the kernel has time to
clean it up, and before each as much memory is touched as that program took the last time."""
import glob
import json
import mmap
import os
import statistics
import subprocess
import sys
import time
from collections import namedtuple

MOST_WARM = 0.8  # of the memory that is free: how much is touched at most
MORE_KIB = 1 << 20  # what is touched beyond what a command takes, at most
FIRST_KIB = 1 << 20  # touched before the first run of a program
RETURN_S = 2.2  # Linux gives free memory back to the host within 2 s after some was freed (mm/page_reporting.c), and then waits again
WORTH_KIB = 64 << 10  # what takes less feels little of it

# What goes before the rounds that count: one that does not; or the files read through, which is enough where a command runs for
# seconds.
ROUND, READ = "round", "read"

# Commands that run one after another, each of which keeps its memory until all have said what they found: see run_kept.
Kept = namedtuple("Kept", "commands")


class Measured:
    """What the rounds of one command gave. `said` are the JSON objects it printed, if it prints such."""

    def __init__(self):
        self.wall, self.cpu, self.user, self.peak_kib, self.said = [], [], [], [], []
        self.ended_s = 0  # when the last round did, by time.monotonic

    @property
    def wall_s(self):
        return statistics.median(self.wall)

    @property
    def cpu_s(self):
        return statistics.median(self.cpu)

    @property
    def user_s(self):
        return statistics.median(self.user)

    @property
    def spread(self):
        """How far the rounds lie apart, as a share of their median: without the slowest and the fastest where there are five or more."""
        times = sorted(self.cpu)
        times = times[1:-1] if len(times) >= 5 else times
        return (times[-1] - times[0]) / max(self.cpu_s, 0.001)

    def median(self, key):
        return statistics.median(said[key] for said in self.said)

    def as_json(self):
        return {"wall_s": self.wall, "cpu_s": self.cpu, "user_s": self.user, "peak_kib": self.peak_kib, "said": self.said}


def give_back(peak_kib):
    """Pages that a program leaves are cleared and sorted for a while."""
    time.sleep(min(2.0, 0.3 * peak_kib / (1 << 20)))


def available_kib():
    with open("/proc/meminfo") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("MemAvailable:"))


WARM = """
import mmap, sys, time
memory = mmap.mmap(-1, int(sys.argv[1]), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_HUGEPAGE)
for at in range(0, len(memory), 4096):
    memory[at] = 1
time.sleep(max(0, float(sys.argv[2]) - time.monotonic()))
"""


def reports_free_pages():
    """Is this a virtual machine that reports free pages to its host? Bit 5 of what a virtio balloon can do."""
    for path in glob.glob("/sys/bus/virtio/drivers/virtio_balloon/virtio*/features"):
        with open(path) as f:
            if f.read()[5:6] == "1":
                return True
    return False


REPORTS_FREE = reports_free_pages()


def touch(kib, until_s=0):
    """Writes to so much memory and leaves it, warm, to who comes next. A virtual machine gives free pages back to its host within
    seconds, and the host takes up to 3 s to find a GiB of them again, ten times what clearing takes. In large pages, as what is
    measured takes most of its memory: small ones are other memory, and left it to chance whether an import found warm pages (its
    system time went from 0.3 to 1.8 s). More than it takes, as the kernel chooses which of the free ones (0.3 to 1.0 s; 0.3 to 0.4 where
    2.5 times as much was touched). In a process of its own, since what its parent took counts as a child's highest memory. Kept until
    until_s, by time.monotonic."""
    size = 1024 * int(min(kib + min(1.5 * kib, MORE_KIB), MOST_WARM * available_kib()))
    subprocess.run([sys.executable, "-c", WARM, str(max(size, mmap.PAGESIZE)), str(until_s)], check=True)


def ended(child, error=b""):
    """What the child used: wait4 gives the resources of exactly this process."""
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{child.args[0]} failed with {child.returncode}: {error.decode(errors='replace').strip()}")
    return used


def run_kept(commands, into):
    """As one run: the wall time of each until it has printed its line, the CPU time and the memory of all together."""
    children, wall = [], 0
    for command in commands:
        begun = time.monotonic()
        children.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        children[-1].stdout.readline()
        wall += time.monotonic() - begun
    for child in children:
        child.stdin.close()
    used = [ended(child) for child in children]
    into.wall.append(wall)
    into.cpu.append(sum(u.ru_utime + u.ru_stime for u in used))
    into.user.append(sum(u.ru_utime for u in used))
    into.peak_kib.append(sum(u.ru_maxrss for u in used))
    into.ended_s = time.monotonic()
    give_back(into.peak_kib[-1])


def run_once(command, into):
    if isinstance(command, Kept):
        run_kept(command.commands, into)
        return
    begun = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out = child.stdout.read()
    error = child.stderr.read()
    used = ended(child, error)
    wall = time.monotonic() - begun
    into.wall.append(wall)
    into.cpu.append(used.ru_utime + used.ru_stime)
    into.user.append(used.ru_utime)
    into.peak_kib.append(used.ru_maxrss)
    into.ended_s = time.monotonic()
    if out.startswith(b"{"):
        into.said.append(json.loads(out))
    give_back(used.ru_maxrss)


def read_through(path):
    """So that the first command does not read the file from the disk for all others."""
    with open(path, "rb", buffering=0) as f:
        while f.read(1 << 24):
            pass


def warm_up(last, name):
    """Before the next run of a command; last: {name: Measured} of the commands so far. What was touched is kept while free memory is
    given back, which happens again only after the run, where a run is short enough."""
    if name not in last:
        touch(FIRST_KIB)
        return
    took_kib = last[name].peak_kib[-1]
    worth = REPORTS_FREE and took_kib >= WORTH_KIB and last[name].wall[-1] < RETURN_S
    touch(took_kib, max(m.ended_s for m in last.values()) + RETURN_S if worth else 0)


def alternate(commands, rounds, first=ROUND):
    """{name: command} -> {name: Measured}. Each run finds memory that was just touched."""
    last = {}
    if first == READ:
        every = [one for command in commands.values() for one in (command.commands if isinstance(command, Kept) else [command])]
        for path in {word for command in every for word in command[1:] if os.path.isfile(word)}:
            read_through(path)
    else:
        for name, command in commands.items():
            last[name] = Measured()
            run_once(command, last[name])
    found = {name: Measured() for name in commands}
    names = list(commands)
    for i in range(rounds):
        for name in names[i % len(names):] + names[:i % len(names)]:
            warm_up(last, name)
            run_once(commands[name], found[name])
            last[name] = found[name]
    return found
