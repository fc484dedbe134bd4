#!/usr/bin/env python3
"""How an import goes about its work changes nothing: exit status, saved file - every column, attribute, text and note -
is the same byte for byte on one, two and four threads, with windows of 7 bytes to 4 MiB, with vectors and without; for
damaged files, too. Every combination for small files, a covering set for the larger; two files at a time.
OTHER_BUILD=tree of a second build, which must give the same, too."""
import gzip
import io
import itertools
import os
import random
import subprocess
import sys
import tarfile
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../nsys"))
import make as nsys_made
import t_rocpd as rocpd_made
from harness import ROOT, STEPSCOPE, TRACES, Tap, corpus, need_program, scratch, skip_all, stepscope, unpacked

THREADS = (1, 2, 4)
WINDOWS = (7, 61, 4 << 10, 64 << 10, 4 << 20)
VECTORS = ("avx2", "none")
PLAIN = (1, 4 << 20, "none")  # what all others are compared with
ALL = [c for c in itertools.product(THREADS, WINDOWS, VECTORS) if c != PLAIN]
SMALL_BYTES = 100 << 10  # as stored; below that all combinations are tried
TINY_BYTES, BEGIN_BYTES = 61, 256 << 10
AT_ONCE = 2
OTHER = os.environ.get("OTHER_BUILD") and os.path.join(os.environ["OTHER_BUILD"], "stepscope")
number = itertools.count()
BUNDLED = "sample tf-cpu torch-cpu"
SMALL_FOLDER = "tests/golden/small"
SMALL = "two_steps.json pairs.json accelerators.json rocprof.json rocprof_results.csv rocprofv3_run"
MORE_SMALL = """rocprofv2_results.csv rocprofv3_kernel_trace.csv rocprofv3_memory_allocation_trace.csv rocprofv3_counter_collection.csv
	nccl_plugin.json paddle.json counters.json"""  # `make exact` takes these, too
# one or two of each kind of exporter and of each form
REAL = """kineto/torch-compile-triton kineto/mi210-gpu-only kineto/cupti-counters kineto/cpu-only kineto/transformer-small
	kineto/h100-qwen kineto/resnet50-array-form kineto/resnet50-v100-2spans kineto/dlrm-8rank-nccl tf/tf1-timeline-gpu
	chrome/catapult chrome/speedscope chrome/bazel chrome/clang-verylong-names chrome/devtools-page-load
	xspace/jax-mi300-gemm xspace/jax-mi300-conv-legacy xspace/tpu-inference xspace/tf-v100-multi-worker
	xspace/broken-utf8-mangled tf/legacy-trace-protobuf nsys/h100-video-2gpu""".split()


def covering():
    """Few combinations in which every pair of two choices occurs: each thread count with each window, vectors in turn."""
    pairs = list(itertools.product(range(len(THREADS)), range(len(WINDOWS))))
    return [c for c in ((THREADS[t], WINDOWS[w], VECTORS[(t + w) % 2]) for t, w in pairs) if c != PLAIN]


def is_slow(way):
    """Windows of a few bytes that are handed from thread to thread: for a large file that takes seconds of waiting for each other."""
    threads, window, _ = way
    return threads > 1 and window <= TINY_BYTES


def content(path):
    with open(path, "rb") as f:
        return f.read()


def beginning(path):
    """The first bytes of a file, unpacked and cut."""
    data = content(path)
    if data[:2] == b"\x1f\x8b":
        data = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, BEGIN_BYTES)
    return written(f"begin{next(number)}-{os.path.basename(path)}", data[:BEGIN_BYTES])


def all_differences(path):
    """How many ways were tried, and what differs. A larger file is tried in the slow ways with its beginning alone."""
    if os.path.getsize(path) < SMALL_BYTES:
        return len(ALL), differences(path, ALL)
    some = covering()
    quick = [way for way in some if not is_slow(way)]
    return len(some), differences(path, quick) + differences(beginning(path), [way for way in some if is_slow(way)])


def outcome(path, how, program=STEPSCOPE):
    """What an import of `path` gives: exit status, saved file (the notes are in it), words."""
    threads, window, vector = how
    env = {"STEPSCOPE_THREADS": str(threads), "STEPSCOPE_WINDOW_BYTES": str(window), "STEPSCOPE_VECTOR": vector}
    saved = scratch(f"{next(number)}.stepscope")
    packed = stepscope("pack", path, "-o", saved, "--force", "--no-cache", env=env, program=program)
    data = b""
    if os.path.exists(saved):
        data = content(saved)
        os.unlink(saved)
    return packed.status, data, packed.err.replace(saved, "OUT")


