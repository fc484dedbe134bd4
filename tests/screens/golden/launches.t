# Launches as a picture: how long work waits, how long calls and kernels take, and what the device idled for; t turns to the table.
size 80x24   trace two_steps.json
keys :
type table launches
keys Enter
settle
keys t
| two_steps.json   1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input 9 Guide [Launches]
| 1.7 % of the step time GPU 0 idles for launches: low  34.750 us in all
| calls 3   longer than their work 0.0 %   work of graphs 0.0 %
| idle before calls 1.189 ms   most in a queue 1   blocked 0 ns
| queue of stream 7 over time ███████························█····· at most 1
|
| latency  p50 20.125 us p99 280.625 us  kernels, copies, sets  p50 299.000 us
|    10-20 us       1  33.3 %  ████████     20-50 us       1  33.3 %  ████
|    20-50 us       1  33.3 %  ████████    50-100 us       0   0.0 %
|   50-100 us       0   0.0 %             100-200 us       0   0.0 %
|  100-200 us       0   0.0 %             200-500 us       2  66.7 %  ████████
|  200-500 us       1  33.3 %  ████████
|
| op, else kernel                 count        p50        p99  queue idle for it
| aten::mm                            2  14.625 us  20.125 us      1   34.750 us
| Memcpy DtoH (Devic…ageable)         1 280.625 us 280.625 us      1        0 ns
|
|
|
|
|
|
| aten::mm   volta_sgemm_128x64_nn
|Enter show  j k select  t table  o groups  b biggest gap  e export  ? help
keys f
| two_steps.json   1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input 9 Guide [Launches]
| what the numbers of this pane mean
|  rank                     rank of the host in the distributed job
|  device                   GPU number, as recorded; empty: none, or several
|  work                     kernels, copies and memsets that start inside the
|                           window; of a step: all of its own
|  launch calls             launch_calls: launch calls whose first work starts
|                           inside the window
|  call                     call_ns: time of the launch calls, clipped to the
|                           window
|  work time                work_ns: time of kernels, copies and memsets inside
|                           the window, summed
|  latency p50              latency_p50_ns: median time from the start of the
|                           call until its first work starts (--semantics hta:
|                           from the end of the call); nearest rank
|  latency p95              latency_p95_ns: 95th percentile of the latency
|  latency p99              latency_p99_ns: 99th percentile of the latency
|  latency max              latency_max_ns: longest latency
|  latency sum              latency_sum_ns: all of them
|  launch bound             launch_bound_ns: time in which the device was idle
|                           and that ends with such work: from the start of its
|                           launch call until 20 us after the call's end
|
|j k scroll  Ctrl-d page                                                  q close
keys q
keys t
| two_steps.json   1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input 9 Guide [Launches]
| launch calls: how long they take, how long work waits for the…  l: +21 columns
| op        launch bound↓  work  latency p50  latency p99  kernel
| aten::mm      34.750 us     2    14.625 us    20.125 us  volta_sgemm_128x64_nn
| -                  0 ns     1   280.625 us   280.625 us  Memcpy DtoH (D…eable)
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
|
|
| 1 of 2
|Enter show  t picture  j k row  < > sort  b biggest gap  e export  ? help
