#include "finding_ctx.h"
#include "findings_columns.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/gaps/idle_causes_columns.h"
#include "model/analysis/overview/overview_parts.h"
#include "model/analysis/overview/top.h"
#include "model/analysis/query/shared.h"
#include "model/analysis/steps/step_phase.h"
#include "model/store/base/units.h"
#include "model/columns.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

TABLE_DECL(overview);

static const struct finding_rule rules[] = {
#define FINDING_ROW(id, word, question, title, help) {word, question, title, help},
	FINDING_RULES(FINDING_ROW)
#undef FINDING_ROW
};
#define FINDING_FITS(id, word, question, title, help) \
	_Static_assert(sizeof title <= FINDING_TITLE_MAX + 1, title " is wider than the column of titles");
FINDING_RULES(FINDING_FITS)
#undef FINDING_FITS
static void (*const functions[])(struct finding_ctx *) = {
#define FINDING_FUNCTION(id, word, question, title, help) finding_##id,
	FINDING_RULES(FINDING_FUNCTION)
#undef FINDING_FUNCTION
};
enum { RULES = sizeof rules / sizeof *rules };

const struct finding_rule *finding_rules(uint32_t *n)
{
	*n = RULES;
	return rules;
}

/* ---- reading tables --------------------------------------------------------------------------------------------- */

const struct table *ctx_table(struct finding_ctx *c, const char *name)
{
	const struct answers *a = &c->answers;
	const struct table *const tables[] = {
#define ANSWER_OF(id, name) a->name,
		ANSWER_TABLES(ANSWER_OF)
#undef ANSWER_OF
			c->overview};
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (tables[i] && !strcmp(tables[i]->name, name))
			return tables[i];
	return NULL;
}

bool cell_number(const struct cell *v, double *out)
{
	if (v->null || v->type == CELL_TEXT)
		return false;
	*out = v->type == CELL_REAL ? v->r : v->type == CELL_BOOL ? v->b : (double)v->i;
	return true;
}

bool ctx_real(struct finding_ctx *c, const char *table, const char *key, double *v)
{
	const struct table *t = ctx_table(c, table);
	from_key(c, t, key);
	return cell_number(key_cell(t, key), v);
}

const char *step_time_words(struct finding_ctx *c)
{
	double whole;
	bool known = c->q->windowed && cell_number(key_cell(ctx_table(c, "overview"), "steps"), &whole);
	return known && whole < 1 ? STEP_TIME_IN_WINDOW : "the step time";
}

const char *ctx_text(struct finding_ctx *c, const char *table, const char *key)
{
	const struct table *t = ctx_table(c, table);
	return column_text(t, row_of_key(t, key), KEYED_VALUE);
}

const struct evidence *ctx_evidence(struct finding_ctx *c, const char *table, const char *key)
{
	const struct table *t = ctx_table(c, table);
	uint32_t row = row_of_key(t, key);
	return row == NONE_ID ? NULL : table_evidence_of(t, row);
}

bool row_real(const struct table *t, uint32_t row, uint32_t column, double *v)
{
	return cell_number(column_cell(t, row, column), v);
}

double row_number(const struct table *t, uint32_t row, uint32_t column)
{
	double v;
	return row_real(t, row, column, &v) ? v : 0;
}

uint32_t row_of_most(const struct table *t, uint32_t column)
{
	uint32_t most = 0;
	for (uint32_t row = 1; row < t->n_rows; row++)
		if (row_number(t, row, column) > row_number(t, most, column))
			most = row;
	return most;
}

double column_sum(const struct table *t, uint32_t column)
{
	double sum = 0;
	for (uint32_t row = 0; t && row < t->n_rows; row++)
		sum += row_number(t, row, column);
	return sum;
}

const char *row_text(const struct table *t, uint32_t row, uint32_t column)
{
	return column_text(t, row, column);
}

bool row_true(const struct table *t, uint32_t row, uint32_t column)
{
	const struct cell *v = column_cell(t, row, column);
	return !v->null && v->type == CELL_BOOL && v->b;
}

