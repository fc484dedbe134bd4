# The same on a large screen
size 200x60   trace diff -- tests/traces/changes/torch-before.json.gz tests/traces/changes/torch-after.json.gz
settle
| A torch-before.json.gz   B torch-after.json.gz                                                                                                                                               [Compare]
| step 10.094 ms → 7.914 ms (-21.6 %): input wait -3.991 ms, other host work +1.835 ms
|
| [parts 4] findings  advice  ops  gaps                                                                                                                              A           B      change   of step
| step                ·······································································································████████████████████████████    10.094 ms    7.914 ms   -2.179 ms   -21.6 %
| input wait          ···············································································████████████████████████████████████████████████████     4.492 ms  501.293 us   -3.991 ms   -39.5 %
| other host work     ···············································································████████████████████████                                 4.887 ms    6.722 ms   +1.835 ms   +18.2 %
| other               ·······································································································█                              714.708 us  690.996 us  -23.712 us    -0.2 %
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
|                  of the step    │0 ms           │1 ms            │2 ms            │3 ms            │4 ms           │5 ms            │6 ms            │7 ms           │8 ms            │9 ms
|A torch-before.json.gz        │11│step 12                                                                                                                                                            │13
|python 8562                      │                                                                                                                                                                   ┊
| thread 8562 (python)         ██▍▐ProfilerStep#12███████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████▊▕██
|                              █▋ ▕enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__███████████▕▊▐aten::linear█████████████▁▄█▐▌▕▏ ▕▇█▆▆autograd::engine::evaluate_fu…▋▄▏ ▕Optimizer.step#…▏┊██
|                              ▁  │    ▁ ▁ ▁ ▁ ▁▁ ▁ ▁ ▁▁ ▁ ▁ ▁▁ ▁ ▁ ▁▁ ▁ ▁ ▁ ▁ ▁ ▁ ▁  ▁▁ ▁ ▁ ▁▁ ▁ ▐at…▁▁   ▐▏aten::addmm█████████████▏▂█▄▃▂▁ ▕▅█▄▅AddmmBackward0████████████████▁▃▏    ▐at…▆██▊▏██▆▃  ┊
|                              ▁  │                                                               ▕██▆ ▁   ▕▃▄                         ▃▃▂▁   ▄▅▁▄aten::mm████████████████████▆▂▏▁▁    ▕▋         ▂▁  ┊
|   2 rows: z                  ▁  │                                                                         ▁                          ▁ ▂    ▁▁▁▁                            ▂▁ ▁▁     ▄         ▂▁  ┊
| recorder ×3: z                  │                                                                                                                                                                   ┊
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
|B torch-after.json.gz         │11│step 12                                                                                                                                  │step 13
|python 8766                      │                                                                                                                                         ┊
| thread 8766 (python)         ██▏▐ProfilerStep#12█████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████▌▐ProfilerStep#13█████████████
|                              █▎ ▕enumera…▂▌▐aten::linear████████████████████████▕▋█▄█▏▐▏▕▆█▆▆▏autograd::engine::evaluate_function: AddmmBackward0▄▂ ▐Optimizer.step#SGD…▊ ▕enumerate…▐▂aten::linear████
|                                 │ ▕ate…▌▂  ▐▏aten::addmm███████████████████████▊ ▃▆▌█▏▂▁▕▅█▅▅▏AddmmBackward0████████████████████████████████████▇▁▁    ▐aten…▏at…▆▏at…▅▂  ┊ ▕aten:…▂▁ ▕▏aten::addmm████
|                                 │  ate…▃▁  ▂▃                                     ▂▁▅▏▁ ▕▃▅▁▃▏aten::mm█████████████████████████████████████████▆▂▁▁    ▐▎             ▂▁  ┊  aten:…▁▁  ▁▂
|   2 rows: z                     │          ▁▁                                     ▁ ▁▁   ▁▁▁▁                                                  ▁▁▁▁    ▂▂             ▂▁  ┊            ▁▁
| recorder ×3: z                  │                                                                                                                                         ┊
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
| parts 1 of 4: step                                                                                                                                                         cursor 0 ns after the start
|n next  Tab list  Enter open  A B explore  w s zoom  a d pan  f fit  0 step  ? help  q quit  : command
keys Tab Tab Tab n
| A torch-before.json.gz   B torch-after.json.gz                                                                                                                                               [Compare]
| step 10.094 ms → 7.914 ms (-21.6 %): input wait -3.991 ms, other host work +1.835 ms
|
|  parts  findings  advice [ops 51] gaps                                                                                                                             A           B      change    change
| aten::mm, Host                                                                                         ██████████████████████████████████                   1.634 ms    2.757 ms   +1.122 ms   +68.7 %
| aten::addmm, Host                                                                                      ███████████████████████                              1.517 ms    2.267 ms +750.771 us   +49.5 %
| aten::cat, Host                                                                                        ████████████████████                               928.993 us  254.174 us -674.819 us   -72.6 %
| aten::mul_, Host                                                                                       █                                                  201.940 us  241.597 us  +39.657 us   +19.6 %
| autograd::engine::eva..., Host                                                                         █                                                   77.183 us   41.022 us  -36.161 us   -46.9 %
| aten::add_, Host                                                                                       █                                                  478.781 us  500.805 us  +22.023 us    +4.6 %
| aten::copy_, Host                                                                                      █                                                   48.027 us   31.593 us  -16.434 us   -34.2 %
| aten::lift_fresh, Host                                                                                 █                                                   15.053 us      710 ns  -14.342 us   -95.3 %
| aten::stack, Host                                                                                      █                                                   33.957 us   23.458 us  -10.500 us   -30.9 %
| autograd::engine::eva..., Host                                                                         █                                                   14.271 us   10.100 us   -4.171 us   -29.2 %
| aten::sum, Host                                                                                        █                                                   40.880 us   44.951 us   +4.071 us   +10.0 %
| aten::relu, Host                                                                                       █                                                   18.805 us   22.682 us   +3.877 us   +20.6 %
| aten::empty, Host                                                                                      █                                                    7.893 us    4.200 us   -3.693 us   -46.8 %
| AddmmBackward0, Host                                                                                   █                                                   28.532 us   31.717 us   +3.185 us   +11.2 %
| aten::nll_loss, Host                                                                                   █                                                    7.818 us    4.982 us   -2.836 us   -36.3 %
| aten::transpose, Host                                                                                  █                                                   30.913 us   33.177 us   +2.264 us    +7.3 %
|                  of the step    │0 ms           │1 ms            │2 ms            │3 ms            │4 ms           │5 ms            │6 ms            │7 ms           │8 ms            │9 ms
|A torch-before.json.gz        │11│step 12                                                                                                                                                            │13
|python 8562                      ┊           │                                                                                                                                                       ┊
| thread 8562 (python)         ██▍▐ProfilerStep#12███████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████▊▕██
|                              █▋ ▕enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__███████████▕▊▐aten::linear█████████████▁▄█▐▌▕▏ ▕▇█▆▆autograd::engine::evaluate_fu…▋▄▏ ▕Optimizer.step#…▏┊██
|                              ▁  ┊    ▁ ▁ ▁ ▁│▁▁ ▁ ▁ ▁▁ ▁ ▁ ▁▁ ▁ ▁ ▁▁ ▁ ▁ ▁ ▁ ▁ ▁ ▁  ▁▁ ▁ ▁ ▁▁ ▁ ▐at…▁▁   ▐▏aten::addmm█████████████▏▂█▄▃▂▁━▕▅█▄▶AddmmBackward0████████████████▁▃▏    ▐at…▆██▊▏██▆▃  ┊
|                              ▁  ┊           │                                                   ▕██▆ ▁   ▕▃▄                         ▃▃▂▁   ▄▅▁▄aten::mm████████████████████▆▂▏▁▁    ▕▋         ▂▁  ┊
|   2 rows: z                  ▁  ┊           │                                                             ▁                          ▁ ▂    ▁▁▁▁                            ▂▁ ▁▁     ▄         ▂▁  ┊
| recorder ×3: z                  ┊           │                                                                                                                                                       ┊
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
|B torch-after.json.gz         │11│step 12                                                                                                                                  │step 13
|python 8766                      ┊           │                                                                                                                             ┊
| thread 8766 (python)         ██▏▐ProfilerStep#12█████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████▌▐ProfilerStep#13█████████████
|                              █▎ ▕enumera…▂▌▐aten::linear████████████████████████▕▋█▄█▏▐▏▕▆█▆▆▏autograd::engine::evaluate_function: AddmmBackward0▄▂ ▐Optimizer.step#SGD…▊ ▕enumerate…▐▂aten::linear████
|                                 ┊ ▕ate…▌▂  ▐▏aten::addmm███████████████████████▊━▃▆▌█▏▂▁▕▅█▅▶▏AddmmBackward0████████████████████████████████████▇▁▁    ▐aten…▏at…▆▏at…▅▂  ┊ ▕aten:…▂▁ ▕▏aten::addmm████
|                                 ┊  ate…▃▁  ▂▃                                     ▂▁▅▏▁ ▕▃▅▁▃▏aten::mm█████████████████████████████████████████▆▂▁▁    ▐▎             ▂▁  ┊  aten:…▁▁  ▁▂
|   2 rows: z                     ┊          ▁▁                                     ▁ ▁▁   ▁▁▁▁                                                  ▁▁▁▁    ▂▂             ▂▁  ┊            ▁▁
| recorder ×3: z                  ┊           │                                                                                                                             ┊
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
| ops 2 of 51: aten::addmm, Host                                                                                                                                       cursor 705.759 us after the start
|n next  Tab list  Enter open  A B explore  w s zoom  a d pan  f fit  0 step  ? help  q quit  : command
