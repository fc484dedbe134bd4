# A profiler plugin of NCCL, like its example: collectives as the host saw them, which are events but have no time on a device; a table says why it is empty
$ stepscope table collectives nccl_plugin.json --format text
|rank  device  step  op  algorithm  protocol  message_bytes  dtype  comm_group  group_kind  purpose  call  call_devices  step_place  start_ns  dur_ns  wait_ns  transfer_ns  last_rank  last_by_ns  exposed_comms_ns  hidden_comms_ns  exposed_by  algorithm_bytes_per_s  bus_bytes_per_s  expected_ns  event  host  last_host
|(no rows: NCCL's profiler plugin records collectives on the host, not their time on a device; `table events` lists them, with --all-columns also count, type and ranks)
$ stepscope table events nccl_plugin.json --format csv --all-columns
|id,track,start_ns,dur_ns,depth,kind,name,corr,step,cut,track_name,args.Algorithm,args.CommHash,args.Count,args.Datatype,args.Peer,args.Protocol,args.Rank,args.SeqNum,args.cat,args.groupId,args.id,args.nChannels
|0,0,500,300000,0,async,AllReduce,,,false,COLL,RING,12715772615376301750,1048576,ncclFloat32,,SIMPLE,0,3,COLL; COLL,,0; 0,16
|1,1,0,310000,0,async,Group,,,false,GROUP,,,,,,,,,GROUP; GROUP,0,0; 0,
|2,2,1500,1000,0,async,Send,,,false,P2P,,12715772615376301750,256,ncclFloat32,1,,0,,P2P; P2P,,0; 0,2
$ stepscope notes nccl_plugin.json --format csv
|note,note_severity,times,first_offset,help,file,accounts
|empty_entry,info,1,852,"an empty entry, as some exporters write after the last event",nccl_plugin.json,true
|collective_on_host,info,2,114,"a collective as a profiler plugin of NCCL saw it on the host, from the call to the end of its last part: an event, but no row of `stepscope table collectives`, which wants the time on a device",nccl_plugin.json,false
# Tables without a row say what the trace lacks
$ stepscope table comm_groups nccl_plugin.json --columns comm_group
|comm_group
|(no rows: NCCL's profiler plugin records collectives on the host, not their time on a device; `table events` lists them, with --all-columns also count, type and ranks)
$ stepscope table collective_sizes nccl_plugin.json --columns step
|step
|(no rows: NCCL's profiler plugin records collectives on the host, not their time on a device; `table events` lists them, with --all-columns also count, type and ranks)
$ stepscope table steps nccl_plugin.json --columns step
|step
|(no rows: this trace marks no steps, and nothing in it repeats: mark them, or name the events that begin one with --steps-by REGEX)
$ stepscope table memory nccl_plugin.json --columns device
|device
|(no rows: no allocation is recorded in this trace)
$ stepscope table devices rocprofv3_run/4711_marker_api_trace.csv --columns device
|device
|(no rows: no device work is recorded in this trace: no kernel, copy or memset)
$ stepscope table syncs nccl_plugin.json --columns name
|name
|(no rows: no call in this trace or window waits for a device)
