# The same in ASCII
size 100x30   trace diff -- tests/traces/changes/torch-before.json.gz tests/traces/changes/torch-after.json.gz --ascii
settle
| A torch-before.json.gz   B torch-after.json.gz                                           [Compare]
| step 10.094 ms > 7.914 ms (-21.6 %): input wait -3.991 ms, other host work +1.835 ms
|
| [parts 4] findings  advice  ops  gaps                          A           B      change   of step
| step                ........................#######    10.094 ms    7.914 ms   -2.179 ms   -21.6 %
| input wait          ...................############     4.492 ms  501.293 us   -3.991 ms   -39.5 %
| other host work     ...................#####            4.887 ms    6.722 ms   +1.835 ms   +18.2 %
| other               ........................#         714.708 us  690.996 us  -23.712 us    -0.2 %
|
|
|
|        of the step  |0 ms           |2 ms          |4 ms           |6 ms           |8 ms
|A torch-before.jso~ ||step 12                                                                     |
|python 8562          |                                                                            :
| thread 8562 (pyth~ #-ProfilerStep#12#############################################################-#
|                    #|enumerate(DataLoader)#_SinglePro~-|aten::line~-+_ ++|autograd::en~+_+Optimi~|#
|                    _|  ___________________________|#-| aten::addmm#_+_ ++|AddmmBackwar~-_ |###|#-:
|                    _|                             |#-| -           |-_ -_|aten::mm####+__ ||    _:
|   2 rows: z        _|                                  _            __ ___            ___  _    _:
| recorder x3: z      |                                                                            :
|B torch-after.json~ ||step 12                                                         |step 13
|python 8766          |                                                                :
| thread 8766 (pyth~ #+ProfilerStep#12#################################################-ProfilerStep~
|                    +|enu~-aten::linear#####-+-_++|autograd::engine::eval~+_+Optimize~|enu~++aten::~
|                     ||##_||aten::addmm#####_+-_++|AddmmBackward0#########+_ +##|#|#+_:|##+_+aten::~
|                     ||##_|_                 _-_-_|aten::mm###############__ _      __:|##+___
|   2 rows: z         |    __                 __ ___                       __ _      __:     _
| recorder x3: z      |                                                                :
| parts 1 of 4: step                                                     cursor 0 ns after the start
|n next  Tab list  Enter open  A B explore  w s zoom  a d pan  f fit  0 step  ? help  q quit
