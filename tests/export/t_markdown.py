#!/usr/bin/env python3
"""Every number of a Markdown report, whole and brief, is that of `stepscope table`: each row of its tables is a row of the table that its
heading names, each sentence of its findings stands in the table of findings, each number above the sections is one of the tables'."""
import html
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]
import t_numbers  # noqa: E402
from harness import ROOT, TRACES, Tap, corpus, need_program, stepscope  # noqa: E402
from numbers_of import shows  # noqa: E402

RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
MOST_BYTES = int(os.environ.get("MOST_BYTES", "400000"))  # of the largest trace
# of the tables whose numbers stand above the sections
ABOVE = ("overview", "devices", "steps", "gaps", "verdicts", "findings", "idle_causes", "trace", "step_parts")
TOKEN = re.compile(r"(?<![\w.:#-])(-?\d[\d,]*(?:\.\d+)? (?:ns|us|ms|s|min|h|%|B|KiB|MiB|GiB|TiB))(?![\w/])")


HEAD = re.compile(r"<table\b([^>]*)>|<th\b([^>]*)>(?:<\w[^>]*>)*([^<]*)")


def heads_in(page):
    """Of each table of a page: which column a head stands for, by the name of the table."""
    tables, name = {}, None
    for table, head, text in HEAD.findall(page):
        told = dict(t_numbers.ATTRIBUTE.findall(table or head))
        name = told.get("data-t", name)
        if "data-c" in told:
            tables.setdefault(name, {})[html.unescape(text).strip()] = told["data-c"]
    return tables


def plain(text):
    return html.unescape(re.sub(r"\\(.)", r"\1", text)).strip()


def tables_of(text):
    """(heads, rows) of each table."""
    made, lines = [], text.splitlines()
    for i, line in enumerate(lines):
        if line.startswith("|---"):
            rows = []
            for row in lines[i + 1:]:
                if not row.startswith("|"):
                    break
                rows.append([plain(c) for c in re.split(r"(?<!\\)\|", row)[1:-1]])
            made.append(([plain(c) for c in re.split(r"(?<!\\)\|", lines[i - 1])[1:-1]], rows))
    return made


def is_number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def value(v):
    """Values of keys are texts in JSON lines where they are whole numbers beyond 2^53."""
    return int(v) if isinstance(v, str) and re.fullmatch(r"-?\d{1,18}", v) else v


def fits(cells, row):
    return all(not is_number(value(row[c])) or shows(text, value(row[c])) for c, text in cells.items() if c in row and c != "device")


def strangers(heads, rows, names, whole, kernels):
    """Rows that are in no table with such heads."""
    tried, columns_seen = [], None
    for name, columns in names.items():
        if name not in whole or not all(h in columns for h in heads):
            continue
        columns_seen = name
        known = whole[name]
        if name == "kernels" and any(columns[h] == "forms" for h in heads):
            known = kernels
        left = [r for r in rows if not any(fits(dict(zip((columns[h] for h in heads), r)), row) for row in known)]
        if not left:
            return name, []
        tried = left
    return columns_seen, tried


def above(text, whole, own):
    """Numbers above the sections that neither a table nor one that only reports have (busiest threads, longest events) has."""
    known = [value(v) for name in ABOVE for row in whole.get(name, []) for v in row.values()]
    known += [row["start_ns"] + row["dur_ns"] for row in whole.get("gaps", [])]  # until when
    known += [100 - row["busy_pct"] for row in whole.get("devices", []) if row["busy_pct"] is not None]  # idle
    said = " ".join([v for v in known if isinstance(v, str)] + own)
    numbers = sorted({v for v in known if is_number(v)})
    return [t for t in dict.fromkeys(TOKEN.findall(text.replace("no gap of 1 us or more", ""))) if t not in said and not any(shows(t, v) for v in numbers)]


def check(tap, name, path, *words):
    whole = t_numbers.Whole(path, *words)
    if not whole:
        return 0
    report = stepscope("report", path, *words, "--format", "md").out
    brief = stepscope("report", path, *words, "--format", "md", "--brief").out
    heads = heads_in(stepscope("report", path, *words, "--format", "html").out)
    kernels, told, cells = t_numbers.by_name(whole.get("kernels", [])), [], 0
    own = []
    for columns, rows in tables_of(report):
        table, left = strangers(columns, rows, heads, whole, kernels)
        if not table or (table == "tracks" and "busy" in columns):
            own += [cell for row in rows for cell in row]
            continue
        told += [f"{table}: {dict(zip(columns, r))}" for r in left[:2]]
        cells += len(rows) * len(columns) if table else 0
    sentences = {f["sentence"] for f in whole["findings"]}
    for line in re.findall(r"^- \*\*\S+ [^*]*:\*\* (.*?)\s*$", report, re.M):
        said = re.sub(r" \([^()]*(at stake|confidence)[^()]*\)$", "", plain(line))
        told += [] if said in sentences or any(s.startswith(said.rstrip(".")) for s in sentences) else [f"no such sentence: {said}"]
    head = plain("\n".join(x for x in report.splitlines()[:8] if x.startswith(("**Looked", "**Verdict", "**Numbers"))))
    told += [f"above the sections: {t}" for t in above(head, whole, own)]
    lines = [x for x in brief.splitlines() if x.startswith(("**Looked", "**Verdict", "**Numbers", "**What"))]
    told += [f"only in the brief report: {x}" for x in lines if x not in report and x.rstrip(". ") not in report]
    tap.ok(not told, f"{name} {' '.join(words)}: {cells} cells of Markdown", "\n".join(told[:12]))
    return cells


def main():
    need_program()
    tap = Tap()
    cells = check(tap, "resnet", RESNET) + check(tap, "resnet", RESNET, "--step", "3")
    tap.ok(cells > 500, "numbers were compared", cells)
    larger = []
    for name in corpus():
        path = os.path.join(TRACES, name)
        if len(sys.argv) > 1 and not any(w in name for w in sys.argv[1:]):
            continue
        if os.path.getsize(path) > MOST_BYTES:
            larger.append(os.path.getsize(path))
        else:
            check(tap, name, path)
    if larger:
        tap.skip(f"{len(larger)} traces of more than {MOST_BYTES} bytes", f"MOST_BYTES={max(larger)} takes them")
    tap.done()


main()
