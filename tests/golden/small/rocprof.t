# JSON of rocprof: sections for processes, times as texts, to the nanosecond by the args; a call and its work share an Index, but not HSA's
$ stepscope table events rocprof.json --format csv
|id,track,start_ns,dur_ns,depth,kind,name,corr,step,cut,track_name
|0,0,99989,300611,0,kernel,void gemm<float>(float*),8,,false,stream 1
|1,0,499901,100001,0,copy,CopyHostToDevice,,,false,stream 1
|2,1,0,900100,0,annotation,iteration 0,,,false,thread 2385
|3,2,10189,20040,0,runtime,hipLaunchKernel,8,,false,thread 2385
|4,3,400400,10000,0,runtime,hsa_signal_wait,,,false,thread 2386
$ stepscope table devices rocprof.json --format csv
|host,rank,device,name,kernels,kernel_ns,busy_ns,idle_ns,span_ns,busy_pct,copies,memsets,streams,recording
|rocprof,,4,,1,300611,400612,99301,499913,80.13634372380794,1,0,1,
$ stepscope table tracks rocprof.json --format csv
|track,track_kind,track_group,name,events,host,rank,counter_samples,rows,overlaps,is_thread,by_producer
|0,stream,GPU 4,stream 1,2,rocprof,,,1,0,,false
|1,thread,0 Markers and Ranges 0,thread 2385,1,rocprof,,,1,0,true,false
|2,thread,1 CPU HIP API 2,thread 2385,1,rocprof,,,1,0,true,false
|3,thread,2 CPU HSA API 3,thread 2386,1,rocprof,,,1,0,true,false
$ stepscope notes rocprof.json --format csv
|note,note_severity,times,first_offset,help,file,accounts
|empty_entry,info,1,17,"an empty entry, as some exporters write after the last event",rocprof.json,true
|kernel_no_launch,info,1,,device work whose launch call is not in the trace,rocprof.json,false
