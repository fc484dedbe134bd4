/* tui/cli/ticker.h - how far a long job has come, as a line on stderr that changes; only on a terminal, and never with --quiet.
 * Life: ticker_start -> the job tells `progress` -> ticker_stop, which takes the line away. */
#ifndef STEPSCOPE_TICKER_H
#define STEPSCOPE_TICKER_H
#include "cli.h"
#include "model/store/base/progress.h"
#include <pthread.h>

struct ticker {
	struct progress progress;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	int first_ms;
	bool running, stop, shown;
};
enum { TICKER_IMPORT_MS = 300, TICKER_EXPORT_MS = 1000 }; /* what is quicker says nothing */
void ticker_start(struct ticker *t, const struct cli *c, int first_ms);
void ticker_stop(struct ticker *t);
#endif
