#include "steps_summary.h"
#include "step_part.h"
#include "steps_columns.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include <math.h>
#include <string.h>

/* ---- lengths ------------------------------------------------------------------------------------------------------------ */

/* Steps by their label. */
static struct idmap steps_by_label(const struct derived *d)
{
	struct idmap map = {0};
	for (uint32_t i = 0; i < derived_steps(d); i++) {
		const char *label = derived_step(d, i)->label;
		idmap_put(&map, idmap_hash(label, strlen(label), 0), i);
	}
	return map;
}

/* Per step the longest of its whole rows, one per device, and whether it carries means. */
struct row_lengths {
	int64_t *longest; /* 0 = it has no whole row */
	bool *counts;
};

/* What rows say of their steps. A table for people has a text where a step is cut, "part", and nothing where
 * it is not: that counts as yes. */
struct row_columns {
	int64_t dur_ns[BLOCK_ROWS], cut[BLOCK_ROWS], counted[BLOCK_ROWS];
};

static void read_columns(const struct row_block *b, struct row_columns *c)
{
	row_block_numbers(b, COL_STEPS_DUR_NS, c->dur_ns);
	row_block_numbers(b, COL_STEPS_CUT, c->cut);
	row_block_numbers(b, COL_STEPS_COUNTED, c->counted);
}

static bool is_true(int64_t flag, bool unknown)
{
	return flag == UNKNOWN_I64 ? unknown : flag != 0;
}

/* Rows stand in the order of steps, mostly: the map is made when one does not. */
static uint32_t step_labelled(const struct derived *d, const char *label, uint32_t near, struct idmap *map)
{
	for (uint32_t i = near; i < derived_steps(d) && i < near + 2; i++)
		if (label == derived_step(d, i)->label)
			return i;
	if (!label)
		return NONE_ID;
	if (!map->n)
		*map = steps_by_label(d);
	return idmap_get(map, idmap_hash(label, strlen(label), 0));
}

/* The shortest and the longest of the rows that carry means and are known to be steady. */
struct steady_range {
	int64_t least_ns, most_ns;
};
static const struct steady_range no_steady = {INT64_MAX / 2, 0};

/* A whole row that carries means; other tools' tables do not say. */
static bool carries(const struct row_columns *c, uint32_t i)
{
	return c->dur_ns[i] != UNKNOWN_I64 && is_true(c->counted[i], false) && !is_true(c->cut[i], false);
}

static bool is_steady(const char *phase)
{
	return phase && !strcmp(phase, "steady");
}

/* Of what is known already. */
static bool is_inside(const struct steady_range *r, int64_t dur_ns)
{
	return dur_ns >= r->least_ns && dur_ns <= r->most_ns;
}

/* Soon most rows are inside, and nothing else is asked about them. */
static bool any_outside(const struct row_block *b, const int64_t *dur_ns, const struct steady_range *r)
{
	uint32_t i = 0;
	while (i < b->n && is_inside(r, dur_ns[i]))
		i++;
	return i < b->n;
}

static void widen_range(const struct row_block *b, const struct row_columns *c, struct steady_range *r)
{
	const char *phase[BLOCK_ROWS];
	if (!any_outside(b, c->dur_ns, r))
		return;
	row_block_texts(b, COL_STEPS_PHASE, phase);
	for (uint32_t i = 0; i < b->n; i++) {
		if (is_inside(r, c->dur_ns[i]) || !carries(c, i) || !is_steady(phase[i]))
			continue;
		r->least_ns = earlier(r->least_ns, c->dur_ns[i]);
		r->most_ns = later(r->most_ns, c->dur_ns[i]);
	}
}

static bool is_wide(const struct steady_range *r)
{
	return r->most_ns > 2 * r->least_ns && r->most_ns > 0;
}

static void add_lengths(const struct derived *d, const struct row_block *b, const struct row_columns *c, uint32_t *near,
			struct idmap *map, struct row_lengths *out)
{
	const char *labels[BLOCK_ROWS];
	row_block_texts(b, COL_STEPS_STEP, labels);
	for (uint32_t i = 0; i < b->n; i++) {
		uint32_t step = step_labelled(d, labels[i], *near, map);
		if (step >= derived_steps(d))
			continue;
		*near = step;
		if (c->dur_ns[i] == UNKNOWN_I64 || is_true(c->cut[i], false))
			continue;
		out->longest[step] = later(out->longest[step], c->dur_ns[i]);
		out->counts[step] = is_true(c->counted[i], true);
	}
}

