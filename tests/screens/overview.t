# The first pane: headline numbers, biggest gaps, top kernels, devices.
size 100x30   trace two_steps.json
settle
| two_steps.json               [1 Overview] 2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
| Headline numbers                           │ Biggest gaps
| Step time         1.000 ms ± 0 ns          │ steps      idle   share  cause
|   steps                  2                 │ 41→42  1.204 ms  79.0 %  enumerate(DataLoad….__next__
|   device compute    30.0 % ████▌·········· │
|   device copies      0.0 % ··············· │ Top kernels
|   collectives        0.0 % ··············· │   share       total  name
|   input             25.0 % ███▊··········· │ 100.0 %  599.500 us  volta_sgemm_128x64_nn
|   output             1.0 % ▏·············· │
|   kernel launch      1.0 % ▏·············· │ Devices
|   host compute       1.7 % ▎·············· │ device    busy  kernels  name
|   compilation        0.0 % ··············· │ GPU 0   34.0 %        2  Tesla V100-SXM2-16GB
|   other             41.3 % ██████▎········ │
| Device busy         34.0 % █████▏········· │
|   idle            1.204 ms of 1.824 ms     │
| Kernels                  2 in 599.500 us   │
|   16-bit                 0                 │
|   16-bit time        0.0 % ··············· │
|   Tensor Core        0.0 % ··············· │
|   could use it     100.0 % ███████████████ │
| Ops on device      100.0 % ███████████████ │
|                                            │
|                                            │
|                                            │
|                                            │
|                                            │
|                                            │
|                                            │
| Mean length of the whole steps.
|Enter show  j k line  h l side  b biggest gap  e export  ? help  : command  / search  Backspace back
