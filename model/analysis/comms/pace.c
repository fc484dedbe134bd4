#include "pace.h"
#include <math.h>
#include <stdlib.h>
#include "model/analysis/derived/device_steps.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/step_phase.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"

enum { PACE_STEPS = 4, PACE_OTHERS = 8, SAME_PCT = 90, EVEN_PCT = 90, SLOW_PCT = 3, FEWEST_KINDS = 3 };

/* Kernels of one kind: on the device asked about, and on the others together. */
enum { OWN, OTHERS, SIDES };
struct kind {
	double n[SIDES], ns[SIDES];
	bool shaped; /* its launch shape is recorded */
};
struct kinds {
	struct idmap places; /* what makes one kind -> its place */
	struct kind *at;
	uint32_t n, cap;
};
struct counting {
	const struct derived *d;
	const struct query *q;
	struct counted_steps counted;
	struct kinds shapes, names; /* of one name and launch shape; of one name */
	uint32_t steps[SIDES];
};

static struct kind *kind_at(struct kinds *x, uint64_t key, bool shaped)
{
	uint32_t place = *idmap_put(&x->places, key, x->n);
	if (place == x->n) {
		GROW_ARRAY(x->at, x->n, x->cap);
		x->at[x->n++] = (struct kind){.shaped = shaped};
	}
	return &x->at[place];
}

static struct kind *shape_of(struct counting *x, row_id r)
{
	const struct kernel_info *k = trace_kernel(derived_trace(x->d), r);
	uint32_t shape[7] = {derived_columns(x->d)->name[r]};
	bool shaped = k && k->grid[0] && k->block[0];
	for (int i = 0; shaped && i < 3; i++) {
		shape[1 + i] = k->grid[i];
		shape[4 + i] = k->block[i];
	}
	return kind_at(&x->shapes, idmap_hash(shape, sizeof shape, 0), shaped);
}

static void add_kernel(struct kind *k, int side, int64_t dur_ns)
{
	k->n[side]++;
	k->ns[side] += (double)dur_ns;
}

static void add_step(struct counting *x, const struct step_device *part, int side)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(x->d, part->device, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it = event_iter(derived_trace(x->d), tracks[i], part->first_ns, part->last_ns,
						  KIND_BIT(KIND_KERNEL));
		while (event_next(&it)) {
			if (derived_step_of(x->d, it.row) != part->step || derived_is_collective(x->d, it.row))
				continue;
			const struct columns *c = derived_columns(x->d);
			add_kernel(shape_of(x, it.row), side, c->dur_ns[it.row]);
			add_kernel(kind_at(&x->names, c->name[it.row], false), side, c->dur_ns[it.row]);
		}
	}
	x->steps[side]++;
}

/* False: no step of the device counts. */
static bool add_device(struct counting *x, uint32_t device, int side)
{
	struct device_steps of = device_steps_find(x->d, device, x->q->a_ns, x->q->b_ns);
	uint32_t added = 0;
	for (uint32_t i = 0; i < of.n && added < PACE_STEPS; i++) {
		int64_t a_ns, b_ns;
		step_time(x->d, of.parts[i].step, device, &a_ns, &b_ns);
		if (a_ns < x->q->a_ns || b_ns > x->q->b_ns || !step_counts(&x->counted, of.parts[i].step))
			continue;
		add_step(x, &of.parts[i], side);
		added++;
	}
	return added > 0;
}

static double per_step(const struct counting *x, const struct kind *k, int side)
{
	return k->n[side] / x->steps[side];
}

static bool is_same(const struct counting *x, const struct kind *k)
{
	double own = per_step(x, k, OWN), others = per_step(x, k, OTHERS);
	return k->shaped && own > 0 && fabs(own - others) * 50 <= own;
}

/* What the kernels of the device would take on the others. */
static double there_ns(const struct kind *k)
{
	return k->n[OWN] * k->ns[OTHERS] / k->n[OTHERS];
}

/* What kernels take per step that the device runs more often than the others, where they are as long as there. */
static double more_ns(const struct counting *x, const struct kind *k)
{
	int known = k->n[OTHERS] > 0 ? OTHERS : OWN;
	return k->n[known] > 0 ? (per_step(x, k, OWN) - per_step(x, k, OTHERS)) * k->ns[known] / k->n[known] : 0;
}

static void add_kind(struct kind *sum, const struct kind *k)
{
	for (int side = 0; side < SIDES; side++) {
		sum->n[side] += k->n[side];
		sum->ns[side] += k->ns[side];
	}
}

/* Names that one side alone has stand for each other: a larger batch may be another kernel. */
static double more_pct(const struct counting *x)
{
	struct kind all = {0}, unpaired = {0};
	double more = 0;
	for (uint32_t i = 0; i < x->names.n; i++) {
		const struct kind *k = &x->names.at[i];
		add_kind(&all, k);
		if (k->n[OWN] > 0 && k->n[OTHERS] > 0)
			more += more_ns(x, k);
		else
			add_kind(&unpaired, k);
	}
	more += more_ns(x, &unpaired);
	double longer = all.ns[OWN] / x->steps[OWN] - all.ns[OTHERS] / x->steps[OTHERS];
	return longer > 0 ? 100 * more / longer : NAN;
}

static struct pace judge(const struct counting *x)
{
	struct pace out = {.ratio = NAN, .more_pct = more_pct(x), .even_pct = NAN};
	double all_ns = 0, own_ns = 0, others_ns = 0, even_ns = 0;
	uint32_t kinds = 0;
	for (uint32_t i = 0; i < x->shapes.n; i++) {
		all_ns += x->shapes.at[i].ns[OWN];
		if (!is_same(x, &x->shapes.at[i]))
			continue;
		own_ns += x->shapes.at[i].ns[OWN];
		others_ns += there_ns(&x->shapes.at[i]);
	}
	if (own_ns <= 0 || others_ns <= 0 || own_ns * 100 < all_ns * SAME_PCT)
		return out;
	out.ratio = own_ns / others_ns;
	for (uint32_t i = 0; i < x->shapes.n; i++) {
		const struct kind *k = &x->shapes.at[i];
		if (!is_same(x, k) || k->ns[OWN] * 100 < own_ns)
			continue;
		double above = k->ns[OWN] / there_ns(k) - 1;
		kinds++;
		even_ns += above >= (out.ratio - 1) / 2 && above <= (out.ratio - 1) * 2 ? k->ns[OWN] : 0;
	}
	if (kinds >= FEWEST_KINDS)
		out.even_pct = 100 * even_ns / own_ns;
	return out;
}

static void kinds_free(struct kinds *x)
{
	idmap_free(&x->places);
	free(x->at);
}

struct pace pace_of(const struct derived *d, const struct query *q, uint32_t device)
{
	struct counting x = {.d = d, .q = q, .counted = counted_steps(d, q)};
	struct pace out = {NAN, NAN, NAN};
	uint32_t others = 0;
	bool any = add_device(&x, device, OWN);
	for (uint32_t i = 0; any && i < trace_devices(derived_trace(d)) && others < PACE_OTHERS; i++)
		others += i != device && add_device(&x, i, OTHERS);
	if (others)
		out = judge(&x);
	kinds_free(&x.shapes);
	kinds_free(&x.names);
	return out;
}

bool pace_is_slow(const struct pace *p)
{
	return p->ratio * 100 >= 100 + SLOW_PCT && p->even_pct >= EVEN_PCT;
}
