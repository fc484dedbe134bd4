# The same at 80 columns in ASCII.
size 80x24   trace resnet/resnet.pt.trace.json.gz -- --ascii
wait input-bound
| resnet.p~n.gz  [1 Overview] 2 Timeline 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
| X input-bound: 57.9 % of the step waits for input; then: pageable memory
| How far from ideal                       | Findings                 in full: 9
| Device compute      32.0 %  68.0 % to go | X 57.9 % of the step time is spent~
| Ops on device       94.0 %   6.0 % to go | X Input wait: GPU 0 idles for 1.18~
| 16-bit kernels       0.0 % 100.0 % to go | ! 14 copies from or to pageable me~
| Device busy         46.1 % ######....... |
| Step median     372.641 ms <= 829.409 ms | Top ops
|   of            7 steps, inferred        | name                          share
|   goes to       CCCCCCCCIIIIIIIIIIIIILH. | aten::convolution_backward   41.4 %
|   device copies      0.0 % ............. | aten::cudnn_convolution      16.7 %
|   collectives        0.0 % ............. | aten::copy_                  13.4 %
|   input             57.9 % #######+..... |
|   output             0.0 % ............. | Top kernels
|   kernel launch      5.7 % #............ | name                  tc      share
|   host compute       0.2 % ............. | volta_sgemm_64x64_nt  could  16.0 %
|   compilation        0.0 % ............. | volta_sgemm_64x64_nn  could   7.2 %
|   other              4.2 % +............ | cudnn_volta_s~_nt_v1  could   5.6 %
| Kernels              2,247 in 948.376 ms |
|   16-bit time        0.0 % ............. | Devices
|   Tensor Core        0.0 % ............. | device    busy  kernels  name
|   could use it      46.8 % ######|...... | GPU 0   46.1 %    2,247  NVIDIA Ge~
| Share of step time in which kernels compute: the larger, the better.
|Enter show  j k line  h l side  b biggest gap  e export  ? help  : command
