"""Reports from the command line: every format is well-formed and self-contained, says the same numbers, obeys its size
and width limits, hides what must stay at home, and names the command that makes it again."""
import json
import os
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../golden/scenes")]
import specs  # noqa: E402
from harness import ROOT, STEPSCOPE, TRACES, Tap, need_program, scratch, stepscope, table  # noqa: E402

RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
FORMATS = ["md", "html", "svg", "json", "text"]
SECRET = "hf_thistokenmustnotleave"


def event(cat, name, tid, start_ms, dur_ms, **args):
    device = cat in ("kernel", "gpu_memcpy")
    return {"ph": "X", "cat": cat, "name": name, "pid": 0 if device else 100, "tid": tid, "ts": start_ms * 1000,
            "dur": dur_ms * 1000, "args": args}


def step(number, start_ms, dur_ms, launch_ms, work_ms):
    return [event("user_annotation", f"ProfilerStep#{number}", 100, start_ms, dur_ms),
            event("cuda_runtime", "cudaLaunchKernel", 100, launch_ms, 0.01, correlation=number),
            event("kernel", "void gemm<half>(float const*)", 7, work_ms, 100, correlation=number, device=0, stream=7)]


def write_trace(name):
    """Step 8 ends on the device at 100 ms, step 9 begins at 160; the host waits 55 of these 60 ms for input."""
    events = [{"ph": "M", "name": "thread_name", "pid": 100, "tid": 100, "ts": 0, "args": {"name": "secret-thread"}}]
    events += step(8, 0, 101, 0.1, 0) + step(9, 101, 160, 159, 160)
    events.append(event("cpu_op", "Iterator<GetNext>|`x`", 100, 102, 55))
    path = scratch(name)
    with open(path, "w") as f:
        json.dump({"schemaVersion": 1, "env": {"HF_TOKEN": SECRET}, "HF_TOKEN": SECRET, "traceEvents": events,
                   "deviceProperties": [{"id": 0, "name": "Tesla V100"}]}, f)
    return path


