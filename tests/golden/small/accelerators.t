# MTIA and other accelerators of Kineto: their kernels, copies and launches count as those of a GPU; a category that nobody knows is named
$ stepscope table streams accelerators.json --format csv
|host,rank,device,stream,name,role,work,kernels,kernel_ns,copies,copy_bytes,memsets,busy_ns,compute_pct,h2d_pct,d2h_pct,d2d_pct,collective_pct,memset_pct
|accelerators,,0,7,stream 7,compute+H2D,4,3,120000,1,4096,0,130000,92.3076923076923,7.6923076923076925,0,0,0,0
$ stepscope table launches accelerators.json --format csv
|op,kernel,work,call_ns,latency_p50_ns,latency_p99_ns,queue_max,launch_bound_ns,launch_bound_share_pct,not_launched_ns,latency_min_ns,latency_p95_ns,latency_max_ns,launch_calls,call_p50_ns,call_p99_ns,call_far_ns,work_ns,work_p50_ns,short,graph_pct,no_launch,early,api,thread,device,host
|aten::mm,gemm_kernel,3,30000,25000,25000,1,75000,100,70000,25000,25000,25000,3,10000,10000,0,120000,40000,0,0,0,0,runtimeLaunch,thread 9,0,accelerators
|,Memcpy HtoD (Pinned -> Device),1,0,,,,0,0,0,,,,0,,,,10000,10000,0,,1,0,,,0,accelerators
$ stepscope table events accelerators.json --format csv
|id,track,start_ns,dur_ns,depth,kind,name,corr,step,cut,track_name
|0,0,30000,40000,0,kernel,gemm_kernel,1,,false,stream 7
|1,0,130000,40000,0,kernel,gemm_kernel,2,,false,stream 7
|2,0,230000,40000,0,kernel,gemm_kernel,3,,false,stream 7
|3,0,350000,10000,0,copy,Memcpy HtoD (Pinned -> Device),9,,false,stream 7
|4,1,360000,10000,0,other,matmul,,,false,thread 8
|5,2,0,20000,0,op,aten::mm,,,false,thread 9
|6,2,5000,10000,1,runtime,runtimeLaunch,1,,false,thread 9
|7,2,100000,20000,0,op,aten::mm,,,false,thread 9
|8,2,105000,10000,1,runtime,runtimeLaunch,2,,false,thread 9
|9,2,200000,20000,0,op,aten::mm,,,false,thread 9
|10,2,205000,10000,1,runtime,runtimeLaunch,3,,false,thread 9
$ stepscope notes accelerators.json --format csv
|note,note_severity,times,first_offset,help,file,accounts
|category_unknown,warn,1,1444,"an event of a device stream is of a category that is not known, and does not count as work; `stepscope table trace` names the categories",accelerators.json,false
|kernel_no_launch,info,1,,device work whose launch call is not in the trace,accelerators.json,false
