# The same at 80 columns in ASCII.
size 80x24   trace resnet/resnet.pt.trace.json.gz -- --ascii
wait input-bound
| resnet.p~n.gz  [1 Overview] 2 Timeline 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
| X input-bound: 63.5 % of the step waits for input or copies it to the device;
|   then: pageable memory
| How far from ideal                       | Findings                 in full: 9
| Device compute      32.0 %  68.0 % to go | X 63.5 % of the step time waits fo~
| Ops on device       94.0 %   6.0 % to go | X Input wait: GPU 0 idles for 1.18~
| 16-bit kernels       0.0 % 100.0 % to go | ! 14 copies from or to pageable me~
| Device busy         46.1 % ######....... | ! 4.2 % of the step time is explai~
| Step median     372.641 ms <= 829.409 ms |
|   of            7 steps, inferred        | Top ops
|   goes to       CCCCCCCCIIIIIIIIIIIIIIH. | name                          share
|   copies on device   0.0 % ............. | aten::convolution_backward   41.4 %
|   collectives        0.0 % ............. | aten::cudnn_convolution      16.7 %
|   input + copies    63.5 % ########|.... | aten::copy_                  13.4 %
|   output             0.0 % ............. | aten::cudnn_batch_~backward   8.5 %
|   kernel launch      0.0 % ............. |
|   other host work    0.2 % ............. | Top kernels
|   compilation        0.0 % ............. | name                  tc      share
|   other              4.2 % +............ | volta_sgemm_64x64_nt  could  16.0 %
| Kernels              2,247 in 948.376 ms | volta_sgemm_64x64_nn  could   7.2 %
|   16-bit time        0.0 % ............. | cudnn_volta_s~_nt_v1  could   5.6 %
|   Tensor Core        0.0 % ............. |
| Share of the step time in which kernels compute: the larger, the better.
|Enter show  j k line  h l side  b biggest gap  e export  ? help  : command
