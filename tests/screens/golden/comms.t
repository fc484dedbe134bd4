# Several devices beside each other: who waits for whom, and step by step how much; o turns what the map shows, Enter goes to the worst step.
size 80x24   trace four_ranks
keys 8
settle
| rank0.json +3     1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input [8 Comms] 9 Guide
| Rank 2 is last at 5 of 16 collectives, by 4.400 ms on average; the others wait
| 66.000 ms for it, of 97.000 ms of waiting in all (9.7 % of steady steps),
| mostly because its kernels take longer (4.400 ms more than the others' mean).
| device         step    compute    waiting last at    by step: waiting
| rank 0    31.133 ms  24.000 ms  25.000 ms 8 of 16    ·░░▒·░░▒
| rank 1    31.133 ms  23.375 ms  30.000 ms 1 of 16    ░░▒▒░░▒▒
| rank 2    31.133 ms  26.000 ms   9.000 ms 5 of 16    ░░░·░░░·
| rank 3    31.133 ms  23.000 ms  33.000 ms 0 of 16    ░░▒▒░░▒▒
|
| share of the step: █ from 50 %  ▓ 30  ▒ 15  ░ 3  · 0
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
| rank 0: others wait 24.000 ms for it, it computes longer (1.000 ms more)
|Enter show  j k select  t table  o groups  b biggest gap  e export  ? help
keys j j
| rank0.json +3     1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input [8 Comms] 9 Guide
| Rank 2 is last at 5 of 16 collectives, by 4.400 ms on average; the others wait
| 66.000 ms for it, of 97.000 ms of waiting in all (9.7 % of steady steps),
| mostly because its kernels take longer (4.400 ms more than the others' mean).
| device         step    compute    waiting last at    by step: waiting
| rank 0    31.133 ms  24.000 ms  25.000 ms 8 of 16    ·░░▒·░░▒
| rank 1    31.133 ms  23.375 ms  30.000 ms 1 of 16    ░░▒▒░░▒▒
| rank 2    31.133 ms  26.000 ms   9.000 ms 5 of 16    ░░░·░░░·
| rank 3    31.133 ms  23.000 ms  33.000 ms 0 of 16    ░░▒▒░░▒▒
|
| share of the step: █ from 50 %  ▓ 30  ▒ 15  ░ 3  · 0
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
| rank 2: others wait 66.000 ms for it, its kernels take longer (4.400 ms more)
|Enter show  j k select  t table  o groups  b biggest gap  e export  ? help
keys o
| rank0.json +3     1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input [8 Comms] 9 Guide
| Rank 2 is last at 5 of 16 collectives, by 4.400 ms on average; the others wait
| 66.000 ms for it, of 97.000 ms of waiting in all (9.7 % of steady steps),
| mostly because its kernels take longer (4.400 ms more than the others' mean).
| device         step    compute    waiting last at    by step: latest first
| rank 2    31.133 ms  26.000 ms   9.000 ms 5 of 16    ·░░▒··░▒
| rank 0    31.133 ms  24.000 ms  25.000 ms 8 of 16    ░░░·░░░·
| rank 1    31.133 ms  23.375 ms  30.000 ms 1 of 16    ·····░··
| rank 3    31.133 ms  23.000 ms  33.000 ms 0 of 16    ········
|
| share of the step: █ from 50 %  ▓ 30  ▒ 15  ░ 3  · 0
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
| rank 2: others wait 66.000 ms for it, its kernels take longer (4.400 ms more)
|Enter show  j k select  t table  o groups  b biggest gap  e export  ? help
keys Enter
| rank0.…on +3  1 Over [2 Timeline] 3 Steps 4 Ops 5 Kern 6 Input 8 Comms 9 Guide
|    whole trace ▆██████▆██████▇▇██████[▆███████▇]██████▆███████▆███████▆████████
|                     ▼90 ms         │100 ms         │110 ms         │120 ms
|          steps │r0:2│step r0:3                                           │r0:4
|rank 0 GPU 0    █████│·███████████████████████████████░░░░░░░░░░██████████···███
|rank 1 GPU 1    ██░░█│·███████████████████████████████░░░░░░░░░░████████░█···███
|rank 2 GPU 2   !██░░█│·█████████████████████████████████████████████████░█···███
|rank 3 GPU 3    ██░░█│·███████████████████████████████░░░░░░░░░░████████░█···███
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
|                ▆ busy  █ collective  ░ waits for others  · gap
|─ rank 2 is last at 5 of 16 collectives; the others wait 66.000 ms for it ──────
| rank 2 GPU 2 waits 9.000 ms, last at 5 of 16; others wait 66.000 ms: it compu…
| rank 2 GPU 2  at 90.030 ms  view 40.810 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys BSpace
| rank0.json +3     1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input [8 Comms] 9 Guide
| Rank 2 is last at 5 of 16 collectives, by 4.400 ms on average; the others wait
| 66.000 ms for it, of 97.000 ms of waiting in all (9.7 % of steady steps),
| mostly because its kernels take longer (4.400 ms more than the others' mean).
| device         step    compute    waiting last at    by step: latest first
| rank 2    31.133 ms  26.000 ms   9.000 ms 5 of 16    ·░░▒··░▒
| rank 0    31.133 ms  24.000 ms  25.000 ms 8 of 16    ░░░·░░░·
| rank 1    31.133 ms  23.375 ms  30.000 ms 1 of 16    ·····░··
| rank 3    31.133 ms  23.000 ms  33.000 ms 0 of 16    ········
|
| share of the step: █ from 50 %  ▓ 30  ▒ 15  ░ 3  · 0
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
| rank 2: others wait 66.000 ms for it, its kernels take longer (4.400 ms more)
|Enter show  j k select  t table  o groups  b biggest gap  e export  ? help
keys t
| rank0.json +3     1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input [8 Comms] 9 Guide
| devices compared: step time, compute and kernels per step, wh…  l: +23 columns
| rank  device        step time  compute per step  compute to mean
|    0  rank 0 GPU 0  31.133 ms         24.000 ms           0.9961
|    1  rank 1 GPU 1  31.133 ms         23.375 ms           0.9702
|    2  rank 2 GPU 2  31.133 ms         26.000 ms            1.079
|    3  rank 3 GPU 3  31.133 ms         23.000 ms           0.9546
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
| 1 of 4
|Enter show  t picture  j k row  < > sort  b biggest gap  e export  ? help
