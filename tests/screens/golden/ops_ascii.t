# Ops without Unicode, by scope.
size 80x24   trace two_steps.json -- --ascii
keys 4
| two_step~json  1 Overview 2 Timeline 3 Steps [4 Ops] 5 Kernels 6 Input 9 Guide
| Ops; by op (o: type), without idle time (i)                     l: +23 columns
| Devices, by type                       Devices, by op
| mm               ##########+   96.8 %  aten::mm         ##########+   96.8 %
| (outside ops)    -..........    3.2 %  (no op)          -..........    3.2 %
|
|
| Host, by type                          Host, by op
| mm               ###########  100.0 %  aten::mm         ###########  100.0 %
|
|
|
|
| host or device  op          share        self  count         avg  bound by
| Device          aten::mm   96.8 %  599.500 us      2  299.750 us  Unknown
| Device          (no op)     3.2 %   20.000 us      1   20.000 us  Unknown
| Host            aten::mm  100.0 %   90.500 us      2   45.250 us  Unknown
|
|
|
|
|
| 1 of 3
|Enter show  o groups  t picture  i idle  r flip  b biggest gap  e export  ? help
keys o o
| two_step~json  1 Overview 2 Timeline 3 Steps [4 Ops] 5 Kernels 6 Input 9 Guide
| Ops; by scope (o: module), without idle time (i)                l: +22 columns
| Devices, by type                       Devices, by op
| mm               ##########+   96.8 %  aten::mm         ##########+   96.8 %
| (outside ops)    -..........    3.2 %  (no op)          -..........    3.2 %
|
|
| Host, by type                          Host, by op
| mm               ###########  100.0 %  aten::mm         ###########  100.0 %
|
|
|
|
| host or d~  op            share        self  count         avg  bound by  type
| Device      (no scope)  100.0 %  619.500 us      3  206.500 us  Unknown   -
| Host        (no scope)  100.0 %   90.500 us      2   45.250 us  Unknown   mm
|
|
|
|
|
|
| 1 of 2
|Enter show  o groups  t picture  i idle  r flip  b biggest gap  e export  ? help
