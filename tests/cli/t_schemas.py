#!/usr/bin/env python3
"""All that is printed as JSON keeps to a published schema: tests/schemas. The schemas are checked by a few lines below, and by the package
jsonschema where it is installed."""
import gzip
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import ROOT, Tap, need_program, scratch, stepscope

SCHEMAS = os.path.join(ROOT, "tests/schemas")
RESNET = os.path.join(ROOT, "tests/traces/resnet/resnet.pt.trace.json.gz")
TWO_STEPS = os.path.join(ROOT, "tests/golden/small/two_steps.json")
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_type(v, name):
    if name in ("integer", "number"):
        return not isinstance(v, bool) and isinstance(v, int if name == "integer" else (int, float))
    return isinstance(v, TYPES[name])


def faults(v, s, at=""):
    """Where v does not keep to the schema; knows the words that ours use."""
    names = s.get("type", [])
    if names and not any(is_type(v, n) for n in ([names] if isinstance(names, str) else names)):
        return [f"{at}: {v!r:.60} is no {names}"]
    if "const" in s and v != s["const"] or "enum" in s and v not in s["enum"]:
        return [f"{at}: {v!r:.60}"]
    if "anyOf" in s and all(faults(v, x, at) for x in s["anyOf"]):
        return [f"{at}: {v!r:.60} fits none"]
    if "pattern" in s and not re.search(s["pattern"], v):
        return [f"{at}: {v!r:.60}"]
    wrong = []
    if isinstance(v, dict) and "properties" in s:
        wrong += [f"{at} lacks {k}" for k in s.get("required", []) if k not in v]
        wrong += [f"{at} has {k}" for k in v if k not in s["properties"] and s.get("additionalProperties") is False]
        wrong += [f for k, x in s["properties"].items() if k in v for f in faults(v[k], x, f"{at}/{k}")]
    if isinstance(v, list):
        if not s.get("minItems", 0) <= len(v) <= s.get("maxItems", len(v)):
            wrong.append(f"{at}: {len(v)} items")
        wrong += [f for i, x in enumerate(v[:3000]) if "items" in s for f in faults(x, s["items"], f"{at}/{i}")][:10]
    return wrong


def schema(name):
    with open(os.path.join(SCHEMAS, name + ".schema.json"), encoding="utf-8") as f:
        return json.load(f)


def validates(tap, name, text, label):
    try:
        made = json.loads(text)
    except ValueError as e:
        tap.ok(False, label, e)
        return
    wrong = faults(made, schema(name))
    tap.ok(not wrong, f"{label} keeps to {name}.schema.json", "\n".join(wrong[:8]))
    try:
        import jsonschema
    except ImportError:
        return
    try:
        jsonschema.validate(made, schema(name))
    except jsonschema.ValidationError as e:
        tap.ok(False, f"{label}, says jsonschema", str(e)[:500])


def main():
    need_program()
    tap = Tap()
    names = [line.split()[0] for line in stepscope("table", TWO_STEPS).out.splitlines()]
    for n in names:
        validates(tap, "table", stepscope("table", n, RESNET, "--top", "200", "--format", "json", "-q").out, f"table {n}")
    validates(tap, "table", stepscope("notes", TWO_STEPS, "--format", "json").out, "notes")
    validates(tap, "table", stepscope("findings", RESNET, "--format", "json", "--fail-on", "never").out, "findings")
    for trace in (RESNET, TWO_STEPS):
        validates(tap, "brief", stepscope("brief", trace, "--json").out, f"brief of {os.path.basename(trace)}")
        for options in ((), ("--gap", "biggest"), ("--step", "last")):
            validates(tap, "report", stepscope("report", trace, "--format", "json", "-q", *options).out, f"report {' '.join(options)}")
    validates(tap, "version", stepscope("--version", "--json").out, "--version")
    validates(tap, "diff", stepscope("diff", RESNET, RESNET, "--format", "json", "-q").out, "diff")
    stepscope("export", RESNET, "--step", "last", "-o", scratch("x.json.gz"))
    with gzip.open(scratch("x.json.gz"), "rt", encoding="utf-8") as f:
        validates(tap, "slice", f.read(), "a slice")
    broken = json.loads(stepscope("--version", "--json").out)
    tap.ok(faults({**broken, "tables": [1]}, schema("version")) and faults({**broken, "more": 1}, schema("version")) and
           faults({k: v for k, v in broken.items() if k != "name"}, schema("version")), "what does not keep to a schema is found")
    tap.done()


main()
