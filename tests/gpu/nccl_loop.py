"""A few reductions by NCCL, in a group of one, for run.py: NCCL marks its own calls for NVTX. Prints one line of JSON."""
import json
import os
import tempfile

import torch
import torch.distributed as dist


def main():
    meeting = os.path.join(tempfile.mkdtemp(), "meeting")
    dist.init_process_group("nccl", init_method=f"file://{meeting}", rank=0, world_size=1)
    numbers = torch.ones(1 << 20, device="cuda")
    for _ in range(20):
        dist.all_reduce(numbers)
    torch.cuda.synchronize()
    dist.destroy_process_group()
    print(json.dumps({"torch": torch.__version__, "reductions": 20}), flush=True)


if __name__ == "__main__":
    main()
