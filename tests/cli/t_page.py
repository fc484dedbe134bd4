#!/usr/bin/env python3
"""The HTML report as a reader meets it: what stands first, what is folded, and - in a headless Chromium, where there is one - zoom, pan, search,
pin and fold of the picture, filter, sort and copy of the tables, no request, nothing cut on a small screen or on paper."""
import csv
import http.server
import io
import os
import re
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import ROOT, Tap, need_program, scratch, stepscope  # noqa: E402
import page  # noqa: E402

RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
BOXES = 'const box = () => { const r = $$("svg.lanes rect[data-t]").find(b => $("title", b).textContent.startsWith("step 3")); return r; };'


def report(name, *words):
    path = scratch(name)
    run = stepscope("report", RESNET, *words, "-o", path, "--force")
    return path, open(path, encoding="utf-8").read(), run


def test_lead(tap):
    """In this order: where, one line, the verdict and how sure it is, three numbers, the picture, what to do, the command, the contents."""
    for words in ((), ("--gap", "biggest"), ("--step", "slowest")):
        path, text, run = report("lead.html", *words)
        body = text.partition("<main>")[2]
        marks = ['<p class="at">', "<h1>", '<p class="verdict">', '<ul class="cards">', '<svg xmlns', '<p class="do">', "to reproduce: <code>", '<nav class="toc"', "<section"]
        places = [body.find(m) for m in marks]
        tap.ok(-1 not in places and places == sorted(places), f"{words}: what is read first stands first", list(zip(marks, places)) + [run.told()])
        heading = re.search(r"<h1>(.*?)</h1>", body).group(1)
        tap.ok(len(heading) <= 100 and "..." not in heading, f"{words}: a heading of one line, not cut", heading)
        tap.ok("+-" not in body, f"{words}: a spread is written with its sign", re.findall(r".{20}\+-.{20}", body))
        tap.equal(body.partition("</ul>")[0].count("<li>"), 3, f"{words}: three numbers")
        more = re.search(r'</ul>\n<p class="more">(.*?)</p>', body)
        tap.equal(bool(more), "--gap" in words, f"{words}: the other numbers, where there are some, in a line behind them")
        tap.ok("confidence 0." in re.search(r'<p class="verdict">(.*?)</p>', body).group(1), f"{words}: the verdict says how sure it is")
    brief = stepscope("brief", RESNET).out
    _, text, _ = report("lead.html")
    tap.ok(re.search(r"<h1>(.*?)</h1>", text).group(1) in brief, "the heading is what brief says", brief[:300])


def test_fine(tap):
    """A page can be looked at closer than a picture: its boxes are finer, and no more than fit a page."""
    boxes, (_, text, _) = stepscope("report", RESNET, "--format", "svg").out.count("<title>"), report("fine.html")
    fine = text.count(" data-t=\"") - text.count("<table data-t=")
    tap.ok(1.5 * boxes < fine <= 4100, "finer boxes than a picture without script", (boxes, fine))
    names = re.findall(r'class="w"[^>]*>([^<]*)</text>', text)
    tap.ok(len(names) > 10 and not [n for n in names if n.endswith("...") and len(n) < 6], "no box is called 'a...'", names)


def test_folds(tap):
    """A long table shows its first rows and holds all in a fold, a short one all rows."""
    _, text, _ = report("folds.html")
    sections = re.findall(r"<section.*?</section>", text, re.S)
    long = [s for s in sections if '<details class="rows">' in s]
    for s in long[:4]:
        first, _, whole = s.partition('<details class="rows">')
        n = whole.partition("</tbody>")[0].count("<tr>") - 1
        title = re.search(r"<h2>(.*?)</h2>", s).group(1)
        tap.equal(first.partition("<tbody>")[2].partition("</tbody>")[0].count("<tr>"), 6, f"{title}: the first rows")
        said = re.search(r"<summary>(?:all ([\d,]+) rows|the first ([\d,]+) of [\d,]+ rows)</summary>", whole)
        tap.ok(said and n == int((said.group(1) or said.group(2)).replace(",", "")), f"{title}: the fold says how many it holds", whole[:200])
        tap.ok(re.search(r"<tfoot>.*?more rows</td>", first), f"{title}: the first rows say that there are more", first[-200:])
    tap.ok(len(long) >= 4, "long tables are folded", len(long))


