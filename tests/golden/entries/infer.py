"""Steps of Kineto traces: with markers their times are the markers'; without markers they are inferred from what repeats.

Every trace of the corpus that has ProfilerStep events is opened twice: as it is, and without those events.
Which files can be asked for the period? Only where the marker came more than once: a single step does not repeat, and the
right answer there is to abstain. So the 80 % are of the files with two or more markers, and files with one marker must give
no steps, except those whose one marker spans several iterations, which are listed with the reason.
"""
import json
import os
import re
import statistics

import count
import harness

LAST = "\x7f"  # behind all paths
WITHIN, SHARE = 0.05, 0.80
SEVERAL_IN_ONE = {"h100-owlv2": (5, "one marker around five passes of the data loader")}


MARKER_NAME = re.compile(r'"name"\s*:\s*"ProfilerStep#')


def is_marker(event):
    return (event.get("ph") == "X" and str(event.get("name", "")).startswith("ProfilerStep#") and re.fullmatch(r"ProfilerStep#\d+", str(event.get("name", "")))
            and str(event.get("cat", "")).lower() != "gpu_user_annotation")


def ns(text):
    whole, _, part = str(text).partition(".")
    return int(whole) * 1000 + int((part + "000")[:3]) * (-1 if whole.startswith("-") else 1)


def markers(events):
    found = [(int(e["name"].split("#")[1]), ns(e["ts"]), ns(e["dur"])) for e in events if is_marker(e)]
    return sorted(found, key=lambda m: m[1])


def entry_around(text, at):
    """Where the entry begins and ends in which the name at `at` stands, which is the entry's own."""
    start = text.rindex("{", 0, at)
    entry, end = json.JSONDecoder().raw_decode(text, start)
    assert str(entry.get("name", "")).startswith("ProfilerStep#"), entry
    return start, end


def without_markers(path, name):
    """The file without the entries of its markers, all else as it stands."""
    text, kept, at = harness.unpacked(path).decode("utf-8", "replace"), [], 0
    for found in MARKER_NAME.finditer(text):
        start, end = entry_around(text, found.start())
        kept.append(text[at:start])
        comma = re.compile(r"\s*,").match(text, end)
        at = comma.end() if comma else end
    out = harness.scratch(name.replace("/", "-") + ".json")
    with open(out, "w", encoding="utf-8") as f:
        f.write("".join(kept) + text[at:])
    return out


def check_markers(tap, name, path, true):
    rows = {int(r["step"]): r for r in harness.table("steps", path, "--semantics", "hta").rows}  # its steps are the markers
    starts = [harness.number(rows[n]["start_ns"]) - true[0][1] for n, _, _ in true if n in rows]
    base = starts[0] if starts else 0
    got = [(n, harness.number(rows[n]["start_ns"]) - true[0][1] - base, harness.number(rows[n]["dur_ns"])) for n in sorted(rows)]
    wanted = sorted((n, at - true[0][1], dur) for n, at, dur in true)
    tap.equal(got, wanted, f"{name}: steps are the markers")
    tap.equal({r["step_source"] for r in rows.values()}, {"marker"}, f"{name}: and said to be")


def inferred(name, path):
    stripped = without_markers(path, name)
    facts = harness.table("trace", stripped, "--no-cache").keyed()
    rows = harness.table("steps", stripped, "--no-cache").rows
    os.remove(stripped)
    return facts, rows


def check_repeating(tap, name, path, true):
    """True when count and period are right."""
    facts, rows = inferred(name, path)
    count, period = len({r["step"] for r in rows}), harness.number(facts["inferred_period_ns"]) or 0
    wanted = statistics.median_low([dur for _, _, dur in true])
    good = count == len(true) and abs(period - wanted) <= WITHIN * wanted
    print(f"# {'hit ' if good else 'miss'} {name}: {count} of {len(true)} steps, period {period} of {wanted} ns, "
          f"{facts['inferred_from']}")
    tap.ok(all(r["step_source"] == "inferred" for r in rows) and (not rows or facts["steps_source"] == "inferred"),
           f"{name}: what is inferred says so")
    return good


def check_single(tap, name, path):
    facts, rows = inferred(name, path)
    expected, reason = SEVERAL_IN_ONE.get(name.split("/")[0], (0, "one step does not repeat"))
    print(f"# {name}: {len(rows)} steps ({reason}): {facts['inferred_from']}")
    tap.equal(len(rows), expected, f"{name}: {reason}")


def check(tap, name, path, hits):
    """`hits` receives whether count and period are right, where these can be asked for."""
    true = markers(count.json_events(path))
    if true:
        check_markers(tap, name, path, true)
    if len(true) > 1:
        hits.append(check_repeating(tap, name, path, true))
    elif true:
        check_single(tap, name, path)


def check_share(tap, hits):
    print(f"# {sum(hits)} of {len(hits)} traces with repeating markers: count equal, period within {WITHIN:.0%}")
    tap.ok(hits and sum(hits) >= SHARE * len(hits), f"inferred steps are right on {SHARE:.0%} of the traces that repeat")


def jobs():
    hits = []
    for name in harness.corpus():
        if name.startswith("kineto/"):
            path = os.path.join(harness.TRACES, name)
            yield path, (lambda tap, n=name.removeprefix("kineto/"), p=path: check(tap, n, p, hits))
    yield LAST, lambda tap: check_share(tap, hits)
