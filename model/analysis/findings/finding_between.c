/* Which steps idle time lies between, from the table 'verdicts', and what would be won if what fills it ran less often. */
#include "finding_ctx.h"
#include "model/analysis/gaps/gap_groups.h"
#include "model/analysis/gaps/verdicts_columns.h"
#include <string.h>

enum { NAMED_GAPS = 3, TELLING_PCT = 90 };

struct between {
	uint32_t n, rows[NAMED_GAPS], longest; /* rows of the table 'verdicts', in order of time */
	double cause_ns, lost_ns, longest_ns;
};

static void add_gap(struct between *b, uint32_t row, double dur_ns, int64_t cause_ns, int64_t lost_ns)
{
	b->cause_ns += cause_ns == UNKNOWN_I64 ? dur_ns : (double)cause_ns;
	b->lost_ns += lost_ns == UNKNOWN_I64 ? 0 : (double)lost_ns;
	if (b->n < NAMED_GAPS)
		b->rows[b->n] = row;
	if (!b->n++ || dur_ns > b->longest_ns) {
		b->longest = row;
		b->longest_ns = dur_ns;
	}
}

static void add_gaps(struct between *x, const struct row_block *b, const char *word)
{
	const char *scope[BLOCK_ROWS], *cause[BLOCK_ROWS];
	int64_t device[BLOCK_ROWS], dur_ns[BLOCK_ROWS], cause_ns[BLOCK_ROWS], lost_ns[BLOCK_ROWS];
	row_block_texts(b, COL_VERDICTS_SCOPE, scope);
	row_block_texts(b, COL_VERDICTS_CAUSE, cause);
	row_block_numbers(b, COL_VERDICTS_DEVICE, device);
	row_block_numbers(b, COL_VERDICTS_DUR_NS, dur_ns);
	row_block_numbers(b, COL_VERDICTS_CAUSE_NS, cause_ns);
	row_block_numbers(b, COL_VERDICTS_LOST_NS, lost_ns);
	bool wanted = false; /* as the row before, whose words mostly are the same */
	for (uint32_t i = 0; i < b->n; i++) {
		if (!i || cause[i] != cause[i - 1] || scope[i] != scope[i - 1])
			wanted = !strcmp(cause[i], word) && !strcmp(scope[i], "step");
		if (wanted && device[i] != UNKNOWN_I64)
			add_gap(x, b->from + i, (double)dur_ns[i], cause_ns[i], lost_ns[i]);
	}
}

static struct between gaps_of(struct finding_ctx *c, enum cause cause)
{
	struct between x = {0};
	const struct table *t = ctx_table(c, "verdicts");
	for (struct row_block b = {.t = t}; t && row_block_next(&b);)
		add_gaps(&x, &b, cause_word(cause));
	return x;
}

/* The step gaps in order of time. */
static void sort_by_start(const struct table *t, struct between *b)
{
	for (uint32_t i = 1; i < b->n && i < NAMED_GAPS; i++)
		for (uint32_t k = i; k && row_number(t, b->rows[k], COL_VERDICTS_START_NS) <
						  row_number(t, b->rows[k - 1], COL_VERDICTS_START_NS);
		     k--) {
			uint32_t later = b->rows[k - 1];
			b->rows[k - 1] = b->rows[k];
			b->rows[k] = later;
		}
}

/* "1 and 2, 2 and 3" */
static const char *pairs(struct finding_ctx *c, const struct between *b)
{
	const struct table *t = ctx_table(c, "verdicts");
	const char *text = "";
	for (uint32_t i = 0; i < b->n; i++) {
		from_text(c, arena_printf(c->mem, "before_%u", i + 1), t, b->rows[i], COL_VERDICTS_BEFORE);
		from_text(c, arena_printf(c->mem, "after_%u", i + 1), t, b->rows[i], COL_VERDICTS_AFTER);
		text = arena_printf(c->mem, "%s%s%s and %s", text, i ? ", " : "",
				    row_text(t, b->rows[i], COL_VERDICTS_BEFORE),
				    row_text(t, b->rows[i], COL_VERDICTS_AFTER));
	}
	return text;
}

