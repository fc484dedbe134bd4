/* model/analysis/gaps/idle_advice.h - what to do about idle time, as far as the trace holds evidence for it: no DataLoader's settings
 * without a DataLoader, no threads of their own where the launching threads have them, nothing of another framework.
 * Cost:    idle_facts_of reads every text of the trace once. Threads: any number. */
#ifndef STEPSCOPE_IDLE_ADVICE_H
#define STEPSCOPE_IDLE_ADVICE_H
#include "model/analysis/names/framework.h"
#include "model/analysis/rules/cause.h"
#include "model/store/base/arena.h"

struct idle_facts {
	enum framework framework;
	bool loader, loader_processes; /* PyTorch's DataLoader is there; its workers are processes */
	bool amd;                      /* devices, or calls of HIP */
	bool private_threads;          /* TensorFlow's launching threads are their own */
};
struct idle_facts idle_facts_of(const struct trace *t);
/* One or more sentences, of mem or constant. */
const char *idle_advice(const struct idle_facts *f, enum cause cause, struct arena *mem);
#endif
