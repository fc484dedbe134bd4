"""Memory of made-up traces of seventeen thousand events, replayed a second time by the script that replays the real ones: one pool in order of
time with addresses and totals, and traces in which that ends with an event somewhere."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../entries"))
import memory
from harness import scratch
from memory_trace import CPU, Torch

EVENTS = 17000  # enough for two threads


def events(seed=1):
    """Blocks at 300 addresses in turn given out and taken back; gives the arguments of all events, in order of time."""
    rng, t, live = random.Random(seed), Torch(), {}
    for i in range(EVENTS):
        addr = 4096 * rng.randint(1, 300)
        size = -live.pop(addr) if addr in live else rng.randint(1, 1 << 20)
        if size > 0:
            live[addr] = size
        t.memory(1000 + i, size, addr)
    return t, [e for e in t.events if e["name"] == "[memory]"]


def first_sizes(found):
    """Places of events that give a block out."""
    return [i for i, e in enumerate(found) if e["args"]["Bytes"] > 0]


def as_guessed(_, found):
    del found


def second_pool(t, found):
    for e in found:
        e["args"].update({"Device Type": CPU, "Device Id": -1} if e["args"]["Addr"] % 8192 else {})
    t.retotal()


def no_address(_, found):
    found[-1]["args"]["Addr"] = 0


def no_total(_, found):
    del found[-1]["args"]["Total Allocated"]


def no_bytes(_, found):
    found[-1]["args"]["Bytes"] = 0


def given_again(_, found):
    for i in first_sizes(found)[-2000::7]:
        found[i]["args"]["Addr"] = 4096


def totals_differ(_, found):
    for e in found[::11]:
        e["args"]["Total Allocated"] += 512


def last_is_first(_, found):
    """Another thread's event, which the file has last and which comes first."""
    found[-1].update(ts=10, tid=2)


def last_is_of_the_host(_, found):
    found[-1]["args"].update({"Device Type": CPU, "Device Id": -1})


def without_addresses_and_totals(_, found):
    for e in found:
        del e["args"]["Addr"], e["args"]["Total Allocated"]


def case_of(change):
    def case(tap):
        t, found = events()
        change(t, found)
        path = scratch(f"long_{change.__name__}.json")
        t.write(path)
        memory.same(tap, f"long, {change.__name__.replace('_', ' ')}", path, True)
    return case


CASES = tuple(case_of(f) for f in (as_guessed, second_pool, no_address, no_total, no_bytes, given_again, totals_differ, last_is_first,
                              last_is_of_the_host, without_addresses_and_totals))