/* ---- saying ----------------------------------------------------------------------------------------------------- */

/* A text that did not fit ends between two characters. */
static void cut_text(char *text, size_t size)
{
	size_t n = size - sizeof "...";
	while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	strcpy(text + n, "...");
}

struct finding *say(struct finding_ctx *c, enum finding_state s, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof text)
		cut_text(text, sizeof text);
	else if (n > 4 && !strcmp(text + n - 4, "....")) /* a list that goes on, and the end of the sentence */
		text[n - 1] = 0;
	struct finding *x = finding_add(c->out, c->rule->word, c->rule->question, c->rule->title);
	x->state = s;
	x->sentence = arena_strdup(c->mem, text);
	x->inputs = inputs_taken(c);
	return x;
}

static uint32_t find_device(const struct finding_ctx *c, const struct table *t, uint32_t row, struct device_columns in)
{
	const struct trace *tr = derived_trace(c->d);
	const char *host = row_text(t, row, in.host);
	double device, rank;
	bool ranked = row_real(t, row, in.rank, &rank);
	if (!row_real(t, row, in.device, &device))
		return NONE_ID;
	uint32_t n = trace_devices(tr);
	for (uint32_t i = 0; i < n; i++) {
		const struct device *x = trace_device(tr, i);
		if (x->ordinal == (int64_t)device && (!ranked || trace_host(tr, x->host)->rank == (int32_t)rank) &&
		    (!host || !strcmp(host, trace_str(tr, trace_host(tr, x->host)->name))))
			return i;
	}
	return NONE_ID;
}

const char *device_name(struct finding_ctx *c, const struct table *t, uint32_t row, struct device_columns in)
{
	char label[128];
	uint32_t device = find_device(c, t, row, in);
	return device == NONE_ID
		       ? arena_printf(c->mem, "GPU %.0f", row_number(t, row, in.device))
		       : arena_strdup(c->mem, trace_device_label(derived_trace(c->d), device, label, sizeof label));
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The device has the row before, too. */
static bool device_goes_on(const struct table *t, uint32_t row, struct device_columns in)
{
	if (!row || !same_text(row_text(t, row, in.host), row_text(t, row - 1, in.host)))
		return false;
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t column = i ? in.device : in.rank;
		double here, before;
		bool known = row_real(t, row, column, &here);
		if (known != row_real(t, row - 1, column, &before) || (known && here != before))
			return false;
	}
	return true;
}

/* Found once for all rows: each rule asks, and there may be thousands. */
uint32_t device_of_row(struct finding_ctx *c, const struct table *t, uint32_t row)
{
	static const struct device_columns in = {COL_IDLE_CAUSES_HOST, COL_IDLE_CAUSES_RANK, COL_IDLE_CAUSES_DEVICE};
	if (!c->idle_devices) {
		c->idle_devices = arena_alloc(c->mem, (t->n_rows + (size_t)1) * sizeof *c->idle_devices);
		for (uint32_t i = 0; i < t->n_rows; i++)
			c->idle_devices[i] =
				device_goes_on(t, i, in) ? c->idle_devices[i - 1] : find_device(c, t, i, in);
	}
	return c->idle_devices[row];
}

struct finding *say_missing(struct finding_ctx *c, const char *what, const char *thing, const char *why,
			    const char *advice)
{
	bool cut = !strcmp(thing, "step") && derived_steps_all_cut(c->d);
	if (!c->q->windowed)
		return say_untold(c, what, cut ? "the exported window cuts every step" : why,
				  cut ? "Export whole steps: --step N..M." : advice);
	int64_t a_ns, b_ns;
	query_bounds(c->q, derived_trace(c->d), &a_ns, &b_ns);
	return say_untold(c, what,
			  arena_printf(c->mem, "no %s between %s and %s", thing, ns_text(c, (double)a_ns),
				       ns_text(c, (double)b_ns)),
			  "Look at more of the trace: a longer window, or none.");
}

void show_row(struct finding_ctx *c, struct finding *x, const struct table *t, uint32_t row)
{
	const struct evidence *e = table_evidence_of(t, row);
	finding_evidence(c->out, x, e->a_ns, e->b_ns, e->rows, e->n);
}

