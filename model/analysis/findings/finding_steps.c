/* Rules about the recording itself: was it read, does it have steps, are they alike. */
#include "finding_ctx.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/serving/iterations.h"
#include "model/analysis/derived/job_steps.h"
#include "model/analysis/steps/step_phase.h"
#include "model/analysis/steps/steps_columns.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Few events that lie long before all others: their times are wrong, as where a recorder wrote 0. */
struct strays {
	row_id first[9]; /* of all others, after `n` strays; sorted by start */
	uint32_t n, met;
};

static void offer_early(struct strays *s, const struct columns *c, row_id r)
{
	enum { MOST = sizeof s->first / sizeof *s->first };
	uint32_t i = s->met < MOST ? s->met++ : MOST;
	for (; i > 0 && c->start_ns[s->first[i - 1]] > c->start_ns[r]; i--)
		if (i < MOST)
			s->first[i] = s->first[i - 1];
	if (i < MOST)
		s->first[i] = r;
}

static bool find_strays(const struct finding_ctx *c, struct strays *s)
{
	const struct trace *t = derived_trace(c->d);
	const struct columns *columns = trace_columns(t);
	const int64_t apart_ns = INT64_C(60000000000), times = 1000, end_ns = trace_span_ns(t);
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		for (uint64_t k = 0; k < trace_track(t, i)->n && k < sizeof s->first / sizeof *s->first; k++)
			offer_early(s, columns, (row_id)(trace_track(t, i)->first + k));
	for (s->n = 1; s->n < s->met; s->n++) {
		int64_t start_ns = columns->start_ns[s->first[s->n]];
		if (start_ns >= apart_ns && start_ns / times >= end_ns - start_ns)
			return true;
	}
	return false;
}

static bool say_strays(struct finding_ctx *c)
{
	struct strays s = {.met = 0};
	if (c->q->windowed || !find_strays(c, &s))
		return false;
	row_id rest = s.first[s.n];
	int64_t start_ns = trace_columns(derived_trace(c->d))->start_ns[rest];
	from_table(c, (struct finding_input){.name = "rest_ns",
					     .value = (double)start_ns,
					     .unit = UNIT_NS,
					     .table = "events",
					     .column = "start_ns",
					     .rows = arena_printf(c->mem, "id=%" PRIu32, rest)});
	struct finding *x = say(
		c, FINDING_FAIL,
		"%u event%s %s before all others: such times are wrong, and shares of the whole trace mean nothing.",
		(unsigned)s.n, s.n == 1 ? " lies" : "s lie", ns_text(c, (double)start_ns));
	x->value = (double)start_ns;
	x->unit = UNIT_NS;
	x->formula = "at most 8 events, a minute and a thousand times as long as all others last before them";
	x->advice = "Look at the rest with --window, or take these events out of the file.";
	finding_evidence(c->out, x, start_ns, trace_span_ns(derived_trace(c->d)), &rest, 1);
	return true;
}

void finding_read_whole(struct finding_ctx *c)
{
	double lost;
	bool strays = say_strays(c);
	if (!ctx_real(c, "overview", "notes_lost", &lost))
		return;
	if (lost <= 0 && !strays)
		say(c, FINDING_PASS, "Nothing in the file was lost.");
	if (lost <= 0)
		return;
	struct finding *x = say(c, FINDING_WARN, "%s records of the file could not be read: numbers may be too small.",
				count_text(c, lost));
	x->value = lost;
	x->unit = UNIT_COUNT;
	x->formula = "records whose note has severity 'lost'";
	x->advice = "See the table 'notes'; record again if the file is truncated.";
}

/* "kernels and copies": whose names repeat, on the first host with inferred steps. */
static const char *inferred_names(const struct finding_ctx *c)
{
	uint32_t host = 0;
	while (host + 1 < trace_hosts(derived_trace(c->d)) && !derived_inference(c->d, host)->inferred)
		host++;
	return derived_inference(c->d, host)->names;
}

void from_job_steps(struct finding_ctx *c, const struct job_steps *job)
{
	from_table(c, (struct finding_input){.name = "steps",
					     .value = job->n,
					     .unit = UNIT_COUNT,
					     .table = "trace",
					     .column = "value",
					     .rows = "key=steps"});
	if (job->n)
		from_table(c, (struct finding_input){.name = "step_ranks",
						     .value = job->most,
						     .unit = UNIT_COUNT,
						     .table = "trace",
						     .column = "value",
						     .rows = "key=step_ranks"});
}

