/* model/summary/summary_facts.c - what summaries tell from version 2 on: phases of steps, why collectives are exposed, and why ranks are late, by
 * the rules for traces. */
#include "summary_reader.h"
#include <inttypes.h>
#include <stdlib.h>
#include "model/store/base/memory.h"
#include "summary_before.h"

/* ---- steps ------------------------------------------------------------------------------------------------------------------ */

static uint32_t recording_of_step(const struct reader *r, uint32_t row)
{
	const char *id = text(part(r, SUMMARY_STEP), row, STEP_REC);
	return idmap_get(&r->recordings, summary_key(id, 0));
}

/* The step of a row; of version 1, which does not tell where a step begins on its host, each row has its own, and none a phase. */
static void add_step(struct reader *r, struct idmap *known, uint32_t row, uint32_t recording)
{
	struct summary_steps *s = &r->steps_told;
	const struct table *t = part(r, SUMMARY_STEP);
	uint32_t host = r->host_of_recording[recording];
	int64_t begin_ns = number(t, row, STEP_BEGIN), dur_ns = number(t, row, STEP_DUR),
		rank = number(part(r, SUMMARY_RECORDING), recording, REC_RANK);
	bool told = begin_ns != UNKNOWN_I64;
	int64_t key[] = {told ? (int64_t)host : -1, told ? begin_ns : (int64_t)row};
	uint32_t of = *idmap_put(known, idmap_hash(key, sizeof key, 0), s->n);
	const char *label = text(t, row, STEP_LABEL), *name = text(t, row, STEP_NAME);
	if (of == s->n)
		s->at[s->n++] = (struct phase_step){.key = {name ? name : "", label ? strtoll(label, NULL, 10) : 0,
							    rank < 0 || rank > INT32_MAX ? -1 : (int32_t)rank, host},
						    .start_ns = told ? rank_axis_time(&r->x.axis, host, begin_ns) : 0,
						    .cut = !told || number(t, row, STEP_CUT) == 1,
						    .length_ns = 0};
	struct phase_step *p = &s->at[of];
	p->length_ns = dur_ns > p->length_ns ? dur_ns : p->length_ns;
	p->compiles |= number(t, row, STEP_COMPILES) == 1;
	p->ahead |= number(t, row, STEP_AHEAD) == 1;
	s->of[row] = of;
}

void summary_find_steps(struct reader *r)
{
	struct summary_steps *s = &r->steps_told;
	uint32_t rows = part(r, SUMMARY_STEP)->n_rows;
	struct idmap known = {0};
	s->of = arena_alloc(r->mem, (rows + (size_t)1) * sizeof *s->of);
	s->at = arena_alloc(r->mem, (rows + (size_t)1) * sizeof *s->at);
	s->phases = arena_alloc(r->mem, rows + (size_t)1);
	for (uint32_t row = 0; row < rows; row++) {
		uint32_t recording = recording_of_step(r, row);
		s->of[row] = NONE_ID;
		if (recording != UINT32_MAX)
			add_step(r, &known, row, recording);
	}
	idmap_free(&known);
	struct job_key *keys = arena_alloc(r->mem, (s->n + (size_t)1) * sizeof *keys);
	for (uint32_t i = 0; i < s->n; i++)
		keys[i] = s->at[i].key;
	s->job = job_steps_of(keys, s->n);
	step_phases(s->at, s->n, s->job, s->phases);
	for (uint32_t i = 0; i < s->n; i++)
		s->steady_only |= s->phases[i] == PHASE_STEADY;
}

void summary_free_steps(struct reader *r)
{
	free(r->steps_told.job);
}

enum step_phase summary_phase(const struct reader *r, uint32_t step)
{
	uint32_t of = r->steps_told.of[step];
	return of == NONE_ID ? PHASE_UNKNOWN : (enum step_phase)r->steps_told.phases[of];
}

bool summary_counts(const struct reader *r, uint32_t step)
{
	const struct table *t = part(r, SUMMARY_STEP);
	if (number(t, step, STEP_BEGIN) == UNKNOWN_I64)
		return number(t, step, STEP_COUNTED) == 1;
	return number(t, step, STEP_CUT) != 1 && (!r->steps_told.steady_only || summary_phase(r, step) == PHASE_STEADY);
}

/* ---- exposed ---------------------------------------------------------------------------------------------------------------- */

/* Of the stretches "0+1200,3800+300" what lies before until_ns; UNKNOWN_I64: they are not told. */
static int64_t exposed_before(const char *at, int64_t until_ns)
{
	int64_t sum_ns = 0, at_ns = 0, apart_ns, ns;
	int n;
	if (!at)
		return UNKNOWN_I64;
	for (; sscanf(at, "%14" SCNd64 "+%14" SCNd64 "%n", &apart_ns, &ns, &n) == 2; at += n + (at[n] == ',')) {
		at_ns += apart_ns;
		if (apart_ns < 0 || ns < 0)
			return UNKNOWN_I64;
		if (at_ns < until_ns)
			sum_ns += ns < until_ns - at_ns ? ns : until_ns - at_ns;
		at_ns += ns;
	}
	return *at ? UNKNOWN_I64 : sum_ns;
}

