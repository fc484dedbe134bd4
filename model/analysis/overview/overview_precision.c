/* 16-bit and 32-bit shares of device compute as the reference tool has them: per step, all devices together, no moment
 * twice, 16 bit first. Only "half" and "fp16" are 16 bit for it, and memsets and most copies are compute. */
#include "overview_parts.h"
#include "model/store/base/grow.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/keyed.h"
#include "model/analysis/steps/breakdown_class.h"
#include "model/analysis/steps/breakdown_spans.h"
#include <stdlib.h>
#include <string.h>

struct piece {
	uint32_t step;
	int64_t a_ns, b_ns;
	bool half;
};
struct pieces {
	struct piece *at;
	size_t n, cap;
};

static bool is_half(const struct derived *d, row_id r)
{
	const struct kernel_info *k = trace_kernel_with_texts(derived_trace(d), r);
	if (k && k->shape)
		return strstr(trace_str(derived_trace(d), k->shape), "half") != NULL;
	const char *name = trace_str(derived_trace(d), derived_columns(d)->name[r]);
	return strstr(name, "half") || strstr(name, "fp16");
}

static void add_piece(struct pieces *v, struct piece x)
{
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n++] = x;
}

static void collect(const struct derived *d, struct pieces *v)
{
	struct classes *classes = classes_new(d);
	for (uint32_t dev = 0; dev < trace_devices(derived_trace(d)); dev++) {
		uint32_t n;
		const uint32_t *tracks = device_streams(d, dev, &n);
		for (uint32_t i = 0; i < n; i++) {
			const struct track_info *k = trace_track(derived_trace(d), tracks[i]);
			for (row_id r = (row_id)k->first; r < k->first + k->n; r++)
				if (row_is_work(derived_columns(d), r) && row_in_group(d, r) &&
				    derived_step_of(d, r) != NONE_ID && device_class_xprof(classes, r) == TIME_COMPUTE)
					add_piece(v,
						  (struct piece){derived_step_of(d, r), derived_columns(d)->start_ns[r],
								 row_end(derived_columns(d), r), is_half(d, r)});
		}
	}
	classes_free(classes);
}

static int piece_order(const void *x, const void *y)
{
	const struct piece *a = x, *b = y;
	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	return (a->a_ns > b->a_ns) - (a->a_ns < b->a_ns);
}

/* Time covered by the pieces of every step: all of them, or those of 16 bit. */
static int64_t covered(const struct pieces *v, bool half_only)
{
	int64_t sum_ns = 0, until_ns = INT64_MIN;
	for (size_t i = 0; i < v->n; i++) {
		const struct piece *x = &v->at[i];
		if (i && x->step != v->at[i - 1].step)
			until_ns = INT64_MIN;
		if (half_only && !x->half)
			continue;
		int64_t a_ns = x->a_ns > until_ns ? x->a_ns : until_ns;
		sum_ns += x->b_ns > a_ns ? x->b_ns - a_ns : 0;
		until_ns = x->b_ns > until_ns ? x->b_ns : until_ns;
	}
	return sum_ns;
}

void overview_precision(struct table *t, const struct derived *d)
{
	struct pieces v = {0};
	collect(d, &v);
	if (v.n)
		qsort(v.at, v.n, sizeof *v.at, piece_order);
	int64_t all_ns = covered(&v, false), half_ns = covered(&v, true);
	keyed_real(t, "device_compute_16bit_pct", UNIT_PERCENT, keyed_pct((double)half_ns, (double)all_ns),
		   "Share of the steps' compute time in 16-bit kernels, by the reference tool's rules.");
	keyed_real(t, "device_compute_32bit_pct", UNIT_PERCENT, keyed_pct((double)(all_ns - half_ns), (double)all_ns),
		   "The rest of that time.");
	free(v.at);
}
