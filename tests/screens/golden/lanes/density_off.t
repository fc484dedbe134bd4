# :set density off: rows whose events are too short to be seen stand for themselves.
size 120x40   trace resnet/resnet.pt.trace.json.gz
keys 2
type :set density off
keys Enter
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
| thread 23656 (python)  │            ▅            ▅▁   ▁▅                            ▄                  ▃▁   ▁▂    ▄
|                        │            ▄            ▄▁   ▁▄                            ▄                  ▃▁   ▁▂    ▃
|                        │            ▄            ▄▁   ▁▄                            ▃                  ▂▁   ▁▂    ▃
|                        │            ▂            ▂▁   ▁▂                            ▁                  ▁▁   ▁▁    ▁
|                        │            ▁            ▁▁   ▁▁                            ▁                  ▁▁   ▁▁    ▁
|                        │            ▁            ▁▁   ▁▁                            ▁                  ▁▁   ▁▁    ▁
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
|                        ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation  █ runtime call
|─ nothing selected ─────────────────────────────────────────────────────────────────────────────────────────────────────
| lane stream 7   events 2,345   busy 1.096 s (40.3 % of the trace)   Tab next event on this lane
| density off
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  b biggest gap  e export  ? help  : command
