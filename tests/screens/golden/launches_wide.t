# The same on a large screen: the three distributions side by side.
size 160x30   trace two_steps.json
keys :
type table launches
keys Enter
settle
keys t
| two_steps.json                                                                 1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Launches]
| 1.7 % of the step time GPU 0 idles for launches: low  34.750 us in all
| calls 3   longer than their work 0.0 %   work of graphs 0.0 %   not recorded 0
| idle before calls 1.189 ms   most in a queue 1   blocked 0 ns   starts before its call 0
| queue of stream 7 over time ███████························█········· at most 1
|
| latency  p50 20.125 us p99 280.625 us               kernels, copies, sets  p50 299.000 us               launch calls  p50 10.000 us p99 12.000 us
|    10-20 us       1  33.3 %  █████████████████████     20-50 us       1  33.3 %  ██████████▌               10-20 us       3 100.0 %  █████████████████████
|    20-50 us       1  33.3 %  █████████████████████    50-100 us       0   0.0 %
|   50-100 us       0   0.0 %                          100-200 us       0   0.0 %
|  100-200 us       0   0.0 %                          200-500 us       2  66.7 %  █████████████████████
|  200-500 us       1  33.3 %  █████████████████████
|
| op, else kernel                                                                                                 count        p50        p99  queue idle for it
| aten::mm                                                                                                            2  14.625 us  20.125 us      1   34.750 us
| Memcpy DtoH (Device -> Pageable)                                                                                    1 280.625 us 280.625 us      1        0 ns
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
| aten::mm   volta_sgemm_128x64_nn
|Enter show  j k select  t table  o groups  f formulas  b biggest gap  e export  ? help  : command  / search  Backspace back  q back  & filter
