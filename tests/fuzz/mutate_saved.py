"""Changes of saved files by sections: a section is unpacked, changed, packed again, and all checksums are made right, so that
the change comes past them. The format: model/store/saved/save_private.h, model/store/files/codec.c."""
import ctypes
import ctypes.util
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from saved_file import HEADER, SECTION, checksum  # noqa: E402

MAGIC = b"STEPSCPE"
NAME, REQUIRED, CODEC, SIZE, PAD, OFFSET, STORED, PLAIN, COUNT, HASH = range(10)
RAW, ZSTD, PLANES, STEPS, KINDS = range(5)
CHUNK, PART_BYTES, WIDEST = 64 << 10, 512 << 10, 8
M64 = (1 << 64) - 1

NUMBERS = [0, 1, 2, 127, 128, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**61, 2**62, 2**63 - 1, 2**63, M64 - 1, M64]

DAMAGE = (struct.error, TypeError, IndexError, OverflowError)  # an earlier change left nothing that could be unpacked

zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
for name in ("compress", "decompress", "compressBound", "isError", "findFrameCompressedSize"):
    getattr(zstd, "ZSTD_" + name).restype = ctypes.c_size_t


def compress(plain):
    room = ctypes.create_string_buffer(zstd.ZSTD_compressBound(ctypes.c_size_t(len(plain))))
    n = zstd.ZSTD_compress(room, ctypes.c_size_t(len(room)), plain, ctypes.c_size_t(len(plain)), 1)
    return room.raw[:n]


def decompress(packed, most):
    room = ctypes.create_string_buffer(most)
    n = zstd.ZSTD_decompress(room, ctypes.c_size_t(most), packed, ctypes.c_size_t(len(packed)))
    return None if zstd.ZSTD_isError(ctypes.c_size_t(n)) else room.raw[:n]


def part(packed, at):
    """A part's bytes and the place behind it."""
    n = struct.unpack_from("<I", packed, at)[0]
    return packed[at + 4:at + 4 + n], at + 4 + n


def packed_part(plain):
    packed = compress(plain)
    return struct.pack("<I", len(packed)) + packed


def unpack_chunk(packed, at, n):
    width, together = packed[at], packed[at + 1]
    at += 4
    if together:
        bytes_, at = part(packed, at)
        plain = decompress(bytes_, n * width)
        return [int.from_bytes(plain[i * width:(i + 1) * width], "little") for i in range(n)], at
    values = [0] * n
    for plane in range(width):
        bytes_, at = part(packed, at)
        for i, byte in enumerate(decompress(bytes_, n)):
            values[i] |= byte << 8 * plane
    return values, at


