# Tables of rocprofv3 that one process wrote are one host: calls and markers on threads, copies beside kernels, scratch memory, launches joined by correlation id;
# statistics beside them are no trace. Agents are numbered over processors and GPUs, so the direction tells which end of a copy is a GPU
$ stepscope table events rocprofv3_run --format csv
|id,track,start_ns,dur_ns,depth,kind,name,corr,step,cut,track_name
|0,0,4000,6000,0,copy,Memcpy HtoD,10,,false,stream 1
|1,0,20000,10000,0,kernel,"void scale<float>(float*, int)",12,,false,stream 1
|2,0,40000,5000,0,kernel,sum(float*),14,,false,stream 1
|3,0,46000,4000,0,copy,Memcpy DtoH,16,,false,stream 1
|4,1,50000,1000,0,copy,Memcpy PtoP,,,false,stream 2
|5,2,60000,1000,0,other,Memcpy HtoH,,,false,copies
|6,3,19000,600,0,memory,SCRATCH_MEMORY_ALLOC,,,false,scratch memory
|7,3,46000,200,0,memory,SCRATCH_MEMORY_FREE,,,false,scratch memory
|8,4,0,200,0,runtime,__hipRegisterFunction,2,,false,thread 4712
|9,4,500,0,0,annotation,before the copy,,,false,thread 4712
|10,4,800,52200,0,annotation,"iteration, ""first""",,,false,thread 4712
|11,4,1000,2000,1,runtime,hipMemcpyAsync,10,,false,thread 4712
|12,4,5000,2000,1,runtime,hipLaunchKernel,12,,false,thread 4712
|13,4,8000,1000,1,runtime,hipLaunchKernel,14,,false,thread 4712
|14,4,10000,42000,1,runtime,hipMemcpy,16,,false,thread 4712
$ stepscope table copies rocprofv3_run --format csv --columns direction,src,dst,copies,copy_bytes,total_ns,size,caller
|direction,src,dst,copies,copy_bytes,total_ns,size,caller
|H2D,host,GPU 2,1,,6000,,
|D2H,GPU 2,host,1,,4000,,
|P2P,GPU 2,GPU 3,1,,1000,,
$ stepscope table launches rocprofv3_run --format csv --columns kernel,work,latency_p50_ns,api,thread,device
|kernel,work,latency_p50_ns,api,thread,device
|"void scale<float>(float*, int)",1,15000,hipLaunchKernel,thread 4712,2
|Memcpy HtoD,1,3000,hipMemcpyAsync,thread 4712,2
|Memcpy DtoH,1,36000,hipMemcpy,thread 4712,2
|sum(float*),1,32000,hipLaunchKernel,thread 4712,2
|Memcpy PtoP,1,,,,3
$ stepscope table devices rocprofv3_run --format csv
|host,rank,device,name,kernels,kernel_ns,busy_ns,idle_ns,span_ns,busy_pct,copies,memsets,streams,recording
|4711,,2,,2,15000,25000,21000,46000,54.34782608695652,2,0,1,
|4711,,3,,0,0,1000,0,1000,100,1,0,1,
$ stepscope notes rocprofv3_run --format csv
|note,note_severity,times,first_offset,help,file,accounts
|kernel_no_launch,info,1,,device work whose launch call is not in the trace,,false
# A file alone
$ stepscope table events rocprofv3_run/4711_marker_api_trace.csv --format csv
|id,track,start_ns,dur_ns,depth,kind,name,corr,step,cut,track_name
|0,0,0,0,0,annotation,before the copy,,,false,thread 4712
|1,0,300,52200,0,annotation,"iteration, ""first""",,,false,thread 4712
# Counters: a dispatch once, each counter an attribute; a line that comes late is noted
$ stepscope table events rocprofv3_counter_collection.csv --format csv --all-columns
|id,track,start_ns,dur_ns,depth,kind,name,corr,step,cut,track_name,args.Accum_VGPR_Count,args.Agent_Id,args.Correlation_Id,args.Dispatch_Id,args.Grid_Size,args.Kernel_Id,args.LDS_Block_Size,args.MeanOccupancyPerCU,args.Process_Id,args.Queue_Id,args.SGPR_Count,args.SQ_WAVES,args.Scratch_Size,args.Thread_Id,args.VGPR_Count,args.Workgroup_Size
|0,0,0,10000,0,kernel,"void scale<float>(float*, int)",1,,false,stream 1,0,Agent 2,1,1,1024,11,0,0.25,4711,1,16,16,0,4712,8,64
|1,0,20000,5000,0,kernel,sum(float*),2,,false,stream 1,0,GPU 2,2,2,4096,12,512,,4711,1,16,64,0,4712,8,256
exit 4
$ stepscope notes rocprofv3_counter_collection.csv --format csv
|note,note_severity,times,first_offset,help,file,accounts
|bad_record,lost,1,621,a record could not be understood and was left out,rocprofv3_counter_collection.csv,true
|kernel_no_launch,info,2,,device work whose launch call is not in the trace,rocprofv3_counter_collection.csv,false
exit 4
# Memory given out and given back: what is freed tells an address only; an agent of which nothing says that it is a GPU goes by its name
$ stepscope table allocations rocprofv3_memory_allocation_trace.csv --format csv --columns allocation,free,device,allocator,given_at_ns,taken_at_ns,block_bytes
|allocation,free,device,allocator,given_at_ns,taken_at_ns,block_bytes
|0,2,1,hip,0,10000,4096
|1,,,Agent 0,2000,,1024
