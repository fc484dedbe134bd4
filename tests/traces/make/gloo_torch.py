"""Record tests/traces/gloo: three processes that train one model on the CPU with DistributedDataParallel over gloo; rank 1 sleeps 25 ms in
`load_batch` before each step, so that the others wait for it in their reductions.

Usage: python gloo_torch.py OUTPUT_FOLDER
"""

import os
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

RANKS, LATE, STEPS, WARMUP, WIDTH = 3, 1, 6, 2, 192


def step(rank, model, optimizer):
    with record_function("load_batch"):
        if rank == LATE:
            time.sleep(0.025)
        x = torch.randn(16, WIDTH)
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()


def train(rank, folder):
    torch.set_num_threads(1)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29555")
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    model = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH)))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(WARMUP):
        step(rank, model, optimizer)
    dist.barrier()
    with profile(activities=[ProfilerActivity.CPU]) as recording:
        for _ in range(STEPS):
            step(rank, model, optimizer)
    recording.export_chrome_trace(os.path.join(folder, f"rank{rank}.pt.trace.json.gz"))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    mp.spawn(train, (sys.argv[1],), RANKS)