# the picture of lanes, by wheel, keys, pointer and search
PICTURE = """
    const svg = $("svg.lanes"), r = box(), at = () => [Number(r.getAttribute("x")), Number(r.getAttribute("width"))], told = {};
    const out = () => $$("rect[data-t]", svg).filter(b => b.style.display === "none").length;
    told.start = at();
    wheel(svg, {deltaY: -600}); await frame();
    told.unfocused = at();
    svg.focus();
    const place = svg.getBoundingClientRect(), scale = place.width / 1200;
    wheel(svg, {deltaY: -600, clientX: place.left + (told.start[0] + told.start[1] / 2) * scale}); await frame();
    told.zoomed = at(); told.out = out();
    key(svg, "ArrowRight"); await frame(); told.panned = at();
    key(svg, "0"); await frame(); told.back = at(); told.none_out = out();
    key(svg, "+"); await frame(); told.plus = at();
    click($(".tools button:last-of-type")); await frame(); told.all = at();
    fired(r, "pointermove", {buttons: 0, clientX: 5}); told.hover = $(".told").textContent;
    click(r); told.pinned = $(".pinned").textContent; told.classes = r.getAttribute("class");
    key(svg, "Enter"); await frame(); told.alone = at();
    key(svg, "Escape"); told.free = $(".pinned").hidden;
    key(svg, "0"); await frame();
    typed($(".tools input"), "Memcpy"); told.found = $(".tools span").textContent; told.dim = $$("svg.lanes .dim").length;
    key($(".tools input"), "Enter"); told.hit = $(".pinned").textContent;
    typed($(".tools input"), "");
    const lane = $$(".ln").at(-1), label = $(".mu", lane), before = svg.viewBox.baseVal.height;
    click(label); await frame();
    told.folded = [label.getAttribute("aria-expanded"), svg.viewBox.baseVal.height < before, getComputedStyle($("rect[data-t]", lane)).display];
    key(label, "Enter"); await frame();
    told.unfolded = [label.getAttribute("aria-expanded"), svg.viewBox.baseVal.height === before];
    told.ticks = $$(".ax text").map(t => t.textContent);
    const map = $(".map"), m = map.getBoundingClientRect();
    key(svg, "+"); key(svg, "+"); await frame();
    told.cut = $$("svg.lanes .w").filter(t => t.style.display !== "none" && t.textContent.endsWith("…") && t.textContent.length < 6).length;
    fired(map, "pointerdown", {clientX: m.left + 2}); await frame(); told.left = $$("svg.lanes .ax text")[0].textContent;
    told.error = "";
    return told;"""


def test_picture(tap):
    path, _, _ = report("picture.html")
    told = page.played(path, BOXES + PICTURE)
    if not tap.equal(told.get("error"), "", "the script plays to its end"):
        return
    tap.equal(told["unfocused"], told["start"], "the wheel over a picture that has no focus scrolls the page")
    tap.ok(told["zoomed"][1] > told["start"][1] * 1.5 and told["out"] > 0, "the wheel zooms, what lies outside goes", told)
    middle = [x + w / 2 for x, w in (told["start"], told["zoomed"])]
    tap.ok(abs(middle[0] - middle[1]) < 3 or told["zoomed"][0] <= 210, "what is under the pointer stays there", middle)
    tap.ok(told["panned"][0] + told["panned"][1] < told["zoomed"][0] + told["zoomed"][1], "an arrow moves it", told)
    close = [abs(a - b) < 0.2 for a, b in zip(told["back"] + told["all"], told["start"] * 2)]
    tap.ok(all(close) and told["none_out"] == 0, "0 and the button show all, as the page was written", told)
    tap.ok(told["plus"][1] > told["start"][1], "+ zooms")
    tap.ok(told["hover"].startswith("step 3, ") and " from " in told["hover"], "a box under the pointer says name and time", told["hover"])
    tap.ok(told["pinned"].startswith("pinned: step 3") and " pin" in told["classes"], "a click pins a box", told["pinned"])
    tap.ok(told["alone"][1] > 700, "Enter shows it alone", told["alone"])
    tap.equal(told["free"], True, "Esc lets it go")
    tap.ok(re.match(r" \d+ of \d+ boxes", told["found"]) and told["dim"] > 0, "search tells how many, and dims the others", told["found"])
    tap.ok("Memcpy" in told["hit"], "Enter goes to the first", told["hit"])
    tap.equal(told["folded"], ["false", True, "none"], "a lane folds")
    tap.equal(told["unfolded"], ["true", True], "and unfolds by key")
    tap.ok(len(told["ticks"]) >= 4 and all(re.fullmatch(r"-?[\d.]+ (s|ms|us|ns)", t) for t in told["ticks"]), "ticks have units", told["ticks"])
    tap.equal(told["cut"], 0, "closer, no box is called by a letter or two either")
    tap.ok(told["left"].startswith("0"), "a click on the small picture goes there", told["left"])


