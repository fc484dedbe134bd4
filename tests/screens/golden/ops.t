# Ops: bars of the largest, then every op; by type; with idle time; without bars.
size 80x24   trace two_steps.json
keys 4
| two_step…json  1 Overview 2 Timeline 3 Steps [4 Ops] 5 Kernels 6 Input 9 Guide
| Ops; by op (o: type), without idle time (i)                     l: +23 columns
| Devices, by type                       Devices, by op
| mm               ██████████▋   96.8 %  aten::mm         ██████████▋   96.8 %
| (outside ops)    ▍··········    3.2 %  (no op)          ▍··········    3.2 %
|
|
| Host, by type                          Host, by op
| mm               ███████████  100.0 %  aten::mm         ███████████  100.0 %
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
keys o
| two_step…json  1 Overview 2 Timeline 3 Steps [4 Ops] 5 Kernels 6 Input 9 Guide
| Ops; by type (o: scope), without idle time (i)                  l: +23 columns
| Devices, by type                       Devices, by op
| mm               ██████████▋   96.8 %  aten::mm         ██████████▋   96.8 %
| (outside ops)    ▍··········    3.2 %  (no op)          ▍··········    3.2 %
|
|
| Host, by type                          Host, by op
| mm               ███████████  100.0 %  aten::mm         ███████████  100.0 %
|
|
|
|
| host or devi…  op               share        self  count         avg  bound by
| Device         mm              96.8 %  599.500 us      2  299.750 us  Unknown
| Device         (outside ops)    3.2 %   20.000 us      1   20.000 us  Unknown
| Host           mm             100.0 %   90.500 us      2   45.250 us  Unknown
|
|
|
|
|
| 1 of 3
|Enter show  o groups  t picture  i idle  r flip  b biggest gap  e export  ? help
keys i
| two_step…json  1 Overview 2 Timeline 3 Steps [4 Ops] 5 Kernels 6 Input 9 Guide
| Ops; by type (o: scope), with idle time (i)                     l: +23 columns
| Devices, by type                       Devices, by op
| mm               ██████████▋   96.8 %  aten::mm         ██████████▋   96.8 %
| (outside ops)    ▍··········    3.2 %  (no op)          ▍··········    3.2 %
|
|
| Host, by type                          Host, by op
| mm               ███████████  100.0 %  aten::mm         ███████████  100.0 %
|
|
|
|
| host or device  op              share        self  count         avg  bound by
| Device          IDLE           66.0 %    1.204 ms      0           -  Unknown
| Device          mm             32.9 %  599.500 us      2  299.750 us  Unknown
| Device          (outside ops)   1.1 %   20.000 us      1   20.000 us  Unknown
| Host            IDLE           94.3 %    1.489 ms      0           -  Unknown
| Host            mm              5.7 %   90.500 us      2   45.250 us  Unknown
|
|
|
| 1 of 5
|Enter show  o groups  t picture  i idle  r flip  b biggest gap  e export  ? help
keys t
| two_step…json  1 Overview 2 Timeline 3 Steps [4 Ops] 5 Kernels 6 Input 9 Guide
| Ops; by type (o: scope), with idle time (i)                     l: +23 columns
| host or device  op              share        self  count         avg  bound by
| Device          IDLE           66.0 %    1.204 ms      0           -  Unknown
| Device          mm             32.9 %  599.500 us      2  299.750 us  Unknown
| Device          (outside ops)   1.1 %   20.000 us      1   20.000 us  Unknown
| Host            IDLE           94.3 %    1.489 ms      0           -  Unknown
| Host            mm              5.7 %   90.500 us      2   45.250 us  Unknown
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
| 1 of 5
|Enter show  o groups  t picture  i idle  r flip  b biggest gap  e export  ? help
