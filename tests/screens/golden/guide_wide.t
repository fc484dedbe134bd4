# The findings on a large screen.
size 200x60   trace two_steps.json
keys 9
| two_steps.json                                                                                                                    1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input [9 Guide]
| 3 failed, 5 warnings, 1 undecided, 3 for information, 14 fine
|
| ✗ Unexplained time      41.3 % of the step time is explained by no recorded event: high.
|   what to do  Record with with_stack=True to see what Python did.
|   at stake    826.000 us
|   formula     step time of no class / step time; moderate from 3 %, high from 15 %
|
| ✗ Idle time             Input wait: GPU 0 idles for 500.000 us (25.0 % of the time) while the next batch is not ready (the longest stretch, 500.000 us, in
|                         enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__), all of it between steps 41 and 42.
| ✗ Input pipeline        25.0 % of the step time waits for input: highly input-bound.
| ! Idle time             Cannot tell why GPU 0 idles for 679.375 us (33.9 % of the time): not recorded, all of it between steps.
| ! Device busy           GPU 0 is busy 34.0 % of its span and idle for 1.204 ms, 56.4 % of it lost to reasons that were not recorded.
| ! Overhead              Per step, the device computes for 30.0 %; launches, waits for input, copies to the host and unexplained time take 68.3 % (unexplained time alone 41.3 %), other work of the
|                         host 1.7 %.
| ! Tensor Cores          Tensor Core kernels take 0.0 % of the kernel time; 599.500 us (100.0 %) could use them and do not, most of it aten::mm (fp32).
| ! 16-bit compute        0 of 2 kernels (0.0 % of kernel time) compute in 16 bit.
| ? Memory                Cannot tell how full memory gets, whether it is fragmented, whether it grows from step to step, room for a larger batch: no allocation is recorded.
| i Input bottleneck      The slowest input stage is enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__ with 500.000 us of self time, in which neither ops nor Python are recorded.
| i Steps recorded        Few steps: 2 steps; they may be warm-up, and steady steps cannot be distinguished from others.
| i Without input         If nothing else changed, a step without the wait for input would take at least 750.000 us instead of 1.000 ms.
| ✓ Kernel launch         1.0 % of the step time goes to nothing but launch calls: low.
| ✓ Copies to the host    1.0 % of the step time goes to copies from the device to the host: low.
| ✓ Collectives           0.0 % of the step time goes to collectives that nothing hides: low.
| ✓ Pageable memory       1 copy from or to pageable memory blocks kernels for 0 ns (0.0 % of the time on devices).
| ✓ The file              Nothing in the file was lost.
| ✓ Step markers          2 steps are marked by the program.
| ✓ Small kernels         No op's kernels are shorter than the 20-40 us of a launch.
| ✓ Launch queues         Work starts 20.125 us after its launch call (median; 99th percentile 280.625 us); the longest queue held 1, and none was full.
| ✓ Excess copies         The only copy between host and devices inside steps is input or output.
| ✓ Fusion                No unfused element-wise kernels follow each other.
| ✓ Recompilation         Nothing is compiled after the warm-up.
| ✓ Ops on devices        100.0 % of the ops and 100.0 % of their time run on devices, 0.0 % and 0.0 % on the host. 3.2 % of the device time belongs to no op: launched outside any op 3.2 % (1 kernel
|                         or copy).
| ✓ Ops on the host       No compute-intensive type of op takes 1 % of the op time on the host.
| ✓ 16-bit products       No 16-bit or 8-bit product is held back by a dimension or runs without Tensor Cores.
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
| 1 of 26   rule other: fail
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help  : command  / search  Backspace back  q back  & filter
