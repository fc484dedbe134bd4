"""A saved file (model/store/saved/save.h) taken apart and put together again with right checksums, for tests that damage or forge
one. Packs with frames that need no compressor: zstd blocks that hold one byte many times, or bytes as they are."""
import struct

HEADER = struct.Struct("<8sIIQIIQ")
SECTION = struct.Struct("<24sIIIIQQQQQ")
FIELDS = ("name", "required", "codec", "size", "pad", "offset", "stored", "plain", "count", "hash")
RAW, ZSTD, PLANES, STEPS, KINDS = range(5)
MASK = (1 << 64) - 1
CHUNK, PLAIN_PART, BLOCK = 64 << 10, 512 << 10, 128 << 10


def checksum(data, seed=0):
    """codec_hash of model/store/files/codec.c."""
    k = 0x9FB21C651E98DF25
    h = [seed ^ len(data), seed + 1 & MASK, seed + 2 & MASK, seed + 3 & MASK]
    whole = len(data) // 32 * 32
    for words in struct.iter_unpack("<4Q", data[:whole]):
        for i in range(4):
            h[i] = (h[i] ^ words[i]) * k & MASK
            h[i] ^= h[i] >> 29
    for byte in data[whole:]:
        h[0] = (h[0] ^ byte) * k & MASK
    for i in (1, 2, 3):
        h[0] = ((h[0] ^ h[i] >> 17) * k + h[i]) & MASK
    return h[0] ^ h[0] >> 31


def frame(size, byte=None, data=b""):
    """A zstd frame of `size` times one byte, or of the data."""
    out = struct.pack("<IBI", 0xFD2FB528, 0xA0, size)  # one segment, four bytes of size
    at = 0
    while at < size or size == 0:
        part = min(BLOCK, size - at)
        last = at + part == size
        head = last | (0 if byte is None else 1) << 1 | part << 3
        out += struct.pack("<I", head)[:3] + (data[at:at + part] if byte is None else bytes([byte]))
        at += part
        if last:
            break
    return out


def part(packed):
    return struct.pack("<I", len(packed)) + packed


def zeros(codec, count, size):
    """Packed: count elements that are 0."""
    if codec == ZSTD:
        total = count * size
        whole = part(frame(PLAIN_PART, 0)) * (total // PLAIN_PART)
        return whole + (part(frame(total % PLAIN_PART, 0)) if total % PLAIN_PART else b"")
    chunk = lambda n: bytes([1, 0, 0, 0]) + part(frame(n, 0))  # noqa: E731
    return chunk(CHUNK) * (count // CHUNK) + (chunk(count % CHUNK) if count % CHUNK else b"")


class SavedFile:
    """Sections by name, each a dict of FIELDS and its stored bytes under "bytes"."""

    def __init__(self, data):
        self.magic, self.major, self.minor, at, n, self.pad, _ = HEADER.unpack_from(data)
        self.sections = {}
        for i in range(n):
            s = dict(zip(FIELDS, SECTION.unpack_from(data, at + i * SECTION.size)))
            s["bytes"] = data[s["offset"]:s["offset"] + s["stored"]]
            self.sections[s["name"].rstrip(b"\0").decode()] = s

    def put(self, name, codec, count, size, stored, checked=True):
        """Replaces or adds a section."""
        s = self.sections.setdefault(name, {"name": name.encode(), "required": 1, "pad": 0})
        s.update(codec=codec, count=count, size=size, plain=count * size & MASK, bytes=stored)
        s["hash"] = checksum(stored) if checked else 0

    def put_words(self, words):
        text = b"".join(k.encode() + b"\0" + v.encode() + b"\0" for k, v in words)
        self.put("words", ZSTD, len(text), 1, part(frame(len(text), data=text)))

    def put_zeros(self, name, codec, count, size):
        self.put(name, codec, count, size, zeros(codec, count, size))

    def data(self):
        out, table = bytearray(HEADER.size), b""
        for s in self.sections.values():
            s.update(offset=len(out), stored=len(s["bytes"]))
            out += s["bytes"]
            table += SECTION.pack(*(s[f] for f in FIELDS))
        HEADER.pack_into(out, 0, self.magic, self.major, self.minor, len(out), len(self.sections), self.pad, checksum(table))
        return bytes(out) + table
