"""The viewer's side of live mode end to end: record, run, run --view, attach, on stand-ins for the driver and CUPTI. The
stand-ins are ours; they prove our code and say nothing about CUPTI."""
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from command import begun, env, run  # noqa: E402
from viewer import INJECT, TARGET, Onlooker, Target, children_of, until_recorded  # noqa: E402
from harness import ROOT, STEPSCOPE, TIMEOUT_S, Tap, need_program, play, scratch, stepscope, table, until, until_said  # noqa: E402

tap = Tap()


def of_kind(path):
    rows = table("events", path).rows
    counts = {}
    for row in rows:
        counts[row["kind"]] = counts.get(row["kind"], 0) + 1
    return counts


def test_record():
    out = scratch("one.stepscope")
    words = ["kernels=300", "copies=20", "sets=30", "graphs=5", "exit=7"]
    alone = subprocess.run([TARGET, *words], env=env(STEPSCOPE_DISABLE="1"), capture_output=True)
    status, said, err = run("record", "-o", out, "--", TARGET, *words, env=env())
    tap.equal((status, said), (alone.returncode, alone.stdout.decode()), "record: status and output are the command's own")
    tap.ok("events of 1 process" in err and "lost" not in err, "record says what it wrote", err)
    kinds = of_kind(out)
    tap.equal({k: kinds[k] for k in ("kernel", "copy", "memset")}, {"kernel": 300 + 5 * 20, "copy": 20, "memset": 30},
              "the file holds as much work as the command did")
    tap.equal(stepscope("notes", out, "--format", "csv").out.count("\n"), 1, "and nothing to note")
    rows = table("kernels", out).rows
    tap.ok(all(r["name"] == "k_add" and r["registers"] == 32 for r in rows), "kernels have their details", rows)
    tap.equal(sum(r["no_launch"] for r in table("launches", out).rows), 0, "and every one its launch")


def test_record_ends_as_the_command():
    for words, name in ((["sh", "-c", "exit 3"], "a status"), (["sh", "-c", "kill -KILL $$"], "a signal"),
                        (["sh", "-c", "cat; echo err >&2"], "its streams")):
        alone = subprocess.run(words, input=b"in\n", capture_output=True)
        status, out, err = run("record", "-q", "-o", scratch("none.stepscope"), "--", *words, env=env(), stdin=b"in\n")
        tap.equal((status, out, err), (alone.returncode, alone.stdout.decode(), alone.stderr.decode()), f"record passes on {name}")
        status, out, err = run("run", "-q", "--", *words, env=env(), stdin=b"in\n")
        tap.equal((status, out, err), (alone.returncode, alone.stdout.decode(), alone.stderr.decode()), f"run passes on {name}")
    tap.equal(run("run", "-q", "/nowhere/x", env=env())[0], 127, "a command that is not there: 127")
    tap.equal(run("record", "-o", scratch("n"), "--", "/", env=env())[0], 126, "one that is none: 126")
    status, _, err = run("record", "-o", scratch("none.stepscope"), "--", "true", env=env())
    tap.ok(status == 0 and "nothing was recorded" in err and not os.path.exists(scratch("none.stepscope")),
           "no CUDA, no file, and a word about it", err)


def test_record_of_a_killed_target():
    out = scratch("killed.stepscope")
    p = begun("record", "-o", out, "--", TARGET, "kernels=500", "say=up", "line", "kill", env=env())
    until_said(p, "up")
    Onlooker(children_of(p.pid)[0]).until_sent("kernel", 500)
    p.communicate(b"\n", timeout=TIMEOUT_S)
    tap.equal(p.returncode, -signal.SIGKILL, "a killed target: the same signal")
    tap.equal(of_kind(out).get("kernel"), 500, "what it did before is in the file")


def test_signals_reach_the_command():
    out = scratch("term.stepscope")
    p = begun("record", "-q", "-o", out, "--", TARGET, "kernels=50", "say=now", "line", env=env())
    until_said(p, "now")
    Onlooker(children_of(p.pid)[0]).until_sent("kernel", 50)
    p.send_signal(signal.SIGTERM)
    tap.equal(p.wait(TIMEOUT_S), -signal.SIGTERM, "a signal to record goes to the command")
    tap.equal(of_kind(out).get("kernel"), 50, "and the file is written")
    p.communicate()


