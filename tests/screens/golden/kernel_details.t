# What is known about a kernel: its launch shape, and how that fills the device.
size 100x24   trace two_steps.json
keys 5
wait 1 of 1
keys Enter
wait duration
settle
| two_steps.json                1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|        whole trace  !████████████▃·························!·····················▄███████████▃
|                    │0 us              │500 us             │1.0 ms             │1.5 ms             │
|              steps │step 41                                │step 42
|GPU 0               ┊▃████████████················ 41→42 1.204 ms ·················███████████▃
| stream 7 compute+… ┊▐volta_sgemm…▍·························┊·····················▐volta_sgem…▍
|                    ┊▐████████████▍·························┊·····················▐███████████▍
| └ op (derived)     ┊▲ten::mm█████                          ┊                     aten::mm█████
|python 100          ┏┛                                      ┊
| thread 100 (pytho… ProfilerStep#41█████████████████████████▏ProfilerStep#42████████████████████████
|                    ┃│▄                                     enumerate(DataLoade…▏▐█▌
|                    ▕▎                                      ┊                    ▕▎
|
|
|
|─ kernel #0  volta_sgemm_128x64_nn ─────────────────────────────────────────────────────────────────
| duration 300.500 us   start 40.125 us   step 41   launch [ cudaLaunchKernel #5, 20.125 us before
| op aten::mm   grid 8,2,1   block 128,1,1   registers 122   shared memory 12.3 KiB
| fit 25.0 % with 4 blocks at a time, limited by registers   blocks per SM 0.2
| waves 0.05; 95.0 % of the places stay empty   lane stream 7   cat kernel   device 0   stream 7
| correlation 1
|
| stream 7  at 40.125 us  view 2.003 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  f fit  b biggest gap  e export  ? help
