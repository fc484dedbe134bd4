#include "advice.h"
#include "model/analysis/findings/findings.h"
#include "model/analysis/overview/overview_parts.h"
#include "model/analysis/query/shared.h"
#include "model/columns.h"
#include "model/store/base/units.h"
#include <math.h>
#include <string.h>

TABLE_DECL(overview);

enum measure { OF_PART, OF_OVERVIEW, OF_KERNELS, OF_STEP };
/* What the advice of a rule is about. Less of it is better, but where `up`. */
struct subject {
	const char *rule;
	enum measure measure;
	enum time_class part; /* of the step: what it may bring */
	const char *label;    /* NULL: that of the part */
	const char *key;      /* OF_OVERVIEW */
	bool up;
};
static const struct subject subjects[] = {
	{"input-bound", OF_PART, TIME_INPUT_WAIT, NULL, NULL, false},
	{"input-best-case", OF_STEP, TIME_INPUT_WAIT, NULL, NULL, false},
	{"kernel-launch", OF_PART, TIME_LAUNCH, NULL, NULL, false},
	{"output", OF_PART, TIME_OUTPUT, NULL, NULL, false},
	{"collectives", OF_PART, TIME_COLLECTIVES, NULL, NULL, false},
	{"recompilation", OF_PART, TIME_COMPILE, NULL, NULL, false},
	{"device-copies", OF_PART, TIME_D2D, NULL, NULL, false},
	{"precision-16bit", OF_OVERVIEW, TIME_COMPUTE, "16-bit share of the kernel time", "kernels_16bit_time_pct",
	 true},
	{"tensor-cores", OF_OVERVIEW, TIME_COMPUTE, "Tensor Core share of the kernel time", "tensor_core_time_pct",
	 true},
	{"fusion", OF_KERNELS, TIME_COMPUTE, "kernels per step", NULL, false},
	{"small-kernels", OF_KERNELS, TIME_LAUNCH, "kernels per step", NULL, false},
};

const char *advice_word(enum advice_followed f)
{
	static const char *const words[] = {[ADVICE_FOLLOWED] = "followed",
					    [ADVICE_IN_PART] = "in part",
					    [ADVICE_NOT_FOLLOWED] = "not followed",
					    [ADVICE_CANNOT_TELL] = "cannot tell"};
	return words[f];
}

struct advising {
	const struct advice_facts *f;
	const struct table *overview[2];
	struct arena *mem;
	struct table *out;
};
/* Of one rule. */
struct advised {
	const struct finding *a, *b; /* b may be NULL */
	const struct subject *subject;
	const char *label; /* NULL: the finding's own number */
	double before, after;
	double best_ns; /* the step that the run before said could be reached; NaN: it said nothing */
	enum unit unit;
	bool up;
};

/* ---- the measure ----------------------------------------------------------------------------------------------------------- */

static const struct subject *subject_of(const char *rule)
{
	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
		if (!strcmp(subjects[i].rule, rule))
			return &subjects[i];
	return NULL;
}

static bool has_steps(const struct step_change *c)
{
	return c->of == CHANGE_OF_STEPS || c->of == CHANGE_OF_MEDIANS;
}

static double key_number(const struct table *overview, const char *key)
{
	const struct cell *c = key_cell(overview, key);
	return !c || c->null ? NAN : c->type == CELL_REAL ? c->r : (double)c->i;
}

static void measure_subject(const struct advising *x, struct advised *v)
{
	const struct step_change *c = x->f->step;
	const struct subject *s = v->subject;
	v->label = s->label ? s->label : change_part_label(s->part);
	v->up = s->up;
	v->unit = UNIT_NS;
	if (s->measure == OF_OVERVIEW) {
		v->unit = UNIT_PERCENT;
		v->before = key_number(x->overview[0], s->key);
		v->after = key_number(x->overview[1], s->key);
	} else if (s->measure == OF_KERNELS) {
		v->unit = UNIT_COUNT;
		v->before = x->f->sequence->n_a ? x->f->sequence->n_a : NAN;
		v->after = x->f->sequence->n_b ? x->f->sequence->n_b : NAN;
	} else if (has_steps(c) && (s->measure == OF_PART || v->a->state == FINDING_INFO)) {
		v->before = (double)c->part[s->part].a_ns;
		v->after = (double)c->part[s->part].b_ns;
		v->best_ns = s->measure == OF_STEP ? v->a->value : NAN;
	}
}

/* Of idle time the share of the steps: findings leave out what is little. */
static void measure_idle(const struct advising *x, struct advised *v)
{
	static const char *const keys[CAUSE_COUNT] = {
#define CAUSE_KEY(id, name, ...) [CAUSE_##id] = "idle_" name "_pct",
		CAUSES(CAUSE_KEY)
#undef CAUSE_KEY
	};
	v->label = arena_printf(x->mem, "idle in steps, %s", cause_word((enum cause)v->a->cause));
	v->unit = UNIT_PERCENT;
	v->before = key_number(x->overview[0], keys[v->a->cause]);
	v->after = key_number(x->overview[1], keys[v->a->cause]);
}

