#include "gate.h"
#include "model/columns.h"
#include "model/store/base/nearest.h"
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

enum { KEYS_NAMED = 12 };

/* Numbers that both runs have, ranked ones as top_op_3_ns left out: they name another thing in another run. */
static uint32_t shared_keys(const struct gate_facts *f, const char **keys, uint32_t most)
{
	uint32_t n = 0;
	for (uint32_t r = 0; f->overview_a && r < f->overview_a->n_rows && n < most; r++) {
		const char *key = column_text(f->overview_a, r, KEYED_KEY), *digit = strpbrk(key, "123456789");
		bool ranked = digit && digit > key && digit[-1] == '_' && digit[1] == '_';
		if (!ranked && !isnan(number(key_cell(f->overview_a, key))) &&
		    !isnan(number(key_cell(f->overview_b, key))))
			keys[n++] = key;
	}
	return n;
}

/* Of a key that no run has. */
static const char *unknown_key(const struct gate *g, const struct gate_facts *f, struct arena *mem)
{
	enum { MOST = 512 };
	const char **keys = arena_alloc(mem, (MOST + 1) * sizeof *keys), *list = "step, findings";
	keys[0] = "step";
	uint32_t n = 1 + shared_keys(f, keys + 1, MOST);
	const char *meant = nearest_word(g->key, keys, n);
	for (uint32_t i = 1; i < n && i <= KEYS_NAMED; i++)
		list = arena_printf(mem, "%s, %s", list, keys[i]);
	return arena_printf(mem, "there is no key %s%s%s%s; there are %s%s", g->key, meant ? ", " : "",
			    meant ? meant : "", meant ? " is probably meant" : "", list,
			    n > KEYS_NAMED + 1 ? " and the other numbers of 'stepscope table overview'" : "");
}

static const char *not_known(const struct gate *g, const struct gate_facts *f, struct arena *mem)
{
	bool key = !strcmp(g->key, "step") || row_of_key(f->overview_a, g->key) != NONE_ID ||
		   row_of_key(f->overview_b, g->key) != NONE_ID;
	return key ? arena_printf(mem, "%s is not known as a number in both runs", g->key) : unknown_key(g, f, mem);
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
		return (struct gate_result){g, GATE_CANNOT_JUDGE, not_known(g, f, mem)};
	double pct = x.a > 0 ? 100 * (x.b - x.a) / x.a : NAN;
	enum gate_verdict verdict = judge(g, &x, g->kind == GATE_PERCENT ? pct : x.b - x.a);
	const char *numbers = arena_printf(mem, "%s -> %s", value_text(mem, x.a, x.unit), value_text(mem, x.b, x.unit));
	if (!isnan(pct) && x.unit != UNIT_PERCENT)
		numbers = arena_printf(mem, "%s (%+.1f %%)", numbers, pct);
	if (verdict == GATE_CANNOT_JUDGE)
		numbers = arena_printf(mem, "%s; %s", numbers, why_not(g, &x, mem));
	return (struct gate_result){g, verdict, numbers};
}
