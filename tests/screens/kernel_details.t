# What is known about a kernel: its launch shape, and how that fills the device.
size 100x24   trace two_steps.json
keys 5
wait volta
keys Enter
settle
keys Enter
wait duration
| two_steps.json        1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Event]
| kernel #0
| volta_sgemm_128x64_nn
|
|  duration                 300.500 us
|  start                    40.125 us
|  step                     41
|  launch [                 cudaLaunchKernel #5, 20.125 us before
|  op                       aten::mm
|  grid                     8,2,1
|  block                    128,1,1
|  registers                122
|  shared static            12.3 KiB
|  shared dynamic           0 B
|  fit                      25.0 % with 4 blocks per SM, limited by registers
|  blocks per SM            0.2
|  waves                    0.05; 95.0 % of the places stay empty
|  lane                     stream 7
|  cat                      kernel
|  device                   0
|  stream                   7
|  correlation              1
|
|j k scroll  Ctrl-d page                                                                      q close
