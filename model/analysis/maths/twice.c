#include "twice.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

/* A list, where the walk is: at its interval, or in it. */
struct walked {
	struct interval v;
	int64_t twice_ns; /* of the walk, when it came to the interval */
	uint32_t list;
	bool inside;
};
/* Lists that have intervals left, as a heap: of the first one comes the next begin or end. */
struct walk {
	struct walked *at;
	uint32_t n, inside;
	int64_t now_ns, twice_ns; /* how long at least two had an interval so far */
};

static int64_t comes_ns(const struct walked *x)
{
	return x->inside ? x->v.b_ns : x->v.a_ns;
}

/* The list at this place comes later than before. */
static void sink(struct walk *w, uint32_t i)
{
	struct walked x = w->at[i];
	for (uint32_t below; (below = 2 * i + 1) < w->n; i = below) {
		if (below + 1 < w->n && comes_ns(&w->at[below + 1]) < comes_ns(&w->at[below]))
			below++;
		if (comes_ns(&x) <= comes_ns(&w->at[below]))
			break;
		w->at[i] = w->at[below];
	}
	w->at[i] = x;
}

static void go_to(struct walk *w, int64_t ts_ns)
{
	w->twice_ns += w->inside > 1 ? ts_ns - w->now_ns : 0;
	w->now_ns = ts_ns;
}

static void begin(struct walk *w, struct walked *x)
{
	x->inside = true;
	x->twice_ns = w->twice_ns;
	w->inside++;
}

static int64_t end(struct walk *w, struct walked *x)
{
	x->inside = false;
	w->inside--;
	return w->twice_ns - x->twice_ns;
}

void intervals_shared(uint32_t n, bool (*next)(void *ctx, uint32_t i, struct interval *v), void *ctx,
		      int64_t *shared_ns)
{
	struct walk w = {.at = must(malloc((n + (size_t)1) * sizeof *w.at))};
	for (uint32_t i = 0; i < n; i++) {
		struct walked x = {.list = i};
		shared_ns[i] = 0;
		if (next(ctx, i, &x.v))
			w.at[w.n++] = x;
	}
	for (uint32_t i = w.n; i-- > 0;)
		sink(&w, i);
	while (w.n) {
		struct walked *x = &w.at[0];
		go_to(&w, comes_ns(x));
		if (!x->inside) {
			begin(&w, x);
		} else {
			shared_ns[x->list] += end(&w, x);
			if (!next(ctx, x->list, &x->v))
				*x = w.at[--w.n];
		}
		sink(&w, 0);
	}
	free(w.at);
}
