"""Record PyTorch training on one NVIDIA or AMD GPU that leaves the device idle between its steps for one known reason.

No recording of it is stored: the machine that made the others has no GPU.

    allocator    the cache is emptied after every step, so that the next one allocates from the driver again
    item         `loss.item()` in the middle of a step: the queue runs empty, then is filled again
    loss-scaling `torch.amp.GradScaler` asks in every step whether a gradient overflowed
    profiler     Python stacks, shapes and memory are recorded; the profiler takes longer than the program

Usage: python causes_gpu.py CAUSE OUTPUT_FILE.json.gz
"""

import sys

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

STEPS, WARMUP = 6, 4
BATCH, WIDTH, LAYERS = 2048, 2048, 8


class Trainer:
    def __init__(self, cause):
        self.cause = cause
        self.model = nn.Sequential(*(nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS))).cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-4)
        self.scaler = torch.amp.GradScaler("cuda", enabled=cause == "loss-scaling")
        self.x = torch.randn(BATCH, WIDTH, device="cuda")

    def step(self, number):
        with record_function(f"train_step#{number}"):
            self.optimizer.zero_grad(set_to_none=True)
            with torch.autocast("cuda", torch.float16, enabled=self.cause == "loss-scaling"):
                loss = self.model(self.x).float().square().mean()
            if self.cause == "item":
                loss.item()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
        if self.cause == "allocator":
            del loss
            self.optimizer.zero_grad(set_to_none=True)
            torch.cuda.empty_cache()


def main(cause, out_file):
    torch.manual_seed(0)
    trainer = Trainer(cause)
    for number in range(WARMUP):
        trainer.step(number)
    everything = cause == "profiler"
    activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=activities, with_stack=everything, record_shapes=everything, profile_memory=everything) as prof:
        for number in range(WARMUP, WARMUP + STEPS):
            trainer.step(number)
        torch.cuda.synchronize()
    prof.export_chrome_trace(out_file)


if __name__ == "__main__":
    main(*sys.argv[1:])
