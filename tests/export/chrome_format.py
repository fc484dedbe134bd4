"""What a file of Chrome's format has to be, told by its specification and by what Perfetto and chrome://tracing do with it; knows nothing
of stepscope. `faults(text)` lists what is wrong; times are taken from the text, digit by digit."""
import json
import re
from decimal import Decimal

PHASES = {"X": {"name", "pid", "tid", "ts", "dur"}, "i": {"pid", "tid", "ts", "s"}, "b": {"pid", "id", "cat", "ts"},
          "n": {"pid", "id", "cat", "ts"}, "e": {"pid", "id", "cat", "ts"}, "C": {"name", "pid", "ts", "args"},
          "M": {"name", "pid", "args"}, "s": {"pid", "tid", "id", "cat", "name", "ts"}, "f": {"pid", "tid", "id", "cat", "name", "ts", "bp"}}
OPTIONAL = {"X": {"cat", "args"}, "i": {"cat", "name", "args"}, "b": {"name", "args"}, "n": {"name", "args"}, "e": {"name", "args"},
            "C": {"id"}, "M": {"tid"}, "s": set(), "f": set()}
TIME = re.compile(r"-?\d+(\.\d{3})?\Z")


def pairs(found):
    """An object as a dict. A key may come twice among arguments, as producers wrote it; not among members of an entry."""
    made = dict(found)
    if "ph" in made and len(made) != len(found):
        made["twice"] = True
    return made


def ns(text):
    return int(Decimal(text) * 1000)


def entry_faults(i, e):
    ph = e.get("ph")
    if ph not in PHASES:
        return [f"entry {i}: phase {ph!r}"]
    needed = PHASES[ph] - ({"name"} if ph == "X" else set())
    wrong = [f"entry {i} ({ph}) lacks {k}" for k in needed - set(e)]
    wrong += [f"entry {i} ({ph}) has {k}" for k in set(e) - PHASES[ph] - OPTIONAL[ph] - {"ph"}]
    wrong += [f"entry {i}: {k} is {e[k]}" for k in ("ts", "dur") if k in e and not TIME.match(str(e[k]))]
    wrong += [f"entry {i}: dur {e['dur']}" for _ in (0,) if ph == "X" and str(e.get("dur", "0")).startswith("-")]
    wrong += [f"entry {i}: {k} is {e[k]!r}" for k in ("pid", "tid") if k in e and not str(e[k]).lstrip("-").isdigit()]
    if ph == "C" and not all(isinstance(v, (str, int)) and Decimal(v).is_finite() for v in e.get("args", {}).values()):
        wrong.append(f"entry {i}: a counter that is no number")
    return wrong


def nesting_faults(events):
    """Slices of one thread lie in each other or beside each other: what partly overlaps is dropped by viewers."""
    threads, wrong = {}, []
    for e in events:
        if e["ph"] == "X":
            threads.setdefault((e["pid"], e["tid"]), []).append((ns(e["ts"]), -ns(e["dur"])))
    for key, slices in threads.items():
        open_ends = []
        for start, minus_dur in sorted(slices):
            while open_ends and open_ends[-1] <= start:
                open_ends.pop()
            if open_ends and start - minus_dur > open_ends[-1]:
                wrong.append(f"thread {key}: a slice at {start} ns ends behind the one around it")
            open_ends.append(start - minus_dur)
    return wrong


def lane_faults(events):
    names = {(e["pid"], e.get("tid")) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    processes = {e["pid"] for e in events if e["ph"] == "M" and e["name"] == "process_sort_index"}
    used = {(e["pid"], e["tid"]) for e in events if e["ph"] in "Xi"}
    return [f"a thread without its process's place: {x}" for x in {p for p, _ in used} - processes] + \
           [f"a process that is named and has no event: {p}" for p in {p for p, _ in names} - {p for p, _ in used}]


def viewer_faults(events):
    """What Perfetto cuts, merges or drops, as it does when asked (t_perfetto.py): numbers beyond 32 bits, thread 0 beside the one whose number is
    the process's, times before 0."""
    threads = {(int(e["pid"]), int(e["tid"])) for e in events if e["ph"] in "Xi"}
    wrong = [f"thread {t} of process {p}" for p, t in threads if not (0 <= p < 1 << 31 and 0 <= t < 1 << 31) or (t == 0 and p and (p, p) in threads)]
    return wrong + [f"{e['ph']} at {e['ts']}" for e in events if e.get("ts", "0").startswith("-")][:5]


def pair_faults(events):
    ends, wrong = {}, []
    for e in events:
        if e["ph"] in "sf":
            ends.setdefault((e["cat"], e["id"]), []).append(e["ph"])
        if e["ph"] in "be":
            ends.setdefault(("async", e["pid"], e["cat"], e["id"]), []).append(e["ph"])
    for key, phases in ends.items():
        if sorted(phases) not in (["f", "s"], ["b", "e"]):
            wrong.append(f"{key}: {phases}")
    return wrong


def flow_faults(events):
    """An arrow's end lies in a slice or on the moment of an instant of its thread."""
    spans, wrong = {}, []
    for e in events:
        if e["ph"] in "Xi":
            at = ns(e["ts"])
            spans.setdefault((e["pid"], e["tid"]), []).append((at, at + max(ns(e.get("dur", "0")), 1)))
    for v in spans.values():
        v.sort()
    for e in events:
        if e["ph"] in "sf":
            at = ns(e["ts"])
            if not any(a <= at < b for a, b in spans.get((e["pid"], e["tid"]), ())):
                wrong.append(f"an arrow's end at {e['ts']} on {e['pid']}/{e['tid']} lies in no slice")
        if len(wrong) > 5:
            break
    return wrong


def parse(text):
    def refuse(word):
        raise ValueError(f"{word} is no JSON")
    return json.loads(text, parse_float=str, parse_int=str, parse_constant=refuse, object_pairs_hook=pairs)


def faults(text, flows=True):
    """(what is wrong, the file as Python has it; numbers are texts)"""
    try:
        made = parse(text)
    except ValueError as e:
        return [f"not JSON: {e}"], None
    events = made.get("traceEvents")
    if not isinstance(events, list):
        return ["no traceEvents"], made
    wrong = [f for i, e in enumerate(events) for f in entry_faults(i, e)]
    if not wrong:
        wrong = nesting_faults(events) + viewer_faults(events) + lane_faults(events) + pair_faults(events) + (flow_faults(events) if flows else [])
    return wrong, made