static struct exposure exposure_of_call(const struct reader *r, const struct collective *c)
{
	const struct table *t = part(r, SUMMARY_CALL);
	int64_t wait_ns = collective_wait_ns(&r->x, c), stream = number(t, c->row, CALL_ON_COMPUTE);
	bool matched = wait_ns != UNKNOWN_I64;
	struct exposed_facts f = {.exposed_ns = number(t, c->row, CALL_EXPOSED),
				  .wait_exposed_ns =
					  matched ? exposed_before(text(t, c->row, CALL_EXPOSED_AT), wait_ns) : 0,
				  .without_ns = number(t, c->row, CALL_WITHOUT),
				  .matched = matched,
				  .on_compute_stream = stream == 1};
	if (f.exposed_ns != UNKNOWN_I64 && f.wait_exposed_ns != UNKNOWN_I64 && stream != UNKNOWN_I64)
		return exposure_split(&f);
	struct exposure unknown = {.exposed_ns = f.exposed_ns};
	for (int i = 0; i < EXPOSED_COUNT; i++)
		unknown.ns[i] = UNKNOWN_I64;
	return unknown;
}

void summary_find_exposed(struct reader *r)
{
	r->exposed = arena_alloc(r->mem, (r->x.n + (size_t)1) * sizeof *r->exposed);
	for (uint32_t i = 0; i < r->x.n; i++)
		r->exposed[i] = exposure_of_call(r, &r->x.at[i]);
}

/* ---- late ------------------------------------------------------------------------------------------------------------------- */

static struct late_call call_told(void *ctx, uint32_t i)
{
	const struct reader *r = ctx;
	const struct collective *c = &r->x.at[i];
	const struct table *t = part(r, SUMMARY_CALL);
	int64_t start_ns = number(t, c->row, CALL_START);
	bool in_step = c->step < part(r, SUMMARY_STEP)->n_rows;
	return (struct late_call){.start_ns = start_ns,
				  .end_ns = start_ns + number(t, c->row, CALL_DUR),
				  .step_ns = in_step ? number(t, c->row, CALL_STEP) : UNKNOWN_I64,
				  .exposed_ns = r->exposed[i].exposed_ns,
				  .exposed_wait_ns = r->exposed[i].ns[EXPOSED_RANK],
				  .asked = true};
}

uint32_t summary_before_in_step(const struct reader *r, uint32_t i)
{
	uint32_t before = r->before[i];
	return before != NONE_ID && r->x.at[before].step == r->x.at[i].step ? before : NONE_ID;
}

/* What went on before the call since then; false: that is not told. A step is told piece by piece: each of its calls tells what it adds. */
static bool told_since(const struct reader *r, uint32_t i, enum late_since since, struct before_told *out)
{
	const struct table *t = part(r, SUMMARY_CALL);
	uint32_t row = r->x.at[i].row, at = i;
	*out = (struct before_told){0};
	if (!text(t, row, CALL_SINCE) || !before_add(out, text(t, row, CALL_SINCE)))
		return false;
	if (since == LATE_SINCE_CALL)
		return true;
	for (uint32_t before; (before = summary_before_in_step(r, at)) != NONE_ID; at = before) {
		const char *more = text(t, r->x.at[before].row, CALL_SINCE);
		if (!before_add(out, text(t, r->x.at[at].row, CALL_BESIDE)) || !before_add(out, more))
			return false;
	}
	const char *first = text(t, r->x.at[at].row, CALL_BESIDE), *earlier = text(t, r->x.at[at].row, CALL_BEFORE);
	if (since == LATE_SINCE_STEP)
		return before_add(out, first);
	return (first || earlier) && before_add(out, earlier); /* first: calls of earlier steps end in this one */
}

static bool split_told(void *ctx, uint32_t i, enum late_since since, int64_t from_ns, bool device_alone,
		       double ns[LATE_OTHER + 1])
{
	const struct reader *r = ctx;
	struct before_told told;
	(void)device_alone;
	if (!told_since(r, i, since, &told))
		return false;
	ns[LATE_OTHER] = (double)(number(part(r, SUMMARY_CALL), r->x.at[i].row, CALL_START) - from_ns);
	for (int k = 0; k < TIME_COUNT; k++)
		ns[LATE_OTHER] -= ns[k] = told.ns[k];
	return true;
}

static void idle_told(void *ctx, uint32_t i, enum late_since since, int64_t from_ns, struct idle_split *out)
{
	struct reader *r = ctx;
	struct before_told told;
	(void)from_ns;
	*out = (struct idle_split){0};
	told_since(r, i, since, &told);
	for (int k = 0; k < CAUSE_COUNT; k++) {
		const struct before_idle *x = &told.idle[k];
		out->part[k].ns = x->ns;
		out->part[k].row_ns = x->main_ns;
		out->part[k].row = NONE_ID;
		if (!x->main)
			continue;
		r->names = arena_next_row(r->mem, r->names, r->n_names, sizeof *r->names);
		out->part[k].row = r->n_names;
		r->names[r->n_names++] = before_name(x, r->mem);
	}
}

void summary_find_late(struct reader *r)
{
	uint32_t recordings = part(r, SUMMARY_RECORDING)->n_rows;
	uint32_t *last = arena_alloc(r->mem, (recordings + (size_t)1) * sizeof *last);
	r->before = arena_alloc(r->mem, (r->x.n + (size_t)1) * sizeof *r->before);
	for (uint32_t i = 0; i < recordings; i++)
		last[i] = NONE_ID;
	for (uint32_t i = 0; i < r->x.n; i++) {
		r->before[i] = last[r->x.at[i].device];
		last[r->x.at[i].device] = i;
	}
	struct late_source from = {&r->x, recordings, r->begin_ns, r, call_told, split_told, idle_told, true};
	r->late = lateness_of(&from, r->mem, NULL);
}
