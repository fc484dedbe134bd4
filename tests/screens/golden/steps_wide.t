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
| C device compute   300.500 us  30.1 %     30.0 %  299.750 us ± 1.061 us
| O output            20.000 us   2.0 %      1.0 %   10.000 us ± 14.142 us
| I input wait             0 ns   0.0 %     25.0 %  250.000 us ± 353.553 us
| L kernel launch     10.000 us   1.0 %      1.0 %   10.000 us ± 0 ns
| H other host work   19.875 us   2.0 %      1.7 %   17.250 us ± 3.712 us
| . other            649.625 us  65.0 %     41.3 %  413.000 us ± 334.638 us
| device idle   679.500 us, 68.0 % of the step: not recorded 649.625 us (95.6 %), launch latency 29.875 us (4.4 %)
| gap before    none recorded
| 1 of 2   ProfilerStep from 0 ns
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help  : command  / search  Backspace back  q back  & filter
keys f
| two_steps.json                                                                                                            1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Steps]
| where step time goes: each moment counts for one part, the most important one active
|  C device compute         kernels and memsets. Each moment counts once, for the most important activity: compute > copy to host > copy between devices > input wait > collective > launch > copy to
|                           device > compilation > host
|  D copies on device       copies inside or between devices
|  N collectives            collectives that nothing hides, on the device or on the host (gloo, MPI): with no compute, no copy from or on the device and no wait for input at the same time
|  O output                 copies to the host
|  I input wait             waiting for the input pipeline, and copies to the device (of input or not)
|  L kernel launch          calls that launch device work, while nothing more important runs
|  H other host work        other work of the marker's thread and of the threads that launch the step's work, as a part of the step; Python frames do not count. The cause of idle time called 'host
|                           compute' is another figure
|  X compilation            compilation on the host, by the event's name
|  . other                  none of the above, idle time included
|
| what an idle device waited for: shares of its idle time
| This is not the division above. Launch latency also counts ops between the launch calls, but only while no stream works; kernel launch counts only the calls, even while a short copy runs. Host
| compute is idle time in which the launching thread works; other host work is a part of the step, idle or not.
|  not recorded             unknown: the launching thread recorded nothing, or the launch of the next work is not recorded
|  input wait               the launching thread waits for input, or loads it itself
|  host work outside the g… callbacks, metrics, summaries, logging; whatever the launching thread does outside every step marker
|  loss scaling             dynamic loss scaling: its ops, and the call that asks whether a gradient overflowed
|  thread contention        the launching thread records nothing while many threads keep the cores busy
|  synchronisation          in a call that waits for the device; up to a millisecond of what follows one that left the device without work; the next work waits while another device works
|  compilation              tracing, compiling, loading of code, graph capture, first calls of ops and of the runtime
|  allocator                memory allocated or freed by the driver
|  communication wait       waiting for other ranks on the host
|  host wait                the launching thread sits in a Python call that waits: for a lock, a queue, a socket, another process or a timer
|  launch latency           work is being launched: ops called one by one (each within a millisecond), launch calls, and up to 20 us after the call that launches the next work
|  host compute             other work of the launching thread
|  copies                   in a call that copies memory
|  Python overhead          the interpreter: Python frames outside ops (each within a millisecond), garbage collection
|  profiler overhead        the profiler's own cost on any thread
|  held back                the next work was launched a millisecond or more before and did not begin: what held it back is not in the file, and a call that waits meanwhile is not the reason
|  records lost             records of this time were lost
|
| Percentages add up to 100, except for rounding to tenths. Means are over the rows that the window does not cut.
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
