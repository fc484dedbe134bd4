#!/usr/bin/env python3
"""What is written where: nothing is replaced unasked, what is no regular file is written through, links stay, umask holds, a
target that cannot be written is refused before the work, and exit code 5 says that the output is not as asked."""
import os
import resource
import socket
import stat
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, STEPSCOPE, TIMEOUT_S, Run, Tap, need_program, play, scratch, stepscope  # noqa: E402

TRACE = os.path.join(ROOT, "tests/golden/small/two_steps.json")
MAGIC = b"STEPSCPE"

tap = Tap()
_folders = 0


def folder():
    """A new, empty one."""
    global _folders
    _folders += 1
    path = scratch(f"folder-{_folders}")
    os.makedirs(path)
    return path


def content(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data=b"mine"):
    with open(path, "wb") as f:
        f.write(data)
    return path


# Both kinds of writers: one that writes from front to end, one that goes back to its head; and what their outputs begin with.
WRITERS = {"report": (["report", TRACE, "--format", "md"], b"**Looked at:**"), "pack": (["pack", TRACE], MAGIC)}


def each(test):
    for name, (words, begins) in WRITERS.items():
        test(name, words, begins, folder())


def told(run, words):
    return run.status == 5 and words in run.err and len(run.err.splitlines()) == 1 and run.out == ""


# ---- files and links -----------------------------------------------------------------------------------------------------


def test_existing(name, words, begins, at):
    path = write(os.path.join(at, "x"))
    run = stepscope(*words, "-o", path)
    tap.ok(told(run, "exists; --force overwrites it") and content(path) == b"mine", f"{name}: an existing file stays", run.told())
    os.chmod(path, 0o604)
    run = stepscope(*words, "-o", path, "-f")
    mode = stat.S_IMODE(os.stat(path).st_mode)
    tap.ok(run.status == 0 and content(path).startswith(begins) and mode == 0o604, f"{name}: -f replaces it and keeps its mode",
           f"{run.told()} {mode:o}")
    tap.equal(os.listdir(at), ["x"], f"{name}: and nothing is left beside it")
    run = stepscope(*words, "-o", at, "-f")
    tap.ok(told(run, "is a folder"), f"{name}: a folder is refused", run.told())
    tap.ok(told(stepscope(*words, "-o", ""), "cannot write ''"), f"{name}: so is no name at all")


def test_links(name, words, begins, at):
    os.mkdir(os.path.join(at, "below"))
    file, link = write(os.path.join(at, "below", "file")), os.path.join(at, "link")
    os.symlink("below/file", link)
    run = stepscope(*words, "-o", link)
    tap.ok(told(run, "exists; --force") and content(file) == b"mine", f"{name}: the file a link leads to stays", run.told())
    run = stepscope(*words, "-o", link, "-f")
    tap.ok(run.status == 0 and os.path.islink(link) and content(file).startswith(begins) and os.stat(file).st_nlink == 1,
           f"{name}: -f replaces the file, the link stays", run.told())
    dangling = os.path.join(at, "dangling")
    os.symlink("below/new", dangling)
    run = stepscope(*words, "-o", dangling)
    tap.ok(run.status == 0 and os.path.islink(dangling) and content(os.path.join(at, "below", "new")).startswith(begins),
           f"{name}: the file a dangling link names is made", run.told())
    os.symlink("round", os.path.join(at, "round"))
    tap.ok(told(stepscope(*words, "-o", os.path.join(at, "round")), "symbolic links"), f"{name}: a link to itself is refused")


def test_umask(name, words, begins, at):
    for mask, mode in ((0o077, 0o600), (0o022, 0o644), (0o002, 0o664)):
        path = os.path.join(at, f"{mask:o}")
        subprocess.run([STEPSCOPE, *words, "-q", "-o", path], check=True, umask=mask)
        tap.equal(f"{stat.S_IMODE(os.stat(path).st_mode):o}", f"{mode:o}", f"{name}: umask {mask:o}")


# ---- devices, FIFOs, sockets, descriptors --------------------------------------------------------------------------------


def made_device(path, kind, major, minor):
    try:
        os.mknod(path, kind | 0o600, os.makedev(major, minor))
        with open(path, "rb"):
            return True
    except OSError as e:
        tap.skip(f"a device of our own, {os.path.basename(path)}", f"mknod: {e.strerror}")
        return False


