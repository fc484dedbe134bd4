# On a wide screen the statistics of the visible window stand beside the lanes: of the whole trace, then of the gap and around it.
size 200x60   trace resnet/resnet.pt.trace.json.gz
keys 2
| resnet.pt.trace.json.gz                                                                                                           1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|                  whole trace                !▇▇▇▇▇▇▇▂·········▇▇▇▇▇▇▇▇▇▇▇▇▇▇!······························▁▇▇▇▇▇▇▇▁·················▆▇▇▇▇▇▇▇▇▇▇▇!▇▇▇▇▇▇▇▇▇│ visible window
|                              ▼0 ms                  │500 ms                │1.0 s                 │1.5 s                 │2.0 s                 │2.5 s     │ 2.721 s, 0 ns to 2.721 s
|             steps (inferred) │step 0           │step 1          │2     │step 3                                │step 4                  │5     │step 6      │
|GPU 0                         │              ▁▇▇▇▇▇▇▇212.409 ms·▇▇▇▇▇▇·▇▇▇▇▇▇········ 2→3 670.933 ms ········▇▇▇▇▇▇▇· 3→4 391.504 ms ··▇▇▇▇▇▇·▇▇▇▇▇▇·▇▇▇▇▇▇▇│ busy
| stream 7 compute+H2D+memset  │              ▕▇▇▇▇▇▇▇ ·········▓▇▇▇▇▇▇▇▇▇▇▇▇▇▅······························▕▇▇▇▇▇▇▇ ·················▐▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇│ GPU 0                     1.096 s  40.3 %
|                              │              ▕▓██████▅·········▓▓█████▏▓██████······························▕▓██████▃·················▐▓█████▏▓█████▏▓██████│
| └ op (derived)               │                ██▏████           █▏███  ██▏at…                                ██▏████                   █▏at…  █▏███  ██▏at…│ top kernels            948.376 ms
| └ phase (derived)            │                ██▏bac…           █▏ba…  ██▏ba…                                ██▏bac…                   █▏ba…  █▏ba…  ██▏ba…│ volta_sgemm_64x64_nt   152.178 ms  16.0 %
|python 23442                  │                 ┊                ┊      ┊                                      ┊                        ┊      ┊            │ volta_sgemm_64x64_nn    67.984 ms   7.2 %
| thread 23656 (python) ×6     │                ▅▂               ▃▄     ▁▆                                     ▅▁                       ▂▄     ▂▂     ▁▅     │ cudnn_volta_sc…t_nt_v1  53.568 ms   5.6 %
| thread 23442 (python)        enumerate(Data…▂▇▂▆enumerate(D…▊ █▄▁▐ate…▇▁▏enumerate(DataLoader)#_MultiProc…▋▕▇▁▇enumerate(DataLoade…▋ ▐▅▃ ate…▅▁▕ate…▇▁     │ winogradForw…<float, …  53.422 ms   5.6 %
|                              │              ▁▇▂▁▁           ▁ █▃▁▐ate…▆▁                                  ▁▕▇▁▂                 ▁  ▁ ▐▄▁ ate…▄▁▕ate…▇▁     │ vectorized_e…<4, Bina…  45.354 ms   4.8 %
|                              │              ▁▇▁▁▁           ▁ █▃▁▃ate…▆▁                                  ▁▁▇▁▁                 ▁  ▁ ▆▄▁ ate…▄▁▂ate…▆▁     │ winogradForw…<float, …  44.882 ms   4.7 %
|                              │              ▕▇▁▁              █▃┊▐cud…▆▁                                   ▕▇▁┊                      ▐▄▁ cud…▄┊▕cud…▆▁     │ winogradWgra…<float, …  39.672 ms   4.2 %
|                              │               ▁▁┊               ▁┊     ▁┊                                    ▁▁┊                       ▁┊     ▁┊     ▁      │ cudnn_volta_sc…e_nn_v1  37.319 ms   3.9 %
|                                                                                                                                                            │ winogradWgra…<float, …  36.062 ms   3.8 %
|                                                                                                                                                            │ vectorized_e…<4, CUDA…  33.008 ms   3.5 %
|                                                                                                                                                            │ bn_bw_1C11_k…<float, …  32.826 ms   3.5 %
|                                                                                                                                                            │ vectorized_e…<4, laun…  31.125 ms   3.3 %
|                                                                                                                                                            │
|                                                                                                                                                            │ top ops (self)            1.096 s
|                                                                                                                                                            │ aten::convolut…ackward 453.418 ms  41.4 %
|                                                                                                                                                            │ aten::cudnn_co…olution 183.492 ms  16.7 %
|                                                                                                                                                            │ aten::copy_            147.241 ms  13.4 %
|                                                                                                                                                            │ aten::cudnn_ba…ackward  93.264 ms   8.5 %
|                                                                                                                                                            │ aten::cudnn_batch_norm  58.804 ms   5.4 %
|                                                                                                                                                            │ aten::threshol…ackward  45.354 ms   4.1 %
|                                                                                                                                                            │ aten::add_              33.290 ms   3.0 %
|                                                                                                                                                            │ aten::clamp_min_        31.125 ms   2.8 %
|                                                                                                                                                            │ aten::max_pool…ackward  27.474 ms   2.5 %
|                                                                                                                                                            │ aten::max_pool…indices   9.318 ms   0.9 %
|                                                                                                                                                            │ aten::fill_              5.013 ms   0.5 %
|                                                                                                                                                            │ aten::_foreach_add_      3.712 ms   0.3 %
|                                                                                                                                                            │
|                                                                                                                                                            │ copies                         147.241 ms
|                                                                                                                                                            │ H2D 14 x, 514.5 MiB            147.241 ms
|                                                                                                                                                            │
|                                                                                                                                                            │ idle by class             1.283 s
|                                                                                                                                                            │ input wait                1.183 s  92.2 %
|                                                                                                                                                            │ not recorded            91.460 ms   7.1 %
|                                                                                                                                                            │ launch latency           4.464 ms   0.3 %
|                                                                                                                                                            │ Python overhead          1.953 ms   0.2 %
|                                                                                                                                                            │ copies                   1.411 ms   0.1 %
|                                                                                                                                                            │ synchronisation        206.000 us   0.0 %
|                                                                                                                                                            │ compilation             16.000 us   0.0 %
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                              ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation  █ runtime call                                                           │
|─ nothing selected ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
| lane stream 7   events 2,345   busy 1.096 s (40.3 % of the trace)   Tab next event on this lane   b biggest gap and its cause   } next step   / search a name
| stream 7  at 0 ns  view 2.721 s
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  0 all  Enter details  v range  b biggest gap  e export  ? help  : command  / search  Backspace back  q back  & filter
keys b
| resnet.pt.trace.json.gz                                                                                                           1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|                  whole trace                !▇▇▇▇▇▇▇▂·····[···▇▇▇▇▇▇▇▇▇▇▇▇▇▇!······························▁▇▇▇▇▇▇▇▁··········]······▆▇▇▇▇▇▇▇▇▇▇▇!▇▇▇▇▇▇▇▇▇│ visible window
|                                            │800 ms          │1.0 s           │1.2 s           │1.4 s           │1.6 s           │1.8 s           │2.0 s    │ 1.476 s, 629.596 ms to 2.106 s
|             steps (inferred) │step 1    │step 2       │step 3                                                                │step 4                       │
|GPU 0                         ········█▇▇▇▇▇▇▇▇▇▇▇▇·▇▇▇▇▇▇▇▇▇▇▇▇····················· 2→3 670.933 ms ·····················█▇▇▇▇▇▇▇▇▇▇▇▇·· 3→4 391.504 ms ···│ busy
| stream 7 compute+H2D+memset  ·······▐▓▇▇▇▇▇▇▇▇▇▇▇▇▇▓▇▇▇▇▇▇▇▇▇▇▇│························································▐▓▇▇▇▇▇▇▇▇▇▇▇▇ ····················│ GPU 0                  471.327 ms  31.9 %
|                              ·······▐▓▓███████████▏▓███████████▆························································▐▓▓███████████▂····················│
| └ op (derived)                         at…▏aten…██  █▏██▏aten…█│                                                           █▏█▏aten…█▏█                    │ top kernels            404.122 ms
| └ phase (derived)                      fo…▏backwa…  for…▏backwa…                                                           fo…▏backward                    │ volta_sgemm_64x64_nt    64.330 ms  15.9 %
|python 23442                             ┊             ┊        │                                                             ┊                             │ volta_sgemm_64x64_nn    29.020 ms   7.2 %
| thread 23656 (python) ×6              ▁▇▅           ▃▇▂        │                                                           ▆▅┊                             │ winogradForw…<float, …  22.885 ms   5.7 %
| thread 23442 (python)        enum…  ▐█▆ ▂ ▕aten::to▇▃ ▅enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__██▎ ▐█▇▁▕▇enumerate(DataLoader)#_Multi…│ cudnn_volta_sc…t_nt_v1  22.510 ms   5.6 %
|                                  ▁  ▐█▅ ▁ ▕aten::_…▇▃ ▁        │                                                      ▁ ▐█▆▁▕▂                             │ vectorized_e…<4, Bina…  19.455 ms   4.8 %
|                                  ▁  ▆█▅ ▁ ▁aten::c…▇▂ ▁        │                                                      ▁ ▃█▆▁▁▁                             │ winogradForw…<float, …  19.223 ms   4.8 %
|                                     ▐█▄ ┊ ▕cudaMem…▇▂ ▁        │                                                        ▐█▅▁ ┊                             │ winogradWgra…<float, …  16.977 ms   4.2 %
|                                       ▁ ┊           ▁ ┊        │                                                          ▁▁ ┊                             │ cudnn_volta_sc…e_nn_v1  16.000 ms   4.0 %
|                                                                                                                                                            │ winogradWgra…<float, …  15.458 ms   3.8 %
|                                                                                                                                                            │ vectorized_e…<4, CUDA…  14.157 ms   3.5 %
|                                                                                                                                                            │ bn_bw_1C11_k…<float, …  14.085 ms   3.5 %
|                                                                                                                                                            │ vectorized_e…<4, laun…  13.349 ms   3.3 %
|                                                                                                                                                            │
|                                                                                                                                                            │ top ops (self)         471.327 ms
|                                                                                                                                                            │ aten::convolut…ackward 192.252 ms  40.8 %
|                                                                                                                                                            │ aten::cudnn_co…olution  78.372 ms  16.6 %
|                                                                                                                                                            │ aten::copy_             67.147 ms  14.2 %
|                                                                                                                                                            │ aten::cudnn_ba…ackward  39.990 ms   8.5 %
|                                                                                                                                                            │ aten::cudnn_batch_norm  25.231 ms   5.4 %
|                                                                                                                                                            │ aten::threshol…ackward  19.455 ms   4.1 %
|                                                                                                                                                            │ aten::add_              14.277 ms   3.0 %
|                                                                                                                                                            │ aten::clamp_min_        13.349 ms   2.8 %
|                                                                                                                                                            │ aten::max_pool…ackward  11.698 ms   2.5 %
|                                                                                                                                                            │ aten::max_pool…indices   3.995 ms   0.8 %
|                                                                                                                                                            │ aten::fill_              2.152 ms   0.5 %
|                                                                                                                                                            │ aten::_foreach_add_      1.590 ms   0.3 %
|                                                                                                                                                            │
|                                                                                                                                                            │ copies                          67.147 ms
|                                                                                                                                                            │ H2D 6 x, 220.5 MiB              67.147 ms
|                                                                                                                                                            │
|                                                                                                                                                            │ idle by class             1.005 s
|                                                                                                                                                            │ input wait             945.159 ms  94.1 %
|                                                                                                                                                            │ not recorded            55.959 ms   5.6 %
|                                                                                                                                                            │ launch latency           1.942 ms   0.2 %
|                                                                                                                                                            │ copies                 902.000 us   0.1 %
|                                                                                                                                                            │ Python overhead        670.000 us   0.1 %
|                                                                                                                                                            │ synchronisation         94.000 us   0.0 %
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                              ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation  █ runtime call                                                           │
|─ gap 2→3: 670.933 ms, 81.1 % of 827.374 ms, GPU 0 ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
| cause input wait 643.678 ms (95.9 %), most in enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__ 643.608 ms   confidence 0.93   from 1.032 s to 1.703 s
| advice The DataLoader's workers are too slow: raise num_workers and prefetch_factor, do less per sample, set persistent_workers=True; copy from pinned memory with non_blocking=True.
| before vectorized_elementwise_…<4, CUDAFunctor_add<float>, Array<c…   after Memcpy HtoD (Pageable -> Device)   then cudaMemcpyAsync 372.000 us (0.1 %)   aten::empty_strided 49.000 us (0.0 %)
| aten::set_ 26.000 us (0.0 %)
|
|
|
|
| stream 7  at 1.032 s  view 1.476 s
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  0 all  Enter details  v range  b biggest gap  e export  ? help  : command  / search  Backspace back  q back  & filter