const char *how_to_record(const struct finding_ctx *c, enum record_what what)
{
	return record_advice(derived_trace(c->d), c->framework, what);
}

const char *step_word(struct finding_ctx *c)
{
	return iterations_are_steps(c->d) ? "iteration" : "step";
}

/* Which of the steps the file has only a part of. */
static const char *cut_words(const struct finding_ctx *c)
{
	uint32_t cut = 0, n = derived_steps(c->d);
	for (uint32_t i = 0; i < n; i++)
		cut += derived_step(c->d, i)->cut;
	if (!cut)
		return "";
	return cut < n ? "; the exported window cuts some of them, which do not count"
		       : "; the exported window cuts all of them, so nothing is said about step times";
}

/* Devices alone repeat a layer as they repeat a step; what the host does between steps would tell them apart. */
static const char *maybe_layers(const struct finding_ctx *c)
{
	const struct trace *t = derived_trace(c->d);
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		if (derived_is_host_track(trace_track(t, i)) && trace_track(t, i)->n)
			return "";
	return ", and nothing on the host is recorded: what repeats may be a layer or another part of a step";
}

/* Why none were inferred: nothing repeats, or there is hardly anything that could. */
static const char *none_repeats(const struct finding_ctx *c)
{
	for (uint32_t host = 0; host < trace_hosts(derived_trace(c->d)); host++)
		if (!derived_inference(c->d, host)->too_few)
			return " and nothing that repeats";
	return ", and too little device work, or too few ops on the host, to see what repeats";
}

void finding_step_markers(struct finding_ctx *c)
{
	const struct job_steps *job = derived_job_steps(c->d);
	const char *steps = job_steps_text(step_word(c), job->n, job->most, c->mem);
	uint32_t n = job->n, inferred = 0;
	for (uint32_t i = 0; i < derived_steps(c->d); i++)
		inferred += derived_step(c->d, i)->inferred;
	struct finding *x;
	from_job_steps(c, job);
	const char *source = from_text(c, "step_source", ctx_table(c, "steps"), 0, COL_STEPS_SOURCE);
	if (n == 0)
		x = say(c, FINDING_UNKNOWN, "No step markers%s: cannot tell what a step is.", none_repeats(c));
	else if (inferred)
		x = say(c, FINDING_INFO, "%s %s inferred from what repeats (%s); the program marks none%s%s.", steps,
			n == 1 ? "was" : "were", inferred_names(c), maybe_layers(c), cut_words(c));
	else if (source && !strcmp(source, "group"))
		x = say(c, FINDING_PASS, "%s %s from the file's own grouping%s.", steps, n == 1 ? "comes" : "come",
			cut_words(c));
	else
		x = say(c, FINDING_PASS, "%s %s marked by the program%s.", steps, n == 1 ? "is" : "are", cut_words(c));
	x->value = n;
	x->unit = UNIT_COUNT;
	x->formula = "step markers of the producer, else the period of the kernel sequence";
	if (n == 0 || inferred)
		x->advice = how_to_record(c, RECORD_STEPS);
}

enum { NAMED_OUTLIERS = 4 };

/* Steps of the table 'steps', which has a row per device: the rows of one step stand together. */
struct phases {
	uint32_t steps, judged, warmup, outliers, last; /* last: the row of the last outlier */
	struct lengths {
		uint32_t n;
		char names[128]; /* "4, 8, ..." */
	} longer, shorter;
	uint32_t at;          /* the step looked up last: rows come in the order of steps */
	const char *on_ranks; /* "10 steps on each of 4 ranks": what `steps` are where several ranks have them; NULL */
};

/* The phase of the step that the row of an outlier is of. */
static enum step_phase outlier_phase(struct finding_ctx *c, struct phases *p, const char *label)
{
	for (uint32_t i = 0, n = derived_steps(c->d); i < n; i++, p->at = (p->at + 1) % n) {
		const char *text = derived_step(c->d, p->at)->label;
		enum step_phase phase = derived_step_phase(c->d, p->at);
		if ((phase == PHASE_LONG || phase == PHASE_SHORT) && text && !strcmp(text, label))
			return phase;
	}
	return PHASE_UNKNOWN;
}

static void add_outlier(struct finding_ctx *c, struct phases *p, uint32_t row, const char *label)
{
	struct lengths *l = outlier_phase(c, p, label) == PHASE_SHORT ? &p->shorter : &p->longer;
	size_t at = strlen(l->names);
	if (l->n < NAMED_OUTLIERS) {
		from_text(c, arena_printf(c->mem, "outlier_%u", p->outliers + 1), ctx_table(c, "steps"), row,
			  COL_STEPS_STEP);
		snprintf(l->names + at, sizeof l->names - at, "%s%.20s", at ? ", " : "", label);
	} else if (l->n == NAMED_OUTLIERS) {
		snprintf(l->names + at, sizeof l->names - at, ", ...");
	}
	l->n++;
	p->outliers++;
	p->last = row;
}

