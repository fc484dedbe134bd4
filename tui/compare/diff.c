#include "diff.h"
#include "model/analysis/analysis.h"
#include "model/analysis/findings/findings.h"
#include "model/analysis/query/shared.h"
#include "model/store/base/both.h"
#include "model/store/base/units.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- repetitions ----------------------------------------------------------------------------------------------------- */

struct measured {
	const struct diff_run *run;
	struct compare_side side;
};

static int by_step(const void *a, const void *b)
{
	const struct measured *x = a, *y = b;
	return (x->side.step.ns > y->side.step.ns) - (x->side.step.ns < y->side.step.ns);
}

/* The run that stands for all, and the spread of their steps. */
static bool choose_run(const struct diff_run *runs, uint32_t n, struct progress *p, struct arena *mem,
		       struct diff_run *run, struct compare_side *side, struct spread *spread, struct err *e)
{
	struct measured *m = arena_alloc(mem, n * sizeof *m);
	double *ns = arena_alloc(mem, n * sizeof *ns);
	for (uint32_t i = 0; i < n; i++) {
		m[i].run = &runs[i];
		bool sound = compare_side_of(runs[i].d, &runs[i].q, runs[i].label, mem, p, &m[i].side, e);
		if (n > 1 || !sound) /* the one that is chosen begins anew */
			compare_side_done(&m[i].side, mem);
		TRY(sound);
		ns[i] = (double)m[i].side.step.ns;
	}
	*spread = spread_of(ns, n);
	qsort(m, n, sizeof *m, by_step);
	*run = *m[n / 2].run;
	*side = m[n / 2].side;
	side->whole = run->whole;
	side->rank = run->rank;
	if (n > 1)
		compare_side_share(side);
	return true;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

static const char *const table_names[DIFF_TABLES] = {
	"kernel_families", "ops",         "kernels", "copies", "idle_causes",
	"gap_groups",      "collectives", "memory",  "phases", "collective_sizes"};

/* One side by itself: what is compared of it later is found made. */
struct side_job {
	const struct diff_req *r;
	const struct diff_run *runs;
	uint32_t n_runs;
	struct diff_run *run;
	struct compare_side *side;
	struct spread spread;
	struct findings findings;
	bool sound;
	struct arena mem;
	struct err err;
};

static bool make_side(struct side_job *j)
{
	struct progress *p = j->r->progress;
	TRY(choose_run(j->runs, j->n_runs, p, &j->mem, j->run, j->side, &j->spread, &j->err));
	TRY(findings_make(j->side->d, &j->side->q, &j->mem, p, &j->findings, &j->err));
	for (uint32_t i = 0; i < j->r->n_tables; i++)
		if (!compare_side_table(analysis_find(table_names[i]), j->side, j->r->places, &j->mem, p, &j->err))
			return false;
	return true;
}

struct sides {
	struct side_job a, b;
};

static bool make_a(void *ctx)
{
	struct side_job *j = &((struct sides *)ctx)->a;
	return j->sound = make_side(j);
}

static bool make_b(void *ctx)
{
	struct side_job *j = &((struct sides *)ctx)->b;
	return j->sound = make_side(j);
}

static bool make_sides(const struct diff_req *r, struct sides *s, struct diff *x, struct arena *mem, struct err *e)
{
	s->a = (struct side_job){.r = r, .runs = r->a, .n_runs = r->n_a, .run = &x->run_a, .side = &x->a, .err.at = -1};
	s->b = (struct side_job){.r = r, .runs = r->b, .n_runs = r->n_b, .run = &x->run_b, .side = &x->b, .err.at = -1};
	bool sound = both(2, make_a, make_b, s);
	arena_adopt(mem, &s->a.mem);
	arena_adopt(mem, &s->b.mem);
	if (!sound && e)
		*e = s->a.sound ? s->b.err : s->a.err;
	return sound;
}

static bool make_tables(const struct diff_req *r, struct diff *x, struct arena *mem, struct err *e)
{
	for (uint32_t i = 0; i < r->n_tables; i++) {
		const struct table_desc *desc = analysis_find(table_names[i]);
		struct table *t = compare_table_places(desc, &x->a, &x->b, &x->sequence,
						       r->places ? &x->places[i] : NULL, mem, r->progress, e);
		if (!t)
			return false;
		x->tables[i] = t->n_rows ? t : NULL;
	}
	return true;
}

/* Two programs, rather than one before and after: most of the time of one side goes to kernels that the other does not run. */
static void note_other_program(struct diff *x, struct arena *mem)
{
	enum { KERNELS = 2, OTHER_PROGRAM_PCT = 50 };
	double a_pct, b_pct;
	if (!x->tables[KERNELS])
		return;
	compare_in_common(analysis_find("kernels"), x->tables[KERNELS], &a_pct, &b_pct);
	if (isnan(a_pct) || isnan(b_pct) || (a_pct >= OTHER_PROGRAM_PCT && b_pct >= OTHER_PROGRAM_PCT))
		return;
	x->work.at[x->work.n++] = (struct work_difference){"kernels that both run",
							   arena_printf(mem, "%.1f %% of A's kernel time", a_pct),
							   arena_printf(mem, "%.1f %% of B's", b_pct)};
}

static bool make_gates(const struct diff_req *r, struct diff *x, struct arena *mem, struct err *e)
{
	const struct table_desc *overview = analysis_find("overview");
	struct gate_facts facts = {&x->a, &x->b, &x->step, &x->findings, NULL, NULL};
	if (!r->n_gates)
		return true;
	facts.overview_a = shared_table(overview, x->a.d, &x->a.q, mem, NULL, e);
	facts.overview_b = facts.overview_a ? shared_table(overview, x->b.d, &x->b.q, mem, NULL, e) : NULL;
	if (!facts.overview_b)
		return false;
	x->gates = arena_alloc(mem, r->n_gates * sizeof *x->gates);
	for (; x->n_gates < r->n_gates; x->n_gates++)
		x->gates[x->n_gates] = gate_judge(&r->gates[x->n_gates], &facts, mem);
	return true;
}

static bool make_apart(struct diff *x, struct arena *mem, struct progress *p, struct err *e)
{
	if (x->a.devices == x->b.devices)
		return true;
	return compare_devices_apart(&x->a, mem, p, &x->apart[0], e) &&
	       compare_devices_apart(&x->b, mem, p, &x->apart[1], e);
}

static bool is_alike(const struct diff *x)
{
	const struct step_change *c = &x->step;
	const struct changed_findings *f = &x->findings;
	if (c->of == CHANGE_OF_NOTHING || c->a_ns != c->b_ns)
		return false;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->part[i].a_ns != c->part[i].b_ns)
			return false;
	for (uint32_t i = 0; i < f->n; i++)
		if (!f->at[i].a_sentence || !f->at[i].b_sentence ||
		    strcmp(f->at[i].a_sentence, f->at[i].b_sentence) != 0)
			return false;
	return true;
}

