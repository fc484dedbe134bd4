# On a narrow terminal nothing is lost but width, and the size may change at any time.
size 100x30   trace two_steps.json
keys 2
resize 60x16
| two_steps.json                    1 [2 Timeline] 3 4 5 6 9
|whole trace !███████▅···············!············▄██████▅
|            ▼0 ms                  │1 ms                   │
|      steps │step 41                │step 42
|GPU 0       ▁███████······· 41→42 1.204 ms ·······██████▅
| stream 7 … ▕volta_…▅···············┊············▐volta…▋
|python 100  │                       ┊
| thread 10… ProfilerStep#41█████████▏ProfilerStep#42████████
|            ▐▄                      enumerate(D…▁█▏
|            ▂                       ┊            ▂
|
|
|─ nothing selected ─────────────────────────────────────────
| lane stream 7   events 3
| stream 7  at 0 ns  view 2.003 ms
|w s zoom  a d pan  j k lane  b biggest gap  e export  ? help
resize 100x30
| two_steps.json                1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|        whole trace  !████████████▃·························!·····················▄███████████▃
|                    ▼0 us              │500 us             │1.0 ms             │1.5 ms             │
|              steps │step 41                                │step 42
|GPU 0               │▃████████████················ 41→42 1.204 ms ·················███████████▃
| stream 7 compute+… │▐volta_sgemm…▍·························┊·····················▐volta_sgem…▍
|                    │▐████████████▍·························┊·····················▐███████████▍
| └ op (derived)     │aten::mm█████                          ┊                     aten::mm█████
|python 100          │                                       ┊
| thread 100 (pytho… ProfilerStep#41█████████████████████████▏ProfilerStep#42████████████████████████
|                    ▐█▄                                     enumerate(DataLoade…▏▐█▌
|                    ▕▎                                      ┊                    ▕▎
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
|                    ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation  █ runtime call
|─ nothing selected ─────────────────────────────────────────────────────────────────────────────────
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)   Tab next event on this lane
| stream 7  at 0 ns  view 2.003 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  f fit  b biggest gap  e export  ? help
