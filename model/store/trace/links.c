/* model/store/trace/links.c - joins device work to the call that launched it, by (host, correlation id). One launch may own
 * hundreds of kernels (graph replay). */
#include "trace_private.h"
#include "model/store/base/slots.h"
#include <stdlib.h>
#include <string.h>

/* Of one host at a time: the table stays small, and ids that several hosts count up from 1 do not meet in it. */
struct launches {
	uint32_t *slot; /* row + 1 of the launch */
	int bits, most_bits;
	uint32_t host;
	uint32_t first_track, end_track; /* those of the host stand together */
};

static bool on_device(const struct trace *t, uint64_t r)
{
	return t->tracks[t->track[r]].info.device != NONE_ID;
}

static bool is_corr(uint64_t corr)
{
	return corr != 0 && corr != UINT64_MAX;
}

/* Where the launch is, or goes. */
static uint32_t *slot_of(const struct trace *t, const struct launches *l, uint64_t corr)
{
	uint64_t at = slots_first(corr, l->host, l->bits);
	while (l->slot[at] && number_at(t->c.corr, l->slot[at] - 1) != corr)
		at = slots_next(at, corr, l->host, l->bits);
	return &l->slot[at];
}

static bool is_device(const struct trace *t, uint32_t track)
{
	return t->tracks[track].info.device != NONE_ID;
}

/* Rows r of those of the tracks [from, to), each x, that are of devices, or of all others. */
#define EACH_ROW_OF(t, devices, from, to, x, r)                                                    \
	for (uint32_t x = (from); x < (to); x++)                                                   \
		for (uint64_t r = (t)->tracks[x].info.first,                                       \
			      end_ = is_device(t, x) == (devices) ? r + (t)->tracks[x].info.n : r; \
		     r < end_; r++)
#define EACH_ROW(t, devices, x, r) EACH_ROW_OF(t, devices, 0, (t)->n_tracks, x, r)

static void enter(struct trace *t, uint32_t host, uint32_t *slot, uint64_t r)
{
	if (*slot)
		notes_add_of(&t->notes, NOTE_CORR_DUPLICATE, trace_file_of(t, host), -1, 1);
	/* of two calls with one id the later one gets the work, and the duplicate is noted */
	if (!*slot || t->start_ns[r] >= t->start_ns[*slot - 1])
		*slot = (uint32_t)r + 1;
}

/* Room for n launches, of which at least a quarter stays free, so probes are short. */
static bool make_room(struct launches *l, uint64_t n)
{
	l->bits = slots_bits(n + n / 3);
	if (l->bits > l->most_bits) {
		free(l->slot);
		l->slot = large_alloc(sizeof *l->slot << l->bits);
		l->most_bits = l->slot ? l->bits : 0;
	}
	if (l->slot)
		memset(l->slot, 0, sizeof *l->slot << l->bits);
	return l->slot;
}

/* Enters all calls of the host with a correlation id. */
static bool collect(struct trace *t, struct launches *l)
{
	uint64_t n = 0;
	EACH_ROW_OF(t, false, l->first_track, l->end_track, x, r)
	n += is_corr(number_at(t->c.corr, (row_id)r));
	if (!make_room(l, n))
		return false;
	EACH_ROW_OF(t, false, l->first_track, l->end_track, x, r)
	{
		uint64_t corr = number_at(t->c.corr, (row_id)r);
		if (is_corr(corr))
			enter(t, l->host, slot_of(t, l, corr), r);
	}
	return true;
}

/* Device work of the host points at its launch. */
static void point_back(struct trace *t, const struct launches *l)
{
	uint64_t unmatched = 0;
	EACH_ROW_OF(t, true, l->first_track, l->end_track, x, r)
	{
		if (!kind_is_work(t->kind[r]))
			continue;
		uint64_t corr = number_at(t->c.corr, (row_id)r);
		uint32_t launch = is_corr(corr) ? *slot_of(t, l, corr) : 0;
		if (launch)
			t->link[r] = launch - 1;
		else
			unmatched++;
	}
	notes_add_of(&t->notes, NOTE_KERNEL_NO_LAUNCH, trace_file_of(t, l->host), -1, unmatched);
}

