# Steps on a large screen.
size 200x60   trace two_steps.json
keys 3
| two_steps.json                                                                                                                    1 Overview  2 Timeline [3 Steps] 4 Ops  5 Kernels  6 Input  9 Guide
| 2 steps  1.000 ms ± 0 ns
| step       length gap before  0                                                                                                                                                               1.000 ms
| 41       1.000 ms          -  █████████████████████████C█████████████████████████O██L█H████████████████████████████████████████████████████████.██████████████████████████████████████████████████████
| 42       1.000 ms   1.204 ms  █████████████████████████C██████████████████████████████████████████████████████████████████I██████████████████████████████████████████L█H███████████████.██████████████
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
|
|
|
|
|─ step 41 ───────────────────────────────── mean of 2 ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
| C device compute   300.500 us  30.0 %     30.0 %  299.750 us ± 1.061 us
| O output            20.000 us   2.0 %      1.0 %   10.000 us ± 14.142 us
| I input                  0 ns   0.0 %     25.0 %  250.000 us ± 353.553 us
| L kernel launch     10.000 us   1.0 %      1.0 %   10.000 us ± 0 ns
| H host compute      19.875 us   2.0 %      1.7 %   17.250 us ± 3.712 us
| . other            649.625 us  65.0 %     41.3 %  413.000 us ± 334.638 us
| device idle   679.500 us (68.0 %): host-bound 659.375 us (97.0 %), launch latency 20.125 us (3.0 %)
| gap before    none recorded
| 1 of 2   ProfilerStep from 0 ns
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help  : command  / search  Backspace back  q quit  & filter
keys f
| two_steps.json                                                                                                            1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Steps]
| where step time goes: each moment counts for one part, the most important one active
|  C device compute         kernels and memsets. Each moment counts once, for the most important activity: compute > copy to host > copy between devices > input wait > collective > launch > copy to
|                           device > compilation > host
|  D device copies          copies inside or between devices
|  N collectives            collective communication on the device
|  O output                 copies to the host
|  I input                  waiting for the input pipeline, and copies to the device
|  L kernel launch          calls that launch device work, while nothing more important runs
|  H host compute           other work of the marker's thread and of the threads that launch the step's work; Python frames do not count
|  X compilation            compilation on the host, by the event's name
|  . other                  nothing of the above: idle time included
|
| what an idle device waited for
|  host-bound               the launch call of the next work had not begun, and its thread did none of input wait, sync wait, copy wait
|  launch latency           from the begin of the next work's launch call until 20 us after the call's end, or until the work starts
|  sync wait                launched more than 20 us ago: held back by an event, another stream or another device; or not launched because the launching thread was in a call that waits for the device
|  input wait               not launched: the launching thread waited for input
|  copy wait                not launched because the launching thread was in a call that copies memory; or launched more than 20 us ago while another device of the host copied
|  unknown                  the launch of the next work is not recorded, or records were lost
|
| Percentages are rounded to tenths so that they add up to 100.0. Means are over the rows that the window does not cut.
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
|j k scroll  Ctrl-d page                                                                                                                                                                          q close
