"""A viewer in a hundred lines: speaks live/wire.h to a target, reads its ring, and counts. Written from the header's text alone,
so that the two sides of the program are not each other's only proof. Numbers of the layout come from tests/live/layout."""
import atexit
import json
import mmap
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import OUT, TIMEOUT_S, until  # noqa: E402

LIVE = os.path.join(OUT, "tests/live")
INJECT = os.path.join(OUT, "libstepscope-inject.so")
TARGET = os.path.join(LIVE, "target")
STANDIN = os.path.join(LIVE, "standin")
L = json.loads(subprocess.run([os.path.join(LIVE, "layout")], capture_output=True, check=True).stdout)
KINDS = {v: k[5:] for k, v in L.items() if k.startswith("KIND_")}
STATES = {v: k[6:] for k, v in L.items() if k.startswith("STATE_")}
tempfile.tempdir = tempfile.mkdtemp(prefix="live")  # everything of a test lies below, and goes with it
os.environ["TMPDIR"] = tempfile.tempdir  # also of programs that we kill
atexit.register(shutil.rmtree, tempfile.tempdir, True)
with open(TARGET, "rb") as program:
    SANITIZED = b"san_init" in program.read()
# A target is judged by its own end: no leak check of threads that outlive main, no report instead of a signal.
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=0:handle_segv=0:handle_abort=0", "TSAN_OPTIONS": "handle_segv=0:handle_abort=0"}


