#include "copies_expected.h"
#include "model/store/base/memory.h"
#include "copies_source.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/derived/device_steps.h"
#include <stdlib.h>

/* Launches of one burst of copies: rows of a host track. */
struct burst {
	row_id one; /* the first or last copy itself */
	row_id from, to;
};
struct step_copies {
	int64_t first_kernel_ns, last_kernel_ns; /* their starts */
	bool early_input, late_output;
	struct burst input, output;
};
struct copies_expected {
	const struct derived *d;
	struct device_steps steps;
	struct step_copies *at;
};

uint32_t copies_steps(const struct copies_expected *x)
{
	return x->steps.met;
}

uint32_t copies_step_of(struct copies_expected *x, row_id r)
{
	return device_steps_of(&x->steps, r);
}

/* ---- bursts --------------------------------------------------------------------------------------------------------- */

enum { BURST_ROWS = 1024 };

static bool launches_kernel(const struct derived *d, row_id launch)
{
	row_id work = derived_columns(d)->link[launch];
	return work != NONE_ID && derived_columns(d)->kind[work] == KIND_KERNEL;
}

/* From the copy's launch on, one way along its thread up to the next launch of a kernel. */
static void find_burst(const struct derived *d, struct burst *b, int way)
{
	row_id launch = b->one == NONE_ID ? NONE_ID : derived_columns(d)->link[b->one];
	b->from = b->to = launch;
	if (launch == NONE_ID)
		return;
	const struct track_info *k = trace_track(derived_trace(d), derived_columns(d)->track[launch]);
	for (int i = 0; i < BURST_ROWS; i++) {
		row_id next = way > 0 ? b->to + 1 : b->from - 1;
		if (next < k->first || next >= k->first + k->n || launches_kernel(d, next))
			return;
		*(way > 0 ? &b->to : &b->from) = next;
	}
}

static bool in_burst(const struct derived *d, const struct burst *b, row_id r)
{
	row_id launch = derived_columns(d)->link[r];
	return r == b->one || (launch != NONE_ID && launch >= b->from && launch <= b->to);
}

/* ---- two passes over the device's work ------------------------------------------------------------------------------- */

static int64_t launched_ns(const struct derived *d, row_id r)
{
	row_id launch = derived_columns(d)->link[r];
	return derived_columns(d)->start_ns[launch == NONE_ID ? r : launch];
}

static void see_kernel(struct step_copies *s, int64_t start_ns)
{
	s->first_kernel_ns = start_ns < s->first_kernel_ns ? start_ns : s->first_kernel_ns;
	s->last_kernel_ns = start_ns > s->last_kernel_ns ? start_ns : s->last_kernel_ns;
}

static void see_copy(const struct derived *d, struct step_copies *s, row_id r)
{
	enum copy_kind kind = derived_copy_kind(d, r);
	int64_t start_ns = derived_columns(d)->start_ns[r];
	if (kind == COPY_H2D && copy_round_trip(d, r) == NONE_ID) {
		s->early_input |= start_ns < s->first_kernel_ns;
		if (s->input.one == NONE_ID || launched_ns(d, r) < launched_ns(d, s->input.one))
			s->input.one = r;
	} else if (kind == COPY_D2H) {
		s->late_output |= start_ns >= s->last_kernel_ns;
		if (s->output.one == NONE_ID || launched_ns(d, r) >= launched_ns(d, s->output.one))
			s->output.one = r;
	}
}

static void read_work(struct copies_expected *x, uint32_t kinds, bool kernels)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(x->d, x->steps.device, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it = event_iter(derived_trace(x->d), tracks[i], x->steps.a_ns, x->steps.b_ns, kinds);
		while (event_next(&it)) {
			uint32_t step = copies_step_of(x, it.row);
			if (step == NONE_ID)
				continue;
			if (kernels)
				see_kernel(&x->at[step], derived_columns(x->d)->start_ns[it.row]);
			else
				see_copy(x->d, &x->at[step], it.row);
		}
	}
}

struct copies_expected *copies_expected_new(const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	struct copies_expected *x = must(malloc(sizeof *x));
	*x = (struct copies_expected){.d = d, .steps = device_steps_find(d, device, a_ns, b_ns)};
	uint32_t n = x->steps.n;
	x->at = must(malloc((n + 1u) * sizeof *x->at));
	for (uint32_t i = 0; i < n; i++)
		x->at[i] = (struct step_copies){INT64_MAX, INT64_MIN, .input.one = NONE_ID, .output.one = NONE_ID};
	if (!n)
		return x;
	read_work(x, KIND_BIT(KIND_KERNEL), true);
	read_work(x, KINDS_WORK & ~KIND_BIT(KIND_KERNEL), false);
	for (uint32_t i = 0; i < n; i++) {
		if (!x->at[i].early_input)
			find_burst(d, &x->at[i].input, 1);
		if (!x->at[i].late_output)
			find_burst(d, &x->at[i].output, -1);
	}
	return x;
}

void copies_expected_free(struct copies_expected *x)
{
	free(x->at);
	free(x);
}

enum verdict copy_expected(struct copies_expected *x, row_id r, enum copy_kind kind)
{
	uint32_t step = copies_step_of(x, r);
	const struct step_copies *s = step == NONE_ID ? NULL : &x->at[step];
	int64_t start_ns = derived_columns(x->d)->start_ns[r];
	if (!s || s->first_kernel_ns == INT64_MAX || (kind != COPY_H2D && kind != COPY_D2H))
		return VERDICT_UNKNOWN;
	if (copy_round_trip(x->d, r) != NONE_ID)
		return VERDICT_NO;
	bool input = kind == COPY_H2D;
	bool expected = input ? (s->early_input ? start_ns < s->first_kernel_ns : in_burst(x->d, &s->input, r))
			      : (s->late_output ? start_ns >= s->last_kernel_ns : in_burst(x->d, &s->output, r));
	return expected ? VERDICT_YES : VERDICT_NO;
}
