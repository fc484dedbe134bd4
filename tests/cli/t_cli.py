"""The command line: exit codes, errors in one sentence with a hint, help, tables in every format, pipes; and that the
manual page and the completions know exactly what the program knows."""
import csv
import fcntl
import io
import json
import os
import pty
import re
import shlex
import signal
import struct
import subprocess
import sys
import termios

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import OUT, ROOT, STEPSCOPE, TRACES, Tap, corpus, need_program, scratch, stepscope, table  # noqa: E402

TRACE = os.path.join(HERE, "../golden/small/two_steps.json")
COMMANDS = ["report", "export", "table", "notes", "findings", "brief", "diff", "pack", "summarize", "watch", "run", "record", "attach", "trigger",
            "doctor", "dump"]


def refused(tap, args, words, hint=None, status=2):
    run = stepscope(*args)
    lines = run.err.splitlines()
    one_sentence = len(lines) == (2 if hint else 1) and lines[0].startswith("stepscope: ")
    good = run.status == status and run.out == "" and one_sentence and words in run.err and (not hint or hint == lines[1])
    tap.ok(good, f"{' '.join(map(str, args)) or 'no argument'}: {words}"[:110], f"{run.told()}\nstdout: {run.out[:200]}")


def test_usage(tap):
    refused(tap, ["tabel", "gaps", TRACE], "'tabel' is neither a file nor a command; did you mean 'table'?", "try 'stepscope --help'")
    refused(tap, ["slice", TRACE], "'slice' is neither a file nor a command of this version", "try 'stepscope --help'")
    refused(tap, ["run"], "wants a command after --", "try 'stepscope run --help'")
    refused(tap, ["record", "--", "true"], "record wants the file to write")
    refused(tap, ["doctor", "now"], "takes options only", "try 'stepscope doctor --help'")
    refused(tap, ["record", "-o", TRACE, "--", "true"], "exists; --force overwrites it", status=5)
    refused(tap, ["record", "-o", scratch("r"), "--keep", "much", "--", "true"], "--keep wants an amount")
    refused(tap, ["record", "-o", scratch("r"), "--kinds", "kernel,x", "--", "true"], "--kinds knows no 'x'")
    refused(tap, ["attach", "x", "-o", scratch("r")], "attach wants process ids")
    refused(tap, ["attach", "999999999", "-o", scratch("r")], "there is no process")
    refused(tap, ["attach", str(os.getpid()), "-o", scratch("r")], "is not armed")
    refused(tap, ["attach", str(os.getpid()), "--graft"], "there is no option '--graft'", "try 'stepscope attach --help'")
    refused(tap, ["table"], "wants the name of a table", "try 'stepscope table --help'")
    refused(tap, ["table", "gaps"], "wants a trace", "try 'stepscope table --help'")
    refused(tap, ["report", TRACE, "--frmat", "md"], "did you mean '--format'?", "try 'stepscope report --help'")
    refused(tap, ["--wibble", TRACE], "there is no option '--wibble'", "try 'stepscope --help'")
    refused(tap, ["-x", TRACE], "there is no option '-x'", "try 'stepscope --help'")
    refused(tap, ["table", "gaps", TRACE, "--theme", "dark"], "--theme has no meaning for 'stepscope table'",
            "try 'stepscope table --help'")
    refused(tap, ["report", TRACE, "--step", "41", "--gap", "0"], "choose one of", "try 'stepscope report --help'")
    refused(tap, ["report", TRACE, "--format"], "--format wants a value", "try 'stepscope report --help'")
    refused(tap, ["--quiet=yes", TRACE], "--quiet takes no value", "try 'stepscope --help'")
    refused(tap, [TRACE, "--semantics", "guess"], "one of: stepscope xprof hta kineto", "try 'stepscope --help'")
    refused(tap, ["--json", TRACE], "--json has no meaning", "try 'stepscope --help'")