def test_devices(name, words, begins, at):
    for device, status in (("null", 0), ("full", 5)):
        path = os.path.join(at, device)
        if not made_device(path, stat.S_IFCHR, 1, {"null": 3, "full": 7}[device]):
            continue
        before = os.stat(path)
        for force in ([], ["-f"]):
            run = stepscope(*words, "-o", path, *force)
            after = os.stat(path)
            same = (after.st_ino, after.st_mode, after.st_rdev) == (before.st_ino, before.st_mode, before.st_rdev)
            tap.ok(run.status == status and same and os.listdir(at) == [device],
                   f"{name}: {' '.join(force)} a device like /dev/{device} is written through, exit {status}", run.told())
        os.unlink(path)
    run = stepscope(*words, "-o", "/dev/full")
    tap.ok(told(run, "cannot write /dev/full: No space left on device"), f"{name}: /dev/full is full", run.told())


def test_block_device(name, words, begins, at):
    path = os.path.join(at, "disk")
    try:
        os.mknod(path, stat.S_IFBLK | 0o600, os.makedev(7, 254))
    except OSError as e:
        tap.skip(f"{name}: a block device", f"mknod: {e.strerror}")
        return
    run = stepscope(*words, "-o", path)
    tap.ok(told(run, "exists; --force") and stat.S_ISBLK(os.stat(path).st_mode), f"{name}: a disk wants -f", run.told())


def read_later(path):
    got = []
    thread = threading.Thread(target=lambda: got.append(content(path)))
    thread.start()
    return lambda: thread.join(TIMEOUT_S) or (got or [b""])[0]


def test_fifo(name, words, begins, at):
    path = os.path.join(at, "fifo")
    os.mkfifo(path)
    for force in ([], ["-f"]):
        reader = read_later(path)
        run = stepscope(*words, "-o", path, *force)
        if not stat.S_ISFIFO(os.stat(path).st_mode):
            tap.ok(False, f"{name}: a FIFO stays one", run.told())
            os.unlink(path)
            os.mkfifo(path)
        if run.status != 0:
            write(path, b"")  # lets the reader go
        tap.ok(reader().startswith(begins) and run.status == 0, f"{name}: {' '.join(force)} a FIFO's reader gets it", run.told())


def test_socket(name, words, begins, at):
    path = os.path.join(at, "socket")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)
    listener.settimeout(TIMEOUT_S)
    run = stepscope(*words, "-o", path, "-f")
    there = stat.S_ISSOCK(os.stat(path).st_mode)
    got = listener.accept()[0].makefile("rb").read() if run.status == 0 and there else b""
    tap.ok(there and got.startswith(begins), f"{name}: a socket is connected to", run.told())


def test_descriptors(name, words, begins, at):
    for target in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        run = subprocess.run([STEPSCOPE, *words, "-q", "-o", target], capture_output=True)
        tap.ok(run.returncode == 0 and run.stdout.startswith(begins), f"{name}: -o {target} into a pipe", run.stderr)
    path = write(os.path.join(at, "log"), b"before\n")
    with open(path, "ab") as f:
        run = subprocess.run([STEPSCOPE, *words, "-q", "-o", "/dev/stdout"], stdout=f, stderr=subprocess.PIPE)
    tap.ok(run.returncode == 0 and content(path).startswith(b"before\n" + begins) and os.listdir(at) == ["log"],
           f"{name}: /dev/stdout is not the file behind it", run.stderr)
    with open("/dev/full", "wb") as full:
        run = subprocess.run([STEPSCOPE, *words, "-q", "-o", "-"], stdout=full, stderr=subprocess.PIPE)
    tap.ok(run.returncode == 5 and b"cannot write to stdout: No space left" in run.stderr, f"{name}: a full stdout is told", run)
    run = subprocess.run(["sh", "-c", '"$@" >&-', "sh", STEPSCOPE, *words, "-q", "-o", "-"], stderr=subprocess.PIPE)
    tap.ok(run.returncode == 5 and b"cannot write to stdout" in run.stderr, f"{name}: a closed stdout is told", run)


# ---- before the work -----------------------------------------------------------------------------------------------------


