# Every table opens by name; the notes say what the import met.
size 100x20   trace pairs.json
keys :
type table notes
keys Enter
| pairs.json            1 Overview  2 Timeline  3 Steps  4 Ops  5 Kernels  6 Input  9 Guide  [Notes]
| the ledger: what the import met that it could not simply show                         l: +1 column
| note                     severity  count  first offset  help                            source
| bad_time                 lost          1           678  a record without a usable tim…  pairs.json
| dur_negative             warn          1           531  a negative duration is shown …  pairs.json
| end_without_begin        warn          1           325  an end without a begin on its…  pairs.json
| begin_without_end        warn          1           386  a begin without an end is dra…  pairs.json
| async_end_without_begin  warn          1          1071  an async end whose begin is n…  pairs.json
| counter_not_number       warn          1           826  a counter sample without a nu…  pairs.json
| end_name_differs         info          1           265  an end carries another name t…  pairs.json
| phase_other              info          1          1156  an entry of a phase that has …  pairs.json
| empty_entry              info          1          1242  an empty entry, as some expor…  pairs.json
| not_strict_json          info          1          1246  the file departs from strict …  pairs.json
| array_unclosed           info          1          1246  the event array is not closed…  pairs.json
|
|
|
|
| 1 of 11   a record without a usable time stamp was left out                             ! 11 notes
|Enter show  j k row  < > sort  r turn  l columns  b biggest gap  e export  ? help  : command  q quit
