#include "explain.h"
#include "cli.h"
#include "model/store/base/nearest.h"
#include "model/analysis/findings/findings.h"
#include "model/store/base/units.h"
#include "tui/tables/table_write.h"
#include "tui/text/guide.h"
#include "tui/text/put.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FIRST_EVENTS = 20, VALUE_COLS = 14 };

bool explain_known(const char *rule, struct err *e)
{
	enum { MOST = 128 };
	const char *words[MOST] = {"all"};
	uint32_t n;
	const struct finding_rule *rules = finding_rules(&n);
	n = n < MOST ? n : MOST - 1;
	for (uint32_t i = 0; i < n; i++)
		words[i + 1] = rules[i].word;
	for (uint32_t i = 0; i <= n; i++)
		if (!strcmp(rule, words[i]))
			return true;
	const char *near = nearest_word(rule, words, n + 1);
	return near ? err_usage(e, "there is no rule '%.40s' to explain; did you mean '%s'?", rule, near)
		    : err_usage(e, "there is no rule '%.40s' to explain; 'stepscope findings --help' lists all %u",
				rule, n);
}

static bool wanted(const char *rule, const struct finding *x)
{
	return !strcmp(rule, "all") || !strcmp(rule, x->rule);
}

/* ---- as text ---------------------------------------------------------------------------------------------------------- */

static const char *number_text(double v, enum unit unit, char *buf)
{
	if (isnan(v))
		return "unknown";
	switch (unit) {
	case UNIT_NS:
		return fmt_ns(buf, llround(v));
	case UNIT_PERCENT:
		return fmt_pct(buf, v);
	case UNIT_BYTES:
		return fmt_bytes(buf, llround(v));
	case UNIT_COUNT:
		return fmt_count(buf, llround(v));
	default:
		snprintf(buf, UNITS_BUF, "%.6g", v);
		return buf;
	}
}

static const struct finding_input *input_named(const struct finding_inputs *inputs, const char *name, size_t n)
{
	for (uint32_t i = 0; i < inputs->n; i++)
		if (strlen(inputs->at[i].name) == n && !memcmp(inputs->at[i].name, name, n))
			return &inputs->at[i];
	return NULL;
}

/* The formula with the inputs in place of their names. */
static void put_filled_in(const char *formula, const struct finding_inputs *inputs, FILE *out)
{
	char buf[UNITS_BUF];
	for (const char *at = formula; *at;) {
		size_t n = 0;
		while (isalpha((unsigned char)*at) && (isalnum((unsigned char)at[n]) || at[n] == '_'))
			n++;
		const struct finding_input *x = n ? input_named(inputs, at, n) : NULL;
		if (x)
			fputs(number_text(x->value, x->unit, buf), out);
		else
			fprintf(out, "%.*s", n ? (int)n : 1, at);
		at += n ? n : 1;
	}
}

static void put_place(const struct finding_input *x, const struct finding_inputs *inputs, FILE *out)
{
	if (x->made_of && x->text) {
		fprintf(out, "from %s", x->made_of);
		return;
	}
	if (x->made_of) {
		fprintf(out, "= %s = ", x->made_of);
		put_filled_in(x->made_of, inputs, out);
		return;
	}
	fprintf(out, "table %s, ", x->table);
	if (x->column)
		fprintf(out, "column %s, ", x->column);
	else
		fputs("number of rows, ", out);
	put_plain(out, x->rows ? x->rows : "all rows");
}

static void put_input(const struct finding_input *x, const struct finding_inputs *inputs, int name_cols, FILE *out)
{
	char buf[UNITS_BUF];
	fprintf(out, "    %-*s ", name_cols, x->name);
	if (x->text)
		put_plain(out, x->text);
	else
		fprintf(out, "%*s", VALUE_COLS, number_text(x->value, x->unit, buf));
	fputs("  ", out);
	put_place(x, inputs, out);
	fputc('\n', out);
}

static void put_inputs(const struct finding_inputs *inputs, FILE *out)
{
	int cols = 0;
	for (uint32_t i = 0; i < inputs->n; i++)
		if ((int)strlen(inputs->at[i].name) > cols)
			cols = (int)strlen(inputs->at[i].name);
	fputs(inputs->n ? "  inputs:\n" : "", out);
	for (uint32_t i = 0; i < inputs->n; i++)
		put_input(&inputs->at[i], inputs, cols, out);
}

static void put_events(const struct evidence *e, FILE *out)
{
	if (!e->n)
		return;
	fprintf(out, "  events (%u%s): ", e->n, e->n > FIRST_EVENTS ? ", the first of them" : "");
	for (uint32_t i = 0; i < e->n && i < FIRST_EVENTS; i++)
		fprintf(out, i ? ", %" PRIu32 : "%" PRIu32, e->rows[i]);
	fputs("; ids as in the table events\n", out);
}

