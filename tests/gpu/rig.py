"""What the tests on a GPU have in common: the options, where results go, and programs run with us inside."""
import argparse
import ctypes
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "live")]
from cuda_places import LIBRARY  # noqa: E402
from viewer import L, Rendezvous, Target, environment, until  # noqa: E402
from harness import OUT, Tap  # noqa: E402

options = argparse.ArgumentParser()
options.add_argument("--only", default="t1,t3,t15,t5,t6,t9,t13")
options.add_argument("--results", default=os.path.join(OUT, "gpu-results"))
options.add_argument("--standin", action="store_true")
options.add_argument("--soak", type=int, default=30_000_000, help="kernel records of t9")
options.add_argument("--pairs", type=int, default=20, help="measured pairs of t6")
options.add_argument("--runs", type=int, default=5, help="runs of each framework in t6, in each mode")
options = options.parse_args()
os.makedirs(options.results, exist_ok=True)
tap = Tap()
results = {"standin": options.standin}
WORK, LAUNCHES = (os.path.join(OUT, "tests/gpu", p) for p in ("work", "launches"))


def env(runtime, **more):
    """What a target sees. On the real driver nothing of the stand-ins is in its way."""
    real = {} if options.standin else {"LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH"), "STEPSCOPE_CUPTI": None}
    return environment(runtime, **{**real, "STEPSCOPE_RING_MB": 64, "STEPSCOPE_FLUSH_MS": 50, **more})


def cupti_folder():
    """Where our own programs shall find CUPTI when neither the linker nor the toolkit's usual place has one: in a wheel."""
    try:
        ctypes.CDLL("libcupti.so.13")
        return None
    except OSError:
        wheels = [f for p in sys.path for f in sorted(glob.glob(os.path.join(p, "nvidia", "*", "lib", "libcupti.so.1[0-9]")))]
        found = LIBRARY or (wheels and wheels[-1])
        return os.path.dirname(found) if found else None


CUPTI_FOLDER = None if options.standin else cupti_folder()


def target(*command, **more):
    """Frameworks bring their own CUPTI and find it by themselves."""
    runtime = tempfile.mkdtemp(prefix="live")
    if CUPTI_FOLDER and command[0] in (WORK, LAUNCHES):
        more["LD_LIBRARY_PATH"] = ":".join(filter(None, (os.environ.get("LD_LIBRARY_PATH"), CUPTI_FOLDER)))
    return Target(*command[1:], program=command[0], runtime=runtime, env=env(runtime, **more))


def comment(*words):
    print("#", *words, flush=True)


def live_through(command, kinds="default", says=(), **more):
    """A program's whole life, recorded from its start (not at all without kinds), told some lines on its stdin: (viewers of all
    its processes, status, stdout). Each viewer remembers the states it saw."""
    door = Rendezvous()
    door.listener.setblocking(False)
    viewers = []

    def look():
        try:
            viewers.append(door.accept())
            viewers[-1].states = []
        except (BlockingIOError, TimeoutError):
            pass
        for v in viewers:
            v.read()
            if (v.state, v.text) not in v.states:
                v.states.append((v.state, v.text))
        return t.process.poll() is not None
    with target(*command, STEPSCOPE_VIEWER=door.path, STEPSCOPE_START=kinds, **more) as t:
        for line in says:
            t.say(line)
        t.process.stdin.close()
        t.process.stdin = None
        until(look, "the program's end", 300)
        status, out, err = t.end()
        look()
    if status not in (0, 7):
        comment(f"{' '.join(command)}: exit {status}", *err.strip().splitlines()[-3:])
    return viewers, status, out


def cupti_of(v):
    """Version and path of the libcupti that this target took."""
    at = L["wire_header.cupti_path"]
    return {"version": v.hello.cupti_version, "driver": v.hello.cuda_version, "path": v.ring[at:at + 512].split(b"\0")[0].decode()}


def gpu_now(query):
    """What nvidia-smi says of the first GPU; None where it says nothing."""
    try:
        told = subprocess.run(["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader,nounits"], capture_output=True, text=True)
        return told.stdout.splitlines()[0].strip() if told.returncode == 0 else None
    except (OSError, IndexError):
        return None


def last_json(out):
    lines = [line for line in out.strip().split("\n{") if line]
    return json.loads(("{" if not lines[-1].startswith("{") else "") + lines[-1])


def has(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0
