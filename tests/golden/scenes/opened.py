"""One of the guide's scenes as it stands in a file: what tables, reports and screens say of it. Run by t_scenes.py."""
import math

from harness import TableError, holds, number, play, stepscope, table, visible_text

SIZES = ("80x24", "200x60")


class Opened:
    """One scene in one format."""

    def __init__(self, tap, name, form, path, scene):
        self.tap, self.path, self.scene = tap, path, scene
        self.form = form
        self.label, self.cached, self.reports, self.plays = f"{name} ({form})", {}, {}, []

    def rows(self, name, **where):
        if name not in self.cached:
            self.cached[name] = table(name, self.path).rows
        return [r for r in self.cached[name] if all(str(r.get(k)) == str(v) for k, v in where.items())]

    def row(self, name, cells, /, **where):
        """Exactly one row of the table fits `where`, and holds these cells."""
        what = f"{self.label}: {name} {' '.join(str(v) for v in where.values())}".rstrip()
        try:
            rows = self.rows(name, **where)
        except TableError as e:
            return self.tap.ok(False, what, e)
        if len(rows) != 1:
            return self.tap.ok(False, what, f"{len(rows)} rows fit {where} of:\n" +
                               "\n".join(map(str, self.cached.get(name, [])[:8])))
        got = {key: number(rows[0].get(key)) for key in cells}
        return self.tap.ok(same(got, cells), what, f"expected {cells}\ngot      {got}")

    def overview(self, **expected):
        """These keys of the overview; shares are given in tenths of a percent, as the screen shows them."""
        try:
            facts = {r["key"]: number(r["value"]) for r in self.rows("overview")}
        except TableError as e:
            return self.tap.ok(False, f"{self.label}: overview", e)
        got = {key: tenths(facts.get(key)) if key.endswith("_pct") else facts.get(key) for key in expected}
        return self.tap.equal(got, expected, f"{self.label}: overview {' '.join(expected)}")

    def input(self, **expected):
        """These keys of the input table."""
        facts = {r["key"]: number(r["value"]) for r in self.rows("input")}
        got = {key: facts.get(key) for key in expected}
        self.tap.ok(same(got, expected), f"{self.label}: input {' '.join(expected)}", f"expected {expected}\ngot      {got}")

    def check(self, what, got, expected):
        self.tap.equal(got, expected, f"{self.label}: {what}")

    def report(self, form, *args):
        """The run and its text without markup; each report is made once."""
        if (form, *args) not in self.reports:
            run = stepscope("report", self.path, "--format", form, *args)
            self.reports[(form, *args)] = run, visible_text(run.out) if form == "html" else run.out
        return self.reports[(form, *args)]

    def says(self, what, *args, lengths=(), words=()):
        """Report and screens print these lengths (ns) and words."""
        for form in ("md", "html"):
            run, text = self.report(form, *args)
            self.tap.ok(run.status == 0 and not missing(text, lengths, words), f"{self.label}: the {form} report says {what}",
                        f"missing {missing(text, lengths, words)}\n{run.told()}\n{text[:1500]}")

    def played(self, what, script, lengths, words, wrapped=False):
        """After the script the screen shows these lengths and words at both sizes; `wrapped`: sentences go over several lines."""
        self.plays.append((what, script, lengths, words, wrapped))

    def play_all(self):
        """All scripts in one process, each from the overview."""
        sizes = "".join(f"resize {size}\nsettle\nscreen\n" for size in SIZES[1:])
        parts = [f"keys 1\nsettle\n{script}settle\nscreen\n{sizes}resize {SIZES[0]}\nsettle\n" for _, script, *_ in self.plays]
        screen = play("wait 1 Over\nsettle\n" + "".join(parts) + "keys Q\n", self.path, size=SIZES[0]) if parts else None
        for at, (what, _, lengths, words, wrapped) in enumerate(self.plays):
            for i, size in enumerate(SIZES, at * len(SIZES)):
                shown = "\n".join(screen.screens[i]) if i < len(screen.screens) else ""
                lacks = missing(" ".join(shown.split()) if wrapped else shown, lengths, words)
                self.tap.ok(shown and not lacks, f"{self.label}: {what} at {size}",
                            f"missing {lacks} on\n{shown}\n{screen.run.err}" + "\n".join(screen.said))

    def pane(self, keys, lengths=(), words=()):
        """The pane behind these keys shows these lengths and words at both sizes."""
        self.played(f"key {keys}", f"keys {keys[0]}\nsettle\nkeys {keys}\n", lengths, words, wrapped=True)

    def shows(self, name, lengths=(), words=(), keys=""):
        """The table's pane, after these keys, shows these lengths and words at both sizes."""
        self.played(f"the pane {name}", f"keys :\ntype table {name}\nkeys Enter\nsettle\n{keys and f'keys {keys}'}\n", lengths, words)


def tenths(value):
    return None if value is None else math.floor(value * 10 + 0.5) / 10


def same(got, expected):
    return all(close(got[key], expected[key]) for key in expected)


def close(got, expected):
    if isinstance(expected, float):
        return isinstance(got, (int, float)) and abs(got - expected) < 5e-7 * max(1.0, abs(expected))
    return got == expected


def missing(text, lengths, words):
    return [ns for ns in lengths if not holds(text, ns)] + [w for w in words if w.lower() not in text.lower()]