def test_children():
    out = scratch("children.stepscope")
    script = f"{TARGET} kernels=20 & {TARGET} kernels=30 & wait; {TARGET} kernels=40 exit=5"
    status, _, err = run("record", "-o", out, "--", "sh", "-c", script, env=env())
    tap.equal(status, 5, "a tree of processes ends as its root")
    tap.ok("of 3 processes" in err, "all of them are met", err)
    tap.equal(sorted(r["kernels"] for r in table("streams", out).rows), [20, 30, 40], "each with its own work")


def test_ranks():
    out = scratch("ranks.stepscope")
    script = f"for r in 2 0 1; do RANK=$r {TARGET} kernels=1$r sleep=50 & sleep 0.1; done; wait"
    run("record", "-o", out, "--", "sh", "-c", script, env=env())
    tap.equal([(r["rank"], r["kernels"]) for r in table("devices", out).rows], [(0, 10), (1, 11), (2, 12)], "ranks come in order")


def test_lost_records():
    """A viewer that sleeps: the ring is full for half a second; what is lost is counted to the record and drawn."""
    out = scratch("lost.stepscope")
    p = begun("record", "-o", out, "--", TARGET, "say=up", "line", "rate=40000", "kernels=30000", "say=done", "line", "kernels=100",
              env=env(STEPSCOPE_RING_MB="1"))
    until_said(p, "up")
    ring = Onlooker(children_of(p.pid)[0])
    p.send_signal(signal.SIGSTOP)
    p.stdin.write(b"\n")
    p.stdin.flush()
    until_said(p, "done")
    time.sleep(0.3)  # how long the gap is at least
    p.send_signal(signal.SIGCONT)
    ring.until_read()
    err = p.communicate(b"\n", timeout=TIMEOUT_S)[1].decode()
    rows = {r["note"]: r["times"] for r in table("notes", out).rows}
    lost = [r["name"] for r in table("events", out).rows if r["name"].startswith("lost records:")]
    kernels = of_kind(out).get("kernel", 0)
    told = sum(int(w) for name in set(lost) for w, kind in zip(name.split()[2::2], name.split()[3::2]) if kind == "kernel")
    tap.equal(p.returncode, 0, "the command does not notice a viewer that sleeps")
    tap.ok("records were lost" in err and lost and rows.get("producer_dropped", 0) > 0, "losses are told and drawn", (err, rows))
    causes = [r["main_event"] for r in table("gaps", out).rows if (r["main_event"] or "").startswith("lost records:")]
    tap.ok(causes, "a device that seems to idle there is not called idle for another reason")
    judged = [r for r in table("verdicts", out).rows if (r["main_event"] or "").startswith("lost records:")]
    tap.ok(judged and all(r["cause"] == "records lost" and r["lost_ns"] is None and r["thread"] is None for r in judged),
           "the verdict there: records lost, by nobody's fault, at no cost", judged)
    report = stepscope("report", out, "--format", "md").out
    tap.ok("records lost" in report and "may have been busy" in report, "the report says so, too", report[:3000])
    tap.equal(kernels + told, 30100, "kernels: seen + told as lost = launched")


