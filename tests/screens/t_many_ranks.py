#!/usr/bin/env python3
"""64 ranks, the last of which comes late: the program draws what it has, answers keys, and ends with the screens of a session
that had everything from the start. Nothing here waits for a time: the last file is a FIFO, written when the screen has shown enough."""
import os
import re
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../golden"), os.path.join(HERE, "../golden/scenes")]
import mkxspace
import ranks
from mkxspace import Ref, Uint
from harness import Tap, need_program, play, scratch, stepscope, table

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


def host(path, name, stream, called_us, gpus=1):
    """Six steps of 1 ms of GPUs from 0 on: a kernel, and from called_us on a collective until 800 us."""
    space = mkxspace.Space([name])
    cpu = space.plane("/host:CPU", id=100).line(1, "main", timestamp_ns=1000)
    lines = [space.plane(f"/device:GPU:{n}", id=n).line(stream, f"Stream #{stream}(Compute)", timestamp_ns=1000) for n in range(gpus)]
    for step in range(6):
        at = 1000 * step
        cpu.event("train", offset_ps=at * 10**6, dur_ps=900 * 10**6, stats={"_r": 1, "step_num": step})
        for n, gpu in enumerate(lines):
            for i, (kernel, a, b) in enumerate((("gemm", 10, called_us - n), ("ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", called_us - n, 800))):
                corr = {"correlation_id": Uint(2 * (step * gpus + n) + i + 1)}
                cpu.event("cuLaunchKernel", offset_ps=(at + 2 + 3 * i) * 10**6, dur_ps=2 * 10**6, stats=dict(corr, device_id=Uint(n)))
                gpu.event(kernel, offset_ps=(at + a) * 10**6, dur_ps=(b - a) * 10**6,
                          stats=dict(corr, kernel_details=Ref("regs:32 grid:1,1,1 block:32,1,1")))
    space.write(path)


def summary_of_hosts(tap, names):
    """Its rows are in the traces' order: by host before device."""
    folder = scratch("hosts_of_two")
    os.mkdir(folder)
    for name, called_us in zip(names, (300, 600)):
        host(os.path.join(folder, name + ".xplane.pb"), name, 7, called_us, gpus=2)
    merged = os.path.join(folder, "of_all.sqlite")
    run = stepscope("summarize", folder, "-o", merged)
    tap.equal(run.status, 0, f"two hosts of two GPUs are summarized: {run.told()}")
    seen = play("wait Timeline\nkeys 2\nsettle\nscreen\nkeys Q\nend\n", "--no-cache", folder, size="80x24")
    tap.equal(seen.said, ["exit 0", "terminal: restored"], "two hosts of two GPUs are opened and left")
    labels = [line.split("\u2502")[0][:15].strip() for line in seen.screens[0] if re.match(r"work.*GPU [01]", line)]
    tap.equal([label[-5:] for label in labels], ["GPU 0", "GPU 1"] * 2, "rows of the timeline keep the number of the GPU, whatever its host is called")
    rows = table("replicas", merged).rows
    tap.equal([(r["host"], r["device"]) for r in rows], [(name, gpu) for name in names for gpu in (0, 1)], "a summary's rows go by host, then device")
    tap.equal({r["last_host"] for r in table("collectives", merged).rows if r["last_rank"] is not None}, {names[1]}, "it says whose GPU is last")


def hosts_without_ranks(tap):
    """Two hosts, a GPU 0 each: rows, map and Enter are of the one that is meant."""
    folder = scratch("hosts")
    os.mkdir(folder)
    names = "worker-number-one.example", "worker-two.example"
    for name, stream, called_us in zip(names, (7, 9), (300, 600)):
        host(os.path.join(folder, name + ".xplane.pb"), name, stream, called_us)
    rows = table("replicas", folder).rows
    tap.equal([(r["host"], r["rank"], r["device"], r["last_at"]) for r in rows], [(names[0], None, 0, 0), (names[1], None, 0, 6)], "a row says its host")
    tap.equal({(r["last_rank"], r["last_host"]) for r in table("collectives", folder).rows}, {(0, names[1])}, "collectives say whose GPU 0 is last")
    for name in "collectives", "collective_steps", "queue", "launch_totals", "phases":
        tap.equal({r["host"] for r in table(name, folder).rows}, set(names), f"{name}: rows say their host")
    seen = play("wait Overview\nkeys 8\nsettle\nscreen\nkeys Enter\nsettle\nscreen\nkeys 8 j Enter\nsettle\nscreen\nkeys Q\n",
                "--no-cache", folder, size="110x24")
    comms, first, second = ("\n".join(s) for s in seen.screens)
    tap.ok("worker-two.example GPU 0 is last at 6 of 6" in comms, "the sentence says which GPU 0", comms)
    tap.ok(re.search(r"worker-number-one.example GPU 0 .* 0 of 6 +\u2593{6}", comms), "on the map one waits", comms)
    tap.ok(re.search(r"worker-two.example GPU 0 .* 6 of 6 +\u00b7{6}", comms), "and the other does not", comms)
    tap.ok("lane Stream #7" in first, "Enter opens the first host's GPU 0", first)
    tap.ok("lane Stream #9" in second, "and the second one's", second)
    summary_of_hosts(tap, names)


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
    first = "\n".join(begun.screens[0])
    tap.ok("loading" in first and "q cancel" in first, "the first picture comes before the last rank", first)
    for key, now, then in zip(PANES, begun.screens[1:], whole.screens):
        tap.equal(now, then, f"pane {key}: as when everything was there")
    fifo, go = late_one("never", files[-1])
    left = play("timeout 120\nwait reading\nkeys q\nend\n", "--no-cache", *files[:-1], fifo, size=SIZE)
    tap.ok("terminal: restored" in left.said, "q is answered while the last rank is waited for", left.said)
    hosts_without_ranks(tap)
    tap.done()


main()
