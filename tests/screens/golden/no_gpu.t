# A trace without a GPU: device panes are empty and say so.
size 100x24   trace sample
keys 5
| host.xplane.pb                1 Overview  2 Timeline  3 Steps  4 Ops [5 Kernels] 6 Input  9 Guide
| Kernels; by name (o: by launch shape and op)
| name  tc  precision  share  total↓  count  avg  min  max  op  family  forms
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
|Enter show  o groups  j k row  < > sort  r flip  l columns  b biggest gap  e export  ? help  q back
keys 8
| host.xplane.pb        1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Comms]
| No device works in this trace or window: who waits for whom cannot be told.
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
|b biggest gap  e export  ? help  : command  / search  Backspace back  q back  & filter
