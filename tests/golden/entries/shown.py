"""What the program shows of a file, asked for once for all modules: the table of events, and the facts of the trace. Not to be changed."""
import csv
import functools
import io
import operator

from harness import TableError, stepscope, table

COLUMNS = ("kind", "name", "start_ns", "dur_ns", "corr", "step")


@functools.lru_cache(1)
def events(path):
    """Rows as dicts of texts, these columns only."""
    run = stepscope("table", "events", path, "--format", "csv")
    if run.status not in (0, 4):
        raise TableError(run.told())
    rows = csv.reader(io.StringIO(run.out))
    head = next(rows)
    pick = operator.itemgetter(*map(head.index, COLUMNS))
    return [dict(zip(COLUMNS, pick(row))) for row in rows]


@functools.lru_cache(1)
def facts(path):
    return table("trace", path).keyed()
