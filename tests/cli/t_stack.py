"""A small stack is enough (ulimit -s 128): every command and the explorer, on recorded traces and on what nests deeply."""
import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from harness import OUT, ROOT, STEPSCOPE, TIMEOUT_S, TRACES, Run, Tap, need_program, play, scratch, skip_all  # noqa: E402

STACK_KIB = 128
LIMITED = ["-c", f'ulimit -s {STACK_KIB} && exec "$0" "$@"', STEPSCOPE]
NEST = 30000
NESTED = "(" * 60 + "a" + ")" * 60
SMALL = os.path.join(ROOT, "tests/golden/small/two_steps.json")
COMMANDS = ["notes", "findings", "table kernels", "table events --all-columns", "table ops --by module", "table ops --by stack",
            "table ops --by scope", "table op_tree", "table launches", "table gaps", "table kernels --names short",
            "report --format html --redact", "report --format svg", 
            "table events --filter name=/" + NESTED + "/", "table steps --steps-by " + NESTED]
MANGLED = ["_Z1f" + "P" * 90 + "i", "_Z1fI" + "N1aI" * 90 + "i" + "EE" * 90 + "Evv", "_Z1fIX" + "cl" * 90 + "1gE",
           "_Z1f" + "PF" * 60 + "v" + "E" * 60, "_Z" + "Z" * 90 + "1fvE1g" * 90, "_Z1fI1aI" + "S0_I" * 90 + "i" + "E" * 99,
           "_Z1fIXtl1a" + "tl1a" * 90 + "E" * 99, "_ZN" + "1aI" * 90 + "i" + "E" * 95, "_Z1fIJ" + "J" * 90 + "E" * 92,
           "_Z1fIXad" + "L_Z1fIXad" * 90, "_Z1f" + "DTcl" * 80]


def limited(*words):
    environment = dict(os.environ, XDG_CACHE_HOME=scratch("cache"), XDG_CONFIG_HOME=scratch("config"))
    done = subprocess.run(["sh", *LIMITED, *words], stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=TIMEOUT_S)
    return Run(subprocess.CompletedProcess([], done.returncode, done.stdout.decode("utf-8", "replace"),
                                           done.stderr.decode("utf-8", "replace")))


def written(name, events):
    path = scratch(name)
    with open(path, "w") as f:
        json.dump({"traceEvents": events}, f)
    return path


def deep_nest():
    """Modules within functions within modules, and ops in the innermost one; a launch there and its kernel."""
    begun = [{"ph": "B", "name": f"nn.Module: M{i}" if i % 2 else f"f{i}", "cat": "python_function", "pid": 1, "tid": 1, "ts": i}
             for i in range(NEST)]
    ops = [{"ph": "X", "name": "aten::mm", "cat": "cpu_op", "pid": 1, "tid": 1, "ts": NEST, "dur": 0.5},
           {"ph": "X", "name": "cudaLaunchKernel", "cat": "cuda_runtime", "pid": 1, "tid": 1, "ts": NEST + 0.1, "dur": 0.2,
            "args": {"correlation": 1}}]
    ended = [{"ph": "E", "pid": 1, "tid": 1, "ts": NEST + 1 + i} for i in range(NEST)]
    kernel = {"ph": "X", "name": "k", "cat": "kernel", "pid": 0, "tid": 7, "ts": NEST, "dur": 9,
              "args": {"device": 0, "stream": 7, "correlation": 1}}
    return written("deep.json", begun + ops + ended + [kernel])


def deep_arguments():
    path = scratch("arguments.json")
    with open(path, "w") as f:
        f.write('{"traceEvents":[{"ph":"X","name":"sound","pid":1,"tid":1,"ts":1,"dur":2},\n'
                '{"ph":"X","name":"deep","pid":1,"tid":1,"ts":9,"dur":2,"args":' + '{"a":[' * NEST + "1" + "]}" * NEST + "}]}")
    return path


def deep_names():
    return written("mangled.json", [{"ph": "X", "name": n, "cat": "kernel", "pid": 0, "tid": 7, "ts": 10 * i, "dur": 3,
                                     "args": {"device": 0, "stream": 7, "correlation": i + 1}} for i, n in enumerate(MANGLED)])


def recorded():
    yield os.path.join(ROOT, "tests/traces/sample")
    yield SMALL
    for pattern in ("kineto/resnet50-v100-2spans/*9861*", "xspace/*/tw003.xplane.pb"):
        yield from sorted(glob.glob(os.path.join(TRACES, pattern)))[:1]


def test_commands(tap, path):
    name, bad = os.path.basename(path), []
    for words in COMMANDS:
        command, *options = words.split(" ")
        names, options = (options[:1], options[1:]) if command == "table" else ([], options)
        run = limited(command, *names, path, *options, "--no-cache")
        if run.crashed or run.status not in (0, 1, 4):
            bad.append(f"{words}: {run.told()}")
    tap.ok(not bad, f"{name}: {len(COMMANDS)} commands", "\n".join(bad))
    saved = scratch("saved.stepscope")
    packed, told = limited("pack", "-f", "-o", saved, path), limited("findings", saved)
    tap.ok(packed.status in (0, 4) and told.status in (0, 1, 4), f"{name}: saved and opened", f"{packed.told()}\n{told.told()}")


def test_explorer(tap, path):
    keys = "".join(f"keys {k}\nsettle\n" for k in ("1", "2", "w", "s", "f", "3", "4", "o", "5", "6", "9", "?", "q", "2", "b"))
    script = f"wait Overview\nsettle\n{keys}keys /\ntype f(o|r)+\nkeys Enter\nsettle\nkeys Q\nend\n"
    screen = play(script, *LIMITED, "--no-cache", path, size="120x40", program="sh")
    tap.ok("exit 0" in screen.said or "exit 4" in screen.said, f"{os.path.basename(path)}: the explorer",
           "\n".join(screen.said[-5:]) + screen.last + screen.run.err)


def main():
    need_program()
    if "san" in os.path.basename(OUT):
        skip_all("sanitizers make frames several times as large")
    tap = Tap()
    for path in [*recorded(), deep_nest(), deep_arguments(), deep_names()]:
        test_commands(tap, path)
        test_explorer(tap, path)
    run = limited("table", "events", SMALL, "--filter", f"name=/({NESTED})/")
    tap.ok(run.status == 2 and "nested" in run.err, "deeper parentheses are refused", run.told())
    tap.done()


if __name__ == "__main__":
    main()
