# One device says what to open instead; the title does not name the pane then.
size 80x24   trace two_steps.json
keys 8
settle
| two_steps.json      1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input 9 Guide [Comms]
| Only one device works in this trace or window. To see who waits for whom, open
| the traces of all ranks together: their folder, or several files.
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
