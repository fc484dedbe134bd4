# Without colours a collective has a glyph of its own, and the legend shows that one.
size 80x26   trace four_ranks   -- --color never
keys 2
| rank0.…on +3  1 Over [2 Timeline] 3 Steps 4 Ops 5 Kern 6 Input 8 Comms 9 Guide
|    whole trace ▆██████▆██████▇▇███████▆███████▇▇██████▆███████▆███████▆████████
|                ▼0 ms                    │100 ms                   │200 ms
|          steps │r0:0  │r0:1  │r0:2    │r0:3   │r0:4   │r0:5   │r0:6   │r0:7
|rank 0 GPU 0    ▆████▒█·█████▒··████░▒█·█████░▒··████▒█·████░▒█·████░▒█·█████░▒█
|rank 1 GPU 1    ▆████▒█·█████▒··████░▒█·█████░▒··████▒█·█████▒█·████░▒█·█████░▒▒
|rank 2 GPU 2   !▆████▒█·█████▒··█████▒█·██████▒··████▒█·█████▒█·█████▒█·██████▒▒
|rank 3 GPU 3    ▆████▒█·█████▒··████░▒█·█████░▒··████▒█·████░▒█·████░▒█·█████░▒▒
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
|                ▆ busy  ▒ collective  ░ waits for others  · gap
|─ rank 2 is last at 5 of 16 collectives; the others wait 66.000 ms for it ──────
| rank 0 GPU 0 waits 25.000 ms, last at 8 of 16; others wait 24.000 ms: it comp…
| rank 0 GPU 0  at 0 ns  view 249.078 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  b biggest gap  e export  ? help