def test_requests(tap):
    refused(tap, ["table", "gap", TRACE], "there is no table 'gap'; did you mean 'gaps'?")
    refused(tap, ["table", "steps", TRACE, "--by", "type"], "--by has no meaning for the table 'steps'; it is for: gaps ops roofline kernels launches memory_peak tiny_ops")
    refused(tap, ["table", "gaps", TRACE, "--every-k", "5"], "--every-k has no meaning for the table 'gaps'; it is for: gap_groups")
    refused(tap, ["table", "everything", TRACE], "there is no table 'everything'; 'stepscope table --help' lists all")
    refused(tap, ["table", "gaps", TRACE, "--sort", "dur"], "columns: gap, scope")
    refused(tap, ["table", "gaps", TRACE, "--sort", "dur_ns:up"], "asc or desc")
    refused(tap, ["table", "gaps", TRACE, "--format", "yaml"], "text, csv, json, jsonl or md")
    for command in (["table", "gaps"], ["notes"], ["findings"]):
        refused(tap, command + [TRACE, "--spreadsheet"], "--spreadsheet is for CSV: add --format csv")
    refused(tap, ["report", TRACE, "--spreadsheet"], "--spreadsheet has no meaning for 'stepscope report'", "try 'stepscope report --help'")
    refused(tap, ["table", "gaps", TRACE, "--top", "-1"], "--top wants a whole number, 0 for all")
    refused(tap, ["table", "gaps", TRACE, "--top", "many"], "--top wants a whole number")
    refused(tap, ["table", "gaps", TRACE, "--threads", "-1"], "--threads wants a whole number")
    refused(tap, ["table", "events", TRACE, "--filter", "name=/(/"], "filter")
    refused(tap, ["report", TRACE, "--window", "soon"], "write 12.5ms..20ms, step:8")
    refused(tap, ["report", TRACE, "--window", "5s..6s"], "outside the trace")
    refused(tap, ["report", TRACE, "--gap", "99"], "there is no gap '99'")
    short = scratch("short_gap.json")
    with open(short, "w") as f:
        json.dump([{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": ts, "dur": 1, "args": {"device": 0, "stream": 7}}
                   for ts in (0, 1.5)], f)
    refused(tap, ["report", short, "--gap", "biggest"], "no device is idle for 1 us or more; this trace has gap 0 to 1")
    alone = scratch("alone.json")
    with open(alone, "w", encoding="utf-8") as f:
        f.write('[{"ph": "X", "name": "build", "pid": 1, "tid": 1, "ts": 1, "dur": 5}]')
    refused(tap, ["report", alone, "--gap", "biggest"], "neither devices nor steps are recorded; --steps-by REGEX makes steps of events")
    refused(tap, ["report", TRACE, "--step", "7"], "7")
    refused(tap, ["report", TRACE, "--format", "pdf"], "md, html, svg, json or text")
    refused(tap, ["report", TRACE, "-o", scratch("x.pdf")], "cannot tell the format")
    refused(tap, ["table", "gaps", scratch("nothing.json")], "nothing.json: No such file", status=3)
    refused(tap, ["table", "gaps", os.path.join(HERE, "t_cli.py")], "t_cli.py", status=3)


def test_spreadsheet(tap):
    """No name of a trace runs as a formula where that was asked for; otherwise CSV is exact."""
    names = ["=1+1", "+x", "-x", "@x", "plain"]
    path = scratch("formulas.json")
    with open(path, "w") as f:
        json.dump([{"ph": "X", "name": n, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 1} for i, n in enumerate(names)], f)

    def read(*options):
        run = stepscope("table", "events", path, "--format", "csv", *options)
        return [row["name"] for row in csv.DictReader(io.StringIO(run.out))]
    tap.equal(read(), names, "CSV holds the names as they are")
    tap.equal(read("--spreadsheet"), ["'" + n if n[0] in "=+-@" else n for n in names], "--spreadsheet makes texts of formulas")
    for command in ("notes", "findings"):
        run = stepscope(command, TRACE, "--format", "csv", "--spreadsheet", "--quiet")
        tap.ok(run.status in (0, 1) and csv.reader(io.StringIO(run.out)), f"{command} takes --spreadsheet", run.told())


def test_partly(tap):
    with open(TRACE) as f:
        text = f.read()
    path = scratch("cut.json")
    with open(path, "w") as f:
        f.write(text[:text.rindex('"name"') + 9])
    run = stepscope("table", "trace", path)
    tap.ok(run.status == 4 and run.out and "read only in part" in run.err, "a cut file: exit 4, data, and a word on stderr",
           run.told())
    run = stepscope("table", "trace", path, "--quiet")
    tap.ok(run.status == 4 and run.out and run.err == "", "--quiet keeps the exit code and drops the word", run.told())
    run = stepscope("notes", path, "--format", "csv")
    tap.ok(re.search(r"^[a-z_]+,lost,1,", run.out, re.M), "the notes tell what was lost", run.out)


def test_names(tap):
    name = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >(int, float*)"
    path = scratch("names.json")
    with open(path, "w") as f:
        json.dump([{"ph": "X", "cat": "kernel", "name": n, "ts": t, "dur": 10, "pid": 0, "tid": 7,
                    "args": {"device": 0, "stream": 7}} for t, n in ((0, name), (100, "_ZN5aiter3addILi4EEEvPf"))], f)

    def names(*options, fmt="csv"):
        run = stepscope("table", "kernels", path, "--format", fmt, *options)
        rows = list(csv.DictReader(io.StringIO(run.out))) if fmt == "csv" else run.out.splitlines()[1:]
        return sorted(r["name"] if fmt == "csv" else re.split("  +", r)[0] for r in rows)

    short = ["add<4>", "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>>"]
    tap.equal(names(), ["_ZN5aiter3addILi4EEEvPf", name], "CSV: names as recorded")
    tap.equal(names(fmt="text"), short, "text: short names")
    tap.equal(names("--names", "short"), short, "--names short in CSV, too")
    tap.equal(names("--names", "full"), ["void aiter::add<4>(float*)", name], "--names full: readable")
    tap.equal(names("--names", "family"), ["elementwise", "other"], "--names family")
    folder = scratch("config", "stepscope")
    os.makedirs(folder, exist_ok=True)
    own = os.path.join(folder, "families.rules")
    with open(own, "w") as f:
        f.write("[kernel]\ngemm begins aiter::add\n")
    tap.equal(names("--names", "family"), ["elementwise", "gemm"], "a family of one's own, from the config directory")
    with open(own, "w") as f:
        f.write("[kernel]\nproduct has gemm\n")
    refused(tap, ["table", "kernels", path], "families.rules, line 2: unknown family 'product'")
    os.remove(own)
    refused(tap, ["table", "kernels", path, "--names", "long"], "one of: full short family", "try 'stepscope table --help'")


def test_tables(tap):
    rows = {form: stepscope("table", "gaps", TRACE, "--format", form) for form in ("text", "csv", "json", "md")}
    tap.equal([r.status for r in rows.values()], [0] * 4, "a table in four formats")
    data = json.loads(rows["json"].out)
    lines = list(csv.DictReader(io.StringIO(rows["csv"].out)))
    names = [c["name"] for c in data["columns"]]
    tap.equal(list(lines[0]), names, "CSV and JSON have the same columns")
    at = names.index("dur_ns")
    tap.equal([int(r["dur_ns"]) for r in lines], [r[at] for r in data["rows"]], "and the same ns")
    keys = {"schema", "name", "source", "window_ns", "columns", "rows", "evidence"}
    tap.ok(keys <= set(data) and data["schema"] == "stepscope.table/1", "JSON has the shape scripts rely on", list(data))
    tap.equal({tuple(sorted(c)) for c in data["columns"]}, {("help", "name", "type", "unit")}, "columns say type, unit, help")

    def order(*args):
        run = stepscope("table", "events", TRACE, "--format", "csv", *args)
        return [int(r["dur_ns"]) for r in csv.DictReader(io.StringIO(run.out))]
    up = order("--sort", "dur_ns")
    tap.equal(up, sorted(up), "--sort COL: smallest first")
    tap.equal(order("--sort", "-dur_ns"), sorted(up, reverse=True), "--sort -COL: largest first")
    tap.equal(order("--sort", "dur_ns:desc"), sorted(up, reverse=True), "--sort COL:desc too")
    tap.equal(order("--sort=-dur_ns", "--top", "2"), sorted(up, reverse=True)[:2], "--top N")
    tap.equal(len(order("--filter", "kind=kernel")), 2, "--filter")
    tap.equal(len(order("--filter", "kind=kernel", "--step", "41")), 1, "--step cuts the table to the step")


def on_terminal(*args):
    """What the command prints where stdout is a terminal of 200 columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
    process = subprocess.Popen([STEPSCOPE, *args], stdout=slave, stderr=subprocess.DEVNULL)
    os.close(slave)
    said = []
    while True:
        try:
            said.append(os.read(master, 1 << 16))
        except OSError:
            break
        if not said[-1]:
            break
    os.close(master)
    process.wait()
    return b"".join(said).decode().replace("\r\n", "\n")


def test_long_tables(tap):
    """Text on a terminal ends where nobody reads on, and says so; everything else has all rows."""
    long = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
    rows = stepscope("table", "events", long).out.count("\n") - 1
    tap.ok(rows > 3000, "a pipe gets all rows", rows)
    shown = on_terminal("table", "events", long)
    first, told = shown.split("\n\n")[0], [line for line in shown.splitlines() if line.startswith("the first")]
    tap.equal((first.count("\n"), told), (1000, [f"the first 1,000 of {rows:,} rows (--top 0: all)"]), "a terminal the first, and how many there are")
    every = on_terminal("table", "events", long, "--top", "0")
    tap.ok(every.count("\n") > rows and "the first" not in every, "--top 0: all of them there, too", every[-300:])
    data = on_terminal("table", "events", long, "--format", "csv")
    tap.equal(data.count("\n"), rows + 1, "data is never cut")
    few = on_terminal("table", "steps", long)
    tap.ok("the first" not in few, "nothing is said of a table that is shown whole", few)


def test_pipes(tap):
    with open(TRACE, "rb") as f:
        data = f.read()
    file, pipe = stepscope("table", "steps", TRACE, "--format", "csv"), stepscope("table", "steps", "-", "--format", "csv", stdin=data)
    strip = [re.sub(r",(two_steps|stdin|-|)(?=,)", ",", t) for t in (file.out, pipe.out)]
    tap.ok(pipe.status == 0 and strip[0] == strip[1], "stdin gives the same table as the file", f"{pipe.told()}\n{pipe.out}")
    process = subprocess.Popen([STEPSCOPE, "table", "events", TRACE, "--format", "csv"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    process.stdout.close()
    process.wait()
    said = process.stderr.read()
    tap.ok(process.returncode in (0, -signal.SIGPIPE) and said == b"", "a reader that went away is no error",
           f"{process.returncode} {said}")
    with open("/dev/full", "w") as full:
        done = subprocess.run([STEPSCOPE, "table", "events", TRACE], stdout=full, stderr=subprocess.PIPE)
    tap.ok(done.returncode == 5 and b"cannot write to stdout: No space left" in done.stderr, "a full disk is", done)
    folder = scratch("named")
    os.makedirs(folder)
    for name in ("table", "-odd"):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
    run = stepscope("./table", cwd=folder)
    tap.ok(run.status == 0 and "Ledger" in run.out, "a file named like a command: ./table", run.told())
    run = stepscope("table", "steps", "--format", "csv", "--", "-odd", cwd=folder)
    tap.ok(run.status == 0 and "ProfilerStep" in run.out, "a file that begins with a dash: -- -odd", run.told())
    run = stepscope("--", "table", cwd=folder)
    tap.ok(run.status == 0 and "Ledger" in run.out, "behind -- nothing is a command", run.told())


def test_overview(tap):
    for env, what in (({}, "UTF-8"), ({"LC_ALL": "C"}, "the C locale")):
        run = stepscope(TRACE, env=env)
        wide = [line for line in run.out.splitlines() if len(line) > 80]
        parts = [w for w in ("Busy", "Steps", "Gaps", "Kernels", "Ledger", "Next") if f"\n{w}" not in run.out]
        tap.ok(run.status == 0 and not wide and not parts, f"the text overview fits 80 columns in {what}", (wide, parts, run.told()))
        if env:
            tap.ok(run.out.isascii(), "and is ASCII there", run.out)
    tap.ok("41 -> 42 GPU 0" in run.out and "1.204 ms" in run.out, "it names the gap between the steps", run.out)


def options_of(text):
    return set(re.findall(r"^ {2}(?:-\w, )?--([a-z-]+)", text, re.M))


def tables_of(text):
    return re.findall(r"^  (\w+) ", text.split("\nTables:\n")[1].split("\n\n")[0], re.M)


def test_near_misses(tap):
    """What people type first is answered, or told how it is written."""
    refused(tap, ["kernels", TRACE], "'kernels' is a table: 'stepscope table kernels TRACE' prints it", "try 'stepscope --help'")
    refused(tap, ["pack", TRACE, "-o", scratch("s.json")], "pack writes .stepscope files, not .json")
    tap.equal(stepscope("help", "table").out, stepscope("table", "--help").out, "help table is table --help")
    tap.equal(stepscope("help").out, stepscope("--help").out, "help is --help")
    steps = json.loads(stepscope("table", "steps", TRACE, "--format", "json").out)["rows"]
    for word, row in (("last", steps[-1]), ("slowest", max(steps, key=lambda r: r[6]))):
        got = json.loads(stepscope("table", "steps", TRACE, "--step", word, "--format", "json").out)["rows"]
        tap.equal([r[0] for r in got], [row[0]], f"--step {word}")
    for ending, form in ((".csv", "csv"), (".json", "json"), (".md", "md"), (".txt", "text")):
        path = scratch("gaps" + ending)
        run = stepscope("table", "gaps", TRACE, "-o", path)
        tap.ok(run.status == 0 and run.out == "" and open(path).read() == stepscope("table", "gaps", TRACE, "--format", form).out,
               f"table -o gaps{ending}: what --format {form} prints", run.told())
    refused(tap, ["table", "gaps", TRACE, "-o", scratch("gaps.csv")], "exists; --force overwrites it", status=5)
    refused(tap, ["table", "gaps", TRACE, "-o", scratch("gaps.xls")], "add --format text, csv, json, jsonl or md")
    tap.equal(stepscope("table", "gaps", TRACE, "-o", "-").out, stepscope("table", "gaps", TRACE).out, "-o - is stdout")
    run = stepscope("table", TRACE)
    tap.equal([line.split()[0] for line in run.out.splitlines()], tables_of(stepscope("--help", "all").out), "table TRACE lists the tables")


def test_brief(tap):
    """brief: the findings' own words and numbers, never more than 4 kB."""
    for path in sorted(set([TRACE] + [os.path.join(TRACES, p) for p in corpus() if "-b" in p or "xspace" in p])):
        run, found = stepscope("brief", path, "--json"), stepscope("table", "findings", path, "--format", "json")
        if run.status == 3:
            continue
        said, rows = json.loads(run.out), json.loads(found.out)["rows"]
        name = os.path.basename(path)
        tap.ok(len(run.out.encode()) <= 4096 and len(stepscope("brief", path).out.encode()) <= 4096, f"brief {name}: at most 4 kB")
        windows, span_ns = [f["window_ns"] for f in said["findings"] if "--window" in f["next"]], int(table("trace", path).keyed()["span_ns"])
        tap.ok(all(b - a <= span_ns / 2 for a, b in windows), f"brief {name}: no window to look at is most of the trace", windows)
        text = stepscope("brief", path).out
        words = [shlex.split(line.split(None, 1)[1])[1:] for line in text.splitlines() if line.startswith("next  ") and " report " in line]
        for w in words[:1]:
            third = stepscope(*w)
            tap.ok(third.status in (0, 4) and 0 < len(third.out) < 2000, f"brief {name}: what to run next is short, too", third.told())
        tap.ok(re.search(r"^busy +.*\d %", text, re.M) and ("tpu" in name or re.search(r"^top kernel +[\d.]+ % of the kernel time: ", text, re.M)), f"brief {name}: how busy, with what", text)
        tap.equal([f["rule"] for f in said["findings"]], [r[0] for r in rows[:3]], f"brief {name}: the first three findings")
        tap.ok(all(f["sentence"] in (s := r[4]) or f["sentence"].endswith("...") for f, r in zip(said["findings"], rows)),
               f"brief {name}: in their words")


def test_brief_without_device(tap):
    """Nothing to warn of is not all there is to say where no device work is recorded."""
    path = scratch("host.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"traceEvents": [{"ph": "X", "name": "load", "cat": "cpu_op", "pid": 1, "tid": 1, "ts": 0, "dur": 100}]}, f)
    said = stepscope("brief", path).out
    tap.ok("cannot tell: no device work is recorded" in said and "table tracks" in said and "kernel_families" not in said, "brief: no device work", said)
    path = scratch("any.json")
    with open(path, "w") as f:
        json.dump([{"ph": "X", "name": n, "pid": 1, "tid": 1, "ts": ts, "dur": dur} for n, ts, dur in (("main", 0, 100), ("sleep", 10, 60))], f)
    said = stepscope("brief", path).out
    tap.ok("60.0 % of the time of threads: sleep" in said and not re.search("GPU|CUPTI|^busy|^step", said, re.M), "brief: nobody who measures devices wrote it", said)


def test_help(tap):
    whole = stepscope("--help")
    tap.ok(whole.status == 0 and whole.err == "" and whole.out.startswith("Usage: stepscope "), "--help", whole.told())
    for command in COMMANDS:
        one = stepscope(command, "--help")
        tap.ok(one.status == 0 and one.out.startswith(f"Usage: stepscope {command} "), f"{command} --help", one.told())
        tap.ok(all(len(line) <= 90 for line in one.out.splitlines()), f"{command} --help fits a terminal")
    tap.equal(stepscope("-h").out, whole.out, "-h is the same")
    begin = re.findall(r"^  (\w+) ", whole.out.partition("Tables to begin with")[2].partition("\nOptions")[0], re.M)
    tap.ok(len(begin) == 10 and set(begin) <= set(tables_of(stepscope("--help", "all").out)), "--help tells of ten tables", begin)
    tap.ok(len(whole.out.splitlines()) < 90 and "--help all" in whole.out, "--help is short, and says where the rest is", len(whole.out.splitlines()))
    tap.ok("stepscope brief TRACE" in whole.out, "and what to begin with")
    for words in (("help", "gaps"), ("table", "gaps", "--help"), ("gaps", "--help")):
        one = stepscope(*words)
        columns = re.findall(r"^  (\w+)", one.out.partition("Columns:\n")[2].partition("\nOptions")[0], re.M)
        tap.equal((one.status, columns), (0, table("gaps", TRACE).columns), f"{' '.join(words)}: its columns")
    tap.ok("--by module" in stepscope("help", "ops").out or "module" in stepscope("help", "ops").out.partition("--by ")[2].partition("\n")[0], "and how it can be grouped")
    refused(tap, ["help", "tabel"], "did you mean 'table'?", "try 'stepscope --help'")
    refused(tap, ["help", "wibble"], "'wibble' is neither a table nor a command", "try 'stepscope --help'")
    tap.ok(re.fullmatch(r"stepscope \d+\.\d+\.\d+\n", stepscope("--version").out), "--version")
    version = json.loads(stepscope("--version", "--json").out)
    tap.equal(version["tables"], tables_of(stepscope("help", "all").out), "--version --json knows the tables")
    tap.equal(stepscope("-V").out, f"stepscope {version['version']}\n", "-V")


def bound_keys():
    """The rows of the list of keys that `?` shows: how they are written, what they do."""
    with open(os.path.join(ROOT, "tui/keys/keymap.h")) as f:
        rows = re.findall(r'_\((\w+), +\w+, +"([^"]*)", +"[^"]*", +"([^"]+)"\)', f.read().split("#define KEYS(_)")[1])
    with open(os.path.join(ROOT, "tui/keys/tab_list.h")) as f:
        panes = re.findall(r'\(_, +\w+, +\w+, +"([^"]+)",.*"([^"]+)"\)', f.read())
    return [(keys, help) for scope, keys, help in rows if scope not in ("LOADING", "PROMPT")] + panes


def test_exit_codes(tap):
    """A command's help names the codes that it can have, no others."""
    codes = {c: re.search(r"Exit code: (.*)\.$", stepscope(c, "--help").out, re.S).group(1).replace("\n", " ") for c in COMMANDS}
    tap.equal({c for c in COMMANDS if ", 1 " in codes[c]}, {"findings", "diff", "attach", "doctor"}, "exit code 1 is told where there is one")
    tap.equal({c for c in COMMANDS if codes[c].startswith("that of the command")}, {"run", "record"}, "run and record end as their command")
    tap.equal({c for c in COMMANDS if "read only in part" in codes[c]},
              {"report", "export", "table", "notes", "findings", "brief", "diff", "pack", "summarize", "watch", "dump"},
              "those that open files may read them in part")


def test_documents(tap):
    helps = {c: stepscope("help", c or "all").out for c in [""] + COMMANDS}
    options, tables = set().union(*map(options_of, helps.values())), tables_of(helps[""])
    with open(os.path.join(OUT, "doc/stepscope.1")) as f:
        page = f.read().replace("\\-", "-")
    section = page.split(".SH OPTIONS")[1].split(".SH TABLES")[0]
    tap.equal(set(re.findall(r"--([a-z][a-z-]+)", section)) & options, options, "the manual knows every option")
    heads = re.findall(r"^\.TP\n(\\fB-.*)$", section, re.M)
    tap.equal(sorted(re.search(r"--([a-z-]+)", h)[1] for h in heads), sorted(options), "each once, and no other")
    tap.equal(re.findall(r"^\.TP\n\.B (\w+)$", page.split(".SH COMMANDS")[1].split(".SH OPTIONS")[0], re.M), COMMANDS, "the manual knows the commands")
    tap.equal(re.findall(r"^\.B (\w+)$", page.split(".SH TABLES")[1].split("\n.SH ")[0], re.M), tables,
              "the manual knows the tables, in order")
    plain = page.replace("\\(aq", "'").replace("\\&", "")
    missing = [keys for keys, help in bound_keys() if f".B {keys}\n{help}\n" not in plain]
    tap.equal(missing, [], "the manual knows every key")
    tap.ok(all(f"\n.B :{word}" in plain for word in ("goto TIME", "screenshot FILE.svg", "save FILE")), "and what can be typed behind a colon")
    for name in ("stepscope.bash", "_stepscope", "stepscope.fish"):
        with open(os.path.join(OUT, "doc", name)) as f:
            text = f.read()
        known = set(re.findall(r" -l ([a-z-]+)", text.split("\ncomplete ", 1)[1])) if name.endswith("fish") else set(re.findall(r"--([a-z][a-z-]+)", text))
        tap.equal(known, options, f"{name} knows the options")
        tap.ok(" ".join(tables) in text, f"{name} knows the tables")
        tap.ok(all(re.search(rf"\b{c}\b", text) for c in COMMANDS), f"{name} knows the commands")


def complete(line):
    words = line.split(" ")
    script = f"""source {os.path.join(OUT, 'doc/stepscope.bash')}
COMP_WORDS=({' '.join(repr(w) for w in words)}); COMP_CWORD={len(words) - 1}; _stepscope; printf '%s\\n' "${{COMPREPLY[@]}}\""""
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True).stdout.split()


def words_by(name):
    """What the program itself names when the word is wrong."""
    said = stepscope("table", name, TRACE, "--by", "nonsense").err
    return re.findall(r"\w+", said.split("by ")[1].split(", not ")[0].replace(" or ", " "))


def test_bash(tap):
    tap.equal(complete("stepscope re"), ["report", "record"], "bash completes a command")
    tap.equal(complete("stepscope table g"), ["graphs", "graph_kernels", "gaps", "gap_groups", "gpu_metrics"], "a table")
    tap.equal(complete("stepscope report x --format h"), ["html"], "a format of the report")
    tap.equal(complete("stepscope table gaps x --format h"), [], "which is none of a table")
    tap.equal(complete("stepscope table gaps x --so"), ["--sort"], "an option of the command")
    tap.equal(complete("stepscope table ops x --by m"), ["module"], "a word to group by")
    tap.equal(complete("stepscope table launches x --by "), words_by("launches"), "the words of that table")
    tap.equal(complete("stepscope --theme l"), ["light"], "a theme")
    tap.equal(complete("stepscope --quiet table str"), ["streams"], "behind options too")


def main():
    need_program()
    tap = Tap()
    for test in (test_usage, test_requests, test_spreadsheet, test_partly, test_names, test_tables, test_long_tables, test_pipes, test_overview, test_help, test_near_misses, test_brief, test_brief_without_device, test_exit_codes, test_documents,
                 test_bash):
        test(tap)
    tap.done()


main()