class Page(HTMLParser):
    """Collects what a browser would fetch, links inside the page, and whether tags close in order."""
    VOID = {"meta", "br", "link", "img", "input", "hr"}

    def __init__(self, text):
        super().__init__()
        self.fetched, self.open, self.crossed, self.text = [], [], [], ""
        self.inside, self.ids = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        links = [v for k, v in attrs if k in ("src", "href", "data", "action", "background")]
        self.inside += [v[1:] for v in links if v.startswith("#")]
        self.fetched += [v for v in links if not v.startswith("#")]
        self.ids += [v for k, v in attrs if k == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.fetched += [v for k, v in attrs if k in ("src", "href", "xlink:href")]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.crossed.append(tag)

    def handle_data(self, data):
        self.text += data


def test_formats(tap, path):
    for form in FORMATS:
        run = stepscope("report", path, "--gap", "biggest", "--format", form)
        tap.ok(run.status == 0 and run.err == "", f"{form}: written without a word on stderr", run.told())
        told = "60.000 ms" in run.out and "37.5 %" in run.out and "91.7 %" in run.out
        tap.ok(told, f"{form}: 60.000 ms, 37.5 %, 91.7 %", run.out[:600])


def test_svg(tap, path):
    run = stepscope("report", path, "--gap", "biggest", "--format", "svg")
    root = xml.fromstring(run.out)
    words = [t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}text")]
    tap.equal(root.tag, "{http://www.w3.org/2000/svg}svg", "svg: well-formed")
    tap.ok(any(w.startswith("gap 8 -> 9: 60.000 ms") for w in words), "svg: the gap's length is text in the picture", words)
    tap.ok(any("(91.7 %), all in Iterator<GetNext>|`x`" in w for w in words), "svg: so is its cause", words)


def test_devices(tap):
    """Four GPUs, three steps of 100 ms: GPU 0 computes for 90, the others for 60 and wait in the collective for the rest."""
    path = scratch("four_gpus.json.gz")
    specs.replicas().write_chrome(path)
    root = xml.fromstring(stepscope("report", path, "--format", "svg").out)
    svg = "{http://www.w3.org/2000/svg}"
    words = [t.text or "" for t in root.iter(svg + "text")]
    rows = {f"GPU {i}": [] for i in range(4)}
    at = {float(t.get("y")) - 12: t.text for t in root.iter(svg + "text") if t.text in rows and t.get("text-anchor") == "end"}
    for box in root.iter(svg + "rect"):
        title = box.find(svg + "title")
        row = at.get(float(box.get("y"))) if title is not None else None
        if row:
            rows[row].append((box.get("class").split()[0], float(box.get("width")), title.text))
    tap.equal([w for w in words if w in rows][:4], list(rows), "many devices: one row for each, in their order")
    for gpu, compute in (("GPU 0", 90), ("GPU 1", 60), ("GPU 2", 60), ("GPU 3", 60)):
        begins = [t for c, _, t in rows[gpu] if "begins" in t]
        wide = {c: sum(w for k, w, t in rows[gpu] if k[0] == c and "begins" not in t) for c in ("k", "l")}
        tap.ok(len(begins) == 3 and abs(wide["l"] / (wide["k"] + wide["l"]) - (100 - compute) / 100) < 0.02,
               f"many devices: {gpu}: three steps begin, and collectives take {100 - compute} % of its row", (begins, wide))
    tap.ok(words.count("GPU 0") == 2 and words.count("GPU 1") == 1, "many devices: one of them is drawn in full", words)
    text = stepscope("report", path, "--format", "text").out
    tap.ok(len(re.findall(r"^ +GPU [0-3] \|", text, re.M)) == 4, "many devices: in text, too", text[:1500])


def test_html(tap, path):
    run = stepscope("report", path, "--format", "html")
    page = Page(run.out)
    tap.equal((page.open, page.crossed), ([], []), "html: tags close in order")
    tap.equal(page.fetched, [], "html: fetches nothing")
    tap.equal(page.inside, page.ids, "html: the table of contents leads to every section, in order")
    tap.ok("<details class=\"fine\">" in run.out, "html: findings that are fine are folded")
    tap.ok("url(" not in run.out and "@import" not in run.out, "html: its style fetches nothing")
    tap.ok("<GetNext>" not in run.out, "html: a name cannot become markup")
    tap.ok("prefers-color-scheme:dark" in run.out, "html: has a dark face")


def test_html_tables(tap):
    """What is read out, sorted by keyboard and printed: heads say what they are of, a table says its name, one that was cut says so."""
    page = stepscope("report", RESNET, "--format", "html").out
    tables = re.findall(r"<table\b.*?</table>", page, re.S)
    tap.equal([t[:60] for t in tables if not re.match(r"<table[^>]*>\s*<caption>[^<]+</caption>", t)], [], "html: each table has a caption")
    tap.equal([h for t in tables for h in re.findall(r"<th\b[^>]*>", t) if 'scope="col"' not in h], [], "html: each head is of its column")
    total = len(table("gaps", RESNET).rows)
    gaps = next(t for t in tables if "<caption>Gaps in this window</caption>" in t)
    shown, told = gaps.count("<tr>") - 2, re.search(r"<tfoot><tr><td[^>]*>([\d,]+) more rows: stepscope table gaps TRACE</td>", gaps)
    tap.ok(told and 0 < shown + int(told.group(1).replace(",", "")) <= total, "html: a table that was cut says inside how many more rows there are", gaps[-300:])
    whole = next(t for t in tables if "<caption>Devices</caption>" in t)
    tap.ok("<tfoot>" not in whole, "html: a whole one does not", whole[-300:])
    print_rules = page.partition("@media print{")[2].partition("</style>")[0]
    tap.ok("overflow:visible" in print_rules and "max-height:none" in print_rules, "html: on paper nothing scrolls", print_rules)


def test_launching_thread(tap):
    """Backward passes launch most of the work, and the main thread what comes after the gap."""
    run = stepscope("report", RESNET, "--gap", "biggest", "--format", "json")
    told = {part["table"]["name"]: part["table"] for part in json.loads(run.out)["sections"] if "table" in part}
    names = [column["name"] for column in told["threads_in_gap"]["columns"]]
    threads = [dict(zip(names, row)) for row in told["threads_in_gap"]["rows"]]
    tap.equal([(row["thread"], row["launching"]) for row in threads], [("thread 23442 (python)", True)], "the launching thread is that of the work after the gap")
    svg = stepscope("report", RESNET, "--gap", "biggest", "--format", "svg").out
    lanes = [text for text in re.findall(r">([^<]+)</text>", svg) if text.startswith("thread ") or text == "launching threads"]
    tap.equal(lanes[:2], ["launching threads", "thread 23442 (python)"], "and its lane stands under that name")


def test_markdown(tap, path):
    run = stepscope("report", path, "--format", "md")
    rows = [line for line in run.out.splitlines() if line.startswith("|")]
    widths = [len(re.findall(r"(?<!\\)\|", row)) - 1 for row in rows]
    tap.ok(rows and max(widths) <= 8, "md: at most 8 columns", max(widths, default=0))
    labels = [re.match(r"\*\*(\w[\w ]*):\*\*", line) for line in run.out.splitlines()[:5]]
    tap.equal([m and m.group(1) for m in labels], ["Looked at", "Verdict", "Numbers", "Ledger", "To reproduce"],
              "md: the first five lines")
    tap.equal(run.out.count("<details>"), run.out.count("</details>"), "md: folded parts close")


def test_json(tap, path):
    run = stepscope("report", path, "--gap", "biggest", "--format", "json")
    report = json.loads(run.out)
    gap = next(r for r in table("gaps", path).rows if r["scope"] == "step")
    tap.equal(report["schema"], "stepscope.report/1", "json: schema")
    tap.equal(report["window"], {"kind": "gap", "text": f"gap:{gap['gap']}", "window_ns": [100000000, 160000000]},
              "json: the window is exactly the gap")
    tap.equal((report["focus_gap"]["dur_ns"], report["focus_gap"]["main_event"], report["focus_gap"]["main_event_ns"]),
              (gap["dur_ns"], gap["main_event"], gap["main_event_ns"]), "json: the gap as the table has it")
    tap.ok(all(s["table"]["schema"] == "stepscope.table/1" for s in report["sections"]), "json: tables have their schema")
    cut = [s["title"] for s in report["sections"] if len(s["table"]["rows"]) > s["rows_total"]]
    tap.equal(cut, [], "json: rows_total is never below the rows")
    counts = report["ledger_counts"]
    tap.equal(counts["entries"], counts["shown"] + counts["merged"] + counts["noted"], "json: the ledger balances")


def test_command(tap, path):
    for form in ("text", "md", "json"):
        run = stepscope("report", path, "--gap", "biggest", "--filter", "kind=kernel", "--format", form)
        command = {"text": lambda: re.search(r"^reproduce +(.*)$", run.out, re.M).group(1),
                   "md": lambda: re.search(r"^\*\*To reproduce:\*\* `(.*)`$", run.out, re.M).group(1),
                   "json": lambda: json.loads(run.out)["command"]}[form]()
        again = stepscope(*shlex.split(command)[1:])
        tap.ok(again.out == run.out and again.status == 0, f"{form}: its command makes the same report", command)


def test_private(tap, path):
    for form in FORMATS:
        run = stepscope("report", path, "--format", form)
        tap.ok(SECRET not in run.out and "HF_TOKEN" not in run.out, f"{form}: the recorded environment stays at home")
        run = stepscope("report", path, "--format", form, "--redact")
        leaks = [w for w in ("secret-thread", "private-name", os.path.dirname(path)) if w in run.out]
        tap.equal((run.status, leaks), (0, []), f"{form}: --redact hides names of files and threads")


def test_output(tap, path):
    out = scratch("out.html")
    run = stepscope("report", path, "-o", out)
    tap.ok(run.status == 0 and run.out == "" and open(out).read().startswith("<!doctype html>"),
           "-o: the ending decides on the format", run.told())
    run = stepscope("report", path, "-o", out, "--format", "md")
    tap.ok(run.status == 5 and "exists; --force overwrites it" in run.err, "-o: an existing file is refused", run.told())
    run = stepscope("report", path, "-o", out, "--format", "md", "--force")
    tap.ok(run.status == 0 and open(out).read().startswith("**Looked at:**"), "-o: --force overwrites", run.told())
    run = stepscope("report", path, "-o", scratch("no/such/folder.md"))
    tap.ok(run.status == 5 and "cannot write" in run.err, "-o: a folder that is not there", run.told())
    left = [f for f in os.listdir(scratch()) if f.startswith(("out.html.", "folder"))]
    tap.equal(left, [], "-o: no temporary file is left")
    full = subprocess.run([STEPSCOPE, "report", path], stdout=open("/dev/full", "w"), stderr=subprocess.PIPE)
    tap.ok(full.returncode == 5 and b"cannot write to stdout" in full.stderr, "a full disk is an error", full.stderr)


def test_real(tap):
    """Real traces: limits of size, and what is missing is named."""
    cases = [("kineto/resnet50-v100-2spans/worker0.1623143089861.pt.trace.json.gz", "is busy"),
             ("kineto/mi300-flux-big/profile_trace_rank_0.json.gz", "is busy"),
             ("kineto/cpu-only/rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", "cannot tell how busy a device is"),
             ("kineto/mi210-gpu-only/gpu_only_trace.json.gz", "is busy"),
             ("kineto/dlrm-8rank-nccl", "are busy"),
             ("chrome/catapult/simple_trace.json", "the busiest thread is threadA")]
    for name, words in cases:
        path = os.path.join(TRACES, name)
        if not os.path.exists(path):
            tap.skip(f"{name}: limits", "the corpus is not there")
            continue
        html, md = (stepscope("report", path, "--format", form) for form in ("html", "md"))
        sizes = (len(html.out.encode()), len(md.out.encode()))
        tap.ok(sizes[0] < 2000000 and sizes[1] < 65536, f"{name}: html below 2 MB, md below 65,536 bytes", sizes)
        tap.ok(words in html.out and html.status == 0, f"{name}: '{words}'", html.told() + md.out[:400])
        heading = re.search(r"<h1>(.*?)</h1>", html.out).group(1)
        tap.ok(not heading.endswith("..."), f"{name}: the heading is whole", heading)
        bare = re.findall(r"[Tt]he first \d+ of \d{4,} rows", html.out + md.out)
        tap.equal(bare, [], f"{name}: counts of rows have their commas")
        tap.equal(Page(html.out).crossed, [], f"{name}: tags close in order")
        if name.startswith("chrome/"):
            tap.ok("most self time" in html.out and "Input pipeline" not in html.out and "no device work and no steps" not in html.out,
                   f"{name}: nothing of devices, steps or input", md.out[:400])


def test_parts(tap, path):
    """What the user asks to see, and says, is in every format, and in the command that makes it again."""
    for form in ("md", "html", "json", "text"):
        run = stepscope("report", path, "--format", form, "--sections", "steps,gaps", "--title", "After <the> change", "--note", "look at step 9")
        words = {"html": "After &lt;the&gt; change"}.get(form, "After")
        tap.ok(words in run.out and "look at step 9" in run.out, f"{form}: --title and --note", run.told() + run.out[:600])
        tap.ok("Gaps in this window" in run.out and "Kernels" not in run.out and "Streams" not in run.out, f"{form}: --sections", run.told())
        command = re.search(r"stepscope report .*?--note .look at step 9.[^`\n<\"]*", run.out.replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">"))
        again = stepscope(*shlex.split(command.group(0).replace("&quot;", '"'))[1:]) if command else run
        tap.ok(command and again.out == run.out, f"{form}: the same again", command)
    page = Page(stepscope("report", path, "--format", "html", "--sections", "none").out)
    tap.ok("60.000 ms" in page.text and page.ids == [], "none: the first lines and the picture", page.ids)
    run = stepscope("report", path, "--sections", "steps,kernel")
    tap.ok(run.status == 2 and "no section 'kernel'; did you mean 'kernels'?" in run.err, "a section that there is not", run.told())
    run = stepscope("report", path, "--sections", "findings", "--gap", "biggest")
    tap.ok(run.status == 0 and "###" not in run.out, "a section that this window has not is none", run.out)