def test_first(name, words, begins, at):
    """The input is a FIFO that nobody writes: whoever reads before looking at the output waits for ever."""
    source = os.path.join(at, "source.json")
    os.mkfifo(source)
    words = [source if w == TRACE else w for w in words]
    for target, why in ((os.path.join(at, "none", "x"), "No such file"), (write(os.path.join(at, "x")), "exists; --force"),
                        (os.path.join(at, "x", "y"), "Not a directory"), ("/proc/stepscope", "cannot write /proc/stepscope")):
        try:
            run = Run(subprocess.run([STEPSCOPE, *words, "-o", target], capture_output=True, text=True, timeout=TIMEOUT_S))
        except subprocess.TimeoutExpired as e:
            run = Run(subprocess.CompletedProcess(e.cmd, 124, "", "it read its input"))
        tap.ok(told(run, why), f"{name}: refused at once: {why}", run.told())
    tap.equal(sorted(os.listdir(at)), ["source.json", "x"], f"{name}: and nothing is left")


def test_record_first():
    at = folder()
    ran = os.path.join(at, "ran")
    for target, why in ((os.path.join(at, "none", "x"), "No such file"), (write(os.path.join(at, "x")), "exists; --force")):
        run = stepscope("record", "-o", target, "--", "touch", ran)
        tap.ok(told(run, why) and not os.path.exists(ran), f"record: refused before the command starts: {why}", run.told())
    run = stepscope("record", "-o", "-", "--", "touch", ran)
    tap.ok(run.status == 2 and "leaves stdout to the command" in run.err and not os.path.exists(ran), "record: not to stdout", run.told())
    run = stepscope("trigger", "-o", os.path.join(at, "none", "x"))
    tap.ok(told(run, "No such file"), "trigger: refused before anybody is asked", run.told())


# ---- meanwhile -----------------------------------------------------------------------------------------------------------


def test_appears(name, words, begins, at):
    """The input is a FIFO: while it is read, somebody else writes the target."""
    source, target = os.path.join(at, "source.json"), os.path.join(at, "x.out")
    os.mkfifo(source)
    words = [source if w == TRACE else w for w in words]
    process = subprocess.Popen([STEPSCOPE, *words, "-o", target], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(source, "wb") as f:  # opened by the program: the target was looked at before
        write(target, b"theirs")
        f.write(content(TRACE))
    out, err = process.communicate(timeout=TIMEOUT_S)
    run = Run(subprocess.CompletedProcess([], process.returncode, out.decode(), err.decode()))
    beside = os.path.join(at, "x-2.out")
    tap.ok(told(run, "the output is in x-2.out") and content(target) == b"theirs" and os.path.exists(beside) and
           content(beside).startswith(begins), f"{name}: a file that appears meanwhile stays, the output goes beside it, exit 5",
           f"{run.told()} {os.listdir(at)}")


def test_full(name, words, begins, at):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
    run = subprocess.run([STEPSCOPE, *words, "-o", os.path.join(at, "x")], preexec_fn=limit, capture_output=True, text=True)
    tap.ok(run.returncode == 5 and "File too large" in run.stderr and not os.listdir(at),
           f"{name}: a file that may not grow: exit 5, nothing is left", run)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "stepscope-test", at], capture_output=True, text=True)
    if mounted.returncode:
        tap.skip(f"{name}: a full file system", "mount: " + mounted.stderr.split("\n")[0])
        return
    try:
        write(os.path.join(at, "full"), b"x" * 4096)
        run = stepscope(*words, "-o", os.path.join(at, "x"))
        tap.ok(told(run, "No space left on device") and os.listdir(at) == ["full"], f"{name}: a full disk: exit 5, nothing is left",
               run.told())
    finally:
        subprocess.run(["umount", at], check=True)


def test_long_report():
    """Longer than a buffer: what could not be written is met long before the end."""
    run = stepscope("report", TRACE, "--format", "html", "-o", "/dev/full")
    tap.ok(told(run, "cannot write /dev/full: No space left on device"), "a full disk is told of a long report, too", run.told())


