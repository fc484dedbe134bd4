# clang's -ftime-trace: what it adds up by kind lies on lanes of its own, and is no time of a thread
$ stepscope table tracks clang.json --format csv --columns track_kind,name,events,by_producer
|track_kind,name,events,by_producer
|thread,thread 7,3,false
|other,Total ExecuteCompiler,1,true
|other,Total Frontend,1,true
|other,Total Source,1,true
$ stepscope table findings clang.json --format csv --columns rule,sentence
|rule,sentence
|device-busy,"No device, step or framework is recorded; 40.0 % (400.000 us) of the time of all threads goes to ExecuteCompiler itself."
|read-whole,Nothing in the file was lost.
