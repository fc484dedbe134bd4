# Two steps on one GPU with a gap of 1.204 ms between their device work; the markers stand 3 us apart.
$ stepscope table gaps two_steps.json --format csv
|gap,scope,rank,device,stream,before,after,start_ns,dur_ns,period_pct,marker_gap_ns,main_event,main_event_ns,main_event_id,main_event_pct,period_ns,host,cause,confidence,lost_ns,cause_ns,cause_pct,gap_kind,step,idle_ns,gap_place
|0,step,,0,,41,42,360625,1204000,78.97671367661529,3000,enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__,500000,8,41.52823920265781,1524500,two_steps,input wait,0.40282392026578073,500000,500000,41.52823920265781,between steps,41,1204000,between steps 41 and 42
|1,device,,0,,Memcpy DtoH (Device -> Pageable),volta_sgemm_128x64_nn,360625,1204000,,,enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__,500000,8,41.52823920265781,,two_steps,input wait,0.40282392026578073,500000,500000,41.52823920265781,between steps,41,1204000,between steps 41 and 42
|2,stream,,0,7,Memcpy DtoH (Device -> Pageable),volta_sgemm_128x64_nn,360625,1204000,,,enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__,500000,8,41.52823920265781,,two_steps,,,,,,between steps,41,1204000,between steps 41 and 42
$ stepscope table steps two_steps.json --format csv
|step,name,step_source,rank,device,start_ns,dur_ns,device_compute_ns,device_to_device_ns,collectives_ns,host_compute_ns,kernel_launch_ns,input_ns,input_copy_ns,output_ns,compilation_ns,other_ns,host,work,phase,idle_pct,cut,counted
|41,ProfilerStep,marker,,0,0,1000000,300500,0,0,19875,10000,0,0,20000,0,649625,two_steps,2,,67.95,false,true
|42,ProfilerStep,marker,,0,1003000,1000000,299000,0,0,14625,10000,500000,0,0,0,176375,two_steps,1,,70.1,false,true
$ stepscope table devices two_steps.json --format csv
|host,rank,device,name,kernels,kernel_ns,busy_ns,idle_ns,span_ns,busy_pct,copies,memsets,streams,recording
|two_steps,,0,Tesla V100-SXM2-16GB,2,599500,619500,1204000,1823500,33.97312859884837,1,0,1,
$ stepscope table streams two_steps.json --format csv
|host,rank,device,stream,name,role,work,kernels,kernel_ns,copies,copy_bytes,memsets,busy_ns,compute_pct,h2d_pct,d2h_pct,d2d_pct,collective_pct,memset_pct
|two_steps,,0,7,stream 7,compute+D2H,3,2,599500,1,4096,0,619500,96.77158999192898,0,3.228410008071025,0,0,0
$ stepscope table kernels two_steps.json --format csv
|name,registers,smem_bytes,static_smem_bytes,dynamic_smem_bytes,block,grid,occupancy_pct,tc_eligible,uses_tc,precision,op,kernels,total_ns,avg_ns,min_ns,max_ns,kernel_time_pct,collective,family,copying,p50_ns,p95_ns,p99_ns,kernels_per_step,blocks_per_sm,waves,tail_pct,tail_loss_pct,theoretical_pct,occupancy_by,limited_by,on_streams,streams,graph_pct,tc_rule,tc_confidence
|volta_sgemm_128x64_nn,122,12544,,,"128,1,1","8,2,1",1.25,true,false,fp32,aten::mm,2,599500,299750,299000,300500,100,false,gemm,,299000,300500,300500,1,0.2,0.05,95,95,25,computed,grid,7,1,0,stepscope: re (?:^|_|\s)(?:gc|gz|[sdhczi])gemm(?![a-z0-9]),90
$ stepscope table events two_steps.json --format csv
|id,track,start_ns,dur_ns,depth,kind,name,corr,step,cut,track_name
|0,0,40125,300500,0,kernel,volta_sgemm_128x64_nn,1,41,false,stream 7
|1,0,340625,20000,0,copy,Memcpy DtoH (Device -> Pageable),2,41,false,stream 7
|2,0,1564625,299000,0,kernel,volta_sgemm_128x64_nn,3,42,false,stream 7
|3,1,0,1000000,0,annotation,ProfilerStep#41,,41,false,thread 100 (python)
|4,1,10250,40500,1,op,aten::mm,,41,false,thread 100 (python)
|5,1,20000,10000,2,runtime,cudaLaunchKernel,1,41,false,thread 100 (python)
|6,1,60000,12000,1,runtime,cudaMemcpyAsync,2,41,false,thread 100 (python)
|7,1,1003000,1000000,0,annotation,ProfilerStep#42,,42,false,thread 100 (python)
|8,1,1005000,500000,1,annotation,enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__,,42,false,thread 100 (python)
|9,1,1540000,50000,1,op,aten::mm,,42,false,thread 100 (python)
|10,1,1550000,10000,2,runtime,cudaLaunchKernel,3,42,false,thread 100 (python)
$ stepscope table gaps two_steps.json
|gap  scope   rank  device  stream  before                            after                    start_ns    dur_ns  period_pct  marker_gap_ns  main_event                                                   main_event_ns  main_event_id  main_event_pct  period_ns  host       cause       confidence     lost_ns    cause_ns  cause_pct  gap_kind       step   idle_ns  gap_place
|  0  step       -  GPU 0        -  41                                42                     360.625 us  1.204 ms      79.0 %       3.000 us  enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__     500.000 us              8          41.5 %   1.525 ms  two_steps  input wait        0.40  500.000 us  500.000 us     41.5 %  between steps  41    1.204 ms  between steps 41 and 42
|  1  device     -  GPU 0        -  Memcpy DtoH (Device -> Pageable)  volta_sgemm_128x64_nn  360.625 us  1.204 ms           -              -  enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__     500.000 us              8          41.5 %          -  two_steps  input wait        0.40  500.000 us  500.000 us     41.5 %  between steps  41    1.204 ms  between steps 41 and 42
|  2  stream     -  GPU 0        7  Memcpy DtoH (Device -> Pageable)  volta_sgemm_128x64_nn  360.625 us  1.204 ms           -              -  enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__     500.000 us              8          41.5 %          -  two_steps  -                    -           -           -          -  between steps  41    1.204 ms  between steps 41 and 42