static bool make_all(const struct diff_req *r, struct arena *mem, struct diff *out, struct err *e)
{
	struct sides s;
	struct progress *p = r->progress;
	TRY(make_sides(r, &s, out, mem, e));
	TRY(compare_steps(&out->a, &out->b, mem, p, &out->step, e));
	if (r->n_a > 1 && r->n_b > 1)
		out->step.detects_pct = spread_detects_pct(&s.a.spread, &s.b.spread);
	TRY(compare_work(&out->a, &out->b, mem, p, &out->work, e));
	compare_findings(&out->a, &out->b, &s.a.findings, &s.b.findings, mem, &out->findings);
	TRY(compare_sequences(&out->a, &out->b, mem, p, &out->sequence, e));
	TRY(make_tables(r, out, mem, e));
	TRY(make_apart(out, mem, p, e));
	TRY(rank_side_waits(&out->a, mem, p, &out->waits[0], e));
	TRY(rank_side_waits(&out->b, mem, p, &out->waits[1], e));
	note_other_program(out, mem);
	out->alike = is_alike(out);
	const struct advice_facts facts = {&out->a,        &out->b,        &out->step,
					   &out->findings, &out->sequence, out->one_run || out->alike};
	out->advice = compare_advice(&facts, mem, p, e);
	if (!out->advice)
		return false;
	return make_gates(r, out, mem, e);
}