def test_input():
    """--force is for an older output, not for the trace itself."""
    at = folder()
    path = write(os.path.join(at, "t.json"), content(TRACE))
    os.symlink("t.json", os.path.join(at, "link.json"))
    for words, out in ((["export", path], "t.json"), (["export", path, "--step", "1"], "link.json"), (["export", at], "t.json"),
                       (["report", path], "t.json"), (["table", "steps", path], "t.json"), (["diff", path, TRACE], "t.json"),
                       (["report", TRACE, "--vs", path], "t.json"), (["table", "graphs", TRACE, "--capture", path], "t.json")):
        run = stepscope(*words, "-o", os.path.join(at, out), "--force")
        tap.ok(told(run, "is a trace that is read here") and content(path) == content(TRACE), f"{words[0]} over its own input: refused",
               run.told())
    named = write(os.path.join(at, "trace.json"), content(TRACE))
    run = stepscope("table", "--all", named, "-o", at, "--format", "json", "--force")
    tap.ok(told(run, "is a trace that is read here") and content(named) == content(TRACE) and not os.path.exists(os.path.join(at, "steps.json")),
           "every table into a folder where one has the trace's name: refused before the first", run.told())
    other = write(os.path.join(at, "rank.sqlite"), content(TRACE))
    run = stepscope("summarize", other, "-o", other, "--force")
    tap.ok(told(run, "is a trace that is read here") and content(other) == content(TRACE), "summarize over a trace: refused", run.told())
    summary = os.path.join(at, "sum.sqlite")
    runs = [stepscope("summarize", words, "-o", summary, "-f") for words in (path, summary)]
    tap.ok([r.status for r in runs] == [0, 0], "over a summary it may: it keeps all of it", runs[1].told())
    page = write(os.path.join(at, "t.svg"), content(TRACE))
    run = stepscope("t.svg", "--screenshot", "s.txt", "--keys", ":export Space t.svg Enter", "--force", cwd=at)
    tap.ok(run.status == 0 and content(page) == content(TRACE) and b"write to another file" in content(os.path.join(at, "s.txt")),
           "nor does the explorer write over what it shows", run.told())
    packed = os.path.join(at, "t.stepscope")
    runs = [stepscope("pack", words, "-o", packed, "-f") for words in (path, packed)]
    tap.ok([r.status for r in runs] == [0, 0], "pack may: it keeps all that it has read", runs[1].told())


def test_tables():
    at = os.path.join(folder(), "tables")
    for verb in (["export", TRACE], ["table", "--all", TRACE]):
        tap.equal(stepscope(*verb, "-o", at + "/", "-f").status, 0, f"{verb[0]}: a folder of tables")
        before = os.listdir(at)
        write(os.path.join(at, "steps.csv"))
        run = stepscope(*verb, "-o", at + "/")
        tap.ok(told(run, "exists; --force overwrites it") and os.listdir(at) == before and content(os.path.join(at, "steps.csv")) == b"mine",
               f"{verb[0]}: tables that stand there stay, and nothing is put beside them", run.told())


def test_locked():
    """A folder that may not be read is none without traces."""
    at = folder()
    os.chmod(at, 0)
    left = (lambda: os.setuid(65534)) if os.geteuid() == 0 else None
    run = subprocess.run([STEPSCOPE, "notes", at, "--no-cache"], preexec_fn=left, capture_output=True, text=True, check=False)
    os.chmod(at, 0o700)
    tap.ok(run.returncode == 3 and "Permission denied" in run.stderr, "a folder that may not be read says so", run)


def test_killed(name, words, begins, at):
    """Killed at any time it leaves the whole file or none; at most a temporary, which the next run removes."""
    whole = 0
    for i in range(12):
        process = subprocess.Popen([STEPSCOPE, *words, "-q", "-o", os.path.join(at, "x"), "-f"])
        time.sleep(0.004 * i)
        process.kill()
        process.wait()
        whole += not os.path.exists(os.path.join(at, "x")) or content(os.path.join(at, "x")).startswith(begins)
    run = stepscope(*words, "-o", os.path.join(at, "y"))
    left = [f for f in os.listdir(at) if f not in ("x", "y")]
    tap.ok(whole == 12 and run.status == 0 and not left, f"{name}: killed at any time, nothing stays for longer than the next run",
           f"{left}\n{run.told()}")


# ---- inputs that wait ----------------------------------------------------------------------------------------------------


def test_rules():
    path = os.path.join(folder(), "my.rules")
    os.mkfifo(path)
    try:
        run = Run(subprocess.run([STEPSCOPE, "table", "kernels", TRACE, "--tc-rules", path], capture_output=True, text=True,
                                 timeout=TIMEOUT_S))
    except subprocess.TimeoutExpired as e:
        run = Run(subprocess.CompletedProcess(e.cmd, 124, "", "it waited for a writer"))
    tap.ok(run.status == 2 and "my.rules: it is no regular file" in run.err, "a FIFO as rules file is refused", run.told())


