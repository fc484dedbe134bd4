# The findings in ASCII, without colours.
size 80x24   trace two_steps.json -- --ascii --color never
keys 9
| two_step~json  1 Overview 2 Timeline 3 Steps 4 Ops 5 Kernels 6 Input [9 Guide]
| 2 failed, 5 warnings, 0 cannot be told, 2 to know, 14 fine
|
| X Unexplained time      41.3 % of the step time goes to nothing that was
|                         recorded: high.
|   what to do  Record with with_stack=True to see what Python did.
|   at stake    826.000 us
|   formula     step time in no class / step time; moderate from 3 %, high from
|               15 %
|
| X Input pipeline        25.0 % of the step time is spent on input: highly
|                         input-bound.
| ! Device busy           GPU 0 works 34.0 % of its span and is idle for 1.204
|                         ms.
| ! Gaps between steps    1 gap between steps: 500.000 us lost to input wait
|                         (27.4 % of the time).
| ! Tensor Cores          Tensor Core kernels take 0.0 % of the kernel time;
|                         599.500 us (100.0 %) could use them and do not, first
|                         aten::mm (fp32).
| ! 16-bit compute        0 of 2 kernels (0.0 % of kernel time) compute in 16
|                         bit.
| ! Overhead              Per step, the device computes for 30.0 %; launches,
| 1 of 23   rule other: fail
|Enter show  j k select  t table  f formulas  b biggest gap  e export  ? help
