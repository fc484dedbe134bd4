"""Memory of made-up XLA programs: what they need follows from their few buffers. Run by t_memory.py."""
import glob
import os

import mkxspace
from harness import ROOT, number, play, scratch, stepscope, table
from mkxspace import block, varint

ALLOC, FREE, SHARE = 0, 1, 2
KINDS = {"argument": 5, "output": 7, "thread_local": 3, "constant": 12}  # flags of an allocation, by field
F32, BF16, TUPLE = 11, 16, 13


def number_field(field, value):
    return mkxspace.number(field, value) if value else b""


def packed(field, values):
    return block(field, b"".join(varint(v) for v in values)) if values else b""


def shape(element, dims=(), layout=None, tiles=(), parts=()):
    body = number_field(2, element) + packed(3, dims) + b"".join(block(4, p) for p in parts)
    if layout is not None:
        body += block(5, packed(1, layout) + b"".join(block(6, packed(1, t)) for t in tiles))
    return body


class Program:
    """Buffers get their ids from 1 on; an instruction for each."""

    def __init__(self, name, id):
        self.name, self.id = name, id
        self.instructions, self.values, self.allocations, self.heaps = [], [], [], []

    def value(self, name, size, form=b"", opcode="fusion", op="", space=0, index=()):
        i = len(self.values) + 1
        self.instructions.append(block(1, name) + block(2, opcode) + block(3, form) + (block(7, block(2, op)) if op else b"") + mkxspace.number(35, i))
        self.values.append(mkxspace.number(1, i) + number_field(2, size) + block(3, packed(3, index) + mkxspace.number(4, i)) + number_field(4, space))
        return i

    def allocation(self, size, *values, kind=(), space=0):
        """values: ids, or (id, offset)"""
        body = number_field(1, len(self.allocations)) + number_field(2, size) + number_field(8, space)
        body += b"".join(mkxspace.number(KINDS[k], 1) for k in kind)
        for v in values:
            id, offset = v if isinstance(v, tuple) else (v, 0)
            body += block(9, mkxspace.number(1, id) + number_field(2, offset))
        self.allocations.append(body)

    def heap(self, *steps):
        """(kind, value) or (SHARE, value, whose)"""
        self.heaps.append(b"".join(block(1, number_field(1, s[0]) + mkxspace.number(2, s[1]) + block(4, f"at.{i}") + (mkxspace.number(5, s[2]) if len(s) > 2 else b""))
                                   for i, s in enumerate(steps)))

    def proto(self, buffers_first=False):
        computation = block(1, "main") + b"".join(block(2, i) for i in self.instructions) + mkxspace.number(5, 1)
        module = block(1, block(1, self.name) + block(3, computation) + number_field(5, self.id))
        assignment = block(3, b"".join(block(1, v) for v in self.values) + b"".join(block(3, a) for a in self.allocations) + b"".join(block(4, h) for h in self.heaps))
        return assignment + module if buffers_first else module + assignment


class Trace:
    def __init__(self, *programs, buffers_first=False):
        self.space = mkxspace.Space(hostnames=["h"])
        self.space.plane("/host:CPU").line(1, "python", timestamp_ns=1000).event("work", start_ns=1000, dur_ns=10)
        plane = self.space.plane("/host:metadata")
        for p in programs:
            plane.event_meta(f"{p.name}({p.id})", stats={"Hlo Proto": p.proto(buffers_first)}, id=p.id)

    def write(self, path):
        self.space.write(path)


def rows_of(tap, name, *programs, **how):
    """All three tables, of the trace and of its saved file; values as numbers where they are."""
    path = scratch(name.replace(" ", "_") + ".xplane.pb")
    Trace(*programs, **how).write(path)
    saved = path.rsplit(".", 2)[0] + ".stepscope"
    stepscope("pack", path, "--no-cache", "-o", saved, "--force", "--quiet")
    out = []
    for kind in ("xla_memory", "xla_buffers", "xla_heap"):
        both = [[{k: number(v) for k, v in r.items()} for r in table(kind, p).rows] for p in (path, saved)]
        tap.equal(both[1], both[0], f"{name}: {kind}: the saved file says the same")
        out.append(both[0])
    return [path] + out


def is_(tap, name, row, **expected):
    tap.equal({k: row[k] for k in expected}, expected, name)


