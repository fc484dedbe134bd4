/* model/store/links.c - joins device work to the call that launched it, by (host, correlation id). One launch may own
 * hundreds of kernels (graph replay). */
#include "trace_private.h"
#include <stdlib.h>
#include <string.h>

/* slots hold row + 1 of the launch */
struct launches {
	uint32_t *slot;
	uint64_t mask;
};

static bool has_corr(const struct trace *t, uint64_t r)
{
	uint64_t corr = number_at(t->c.corr, (row_id)r);
	return corr != 0 && corr != UINT64_MAX;
}

static bool on_device(const struct trace *t, uint64_t r)
{
	return t->tracks[t->track[r]].info.device != NONE_ID;
}

static uint64_t slot_of(const struct trace *t, const struct launches *l, uint64_t r)
{
	uint32_t host = t->tracks[t->track[r]].info.host;
	uint64_t corr = number_at(t->c.corr, (row_id)r), h = (corr ^ (uint64_t)host << 40) * 0x9fb21c651e98df25u;
	uint64_t i = (h ^ h >> 32) & l->mask;
	for (; l->slot[i]; i = (i + 1) & l->mask) {
		uint32_t other = l->slot[i] - 1;
		if (number_at(t->c.corr, other) == corr && t->tracks[t->track[other]].info.host == host)
			break;
	}
	return i;
}

static bool is_device(const struct trace *t, uint32_t track)
{
	return t->tracks[track].info.device != NONE_ID;
}

/* Rows r of all tracks of devices, or of all others. */
#define EACH_ROW(t, devices, r)                                                                      \
	for (uint32_t x_ = 0; x_ < (t)->n_tracks; x_++)                                              \
		for (uint64_t r = (t)->tracks[x_].info.first,                                        \
			      end_ = is_device(t, x_) == (devices) ? r + (t)->tracks[x_].info.n : r; \
		     r < end_; r++)

static void enter(struct trace *t, struct launches *l, uint64_t r)
{
	uint64_t i = slot_of(t, l, r);
	if (l->slot[i])
		notes_add(&t->notes, NOTE_CORR_DUPLICATE, -1, 1);
	if (!l->slot[i] || t->start_ns[r] >= t->start_ns[l->slot[i] - 1])
		l->slot[i] = (uint32_t)r + 1;
}

static bool collect(struct trace *t, struct launches *l)
{
	uint64_t n = 0, slots = 16;
	EACH_ROW(t, false, r)
	n += has_corr(t, r);
	while (slots < n * 2)
		slots *= 2;
	l->slot = large_room(slots * sizeof *l->slot);
	l->mask = slots - 1;
	if (!l->slot)
		return false;
	memset(l->slot, 0, slots * sizeof *l->slot);
	EACH_ROW(t, false, r)
	if (has_corr(t, r))
		enter(t, l, r);
	return true;
}

/* Device work points at its launch. */
static void point_back(struct trace *t, struct launches *l)
{
	uint64_t lonely = 0;
	EACH_ROW(t, true, r)
	{
		if (!kind_is_work(t->kind[r]))
			continue;
		uint64_t i = has_corr(t, r) ? slot_of(t, l, r) : 0;
		if (has_corr(t, r) && l->slot[i])
			t->link[r] = l->slot[i] - 1;
		else
			lonely++;
	}
	notes_add(&t->notes, NOTE_KERNEL_NO_LAUNCH, -1, lonely);
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
	EACH_ROW(t, true, r)
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
	EACH_ROW(t, true, r)
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
	if (!t->launched)
		return false;
	EACH_ROW(t, true, r)
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
	struct launches l = {0};
	bool ok = collect(t, &l);
	if (ok)
		point_back(t, &l);
	free(l.slot);
	return ok && seal_launch_groups(t);
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
	if (lo < t->n_launches && t->launches[lo].launch == launch) {
		*rows = t->launched + t->launches[lo].first;
		return t->launches[lo].n;
	}
	*rows = &t->link[launch];
	return t->link[launch] != NONE_ID && !on_device(t, launch);
}
