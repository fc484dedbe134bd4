"""What is promised about speed, memory and exactness, one row each, and how each number is made from the measurements."""
import statistics
from collections import namedtuple

BASE_KIB = 64 << 10  # memory that does not grow with the trace
INSTANT_S = 0.05     # a reopened trace that is on the screen by then is fast enough, whatever its import takes


class Missing(Exception):
    """A number that this run cannot give; the text says why."""


NOISY = 0.15         # a yardstick whose own rounds lie further apart measures nothing

# value: what is judged; cpu: the same by CPU time; enough: the aim is reached in another way;
# both: the worse of the two is judged; spread: how far the rounds lie apart; noisy: those of the yardstick too far
Got = namedtuple("Got", "value cpu enough both spread noisy", defaults=(None, False, False, None, False))
# must and aim None: shown, not judged
Goal = namedtuple("Goal", "number what unit must aim how")
# values: of each run; spread: the largest
Row = namedtuple("Row", "number what unit values cpus spread must aim verdict")
# Of two threads against one both sides are the same program: whichever was disturbed, they are measured again.
YARDSTICKS = ("yajl", "simdjson", "libdeflate", "gzip -dc", "protobuf", "Perfetto", "one thread", "two threads")


def get(m, name):
    if name not in m:
        how = {"Perfetto": "PERFETTO=path", "overview": "PERFETTO=path", "odd": "make bench-odd"}.get(name.split()[0], "BIG=1")
        raise Missing("not measured" + (f"; {how} does" if "10" in name or "R64" in name or how != "BIG=1" else ""))
    return m[name]


def ratio(ours, theirs):
    """Of wall times, and of CPU times, which a busy machine disturbs less."""
    def of(m):
        a, b = get(m, ours), get(m, theirs)
        return Got(a.wall_s / b.wall_s, a.cpu_s / b.cpu_s, spread=max(a.spread, b.spread), noisy=is_noisy(theirs, b))
    return of


def is_noisy(name, measured):
    return name.startswith(YARDSTICKS) and measured.spread > NOISY


def one_thread(ours, theirs):
    """Where both sides have one thread, wall and CPU time tell the same unless the machine was busy: neither may flatter."""
    def of(m):
        return ratio(ours, theirs)(m)._replace(both=True)
    return of


def reopen(size):
    """Against the import on as many threads as the program takes by itself."""
    def of(m):
        a, b = get(m, f"reopen {size}"), get(m, f"import {size}")
        return Got(a.wall_s / b.wall_s, a.cpu_s / b.cpu_s, a.wall_s <= INSTANT_S)
    return of


def wall_ms(name):
    def of(m):
        return Got(1e3 * get(m, name).wall_s)
    return of


def per_event(run, key):
    """The highest of all rounds: a median would hide what was needed once."""
    return (max(said[key] for said in run.said) - BASE_KIB) * 1024 / run.median("events")


def written_per_event(name):
    """Pages of files can be dropped; what the process wrote itself counts, in memory and to its temporary file."""
    def of(m):
        run = get(m, name)
        return Got(per_event(run, "peak_anon_kib") + run.median("spilled_kib") * 1024 / run.median("events"))
    return of


def resident_per_event(name):
    def of(m):
        return Got(per_event(get(m, name), "peak_kib"))
    return of


def said(name, key):
    def of(m):
        return Got(get(m, name).median(key))
    return of


def table_times(measured, column):
    """{table: seconds}, the median of its rounds."""
    return {table: statistics.median(said[table][column] for said in measured.said)
            for table in measured.said[0] if table != "n_events"}


def slowest_table(name, column, but=()):
    """In ms. but: tables that have a goal of their own."""
    def of(m):
        return Got(1e3 * max(s for table, s in table_times(get(m, name), column).items() if table not in but))
    return of


def one_table(name, table):
    """Its first rows, in ms."""
    def of(m):
        return Got(1e3 * table_times(get(m, name), 0)[table])
    return of


def beyond(name, base, files=1):
    """Seconds that a face takes beyond opening the same file, or as many of them, one after the other."""
    def of(m):
        a, b = get(m, name), get(m, base)
        return Got(max(0, a.wall_s - files * b.wall_s), max(0, a.cpu_s - files * b.cpu_s), spread=a.spread)
    return of


