# Ops: bars of the largest, then every op; by type; with idle time; without bars.
size 80x24   trace two_steps.json
keys 4
| two_step…json  1 Overview 2 Timeline 3 Steps [4 Ops] 5 Kernels 6 Input 9 Guide
| Ops; by op (o: type), without idle time (i)                     l: +24 columns
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
| host or devi…  operation  self share  total self time  occurrences    avg time
| Device         aten::mm       96.8 %       599.500 us            2  299.750 us
| Device         (no op)         3.2 %        20.000 us            1   20.000 us
| Host           aten::mm      100.0 %        90.500 us            2   45.250 us
|
|
|
|
|
| 1 of 3
|Enter show  o groups  t picture  i idle  r flip  b biggest gap  e export  ? help
keys o
| two_step…json  1 Overview 2 Timeline 3 Steps [4 Ops] 5 Kernels 6 Input 9 Guide
| Ops; by type (o: scope), without idle time (i)                  l: +24 columns
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
| host or …  operation      self share  total self time  occurrences    avg time
| Device     mm                 96.8 %       599.500 us            2  299.750 us
| Device     (outside ops)       3.2 %        20.000 us            1   20.000 us
| Host       mm                100.0 %        90.500 us            2   45.250 us
|
|
|
|
|
| 1 of 3
|Enter show  o groups  t picture  i idle  r flip  b biggest gap  e export  ? help
keys i
| two_step…json  1 Overview 2 Timeline 3 Steps [4 Ops] 5 Kernels 6 Input 9 Guide
| Ops; by type (o: scope), with idle time (i)                     l: +24 columns
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
| host or …  operation      self share  total self time  occurrences    avg time
| Device     IDLE               66.0 %         1.204 ms            0           -
| Device     mm                 32.9 %       599.500 us            2  299.750 us
| Device     (outside ops)       1.1 %        20.000 us            1   20.000 us
| Host       IDLE               94.3 %         1.489 ms            0           -
| Host       mm                  5.7 %        90.500 us            2   45.250 us
|
|
|
| 1 of 5
|Enter show  o groups  t picture  i idle  r flip  b biggest gap  e export  ? help
keys t
| two_step…json  1 Overview 2 Timeline 3 Steps [4 Ops] 5 Kernels 6 Input 9 Guide
| Ops; by type (o: scope), with idle time (i)                     l: +24 columns
| host or …  operation      self share  total self time  occurrences    avg time
| Device     IDLE               66.0 %         1.204 ms            0           -
| Device     mm                 32.9 %       599.500 us            2  299.750 us
| Device     (outside ops)       1.1 %        20.000 us            1   20.000 us
| Host       IDLE               94.3 %         1.489 ms            0           -
| Host       mm                  5.7 %        90.500 us            2   45.250 us
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
