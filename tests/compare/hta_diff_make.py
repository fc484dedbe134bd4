#!/usr/bin/env python3
"""Writes hta_diff.tsv: what HolisticTraceAnalysis' TraceDiff.compare_traces and ops_diff say of three pairs. Not run by the tests.
    python3 -m venv v && v/bin/pip install HolisticTraceAnalysis==0.5.0
    v/bin/python tests/compare/hta_diff_make.py >tests/compare/hta_diff.tsv
One row per name: pair, step of A, step of B, CPU or GPU, category, name, what ops_diff calls it, counts and whole us of A and B."""
import logging
import os
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hta.common.trace import Trace
from hta.trace_diff import DeviceType, LabeledTrace, TraceDiff
from t_hta_diff import PAIRS


def rows(pair, files, steps):
    a, b = (LabeledTrace(label=label, t=Trace(trace_files={0: path}, trace_dir="")) for label, path in zip("ab", files))
    for of in (DeviceType.CPU, DeviceType.GPU):
        ask = {"control_iteration": steps[0], "test_iteration": steps[1], "device_type": of}
        words = {name: word for word, names in TraceDiff.ops_diff(a, b, **ask).items() for name in names}
        category = {}
        for side, step in ((a, steps[0]), (b, steps[1])):
            category.update(side.get_ops_summary(side.extract_ops(None, step, of)).set_index("name")["cat"].to_dict())
        for name, row in TraceDiff.compare_traces(a, b, **ask).iterrows():
            yield (pair, *steps, of.name, category[name].lower(), name, words[name],
                   *(int(row[f"{side}_{key}"]) for key in ("counts", "total_duration") for side in "ab"))


def main():
    for pair, (files, steps) in PAIRS.items():
        for row in rows(pair, files, steps):
            print(*row, sep="\t")


main()