static const char *many(struct finding_ctx *c, const struct between *b, uint32_t transitions)
{
	const struct table *t = ctx_table(c, "verdicts");
	from_text(c, "before_longest", t, b->longest, COL_VERDICTS_BEFORE);
	from_text(c, "after_longest", t, b->longest, COL_VERDICTS_AFTER);
	from_cell(c, "longest_gap_ns", t, b->longest, COL_VERDICTS_DUR_NS);
	return arena_printf(c->mem, "before %s of %s, the longest, %s, between %s and %s", count_text(c, b->n),
			    count_text(c, transitions), ns_text(c, b->longest_ns),
			    row_text(t, b->longest, COL_VERDICTS_BEFORE), row_text(t, b->longest, COL_VERDICTS_AFTER));
}

/* What the table gap_groups says in each of its rows about gaps between steps of the device. */
static void from_group(struct finding_ctx *c, const struct between *b, const char *column, double value, enum unit unit)
{
	double device = row_number(ctx_table(c, "verdicts"), b->longest, COL_VERDICTS_DEVICE);
	from_table(c,
		   (struct finding_input){column, value, NULL, unit, "gap_groups", column,
					  arena_printf(c->mem, "first of scope=step and device=%.0f", device), NULL});
}

/* "; run every 10 steps: 106.000 ms instead of 160.000 ms from step to step, -33.8 %" */
static const char *what_if(struct finding_ctx *c, const struct between *b, int64_t per_step_ns, int64_t period_ns)
{
	uint32_t k = c->q->every_k ? c->q->every_k : EVERY_K;
	int64_t then_ns = period_every_ns(period_ns, per_step_ns, k);
	double saved_pct = 100 * (1 - (double)then_ns / (double)period_ns);
	from_group(c, b, "every_k", k, UNIT_COUNT);
	from_group(c, b, "period_ns", (double)period_ns, UNIT_NS);
	made_of(c, "period_every_k_ns", (double)then_ns, UNIT_NS,
		"period_ns - lost_per_step_ns + lost_per_step_ns // every_k");
	made_of(c, "saved_pct", saved_pct, UNIT_PERCENT, "100 * (1 - period_every_k_ns / period_ns)");
	return arena_printf(c->mem, "; run every %u steps: at best %s instead of %s from step to step, -%s", k,
			    ns_text(c, (double)then_ns), ns_text(c, (double)period_ns), pct_text(c, saved_pct));
}

/* " (60.000 ms per step; ...)" */
static const char *recurring(struct finding_ctx *c, enum cause cause, const struct between *b, uint32_t device)
{
	int64_t period_ns;
	uint32_t transitions = gap_transitions(c->d, c->q, device, &period_ns);
	const char *rows = arena_printf(c->mem, "scope=step and device!=null and cause=%s", cause_word(cause));
	from_counted(c, "between_gaps", b->n, ctx_table(c, "verdicts"), rows);
	from_known(c, "between_lost_ns", b->lost_ns, ctx_table(c, "verdicts"), COL_VERDICTS_LOST_NS, rows);
	from_group(c, b, "possible_gaps", transitions, UNIT_COUNT);
	bool all = b->n > 1 && b->n * 2 >= transitions && b->lost_ns > 0;
	const char *which = b->n > NAMED_GAPS ? many(c, b, transitions) : "";
	if (!all)
		return *which ? arena_printf(c->mem, " (%s)", which) : "";
	int64_t per_step_ns = (int64_t)b->lost_ns / transitions;
	made_of(c, "lost_per_step_ns", (double)per_step_ns, UNIT_NS, "between_lost_ns // possible_gaps");
	bool less_often = cause == CAUSE_HOST_WORK && period_ns != UNKNOWN_I64 && per_step_ns < period_ns;
	return arena_printf(c->mem, " (%s%s%s per step%s)", which, *which ? "; " : "", ns_text(c, (double)per_step_ns),
			    less_often ? what_if(c, b, per_step_ns, period_ns) : "");
}

const char *between_which_steps(struct finding_ctx *c, enum cause cause, uint32_t device, double between_ns)
{
	struct between b = gaps_of(c, cause);
	if (!b.n || b.cause_ns * 100 < between_ns * TELLING_PCT)
		return "steps";
	sort_by_start(ctx_table(c, "verdicts"), &b);
	return arena_printf(c->mem, "steps%s%s%s", b.n <= NAMED_GAPS ? " " : "", b.n <= NAMED_GAPS ? pairs(c, &b) : "",
			    recurring(c, cause, &b, device));
}
