#include "copies.h"
#include "model/store/base/grow.h"
#include "copies_blocked.h"
#include "copies_expected.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/derived/device_walk.h"
#include "model/store/base/idmap.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/query/halves.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* How many copies of a group a step has. */
struct step_count {
	uint32_t group, step, n;
};
struct copy_reader {
	READER_APART const struct derived *d;
	const struct query *q;
	struct progress_loop loop;
	struct arena mem;
	struct copy_stats out;
	struct idmap by_hash, by_step; /* of the key; group and step -> place in counts */
	struct step_count *counts;
	uint32_t n_counts, cap_counts;
	struct copies_expected *expected; /* of the device under way */
	uint32_t device;
	uint8_t *call_mode; /* per text: is_async that a call of that name says, + 1 */
	bool launches;
};

/* ---- size classes --------------------------------------------------------------------------------------------------- */

static const char *const size_texts[SIZE_CLASSES] = {
	"below 1 KiB", "1-4 KiB",   "4-16 KiB",   "16-64 KiB",     "64-256 KiB", "256 KiB-1 MiB", "1-4 MiB",
	"4-16 MiB",    "16-64 MiB", "64-256 MiB", "256 MiB-1 GiB", "1-4 GiB",    "4 GiB or more"};

uint8_t copy_size_class(int64_t bytes)
{
	if (bytes == UNKNOWN_I64 || bytes < 0)
		return SIZE_UNKNOWN;
	uint8_t class = 0;
	for (int64_t limit = 1024; class < SIZE_CLASSES - 1 && bytes >= limit; limit *= 4)
		class ++;
	return class;
}

const char *copy_size_text(uint8_t class)
{
	return class < SIZE_CLASSES ? size_texts[class] : NULL;
}

/* ---- groups --------------------------------------------------------------------------------------------------------- */

static uint32_t add_group(struct copy_reader *v, const struct copy_key *key)
{
	struct copy_stats *s = &v->out;
	s->at = arena_next_row(&v->mem, s->at, s->n, sizeof *s->at);
	s->at[s->n] = (struct copy_group){.key = *key,
					  .min_ns = INT64_MAX,
					  .longest = NONE_ID,
					  .first = NONE_ID,
					  .first_ns = INT64_MAX,
					  .last_end_ns = INT64_MIN};
	return s->n++;
}

static uint32_t group_of(struct copy_reader *v, const struct copy_key *key)
{
	for (uint64_t h = idmap_hash(key, sizeof *key, 0);; h++) {
		uint32_t fresh = v->out.n, i = *idmap_put(&v->by_hash, h, fresh);
		if (i == fresh)
			return add_group(v, key);
		if (!memcmp(&v->out.at[i].key, key, sizeof *key))
			return i;
	}
}

static void count_step(struct copy_reader *v, uint32_t group, row_id r)
{
	uint32_t step = copies_step_of(v->expected, r);
	if (step == NONE_ID)
		return;
	v->out.at[group].in_steps++;
	uint32_t i = *idmap_put(&v->by_step, (uint64_t)group << 32 | step, v->n_counts);
	if (i == v->n_counts) {
		GROW_ARRAY(v->counts, v->n_counts, v->cap_counts);
		v->counts[v->n_counts++] = (struct step_count){group, step, 0};
	}
	v->counts[i].n++;
}

/* ---- one copy ------------------------------------------------------------------------------------------------------- */

static bool is_copy(const struct derived *d, row_id r)
{
	enum copy_kind kind = derived_copy_kind(d, r);
	return derived_columns(d)->kind[r] == KIND_COPY || (kind != COPY_UNKNOWN && kind != COPY_MEMSET);
}

/* "cudaMemcpyAsync" and "cudaMemcpy": what the producer's record of the copy does not tell, its call does. */
static uint8_t mode_of_call(struct copy_reader *v, row_id r)
{
	row_id launch = derived_columns(v->d)->link[r];
	if (launch == NONE_ID)
		return 255;
	str_id name = derived_columns(v->d)->name[launch];
	if (!v->call_mode[name]) {
		const char *text = trace_str(derived_trace(v->d), name);
		bool is_call = strstr(text, "udaMemcpy") || strstr(text, "hipMemcpy") || strstr(text, "cuMemcpy");
		v->call_mode[name] = is_call ? (strstr(text, "Async") != NULL) + 1 : 3;
	}
	return v->call_mode[name] == 3 ? 255 : v->call_mode[name] - 1;
}

