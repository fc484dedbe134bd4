#include "gate.h"
#include "model/columns.h"
#include "model/store/base/units.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static bool parse_limit(const char *text, struct gate *g)
{
	char *end;
	const char *behind;
	int64_t ns;
	double v = strtod(text, &end);
	if ((*text != '+' && *text != '-') || end == text || !(v != 0) || !isfinite(v))
		return false;
	while (*end == ' ')
		end++;
	if (!strcmp(end, "%")) {
		g->kind = GATE_PERCENT;
	} else if (!*end) {
		g->kind = GATE_POINTS;
	} else if (parse_ns_with_unit(text + 1, &behind, &ns) && !*behind) {
		g->kind = GATE_TIME;
		v = *text == '-' ? -(double)ns : (double)ns;
	} else {
		return false;
	}
	g->limit = v;
	return true;
}

bool gate_parse(const char *text, struct gate *out, struct err *e)
{
	const char *limit = strpbrk(text, " ");
	*out = (struct gate){.text = text};
	size_t n = limit ? (size_t)(limit - text) : 0;
	while (limit && *limit == ' ')
		limit++;
	if (!n || n >= sizeof out->key)
		return err_usage(e, "--gate wants a key and a limit, like 'step +3%%', not '%.60s'", text);
	memcpy(out->key, text, n);
	if (!strcmp(out->key, "findings") && !strcmp(limit, "new")) {
		out->kind = GATE_NEW_FINDINGS;
		return true;
	}
	return parse_limit(limit, out) || err_usage(e,
						    "--gate '%.60s': the limit is a sign, a number, and %% or a unit, "
						    "like +3%% or +2ms; or 'findings new'",
						    text);
}

/* ---- judging --------------------------------------------------------------------------------------------------------- */

/* A number that a gate looks at. */
struct looked_at {
	double a, b, detects_pct; /* NaN: unknown */
	enum unit unit;
	bool has_spread;
};

static double number(const struct cell *c)
{
	return c->null || !cell_type_is_number(c->type) ? NAN : c->type == CELL_REAL ? c->r : (double)c->i;
}

static struct looked_at look(const struct gate *g, const struct gate_facts *f)
{
	if (!strcmp(g->key, "step")) {
		bool known = f->step->of != CHANGE_OF_NOTHING && f->step->of != CHANGE_OF_THE_SPAN;
		return (struct looked_at){known ? (double)f->step->a_ns : NAN, known ? (double)f->step->b_ns : NAN,
					  f->step->detects_pct, UNIT_NS, true};
	}
	const struct cell *a = key_cell(f->overview_a, g->key), *b = key_cell(f->overview_b, g->key);
	return (struct looked_at){number(a), number(b), NAN, a->unit, false};
}

static const char *value_text(struct arena *mem, double v, enum unit unit)
{
	char *buf = arena_alloc(mem, UNITS_BUF);
	if (unit == UNIT_NS)
		return fmt_ns(buf, llround(v));
	if (unit == UNIT_PERCENT)
		return fmt_pct(buf, v);
	return v == floor(v) ? fmt_count(buf, llround(v)) : arena_printf(mem, "%.4g", v);
}

/* In the unit of the limit. */
static double in_unit(const struct gate *g, const struct looked_at *x, double pct)
{
	return g->kind == GATE_PERCENT ? pct : pct / 100 * x->a;
}

static const char *detects_text(const struct gate *g, const struct looked_at *x, struct arena *mem)
{
	char buf[UNITS_BUF];
	if (g->kind == GATE_PERCENT)
		return arena_printf(mem, "%.2g %%", x->detects_pct);
	return arena_strdup(mem, fmt_ns(buf, llround(in_unit(g, x, x->detects_pct))));
}

static enum gate_verdict judge(const struct gate *g, const struct looked_at *x, double change)
{
	double sign = g->limit < 0 ? -1 : 1, worse = sign * change, limit = fabs(g->limit);
	if (!x->has_spread)
		return worse > limit ? GATE_FAILS : GATE_PASSES;
	if (isnan(x->detects_pct))
		return GATE_CANNOT_JUDGE;
	double detects = in_unit(g, x, x->detects_pct);
	if (detects <= limit)
		return worse > limit ? GATE_FAILS : GATE_PASSES;
	return worse > limit + detects ? GATE_FAILS : worse + detects < limit ? GATE_PASSES : GATE_CANNOT_JUDGE;
}

static const char *why_not(const struct gate *g, const struct looked_at *x, struct arena *mem)
{
	return isnan(x->detects_pct)
		       ? "their spread is not known: record more steps, or several runs"
		       : arena_printf(mem,
				      "these runs can only show changes from %s on: record more steps, or several runs",
				      detects_text(g, x, mem));
}

static struct gate_result judge_findings(const struct gate *g, const struct gate_facts *f, struct arena *mem)
{
	uint32_t n = 0;
	const char *first = NULL;
	for (uint32_t i = 0; i < f->findings->n; i++) {
		const struct changed_finding *x = &f->findings->at[i];
		if (x->change != FINDING_NEW && x->change != FINDING_WORSE)
			continue;
		first = first ? first : x->rule;
		n++;
	}
	const char *said = !n ? "no finding is new or worse"
			      : arena_printf(mem, "%u new or worse, the first is %s", (unsigned)n, first);
	return (struct gate_result){g, n ? GATE_FAILS : GATE_PASSES, said};
}

struct gate_result gate_judge(const struct gate *g, const struct gate_facts *f, struct arena *mem)
{
	if (g->kind == GATE_NEW_FINDINGS)
		return judge_findings(g, f, mem);
	struct looked_at x = look(g, f);
	if (isnan(x.a) || isnan(x.b) || (g->kind == GATE_PERCENT && !(x.a > 0)))
		return (struct gate_result){g, GATE_CANNOT_JUDGE,
					    arena_printf(mem, "%s is not known in both runs", g->key)};
	double pct = x.a > 0 ? 100 * (x.b - x.a) / x.a : NAN;
	enum gate_verdict verdict = judge(g, &x, g->kind == GATE_PERCENT ? pct : x.b - x.a);
	const char *numbers = arena_printf(mem, "%s -> %s", value_text(mem, x.a, x.unit), value_text(mem, x.b, x.unit));
	if (!isnan(pct) && x.unit != UNIT_PERCENT)
		numbers = arena_printf(mem, "%s (%+.1f %%)", numbers, pct);
	if (verdict == GATE_CANNOT_JUDGE)
		numbers = arena_printf(mem, "%s; %s", numbers, why_not(g, &x, mem));
	return (struct gate_result){g, verdict, numbers};
}