static void measure_own(struct advised *v)
{
	v->unit = v->a->unit;
	v->up = v->a->value < v->a->threshold;
	v->before = v->a->value;
	v->after = v->b && v->b->unit == v->a->unit ? v->b->value : NAN;
}

/* ---- followed or not ---------------------------------------------------------------------------------------------------------- */

/* It warned, and does so no longer. */
static bool is_cured(const struct finding *a, const struct finding *b)
{
	return compare_stands(a) && (!b || b->state == FINDING_PASS || b->state == FINDING_INFO);
}

/* Less is better: of all of it; more: of what was still to be had, half of which is much. */
static enum advice_followed followed(const struct advised *v)
{
	double won = v->up ? v->after - v->before : v->before - v->after;
	double all = v->up ? (100 - v->before) / 2 : v->before;
	bool cured = is_cured(v->a, v->b);
	if (cured && (isnan(won) || won > 0))
		return ADVICE_FOLLOWED;
	if (isnan(won) || all <= 0)
		return ADVICE_CANNOT_TELL;
	return won >= 0.9 * all ? ADVICE_FOLLOWED : won >= 0.1 * all ? ADVICE_IN_PART : ADVICE_NOT_FOLLOWED;
}

/* ---- in words ------------------------------------------------------------------------------------------------------------------ */

static const char *number_text(const struct advised *v, double x, struct arena *mem)
{
	char *buf = arena_alloc(mem, UNITS_BUF);
	if (isnan(x))
		return "unknown";
	return v->unit == UNIT_NS        ? fmt_ns(buf, llround(x))
	       : v->unit == UNIT_BYTES   ? fmt_bytes(buf, llround(x))
	       : v->unit == UNIT_PERCENT ? fmt_pct(buf, x)
	       : x == floor(x)           ? fmt_count(buf, llround(x))
					 : arena_printf(mem, "%.3g", x);
}

static const char *signed_ns(int64_t ns, struct arena *mem)
{
	return arena_printf(mem, "%s%s", ns > 0 ? "+" : "", fmt_ns(arena_alloc(mem, UNITS_BUF), ns));
}

static const char *fused_text(const struct advising *x)
{
	const struct table *t = x->f->sequence->changes;
	int64_t n = 0;
	for (uint32_t row = 0; row < t->n_rows; row++) {
		const struct cell *c = table_cells(t, row);
		n += c[SEQUENCE_N_A].i > c[SEQUENCE_N_B].i && c[SEQUENCE_N_B].i > 0 ? c[SEQUENCE_COUNT].i : 0;
	}
	return n ? arena_printf(x->mem, ", fused at %d place%s of the step", (int)n, n == 1 ? "" : "s") : "";
}

/* What was predicted is compared when the wait is gone: a step may become shorter for other reasons. */
static const char *predicted_text(const struct advising *x, const struct advised *v)
{
	const struct step_change *c = x->f->step;
	char best[UNITS_BUF], is[UNITS_BUF];
	bool reached = (double)c->b_ns <= 1.02 * v->best_ns;
	const char *verdict = followed(v) != ADVICE_FOLLOWED ? "the wait is not gone"
			      : reached                      ? "reached"
							     : "not reached";
	return arena_printf(x->mem, ": at best a step of %s was predicted, it is %s: %s",
			    fmt_ns(best, llround(v->best_ns)), fmt_ns(is, c->b_ns), verdict);
}

/* "input wait 82.000 ms -> 0 ns (-82.000 ms); the step -82.000 ms" */
static const char *sentence_of(const struct advising *x, const struct advised *v, int64_t brought_ns)
{
	const struct step_change *c = x->f->step;
	struct arena *mem = x->mem;
	const char *text = arena_printf(mem, "%s%s%s -> %s", v->label ? v->label : "", v->label ? " " : "",
					number_text(v, v->before, mem), number_text(v, v->after, mem));
	if (!isnan(v->best_ns))
		return arena_printf(mem, "%s%s", text, predicted_text(x, v));
	if (!v->subject || !has_steps(c))
		return text;
	if (v->subject->measure == OF_KERNELS)
		text = arena_printf(mem, "%s%s", text, fused_text(x));
	text = v->subject->measure == OF_PART
		       ? arena_printf(mem, "%s (%s)", text, signed_ns(brought_ns, mem))
		       : arena_printf(mem, "%s; %s per step %s", text, c->part[v->subject->part].label,
				      signed_ns(brought_ns, mem));
	return arena_printf(mem, "%s; the step %s", text, signed_ns(c->b_ns - c->a_ns, mem));
}

