# At 120 columns ops and kernels keep their names; one line above all says what matters most, in the findings' own numbers.
size 120x40   trace resnet/resnet.pt.trace.json.gz
wait pageable memory, unexplained time
| resnet.pt.trace.json.gz                          [1 Overview] 2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
| ✗ input-bound: 63.5 % of the step waits for input or copies it to the device; then: pageable memory, unexplained time
| How far from ideal                         │ Findings                                                       in full: 9
| Device compute      32.0 %  68.0 % to go   │ ✗ 63.5 % of the step time waits for input (57.9 %) or goes to copies to …
| Ops on device       94.0 %   6.0 % to go   │ ✗ Input wait: GPU 0 idles for 1.183 s, and 325.526 ms before its first o…
| 16-bit kernels       0.0 % 100.0 % to go   │ ! 14 copies from or to pageable memory block kernels for 147.241 ms (6.2…
| Device busy         46.1 % ██████▉········ │ ! 4.2 % of the step time is explained by no recorded event: moderate.
| Step median     372.641 ms ≤ 829.409 ms    │ ! GPU 0 is busy 40.5 % of the time of its steady steps (46.1 % from its …
|   of            7 steps, inferred          │ ! Per step, the device computes for 32.0 %; launches, waits for input an…
|   goes to       CCCCCCCCIIIIIIIIIIIIIIIIH. │
|   copies on device   0.0 % ··············· │ Top ops
|   collectives        0.0 % ··············· │ name                                     share        self  count  eager
|   input + copies    63.5 % █████████▌····· │ aten::convolution_backward              41.4 %  453.418 ms    140  Eager
|   output             0.0 % ··············· │ aten::cudnn_convolution                 16.7 %  183.492 ms    140  Eager
|   kernel launch      0.0 % ··············· │ aten::copy_                             13.4 %  147.241 ms     14  Eager
|   other host work    0.2 % ··············· │ aten::cudnn_batch_norm_backward          8.5 %   93.264 ms    140  Eager
|   compilation        0.0 % ··············· │ aten::cudnn_batch_norm                   5.4 %   58.804 ms    140  Eager
|   other              4.2 % ▋·············· │ aten::threshold_backward                 4.1 %   45.354 ms    119  Eager
| Kernels              2,247 in 948.376 ms   │
|   16-bit time        0.0 % ··············· │ Top kernels
|   Tensor Core        0.0 % ··············· │ name                                 tc     precision   share       total
|   could use it      46.8 % ███████········ │ volta_sgemm_64x64_nt                 could  fp32       16.0 %  152.178 ms
| Eager ops          100.0 % ███████████████ │ volta_sgemm_64x64_nn                 could  fp32        7.2 %   67.984 ms
| Devices                  1 x NVIDIA GeFor… │ cudnn_volta_scudnn_wino…e148t_nt_v1  could  fp32        5.6 %   53.568 ms
|                                            │ winogradForwardData4…<float, float>  no     fp32        5.6 %   53.422 ms
|                                            │ vectorized_elementwi…<4, BinaryFun…  no     fp32        4.8 %   45.354 ms
|                                            │
|                                            │ Biggest gaps
|                                            │ steps            idle   share  device  cause                  cause time
|                                            │ 2→3        670.933 ms  81.1 %  GPU 0   input wait             643.678 ms
|                                            │ 3→4        391.504 ms  71.2 %  GPU 0   input wait             356.389 ms
|                                            │ 0→1        212.409 ms  57.0 %  GPU 0   input wait             183.217 ms
|                                            │ in step 4  831.000 us       -  GPU 0   maybe Python overhead  296.000 us
|                                            │
|                                            │ Devices
|                                            │ device    busy     idle  kernels  name
|                                            │ GPU 0   46.1 %  1.283 s    2,247  NVIDIA GeForce RTX 2080 Ti
|                                            │
| Share of the step time in which kernels compute: the larger, the better.
|Enter show  j k line  h l side  b biggest gap  e export  ? help  : command  / search  Backspace back  q quit  & filter
