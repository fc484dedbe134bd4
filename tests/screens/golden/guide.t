# Findings, worst first; the selected one opens with what to do about it.
size 80x24   trace two_steps.json
keys 9
| two_step…json  1 Overview 2 Timeline 3 Steps 4 Ops 5 Kernels 6 Input [9 Guide]
| 3 failed, 5 warnings, 1 undecided, 3 for information, 14 fine
|
| ✗ Unexplained time      41.3 % of the step time is explained by no recorded
|                         event: high.
|   what to do  Record with with_stack=True to see what Python did.
|   at stake    826.000 us
|   formula     step time of no class / step time; moderate from 3 %, high from
|               15 %
|
| ✗ Idle time             Input wait: GPU 0 idles for 500.000 us (25.0 % of the
|                         time) while the next batch is not ready (the longest
|                         stretch, 500.000 us, in
|                         enumerate(DataLoader)#_SingleProcessDataLoaderIter.
|                         __next__), all of it between steps 41 and 42.
| ✗ Input pipeline        25.0 % of the step time waits for input: highly
|                         input-bound.
| ! Idle time             Cannot tell why GPU 0 idles for 679.375 us (33.9 % of
|                         the time): not recorded, all of it between steps.
| ! Device busy           GPU 0 is busy 34.0 % of its span and idle for
|                         1.204 ms, 56.4 % of it lost to reasons that were not
|                         recorded.
| 1 of 26   rule other: fail
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
keys j
| two_step…json  1 Overview 2 Timeline 3 Steps 4 Ops 5 Kernels 6 Input [9 Guide]
| 3 failed, 5 warnings, 1 undecided, 3 for information, 14 fine
|
| ✗ Unexplained time      41.3 % of the step time is explained by no recorded
|                         event: high.
| ✗ Idle time             Input wait: GPU 0 idles for 500.000 us (25.0 % of the
|                         time) while the next batch is not ready (the longest
|                         stretch, 500.000 us, in
|                         enumerate(DataLoader)#_SingleProcessDataLoaderIter.
|                         __next__), all of it between steps 41 and 42.
|   what to do  The training thread loads the batches itself: give the
|               DataLoader num_workers > 0, pin_memory=True and
|               persistent_workers=True, or prepare input on other threads.
|   at stake    500.000 us
|   confidence  0.97
|   formula     idle time of this cause in the table 'idle_causes', with steps
|               before the first and after the last work but without start-up /
|               time watched; reported from 2 %, warning from 5 %, fail from
|               20 %; for launch latency, Python overhead, host compute and
|               synchronisation from 5, 10 and 30 %; for not recorded and held
|               back from 5 and 10 %
|
| 2 of 26   rule idle: fail
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
