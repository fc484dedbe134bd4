"""Every table of a real trace, written by one start of the program for all the tests of a run: a run of the whole suite names a folder for
that (TEST_TABLES, see tests/run). That each is what `stepscope table NAME` prints, export/t_export.py proves."""
import fcntl
import hashlib
import os

SHARED = os.environ.get("TEST_TABLES")


def text_of(name, path, run):
    """The table as JSON, None where it has to be asked for by itself. `run` starts the program."""
    if not SHARED:
        return None
    try:
        with open(os.path.join(_folder(path, run), name + ".json"), encoding="utf-8") as f:
            return f.read()
    except FileNotFoundError:
        return None


def names_of(path, run):
    """The names of all tables, None where they have to be asked for one by one."""
    return {name[:-5] for name in os.listdir(_folder(path, run))} if SHARED else None


def _folder(path, run):
    """Made by the test that asks first; the others wait for it. It stays empty when the program cannot read the trace."""
    folder = os.path.join(SHARED, hashlib.sha1(path.encode()).hexdigest())
    with open(folder + ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.isdir(folder):
            made = run("table", "--all", path, "--format", "json", "-o", folder + ".new/", "-q")
            if made.status in (0, 4):
                os.rename(folder + ".new", folder)
            else:
                os.makedirs(folder)
    return folder