def test_tables(tap):
    path, text, _ = report("tables.html", "--step", "slowest")
    told = page.played(path, """
        const section = $$("section").find(s => $("h2", s).textContent === "Kernels"), fold = $("details.rows", section), told = {};
        told.first = getComputedStyle($(".first", section)).display;
        fold.open = true;
        told.replaced = getComputedStyle($(".first", section)).display;
        const table = $("table", fold), rows = () => [...table.tBodies[0].rows].filter(r => !r.hidden);
        const col = [...table.tHead.rows[0].cells].findIndex(h => h.dataset.c === "count"), head = table.tHead.rows[0].cells[col];
        const counts = () => rows().map(r => Number(r.cells[col].dataset.v));
        told.tab = head.tabIndex;
        key(head, "Enter"); told.down = counts(); told.says = head.getAttribute("aria-sort");
        key(head, " "); told.up = counts();
        told.all = rows().length;
        typed($(".filter input", fold), "gemm"); told.left = rows().length; told.text = rows().every(r => /gemm/i.test(r.textContent + [...r.cells].map(c => c.title)));
        told.csv = csvOf(table);
        typed($(".filter input", fold), ""); told.whole = csvOf(table);
        click($("button.copy", fold)); await new Promise(r => setTimeout(r, 300)); told.button = $("button.copy", fold).textContent;
        told.error = "";
        return told;""")
    if not tap.equal(told.get("error"), "", "tables: the script plays to its end"):
        return
    tap.equal((told["first"] != "none", told["replaced"]), (True, "none"), "all rows take the place of the first ones")
    tap.equal((told["tab"], told["says"]), (0, "descending"), "a head has the focus and says how it sorts")
    tap.equal((told["down"], told["up"]), (sorted(told["down"], reverse=True), sorted(told["up"])), "keys sort, down and up")
    tap.ok(0 < told["left"] < told["all"] and told["text"], "the box filters", told["left"])
    rows = list(csv.reader(io.StringIO(told["whole"])))
    tap.ok(len(rows) == told["all"] + 1 and "total_ns" in rows[0] and len({len(r) for r in rows}) == 1, "copied as CSV: exact names, all rows", rows[:2])
    tap.equal(len(list(csv.reader(io.StringIO(told["csv"])))), told["left"] + 1, "copied as CSV: those that are shown")
    tap.ok(told["button"] in ("copied", "cannot copy here"), "the button says whether it could", told["button"])


