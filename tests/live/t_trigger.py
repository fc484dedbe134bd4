"""`stepscope trigger` against a client made up after the protocol of Kineto's daemon."""
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, STEPSCOPE, TIMEOUT_S, Tap, need_program, scratch, stepscope, table, until  # noqa: E402

TWO_STEPS = os.path.join(ROOT, "tests/golden/small/two_steps.json")
tap = Tap()


class Client:
    """A profiled process: says who it is, asks for work, writes what it is asked for."""

    def __init__(self, folder, pid):
        self.folder, self.pid, self.config = folder, pid, ""
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(os.path.join(folder, "dynoconfigclient" + str(uuid.uuid4())))
        self.socket.settimeout(TIMEOUT_S)

    def say(self, kind, payload):
        self.socket.sendto(struct.pack("N32s", len(payload), kind) + payload, os.path.join(self.folder, "dynolog"))
        data = self.socket.recv(8192)
        size, name = struct.unpack_from("N32s", data)
        return name.rstrip(b"\0"), data[struct.calcsize("N32s"):][:size]

    def ask(self, kind=3):
        pids = [self.pid, 1]
        return self.say(b"req", struct.pack(f"iiq{len(pids)}i", kind, len(pids), 0, *pids))[1].decode()

    def work(self):
        """As Kineto does: the process id goes into the name of the file."""
        while not self.config:
            try:
                self.config = self.ask()
            except (FileNotFoundError, ConnectionRefusedError):
                pass
        path = dict(line.split("=", 1) for line in self.config.splitlines())["ACTIVITIES_LOG_FILE"]
        shutil.copy(TWO_STEPS, path.replace(".json", f"_{self.pid}.json"))


def start(folder, *words, **env):
    env = dict(os.environ, KINETO_IPC_SOCKET_DIR=folder, KINETO_ONDEMAND_TRACE_DIR=folder, **env)
    return subprocess.Popen([STEPSCOPE, "trigger", *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def until_open(folder):
    until(lambda: os.path.exists(os.path.join(folder, "dynolog")), "the daemon")


def test_one_process():
    folder, out = scratch("one"), scratch("one.stepscope")
    os.makedirs(folder)
    p = start(folder, "--pid", "4711", "--iterations", "3", "-o", out)
    other, asked = Client(folder, 12), Client(folder, 4711)
    until_open(folder)
    tap.equal(asked.say(b"ctxt", struct.pack("iiq", 0, 4711, 0)), (b"ctxt", struct.pack("i", 1)), "a process that says hello is counted")
    tap.equal(other.ask(), "", "a process that is not meant gets nothing")
    tap.equal(asked.ask(kind=1), "", "nor does one that wants events")
    mad = Client(folder, 4711)
    for rubbish in (b"", b"x", struct.pack("N32s", 1 << 40, b"req"), struct.pack("N32s", 0, b"req"), struct.pack("N32siiq", 16, b"req", 3, 99, 0)):
        mad.socket.sendto(rubbish, os.path.join(folder, "dynolog"))
    asked.work()
    out_text, err = p.communicate(timeout=TIMEOUT_S)
    tap.ok("ACTIVITIES_ITERATIONS=3\n" in asked.config and "PROFILE_START_ITERATION=0\n" in asked.config, "the one that is meant gets a configuration",
           asked.config)
    tap.equal((p.returncode, out_text), (0, ""), "trigger ends when the profile is whole")
    tap.equal(len(table("steps", out).rows), 2, "and has packed it")
    tap.equal([f for f in os.listdir(folder) if not f.startswith("dynoconfig")], [], "nothing is left behind")
    tap.ok("process 4711 was asked" in err, "it says whom it asked", err)


FOREIGNER = """import os, socket, struct, sys
os.setuid(65534)
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1] + "/dynoconfigclient-foreign")
s.settimeout(1)
s.sendto(struct.pack("N32siiqi", 20, b"req", 3, 1, 0, 31), sys.argv[1] + "/dynolog")
try:
    print(len(s.recv(8192)))
except TimeoutError:
    print("nothing")
"""


def test_foreign_user():
    if os.getuid():
        tap.skip("other users are not told where our files are", "only root can become somebody else")
        return
    folder = tempfile.mkdtemp(prefix="trigger")
    os.chmod(folder, 0o777)
    p = start(folder)
    try:
        until_open(folder)
        os.chmod(os.path.join(folder, "dynolog"), 0o777)
        got = subprocess.run([sys.executable, "-c", FOREIGNER, folder], capture_output=True, text=True)
        tap.equal(got.stdout.strip() or got.stderr[-300:], "nothing", "other users are not told where our files are")
        tap.ok("ACTIVITIES_LOG_FILE" in Client(folder, 31).ask(), "one's own processes are")
    finally:
        p.kill()
        p.communicate()
        shutil.rmtree(folder)


def test_many():
    folder = scratch("many")
    os.makedirs(folder)
    p = start(folder, "--for", "200ms")
    until_open(folder)
    clients = [Client(folder, pid) for pid in (21, 22)]
    threads = [threading.Thread(target=c.work) for c in clients]
    for t in threads:
        t.start()
    second = start(folder)
    tap.ok(second.wait(TIMEOUT_S) == 2 and "already" in second.stderr.read(), "a second daemon steps back")
    out, err = p.communicate(timeout=TIMEOUT_S)
    tap.ok(p.returncode == 0 and len(out.splitlines()) == 2 and all(os.path.exists(f) for f in out.splitlines()),
           "without -o the files are named", out + err)
    tap.ok("ACTIVITIES_DURATION_MSECS=200\n" in clients[0].config, "a time instead of steps", clients[0].config)
    for t in threads:
        t.join()


need_program()
tap.each((test_one_process, test_foreign_user, test_many))
tap.done()
