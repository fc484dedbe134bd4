# An arrow leads from the launch to the selected kernel; when the launch is out of sight, the edge says where it is.
size 80x24   trace two_steps.json
keys 2
keys Tab
keys w
keys w
| two_step…json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace [!█████████▄····]···············!················▁█████████▄
|                  ▼                   │200 us                   │400 us
|          steps │step 41
|GPU 0             ▇████████████████████████████████████████·· 41→42 1.204 ms ···
| stream 7 comp…   volta_sgemm_128x64_nn██████████████████▏▓▏····················
|                  │██████████████████████████████████████▏▓▏····················
| └ op (derived)   ▲ten::mm███████████████████████████████
|python 100      ┏━┛
| thread 100 (p… ProfilerStep#41█████████████████████████████████████████████████
|                at…▌▐█▎
|                █ │
|
|
|
|─ kernel #0  volta_sgemm_128x64_nn ─────────────────────────────────────────────
| duration 300.500 us   start 40.125 us   step 41
| launch [ cudaLaunchKernel #5, 20.125 us before   op aten::mm   grid 8,2,1
| block 128,1,1   registers 122   shared memory 12.3 KiB
| fit 25.0 % with 4 blocks at a time, limited by registers   blocks per SM 0.2
| waves 0.05; 95.0 % of the places stay empty   lane stream 7   cat kernel
| device 0   stream 7   correlation 1
| stream 7  at 40.125 us  view 500.750 us
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys w
keys w
keys w
| two_step…json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace  [█]███████▄····················!················▁█████████▄
|                  │40 us               │60 us              │80 us
|          steps │step 41
|GPU 0              ▇████████████████████████████████████████████████████████████
| stream 7 comp…    volta_sgemm_128x64_nn████████████████████████████████████████
|                   │████████████████████████████████████████████████████████████
| └ op (derived)    ▲ten::mm█████████████████████████████████████████████████████
|python 100      ┏━━┛
| thread 100 (p… ProfilerStep#41█████████████████████████████████████████████████
|                aten::mm██████         ▐cudaMemcpy…▋
|                ◀ [ cudaLaunchKernel, 20.125 us before
|
|
|
|─ kernel #0  volta_sgemm_128x64_nn ─────────────────────────────────────────────
| duration 300.500 us   start 40.125 us   step 41
| launch [ cudaLaunchKernel #5, 20.125 us before   op aten::mm   grid 8,2,1
| block 128,1,1   registers 122   shared memory 12.3 KiB
| fit 25.0 % with 4 blocks at a time, limited by registers   blocks per SM 0.2
| waves 0.05; 95.0 % of the places stay empty   lane stream 7   cat kernel
| device 0   stream 7   correlation 1
| stream 7  at 40.125 us  view 62.593 us
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