static struct row_lengths row_lengths(const struct derived *d, const struct table *steps, struct arena *mem,
				      struct steady_range *range)
{
	size_t room = derived_steps(d) + (size_t)1;
	struct row_lengths out = {arena_alloc(mem, room * sizeof *out.longest), arena_alloc(mem, room)};
	pages_take(out.longest, room * sizeof *out.longest);
	struct row_columns c;
	struct idmap map = {0};
	uint32_t near = 0;
	*range = no_steady;
	for (struct row_block b = {.t = steps}; row_block_next(&b);) {
		read_columns(&b, &c);
		add_lengths(d, &b, &c, &near, &map, &out);
		widen_range(&b, &c, range);
	}
	idmap_free(&map);
	return out;
}

/* Of a step of the job: what its ranks have that carry means, and that are left out. */
struct job_length {
	int64_t sum_ns;
	uint32_t ranks;
	bool any, inferred;
};

/* What was read of the rows, by steps of the job. */
struct gathered {
	const struct derived *d;
	struct row_lengths rows;
	struct job_length *jobs; /* NULL: each is one step, the one with its number */
	uint32_t n;              /* steps of the job, not more than steps */
};

static inline void add_step(const struct gathered *g, uint32_t step, struct job_length *job)
{
	if (!g->rows.longest[step])
		return;
	job->any = true;
	job->inferred |= derived_step(g->d, step)->inferred;
	if (!g->rows.counts[step])
		return;
	job->sum_ns += g->rows.longest[step];
	job->ranks++;
}

static inline struct job_length job_at(const struct gathered *g, uint32_t i)
{
	struct job_length alone = {0};
	if (g->jobs)
		return g->jobs[i];
	add_step(g, i, &alone);
	return alone;
}

/* As long as the mean of its ranks. */
static double length_of(const struct job_length *job)
{
	return (double)job->sum_ns / job->ranks;
}

static void gather(struct gathered *g, struct arena *mem)
{
	const struct job_steps *job = derived_job_steps(g->d);
	g->n = job->n;
	if (job_steps_alone(job))
		return;
	g->jobs = arena_alloc(mem, (g->n + (size_t)1) * sizeof *g->jobs);
	pages_take(g->jobs, g->n * sizeof *g->jobs);
	for (uint32_t i = 0; i < derived_steps(g->d); i++)
		add_step(g, i, &g->jobs[job_step_of(job, i)]);
}

/* Of the steps that are left out. */
static void find_worst(struct steps_summary *s, const struct gathered *g)
{
	for (uint32_t i = 0; i < derived_steps(g->d); i++) {
		int64_t ns = g->rows.longest[i];
		if (!ns || g->rows.counts[i] || (s->worst != NONE_ID && (double)ns <= s->worst_ns))
			continue;
		s->worst = i;
		s->worst_ns = (double)ns;
	}
}

/* ---- numbers ------------------------------------------------------------------------------------------------------ */

/* How many, and of those that carry means their sum and ends, and what their lengths add up to. */
static double count(struct steps_summary *s, const struct gathered *g)
{
	double sum_ns = 0;
	s->mean_ns = s->sd_ns = s->median_ns = s->min_ns = s->max_ns = NAN;
	for (uint32_t i = 0; i < g->n; i++) {
		const struct job_length job = job_at(g, i);
		s->all += job.any;
		s->inferred += job.any && job.inferred;
		if (!job.ranks)
			continue;
		double v = length_of(&job);
		s->n++;
		s->sum_ns += (double)job.sum_ns;
		s->ranks = job.ranks > s->ranks ? job.ranks : s->ranks;
		sum_ns += v;
		s->min_ns = s->min_ns <= v ? s->min_ns : v;
		s->max_ns = s->max_ns >= v ? s->max_ns : v;
	}
	return sum_ns;
}

/* Reads what was gathered for the last time: the lengths, whole ones, come in place of it. */
static void measure(struct steps_summary *s, struct gathered *g, double sum_ns)
{
	double mean = sum_ns / s->n, squares = 0;
	uint32_t n = 0;
	for (uint32_t i = 0; i < g->n; i++) {
		const struct job_length job = job_at(g, i);
		if (!job.ranks)
			continue;
		double v = length_of(&job);
		squares += (v - mean) * (v - mean);
		g->rows.longest[n++] = job.ranks == 1 ? (int64_t)v : llround(v);
	}
	s->median_ns = (double)median_of(g->rows.longest, n);
	if (s->irregular)
		return;
	s->mean_ns = mean;
	s->sd_ns = s->n > 1 ? sqrt(squares / (s->n - 1)) : NAN;
}

