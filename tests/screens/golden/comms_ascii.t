# The same in ASCII: shades are signs.
size 80x24   trace four_ranks   -- --ascii
keys 8
settle
| rank0.json +3     1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input [8 Comms] 9 Guide
| Rank 2 is last at 5 of 16 collectives, by 4.400 ms on average; the others wait
| 66.000 ms for it, of 97.000 ms of waiting in all (9.7 % of steady steps),
| mostly because its kernels take longer (4.400 ms more than the others' mean).
| device         step    compute    waiting last at    by step: waiting
| rank 0    31.133 ms  24.000 ms  25.000 ms 8 of 16    .--+.--+
| rank 1    31.133 ms  23.375 ms  30.000 ms 1 of 16    --++--++
| rank 2    31.133 ms  26.000 ms   9.000 ms 5 of 16    ---.---.
| rank 3    31.133 ms  23.000 ms  33.000 ms 0 of 16    --++--++
|
| share of the step: # from 50 %  * 30  + 15  - 3  . 0
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
keys o o
| rank0.json +3     1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input [8 Comms] 9 Guide
| Rank 2 is last at 5 of 16 collectives, by 4.400 ms on average; the others wait
| 66.000 ms for it, of 97.000 ms of waiting in all (9.7 % of steady steps),
| mostly because its kernels take longer (4.400 ms more than the others' mean).
| device         step    compute    waiting last at    by step: exposed
| rank 0    31.133 ms  24.000 ms  25.000 ms 8 of 16    -+++-+++
| rank 1    31.133 ms  23.375 ms  30.000 ms 1 of 16    -+++--++
| rank 2    31.133 ms  26.000 ms   9.000 ms 5 of 16    -----+--
| rank 3    31.133 ms  23.000 ms  33.000 ms 0 of 16    -+++-+++
|
| share of the step: # from 50 %  * 30  + 15  - 3  . 0
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
