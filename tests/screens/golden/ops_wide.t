# Ops on a large screen: four charts side by side.
size 200x60   trace two_steps.json
keys 4
| two_steps.json                                                                                                                    1 Overview  2 Timeline  3 Steps [4 Ops] 5 Kernels  6 Input  9 Guide
| Ops; by op (o: type), without idle time (i)                                                                                                                                             l: +13 columns
| Devices, by type                                 Devices, by op                                   Host, by type                                    Host, by op
| mm                     ██████████████▌   96.8 %  aten::mm               ██████████████▌   96.8 %  mm                     ███████████████  100.0 %  aten::mm               ███████████████  100.0 %
| (outside ops)          ▌··············    3.2 %  (no op)                ▌··············    3.2 %
|
|
|
|
|
|
|
|
| host or …  op          share        self  count         avg  bound by  type           eager       total  pieces  op rank    avg self  device share  device share so far  host share  host share so far
| Device     aten::mm   96.8 %  599.500 us      2  299.750 us  Unknown   mm             Eager  599.500 us       2        1  299.750 us        96.8 %               96.8 %           -                  -
| Device     (no op)     3.2 %   20.000 us      1   20.000 us  Unknown   (outside ops)  Eager   20.000 us       1        2   20.000 us         3.2 %              100.0 %           -                  -
| Host       aten::mm  100.0 %   90.500 us      2   45.250 us  Unknown   mm             Eager   90.500 us       2        3   45.250 us             -                    -     100.0 %            100.0 %
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
| 1 of 3
|Enter show  o groups  t picture  i idle  j k row  < > sort  r flip  h l columns  b biggest gap  e export  ? help  : command  / search  Backspace back  q back  & filter
