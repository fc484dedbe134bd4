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


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap = Tap()
    for test in (test_times, test_gap, test_confidence, test_command):
        test(tap)
    tap.done()


main()
