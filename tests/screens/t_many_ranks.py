#!/usr/bin/env python3
"""64 ranks, the last of which comes late: the program draws what it has, answers keys, and ends with the screens of a session
that had everything from the start. Nothing here waits for a time: the last file is a FIFO, written when the screen has shown enough."""
import os
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../golden/scenes")]
import ranks
from harness import Tap, need_program, play, scratch

RANKS, SIZE = 64, "100x30"
PANES = "8", "3", "5", "9", "1", "2"  # the last one last: the timeline


def job():
    folder = scratch("many")
    step = [("compute", {7: 6, "else": 4}), ("call", "AllReduce", 1), ("host", 1)]
    ranks.make(folder, RANKS, [step] * 8)
    return [os.path.join(folder, f"rank{r}.json") for r in range(RANKS)]


def feed(fifo, source, go):
    """Writes the FIFO once `go` is there, itself a FIFO that pty's `touch` opens."""
    with open(fifo, "wb") as to:
        open(go, "rb").close()
        with open(source, "rb") as f:
            to.write(f.read())


def panes(keys):
    """Each pane, let alone until it has its answer."""
    return "".join(f"keys {key}\nsettle\nscreen\n" for key in keys)


def late_one(name, source):
    """The FIFO that stands for the last rank's file, and the one that lets it be written."""
    folder, go = scratch(name), scratch(name + "_go")
    os.mkdir(folder)
    fifo = os.path.join(folder, os.path.basename(source))
    os.mkfifo(fifo)
    os.mkfifo(go)
    threading.Thread(target=feed, args=(fifo, source, go), daemon=True).start()
    return fifo, go


def main():
    need_program()
    tap = Tap()
    files = job()
    whole = play("timeout 120\nwait Overview\n" + panes(PANES) + "keys Q\n", "--no-cache", *files, size=SIZE)
    fifo, go = late_one("late", files[-1])
    hurried = " ".join(PANES) + " 8"  # none is waited for
    begun = play(f"timeout 120\nwait reading\nscreen\ntouch {go}\nwait 8 Comms\nkeys {hurried}\n" + panes(PANES) + "keys Q\n",
                 "--no-cache", *files[:-1], fifo, size=SIZE)
    tap.equal(len(begun.screens), 1 + len(PANES), "every order was answered")
    first = "\n".join(begun.screens[0]) if begun.screens else begun.run.out
    tap.ok("loading" in first and "q cancel" in first, "the first picture comes before the last rank", first)
    for key, now, then in zip(PANES, begun.screens[1:], whole.screens):
        tap.equal(now, then, f"pane {key}: as when everything was there")
    fifo, go = late_one("never", files[-1])
    left = play("timeout 120\nwait reading\nkeys q\nend\n", "--no-cache", *files[:-1], fifo, size=SIZE)
    tap.ok("terminal: restored" in left.said, "q is answered while the last rank is waited for", left.said)
    tap.done()


main()