static bool link_hosts(struct trace *t)
{
	struct launches l = {0};
	bool ok = true;
	while (ok && l.end_track < t->n_tracks) {
		l.host = t->tracks[l.end_track].info.host;
		l.first_track = l.end_track;
		while (l.end_track < t->n_tracks && t->tracks[l.end_track].info.host == l.host)
			l.end_track++;
		ok = collect(t, &l);
		if (ok)
			point_back(t, &l);
	}
	free(l.slot);
	return ok;
}

static int cmp_start(const void *a, const void *b, void *ctx)
{
	const struct trace *t = ctx;
	row_id x = *(const row_id *)a, y = *(const row_id *)b;
	if (t->start_ns[x] != t->start_ns[y])
		return t->start_ns[x] < t->start_ns[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

static bool has_bit(const uint64_t *bits, row_id r)
{
	return bits[r / 64] >> r % 64 & 1;
}

/* The link of a launch becomes its work's row; launches that own more are marked. */
static void point_forward(struct trace *t, uint64_t *many)
{
	EACH_ROW(t, true, x, r)
	{
		row_id launch = t->link[r];
		if (launch == NONE_ID)
			continue;
		if (t->link[launch] == NONE_ID)
			t->link[launch] = (row_id)r;
		else
			many[launch / 64] |= UINT64_C(1) << launch % 64;
	}
}

/* One group per marked launch, in order of rows; the launch's link holds its number for the time being. */
static bool make_groups(struct trace *t, const uint64_t *many)
{
	uint32_t n = 0;
	for (uint64_t w = 0; w <= t->c.n / 64; w++)
		t->n_launches += (uint32_t)__builtin_popcountll(many[w]);
	t->launches = calloc((size_t)t->n_launches + 1, sizeof *t->launches);
	if (!t->launches)
		return false;
	for (uint64_t w = 0; w <= t->c.n / 64; w++)
		for (uint64_t bits = many[w]; bits; bits &= bits - 1) {
			row_id launch = (row_id)(w * 64 + (unsigned)__builtin_ctzll(bits));
			t->launches[n].launch = launch;
			t->link[launch] = n++;
		}
	if (!n)
		return true;
	EACH_ROW(t, true, x, r)
	if (t->link[r] != NONE_ID && has_bit(many, t->link[r]))
		t->launches[t->link[t->link[r]]].n++;
	return true;
}

static bool fill_groups(struct trace *t, const uint64_t *many)
{
	uint32_t at = 0;
	for (uint32_t g = 0; g < t->n_launches; g++) {
		t->launches[g].first = at;
		at += t->launches[g].n;
		t->launches[g].n = 0;
	}
	t->launched = malloc(((size_t)at + 1) * sizeof *t->launched);
	if (!t->launched || !t->n_launches)
		return t->launched != NULL;
	EACH_ROW(t, true, x, r)
	if (t->link[r] != NONE_ID && has_bit(many, t->link[r])) {
		struct launch_group *g = &t->launches[t->link[t->link[r]]];
		t->launched[g->first + g->n++] = (row_id)r;
	}
	for (uint32_t g = 0; g < t->n_launches; g++) {
		struct launch_group *x = &t->launches[g];
		qsort_r(t->launched + x->first, x->n, sizeof *t->launched, cmp_start, t);
		t->link[x->launch] = t->launched[x->first];
	}
	return true;
}

/* Lists the device work of the launches that own more than one piece of it, from the links of the device rows. */
bool seal_launch_groups(struct trace *t)
{
	uint64_t *many = calloc(t->c.n / 64 + 1, sizeof *many);
	if (many)
		point_forward(t, many);
	bool ok = many && make_groups(t, many) && fill_groups(t, many);
	free(many);
	return ok;
}

bool seal_links(struct trace *t)
{
	return link_hosts(t) && seal_launch_groups(t);
}

uint32_t trace_launched(const struct trace *t, row_id launch, const row_id **rows)
{
	uint32_t lo = 0, hi = t->n_launches;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (t->launches[mid].launch < launch)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* a launch that owns several; of the others the only piece of work is their link */
	if (lo < t->n_launches && t->launches[lo].launch == launch) {
		*rows = t->launched + t->launches[lo].first;
		return t->launches[lo].n;
	}
	*rows = &t->link[launch];
	/* the link of a device row is its launch, which is not its work */
	return t->link[launch] != NONE_ID && !on_device(t, launch);
}
