"""A small training loop for run.py: 20 steps under NVTX ranges "step N", half precision products, a DataLoader with workers. Prints
one line of JSON. Words: fork|spawn (how workers start), profile (torch.profiler around the last steps), time (more steps, large
products, replays of a graph, all timed)."""
import json
import statistics
import sys
import time

import torch

import cupti_clock

STEPS = 20


class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 64 * STEPS

    def __getitem__(self, i):
        return torch.full((1024,), float(i % 7))


def batches(how):
    return torch.utils.data.DataLoader(Numbers(), batch_size=64, num_workers=2, multiprocessing_context=how)


def step(model, optimizer, batch):
    batch = batch.to("cuda", dtype=torch.float16, non_blocking=True)
    loss = model(batch).float().pow(2).mean()
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()


def profiled(run):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]) as p:
        run()
        torch.cuda.synchronize()
    return sum(e.device_type == torch.autograd.DeviceType.CUDA for e in p.events())


def run_ms(run, times=200):
    """Median of runs, each to its end on the device."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        run()
        torch.cuda.synchronize()
        took.append((time.perf_counter() - began) * 1e3)
    return statistics.median(took)


def product():
    a, b = (torch.ones(4096, 4096, dtype=torch.float16, device="cuda") for _ in range(2))
    out = torch.empty_like(a)
    return lambda: [torch.matmul(a, b, out=out) for _ in range(10)]


def replay(model):
    """A captured forward pass, replayed ten times."""
    batch = torch.ones(64, 1024, dtype=torch.float16, device="cuda")
    with torch.no_grad():
        model(batch)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            model(batch)
    return lambda: [graph.replay() for _ in range(10)]


def main():
    how = "spawn" if "spawn" in sys.argv else "fork"
    data = batches(how)
    it = iter(data)  # workers start before CUDA does, as fork demands
    next(it)
    model = torch.nn.Sequential(torch.nn.Linear(1024, 4096), torch.nn.GELU(), torch.nn.Linear(4096, 1024)).half().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for number in range(STEPS):
        torch.cuda.nvtx.range_push(f"step {number}")
        step(model, optimizer, torch.ones(64, 1024))
        torch.cuda.synchronize()
        torch.cuda.nvtx.range_pop()
    told = {"torch": torch.__version__, "steps": STEPS}
    if "profile" in sys.argv:
        told["clock_off_ns_before"] = cupti_clock.off_ns()
        told["profiler_device_events"] = profiled(lambda: [step(model, optimizer, torch.ones(64, 1024)) for _ in range(3)])
        told["clock_off_ns_after"] = cupti_clock.off_ns()
    if "time" in sys.argv:
        told["step_ms"] = run_ms(lambda: step(model, optimizer, torch.ones(64, 1024)))
        told["gemm_ms"] = run_ms(product())
        told["graph_ms"] = run_ms(replay(model))
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
