#!/usr/bin/env python3
"""Steps that take longer, or less long, from one of them on: told with the step, the change and the part of the step that changed; noise,
single slow steps and few steps are no change."""
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, need_program, table
from loops import Loop


def steps(lengths, wait=None):
    """Steps of 20 products of so many microseconds; wait: what the step at that place waits for its batch before them."""
    x = Loop()
    for i, each in enumerate(lengths):
        late = wait[i] if wait else 0
        if late:
            x.host("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 10, late, "user_annotation")
        x.products(20, late + 100, late + 200, each)
        x.step(late + 20 * (each + 2) + 400)
    return x


def noise(n, about, by, seed):
    rng = random.Random(seed)
    return [round(about * (1 + rng.uniform(-by, by))) for _ in range(n)]


CASES = (  # what, the loop, severity of the finding, what it says
    ("a clock that drops", steps([1000] * 7 + [1600] * 7), "warn", ("From step 7 on steps take 58.7 % longer", "of it device compute")),
    ("the same with noise", steps(noise(15, 1000, 0.02, 1) + noise(12, 1300, 0.02, 2)), "warn", ("From step 15 on", "of it device compute")),
    ("input that slows down", steps([1000] * 16, [300] * 8 + [9300] * 8), "warn", ("From step 8 on", "of it input")),
    ("a loop that becomes faster", steps([1500] * 8 + [1000] * 8), "info", ("From step 8 on steps take 32.9 % less",)),
    ("noise alone", steps(noise(40, 1000, 0.08, 3)), None, ()),
    ("single slow steps", steps([1000] * 9 + [3000] + [1000] * 9 + [3000] + [1000] * 4), None, ()),
    ("slower by too little", steps([1000] * 10 + [1070] * 10), None, ()),
    ("too few steps to be sure", steps([1000] * 4 + [1600] * 4), None, ()),
    ("every other step is slow", steps([1000, 1300] * 10), None, ()),
)


def main():
    need_program()
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "steps.json")
        for what, loop, severity, says in CASES:
            loop.write(path)
            rows = table("findings", path).rows
            found = [r for r in rows if r["rule"] == "step-change"]
            tap.equal([r["severity"] for r in found], [severity] if severity else [], what)
            for words in says:
                tap.ok(found and words in found[0]["sentence"], f"{what}: {words}", str(found[:1]))
            alike = [r for r in rows if r["rule"] == "step-phases" and "about the same time" in r["sentence"]]
            tap.ok(not alike or not severity, f"{what}: not said to be alike")
        steps([1000, 1300] * 10).write(path)
        sentences = [r["sentence"] for r in table("findings", path).rows if r["rule"] == "step-phases"]
        tap.equal(sentences, ["All steps are steady: 20.440 ms to 26.440 ms."], "lengths that differ are told")
    tap.done()


main()
