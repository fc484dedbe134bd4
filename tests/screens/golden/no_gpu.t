# A trace without a GPU: device panes are empty and say so.
size 100x24   trace sample
keys 5
| host.xplane.pb                1 Overview  2 Timeline  3 Steps  4 Ops [5 Kernels] 6 Input  9 Guide
| Kernels; by name (o: by launch shape and op)
| name  tc  precision  share  total↓  count  avg  min  max  op  family  forms
|
| no device work is recorded in this trace: no kernel, copy or memset
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
keys 8
| host.xplane.pb        1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Comms]
| No device works in this trace or window: cannot tell who waits for whom.
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
keys j
| host.xplane.pb        1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Comms]
| No device works in this trace or window: cannot tell who waits for whom.
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
| there is nothing to select here
|b biggest gap  e export  ? help  : command  / search  Backspace back  q back  & filter
