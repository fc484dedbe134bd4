#!/usr/bin/env python3
"""Two runs on one screen: `diff A B` in a terminal, and `=` inside one trace. The numbers are those of the other faces, both timelines show
the same stretch of the step, every chosen difference stands on them, and one comes back from wherever one went."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../golden/scenes")]
import specs
from harness import Tap, need_program, play, scratch, stepscope


def write(spec, name):
    path = scratch(name + ".json.gz")
    spec.write_chrome(path)
    return path


def screens(orders, *command, size="80x24"):
    done = play(orders, *command, size=size)
    return done, [[line.rstrip() for line in s] for s in done.screens]


def column_of(line, text):
    return line.index(text)


def scene_4(tap, a, b, size):
    done, shown = screens("wait [parts\nsettle\nscreen\nkeys w w\nsettle\nscreen\nkeys 0 Tab Tab Tab Tab\nsettle\nscreen\nkeys n\nsettle\nscreen\nkeys q\nend\n",
                          "diff", a, b, size=size)
    name = f"scene 4 at {size}"
    tap.ok("exit 0" in done.said and "terminal: restored" in done.said, f"{name}: opens and leaves",
           "\n".join(done.said) + done.run.err)
    first, zoomed, copies, second = shown
    tap.ok("step 200.000 ms \u2192 118.000 ms (-41.0 %): input wait -82.000 ms" in first[1], f"{name}: the answer comes first", first[1])
    wait = next((line for line in first if line.startswith(" input wait")), "")
    tap.ok(re.search(r"82\.000 ms +0 ns +-82\.000 ms +-41\.0 %$", wait), f"{name}: the waterfall says what it is", wait)
    steps = [line for line in first if "step 6" in line]
    tap.ok(len(steps) == 2 and column_of(steps[0], "step 6") == column_of(steps[1], "step 6"),
           f"{name}: both steps begin in one column", steps)
    # one scale: A's step takes 200 of it, B's 118; the next steps begin there
    ends = [next(i for i in range(column_of(line, "step 6") + 8, len(line)) if line[i] == "\u2502") for line in steps]
    begin = column_of(steps[0], "step 6") - 1
    tap.ok(abs((ends[1] - begin) / (ends[0] - begin) - 118 / 200) < 0.03, f"{name}: both timelines have one scale", (begin, ends))
    rulers = [next(line for line in s if "of the step" in line) for s in (first, zoomed)]
    tap.ok(rulers[0] != rulers[1] and len([line for line in zoomed if "step 6" in line]) == 2, f"{name}: zoom moves both", rulers)
    tap.ok("[copies 2]" in copies[3] and "8.000 ms" in copies[4], f"{name}: rows of tables", copies[3:6])
    ruled = [s[-2] for s in (copies, second)]
    tap.ok("copies 1 of 2" in ruled[0] and "cursor 82.000 ms" in ruled[0] and "copies 2 of 2" in ruled[1] and "cursor 0 ns" in ruled[1],
           f"{name}: n goes to the next difference, and the cursor to its place in the step", ruled)


def places(tap, a, b):
    done, shown = screens("wait [parts\nsettle\nkeys Tab Tab Tab Tab Enter\nwait goes back\nsettle\nscreen\nkeys 5\nwait Kernels;\nkeys q\nwait 2 Timeline]\nkeys q\n"
                          "wait [copies\nsettle\nscreen\nkeys n Enter\nwait goes back\nsettle\nscreen\nkeys Q\nend\n", "diff", a, b)
    tap.ok("exit 0" in done.said, "Enter opens a run at the place, q comes back, Q leaves from there", "\n".join(done.said))
    in_a, back, in_b = shown
    tap.ok(any("MemcpyH2D" in line and "copy #" in line for line in in_a) and " A, before" in in_a[-2],
           "what only A has opens A, with the event selected", "\n".join(in_a))
    tap.ok("[Compare]" in back[0] and "copies 1 of 2" in back[-2], "q comes back to the row", "\n".join(back))
    tap.ok(" B, after" in in_b[-2] and "step 6" in "\n".join(in_b), "what B has opens B, in the step that is compared", "\n".join(in_b))
    done, shown = screens("wait [parts\nsettle\nkeys ?\nwait Help\nsettle\nscreen\nkeys q\nwait Compare\nkeys :\ntype beside-list-next\nsettle\nkeys Enter\nwait [findings\n"
                          "keys :\nsettle\nkeys Escape\nwait Compare\nsettle\nscreen\nresize 120x40\nsettle\nscreen\nresize 50x12\nsettle\nscreen\nkeys Escape\nend\n",
                          "diff", a, b)
    tap.ok("exit 0" in done.said, "help, palette, sizes: one comes back from each", "\n".join(done.said))
    tap.ok("two runs side by side" in shown[0][1] and any("the next difference" in line for line in shown[0]), "help begins with the keys of this screen",
           "\n".join(shown[0]))
    tap.ok("[findings" in shown[1][3], "the palette acts here", shown[1][3])
    tap.ok(len(shown[2]) == 40 and "[findings" in shown[2][3] and "too small" in shown[3][0], "it follows the size of the screen", shown[3][:3])


def one_trace(tap, a):
    orders = ("wait Overview\nsettle\nkeys 3\nwait Steps\nsettle\nkeys =\nwait A is step:1\nkeys =\nwait nothing is remembered\nkeys =\nwait A is step:1\n"
              "keys j j =\nwait Compare\nwait [parts\nsettle\nscreen\nkeys A\nsettle\nkeys =\nwait one of two runs\nkeys q\nwait [parts\nkeys q\nwait [3 Steps]\nsettle\nscreen\nkeys Q\nend\n")
    done, shown = screens(orders, a)
    tap.ok("exit 0" in done.said, "= remembers, = again compares, q goes back to the trace", "\n".join(done.said) + done.run.err)
    tap.ok("A step:1   B step:3" in shown[0][0] and "step 200.000 ms \u2192 200.000 ms (+0.0 %)" in shown[0][1], "step 1 and step 3 of one trace",
           "\n".join(shown[0]))
    orders = ("wait Overview\nsettle\nkeys 2\nwait Timeline\nkeys v l l l l v\nsettle\nkeys =\nwait A is\nkeys Escape v l l l l v\nsettle\nkeys =\nwait Compare\nsettle\nscreen\nkeys q\nwait 2 Timeline]\nkeys Q\nend\n")
    done, shown = screens(orders, a)
    tap.ok("exit 0" in done.said and re.search(r"A \S+\.\.\S+ +B \S+\.\.\S+", shown[0][0]), "two ranges of one trace",
           "\n".join(done.said) + "\n".join(shown[0]))


def sequence(tap):
    """Scene 10 B to A: 12 small collectives have become one."""
    a, b = write(specs.all_reduce(calls=12), "twelve"), write(specs.all_reduce(), "one")
    done, shown = screens("wait [parts\nsettle\nkeys S-Tab\nwait [sequence\nsettle\nscreen\nkeys Enter\nwait goes back\nkeys Q\nend\n", "diff", a, b, size="120x40")
    tap.ok("exit 0" in done.said and "[sequence 1]" in shown[0][3] and
           "removed, 11 x    22.000 ms" in shown[0][4], "the kernels of a step in their order", "\n".join(done.said + shown[0]))


def scaling(tap, size):
    """Scene 10 C to A: one GPU, then two that send gradients."""
    a, b = write(specs.one_gpu(), "one_gpu"), write(specs.all_reduce(), "two_gpus")
    done, shown = screens("wait [parts\nsettle\nscreen\nkeys S-Tab S-Tab\nsettle\nscreen\nkeys Q\nend\n", "diff", a, b, size=size)
    name = f"scene 10 C to A at {size}"
    tap.ok("exit 0" in done.said, f"{name}: opens and leaves", "\n".join(done.said) + done.run.err)
    first, calls = shown
    tap.ok("step 77.000 ms \u2192 100.000 ms (+29.9 %): collectives +20.000 ms" + ", device compute +3.000 ms" * (size != "80x24") in first[1], f"{name}: what the step lost", first[1])
    tap.ok("1 device \u2192 2: 1.54 x the work per second, 77.0 % of linear" in first[2] or
           size == "80x24" and "not the same work: devices 1 \u2192 2; 1 device \u2192 2: 1.54 x the work per second" in first[2], f"{name}: speed-up and share of linear", first[2])
    line = next((line for line in first if line.startswith(" collectives")), "")
    tap.ok(re.search(r"0 ns +20\.000 ms +\+20\.000 ms +\+26\.0 %$", line), f"{name}: the collectives in the waterfall", "\n".join(first[:14]))
    tap.ok("[collectives 2]" in calls[3] and re.search(r"AllReduce, device 0, step_pl.* 20\.000 ms +\+20\.000 ms", calls[4]), f"{name}: the call of each step, which A has not", calls[3:5])


def ranks(tap, size):
    """Scene 11: two GPUs of one trace, chosen in Comms."""
    path = write(specs.replicas(), "four_gpus")
    orders = ("wait step 1\nsettle\nkeys 8\nwait compute    waiting\nsettle\nkeys =\nwait A is rank 0; choose another rank\nkeys =\nwait nothing is remembered\nkeys = j j =\n"
              "wait Compare\nwait [parts\nsettle\nscreen\nkeys q\nwait 8 Comms]\nkeys =\nwait A is rank 2\nkeys 3\nwait Steps\nsettle\nkeys =\nwait cannot be compared\nkeys Q\nend\n")
    done, shown = screens(orders, path, size=size)
    tap.ok("exit 0" in done.said, f"two ranks at {size}: = in Comms", "\n".join(done.said) + done.run.err)
    page = shown[0]
    tap.ok("A rank 0   B rank 2" in page[0] and "step 100.000 ms \u2192 100.000 ms (+0.0 %): device compute -30.000 ms" + ", collectives +30.000 ms" * (size != "80x24") in page[1] and
           "without waiting for other ranks 100.000 ms \u2192 70.000 ms (-30.0 %)" in page[2], f"two ranks at {size}: the answer", "\n".join(page))
    tap.ok(len([line for line in page if re.search(r"\bstep 2\b", line)]) == 2, f"two ranks at {size}: both timelines", "\n".join(page))


def not_on_screen(tap, a, b):
    for args in (["--format", "text"], ["--gate", "step +3%"], ["--vs", b]):
        done, _ = screens("end\n", "diff", a, b, *args)
        tap.ok(any("exit" in line for line in done.said) and "Compare]" not in done.run.out, f"diff A B {' '.join(args[:1])} opens no screen", "\n".join(done.said))
    tap.equal(stepscope("diff", a, b).out.splitlines()[3][:20], "step 200.000 ms -> 1", "without a terminal it is the text")


def main():
    need_program()
    tap = Tap()
    a, b = write(specs.input_bound(), "before"), write(specs.synthetic_input(), "after")
    scene_4(tap, a, b, "80x24")
    scene_4(tap, a, b, "200x60")
    places(tap, a, b)
    one_trace(tap, a)
    sequence(tap)
    for size in ("80x24", "200x60"):
        scaling(tap, size)
        ranks(tap, size)
    not_on_screen(tap, a, b)
    tap.done()


main()
