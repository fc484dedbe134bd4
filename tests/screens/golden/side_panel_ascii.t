# The same on 160 columns in ASCII; one key takes it away.
size 160x40   trace resnet/resnet.pt.trace.json.gz -- --ascii
keys 2
| resnet.pt.trace.json.gz                                                                   1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|                  whole trace            !####+......-##########!.....................+####-............-########!######| visible window
|                              v0 ms           |500 ms          |1.0 s          |1.5 s           |2.0 s          |2.5 s  | 2.721 s, 0 ns to 2.721 s
|             steps (inferred) |step 0      |step 1     |2   |step 3                     |step 4           |5   |6       |
|GPU 0                         |          +####........####.#####... 2>3 670.933 ms ....####. 391.504 ms .####.####.#####| busy
| stream 7 compute+H2D+memset  |          +####_......+########## .....................+####_............+###############| GPU 0                 1.096 s  40.3 %
|                              |          +=####......+=####=####_.....................+#####............+=###|=###|=####|
| ` op (derived)               |            ate~        #|## #|###                      #|at~              #|#  at~  #|##| top kernels        948.376 ms
| ` phase (derived)            |            bac~        #|## #|ba~                      #|ba~              #|#  ba~  #|##| volta_sgemm_~64_nt 152.178 ms  16.0 %
|python 23442                  |                                                                                         | volta_sgemm_~64_nn  67.984 ms   7.2 %
| thread 23656 (python) x6     |           +_          _-   _-                          -                 -_   -    __   | cudnn_volta_~nt_v1  53.568 ms   5.6 %
| thread 23442 (python)        enumerate(~+_|enumerat~++_+at~-enumerate(DataLoader)#_~-+-|enumerate(Dat~-+-_+##-_|##+_   | winogradF~<float,~  53.422 ms   5.6 %
|                              |         _+__        _++_+at~_                        _+__           _  _+-_+##-_at~+_   | vectorize~<4, Bin~  45.354 ms   4.8 %
|                              |         _+__        _--_+at~_                        _+__           _  _--_+##-_at~+_   | winogradF~<float,~  44.882 ms   4.7 %
|                              |          +__         +- +##+_                         +_                +-_+##-|cu~-_   | winogradW~<float,~  39.672 ms   4.2 %
|                              |           _           _    _                           _                 _    _    _    |
|                                                                                                                        | top ops (self)        1.096 s
|                                                                                                                        | aten::convol~kward 453.418 ms  41.4 %
|                                                                                                                        | aten::cudnn_~ution 183.492 ms  16.7 %
|                                                                                                                        | aten::copy_        147.241 ms  13.4 %
|                                                                                                                        | aten::cudnn_~kward  93.264 ms   8.5 %
|                                                                                                                        | aten::cudnn_~_norm  58.804 ms   5.4 %
|                                                                                                                        | aten::thresh~kward  45.354 ms   4.1 %
|                                                                                                                        | aten::add_          33.290 ms   3.0 %
|                                                                                                                        |
|                                                                                                                        | copies                     147.241 ms
|                                                                                                                        | H2D 14 x, 514.5 MiB        147.241 ms
|                                                                                                                        |
|                                                                                                                        | idle by class         1.283 s
|                                                                                                                        | input wait            1.183 s  92.2 %
|                                                                                                                        | not recorded        91.460 ms   7.1 %
|                                                                                                                        | launch latency       4.464 ms   0.3 %
|                                                                                                                        | Python overhead      1.953 ms   0.2 %
|                                                                                                                        | copies               1.411 ms   0.1 %
|                                                                                                                        | synchronisation    206.000 us   0.0 %
|                              + busy  # kernel  = copy  . gap  # op  # annotation  # runtime call                       | compilation         16.000 us   0.0 %
|- nothing selected ---------------------------------------------------------------------------------------------------------------------------------------------
| lane stream 7   events 2,345   busy 1.096 s (40.3 % of the trace)   Tab next event on this lane   b biggest gap and its cause   } next step   / search a name
| stream 7  at 0 ns  view 2.721 s
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  0 all  Enter details  v range  b biggest gap  e export  ? help  : command  / search
keys S
| resnet.pt.trace.json.gz                                                                   1 Overview [2 Timeline] 3 Steps  4 Ops  5 Kernels  6 Input  9 Guide
|                  whole trace                 !#######_.........+##############!...............................+#######..................-############!#########
|                              v0 ms                  |500 ms                 |1.0 s                  |1.5 s                  |2.0 s                  |2.5 s
|             steps (inferred) |step 0           |step 1           |step 2 |step 3                                |step 4                    |5     |step 6
|GPU 0                         |               +#######212.409 ms.######.#######........ 2>3 670.933 ms .........######.. 3>4 391.504 ms ..#######.######.#######
| stream 7 compute+H2D+memset  |               +####### .........+############## ...............................+######+..................+######################
|                              |               +=######_.........+=######=######+...............................+=######..................+=######=######|=######
| ` op (derived)               |                 ##|at~#           #|ate~ ##|####                                 #|ate~                    ##|### ##|###  #|ate~
| ` phase (derived)            |                 ##|ba~#           #|bac~ ##|bac~                                 #|bac~                    ##|ba~ ##|ba~  #|bac~
|python 23442                  |                 :                 :       :                                      :                          :      :
| thread 23656 (python) x6     |                _+                -+      +_                                     _-                         +:     +:     _-
| thread 23442 (python)        enumerate(Data~+++_|enumerate(Da~ #-_|aten~_+enumerate(DataLoader)#_MultiProces~|++-|enumerate(DataLoader~ +#__+ate~__+ate~+_
|                              |              _++_ _           _ #-_|aten~__                                  __++_                  _  _ +#__+ate~__+ate~+_
|                              |              _++_ _           _ #-__aten~__                                  __++_                  _  _ -#__-ate~__+ate~+_
|                              |               ++_               #-:|cuda~__                                    +-:                       ++__+cud~_:+cud~-_
|                              |                _:                _:     __:                                     _:                        __:    __:     _
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
|                              + busy  # kernel  = copy  . gap  # op  # annotation  # runtime call
|- nothing selected ---------------------------------------------------------------------------------------------------------------------------------------------
| lane stream 7   events 2,345   busy 1.096 s (40.3 % of the trace)   Tab next event on this lane   b biggest gap and its cause   } next step   / search a name
| stream 7  at 0 ns  view 2.721 s
|w s zoom  a d pan  j k lane  Tab event  g G gap  { } step  [ ] link  f fit  0 all  Enter details  v range  b biggest gap  e export  ? help  : command  / search
