# A trace without allocations says so, and how to record them.
size 80x24   trace two_steps.json
keys 7
settle
| two_steps.json     1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input 9 Guide [Memory]
| No allocation is recorded in this trace. Record memory:
| profile(profile_memory=True).
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
|b biggest gap  e export  ? help  : command  / search  Backspace back  q back
