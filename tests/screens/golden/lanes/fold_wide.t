# On a wide screen there is room for everything.
size 200x60   trace frames.json
keys 2 b
wait gap 3
| frames.json                                                                                                                       1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|                  whole trace [!▅▆▄▅▄▅!·······················▂▄▅▄▅▅▄▅▁······]················▃▅▆▄▅▄▅▄·······················▂▄▅▄▅▅▄▅▁                      │ visible window
|                                           │0 ms          │2 ms ▼        │4 ms          │6 ms          │8 ms          │10 ms         │12 ms         │14 ms  │ 16.830 ms, -1.840 ms to 14.990 ms
|             steps (inferred)                 │0  │1   │2  │step 3                                                       │4  │5   │6  │step 7               │
|GPU 0                                         ▂▄▆▅··▅▃▆·▃▆▅··▅▃▆······················ 3→4 7.650 ms ······················▂▇▅··▅▂▇·▂▇▅··▅▂▇· 7→8 7.650 ms ··│ busy
| stream 7 compute                             ▕▌▐▂▌▐▂▍▐▂▍▐▂▍▐▂▍▐▍························································▐▎█▂▎█▂▎█▂▎█▂▎█▂▎█▎················│ GPU 0                    2.880 ms  17.1 %
|                                              ▕▌▐█▌▐█▍▐█▍▐█▍▐█▍▐▍························································▐▎██▎██▎██▎██▎██▎█▎················│
| └ op (derived)                               aten::addmm███████│                                                        aten::addmm████████                │ top kernels              2.880 ms
|python 100                                                      │                                                                                           │ volta_sgemm_128x64_nn    1.920 ms  66.7 %
| thread 100 (python)                       ▕3 wrapper frames░░░░│░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░│ relu_kernel            960.000 us  33.3 %
|                                           ▕train.py(90): <module>██████████████████████████████████████████████████████████████████████████████████████████│
|                                           ▕train.py(70): main██│███████████████████████████████████████████████████████████████████████████████████████████│ top ops (self)           2.880 ms
|                                           ▕train.py(41): epoch█│███████████████████████████████████████████████████████████████████████████████████████████│ aten::addmm              2.880 ms 100.0 %
|                                            ▐train.py(12): step█│███████████████████████▕data.py(8): next_batch███████ ▐train.py(12): step██████████████████│
|                                             ▐nn.Module: Net_0██│██▊                    ▕functools.py(40): wrapper████  nn.Module: Net_0██████▋             │ idle by class           11.710 ms
|                                             ▐module.py(1736): _ca…▊                    ▕data.py(15): read███████████▊  module.py(1736): _cal…▋             │ host compute             4.490 ms  38.3 %
|                                             ▐net.py(20): forward██▋                    ▕json/__init__.py(299): loads▋  net.py(20): forward███▌             │ input wait               3.900 ms  33.3 %
|                                              █▐▍█▐▍█▐▍█▐▍█▐▃█▐▍│                       ▕json/decoder.py(337): decode▌  ▕▊▐▃▊▐▃▊▐▃▊▐▃▊▐▃▊▐▎                 │ launch latency           1.570 ms  13.4 %
|                                              ▆▐▍▆▐▍▆▐▍▆▐▍▆▐▍▆▐▍│                                                       ▕▊▐▂▊▐▂▊▐▂▊▐▂▊▐▂▋▐▏                 │ Python overhead          1.520 ms  13.0 %
|                                              ▁▕▏▁▕▏▁▕▏▁▕▏▁▕▏▁▕▏│                                                        ▁▁ ▁▁ ▁▁ ▁▁ ▁▁ ▁▁                  │ not recorded           230.000 us   2.0 %
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                                                                                                                                                            │
|                              ▆ busy  █ kernel  · gap  █ op  █ runtime call  █ python                                                                       │
|─ gap 3→4: 7.650 ms, 93.3 % of 8.200 ms, GPU 0 ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
| cause maybe input wait 3.900 ms (51.0 %), most in json/decoder.py(337): decode 3.800 ms   confidence 0.39   from 2.750 ms to 10.400 ms
| advice Prepare input ahead of time on other threads or processes, or on the device, and copy it from pinned memory.   before volta_sgemm_128x64_nn   after relu_kernel
| then train.py(12): step 2.800 ms (36.6 %)   net.py(20): forward 540.000 us (7.1 %)   train.py(41): epoch 300.000 us (3.9 %)
|
|
|
|
|
| stream 7  at 2.750 ms  view 16.830 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  0 all  Enter details  v range  b biggest gap  e export  ? help  : command  / search  Backspace back  q back  & filter
