# Kernels come by name; a key tells launch shapes and ops apart.
size 100x12   trace two_steps.json
keys 5
| two_steps.json                1 Overview  2 Timeline  3 Steps  4 Ops [5 Kernels] 6 Input  9 Guide
| Kernels; by name (o: by launch shape and op)                                         l: +4 columns
| name                   tc     precision    share      total↓  count         avg         min
| volta_sgemm_128x64_nn  could  fp32       100.0 %  599.500 us      2  299.750 us  299.000 us
|
|
|
|
|
|
| 1 of 1   volta_sgemm_128x64_nn
|Enter show  o groups  h l columns  b biggest gap  e export  ? help  : command  / search  q back
keys o
| two_steps.json                1 Overview  2 Timeline  3 Steps  4 Ops [5 Kernels] 6 Input  9 Guide
| Kernels; by launch shape and op (o: by family)                                      l: +29 columns
| name                   tc     precision    share      total↓  count         avg  occupancy
| volta_sgemm_128x64_nn  could  fp32       100.0 %  599.500 us      2  299.750 us      1.2 %
|
|
|
|
|
|
| 1 of 1   volta_sgemm_128x64_nn
|Enter show  o groups  h l columns  b biggest gap  e export  ? help  : command  / search  q back
keys o
| two_steps.json                1 Overview  2 Timeline  3 Steps  4 Ops [5 Kernels] 6 Input  9 Guide
| Kernels; by family (o: by name)                                                      l: +3 columns
| family  kernel time      total↓  kernels  kernel names         avg     tc  top kernel
| gemm        100.0 %  599.500 us        2             1  299.750 us  0.0 %  volta_sgemm_128x64_nn
|
|
|
|
|
|
| 1 of 1   matrix products
|Enter show  o groups  h l columns  b biggest gap  e export  ? help  : command  / search  q back
