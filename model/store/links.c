/* model/store/links.c - joins device work to the call that launched it, by (host, correlation id). One launch may own
 * hundreds of kernels (graph replay). */
#include "trace_private.h"
#include <stdlib.h>

/* slots hold row + 1 of the launch */
struct launches {
	uint32_t *slot;
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
	l->mask = slots - 1;
	if (!l->slot)
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

/* Device work points at its launch. */
static void point_back(struct trace *t, struct launches *l)
{
	uint64_t lonely = 0;
	for (uint64_t r = 0; r < t->c.n; r++) {
		if (!on_device(t, r) || !kind_is_work(t->kind[r]))
			continue;
		uint64_t i = has_corr(t, r) ? slot_of(t, l, r) : 0;
		if (has_corr(t, r) && l->slot[i]) {
			t->link[r] = l->slot[i] - 1;
		} else
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

static bool points_at_launch(const struct trace *t, uint64_t r)
{
	return on_device(t, r) && t->link[r] != NONE_ID;
}

/* Lists the device work of each launch, from the links of the device rows. */
bool seal_launch_groups(struct trace *t)
{
	uint32_t *group = calloc(t->c.n + 1, sizeof *group); /* first: work per launch row; then: its group's number */
	uint64_t found = 0;
	for (uint64_t r = 0; group && r < t->c.n; r++)
		if (points_at_launch(t, r)) {
			t->n_launches += group[t->link[r]]++ == 0;
			found++;
		}
	t->launches = calloc((size_t)t->n_launches + 1, sizeof *t->launches);
	t->launched = malloc((found + 1) * sizeof *t->launched);
	bool ok = group && t->launches && t->launched;
	uint32_t at = 0, n = 0;
	for (uint64_t r = 0; ok && r < t->c.n; r++)
		if (group[r]) {
			t->launches[n] = (struct launch_group){(row_id)r, at, 0};
			at += group[r];
			group[r] = n++;
		}
	for (uint64_t r = 0; ok && r < t->c.n; r++)
		if (points_at_launch(t, r)) {
			struct launch_group *g = &t->launches[group[t->link[r]]];
			t->launched[g->first + g->n++] = (row_id)r;
		}
	free(group);
	for (uint32_t g = 0; ok && g < t->n_launches; g++) {
		struct launch_group *x = &t->launches[g];
		if (x->n > 1)
			qsort_r(t->launched + x->first, x->n, sizeof *t->launched, cmp_start, t);
		t->link[x->launch] = t->launched[x->first];
	}
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
	if (lo == t->n_launches || t->launches[lo].launch != launch)
		return 0;
	*rows = t->launched + t->launches[lo].first;
	return t->launches[lo].n;
}