static struct copy_key key_of(struct copy_reader *v, row_id r)
{
	const struct copy_info *info =
		derived_columns(v->d)->kind[r] == KIND_COPY ? trace_copy(derived_trace(v->d), r) : NULL;
	enum copy_kind kind = derived_copy_kind(v->d, r);
	struct copy_source from = copy_source_of(v->d, r, kind);
	struct copy_key k;
	memset(&k, 0, sizeof k);
	k.device = v->device;
	/* only between devices do the ends say more than the stream: it is the sender's */
	k.from_device = kind == COPY_P2P && info ? info->from_device : -1;
	k.to_device = kind == COPY_P2P && info ? info->to_device : -1;
	k.kind = (uint8_t)kind;
	k.src = info ? info->src : MEM_UNKNOWN;
	k.dst = info ? info->dst : MEM_UNKNOWN;
	k.is_async = info && info->is_async != 255 ? info->is_async : mode_of_call(v, r);
	k.size = copy_size_class(info ? info->bytes : UNKNOWN_I64);
	k.expected = (uint8_t)copy_expected(v->expected, r, kind);
	k.by = (uint8_t)from.by;
	k.op = from.op;
	k.caller = from.caller;
	return k;
}

static void count_copy(struct copy_group *g, const struct derived *d, row_id r)
{
	const struct copy_info *info =
		derived_columns(d)->kind[r] == KIND_COPY ? trace_copy(derived_trace(d), r) : NULL;
	int64_t start_ns = derived_columns(d)->start_ns[r], dur_ns = derived_columns(d)->dur_ns[r];
	if (!g->count++ || dur_ns > g->max_ns)
		g->longest = r;
	g->max_ns = dur_ns > g->max_ns ? dur_ns : g->max_ns;
	g->min_ns = dur_ns < g->min_ns ? dur_ns : g->min_ns;
	if (start_ns < g->first_ns) {
		g->first_ns = start_ns;
		g->first = r;
	}
	g->last_end_ns = start_ns + dur_ns > g->last_end_ns ? start_ns + dur_ns : g->last_end_ns;
	if (!info || info->bytes == UNKNOWN_I64 || info->bytes < 0)
		return;
	g->rated++;
	g->rated_ns += dur_ns;
	if (__builtin_add_overflow(g->bytes, info->bytes, &g->bytes))
		g->bytes = INT64_MAX;
}

static void take_copy(struct copy_reader *v, struct copies_blocked *blocked, row_id r)
{
	const struct query *q = v->q;
	int64_t a_ns = derived_columns(v->d)->start_ns[r], b_ns = row_end(derived_columns(v->d), r);
	bool starts = query_holds(q, a_ns);
	struct copy_key key = key_of(v, r);
	uint32_t group = group_of(v, &key);
	struct copy_group *g = &v->out.at[group];
	query_clip(q, &a_ns, &b_ns);
	g->total_ns += b_ns - a_ns;
	g->longest = g->longest == NONE_ID ? r : g->longest;
	copies_blocked_copy(blocked, r, a_ns, b_ns, group);
	if (!starts)
		return;
	count_copy(g, v->d, r);
	count_step(v, group, r);
}

static void add_blocked(void *arg, uint32_t group, int64_t exposed_ns, int64_t blocked_ns)
{
	struct copy_reader *v = arg;
	v->out.at[group].exposed_ns += exposed_ns;
	v->out.at[group].blocked_ns += blocked_ns;
}

/* ---- one device ----------------------------------------------------------------------------------------------------- */

static bool has_copies(const struct copy_reader *v)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(v->d, v->device, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it = event_iter(derived_trace(v->d), tracks[i], v->q->a_ns, v->q->b_ns, KINDS_WORK);
		while (event_next(&it))
			if (is_copy(v->d, it.row))
				return true;
	}
	return false;
}

