# Begin/end pairs, well and badly written, in an array that is never closed: every entry is shown, merged or noted.
$ stepscope table events pairs.json --format csv
|id,track,start_ns,dur_ns,depth,kind,name,corr,step,cut,track_name
|0,0,0,30000,0,other,outer,,,false,worker
|1,0,10000,10000,1,other,inner,,,false,worker
|2,0,40000,6001,0,other,never closed,,,false,worker
|3,0,44000,2001,1,other,overlaps,,,false,worker
|4,0,45000,0,2,other,negative,,,false,worker
|5,0,45500,0,2,instant,moment,,,false,worker
|6,2,1000,8000,0,async,read,,,false,io
exit 4
$ stepscope notes pairs.json --format csv
|note,note_severity,times,first_offset,help,file,accounts
|bad_time,lost,1,678,a record without a usable time stamp was left out,pairs.json,true
|dur_negative,warn,1,531,a negative duration is shown as 0,pairs.json,false
|end_without_begin,warn,1,325,an end without a begin on its thread,pairs.json,true
|begin_without_end,warn,1,386,a begin without an end is drawn up to the last time on its track,pairs.json,false
|async_end_without_begin,warn,1,1071,an async end whose begin is not in the file,pairs.json,true
|counter_not_number,warn,1,826,a counter sample without a number,pairs.json,true
|end_name_differs,info,1,265,an end carries another name than the begin it closes; paired by order,pairs.json,false
|phase_other,info,1,1156,"an entry of a phase that has no place on a timeline (objects, samples, old async, ...)",pairs.json,true
|empty_entry,info,1,1242,"an empty entry, as some exporters write after the last event",pairs.json,true
|not_strict_json,info,1,1246,"the file departs from strict JSON in a way viewers accept (trailing comma, ...)",pairs.json,false
|array_unclosed,info,1,1246,"the event array is not closed: legal for this format, or cut at a record's end",pairs.json,false
exit 4
