# The same in ASCII.
size 80x24   trace four_ranks   -- --ascii
keys 2 Tab Tab
| rank0.~on +3  1 Over [2 Timeline] 3 Steps 4 Ops 5 Kern 6 Input 8 Comms 9 Guide
|    whole trace +######+###############+###############+#######+#######+########
|                |0 ms v                  |100 ms                   |200 ms
|          steps |r0:0  |r0:1  |r0:2    |r0:3   |r0:4   |r0:5   |r0:6   |r0:7
|rank 0 GPU 0    +####%>.#####%..####:%#.#####:%..####%#.####:%#.####:%#.#####:%#
|rank 1 GPU 1    +####%|.#####%..####:%#.#####:%..####%#.#####%#.####:%#.#####:%%
|rank 2 GPU 2   !+####%|.#####%..#####%#.######%..####%#.#####%#.#####%#.######%%
|rank 3 GPU 3    +####%|.#####%..####:%#.#####:%..####%#.####:%#.####:%#.#####:%%
|
|
|
|
|
|
|
|- kernel #17  ncclDevKernel_AllGather_RING_LL -------------------- Enter more --
| duration 1.000 ms   start 27.008 ms   step r0:0
| last rank 0 GPU 0, by 1.000 ms   waits 0 ns   transfer 1.000 ms
| launch [ cudaLaunchKernel #37, 5.000 us before   grid 64,1,1   block 256,1,1
| blocks per SM 0.5926   lane stream 20   cat kernel   device 0   stream 20
| correlation 4   context 1   Collective name _allgather_base
| In msg nelems 1000   Out msg nelems 4000   Group size 4   dtype Float
| rank 0 GPU 0  at 27.008 ms  view 249.078 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
