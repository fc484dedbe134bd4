# Memory in use over time and at the peak: a loop that keeps 1 MiB of every step; o groups by size, Enter goes to the allocation.
size 80x24   trace torch-leak/leak.pt.trace.json.gz
keys 7
settle
| leak.pt.tr…n.gz  1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input [7 Memory] 9 Guide
| Memory of the host (cpu) grows by 1.0 MiB per step (11.1 % of its peak): 6 of
| 6 steps leave blocks behind, the largest one by aten::clone.
| cpu  peak 9.0 MiB of -, held 0 B   █ in use  ░ held
|   9.0 MiB                                                      ▂▂▂ ▃▃▃▃▃▃█▇▇▇▇
|                                                          ▄▄ ▁ ▅███▅███████████
|                                             ▁▁▁▅▅▅▅▂▂▇▇▅▅██▇█▇████████████████
|                                 ▁    ▂▂▂▇▂▂▄██████████████████████████████████
|                         ▃▃▃▃  ▄▄█▆▄▄▄█████████████████████████████████████████
|                 ▄▄▄▄▄▆▆▆████▆▆████████████████████████████████████████████████
|       0 B ▃▃▇▇▇▇██████████████████████████████████████████████████████████████
|     phase f b   o  flb bo  b  bbff   b of  fbb o  fb bb  of l bb    peak ▲
| memory of      at the peak, by op           in use   share   blocks    largest
| cpu            aten::clone                 8.0 MiB  88.8 %        8    1.0 MiB
| cpu            aten::mm                    1.0 MiB  11.2 %        2    1.0 MiB
| cpu            aten::sum                   1.0 KiB   0.0 %        2    1.0 KiB
| cpu            aten::nll_loss_forward          4 B   0.0 %        1        4 B
|
|
|
|
|
| 1 of 4
|Enter show  j k select  t table  o groups  b biggest gap  e export  ? help
keys j
settle
| leak.pt.tr…n.gz  1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input [7 Memory] 9 Guide
| Memory of the host (cpu) grows by 1.0 MiB per step (11.1 % of its peak): 6 of
| 6 steps leave blocks behind, the largest one by aten::clone.
| cpu  peak 9.0 MiB of -, held 0 B   █ in use  ░ held
|   9.0 MiB                                                      ▂▂▂ ▃▃▃▃▃▃█▇▇▇▇
|                                                          ▄▄ ▁ ▅███▅███████████
|                                             ▁▁▁▅▅▅▅▂▂▇▇▅▅██▇█▇████████████████
|                                 ▁    ▂▂▂▇▂▂▄██████████████████████████████████
|                         ▃▃▃▃  ▄▄█▆▄▄▄█████████████████████████████████████████
|                 ▄▄▄▄▄▆▆▆████▆▆████████████████████████████████████████████████
|       0 B ▃▃▇▇▇▇██████████████████████████████████████████████████████████████
|     phase f b   o  flb bo  b  bbff   b of  fbb o  fb bb  of l bb    peak ▲
| memory of      at the peak, by op           in use   share   blocks    largest
| cpu            aten::clone                 8.0 MiB  88.8 %        8    1.0 MiB
| cpu            aten::mm                    1.0 MiB  11.2 %        2    1.0 MiB
| cpu            aten::sum                   1.0 KiB   0.0 %        2    1.0 KiB
| cpu            aten::nll_loss_forward          4 B   0.0 %        1        4 B
|
|
|
|
|
| 2 of 4
|Enter show  j k select  t table  o groups  b biggest gap  e export  ? help
keys o
settle
| leak.pt.tr…n.gz  1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input [7 Memory] 9 Guide
| Memory of the host (cpu) grows by 1.0 MiB per step (11.1 % of its peak): 6 of
| 6 steps leave blocks behind, the largest one by aten::clone.
| cpu  peak 9.0 MiB of -, held 0 B   █ in use  ░ held
|   9.0 MiB                                                      ▂▂▂ ▃▃▃▃▃▃█▇▇▇▇
|                                                          ▄▄ ▁ ▅███▅███████████
|                                             ▁▁▁▅▅▅▅▂▂▇▇▅▅██▇█▇████████████████
|                                 ▁    ▂▂▂▇▂▂▄██████████████████████████████████
|                         ▃▃▃▃  ▄▄█▆▄▄▄█████████████████████████████████████████
|                 ▄▄▄▄▄▆▆▆████▆▆████████████████████████████████████████████████
|       0 B ▃▃▇▇▇▇██████████████████████████████████████████████████████████████
|     phase f b   o  flb bo  b  bbff   b of  fbb o  fb bb  of l bb    peak ▲
| memory of      at the peak, by size         in use   share   blocks    largest
| cpu            1.0 MiB up to 2.0 MiB       9.0 MiB  99.9 %        9    1.0 MiB
| cpu            8.0 KiB up to 16.0 KiB     10.0 KiB   0.1 %        1   10.0 KiB
| cpu            1.0 KiB up to 2.0 KiB       1.0 KiB   0.0 %        1    1.0 KiB
| cpu            32 B up to 64 B                40 B   0.0 %        1       40 B
| cpu            4 B up to 8 B                   4 B   0.0 %        1        4 B
|
|
|
|
| 1 of 5
|Enter show  j k select  t table  o groups  b biggest gap  e export  ? help
resize 120x40
settle
| leak.pt.trace.json.gz                   1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input [7 Memory] 9 Guide
| Memory of the host (cpu) grows by 1.0 MiB per step (11.1 % of its peak): 6 of 6 steps leave blocks behind, the largest
| one by aten::clone.
| cpu  peak 9.0 MiB of -, held 0 B   █ in use  ░ held
|   9.0 MiB                                                                                                     ██▇▇▇▇▇▇
|                                                                                               ▅▅▅▅   ▇▇▇▇▇▇▇▇▇████████
|                                                                                       ▃      ▅████▅▅▇█████████████████
|                                                                      ▁▁▁▁▁▁    ▃▃▁▁▁▁▁█▃▃▅▅▃▃█████████████████████████
|                                                                  ▁▁▁▁██████▃▃▃▅███████████████████████████████████████
|                                                          ▅▅      █████████████████████████████████████████████████████
|                                               ▃      ▅▅▅▅██▅▅▅▇▅▅█████████████████████████████████████████████████████
|                                 ▁▁▁▁▁▁     ▃▃▁█▅▃▃▃▃▃█████████████████████████████████████████████████████████████████
|                             ▁▁▁▁██████▃▁▁▁▃███████████████████████████████████████████████████████████████████████████
|                     ▅▅▅▅▅▅  ██████████████████████████████████████████████████████████████████████████████████████████
|               ▅▅▅▅▅▅██████▇▆██████████████████████████████████████████████████████████████████████████████████████████
|       0 B ▃▅▅▅████████████████████████████████████████████████████████████████████████████████████████████████████████
|     phase ff  b     o    fllb   o    fb   bbboff    lb   of   ff b   o    fb  bbb    of  fl  bb     fb    peak ▲
| memory of      at the peak, by size                                      in use   share   blocks    largest     oldest
| cpu            1.0 MiB up to 2.0 MiB                                    9.0 MiB  99.9 %        9    1.0 MiB 250.142 ms
| cpu            8.0 KiB up to 16.0 KiB                                  10.0 KiB   0.1 %        1   10.0 KiB  27.086 ms
| cpu            1.0 KiB up to 2.0 KiB                                    1.0 KiB   0.0 %        1    1.0 KiB   1.145 ms
| cpu            32 B up to 64 B                                             40 B   0.0 %        1       40 B  27.013 ms
| cpu            4 B up to 8 B                                                4 B   0.0 %        1        4 B  27.538 ms
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
| 1 of 5
|Enter show  j k select  t table  o groups  f formulas  b biggest gap  e export  ? help  : command  / search  q back
keys Enter
settle
| leak.pt.trace.json.gz                   1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  7 Memory  9 Guide
|            whole trace ▇[███████████▇██████████▇███████▇█████████▇██████████████▇█████████▇██████████▇██████████!▁    ]
|                                ▼     │50 ms          │100 ms         │150 ms         │200 ms         │250 ms         │
|                  steps │step 2     │step 3   │step 4 │step 5    │step 6       │step 7    │step 8   │step 9
|python 29030                    │   ┊         ┊       ┊          ┊             ┊          ┊         ┊
| thread 29030 (python)  ProfilerSte…▏Profiler…▏Profil…▏ProfilerS…▏ProfilerStep#6▏Profiler…▏Profiler…▏ProfilerSt…▎
|                         ▁▇aut…▇▏at…▇▇▇▏█▇▏at…▆▇au…▇▇█▇▇ate…▇▏██▇▇at…▂ ▄au…▇at…▇▇▏█▇▇▏Opt…▇██▄  ▆▇██▇██▇autogr…▇▂
|                         ▁▇Add…▆▏at…▆▁▂██▇▇at…▆▇Nl…▇▄ ▆▇ate…▇▏██▆▇at…▂ ▄Ad…▆at…▇▇▏█▇▄    ▃▇██▃  ▆▆██▇██▇AddmmB…▆▂
|                         ▁▆ate…▅▏   ▁▁▂██▆▁   ▁▄at…▇▃ ▁▆ate…▆▏██▃▁   ▁ ▃at…▁   ▁▂██▇▄    ▁▁  ▁  ▅▁  ▁  ▆aten::…▅▏
|   3 rows: z             ▁▁    ▁│   ▁▁▁  ▁▁   ▁▁   ▁▁ ▁     ▁   ▁▁   ▁ ▁   ▁   ▁▁  ▁▁    ▁▁  ▁  ▁▁  ▁  ▁       ▁
| memory (derived)       ▁▁▁▁▁▁▁▁▂▂▂▂▂▁▂▂▂▂▃▃▃▃▃▂▂▂▂▃▃▃▄▃▃▃▃▃▄▄▄▄▄▄▄▄▄▄▄▅▅▅▅▅▅▅▅▅▅▅▅▆▆▅ 2.0 MiB in use, scale 0..9.0 MiB
| recorder ×3: z                 │   ┊         ┊       ┊          ┊             ┊          ┊         ┊                 ▁
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
|                        ▆ busy  ▓ copy  █ op  █ annotation  █ other  █ selected
|─ memory #178  [memory] ────────────────────────────────────────────────────────────────────────────────────────────────
| duration 0 ns   start 30.609 ms   step 2   lane thread 29030 (python)   cat cpu_instant_event   s t   Total Reserved 0
| Total Allocated 2108460   Bytes 1048576   Device Id -1   Device Type 0   Addr 94810642015296   finished false
| Ev Idx 1145
|
|
|
|
|
| thread 29030 (python)  at 30.609 ms  view 300.171 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  b biggest gap  e export  ? help  : command
