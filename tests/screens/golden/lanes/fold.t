# Wrapper frames are one row with their count; what filled the gap is on the screen below it; z says when nothing is folded.
size 80x24   trace frames.json
keys 2
wait wrapper frames
| frames.json    1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace !▅▅▅!···········▁▅▅▅▂···········▁▅▅▅▂···········▁▅▅▅▂
|                ▼0 ms           │10 ms          │20 ms          │30 ms
|steps (inferre… ││││step 3      ││││step 7      ││││step 11     ││││
|GPU 0           ▁···· 7.650 ms ······ 7.650 ms ······ 7.650 ms ·····▂
| stream 7 comp… │▃▁▂ ··········· ▃▁▂ ··········· ▃▁▂ ··········· ▃▁▂
|                ▃███▄···········▃███▄···········▃███▄···········▃███▄
| └ op (derived) aten…           aten…           aten…           aten…
|python 100      │
| thread 100 (p… 3 wrapper frames░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
|                train.py(90): <module>██████████████████████████████████████████
|                train.py(70): main██████████████████████████████████████████████
|                train.py(41): epoch█████████████████████████████████████████████
|                train.py(…▏data…▏train.py…▏data…▏train.py…▏data…▏train.py…▏data…
|   +5 rows: z   ▐nn.…▏   ▐funct…▐nn.…▏   ▐funct…▐nn.…▏   ▐funct…▐nn.…▏   ▐funct…
|
|
|
|
|                ▆ busy  █ kernel  · gap  █ op  █ python
|─ nothing selected ─────────────────────────────────────────────────────────────
| cell 2 events: relu_kernel 1 x, volta_sgemm_128x64_nn 1 x   lane stream 7
| stream 7  at 0 ns  view 40.000 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys b
wait above: z
| frames.json    1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace [▅▅▅!···········▁▅▅▅▂··]········▁▅▅▅▂···········▁▅▅▅▂
|                      │0 ms      ▼        │5 ms              │10 ms
|steps (inferre…         │0│1│2 │step 3                        │4│5│6 │step 7
|GPU 0                   ▃▅·▆····▄········ 3→4 7.650 ms ········▅·▆····▃7.650 ms·
| stream 7 comp…          ▁▁▃▁ ▄▁ ▌···························· ▁ ▄▁ ▅▁ ▌········
|                        ▅███████▇▌····························▅███████▇▌········
| └ op (derived)         aten::add…                            aten::add…
|python 100                       │
| thread 100 (p…        ▕nn.Module:…▏         ▕functools.py(…▋▕nn.Module:…▎
|   +7 above: z         ▕module.py(…▏         ▕data.py(15): …▋▕module.py(…▎
|                       ▕net.py(20)…▏         ▕__init__.py(2…▌▕net.py(20)…▏
|                        ▄▆▅▄▆▅▄▆▅│           ▕decoder.py(33…▍ ▄▆▅▄▆▅▄▅▅
|                        ▄▅▄▃▅▄▃▅▄│                            ▃▅▄▃▅▄▃▅▅
|                        ▁▁▁▁▁▁▁▁▁│                            ▁▁▁▁▁▁▁▁▁
|─ gap 3→4: 7.650 ms, 93.3 % of 8.200 ms, GPU 0 ─────────────────── Enter more ──
| cause maybe input wait 3.900 ms (51.0 %), most in decoder....: decode 3.800 ms
| confidence 0.39   from 2.750 ms to 10.400 ms
| advice Prepare input ahead of time on other threads or processes, or on the
|        device, and copy it from pinned memory.
| before volta_sgemm_128x64_nn   after relu_kernel
| then train.py(12): step 2.800 ms (36.6 %)
| stream 7  at 2.750 ms  view 16.830 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys z
wait nothing is folded
| frames.json    1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace [▅▅▅!···········▁▅▅▅▂··]········▁▅▅▅▂···········▁▅▅▅▂
|                      │0 ms      ▼        │5 ms              │10 ms
|steps (inferre…         │0│1│2 │step 3                        │4│5│6 │step 7
|GPU 0                   ▃▅·▆····▄········ 3→4 7.650 ms ········▅·▆····▃7.650 ms·
| stream 7 comp…          ▁▁▃▁ ▄▁ ▌···························· ▁ ▄▁ ▅▁ ▌········
|                        ▅███████▇▌····························▅███████▇▌········
| └ op (derived)         aten::add…                            aten::add…
|python 100                       │
| thread 100 (p…        ▕nn.Module:…▏         ▕functools.py(…▋▕nn.Module:…▎
|   +7 above: z         ▕module.py(…▏         ▕data.py(15): …▋▕module.py(…▎
|                       ▕net.py(20)…▏         ▕__init__.py(2…▌▕net.py(20)…▏
|                        ▄▆▅▄▆▅▄▆▅│           ▕decoder.py(33…▍ ▄▆▅▄▆▅▄▅▅
|                        ▄▅▄▃▅▄▃▅▄│                            ▃▅▄▃▅▄▃▅▅
|                        ▁▁▁▁▁▁▁▁▁│                            ▁▁▁▁▁▁▁▁▁
|─ gap 3→4: 7.650 ms, 93.3 % of 8.200 ms, GPU 0 ─────────────────── Enter more ──
| cause maybe input wait 3.900 ms (51.0 %), most in decoder....: decode 3.800 ms
| confidence 0.39   from 2.750 ms to 10.400 ms
| advice Prepare input ahead of time on other threads or processes, or on the
|        device, and copy it from pinned memory.
| before volta_sgemm_128x64_nn   after relu_kernel
| then train.py(12): step 2.800 ms (36.6 %)
| nothing is folded here: this lane has 1 row, all of them are shown
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
keys j z
wait _run_module_as_main
| frames.json    1 Overview [2 Timeline] 3 Steps 4 Ops 5 Kernels 6 Input 9 Guide
|    whole trace [▅▅▅!···········▁▅▅▅▂··]········▁▅▅▅▂···········▁▅▅▅▂
|                      │0 ms      ▼        │5 ms              │10 ms
|steps (inferre…         │0│1│2 │step 3                        │4│5│6 │step 7
| stream 7 comp…         ▃▅▄▆▅▄▆▅▄▌····························▃▅▄▆▅▄▆▅▃▌········
| └ op (derived)         aten::add…                            aten::add…
|python 100                       │
| thread 100 (p…       ▕<frozen runpy>(198): _run_module_as_main█████████████████
|                      ▕<frozen runpy>(88): _run_code████████████████████████████
|                      ▕train.py(90): <module>███████████████████████████████████
|                      ▕torch/utils/_contextlib.py(116): decorate_context████████
|                      ▕train.py(70): main███████████████████████████████████████
|                      ▕train.py(41): epoch██████████████████████████████████████
|                       ▐train.py(12): step███▅▏data.py(8): …▋▐train.py(12): step
|                       ▕nn.Module:…▏         ▕functools.py(…▋▕nn.Module:…▎
|─ python #55  nn.Module: Net_0 ─────────────────────────────────────────────────
| duration 3.000 ms   self 2.000 us (0.1 %)   start 200.000 us   step none
| lane thread 100 (python)   cat python_function
|
|
|
|
| thread 100 (python)  at 2.750 ms  view 16.830 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
