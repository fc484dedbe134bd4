# Seen whole, rows of specks are one row of density for each thread, and the stream is two cells high; nearer, rows come back.
size 120x40   trace resnet/resnet.pt.trace.json.gz
keys 2
wait Tab next event
| resnet.pt.trace.json.gz                           1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|            whole trace             !▇▇▇▇▆·······▆▇▇▇▇▇▇▇▇▇▇!·······················▇▇▇▇▇▅·············▄▇▇▇▇▇▇▇▇!▇▇▇▇▇▇▇
|                        ▼0 ms            │500 ms           │1.0 s           │1.5 s            │2.0 s            │2.5 s
|       steps (inferred) │step 0      │step 1       │2   │step 3                       │step 4            │5   │6
|GPU 0                   │           ▇▇▇▇▇·········▇▇▇▇·▇▇▇▇▇···· 2→3 670.933 ms ·····▇▇▇▇· 391.504 ms ··▇▇▇▇▇·▇▇▇▇·▇▇▇▇▇
| stream 7 compute+H2D+… │           ▆▇▇▇▇▄·······▐▇▇▇▇▇▇▇▇▇▇ ·······················▆▇▇▇▇▂·············▐▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
|                        │           ▓█████·······▐█████▓████▇·······················▓█████·············▐▓████▓████▏▓████
| └ op (derived)         │            █▏at…        █▏at… █▏███                        █▏at…               █▏██ █▏██  █▏██
| └ phase (derived)      │            █▏ba…        █▏ba… █▏ba…                        █▏ba…               █▏██ █▏██  █▏██
|python 23442            │
| thread 23656 (python)… │            ▅            ▅▁   ▁▅                            ▄                  ▃▁   ▁▂    ▄
| thread 23442 (python)  enumerate(…▌▇▁▏enumerat…▎▐▂▁▏██▇▃enumerate(DataLoader)#_Mu…▏▇▃▏enumerate(Data…▎▐▄▂▐██▆▁▐at…▃▁
|                        │          ▁▇▁▁         ▁▐▂▁at…▇▁                          ▁▇▂▁            ▁  ▁▐▃▁▐██▆▁▐at…▃▁
|                        │          ▁▇▁▁         ▁▆▁▁at…▇▁                          ▁▇▁             ▁  ▁▄▃▁▅██▆▁▅at…▂▁
|                        │           ▇▁           ▐▁▕cu…▆▁                           ▇▁                 ▐▃▁▐██▅ ▐cu…▂▁
|                        │           ▁▁            ▁    ▁                            ▁▁                  ▁    ▁     ▁
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
| lane stream 7   events 2,345   busy 1.096 s (40.3 % of the trace)   Tab next event on this lane
| stream 7  at 0 ns  view 2.721 s
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  b biggest gap  e export  ? help  : command
keys b
wait gap 2
| resnet.pt.trace.json.gz                           1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|            whole trace             !▇▇▇▇▆····[··▆▇▇▇▇▇▇▇▇▇▇!·······················▇▇▇▇▇▅········]····▄▇▇▇▇▇▇▇▇!▇▇▇▇▇▇▇
|                                                │1.0 s                          │1.5 s                           │2.0 s
|       steps (inferred) │step 1  │step 2   │step 3                                               │step 4
|GPU 0                   ······█▇▇▇▇▇▇▇▇▇·▇▇▇▇▇▇▇▇▇·············· 2→3 670.933 ms ··············█▇▇▇▇▇▇▇▇▇ 3→4 391.504 ms
| stream 7 compute+H2D+… ·····▐▓▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇│··········································▕▓▇▇▇▇▇▇▇▇▇ ···············
|                        ·····▐▓█████████▏▓████████▃··········································▕▓▓████████▁···············
| └ op (derived)                █▏█▏aten…  ██▏ate…█│                                             ██▏aten:…
| └ phase (derived)             fo…▏back…  ██▏backw…                                             ██▏backw…
|python 23442                     ┊         ┊      │                                              ┊
| thread 23656 (python)…        ▃▇┊       ▁▇▂      │                                            ▂▆┊
| thread 23442 (python)  en…▊ ▐█▃▕▁▐aten:…▇ ▅enumerate(DataLoader)#_MultiProcessingDataLoade…▏▕█▅▕▇enumerate(DataLoader)…
|                           ▁ ▐█▃▕▁▐aten:…▆ ▁      │                                        ▁▁▕█▄▕▃
|                           ▁ ▃█▃▁▁▃aten:…▆ ▁      │                                        ▁▁▂█▄▁▁
|                             ▐█▂ ┊▐cudaM…▅ ▁      │                                          ▕█▃ ┊
|                               ▁ ┊       ▁ ┊      │                                            ▁ ┊
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
|─ gap 2→3: 670.933 ms, 81.1 % of 827.374 ms, GPU 0 ─────────────────────────────────────────────────────────────────────
| cause input wait 643.678 ms (95.9 %), most in enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__ 643.608 ms
| confidence 0.93   from 1.032 s to 1.703 s
| advice The DataLoader's workers are too slow: raise num_workers and prefetch_factor, do less per sample, set
|        persistent_workers=True; copy from pinned memory with non_blocking=True.
| before vectorized_elementwise_…<4, CUDAFunctor_add<float>, Array<c…   after Memcpy HtoD (Pageable -> Device)
| then cudaMemcpyAsync 372.000 us (0.1 %)   aten::empty_strided 49.000 us (0.0 %)   aten::set_ 26.000 us (0.0 %)
|
|
| stream 7  at 1.032 s  view 1.476 s
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  b biggest gap  e export  ? help  : command
