# The same in ASCII: letters tell the parts apart.
size 80x24   trace tf-cpu -- --ascii
keys 3
| host.xpl~e.pb  1 Overview 2 Timeline [3 Steps] 4 Ops 5 Kernels 6 Input 9 Guide
| 6 of 8 steps  9.180 ms +- 57.960 us  ! unusual: 2; step 2 took 6.398 ms
| step       length gap before  0                                       9.294 ms
| 1    !   1.403 ms          -  IHHH...
| 2    !   6.398 ms   8.999 us  IIIIIIIIIIIIIIIIIIIIIIIIIIHHH....
| 3        9.180 ms   9.746 us  IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIHHH...
| 4        9.150 ms   8.198 us  IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIHHH...
| 5        9.294 ms   9.765 us  IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIHHH...
| 6        9.149 ms   7.320 us  IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIHHH...
| 7        9.140 ms   6.863 us  IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIHHH...
| 8        9.166 ms   8.611 us  IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIHHH...
|
|
|
|
|
|
|- step 1 ---------------------------------- mean of 6 --------------------------
| I input wait        42.566 us   3.0 %     86.8 %    7.964 ms +- 36.061 us
| H other host work  651.707 us  46.5 %      6.7 %  612.449 us +- 23.864 us
| . other            708.507 us  50.5 %      6.6 %  603.519 us +- 40.736 us
| gap before    none recorded
| 1 of 8   train from 0 ns
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