static void put_why(const struct finding *x, bool silent, FILE *out)
{
	static const char *const words[FINDING_STATES] = {"did not fire", "fired, as worth knowing",
							  "fired, as a warning", "fired, as a failure",
							  "abstained, as the trace cannot tell"};
	char value[UNITS_BUF], threshold[UNITS_BUF];
	fprintf(out, "  why: %s", silent ? "no finding" : words[x->state]);
	if (!silent && !isnan(x->value))
		fprintf(out, "; its value is %s", number_text(x->value, x->unit, value));
	if (!silent && !isnan(x->threshold))
		fprintf(out, ", its threshold %s", number_text(x->threshold, x->unit, threshold));
	if (x->why)
		fprintf(out, "; %s", x->why);
	if (x->waits_for)
		fprintf(out, "; it waits for the rule %s", x->waits_for);
	fputc('\n', out);
}

static void put_finding(const struct finding *x, bool silent, FILE *out, bool ascii)
{
	if (silent)
		fprintf(out, "- %s\n", x->title);
	else
		fprintf(out, "%s %s: ", guide_mark(x->state, ascii), x->title);
	if (!silent)
		put_plain(out, x->sentence);
	fputs(silent ? "" : "\n", out);
	put_why(x, silent, out);
	if (x->formula)
		fprintf(out, "  formula: %s\n", x->formula);
	put_inputs(&x->inputs, out);
	put_events(&x->evidence, out);
}

static void put_head(const struct finding_rule *r, FILE *out)
{
	fprintf(out, "%s%s%s%s: %s\n", r->word, *r->question ? " (" : "", r->question, *r->question ? ")" : "",
		r->help);
}

void explain_text(const struct findings *found, const char *rule, FILE *out, bool ascii)
{
	uint32_t n;
	const struct finding_rule *rules = finding_rules(&n);
	bool blank = false;
	for (uint32_t r = 0; r < n; r++) {
		if (strcmp(rule, "all") != 0 && strcmp(rule, rules[r].word) != 0)
			continue;
		fputs(blank ? "\n" : "", out);
		blank = true;
		put_head(&rules[r], out);
		for (uint32_t i = 0; i < found->n; i++)
			if (!strcmp(found->at[i].rule, rules[r].word))
				put_finding(&found->at[i], false, out, ascii);
		for (uint32_t i = 0; i < found->n_silent; i++)
			if (!strcmp(found->silent[i].rule, rules[r].word))
				put_finding(&found->silent[i], true, out, ascii);
	}
}

/* ---- as JSON ---------------------------------------------------------------------------------------------------------- */

static void put_text_member(const char *name, const char *text, FILE *out)
{
	fprintf(out, ",\"%s\":", name);
	if (text)
		put_json(out, text);
	else
		fputs("null", out);
}

static void put_real_member(const char *name, double v, FILE *out)
{
	if (isnan(v))
		fprintf(out, ",\"%s\":null", name);
	else
		fprintf(out, ",\"%s\":%.17g", name, v);
}

static void put_json_finding(const struct finding *x, bool silent, FILE *out)
{
	fputs("{\"rule\":", out);
	put_json(out, x->rule);
	put_text_member("severity", silent ? NULL : finding_state_name(x->state), out);
	put_text_member("sentence", silent ? NULL : x->sentence, out);
	put_real_member("value", x->value, out);
	put_text_member("unit", isnan(x->value) ? NULL : unit_name(x->unit), out);
	put_real_member("threshold", x->threshold, out);
	put_text_member("formula", x->formula, out);
	put_text_member("why", x->why, out);
	put_text_member("advice", x->advice, out);
	put_text_member("waits_for", x->waits_for, out);
	table_write_inputs(&x->inputs, out);
	fputs(",\"events\":[", out);
	for (uint32_t i = 0; i < x->evidence.n && i < FIRST_EVENTS; i++)
		fprintf(out, i ? ",%" PRIu32 : "%" PRIu32, x->evidence.rows[i]);
	fprintf(out, "],\"events_in_all\":%" PRIu32 "}", x->evidence.n);
}

void explain_json(const struct findings *found, const char *rule, const int64_t window_ns[2],
		  const char *const *sources, int n_sources, FILE *out)
{
	const char *before = "\n ";
	fputs("{\"schema\":\"stepscope.explain/1\",\"source\":[", out);
	for (int i = 0; i < n_sources; i++) {
		fputs(i ? "," : "", out);
		put_json(out, sources[i]);
	}
	fprintf(out, "],\"window_ns\":[%" PRId64 ",%" PRId64 "],\"findings\":[", window_ns[0], window_ns[1]);
	for (uint32_t i = 0; i < found->n + found->n_silent; i++) {
		bool silent = i >= found->n;
		const struct finding *x = silent ? &found->silent[i - found->n] : &found->at[i];
		if (!wanted(rule, x))
			continue;
		fputs(before, out);
		put_json_finding(x, silent, out);
		before = ",\n ";
	}
	fputs("]}\n", out);
}