def test_run():
    """run only arms: the process is the command itself, and whoever comes later sees what it does from then on."""
    out, e = scratch("run.stepscope"), env()
    p = subprocess.Popen([STEPSCOPE, "run", "--", TARGET, "kernels=10", "line", "kernels=20", "exit=3"], env=e, text=True,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = p.stderr.readline()
    tap.ok(f"attach {p.pid}'" in said, "run says on stderr how to attach", said)
    folder = os.path.join(e["XDG_RUNTIME_DIR"], "stepscope")
    until(lambda: os.path.isdir(folder) and [f for f in os.listdir(folder) if f.endswith(".sock")], "the socket")
    a = subprocess.Popen([STEPSCOPE, "attach", str(p.pid), "-o", out], env=e, stderr=subprocess.PIPE, text=True)
    until_recorded(e["XDG_RUNTIME_DIR"], p.pid)
    said, err = p.communicate("\n", timeout=TIMEOUT_S)
    a.communicate(timeout=TIMEOUT_S)
    tap.equal((p.returncode, said, err), (3, "kernels 10\nkernels 20\n", ""), "and then it is the command and nothing else")
    tap.equal((a.returncode, of_kind(out).get("kernel")), (0, 20), "attach sees what is done from then on")


def test_options():
    out = scratch("kinds.stepscope")
    run("record", "-o", out, "--kinds", "kernel,copy", "--", TARGET, "kernels=5", "copies=3", "sets=4", env=env())
    tap.equal(of_kind(out), {"kernel": 5, "copy": 3}, "--kinds: only what was asked for")
    for command, option, variable, value in (("run", "--yield", "YIELD", "1"), ("run", "--graphs=whole", "GRAPHS", "whole")):
        said = run(command, "-q", option, "--", "sh", "-c", f"echo $STEPSCOPE_{variable}", env=env(**{f"STEPSCOPE_{variable}": ""}))[1]
        tap.equal(said, value + "\n", f"{option} reaches the library")


def test_whole_graphs():
    """20 kernels in a graph: with --graphs whole one event per launch, which says which graph and who launched it."""
    out = scratch("graphs.stepscope")
    _, _, err = run("record", "-o", out, "--graphs", "whole", "--", TARGET, "kernels=30", "graphs=5", env=env())
    events = table("events", out).rows
    graphs = [r for r in events if r["kind"] == "device_other"]
    tap.equal([(r["name"], r["dur_ns"]) for r in graphs], [("CUDA graph 1", 20000)] * 5, "--graphs whole: launches of graphs as one event each")
    tap.equal(of_kind(out).get("kernel"), 30, "and no kernel of theirs twice")
    tap.ok("lost" not in err, "nothing is lost by that", err)
    tap.equal(sorted((r["stream"], r["busy_ns"]) for r in table("streams", out).rows), [(7, 30000), (13, 100000)], "their stream is busy")
    launches = {r["kernel"]: (r["api"], r["work"], r["graph_pct"], r["no_launch"]) for r in table("launches", out).rows}
    tap.equal(launches["CUDA graph 1"], ("cuGraphLaunch", 5, 100, 0), "each knows the call that launched it")
    run("record", "-q", "-o", scratch("nodes.stepscope"), "--kinds", "all", "--", TARGET, "graphs=5", env=env())
    tap.equal((of_kind(scratch("nodes.stepscope")).get("kernel"), of_kind(scratch("nodes.stepscope")).get("device_other")), (100, None),
              "without it nodes come, whatever kinds are asked for")


def test_killed_viewer():
    """kill -9 of record: its command goes on and ends as it would."""
    folder = scratch("killed-viewer")
    os.makedirs(folder)
    script = f"{TARGET} kernels=50 say=up line kernels=10 exit=4; echo $? > {folder}/status"
    p = begun("record", "-o", scratch("never.stepscope"), "--", "sh", "-c", script, env=env())
    until_said(p, "up")
    p.kill()
    p.communicate(b"\n")
    status = until(lambda: os.path.exists(folder + "/status") and open(folder + "/status").read(), "the command's end")
    tap.equal(status, "4\n", "a viewer that is killed takes nobody along")


def test_folders_of_others():
    e = env()
    os.makedirs(os.path.join(e["XDG_RUNTIME_DIR"], "stepscope"), mode=0o700)
    os.chmod(os.path.join(e["XDG_RUNTIME_DIR"], "stepscope"), 0o777)
    status, _, err = run("record", "-o", scratch("none.stepscope"), "--", "true", env=e)
    tap.ok(status == 126 and "mode 0700" in err, "a folder of sockets that others may enter is refused", err)
    e = env()
    os.symlink(scratch(), os.path.join(e["XDG_RUNTIME_DIR"], "stepscope"))
    status, _, err = run("record", "-o", scratch("none.stepscope"), "--", "true", env=e)
    tap.ok(status == 126 and "not a link" in err, "so is a link", err)


def attached(words, script, *options, size="100x30"):
    """The explorer on a target that another shell has armed; a target that waits for a line gets it once it is recorded."""
    def say():
        until_recorded(t.runtime, t.pid)
        t.say()
    with Target(*words) as t:
        t.socket()
        threading.Thread(target=say, daemon=True).start()
        shown = play(script, "attach", str(t.pid), *options, size=size,
                     env={"XDG_RUNTIME_DIR": t.runtime}, cwd=scratch())
        return shown, t.process.poll()


def test_attach():
    with Target("kernels=1", "line") as t:
        t.socket()
        one = subprocess.run([STEPSCOPE, "attach"], env=dict(os.environ, XDG_RUNTIME_DIR=t.runtime), capture_output=True, text=True)
        tap.ok(one.returncode == 0 and str(t.pid) in one.stdout and "kernels=1 line" in one.stdout, "attach lists what is armed", one.stdout)
        out = scratch("attached.stepscope")
        p = subprocess.Popen([STEPSCOPE, "attach", str(t.pid), "-o", out, "--for", "60s"], text=True, stderr=subprocess.PIPE,
                             env=dict(os.environ, XDG_RUNTIME_DIR=t.runtime))
        until_recorded(t.runtime, t.pid)
        t.say()
        t.end()
        err = p.communicate(timeout=TIMEOUT_S)[1]
        tap.ok(p.returncode == 1 and "nothing was recorded" in err, "attach -o ends with the process; exit 1 when nothing came", err)
    with Target("kernels=1", "line", "rate=2000", "kernels=600000") as t:
        t.socket()
        e = dict(os.environ, XDG_RUNTIME_DIR=t.runtime)
        first = subprocess.Popen([STEPSCOPE, "attach", str(t.pid), "-o", scratch("first")], text=True, stderr=subprocess.PIPE, env=e)
        until_recorded(t.runtime, t.pid)
        second = subprocess.run([STEPSCOPE, "attach", str(t.pid), "-o", scratch("second"), "--for", "5s"], text=True, capture_output=True, env=e)
        tap.ok(second.returncode == 1 and f"another viewer watches this process already (process {first.pid})" in second.stderr,
               "a second viewer hears who is in charge", second.stderr)
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=TIMEOUT_S)
        t.say()
        third = subprocess.run([STEPSCOPE, "attach", str(t.pid), "-o", out, "--force", "--for", "2s"], text=True, capture_output=True, env=e)
        err = third.stderr
        tap.ok(third.returncode == 0 and of_kind(out).get("kernel", 0) > 0, "attach -o --for ends in time", err)
        tap.equal(t.process.poll(), None, "and the process goes on")