WHAT = ("exit status", "saved file", "words")


def differences(path, ways):
    plain = outcome(path, PLAIN)
    if plain[0] not in (0, 3, 4) or (plain[0] != 3 and not plain[1]):
        return [f"pack ends with {plain[0]}: {plain[2]}"]
    found = []
    for how in ways:
        found += unequal("{} thread(s), windows of {} bytes, vectors {}".format(*how), plain, outcome(path, how))
    return found + (unequal("the other build", plain, outcome(path, PLAIN, OTHER)) if OTHER else [])


def unequal(label, plain, other):
    differ = [n for n, a, b in zip(WHAT, plain, other) if a != b]
    return [f"{label}: " + ", ".join(differ)] if differ else []


# ---- the files

def bundled():
    for name in BUNDLED.split():
        for folder, _, files in os.walk(os.path.join(ROOT, "tests/traces", name)):
            yield from (os.path.join(folder, f) for f in files if not f.endswith(".md"))


def real():
    """The smallest of each exporter, all of Chrome's own; `make exact` takes all."""
    folders = {}
    for name in corpus():
        folders.setdefault(os.path.dirname(name), []).append(os.path.join(TRACES, name))
    for folder in sorted(set(REAL) & set(folders)):
        files = sorted(folders[folder], key=os.path.getsize)
        yield from files if OTHER or folder.startswith("chrome/") else files[:1]


def generated(program, source, count, ending, *options):
    """A file that tests/bench's generator writes, or None when no compiler is at hand."""
    binary, path = scratch(program), scratch(f"{program}{''.join(options)}{ending}")
    if not os.path.exists(binary):
        subprocess.run(["cc", "-O1", "-o", binary, os.path.join(ROOT, "tests/bench", source), "-lm"], check=True)
    with open(path, "wb") as f:
        subprocess.run([binary, *options, count], stdout=f, stderr=subprocess.DEVNULL, check=True)
    return path


def databases():
    """Of Nsight Systems and of rocprofv3: SQLite reads them in pages, whatever the window."""
    yield nsys_made.small("small.sqlite", nsys_made.usual())
    yield rocpd_made.write(scratch("small.db"), {"": rocpd_made.usual()})


