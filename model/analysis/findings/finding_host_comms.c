/* Who waits for whom in collectives that run on the host (gloo, MPI): their calls are in no table of their own, but the rank that
 * is in them for less time than the others is the one that they wait for. From the table 'steps'. SEMANTICS.md, 16. */
#include "finding_ctx.h"
#include "model/analysis/steps/steps_columns.h"
#include <math.h>

/* What a rank could have done instead of waiting. */
static const struct {
	uint32_t column;
	const char *name, *words;
} classes[] = {
	{COL_STEPS_HOST_NS, "host", "other work of the host"},
	{COL_STEPS_INPUT_NS, "input", "input wait"},
	{COL_STEPS_COMPILE_NS, "compilation", "compilation"},
	{COL_STEPS_OTHER_NS, "other", "what is in no class"},
};
enum { CLASSES = sizeof classes / sizeof *classes };

struct means {
	double steps, comms, of[CLASSES];
};

/* Over the steps that carry means, of that rank or of all others: sums handed over as "least_..." and "others_...". */
static struct means means_of(struct finding_ctx *c, const struct table *t, uint32_t rank, bool others)
{
	const char *who = others ? "others" : "least",
		   *rows = arena_printf(c->mem, "counted=true and rank%s%u", others ? "!=" : "=", rank);
	struct means m = {.steps = from_count(c, arena_printf(c->mem, "%s_steps", who), t, rows)};
	const char *name = arena_printf(c->mem, "%s_collectives_ns", who);
	m.comms = from_rows(c, name, t, COL_STEPS_COLLECTIVES_NS, rows);
	m.comms = made_of(c, arena_printf(c->mem, "%s_collectives_mean_ns", who), m.comms / m.steps, UNIT_NS,
			  arena_printf(c->mem, "%s / %s_steps", name, who));
	for (int i = 0; i < CLASSES; i++) {
		name = arena_printf(c->mem, "%s_%s_ns", who, classes[i].name);
		m.of[i] = from_rows(c, name, t, classes[i].column, rows) / m.steps;
	}
	return m;
}

struct rank_sum {
	double comms, steps;
};

/* By rank, up to *n; NULL: none is told, or one is no number of a job of this size. */
static struct rank_sum *sums_by_rank(struct finding_ctx *c, const struct table *t, uint32_t *n)
{
	enum { RANKS_MAX = 1 << 20 };
	double rank, most = -1;
	for (uint32_t row = 0; row < t->n_rows; row++)
		most = row_real(t, row, COL_STEPS_RANK, &rank) ? fmax(most, rank) : most;
	if (most < 0 || most >= RANKS_MAX)
		return NULL;
	*n = (uint32_t)most + 1;
	struct rank_sum *sums = arena_alloc(c->mem, *n * sizeof *sums);
	for (uint32_t i = 0; i < *n; i++)
		sums[i] = (struct rank_sum){0};
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (row_real(t, row, COL_STEPS_RANK, &rank) && rank >= 0 && row_true(t, row, COL_STEPS_COUNTED)) {
			sums[(uint32_t)rank].comms += row_number(t, row, COL_STEPS_COLLECTIVES_NS);
			sums[(uint32_t)rank].steps++;
		}
	return sums;
}

/* The rank with the least time in them per step; *others: how many more have steps. */
static uint32_t least_rank(const struct rank_sum *sums, uint32_t n, uint32_t *others)
{
	uint32_t least = NONE_ID, ranks = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (!(sums[i].steps > 0))
			continue;
		ranks++;
		if (least == NONE_ID || sums[i].comms / sums[i].steps < sums[least].comms / sums[least].steps)
			least = i;
	}
	*others = ranks ? ranks - 1 : 0;
	return least;
}

/* ", which has 54.000 ms more of input wait": half of what it is less in them or more; "": nothing makes so much. */
static const char *because_words(struct finding_ctx *c, const struct means *least, const struct means *others)
{
	int most = 0;
	for (int i = 1; i < CLASSES; i++)
		if (least->of[i] - others->of[i] > least->of[most] - others->of[most])
			most = i;
	const char *name = classes[most].name;
	double more_ns = least->of[most] - others->of[most];
	if (2 * more_ns < others->comms - least->comms)
		return "";
	made_of(c, "more_ns", more_ns, UNIT_NS,
		arena_printf(c->mem, "least_%s_ns / least_steps - others_%s_ns / others_steps", name, name));
	return arena_printf(c->mem, ", which has %s more of %s", ns_text(c, more_ns), classes[most].words);
}

struct exposed_because host_comms_because(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "steps");
	uint32_t n = 0, others = 0, rank;
	struct rank_sum *sums = t ? sums_by_rank(c, t, &n) : NULL;
	struct exposed_because because = {0};
	if (!sums || (rank = least_rank(sums, n, &others)) == NONE_ID || !others)
		return because;
	struct means least = means_of(c, t, rank, false), rest = means_of(c, t, rank, true);
	because.told = true;
	if (2 * least.comms > rest.comms)
		return because;
	const char *whom = arena_printf(c->mem, "rank %u", rank);
	because.words =
		arena_printf(c->mem, "; %s is in them for %s of a step, the others for %s: they wait for it%s", whom,
			     ns_text(c, least.comms), ns_text(c, rest.comms), because_words(c, &least, &rest));
	because.advice = arena_printf(
		c->mem, "Most of it is waiting: find out why %s is late before looking at the network.", whom);
	because.about = arena_printf(c->mem, "waiting for %s", whom);
	return because;
}
