#include "copies_blocked.h"
#include "model/store/base/grow.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include <stdlib.h>
#include <string.h>

static void compact(struct copies_blocked *x)
{
	if (x->head < x->n / 2)
		return;
	if (x->n > x->head)
		memmove(x->at, x->at + x->head, (x->n - x->head) * sizeof *x->at);
	x->n -= x->head;
	x->head = 0;
}

void copies_blocked_copy(struct copies_blocked *x, row_id r, int64_t a_ns, int64_t b_ns, uint32_t tag)
{
	if (!x->begun)
		x->covered_ns = x->kernels_ns = INT64_MIN;
	x->begun = true;
	a_ns = a_ns > x->covered_ns ? a_ns : x->covered_ns;
	if (a_ns >= b_ns)
		return;
	x->covered_ns = b_ns;
	compact(x);
	GROW_ARRAY(x->at, x->n, x->cap);
	x->at[x->n++] = (struct copy_piece){a_ns, b_ns, r, tag};
}

/* The copy's own call, or one that synchronises, lasts until the copy ends: its thread could do nothing else. */
static bool thread_waits(const struct derived *d, row_id copy, row_id next_launch)
{
	row_id launch = derived_columns(d)->link[copy];
	if (launch == NONE_ID || derived_columns(d)->track[launch] != derived_columns(d)->track[next_launch])
		return false;
	int64_t end_ns = row_end(derived_columns(d), copy);
	if (row_end(derived_columns(d), launch) >= end_ns)
		return true;
	row_id at = trace_innermost(derived_trace(d), derived_columns(d)->track[launch], end_ns - 1);
	return at != NONE_ID && cause_of_name(d, derived_columns(d)->name[at]).section == CAUSE_SYNC;
}

/* From when on the kernel, which runs next, could have run but for the copy. */
static int64_t waits_from(const struct derived *d, row_id copy, row_id kernel, int64_t a_ns, int64_t b_ns)
{
	row_id launch = derived_columns(d)->link[kernel];
	if (launch == NONE_ID)
		return b_ns;
	int64_t launched_ns = derived_columns(d)->start_ns[launch];
	if (launched_ns <= a_ns || thread_waits(d, copy, launch))
		return a_ns;
	return launched_ns < b_ns ? launched_ns : b_ns;
}

/* The part of a piece inside [from, to), where no kernel runs; kernel: the one that runs next, NONE_ID = none. */
static void expose(struct copies_blocked *x, const struct copy_piece *p, int64_t from_ns, int64_t to_ns, row_id kernel)
{
	int64_t a_ns = p->a_ns > from_ns ? p->a_ns : from_ns, b_ns = p->b_ns < to_ns ? p->b_ns : to_ns;
	if (a_ns >= b_ns)
		return;
	int64_t waits_ns = kernel == NONE_ID ? b_ns : waits_from(x->d, p->row, kernel, a_ns, b_ns);
	x->found(x->arg, p->tag, b_ns - a_ns, b_ns - waits_ns);
}

void copies_blocked_kernel(struct copies_blocked *x, row_id r)
{
	int64_t start_ns = derived_columns(x->d)->start_ns[r], end_ns = row_end(derived_columns(x->d), r);
	if (!x->begun)
		x->covered_ns = x->kernels_ns = INT64_MIN;
	x->begun = true;
	for (uint32_t i = x->head; i < x->n && x->at[i].a_ns < start_ns; i++) {
		expose(x, &x->at[i], x->kernels_ns, start_ns, r);
		if (x->at[i].b_ns <= start_ns)
			x->head = i + 1;
	}
	x->kernels_ns = end_ns > x->kernels_ns ? end_ns : x->kernels_ns;
}

bool copies_blocked_pending(const struct copies_blocked *x)
{
	return x->head < x->n;
}

void copies_blocked_end(struct copies_blocked *x)
{
	for (uint32_t i = x->head; i < x->n; i++)
		expose(x, &x->at[i], x->kernels_ns, INT64_MAX, NONE_ID);
	free(x->at);
	x->at = NULL;
	x->n = x->head = x->cap = 0;
}
