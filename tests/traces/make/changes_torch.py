"""Record tests/traces/changes/torch-*: a PyTorch training loop on the CPU before and after a change of its input.

Before: each sample is inflated and scaled when it is read, in the training process. After: all of them once, before the loop.

Usage: python changes_torch.py before|after OUTPUT_FILE.json.gz
"""

import sys
import zlib

import numpy as np
import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, schedule
from torch.utils.data import DataLoader, Dataset

WAIT, WARMUP, ACTIVE = 4, 2, 12
BATCH, FEATURES, CLASSES = 32, 16384, 10


class Samples(Dataset):
    """As they lie on a disk, packed, eight bits a value; or unpacked."""

    def __init__(self, n, unpacked):
        values = np.random.default_rng(0).integers(0, 64, (n, FEATURES), dtype=np.uint8)
        self.packed = [zlib.compress(v.tobytes()) for v in values]
        self.ready = [self.unpack(i) for i in range(n)] if unpacked else None

    def unpack(self, i):
        x = np.frombuffer(zlib.decompress(self.packed[i]), dtype=np.uint8).astype(np.float32)
        return torch.from_numpy((x - x.mean()) / x.std())

    def __len__(self):
        return len(self.packed)

    def __getitem__(self, i):
        return self.ready[i] if self.ready else self.unpack(i), i % CLASSES


def train_step(model, optimizer, x, y):
    optimizer.zero_grad(set_to_none=True)
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()


def main(unpacked, out_file):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = nn.Sequential(nn.Linear(FEATURES, 64), nn.ReLU(), nn.Linear(64, CLASSES))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    loader = DataLoader(Samples((WAIT + WARMUP + ACTIVE) * BATCH, unpacked), batch_size=BATCH, num_workers=0)
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=WAIT, warmup=WARMUP, active=ACTIVE, repeat=1),
        on_trace_ready=lambda p: p.export_chrome_trace(out_file),
        record_shapes=True,
    ) as prof:
        for x, y in loader:
            train_step(model, optimizer, x, y)
            prof.step()


if __name__ == "__main__":
    main(sys.argv[1] == "after", sys.argv[2])
