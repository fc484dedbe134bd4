#!/usr/bin/env python3
"""The one-file program of `make static` where nothing else is: in an empty root it reads, reports and draws what the ordinary build does,
on terminals that no database describes, with wide characters though there is no locale; live mode unpacks its library. Needs root, or a
kernel that lets users make namespaces."""
import ctypes
import os
import shutil
import stat
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from harness import ROOT, TRACES, Tap, need_program, play, scratch, stepscope  # noqa: E402

PROGRAM = os.path.join(ROOT, "build/static/stepscope")
INSIDE = "/stepscope"
PREFIX = ("chroot",) if os.geteuid() == 0 else ("unshare", "-r", "chroot")
SMALL = "tests/golden/small/two_steps.json"
FIRST = "wait Overview\nsettle\nscreen\nkeys Q\nend\n"
DRAWN = FIRST.replace("screen", "keys 2\nsettle\nscreen")
BUNDLED = ("tests/traces/resnet/resnet.pt.trace.json.gz",
           "tests/traces/sample/plugins/profile/2026_11_21_01_13_08/host.xplane.pb", "tests/traces/torch-cpu/train.pt.trace.json.gz", SMALL)
REAL = ("kineto/mi210-gpu-only/gpu_only_trace.json.gz",)
TERMS = ("xterm-256color", "screen", "screen-256color", "tmux", "tmux-256color", "linux", "vt100")
# where the folder of a user would be is nothing, and nothing says where
BARE = {"HOME": "/", "LANG": "C.UTF-8", "LC_ALL": "", "TERMINFO": "", "XDG_CONFIG_HOME": "/none", "XDG_CACHE_HOME": "/none"}


def empty_root():
    """A root that holds the program and some traces, nothing else: no /tmp, /proc, /etc, /usr. dev is a file, so that no state is kept."""
    root = scratch("root")
    os.makedirs(root)
    open(os.path.join(root, "dev"), "w").close()
    shutil.copy2(PROGRAM, root)
    traces = [os.path.join(ROOT, t) for t in BUNDLED] + [p for t in REAL if os.path.exists(p := os.path.join(TRACES, t))]
    for path in traces:
        shutil.copy2(path, root)
    return root, [os.path.basename(t) for t in traces]


def in_root(root, *args, env=None):
    return stepscope(*PREFIX[1:], root, INSIDE, *args, program=PREFIX[0], env={**BARE, **(env or {})})


def one_file(tap):
    with open(PROGRAM, "rb") as f:
        tap.ok(f.read(4) == b"\x7fELF", "it is a program")
    needs = subprocess.run(["readelf", "-ldS", PROGRAM], capture_output=True, text=True).stdout
    tap.ok("INTERP" not in needs and "NEEDED" not in needs, "no loader and no library is needed", needs)
    tap.ok(".symtab" not in needs and ".debug_info" not in needs, "it is stripped")


def says_the_same(tap, root, traces):
    for name in traces:
        for words in (("table", "gaps", "--format", "csv"), ("table", "kernels", "--format", "csv"), ("table", "steps", "--format", "csv"),
                      ("report", "--format", "md"), ("findings", "--fail-on", "never")):
            args = (*words[:2], name, *words[2:]) if words[0] == "table" else (words[0], name, *words[1:])
            got = in_root(root, *args, "--no-cache")
            want = stepscope(*args, "--no-cache", cwd=root, env={"LANG": "C.UTF-8", "LC_ALL": ""})
            tap.ok(want.status in (0, 4) and (got.status, got.out) == (want.status, want.out), f"{name}: {' '.join(words)}",
                   f"expected {want.told()}\n{want.out[:600]}\ngot {got.told()}\n{got.out[:600]}")


def screen(root, term, env, script=DRAWN):
    return play(script, *PREFIX[1:], root, INSIDE, "two_steps.json", "--no-cache",
                term=term, env=env, program=PREFIX[0], cwd=root)


