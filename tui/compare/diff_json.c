/* A comparison for programs: "stepscope.diff/1". Times are whole ns; unknown is null; tables are "stepscope.table/1". */
#include "diff.h"
#include "tui/tables/table_write.h"
#include "tui/text/put.h"
#include <inttypes.h>
#include <math.h>

static void put_text(FILE *f, const char *key, const char *text)
{
	fprintf(f, "\"%s\":", key);
	if (text)
		put_json(f, text);
	else
		fputs("null", f);
}

static void put_real(FILE *f, const char *key, double v)
{
	if (isfinite(v))
		fprintf(f, "\"%s\":%.6g", key, v);
	else
		fprintf(f, "\"%s\":null", key);
}

static void put_side(FILE *f, const char *key, const struct diff_run *run, const struct compare_side *s, uint32_t runs)
{
	fprintf(f, "\"%s\":{", key);
	put_text(f, "path", run->path);
	fputc(',', f);
	put_text(f, "label", s->label);
	fprintf(f,
		",\"runs\":%" PRIu32 ",\"steps\":%" PRIu32 ",\"stretch_steps\":%" PRIu32 ",\"unsteady_steps\":%" PRIu32
		",\"devices\":%" PRIu32 "},\n",
		runs, s->step.n, s->stretch_steps, s->unsteady_steps, s->devices);
}

static void put_work(FILE *f, const struct work_differences *w)
{
	fputs("\"not_the_same\":[", f);
	for (uint32_t i = 0; i < w->n; i++) {
		fputs(i ? ",{" : "{", f);
		put_text(f, "what", w->at[i].what);
		fputc(',', f);
		put_text(f, "a", w->at[i].a);
		fputc(',', f);
		put_text(f, "b", w->at[i].b);
		fputc('}', f);
	}
	fputs("],\n", f);
}

static void put_step(FILE *f, const struct diff *x)
{
	const struct step_change *c = &x->step;
	static const char *const of[] = {[CHANGE_OF_NOTHING] = "nothing",
					 [CHANGE_OF_STEPS] = "mean_step",
					 [CHANGE_OF_MEDIANS] = "median_step",
					 [CHANGE_OF_THE_SPAN] = "device_span"};
	fprintf(f, "\"change\":{\"of\":\"%s\",\"a_ns\":%" PRId64 ",\"b_ns\":%" PRId64 ",\"change_ns\":%" PRId64 ",",
		of[c->of], c->a_ns, c->b_ns, c->b_ns - c->a_ns);
	put_real(f, "change_pct", diff_pct(x));
	fputc(',', f);
	put_real(f, "detects_pct", c->detects_pct);
	fputs(",\"parts\":[", f);
	for (uint32_t i = 0; i < c->n; i++)
		fprintf(f, "%s{\"part\":\"%s\",\"a_ns\":%" PRId64 ",\"b_ns\":%" PRId64 ",\"change_ns\":%" PRId64 "}",
			i ? "," : "", c->part[i].part, c->part[i].a_ns, c->part[i].b_ns,
			c->part[i].b_ns - c->part[i].a_ns);
	fputs("]},\n", f);
}

static void put_findings(FILE *f, const struct changed_findings *found)
{
	fputs("\"findings\":[", f);
	for (uint32_t i = 0; i < found->n; i++) {
		const struct changed_finding *x = &found->at[i];
		fputs(i ? ",\n{" : "\n{", f);
		put_text(f, "change", finding_change_word(x->change));
		fputc(',', f);
		put_text(f, "rule", x->rule);
		fputc(',', f);
		put_text(f, "a_state", x->a_state);
		fputc(',', f);
		put_text(f, "b_state", x->b_state);
		fputc(',', f);
		put_text(f, "a_sentence", x->a_sentence);
		fputc(',', f);
		put_text(f, "b_sentence", x->b_sentence);
		fputc('}', f);
	}
	fputs("],\n", f);
}

static void put_gates(FILE *f, const struct diff *x)
{
	static const char *const words[] = {
		[GATE_PASSES] = "passes", [GATE_FAILS] = "fails", [GATE_CANNOT_JUDGE] = "cannot judge"};
	fputs("\"gates\":[", f);
	for (uint32_t i = 0; i < x->n_gates; i++) {
		fputs(i ? ",{" : "{", f);
		put_text(f, "gate", x->gates[i].gate->text);
		fputc(',', f);
		put_text(f, "verdict", words[x->gates[i].verdict]);
		fputc(',', f);
		put_text(f, "sentence", x->gates[i].sentence);
		fputc('}', f);
	}
	fputs("],\n", f);
}

void diff_json(const struct diff_req *r, const struct diff *x, FILE *out)
{
	struct arena mem = {0};
	const char *const paths[] = {x->run_a.path, x->run_b.path};
	(void)r;
	fputs("{\"schema\":\"stepscope.diff/1\",\n", out);
	put_side(out, "a", &x->run_a, &x->a, x->n_a);
	put_side(out, "b", &x->run_b, &x->b, x->n_b);
	put_text(out, "verdict", diff_verdict(x, DIFF_COLS_ALL, &mem));
	fputs(",\n", out);
	put_text(out, "noise", diff_noise(x, &mem));
	fputs(",\n", out);
	put_work(out, &x->work);
	put_step(out, x);
	put_gates(out, x);
	put_findings(out, &x->findings);
	fputs("\"tables\":[", out);
	uint32_t listed = 0;
	for (uint32_t i = 0; i < DIFF_TABLES; i++) {
		if (!x->tables[i])
			continue;
		fputs(listed++ ? ",\n" : "\n", out);
		table_write(x->tables[i], TABLE_JSON, out, paths, 2, 0);
	}
	const struct table *const more[] = {x->sequence.changes, x->advice};
	for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
		if (!more[i]->n_rows)
			continue;
		fputs(listed++ ? ",\n" : "\n", out);
		table_write(more[i], TABLE_JSON, out, paths, 2, 0);
	}
	fputs("]}\n", out);
	arena_free(&mem);
}
