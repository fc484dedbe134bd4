"""Record tests/traces/served/torch-*: a small server of a language model on the CPU, as vLLM runs one: schedule, execute, sample, detokenise.

slow: the scheduler looks at every waiting request before each iteration, and text is put together again from its first token; fast:
waiting requests stand in a queue, and a token's text is appended.  Each iteration is labelled as vLLM labels it.

Usage: python served_torch.py slow|fast OUTPUT_FILE.json.gz
"""

import collections
import sys

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

VOCABULARY, WIDTH, LAYERS, BATCH, PROMPT, WAITING = 512, 256, 4, 8, 24, 600
WARMUP, ACTIVE = 6, 16
WORDS = ["word%d" % i for i in range(VOCABULARY)]


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.mix, self.up, self.down = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 1024), nn.Linear(1024, WIDTH)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x + self.mix(x)))))


class Request:
    def __init__(self, number):
        self.number, self.priority, self.length = number, (number * 7919) % 1000, 6 + number % 9
        self.tokens, self.text = [(number + i) % VOCABULARY for i in range(PROMPT)], ""


class Server:
    def __init__(self, slow):
        self.slow = slow
        waiting = [Request(i) for i in range(WAITING)]
        self.waiting = waiting if slow else collections.deque(sorted(waiting, key=lambda r: r.priority))
        self.running = []
        self.model = nn.Sequential(nn.Embedding(VOCABULARY, WIDTH), *(Block() for _ in range(LAYERS)), nn.Linear(WIDTH, VOCABULARY))

    def schedule(self):
        self.running = [r for r in self.running if len(r.tokens) < PROMPT + r.length]
        new = []
        while len(self.running) + len(new) < BATCH:
            new.append(self.next_waiting())
        return new

    def next_waiting(self):
        if not self.slow:
            return self.waiting.popleft()
        first = min(self.waiting, key=lambda r: (r.priority, -sum(r.tokens)))
        self.waiting.remove(first)
        return first

    def execute(self, new):
        prompt = sum(len(r.tokens) for r in new)
        with record_function(f"execute_context_{len(new)}({prompt})_generation_{len(self.running)}({len(self.running)})"):
            tokens = [t for r in new for t in r.tokens] + [r.tokens[-1] for r in self.running]
            logits = self.model(torch.tensor(tokens))
            ends, at = [], -1
            for r in new:
                at += len(r.tokens)
                ends.append(at)
            ends += list(range(at + 1, at + 1 + len(self.running)))
            return logits[ends].argmax(dim=1)

    def text_of(self, tokens):
        for _ in range(200):
            text = ""
            for t in tokens:
                text += " " + WORDS[t]
        return text

    def detokenize(self, sampled):
        for request, token in zip(self.running, sampled):
            request.tokens.append(token)
            if self.slow:
                request.text = self.text_of(request.tokens)
            else:
                request.text += " " + WORDS[token]

    def iterate(self):
        new = self.schedule()
        sampled = self.execute(new)
        self.running = new + self.running
        self.detokenize(sampled.tolist())


def main(slow, out_file):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    server = Server(slow)
    with torch.inference_mode():
        for _ in range(WARMUP):
            server.iterate()
        with profile(activities=[ProfilerActivity.CPU], with_stack=True) as prof:
            for _ in range(ACTIVE):
                server.iterate()
    prof.export_chrome_trace(out_file)


if __name__ == "__main__":
    main(sys.argv[1] == "slow", sys.argv[2])
