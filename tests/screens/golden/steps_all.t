# Means over the steady steps, and over all of them.
size 80x24   trace tf-cpu
keys 3
keys :
type set all-steps
keys Enter
| host.xpl…e.pb  1 Overview 2 Timeline [3 Steps] 4 Ops 5 Kernels 6 Input 9 Guide
| 8 steps  7.860 ms ± 2.785 ms  ! unusual: 2
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
|─ step 1 ────────────────────────────────── mean of 8 ──────────────────────────
| I input wait        42.566 us   3.0 %     84.0 %    6.605 ms ± 2.846 ms
| H other host work  651.707 us  46.5 %      7.7 %  607.869 us ± 37.760 us
| . other            708.507 us  50.5 %      8.2 %  647.044 us ± 95.107 us
| gap before    none recorded
| all-steps on
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
keys :
type set no-all-steps
keys Enter
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
| all-steps off
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
keys :
type set all
keys Enter
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
| there is no setting "all"; :set alone lists them
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
