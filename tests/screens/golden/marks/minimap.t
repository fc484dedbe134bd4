# The minimap shows where the GPU idles, the chosen gap, findings, search hits and the view.
size 120x40   trace resnet/resnet.pt.trace.json.gz
keys 2
keys b
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
type /Memcpy HtoD
keys Enter
settle
| resnet.pt.trace.json.gz                           1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|            whole trace             *▇▇▇▇▆····[··**▇▇▇**▇▇▇▇!·······················*▇▇▇▇▅········]····**▇▇▇▇*▇▇!▇**▇▇▇▇
|                                                │1.0 s                          │1.5 s       ▼                   │2.0 s
|       steps (inferred) │step 1  │step 2   │step 3                                               │step 4
|GPU 0                   ······█▇▇▇▇▇▇▇▇▇·▇▇▇▇▇▇▇▇▇·············· 2→3 670.933 ms ·············│█▇▇▇▇▇▇▇▇▇ 3→4 391.504 ms
| stream 7 compute+H2D+… ·····▐▓▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇ ··········································▕▓▇▇▇▇▇▇▇▇▇ ···············
|                        ·····▐▓█████████▏▓████████▃··········································▕▓▓████████▁···············
| └ op (derived)                █▏█▏aten…  ██▏ate…██                                          ▲  ██▏aten:…
| └ phase (derived)             fo…▏back…  ██▏backw…                                          ┃  ██▏backw…
|python 23442                     ┊         ┊                                                 ┃   ┊
| thread 23656 (python)…        ▃▇┊       ▁▇▂                                                 ┃ ▂▆┊
| thread 23442 (python)  en…▊ ▐█▃▕▁▐aten:…▇ ▅enumerate(DataLoader)#_MultiProcessingDataLoade…▏┃█▅▕▇enumerate(DataLoader)…
|                           ▁ ▐█▃▕▁▐aten:…▆ ▁                                               ▁▁┃█▄▕▃
|                           ▁ ▃█▃▁▁▃aten:…▆ ▁                                               ▁▁┃█▄▁▁
|                             ▐█▂ ┊▐cudaM…▅ ▁                                                 ▕█▃ ┊
|                               ▁ ┊       ▁ ┊                                                 │ ▁ ┊
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
|─ copy #1005  Memcpy HtoD (Pageable -> Device) ─────────────────────────────────────────────────────────────────────────
| duration 21.224 ms   start 1.703 s   step 3   launch [ cudaMemcpyAsync #5539, 372.000 us before   op aten::copy_
| direction H2D   size 73.5 MiB   rate 3.63 GB/s   memory pageable to device   lane stream 7   cat gpu_memcpy
| External id 107551   device 0   context 1   stream 7   correlation 107551   memory bandwidth (GB/s) 3.631155717337409
|
|
|
|
|
| 7 of 14 for /Memcpy HtoD/
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  b biggest gap  e export  ? help  : command