def mib_beyond(name, base):
    """The highest memory of a face, pages of files included, beyond what the open trace takes by itself in the same run: `notes` opens
    the file, derives, and checks every section of it, as a report does to tell what was lost, and makes a table of a few rows. Numbers of
    events are checked chunk by chunk and not kept: those that a report reads count as its own."""
    def of(m):
        return Got(max(0, max(get(m, name).peak_kib) - min(get(m, base).peak_kib)) / 1024)
    return of


def seconds(name):
    def of(m):
        return Got(get(m, name).wall_s, get(m, name).cpu_s, spread=get(m, name).spread)
    return of


def ns_per_row(name, rows, base):
    """Of a table with all its rows in a file, beyond opening."""
    def of(m):
        n = get(m, rows)["rows"]
        return Got(1e9 * beyond(name, base)(m).value / n, 1e9 * beyond(name, base)(m).cpu / n)
    return of


def odd(place):
    """The worst of all odd traces and faces against an ordinary trace; place 0: time, 1: memory."""
    def of(m):
        return Got(get(m, "odd traces")["worst"][place])
    return of


def saved_per_event(m):
    return Got(get(m, "saved K1")["bytes"] / get(m, "import K1").median("events"))


def saved_share(m):
    return Got(get(m, "saved K1")["bytes"] / get(m, "saved K1")["gz_bytes"])