/* Steps that were met, and those whose phase was: a step has a row for each device. */
struct met {
	const char *seen, *counted;
	const char *phase; /* the last one, mostly of the next step, too, and what it is */
	bool warmup, outlier;
};

static void note_phase(struct met *met, const char *phase)
{
	if (met->phase == phase)
		return;
	met->phase = phase;
	met->warmup = !strcmp(phase, "warmup");
	met->outlier = !strcmp(phase, "outlier");
}

static void count_phases(struct finding_ctx *c, const struct row_block *b, struct met *met, struct phases *p)
{
	const char *labels[BLOCK_ROWS], *phases[BLOCK_ROWS];
	row_block_texts(b, COL_STEPS_STEP, labels);
	row_block_texts(b, COL_STEPS_PHASE, phases);
	for (uint32_t i = 0; i < b->n; i++) {
		const char *label = labels[i] ? labels[i] : "", *phase = phases[i];
		bool other = !met->seen || strcmp(met->seen, label) != 0;
		bool counted = met->counted == met->seen ? !other : met->counted && !strcmp(met->counted, label);
		p->steps += other;
		met->seen = label;
		if (!phase || counted)
			continue;
		met->counted = label;
		p->judged++;
		note_phase(met, phase);
		if (met->warmup)
			p->warmup++;
		else if (met->outlier)
			add_outlier(c, p, b->from + i, label);
	}
}

static struct phases look_at_phases(struct finding_ctx *c, const struct table *t)
{
	struct phases p = {0};
	struct met met = {0};
	for (struct row_block b = {.t = t}; t && row_block_next(&b);)
		count_phases(c, &b, &met, &p);
	return p;
}

/* "; step 0 took 4.490 s: cudaLaunchKernel 1.565 s": what the steps that are left out of means cost, as all faces say it. */
static const char *cost_words(struct finding_ctx *c)
{
	const char *cost = ctx_text(c, "overview", "left_out_text");
	static const char *const keys[] = {"left_out_step", "left_out_ns", "left_out_event", "left_out_event_ns"};
	for (size_t i = 0; cost && i < sizeof keys / sizeof *keys; i++)
		from_key(c, ctx_table(c, "overview"), keys[i]);
	return cost ? arena_printf(c->mem, "; %s", cost) : "";
}

static bool irregular_steps(struct finding_ctx *c)
{
	const char *lengths = ctx_text(c, "overview", "step_lengths");
	return lengths && !strcmp(lengths, "irregular");
}

/* "Steps are irregular: ...; " */
static const char *irregular_words(struct finding_ctx *c)
{
	double median, least, most;
	if (!irregular_steps(c) || !ctx_real(c, "overview", "step_median_ns", &median) ||
	    !ctx_real(c, "overview", "step_min_ns", &least) || !ctx_real(c, "overview", "step_max_ns", &most))
		return "";
	return arena_printf(c->mem, "Steps are irregular, so no mean is given: median %s, %s to %s", ns_text(c, median),
			    ns_text(c, least), ns_text(c, most));
}

/* "unusually long: 4, 8", "unusually long (4, 8) or short (9)"; of a window that holds little else: beside what. */
static const char *outlier_words(struct finding_ctx *c, const struct phases *p)
{
	const char *beside = c->q->windowed && 2 * p->outliers > p->steps ? ", beside all steps of the trace" : "";
	if (p->longer.n && p->shorter.n)
		return arena_printf(c->mem, "unusually long (%s) or short (%s)%s", p->longer.names, p->shorter.names,
				    beside);
	return arena_printf(c->mem, "unusually %s%s: %s", p->longer.n ? "long" : "short", beside,
			    p->longer.n ? p->longer.names : p->shorter.names);
}

/* "3 of 12 steps", "of 10 steps on each of 4 ranks 3" */
static const char *some_steps(struct finding_ctx *c, const struct phases *p, uint32_t n, bool begins)
{
	const char *some = count_text(c, n);
	if (!p->on_ranks)
		return arena_printf(c->mem, "%s of %s steps", some, count_text(c, p->steps));
	return arena_printf(c->mem, "%s %s %s", begins ? "Of" : "of", p->on_ranks, some);
}