def draws(tap, root):
    """The same screen as the ordinary build's on the same terminal; the names of colours differ nowhere in what a screen says."""
    for term in TERMS:
        got = screen(root, term, BARE)
        want = play(DRAWN, "two_steps.json", "--no-cache", term=term, cwd=root,
                    env={"LANG": "C.UTF-8", "LC_ALL": "", "XDG_CONFIG_HOME": "/none"})
        tap.ok(want.last and got.last == want.last, f"the explorer under {term}", f"{got.run.told()}\n{got.last}\nexpected\n{want.last}")
        if term == TERMS[0]:
            tap.ok(any(ord(c) > 0x2000 for c in got.last), "it draws with wide characters", got.last)
    plain = screen(root, "vt100", {**BARE, "LANG": "C"})
    tap.ok(plain.last and plain.last.isascii(), "and with ASCII where the environment asks for nothing else", plain.last)
    unknown = screen(root, "nonsense", BARE, FIRST)
    told = " ".join(unknown.last.split())  # a message of two lines, which the first key takes away
    tap.ok("\"nonsense\" is not described on this machine" in told, "a type that nobody knows is told, and drawn as the commonest",
           unknown.last)
    tap.equal(sorted(set(os.listdir(root)) - {"stepscope", "dev", *map(os.path.basename, BUNDLED + REAL)}), [], "nothing is left behind in the root")


def lends_no_description(tap):
    """A program that is started from here sees what the user had set."""
    run = subprocess.run([PROGRAM, "run", "--", "sh", "-c", "echo \"<$TERMINFO$LOCPATH>\""], capture_output=True, text=True,
                         env={**os.environ, "TERMINFO": "", "XDG_CACHE_HOME": scratch("lent")})
    tap.ok("<>" in run.stdout, "a command that it starts gets no TERMINFO and no LOCPATH of ours", run.stdout + run.stderr)


def unpacks_the_library(tap):
    alone = shutil.copy2(PROGRAM, scratch("alone"))  # in its build tree the library lies beside it
    cache = scratch("cache-live")
    env = {**os.environ, "XDG_CACHE_HOME": cache, "XDG_RUNTIME_DIR": scratch("runtime-live")}
    os.makedirs(env["XDG_RUNTIME_DIR"], mode=0o700)

    def injected():
        run = subprocess.run([alone, "run", "--", "sh", "-c", "echo $CUDA_INJECTION64_PATH"], capture_output=True, text=True, env=env)
        return run.stdout.strip(), run
    path, run = injected()
    tap.ok(path.startswith(cache) and os.path.exists(path), "run unpacks the library of live mode", run.stdout + run.stderr)
    if not os.path.exists(path):
        return
    tap.equal(stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode), 0o700, "into a folder that others cannot enter")
    tap.ok(ctypes.CDLL(path) and os.path.exists(os.path.join(os.path.dirname(path), "libstepscope-preload.so")), "a process can load it")
    before = os.stat(path).st_mtime_ns
    tap.equal((injected()[0], os.stat(path).st_mtime_ns), (path, before), "the next command uses it again")
    os.chmod(os.path.dirname(path), 0o777)
    run = injected()[1]
    tap.ok(run.returncode != 0 and "mode 0700" in run.stderr, "not from a folder that others may write to", run.stdout + run.stderr)


def main():
    need_program()
    tap = Tap()
    if not os.path.exists(PROGRAM):
        tap.ok(False, "build/static/stepscope is built: make static")
        tap.done()
    root, traces = empty_root()
    one_file(tap)
    says_the_same(tap, root, traces)
    draws(tap, root)
    lends_no_description(tap)
    unpacks_the_library(tap)
    run = in_root(root, "doctor")
    tap.ok(run.status in (0, 1) and "static" in run.out, "doctor says what it does not look for", run.told() + run.out)
    tap.done()


main()
