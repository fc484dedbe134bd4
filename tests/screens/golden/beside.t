# Two runs beside each other: the answer, where it comes from, both timelines on one scale; ops, the next one, help
size 80x24   trace diff -- tests/traces/changes/torch-before.json.gz tests/traces/changes/torch-after.json.gz
settle
| A torch-before.json.gz   B torch-after.json.gz                       [Compare]
| step 10.094 ms → 7.914 ms (-21.6 %): input wait -3.991 ms
|
| [parts 4] findings  advice  ops            A           B      change   of step
| step                ·········██    10.094 ms    7.914 ms   -2.179 ms   -21.6 %
| input wait          ·······████     4.492 ms  501.293 us   -3.991 ms   -39.5 %
| other host work     ·······██       4.887 ms    6.722 ms   +1.835 ms   +18.2 %
| other               ·········█    714.708 us  690.996 us  -23.712 us    -0.2 %
|
|    of the step  │0 ms                          │5 ms
|A torch-before… ││step 12                                                      │
|python 8562      │                                                             ┊
| thread 8562 (… █▐ProfilerStep#12█████████████████████████████████████████████▊█
|                ▋▐enumerate(DataLoader)#_Si…▄▏aten::l…▅▆▂▂▇▇autograd:…▊▂▐Opti…▌▐
|                ▁│ ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▐▊▁▕▏aten::a…▄▅▁▁▆▇AddmmBack…▅▁ ▐███▆▁┊
|                ▁│                       ▐▅▁▕▂         ▃▁▁▃▇aten::mm██▂▁ ▂   ▁ ┊
|B torch-after.… ││step 12                                            │step 13
|python 8766      │                                                   ┊
| thread 8766 (… ▊▐ProfilerStep#12████████████████████████████████████▐ProfilerS…
|                ▌▐██▆▆aten::linear█▃▆▂▄▆▏autograd::engine::…▁▏Optim…▋▐en…▃▏aten…
|                 │▐█▁▄aten::addmm██▂▆▂▃▅▏AddmmBackward0████▅▁ ██▏██▆▁┊██▅▕▏aten…
|                 │▐█▁▂              ▃▁▂▃▏aten::mm██████████▃▁ ▂    ▁▁┊▐█▄ ▁
| parts 1 of 4: step                                 cursor 0 ns after the start
|n next  Tab list  Enter open  A B explore  w s zoom  a d pan  f fit  0 step
keys Tab Tab Tab n f
| A torch-before.json.gz   B torch-after.json.gz                       [Compare]
| step 10.094 ms → 7.914 ms (-21.6 %): input wait -3.991 ms
|
|  findings  advice [ops 51] gaps            A           B      change    change
| aten::mm, Host                 █    1.634 ms    2.757 ms   +1.122 ms   +68.7 %
| aten::addmm, Host              █    1.517 ms    2.267 ms +750.771 us   +49.5 %
| aten::cat, Host                █  928.993 us  254.174 us -674.819 us   -72.6 %
| aten::mul_, Host               █  201.940 us  241.597 us  +39.657 us   +19.6 %
| autograd::engine::eva..., Ho…  █   77.183 us   41.022 us  -36.161 us   -46.9 %
|    of the step                 │2 ms                   │4 ms                  │
|A torch-before… │step 12
|python 8562      │
| thread 8562 (… ProfilerStep#12█████████████████████████████████████████████████
|                enumerate(DataLoader)#_SingleProcessDataLo…▐▃aten::linear█████▊▃
|                ▁▁ ▁▁▁▁ ▁▁▁▁ ▁▁▁▁ ▁▁▁ ▁▁▁ ▁▁ ▁] AddmmBackward0, 2.236 ms later ▶
|                 │                                    ▐█▅▁   ▄▁
|B torch-after.… │step 12
|python 8766      │
| thread 8766 (… ProfilerStep#12█████████████████████████████████████████████████
|                ▃aten::linear█████████████▋▄▐▅▍▂▕▇█▆autograd::engine::evaluate_…
|                ▕▏aten::addmm█████████████▌▂▆▅▂▂▕▆▅▶AddmmBackward0██████████████
|                ▕▃                          ▂▃▂▁▕▄▂▄aten::mm████████████████████
| ops 2 of 51: aten::addmm, Host               cursor 705.759 us after the start
|n next  Tab list  Enter open  A B explore  w s zoom  a d pan  f fit  0 step
keys A
| torch-be…n.gz  1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace ▇████▇████▇████▇████▇████▇████[██]█▇███████▇████▇███▇████▇████▁
|                                     │66 ms                 │68 ms
|          steps │step 12
|python 8562                                                  │
| thread 8562 (… ProfilerStep#12██████████████████████████████│██████████████████
|                enumerate(DataLoader)#_SingleProcessDataLo…▐▃aten::linear█████▊▃
|                ▁▁ ▁▁▁▁ ▁▁▁▁ ▁▁▁▁ ▁▁▁ ▁▁▁ ▁▁ ▁] AddmmBackward0, 2.236 ms later ▶
|                                                      ▐█▅▁   ▄▁
|   2 rows: z                                                 ▁
| recorder ×3: z                                              │
|
|
|
|
|─ op #1103  aten::addmm ────────────────────────────────────────── Enter more ──
| cell 2 events: aten::addmm 1 x, aten::t 1 x   duration 1.477 ms
| self 1.442 ms (97.6 %)   start 68.040 ms   step 12
| flow to AddmmBackward0 #1177   lane thread 8562 (python)   cat cpu_op
| External id 1104   Sequence number 85   Fwd thread id 0   Record function id 0
| Concrete Inputs ["", "", "", "1", "1"]
| Input type ["float", "float", "float", "Scalar", "Scalar"]
| A, torch-before.json.gz; q goes back to the comparison
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys q ?
| torch-before…son.gz  1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input 9 Guide [Help]
| two runs side by side
|  n j Down                 the next difference, the largest change first, on
|                           both timelines
|  N k Up                   the difference before
|  Tab                      the next list: step, findings, advice, families,
|                           ops, kernels, copies, idle times, gaps, memory,
|                           kernels in their order
|  Enter                    open the explorer of B at this place; of A where
|                           only A has it
|  A                        open the explorer of A at this place; q comes back
|  B                        open the explorer of B at this place; q comes back
|  w +                      zoom in around the cursor, both timelines alike
|  s -                      zoom out
|  a Left                   move both views to the left
|  d Right                  move both views to the right
|  f                        fit what is chosen into the view
|  0                        show the whole step
|  ? F1                     all keys and commands
|  q Esc                    close the comparison
|  :                        commands, of A
|  h                        move the cursor of both one column to the left
|
|j k scroll  Ctrl-d page                                                  q close
