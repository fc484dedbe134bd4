/* model/analysis/gaps/idle_advice.h - what to do about idle time, in the words that every face says, as far as the trace holds evidence:
 * no DataLoader's settings without a DataLoader, no threads of their own where the launching threads have them, nothing of another
 * framework.
 * Cost:    the first that asks reads every text of the trace once; what it found is kept with `d`. Threads: any number. */
#ifndef STEPSCOPE_IDLE_ADVICE_H
#define STEPSCOPE_IDLE_ADVICE_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/names/framework.h"
#include "model/analysis/rules/cause.h"

struct idle_facts {
	enum framework framework;
	bool loader, loader_processes; /* PyTorch's DataLoader hands out batches; its workers are processes */
	bool shards, replicates;       /* FullyShardedDataParallel, DistributedDataParallel is at work */
	bool amd;                      /* devices, or calls of HIP */
	bool serves;                   /* labels of a server's iterations */
	bool private_threads;          /* TensorFlow's launching threads are their own */
	bool outside;                  /* recorded from outside of the framework, by Nsight Systems */
	bool ops, frames;              /* ops, and Python frames, of the host are recorded */
};
const struct idle_facts *idle_facts(const struct derived *d);
/* One or more sentences; static. main: the event that most of it lies in, or the longest stretch; NONE_ID: none is known. */
const char *idle_advice(const struct derived *d, enum cause cause, row_id main);
/* What to do about saving, where the event of the host, or one around it, saves a checkpoint; NULL: none does. */
const char *idle_advice_of_saving(const struct derived *d, row_id r);
/* The same where the event, or one around it, says what it is: garbage collection, a checkpoint, ...; NULL: it does not. */
const char *idle_advice_of_event(const struct derived *d, enum cause cause, row_id main);
#endif
