#!/usr/bin/env python3
"""One spelling on every face: times, confidence and what is said of a gap read alike on the screen, in tables and in reports."""
import html
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, need_program, scratch, stepscope

TRACE = os.path.join(ROOT, "tests/golden/small/two_steps.json")
FORMS = ("html", "md", "text", "svg")
# Times of the trace in whole microseconds; ticks of axes and limits in words are none of them.
WHOLE = (3, 12, 20, 37, 299)


def screen(*keys):
    path = scratch("spelling.txt")
    run = stepscope(TRACE, "--screenshot", path, "--force", "--size", "120x40", "--keys", " ".join(keys), env={"LC_ALL": "C.UTF-8"})
    return open(path, encoding="utf-8").read() if run.status == 0 else run.told()


def reports(*words):
    return {form: html.unescape(re.sub(r"<[^>]*>", " ", stepscope("report", TRACE, *words, "--format", form).out)) for form in FORMS}


def test_times(tap):
    faces = {"screen": screen("b"), "page of the gap": screen("b", "Enter"), "table": stepscope("table", "gaps", TRACE).out, **reports("--gap", "biggest")}
    for face, text in faces.items():
        bare = re.findall(rf"(?<![\d.,])(?:{'|'.join(map(str, WHOLE))}) us", text)
        tap.ok(("3.000 us" in text or "500.000 us" in text) and not bare, f"{face}: times have three decimals", bare or text[:1500])


def test_gap(tap):
    for face, text in {"screen": screen("b"), **reports("--gap", "biggest")}.items():
        tap.ok(re.search(r"between markers\s+3\.000 us", text), f"{face}: how far the markers are apart", text[:1500])


def test_confidence(tap):
    faces = {"screen": screen("b"), "table on the screen": screen(":table", "Space", "verdicts", "Enter"), **reports("--gap", "biggest")}
    faces.update((f"table {t} as {f}", stepscope("table", t, TRACE, "--format", f).out) for t in ("gaps", "verdicts", "overview") for f in ("text", "md"))
    for face, text in faces.items():
        tap.ok(re.search(r"(?<![\d.])0\.40(?!\d)", text) and "0.4028" not in text, f"{face}: confidence has two digits", text[:1500])
    tap.ok("0.4028" in stepscope("table", "gaps", TRACE, "--format", "csv").out, "scripts get all of it", stepscope("table", "gaps", TRACE, "--format", "csv").out[:600])


def test_command(tap):
    for form, text in reports("--gap", "biggest").items():
        tap.ok(form == "svg" or re.search(r"reproduce\b", text), f"{form}: the command is what reproduces it", text[:1500])
        tap.ok("stepscope report" in text, f"{form}: and stands there", text[:1500])


def test_recorded_twice(tap):
    """Two recordings of one GPU are one on every face that lists devices."""
    with open(TRACE, encoding="utf-8") as f:
        text = f.read()
    paths = []
    for at, later_us in (("first", 0), ("second", 5_000_000)):
        os.makedirs(scratch(at), exist_ok=True)
        paths.append(scratch(f"{at}/two_steps.json"))
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.write(re.sub(r'("ts": *)(\d+)', lambda m: m[1] + str(int(m[2]) + later_us), text))
    rows = stepscope("table", "devices", *paths, "--format", "csv").out.splitlines()
    at = rows[0].split(",").index("recording")
    tap.equal([row.split(",")[at] for row in rows[1:]], ["1", "2"], "table devices: which recording a row is of")
    alone = stepscope("table", "devices", TRACE, "--format", "csv").out.splitlines()
    tap.equal(alone[1].split(",")[at], "", "table devices: nothing where there is one")
    tap.ok(re.search(r"2 recordings of two_steps GPU 0: sums and means mix them", stepscope(*paths).out), "overview as text", stepscope(*paths).out)
    shot = scratch("twice.txt")
    run = stepscope(*paths, "--screenshot", shot, "--force", "--size", "120x40", env={"LC_ALL": "C.UTF-8"})
    pane = open(shot, encoding="utf-8").read() if run.status == 0 else run.told()
    tap.ok(re.search(r"Recordings +2 of two_steps ", pane) and "2 x " not in pane, "overview on the screen", pane)
    tap.ok("recordings of" not in stepscope(TRACE).out, "and nothing of it of one recording")


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap = Tap()
    for test in (test_times, test_gap, test_confidence, test_command, test_recorded_twice):
        test(tap)
    tap.done()


main()
