#!/usr/bin/env python3
"""What the rules say about Tensor Cores and precision of real kernel names, against labels with evidence (kernel_names.tsv).

The confusion tables are printed. Names of which not even a reader can tell are counted apart: there, saying anything but
"unknown" about Tensor Cores would be a guess.
"""
import collections
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import Tap, need_program, scratch, table

LABELS = os.path.join(HERE, "kernel_names.tsv")
LEAST_NAMES, GOOD_PCT, UNKNOWN_PCT = 300, 98.0, 5.0
PROVEN = ("machine code", "source code", "trace args", "author", "report", "name and trace args")


class Label:
    def __init__(self, line):
        self.name, self.uses_tc, self.precision, self.tc_by, self.precision_by, self.source = line.rstrip("\n").split("\t")


def labels():
    with open(LABELS) as f:
        return [Label(line) for line in f if line.strip() and not line.startswith("#")]


def rules_say(names, *options):
    """name -> row of the kernel table, asked through a trace that has each kernel once."""
    path = scratch("kernel_names.json")
    events = [{"ph": "X", "cat": "kernel", "name": n, "pid": 0, "tid": 7, "ts": 10 * i, "dur": 5,
               "args": {"device": 0, "stream": 7}} for i, n in enumerate(names)]
    with open(path, "w") as f:
        json.dump({"traceEvents": events}, f)
    return {r["name"]: r for r in table("kernels", path, *options).rows}


def note(text):
    print(f"# {text}")


def word(uses_tc):
    return {True: "yes", False: "no", None: "unknown"}[uses_tc]


def print_confusion(title, pairs):
    """pairs: Counter of (label, said)."""
    said = sorted({s for _, s in pairs})
    note(title)
    note("label \\ rules".ljust(16) + "".join(s.rjust(9) for s in said))
    for label in sorted({x for x, _ in pairs}):
        note(label.ljust(16) + "".join(str(pairs[label, s]).rjust(9) for s in said))


def share(part, whole):
    return 100.0 * part / whole if whole else 0.0


def wrong_ones(rows, said, key):
    return "\n".join(f"{said[x.name][key]} instead of {getattr(x, key)}: {x.name[:160]}" for x in rows)


def check_tensor_cores(tap, known, said):
    pairs = collections.Counter((x.uses_tc, said[x.name]["uses_tc"]) for x in known)
    print_confusion("Tensor Cores", pairs)
    hits, claimed, real = pairs["yes", "yes"], sum(n for (_, s), n in pairs.items() if s == "yes"), sum(
        n for (x, _), n in pairs.items() if x == "yes")
    unknown = sum(n for (_, s), n in pairs.items() if s == "unknown")
    wrong = wrong_ones([x for x in known if said[x.name]["uses_tc"] != x.uses_tc], said, "uses_tc")
    tap.ok(share(hits, claimed) >= GOOD_PCT, f"Tensor Cores: precision at least {GOOD_PCT} %", wrong)
    tap.ok(share(hits, real) >= GOOD_PCT, f"Tensor Cores: recall at least {GOOD_PCT} %", wrong)
    tap.ok(share(unknown, len(known)) <= UNKNOWN_PCT, f"Tensor Cores: at most {UNKNOWN_PCT} % unknown", wrong)
    note(f"precision {share(hits, claimed):.1f} %, recall {share(hits, real):.1f} %, unknown "
             f"{share(unknown, len(known)):.1f} % of {len(known)}")


def check_precision(tap, known, said):
    pairs = collections.Counter((x.precision, said[x.name]["precision"]) for x in known)
    print_confusion("Precision", pairs)
    unknown = sum(n for (_, s), n in pairs.items() if s == "unknown")
    right = sum(n for (x, s), n in pairs.items() if x == s)
    wrong = wrong_ones([x for x in known if said[x.name]["precision"] != x.precision], said, "precision")
    tap.ok(share(right, len(known) - unknown) >= GOOD_PCT, f"precision class right for at least {GOOD_PCT} %", wrong)
    tap.ok(share(unknown, len(known)) <= UNKNOWN_PCT, f"precision class: at most {UNKNOWN_PCT} % unknown", wrong)
    note(f"right {share(right, len(known) - unknown):.1f} %, unknown {share(unknown, len(known)):.1f} % of {len(known)}")


def say_where_labels_come_from(rows):
    for what, by in (("Tensor Cores", "tc_by"), ("precision", "precision_by")):
        proven = sum(getattr(x, by).startswith(PROVEN) for x in rows)
        note(f"{what}: {proven} labels by machine code, source code, reports or the trace's arguments; "
                 f"{len(rows) - proven} inferred from names and naming schemes only")


def main():
    need_program()
    tap = Tap()
    rows = labels()
    names = [x.name for x in rows]
    tap.ok(len(set(names)) == len(names) >= LEAST_NAMES, f"at least {LEAST_NAMES} different names, here {len(names)}")
    found = rules_say(names)
    tap.equal(len(found), len(names), "the kernel table has every name once")
    said = {n: {"uses_tc": word(r["uses_tc"]), "precision": r["precision"] or "unknown"} for n, r in found.items()}
    say_where_labels_come_from(rows)
    check_tensor_cores(tap, [x for x in rows if x.uses_tc != "unknowable"], said)
    check_precision(tap, [x for x in rows if x.precision != "unknowable"], said)
    apart = [x for x in rows if x.uses_tc == "unknowable"]
    guessed = [x for x in apart if said[x.name]["uses_tc"] == "yes"]
    tap.equal([x.name for x in guessed], [], f"Tensor Cores: none of {len(apart)} names that do not tell is said to use them")
    told = [r for r in found.values() if r["uses_tc"] is not None]
    tap.equal([r["name"] for r in told if not r["tc_rule"] or not 1 <= r["tc_confidence"] <= 100], [],
              "every verdict names its rule and how sure it is")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
