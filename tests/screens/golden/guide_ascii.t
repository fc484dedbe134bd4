# The findings in ASCII, without colours.
size 80x24   trace two_steps.json -- --ascii --color never
keys 9
| two_step~json  1 Overview 2 Timeline 3 Steps 4 Ops 5 Kernels 6 Input [9 Guide]
| 3 failed, 5 warnings, 1 undecided, 3 for information, 14 fine
|
| X Unexplained time      41.3 % of the step time is explained by no recorded
|                         event: high.
|   what to do  Record with with_stack=True to see what Python did.
|   at stake    826.000 us
|   formula     step time of no class / step time; moderate from 3 %, high from
|               15 %
|
| X Idle time             Input wait: GPU 0 idles for 500.000 us (25.0 % of the
|                         time) while the next batch is not ready (the longest
|                         stretch, 500.000 us, in
|                         enumerate(DataLoader)#_SingleProcessDataLoaderIter.
|                         __next__), all of it between steps 41 and 42.
| X Input pipeline        25.0 % of the step time waits for input: highly
|                         input-bound.
| ! Idle time             Cannot tell why GPU 0 idles for 679.375 us (33.9 % of
|                         the time): not recorded, all of it between steps.
| ! Device busy           GPU 0 is busy 34.0 % of its span and idle for
|                         1.204 ms, 56.4 % of it lost to reasons that were not
|                         recorded.
| 1 of 26   rule other: fail
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
