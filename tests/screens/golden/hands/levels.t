# q closes what is on top, then the timeline that a row was opened in, then the list; on the first screen it would leave.
size 100x14   trace two_steps.json
keys 4
wait 1 of 3
keys Enter
keys ?
| two_steps.json         1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Help]
| timeline
|  w +                      zoom in around the cursor
|  s -                      zoom out
|  a Left                   move the view to the left
|  d Right                  move the view to the right
|  j Down                   next lane
|  k Up                     previous lane
|  Tab .                    next event on this lane
|  S-Tab ,                  previous event on this lane
|  g                        next gap between two steps
|  G                        previous gap between two steps
|
|j k scroll  Ctrl-d page                                                                      q close
keys q
| two_steps.json                1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|        whole trace [!████████████]·························!·····················▄███████████▃
|                          ▼            │100 us                │200 us               │300 us
|              steps │step 41
|GPU 0                     ▃██████████████████████████████████████████████████████████████████████···
| stream 7 compute+…       ▐volta_sgemm_128x64_nn█████████████████████████████████████████████▏Me…▊··
|python 100            ┏━━━▲
| thread 100 (pytho… ProfilerStep#41█████████████████████████████████████████████████████████████████
|                    aten::mm█▏ ██▊
|                      ▐█▍ │
|─ kernel #0  volta_sgemm_128x64_nn ─────────────────────────────────────────────────── Enter more ──
| duration 300.500 us   start 40.125 us   step 41   launch [ cudaLaunchKernel #5, 20.125 us before
| stream 7  at 40.125 us  view 360.600 us
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  f fit  b biggest gap  e export  ? help
keys q
| two_steps.json                1 Overview  2 Timeline  3 Steps [4 Ops] 5 Kernels  6 Input  9 Guide
| Ops; by op (o: type), without idle time (i)                                         l: +21 columns
| host or device  op          share        self  count         avg  bound by  type           eager
| Device          aten::mm   96.8 %  599.500 us      2  299.750 us  Unknown   mm             Eager
| Device          (no op)     3.2 %   20.000 us      1   20.000 us  Unknown   (outside ops)  Eager
| Host            aten::mm  100.0 %   90.500 us      2   45.250 us  Unknown   mm             Eager
|
|
|
|
|
|
| 1 of 3
|Enter show  o groups  t picture  i idle  j k row  < > sort  r flip  b biggest gap  e export  ? help
keys q
| two_steps.json               [1 Overview] 2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
| ✗ unexplained time: 41.3 % of the step is explained by no recorded event; then: input wait
| How far from ideal                         │ Findings                                   in full: 9
| Device compute      30.0 %  70.0 % to go   │ ✗ 41.3 % of the step time is explained by no recorde…
| Ops on device      100.0 %   0.0 % to go   │ ✗ Input wait: GPU 0 idles for 500.000 us (25.0 % of …
| 16-bit kernels       0.0 % 100.0 % to go   │ ✗ 25.0 % of the step time waits for input: highly in…
| Device busy         34.0 % █████▏········· │
| Step time         1.000 ms ± 0 ns          │ Top ops
|   of            2 steps                    │ name       share        self
|   goes to       CCCCCCCCOIIIIIIILH........ │ aten::mm  96.8 %  599.500 us
|   copies on device   0.0 % ··············· │ (no op)    3.2 %   20.000 us
|   collectives        0.0 % ··············· │
| q once more leaves; Q leaves at once from anywhere
|Enter show  j k line  h l side  b biggest gap  e export  ? help  : command  / search  Backspace back