def first_lane(name):
    def of(m):
        seconds = [said["first_lane_s"] for said in get(m, name).said]
        if None in seconds:
            raise Missing("the trace was loaded before a lane was drawn")
        return Got(sorted(seconds)[len(seconds) // 2])
    return of


def opened(many, one, n):
    """Opening n ranks together against n times one of them."""
    def of(m):
        a, b = get(m, many), get(m, one)
        return Got(a.wall_s / (n * b.wall_s), a.cpu_s / (n * b.cpu_s), spread=max(a.spread, b.spread))
    return of


def opened_by_user_time(many, one, n):
    """The same of the time that the program itself computes: what the kernel takes to find and clear memory is left out."""
    def of(m):
        a, b = get(m, many), get(m, one)
        return Got(a.user_s / (n * b.user_s), spread=max(a.spread, b.spread))
    return of


def gib(name):
    def of(m):
        return Got(max(get(m, name).peak_kib) / 2**20)
    return of


def longest_of(name, tables):
    """Of the tables that a pane asks for first, one after the other."""
    def of(m):
        wall, cpu = (table_times(get(m, name), column) for column in (0, 1))
        return Got(max(wall[t] for t in tables), max(cpu[t] for t in tables))
    return of


COMMS = ("replicas", "collective_steps")  # what the pane of several ranks asks first: it has a bound of its own


def slower_than(many, one):
    """The table that is slowed down most, of those that take longer than a blink; one rank has nothing to tell the pane Comms."""
    def of(m):
        worst = []
        for column in (0, 3):
            a, b = table_times(get(m, many), column), table_times(get(m, one), column)
            worst.append(max(s / max(b[k], INSTANT_S) for k, s in a.items() if k in b and k not in COMMS))
        return Got(*worst)
    return of


def overlaps(ours, counted):
    def of(m):
        return Got(abs(get(m, ours).median("overlaps") - get(m, counted).median("overlaps")))
    return of


GOALS = [Goal(*row) for row in [
    ("1", "JSON import K1, one thread / yajl reading", "x", 1.0, 0.65, one_thread("import K1 -t1", "yajl K1")),
    ("2", "JSON import K1, one thread / simdjson reading", "x", 0.9, 0.55, one_thread("import K1 -t1", "simdjson K1")),
    ("2", "JSON import K1, one thread / simdjson reading in windows", "x", None, None,
     one_thread("import K1 -t1", "simdjson windows K1")),
    ("2", "JSON import K10, one thread / simdjson reading", "x", 0.5, 0.4, one_thread("import K10 -t1", "simdjson K10")),
    ("3", "JSON import K10, two threads / one", "x", 0.70, 0.58, ratio("two threads K10", "one thread K10")),
    ("3", "XSpace import X10, two threads / one", "x", 0.70, 0.58, ratio("two threads X10", "one thread X10")),
    ("4", ".json.gz import K1 / libdeflate alone", "x", 2.0, 1.6, ratio("import K1.gz", "libdeflate K1")),
    ("4", ".json.gz import K1, one thread / libdeflate alone", "x", None, None, ratio("import K1.gz -t1", "libdeflate K1")),
    ("4", ".json.gz import K1 / gzip -dc", "x", 0.6, 0.4, ratio("import K1.gz", "gzip -dc K1")),
    ("5", "XSpace import X1 / protobuf-c unpack", "x", 0.5, 0.2, ratio("import X1", "protobuf-c X1")),
    ("5", "XSpace import X1, one thread / protobuf-c unpack", "x", None, None, ratio("import X1 -t1", "protobuf-c X1")),
    ("5", "XSpace import X1 / protobuf C++ into an arena", "x", None, None, ratio("import X1", "protobuf C++ X1")),
    ("5", "XSpace import X10 / protobuf-c unpack", "x", 0.5, 0.2, ratio("import X10", "protobuf-c X10")),
    ("5", "XSpace import X10, one thread / protobuf-c unpack", "x", None, None, ratio("import X10 -t1", "protobuf-c X10")),
    ("6", "peak memory above 64 MiB with spill, K10, per X event", "B", 80, 60, written_per_event("memory K10")),
    ("6", "peak memory above 64 MiB with spill, X10, per event", "B", 54, 48, written_per_event("memory X10")),
    ("6", "the same, file pages counted, K10", "B", None, None, resident_per_event("memory K10")),
    ("6", "the same, file pages counted, X10", "B", None, None, resident_per_event("memory X10")),
    ("6", "made trace without attributes, 10 M, per event", "B", None, None, resident_per_event("frame 10M")),
    ("6", "made trace without attributes, 100 M, per event", "B", None, None, resident_per_event("frame 100M")),
    ("7", "frame p99, 10 M events", "ms", 33, 8, said("frame 10M", "p99_ms")),
    ("7", "frame p99, 100 M events", "ms", 50, 12, said("frame 100M", "p99_ms")),
    ("7", "bytes of a pan by an eighth, 200x60, 256 colours: median", "B", 6000, 4500, said("frame 10M", "pan_bytes")),
    ("7", "bytes of a pan by an eighth, 200x60, 256 colours: p99", "B", 30000, 15000, said("frame 10M", "pan_p99_bytes")),
    ("7", "bytes of a frame that has nothing in common with the one before", "B", None, None, said("frame 10M", "frame_bytes")),
    ("8", "first 100 rows of the slowest table, K10", "ms", 300, 150, slowest_table("tables K10", 0, but=("findings",))),
    ("8", "those of findings, which have a goal below", "ms", None, None, one_table("tables K10", "findings")),
    ("8", "the same of a 1 % window, K10", "ms", 50, 20, slowest_table("tables K10", 1)),
    ("8", "findings, K10, beyond opening", "s", 0.5, 0.3, beyond("findings K10", "open K10")),
    ("9", "saved file, per event, K1", "B", 16, 11, saved_per_event),
    ("9", "saved file / .json.gz, K1", "x", 0.6, 0.4, saved_share),
    ("10", "reopen to first frame / import, K1 (or 50 ms)", "x", 0.25, 0.15, reopen("K1")),
    ("10", "the same in ms", "ms", None, None, wall_ms("reopen K1")),
    ("10", "reopen to first frame / import on two threads, K10", "x", 0.25, 0.15, ratio("reopen K10", "import K10 -t2")),
    ("11", "time to first picture, K10", "s", 1, 0.3, first_lane("picture K10")),
    ("12", "partial overlaps, K1", "", 0, 0, said("import K1", "overlaps")),
    ("12", "partial overlaps, K10", "", 0, 0, said("import K10 -t2", "overlaps")),
    ("12", "overlaps, JSON in whole us: difference to a second count", "", 0, 0, overlaps("import Km", "counted Km")),
    ("12", "overlaps, XSpace: difference to a second count", "", 0, 0, overlaps("import Xk", "counted Xk")),
    ("12", "overlaps in that XSpace, by the program", "", None, None, said("import Xk", "overlaps")),
    ("12", "overlaps in that XSpace, exact picoseconds", "", None, None, said("counted Xk", "exact")),
    ("13", "catapult-shaped JSON, 300 MB / yajl reading", "x", 0.50, 0.40, ratio("import catapult", "yajl catapult")),
    ("13", "bazel-shaped JSON, 300 MB / yajl reading", "x", 0.50, 0.40, ratio("import bazel", "yajl bazel")),
    ("13", "catapult-shaped JSON, one thread / yajl reading", "x", None, None, ratio("import catapult -t1", "yajl catapult")),
    ("13", "bazel-shaped JSON, one thread / yajl reading", "x", None, None, ratio("import bazel -t1", "yajl bazel")),
    ("14", "report of the biggest gap, K10, beyond opening", "s", 1.0, 0.3, beyond("gap report K10", "open K10")),
    ("14", "memory of that beyond the trace", "MiB", 64, 64, mib_beyond("gap report K10", "notes K10")),
    ("14", "report of the whole, K10, beyond opening", "s", 3.0, 1.5, beyond("report K10", "open K10")),
    ("14", "memory of that beyond the trace", "MiB", 128, 128, mib_beyond("report K10", "notes K10")),
    ("14", "size of that report", "MB", 2, 2, lambda m: Got(get(m, "report size K10")["bytes"] / 1e6)),
    ("14", "diff of two K10, beyond opening both", "s", 3.0, 1.5, beyond("diff K10", "open K10", 2)),
    ("15", "all rows of gaps as CSV, K10, per row", "ns", 1000, 300, ns_per_row("gaps K10", "rows of gaps K10", "open K10")),
    ("15", "all rows of events as CSV, K10, per row", "ns", 1000, 300, ns_per_row("events K10", "rows of events K10", "open K10")),
    ("16", "a real trace repeated to 300 MB / yajl reading", "x", None, None, ratio("import real", "yajl real")),
    ("17", "odd traces, the worst face: time / an ordinary trace's", "x", 3, 2, odd(0)),
    ("17", "the same of memory", "x", 3, 2, odd(1)),
    ("18", "K10 to the overview / Perfetto loading it", "x", 1 / 15, 1 / 20, ratio("overview K10", "Perfetto K10")),
    ("19", "64 ranks of 1 M objects opened / 64 programs that open one each", "x", 1, 0.9, ratio("together R64", "apart R64")),
    ("19", "the same / 64 times one of them, in memory just used", "x", None, None, opened("open R64", "open R1", 64)),
    ("19", "the same by user time: the kernel's clearing of memory left out", "x", None, None,
     opened_by_user_time("open R64", "open R1", 64)),
    ("19", "8 of them opened / 8 times one, both in warm memory", "x", None, None, opened("open R8", "open R1", 8)),
    ("19", "memory of that", "GiB", 8, 5, gib("open R64")),
    ("19", "time to first picture of them", "s", 2, 1, first_lane("picture R64")),
    ("19", "Comms of them: rows of ranks, map of ranks and steps, the longer", "s", 1, 0.5, longest_of("Comms R64", COMMS)),
    ("19", "the table of them that is slowest to K10's", "x", 6.4, 5, slower_than("tables R64", "tables K10 beside R64")),
    ("20", "1,000 summaries merged", "s", 10, 5, seconds("merge 1000")),
    ("20", "who waits for whom of them", "s", None, None, seconds("replicas of 1000")),
    ("21", "10 M allocations: the curve of memory, 480 points", "s", 0.033, 0.016, longest_of("memory A10", ("memory_curve",))),
    ("21", "10 M allocations: what is in use at the peak", "s", 0.3, 0.1, longest_of("memory A10", ("memory_peak",))),
    ("21", "the same as the first question, all of them replayed", "s", 1, 0.5, longest_of("first memory A10", ("memory_peak",))),
    ("22", "1 M rows of Nsight Systems / sqlite3 selecting all", "x", 2.5, 1, ratio("import N1", "select N1")),
    ("22", "10 M rows of Nsight Systems / sqlite3 selecting all", "x", 2.5, 1, ratio("import N10", "select N10")),
]]


def judged(got):
    return max(got.value, got.cpu) if got.both else got.value


def verdict(goal, gots):
    """The worst of all runs counts."""
    if goal.must is None:
        return "shown"
    if any(got.noisy for got in gots):
        return "noisy"
    if any(judged(got) > goal.must and not got.enough for got in gots):
        return "MISSED"
    return "aim" if all(judged(got) <= goal.aim or got.enough for got in gots) else "must"


def judge_one(goal, runs):
    try:
        gots = [goal.how(m) for m in runs]
    except Missing as why:
        return Row(goal.number, goal.what, goal.unit, [], [], None, goal.must, goal.aim, str(why))
    return Row(goal.number, goal.what, goal.unit, [g.value for g in gots], [g.cpu for g in gots if g.cpu is not None],
               max((g.spread for g in gots if g.spread is not None), default=None), goal.must, goal.aim, verdict(goal, gots))


def judge(runs):
    """One Row per goal from the measurements of each run."""
    return [judge_one(goal, runs) for goal in GOALS]
