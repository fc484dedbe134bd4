"""overlaps.py FILE.json - counts events that partly overlap an earlier one of their thread or stream (its annotations
are a lane of their own), with nothing of stepscope in it: exact decimals, sorted by (start, longest first, file order), a stack of open events per lane. An event
that does not fit under the open ones is counted and takes no place."""
import json
import os
import sys
from decimal import Decimal

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden"))
import count  # noqa: E402


def spans_by_lane(path):
    lanes = {}
    with open(path, "rb") as f:
        events = count.json_events(f.read())
    for event in events:
        if event.get("ph") == "X":
            start = Decimal(event["ts"]) * 1000
            lane = event["pid"], event["tid"], event.get("cat") == "gpu_user_annotation"
            lanes.setdefault(lane, []).append((start, start + Decimal(event["dur"]) * 1000))
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


print(json.dumps({"overlaps": sum(overlapping(s) for s in spans_by_lane(sys.argv[1]).values())}))
