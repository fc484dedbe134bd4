"""What is promised about speed and memory, one row each, and how each number is made from the measurements."""
BASE_KIB = 64 << 10  # memory that does not grow with the trace


class Missing(Exception):
    """A number that this run cannot give; the text says why."""


def get(m, name):
    if name not in m:
        raise Missing(f"{name} was not measured" + ("; BIG=1 does" if "10" in name or "100M" in name else ""))
    return m[name]


def ratio(ours, theirs):
    """Of wall times, and of CPU times, which a busy machine disturbs less."""
    def of(m):
        a, b = get(m, ours), get(m, theirs)
        return a.wall_s / b.wall_s, a.cpu_s / b.cpu_s
    return of


def import_seconds(m, name):
    return get(m, name).wall_s


def bytes_per_event(name):
    def of(m):
        run = get(m, name)
        return (max(run.peak_kib) - BASE_KIB) * 1024 / run.median("events"), None
    return of


def said(name, key):
    def of(m):
        return get(m, name).median(key), None
    return of


def slowest_table(name, column):
    """In ms; the name of the slowest one is told in the notes."""
    def of(m):
        return 1e3 * max(v[column] for k, v in get(m, name).said[0].items() if k != "n_events"), None
    return of


def saved_per_event(m):
    return get(m, "saved K1")["bytes"] / get(m, "import K1").median("events"), None


def saved_share(m):
    return get(m, "saved K1")["bytes"] / get(m, "saved K1")["gz_bytes"], None


def first_lane(name):
    def of(m):
        seconds = [said["first_lane_s"] for said in get(m, name).said]
        if None in seconds:
            raise Missing("the trace was loaded before a lane was drawn")
        return sorted(seconds)[len(seconds) // 2], None
    return of


def overlaps(ours, counted):
    def of(m):
        return abs(get(m, ours).median("overlaps") - get(m, counted).median("overlaps")), None
    return of


def threads_ratio(m):
    raise Missing("this version imports on one thread")


# number, what, unit, must, aim, how
GOALS = [
    ("1", "JSON import K1, one thread / yajl reading", "x", 1.0, 0.65, ratio("import K1", "yajl K1")),
    ("2", "JSON import K1 / simdjson reading", "x", 0.9, 0.55, ratio("import K1", "simdjson K1")),
    ("2", "JSON import K10 / simdjson reading", "x", 0.5, 0.4, ratio("import K10", "simdjson K10")),
    ("3", "JSON import K10, two threads / one", "x", 0.70, 0.58, threads_ratio),
    ("4", ".json.gz import K1 / libdeflate alone", "x", 2.0, 1.6, ratio("import K1.gz", "libdeflate K1")),
    ("4", ".json.gz import K1 / gzip -dc", "x", 0.6, 0.4, ratio("import K1.gz", "gzip -dc K1")),
    ("5", "XSpace import X1 / protobuf-c unpack", "x", 0.5, 0.2, ratio("import X1", "protobuf-c X1")),
    ("5", "XSpace import X10 / protobuf-c unpack", "x", 0.5, 0.2, ratio("import X10", "protobuf-c X10")),
    ("6", "peak memory above 64 MiB, K10, per X event", "B", 80, 56, bytes_per_event("import K10")),
    ("6", "peak memory above 64 MiB, X10, per event", "B", 64, 48, bytes_per_event("import X10")),
    ("7", "frame p99, 10 M events", "ms", 33, 8, said("frame 10M", "p99_ms")),
    ("7", "frame p99, 100 M events", "ms", 50, 12, said("frame 100M", "p99_ms")),
    ("8", "slowest table of the whole trace, K10", "ms", 1000, 300, slowest_table("tables K10", 0)),
    ("8", "slowest table of a 1 % window, K10", "ms", 100, 20, slowest_table("tables K10", 1)),
    ("9", "saved file, per event, K1", "B", 16, 11, saved_per_event),
    ("9", "saved file / .json.gz, K1", "x", 0.6, 0.4, saved_share),
    ("10", "reopen to first frame / import, K1", "x", 0.25, 0.15, ratio("reopen K1", "import K1")),
    ("11", "time to first picture, K10", "s", 1, 0.3, first_lane("picture K10")),
    ("12", "partial overlaps, K1", "", 0, 0, said("import K1", "overlaps")),
    ("12", "partial overlaps, K -m: difference to a second counter", "", 0, 0, overlaps("import Km", "counted Km")),
]


def verdict(value, must, aim):
    return "aim" if value <= aim else "must" if value <= must else "MISSED"


def judge(m):
    """Rows for the table: number, what, measured, by CPU time, must, aim, verdict."""
    rows = []
    for number, what, unit, must, aim, how in GOALS:
        try:
            value, cpu = how(m)
        except Missing as why:
            rows.append((number, what, "-", "", must, aim, str(why)))
            continue
        rows.append((number, what, f"{value:.3g} {unit}".strip(), f"{cpu:.3g} x" if cpu is not None else "", must, aim,
                     verdict(value, must, aim)))
    return rows
