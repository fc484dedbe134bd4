"""What stands once is changed in one place: in a copy of the sources an option, a command, a format and a kind of event are added,
each in at most three files, and the program, its help, its manual and its completions know them."""
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import OUT, ROOT, Tap, need_program, scratch  # noqa: E402

TRACE = os.path.join(HERE, "../golden/small/two_steps.json")
DOCUMENTS = ("stepscope.1", "stepscope.bash", "_stepscope", "stepscope.fish")
MOST_FILES = 3

VERB = r"""#include "cli.h"

static int run_greet(const struct cli *c, struct err *e)
{
	(void)c;
	(void)e;
	puts("good morning");
	return EXIT_FINE;
}

const struct cli_command_info cli_greet_command = {.word = "greet",
						   .operands = "",
						   .help = "say good morning",
						   .takes = TAKES_NOTHING,
						   .run = run_greet,
						   .examples = "  stepscope greet\n"};
"""
IMPORTER = r"""#include "importers/importer.h"
#include <string.h>

static int sniff(const unsigned char *head, size_t n)
{
	return n >= 5 && memcmp(head, "\001PICA", 5) == 0 ? 100 : 0;
}

static bool load(struct source *src, struct ingest *out, struct progress *p, struct err *e)
{
	(void)out;
	(void)p;
	return err_set(e, source_name(src), 0, "a magpie has been here");
}

static const char *const endings[] = {".pica", NULL};
const struct importer importer_pica = {
	.name = "pica", .what = "a list of magpies (.pica)", .endings = endings, .sniff = sniff, .load = load};
"""


class Copy:
    """The sources and what was built from them, to be changed at will."""

    def __init__(self):
        self.root, self.out, self.touched = scratch("copy"), os.path.relpath(OUT, ROOT), set()
        for part in ("Makefile", "model", "importers", "live", "tui", "themes"):
            self.take(part)
        shutil.copytree(OUT, os.path.join(self.root, self.out), symlinks=True, ignore=shutil.ignore_patterns("tests", "fuzz*", "share"))

    def take(self, part):
        at, to = os.path.join(ROOT, part), os.path.join(self.root, part)
        os.makedirs(self.root, exist_ok=True)
        (shutil.copytree if os.path.isdir(at) else shutil.copy2)(at, to)

    def path(self, name):
        return os.path.join(self.root, name)

    def edit(self, name, before, text):
        """Puts text before the only line that begins with `before`."""
        with open(self.path(name), encoding="utf-8") as f:
            old = f.read()
        found = list(re.finditer(rf"^[ \t]*{re.escape(before)}.*\n", old, re.M))
        assert len(found) == 1, f"{name}: {len(found)} lines begin with {before}"
        self.put(name, old[:found[0].start()] + text + old[found[0].start():])

    def put(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)
        self.touched.add(name)

    def count(self):
        n, self.touched = len(self.touched), set()
        return n

    def make(self, *goals):
        env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        return subprocess.run(["make", "-j2", "CFLAGS=-O0", f"OUT={self.out}", *goals], cwd=self.root, env=env, capture_output=True,
                              text=True)

    def run(self, *args):
        return subprocess.run([self.path(f"{self.out}/stepscope"), *args], capture_output=True, text=True)

    def document(self, name):
        with open(self.path(f"{self.out}/doc/{name}"), encoding="utf-8") as f:
            return f.read().replace("\\-", "-")


def add_all(copy):
    """How many files each took."""
    counts = {}
    copy.edit("tui/cli/cli.h", "_(SORT,", '\t_(BEYOND, "beyond", 0, "N", TEXT, NULL, IN_TABLE, "rows left out", "without the first N rows") \\\n')
    copy.edit("tui/cli/cli_run.c", "return print_named(c, c->name, e);",
              '\tif (cli_has(c, OPT_BEYOND))\n\t\tfprintf(stderr, "beyond %s\\n", c->value[OPT_BEYOND]);\n')
    counts["an option"] = copy.count()
    copy.edit("tui/cli/cli.h", "_(DOCTOR, doctor)", "\t_(GREET, greet) \\\n")
    copy.put("tui/cli/cli_greet.c", VERB)
    counts["a command"] = copy.count()
    copy.edit("importers/importer.h", "_(chrome)", "\t_(pica) \\\n")
    copy.put("importers/pica/pica.c", IMPORTER)
    counts["a format"] = copy.count()
    return counts


def test_built(tap, copy):
    done = copy.make("all")
    if not tap.ok(done.returncode == 0, "the copy builds", done.stdout[-600:] + done.stderr[-2000:]):
        return
    run = copy.run("table", "gaps", TRACE, "--beyond", "3", "--no-cache")
    tap.ok(run.returncode == 0 and "beyond 3" in run.stderr, "the new option reaches who asks for it", run.stderr)
    tap.ok("without the first N rows" in copy.run("table", "--help").stdout, "and stands in the help")
    tap.equal(copy.run("greet").stdout, "good morning\n", "the new command runs")
    whole = copy.run("--help").stdout
    tap.ok("say good morning" in whole, "and stands in the help", whole[:800])
    pica = scratch("a.pica")
    with open(pica, "w") as f:
        f.write("\001PICA one for sorrow\n")
    run = copy.run(pica, "--no-cache")
    tap.ok(run.returncode == 3 and "a magpie has been here" in run.stderr, "the new format is recognised", run.stderr)
    tap.ok("pica" in json.loads(copy.run("--version", "--json").stdout)["import_formats"] and
           "a list of magpies" in " ".join(whole.split()), "and told where formats are told", whole[-900:])
    for name in DOCUMENTS:
        text = copy.document(name)
        tap.ok("beyond" in text and re.search(r"\bgreet\b", text), f"{name} knows option and command")
    tap.ok("Without the first N rows." in copy.document("stepscope.1") and "Say good morning." in copy.document("stepscope.1"),
           "the manual says what the help says where its template has no other words")


def test_kind(tap, copy):
    copy.edit("model/store/facts/facts.h", '_(MEMSET, ', '\t_(BLINK, "blink", 1, MEMSET, 1, SOLID, OTHER) \\\n')
    n = copy.count()
    objects = [f"{copy.out}/{o}.o" for o in ("model/store/facts/facts", "tui/screen/bars", "tui/report/lane", "model/filter_parse")]
    done = copy.make(*objects)
    tap.ok(n <= MOST_FILES and done.returncode == 0, f"a kind of event is added in {n} file(s)", done.stderr[-2000:])


def test_template(tap, copy):
    """A template that names what is not there stops the build."""
    for mark in ("@option beyomd@", "@command tabel@", "@option help@\n@option help@"):
        copy.put("tui/man/wrong.1.in", f".TH X\n{mark}\n")
        done = copy.make(f"{copy.out}/doc/wrong.1")
        tap.ok(done.returncode != 0 and "line " in done.stderr and not os.path.exists(copy.path(f"{copy.out}/doc/wrong.1")),
               f"{mark.split(chr(10))[0]}: the build says so", done.stdout + done.stderr)


def main():
    need_program()
    tap = Tap()
    if os.path.basename(OUT) != "plain" or os.path.relpath(OUT, ROOT).startswith(".."):
        tap.skip("recipes", "they are tried on the plain build")
        tap.done()
    copy = Copy()
    for what, n in add_all(copy).items():
        tap.ok(n <= MOST_FILES, f"{what} is added in {n} file(s)")
    for test in (test_built, test_template, test_kind):
        test(tap, copy)
    tap.done()


main()
