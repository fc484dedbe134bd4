# In a table `f` tells what each column means; q closes it.
size 80x24   trace two_steps.json
keys 5
wait 1 of 1
keys f
wait rounded down
| two_steps.json    1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input 9 Guide [Columns]
| what each column means and how it is made
|  share                    share_pct: of the time of all kernels
|  total                    total_ns: time of all kernels of this name
|  count                    how many
|  avg                      avg_ns: total / count, rounded down
|  min                      min_ns: the shortest one
|  max                      max_ns: the longest one
|  tc                       Tensor Cores: used; could: its op could use them and
|                           it does not; no: neither; unknown where names do not
|                           say
|  precision                by its name
|  op                       framework op that launched it; unknown where several
|                           did
|  name                     kernel name
|  forms                    launch shapes and ops it comes in: rows of the table
|                           by shape
|  family                   what it does, by its name, else the op of its
|                           largest part
|
|
|
|
|j k scroll  Ctrl-d page                                                  q close
keys q
wait groups
| two_step…json  1 Overview 2 Timeline 3 Steps 4 Ops [5 Kernels] 6 Input 9 Guide
| Kernels; by name (o: by launch shape and op)                     l: +6 columns
| name                   tc     precision    share      total↓  count
| volta_sgemm_128x64_nn  could  fp32       100.0 %  599.500 us      2
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
| 1 of 1   volta_sgemm_128x64_nn
|Enter show  o groups  h l columns  b biggest gap  e export  ? help  : command