static bool is_one_run(const struct diff_req *r)
{
	return r->a->d == r->b->d || (r->a->whole && r->a->whole == r->b->whole);
}

bool diff_make(const struct diff_req *r, struct arena *mem, struct diff *out, struct err *e)
{
	*out = (struct diff){.n_a = r->n_a, .n_b = r->n_b};
	out->one_run = is_one_run(r);
	bool sound = make_all(r, mem, out, e);
	compare_side_done(&out->a, mem);
	compare_side_done(&out->b, mem);
	return sound;
}

/* ---- the answer ------------------------------------------------------------------------------------------------------ */

static const char *time_text(struct arena *mem, int64_t ns)
{
	return fmt_ns(arena_alloc(mem, UNITS_BUF), ns);
}

const char *diff_change_text(int64_t ns, struct arena *mem)
{
	return ns > 0 ? arena_printf(mem, "+%s", time_text(mem, ns)) : time_text(mem, ns);
}

const char *diff_finding_word(const struct diff *x, enum finding_change c)
{
	static const char *const of_one_run[] = {
		[FINDING_GONE] = "only A",        [FINDING_NEW] = "only B", [FINDING_WORSE] = "worse in B",
		[FINDING_BETTER] = "better in B", [FINDING_STAYS] = "both", [FINDING_CANNOT_TELL] = "cannot tell"};
	return x->one_run ? of_one_run[c] : finding_change_word(c);
}

const char *diff_finding_text(const struct changed_finding *x)
{
	return x->change == FINDING_GONE || !x->b_sentence ? x->a_sentence : x->b_sentence;
}

static const char *what_changed(const struct step_change *c)
{
	static const char *const words[] = {[CHANGE_OF_STEPS] = "step",
					    [CHANGE_OF_MEDIANS] = "median step (they are irregular)",
					    [CHANGE_OF_THE_SPAN] = "first to last device work"};
	return words[c->of];
}

double diff_pct(const struct diff *x)
{
	const struct step_change *c = &x->step;
	return c->a_ns > 0 ? 100.0 * (double)(c->b_ns - c->a_ns) / (double)c->a_ns : NAN;
}

/* After it the parts that make most of it, the largest first: those of a twentieth of the largest change and more, as far as there is room. */
static const char *with_parts(const char *text, int cols, const struct step_change *c, struct arena *mem)
{
	enum { PARTS_NAMED = 4, LEAST_SHARE = 20 };
	uint32_t order[CHANGE_PARTS];
	change_ranked(c, order);
	for (uint32_t i = 0; i < c->n && i < PARTS_NAMED; i++) {
		const struct change_part *p = &c->part[order[i]], *most = &c->part[order[0]];
		int64_t ns = p->b_ns - p->a_ns;
		if (!ns || llabs(ns) < llabs(most->b_ns - most->a_ns) / LEAST_SHARE)
			break;
		const char *longer =
			arena_printf(mem, "%s%s %s %s", text, i ? "," : ":", p->label, diff_change_text(ns, mem));
		if (utf8_width(longer) > cols)
			break;
		text = longer;
	}
	return text;
}

const char *diff_arrows(const char *text, struct arena *mem)
{
	const char *at = strstr(text, "->");
	return at ? arena_printf(mem, "%.*s\u2192%s", (int)(at - text), text, diff_arrows(at + 2, mem)) : text;
}