def test_brief(tap, path):
    """Fits a chat message, and still says what to do."""
    for words in ((), ("--gap", "biggest"), ("--step", "8")):
        run = stepscope("report", path, "--format", "md", "--brief", *words)
        whole = stepscope("report", path, "--format", "md", *words).out
        tap.ok(run.status == 0 and 0 < len(run.out) < 2000 and "|" not in run.out.replace("|`x`", "").replace("\\|", ""), f"brief {words}: below 2,000 characters, no table", run.out)
        verdict = re.search(r"^\*\*Verdict:\*\* .*$", whole, re.M).group()
        tap.ok(verdict in run.out and ("**What to do:**" in run.out) == ("**What to do:**" in whole) == (words != ("--step", "8")), f"brief {words}: the same verdict, and what to do", run.out)
    run = stepscope("report", path, "--format", "html", "--brief")
    tap.ok(run.status == 2 and "--brief is for md and text" in run.err, "brief: of md and text", run.told())


def test_heads(tap):
    """A head names no unit that its cells do not have; two columns of one quantity stay apart."""
    md = stepscope("report", RESNET, "--format", "md").out
    rows = [line for line in md.splitlines() if line.startswith("| ")]
    heads = [h.strip() for line in rows for h in line.strip("|").split("|") if md.find(line + "\n|---") >= 0]
    tap.ok("device compute" in heads and "dur" in heads, "md: heads are words", heads[:40])
    tap.equal([h for h in heads if re.search(r"_ns|_pct|\bns$|\bpct$", h)], [], "md: no head says ns or pct above 1.5 ms or 30 %")
    twice = [line for line in rows if md.find(line + "\n|---") >= 0 and len(set(line.split("|")[1:-1])) < line.count("|") - 1]
    tap.equal(twice, [], "md: no two heads of a table are the same")
    html = stepscope("report", RESNET, "--format", "html").out
    twice = [t for t in re.findall(r"<thead>.*?</thead>", html) if len(set(re.findall(r">([^<>]+)</th>", t))) < t.count("</th>")]
    tap.equal(twice, [], "html: nor there")


