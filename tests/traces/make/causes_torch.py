"""Record tests/traces/causes/torch-*.json.gz: PyTorch training on the CPU that loses time between its steps for one known reason.

Each `train_step#N` range holds forward and backward; what the cause is named after happens between two of them.

    input        the DataLoader sleeps 8 ms per batch
    host-work    metrics are computed and a checkpoint is written after every step
    loss-scaling `torch.amp.GradScaler` finds gradients that overflowed, leaves the optimizer's step out and halves its scale
    gc           the garbage collector goes through 300,000 live objects after every step; Python frames are recorded
    communication two processes (gloo) average the gradients; the other one is 10 ms late
    unknown      the program sleeps 6 ms and nothing says so
    item         `loss.item()` after every step; on the CPU the loss is there already, so nothing waits

Usage: python causes_torch.py CAUSE OUTPUT_FILE.json.gz
"""

import gc
import io
import os
import sys
import time
from contextlib import contextmanager

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function
from torch.utils.data import DataLoader, Dataset

STEPS, WARMUP = 6, 2
BATCH, FEATURES, CLASSES = 16, 64, 10


class Samples(Dataset):
    """Random samples; the first of each batch takes `seconds` to read."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.x = torch.randn((STEPS + WARMUP) * BATCH, FEATURES)
        self.y = torch.randint(0, CLASSES, (len(self.x),))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        if self.seconds and i % BATCH == 0:
            time.sleep(self.seconds)
        return self.x[i], self.y[i]


class Trainer:
    """One step is forward and backward; `after` is what the cause needs between two steps."""

    def __init__(self, hidden=128, seconds=0.0):
        self.model = nn.Sequential(nn.Linear(FEATURES, hidden), nn.ReLU(), nn.Linear(hidden, CLASSES))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.batches = iter(DataLoader(Samples(seconds), batch_size=BATCH, num_workers=0))

    def step(self, number, scale=lambda loss: loss):
        x, y = next(self.batches)
        with record_function(f"train_step#{number}"):
            self.optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(self.model(x), y)
            scale(loss).backward()
        return loss


@contextmanager
def recording(out_file, **options):
    with profile(activities=[ProfilerActivity.CPU], **options) as prof:
        yield
    prof.export_chrome_trace(out_file)


def train(out_file, trainer, after, scale=lambda loss: loss, **options):
    for number in range(WARMUP):
        after(trainer.step(number, scale))
    with recording(out_file, **options):
        for number in range(WARMUP, WARMUP + STEPS):
            after(trainer.step(number, scale))


def input_wait(out_file):
    trainer = Trainer(seconds=0.008)
    train(out_file, trainer, lambda loss: None)


def host_work(out_file):
    trainer = Trainer(hidden=2048)
    truth, guess = torch.randint(0, CLASSES, (20_000,)), torch.randint(0, CLASSES, (20_000,))

    def after(loss):
        with record_function("compute_metrics"):
            confusion = torch.zeros(CLASSES, CLASSES, dtype=torch.long)
            confusion.index_put_((truth, guess), torch.ones_like(truth), accumulate=True)
        with record_function("save_checkpoint"):
            torch.save(trainer.model.state_dict(), io.BytesIO())

    train(out_file, trainer, after)


def loss_scaling(out_file):
    trainer, scaler = Trainer(hidden=32768), torch.amp.GradScaler("cpu", init_scale=2.0**127)

    def after(loss):
        scaler.step(trainer.optimizer)
        scaler.update()

    train(out_file, trainer, after, scale=scaler.scale)


def collect_garbage(out_file):
    alive = [[i] for i in range(300_000)]
    train(out_file, Trainer(), lambda loss: gc.collect(), with_stack=True)
    del alive


def unknown(out_file):
    train(out_file, Trainer(), lambda loss: time.sleep(0.006))


def item(out_file):
    train(out_file, Trainer(), lambda loss: loss.item())


def average_gradients(rank, out_file):
    """Rank 1 comes 10 ms late to every all-reduce; rank 0 is recorded."""
    torch.distributed.init_process_group("gloo", init_method=f"file://{os.getcwd()}/meeting", rank=rank, world_size=2)
    trainer = Trainer()

    def after(loss):
        if rank == 1:
            time.sleep(0.010)
        torch.distributed.all_reduce(torch.cat([p.grad.flatten() for p in trainer.model.parameters()]))

    if rank == 0:
        train(out_file, trainer, after)
    else:
        for number in range(WARMUP + STEPS):
            after(trainer.step(number))
    torch.distributed.destroy_process_group()


def communication(out_file):
    torch.multiprocessing.start_processes(average_gradients, args=(out_file,), nprocs=2, start_method="fork")


CAUSES = {
    "input": input_wait,
    "host-work": host_work,
    "loss-scaling": loss_scaling,
    "gc": collect_garbage,
    "communication": communication,
    "unknown": unknown,
    "item": item,
}


def main(cause, out_file):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    CAUSES[cause](out_file)


if __name__ == "__main__":
    main(*sys.argv[1:])
