#!/usr/bin/env python3
"""Details of XSpace files that few have, each with a file of a few events made here."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "golden")]
import mkxspace  # noqa: E402
from harness import Tap, need_program, scratch, table  # noqa: E402


def custom_planes(tap):
    """Recorders of other kinds beside a device, some with a number that a device has, too, and some with none."""
    space = mkxspace.Space(["h"])
    for i, name in enumerate(("/device:GPU:0", "/device:CUSTOM:Megascale Trace", "/device:CUSTOM:0 simulated", "/custom:0")):
        space.plane(name, id=i).line(7, "Stream #7", timestamp_ns=1000).event("k", offset_ps=0, dur_ps=10**6)
    path = scratch("custom.xplane.pb")
    space.write(path)
    names = sorted(r["name"] or "" for r in table("devices", path).rows)
    tap.equal(names, ["", "CUSTOM:0 simulated", "CUSTOM:Megascale Trace", "custom:0"], "custom planes keep their names")
    owners = sorted({r["track_group"] for r in table("tracks", path).rows})
    tap.equal(owners, ["CUSTOM:0 simulated", "CUSTOM:Megascale Trace", "GPU 0", "custom:0"], "and are called by them, not GPU 1000")


def main():
    need_program()
    tap = Tap()
    custom_planes(tap)
    tap.done()


if __name__ == "__main__":
    main()
