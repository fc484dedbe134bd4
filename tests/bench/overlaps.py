"""overlaps.py FILE - counts events that partly overlap an earlier one of their thread, stream or line, with nothing of
stepscope in it: exact numbers (decimals of JSON, picoseconds of XSpace), sorted by (start, longest first, file order), a
stack of open events per lane. An event that does not fit under the open ones is counted and takes no place.
Prints the overlaps of the times in whole ns, both ends rounded to the nearest as stepscope promises, and the exact ones."""
import json
import os
import sys
from decimal import Decimal

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden"))
import count  # noqa: E402

PLANE, LINE, LINE_TIME, EVENT, OFFSET, DURATION = 1, 3, 3, 4, 2, 3  # field numbers of an XSpace


def json_lanes(data):
    """The spans of each lane in ns; the annotations of a stream are a lane of their own."""
    lanes = {}
    for event in count.entries_in(data):
        if event.get("ph") == "X":
            start = Decimal(event["ts"]) * 1000
            lane = event["pid"], event["tid"], event.get("cat") == "gpu_user_annotation"
            lanes.setdefault(lane, []).append((start, start + Decimal(event["dur"]) * 1000))
    return lanes


def xspace_span(event, line_ps):
    """Start and end in ns, exact to the picosecond."""
    numbers = {n: count.signed(v) for n, v in count.fields(event) if n in (OFFSET, DURATION)}
    start_ps = line_ps + numbers.get(OFFSET, 0)
    return Decimal(start_ps) / 1000, Decimal(start_ps + numbers.get(DURATION, 0)) / 1000


def xspace_lanes(data):
    planes = [plane for number, plane in count.fields(data) if number == PLANE]
    lines = [line for plane in planes for number, line in count.fields(plane) if number == LINE]
    lanes = {}
    for i, line in enumerate(lines):
        parts = list(count.fields(line))
        line_ps = next((count.signed(v) for n, v in parts if n == LINE_TIME), 0) * 1000
        lanes[i] = [xspace_span(v, line_ps) for n, v in parts if n == EVENT]
    return lanes


def overlapping(spans):
    """Python's sort is stable: ties keep the order of the file."""
    found, open_ends = 0, []
    for start, end in sorted(spans, key=lambda s: (s[0], -s[1])):
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        if open_ends and end > open_ends[-1]:
            found += 1
        else:
            open_ends.append(end)
    return found


def main():
    with open(sys.argv[1], "rb") as f:
        data = f.read()
    lanes = json_lanes(data) if count.is_json(data) else xspace_lanes(data)
    whole = [[tuple(map(count.round_half_up, span)) for span in spans] for spans in lanes.values()]
    print(json.dumps({"overlaps": sum(map(overlapping, whole)), "exact": sum(map(overlapping, lanes.values())),
                      "events": sum(map(len, lanes.values()))}))


main()
