"""Nobody waits for an import, and no import dies of what others do to its file: a writer gets in while we are stopped, a file
that is cut, changed or replaced meanwhile is told as such."""
import json
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import STEPSCOPE, TIMEOUT_S, Run, Tap, need_program, scratch  # noqa: E402

ATTEMPTS = 20
HEAD_BYTES = 1 << 16  # what is looked at before the import opens the file takes less
STREAM_BYTES = 40 << 20


def varint(n):
    out = b""
    while n > 0x7F:
        out, n = out + bytes([n & 0x7F | 0x80]), n >> 7
    return out + bytes([n])


def field(number, payload):
    """Bytes with their length, or a number."""
    if isinstance(payload, int):
        return varint(number << 3) + varint(payload)
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def write_xspace(path):
    event = field(4, field(1, 7) + field(2, 1000) + field(3, 900))
    line = field(3, field(1, 1) + field(2, b"Stream #1") + event * (STREAM_BYTES // len(event)))
    names = field(4, field(1, 7) + field(2, field(1, 7) + field(2, b"kernel")))
    with open(path, "wb") as f:
        f.write(field(1, field(1, 1) + field(2, b"/device:GPU:0") + line + names))


def write_json(path):
    record = '{"ph":"X","name":"%s","pid":1,"tid":1,"ts":%d,"dur":1},\n'
    some = "".join(record % ("f", 2 * i) for i in range(1000)).encode()
    with open(path, "wb") as f:
        f.write(b'{"traceEvents":[\n' + some * (STREAM_BYTES // len(some)) + b'{}]}\n')


def position(pid, path):
    """Where the process reads the file next; None: it does not have it open, or not yet."""
    try:
        for fd in os.listdir(f"/proc/{pid}/fd"):
            if os.readlink(f"/proc/{pid}/fd/{fd}") == path:
                with open(f"/proc/{pid}/fdinfo/{fd}") as f:
                    return int(f.readline().split()[1])
    except OSError:
        pass
    return None


def read_bytes(pid, path):
    """What the process has read so far, from wherever in the file (two threads move no position); None: as above."""
    try:
        with open(f"/proc/{pid}/io") as f:
            n = int(re.search(r"rchar: (\d+)", f.read()).group(1))
        return n if position(pid, path) is not None else None
    except OSError:
        return None


def stands_still(pid):
    """Whether each of its threads does: one that is amid a long read moves the position, and stops, only at its end."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/stat") as f:
                if f.read().rsplit(")", 1)[1].split()[0] not in "TZ":
                    return False
        except OSError:  # it ended meanwhile
            pass
    return True


def stop_amid(how, path, amid, how_far=read_bytes):
    """An import of the file that stands still so far on that `amid` holds; None: it was too fast each time."""
    for _ in range(ATTEMPTS):
        p = subprocess.Popen([STEPSCOPE, "notes", "--no-cache", "--format", "json", path], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0)
        while p.poll() is None:
            at = how_far(p.pid, path)
            if at is not None and amid(at):
                p.send_signal(how)
                break
        while p.poll() is None and not stands_still(p.pid):
            time.sleep(0.001)
        at = how_far(p.pid, path)
        if p.poll() is None and at is not None and amid(at):
            return p, at
        p.send_signal(signal.SIGCONT)
        p.communicate()
    return None, None


def go_on(p):
    p.send_signal(signal.SIGCONT)
    out, err = p.communicate(timeout=TIMEOUT_S)
    run = Run(subprocess.CompletedProcess([], p.returncode, out.decode(), err.decode()))
    run.notes = {row[0]: row[2] for row in json.loads(run.out)["rows"]} if run.out else {}
    return run


def writer(path, flags=0):
    """Opens for writing as somebody does who will not wait; None: refused."""
    try:
        return os.open(path, os.O_WRONLY | os.O_NONBLOCK | flags)
    except BlockingIOError:
        return None


def cut_at(run):
    found = re.search(r"cut at offset (\d+), read only in part", run.err)
    return int(found.group(1)) if found else -1


def test_cut(tap, kind, write, how):
    path = scratch("cut." + kind)
    write(path)
    size = os.path.getsize(path)
    name = f"{kind}, {how.name} amid the import"
    p, at = stop_amid(how, path, lambda at: HEAD_BYTES < at < size)
    if not tap.ok(p, f"{name}: it stands still"):
        return
    fd = writer(path)
    tap.ok(fd is not None, f"{name}: a writer gets in at once")
    if fd is not None:
        os.ftruncate(fd, at)
        os.close(fd)
    run = go_on(p)
    tap.ok(run.status == 4 and 0 < cut_at(run) <= at and run.notes.get("truncated"), f"{name}: a file cut there is told, exit 4",
           f"{run.told()}\nat {at} notes {run.notes}")


def test_cut_below(tap):
    """What was read already is shown, also when less of the file is left."""
    path = scratch("below.json")
    write_json(path)
    size = os.path.getsize(path)
    p, at = stop_amid(signal.SIGSTOP, path, lambda at: HEAD_BYTES < at < size)
    if not tap.ok(p, "emptied amid the import: it stands still"):
        return
    fd = writer(path, os.O_TRUNC)
    if fd is not None:
        os.close(fd)
    run = go_on(p)
    tap.ok(fd is not None and run.status == 4 and 0 < cut_at(run) <= at, "emptied amid the import: told, exit 4",
           f"{run.told()}\nat {at} notes {run.notes}")


def test_cut_before_second_reading(tap):
    """Events of an XSpace are read again once their names are known: the file is cut in between."""
    path = scratch("second.xplane.pb")
    for _ in range(ATTEMPTS):  # an import may have been past the second reading, too
        write_xspace(path)
        size = os.path.getsize(path)
        p, _ = stop_amid(signal.SIGSTOP, path, lambda at: at == size, position)
        if not p:
            break
        fd = writer(path)
        if fd is None:
            go_on(p)
            break
        os.ftruncate(fd, size // 2)
        os.close(fd)
        run = go_on(p)
        if "truncated" in run.notes:
            break
    good = p and fd is not None and run.status == 4 and size // 2 - (1 << 20) < cut_at(run) < size
    tap.ok(good, "an XSpace that is cut before its events are read again: told, exit 4", run.told() if p and fd else "")


def test_changed(tap):
    path = scratch("changed.json")
    write_json(path)
    size = os.path.getsize(path)
    p, at = stop_amid(signal.SIGSTOP, path, lambda at: HEAD_BYTES < at < size)
    if not tap.ok(p, "rewritten amid the import: it stands still"):
        return
    fd = writer(path)
    if fd is not None:
        os.pwrite(fd, b"g", size - (1 << 10))
        os.close(fd)
    run = go_on(p)
    tap.ok(fd is not None and run.status == 4 and run.notes.get("changed") == 1, "rewritten amid the import: told, exit 4",
           f"{run.told()}\n{run.notes}")


def test_replaced(tap):
    path, other = scratch("replaced.json"), scratch("other.json")
    write_json(path)
    with open(other, "w") as f:
        f.write("[]")
    size = os.path.getsize(path)
    p, at = stop_amid(signal.SIGSTOP, path, lambda at: HEAD_BYTES < at < size)
    if not tap.ok(p, "replaced amid the import: it stands still"):
        return
    os.rename(other, path)
    run = go_on(p)
    tap.ok(run.status == 0 and "truncated" not in run.notes and "changed" not in run.notes,
           "replaced amid the import: what was opened is read to its end", f"{run.told()}\n{run.notes}")


def main():
    tap = Tap()
    need_program()
    for how in (signal.SIGSTOP, signal.SIGTSTP):
        test_cut(tap, "json", write_json, how)
        test_cut(tap, "xplane.pb", write_xspace, how)
    test_cut_below(tap)
    test_cut_before_second_reading(tap)
    test_changed(tap)
    test_replaced(tap)
    tap.done()


if __name__ == "__main__":
    main()
