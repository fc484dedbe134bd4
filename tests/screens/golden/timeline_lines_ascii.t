# The same on 80x24 in ASCII.
size 80x24   trace two_steps.json -- --ascii
keys 2
keys l l l l l l l l l l l l l l l l l l l l l l
| two_step~json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace  !#########-....................!................_#########-
|                |0 us          |500 usv        |1.0 ms         |1.5 ms         |
|          steps |step 41                        |step 42
|GPU 0           :+#########...........|41>42 1.204 ms ............#########-
| stream 7 comp~ :+volta_sg~+..........|.........:................|volta_sg~+
|                :+#########+..........|.........:................|#########+
| ` op (derived) :aten::mm##           |         :                aten::mm###
|python 100      :                     |         :
| thread 100 (p~ ProfilerStep#41#######|#########|ProfilerStep#42################
|                ++|                   |         enumerate(DataL~|+#
|                -                     |         :                -
|
|
|
|
|
|
|
|                + busy  # kernel  = copy  . gap  # op  # annotation
|- nothing selected -------------------------------------------------------------
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)
| stream 7  at 688.531 us  view 2.003 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys v
keys l l l l l l l
| two_step~json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace  !#########-....................!................_#########-
|                |0 us          |500 us       v |1.0 ms         |1.5 ms         |
|          steps |step 41                        |step 42
|GPU 0           :+#########...........[41>42 1.204 ms ............#########-
| stream 7 comp~ :+volta_sg~+..........[......]..:................|volta_sg~+
|                :+#########+..........[......]..:................|#########+
| ` op (derived) :aten::mm##           [      ]  :                aten::mm###
|python 100      :                     [      ]  :
| thread 100 (p~ ProfilerStep#41##############|##|ProfilerStep#42################
|                ++|                   [      ]  enumerate(DataL~|+#
|                -                     [      ]  :                -
|
|
|
|
|
|
|
|                + busy  # kernel  = copy  . gap  # op  # annotation
|- nothing selected -------------------------------------------------------------
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)
| stream 7  at 907.609 us  view 2.003 ms  range 250.374 us
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