def test_two_pictures(tap):
    """A comparison has two pictures on one page; each moves by itself."""
    path = scratch("diff.html")
    run = stepscope("diff", RESNET, "--step", "2", "--vs-step", "5", "-o", path, "--force")
    told = page.played(path, """
        const pictures = $$("svg.lanes"), wide = svg => $$("rect[data-t]", svg).filter(r => r.style.display !== "none").length;
        if (pictures.length < 2) return {n: pictures.length, error: ""};
        const before = pictures.map(wide);
        for (let i = 0; i < 4; i++) key(pictures[1], "+");
        await frame();
        return {n: pictures.length, before, after: pictures.map(wide), ids: $$("[id]").length - new Set($$("[id]").map(e => e.id)).size, error: ""};""")
    tap.ok(told.get("error") == "" and told.get("n") == 2, "a comparison has two pictures", (told, run.told()))
    if told.get("n") == 2:
        tap.ok(told["after"][0] == told["before"][0] and told["after"][1] < told["before"][1] and told["ids"] == 0, "one moves, the other stays", told)


def test_comparison(tap):
    """Its tables: rows of one line where they scroll anyway, no column without a value, and what each column means."""
    path = scratch("rows.html")
    stepscope("diff", RESNET, "--step", "2", "--vs-step", "5", "-o", path, "--force")
    told = page.played(path, """
        const tables = $$(".scroll").filter(s => s.scrollWidth > s.clientWidth).map(s => $("table", s));
        const tall = tables.filter(t => t.dataset.t !== "advice").flatMap(t => [...t.tBodies[0].rows]).filter(r => r.clientHeight > 32).length;
        const empty = $$("table").flatMap(t => [...t.tHead.rows[0].cells].filter((h, i) => [...t.tBodies[0].rows].every(r => r.cells[i].textContent === "-")).map(h => t.dataset.t + " " + h.dataset.c));
        const ticks = $$("svg.lanes").flatMap(s => $$(".ax text", s).filter(t => t.getBBox().x + t.getBBox().width > 1200));
        return {n: tables.length, tall, empty, ticks: ticks.length, told: $$("table").length - $$("details li code").filter(c => c.textContent === "match").length, error: ""};""")
    tap.ok(told.get("error") == "" and told.get("n", 0) > 2 and told["tall"] == 0, "rows that scroll take one line each", told)
    tap.equal((told.get("empty"), told.get("ticks")), ([], 0), "no column is empty, no tick is cut")
    tap.ok(0 <= told.get("told", -1) <= 2, "below each table of changes: what its columns mean", told)


def test_valid(tap):
    """By the parser of the HTML standard, where it is installed."""
    try:
        import html5lib
    except ImportError:
        tap.skip("valid HTML", "html5lib is not installed")
        return
    for words in ((), ("--gap", "biggest"), ("--step", "slowest", "--title", "a <b>", "--note", 'c "d" & e'), ("--sections", "none")):
        _, text, _ = report("valid.html", *words)
        parser = html5lib.HTMLParser()
        parser.parse(text)
        tap.equal([e[1] for e in parser.errors], [], f"{words}: no error of the parser of the standard")


class Counts(http.server.BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):
        Counts.asked.append(self.path)
        self.send_response(404)
        self.end_headers()

    def log_message(self, *_):
        pass


