#!/usr/bin/env python3
"""Makes mutated trace files: mutant number i is the same file each time (from the same seeds).

    mutate.py FIRST COUNT FOLDER [--saved FOLDER_OF_SAVED_FILES] [--of FILE ...]

writes FOLDER/NUMBER-KIND[.json|.gz|...] for each. Seeds are the small traces of tests/ and of ../shared/traces where that
stands; packed ones come from --saved (see mutants.py). Each kind of file is changed on its own terms: JSON by tokens and
elements, XSpace by fields, saved files by sections with their checksums made again; all of them by bytes, too. --of: of those
files alone, of whatever kind, cut, with bytes changed, or spliced with themselves and each other; COUNT of each file. Nothing but
the standard library and libzstd is needed."""
import argparse
import gzip
import os
import random
import sys
import zlib

import mutate_json
import mutate_saved
import mutate_xspace

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SEED_FOLDERS = ("tests/traces", "tests/golden", "tests/fuzz/corpus/chrome", "tests/fuzz/corpus/xspace", "../shared/traces")
LARGEST_SEED = 60 << 10  # stored bytes: more takes longer and shows no other code
KEPT_SEEDS = 4  # unpacked at a time


def kind_of(path, data):
    if data[:8] == b"STEPSCPE":
        return "saved"
    if data.lstrip()[:1] in (b"{", b"["):
        return "json"
    return "xspace" if "xspace" in path or path.endswith(".pb") else None


def read(path):
    with open(path, "rb") as f:
        data = f.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return data[1:] if "corpus/xspace" in path else data  # the first byte of those is the fuzz target's own


def seed_paths(saved_folder):
    """Sorted, so that a number means the same everywhere; [(path, kind)]."""
    found = []
    for folder in [os.path.join(ROOT, f) for f in SEED_FOLDERS] + ([saved_folder] if saved_folder else []):
        for where, _, names in os.walk(folder):
            paths = (os.path.join(where, n) for n in names if n.endswith((".json", ".gz", ".pb", ".stepscope")) or "corpus" in where)
            found += [p for p in paths if os.path.getsize(p) <= LARGEST_SEED and "/scenes/" not in p]
    kinds = [(path, kind_of(path, read(path))) for path in sorted(found)]
    return [(path, kind) for path, kind in kinds if kind]


def flip(rng, data):
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]


def overwrite(rng, data):
    at, n = rng.randrange(len(data)), rng.choice((1, 2, 4, 8))
    patch = rng.choice((b"\x00" * n, b"\xff" * n, b"\x7f" + b"\xff" * (n - 1), b"\x80" * n, rng.randbytes(n)))
    return data[:at] + patch + data[at + n:]


def cut(rng, data):
    return data[:rng.randrange(len(data) + 1)]


def cut_out(rng, data):
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:a] + data[b:]


def repeat(rng, data):
    a = rng.randrange(len(data))
    b = min(len(data), a + rng.randrange(1, 2000))
    return data[:b] + data[a:b] * rng.randrange(1, 5) + data[b:]


def splice(rng, data, other):
    a, b = rng.randrange(len(data) + 1), rng.randrange(len(other) + 1)
    return data[:a] + other[b:]


BYTE_CHANGES = (flip, flip, overwrite, overwrite, cut, cut_out, repeat)


def change_bytes(rng, data, other):
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        if not data:
            break
        data = splice(rng, data, other) if rng.random() < 0.1 else rng.choice(BYTE_CHANGES)(rng, data)
    return data


CHANGES = {"json": mutate_json.change, "xspace": mutate_xspace.change, "saved": mutate_saved.change}
KIND_SHARES = (("json", 40), ("xspace", 30), ("saved", 30))
ENDINGS = {"json": ".json", "xspace": ".xplane.pb", "saved": ".stepscope"}


def wrap(rng, data):
    """As gzip; sometimes its bytes are damaged, too."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    packed = packer.compress(data) + packer.flush()
    return change_bytes(rng, packed, packed) if rng.random() < 0.3 else packed


def of_file(path, number, others):
    """(name, bytes) of mutant `number` of one file: cut, flipped or spliced in turn; what is gzip is unpacked half of the time."""
    rng = random.Random(f"{os.path.basename(path)} {number}")
    with open(path, "rb") as f:
        data = f.read()
    with open(rng.choice(others), "rb") as f:
        other = f.read()
    name = os.path.basename(path)
    if data[:2] == b"\x1f\x8b" and rng.random() < 0.5:
        data, name = gzip.decompress(data), name.removesuffix(".gz")
    if number % 3 == 0:
        return name, cut(rng, data)
    if number % 3 == 1:
        for _ in range(rng.choice((1, 4, 16, 64))):
            data = flip(rng, data)
        return name, data
    return name, rng.choice((cut_out, repeat))(rng, data) if rng.random() < 0.5 else splice(rng, data, other)


class Maker:
    def __init__(self, saved_folder):
        self.by_kind, self.kept = {}, {}
        for path, kind in seed_paths(saved_folder):
            self.by_kind.setdefault(kind, []).append(path)

    def seed(self, rng, kind):
        path = rng.choice(self.by_kind[kind])
        if path not in self.kept:
            if len(self.kept) >= KEPT_SEEDS:
                self.kept.pop(next(iter(self.kept)))
            self.kept[path] = read(path)
        return self.kept[path]

    def mutant(self, number):
        """(name, bytes)"""
        rng = random.Random(number)
        shares = [(kind, share) for kind, share in KIND_SHARES if kind in self.by_kind]
        kind = rng.choices([k for k, _ in shares], [s for _, s in shares])[0]
        data, other = self.seed(rng, kind), self.seed(rng, kind)
        aware = rng.random() < 0.8
        if aware:
            data = CHANGES[kind](rng, data, other)
        if not aware or (kind != "saved" and rng.random() < 0.15):
            data = change_bytes(rng, data, other)
        name = f"{number}{ENDINGS[kind]}"
        if kind != "saved" and data and rng.random() < 0.2:
            return name + ".gz", wrap(rng, data)
        return name, data


def write_of_files(args):
    """Mutants of each file in turn: number 0 of the first, 0 of the second, ..."""
    for number in range(args.first, args.first + args.count):
        path = args.of[number % len(args.of)]
        alike = [other for other in args.of if other.rsplit(".", 1)[-1] == path.rsplit(".", 1)[-1]]
        name, data = of_file(path, number // len(args.of), alike)
        with open(os.path.join(args.folder, f"{number}.{name}"), "wb") as f:
            f.write(data)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("first", type=int)
    words.add_argument("count", type=int)
    words.add_argument("folder")
    words.add_argument("--saved")
    words.add_argument("--of", nargs="+")
    args = words.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    if args.of:
        return write_of_files(args)
    maker = Maker(args.saved)
    for number in range(args.first, args.first + args.count):
        name, data = maker.mutant(number)
        with open(os.path.join(args.folder, name), "wb") as f:
            f.write(data)


if __name__ == "__main__":
    sys.exit(main())
