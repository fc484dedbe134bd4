#!/usr/bin/env python3
"""A screen as a file: `--screenshot` and `:screenshot` write what the terminal shows, as a picture, coloured and plain text."""
import os
import re
import sys
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, need_program, play, scratch, stepscope

TRACE = os.path.join(ROOT, "tests/golden/small/two_steps.json")
SVG = "{http://www.w3.org/2000/svg}"
UTF8 = {"LC_ALL": "C.UTF-8"}


def shot(name, *args):
    path = scratch(name)
    run = stepscope(TRACE, "--screenshot", path, *args, env=UTF8)
    text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    return run, text


def test_forms(tap):
    run, plain = shot("gap.txt", "--keys", "b", "--size", "80x24")
    screen = play("wait Overview\nsettle\nkeys b\nsettle\nscreen\ntype :screenshot typed.svg\nkeys Enter\nsettle\nscreen\nkeys Q\n", TRACE,
                  cwd=scratch(), env=UTF8)
    shown = [line.rstrip() for line in screen.screens[0]]
    tap.equal((run.status, plain.splitlines()), (0, shown), "plain text is the terminal's screen after the same keys")
    colored = shot("gap.ans", "--keys", "b", "--size", "80x24")[1]
    without = [re.sub(r"\033\[[0-9;]*m", "", line).rstrip() for line in colored.splitlines()]
    tap.equal(without, shown, "coloured text is the same text")
    tap.ok(set(re.findall(r"\033(.[^m]*m)", colored)) and "\033[0;1;38;5;16;48;5;221m" in colored, "in the theme's colours, the chosen gap's among them")
    picture = shot("gap.svg", "--keys", "b", "--size", "80x24")[1]
    typed = scratch("typed.svg")
    tap.ok("wrote typed.svg" in screen.last and os.path.exists(typed), "the command says what it wrote", screen.last)
    tap.equal(open(typed, encoding="utf-8").read() if os.path.exists(typed) else "", picture, "command and option write the same bytes")
    test_picture(tap, picture, shown)


