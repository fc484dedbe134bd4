/* The rule about gaps between steps without device work: one finding per cause, from the table 'verdicts'. Where devices work,
 * the rule about idle time speaks. */
#include "finding_ctx.h"
#include "model/analysis/gaps/verdict.h"
#include "model/analysis/gaps/verdicts_columns.h"
#include "model/analysis/serving/iterations.h"
#include <math.h>
#include <string.h>

enum { MAX_CAUSES = 16, WORTH_PCT = 5 };

struct blame {
	const char *verdict, *advice;
	uint32_t n, longest;
	double lost_ns, idle_ns, longest_ns, sure;
};
struct causes {
	struct blame at[MAX_CAUSES];
	uint32_t n, gaps;
};

/* Of the table 'verdicts', what is read of all rows. */
struct verdict_rows {
	const char *const *scope, *const *cause;
	const int64_t *start_ns, *dur_ns, *lost_ns;
};

static struct verdict_rows verdict_rows(const struct table *t, struct arena *mem)
{
	return (struct verdict_rows){
		column_all_texts(t, COL_VERDICTS_SCOPE, mem), column_all_texts(t, COL_VERDICTS_CAUSE, mem),
		column_all_numbers(t, COL_VERDICTS_START_NS, mem), column_all_numbers(t, COL_VERDICTS_DUR_NS, mem),
		column_all_numbers(t, COL_VERDICTS_LOST_NS, mem)};
}

static double or_none(int64_t ns)
{
	return ns == UNKNOWN_I64 ? 0 : (double)ns;
}

static struct blame *cause_named(struct causes *v, const char *verdict)
{
	for (uint32_t i = 0; i < v->n; i++)
		if (!strcmp(v->at[i].verdict, verdict))
			return &v->at[i];
	if (v->n == MAX_CAUSES)
		return NULL;
	v->at[v->n] = (struct blame){.verdict = verdict, .sure = 1};
	return &v->at[v->n++];
}

static double inside_of(struct finding_ctx *c, const struct verdict_rows *r, uint32_t row)
{
	return inside_window_ns(c, (double)r->start_ns[row], (double)r->dur_ns[row]);
}

/* What the window cuts off costs it nothing. */
static void count_gap(struct finding_ctx *c, struct causes *v, const struct table *t, const struct verdict_rows *r,
		      uint32_t row)
{
	double dur = (double)r->dur_ns[row], sure, inside = inside_of(c, r, row);
	struct blame *k = cause_named(v, r->cause[row]);
	if (!k)
		return;
	k->n++;
	k->idle_ns += inside;
	k->lost_ns += fmin(or_none(r->lost_ns[row]), inside);
	k->sure = row_real(t, row, COL_VERDICTS_CONFIDENCE, &sure) && sure < k->sure ? sure : k->sure;
	if (dur > k->longest_ns) {
		k->longest_ns = dur;
		k->longest = row;
		k->advice = row_text(t, row, COL_VERDICTS_ADVICE);
	}
}

static bool any_without_device(const struct table *t)
{
	int64_t device[BLOCK_ROWS];
	for (struct row_block b = {.t = t}; row_block_next(&b);) {
		row_block_numbers(&b, COL_VERDICTS_DEVICE, device);
		for (uint32_t i = 0; i < b.n; i++)
			if (device[i] == UNKNOWN_I64)
				return true;
	}
	return false;
}

/* Gaps between markers of steps without device work. */
static void collect(struct finding_ctx *c, struct causes *v)
{
	const struct table *t = ctx_table(c, "verdicts");
	struct arena mem = {0};
	if (!t)
		return;
	if (!any_without_device(t))
		return;
	const int64_t *device = column_all_numbers(t, COL_VERDICTS_DEVICE, &mem);
	struct verdict_rows r = verdict_rows(t, &mem);
	for (uint32_t row = 0; row < t->n_rows; row++) {
		if (device[row] != UNKNOWN_I64 || strcmp(r.scope[row], "step") != 0)
			continue;
		v->gaps++;
		count_gap(c, v, t, &r, row);
	}
	arena_free(&mem);
}

/* What the shares are of. */
static double whole_ns(struct finding_ctx *c)
{
	double watched = watched_ns(c);
	if (watched > 0)
		return made_of(c, "whole_ns", watched, UNIT_NS, "span_ns");
	double span_ns = (double)trace_span_ns(derived_trace(c->d));
	from_table(c,
		   (struct finding_input){"whole_ns", span_ns, NULL, UNIT_NS, "trace", "value", "key=span_ns", NULL});
	return span_ns;
}

/* Adds the block's. */
static void add_lost_to_input(struct finding_ctx *c, const struct row_block *b, double *lost_ns)
{
	const char *cause[BLOCK_ROWS], *scope[BLOCK_ROWS];
	int64_t start_ns[BLOCK_ROWS], dur_ns[BLOCK_ROWS], row_ns[BLOCK_ROWS];
	const struct verdict_rows r = {scope, cause, start_ns, dur_ns, row_ns};
	uint32_t i = 0;
	row_block_texts(b, COL_VERDICTS_CAUSE, cause);
	while (i < b->n && strcmp(cause[i], cause_word(CAUSE_INPUT)) != 0)
		i++;
	if (i == b->n)
		return;
	row_block_texts(b, COL_VERDICTS_SCOPE, scope);
	row_block_numbers(b, COL_VERDICTS_START_NS, start_ns);
	row_block_numbers(b, COL_VERDICTS_DUR_NS, dur_ns);
	row_block_numbers(b, COL_VERDICTS_LOST_NS, row_ns);
	for (; i < b->n; i++)
		if (!strcmp(cause[i], cause_word(CAUSE_INPUT)) && !strcmp(scope[i], "step"))
			*lost_ns += fmin(or_none(row_ns[i]), inside_of(c, &r, i));
}

