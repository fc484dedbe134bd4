/* model/store/links.c - joins device work to the call that launched it, by (host, correlation id). One launch may own
 * hundreds of kernels (graph replay). */
#include "trace_private.h"
#include <stdlib.h>

/* slots hold row + 1 of the launch; `count` its device work. */
struct launches {
	uint32_t *slot, *count;
	uint64_t mask;
};

static bool has_corr(const struct trace *t, uint64_t r)
{
	return t->corr[r] != 0 && t->corr[r] != UINT64_MAX;
}

static bool on_device(const struct trace *t, uint64_t r)
{
	return t->tracks[t->track[r]].info.device != NONE_ID;
}

static uint64_t slot_of(const struct trace *t, const struct launches *l, uint64_t r)
{
	uint32_t host = t->tracks[t->track[r]].info.host;
	uint64_t h = (t->corr[r] ^ (uint64_t)host << 40) * 0x9fb21c651e98df25u;
	uint64_t i = (h ^ h >> 32) & l->mask;
	for (; l->slot[i]; i = (i + 1) & l->mask) {
		uint32_t other = l->slot[i] - 1;
		if (t->corr[other] == t->corr[r] && t->tracks[t->track[other]].info.host == host)
			break;
	}
	return i;
}

static bool collect(struct trace *t, struct launches *l)
{
	uint64_t n = 0, slots = 16;
	for (uint64_t r = 0; r < t->c.n; r++)
		n += has_corr(t, r) && !on_device(t, r);
	while (slots < n * 2)
		slots *= 2;
	l->slot = calloc(slots, sizeof *l->slot);
	l->count = calloc(slots, sizeof *l->count);
	l->mask = slots - 1;
	if (!l->slot || !l->count)
		return false;
	for (uint64_t r = 0; r < t->c.n; r++) {
		if (!has_corr(t, r) || on_device(t, r))
			continue;
		uint64_t i = slot_of(t, l, r);
		if (l->slot[i])
			notes_add(&t->notes, NOTE_CORR_DUPLICATE, -1, 1);
		if (!l->slot[i] || t->start_ns[r] >= t->start_ns[l->slot[i] - 1])
			l->slot[i] = (uint32_t)r + 1;
	}
	return true;
}

/* Device work points at its launch; returns how much of it found one. */
static uint64_t point_back(struct trace *t, struct launches *l)
{
	uint64_t found = 0, lonely = 0;
	for (uint64_t r = 0; r < t->c.n; r++) {
		if (!on_device(t, r) || !kind_is_work(t->kind[r]))
			continue;
		uint64_t i = has_corr(t, r) ? slot_of(t, l, r) : 0;
		if (has_corr(t, r) && l->slot[i]) {
			t->link[r] = l->slot[i] - 1;
			l->count[i]++;
			found++;
		} else
			lonely++;
	}
	notes_add(&t->notes, NOTE_KERNEL_NO_LAUNCH, -1, lonely);
	return found;
}

static int cmp_start(const void *a, const void *b, void *ctx)
{
	const struct trace *t = ctx;
	row_id x = *(const row_id *)a, y = *(const row_id *)b;
	if (t->start_ns[x] != t->start_ns[y])
		return t->start_ns[x] < t->start_ns[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

static bool make_groups(struct trace *t, struct launches *l, uint64_t found)
{
	uint32_t n = 0;
	for (uint64_t i = 0; i <= l->mask; i++)
		n += l->count[i] > 0;
	t->launches = calloc((size_t)n + 1, sizeof *t->launches);
	t->launched = malloc((found + 1) * sizeof *t->launched);
	if (!t->launches || !t->launched)
		return false;
	uint32_t at = 0;
	for (uint64_t r = 0; r < t->c.n; r++) {
		if (!has_corr(t, r) || on_device(t, r))
			continue;
		uint64_t i = slot_of(t, l, r);
		if (l->slot[i] != r + 1 || l->count[i] == 0)
			continue;
		t->launches[t->n_launches] = (struct launch_group){(row_id)r, at, 0};
		at += l->count[i];
		l->count[i] = t->n_launches++; /* from here on: the group's number */
	}
	for (uint64_t r = 0; r < t->c.n; r++)
		if (on_device(t, r) && t->link[r] != NONE_ID) {
			struct launch_group *g = &t->launches[l->count[slot_of(t, l, r)]];
			t->launched[g->first + g->n++] = (row_id)r;
		}
	return true;
}

bool seal_links(struct trace *t)
{
	struct launches l = {0};
	bool ok = collect(t, &l) && make_groups(t, &l, point_back(t, &l));
	for (uint32_t g = 0; ok && g < t->n_launches; g++) {
		struct launch_group *x = &t->launches[g];
		qsort_r(t->launched + x->first, x->n, sizeof *t->launched, cmp_start, t);
		t->link[x->launch] = t->launched[x->first];
	}
	free(l.slot);
	free(l.count);
	return ok;
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
	if (lo == t->n_launches || t->launches[lo].launch != launch)
		return 0;
	*rows = t->launched + t->launches[lo].first;
	return t->launches[lo].n;
}
