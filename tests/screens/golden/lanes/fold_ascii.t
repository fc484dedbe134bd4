# The same in ASCII.
size 80x24   trace frames.json -- --ascii
keys 2
wait wrapper frames
| frames.json    1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace !+++!..........._+++_..........._+++_..........._+++_
|                v0 ms           |10 ms          |20 ms          |30 ms
|steps (inferre~ ||||step 3      ||||step 7      ||||step 11     ||||
|GPU 0           _.... 7.650 ms ...... 7.650 ms ...... 7.650 ms ....._
| stream 7 comp~ |-__ ........... -__ ........... -__ ........... -__
|                -###-...........-###-...........-###-...........-###-
| ` op (derived) aten~           aten~           aten~           aten~
|python 100      |
| thread 100 (p~ 3 wrapper frames::::::::::::::::::::::::::::::::::::::::::::::::
|                train.py(90): <module>##########################################
|                train.py(70): main##############################################
|                train.py(41): epoch#############################################
|                train.py(~|data~|train.py~|data~|train.py~|data~|train.py~|data~
|   +5 rows: z   +nn.~|   +funct~+nn.~|   +funct~+nn.~|   +funct~+nn.~|   +funct~
|
|
|
|
|                + busy  # kernel  . gap  # op  # python
|- nothing selected -------------------------------------------------------------
| cell 2 events: relu_kernel 1 x, volta_sgemm_128x64_nn 1 x   lane stream 7
| stream 7  at 0 ns  view 40.000 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys b
wait above: z
| frames.json    1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace [+++!..........._+++_..]........_+++_..........._+++_
|                      |0 ms      v        |5 ms              |10 ms
|steps (inferre~         |0|1|2 |step 3                        |4|5|6 |step 7
|GPU 0                   -+.+....-........ 3>4 7.650 ms ........+.+....-7.650 ms.
| stream 7 comp~          __-_ -_ +............................ _ -_ +_ +........
|                        +########+............................+########+........
| ` op (derived)         aten::add~                            aten::add~
|python 100                       |
| thread 100 (p~        |nn.Module:~|         |functools.py(~+|nn.Module:~|
|   +7 above: z         |module.py(~|         |data.py(15): ~+|module.py(~|
|                       |net.py(20)~|         |__init__.py(2~+|net.py(20)~|
|                        -++-++-++|           |decoder.py(33~- -++-++-++
|                        -+--+--+-|                            -+--+--++
|                        _________|                            _________
|- gap 3>4: 7.650 ms, 93.3 % of 8.200 ms, GPU 0 ------------------- Enter more --
| cause maybe input wait 3.900 ms (51.0 %), most in decoder....: decode 3.800 ms
| confidence 0.39   from 2.750 ms to 10.400 ms
| advice Prepare input ahead of time on other threads or processes, or on the
|        device, and copy it from pinned memory.
| before volta_sgemm_128x64_nn   after relu_kernel
| then train.py(12): step 2.800 ms (36.6 %)
| stream 7  at 2.750 ms  view 16.830 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
