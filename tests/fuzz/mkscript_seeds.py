#!/usr/bin/env python3
"""Writes the seeds of the targets whose input is a script: corpus/report and corpus/wire. See the heads of fuzz_report.c and
fuzz_wire.c for what the bytes mean."""
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ("other op annotation runtime python async instant memory overhead profile device_range kernel copy memset "
         "device_other").split()
TABLES, REPORTS = 0, 200


def event(kind, where, name, step, dur, corr=None, extra=b"", more=0):
    """A plain event: see an_event()."""
    flags = more | (2 if corr is not None else 0)
    return bytes([8, KINDS.index(kind), where, flags, name, step, dur]) + (bytes([corr]) if corr is not None else b"") + extra


def training_steps():
    """Four steps with launches, kernels, a copy and an input wait between them; hostile names among them."""
    out = b""
    for step in range(4):
        out += event("annotation", 0, 18 + step % 4, 0, 13)
        out += event("op", 0, 8 + step % 3, 10, 11)
        out += event("runtime", 0, 4, 10, 10, corr=step + 1)
        out += event("kernel", 0, step % 4, 11, 12, corr=step + 1)
        out += event("copy", 4, 22, 10, 11, corr=step + 1)
        out += event("op", 1, 12, 12, 13)
        out += event("annotation", 1, 24 + step, 12, 11)
    return out


def details():
    """Kernel, copy and step details, attributes, a device, facts, a sample."""
    kernel = bytes([7, 8, 4, 6, 4, 6, 3, 6, 3, 1]) + struct.pack("<d", 0.5) + bytes([15, 27, 35])
    out = bytes([0, 2, 0, 24, 7, 12, 18, 3])
    out += event("kernel", 1, 28, 10, 11, corr=1, extra=kernel, more=4)
    out += event("copy", 0, 22, 10, 11, extra=bytes([0, 1, 3, 12, 25]), more=4)
    out += event("op", 0, 8, 11, 12, extra=bytes([2, 0, 0, 35, 1, 1, 12]), more=8)
    out += bytes([0, 3]) + b"producer \x1b[1m".ljust(63, b"\0") + bytes([27])
    out += bytes([0, 4, 29, 1]) + struct.pack("<d", float("nan"))
    return out


def pairs():
    """Begins, ends, async parts, flows, and times that are absurd."""
    out = b""
    for what, extra in ((1, b""), (3, bytes([0, 5])), (4, bytes([0, 3])), (2, b""), (3, bytes([2, 5])), (4, bytes([2, 3]))):
        out += bytes([what]) + event("op", 0, 26, 11, 12)[1:] + extra
    for number in (17, 18, 19, 20, 23, 24):
        out += event("op", 0, 30, number, number, more=1) + event("kernel", 0, 33, 11, number)
    return out


def report_seeds():
    whole = training_steps() + details() + pairs()
    for name, script in (("steps", training_steps()), ("details", details() + training_steps()), ("pairs", pairs() + training_steps())):
        for what in (TABLES + 30, REPORTS + 1, REPORTS + 3):
            yield f"{name}-{what}", bytes([what, 0, 0]) + script
    for what in (36, 80, 120, REPORTS + 0, REPORTS + 2):
        yield f"whole-{what}", bytes([what, 4, 2]) + whole


def wire_seeds():
    HELLO, SAY, HEADER, HEAD, FRAMES, READ, ASK, HANG_UP = (bytes([n]) for n in range(8))
    frames = FRAMES + bytes([3]) + b"".join(struct.pack("<QB", 1000 + i, i) for i in range(3))
    yield "meeting", bytes([0, 0]) + HELLO + READ + frames + READ + ASK + bytes([6, 0]) + HANG_UP + READ
    yield "header", bytes([0, 0]) + HELLO + HEADER + bytes([0, 60, 4]) + b"\x1b[1m" + READ + frames + HEAD + struct.pack("<Q", 1 << 40) + READ
    yield "messages", bytes([0, 1]) + b"".join(SAY + bytes([how, 8, 4]) + b"\xff" * 4 + READ for how in (0x10, 0x20, 0x33, 0x41, 0x52))
    request = struct.pack("<iiq3i", 2, 3, 7, 42, 43, 44)
    yield "daemon-request", bytes([1]) + struct.pack("<Q32s", len(request), b"req") + request
    yield "daemon-context", bytes([1]) + struct.pack("<Q32s", 16, b"ctxt") + struct.pack("<iiq", 0, 42, 7)


def main():
    for folder, seeds in (("report", report_seeds()), ("wire", wire_seeds())):
        out = os.path.join(HERE, "corpus", folder)
        os.makedirs(out, exist_ok=True)
        for name, data in seeds:
            with open(os.path.join(out, name), "wb") as f:
                f.write(data)


if __name__ == "__main__":
    main()