/* Of all gaps between steps. */
static double lost_to_input(struct finding_ctx *c, const struct table *t)
{
	double lost_ns = 0;
	for (struct row_block b = {.t = t}; row_block_next(&b);)
		add_lost_to_input(c, &b, &lost_ns);
	return lost_ns;
}

bool gaps_wait_for_input(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "verdicts");
	if (isnan(c->gap_input_ns))
		c->gap_input_ns = t ? lost_to_input(c, t) : 0;
	return c->gap_input_ns >= 0 && 100 * c->gap_input_ns >= WORTH_PCT * whole_ns(c);
}

/* The finding about gaps of which nothing is known, for one of two reasons. */
static struct finding *tell_blind(struct finding_ctx *c, const struct blame *k, bool lost, double pct)
{
	const char *n = count_text(c, k->n), *gaps = k->n == 1 ? "gap" : "gaps", *ns = ns_text(c, k->idle_ns),
		   *share = pct_text(c, pct);
	enum finding_state state = pct < WORTH_PCT ? FINDING_PASS : FINDING_UNKNOWN;
	if (!lost && state == FINDING_PASS) {
		struct finding *fine = say(c, state, "%s %s between steps take%s %s (%s of the time).", n, gaps,
					   k->n == 1 ? "s" : "", ns, share);
		fine->confidence = NAN;
		return fine;
	}
	struct finding *x = lost ? say(c, state,
				       "Records were lost in %s %s between steps (%s, %s of the time): cannot tell "
				       "whether the device was idle there.",
				       n, gaps, ns, share)
				 : say(c, state, "Cannot tell what filled %s %s between steps (%s, %s of the time).", n,
				       gaps, ns, share);
	x->confidence = NAN;
	x->advice =
		lost ? k->advice : "Record more of the host in these gaps: all threads, Python frames, annotations.";
	return x;
}

static struct finding *tell_known(struct finding_ctx *c, const struct blame *k, double pct)
{
	bool fine = pct < WORTH_PCT;
	struct finding *x = say(c, fine ? FINDING_PASS : FINDING_WARN,
				"%s %s between steps: %s lost to %s (%s of the time).", count_text(c, k->n),
				k->n == 1 ? "gap" : "gaps", ns_text(c, k->lost_ns), k->verdict, pct_text(c, pct));
	x->confidence = k->sure;
	x->advice = fine ? NULL : k->advice;
	return x;
}

/* Whole gaps: of one that the window cuts, the part inside counts, as in the table 'gaps'. */
static void from_blame(struct finding_ctx *c, const struct blame *k, bool blind, double pct)
{
	const struct table *t = ctx_table(c, "verdicts");
	const char *rows = arena_printf(c->mem, "scope=step and device=null and cause=%s", k->verdict);
	from_count(c, "gaps", t, rows);
	if (blind)
		from_table(c,
			   (struct finding_input){"gaps_ns", k->idle_ns, NULL, UNIT_NS, "gaps", "dur_ns", rows, NULL});
	else
		from_known(c, "gaps_ns", k->lost_ns, t, COL_VERDICTS_LOST_NS, rows);
	whole_ns(c);
	made_of(c, "share_pct", pct, UNIT_PERCENT, "100 * gaps_ns / whole_ns");
}

static void tell_cause(struct finding_ctx *c, const struct blame *k, double watched)
{
	bool lost = !strcmp(k->verdict, cause_word(CAUSE_LOST));
	bool blind = lost || !strcmp(k->verdict, cause_word(CAUSE_UNKNOWN));
	double ns = blind ? k->idle_ns : k->lost_ns, pct = 100 * ns / watched;
	from_blame(c, k, blind, pct);
	struct finding *x = blind ? tell_blind(c, k, lost, pct) : tell_known(c, k, pct);
	x->value = ns;
	x->unit = UNIT_NS;
	if (!lost)
		x->lost_ns = llround(ns);
	x->formula =
		"gaps between steps by verdict; reported from 5 % of the time from the first to the last device work";
	const struct evidence *e = table_evidence_of(ctx_table(c, "verdicts"), k->longest);
	finding_evidence(c->out, x, e->a_ns, e->b_ns, e->rows, e->n);
}

void finding_gap_causes(struct finding_ctx *c)
{
	struct causes v = {.n = 0};
	collect(c, &v);
	if (!ctx_table(c, "verdicts"))
		return;
	if (v.gaps == 0) {
		if (!trace_devices(derived_trace(c->d)) && derived_steps(c->d) > 1 && derived_step(c->d, 0)->inferred)
			say_nothing(c, "inferred steps run from start to start: there is no time between them");
		else if (derived_steps(c->d) > 1 && !ctx_table(c, "idle_causes")->n_rows)
			say(c, FINDING_PASS, "No time is lost between steps.");
		else
			say_nothing(c, derived_steps(c->d) > 1 ? "there is device work: see the rule about idle time"
							       : "fewer than two steps");
		return;
	}
	const struct iterations *served = iterations_of(c->d, NULL, NULL);
	if (served && served->n > 1 && served->are_steps) {
		say_nothing(c, "the steps are a server's iterations: see the rule about them");
		return;
	}
	for (uint32_t i = 0; i < v.n; i++)
		tell_cause(c, &v.at[i], whole_ns(c));
}
