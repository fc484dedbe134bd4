"""run and record --preload: the way in where the driver does not honour CUDA_INJECTION64_PATH, on a stand-in that does not. What
it must not do is most of it: nothing in processes that do not use CUDA, nothing before the program itself has begun to."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from command import begun, env, run  # noqa: E402
from viewer import SANITIZED, TARGET, children_of, until_recorded  # noqa: E402
from harness import TIMEOUT_S, Tap, scratch, skip_all, table  # noqa: E402

if SANITIZED:
    skip_all("sanitizers refuse to start behind another library")
tap = Tap()
os.makedirs(scratch(), exist_ok=True)
DEAF = {"STANDIN_DEAF": "1"}
WORDS = ["kernels=3", "line", "kernels=50", "exit=7"]
SAID = "kernels 3\nkernels 50\n"


def kernels(path):
    return sum(r["kind"] == "kernel" for r in table("events", path).rows)


def test_a_driver_that_does_not_listen():
    out = scratch("preload.stepscope")
    status, said, err = run("record", "-o", out, "--", TARGET, *WORDS, env=env(**DEAF), stdin=b"\n")
    tap.ok((status, said) == (7, SAID) and "nothing was recorded" in err, "CUDA_INJECTION64_PATH does nothing there", (status, err))
    p = begun("record", "-o", out, "--preload", "--", TARGET, *WORDS, env=(e := env(**DEAF)))
    until_recorded(e["XDG_RUNTIME_DIR"], children_of(p.pid)[0])
    said, err = p.communicate(b"\n", timeout=TIMEOUT_S)
    tap.equal((p.returncode, said.decode()), (7, SAID), "record --preload: status and output are the command's own")
    tap.ok(50 <= kernels(out) <= 53, "and what it did once the library was in is recorded", err)


def test_children():
    out = scratch("children.stepscope")
    go = scratch("go")
    script = f"{TARGET} until={go} kernels=20 & {TARGET} until={go} kernels=30 & wait; exit 5"
    p = begun("record", "-o", out, "--preload", "--", "sh", "-c", script, env=(e := env(**DEAF)))
    for child in children_of(children_of(p.pid)[0], 2):
        until_recorded(e["XDG_RUNTIME_DIR"], child)
    open(go, "w").close()
    err = p.communicate(timeout=TIMEOUT_S)[1].decode()
    tap.ok(p.returncode == 5 and "of 2 processes" in err and kernels(out) == 50, "children are met, too", (p.returncode, err))


def maps_of(*words, **more):
    done = run("run", "-q", "--preload", "--", *words, env=env(**DEAF, **more))
    return {name for name in ("libstepscope-preload.so", "libstepscope-inject.so") if name in done[1]}, done


def test_nothing_where_cuda_is_not_used():
    tap.equal(maps_of("cat", "/proc/self/maps")[0], {"libstepscope-preload.so"}, "a process without CUDA gets the small library only")
    status = maps_of("cat", "/proc/self/status")[1][1]
    tap.ok("Threads:\t1\n" in status, "and no thread", status)
    tap.equal(run("run", "-q", "--preload", "--", "sh", "-c", "kill -KILL $$", env=env())[0], -9, "it ends as it ends")


PYTHON = """import ctypes, sys, time
cuda = ctypes.CDLL("libcuda.so.1")
time.sleep(.3)
before = "libstepscope-inject" in open("/proc/self/maps").read()
cuda.cuInit(0)
end = time.monotonic() + float(sys.argv[1])
while "libstepscope-inject" not in open("/proc/self/maps").read() and time.monotonic() < end:
    time.sleep(.01)
print(before, "libstepscope-inject" in open("/proc/self/maps").read())
"""


def test_nothing_before_the_program_begins():
    done = run("run", "-q", "--preload", "--", sys.executable, "-c", PYTHON, str(TIMEOUT_S), env=env(**DEAF))
    tap.equal(done[:2], (0, "False True\n"), "the driver is waited for, never initialised by us")
    done = run("run", "-q", "--preload", "--", sys.executable, "-c", PYTHON, "1", env=env(**DEAF, STEPSCOPE_DISABLE="1"))
    tap.equal(done[:2], (0, "False False\n"), "STEPSCOPE_DISABLE: not at all")


LOADER = """#include <dlfcn.h>
#include <stdio.h>
int main(void) { void *l = dlopen("libhidden.so", RTLD_NOW); puts(l ? "found" : dlerror()); return !l; }
"""


def test_libraries_are_found_where_they_were():
    """A program's own RUNPATH counts, although its dlopen goes through ours."""
    folder = scratch("runpath")
    os.makedirs(folder + "/lib")
    with open(folder + "/main.c", "w") as f:
        f.write(LOADER)
    with open(folder + "/hidden.c", "w") as f:
        f.write("int hidden;\n")
    for words in (["-shared", "-fPIC", "hidden.c", "-o", "lib/libhidden.so"],
                  ["main.c", "-o", "main", "-ldl", "-Wl,-rpath,$ORIGIN/lib,--enable-new-dtags"]):
        subprocess.run(["cc", *words], cwd=folder, check=True)
    done = run("run", "-q", "--preload", "--", folder + "/main", env=env())
    tap.equal(done[:2], (0, "found\n"), "dlopen: as if we were not there")


def test_variables():
    others = dict(env(), LD_PRELOAD="libm.so.6", CUDA_INJECTION64_PATH="/other/tool.so")
    said = run("run", "-q", "--preload", "--", "sh", "-c", "echo $LD_PRELOAD $CUDA_INJECTION64_PATH", env=others)[1].split()
    tap.ok(said[0].endswith("libstepscope-preload.so:libm.so.6") and said[1:] == ["/other/tool.so"],
           "what others have preloaded stays, and their place in the driver", said)


tap.each((test_a_driver_that_does_not_listen, test_children, test_nothing_where_cuda_is_not_used, test_nothing_before_the_program_begins,
          test_libraries_are_found_where_they_were, test_variables))
tap.done()
