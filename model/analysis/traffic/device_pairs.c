#include "device_pairs.h"
#include <stdlib.h>
#include "model/analysis/derived/rows.h"
#include "model/analysis/rules/peaks.h"
#include "model/store/base/idmap.h"

enum { LEAST_BYTES = 4096, RATED_BYTES = 1 << 20, NEAR_NS = 1000000 };

/* A copy between the host and a device. */
struct leg {
	uint32_t host, device;
	int64_t bytes, a_ns, b_ns;
	row_id row;
	bool taken;
	uint32_t free_below; /* of one that is taken: those in [free_below, its own place] are taken, too */
};
struct legs {
	struct leg *at;
	uint32_t n;
};
struct finder {
	const struct derived *d;
	const struct query *q;
	struct arena *mem;
	struct legs up, down; /* to devices, to the host */
	struct device_pairs *out;
	struct idmap places; /* of pairs in out->at */
	struct progress_loop loop;
};

const char *pair_path_word(enum pair_path p)
{
	static const char *const words[] = {
#define PAIR_WORD(id, word) word,
		PAIR_PATHS(PAIR_WORD)
#undef PAIR_WORD
	};
	return words[p];
}

static struct device_pair *pair_of(struct finder *f, uint32_t host, int16_t from, int16_t to, enum pair_path path)
{
	struct device_pairs *v = f->out;
	uint64_t key = (uint64_t)host << 34 | (uint64_t)(uint16_t)from << 18 | (uint64_t)(uint16_t)to << 2 | path;
	uint32_t *place = idmap_put(&f->places, key, v->n);
	if (*place < v->n)
		return &v->at[*place];
	v->at = arena_next_row(f->mem, v->at, v->n, sizeof *v->at);
	v->at[v->n] =
		(struct device_pair){.host = host, .from = from, .to = to, .path = path, .longest = {NONE_ID, NONE_ID}};
	return &v->at[v->n++];
}

static void add_transfer(struct device_pair *x, int64_t bytes, int64_t ns, row_id first, row_id second)
{
	x->transfers++;
	x->ns += ns;
	if (ns > x->longest_ns || x->longest[0] == NONE_ID) {
		x->longest_ns = ns;
		x->longest[0] = first;
		x->longest[1] = second;
	}
	if (bytes == UNKNOWN_I64)
		return;
	x->bytes += bytes;
	x->rated_ns += ns;
	double rate = ns > 0 ? (double)bytes / (double)ns * 1e9 : 0;
	x->fastest = bytes >= RATED_BYTES && rate > x->fastest ? rate : x->fastest;
}

/* ---- copies --------------------------------------------------------------------------------------------------------------- */

/* Of copies that are not said to be between devices, "dest" is a number of another kind with some producers. */
static void take_between(struct finder *f, uint32_t device, row_id r, const struct copy_info *info)
{
	const struct device *own = trace_device(derived_trace(f->d), device);
	int16_t from = info && info->from_device >= 0 ? info->from_device : (int16_t)own->ordinal,
		to = info ? info->to_device : -1;
	if (from == to)
		return;
	add_transfer(pair_of(f, own->host, from, to, PAIR_PEER), info ? info->bytes : UNKNOWN_I64,
		     derived_columns(f->d)->dur_ns[r], r, NONE_ID);
}

static void take_leg(struct finder *f, struct legs *legs, uint32_t device, row_id r, int64_t bytes)
{
	const struct columns *c = derived_columns(f->d);
	legs->at = arena_next_row(f->mem, legs->at, legs->n, sizeof *legs->at);
	legs->at[legs->n++] = (struct leg){.host = trace_device(derived_trace(f->d), device)->host,
					   .device = device,
					   .bytes = bytes,
					   .a_ns = c->start_ns[r],
					   .b_ns = row_end(c, r),
					   .row = r};
}

static void take_copy(struct finder *f, uint32_t device, row_id r)
{
	const struct copy_info *info = trace_copy(derived_trace(f->d), r);
	enum copy_kind kind = derived_copy_kind(f->d, r);
	if (kind == COPY_P2P)
		take_between(f, device, r, info);
	else if ((kind == COPY_D2H || kind == COPY_H2D) && info && info->bytes >= LEAST_BYTES)
		take_leg(f, kind == COPY_D2H ? &f->down : &f->up, device, r, info->bytes);
}

static bool take_device(struct finder *f, uint32_t device)
{
	uint32_t n;
	const uint32_t *streams = device_streams(f->d, device, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it =
			event_iter(derived_trace(f->d), streams[i], f->q->a_ns, f->q->b_ns, KIND_BIT(KIND_COPY));
		while (event_next(&it)) {
			if (progress_loop_cancelled(&f->loop))
				return false;
			if (query_holds(f->q, derived_columns(f->d)->start_ns[it.row]))
				take_copy(f, device, it.row);
		}
	}
	return true;
}