static struct finding *say_phases(struct finding_ctx *c, const struct phases *p)
{
	const char *belong = p->warmup == 1 ? "belongs" : "belong", *last = p->outliers == 1 ? "lasts" : "last";
	const char *first = irregular_words(c), *cost = cost_words(c), *joint = *first ? "; " : "",
		   *some = some_steps(c, p, p->warmup ? p->warmup : p->outliers, !*first);
	if (!p->outliers && !p->warmup)
		return say(c, FINDING_INFO, "%s.", first);
	if (!p->outliers)
		return say(c, FINDING_INFO, "%s%s%s %s to the warm-up%s.", first, joint, some, belong, cost);
	if (!p->warmup)
		return say(c, FINDING_INFO, "%s%s%s %s %s%s.", first, joint, some, last, outlier_words(c, p), cost);
	return say(c, FINDING_INFO, "%s%s%s %s to the warm-up, %s %s %s%s.", first, joint, some, belong,
		   count_text(c, p->outliers), last, outlier_words(c, p), cost);
}

/* How many different steps meet the conditions. */
static void from_steps(struct finding_ctx *c, const char *name, uint32_t n, const char *rows)
{
	from_known(c, name, n, ctx_table(c, "steps"), COL_STEPS_STEP, rows);
}

/* Without warm-up and outliers: alike, or not so much. */
static void say_lengths(struct finding_ctx *c)
{
	enum { ALIKE_PCT = 10 };
	double least, most;
	if (!ctx_real(c, "overview", "step_min_ns", &least) || !ctx_real(c, "overview", "step_max_ns", &most) ||
	    (most - least) * 100 <= ALIKE_PCT * least)
		say(c, FINDING_PASS, "All steps take about the same time.");
	else
		say(c, FINDING_PASS, "All steps are steady: %s to %s.", ns_text(c, least), ns_text(c, most));
}

static double steps_ahead_pct(const struct finding_ctx *c)
{
	uint32_t n = derived_steps(c->d);
	return n ? 100.0 * steps_ahead(c->d) / n : 0;
}

/* Their lengths tell how fast the host hands steps over, but for the last one, which has the rest of the work. */
static void say_ahead(struct finding_ctx *c, double pct)
{
	static const char said[] = "The host runs far ahead: for %s of the steps, devices do most of the work after "
				   "the host has already begun the next one. Only the mean over all steps shows how "
				   "long a step takes; the time of a single one includes work of others.";
	struct finding *x = say(c, FINDING_INFO, said, pct_text(c, pct));
	x->value = pct;
	x->unit = UNIT_PERCENT;
	x->formula = "steps of which more than half of the time from the first to the last work on a device is after "
		     "the start of the next one (of inferred steps: after its own end, or that time is more than twice "
		     "the step) / steps";
	x->advice = "To see single steps, let each one end on the device: synchronise once per step while you profile.";
}

void finding_step_phases(struct finding_ctx *c)
{
	const struct table *t = ctx_table(c, "steps");
	struct phases p = look_at_phases(c, t);
	double ahead_pct = p.judged ? 0 : steps_ahead_pct(c);
	if (ahead_pct > 50) {
		say_ahead(c, ahead_pct);
		return;
	}
	const struct job_steps *job = derived_job_steps(c->d);
	if (job->most > 1 && p.steps == derived_steps(c->d)) {
		p.on_ranks = job_steps_text("step", job->n, job->most, c->mem);
		from_job_steps(c, job);
	} else {
		from_steps(c, "steps", p.steps, NULL);
	}
	from_steps(c, "judged", p.judged, "phase!=null");
	from_steps(c, "warm_up", p.warmup, "phase=warmup");
	from_steps(c, "outliers", p.outliers, "phase=outlier");
	if (p.steps < 3 || !p.judged) {
		say_nothing(c, "fewer than three steps of a phase that is known");
		return;
	}
	if (p.warmup + p.outliers == 0 && !irregular_steps(c)) {
		say_lengths(c);
		return;
	}
	struct finding *x = say_phases(c, &p);
	x->value = p.outliers;
	x->unit = UNIT_COUNT;
	x->formula = "the column 'phase' of the table 'steps'; irregular: the longest steady step takes more than "
		     "twice as long as the shortest. Warm-up steps and outliers are left out of means and shares";
	x->advice = p.warmup + p.outliers ? "Look at steady steps first: `--step N`; `--all-steps` counts all."
					  : "Compare a short and a long step: `--step N`.";
	if (p.outliers)
		show_row(c, x, t, p.last);
}
