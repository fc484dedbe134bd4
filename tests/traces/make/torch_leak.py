"""Record tests/traces/torch-leak: a PyTorch training loop on the CPU that keeps a tensor of 1 MiB of every step, and the same loop mended.

The outputs of each step are kept for a plot that nobody draws: HISTORY.append(x.clone()) where HISTORY.append(loss.item()) would do.

Usage: python torch_leak.py leak|fixed OUTPUT_FILE.json.gz
"""

import sys

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, schedule

WAIT, WARMUP, ACTIVE = 1, 1, 8
BATCH, FEATURES, CLASSES = 256, 1024, 10  # 256 x 1024 floats: 1 MiB
HISTORY = []


def train_step(model, optimizer, x, y, leak):
    optimizer.zero_grad(set_to_none=True)
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    HISTORY.append(x.clone() if leak else loss.item())


def main(leak, out_file):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = nn.Sequential(nn.Linear(FEATURES, 256), nn.ReLU(), nn.Linear(256, CLASSES))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    x, y = torch.randn(BATCH, FEATURES), torch.randint(0, CLASSES, (BATCH,))
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=WAIT, warmup=WARMUP, active=ACTIVE, repeat=1),
        on_trace_ready=lambda p: p.export_chrome_trace(out_file),
        record_shapes=True,
        profile_memory=True,
    ) as prof:
        for _ in range(WAIT + WARMUP + ACTIVE):
            train_step(model, optimizer, x, y, leak)
            prof.step()


if __name__ == "__main__":
    main(sys.argv[1] == "leak", sys.argv[2])