const char *diff_verdict(const struct diff *x, int cols, struct arena *mem)
{
	const struct step_change *c = &x->step;
	if (c->of == CHANGE_OF_NOTHING)
		return "the runs have neither steps nor device work in common: nothing to compare";
	const char *pct = isnan(diff_pct(x)) ? "" : arena_printf(mem, " (%+.1f %%)", diff_pct(x));
	const char *lengths = arena_printf(mem, "%s %s -> %s%s", what_changed(c), time_text(mem, c->a_ns),
					   time_text(mem, c->b_ns), pct);
	return x->alike ? arena_printf(mem, "the runs do not differ: %s", lengths) : with_parts(lengths, cols, c, mem);
}

const char *diff_noise(const struct diff *x, struct arena *mem)
{
	const struct step_change *c = &x->step;
	const char *of = x->n_a > 1 && x->n_b > 1 ? "runs" : "steps";
	if (c->of == CHANGE_OF_MEDIANS && isnan(c->detects_pct) && c->a_ns != c->b_ns)
		return "steps vary too much in length to say how small a change they can show";
	if (isnan(c->detects_pct) || c->a_ns == c->b_ns || c->of == CHANGE_OF_NOTHING ||
	    fabs(diff_pct(x)) > c->detects_pct)
		return NULL;
	return arena_printf(mem, "this may be noise: these %s can only show changes from %.2g %% on", of,
			    c->detects_pct);
}

const char *diff_scaling(const struct diff *x, struct arena *mem)
{
	struct scaling s;
	if (!compare_scaling(&x->a, &x->b, &x->step, &s))
		return NULL;
	if (!s.alike)
		return arena_printf(
			mem,
			"%u devices -> %u: each computes a different amount in a step, so no speed-up can be given",
			(unsigned)x->a.devices, (unsigned)x->b.devices);
	return arena_printf(mem,
			    "%u device%s -> %u: %.2f x the work per second, %.1f %% of linear, if each does as much in "
			    "a step as before",
			    (unsigned)x->a.devices, x->a.devices == 1 ? "" : "s", (unsigned)x->b.devices, s.speed_up,
			    s.of_linear_pct);
}

const char *diff_waits(const struct diff *x, struct arena *mem)
{
	const struct rank_waits *a = &x->waits[0], *b = &x->waits[1];
	double before = a->step_ns - a->wait_ns, after = b->step_ns - b->wait_ns;
	if (isnan(before) || isnan(after) || before <= 0 || !a->calls || !b->calls)
		return NULL;
	return arena_printf(
		mem,
		"without waiting for other ranks %s -> %s (%+.1f %%): A waits %s a step and is last at %u of "
		"%u collectives, B %s, last at %u of %u",
		time_text(mem, llround(before)), time_text(mem, llround(after)), 100 * (after - before) / before,
		time_text(mem, llround(a->wait_ns)), (unsigned)a->last, (unsigned)a->calls,
		time_text(mem, llround(b->wait_ns)), (unsigned)b->last, (unsigned)b->calls);
}

/* What a step on more devices takes longer: of the change of collectives, as much as they wait for late devices is waiting. */
const char *diff_lost(const struct diff *x, struct arena *mem)
{
	const struct step_change *c = &x->step;
	const struct devices_apart *b = &x->apart[1];
	struct scaling s;
	int64_t lost_ns = c->b_ns - c->a_ns;
	if (!compare_scaling(&x->a, &x->b, c, &s) || !s.alike || x->b.devices <= x->a.devices || lost_ns <= 0)
		return NULL;
	int64_t calls_ns = c->part[TIME_COLLECTIVES].b_ns - c->part[TIME_COLLECTIVES].a_ns,
		input_ns = c->part[TIME_INPUT_WAIT].b_ns - c->part[TIME_INPUT_WAIT].a_ns +
			   c->part[TIME_INPUT_COPY].b_ns - c->part[TIME_INPUT_COPY].a_ns,
		wait_ns = llround(b->wait_ns - x->apart[0].wait_ns);
	wait_ns = wait_ns > calls_ns ? calls_ns : wait_ns;
	wait_ns = wait_ns < 0 ? 0 : wait_ns;
	const char *uneven =
		isnan(b->compute_to_mean)
			? ""
			: arena_printf(mem, "; the busiest device computes %.2f x the mean", b->compute_to_mean);
	return arena_printf(mem,
			    "a step takes %s longer: communication %s, waiting for late devices %s, waits for input "
			    "and copies to devices %s, everything else %s%s",
			    time_text(mem, lost_ns), time_text(mem, calls_ns - wait_ns), time_text(mem, wait_ns),
			    time_text(mem, input_ns), time_text(mem, lost_ns - calls_ns - input_ns), uneven);
}

