# Zooms, pans and jumps are steps: a burst of w and d is one, each gap is one; Backspace goes back over them, Ctrl-r forward.
size 80x14   trace two_steps.json
keys 2
| two_step…json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace  !█████████▄····················!················▁█████████▄
|                ▼0 us          │500 us         │1.0 ms         │1.5 ms         │
|          steps │step 41                        │step 42
|GPU 0           │▆█████████··········· 41→42 1.204 ms ············█████████▄
| stream 7 comp… │▐volta_sg…▌····················┊················▕volta_sg…▌
|python 100      │                               ┊
| thread 100 (p… ProfilerStep#41█████████████████▏ProfilerStep#42████████████████
|                ▐▆▎                             enumerate(DataL…▏▐▊
|                ▃                               ┊                ▃
|─ nothing selected ─────────────────────────────────────────────────────────────
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)
| stream 7  at 0 ns  view 2.003 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys w w w d
| two_step…json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace  [██████]██▄····················!················▁█████████▄
|                                 │100 us                   │200 us
|          steps │step 41
|GPU 0             ▆█████████████████████████████████████████████████████████████
| stream 7 comp…   ▐volta_sgemm_128x64_nn████████████████████████████████████████
|python 100
| thread 100 (p… ProfilerStep#41█████████████████████████████████████████████████
|                aten…  ▐██▍
|
|─ nothing selected ─────────────────────────────────────────────────────────────
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)
| stream 7  at 0 ns  view 250.375 us
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys g
| two_step…json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace  !█████████▄····················!················▁█████████▄
|                │0 us      ▼   │500 us         │1.0 ms         │1.5 ms         │
|          steps │step 41                        │step 42
|GPU 0           ┊▆█████████··········· 41→42 1.204 ms ············█████████▄
| stream 7 comp… ┊▐volta_sg…▌·····································▕volta_sg…▌
|python 100      ┊          │                    ┊
| thread 100 (p… ProfilerStep#41█████████████████▏ProfilerStep#42████████████████
|                ▐▆▎        │                    enumerate(DataL…▏▐▊
|                ▃          │                    ┊                ▃
|─ gap 41→42: 1.204 ms, 79.0 % of 1.525 ms, GPU 0 ───────────────── Enter more ──
| cause maybe input wait 500.000 us (41.5 %), all in enumerate(Da...ter.__next__
| stream 7  at 360.625 us  view 2.003 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys BSpace
| two_step…json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace  [██████]██▄····················!················▁█████████▄
|                                 │100 us                   │200 us
|          steps │step 41
|GPU 0             ▆█████████████████████████████████████████████████████████████
| stream 7 comp…   ▐volta_sgemm_128x64_nn████████████████████████████████████████
|python 100
| thread 100 (p… ProfilerStep#41█████████████████████████████████████████████████
|                aten…  ▐██▍
|
|─ nothing selected ─────────────────────────────────────────────────────────────
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)
| stream 7  at 0 ns  view 250.375 us
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys BSpace
| two_step…json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace  !█████████▄····················!················▁█████████▄
|                ▼0 us          │500 us         │1.0 ms         │1.5 ms         │
|          steps │step 41                        │step 42
|GPU 0           │▆█████████··········· 41→42 1.204 ms ············█████████▄
| stream 7 comp… │▐volta_sg…▌····················┊················▕volta_sg…▌
|python 100      │                               ┊
| thread 100 (p… ProfilerStep#41█████████████████▏ProfilerStep#42████████████████
|                ▐▆▎                             enumerate(DataL…▏▐▊
|                ▃                               ┊                ▃
|─ nothing selected ─────────────────────────────────────────────────────────────
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)
| stream 7  at 0 ns  view 2.003 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys C-r
| two_step…json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace  [██████]██▄····················!················▁█████████▄
|                                 │100 us                   │200 us
|          steps │step 41
|GPU 0             ▆█████████████████████████████████████████████████████████████
| stream 7 comp…   ▐volta_sgemm_128x64_nn████████████████████████████████████████
|python 100
| thread 100 (p… ProfilerStep#41█████████████████████████████████████████████████
|                aten…  ▐██▍
|
|─ nothing selected ─────────────────────────────────────────────────────────────
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)
| stream 7  at 0 ns  view 250.375 us
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
