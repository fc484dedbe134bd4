/* Whether two runs do the same work: what they ran on, what recorded them, and how large their batches are. */
#include "compare.h"
#include "model/analysis/names/framework.h"
#include "model/analysis/ops/ops_columns.h"
#include "model/analysis/query/shared.h"
#include "model/analysis/recorded/devices_columns.h"
#include "model/store/base/idmap.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TABLE_DECL(devices);
TABLE_DECL(ops);
TABLE_DECL(trace);

/* What one of the two does not tell is no difference. */
static void differ(struct work_differences *out, const char *what, const char *a, const char *b)
{
	if (a && b && strcmp(a, b) != 0)
		out->at[out->n++] = (struct work_difference){what, a, b};
}

/* ---- devices --------------------------------------------------------------------------------------------------------- */

/* Those that work, each model once: "Tesla V100-SXM2-32GB". */
static const char *models_of(const struct compare_side *s, struct arena *mem, struct progress *p, struct err *e)
{
	struct table *t = shared_table(&devices_desc, s->d, &s->q, mem, p, e);
	const char *text = NULL;
	for (uint32_t row = 0; t && row < t->n_rows; row++) {
		const char *name = column_text(t, row, COL_DEVICES_NAME);
		int64_t busy_ns = column_int(t, row, COL_DEVICES_BUSY_NS);
		if (!name || !*name || busy_ns == UNKNOWN_I64 || busy_ns == 0 || (text && strstr(text, name)))
			continue;
		text = text ? arena_printf(mem, "%s, %s", text, name) : name;
	}
	return text;
}

static const char *producer_of(const struct compare_side *s, struct arena *mem, struct progress *p, struct err *e)
{
	struct table *t = shared_table(&trace_desc, s->d, &s->q, mem, p, e);
	const struct cell *c = t ? key_cell(t, "producer") : NULL;
	return c && !c->null ? c->s : NULL;
}

/* ---- batch ----------------------------------------------------------------------------------------------------------- */

/* What two texts differ in: one number, wherever it stands. False: in more, or in nothing. */
static bool one_number_differs(const char *a, const char *b, long long *from, long long *to)
{
	bool any = false;
	while (*a && *b) {
		if (!isdigit((unsigned char)*a) || !isdigit((unsigned char)*b)) {
			if (*a++ != *b++)
				return false;
			continue;
		}
		char *a_end, *b_end;
		long long x = strtoll(a, &a_end, 10), y = strtoll(b, &b_end, 10);
		if (x != y && any && (x != *from || y != *to))
			return false;
		if (x != y) {
			any = true;
			*from = x;
			*to = y;
		}
		a = a_end;
		b = b_end;
	}
	return any && !*a && !*b;
}

struct vote {
	long long from, to;
	double ns;
};
struct votes {
	struct vote at[16]; /* other pairs than these are no batch */
	uint32_t n;
	double all_ns; /* time of all ops of which both sides tell shapes */
};

static void vote_for(struct votes *v, long long from, long long to, double ns)
{
	uint32_t i = 0;
	while (i < v->n && (v->at[i].from != from || v->at[i].to != to))
		i++;
	if (i == v->n && v->n < sizeof v->at / sizeof *v->at)
		v->at[v->n++] = (struct vote){from, to, 0};
	if (i < v->n)
		v->at[i].ns += ns;
}

static uint64_t name_hash(const struct table *ops, uint32_t row)
{
	const char *name = column_text(ops, row, COL_OPS_OPERATION), *side = column_text(ops, row, COL_OPS_SIDE);
	return name && side ? idmap_hash(name, strlen(name), idmap_hash(side, strlen(side), 0)) : 0;
}

static void compare_shapes(struct votes *v, const struct table *a, const struct table *b)
{
	struct idmap rows = {0};
	for (uint32_t row = 0; row < a->n_rows; row++)
		idmap_put(&rows, name_hash(a, row), row);
	for (uint32_t row = 0; row < b->n_rows; row++) {
		uint32_t other = idmap_get(&rows, name_hash(b, row));
		const char *after = column_text(b, row, COL_OPS_SHAPE),
			   *before = other == NONE_ID ? NULL : column_text(a, other, COL_OPS_SHAPE);
		int64_t self_ns = column_int(b, row, COL_OPS_SELF);
		long long from = 0, to = 0;
		if (!before || !after || self_ns == UNKNOWN_I64)
			continue;
		v->all_ns += (double)self_ns;
		if (one_number_differs(before, after, &from, &to))
			vote_for(v, from, to, (double)self_ns);
	}
	idmap_free(&rows);
}

/* The one number in which ops that take most of the time differ. */
static bool find_batch(const struct compare_side *a, const struct compare_side *b, struct arena *mem,
		       struct progress *p, struct work_differences *out, struct err *e)
{
	struct table *before = shared_table(&ops_desc, a->d, &a->stretch, mem, p, e);
	struct table *after = before ? shared_table(&ops_desc, b->d, &b->stretch, mem, p, e) : NULL;
	struct votes v = {0};
	if (!after)
		return false;
	compare_shapes(&v, before, after);
	const struct vote *best = v.at;
	for (uint32_t i = 1; i < v.n; i++)
		best = v.at[i].ns > best->ns ? &v.at[i] : best;
	if (v.n && 2 * best->ns > v.all_ns && best->from > 0 && best->to > 0) {
		out->batch_a = (double)best->from;
		out->batch_b = (double)best->to;
	}
	return true;
}

bool compare_work(const struct compare_side *a, const struct compare_side *b, struct arena *mem, struct progress *p,
		  struct work_differences *out, struct err *e)
{
	*out = (struct work_differences){.batch_a = NAN, .batch_b = NAN};
	const struct trace *ta = derived_trace(a->d), *tb = derived_trace(b->d);
	struct err failed = {0};
	differ(out, "device", models_of(a, mem, p, &failed), models_of(b, mem, p, &failed));
	differ(out, "devices", arena_printf(mem, "%u", a->devices), arena_printf(mem, "%u", b->devices));
	differ(out, "framework", framework_name(framework_of(ta)), framework_name(framework_of(tb)));
	differ(out, "recorded by", producer_of(a, mem, p, &failed), producer_of(b, mem, p, &failed));
	TRY(a->d == b->d || find_batch(a, b, mem, p, out, e));
	if (!isnan(out->batch_a))
		differ(out, "batch", arena_printf(mem, "%.0f", out->batch_a), arena_printf(mem, "%.0f", out->batch_b));
	return true;
}