def usual():
    """Arguments 1000 + 24, output 500; temporaries 300 and 200, then 400 while 200 is still there: 600 at most."""
    p = Program("jit_step", 7)
    x, w = p.value("param.0", 1000, shape(F32, (250,), (0,)), "parameter", "x"), p.value("param.1", 24, shape(F32, (2, 3), (1, 0)), "parameter", "w")
    y = p.value("fusion.9", 500, shape(BF16, (250,), (0,)), op="jit(step)/add")
    a, b, c = p.value("fusion.1", 300), p.value("fusion.2", 200, shape(BF16, (8, 10), (1, 0), ((8, 128), (2, 1))), op="jit(step)/dot_general"), p.value("fusion.3", 400)
    p.allocation(1000, x, kind=("argument",))
    p.allocation(24, w, kind=("argument",))
    p.allocation(500, y, kind=("output",))
    p.allocation(700, a, (b, 300), (c, 300))
    p.heap((ALLOC, a), (ALLOC, b), (FREE, a), (ALLOC, c), (FREE, b), (FREE, c))
    return p


def plain(tap):
    for order in (False, True):
        name = "a program" + (" told after its buffers" if order else "")
        path, memory, buffers, heap = rows_of(tap, name, usual(), buffers_first=order)
        is_(tap, f"{name}: what it needs", memory[0], xla_program="jit_step(7)", memory_space=0, program_peak_bytes=2124, argument_bytes=1024, output_bytes=500,
            temporary_bytes=700, literal_bytes=0, thread_local_bytes=0, aliased_bytes=0, set_aside_bytes=2224, padding_bytes=40, peak_instruction="at.3", peak_position=3,
            heap_steps=6, program_buffers=6)
        tap.equal([r["heap_bytes"] - 1524 for r in heap], [300, 500, 200, 600, 400, 0], f"{name}: the heap step by step")
        tap.equal([r["heap_step"] for r in heap], ["given out", "given out", "taken back", "given out", "taken back", "taken back"], f"{name}: what steps do")
        tap.equal([(r["instruction"], r["buffer_bytes"], r["buffer_kind"], r["at_peak"], r["from_position"], r["to_position"], r["offset_bytes"]) for r in buffers],
                  [("param.0", 1000, "argument", True, None, None, 0), ("fusion.9", 500, "output", True, None, None, 0), ("fusion.3", 400, "temporary", True, 3, 5, 300),
                   ("fusion.1", 300, "temporary", False, 0, 2, 0), ("fusion.2", 200, "temporary", True, 1, 4, 300), ("param.1", 24, "argument", True, None, None, 0)],
                  f"{name}: buffers, the largest first")
        tiled = [r for r in buffers if r["instruction"] == "fusion.2"][0]
        is_(tap, f"{name}: padding of a tiled shape", tiled, buffer_shape="bf16[8,10]{1,0:T(8,128)(2,1)}", buffer_padding_pct=20, buffer_op="jit(step)/dot_general", opcode="fusion")
    return path


def shared(tap):
    """A value that takes the memory of another: freed when the last of them is; one that begins after the free brings it back."""
    p = Program("jit_shared", 8)
    a, b, c = p.value("a", 100), p.value("b", 100), p.value("c", 50)
    p.allocation(200, a, b, (c, 100))
    p.heap((ALLOC, a), (SHARE, b, a), (FREE, a), (ALLOC, c), (FREE, b), (FREE, c), (SHARE, b, a), (FREE, b))
    _, memory, buffers, heap = rows_of(tap, "shared memory", p)
    tap.equal([r["heap_bytes"] for r in heap], [100, 100, 100, 150, 50, 0, 100, 0], "shared memory: counted once")
    tap.equal({r["instruction"]: r["at_peak"] for r in buffers}, {"a": False, "b": True, "c": True}, "shared memory: the value that took it over is there at the peak")
    is_(tap, "shared memory: peak", memory[0], program_peak_bytes=150, peak_position=3, set_aside_bytes=200)


def sorts(tap):
    """Donated arguments are counted as arguments, threads' own memory nowhere; temporaries without a heap are there all the time."""
    p = Program("jit_sorts", 9)
    donated, result = p.value("param", 640, opcode="parameter"), p.value("out", 600)
    constant, local, scratch_ = p.value("constant", 8, opcode="constant"), p.value("add", 4), p.value("scratch", 64)
    p.allocation(640, donated, result, kind=("argument", "output"))
    p.allocation(8, constant, kind=("constant",))
    p.allocation(4, local, kind=("thread_local",))
    p.allocation(64, scratch_)
    p.allocation(32, space=5)
    _, memory, buffers, heap = rows_of(tap, "sorts of allocations", p)
    is_(tap, "sorts: main memory", memory[0], argument_bytes=640, output_bytes=0, aliased_bytes=640, literal_bytes=8, thread_local_bytes=4, temporary_bytes=64,
        set_aside_bytes=712, program_peak_bytes=712, peak_position=None, heap_steps=0, program_buffers=5)
    is_(tap, "sorts: another space", memory[1], memory_space=5, temporary_bytes=32, program_peak_bytes=32, program_buffers=0)
    tap.equal({r["instruction"]: (r["buffer_kind"], r["at_peak"]) for r in buffers},
              {"param": ("argument", True), "out": ("argument", False), "constant": ("constant", True), "add": ("thread-local", False),
               "scratch": ("temporary", True), None: ("temporary", False)}, "sorts: buffers")
    tap.equal(heap, [], "sorts: no heap")


