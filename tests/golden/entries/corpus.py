"""Every real trace against an independent count: entries = shown + merged + noted, device streams, kernels, copies,
memsets, and the kernel time summed to the nanosecond."""
import os

import count
import shown
from harness import TRACES, TableError, corpus, number, stepscope, table

REFUSED = {  # unreadable on purpose or not read yet: a file, or a folder of them, and a word the message must hold
    "tf/legacy-trace-protobuf/local.trace": "trace",
    "xspace/broken-utf8-mangled/tpu_inference_2.xplane.pb": "byte",
}


def total(rows, column):
    return sum(number(row[column]) or 0 for row in rows)


def ledger(facts):
    return {key: number(facts.get(key)) for key in ("entries_in_file", "events_shown", "events_merged", "events_noted")}


def compare(tap, name, path):
    expected = count.count(path)
    try:
        facts, devices, streams = shown.facts(path), table("devices", path), table("streams", path)
    except TableError as e:
        tap.ok(False, f"{name} opens", e)
        return
    sums = ledger(facts)
    entries = sums.pop("entries_in_file")
    tap.ok(None not in sums.values() and entries == expected.entries == sum(sums.values()),
           f"{name}: entries = shown + merged + noted",
           f"counted {expected.entries}, entries_in_file {entries}, {sums}")
    got = {"streams": sum(1 for row in streams.rows if number(row["work"])),
           "kernels": total(devices.rows, "kernels"), "kernel_ns": total(devices.rows, "kernel_ns"),
           "copies": total(streams.rows, "copies"), "memsets": total(streams.rows, "memsets")}
    wanted = {"streams": len(expected.streams), "kernels": expected.kernels, "kernel_ns": expected.kernel_ns,
              "copies": expected.copies, "memsets": expected.memsets}
    tap.equal(got, wanted, f"{name}: streams, kernels, copies, memsets, kernel time")
    tap.equal((total(streams.rows, "kernels"), total(streams.rows, "kernel_ns")), (got["kernels"], got["kernel_ns"]),
              f"{name}: streams add up to devices")


def refusal(name):
    """The word that the refusal of this trace must hold, None for a trace that must open."""
    return next((word for of, word in REFUSED.items() if name == of or name.startswith(of + os.sep)), None)


def refused(tap, name, path, word):
    run = stepscope("table", "trace", path)
    tap.ok(run.status == 3 and word in run.err and os.path.basename(path) in run.err, f"{name} is refused politely",
           run.told())


def jobs():
    for name in corpus():
        path, word = os.path.join(TRACES, name), refusal(name)
        yield path, (lambda tap, n=name, p=path, w=word: refused(tap, n, p, w) if w else compare(tap, n, p))