/* Up to the kernel after the window for which the last copies may have made it wait. */
static void sweep(struct copy_reader *v)
{
	struct copies_blocked blocked = {.d = v->d, .found = add_blocked, .arg = v};
	struct device_walk w;
	device_walk_open(&w, v->d, v->device, v->q->a_ns, INT64_MAX, KINDS_WORK);
	while (device_walk_next(&w) && !progress_loop_cancelled(&v->loop)) {
		bool beyond = derived_columns(v->d)->start_ns[w.row] >= v->q->b_ns;
		if (beyond && !copies_blocked_pending(&blocked))
			break;
		if (!is_copy(v->d, w.row)) {
			if (derived_columns(v->d)->kind[w.row] == KIND_MEMSET)
				continue;
			v->launches |= derived_columns(v->d)->link[w.row] != NONE_ID;
			copies_blocked_kernel(&blocked, w.row);
		} else if (!beyond && event_wanted(v->d, v->q, w.row)) {
			take_copy(v, &blocked, w.row);
		}
	}
	copies_blocked_end(&blocked);
	device_walk_close(&w);
}

static void read_device(struct copy_reader *v, uint32_t device)
{
	uint32_t first = v->out.n;
	v->device = device;
	v->launches = false;
	if (!has_copies(v))
		return;
	v->expected = copies_expected_new(v->d, device, v->q->a_ns, v->q->b_ns);
	sweep(v);
	for (uint32_t i = first; i < v->out.n; i++) {
		v->out.at[i].launches_known = v->launches;
		v->out.at[i].of_steps = copies_steps(v->expected);
	}
	copies_expected_free(v->expected);
}

/* ---- places --------------------------------------------------------------------------------------------------------- */

static int by_group_and_count(const void *x, const void *y)
{
	const struct step_count *a = x, *b = y;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return (a->n < b->n) - (a->n > b->n);
}

/* Of the steps in falling order of how many copies they have, the one at nine tenths tells how many places recur. */
static void find_places(struct copy_reader *v)
{
	if (v->n_counts)
		qsort(v->counts, v->n_counts, sizeof *v->counts, by_group_and_count);
	for (uint32_t i = 0, end; i < v->n_counts; i = end) {
		for (end = i + 1; end < v->n_counts && v->counts[end].group == v->counts[i].group;)
			end++;
		struct copy_group *g = &v->out.at[v->counts[i].group];
		uint32_t needed = (uint32_t)(((uint64_t)g->of_steps * 9 + 9) / 10);
		g->steps_with = end - i;
		g->places = g->of_steps > 1 && g->steps_with >= needed ? v->counts[i + needed - 1].n : 0;
	}
}

/* Of equal time the one that came first: numbers of texts depend on how the file was written. */
static int by_time(const void *x, const void *y)
{
	const struct copy_group *a = x, *b = y;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static void reader_open(struct copy_reader *v, const struct derived *d, const struct query *q, struct progress *p)
{
	*v = (struct copy_reader){.d = d, .q = q, .loop = {.progress = p}};
	v->call_mode = must(calloc(strings_count(trace_strings(derived_trace(d))) + 1u, 1));
}

static bool read_devices(void *reader, uint32_t from, uint32_t to)
{
	struct copy_reader *v = reader;
	for (uint32_t i = from; i < to && !v->loop.cancelled; i++)
		read_device(v, i);
	find_places(v);
	return !v->loop.cancelled;
}

static void reader_free(struct copy_reader *v)
{
	idmap_free(&v->by_hash);
	idmap_free(&v->by_step);
	free(v->counts);
	free(v->call_mode);
	arena_free(&v->mem);
}

/* Groups are of one device each. */
static void join(const struct copy_reader of[2], struct arena *mem, struct copy_stats *out)
{
	out->n = of[0].out.n + of[1].out.n;
	out->at = halves_joined(mem, of[0].out.at, of[0].out.n, of[1].out.at, of[1].out.n, sizeof *out->at);
	for (uint32_t i = 0; i < out->n; i++)
		out->total_ns += out->at[i].total_ns;
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, by_time);
}

bool copy_stats_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		     struct copy_stats *out, struct err *e)
{
	struct halves h = halves_of_devices(d);
	struct copy_reader of[2] = {0};
	*out = (struct copy_stats){0};
	for (int i = 0; i < 1 + halves_two(&h); i++)
		reader_open(&of[i], d, q, p);
	bool fine = halves_read(&h, read_devices, &of[0], &of[1]) || err_usage(e, "cancelled");
	if (fine)
		join(of, mem, out);
	reader_free(&of[0]);
	reader_free(&of[1]);
	return fine;
}