def damaged(tap):
    """Steps of values that are not there, frees of what is free, circles, sizes of no memory: nothing of it counts, nothing falls below 0."""
    p = Program("jit_damaged", 10)
    a, b = p.value("a", 100), p.value("b", (1 << 62))
    p.allocation(100, a, b, 77)
    p.heap((FREE, a), (ALLOC, 99), (SHARE, a, b), (SHARE, b, a), (SHARE, a, b), (ALLOC, a), (FREE, a), (FREE, a), (FREE, b), (FREE, b), (FREE, b), (SHARE, a, 99), (7, a))
    _, memory, buffers, heap = rows_of(tap, "a damaged program", p)
    tap.ok(memory and 0 <= memory[0]["program_peak_bytes"] <= 100 and all(r["heap_bytes"] >= 0 for r in heap), "damaged: sums stay sound", (memory, heap))
    tap.equal(len(buffers), 2, "damaged: the buffers that are there")


def several(tap):
    """Two programs of one name, the larger one first; a program without buffers is not listed."""
    small, large, none = Program("jit_f", 1), Program("jit_f", 2), Program("jit_g", 3)
    for p, size in ((small, 16), (large, 160)):
        p.allocation(size, p.value("x", size), kind=("argument",))
    _, memory, _, _ = rows_of(tap, "several programs", small, large, none)
    tap.equal([(r["xla_program"], r["program_peak_bytes"]) for r in memory], [("jit_f(2)", 160), ("jit_f(1)", 16)], "several: the largest peak first")


def faces(tap):
    """The pane and the report say what the table says; where nothing but programs is recorded, the pane opens with them."""
    path = scratch("a_program.xplane.pb")
    report = stepscope("report", path, "--no-cache", "--format", "md").out
    for words in ("Memory of XLA programs", "jit_step(7)", "Largest buffers of XLA programs", "fusion.3", "2.1 KiB"):
        tap.ok(words in report, f"the report says {words}", report)
    screen = play("wait Guide\nsettle\nkeys 7\nwait largest buffers\nsettle\nscreen\nkeys Q\nend\n", path, "--no-cache", size="120x36").screens[-1]
    for words in ("7 Memory", "peak 2.1 KiB: arguments 1.0 KiB, outputs 500 B, temporaries 700 B", "jit_step(7)", "peak, in order of the program", "jit(step)/dot_general"):
        tap.ok(any(words in line for line in screen), f"the pane says {words}", "\n".join(screen))


def recorded(tap):
    """tests/traces/jax-memory: one module compiled for batches of 64 and 256 rows of 256 floats; three matrices of 256 x 256 are donated."""
    (path,) = glob.glob(os.path.join(ROOT, "tests/traces/jax-memory/plugins/profile/*/host.xplane.pb"))
    large, small = [r for r in table("xla_memory", path).rows if r["xla_program"].startswith("jit_train_step")]
    weights, row = 3 * 256 * 256 * 4, 256 * 4
    tap.equal([(r["argument_bytes"], r["aliased_bytes"]) for r in (large, small)], [(weights + 256 * row, weights), (weights + 64 * row, weights)],
              "recorded: arguments are weights and batch, and the new weights take over the memory of the old ones")
    for batch, program in ((64, small), (256, large)):
        kept = [r for r in table("xla_buffers", path).rows if r["xla_program"] == program["xla_program"] and r["at_peak"] and r["buffer_kind"] == "temporary"]
        tap.ok(any(r["buffer_shape"].startswith(f"f32[{batch},256]") and r["buffer_bytes"] == batch * row for r in kept), f"recorded: activations of {batch} rows at the peak", kept)
    tap.equal(table("memory", path).rows, [], "recorded: the CPU client tells of no allocation")


CASES = (recorded, plain, shared, sorts, damaged, several, faces)
