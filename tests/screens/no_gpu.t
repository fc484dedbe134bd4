# A trace without a GPU: device panes are empty and say so.
size 100x24   trace sample
keys 5
| host.xplane.pb                                         1 Overview  2 Timeline  3 Steps [5 Kernels]
| kernel statistics with Tensor Core use and precision
| name  share  total↓  count  avg  min  max  uses tc  precision  op  registers  smem bytes  block
|
| nothing here: this trace or window holds none
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
|Enter show  j k row  < > sort  r turn  l columns  b biggest gap  e export  ? help  : command  q quit