def test_attach_to_one_that_is_not_armed():
    """The advice is tried: a process started with the two variables as they are told is armed."""
    installed = scratch("prefix")
    library = os.path.join(installed, "lib/stepscope/libstepscope-inject.so")
    for path, of in ((os.path.join(installed, "bin/stepscope"), STEPSCOPE), (library, INJECT)):
        os.makedirs(os.path.dirname(path))
        shutil.copy(of, path)
    with Target("line", "say=heard", "line", "exit=3", CUDA_INJECTION64_PATH=None) as t:
        e = dict(os.environ, XDG_RUNTIME_DIR=t.runtime)
        said = subprocess.run([os.path.join(installed, "bin/stepscope"), "attach", str(t.pid), "-o", scratch("unarmed")], text=True,
                              capture_output=True, env=e)
        words = ("is not armed", "'stepscope run -- COMMAND'", "'stepscope run --preload'", "CUDA_INJECTION64_PATH and NVTX_INJECTION64_PATH",
                 f" {os.path.realpath(library)},")
        tap.ok(said.returncode == 2 and all(w in said.stderr for w in words), "attach to a process that is not armed says how to start it so that it is",
               said.stderr)
        with open(f"/proc/{t.pid}/maps") as f:
            tap.ok("libstepscope-inject" not in f.read(), "and leaves it alone")
        t.say()
        t.say()
        tap.equal(t.end(), (3, "heard\n", ""), "it ends as it wants")
    with Target("line", CUDA_INJECTION64_PATH=library, NVTX_INJECTION64_PATH=library) as t:
        listed = subprocess.run([STEPSCOPE, "attach"], env=dict(os.environ, XDG_RUNTIME_DIR=os.path.dirname(os.path.dirname(t.socket()))),
                                capture_output=True, text=True).stdout
        tap.ok(str(t.pid) in listed, "one that is started with the variables as told can be watched", listed)


