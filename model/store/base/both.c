#include "both.h"
#include "thread.h"
#include <pthread.h>

struct job {
	bool (*run)(void *ctx);
	void *ctx;
	bool ok;
};

static void *job_run(void *p)
{
	struct job *j = p;
	j->ok = j->run(j->ctx);
	return NULL;
}

bool both(unsigned threads, bool (*a)(void *ctx), bool (*b)(void *ctx), void *ctx)
{
	struct job j = {b, ctx, false};
	pthread_t thread;
	bool beside = threads > 1 && thread_start(&thread, job_run, &j);
	bool ok = a(ctx);
	if (beside)
		pthread_join(thread, NULL);
	else
		job_run(&j);
	return ok && j.ok;
}