def archives():
    """Of several ranks, packed once more or not: in a zip, in a tar, in a tar as gzip; of a database, which is read at any place."""
    folder = os.path.join(ROOT, SMALL_FOLDER, "four_ranks")
    members = {f"run/{name}": content(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}
    first = next(iter(members))
    members[first + ".gz"] = gzip.compress(members.pop(first), 1, mtime=0)
    yield zipped("ranks.zip", members)
    yield written("ranks.tar.gz", gzip.compress(tarred(members), 1, mtime=0))
    if OTHER:
        yield written("ranks.tar", tarred(members))
        yield zipped("database.zip", {"report.sqlite": content(scratch("small.sqlite"))})
        folder = os.path.join(ROOT, SMALL_FOLDER, "rocprofv3_run")
        yield zipped("tables.zip", {name: content(os.path.join(folder, name)) for name in sorted(os.listdir(folder))})


def zipped(name, members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for member, data in members.items():
            z.writestr(zipfile.ZipInfo(member), data, compress_type=zipfile.ZIP_DEFLATED)
    return written(name, out.getvalue())


def tarred(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as t:
        for member, data in members.items():
            info = tarfile.TarInfo(member)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    return out.getvalue()


def made():
    yield generated("gen_kineto", "gen_kineto.c", "20k", ".json")
    yield generated("gen_kineto", "gen_kineto.c", "3k", ".json", "-c", "-r", "-p", "-i")
    yield generated("gen_xspace", "gen_xspace.c", "20k", ".xplane.pb")
    yield generated("gen_xspace", "gen_xspace.c", "3k", ".xplane.pb", "-j")


def entry(rng, i):
    """One entry of a kind that exporters write, or of one that they should not."""
    args = {0: '{"External id": %d, "Ev Idx": %d}' % (i, i + 1),
            1: '{"queued": 0, "device": 0, "stream": 7, "correlation": %d, "grid": [%d, 1, 1], "block": [64, 1, 1]}' % (i, i % 9),
            2: '{"te\\u0078t": "a\\nb", "x": [1, {"y": 2}], "z": null, }',
            3: '{}',
            4: '"no object"'}[rng.randrange(5)]
    category = rng.choice(["cpu_op", "kernel", "cuda_runtime", "own %d" % (i % 40)])
    whole = ('{"ph": "X", "cat": "%s", "name": "op %d", "pid": %d, "tid": "thread %d",\n "ts": %d.%03d, "dur": 2.5, "args": %s}'
             % (category, i % 17, i % 3, i % 20, 1712195495000000 + i, i % 1000, args))
    return {0: whole[:rng.randrange(1, whole.index('"args"'))], 1: whole.replace('"pid"', '"pid" '), 2: whole.replace(" ", " " * 70, 3)
            }.get(rng.randrange(60), whole)


def made_file(seed, entries):
    """Entries of many shapes, with commas missing and doubled, and a clock base behind them."""
    rng = random.Random(seed)
    body = "".join(entry(rng, i) + rng.choice([",\n"] * 30 + ["\n", ",,"]) for i in range(entries))
    path = scratch(f"made{seed}.json.gz")
    with gzip.open(path, "wb", compresslevel=1) as f:
        f.write(('{"schemaVersion": 1, "traceEvents": [' + body + '], "baseTimeNanoseconds": 1000000000}').encode())
    return path


def damage(path):
    """A cut file, one with a broken middle, and the packed form cut."""
    data, name = unpacked(path), os.path.basename(path).replace(".gz", "")
    middle = len(data) // 2
    cut_packed = gzip.compress(data, 1, mtime=0)
    for label, damaged in (("cut", data[:len(data) * 2 // 3]),
                           ("broken", data[:middle] + b'"\x00\xff{[' + data[middle + 40:]),
                           ("cut-packed", cut_packed[:len(cut_packed) * 3 // 4])):
        yield written(f"{label}-{name}", damaged)


def written(name, data):
    path = scratch(name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def one_long_record():
    """A record of a megabyte between small ones: larger than most windows."""
    small = '{"ph": "X", "name": "op %d", "pid": 1, "tid": 2, "ts": %d, "dur": 0.5, "args": {"External id": %d}}'
    entries = [small % (i, i, i) for i in range(3000)]
    entries[1500] = entries[1500].replace("op", "x" * 300000).replace('"args": {', '"args": {"y": "%s", ' % ("é\\n" * 200000))
    return written("long_record.json", ('{"traceEvents": [' + ",\n".join(entries) + "]}").encode())


def odd_texts():
    """Texts in which one byte matters - not UTF-8, an escape, a control character, a letter of two bytes - at each place
    that a vector may hold it."""
    entry = b'{"ph": "X", "name": "%s", "pid": 1, "tid": 2, "ts": %d, "dur": 0.5, "args": {"y": "%s"}}'
    texts = [b"a" * place + odd + b"z" * 70 for odd in (b"\xff", b"\\n", b"\x01", b"\xc3\xa9") for place in range(100)]
    entries = [entry % (text, i, text[::-1] if b"\\" not in text else text) for i, text in enumerate(texts)]
    return written("odd_texts.json", b'{"traceEvents": [' + b",\n".join(entries) + b"]}")


def all_files():
    names = SMALL.split() + (MORE_SMALL.split() if OTHER else [])
    files = [os.path.join(ROOT, SMALL_FOLDER, name) for name in names] + [*bundled(), *made(), *databases(), *archives()]
    sound = [files[0], *(f for f in files if f.startswith(scratch()) and "-" in os.path.basename(f))]
    if OTHER:
        sound += [f for f in files if f.endswith((".zip", ".tar.gz", ".csv")) or "accelerators" in f]
    files += [p for f in sound for p in damage(f)] + [one_long_record(), odd_texts()]
    return files + [made_file(seed, 30000) for seed in (1, 2)] + [*real()]


def main():
    need_program()
    if "STEPSCOPE_THREADS" in os.environ:
        skip_all("the environment asks for one way to import")
    os.makedirs(scratch(), exist_ok=True)
    tap = Tap()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for path, (n, found) in pool.map(lambda path: (path, all_differences(path)), all_files()):
            label = os.path.relpath(path, scratch() if path.startswith(scratch()) else ROOT)
            tap.ok(not found, f"{label}: {n} ways to import it give the same", "\n".join(found))
    if not corpus():
        tap.skip("real traces", "no ../shared/traces")
    tap.done()


main()
