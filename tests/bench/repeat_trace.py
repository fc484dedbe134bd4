"""repeat_trace.py IN.json[.gz] MB - the events of a real trace again and again to stdout, until there are so many MB: files as large as
those of generators, as odd as real ones. The text stays as its producer wrote it, but each round is later by what the trace lasts, and
its ids (correlation, External id, flows) are apart from those before."""
import gzip
import json
import re
import sys

TIME = re.compile(rb'("ts":\s*)(\d+)')
JOIN = re.compile(rb'("(?:correlation|External id|Ev Idx|id)":\s*)(\d+)')


def split(text):
    """What stands before the first event, the events, what stands behind the last."""
    begin = re.search(rb'"traceEvents":\s*\[', text).end() if text.lstrip()[:1] == b"{" else text.index(b"[") + 1
    _, end = json.JSONDecoder().raw_decode(text.decode(), len(text[:begin - 1].decode()))
    end = len(text.decode()[:end].encode()) - 1
    return text[:begin], text[begin:end], text[end:]


def moved(events, pattern, by):
    return pattern.sub(lambda m: m[1] + str(int(m[2]) + by).encode(), events)


def main():
    with (gzip.open if sys.argv[1].endswith(".gz") else open)(sys.argv[1], "rb") as f:
        head, events, tail = split(f.read())
    times, joins = ([int(m[2]) for m in pattern.finditer(events)] for pattern in (TIME, JOIN))
    span_us, ids = max(times) - min(t for t in times if t) + 1000, max(joins, default=0) + 1
    out = sys.stdout.buffer
    out.write(head)
    for i in range(max(1, int(float(sys.argv[2]) * 1e6 / len(events)))):
        out.write(b"," if i else b"")
        out.write(moved(moved(events, TIME, i * span_us), JOIN, i * ids))
    out.write(tail)


main()
