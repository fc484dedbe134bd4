"""What moves between the GPUs of one host: peer copies with their rates, detours through the host, and what only looks like one.
Written as PyTorch's profiler writes it; the real trace whose copies name a destination of another kind is kept. Run by t_collectives.py."""
import json
import os

import harness
from harness import number, scratch, table

US, MIB = 1000, 1 << 20


class Made:
    def __init__(self, name="NVIDIA A100-SXM4-80GB", devices=3):
        self.events, self.corr = [], 0
        self.devices = [{"id": i, "name": name, "computeMajor": 8, "computeMinor": 0, "numSms": 108} for i in range(devices)]

    def work(self, name, cat, device, at_us, dur_us, stream, **args):
        self.corr += 1
        self.events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 900, "tid": 1, "ts": at_us - 20, "dur": 2,
                            "args": {"correlation": self.corr}})
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": device, "tid": stream, "ts": at_us, "dur": dur_us,
                            "args": {"device": device, "stream": stream, "correlation": self.corr, **args}})
        return self

    def kernel(self, device, at_us, dur_us):
        return self.work("ampere_sgemm_128x64_nn", "kernel", device, at_us, dur_us, 7, grid=[1, 1, 1], block=[32, 1, 1])

    def down(self, device, at_us, dur_us, size):
        return self.work("Memcpy DtoH (Device -> Pinned)", "gpu_memcpy", device, at_us, dur_us, 8, bytes=size)

    def up(self, device, at_us, dur_us, size):
        return self.work("Memcpy HtoD (Pinned -> Device)", "gpu_memcpy", device, at_us, dur_us, 9, bytes=size)

    def peer(self, source, target, at_us, dur_us, size):
        ends = {} if target is None else {"fromDevice": source, "toDevice": target}
        return self.work("Memcpy PtoP (Device -> Device)", "gpu_memcpy", source, at_us, dur_us, 10, bytes=size, **ends)

    def write(self, name):
        path = scratch(f"{name}.pt.trace.json")
        with open(path, "w", encoding="ascii") as f:
            json.dump({"schemaVersion": 1, "deviceProperties": self.devices, "traceEvents": self.events}, f)
        return path


KEYS = ("from_device", "to_device", "path", "transfers", "transfer_bytes", "transfers_ns")


def pairs(path, *options):
    return [tuple(number(r[k]) for k in KEYS) for r in table("device_pairs", path, *options).rows]


def through(*paths):
    return [(r["severity"], r["sentence"]) for r in table("findings", *paths).rows if r["rule"] == "through-host"]


def long_kernels(made):
    for device in range(2):
        made.kernel(device, 1000, 20_000)
    return made


def peers(tap):
    m = long_kernels(Made()).peer(0, 1, 2000, 100, 20 * MIB).peer(0, 1, 4000, 100, 10 * MIB).peer(1, 0, 6000, 400, 4 * MIB).peer(2, None, 7000, 50, MIB)
    path = m.write("peers")
    tap.equal(pairs(path), [(0, 1, "device link", 2, 30 * MIB, 200 * US), (1, 0, "peer", 1, 4 * MIB, 400 * US), (2, None, "peer", 1, MIB, 50 * US)],
              "a row per pair; what PCIe cannot do went over another link")
    rates = {number(r["from_device"]): (r["transfer_bytes_per_s"], r["fastest_bytes_per_s"]) for r in table("device_pairs", path).rows}
    tap.equal(rates[0], (30 * MIB / 200e-6, 20 * MIB / 100e-6), "mean and fastest rate")
    tap.equal(pairs(path, "--window", "4.5ms..6ms"), [(1, 0, "peer", 1, 4 * MIB, 400 * US)], "a window holds what begins in it")
    tap.equal(through(path), [], "no detour")
    path = Made(name="Unheard-of GPU").kernel(0, 1000, 9000).peer(0, 1, 2000, 100, 20 * MIB).write("unknown")
    tap.equal([p[2] for p in pairs(path)], ["peer"], "of a GPU whose links are unknown nothing is said of them")


def detours(tap):
    m = long_kernels(Made())
    for i in range(4):
        m.down(0, 2000 + 3000 * i, 400, 4 * MIB).up(1, 2500 + 3000 * i, 500, 4 * MIB)
    path = m.write("detours")
    tap.equal(pairs(path), [(0, 1, "through the host", 4, 16 * MIB, 4 * 1000 * US)], "down and up again: four transfers of 1 ms")
    (severity, sentence), = through(path)
    tap.ok(severity == "warn" and "4 transfers (16.0 MiB) between GPUs go through the host, most from GPU 0 to GPU 1" in sentence and "4.000 ms" in sentence,
           "the finding names them", sentence)
    other = long_kernels(Made()).down(0, 2000, 100, 4 * MIB).up(1, 2200, 100, 4 * MIB).write("other_host")
    (_, sentence), = through(path, other)
    tap.ok("most from detours GPU 0 to detours GPU 1, in" in sentence, "and the host, where there are several", sentence)
    evidence = [e for e in table("device_pairs", path, "--format", "json").rows]
    tap.equal(len(evidence), 1, "one row")
    m = long_kernels(Made()).down(0, 2000, 100, 40 * MIB).up(2, 3050, 100, 40 * MIB).down(0, 5000, 3000, 40 * MIB).up(2, 10_500, 100, 40 * MIB)
    tap.equal(pairs(m.write("near")), [(0, 2, "through the host", 2, 80 * MIB, (1150 + 5600) * US)],
              "a millisecond apart, or the length of the first")
    m = long_kernels(Made()).down(0, 2000, 100, 4 * MIB).down(1, 2000, 90, 4 * MIB).up(2, 2200, 100, 4 * MIB).up(2, 2400, 100, 4 * MIB)
    tap.equal(pairs(m.write("two")), [(0, 2, "through the host", 1, 4 * MIB, 300 * US), (1, 2, "through the host", 1, 4 * MIB, 500 * US)],
              "each counts once, the nearest first")


def no_detours(tap):
    base = lambda: long_kernels(Made())  # noqa: E731
    for what, m in (("of other sizes", base().down(0, 2000, 100, 4 * MIB).up(1, 2200, 100, 4 * MIB + 4)),
                    ("too far apart", base().down(0, 2000, 100, 4 * MIB).up(1, 3200, 100, 4 * MIB)),
                    ("up before down", base().up(1, 2000, 100, 4 * MIB).down(0, 2200, 100, 4 * MIB)),
                    ("up while down", base().down(0, 2000, 300, 4 * MIB).up(1, 2200, 100, 4 * MIB)),
                    ("of one device", base().down(0, 2000, 100, 4 * MIB).up(0, 2200, 100, 4 * MIB)),
                    ("small", base().down(0, 2000, 10, 4092).up(1, 2020, 10, 4092)),
                    ("round trips of both devices", base().down(0, 2000, 100, 4 * MIB).down(1, 2010, 100, 4 * MIB)
                     .up(0, 2200, 100, 4 * MIB).up(1, 2210, 100, 4 * MIB))):
        path = m.write(what.replace(" ", "_"))
        tap.equal((pairs(path), through(path)), ([], []), f"copies {what}: no detour")


def real(tap):
    path = os.path.join(harness.TRACES, "xspace", "jax-mi300-conv-legacy", "chi-mi300x-013.xplane.pb")
    if not os.path.exists(path):
        tap.skip("copies inside of a device that name another destination", "the trace corpus is not here")
        return
    tap.equal(pairs(path), [], "copies inside of a device that name another destination are between no devices")


CHECKS = (peers, detours, no_detours, real)
