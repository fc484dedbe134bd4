"""Kernel time is the same whoever adds it up: by launch shape, by family, by stream, by device; whole and in a window."""
import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness

SUMS = (("kernels", "total_ns", "kernels"), ("kernel_families", "total_ns", "kernels"), ("streams", "kernel_ns", "kernels"),
        ("devices", "kernel_ns", "kernels"))


def sums(trace, *options):
    """Per table: time and number of kernels."""
    got = {}
    for table, time, count in SUMS:
        rows = harness.table(table, trace, *options).rows
        got[table] = tuple(sum(harness.number(r[c]) or 0 for r in rows) for c in (time, count))
    return got


def traces():
    files = glob.glob(os.path.join(harness.TRACES, "kineto", "*", "*.json*"))
    files += glob.glob(os.path.join(harness.TRACES, "xspace", "*", "*.xplane.pb"))
    return sorted(f for f in files if "broken" not in f)


def middle(trace):
    """The middle third of the trace, in nanoseconds."""
    a, b = harness.table("kernels", trace).json["window_ns"]
    third = (harness.number(b) - harness.number(a)) // 3
    return f"{harness.number(a) + third}ns..{harness.number(b) - third}ns"


def check(tap, name, got):
    whole = got["kernels"]
    apart = [f"{table}: {value} instead of {whole}" for table, value in got.items() if value != whole]
    tap.ok(not apart, f"{name}: {whole[1]} kernels, {whole[0]} ns", "\n".join(apart))


def main():
    harness.need_program()
    tap = harness.Tap()
    files = traces()
    if not files:
        harness.skip_all("the trace corpus is not here")
    for trace in files:
        name = "/".join(trace.split("/")[-2:])[:60]
        check(tap, name, sums(trace))
        window = middle(trace)
        check(tap, f"{name} {window}", sums(trace, "--window", window))
    tap.done()


main()
