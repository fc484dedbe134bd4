# The input pipeline on a large screen.
size 200x60   trace tf-cpu
keys 6
| host.xplane.pb                                                                                                                    1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels [6 Input] 9 Guide
| 86.8 % of the step time is input wait: highly input-bound  wait 86.8 % + copy 0.0 %
| highly input-bound from 20 %, moderately from 5 %; potentially below that, where 3 % or more of the step time is unexplained
|
| Step time                                         Host time for input, all threads
| measured            9.180 ms                      enqueue to devices       0 ns ················
| without the wait    1.216 ms  -86.8 %             read on demand           0 ns ················
| copy ahead, too     1.216 ms  -86.8 %             read ahead               0 ns ················
| Bottleneck, in the slowest call                   preprocessing      108.472 ms ████████████████
| ParallelMapV2 9.090 ms                            unclassified             0 ns ················
|                                                   not recorded        52.950 us ▏···············
|
| advice   Its function is the bottleneck although it runs in parallel: raise num_parallel_calls (tf.data.AUTOTUNE), map over batches, do costly work once and offline, or cache() after it.
| missing  no device work: copies to a device and what they hide cannot be seen
|
| Iterators of Host:0                                                          self      total   calls
|   Root                                                                  63.132 us  52.607 ms       8  ▏··············· algorithm=DEFAULT, cpu_budget=2, ram_budget_megabytes=7915, intra_op_paralleli…
|     Prefetch                                                             5.128 ms  52.544 ms       8  █▍·············· buffer_limit=2, autotune=false, autotune_mode=performance, interleave_depth=0,…
| !     ParallelMapV2                                                     54.722 ms  55.251 ms       6  ██████████████▌· bottleneck  autotune=false, deterministic=true, use_unbounded_threadpool=false…
|         BatchV2                                                        305.539 us 528.393 us       6  ▏··············· batch_size=32, drop_remainder=true, parallel_copy=true
|           TensorSlice                                                  222.854 us 222.854 us     192  ▏···············
| Input ops                                                                    self      total   count
|   Iterator::Root::Prefetch::ParallelMapV2                               55.251 ms  55.251 ms       6  Preprocessing
|   Iterator::Root::Prefetch                                              52.544 ms  52.544 ms       8  Preprocessing
|   Iterator::Root::Prefetch::ParallelMapV2::BatchV2                     351.089 us 613.912 us       7  Preprocessing
|   Iterator::Root::Prefetch::ParallelMapV2::BatchV2::TensorSlice        262.823 us 262.823 us     224  Preprocessing
|   IteratorGetNextOp::DoCompute                                         232.438 us  52.840 ms       8  Wait
|   Iterator::Root                                                        63.132 us  52.607 ms       8  Preprocessing
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
| Iterator::Root
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help  : command  / search  Backspace back  q back  & filter
