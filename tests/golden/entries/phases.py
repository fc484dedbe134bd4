"""Phases: the time of backward and optimizer in every PyTorch trace equals what a script finds that knows only nesting in
time and correlation ids; phases and other make all device work; windows and steps add up."""
import bisect
import functools
import os
import re

import count
import shown
from harness import TRACES, corpus, number, table

BACKWARD = re.compile(r"backward|autograd::engine|torch::autograd::|AccumulateGrad", re.I)
OPTIMIZER = re.compile(r"optimizer|torch/optim/|zero_grad|grad_?scaler|loss_?scale|_amp_|clip_grad", re.I)
PARTS = ("forward_ns", "loss_ns", "backward_ns", "optimizer_ns", "no_phase_ns")
HOST = {"cpu_op", "operator", "user_annotation", "python_function"} | count.CALLS


class Ranges:
    """Time on one thread that events of a kind cover."""

    def __init__(self):
        self.spans, self.starts = [], None

    def add(self, span):
        self.spans.append(span)

    def covers(self, ns):
        if self.starts is None:
            merged = []
            for a, b in sorted(self.spans):
                if merged and a <= merged[-1][1]:
                    merged[-1][1] = max(b, merged[-1][1])
                else:
                    merged.append([a, b])
            self.spans, self.starts = merged, [a for a, _ in merged]
        i = bisect.bisect_right(self.starts, ns) - 1
        return i >= 0 and ns < self.spans[i][1]


@functools.lru_cache(None)
def phases_named(name):
    """Whether a name tells of backward, and of the optimizer: names repeat a thousand times."""
    return bool(BACKWARD.search(name)), bool(OPTIMIZER.search(name))


def expected(path):
    """(backward ns, optimizer ns) of all device work, by where the call with the same correlation id lies."""
    backward, optimizer, calls, work = {}, {}, {}, []
    events = count.complete(path)
    for _, e, (start, end) in events.of(count.WORK):
        work.append((end - start, e.get("args", {}).get("correlation")))
    for _, e, span in events.of(count.CALLS):
        if "correlation" in e.get("args", {}):
            calls[e["args"]["correlation"]] = ((e["pid"], e["tid"]), span[0])
    for _, e, span in events.of(HOST):
        for ranges, named in zip((backward, optimizer), phases_named(e["name"])):
            if named:
                ranges.setdefault((e["pid"], e["tid"]), Ranges()).add(span)
    sums = [0, 0]
    for ns, correlation in work:
        thread, at = calls.get(correlation, (None, 0))
        if thread in optimizer and optimizer[thread].covers(at):
            sums[1] += ns
        elif thread in backward and backward[thread].covers(at):
            sums[0] += ns
    return tuple(sums)


def sums(rows, columns):
    return {c: sum(number(r[c]) for r in rows) for c in columns}


def check(tap, name, path):
    rows = table("phases", path).rows
    everything = [r for r in rows if r["step"] == "all"]
    told = sums(everything, PARTS)
    tap.equal((told["backward_ns"], told["optimizer_ns"]), expected(path), f"{name}: backward and optimizer")
    wrong = [r for r in rows if sum(number(r[c]) for c in PARTS) != number(r["work_ns"])]
    tap.equal(wrong, [], f"{name}: phases and other make all device work")
    if not everything:
        return
    steps = sums([r for r in rows if r["step"] != "all"], PARTS)
    tap.ok(all(steps[c] <= told[c] for c in ("loss_ns", "backward_ns", "optimizer_ns")), f"{name}: steps within the whole",
           f"{steps} {told}")
    span = number(shown.facts(path)["span_ns"])
    edges = [0, span // 3, span // 2 + 1, span + 1]
    parts = [sums([r for r in table("phases", path, "--window", f"{a}ns..{b}ns").rows if r["step"] == "all"], PARTS)
             for a, b in zip(edges, edges[1:])]
    tap.equal({c: sum(p[c] for p in parts) for c in PARTS}, told, f"{name}: what three windows see adds up")


def jobs():
    for name in corpus():
        if name.startswith("kineto" + os.sep):
            path = os.path.join(TRACES, name)
            yield path, (lambda tap, n=name, p=path: check(tap, n, p))