const char *diff_per_sample(const struct diff *x, struct arena *mem)
{
	const struct work_differences *w = &x->work;
	const struct step_change *c = &x->step;
	if (isnan(w->batch_a) || (c->of != CHANGE_OF_STEPS && c->of != CHANGE_OF_MEDIANS) || c->a_ns <= 0)
		return NULL;
	double before = (double)c->a_ns / w->batch_a, after = (double)c->b_ns / w->batch_b;
	return arena_printf(mem, "per sample %s -> %s (%+.1f %%), with batches of %.0f and %.0f",
			    time_text(mem, llround(before)), time_text(mem, llround(after)),
			    100 * (after - before) / before, w->batch_a, w->batch_b);
}

static const char *all_paths(const struct diff_run *runs, uint32_t n, struct arena *mem)
{
	const char *text = "";
	for (uint32_t i = 0; i < n; i++)
		text = arena_printf(mem, "%s %s", text, words_quote(mem, runs[i].path));
	return text;
}

/* " --rank 7 --window step:8"; with "vs-" those of the run after. */
static const char *part_options(const struct diff_run *run, const char *vs, struct arena *mem)
{
	const char *text = run->whole ? arena_printf(mem, " --%srank %" PRId64, vs, run->rank.rank) : "";
	return run->window ? arena_printf(mem, "%s --%swindow %s", text, vs, run->window) : text;
}

const char *diff_command(const struct diff_req *r, struct arena *mem)
{
	const char *vs = r->n_a > 1 || r->n_b > 1 ? " --vs" : "";
	const char *after = is_one_run(r) ? "" : all_paths(r->b, r->n_b, mem);
	return arena_printf(mem, "%s diff%s%s%s%s%s", r->program, all_paths(r->a, r->n_a, mem), vs, after,
			    part_options(r->a, "", mem), part_options(r->b, "vs-", mem));
}

struct table *diff_parts_table(const struct diff *x, struct arena *mem)
{
	static const struct column cols[] = {
		{"part", CELL_TEXT, UNIT_NONE,
		 "what the time goes to; each moment counts once, for the most important activity"},
		{"A", CELL_INT, UNIT_NS, "before"},
		{"B", CELL_INT, UNIT_NS, "after"},
		{"change", CELL_INT, UNIT_NS,
		 "after minus before; the changes of the parts add up to that of the whole"}};
	struct table *t =
		table_bare(mem, "diff_parts", "Where the change comes from", cols, sizeof cols / sizeof *cols);
	uint32_t order[CHANGE_PARTS];
	change_ranked(&x->step, order);
	for (uint32_t i = 0; i <= x->step.n && x->step.n; i++) {
		const struct change_part whole = {"whole", what_changed(&x->step), x->step.a_ns, x->step.b_ns},
					 *p = i < x->step.n ? &x->step.part[order[i]] : &whole;
		if (i < x->step.n && !p->a_ns && !p->b_ns)
			continue;
		struct cell *row = table_row(t);
		cell_text(&row[0], p == &whole ? arena_strdup(mem, whole.label) : p->label);
		cell_int(&row[1], p->a_ns);
		cell_int(&row[2], p->b_ns);
		cell_int(&row[3], p->b_ns - p->a_ns);
	}
	return t;
}
