"""Runs programs in turn, several rounds, and keeps for each the median wall time, CPU time and the highest peak memory. The order of
the programs changes from round to round, and after one that took much memory the kernel has time to clean it up: what runs behind it
is not slowed down by it."""
import json
import os
import statistics
import subprocess
import time


class Measured:
    """What the rounds of one command gave. `said` are the JSON objects it printed, if it prints such."""

    def __init__(self):
        self.wall, self.cpu, self.peak_kib, self.said = [], [], [], []

    @property
    def wall_s(self):
        return statistics.median(self.wall)

    @property
    def cpu_s(self):
        return statistics.median(self.cpu)

    @property
    def spread(self):
        """How far the rounds lie apart, as a share of their median: without the slowest and the fastest where there are five or more."""
        times = sorted(self.cpu)
        times = times[1:-1] if len(times) >= 5 else times
        return (times[-1] - times[0]) / max(self.cpu_s, 0.001)

    def median(self, key):
        return statistics.median(said[key] for said in self.said)

    def as_json(self):
        return {"wall_s": self.wall, "cpu_s": self.cpu, "peak_kib": self.peak_kib, "said": self.said}


def give_back(peak_kib):
    """Pages that a program leaves are cleared and sorted for a while."""
    time.sleep(min(2.0, 0.3 * peak_kib / (1 << 20)))


def run_once(command, into):
    """The child alone is measured: wait4 gives the resources of exactly this process."""
    begun = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out = child.stdout.read()
    error = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - begun
    if child.returncode != 0:
        raise SystemExit(f"{command[0]} failed with {child.returncode}: {error.decode(errors='replace').strip()}")
    into.wall.append(wall)
    into.cpu.append(used.ru_utime + used.ru_stime)
    into.peak_kib.append(used.ru_maxrss)
    if out.startswith(b"{"):
        into.said.append(json.loads(out))
    give_back(used.ru_maxrss)


def read_through(path):
    """So that the first command does not read the file from the disk for all others."""
    with open(path, "rb", buffering=0) as f:
        while f.read(1 << 24):
            pass


def alternate(commands, rounds, warm_up=True):
    """{name: command} -> {name: Measured}. With a round to warm up, whose numbers are forgotten, or with the files of the
    commands read through, which is enough where a command runs for seconds."""
    if warm_up:
        for command in commands.values():
            run_once(command, Measured())
    else:
        for path in {word for command in commands.values() for word in command[1:] if os.path.isfile(word)}:
            read_through(path)
    found = {name: Measured() for name in commands}
    names = list(commands)
    for i in range(rounds):
        for name in names[i % len(names):] + names[:i % len(names)]:
            run_once(commands[name], found[name])
    return found
