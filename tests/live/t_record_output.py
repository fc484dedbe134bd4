#!/usr/bin/env python3
"""Nothing that was recorded is thrown away: where record cannot write its file as asked it is kept elsewhere, that is told, and
the exit status is 5 unless the command had one of its own. On the stand-ins."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from command import env  # noqa: E402
from viewer import TARGET  # noqa: E402
from harness import STEPSCOPE, TIMEOUT_S, Tap, need_program, scratch, table  # noqa: E402

tap = Tap()
_folders = 0


def folder():
    global _folders
    _folders += 1
    path = scratch(f"folder-{_folders}")
    os.makedirs(path)
    return path


def record(at, target, meanwhile, *words, options=()):
    """Runs record in `at`; the command is a shell that does `meanwhile`, then some work. What it said."""
    script = f"{meanwhile}; exec \"$@\""
    return subprocess.run([STEPSCOPE, "record", *options, "-o", target, "--", "sh", "-c", script, "sh", TARGET, "kernels=60", *words],
                          cwd=at, env=env(), capture_output=True, text=True, timeout=TIMEOUT_S)


def is_kept(done, at):
    """The file named in the message holds the whole recording."""
    found = re.search(r"what was recorded is in (\S+) instead: cannot write", done.stderr)
    path = os.path.join(at, found.group(1)) if found else ""
    return done.returncode == 5 and os.path.exists(path) and table("streams", path).rows[0]["kernels"] == 60


def test_appears():
    at = folder()
    done = record(at, "x.stepscope", "echo theirs >x.stepscope")
    beside = os.path.join(at, "x-2.stepscope")
    with open(os.path.join(at, "x.stepscope")) as f:
        theirs = f.read()
    tap.ok(done.returncode == 5 and theirs == "theirs\n" and "the output is in x-2.stepscope" in done.stderr,
           "a file that appears meanwhile stays, exit 5", done)
    tap.ok(os.path.exists(beside) and table("streams", beside).rows[0]["kernels"] == 60, "and the recording is beside it", os.listdir(at))
    done = record(at, "y.stepscope", "mkdir y.stepscope", "exit=7", options=["-f"])
    tap.ok(done.returncode == 7 and "the output is in y-2.stepscope" in done.stderr, "the command's own status goes first", done)


def test_kept():
    at = folder()
    done = record(at, "/dev/full", "true")
    tap.ok(is_kept(done, at) and "No space left" in done.stderr, "a full device", done)
    at = folder()
    os.mkdir(os.path.join(at, "sub"))
    done = record(at, "sub/x.stepscope", "rmdir sub")
    tap.ok(is_kept(done, at) and "No such file" in done.stderr, "a folder that goes away", done)
    done = record(at, "sub/x.stepscope", "true")
    tap.ok(done.returncode == 5 and "No such file" in done.stderr and done.stdout == "", "one that is not there: not even started", done)
    at = folder()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "stepscope-test", at], capture_output=True, text=True)
    if mounted.returncode:
        tap.skip("a full disk", "mount: " + mounted.stderr.split("\n")[0])
        return
    try:
        done = record(at, "x.stepscope", "echo full >full")
        tap.ok(is_kept(done, at) and os.listdir(at) == ["full"], "a full disk, the current folder on it", done)
    finally:
        subprocess.run(["umount", at], check=True)


def test_limit():
    """The limit comes when the recording is under way: it is for files in memory, too."""
    at = folder()
    limit = "import resource, sys; resource.prlimit(int(sys.argv[1]), resource.RLIMIT_FSIZE, (512, 512))"
    done = record(at, "x.stepscope", f"python3 -c '{limit}' $PPID")
    tap.ok(done.returncode == 5 and "File too large" in done.stderr and "found no other place" in done.stderr and not os.listdir(at),
           "where nothing can be written anywhere, that is told", done)


def test_limit_of_the_command():
    """Our own handling of SIGXFSZ is not the command's."""
    at = folder()
    done = subprocess.run([STEPSCOPE, "record", "-q", "-o", "x", "--", "sh", "-c", "ulimit -f 0; exec python3 -c \"import signal;"
                           " print(signal.getsignal(signal.SIGXFSZ) in (signal.SIG_IGN, signal.SIG_DFL))\""],
                          cwd=at, env=env(), capture_output=True, text=True)
    alone = subprocess.run(["grep", "-E", "^Sig(Ign|Cgt)", "/proc/self/status"], capture_output=True, text=True)
    same = subprocess.run([STEPSCOPE, "run", "-q", "--", "grep", "-E", "^Sig(Ign|Cgt)", "/proc/self/status"], env=env(),
                          capture_output=True, text=True)
    tap.ok(done.stdout == "True\n" and same.stdout == alone.stdout, "the command has the signals it would have alone", (done, same, alone))


def main():
    need_program()
    for test in (test_appears, test_kept, test_limit, test_limit_of_the_command):
        test()
    tap.done()


main()
