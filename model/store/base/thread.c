#include "thread.h"

enum { STACK_BYTES = 2 << 20 }; /* of address space: only what is used becomes memory */

bool thread_start(pthread_t *thread, void *(*run)(void *ctx), void *ctx)
{
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) != 0)
		return false;
	bool ok = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
		  pthread_create(thread, &attributes, run, ctx) == 0;
	pthread_attr_destroy(&attributes);
	return ok;
}
