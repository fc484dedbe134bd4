# A counter tells its value at the cursor, its unit where its name has one, and its scale; the words make way for the cursor.
size 80x24   trace counters.json
keys 2
keys l l l l l l l l l l
| counters.json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace ████████████████████████████████████████████████████████████████
|                │0 us     ▼                     │500 us
|       no steps
|trainer 1                 │
| thread 1       load██████│███████████████▏train████████████████████████████████
| allocated byt…       ▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃█████ 1.0 GiB, scale 0..3.0 GiB
| power (W)      ▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂██████████████ 80 W, scale 0..290.5 W
| queue          ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁ 3, scale 0..12,000
|
|
|
|
|
|
|─ op #0  load ──────────────────────────────────────────────────────────────────
| duration 400.000 us   start 0 ns   step none   lane thread 1   cat cpu_op
|
|
|
|
|
| thread 1  at 156.250 us  view 1.000 ms
|w s zoom  a d pan  j k lane  Tab event  f fit  e export  ? help  : command
keys End
| counters.json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace ████████████████████████████████████████████████████████████████
|                │0 us                           │500 us                        ▼
|       no steps
|trainer 1                                                                      │
| thread 1       load██████████████████████▏train███████████████████████████████│
| allocated byt…  3.0 GiB, scale 0..3.0 GiB ▃▃▃▃▃███████████████████████████████│
| power (W)       290.5 W, scale 0..290.5 W ████████████████████████████████████│
| queue           12,000, scale 0..12,000 ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁███████████████████│
|
|
|
|
|
|
|─ op #1  train ─────────────────────────────────────────────────────────────────
| duration 600.000 us   start 400.000 us   step none   lane thread 1
| cat cpu_op
|
|
|
|
| thread 1  at 999.999 us  view 1.000 ms
|w s zoom  a d pan  j k lane  Tab event  f fit  e export  ? help  : command
