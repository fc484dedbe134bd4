"""Golden screens by a table: every pane below at every size in every look, 108 screens, kept as one file for each pane and size.

A file holds the text, the rows in which a look shows other characters (`mono 7 |...`), and one picture of the styles in which a
letter stands for how a cell looks in all looks together: `a12 b3` are twelve cells of style a, then three of b; a blank is plain text.
The legend tells what the terminal made of each letter. t_screens.py plays them; GENERATE=1 writes them anew."""
import concurrent.futures
import os
import re

from harness import Unplayed, play

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "golden", "matrix")
TRACES = os.path.join(HERE, "..", "golden", "small")
TRACE = "two_steps.json"

SIZES = ("80x24", "120x40", "200x60")
# name, options
LOOKS = (("mono", ("--color", "never")), ("8", ("--color", "8")), ("16", ("--color", "16")), ("256", ("--color", "256")),
         ("rgb", ("--color", "truecolor")), ("ascii", ("--color", "256", "--ascii")))
TEXT_OF = "256"  # the look whose text is the screen's; others tell what differs
# name, keys; from a fresh start each, so that no pane depends on the one before
PANES = (("overview", ""), ("timeline", "2 w Tab"), ("gap", "b"), ("steps", "3 j"), ("kernels", "5"), ("guide", "9"))
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+*"


def cells_of(said, rows, cols):
    """What `attrs` printed, as a style for each cell."""
    styles = [[""] * cols for _ in range(rows)]
    for line in said:
        m = re.match(r"(\d+): (\d+)-(\d+) (.+)$", line)
        for x in range(int(m[2]), int(m[3]) + 1) if m else ():
            styles[int(m[1])][x] = m[4]
    return styles


def seen(character, style):
    """Of a blank only its ground is seen, unless it is turned round or has a line."""
    if character != " " or "reverse" in style or "underline" in style:
        return style
    return " ".join(re.findall(r"bg=\S+", style))


def play_look(size, options, keys):
    """Text and styles of one screen."""
    cols, rows = map(int, size.split("x"))
    script = "wait Overview\nsettle\n" + "".join(f"keys {key}\nsettle\n" for key in keys.split()) + "screen\nattrs\nkeys Q\nend\n"
    done = play(script, TRACE, *options, size=size, cwd=TRACES)
    if "exit 0" not in done.said:
        raise Unplayed(f"{' '.join(options)}: {done.told()}")
    text, styles = done.screens[0], cells_of(done.said, rows, cols)
    return [line.rstrip() for line in text], [[seen(*cell) for cell in zip(line, row)] for line, row in zip(text, styles)]


def letters_of(looks):
    """For each row its cells as letters, and what each letter is in every look."""
    legend, rows = {}, []
    n_rows, n_cols = len(looks[TEXT_OF][1]), len(looks[TEXT_OF][1][0])
    for y in range(n_rows):
        row = []
        for x in range(n_cols):
            style = tuple(looks[name][1][y][x] for name, _ in LOOKS)
            row.append(" " if not any(style) else legend.setdefault(style, LETTERS[len(legend) % len(LETTERS)]))
        rows.append("".join(row))
    return rows, legend


def runs(row):
    return " ".join(f"{'.' if m[1] == ' ' else m[1]}{len(m[0])}" for m in re.finditer(r"(.)\1*", row.rstrip()))


def render(pane, size, looks):
    text = looks[TEXT_OF][0]
    out = [f"# {pane} at {size} of {TRACE}; see tests/screens/matrix.py", *(f"|{line}" for line in text)]
    for name, _ in LOOKS:
        out += [f"{name} {y} |{line}" for y, (line, usual) in enumerate(zip(looks[name][0], text)) if line != usual]
    rows, legend = letters_of(looks)
    out += ["styles", *(f"|{runs(row)}" for row in rows), "legend"]
    for style, letter in legend.items():
        out.append(f"{letter} " + "; ".join(f"{name}: {said or 'plain'}" for (name, _), said in zip(LOOKS, style)))
    return "\n".join(out) + "\n"


def play_pane(pane, keys, size):
    try:
        return "", render(pane, size, {name: play_look(size, options, keys) for name, options in LOOKS})
    except Unplayed as e:
        return str(e), ""


def differences(want, got):
    pairs = [(i, a, b) for i, (a, b) in enumerate(zip(want.splitlines(), got.splitlines()), 1) if a != b]
    return "\n".join(f"line {i} expected {a}\nline {i} got      {b}" for i, a, b in pairs[:6]) or "one is longer"


def check(tap, generate):
    jobs = [(pane, keys, size) for pane, keys in PANES for size in SIZES]
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda job: play_pane(*job), jobs))
    for (pane, _, size), (why, got) in zip(jobs, results):
        path = os.path.join(FOLDER, f"{pane}-{size}.txt")
        if generate and not why:
            os.makedirs(FOLDER, exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(got)
            continue
        want = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
        tap.ok(not why and got == want, f"{pane} at {size} in {len(LOOKS)} looks", why or differences(want, got))
    stored = {f for f in os.listdir(FOLDER)} if os.path.isdir(FOLDER) else set()
    tap.equal(stored, {f"{pane}-{size}.txt" for pane, _, size in jobs}, "no screen is kept that the table does not name")
    tap.ok(len(jobs) * len(LOOKS) >= 60, f"{len(jobs) * len(LOOKS)} screens")