def pack_chunk(values):
    width = max(1, -(-max(values, default=0).bit_length() // 8))
    return bytes([width, 1, 0, 0]) + packed_part(b"".join(v.to_bytes(width, "little") for v in values))


def unpack_values(s, packed):
    """All values of a section as they are packed: differences in zigzag where the codec makes them."""
    values, at = [], 0
    while len(values) < s[COUNT]:
        more, at = unpack_chunk(packed, at, min(CHUNK, s[COUNT] - len(values)))
        values += more
    return values


def unpack_bytes(s, packed):
    if s[CODEC] == RAW:
        return packed
    plain, at = b"", 0
    while len(plain) < s[COUNT] * s[SIZE]:
        bytes_, at = part(packed, at)
        plain += decompress(bytes_, PART_BYTES)
    return plain


class Saved:
    def __init__(self, data):
        self.head = list(HEADER.unpack_from(data))
        if self.head[0] != MAGIC:
            raise ValueError("not a saved file")
        self.table = [list(SECTION.unpack_from(data, self.head[3] + i * SECTION.size)) for i in range(self.head[4])]
        self.packed = [data[s[OFFSET]:s[OFFSET] + s[STORED]] for s in self.table]
        if any(self.hash(i) != s[HASH] for i, s in enumerate(self.table)):
            raise ValueError("the checksum is another one now: mend mutate_saved.py")

    def hash(self, i):
        """A section's checksum; that of the attribute blocks is made block by block."""
        if self.table[i][NAME].rstrip(b"\0") != b"attr_blocks":
            return checksum(self.packed[i])
        at = value = 0
        for size in self.block_sizes():
            value = checksum(self.packed[i][at:at + size], value)
            at += size
        return value

    def block_sizes(self):
        i = self.find(b"attr_sizes")
        try:
            return unpack_values(self.table[i], self.packed[i])
        except DAMAGE:
            return []

    def write(self, keep=()):
        """The file; sections in `keep` have their offsets and sizes as they stand in the table."""
        at, out = HEADER.size, []
        for i, (s, packed) in enumerate(zip(self.table, self.packed)):
            if i not in keep:
                s[OFFSET], s[STORED] = at, len(packed)
            s[HASH] = self.hash(i)
            out.append(packed)
            at += len(packed)
        table = b"".join(SECTION.pack(*s) for s in self.table)
        self.head[3], self.head[4], self.head[6] = at, len(self.table), checksum(table)
        return HEADER.pack(*self.head) + b"".join(out) + table

    def find(self, name):
        return next((i for i, s in enumerate(self.table) if s[NAME].rstrip(b"\0") == name), None)

    def put_values(self, i, values):
        s = self.table[i]
        s[COUNT], s[PLAIN] = len(values), len(values) * s[SIZE]
        self.packed[i] = b"".join(pack_chunk(values[a:a + CHUNK]) for a in range(0, len(values), CHUNK))

    def put_bytes(self, i, plain):
        s = self.table[i]
        s[COUNT], s[PLAIN] = len(plain) // max(1, s[SIZE]), len(plain)
        self.packed[i] = plain if s[CODEC] == RAW else b"".join(
            packed_part(plain[a:a + PART_BYTES]) for a in range(0, len(plain), PART_BYTES))


def change_values(rng, saved, i):
    values, top = unpack_values(saved.table[i], saved.packed[i]), (1 << 8 * saved.table[i][SIZE]) - 1
    if not values:
        values = [rng.choice(NUMBERS) & top for _ in range(rng.randrange(1, 20))]
    for _ in range(rng.choice((1, 1, 2, 8, 100))):
        at = rng.randrange(len(values))
        values[at] = rng.choice([n & top for n in NUMBERS] + [values[at] ^ 1, (values[at] + 1) & top, (values[at] - 1) & top,
                                                               values[rng.randrange(len(values))], rng.getrandbits(64) & top])
    if rng.random() < 0.15:
        values = rng.choice((values[:rng.randrange(len(values) + 1)], values + values[:50], values[::-1]))
    saved.put_values(i, values)


def change_bytes(rng, saved, i):
    plain = bytearray(unpack_bytes(saved.table[i], saved.packed[i]) or b"\0" * max(1, saved.table[i][SIZE]))
    for _ in range(rng.choice((1, 1, 4, 30))):
        at, n = rng.randrange(len(plain)), rng.choice((1, 1, 4, 8))
        plain[at:at + n] = rng.choice((rng.randbytes(n), rng.choice(NUMBERS).to_bytes(8, "little")[:n], b"\x1b"))[:len(plain) - at]
    if rng.random() < 0.15:
        plain = rng.choice((plain[:rng.randrange(len(plain))], plain + plain[:64]))
    saved.put_bytes(i, bytes(plain))


def change_plain(rng, saved):
    i = rng.randrange(len(saved.table))
    (change_bytes if saved.table[i][CODEC] in (RAW, ZSTD) else change_values)(rng, saved, i)


def change_attributes(rng, saved):
    """One block of attributes, its size made right in its list."""
    i, sizes_at = saved.find(b"attr_blocks"), saved.find(b"attr_sizes")
    sizes = saved.block_sizes()
    if i is None or not sizes:
        return change_plain(rng, saved)
    block = rng.randrange(len(sizes))
    begin = sum(sizes[:block])
    plain = bytearray(decompress(saved.packed[i][begin:begin + sizes[block]], CHUNK) or b"")
    for _ in range(rng.choice((1, 2, 8, 40)) if plain else 0):
        at, n = rng.randrange(len(plain)), rng.choice((1, 1, 8))
        plain[at:at + n] = rng.choice((rng.randbytes(n), b"\xff" * n, b"\0" * n))[:len(plain) - at]
    packed = compress(bytes(plain))
    saved.packed[i] = saved.packed[i][:begin] + packed + saved.packed[i][begin + sizes[block]:]
    s = saved.table[i]
    s[COUNT] = s[PLAIN] = len(saved.packed[i])
    sizes[block] = len(packed)
    saved.put_values(sizes_at, sizes)
    hashes = saved.find(b"attr_hashes")
    if hashes is not None and len(saved.packed[hashes]) >= 8 * (block + 1):
        own = struct.pack("<Q", checksum(packed))
        saved.packed[hashes] = saved.packed[hashes][:8 * block] + own + saved.packed[hashes][8 * block + 8:]


def change_packed(rng, saved):
    """Bytes of a packed section, under a checksum that fits."""
    i = rng.randrange(len(saved.table))
    packed = bytearray(saved.packed[i])
    if packed:
        packed[rng.randrange(len(packed))] ^= 1 << rng.randrange(8)
    if rng.random() < 0.3:
        packed = packed[:rng.randrange(len(packed) + 1)]
    saved.packed[i] = bytes(packed)


def change_order(rng, saved):
    i, j = (rng.randrange(len(saved.table)) for _ in range(2))
    what = rng.randrange(4)
    if what == 0 and len(saved.table) > 1:
        del saved.table[i], saved.packed[i]
    elif what == 1:
        saved.table.append(list(saved.table[i]))
        saved.packed.append(saved.packed[j])
    elif what == 2:
        saved.packed[i], saved.packed[j] = saved.packed[j], saved.packed[i]
    else:
        saved.table[i][NAME], saved.table[j][NAME] = saved.table[j][NAME], saved.table[i][NAME]


def change_table(rng, saved):
    """Numbers of the table that lie; returns the sections whose offset and size stay as they were made."""
    i = rng.randrange(len(saved.table))
    field = rng.choice((REQUIRED, CODEC, SIZE, OFFSET, STORED, PLAIN, COUNT, COUNT, NAME))
    if field == NAME:
        saved.table[i][NAME] = rng.choice((b"", b"\x1b[2J", b"A" * 24, b"kind", b"attrs"))
        return set()
    top = M64 if field >= OFFSET else 2**32 - 1
    saved.table[i][field] = rng.choice(NUMBERS + [saved.table[i][field] + 1, saved.table[i][field] - 1, saved.table[i][field] * 1000]) & top
    return {i} if field in (OFFSET, STORED) else set()


def change(rng, data, other):
    saved, keep = Saved(data), set()
    for _ in range(rng.choice((1, 1, 2, 4))):
        what = rng.choices(("plain", "attributes", "packed", "table", "order", "head"), (50, 15, 10, 15, 8, 2))[0]
        if what == "table":
            keep |= change_table(rng, saved)
        elif what == "head":
            saved.head[rng.choice((1, 2, 5))] = rng.choice(NUMBERS) & 0xFFFFFFFF
        elif not keep:  # what is laid out anew would move what a lie points to
            try:
                {"plain": change_plain, "attributes": change_attributes, "packed": change_packed, "order": change_order}[what](rng, saved)
            except DAMAGE:
                break
    return saved.write(keep)