double inside_window_ns(const struct finding_ctx *c, double start_ns, double dur_ns)
{
	int64_t a_ns, b_ns;
	query_bounds(c->q, derived_trace(c->d), &a_ns, &b_ns);
	double from = fmax(start_ns, (double)a_ns), to = fmin(start_ns + dur_ns, (double)b_ns);
	return to > from ? to - from : 0;
}

const char *ns_text(struct finding_ctx *c, double ns)
{
	return fmt_ns(arena_alloc(c->mem, UNITS_BUF), llround(ns));
}

const char *count_text(struct finding_ctx *c, double n)
{
	return fmt_count(arena_alloc(c->mem, UNITS_BUF), llround(n));
}

const char *pct_text(struct finding_ctx *c, double pct)
{
	return fmt_pct(arena_alloc(c->mem, UNITS_BUF), pct);
}

/* What holds for first calls only is not judged: numbers stay, verdicts do not. */
static void leave_unjudged(struct findings *out)
{
	for (uint32_t i = 0; i < out->n; i++) {
		bool about_file = !strcmp(out->at[i].rule, "warm-up") || !strcmp(out->at[i].rule, "read-whole");
		if (!about_file && finding_stands(out->at[i].state))
			out->at[i].state = FINDING_UNKNOWN;
	}
}

/* Those that any program's trace is asked. */
static bool applies_to_hosts(uint32_t i)
{
	return functions[i] == finding_read_whole || functions[i] == finding_busy;
}

/* Whatever it does, a rule leaves a finding or a word on why it has none. */
static void run_rule(struct finding_ctx *c, uint32_t i)
{
	uint32_t before = c->out->n + c->out->n_silent;
	c->rule = &rules[i];
	if (c->host_alone && !applies_to_hosts(i))
		say_nothing(c, "neither devices nor steps nor a framework is recorded");
	else
		functions[i](c);
	if (before == c->out->n + c->out->n_silent)
		say_nothing(c, "the rule does not apply to this trace");
	inputs_taken(c);
}

bool findings_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		   struct findings *out, struct err *e)
{
	*out = (struct findings){.mem = mem};
	struct finding_ctx c = {.d = d, .q = q, .mem = mem, .out = out, .gap_input_ns = NAN};
	c.framework = idle_facts(d)->framework;
	c.host_alone = !top_from_framework(d);
	c.one_step = derived_job_steps(d)->n == 1;
	c.steady_only = counted_steps(d, q).steady_only;
	c.answers = (struct answers){.d = d, .q = q, .progress = p};
	if (!answers_make(&c.answers, ANSWERS_ALL, mem, e))
		return false;
	c.overview = shared_fits(q) ? shared_table(&overview_desc, d, q, mem, p, e) : overview_from(&c.answers, mem);
	if (!c.overview)
		return false;
	for (uint32_t i = 0; i < RULES; i++) {
		if (progress_cancelled(p))
			return err_usage(e, "cancelled");
		run_rule(&c, i);
	}
	if (c.warm_up_only)
		leave_unjudged(out);
	findings_in_order(&c);
	return true;
}

/* Those that tables of several ranks tell by themselves. */
static bool applies_to_ranks(uint32_t i)
{
	return functions[i] == finding_waits_for || functions[i] == finding_replicas;
}

void findings_of_ranks(const struct derived *d, const struct rank_tables *t, struct arena *mem, struct findings *out)
{
	struct query all = query_all();
	*out = (struct findings){.mem = mem};
	struct finding_ctx c = {.d = d,
				.q = &all,
				.mem = mem,
				.out = out,
				.gap_input_ns = NAN,
				.one_step = t->one_step,
				.steady_only = t->steady_only};
	c.answers.replicas = t->replicas;
	c.answers.collective_steps = t->collective_steps;
	for (uint32_t i = 0; i < RULES; i++)
		if (applies_to_ranks(i))
			run_rule(&c, i);
	findings_in_order(&c);
}
