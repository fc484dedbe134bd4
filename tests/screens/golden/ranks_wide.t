# The same where there is room; hosts that only repeat their rank do not stand behind it.
size 200x60   trace four_ranks
keys 2 Tab Tab
| rank0.json +3                                                                                                            1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  8 Comms  9 Guide
|                  whole trace ▄█████████████▄██████████████▄███████████████▄▇███████████████▆▆████████████▇▅██████████████▅▇██████████████▆▆████████████████│ visible window
|                              │0 ms        ▼           │50 ms                   │100 ms                  │150 ms                   │200 ms                  │ 249.078 ms, 0 ns to 249.078 ms
|                        steps │step r0:0    │step r0:1     │step r0:2      │step r0:3       │step r0:4    │step r0:5      │step r0:6      │step r0:7        │
|rank 0 GPU 0                  ▄████████████▶·██████████░███·██████████░░███··█████████░░░███··████████████··██████████░███··█████████░░███··█████████░░░████│ busy
|rank 1 GPU 1                  ▄████████████┃·██████████░██░·██████████░░███··█████████░░░███··████████████··██████████████··█████████░░███··█████████░░░████│ rank 0 GPU 0           241.000 ms  96.8 %
|rank 2 GPU 2                 !▄████████████┃·█████████████░·███████████████··███████████████··████████████··██████████████··██████████████··████████████████│ rank 1 GPU 1           241.000 ms  96.8 %
|rank 3 GPU 3                  ▄████████████┃·██████████░██░·██████████░░███··█████████░░░███··████████████··██████████░███··█████████░░███··█████████░░░████│ rank 2 GPU 2           241.000 ms  96.8 %
|                                                                                                                                                            │ rank 3 GPU 3           241.000 ms  96.8 %
|                                                                                                                                                            │
|                                                                                                                                                            │ top kernels            964.000 ms
|                                                                                                                                                            │ ampere_sgemm_128x64_nn 771.000 ms  80.0 %
|                                                                                                                                                            │ ncclDevKernel_…RING_LL 137.000 ms  14.2 %
|                                                                                                                                                            │ ncclDevKernel_…RING_LL  56.000 ms   5.8 %
|                                                                                                                                                            │
|                                                                                                                                                            │ top ops (self)         964.000 ms
|                                                                                                                                                            │ (no op)                964.000 ms 100.0 %
|                                                                                                                                                            │
|                                                                                                                                                            │ idle by class           28.280 ms
|                                                                                                                                                            │ input wait              27.720 ms  98.0 %
|                                                                                                                                                            │ not recorded           420.000 us   1.5 %
|                                                                                                                                                            │ launch latency         140.000 us   0.5 %
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                              ▆ busy  █ collective  ░ waits for others  · gap                                                                               │
|─ kernel #17  ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>) ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
| duration 1.000 ms   start 27.008 ms   step r0:0   last rank 0 GPU 0, by 1.000 ms   waits 0 ns   transfer 1.000 ms   launch [ cudaLaunchKernel #37, 5.000 us before   grid 64,1,1   block 256,1,1
| blocks per SM 0.5926   lane stream 20   cat kernel   device 0   stream 20   correlation 4   context 1   Collective name _allgather_base   In msg nelems 1000   Out msg nelems 4000   Group size 4
| dtype Float   Process Group Name 0   Process Group Description default_pg   Process Group Ranks [0, 1, 2, 3]   Seq 1
|
|
|
|
|
| rank 0 GPU 0  at 27.008 ms  view 249.078 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  0 all  Enter details  v range  b biggest gap  e export  ? help  : command  / search  Backspace back  q quit  & filter
