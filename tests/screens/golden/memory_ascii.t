# The same without Unicode.
size 80x24   trace torch-leak/leak.pt.trace.json.gz -- --ascii
keys 7
settle
| leak.pt.tr~n.gz  1 Over 2 Time 3 Steps 4 Ops 5 Kern 6 Input [7 Memory] 9 Guide
| Memory of the host (cpu) grows by 1.0 MiB per step (11.1 % of its peak): 6 of
| 6 steps leave blocks behind, the largest one by aten::clone.
| cpu  peak 9.0 MiB of -, held 0 B   # in use  : held
|   9.0 MiB                                                      ### ###########
|                                                          ## # ################
|                                             ##################################
|                                 #    #########################################
|                         ####  ################################################
|                 ##############################################################
|       0 B ####################################################################
|     phase f b   o  flb bo  b  bbff   b of  fbb o  fb bb  of l bb    peak ^
| memory of      at the peak, by op           in use   share   blocks    largest
| cpu            aten::clone                 8.0 MiB  88.8 %        8    1.0 MiB
| cpu            aten::mm                    1.0 MiB  11.2 %        2    1.0 MiB
| cpu            aten::sum                   1.0 KiB   0.0 %        2    1.0 KiB
| cpu            aten::nll_loss_forward          4 B   0.0 %        1        4 B
|
|
|
|
|
| 1 of 4
|Enter show  j k select  t table  o groups  b biggest gap  e export  ? help
