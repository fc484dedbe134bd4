#!/usr/bin/env python3
"""The mouse does what the keys do: tabs, footer, rows, heads of columns, notes; a drag selects a range, a double click opens or zooms.
Each click is made where the screen shows the word, and must lead where its key leads."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, Tap, need_program, play

SMALL = os.path.join(ROOT, "tests/golden/small/two_steps.json")
RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
RANKS = os.path.join(ROOT, "tests/golden/small/four_ranks")
SIZE = "120x40"


def screens(script, trace=SMALL, *words):
    shown = play("wait Overview\nsettle\n" + script + "keys Q\n", trace, *words, size=SIZE)
    return [[line.rstrip() for line in s] for s in shown.screens]


def place(screen, word, first=0):
    """Row and column of a word on the screen."""
    for row, line in enumerate(screen):
        if row >= first and word in line:
            return f"{row} {line.index(word)}"
    return "0 0"


def same(tap, name, clicked, pressed):
    tap.ok(clicked[-1] == pressed[-1] and clicked[-1] != clicked[0], name,
           "\n".join(f"{a}\n{b}" for a, b in zip(clicked[-1], pressed[-1]) if a != b)[:1500] or "nothing happened")


def tabs_and_footer(tap):
    start = screens("screen\n")[0]
    for tab in ("2 Timeline", "3 Steps", "5 Kernels", "9 Guide"):
        same(tap, f"the tab {tab}", screens(f"screen\nclick {place(start, tab)}\nsettle\nscreen\n"),
             screens(f"screen\nkeys {tab[0]}\nsettle\nscreen\n"))
    for word, key in (("biggest gap", "b"), ("search", "/"), ("? help", "?")):
        same(tap, f"the footer's {word}", screens(f"screen\nclick {place(start, word, 39)}\nsettle\nscreen\n"),
             screens(f"screen\nkeys {key}\nsettle\nscreen\n"))
    line = screens("keys 2\nsettle\nscreen\n")[0]
    zoom = int(place(line, "w s zoom", 39).split()[1])
    for at, key in ((zoom, "w"), (zoom + 5, "w")):
        same(tap, f"the footer's zoom at column {at}", screens(f"keys 2\nsettle\nscreen\nclick 39 {at}\nsettle\nscreen\n"),
             screens(f"keys 2\nsettle\nscreen\nkeys {key}\nsettle\nscreen\n"))
    menu = screens("keys e\nsettle\nscreen\n")[0]
    same(tap, "the export menu's leave", screens(f"screen\nkeys e\nsettle\nscreen\nclick {place(menu, 'leave', 39)}\nsettle\nkeys 3\nsettle\nscreen\n"),
         screens("screen\nkeys 3\nsettle\nscreen\n"))


def palette(tap):
    """A row of the list above the input line is taken by a click on it."""
    listed = screens("keys :\nsettle\ntype steps\nsettle\nscreen\n")[0]
    at = place(listed, " pane     Steps", 5)
    same(tap, "a click on a row of the palette", screens(f"screen\nkeys :\nsettle\ntype steps\nsettle\nclick {at}\nsettle\nscreen\n"),
         screens("screen\nkeys 3\nsettle\nscreen\n"))


def tables(tap):
    table = screens("keys 5\nsettle\nscreen\n", RESNET)[0]
    head = next(i for i, line in enumerate(table) if "total" in line and "count" in line)
    column = table[head].index("count")
    clicked = screens(f"keys 5\nsettle\nscreen\nclick {head} {column}\nsettle\nscreen\nclick {head} {column}\nsettle\nscreen\n", RESNET)
    tap.ok(len(clicked) == 3 and "count↓" in clicked[1][head] and "count↑" in clicked[2][head],
           "a click on a head sorts by it, the next turns the order", "\n".join(c[head] for c in clicked))
    same(tap, "a click selects a row", screens(f"keys 5\nsettle\nscreen\nclick {head + 4} 3\nsettle\nkeys Enter\nsettle\nscreen\n", RESNET),
         screens("keys 5\nsettle\nscreen\nkeys j j j\nsettle\nkeys Enter\nsettle\nscreen\n", RESNET))
    same(tap, "two clicks open it", screens(f"keys 5\nsettle\nscreen\ndouble {head + 4} 3\nsettle\nscreen\n", RESNET),
         screens("keys 5\nsettle\nscreen\nkeys j j j\nsettle\nkeys Enter\nsettle\nscreen\n", RESNET))
    twice = screens(f"keys 5\nsettle\nscreen\ndouble {head} {column}\nsettle\nscreen\n", RESNET)
    tap.ok("count↑" in twice[-1][head], "two clicks on a head open nothing", twice[-1][head])


SELECTED = "bold fg=231 bg=239"
LISTS = (("1", RESNET), ("3", RESNET), ("4", RESNET), ("5", RESNET), ("6", RESNET), ("2", RESNET), ("8", RANKS),
         ("!", os.path.join(ROOT, "tests/golden/small/pairs.json")), (": t a b l e Space e v e n t s Enter", RESNET),
         (": t a b l e Space l a u n c h e s Enter t", RESNET))


def in_pane(keys, order, trace):
    """The screen after an order in a pane, and what of it is selected."""
    pane = "".join(f"keys {key}\nsettle\n" for key in keys.split())
    shown = play(f"wait Time\nsettle\n{pane}{order}settle\nscreen\nattrs\nkeys Q\n", trace, size=SIZE)
    return shown.screens[-1], [line for line in shown.said if SELECTED in line]


def rows_of_all_panes(tap):
    """What j selects, a click on its row selects, in every list there is."""
    for keys, trace in LISTS:
        before, pressed = in_pane(keys, "", trace), in_pane(keys, "keys j\n", trace)
        at = [re.match(r"(\d+): (\d+)", line).groups() for line in pressed[1]]
        clicked = in_pane(keys, f"click {at[0][0]} {int(at[0][1]) + 1}\n", trace) if at else before
        tap.ok(clicked == pressed and clicked != before, f"a click selects a row after '{keys}'",
               "\n".join(f"{a}\n{b}" for got, want in zip(clicked, pressed) for a, b in zip(got, want) if a != b)[:1500])
    at = place(screens("keys 9\nsettle\nscreen\n", RESNET)[0], "Idle time")
    same(tap, "a click selects a finding", screens(f"keys 9\nsettle\nscreen\nclick {at}\nsettle\nscreen\n", RESNET),
         screens("keys 9\nsettle\nscreen\nkeys j\nsettle\nscreen\n", RESNET))


def timeline(tap):
    first = screens("keys 2\nsettle\nscreen\n", RESNET)[0]
    status = len(first) - 2
    dragged = screens("keys 2\nsettle\nscreen\ndrag 8 40 8 60\nsettle\nscreen\n", RESNET)
    tap.ok(re.search(r"window \S+", dragged[-1][status]), "a drag makes a range the window", dragged[-1][status])
    back = screens("keys 2\nsettle\nscreen\ndrag 8 60 8 40\nsettle\nscreen\n", RESNET)
    tap.equal(re.findall(r"window \S+", back[-1][status]), re.findall(r"window \S+", dragged[-1][status]), "in either direction")
    dropped = screens("keys 2\nsettle\nscreen\ndrag 8 40 8 60\nsettle\nkeys Escape\nsettle\nscreen\n", RESNET)
    tap.ok("window" not in dropped[-1][status], "Esc drops it", dropped[-1][status])
    view = r"view ([\d.]+ \S+)"
    zoomed = screens("keys 2\nsettle\nscreen\ndouble 3 70\nsettle\nscreen\nkeys BSpace\nsettle\nscreen\n", RESNET)
    spans = [re.findall(view, s[status]) for s in zoomed]
    tap.ok(len(spans) == 3 and spans[0] and spans[1] and spans[0] != spans[1], "two clicks zoom in", f"{spans}")
    tap.equal(spans[2:], spans[:1], "Backspace comes back")
    quiet = screens("keys 2\nsettle\nscreen\ndrag 8 40 8 60\nclick 8 30\nsettle\nscreen\n", RESNET, "--no-mouse")
    tap.ok(quiet[0] == quiet[-1], "--no-mouse leaves it to the terminal", "\n".join(quiet[-1]))


def main():
    need_program()
    tap = Tap()
    tabs_and_footer(tap)
    palette(tap)
    tables(tap)
    rows_of_all_panes(tap)
    timeline(tap)
    tap.done()


main()
