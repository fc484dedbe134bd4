#include "ticker.h"
#include "model/store/base/thread.h"
#include "model/store/base/units.h"
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EVERY_MS = 100 };

static void put_progress(struct ticker *t)
{
	static const char *const phases[] = {[PHASE_READ] = "reading",
					     [PHASE_SORT] = "sorting",
					     [PHASE_DERIVE] = "deriving",
					     [PHASE_DONE] = "done",
					     [PHASE_EXPORT] = "exporting with nsys",
					     [PHASE_WRITE] = "writing"};
	int64_t done = atomic_load(&t->progress.bytes_done), total = atomic_load(&t->progress.bytes_total);
	int phase = atomic_load(&t->progress.phase);
	char events[UNITS_BUF], share[UNITS_BUF] = "";
	bool events_told = phase != PHASE_WRITE;
	if (total > 0 && (phase == PHASE_READ || phase >= PHASE_EXPORT))
		fmt_pct(share, 100.0 * (double)done / (double)total);
	fprintf(stderr, "\r%s %s  %s%s\033[K", phases[phase >= PHASE_READ && phase <= PHASE_WRITE ? phase : 0], share,
		events_told ? fmt_count(events, atomic_load(&t->progress.events)) : "", events_told ? " events" : "");
	fflush(stderr);
	t->shown = true;
}

static struct timespec in_ms(int ms)
{
	struct timespec at;
	clock_gettime(CLOCK_REALTIME, &at); /* the clock of pthread_cond_timedwait */
	at.tv_nsec += ms * 1000000L;
	at.tv_sec += at.tv_nsec / 1000000000L;
	at.tv_nsec %= 1000000000L;
	return at;
}

static void *tick(void *arg)
{
	struct ticker *t = arg;
	struct timespec at = in_ms(t->first_ms);
	pthread_mutex_lock(&t->lock);
	while (!t->stop) {
		if (pthread_cond_timedwait(&t->wake, &t->lock, &at) != ETIMEDOUT || t->stop)
			continue;
		put_progress(t);
		at = in_ms(EVERY_MS);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

void ticker_start(struct ticker *t, const struct cli *c, int first_ms)
{
	memset(t, 0, sizeof *t);
	t->first_ms = first_ms;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->wake, NULL);
	if (!cli_has(c, OPT_QUIET) && isatty(STDERR_FILENO))
		t->running = thread_start(&t->thread, tick, t);
}

void ticker_stop(struct ticker *t)
{
	if (t->running) {
		pthread_mutex_lock(&t->lock);
		t->stop = true;
		pthread_cond_signal(&t->wake);
		pthread_mutex_unlock(&t->lock);
		pthread_join(t->thread, NULL);
	}
	/* the line goes: what follows on stderr begins at the left */
	if (t->shown)
		fputs("\r\033[K", stderr);
	pthread_cond_destroy(&t->wake);
	pthread_mutex_destroy(&t->lock);
}
