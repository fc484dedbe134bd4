/* model/analysis/memory/replay_making.h - the replay while it is made: the order of its rows (replay_order.c), which free ends which
 * allocation (replay_match.c), what is in use (replay_make.c).
 * Guess: one pool, rows in order of time, each with its address and its total. While that holds a row is its own place: one thread
 *        surveys the rows and sums up, another one matches, and who sees that it is wrong tells the other. Then all is done again
 *        from the matching on, with the pools and the order that the survey found. */
#ifndef STEPSCOPE_REPLAY_MAKING_H
#define STEPSCOPE_REPLAY_MAKING_H
#include <stdatomic.h>
#include "replay.h"
#include "model/store/base/idmap.h"

enum { REPLAY_BLOCK = 16 * REPLAY_RUN }; /* places between two looks at what the other thread says */

/* An event that changes what is in use by something else than the bytes it tells. */
struct odd_change {
	uint32_t place;
	int64_t bytes;
};
struct odd_changes {
	struct odd_change *at; /* by place */
	uint32_t n, cap;
};
/* The pools that rows name, in the order of their first rows until replay_sort_pools. */
struct found_pools {
	struct idmap by; /* process and pool -> which */
	struct replay_pool *at;
	uint32_t n;
	uint64_t last_key; /* of the row looked at last */
	uint32_t last;     /* its pool; NONE_ID: no row yet */
	int64_t last_ns;
	bool in_order; /* rows stand in order of time */
	bool left_out; /* a row is of no pool */
};
struct making {
	struct replay pub;       /* first */
	const struct columns *c; /* of the trace */
	uint32_t *row, *other;   /* pub's, to be written */
	int64_t *used_bytes, *run_max;
	struct found_pools found;
	uint32_t surveyed;          /* rows */
	struct replay_pool guessed; /* what the matching counts of the only pool */
	atomic_bool wrong;          /* the guess */
	struct odd_changes odd;
};

/* Runs of REPLAY_RUN places. */
static inline uint32_t replay_runs(const struct replay_pool *p)
{
	return (p->n + REPLAY_RUN - 1) / REPLAY_RUN;
}
/* More than any memory, so that sums of a few such numbers would leave their range. */
static inline bool replay_absurd(int64_t bytes)
{
	const int64_t most = INT64_C(1) << 56;
	return bytes != UNKNOWN_I64 && (bytes > most || bytes < -most);
}
/* What is in use after the event as its record says; its allocator tells totals. */
int64_t replay_recorded_total(const struct replay *x, uint32_t place);

/* Looks at the next n rows: pools, counts, order. */
void replay_survey(struct making *m, uint32_t n);
bool replay_guess_holds(const struct found_pools *v);
/* Devices first. The guess was wrong: says where each pool begins, and fills m->row where places are not rows. */
void replay_place(struct making *m);

/* Which free ends which allocation, in [from, to) of the pool; `open` has what is open before. Fills m->other and m->odd; false: an event
 * has no address. */
bool replay_match_addresses(struct making *m, struct replay_pool *p, struct idmap *open, uint32_t from, uint32_t to);
/* The same for a whole pool, by sizes where it has no addresses. */
void replay_match_pool(struct making *m, struct replay_pool *p);

/* Sets the pools' devices: replay_devices.c. */
void replay_find_devices(struct making *m);

/* Maker of what replay_of gives, and how it is freed (kept_maker). */
void *replay_make(const struct derived *d, struct progress *progress, struct err *e);
void replay_free(void *replay);
#endif
