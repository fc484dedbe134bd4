"""Record tests/traces/compiled/*: a training loop whose model torch.compile compiled, on the CPU.

break: statistics of the activations are taken in the middle of the model, in a function that is not compiled, so that the graph breaks
there; recompile: two batches behind the warm-up have other lengths, and the model is compiled for each of them; whole: neither.

Usage: python compiled_torch.py break|recompile|whole OUTPUT_FILE.json.gz
"""

import sys

import torch
from torch import nn
from torch._inductor import config
from torch.profiler import ProfilerActivity, profile

WIDTH, BATCH, ACTIVE = 256, 64, 8
LENGTHS = {5: 48, 7: 56}
HISTORY = []


@torch.compiler.disable
def watch(x):
    """The largest of the activations, smoothed over its neighbours: as logging does it, on the host."""
    rows = x.detach().abs().sort(dim=-1).values
    HISTORY.append(torch.cumsum(rows, -1).mean().item())
    return x


class Model(nn.Module):
    def __init__(self, watched):
        super().__init__()
        self.watched = watched
        self.up, self.norm, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.LayerNorm(4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        y = torch.nn.functional.gelu(self.up(x)) * 0.5
        if self.watched:
            y = watch(y)
        return torch.softmax(self.down(self.norm(y) + 1), -1)


def train(model, compiled, step, lengths):
    x = torch.randn(lengths.get(step, BATCH), WIDTH)
    compiled(x).square().mean().backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= 0.1 * p.grad
            p.grad = None


def main():
    what, output = sys.argv[1:]
    torch.manual_seed(0)
    torch.set_num_threads(1)
    config.cpp.enable_kernel_profile = True
    model = Model(what == "break")
    compiled = torch.compile(model, dynamic=False)
    lengths = LENGTHS if what == "recompile" else {}
    for _ in range(3):
        train(model, compiled, 0, {})
    # frames of the compiler itself would be a million events
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, with_stack=what != "recompile",
                 schedule=torch.profiler.schedule(wait=0, warmup=1, active=ACTIVE),
                 on_trace_ready=lambda p: p.export_chrome_trace(output)) as p:
        for step in range(ACTIVE + 1):
            train(model, compiled, step, lengths)
            p.step()


main()
