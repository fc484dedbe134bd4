# The same at 80x24 without colours.
size 80x24   trace resnet/resnet.pt.trace.json.gz -- --color=never
keys 2
wait rows: z
| resnet.p…n.gz  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace         !▇▇▇····▁▇▇▇▇▇▇▇!···············▇▇▇▆········▁▇▇▇▇▇▇!▇▇▇▇
|                ▼0 s                   │1 s                    │2 s
|steps (inferre… │step 0  │step 1  │2 │step 3             │step 4      │5 │6
|GPU 0           │       ▇▇▇······▇▇▇·▇▇▇ 2→3 670.933 ms ·▇▇391.504 ms▇▇▇·▇▇▇·▇▇▇
| stream 7 comp… │       ▇▇▇▅····▕▇▇▇▇▇▇▇ ···············▇▇▇▄········▕▇▇▇▇▇▇▇▇▇▇▇
|                │       ▓███····▕▓██▏▓██▄···············▓███········▕▓██▓███▓███
| └ op (derived) │        at…      ██  ███                at…          ██ ███ █▏█
| └ phase (deri… │        ba…      ██  ba…                ba…          ██ █▏█ █▏█
|python 23442    │
| thread 23656 … │       ▂▂       ▃▁  ▃                  ▂▁           ▂▁  ▂  ▁▂
| thread 23442 … enumer…▋▆▆enume…▃▄▃██▄enumerate(DataLo…▍▅▇enumerate…▁▅▂▏█▂▐█▇▁
|   4 rows: z    │      ▁▅▁      ▁▄▃██▂                 ▁▅▁        ▁ ▁▅▁██▂▆█▇▁
|
|
|
|
|
|
|                ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation
|─ nothing selected ─────────────────────────────────────────────────────────────
| lane stream 7   events 2,345   busy 1.096 s (40.3 % of the trace)
| stream 7  at 0 ns  view 2.721 s
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