/* ---- through the host ------------------------------------------------------------------------------------------------------ */

static int by_size(const struct leg *x, const struct leg *y)
{
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int by_start(const void *a, const void *b)
{
	const struct leg *x = a, *y = b;
	int order = by_size(x, y);
	return order ? order : (x->a_ns > y->a_ns) - (x->a_ns < y->a_ns);
}

static int by_end(const void *a, const void *b)
{
	const struct leg *x = a, *y = b;
	int order = by_size(x, y);
	return order ? order : (x->b_ns > y->b_ns) - (x->b_ns < y->b_ns);
}

/* The end of what is left of [0, to) once those that are taken are passed over at its end: each is passed over few times, however often
 * that is asked. */
static uint32_t left_below(struct legs *l, uint32_t to)
{
	uint32_t end = to;
	while (end > 0 && l->at[end - 1].taken)
		end = l->at[end - 1].free_below;
	while (to > 0 && l->at[to - 1].taken && l->at[to - 1].free_below > end) {
		uint32_t below = l->at[to - 1].free_below;
		l->at[to - 1].free_below = end;
		to = below;
	}
	return end;
}

static void take(struct legs *l, struct leg *x)
{
	x->taken = true;
	x->free_below = (uint32_t)(x - l->at);
}

/* The copies of the size to the host that ended before `up` begins are down[from .. to). */
static void take_detour(struct finder *f, const struct leg *up, uint32_t from, uint32_t to)
{
	struct leg *nearest = NULL;
	for (uint32_t end = to; (end = left_below(&f->down, end)) > from; end--) {
		struct leg *down = &f->down.at[end - 1];
		int64_t apart_ns = up->a_ns - down->b_ns, dur_ns = down->b_ns - down->a_ns;
		if (apart_ns > NEAR_NS && apart_ns > dur_ns)
			break;
		if (down->device == up->device) {
			take(&f->down, down);
			return;
		}
		nearest = nearest ? nearest : down;
	}
	if (!nearest)
		return;
	const struct trace *t = derived_trace(f->d);
	take(&f->down, nearest);
	add_transfer(pair_of(f, up->host, (int16_t)trace_device(t, nearest->device)->ordinal,
			     (int16_t)trace_device(t, up->device)->ordinal, PAIR_HOST),
		     up->bytes, up->b_ns - nearest->a_ns, nearest->row, up->row);
}

static void find_detours(struct finder *f)
{
	uint32_t from = 0, to = 0;
	if (f->up.n > 1)
		qsort(f->up.at, f->up.n, sizeof *f->up.at, by_start);
	if (f->down.n > 1)
		qsort(f->down.at, f->down.n, sizeof *f->down.at, by_end);
	for (uint32_t i = 0; i < f->up.n; i++) {
		const struct leg *up = &f->up.at[i];
		while (from < f->down.n && by_size(&f->down.at[from], up) < 0)
			from++;
		to = to < from ? from : to;
		while (to < f->down.n && by_size(&f->down.at[to], up) == 0 && f->down.at[to].b_ns <= up->a_ns)
			to++;
		take_detour(f, up, from, to);
	}
}

/* ---- all of them ----------------------------------------------------------------------------------------------------------- */

static void find_links(struct finder *f, const struct peak_table *table)
{
	const struct trace *t = derived_trace(f->d);
	for (uint32_t i = 0; i < f->out->n; i++) {
		struct device_pair *x = &f->out->at[i];
		for (uint32_t k = 0; k < trace_devices(t) && x->path == PAIR_PEER; k++)
			if (trace_device(t, k)->host == x->host && trace_device(t, k)->ordinal == x->from &&
			    x->fastest > peaks_of(table, t, k).host_bytes_per_s)
				x->path = PAIR_LINK;
	}
}

static int by_ends(const void *a, const void *b)
{
	const struct device_pair *x = a, *y = b;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->path > y->path) - (x->path < y->path);
}

bool device_pairs_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		       struct device_pairs *out, struct err *e)
{
	struct finder f = {.d = d, .q = q, .mem = mem, .out = out, .loop = {.progress = p}};
	struct peak_table *table = peaks_builtin(e);
	*out = (struct device_pairs){0};
	if (!table)
		return false;
	bool whole = true;
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)) && whole; i++)
		whole = take_device(&f, i);
	if (whole) {
		find_detours(&f);
		find_links(&f, table);
		if (out->n > 1)
			qsort(out->at, out->n, sizeof *out->at, by_ends);
	}
	idmap_free(&f.places);
	peaks_free(table);
	return whole || err_usage(e, "cancelled");
}
