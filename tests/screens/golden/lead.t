# In a table the name and what the table is for stay: h and l scroll the other columns behind them; sorting by a column out of
# sight brings it into view, with the mark of its order. Names that differ are cut where they are equal.
size 80x16   trace resnet/resnet.pt.trace.json.gz
wait input-bound
keys 5
wait 1 of
| resnet.p…n.gz  1 Overview 2 Timeline 3 Steps 4 Ops [5 Kernels] 6 Input 9 Guide
| Kernels; by name (o: by launch shape and op)                     l: +6 columns
| name                               tc     precision   share      total↓  count
| volta_sgemm_64x64_nt               could  fp32       16.0 %  152.178 ms    154
| volta_sgemm_64x64_nn               could  fp32        7.2 %   67.984 ms     91
| cudnn_volta_scudnn_win…148t_nt_v1  could  fp32        5.6 %   53.568 ms     28
| winogradForwardDat…<float, float>  no     fp32        5.6 %   53.422 ms    154
| vectorized_element…<4, BinaryFun…  no     fp32        4.8 %   45.354 ms    119
| winogradForwardOut…<float, float>  no     fp32        4.7 %   44.882 ms    154
| winogradWgradDelta…<float, float>  no     fp32        4.2 %   39.672 ms     91
| cudnn_volta_scudnn_128…arge_nn_v1  could  fp32        3.9 %   37.319 ms      7
| winogradWgradData4…<float, float>  no     fp32        3.8 %   36.062 ms     91
| vectorized_element…<4, CUDAFunct…  no     fp32        3.5 %   33.008 ms    119
| bn_bw_1C11_kernel_…<float, float…  no     fp32        3.5 %   32.826 ms      7
| 1 of 54   volta_sgemm_64x64_nt
|Enter show  o groups  j k row  < > sort  r flip  b biggest gap  e export  ? help
keys l l l l l l
| resnet.p…n.gz  1 Overview 2 Timeline 3 Steps 4 Ops [5 Kernels] 6 Input 9 Guide
| Kernels; by name (o: by launch shape and op)                     l: +2 columns
| name                                     tc     precision  op
| volta_sgemm_64x64_nt                     could  fp32       aten::convol…ckward
| volta_sgemm_64x64_nn                     could  fp32       aten::cudnn_…lution
| cudnn_volta_scudnn_winogra…le148t_nt_v1  could  fp32       aten::convol…ckward
| winogradForwardData4x4<float, float>     no     fp32       -
| vectorized_elementwise…<4, BinaryFunct…  no     fp32       aten::thresh…ckward
| winogradForwardOutput4x4<float, float>   no     fp32       -
| winogradWgradDelta4x4<float, float>      no     fp32       aten::convol…ckward
| cudnn_volta_scudnn_128x64_…_large_nn_v1  could  fp32       aten::convol…ckward
| winogradWgradData4x4<float, float>       no     fp32       aten::convol…ckward
| vectorized_elementwise…<4, CUDAFunctor…  no     fp32       aten::add_
| bn_bw_1C11_kernel_new<float, float, fl…  no     fp32       aten::cudnn_…ckward
| 1 of 54   volta_sgemm_64x64_nt
|Enter show  o groups  j k row  < > sort  r flip  b biggest gap  e export  ? help
keys l
| resnet.p…n.gz  1 Overview 2 Timeline 3 Steps 4 Ops [5 Kernels] 6 Input 9 Guide
| Kernels; by name (o: by launch shape and op)                           h: back
| name                                      tc     precision  family       forms
| volta_sgemm_64x64_nt                      could  fp32       gemm             6
| volta_sgemm_64x64_nn                      could  fp32       gemm             4
| cudnn_volta_scudnn_winogra…ile148t_nt_v1  could  fp32       conv             1
| winogradForwardData4x4<float, float>      no     fp32       conv             7
| vectorized_elementwise_…<4, BinaryFunct…  no     fp32       elementwise      5
| winogradForwardOutput4x4<float, float>    no     fp32       conv             7
| winogradWgradDelta4x4<float, float>       no     fp32       conv             3
| cudnn_volta_scudnn_128x64_…s_large_nn_v1  could  fp32       conv             1
| winogradWgradData4x4<float, float>        no     fp32       conv             3
| vectorized_elementwise_…<4, CUDAFunctor…  no     fp32       elementwise      5
| bn_bw_1C11_kernel_new<float, float, flo…  no     fp32       norm             1
| 1 of 54   volta_sgemm_64x64_nt
|Enter show  o groups  j k row  < > sort  r flip  b biggest gap  e export  ? help
keys h h
| resnet.p…n.gz  1 Overview 2 Timeline 3 Steps 4 Ops [5 Kernels] 6 Input 9 Guide
| Kernels; by name (o: by launch shape and op)                     l: +3 columns
| name                                              tc     precision         max
| volta_sgemm_64x64_nt                              could  fp32         2.188 ms
| volta_sgemm_64x64_nn                              could  fp32       921.000 us
| cudnn_volta_scudnn_winograd_128x…_tile148t_nt_v1  could  fp32         2.000 ms
| winogradForwardData4x4<float, float>              no     fp32       820.000 us
| vectorized_elementwise_…<4, BinaryFunctor<thres…  no     fp32         2.257 ms
| winogradForwardOutput4x4<float, float>            no     fp32       699.000 us
| winogradWgradDelta4x4<float, float>               no     fp32       851.000 us
| cudnn_volta_scudnn_128x64_stride…egs_large_nn_v1  could  fp32         5.440 ms
| winogradWgradData4x4<float, float>                no     fp32       774.000 us
| vectorized_elementwise_…<4, CUDAFunctor_add<flo…  no     fp32       566.000 us
| bn_bw_1C11_kernel_new<float, float, float2, 512…  no     fp32         4.710 ms
| 1 of 54   volta_sgemm_64x64_nt
|Enter show  o groups  j k row  < > sort  r flip  b biggest gap  e export  ? help
keys <
| resnet.p…n.gz  1 Overview 2 Timeline 3 Steps 4 Ops [5 Kernels] 6 Input 9 Guide
| Kernels; by name (o: by launch shape and op)                     l: +6 columns
| name                               tc     precision  share↓       total  count
| volta_sgemm_64x64_nt               could  fp32       16.0 %  152.178 ms    154
| volta_sgemm_64x64_nn               could  fp32        7.2 %   67.984 ms     91
| cudnn_volta_scudnn_win…148t_nt_v1  could  fp32        5.6 %   53.568 ms     28
| winogradForwardDat…<float, float>  no     fp32        5.6 %   53.422 ms    154
| vectorized_element…<4, BinaryFun…  no     fp32        4.8 %   45.354 ms    119
| winogradForwardOut…<float, float>  no     fp32        4.7 %   44.882 ms    154
| winogradWgradDelta…<float, float>  no     fp32        4.2 %   39.672 ms     91
| cudnn_volta_scudnn_128…arge_nn_v1  could  fp32        3.9 %   37.319 ms      7
| winogradWgradData4…<float, float>  no     fp32        3.8 %   36.062 ms     91
| vectorized_element…<4, CUDAFunct…  no     fp32        3.5 %   33.008 ms    119
| bn_bw_1C11_kernel_…<float, float…  no     fp32        3.5 %   32.826 ms      7
| 1 of 54   volta_sgemm_64x64_nt
|Enter show  o groups  j k row  < > sort  r flip  b biggest gap  e export  ? help
resize 50x16
| resnet.pt.trace.json.gz  1 2 3 4 [5 Kernels] 6 9
| Kernels; by name (o: by launch s…  l: +8 columns
| name                    tc     precision  share↓
| volta_sgemm_64x64_nt    could  fp32       16.0 %
| volta_sgemm_64x64_nn    could  fp32        7.2 %
| cudnn_volta_sc…t_nt_v1  could  fp32        5.6 %
| winogra…Data4x4<float…  no     fp32        5.6 %
| vectorized_e…<4, Bina…  no     fp32        4.8 %
| winogr…Output4x4<floa…  no     fp32        4.7 %
| winogra…elta4x4<float…  no     fp32        4.2 %
| cudnn_volta_sc…e_nn_v1  could  fp32        3.9 %
| winogra…ata4x4<float,…  no     fp32        3.8 %
| vectorized_e…<4, CUDA…  no     fp32        3.5 %
| bn_bw_1C11_k…<float, …  no     fp32        3.5 %
| 1 of 54   volta_sgemm_64x64_nt
|Enter show  o groups  b biggest gap  e export
resize 40x12
| resnet.p…n.gz  1 2 3 4 [5 Kernels] 6 9
| Kernels; by name (o: b…  l: +8 columns
| name          tc     precision  share↓
| volta_sg…_nt  could  fp32       16.0 %
| volta_sg…_nn  could  fp32        7.2 %
| cudnn_vo…_v1  could  fp32        5.6 %
| wi…Data4x4<…  no     fp32        5.6 %
| vectorized_…  no     fp32        4.8 %
| w…Output4x4…  no     fp32        4.7 %
| winogradWgr…  no     fp32        4.2 %
| 1 of 54   volta_sgemm_64x64_nt
|Enter show  o groups  b biggest gap
