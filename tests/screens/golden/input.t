# The input pipeline: verdict, best case, iterator tree with its bottleneck; Enter shows it on the timeline, Backspace comes back.
size 80x24   trace tf-cpu
keys 6
| host.xpl…e.pb  1 Overview 2 Timeline 3 Steps 4 Ops 5 Kernels [6 Input] 9 Guide
| 86.8 % of the step is input: highly input-bound  wait 86.8 % + copy 0.0 %
| highly from 20 %, moderately from 5 %, potentially if 3 % is unexplained
|
| Step time                              Host time for input, all threads
| measured            9.180 ms           enqueue to devices       0 ns ·········
| without the wait    1.216 ms  -86.8 %  read on demand           0 ns ·········
| copy ahead, too     1.216 ms  -86.8 %  read ahead               0 ns ·········
| Bottleneck, in the slowest call        preprocessing      108.472 ms █████████
| ParallelMapV2 9.090 ms                 unclassified             0 ns ·········
|                                        not recorded        52.950 us ▏········
|
| advice   Its function is the bottleneck although it runs in parallel: raise
|          num_parallel_calls (tf.data.AUTOTUNE), map over batches, do costly
|          work once and offline, or cache() after it.
| missing  no device work: copies to a device and what they hide cannot be seen
|
| Iterators of Host:0                    self      total   calls
|   Root                            63.132 us  52.607 ms       8  ▏·············
|     Prefetch                       5.128 ms  52.544 ms       8  █▎············
| !     ParallelMapV2               54.722 ms  55.251 ms       6  ████████████▋·
|         BatchV2                  305.539 us 528.393 us       6  ▏·············
| Iterator::Root
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
keys j
keys j
keys Enter
settle
keys BSpace
| host.xpl…e.pb  1 Overview 2 Timeline 3 Steps 4 Ops 5 Kernels [6 Input] 9 Guide
| 86.8 % of the step is input: highly input-bound  wait 86.8 % + copy 0.0 %
| highly from 20 %, moderately from 5 %, potentially if 3 % is unexplained
|
| Step time                              Host time for input, all threads
| measured            9.180 ms           enqueue to devices       0 ns ·········
| without the wait    1.216 ms  -86.8 %  read on demand           0 ns ·········
| copy ahead, too     1.216 ms  -86.8 %  read ahead               0 ns ·········
| Bottleneck, in the slowest call        preprocessing      108.472 ms █████████
| ParallelMapV2 9.090 ms                 unclassified             0 ns ·········
|                                        not recorded        52.950 us ▏········
|
| advice   Its function is the bottleneck although it runs in parallel: raise
|          num_parallel_calls (tf.data.AUTOTUNE), map over batches, do costly
|          work once and offline, or cache() after it.
| missing  no device work: copies to a device and what they hide cannot be seen
|
| Iterators of Host:0                    self      total   calls
|   Root                            63.132 us  52.607 ms       8  ▏·············
|     Prefetch                       5.128 ms  52.544 ms       8  █▎············
| !     ParallelMapV2               54.722 ms  55.251 ms       6  ████████████▋·
|         BatchV2                  305.539 us 528.393 us       6  ▏·············
| Iterator::Root::Prefetch::ParallelMapV2
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