def test_alone(tap):
    """Whatever asks for something from outside is refused by the page's own policy."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Counts)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    path, _, _ = report("alone.html", "--gap", "biggest")
    told = page.played(path, """
        const blocked = []; document.addEventListener("securitypolicyviolation", e => blocked.push(e.effectiveDirective));
        const at = "http://127.0.0.1:%d/";
        const loaded = performance.getEntriesByType("resource").length;
        new Image().src = at + "image";
        const script = document.createElement("script"); script.src = at + "script"; document.head.append(script);
        const style = document.createElement("link"); style.rel = "stylesheet"; style.href = at + "style"; document.head.append(style);
        const frame = document.createElement("iframe"); frame.src = at + "frame"; document.body.append(frame);
        const fetched = await fetch(at + "fetch").then(() => "fetched", () => "refused");
        await new Promise(r => setTimeout(r, 500));
        return {loaded, fetched, blocked: [...new Set(blocked)].sort(), error: ""};""" % server.server_address[1])
    server.shutdown()
    tap.equal((told.get("error"), told.get("loaded"), told.get("fetched")), ("", 0, "refused"), "the page loads nothing, and nothing can be loaded")
    tap.ok({"connect-src", "img-src", "frame-src"} <= set(told.get("blocked", [])), "images, frames and fetches are refused", told)
    tap.equal(Counts.asked, [], "no request leaves the page")


def test_sizes(tap):
    """Nothing of the page lies beyond the edge of a phone; on paper nothing beyond the edge of A4."""
    path, text, _ = report("sizes.html")
    wide = 'return {wide: document.documentElement.scrollWidth, inner: innerWidth, error: ""};'
    for size in ("1280,900", "500,900"):  # a window of Chromium is not narrower than 500
        told = page.played(path, wide, size=size)
        tap.ok(told.get("wide", 1e9) <= told.get("inner", 0), f"{size}: nothing beyond the edge", told)
    told = page.played(path, 'document.body.style.width = "400px"; await frame(); return {wide: $("main").scrollWidth, error: ""};', size="500,900")
    tap.ok(told.get("wide", 1e9) <= 400, "400 px: nothing beyond the edge", told)
    told = page.played(path, 'const f = $(".pic"); return {wide: f.scrollWidth, inner: f.clientWidth, error: ""};', size="800,900")
    tap.ok(told.get("wide", 1e9) <= told.get("inner", 0), "800 px: the picture has room beside the names of its lanes", told)
    gap, _, _ = report("phone.html", "--gap", "biggest")
    told = page.played(gap, """document.body.style.width = "400px"; await frame();
        const first = $$(".scroll")[0], last = $$("th", first).pop().getBoundingClientRect();
        return {last: last.right, edge: first.getBoundingClientRect().right, error: ""};""", size="500,900")
    tap.ok(told.get("last", 1e9) <= told.get("edge", 0) + 1, "400 px: a long name leaves room for the numbers of its row", told)
    # the gap that the heading speaks of stands in the middle of a picture that is wider than the page, and the tools beside it
    told = page.played(path, """
        const edge = $(".pic").getBoundingClientRect().left, names = $$("svg.lanes .ln>[data-lane]");
        const hidden = names.filter(t => t.getBoundingClientRect().left < edge || t.getBoundingClientRect().left > edge + 12).length;
        const covered = names.filter(t => t.nextElementSibling && !t.nextElementSibling.dataset.lane).length;
        const frame = $(".pic").getBoundingClientRect(), gap = $("svg.lanes .gp").getBoundingClientRect(), tools = $(".pic>.tools").getBoundingClientRect();
        return {wider: $(".pic").scrollWidth > frame.width, off: Math.abs((gap.left + gap.right) / 2 - (frame.left + frame.right) / 2), last: $(".pic").scrollWidth - frame.width - $(".pic").scrollLeft, hidden, covered,
                tools: tools.left >= frame.left && tools.right <= frame.right + 1, error: ""};""", size="500,900")
    tap.equal((told.get("hidden"), told.get("covered")), (0, 0), "500 px: the names of lanes are at the left edge, above the boxes")
    tap.ok(told.get("wider") and told.get("tools") and (told["off"] <= 8 or told["last"] <= 3), "500 px: the longest gap is in sight, and so are the tools", told)
    paper = scratch("paper.html")
    with open(paper, "w", encoding="utf-8") as f:
        f.write(text.replace("@media print{", "@media all{"))
    told = page.played(paper, """
        const edge = innerWidth + 1;
        return {cut: $$("table,svg,p,li").filter(e => e.getClientRects().length && e.getBoundingClientRect().right > edge).map(e => (e.caption ?? e).textContent.slice(0, 60)), error: ""};""",
                       size="1054,900")
    tap.equal((told.get("error"), told.get("cut")), ("", []), "A4: nothing beyond the edge")
    pages = page.printed(path, scratch("page.pdf"))
    tap.ok(1 <= pages <= 12, "A4: not a book", pages)


def main():
    need_program()
    tap = Tap()
    test_lead(tap)
    test_fine(tap)
    test_folds(tap)
    test_valid(tap)
    for test in (test_picture, test_two_pictures, test_comparison, test_tables, test_alone, test_sizes):
        if page.BROWSER:
            test(tap)
        else:
            tap.skip(test.__name__, page.LACKING)
    tap.done()


main()
