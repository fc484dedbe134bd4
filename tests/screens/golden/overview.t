# The first pane: headline numbers, biggest gaps, top kernels, devices.
size 100x30   trace two_steps.json
settle
| two_steps.json               [1 Overview] 2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
| ✗ unexplained time: 41.3 % of the step is explained by no recorded event; then: input wait
| How far from ideal                         │ Findings                                   in full: 9
| Device compute      30.0 %  70.0 % to go   │ ✗ 41.3 % of the step time is explained by no recorde…
| Ops on device      100.0 %   0.0 % to go   │ ✗ Input wait: GPU 0 idles for 500.000 us (25.0 % of …
| 16-bit kernels       0.0 % 100.0 % to go   │ ✗ 25.0 % of the step time waits for input: highly in…
| Device busy         34.0 % █████▏········· │ ! Cannot tell why GPU 0 idles for 679.375 us (33.9 %…
| Step time         1.000 ms ± 0 ns          │ ! GPU 0 is busy 34.0 % of its span and idle for 1.20…
|   of            2 steps                    │ ! Per step, the device computes for 30.0 %; launches…
|   goes to       CCCCCCCCOIIIIIIILH........ │ ! Tensor Core kernels take 0.0 % of the kernel time;…
|   copies on device   0.0 % ··············· │
|   collectives        0.0 % ··············· │ Top ops
|   input wait        25.0 % ███▊··········· │ name       share        self
|   output             1.0 % ▏·············· │ aten::mm  96.8 %  599.500 us
|   kernel launch      1.0 % ▏·············· │ (no op)    3.2 %   20.000 us
|   other host work    1.7 % ▎·············· │
|   compilation        0.0 % ··············· │ Top kernels
|   other             41.3 % ██████▎········ │ name                   tc       share       total
| Kernels                  2 in 599.500 us   │ volta_sgemm_128x64_nn  could  100.0 %  599.500 us
|   16-bit time        0.0 % ··············· │
|   Tensor Core        0.0 % ··············· │ Biggest gaps
|   could use it     100.0 % ███████████████ │ steps      idle   share  cause
| Eager ops          100.0 % ███████████████ │ 41→42  1.204 ms  79.0 %  maybe input wait
| Devices                  1 x Tesla V100-S… │
|                                            │ Devices
|                                            │ device    busy  kernels  name
|                                            │ GPU 0   34.0 %        2  Tesla V100-SXM2-16GB
|                                            │
| Share of the step time in which kernels compute: the larger, the better.
|Enter show  j k line  h l side  b biggest gap  e export  ? help  : command  / search  Backspace back
