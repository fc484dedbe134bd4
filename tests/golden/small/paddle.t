# PaddlePaddle: its own categories, "correlation id", names that end with their duration, steps of its own
$ stepscope table kernels paddle.json --format csv --columns name,registers,grid,occupancy_pct,op,kernels,total_ns
|name,registers,grid,occupancy_pct,op,kernels,total_ns
|"void relu<float, 4>(float)",32,"40,1,1",75,relu dygraph,2,81000
$ stepscope table launches paddle.json --format csv --columns op,kernel,work,latency_p50_ns,api
|op,kernel,work,latency_p50_ns,api
|relu dygraph,"void relu<float, 4>(float)",2,60000,cudaLaunchKernel
|,MEMCPY_HtoD,1,,
$ stepscope table steps paddle.json --format csv --columns step,name,step_source,dur_ns,device_compute_ns
|step,name,step_source,dur_ns,device_compute_ns
|0,ProfileStep,marker,950000,40000
|1,ProfileStep,marker,950000,41000
$ stepscope table events paddle.json --format csv --columns kind,name,dur_ns,step
|kind,name,dur_ns,step
|kernel,"void relu<float, 4>(float)",40000,0
|kernel,"void relu<float, 4>(float)",41000,1
|copy,MEMCPY_HtoD,10000,1
|annotation,ProfileStep#0,950000,0
|annotation,DataLoader,100000,0
|annotation,ProfileStep#1,950000,1
|annotation,DataLoader,100000,1
|annotation,named like [this],1000,1
|op,relu dygraph,50000,0
|runtime,cudaLaunchKernel,6000,0
|op,relu dygraph,50000,1
|runtime,cudaLaunchKernel,6000,1
$ stepscope notes paddle.json --format csv
|note,note_severity,times,first_offset,help,file,accounts
|empty_entry,info,1,2380,"an empty entry, as some exporters write after the last event",paddle.json,true
|kernel_no_launch,info,1,,device work whose launch call is not in the trace,paddle.json,false
