# From the start one key shows the biggest gap between steps, its length, its share and its cause.
size 80x24   trace two_steps.json
keys 2
keys b
| two_step…json  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace  !█████████▄····················!················▁█████████▄
|                │0 us      ▼   │500 us         │1.0 ms         │1.5 ms         │
|          steps │step 41                        │step 42
|GPU 0           ┊▆█████████··········· 41→42 1.204 ms ············█████████▄
| stream 7 comp… ┊▐volta_sg…▌·····································▕volta_sg…▌
|                ┊▐█████████▌·····································▕█████████▌
| └ op (derived) ┊aten::mm██│                    ┊                aten::mm███
|python 100      ┊          │                    ┊
| thread 100 (p… ProfilerStep#41█████████████████▏ProfilerStep#42████████████████
|                ▐▆▎        │                    enumerate(DataL…▏▐▊
|                ▃          │                    ┊                ▃
|
|
|
|─ gap 41→42: 1.204 ms, 79.0 % of 1.525 ms, GPU 0 ───────────────── Enter more ──
| cause maybe input wait 500.000 us (41.5 %), all in enumerate(Da...ter.__next__
| confidence 0.40   from 360.625 us to 1.565 ms   between markers 3.000 us
| advice The training thread loads the batches itself: give the DataLoader
|        num_workers > 0, pin_memory=True and persistent_workers=True, or
|        prepare input on other threads.
| before Memcpy DtoH (Device -> Pageable)   after volta_sgemm_128x64_nn
| stream 7  at 360.625 us  view 2.003 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
