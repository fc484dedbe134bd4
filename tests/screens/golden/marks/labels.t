# Labels keep the part that tells lanes apart; what tells of the recording is one lane at the end, z unfolds it.
size 80x24   trace recorder.json
keys 2
| recorder.json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace █████████████████████████▅
|                ▼0 us                           │500 us
|       no steps
|trainer 7       │
| data…rker-1801 decode███████████████████▋
| data…rker-1802 │                  ▐decode██████████████████▊
| main           │                        ▐train█████████████████████████████████
| recorder ×3: z │                                                              ▁
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
|                █ op  █ other
|─ nothing selected ─────────────────────────────────────────────────────────────
| lane dataloader-worker-1801   events 1   Tab next event on this lane
| dataloader-worker-1801  at 0 ns  view 1.000 ms
|w s zoom  a d pan  j k lane  Tab event  f fit  e export  ? help  : command
keys End j j j j j j j j j j
keys z
| recorder.json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace █████████████████████████▅
|                │0 us                           │500 us                        ▼
|       no steps
|trainer 7                                                                      │
| data…rker-1801 decode███████████████████▋                                     │
| data…rker-1802                    ▐decode██████████████████▊                  │
| main                                    ▐train████████████████████████████████│
| global instan…                                                                ▁
| PyTorch Profi… PyTorch Profiler (0)▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒│
| global instan… ▏                                                              │
|
|
|
|
|
|
|
|
|                █ op  █ other
|─ nothing selected ─────────────────────────────────────────────────────────────
| lane global instants   events 1   Tab next event on this lane
| global instants  at 999.999 us  view 1.000 ms
|w s zoom  a d pan  j k lane  Tab event  f fit  e export  ? help  : command