def test_cache():
    cache = os.path.join(folder(), "stepscope")
    env = dict(os.environ, XDG_CACHE_HOME=os.path.dirname(cache), STEPSCOPE_CACHE_AFTER_MS="0")

    def opened(*options):
        run = subprocess.run([STEPSCOPE, "table", "steps", TRACE, *options], env=env, capture_output=True, text=True)
        return run.returncode, "the cache is not used" in run.stderr, len(os.listdir(cache))
    os.mkdir(cache, 0o755)
    os.chmod(cache, 0o755)
    tap.equal([opened(), opened("-q"), opened("--no-cache")], [(0, True, 0), (0, False, 0), (0, False, 0)],
              "a cache folder that others may enter is not used, and that is told")
    os.chmod(cache, 0o700)
    tap.equal(opened(), (0, False, 1), "a private one is")
    os.rename(cache, cache + "-real")
    os.symlink(cache + "-real", cache)
    tap.equal(opened()[1], True, "a link to it is not")


# ---- the explorer --------------------------------------------------------------------------------------------------------


def explore(at, keys, *options):
    return play("wait Overview\nsettle\n" + keys + "keys Q\nend\n", TRACE, *options, size="120x30", cwd=at)


def test_explorer():
    at = folder()
    os.umask(0o077)
    os.symlink("behind.html", os.path.join(at, "link.html"))
    os.symlink("/dev/stdout", os.path.join(at, "tty.md"))
    os.mkfifo(os.path.join(at, "fifo"))
    write(os.path.join(at, "old.stepscope"))
    orders = [("save new.stepscope", "wrote new.stepscope"), ("export link.html", "wrote link.html"),
              ("save old.stepscope", "old.stepscope exists"), ("save none/x", "cannot write none/x"), ("save .", "is a folder"),
              ("save ./fifo", "cannot write ./fifo"), ("save /dev/null", "wrote /dev/null"), ("save /dev/full", "cannot write /dev/full"),
              ("save -", "is a terminal"), ("export tty.md", "is a terminal"), ("export ./fifo/x.md", "cannot write")]
    screen = explore(at, "".join(f"keys :\ntype {order}\nkeys Enter\nwait {words}\n" for order, words in orders))
    os.umask(0o022)
    tap.ok("exit 0" in screen.run.out, "explorer: each output is written or refused in a sentence",
           screen.run.out[-3000:] + screen.run.err)
    good = (content(os.path.join(at, "new.stepscope"))[:8] == MAGIC and os.path.islink(os.path.join(at, "link.html")) and
            content(os.path.join(at, "behind.html")).startswith(b"<!doctype") and
            content(os.path.join(at, "old.stepscope")) == b"mine" and stat.S_ISFIFO(os.stat(os.path.join(at, "fifo")).st_mode))
    tap.ok(good, "explorer: what is there stays, links stay, streams stay", os.listdir(at))
    modes = {f: oct(os.stat(os.path.join(at, f)).st_mode & 0o777) for f in ("new.stepscope", "behind.html")}
    tap.equal(set(modes.values()), {"0o600"}, "explorer: umask holds")
    keys = "keys b\nsettle\nkeys e\nsettle\nkeys h\nwait wrote stepscope-gap\n"
    write(os.path.join(at, "stepscope-gap-1.html"))
    os.symlink("nowhere", os.path.join(at, "stepscope-gap-1-2.html"))
    screen = explore(at, keys + keys.replace("keys b\nsettle\n", "").replace("wait wrote stepscope-gap", "settle"))
    found = sorted(f for f in os.listdir(at) if f.startswith("stepscope-gap"))
    kept = content(os.path.join(at, "stepscope-gap-1.html")) == b"mine" and not os.path.exists(os.path.join(at, "nowhere"))
    tap.ok(kept and len(found) == 4, "explorer: e finds names at which nothing stands, links to nothing included",
           f"{found}\n{screen.run.out[-2500:]}")


def main():
    need_program()
    for test in (test_existing, test_links, test_umask, test_devices, test_block_device, test_fifo, test_socket, test_descriptors,
                 test_first, test_appears, test_full, test_killed):
        each(test)
    test_record_first()
    test_long_report()
    test_input()
    test_tables()
    test_locked()
    test_rules()
    test_cache()
    test_explorer()
    tap.done()


main()