def environment(runtime, **more):
    """What the target sees: the stand-ins, our library, a runtime folder of its own."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("STEPSCOPE_", "STANDIN_", "RANK"))}
    env.update(CUDA_INJECTION64_PATH=INJECT, XDG_RUNTIME_DIR=runtime, LD_LIBRARY_PATH=STANDIN,
               **SANITIZERS, STEPSCOPE_CUPTI=os.path.join(STANDIN, "libcupti.so.13"), STEPSCOPE_RING_MB="1", STEPSCOPE_FLUSH_MS="10")
    env.update({k: str(v) for k, v in more.items() if v is not None})
    return {k: v for k, v in env.items() if more.get(k, "") is not None}


def start_ticks(pid):
    with open(f"/proc/{pid}/stat") as f:
        return int(f.read().rsplit(")", 1)[1].split()[19])


def socket_of(runtime, pid):
    return os.path.join(runtime, "stepscope", f"{pid}-{start_ticks(pid)}.sock")


def ring_of(pid):
    """The file of its ring; None: it has none. Other files may come and go meanwhile."""
    for fd in (f"/proc/{pid}/fd/{n}" for n in os.listdir(f"/proc/{pid}/fd")):
        try:
            if "stepscope-ring" in os.readlink(fd):
                return fd
        except FileNotFoundError:
            pass
    return None


def until_recorded(runtime, pid):
    """Waits until a viewer records this target, without getting in its way: the place is free while there is no ring."""
    def is_recorded():
        v = Viewer(socket_of(runtime, pid))
        v.close()
        return v.hello.verb == L["WIRE_BUSY"] and v.hello.state == "recording"
    until(lambda: ring_of(pid) and os.path.exists(socket_of(runtime, pid)), "a viewer")  # a target may have the ring before the name
    until(is_recorded, "its START")


class Target:
    """A running target program; `with` sees to its end."""

    def __init__(self, *words, runtime=None, program=TARGET, env=None, **more):
        self.runtime = runtime or tempfile.mkdtemp(prefix="live")
        self.process = subprocess.Popen([program, *words], env=env or environment(self.runtime, **more), text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pid = self.process.pid

    def say(self, line=""):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def socket(self):
        return until(lambda: (lambda p: os.path.exists(p) and p)(socket_of(self.runtime, self.pid)), "the target's socket")

    def end(self):
        """Exit status, stdout, stderr."""
        out, err = self.process.communicate(timeout=TIMEOUT_S)
        return self.process.returncode, out, err

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Message:
    def __init__(self, data):
        def at(field, form):
            return struct.unpack_from(form, data, L["wire_msg." + field])[0]
        self.verb, self.about, self.result = at("verb", "I"), at("about", "I"), at("result", "i")
        self.state, self.code = STATES.get(at("state", "I")), at("code", "i")
        self.abi, self.kinds, self.pid = at("abi", "I"), at("kinds", "I"), at("pid", "i")
        self.cupti_version, self.cuda_version = at("cupti_version", "I"), at("cuda_version", "I")
        self.start_ticks, self.ring_bytes = at("start_ticks", "Q"), at("ring_bytes", "Q")
        self.text = data[L["wire_msg.text"]:].split(b"\0")[0].decode()


def message(verb, kinds=0, flush_ms=0):
    data = bytearray(L["wire_msg"])
    struct.pack_into("I", data, L["wire_msg.verb"], verb)
    struct.pack_into("I", data, L["wire_msg.kinds"], kinds)
    struct.pack_into("I", data, L["wire_msg.flush_ms"], flush_ms)
    return bytes(data)


class Damaged(Exception):
    pass


class Header:
    """What the head of a ring tells."""
    ring = None

    def value(self, field, form="Q"):
        return struct.unpack_from(form, self.ring, L["wire_header." + field])[0]

    @property
    def state(self):
        return STATES.get(self.value("state", "I"))

    @property
    def text(self):
        at = L["wire_header.text"]
        return self.ring[at:at + 384].split(b"\0")[0].decode()

    def counters(self, kind):
        at = L["wire_header.counters"] + L["KIND_" + kind] * L["wire_counters"]
        return dict(zip(("seen", "sent", "dropped", "bad_time"), struct.unpack_from("4Q", self.ring, at)))


class Onlooker(Header):
    """The head of a ring that another viewer reads, without getting in its way."""

    def __init__(self, pid):
        with open(until(lambda: ring_of(pid), "a ring"), "rb") as f:
            self.ring = mmap.mmap(f.fileno(), L["WIRE_HEADER_BYTES"], prot=mmap.PROT_READ)

    def until_sent(self, kind, n):
        until(lambda: self.counters(kind)["sent"] >= n, f"{n} records")

    def until_read(self):
        until(lambda: self.value("head") == self.value("tail"), "the viewer")


def children_of(pid, n=1):
    """The processes that it has started, once there are so many."""
    def pids():
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            return [int(child) for child in f.read().split()]
    return until(lambda: (lambda found: len(found) >= n and found)(pids()), f"{n} children")


class Viewer(Header):
    """One connection: the handshake, verbs, and the ring."""

    def __init__(self, path=None, connection=None):
        self.connection = connection
        if not connection:
            self.connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.connection.connect(path)
        self.connection.settimeout(TIMEOUT_S)
        data, fds, _, _ = socket.recv_fds(self.connection, L["wire_msg"], 4)
        self.hello = Message(data)
        self.ring = None
        if self.hello.verb == L["WIRE_HELLO"]:
            self.fds = fds
            self.ring = mmap.mmap(fds[0], L["WIRE_HEADER_BYTES"] + self.hello.ring_bytes)
        self.tail = 0
        self.strings, self.shapes, self.places = {}, {}, {}
        self.records, self.gaps, self.sessions, self.facts, self.marks = [], [], [], [], []
        self.count = dict.fromkeys(KINDS.values(), 0)
        self.lost = self.forgotten = self.clocks = 0
        self.ended = False
        self.keep = True

    # control

    def ask(self, verb, kinds=0, flush_ms=0):
        """Sends a verb and returns the reply, skipping news on the way."""
        self.connection.send(message(verb, kinds, flush_ms))
        while True:
            answer = Message(self.connection.recv(L["wire_msg"]))
            if answer.verb == L["WIRE_REPLY"] and answer.about == verb:
                return answer

    def start(self, *kinds, flush_ms=0):
        return self.ask(L["WIRE_START"], sum(1 << L["KIND_" + k] for k in kinds), flush_ms)

    def stop(self):
        answer = self.ask(L["WIRE_STOP"])
        self.read()
        return answer

    def is_connected(self):
        readable, _, _ = select.select([self.connection], [], [], 0)
        return not readable or self.connection.recv(L["wire_msg"], socket.MSG_PEEK) != b""

    def close(self):
        self.connection.close()

    # records and their number

    def unaccounted(self):
        """Kinds for which seen = sent + dropped + bad_time does not hold, or sent is not what was read, or dropped not
        what the gaps told (none while a gap is still untold)."""
        wrong = {}
        for number, kind in KINDS.items():
            c = self.counters(kind)
            told = sum(g[number] for g in self.gaps)
            if c["seen"] != c["sent"] + c["dropped"] + c["bad_time"] or c["sent"] != self.count[kind] or told != c["dropped"]:
                wrong[kind] = (c, self.count[kind], told)
        return wrong

    # frames

    def read(self):
        """Everything written so far."""
        head, size, base = self.value("head"), self.hello.ring_bytes, L["WIRE_HEADER_BYTES"]
        if head - self.tail > size:
            raise Damaged(f"head {head}, tail {self.tail}")
        while self.tail < head:
            at = base + self.tail % size
            n, kind, flags = struct.unpack_from("IHH", self.ring, at)
            if n < 8 or n % 8 or n > head - self.tail or self.tail % size + n > size:
                raise Damaged(f"frame of {n} bytes at {self.tail}")
            self.frame(kind, flags, self.ring[at:at + n])
            self.tail += n
        struct.pack_into("Q", self.ring, L["wire_header.tail"], self.tail)

    def skip(self):
        """Gives the room of everything written so far back without looking at it."""
        self.tail = self.value("head")
        struct.pack_into("Q", self.ring, L["wire_header.tail"], self.tail)

    def read_until(self, condition, what):
        def step():
            self.read()
            return condition()
        return until(step, what)

    def frame(self, kind, flags, f):
        if kind >= L["WIRE_RECORD"]:
            self.record(KINDS[kind - L["WIRE_RECORD"]], flags, f)
        elif kind == L["WIRE_STRING"]:
            number, n = struct.unpack_from("II", f, 8)
            self.strings[number] = f[16:16 + n].decode("utf-8", "replace")
        elif kind == L["WIRE_SHAPE"]:
            number, name, *shape = struct.unpack_from("II6i", f, 8)
            self.shapes[number] = {"name": self.strings[name] if name else "", "grid": tuple(shape[:3]), "block": tuple(shape[3:]),
                                   "smem": struct.unpack_from("3I", f, 52)[2], "clusters": struct.unpack_from("I", f, 76)[0]}
        elif kind == L["WIRE_PLACE"]:
            number, *place = struct.unpack_from("4I", f, 8)
            self.places[number] = tuple(place)
        elif kind == L["WIRE_GAP"]:
            self.gaps.append(struct.unpack_from(f"{L['WIRE_KIND_COUNT']}Q", f, 24))
        elif kind == L["WIRE_SESSION"]:
            self.sessions.append(struct.unpack_from("QII", f, 8))
        elif kind == L["WIRE_LOST"]:
            self.lost += struct.unpack_from("QQ", f, 8)[1]
        elif kind in (L["WIRE_DEVICE"], L["WIRE_STREAM"], L["WIRE_THREAD"]):
            self.facts.append((kind, f))
        elif kind == L["WIRE_CLOCK"]:
            self.clocks += 1
        elif kind == L["WIRE_FORGET"]:
            self.forgotten += 1
        elif kind == L["WIRE_END"]:
            self.ended = True

    def record(self, kind, flags, f):
        self.count[kind] += 1
        r = {"kind": kind, "flags": flags}
        if kind == "kernel":
            r["start"], r["end"], r["corr"], shape, place, r["graph"], r["node"] = struct.unpack_from("QQIIIIQ", f, 8)
            r.update(self.shapes[shape], place=self.places[place])
        elif kind == "copy":
            r["start"], r["end"], r["bytes"], r["corr"], place = struct.unpack_from("QQQII", f, 8)
            r["copy"] = struct.unpack_from("3B", f, 64)
            r["place"] = self.places[place]
        elif kind == "memset":
            r["start"], r["end"], r["bytes"], r["corr"], place, _, r["value"] = struct.unpack_from("QQQIIII", f, 8)
            r["place"] = self.places[place]
        elif kind in ("runtime", "driver"):
            r["start"], r["end"], r["corr"], name, r["tid"], r["result"] = struct.unpack_from("QQIIIi", f, 8)
            r["name"] = self.strings[name]
        elif kind == "nvtx":
            r["at"], r["id"], name, _, r["tid"] = struct.unpack_from("QIIII", f, 8)
            r.update(name=self.strings.get(name, ""), begin=bool(flags & L["WIRE_MARK_START"]), end=bool(flags & L["WIRE_MARK_END"]))
            self.marks.append(r)
        elif kind == "sync":
            r["start"], r["end"], r["corr"], r["type"], r["context"], r["stream"] = struct.unpack_from("QQIIII", f, 8)
        if self.keep:
            self.records.append(r)

    def of(self, kind):
        return [r for r in self.records if r["kind"] == kind]


class Rendezvous:
    """The socket a viewer listens on for targets that it started itself."""

    def __init__(self):
        self.path = os.path.join(tempfile.mkdtemp(prefix="live"), "viewer.sock")
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(self.path)
        self.listener.listen(64)
        self.listener.settimeout(TIMEOUT_S)

    def accept(self):
        return Viewer(connection=self.listener.accept()[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