LIVE = """wait LIVE
wait Overview
keys 2
wait stream 7
screen
keys F
wait FROZEN
settle
screen
keys 5
wait k_add
keys F
wait LIVE
type :save here.stepscope
keys Enter
wait wrote here.stepscope
keys e
wait export
keys m
wait wrote stepscope-all.md
keys Q
end
"""


def test_explorer():
    shown, status = attached(["rate=2000", "kernels=600000"], LIVE)
    tap.ok("exit 0" in shown.said, "the explorer shows a running process, freezes, follows, saves, exports", shown.said + [shown.last])
    tap.equal(status, None, "and the process goes on")
    tap.ok(any("k_add" in line or "stream 7" in line for line in shown.screens[0]), "lanes are there", shown.screens[0])
    kinds = of_kind(scratch("here.stepscope"))
    tap.ok(kinds.get("kernel", 0) > 0, "the saved file opens", kinds)


def test_explorer_sees_the_end():
    shown, status = attached(["line", "rate=2000", "kernels=1000", "exit=3"], "wait Overview\nwait ENDED\nkeys Q\nend\n")
    tap.ok("exit 0" in shown.said, "the explorer says when the process has ended", shown.said + [shown.last])


def test_keep():
    shown, _ = attached(["rate=20000", "kernels=6000000"], "wait Overview\nwait kept\nkeys !\nwait let_go\nkeys Q\nend\n", "--keep", "1MiB")
    tap.ok("exit 0" in shown.said, "--keep: what is let go is told", shown.said + [shown.last])


def test_run_view():
    script = """wait Overview
keys O
wait nothing else
keys q
wait Timeline
wait ENDED exit 9
keys Q
end
"""
    e = {k: v for k, v in env().items() if not k.startswith("XDG_C")}
    shown = play(script, "run", "--view", "--", TARGET, "say=nothing else", "rate=2000", "kernels=3000", "exit=9", size="100x30",
                 env=e, cwd=scratch())
    tap.ok("exit 9" in shown.said, "run --view: the explorer, the output, and at the end the command's status", shown.said + [shown.last])
    files = [f for f in os.listdir(scratch()) if f.startswith("stepscope-output-")]
    tap.ok(files and "nothing else" in open(scratch(files[0])).read(), "the output is in the file", files)


def test_output_before_the_first_trace():
    """What the command prints while no GPU has done anything yet, and on into the explorer."""
    script = f"""wait the explorer opens
keys O
wait all ready
wait without the output
screen
keys O
wait the explorer opens
keys O
wait without the output
touch {scratch("go")}
wait Output
wait and off
keys q
wait Overview
keys Q
end
"""
    e = {k: v for k, v in env().items() if not k.startswith("XDG_C")}
    # quoted so that the command itself, which the screen may name, is not taken for what it prints
    words = "for i in $(seq 1 99); do echo line $i; done; echo 'all 'ready; until [ -e go ]; do sleep 0.1; done; echo 'and 'off; exec " + TARGET + " kernels=50 sleep=4000"
    shown = play(script, "run", "--view", "--", "sh", "-c", words, size="80x24", env=e, cwd=scratch())
    tap.ok("exit 0" in shown.said, "O works before the first trace is there, and stays open when it comes", shown.said + [shown.last])
    early = [line.strip() for line in shown.screens[0]]
    tap.ok("line 99" in early and "all ready" in early and "line 1" not in early, "the last lines are shown", early)


def main():
    need_program()
    os.makedirs(scratch(), exist_ok=True)
    tap.each((test_record, test_record_ends_as_the_command, test_record_of_a_killed_target, test_signals_reach_the_command, test_children,
              test_ranks, test_lost_records, test_attach, test_attach_to_one_that_is_not_armed, test_run, test_options, test_whole_graphs,
              test_killed_viewer, test_folders_of_others, test_explorer, test_explorer_sees_the_end, test_keep, test_run_view,
              test_output_before_the_first_trace))
    tap.done()


main()