def write_memory(name):
    """100 ms on one GPU of 256 MiB: 32 MiB from 10 ms on, 96 from 50 to 60; the allocator keeps 128 from 50 ms on."""
    MIB = 1 << 20
    events = [event("kernel", "void gemm<half>(float const*)", 7, 0, 100, device=0, stream=7)]
    for at_ms, size, total, held in ((10, 32, 32, 32), (50, 64, 96, 128), (60, -64, 32, 128)):
        events.append({"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 100, "tid": 100, "ts": at_ms * 1000,
                       "args": {"Bytes": size * MIB, "Addr": 4096, "Device Id": 0, "Device Type": 1, "Total Allocated": total * MIB,
                                "Total Reserved": held * MIB}})
    path = scratch(name)
    with open(path, "w") as f:
        json.dump({"schemaVersion": 1, "traceEvents": events,
                   "deviceProperties": [{"id": 0, "name": "GPU", "totalGlobalMem": 256 * MIB}]}, f)
    return path


def test_memory(tap):
    """What is in use over time, what is held beside it, the memory there is, and where the peak is."""
    path = write_memory("memory.json")
    page = stepscope("report", path, "--format", "html").out
    start = page.find('aria-label="memory in use over time"')
    svg = page[page.rfind("<svg", 0, start):page.find("</svg>", start) + 6] if start >= 0 else "<svg/>"
    root = xml.fromstring(svg)
    words = ["".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}text")]
    tap.ok("GPU 0 cuda: peak 96.0 MiB of 256.0 MiB, held up to 128.0 MiB" in words, "memory: the curve says its peak", words)
    paths = [p.get("d") for p in root.iter("{http://www.w3.org/2000/svg}path")]
    # the plot: from 86 over 1100, 100 high down to 150; 256 MiB are the full height
    tap.ok("M86 150H196.0V137.5H636.0V112.5H748.3V137.5H1186V150Z" in paths, "memory: 32 MiB from 10 ms on, 96 from 50 to 60", paths)
    tap.ok("M86 150H86.0V137.5H636.0V100.0H1186V150Z" in paths, "memory: held, before the first record as at that", paths)
    tap.ok("M86 50.0h1100" in paths, "memory: a line at the memory there is", paths)
    for form, fence in (("text", ""), ("md", "```text\n")):
        told = stepscope("report", path, "--format", form, "--ascii").out
        line = re.search(r"^ *GPU 0 cuda \|( +)(\.+)(\S+?)(\.+)\| top 256.0 MiB\n(.*\^.*)\n", told, re.M)
        tap.ok(line and line.group(3) and "peak 96.0 MiB of 256.0 MiB" in line.group(5), f"memory: {form}: a line of blocks, the peak under it",
               told[-3000:])
        rise = line and line.start(3) - line.start() <= line.group(5).find("^") < line.end(3) - line.start()
        tap.ok(rise, f"memory: {form}: the mark stands under the peak", line and line.group())
    tap.ok('aria-label="memory' not in stepscope("report", write_trace("no-memory.json"), "--format", "html").out,
           "memory: no picture where no allocation is recorded")


def main():
    need_program()
    tap = Tap()
    path = write_trace("private-name.json")
    for test in (test_formats, test_svg, test_html, test_markdown, test_json, test_command, test_private, test_output, test_parts, test_brief):
        test(tap, path)
    test_html_tables(tap)
    test_launching_thread(tap)
    test_heads(tap)
    test_devices(tap)
    test_memory(tap)
    test_real(tap)
    tap.done()


main()
