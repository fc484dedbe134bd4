# :set lists all settings with their values; the words behind it are completed; what is no setting or no value is told.
size 100x24   trace two_steps.json
keys 2
type :set
keys Enter
| two_steps.json     1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Settings]
|  all-steps off            means over all steps, warm-up and outliers included; off: over the
|                           steady ones
|  ascii off                draw with ASCII characters only
|  density on               rows of a thread whose events are too short to be seen are summed up as
|                           one that shows how busy they are
|  filter dim               what a filter does with events that do not match; && switches it
|  idle 10.000 us           i and I on the timeline skip idle times that are shorter
|  mouse on                 off leaves the mouse to the terminal, for copying
|  order number             more than two GPUs on the timeline by number, lateness or host
|  side-panel on            statistics of the visible window next to the lanes, from 160 columns on
|  theme dark               dark, light, mono, high-contrast, colorblind or your own
|
| :set NAME VALUE changes one; of a switch, :set NAME and :set no-NAME are enough
|
|
|
|
|
|
|
|
|
|j k scroll  Ctrl-d page                                                                      q close
keys q
type :set si
keys Tab
| two_steps.json                1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|        whole trace  !████████████▃·························!·····················▄███████████▃
|                    ▼0 us              │500 us             │1.0 ms             │1.5 ms             │
|              steps │step 41                                │step 42
|GPU 0               │▃████████████················ 41→42 1.204 ms ·················███████████▃
| stream 7 compute+… │▐volta_sgemm…▍·························┊·····················▐volta_sgem…▍
|                    │▐████████████▍·························┊·····················▐███████████▍
| └ op (derived)     │aten::mm█████                          ┊                     aten::mm█████
|python 100          │                                       ┊
| thread 100 (pytho… ProfilerStep#41█████████████████████████▏ProfilerStep#42████████████████████████
|                    ▐█▄                                     enumerate(DataLoade…▏▐█▌
|                    ▕▎                                      ┊                    ▕▎
|
|
|
|
|
|
|
|                    ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation  █ runtime call
| set side-panel on
| set side-panel off
| stream 7  at 0 ns  view 2.003 ms
|:set side-panel    Enter accept  Tab complete  Up history  Esc leave
keys Enter
| two_steps.json                1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|        whole trace  !████████████▃·························!·····················▄███████████▃
|                    ▼0 us              │500 us             │1.0 ms             │1.5 ms             │
|              steps │step 41                                │step 42
|GPU 0               │▃████████████················ 41→42 1.204 ms ·················███████████▃
| stream 7 compute+… │▐volta_sgemm…▍·························┊·····················▐volta_sgem…▍
|                    │▐████████████▍·························┊·····················▐███████████▍
| └ op (derived)     │aten::mm█████                          ┊                     aten::mm█████
|python 100          │                                       ┊
| thread 100 (pytho… ProfilerStep#41█████████████████████████▏ProfilerStep#42████████████████████████
|                    ▐█▄                                     enumerate(DataLoade…▏▐█▌
|                    ▕▎                                      ┊                    ▕▎
|
|
|
|
|
|
|
|                    ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation  █ runtime call
|─ nothing selected ─────────────────────────────────────────────────────────────────────────────────
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)   Tab next event on this lane
| side-panel on
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  f fit  b biggest gap  e export  ? help
type :set no-side-panel
keys Enter
settle
type :set dencity off
keys Enter
| two_steps.json                1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|        whole trace  !████████████▃·························!·····················▄███████████▃
|                    ▼0 us              │500 us             │1.0 ms             │1.5 ms             │
|              steps │step 41                                │step 42
|GPU 0               │▃████████████················ 41→42 1.204 ms ·················███████████▃
| stream 7 compute+… │▐volta_sgemm…▍·························┊·····················▐volta_sgem…▍
|                    │▐████████████▍·························┊·····················▐███████████▍
| └ op (derived)     │aten::mm█████                          ┊                     aten::mm█████
|python 100          │                                       ┊
| thread 100 (pytho… ProfilerStep#41█████████████████████████▏ProfilerStep#42████████████████████████
|                    ▐█▄                                     enumerate(DataLoade…▏▐█▌
|                    ▕▎                                      ┊                    ▕▎
|
|
|
|
|
|
|
|                    ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation  █ runtime call
|─ nothing selected ─────────────────────────────────────────────────────────────────────────────────
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)   Tab next event on this lane
| there is no setting "dencity", did you mean density? :set alone lists them
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  f fit  b biggest gap  e export  ? help
type :set filter=blink
keys Enter
| two_steps.json                1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|        whole trace  !████████████▃·························!·····················▄███████████▃
|                    ▼0 us              │500 us             │1.0 ms             │1.5 ms             │
|              steps │step 41                                │step 42
|GPU 0               │▃████████████················ 41→42 1.204 ms ·················███████████▃
| stream 7 compute+… │▐volta_sgemm…▍·························┊·····················▐volta_sgem…▍
|                    │▐████████████▍·························┊·····················▐███████████▍
| └ op (derived)     │aten::mm█████                          ┊                     aten::mm█████
|python 100          │                                       ┊
| thread 100 (pytho… ProfilerStep#41█████████████████████████▏ProfilerStep#42████████████████████████
|                    ▐█▄                                     enumerate(DataLoade…▏▐█▌
|                    ▕▎                                      ┊                    ▕▎
|
|
|
|
|
|
|
|                    ▆ busy  █ kernel  ▓ copy  · gap  █ op  █ annotation  █ runtime call
|─ nothing selected ─────────────────────────────────────────────────────────────────────────────────
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)   Tab next event on this lane
| "blink" is not a value of filter, which is dim or hide
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  f fit  b biggest gap  e export  ? help
type :set filter hide
keys Enter
settle
type :set theme light
keys Enter
settle
type :set density off
keys Enter
settle
type :set ascii
keys Enter
settle
type :set
keys Enter
| two_steps.json     1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Settings]
|  all-steps off            means over all steps, warm-up and outliers included; off: over the
|                           steady ones
|  ascii on                 draw with ASCII characters only
|  density off              rows of a thread whose events are too short to be seen are summed up as
|                           one that shows how busy they are
|  filter hide              what a filter does with events that do not match; && switches it
|  idle 10.000 us           i and I on the timeline skip idle times that are shorter
|  mouse on                 off leaves the mouse to the terminal, for copying
|  order number             more than two GPUs on the timeline by number, lateness or host
|  side-panel off           statistics of the visible window next to the lanes, from 160 columns on
|  theme light              dark, light, mono, high-contrast, colorblind or your own
|
| :set NAME VALUE changes one; of a switch, :set NAME and :set no-NAME are enough
|
|
|
|
|
|
|
|
|
|j k scroll  Ctrl-d page                                                                      q close
keys q
| two_steps.json                1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|        whole trace  !############-.........................!.....................-###########-
|                    v0 us              |500 us             |1.0 ms             |1.5 ms             |
|              steps |step 41                                |step 42
|GPU 0               |-############................ 41>42 1.204 ms .................###########-
| stream 7 compute+~ |+volta_sgemm~-.........................:.....................+volta_sgem~-
|                    |+############-.........................:.....................+###########-
| ` op (derived)     |aten::mm#####                          :                     aten::mm#####
|python 100          |                                       :
| thread 100 (pytho~ ProfilerStep#41#########################|ProfilerStep#42########################
|                    +#-                                     enumerate(DataLoade~|+#+
|                    ||                                      :                    ||
|
|
|
|
|
|
|
|                    + busy  # kernel  = copy  . gap  # op  # annotation  # runtime call
|- nothing selected ---------------------------------------------------------------------------------
| lane stream 7   events 3   busy 619.500 us (30.9 % of the trace)   Tab next event on this lane
| stream 7  at 0 ns  view 2.003 ms
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  f fit  b biggest gap  e export  ? help
