#!/usr/bin/env python3
"""Binary payloads of NVTX in exports of Nsight Systems: fields by the schemas of the file, NCCL's calls with group, bytes, peer and ranks."""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, need_program, number, stepscope, table  # noqa: E402
from make import PID, TID, call, small, texts, usual, work  # noqa: E402

DOMAIN, INIT, REDUCE, SEND, OTHER, REDOP = 1, 1 << 24 | 2, 1 << 24 | 7, 1 << 24 | 9, 1 << 24 | 30, 1 << 24 | 16
GROUP = (1 << 64) - 5  # of 64 bits, no sign
INT, UINT64, FLOAT, DOUBLE, SIZE, INT8 = 5, 18, 19, 20, 22, 11


def fields(schema, *of):
    """(type, name, offset) each; the first one's offset is not written, as exporters leave it out."""
    return [{"domainId": DOMAIN, "schemaId": schema, "idx": i, "type": t, "name": name, "offset": at or None} for i, (t, name, at) in enumerate(of)]


def blob(schema, payload, size=None):
    return struct.pack("<QQQQ", DOMAIN, schema, len(payload) if size is None else size, 32) + payload


def event(start, end, text, payload):
    return {"start": start, "end": end, "eventType": 59, "globalTid": TID, "domainId": DOMAIN, "text": text, "binaryData": payload}


def export(name, events, more=()):
    group, size = (UINT64, "NCCL communicator ID", 0), (SIZE, "Message size [bytes]", 8)
    schemas = fields(INIT, group, (INT, "No. of ranks", 8), (INT, "Rank", 12)) + fields(REDUCE, group, size, (REDOP, "Reduction operation", 16)) \
        + fields(SEND, group, size, (INT, "Peer rank", 16)) + fields(OTHER, (INT8, "small", 0), (FLOAT, "half", 4), (DOUBLE, "whole", 8))
    rows = usual()
    rows["NVTX_PAYLOAD_SCHEMA_ENTRIES"] = schemas + schemas + list(more)  # each process registers its own
    rows["NVTX_PAYLOAD_ENUM_ENTRIES"] = [{"domainId": DOMAIN, "schemaId": REDOP, "idx": i, "name": n, "value": i} for i, n in enumerate(("Sum", "Product"))]
    rows["NVTX_EVENTS"] = events
    rows["StringIds"] += texts(_8="ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", _9="ncclDevKernel_SendRecv(x)")
    rows["CUPTI_ACTIVITY_KIND_RUNTIME"] += [call(2520, 2580, 20), call(2720, 2780, 21)]
    rows["CUPTI_ACTIVITY_KIND_KERNEL"] += [work(19000, 19400, 20, pid=PID, demangledName=8, stream=8), work(19500, 19600, 21, pid=PID, demangledName=9, stream=8)]
    return small(name, rows)


def nccl(tap):
    calls = [event(2500, 2600, "ncclAllReduce", blob(REDUCE, struct.pack("<QQi4x", GROUP, 4096, 1))),
             event(2700, 2800, "ncclSend", blob(SEND, struct.pack("<QQi4x", GROUP, 512, 3))),
             event(100, 200, "ncclCommInitRank", blob(INIT, struct.pack("<Qiiii", GROUP, 8, 2, 0, 0)))]
    path = export("nccl.sqlite", calls)
    told = {row["op"]: (number(row["message_bytes"]), row["comm_group"], row["bus_bytes_per_s"] / row["algorithm_bytes_per_s"])
            for row in table("collectives", path, "--all-columns").rows}
    tap.equal(told, {"AllReduce": (4096, str(GROUP), 1.75), "Send": (512, str(GROUP), 1)}, "bytes, communicator, 8 ranks of it: 2(n-1)/n")
    rows = {row["name"]: row for row in table("events", path, "--all-columns").rows}
    tap.equal((rows["ncclAllReduce"]["args.Reduction operation"], rows["ncclSend"]["args.Peer rank"], rows["ncclCommInitRank"]["args.Rank"]),
              ("Product", 3, 2), "fields by their names, an enumeration by its text")
    facts = table("trace", path).keyed()
    tap.equal(number(facts["entries_in_file"]), sum(number(facts[k]) for k in ("events_shown", "events_merged", "events_noted")), "the ledger balances")
    tap.equal(table("notes", path).keyed_by("note").get("table_unread"), None, "no table is left unread")


def parts(tap):
    """Of gathers and scatters NCCL tells one rank's part: the whole needs the number of ranks, which a capture that begins later does not have."""
    calls = [event(2500, 2600, "ncclAllGather", blob(SEND, struct.pack("<QQi4x", GROUP, 4096, 1))),
             event(2700, 2800, "ncclReduceScatter", blob(SEND, struct.pack("<QQi4x", GROUP, 512, 3)))]
    made = event(100, 200, "ncclCommInitRank", blob(INIT, struct.pack("<Qiiii", GROUP, 8, 2, 0, 0)))
    for name, events, wanted in (("parts", [made, *calls], [32768, 4096]), ("unmade", calls, [None, None])):
        rows = table("collectives", export(f"{name}.sqlite", events)).rows
        tap.equal([row["message_bytes"] for row in sorted(rows, key=lambda row: row["start_ns"])], wanted, f"message of a gather and a scatter: {name}")


def others(tap):
    path = export("other.sqlite", [event(1, 9, "mine", blob(OTHER, struct.pack("<b3xfd", -3, 0.5, 2.25)))])
    row = next(row for row in table("events", path, "--all-columns").rows if row["name"] == "mine")
    tap.equal((row["args.small"], row["args.half"], row["args.whole"]), (-3, 0.5, 2.25), "numbers of each sort")


def unsound(tap):
    whole = blob(REDUCE, struct.pack("<QQi4x", GROUP, 4096, 1))
    odd = [whole[:k] for k in range(0, len(whole), 5)] + [blob(REDUCE, b"", 1 << 63), blob(77, b"x" * 24), blob(REDUCE, b"", (1 << 64) - 1), b"",
                                                         blob(REDUCE, struct.pack("<QQi4x", GROUP, (1 << 64) - 1, 9))]
    odd += ["text", 7, None]
    more = [{"domainId": DOMAIN, "schemaId": REDUCE, "type": t, "name": f"f{t}", "offset": at} for t, at in
            ((-1, 0), (0, 0), (21, 0), (1 << 62, 65535), (18, 65535), (18, -1), (18, 1 << 40), (24, 0))]
    more += [{"domainId": DOMAIN, "schemaId": OTHER, "type": 5, "name": f"many{i}", "offset": 0} for i in range(2000)]
    path = export("unsound.sqlite", [event(10 * i, 10 * i + 5, "ncclAllReduce", b) for i, b in enumerate(odd)], more)
    run = stepscope("table", "collectives", path)
    tap.ok(run.status in (0, 4) and not run.crashed, "payloads and schemas that are not sound", run.told())
    got = [row for row in table("events", path).rows if row["name"] == "ncclAllReduce"]
    tap.equal(len(got), len(odd), "their events are shown")


def main():
    need_program()
    tap = Tap()
    nccl(tap)
    parts(tap)
    others(tap)
    unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
