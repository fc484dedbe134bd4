"""cut_kineto.py SOURCE MARKER FIRST COUNT OUT - cuts COUNT iterations out of a PyTorch trace, from the FIRSTth begin (from 0) of a host event
that MARKER, a regular expression, matches. Everything that begins on a host thread in between stays, with what it launched on the device
however late that runs, so nesting and launch links stay whole. Process ids and times are those of the source; attributes that are not
listed here go, and a cut that still names a person, a host or a path is not written."""
import gzip
import json
import re
import sys

TOP = ("schemaVersion", "deviceProperties")
KEPT_ARGS = {"External id", "Fwd thread id", "Sequence number", "correlation", "cbid", "device", "context", "stream", "bytes",
             "memory bandwidth (GB/s)", "queued", "registers per thread", "shared memory", "blocks per SM", "warps per SM", "grid", "block",
             "est. achieved occupancy %", "name", "labels", "sort_index"}
DEVICE_WORK = {"kernel", "gpu_memcpy", "gpu_memset"}
PERSONAL = re.compile(r"/(home|users|data|mnt|scratch)/|@|\b\d+\.\d+\.\d+\.\d+\b")


def window(events, marker, first, count):
    begins = sorted(e["ts"] for e in events if e.get("ph") == "X" and e.get("cat") not in DEVICE_WORK and re.search(marker, e["name"]))
    return begins[first], begins[first + count]


def whole(events, begin, end):
    """What begins in the window on the host, its device work, and the flows that have both their ends there."""
    host = [e for e in events if e.get("ph") == "X" and e.get("cat") not in DEVICE_WORK | {"Trace"} and begin <= e["ts"] < end]
    launched = {e["args"]["correlation"] for e in host if "correlation" in e.get("args", {})}
    work = [e for e in events if e.get("cat") in DEVICE_WORK and e["args"]["correlation"] in launched]
    places = {(e["pid"], e["tid"], e["ts"]) for e in host + work}
    flows = [e for e in events if e.get("ph") in "sf" and e["id"] in launched and (e["pid"], e["tid"], e["ts"]) in places]
    ids = [{e["id"] for e in flows if e["ph"] == side} for side in "sf"]
    return host + work + [e for e in flows if e["id"] in ids[0] & ids[1]]


def used_metadata(events, kept):
    """Names of the processes and threads that are left; what names threads twice is said once."""
    lanes = {(e["pid"], e["tid"]) for e in kept}
    said = set()
    for e in events:
        key = (e["name"], e["pid"], e["tid"])
        process = e["name"].startswith("process_") and any(pid == e["pid"] for pid, _ in lanes)
        if e.get("ph") == "M" and key not in said and (process or (e["pid"], e["tid"]) in lanes):
            said.add(key)
            yield e


def plain(event):
    args = {k: v for k, v in event.get("args", {}).items() if k in KEPT_ARGS}
    return {**event, "args": args} if args else {k: v for k, v in event.items() if k != "args"}


def main():
    source, marker, first, count, out = sys.argv[1:]
    trace = json.load(gzip.open(source, "rt", encoding="utf-8"))
    events = trace["traceEvents"]
    kept = whole(events, *window(events, marker, int(first), int(count)))
    order = {id(e): i for i, e in enumerate(events)}
    kept = sorted([*used_metadata(events, kept), *kept], key=lambda e: order[id(e)])
    cut = {k: trace[k] for k in TOP if k in trace}
    cut["deviceProperties"] = [d for d in cut["deviceProperties"] if d["id"] in {e["args"]["device"] for e in kept if e.get("cat") in DEVICE_WORK}]
    text = json.dumps({**cut, "traceEvents": [plain(e) for e in kept]}, separators=(",", ":"))
    named = PERSONAL.search(text)
    if named:
        sys.exit(f"{source}: names a person, host or path: {text[max(0, named.start() - 40):named.end() + 40]}")
    with open(out, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as f:
        f.write(text.replace("},{", "},\n{").encode())


main()
