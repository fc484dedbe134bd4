#!/usr/bin/env python3
"""Writes the seeds of fuzz_attrs: corpus/attrs. A block of the attribute log behind the byte at which its first record begins, and
packed blocks behind the number of bytes they unpack to (model/store/facts/attrs_coder.h)."""
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
STR, REF, INT, UINT, DOUBLE, NUMBER, BOOL, NULL, JSON, BYTES = range(10)
END, TOKEN = 254, 255
CODED = 1


def varint(v):
    out = b""
    while v >= 0x80:
        out += bytes([v & 0x7F | 0x80])
        v >>= 7
    return out + bytes([v])


def member(key, kind, value):
    head = varint(key + 1) + bytes([kind])
    if kind == DOUBLE:
        return head + struct.pack("<d", value)
    if kind in (STR, NUMBER, JSON, BYTES):
        return head + varint(len(value)) + value
    return head + (varint(value) if kind != NULL else b"")


def record(*members):
    return b"".join(member(*m) for m in members) + b"\0"


def logs():
    kernel = [record((14, REF, 213), (20, INT, 2 * i), (219, JSON, b"[%d, 1, 1]" % (1 << i % 5)), (217, NUMBER, b"0.%d" % i))
              for i in range(40)]
    yield "log", b"\0" + b"".join(kernel) + record((1, STR, b"the last one"))
    every = [record((i, UINT, 1 << 9 * i % 64), (3, DOUBLE, i / 7), (4, NULL, 0), (5, BOOL, i & 1), (6, BYTES, bytes(i)))
             for i in range(24)]
    yield "log-inside", bytes([5]) + b"-end\0" + b"".join(every)


def packed():
    heads = [varint(15) + bytes([REF]), varint(300) + bytes([STR])]
    first = bytes([TOKEN, 0, 2]) + b"".join(heads) + bytes([3]) + varint(2 * 700) + b"\0" + varint(5) + b"hello"
    plain = record((14, REF, 700), (299, STR, b"hello")) * 4 + b"the rest, as it is"
    # the second one: its differences are 0 for the first time; then they are expected
    coded = b"\0" + first + bytes([TOKEN, 0, 3, 0, 0]) + bytes([TOKEN, 0, 0]) + bytes([2]) + bytes([END]) + b"the rest, as it is"
    yield "coded", struct.pack(">H", len(plain)) + bytes([CODED]) + coded


for name, data in [*logs(), *packed()]:
    with open(os.path.join(HERE, "corpus", "attrs", name), "wb") as f:
        f.write(data)
