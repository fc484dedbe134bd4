#!/usr/bin/env python3
"""What the Makefile does to a machine: what is missing is named before it is installed, by apt or dnf, as root or with sudo, else the command is
told; a new compiler's warning stops CI and sanitizer builds only; what is installed is stripped and can be taken away again; one version."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import OUT, ROOT, SANITIZED, STEPSCOPE, Tap, need_program, scratch, stepscope

TOOLS = "sh bash env make find uname sed tr cat printf true false dirname test git"
CLEAN = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "OUT", "SAN", "CI", "CC")}
FAKE = "#!/bin/sh\necho \"ran: ${0##*/} $*\" >&2\n"


def make(*words, path=None, **env):
    done = subprocess.run(["make", "--no-print-directory", *words], cwd=ROOT, env={**CLEAN, **({"PATH": path} if path else {}), **env},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def machine(name, uid, *programs):
    """A PATH with a few tools, without pkg-config's knowledge of any library, and these programs, which say that they were called."""
    folder = scratch(name)
    os.makedirs(folder)
    for tool in TOOLS.split():
        os.symlink(shutil.which(tool), os.path.join(folder, tool))
    for program, text in [("pkg-config", "#!/bin/sh\nexit 1\n"), ("id", f"#!/bin/sh\necho {uid}\n"), *((p, FAKE) for p in programs)]:
        with open(os.path.join(folder, program), "w") as f:
            f.write(text)
        os.chmod(os.path.join(folder, program), 0o755)
    return folder


def deps(tap):
    status, said = make("deps", path=machine("apt-root", 0, "apt-get"))
    lines = said.splitlines()
    tap.ok(status == 0 and "libncurses-dev" in lines[0] and "libcmocka-dev" in lines[0] and "ran:" not in lines[0],
           "apt: what will be installed is said first", said)
    tap.ok("ran: apt-get update" in said and re.search(r"ran: apt-get install .*libncurses-dev", said), "and then installed", said)
    status, said = make("deps", path=machine("dnf-root", 0, "dnf"))
    lines = said.splitlines()
    tap.ok(status == 0 and "ncurses-devel" in lines[0] and "libncurses-dev" not in said, "dnf: its names, said first", said)
    tap.ok(re.search(r"ran: dnf install .*isa-l-devel", said), "and installed", said)
    status, said = make("deps", path=machine("no-manager", 0))
    tap.ok(status != 0 and "ncursesw" in said and "libzstd" in said, "neither: what is needed is listed", said)
    status, said = make("deps", path=machine("user", 1000, "apt-get"))
    tap.ok(status != 0 and re.search(r"apt-get install .*libncurses-dev", said) and "ran:" not in said,
           "a user who may not install is told the command", said)
    status, said = make("deps", path=machine("sudoer", 1000, "apt-get", "sudo"))
    tap.ok(status == 0 and "ran:" not in said.splitlines()[0] and "ran: sudo apt-get" in said, "one who may is asked by sudo", said)
    status, said = make("deps")
    tap.ok(status == 0 and not said.strip(), "where all is there nothing is said", said)


def warnings(tap):
    for what, env, stops in (("a user's build", {}, False), ("CI", {"CI": "true"}, True), ("make san", {"SAN": "address,undefined"}, True),
                             ("clang", {"CC": "clang"}, False)):
        words = [f"{k}={v}" for k, v in env.items() if k != "CI"]
        status, said = make("-n", "-B", "OUT=" + scratch("none"), scratch("none/model/table.o"), *words, **({"CI": "true"} if "CI" in env else {}))
        tap.ok(status == 0 and "-Wall" in said and ("-Werror" in said) == stops, f"{what}: a warning {'stops' if stops else 'does not stop'} it", said[-1500:])


def install(tap):
    target = scratch("target")
    status, said = make("install", "OUT=" + OUT, "DESTDIR=" + target, "PREFIX=/opt/it")
    program = os.path.join(target, "opt/it/bin/stepscope")
    if not tap.ok(status == 0 and os.path.exists(program), "make install", said[-1500:]):
        return
    for path in (program, os.path.join(target, "opt/it/lib/stepscope/libstepscope-inject.so")):
        sections = subprocess.run(["readelf", "-S", "-W", path], capture_output=True, text=True).stdout
        tap.ok(".dynsym" in sections and ".symtab" not in sections and ".debug_info" not in sections, f"{os.path.basename(path)} is stripped", sections)
    tap.ok(stepscope("--version", program=program).status == 0, "it runs")
    status, said = make("uninstall", "DESTDIR=" + target, "PREFIX=/opt/it")
    left = [os.path.join(folder, f) for folder, _, files in os.walk(target) for f in files]
    tap.equal((status, left), (0, []), "make uninstall takes every file away")
    tap.ok(not os.path.exists(os.path.join(target, "opt/it/lib/stepscope")), "and the folders that are ours")


def version(tap):
    with open(os.path.join(ROOT, "Makefile")) as f:
        number = re.search(r"^VERSION *= *(\S+)$", f.read(), re.M)[1]
    with open(os.path.join(OUT, "doc/stepscope.1")) as f:
        page = f.read()
    tap.ok(number in stepscope("--version").out and number in page.split("\n.SH")[0], "program and manual tell the Makefile's version")
    found = subprocess.run(["git", "grep", "-lF", number, "--", ".", ":!*.md", ":!tests/golden/xprof"], cwd=ROOT, capture_output=True, text=True)
    tap.equal(found.stdout.split(), ["Makefile"], "which stands nowhere else") if found.returncode < 2 else tap.skip("which stands nowhere else", "no git")


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap = Tap()
    deps(tap)
    warnings(tap)
    if not SANITIZED:
        install(tap)
    version(tap)
    tap.done()


main()
