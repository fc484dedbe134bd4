"""Our declaration of CUPTI's records against one set of NVIDIA's headers: every field that this version has lies where abi.h says,
none that it should not have is there, and no record got shorter."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import ROOT  # noqa: E402

ABI = os.path.join(ROOT, "live/inject/cupti/abi.h")


def declared():
    """Of abi.h: {record: (NVIDIA's structure without its number, [(NVIDIA's field, since)])}."""
    with open(ABI) as f:
        text = f.read()
    records = {}
    for record, theirs in re.findall(r"_\((\w+), +\w+, +CUpti_Activity([A-Za-z]+?)\d*, +\d+\)", text):
        fields = re.search(rf"#define CUPTI_{record}_FIELDS\(_\)(.*?)(?=#define|/\*)", text, re.S).group(1)
        records[record] = theirs, [(f, int(since)) for f, since in re.findall(r"\d+, +([\w.\[\]]+), +(\d+)\)", fields)]
    return records


def newest(header, theirs):
    """The newest form of a structure in these headers, CUpti_ActivityKernel9 for Kernel, and its text without comments."""
    forms = re.findall(rf"^}} CUpti_Activity{theirs}(\d*);", header, re.M)
    if not forms:
        return None, ""
    name = f"CUpti_Activity{theirs}{max(forms, key=lambda n: int(n or 1))}"
    body = header[:header.index(f"}} {name};")]
    return name, re.sub(r"/\*.*?\*/", "", body[body.rindex("typedef struct"):], flags=re.S)


def check(folder, cuda_folder, soname):
    """(fine, what the compiler or we have to say). soname: of the library that these headers are of, libcupti.so.12."""
    texts = {}
    for name in ("cupti_activity.h", "cupti_activity_deprecated.h", "cupti_version.h"):
        path = os.path.join(folder, name)
        texts[name] = open(path, encoding="utf-8", errors="replace").read() if os.path.exists(path) else ""
    header = texts["cupti_activity.h"]
    number = int(re.search(r"#define CUPTI_API_VERSION (\d+)", texts["cupti_version.h"]).group(1))
    layout = 19 if number == 18 and "so.12" in soname else number
    flags, wrong = [f"-DLAYOUT={layout}"], []
    for record, (theirs, fields) in declared().items():
        name, body = newest(header, theirs)
        flags.append(f"-DTHEIR_{record}={name}")
        wrong += [f"{name}.{f} is there, abi.h has it since {since}" for f, since in fields
                  if since > layout and re.search(rf"\b{re.escape(f.split('.')[0])}\b", body)]
    every = {since for _, fields in declared().values() for _, since in fields}
    flags += [f"-DSINCE_{s}(...)={'__VA_ARGS__' if s <= layout else ''}" for s in sorted(every)]
    done = subprocess.run(["cc", "-std=c11", "-iquote", ROOT, "-fsyntax-only", *flags, "-I", folder, "-I", cuda_folder,
                           os.path.join(ROOT, "tests/live/abi.c")], capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    return not wrong and done.returncode == 0, "\n".join(wrong + errors[:10]) or f"API version {number}"
