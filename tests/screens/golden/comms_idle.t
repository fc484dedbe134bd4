# A device that does nothing waits for nobody: the tab Comms is named from two devices that work on.
size 80x24   trace idle_device.json
keys 1
settle
| idle_dev…json  [1 Overview] 2 Timeline 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
| ? nothing to warn of; no step markers, and too little device work, or too few
|   ops on the host, to see what repeats: cannot tell what a step is
| How far from ideal                       │ Findings                 in full: 9
| Ops on device            -               │ ? No step markers, and too little …
| 16-bit kernels           -               │ ? Cannot tell whether the program …
| Device busy        100.0 % █████████████ │ ? Cannot tell which share of the o…
| Kernels                  1 in 100.000 us │ ? The names of the kernels do not …
|   16-bit time            - ············· │
|   Tensor Core            - ············· │ Top ops
|   could use it       0.0 % ············· │ name       share
| Eager ops                - ············· │ (no op)  100.0 %
| Devices                  1 x NVIDIA H100 │
|                                          │ Top kernels
|                                          │ name  tc    share
|                                          │ gemm  ?   100.0 %
|                                          │
|                                          │ Devices
|                                          │ device     busy  kernels  name
|                                          │ GPU 0   100.0 %        1  NVIDIA H…
|                                          │ GPU 1         -        0  NVIDIA H…
|                                          │
| Share of the ops, by count, that run on devices, not on the host.
|Enter show  j k line  h l side  b biggest gap  e export  ? help  : command