static int64_t brought_of(const struct advising *x, const struct advised *v)
{
	const struct step_change *c = x->f->step;
	if (!v->subject || !has_steps(c))
		return UNKNOWN_I64;
	return c->part[v->subject->part].b_ns - c->part[v->subject->part].a_ns;
}

static void measured_cell(struct cell *to, const struct advised *v, double x)
{
	cell_real(to, x);
	cell_unit(to, v->unit);
	to->type = CELL_REAL;
}

static void add_row(struct advising *x, const struct advised *v)
{
	int64_t brought_ns = brought_of(x, v);
	struct cell *row = table_row(x->out);
	cell_text(&row[ADVICE_RULE], v->a->rule);
	cell_text(&row[ADVICE_TITLE], v->a->title);
	cell_text(&row[ADVICE_DONE], advice_word(followed(v)));
	cell_text(&row[ADVICE_SENTENCE], sentence_of(x, v, brought_ns));
	cell_text(&row[ADVICE_MEASURE], v->label);
	measured_cell(&row[ADVICE_BEFORE], v, v->before);
	measured_cell(&row[ADVICE_AFTER], v, v->after);
	cell_int(&row[ADVICE_BROUGHT_NS], brought_ns);
	cell_int(&row[ADVICE_PREDICTED_NS], isnan(v->best_ns) ? UNKNOWN_I64 : llround(v->best_ns));
	cell_text(&row[ADVICE_TEXT], v->a->advice);
}

/* ---- the rules ----------------------------------------------------------------------------------------------------------------- */

/* What stands and says what to do; what only informs or cannot judge, where it is known what to measure. */
static bool advises(const struct finding *a, const struct subject *s)
{
	return a && (s ? a->state != FINDING_PASS
		       : compare_stands(a) && a->advice && !isnan(a->value) && !isnan(a->threshold));
}

static void add_rule(struct advising *x, const char *rule, int cause)
{
	struct advised v = {.a = compare_worst(&x->f->findings->before, rule, cause),
			    .b = compare_worst(&x->f->findings->after, rule, cause),
			    .subject = subject_of(rule),
			    .before = NAN,
			    .after = NAN,
			    .best_ns = NAN};
	if (!advises(v.a, v.subject))
		return;
	if (v.subject)
		measure_subject(x, &v);
	else if (cause != COMPARE_NO_CAUSE)
		measure_idle(x, &v);
	else
		measure_own(&v);
	/* a rule that could not judge either run, and nothing has moved: there is nothing to tell */
	if (!compare_stands(v.a) && (isnan(v.before) || isnan(v.after) || v.before == v.after))
		return;
	add_row(x, &v);
}

struct table *compare_advice(const struct advice_facts *f, struct arena *mem, struct progress *p, struct err *e)
{
	static const struct column cols[ADVICE_COLUMNS] = {
		{"rule", CELL_TEXT, UNIT_NONE, "the rule that gave advice for the run before"},
		{"title", CELL_TEXT, UNIT_NONE, "what it is about"},
		{"followed", CELL_TEXT, UNIT_NONE,
		 "whether the run after followed it: followed (by nine tenths, or the finding is gone), in part (by a "
		 "tenth or more), not followed, cannot tell"},
		{"sentence", CELL_TEXT, UNIT_NONE, "the same with its numbers"},
		{"measure", CELL_TEXT, UNIT_NONE, "what shows it"},
		{"before", CELL_REAL, UNIT_NONE, "the measure in the run before, in the unit of the row"},
		{"after", CELL_REAL, UNIT_NONE, "in the run after"},
		{"brought_ns", CELL_INT, UNIT_NS,
		 "change per step in the part of the step that the advice is about; negative: time saved"},
		{"predicted_ns", CELL_INT, UNIT_NS, "the best step that the run before predicted"},
		{"advice", CELL_TEXT, UNIT_NONE, "advice given for the run before"}};
	struct advising x = {.f = f, .mem = mem};
	uint32_t n;
	const struct finding_rule *rules = finding_rules(&n);
	x.overview[0] = shared_table(&overview_desc, f->a->d, &f->a->q, mem, p, e);
	x.overview[1] = x.overview[0] ? shared_table(&overview_desc, f->b->d, &f->b->q, mem, p, e) : NULL;
	if (!x.overview[1])
		return NULL;
	x.out = table_bare(mem, "advice", "Advice of the run before", cols, ADVICE_COLUMNS);
	for (uint32_t i = 0; i < n && !f->one_run; i++)
		for (int cause = COMPARE_NO_CAUSE; cause < COMPARE_CAUSES; cause++)
			add_rule(&x, rules[i].word, cause);
	return x.out;
}
