"""Record tests/traces/torch-cpu: a small PyTorch training loop on the CPU with one slow batch.

The DataLoader runs in the training process (0 workers), so the time a batch takes appears as
`enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__`.  The schedule waits one step, warms up
one step and records ACTIVE steps; the batch of step SLOW_STEP takes about 40 ms longer.

Usage: python torch_cpu.py OUTPUT_FILE.json.gz
"""

import sys
import time

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule
from torch.utils.data import DataLoader, Dataset

WAIT, WARMUP, ACTIVE = 1, 1, 6
SLOW_STEP = 5  # the number in ProfilerStep#N
SLOW_SECONDS = 0.040
BATCH, FEATURES, CLASSES = 16, 64, 10


class Samples(Dataset):
    """Random samples; the first sample of the slow batch takes SLOW_SECONDS to read."""

    def __init__(self, batches):
        self.x = torch.randn(batches * BATCH, FEATURES)
        self.y = torch.randint(0, CLASSES, (batches * BATCH,))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        if i == SLOW_STEP * BATCH:
            time.sleep(SLOW_SECONDS)
        return self.x[i], self.y[i]


def train_step(model, optimizer, x, y):
    with record_function("## forward ##"):
        loss = nn.functional.cross_entropy(model(x), y)
    with record_function("## backward ##"):
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
    with record_function("## optimizer ##"):
        optimizer.step()


def main(out_file):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = nn.Sequential(nn.Linear(FEATURES, 128), nn.ReLU(), nn.Linear(128, CLASSES))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    loader = DataLoader(Samples(WAIT + WARMUP + ACTIVE), batch_size=BATCH, num_workers=0)
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=WAIT, warmup=WARMUP, active=ACTIVE, repeat=1),
        on_trace_ready=lambda p: p.export_chrome_trace(out_file),
        record_shapes=True,
        profile_memory=True,
    ) as prof:
        for x, y in loader:
            train_step(model, optimizer, x, y)
            prof.step()


if __name__ == "__main__":
    main(sys.argv[1])
