# Steps as bars: the parts of the selected one beside the mean of all; t shows the same as a table, and t again the bars.
size 80x24   trace tf-cpu
keys 3
| host.xpl…e.pb  1 Overview 2 Timeline [3 Steps] 4 Ops 5 Kernels 6 Input 9 Guide
| 6 of 8 steps  9.180 ms ± 57.960 us  ! unusual: 2; step 2 took 6.398 ms
| step       length gap before  0                                       9.294 ms
| 1    !   1.403 ms          -  I█H██.█
| 2    !   6.398 ms   8.999 us  █████████████I█████████████H███.█
| 3        9.180 ms   9.746 us  ████████████████████I█████████████████████H██.█
| 4        9.150 ms   8.198 us  ████████████████████I█████████████████████H██.█
| 5        9.294 ms   9.765 us  █████████████████████I█████████████████████H██.█
| 6        9.149 ms   7.320 us  ████████████████████I█████████████████████H██.█
| 7        9.140 ms   6.863 us  ████████████████████I█████████████████████H██.█
| 8        9.166 ms   8.611 us  ████████████████████I█████████████████████H██.█
|
|
|
|
|
|
|─ step 1 ────────────────────────────────── mean of 6 ──────────────────────────
| I input wait        42.566 us   3.0 %     86.8 %    7.964 ms ± 36.061 us
| H other host work  651.707 us  46.5 %      6.7 %  612.449 us ± 23.864 us
| . other            708.507 us  50.5 %      6.6 %  603.519 us ± 40.736 us
| gap before    none recorded
| 1 of 8   train from 0 ns
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
keys j
| host.xpl…e.pb  1 Overview 2 Timeline [3 Steps] 4 Ops 5 Kernels 6 Input 9 Guide
| 6 of 8 steps  9.180 ms ± 57.960 us  ! unusual: 2; step 2 took 6.398 ms
| step       length gap before  0                                       9.294 ms
| 1    !   1.403 ms          -  I█H██.█
| 2    !   6.398 ms   8.999 us  █████████████I█████████████H███.█
| 3        9.180 ms   9.746 us  ████████████████████I█████████████████████H██.█
| 4        9.150 ms   8.198 us  ████████████████████I█████████████████████H██.█
| 5        9.294 ms   9.765 us  █████████████████████I█████████████████████H██.█
| 6        9.149 ms   7.320 us  ████████████████████I█████████████████████H██.█
| 7        9.140 ms   6.863 us  ████████████████████I█████████████████████H██.█
| 8        9.166 ms   8.611 us  ████████████████████I█████████████████████H██.█
|
|
|
|
|
|─ step 2 ────────────────────────────────── mean of 6 ──────────────────────────
| I input wait         5.014 ms  78.4 %     86.8 %    7.964 ms ± 36.061 us
| H other host work  536.554 us   8.4 %      6.7 %  612.449 us ± 23.864 us
| . other            846.732 us  13.2 %      6.6 %  603.519 us ± 40.736 us
| gap before    8.999 us: cannot tell why: the launching thread recorded nothing
|               in it
| 2 of 8   train from 1.412 ms
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
keys t
| host.xpl…e.pb  1 Overview 2 Timeline [3 Steps] 4 Ops 5 Kernels 6 Input 9 Guide
| step time per step and device, with its breakdown               l: +17 columns
| step       dur  device compute      input  kernel launch  host compute
| 1     1.403 ms            0 ns  42.566 us           0 ns    651.707 us
| 2     6.398 ms            0 ns   5.014 ms           0 ns    536.554 us
| 3     9.180 ms            0 ns   7.897 ms           0 ns    616.707 us
| 4     9.150 ms            0 ns   7.980 ms           0 ns    579.121 us
| 5     9.294 ms            0 ns   8.006 ms           0 ns    649.573 us
| 6     9.149 ms            0 ns   7.965 ms           0 ns    623.221 us
| 7     9.140 ms            0 ns   7.972 ms           0 ns    598.187 us
| 8     9.166 ms            0 ns   7.963 ms           0 ns    607.883 us
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
| 1 of 8   train
|Enter show  t picture  j k row  < > sort  b biggest gap  e export  ? help
