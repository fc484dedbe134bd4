"""Changes of protobuf files by fields: lengths are made right again, so that the change arrives where it was made."""
import struct

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
NUMBERS = [0, 1, 2, 127, 128, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 1000, 10**18]
TEXTS = [b"", b"\0", b"\x1b[31m", b"\xff\xfe", "\u202e\u2066".encode(), b"A" * 70000, b"a/" * 3000, b"::" * 2000, b"/device:GPU:0",
         b"/device:GPU:99999999999", b"/device:TPU:0", b"/host:CPU", b"/host:CUPTI", b"/host:metadata", b"Steps", b"XLA Ops",
         b"Stream #14(Compute)", b"Stream #-1", b"XLA Modules", b"tf_op", b"hlo_op", b"correlation_id", b"step_num", b"_r",
         b"group_id", b"kernel_details", b"memcpy_details", b"Hlo Proto", b"<b>&amp;", b"=cmd()", b"kind_src:pinned size:" + b"9" * 30,
         b"regs:-1 static_shared:99999999999999 grid:0,0,0 block:4294967295,4294967295,2 occ_pct:1e400", b"%s%n"]
DEEPEST = 12


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varint(data, at):
    value = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
    return None, at


def parse(data):
    """[[field, wire, value]], or None when the bytes are no message."""
    fields, at = [], 0
    while at < len(data):
        tag, at = read_varint(data, at)
        if tag is None or not 0 < tag >> 3 < 1 << 20:
            return None
        wire = tag & 7
        if wire == VARINT:
            value, at = read_varint(data, at)
        elif wire in (FIXED64, FIXED32):
            n = 8 if wire == FIXED64 else 4
            value, at = data[at:at + n], at + n
        elif wire == BYTES:
            n, at = read_varint(data, at)
            value, at = (None, at) if n is None else (data[at:at + n], at + n)
        else:
            return None
        if value is None or at > len(data):
            return None
        fields.append([tag >> 3, wire, value])
    return fields


def write(fields):
    out = []
    for field, wire, value in fields:
        out.append(varint(field << 3 | wire))
        if wire == VARINT:
            out.append(varint(value))
        else:
            out += [varint(len(value)), value] if wire == BYTES else [value]
    return b"".join(out)


def change_value(rng, f):
    if f[1] == VARINT:
        f[2] = rng.choice(NUMBERS + [f[2] + 1, f[2] - 1, f[2] ^ 1 << rng.randrange(64), rng.getrandbits(64)])
    elif f[1] == FIXED64:
        f[2] = rng.choice((struct.pack("<d", rng.choice((0.0, -1.0, 1e308, float("inf"), float("nan"), 5e-324))), rng.randbytes(8)))
    elif f[1] == BYTES:
        f[2] = rng.choice((rng.choice(TEXTS), f[2][:rng.randrange(len(f[2]) + 1)], f[2] * 2, f[2] + rng.choice(TEXTS)))
    else:
        f[2] = rng.randbytes(4)


def change_shape(rng, fields, i, theirs):
    """Which fields there are, in which order, of which number and type."""
    what = rng.randrange(7)
    if what == 0:
        del fields[i]
    elif what == 1:
        fields[i:i] = [list(fields[i]) for _ in range(rng.choice((1, 1, 5, 40)))]
    elif what == 2:
        j = rng.randrange(len(fields))
        fields[i], fields[j] = fields[j], fields[i]
    elif what == 3:
        fields[i][0] = rng.randrange(1, 12)
    elif what == 4:
        fields[i] = [fields[i][0], VARINT, rng.choice(NUMBERS)] if fields[i][1] == BYTES else [fields[i][0], BYTES, rng.choice(TEXTS)]
    elif what == 5:
        fields.insert(i, [rng.randrange(1, 12), VARINT, rng.choice(NUMBERS)])
    elif theirs:
        fields.insert(i, list(rng.choice(theirs)))


def change_message(rng, data, theirs, depth):
    fields = parse(data)
    if not fields:
        return rng.choice(TEXTS)
    i = rng.randrange(len(fields))
    inner = fields[i][1] == BYTES and len(fields[i][2]) > 1 and depth < DEEPEST and parse(fields[i][2])
    if inner and rng.random() < (0.97 if depth == 0 else 0.8):
        match = [f[2] for f in theirs or [] if f[0] == fields[i][0] and f[1] == BYTES]
        fields[i][2] = change_message(rng, fields[i][2], parse(rng.choice(match)) if match else None, depth + 1)
    elif rng.random() < 0.6:
        change_value(rng, fields[i])
    else:
        change_shape(rng, fields, i, theirs)
    return write(fields)


def change(rng, data, other):
    theirs = parse(other)
    for _ in range(rng.choice((1, 2, 4, 8, 20))):
        data = change_message(rng, data, theirs, 0)
    return data
