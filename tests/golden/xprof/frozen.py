"""Reading the answers that make.py froze, and finding the traces they belong to."""
import glob
import json
import os

import harness

VERSION, OLDER = "2.24.2", "2.22.3"
HERE = os.path.dirname(os.path.abspath(__file__))
OWN = ("sample", "tf-cpu", "keras-fit", "keras-legacy-fit", "tf-data-tree", "tf-loop", "tf-eager", "tf-retrace", "jax-steps", "jax-grain")
CORPUS = ("jax-mi300-attention", "jax-mi300-conv-legacy", "jax-mi300-gemm", "tf-v100-multi-worker", "tpu-inference")
TRACES = OWN + CORPUS


def answers(kind, trace):
    with open(os.path.join(HERE, kind, f"{trace}.json"), encoding="utf-8") as f:
        return json.load(f)


def rows(frozen, version, what="versions"):
    """The rows of one version; a version may name the one that gave the same."""
    found = frozen[what][version]
    return frozen[what][found] if isinstance(found, str) else found


def dicts(kind, trace, version=VERSION):
    frozen = answers(kind, trace)
    return [dict(zip(frozen["columns"], row)) for row in rows(frozen, version)]


def keyed(kind, trace, version=VERSION, what="versions"):
    """[key, value] rows as a dict; the last of equal keys counts."""
    return dict(rows(answers(kind, trace), version, what))


def trace_file(trace):
    """None when it is one of the corpus and that is absent."""
    own = glob.glob(os.path.join(HERE, "../../traces", trace, "plugins/profile/*/*.xplane.pb"))
    found = own or glob.glob(os.path.join(harness.TRACES, "xspace", trace, "*.xplane.pb"))
    return found[0] if found else None


def ask(table, trace, *options):
    """stepscope's answer in XProf's way of counting."""
    return harness.table(table, trace_file(trace), "--no-cache", "--semantics", "xprof", *options)


def each(tap, traces, check):
    """`check(tap, trace)` for every trace that is there."""
    for trace in traces:
        if not trace_file(trace):
            tap.skip(trace, "no corpus of traces")
            continue
        try:
            check(tap, trace)
        except harness.TableError as e:
            tap.ok(False, trace, e)
