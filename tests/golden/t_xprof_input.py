"""The input ops of the host and their five sums against XProf's input pipeline analyzer (frozen by tests/golden/xprof/make.py).

Times agree to the nanosecond (1 ns is allowed, as XProf's are doubles), shares to a millionth, the verdict to the word.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "xprof")]
import frozen
import harness

SUMS = {
    "enqueue_ns": "enqueue_us",
    "demanded_read_ns": "demanded_file_read_us",
    "advanced_read_ns": "advanced_file_read_us",
    "preprocessing_ns": "preprocessing_us",
    "unclassified_ns": "unclassified_nonequeue_us",
}
VERDICTS = {
    "is HIGHLY input-bound": "highly input-bound",
    "is MODERATELY input-bound": "moderately input-bound",
    "is POTENTIALLY input-bound": "potentially input-bound",
    "is NOT input-bound": "not input-bound",
    "No step time measured": "unknown",
}


def near(ours, theirs, most):
    return abs(harness.number(ours or 0) - theirs) <= most


def same_op(ours, theirs):
    return (
        ours["category"] == theirs["category"]
        and harness.number(ours["occurrences"]) == theirs["count"]
        and all(near(ours[f"{t}_ns"], theirs[f"{t}_ms"] * 1e6, 1) for t in ("total", "self"))
        and all(near(ours[f"{t}_pct"], theirs[f"{t}_share"] * 100, 1e-4) for t in ("total", "self"))
    )


def input_ops(tap, trace):
    theirs = frozen.dicts("input", trace)
    ours = {row["op"]: row for row in frozen.ask("input_ops", trace).rows}
    tap.equal(sorted(ours), sorted(row["op"] for row in theirs), f"{trace}: the same {len(theirs)} input ops")
    apart = [f"expected {row}\ngot      {ours[row['op']]}" for row in theirs if row["op"] in ours and not same_op(ours[row["op"]], row)]
    tap.ok(not apart, f"{trace}: counts, times, shares and categories of the input ops", "\n".join(apart))


def sums(tap, trace):
    theirs = frozen.keyed("input", trace, what="breakdown")
    ours = frozen.ask("input", trace).keyed()
    apart = [f"{o}: expected {theirs[t]} us got {ours[o]}" for o, t in SUMS.items() if t in theirs and not near(ours[o], float(theirs[t]) * 1000, 1)]
    tap.ok(not apart, f"{trace}: host time by part of the input pipeline", "\n".join(apart))


def verdict(tap, trace):
    """Of the older version, which counts all steps, as stepscope does."""
    statement = frozen.keyed("overview", trace, frozen.OLDER)["statement"]
    expected = next(word for text, word in VERDICTS.items() if text in statement)
    tap.equal(frozen.ask("input", trace).keyed()["verdict"], expected, f"{trace}: the verdict is {expected}")


def main():
    tap = harness.Tap()
    harness.need_program()
    for check in (input_ops, sums):
        frozen.each(tap, frozen.TRACES, check)
    frozen.each(tap, frozen.TRACES, verdict)
    tap.done()


main()
