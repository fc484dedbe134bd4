# More than two GPUs: one row each, waiting in collectives shaded, the rank that the others wait for most marked; a selected collective
# joins its ranks with a line; o sorts them, z unfolds one to its streams and host threads.
size 80x24   trace four_ranks
keys 2
| rank0.…on +3  1 Over [2 Timeline] 3 Steps 4 Ops 5 Kern 6 Input 8 Comms 9 Guide
|    whole trace ▆██████▆██████▇▇███████▆███████▇▇██████▆███████▆███████▆████████
|                ▼0 ms                    │100 ms                   │200 ms
|          steps │r0:0  │r0:1  │r0:2    │r0:3   │r0:4   │r0:5   │r0:6   │r0:7
|rank 0 GPU 0    ▆██████·██████··████░██·█████░█··██████·████░██·████░██·█████░██
|rank 1 GPU 1    ▆██████·██████··████░██·█████░█··██████·███████·████░██·█████░██
|rank 2 GPU 2   !▆██████·██████··███████·███████··██████·███████·███████·████████
|rank 3 GPU 3    ▆██████·██████··████░██·█████░█··██████·████░██·████░██·█████░██
|
|
|
|
|
|
|
|
|
|
|
|                ▆ busy  █ collective  ░ waits for others  · gap
|─ rank 2 is last at 5 of 16 collectives; the others wait 66.000 ms for it ──────
| rank 0 GPU 0 waits 25.000 ms, last at 8 of 16; others wait 24.000 ms: it comp…
| rank 0 GPU 0  at 0 ns  view 249.078 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys Tab Tab
| rank0.…on +3  1 Over [2 Timeline] 3 Steps 4 Ops 5 Kern 6 Input 8 Comms 9 Guide
|    whole trace ▆██████▆██████▇▇███████▆███████▇▇██████▆███████▆███████▆████████
|                │0 ms ▼                  │100 ms                   │200 ms
|          steps │r0:0  │r0:1  │r0:2    │r0:3   │r0:4   │r0:5   │r0:6   │r0:7
|rank 0 GPU 0    ▆█████▶·██████··████░██·█████░█··██████·████░██·████░██·█████░██
|rank 1 GPU 1    ▆█████┃·██████··████░██·█████░█··██████·███████·████░██·█████░██
|rank 2 GPU 2   !▆█████┃·██████··███████·███████··██████·███████·███████·████████
|rank 3 GPU 3    ▆█████┃·██████··████░██·█████░█··██████·████░██·████░██·█████░██
|
|
|
|
|
|
|
|─ kernel #17  ncclDevKernel_AllGather_RING_LL ──────────────────── Enter more ──
| duration 1.000 ms   start 27.008 ms   step r0:0
| last rank 0 GPU 0, by 1.000 ms   waits 0 ns   transfer 1.000 ms
| launch [ cudaLaunchKernel #37, 5.000 us before   grid 64,1,1   block 256,1,1
| blocks per SM 0.5926   lane stream 20   cat kernel   device 0   stream 20
| correlation 4   context 1   Collective name _allgather_base
| In msg nelems 1000   Out msg nelems 4000   Group size 4   dtype Float
| rank 0 GPU 0  at 27.008 ms  view 249.078 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys Escape o
wait lateness
| rank0.…on +3  1 Over [2 Timeline] 3 Steps 4 Ops 5 Kern 6 Input 8 Comms 9 Guide
|    whole trace ▆██████▆██████▇▇███████▆███████▇▇██████▆███████▆███████▆████████
|                │0 ms ▼                  │100 ms                   │200 ms
|          steps │r0:0  │r0:1  │r0:2    │r0:3   │r0:4   │r0:5   │r0:6   │r0:7
|rank 2 GPU 2   !▆█████┃·██████··███████·███████··██████·███████·███████·████████
|rank 0 GPU 0    ▆█████▶·██████··████░██·█████░█··██████·████░██·████░██·█████░██
|rank 1 GPU 1    ▆█████┃·██████··████░██·█████░█··██████·███████·████░██·█████░██
|rank 3 GPU 3    ▆█████┃·██████··████░██·█████░█··██████·████░██·████░██·█████░██
|
|
|
|
|
|
|
|─ kernel #17  ncclDevKernel_AllGather_RING_LL ──────────────────── Enter more ──
| duration 1.000 ms   start 27.008 ms   step r0:0
| last rank 0 GPU 0, by 1.000 ms   waits 0 ns   transfer 1.000 ms
| launch [ cudaLaunchKernel #37, 5.000 us before   grid 64,1,1   block 256,1,1
| blocks per SM 0.5926   lane stream 20   cat kernel   device 0   stream 20
| correlation 4   context 1   Collective name _allgather_base
| In msg nelems 1000   Out msg nelems 4000   Group size 4   dtype Float
| GPUs by lateness, first the one that the others waited for most
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys z
wait streams
| rank0.…on +3  1 Over [2 Timeline] 3 Steps 4 Ops 5 Kern 6 Input 8 Comms 9 Guide
|    whole trace ▆██████▆██████▇▇███████▆███████▇▇██████▆███████▆███████▆████████
|                │0 ms ▼                  │100 ms                   │200 ms
|          steps │r0:0  │r0:1  │r0:2    │r0:3   │r0:4   │r0:5   │r0:6   │r0:7
|rank 2 GPU 2   !▆█████┃·██████··███████·███████··██████·███████·███████·████████
|rank 0 GPU 0    ▆█████┃·██████··████░██·█████░█··██████·████░██·████░██·█████░██
| stream 7 comp… ▐amp… ┃▐amp…▋▐▋▏amp…▎▕█▐amp…▌ ▐▋▏amp… ▊▐amp…▌▕▊▐amp…▍▕█ amp…▋ ▕▊
|                ▐█████┃▐████▋▐▋▏████▎▕█▐████▌ ▐▋▏█████▊▐████▌▕▊▐████▍▕█▏████▋ ▕▊
| stream 20 col…       ▶▎    ▐▋ ·    ▐█▕▏    ▐█▋ ·     ▕▏    ▐▊▕▏    ▐█      ▐█▊▕
|                     █┃▎    ▐▋▄·    ▐█▕▏    ▐█▋▄·    █▕▏    ▐▊▕▏    ▐█ ▄    ▐█▊▕
|process 1000          ▲
| thread 1       Profil…▏Profil…▏Profil…▏Profile…▏Profi…▏Profil…▏Profil…▏Profile…
|                ▂    ▁┃▂    ▁▁▁▁    ▁▁▁▂    ▁ ▁▁▁    ▁▁▂    ▁▁▁▂    ▁▁ ▂    ▁ ▁▁
|rank 1 GPU 1    ▆█████┃·██████··████░██·█████░█··██████·███████·████░██·█████░██
|rank 3 GPU 3    ▆█████┃·██████··████░██·█████░█··██████·████░██·████░██·█████░██
|─ kernel #17  ncclDevKernel_AllGather_RING_LL ──────────────────── Enter more ──
| duration 1.000 ms   start 27.008 ms   step r0:0
| last rank 0 GPU 0, by 1.000 ms   waits 0 ns   transfer 1.000 ms
| launch [ cudaLaunchKernel #37, 5.000 us before   grid 64,1,1   block 256,1,1
| blocks per SM 0.5926   lane stream 20   cat kernel   device 0   stream 20
| correlation 4   context 1   Collective name _allgather_base
| In msg nelems 1000   Out msg nelems 4000   Group size 4   dtype Float
| rank 0 GPU 0 with its streams and host threads; z folds them
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
