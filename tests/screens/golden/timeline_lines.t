# Through all lanes: the cursor, the begin of each step, a chosen range with its edges; a folded cell tells what is in it.
size 120x40   trace resnet/resnet.pt.trace.json.gz
keys 2
keys l l l l l l l l l l l l l l l l
| resnet.pt.trace.json.gz                           1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|            whole trace             !▇▇▇▇▆·······▆▇▇▇▇▇▇▇▇▇▇!·······················▇▇▇▇▇▅·············▄▇▇▇▇▇▇▇▇!▇▇▇▇▇▇▇
|                        │0 ms           ▼│500 ms           │1.0 s           │1.5 s            │2.0 s            │2.5 s
|       steps (inferred) │step 0      │step 1       │2   │step 3                       │step 4            │5   │6
|GPU 0                               ▇▇▇▇▇·········▇▇▇▇·▇▇▇▇▇···· 2→3 670.933 ms ·····▇▇▇▇· 391.504 ms ··▇▇▇▇▇·▇▇▇▇·▇▇▇▇▇
| stream 7 compute+H2D+…             ▆▇▇▇▇▄·······▐▇▇▇▇▇▇▇▇▇▇ ·······················▆▇▇▇▇▂·············▐▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
|                                    ▓███│█·······▐█████▓████▇·······················▓█████·············▐▓████▓████▏▓████
| └ op (derived)                      █▏▲t…        █▏at… █▏███                        █▏at…               █▏██ █▏██  █▏██
| └ phase (derived)                   █▏ba…        █▏ba… █▏ba…                        █▏ba…               █▏██ █▏██  █▏██
|python 23442                         ┏━┛│
| thread 23656 (python)…              ▅  │         ▅▁   ▁▅                            ▄                  ▃▁   ▁▂    ▄
| thread 23442 (python)  enumerate(…▌▇▁▏enumerat…▎▐▂▁▏██▇▃enumerate(DataLoader)#_Mu…▏▇▃▏enumerate(Data…▎▐▄▂▐██▆▁▐at…▃▁
|                                   ▁▇▁▁ │       ▁▐▂▁at…▇▁                          ▁▇▂▁            ▁  ▁▐▃▁▐██▆▁▐at…▃▁
|                                   ▁▇▁▁ │       ▁▆▁▁at…▇▁                          ▁▇▁             ▁  ▁▄▃▁▅██▆▁▅at…▂▁
|                                    ▇▁  │        ▐▁▕cu…▆▁                           ▇▁                 ▐▃▁▐██▅ ▐cu…▂▁
|                                    ▁▁  │         ▁    ▁                            ▁▁                  ▁    ▁     ▁
|
|
|
|
|
|
|
|
|
|
|
|
|                        ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation  █ runtime call  █ selected
|─ kernel #284  cudnn_turing_scudnn_128x64_stridedB_splitK_xregs_large_nn_v1 ────────────────────────────────────────────
| cell 32 events: cudnn_volta_scudnn_w…48t_nt_v1 4 x, volta_sgemm_64x64_nt 3 x, bn_bw_1C11_kernel…<float, flo… 4 x, and
|      7 more names
| duration 1.765 ms   start 452.741 ms   step 0   launch [ cudaLaunchKernel #10604, 61.650 ms before
| op aten::convolution_backward   grid 5,2,28   block 128,1,1   registers 160   shared memory 32.0 KiB
| occupancy 25.0 % as recorded   fit 25.0 % with 2 blocks at a time, limited by shared memory   blocks per SM 4.118
| waves 2.059; 94.1 % of the last one's places stay empty   lane stream 7   cat kernel   External id 98740   queued 0
| device 0   context 1   stream 7   correlation 98740   warps per SM 16.470589
|
| stream 7  at 453.554 ms  view 2.721 s
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  b biggest gap  e export  ? help  : command
keys j j j j j j j j
| resnet.pt.trace.json.gz                           1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|            whole trace             !▇▇▇▇▆·······▆▇▇▇▇▇▇▇▇▇▇!·······················▇▇▇▇▇▅·············▄▇▇▇▇▇▇▇▇!▇▇▇▇▇▇▇
|                        │0 ms           ▼│500 ms           │1.0 s           │1.5 s            │2.0 s            │2.5 s
|       steps (inferred) │step 0      │step 1       │2   │step 3                       │step 4            │5   │6
|GPU 0                               ▇▇▇▇▇·········▇▇▇▇·▇▇▇▇▇···· 2→3 670.933 ms ·····▇▇▇▇· 391.504 ms ··▇▇▇▇▇·▇▇▇▇·▇▇▇▇▇
| stream 7 compute+H2D+…             ▆▇▇▇▇▄·······▐▇▇▇▇▇▇▇▇▇▇ ·······················▆▇▇▇▇▂·············▐▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
|                                    ▓███│█·······▐█████▓████▇·······················▓█████·············▐▓████▓████▏▓████
| └ op (derived)                      █▏at…        █▏at… █▏███                        █▏at…               █▏██ █▏██  █▏██
| └ phase (derived)                   █▏ba…        █▏ba… █▏ba…                        █▏ba…               █▏██ █▏██  █▏██
|python 23442                            │
| thread 23656 (python)…              ▅  │         ▅▁   ▁▅                            ▄                  ▃▁   ▁▂    ▄
| thread 23442 (python)  enumerate(…▌▇▁▏enumerat…▎▐▂▁▏██▇▃enumerate(DataLoader)#_Mu…▏▇▃▏enumerate(Data…▎▐▄▂▐██▆▁▐at…▃▁
|                                   ▁▇▁▁ │       ▁▐▂▁at…▇▁                          ▁▇▂▁            ▁  ▁▐▃▁▐██▆▁▐at…▃▁
|                                   ▁▇▁▁ │       ▁▆▁▁at…▇▁                          ▁▇▁             ▁  ▁▄▃▁▅██▆▁▅at…▂▁
|                                    ▇▁  │        ▐▁▕cu…▆▁                           ▇▁                 ▐▃▁▐██▅ ▐cu…▂▁
|                                    ▁▁  │         ▁    ▁                            ▁▁                  ▁    ▁     ▁
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|                        ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation  █ runtime call
|─ nothing selected ─────────────────────────────────────────────────────────────────────────────────────────────────────
| lane thread 23442 (python)   events 7,413   Tab next event on this lane   b biggest gap and its cause   } next step
| thread 23442 (python)  at 453.554 ms  view 2.721 s
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  b biggest gap  e export  ? help  : command
keys v
keys l l l l l l l l l l l l l l l l l l l l l l
| resnet.pt.trace.json.gz                           1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|            whole trace             !▇▇▇▇▆·······▆▇▇▇▇▇▇▇▇▇▇!·······················▇▇▇▇▇▅·············▄▇▇▇▇▇▇▇▇!▇▇▇▇▇▇▇
|                        │0 ms            │500 ms           │1.0 s           │1.5 s            │2.0 s            │2.5 s
|       steps (inferred) │step 0      │step 1       │2   │step 3                       │step 4            │5   │6
|GPU 0                               ▇▇▇▇▇·········▇▇▇▇·▇▇▇▇▇··]· 2→3 670.933 ms ·····▇▇▇▇· 391.504 ms ··▇▇▇▇▇·▇▇▇▇·▇▇▇▇▇
| stream 7 compute+H2D+…             ▆▇▇▇▇▄·······▐▇▇▇▇▇▇▇▇▇▇ ·]·····················▆▇▇▇▇▂·············▐▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
|                                    ▓█████·······▐█████▓████▇·]·····················▓█████·············▐▓████▓████▏▓████
| └ op (derived)                      █▏at…        █▏at… █▏███ ]                      █▏at…               █▏██ █▏██  █▏██
| └ phase (derived)                   █▏ba…        █▏ba… █▏ba… ]                      █▏ba…               █▏██ █▏██  █▏██
|python 23442                            [                     ]
| thread 23656 (python)…              ▅  [         ▅▁   ▁▅     ]                      ▄                  ▃▁   ▁▂    ▄
| thread 23442 (python)  enumerate(…▌▇▁▏enumerat…▎▐▂▁▏██▇▃enumerate(DataLoader)#_Mu…▏▇▃▏enumerate(Data…▎▐▄▂▐██▆▁▐at…▃▁
|                                   ▁▇▁▁ [       ▁▐▂▁at…▇▁     ]                    ▁▇▂▁            ▁  ▁▐▃▁▐██▆▁▐at…▃▁
|                                   ▁▇▁▁ [       ▁▆▁▁at…▇▁     ]                    ▁▇▁             ▁  ▁▄▃▁▅██▆▁▅at…▂▁
|                                    ▇▁  [        ▐▁▕cu…▆▁     ]                     ▇▁                 ▐▃▁▐██▅ ▐cu…▂▁
|                                    ▁▁  [         ▁    ▁      ]                     ▁▁                  ▁    ▁     ▁
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|                        ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation  █ runtime call
|─ nothing selected ─────────────────────────────────────────────────────────────────────────────────────────────────────
| lane thread 23442 (python)   events 7,413   Tab next event on this lane   b biggest gap and its cause   } next step
| thread 23442 (python)  at 1.077 s  view 2.721 s  range 651.984 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  b biggest gap  e export  ? help  : command
