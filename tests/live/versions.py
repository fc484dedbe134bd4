"""Every libcupti from 12.0 to the newest, from PyPI, on a machine without a driver: make cupti-versions. What is asked of each:

  headers   our declaration of its records against its own headers
  records   its record iterator under our converter
  NVTX      a real NVTX program with us in it: its status, and whether CUPTI takes its ranges; with no driver, with our stand-in for
            one, and with the toolkit's stub
  target    a program whose driver is our stand-in: its status and output, and what the viewer hears

Prints TAP, and the table of README.md at the end. Wheels go to build/cupti and are kept there. No GPU is needed, and nothing here
says what any of them does on one."""
import glob
import os
import re
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cupti_headers  # noqa: E402
from cuda_places import CUDA_HEADER, first, has_driver  # noqa: E402
from viewer import INJECT, LIVE, STANDIN, Target, Viewer, environment  # noqa: E402
from harness import ROOT, Tap  # noqa: E402

PACKAGES = ("nvidia-cuda-cupti-cu12", "nvidia-cuda-cupti")
WHERE = os.path.join(ROOT, "build/cupti")
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
tap = Tap()


def by_number(version):
    return [int(n) for n in version.split(".")]


def published(package):
    """Versions of a package, oldest first; those whose wheels are here already when the index cannot be asked."""
    told = subprocess.run(PIP + ["index", "versions", package], capture_output=True, text=True).stdout
    found = re.search(r"Available versions: (.*)", told)
    if found:
        return sorted(re.split(r",\s*", found.group(1).strip()), key=by_number)
    here = glob.glob(os.path.join(WHERE, "wheels", package.replace("-", "_") + "-[0-9]*.whl"))
    return sorted((os.path.basename(w).split("-")[1] for w in here), key=by_number)


def unpacked(package, version):
    """Folder of one version's files; None when it cannot be had here."""
    wheels, folder = os.path.join(WHERE, "wheels"), os.path.join(WHERE, version)
    pattern = os.path.join(wheels, f"{package.replace('-', '_')}-{version}-*.whl")
    if not glob.glob(pattern):
        subprocess.run(PIP + ["download", "--no-deps", "--only-binary=:all:", "-d", wheels, f"{package}=={version}"], capture_output=True)
    if not os.path.isdir(folder) and glob.glob(pattern):
        with zipfile.ZipFile(glob.glob(pattern)[0]) as z:
            z.extractall(folder)
    return folder if os.path.isdir(folder) else None


def nvtx_program(folder):
    """The real NVTX program, or None where NVIDIA's header is not installed."""
    header = first("include/nvtx3/nvToolsExt.h")
    program = os.path.join(folder, "nvtx")
    if header:
        subprocess.run(["cc", "-std=c11", "-iquote", ROOT, "-D_GNU_SOURCE", "-I", os.path.dirname(os.path.dirname(header)),
                        os.path.join(ROOT, "tests/live/nvtx.c"), "-o", program, "-ldl"], check=True)
    return program if header else None


def records(library):
    done = subprocess.run([os.path.join(LIVE, "records"), library], capture_output=True, text=True)
    if "working driver" in done.stderr or "cuptiGetVersion" in done.stderr:
        return "needs a driver"
    failed = [line for line in done.stdout.splitlines() if line.startswith("not ok")]
    return "fine" if done.returncode == 0 and not failed else f"exit {done.returncode}, {len(failed)} failed"


def drivers(folder):
    """What takes a driver's place: nothing, our stand-in, the toolkit's stub."""
    stub = first("lib64/stubs/libcuda.so", "lib/stubs/libcuda.so", "targets/x86_64-linux/lib/stubs/libcuda.so")
    if stub:
        os.symlink(stub, os.path.join(folder, "libcuda.so.1"))
    return {"no driver": None, "our stand-in": STANDIN, **({"the toolkit's stub": folder} if stub else {})}


def nvtx(program, library, path):
    if not program:
        return "not tried"
    env = environment(tempfile.mkdtemp(prefix="live"), NVTX_INJECTION64_PATH=INJECT, STEPSCOPE_CUPTI=library, LD_LIBRARY_PATH=path)
    done = subprocess.run([program], env=env, capture_output=True, text=True)
    said = re.fullmatch(r"1000 steps for (.*)\n", done.stdout)
    if done.returncode != 3 or not said or done.stderr:
        return f"exit {done.returncode}"
    return "left alone" if said.group(1) == "nobody" else "taken"


def target(library):
    with Target("kernels=3", "line", "exit=4", STEPSCOPE_CUPTI=library) as t:
        v = Viewer(t.socket())
        heard = f"{v.hello.state}: {v.hello.text}".replace(os.path.dirname(library) + "/", "")
        t.say()
        end = t.end()
    return heard if end == (4, "kernels 3\n", "") else f"exit {end[0]}"


def examine(package, version, program, places):
    """One line of the table, and its tests."""
    folder = unpacked(package, version)
    if not folder:
        tap.skip(version, "the wheel cannot be had here")
        return None
    library = os.path.realpath(glob.glob(os.path.join(folder, "nvidia/*/lib/libcupti.so.1[0-9]"))[0])
    include = os.path.join(os.path.dirname(os.path.dirname(library)), "include")
    fine, told = (True, "not tried")
    if CUDA_HEADER:
        fine, told = cupti_headers.check(include, os.path.dirname(CUDA_HEADER), os.path.basename(library))
    row = [version, told.replace("API version ", ""), "fine" if fine else "differ", records(library), nvtx(program, library, None), target(library)]
    tap.ok(fine, f"{version}: headers", told)
    tap.ok(row[3] in ("fine", "needs a driver"), f"{version}: records: {row[3]}")
    for name, path in places.items():
        said = nvtx(program, library, path)
        tap.ok("exit" not in said, f"{version}: NVTX, {name}: {said}")
    tap.ok(not row[5].startswith("exit"), f"{version}: target: {row[5]}")
    return row


if has_driver():
    print("1..0 # SKIP there is a driver here, and this is about machines without one")
    sys.exit(0)
with tempfile.TemporaryDirectory() as scratch_folder:
    built = nvtx_program(scratch_folder)
    lent = drivers(scratch_folder)
    rows = [r for p in PACKAGES for v in published(p) for r in [examine(p, v, built, lent)] if r]
tap.ok(rows, f"{len(rows)} versions of libcupti were tried")
print("#\n# | wheel | cuptiGetVersion | headers | records | NVTX | what a viewer of the target hears |\n# |---|---|---|---|---|---|---|")
for r in rows:
    print("# | " + " | ".join(r) + " |")
tap.done()
