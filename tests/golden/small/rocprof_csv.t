# Tables of rocprof: a dispatch a line, columns by name, quotes and commas in names; what cannot be read is noted with its place, as is the cut end
$ stepscope table events rocprof_results.csv --format csv
|id,track,start_ns,dur_ns,depth,kind,name,corr,step,cut,track_name
|0,0,0,300611,0,kernel,"void gemm<float, 2>(float*, ""a"", int) [clone .kd]",,,false,stream 1
|1,0,399911,500,0,kernel,plain_kernel,,,false,stream 1
|2,1,499911,100,0,kernel,other,,,false,stream 2
exit 4
$ stepscope table kernels rocprof_results.csv --format csv --columns name,registers,smem_bytes,block,grid,total_ns
|name,registers,smem_bytes,block,grid,total_ns
|"void gemm<float, 2>(float*, ""a"", int) [clone .kd]",96,512,"256,1,1","4,1,1",300611
|plain_kernel,8,0,"256,1,1","4,1,1",500
|other,8,0,"64,1,1","1,1,1",100
exit 4
$ stepscope table devices rocprof_results.csv --format csv
|host,rank,device,name,kernels,kernel_ns,busy_ns,idle_ns,span_ns,busy_pct,copies,memsets,streams,recording
|rocprof_results,,4,,2,301111,301111,99300,400411,75.20048150525335,0,0,1,
|rocprof_results,,5,,1,100,100,0,100,100,0,0,1,
exit 4
$ stepscope notes rocprof_results.csv --format csv
|note,note_severity,times,first_offset,help,file,accounts
|bad_record,lost,2,444,a record could not be understood and was left out,rocprof_results.csv,true
|bad_time,lost,2,542,a record without a usable time stamp was left out,rocprof_results.csv,true
|kernel_no_launch,info,3,,device work whose launch call is not in the trace,rocprof_results.csv,false
exit 4
# rocprofv2: a free line behind the first one, a comma behind the last field, a grid that is not told
$ stepscope table events rocprofv2_results.csv --format csv
|id,track,start_ns,dur_ns,depth,kind,name,corr,step,cut,track_name
|0,0,0,500,0,kernel,"matrixTranspose(float*, float*, int) (.kd)",7,,false,stream 1
|1,0,1000,600,0,kernel,"said ""so""",9,,false,stream 1
$ stepscope table kernels rocprofv2_results.csv --format csv --columns name,registers,smem_bytes,block,grid,total_ns
|name,registers,smem_bytes,block,grid,total_ns
|"said ""so""",8,0,,,600
|"matrixTranspose(float*, float*, int) (.kd)",8,0,"16,1,1","65536,1,1",500
$ stepscope notes rocprofv2_results.csv --format csv
|note,note_severity,times,first_offset,help,file,accounts
|kernel_no_launch,info,2,,device work whose launch call is not in the trace,rocprofv2_results.csv,false
# rocprofv3: agents as words or numbers, streams before queues, the grid in each dimension, columns in another order
$ stepscope table events rocprofv3_kernel_trace.csv --format csv
|id,track,start_ns,dur_ns,depth,kind,name,corr,step,cut,track_name
|0,0,0,11040,0,kernel,"void addition_kernel<float>(float*, float const*)",1,,false,stream 3
|1,1,14520,11040,0,kernel,"subtract_kernel(float*, int)",2,,false,stream 3
$ stepscope table kernels rocprofv3_kernel_trace.csv --format csv --columns name,registers,smem_bytes,block,grid,total_ns
|name,registers,smem_bytes,block,grid,total_ns
|"subtract_kernel(float*, int)",8,64,"64,2,1","16,2,1",11040
|"void addition_kernel<float>(float*, float const*)",8,0,"64,1,1","16,1024,1",11040
$ stepscope table devices rocprofv3_kernel_trace.csv --format csv
|host,rank,device,name,kernels,kernel_ns,busy_ns,idle_ns,span_ns,busy_pct,copies,memsets,streams,recording
|rocprofv3,,4,,1,11040,11040,0,11040,100,0,0,1,
|rocprofv3,,5,,1,11040,11040,0,11040,100,0,0,1,
$ stepscope notes rocprofv3_kernel_trace.csv --format csv
|note,note_severity,times,first_offset,help,file,accounts
|kernel_no_launch,info,2,,device work whose launch call is not in the trace,rocprofv3_kernel_trace.csv,false
