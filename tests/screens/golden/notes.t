# Every table opens by name; the notes say what the import met.
size 100x20   trace pairs.json
keys :
type table notes
keys Enter
| pairs.json            1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Notes]
| the ledger: what the import could not simply show                                     l: +1 column
| note                     note severity  times  first offset  help                       file
| bad_time                 lost               1           678  a record without a usabl…  pairs.json
| dur_negative             warn               1           531  a negative duration is s…  pairs.json
| end_without_begin        warn               1           325  an end without a begin o…  pairs.json
| begin_without_end        warn               1           386  a begin without an end i…  pairs.json
| async_end_without_begin  warn               1          1071  an async end whose begin…  pairs.json
| counter_not_number       warn               1           826  a counter sample without…  pairs.json
| end_name_differs         info               1           265  an end carries another n…  pairs.json
| phase_other              info               1          1156  an entry of a phase that…  pairs.json
| empty_entry              info               1          1242  an empty entry, as some …  pairs.json
| not_strict_json          info               1          1246  the file departs from st…  pairs.json
| array_unclosed           info               1          1246  the event array is not c…  pairs.json
|
|
|
|
| 1 of 11   a record without a usable time stamp was left out                             ! 11 notes
|Enter show  j k row  < > sort  r flip  h l columns  e export  ? help  : command  / search  q back