/* ---- are they alike ------------------------------------------------------------------------------------------------------ */

bool step_rows_irregular(const struct table *steps)
{
	struct steady_range range = no_steady;
	struct row_columns c;
	for (struct row_block b = {.t = steps}; row_block_next(&b);) {
		row_block_numbers(&b, COL_STEPS_DUR_NS, c.dur_ns);
		if (!any_outside(&b, c.dur_ns, &range))
			continue;
		read_columns(&b, &c);
		widen_range(&b, &c, &range);
	}
	return is_wide(&range);
}

struct steps_summary steps_summarise(const struct derived *d, const struct table *steps)
{
	struct arena mem = {0};
	struct steps_summary s = {.worst = NONE_ID};
	struct steady_range range;
	struct gathered g = {.d = d, .rows = row_lengths(d, steps, &mem, &range)};
	s.irregular = is_wide(&range);
	gather(&g, &mem);
	find_worst(&s, &g);
	double sum_ns = count(&s, &g);
	if (s.n)
		measure(&s, &g, sum_ns);
	arena_free(&mem);
	return s;
}

/* ---- words ----------------------------------------------------------------------------------------------------------------- */

const char *steps_summary_words(const struct steps_summary *s, struct arena *mem)
{
	char n[UNITS_BUF];
	const char *steps = job_steps_text("step", s->all, s->ranks, mem);
	if (s->n < s->all)
		steps = arena_printf(mem, "%s of %s", fmt_count(n, s->n), steps);
	return !s->inferred            ? steps
	       : s->inferred == s->all ? arena_printf(mem, "%s, inferred", steps)
				       : arena_printf(mem, "%s, %s inferred", steps, fmt_count(n, s->inferred));
}

/* ---- the parts, as people read them --------------------------------------------------------------------------------------- */

const struct step_part step_parts[STEP_PARTS] = {
#define STEP_PART(id, column, words) [STEP_PART_##id] = {COL_STEPS_##column, words},
	STEP_PARTS_LIST(STEP_PART)
#undef STEP_PART
};

enum input_holds input_holds(double input, double copies)
{
	const double nothing = 1e-9 * input; /* what is left of shares that are equal */
	if (!(input > 0))
		return INPUT_HOLDS_NOTHING;
	if (copies <= nothing)
		return INPUT_HOLDS_WAITS;
	return input - copies <= nothing ? INPUT_HOLDS_COPIES : INPUT_HOLDS_BOTH;
}

const char *input_words(enum input_holds holds)
{
	static const char *const words[] = {
		[INPUT_HOLDS_NOTHING] = "input",
		[INPUT_HOLDS_WAITS] = "input wait",
		[INPUT_HOLDS_COPIES] = "copies to device",
		[INPUT_HOLDS_BOTH] = "input + copies",
	};
	return words[holds];
}

struct input_sum {
	double input, copies;
};

static void add_input(struct input_sum *s, int64_t input_ns, int64_t copies_ns)
{
	s->input += input_ns == UNKNOWN_I64 ? 0 : (double)input_ns;
	s->copies += copies_ns == UNKNOWN_I64 ? 0 : (double)copies_ns;
}

enum input_holds steps_input_holds(const struct table *steps)
{
	struct input_sum counted = {0}, all = {0};
	if (!steps || table_place(steps, COL_STEPS_INPUT_COPY_NS) < 0)
		return INPUT_HOLDS_NOTHING;
	int input = table_place(steps, COL_STEPS_INPUT_NS);
	if (input >= 0 && table_is_zero(steps, (uint32_t)input))
		return INPUT_HOLDS_NOTHING;
	int64_t input_ns[BLOCK_ROWS], copies_ns[BLOCK_ROWS], counts[BLOCK_ROWS];
	for (struct row_block b = {.t = steps}; row_block_next(&b);) {
		row_block_numbers(&b, COL_STEPS_INPUT_NS, input_ns);
		row_block_numbers(&b, COL_STEPS_INPUT_COPY_NS, copies_ns);
		row_block_numbers(&b, COL_STEPS_COUNTED, counts);
		for (uint32_t i = 0; i < b.n; i++) {
			add_input(&all, input_ns[i], copies_ns[i]);
			if (is_true(counts[i], false))
				add_input(&counted, input_ns[i], copies_ns[i]);
		}
	}
	const struct input_sum *s = counted.input > 0 ? &counted : &all;
	return input_holds(s->input, s->copies);
}

const char *step_part_words(const struct table *steps, enum step_part_id part)
{
	return part == STEP_PART_INPUT ? input_words(steps_input_holds(steps)) : step_parts[part].words;
}