def test_picture(tap, picture, shown):
    root = ET.fromstring(picture)
    texts = [(int(t.get("y")), int(t.get("x")), t.text) for t in root.iter(SVG + "text")]
    rows = {}
    for y, x, text in sorted(texts):
        rows.setdefault((y - 21) // 17, []).append((x, text))
    drawn = "▁▂▃▄▅▆▇█▉▊▋▌▍▎▏▐▕░▒▓─│└"
    misplaced = [(y, x, text) for y, parts in rows.items() for x, text in parts if shown[y][(x - 8) // 8:][:len(text)] != text]
    tap.equal(misplaced, [], "every text of the picture stands where it stands on the screen")
    wanted = {(y, x) for y, line in enumerate(shown) for x, c in enumerate(line) if c != " " and c not in drawn}
    covered = {(y, (x - 8) // 8 + i) for y, parts in rows.items() for x, text in parts for i in range(len(text))}
    tap.equal(wanted - covered, set(), "and none is missing")
    tap.equal({e.tag[len(SVG):] for e in root.iter()}, {"svg", "g", "rect", "text"}, "nothing in it but boxes and texts: no script, nothing from elsewhere")
    tap.equal([root.get("width"), root.get("height")], ["656", "424"], "80 columns of 8 and 24 rows of 17 points, and a margin")


# What the explorer can show besides the panes of the title line, as keys of --keys.
PLACES = ("2 Tab", "2 Tab [", "2 Tab Enter", "2 v l l l v", "5 Enter", "3 t", "9 f", "?", "e", "!", "/ s g e m m", ": t", "& k i n d",
          ": t a b l e Space l a u n c h e s Enter t")


def test_every_pane(tap):
    """Whatever the explorer can show is a screenshot, too: line by line what the terminal shows."""
    title = play("wait Overview\nsettle\nscreen\nkeys Q\n", TRACE, size="120x40", env=UTF8).screens[0][0]
    panes = re.findall(r"[ \[](\d) [A-Z]", title)
    tap.ok(len(panes) >= 7, "the title names the panes", title)
    for size in ("120x40", "200x60"):
        for keys in (*panes, *PLACES):
            orders = "".join(f"keys {key}\nsettle\n" for key in keys.split())
            shown = play(f"wait Overview\nsettle\n{orders}screen\n", TRACE, size=size, env=UTF8).screens[-1]
            got = shot("pane.txt", "--keys", keys, "--size", size, "--force")[1].splitlines()
            want = [line.rstrip() for line in shown]
            tap.ok(got == want, f"{size}: after '{keys}'", "\n".join(f"{a}\n{b}" for a, b in zip(want, got) if a != b)[:800] or "nothing")


def test_comms(tap):
    """The pane of several devices, whose tab is named only where there are some."""
    ranks = os.path.join(ROOT, "tests/golden/small/four_ranks")
    for keys in ("8", "8 Enter"):
        orders = "".join(f"keys {key}\nsettle\n" for key in keys.split())
        shown = play(f"wait Timeline\nsettle\n{orders}screen\nkeys Q\n", ranks, size="120x40", env=UTF8).screens[-1]
        path = scratch("comms.txt")
        stepscope(ranks, "--screenshot", path, "--keys", keys, "--size", "120x40", "--force", env=UTF8)
        got = open(path, encoding="utf-8").read().splitlines()
        tap.ok(got == [line.rstrip() for line in shown] and "8 Comms" in got[0], f"several devices: after '{keys}'", "\n".join(got[:9]))


def test_themes(tap):
    grounds = {}
    for theme, words in (("dark", ()), ("light", ("--theme", "light")), ("mono", ("--color", "never"))):
        grounds[theme] = re.findall(r'fill="(#\w+)"', shot(f"{theme}.svg", *words)[1])
    tap.equal([grounds[t][0] for t in grounds], ["#16181d", "#eeeeee", "#16181d"], "dark, light and colourless grounds")
    tap.ok("#005f87" in grounds["dark"] and "#005faf" in grounds["light"], "the title's colours are those of the theme files")
    tap.equal({c for c in grounds["mono"]}, {"#16181d", "#d4d4d4"}, "without colours there are two")
    tap.ok(all(c.isascii() for c in shot("ascii.txt", "--ascii")[1]), "--ascii holds here, too")


def test_refusals(tap):
    for words, said, status in ((["--screenshot", scratch("x.png")], "a screenshot is a .svg, .ans or .txt file", 2), (["--keys", "b"], "--keys is for --screenshot", 2),
                                (["--screenshot", scratch("x.svg"), "--size", "9x9"], "is not a screen size", 2),
                                (["--screenshot", scratch("gap.svg")], "exists; --force overwrites it", 5),
                                (["--screenshot", scratch("x.svg"), "--theme", "none"], 'no theme "none"', 2)):
        run = stepscope(TRACE, *words, env=UTF8)
        tap.ok(run.status == status and said in run.err, f"{' '.join(words[::2])}: {said}", run.told())
    tap.equal(os.path.exists(scratch("x.svg")), False, "what is refused leaves nothing behind")
    for keys, said in (("b EE", "'EE' names no key"), ("Entr", "'Entr' names no key"), ("2 E", "'E' does nothing in Timeline")):
        run = stepscope(TRACE, "--screenshot", scratch("x.svg"), "--keys", keys, env=UTF8)
        tap.ok(run.status == 2 and said in run.err and not os.path.exists(scratch("x.svg")), f"--keys '{keys}': {said}", run.told())
    run, text = shot("table.txt", "--keys", ":table Space copies Enter")
    tap.ok("[Copies]" in text, "words that name no key are typed", text)


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap = Tap()
    for test in (test_forms, test_themes, test_refusals, test_every_pane, test_comms):
        test(tap)
    tap.done()


main()
