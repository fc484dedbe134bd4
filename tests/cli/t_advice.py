#!/usr/bin/env python3
"""What is advised fits what stands in the timeline: little training loops, each with one thing wrong, written as Kineto writes them."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Tap, need_program, table
from loops import Loop


def checkpoints():
    x = Loop()
    for i in range(12):
        x.products(30, 100, 200, 1180)
        if i % 5 == 4:
            x.host("train.py(88): save_checkpoint", 37200, 90000, "python_function")
            x.host("torch/serialization.py(629): save", 37300, 89800, "python_function")
            for k in range(10):
                x.copy("DtoH (Device -> Pageable)", 37500 + k * 8900, 1500, 30_000_000)
        x.step(127500 if i % 5 == 4 else 37000)
    return x


def garbage():
    x = Loop()
    for _ in range(10):
        x.products(25, 300, 320, 380, 400)
        x.host("<built-in function collect>", 10500, 6000, "python_function")
        x.step(16600)
    return x


def workers_anew():
    """Each fourth step begins an epoch, whose iterator starts its workers."""
    x = Loop()
    for i in range(12):
        epoch = i % 4 == 0
        if epoch:
            x.host("torch/utils/data/dataloader.py(430): _get_iterator", 10, 40000, "python_function")
        x.products(25, 40100 if epoch else 100, 40320 if epoch else 320, 395)
        x.step(50400 if epoch else 10400)
    return x


def asked_each_time():
    """A value is fetched for which nothing is waited long; what the host does then is what the device waits for."""
    x = Loop()
    for _ in range(10):
        x.products(10, 300, 380, 350)
        x.host("aten::item", 3870, 40)
        x.host("env.py(20): step", 3915, 900, "python_function")
        x.step(4830)
    return x


def python_alone():
    x = Loop()
    for _ in range(10):
        x.products(25, 300, 320, 380, 400)
        for i in range(15):
            x.host("train.py(9): schedule", 10500 + 400 * i, 400, "python_function")
        x.step(16600)
    return x


def batches(fetch):
    """Pageable copies of 9 ms before the products; with a DataLoader or without."""
    x = Loop()
    for _ in range(10):
        if fetch:
            x.host(fetch, 5, 30, "user_annotation")
        x.copy("HtoD (Pageable -> Device)", 50, 9000, 200_000_000)
        x.products(25, 9100, 9200, 798)
        x.step(29300)
    return x


def offloaded():
    """Each layer's parameters come to the device before its product and go back behind it."""
    x = Loop()
    for _ in range(8):
        for i in range(10):
            x.copy("HtoD (Pinned -> Device)", 2500 * i, 900, 20_000_000)
            x.products(1, 2500 * i + 920, 2500 * i + 940, 500)
            x.copy("DtoH (Device -> Pinned)", 2500 * i + 1450, 900, 20_000_000)
        x.step(25100)
    return x


def results(size, times):
    """What the products gave goes to the host, and nothing comes back."""
    x = Loop()
    for _ in range(8):
        x.products(20, 20, 40, 498)
        for i in range(times):
            x.copy("DtoH (Device -> Pageable)", 10050 + i * 7000 // times, 6600 // times, size)
        x.step(17100)
    return x


def split_products():
    """Tensor parallelism: the next product needs the sum of the last one."""
    x = Loop()
    facts = {"Collective name": "allreduce", "In msg nelems": 8_000_000, "Out msg nelems": 8_000_000, "Group size": 2, "dtype": "BFloat16",
             "Process Group Name": "tp", "Process Group Description": "tensor_parallel", "Process Group Ranks": "[0, 1]"}
    for _ in range(8):
        for i in range(20):
            x.products(1, 600 * i + 5, 600 * i + 20, 398)
            x.device("kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", ("cudaLaunchKernel", 5),
                     600 * i + 60, 600 * i + 419, 180, **facts)
        x.step(12000)
    return x


def fed():
    """Batches are there in time, and their copies run beside the products: nothing to warn of, nothing to advise."""
    x, at = Loop(), 500
    for _ in range(12):
        x.host("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 10, 300, "user_annotation")
        x.products(30, 400, at - x.now, 900)
        at += 30 * 902
        x.step(27010)
    return x


CASES = (  # what is wrong, the loop, the rule, what its advice says and what it must not say
    ("checkpoints between steps", checkpoints(), "idle", "Save checkpoints less often, or asynchronously", "Log and fetch"),
    ("checkpoints copied from the device", checkpoints(), "pageable-copies", "Copy into pinned tensors", "DataLoader"),
    ("garbage collected in each step", garbage(), "idle", "Collect garbage outside of the loop", "torch.compile"),
    ("workers started anew", workers_anew(), "idle", "persistent_workers=True keeps them", "workers are too slow"),
    ("a value fetched, then host work", asked_each_time(), "idle", "Launch more work per call", ".item()"),
    ("Python between ops, no garbage", python_alone(), "idle", "torch.compile", "Collect garbage outside"),
    ("batches copied, nobody knows where from", batches(None), "pageable-copies", "tensor.pin_memory()", "DataLoader"),
    ("batches copied, from a DataLoader", batches("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"), "pageable-copies",
     "DataLoader(pin_memory=True)", "tensor.pin_memory()"),
    ("parameters offloaded, going back", offloaded(), "output", "offload less", ".item()"),
    ("parameters offloaded, in excess", offloaded(), "excess-copies", "offload less", ".item()"),
    ("large results", results(60_000_000, 1), "output", "Copy large results into pinned memory", ".item()"),
    ("many values", results(4000, 20), "output", "Call .item()", "large results"),
    ("sums that the next product needs", split_products(), "collectives", "async tensor parallelism", "a stream of their own"),
)


def main():
    need_program()
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "loop.json")
        for what, loop, rule, says, not_this in CASES:
            loop.write(path)
            rows = [r for r in table("findings", path).rows if r["rule"] == rule and r["severity"] in ("warn", "fail")]
            advice = rows[0]["advice"] or "" if rows else "no finding"
            tap.ok(len(rows) == 1 and says in advice and not_this not in advice, f"{what}: {says}", advice)
            if rule == "idle":
                causes = [r for r in table("idle_causes", path).rows if r["advice"] == advice]
                tap.ok(len(causes) == 1, f"{what}: the table of causes says the same")
        fed().write(path)
        rows = {r["rule"]: r for r in table("findings", path).rows}
        tap.equal([k for k, r in rows.items() if r["severity"] in ("warn", "fail")], [], "a loop that is fed in time: nothing to warn of")
        stage = rows["input-bottleneck"]
        tap.equal((stage["severity"], stage["advice"], stage["lost_ns"]), ("pass", None, None), "and its DataLoader is not called too slow")
        tap.ok("input-best-case" not in rows, "nor is a step without input promised")
    tap.done()


main()
