#!/usr/bin/env python3
"""Writes the seeds of fuzz_archive: corpus/archive, small zip and tar archives."""
import gzip
import io
import os
import tarfile
import zipfile

TO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus/archive")
TRACE = b'{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":2,"args":{"device":0,"stream":7}}]}'
FILES = [("r/rank0.json", TRACE), ("r/notes.txt", b"no trace"), ("r/rank1.json.gz", gzip.compress(TRACE, 9, mtime=0))]


def zipped(how):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as z:
        for name, data in FILES:
            z.writestr(zipfile.ZipInfo(name), data, compress_type=how)
    return out.getvalue()


def tarred(form):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as t:
        for name, data in FILES:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    data = out.getvalue().rstrip(b"\0")
    return data + bytes(-len(data) % 512 + 1024)  # as many zeros at its end as must be


def main():
    os.makedirs(TO, exist_ok=True)
    for name, data in (("deflated.zip", zipped(zipfile.ZIP_DEFLATED)), ("stored.zip", zipped(zipfile.ZIP_STORED)), ("ustar.tar", tarred(tarfile.USTAR_FORMAT)),
                       ("pax.tar", tarred(tarfile.PAX_FORMAT)), ("gnu.tar.gz", gzip.compress(tarred(tarfile.GNU_FORMAT), 9, mtime=0))):
        with open(os.path.join(TO, name), "wb") as f:
            f.write(data)


if __name__ == "__main__":
    main()
