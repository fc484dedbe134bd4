/* tui/cli/cli_brief.c - `stepscope brief`: what to know of a trace and what to ask next, in 4 kB, for scripts and agents. */
#include "cli_open.h"
#include "model/analysis/comms/clocks.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/analysis.h"
#include "model/analysis/overview/top.h"
#include "model/analysis/query/shared.h"
#include "model/analysis/serving/iterations.h"
#include "model/analysis/steps/step_part.h"
#include "model/columns.h"
#include "model/store/base/units.h"
#include "tui/text/guide.h"
#include "tui/text/put.h"
#include "tui/text/verdict_line.h"
#include "tui/text/words.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The sizes keep the whole below 4,096 bytes, however long names and sentences are. */
enum {
	BRIEF_FINDINGS = 3,
	BRIEF_GAPS = 1,
	SENTENCE_COLS = 300,
	ADVICE_COLS = 260,
	PATH_COLS = 120,
	VERDICT_COLS = 240,
	FACT_COLS = 160
};

struct brief_finding {
	struct guide_item item;
	const char *sentence, *advice; /* not longer than they may be; NULL: none */
	int64_t a_ns, b_ns;            /* where it shows; a_ns == b_ns: nowhere in particular */
	const char *next;              /* what to type for more */
};
struct brief {
	const struct cli *c;
	const struct opened *o;
	struct query q;
	struct arena mem;
	FILE *out;
	const char *path, *verdict;
	enum finding_state state;
	double confidence; /* of the first finding, NaN: nothing was judged */
	const struct table *overview;
	bool host_alone; /* neither devices nor steps nor a framework is recorded */
	bool labels;     /* steps are the labels of a server's iterations */
	struct brief_finding at[BRIEF_FINDINGS];
	uint32_t n, more; /* more: how many others stand */
};

static struct table *ask(struct brief *b, const char *name, struct err *e)
{
	return shared_table(analysis_find(name), b->o->d, &b->q, &b->mem, NULL, e);
}

/* No longer than so many columns, nor bytes. */
static const char *cut(struct brief *b, const char *text, int cols)
{
	const char *said = text ? words_end(&b->mem, text, cols) : NULL;
	for (int less = cols; said && (int)strlen(said) > cols; less -= less / 4)
		said = words_end(&b->mem, text, less);
	return said;
}

/* ---- what is said ---------------------------------------------------------------------------------------------------- */

static const char *next_of(struct brief *b, const struct brief_finding *f)
{
	if (f->b_ns - f->a_ns <= 0 || f->b_ns - f->a_ns > trace_span_ns(derived_trace(b->o->d)) / 2)
		return arena_printf(&b->mem, "%s findings %s --explain %s", b->c->program, b->path, f->item.rule);
	struct window w = window_of_time(b->o->d, f->a_ns, f->b_ns);
	return arena_printf(&b->mem, "%s report %s --window %s --brief", b->c->program, b->path, w.text);
}

static void take_finding(struct brief *b, const struct table *t, uint32_t row)
{
	struct guide_item item = guide_item(t, row);
	const struct evidence *e = table_evidence_of(t, row);
	if (b->n == BRIEF_FINDINGS) {
		b->more += finding_stands(item.state);
		return;
	}
	struct brief_finding *f = &b->at[b->n++];
	*f = (struct brief_finding){
		item, cut(b, item.sentence, SENTENCE_COLS), cut(b, item.advice, ADVICE_COLS), e->a_ns, e->b_ns, NULL};
	f->next = next_of(b, f);
}

static bool gather(struct brief *b, struct err *e)
{
	struct table *findings = ask(b, "findings", e);
	b->overview = findings ? ask(b, "overview", e) : NULL;
	if (!b->overview)
		return false;
	const char *path = b->c->n_paths ? b->c->paths[0] : "-";
	b->host_alone = !top_from_framework(b->o->d);
	b->labels = iterations_are_steps(b->o->d);
	b->path = strlen(path) > PATH_COLS ? "TRACE" : words_quote(&b->mem, path);
	b->verdict = cut(b, verdict_line(findings, VERDICT_COLS, &b->state, &b->mem), VERDICT_COLS);
	for (uint32_t row = 0; row < findings->n_rows; row++)
		take_finding(b, findings, row);
	b->confidence = b->n ? b->at[0].item.confidence : NAN;
	return true;
}

static const char *fact(struct brief *b, const char *key)
{
	char buf[128];
	const char *text = key_words(b->overview, key, buf, sizeof buf);
	return strcmp(text, "-") == 0 ? NULL : cut(b, arena_strdup(&b->mem, text), FACT_COLS);
}

static double key_number(struct brief *b, const char *key)
{
	const struct cell *c = key_cell(b->overview, key);
	return c->null ? NAN : c->type == CELL_REAL ? c->r : (double)c->i;
}

static const char *step_text(struct brief *b)
{
	const char *mean = fact(b, "step_mean_ns"), *median = fact(b, "step_median_ns"), *of = fact(b, "steps_text");
	if (!mean && !median)
		return derived_steps(b->o->d) ? "none lies inside as a whole" : "none marked, none inferred";
	const char *length = arena_printf(&b->mem, "%s %s", mean ? "mean" : "irregular, median", mean ? mean : median);
	return b->labels ? arena_printf(&b->mem, "%s from one to the next", length)
			 : arena_printf(&b->mem, "%s (%s)", length, of ? of : "-");
}

static const char BUSY[] = "device_busy_pct:";
#define SPAN "from first to last work" /* steps may begin before it */

/* "24.2 % (rank 7 GPU 7) to 65.7 % (rank 1 GPU 1) from first to last work, 8 devices", "99.0 % from first to last work, each of 4
 * devices"; NULL: none is known. */
static const char *busy_text(struct brief *b)
{
	const struct table *t = b->overview;
	const char *lo = NULL, *hi = NULL;
	double least = NAN, most = NAN;
	char x[UNITS_BUF], y[UNITS_BUF], devices[128];
	uint32_t n = 0;
	for (uint32_t row = 0; row < t->n_rows; row++) {
		const struct cell *key = table_cell(t, row, 0), *v = table_cell(t, row, 1);
		if (key->null || v->null || strncmp(key->s, BUSY, strlen(BUSY)) != 0)
			continue;
		n++;
		if (!(v->r >= least)) {
			least = v->r;
			lo = key->s + strlen(BUSY);
		}
		if (!(v->r <= most)) {
			most = v->r;
			hi = key->s + strlen(BUSY);
		}
	}
	if (n < 2)
		return n ? arena_printf(&b->mem, "%s %s " SPAN, cut(b, lo, FACT_COLS), fmt_pct(x, least)) : NULL;
	trace_devices_text(derived_trace(b->o->d), n, devices, sizeof devices);
	if (strcmp(fmt_pct(x, least), fmt_pct(y, most)) == 0)
		return arena_printf(&b->mem, "%s " SPAN ", each of %s", x, devices);
	return arena_printf(&b->mem, "%s (%s) to %s (%s) " SPAN ", %s", fmt_pct(x, least), cut(b, lo, FACT_COLS / 4),
			    fmt_pct(y, most), cut(b, hi, FACT_COLS / 4), devices);
}

/* "gemm_bf16 29.9 % of the kernel time"; NULL: no kernels. */
static const char *kernel_text(struct brief *b)
{
	const char *name = fact(b, "top_kernel_1");
	const struct cell *ns = key_cell(b->overview, "top_kernel_1_ns"), *all = key_cell(b->overview, "kernel_ns");
	char pct[UNITS_BUF];
	if (!name || ns->null || all->null || all->i <= 0)
		return NULL;
	return arena_printf(&b->mem, "%s of the kernel time: %s", fmt_pct(pct, pct_of(ns->i, all->i)), name);
}

/* "aten::mm 42.1 % of the time of ops on the host"; where devices work their kernels tell. NULL: no ops. */
static const char *host_op_text(struct brief *b)
{
	const char *name = fact(b, "top_op_1"), *pct = fact(b, "top_op_1_pct");
	return name && pct ? arena_printf(&b->mem, "%s of the time of ops on the host: %s", pct, name) : NULL;
}

/* The same of any event, where no framework tells its ops. NULL: none lasts, or a framework does. */
static const char *host_event_text(struct brief *b)
{
	const char *name = fact(b, "top_event_1"), *pct = fact(b, "top_event_1_pct");
	return name && pct ? arena_printf(&b->mem, "%s of the time of threads: %s", pct, name) : NULL;
}

/* "57.9 % input wait, 32.0 % device compute": the parts of a step from a hundredth on, the largest first. NULL: no steps. */
static const char *parts_text(struct brief *b)
{
	static const char *const keys[STEP_PARTS] = {[STEP_PART_COMPUTE] = "device_compute_pct",
						     [STEP_PART_D2D] = "device_to_device_pct",
						     [STEP_PART_COLLECTIVE] = "collectives_pct",
						     [STEP_PART_OUTPUT] = "output_pct",
						     [STEP_PART_INPUT] = "input_pct",
						     [STEP_PART_LAUNCH] = "kernel_launch_pct",
						     [STEP_PART_HOST] = "host_compute_pct",
						     [STEP_PART_COMPILE] = "compilation_pct",
						     [STEP_PART_OTHER] = "other_pct"};
	const struct table *steps = ask(b, "steps", NULL);
	bool told[STEP_PARTS] = {false};
	const char *text = NULL;
	for (int n = 0; n < STEP_PARTS; n++) {
		double most = 1;
		int at = -1;
		for (int i = 0; i < STEP_PARTS; i++) {
			double pct = key_number(b, keys[i]);
			if (!told[i] && pct >= most) {
				most = pct;
				at = i;
			}
		}
		if (at < 0)
			break;
		told[at] = true;
		text = arena_printf(&b->mem, "%s%s%s %s", text ? text : "", text ? ", " : "", fact(b, keys[at]),
				    steps ? step_part_words(steps, (enum step_part_id)at) : step_parts[at].words);
	}
	return text;
}

/* ---- text ------------------------------------------------------------------------------------------------------------ */

static void line_in(struct brief *b, enum tone colour, const char *label, const char *text)
{
	fprintf(b->out, "%s%-11s%s ", tone(colour), label, tone(TONE_PLAIN));
	put_plain(b->out, text);
	fputc('\n', b->out);
}

static void line(struct brief *b, const char *label, const char *text)
{
	line_in(b, TONE_FAINT, label, text);
}

static void put_finding(struct brief *b, const struct brief_finding *f)
{
	char ns[UNITS_BUF];
	const char *sure =
		isnan(f->item.confidence) ? "" : arena_printf(&b->mem, ", confidence %.2f", f->item.confidence);
	fputc('\n', b->out);
	line_in(b, guide_tone(f->item.state), finding_state_name(f->item.state),
		arena_printf(&b->mem, "%s: %s", f->item.rule, f->sentence ? f->sentence : ""));
	if (f->item.lost_ns != UNKNOWN_I64)
		line(b, "", arena_printf(&b->mem, "at stake: %s%s", fmt_ns(ns, f->item.lost_ns), sure));
	if (f->advice)
		line(b, "do", f->advice);
	line(b, "next", f->next);
}

static void brief_text(struct brief *b)
{
	char pauses[128], runs[512];
	line(b, "trace", arena_printf(&b->mem, "%s%s", b->path, b->c->n_paths > 1 ? " and others" : ""));
	line(b, "verdict", b->verdict);
	if (!isnan(b->confidence))
		line(b, "confidence", arena_printf(&b->mem, "%.2f", b->confidence));
	if (*recordings_say(derived_trace(b->o->d), runs, sizeof runs))
		line(b, "runs", runs);
	const char *iterations = fact(b, "iterations_text"), *busy = busy_text(b), *kernel = kernel_text(b),
		   *op = busy ? NULL : host_op_text(b), *event = host_event_text(b), *parts = parts_text(b);
	if (iterations)
		line(b, "iterations", iterations);
	if (busy || !b->host_alone)
		line(b, "busy", busy ? busy : "cannot tell: no device work is recorded");
	if (*derived_pauses_say(b->o->d, pauses, sizeof pauses))
		line(b, "pauses", pauses);
	const char *graphs = fact(b, "graphs_text");
	if (graphs)
		line(b, "graphs", graphs);
	const struct cell *padding = key_cell(b->overview, "padding_pct");
	if (!padding->null && padding->r > 0)
		line(b, "padding",
		     arena_printf(&b->mem, "%s of the tokens that graphs were captured for", fact(b, "padding_pct")));
	if (kernel)
		line(b, "top kernel", kernel);
	if (op)
		line(b, "top op", op);
	if (event)
		line(b, "top event", event);
	bool whole = fact(b, "step_mean_ns") || fact(b, "step_median_ns");
	if (!b->host_alone)
		line(b, b->labels ? "labels" : "step", step_text(b));
	if (parts)
		line(b, b->labels ? "of a label" : whole ? "of a step" : "step time", parts);
	for (uint32_t i = 0; i < b->n; i++)
		put_finding(b, &b->at[i]);
	fputc('\n', b->out);
	if (!b->n || !finding_stands(b->at[0].item.state))
		line(b, "next",
		     arena_printf(&b->mem,
				  busy ? "where the device time goes: %s table kernel_families %s"
				       : "what is recorded: %s table tracks %s",
				  b->c->program, b->path));
	const char *others = b->more ? arena_printf(&b->mem, "%" PRIu32 " other finding%s: ", b->more,
						    b->more == 1 ? " stands" : "s stand")
				     : "all findings: ";
	line(b, "more", arena_printf(&b->mem, "%s%s findings %s", others, b->c->program, b->path));
	line(b, "",
	     arena_printf(&b->mem, "%s table %s %s --sort -dur_ns --top 5; %s table --help lists the tables",
			  b->c->program, b->host_alone ? "events" : "gaps", b->path, b->c->program));
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

static void member(struct brief *b, const char *key, const char *text)
{
	fprintf(b->out, "\"%s\":", key);
	if (text)
		put_json(b->out, text);
	else
		fputs("null", b->out);
	fputc(',', b->out);
}

static void member_number(struct brief *b, const char *key, double v, int places)
{
	if (isfinite(v))
		fprintf(b->out, "\"%s\":%.*f,", key, places, v);
	else
		fprintf(b->out, "\"%s\":null,", key);
}

static void finding_object(struct brief *b, const struct brief_finding *f)
{
	fputc('{', b->out);
	member(b, "rule", f->item.rule);
	member(b, "severity", finding_state_name(f->item.state));
	member(b, "sentence", f->sentence);
	member(b, "advice", f->advice);
	member_number(b, "lost_ns", f->item.lost_ns == UNKNOWN_I64 ? (double)NAN : (double)f->item.lost_ns, 0);
	member_number(b, "confidence", f->item.confidence, 4);
	if (f->b_ns > f->a_ns)
		fprintf(b->out, "\"window_ns\":[%" PRId64 ",%" PRId64 "],", f->a_ns, f->b_ns);
	else
		fputs("\"window_ns\":null,", b->out);
	fputs("\"next\":", b->out);
	put_json(b->out, f->next);
	fputc('}', b->out);
}

static void brief_json(struct brief *b)
{
	static const char *const keys[] = {
		"steps",     "step_mean_ns",      "step_median_ns",      "device_compute_pct",
		"input_pct", "kernel_launch_pct", "tensor_core_time_pct"};
	fputs("{\"schema\":\"stepscope.brief/1\",", b->out);
	member(b, "trace", b->path);
	member(b, "verdict", b->verdict);
	member(b, "severity", finding_state_name(b->state));
	member_number(b, "confidence", b->confidence, 4);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		member_number(b, keys[i], key_number(b, keys[i]), strstr(keys[i], "_pct") ? 2 : 0);
	char runs[512];
	member(b, "runs", *recordings_say(derived_trace(b->o->d), runs, sizeof runs) ? runs : NULL);
	fprintf(b->out, "\"other_findings\":%" PRIu32 ",\n\"findings\":[", b->more);
	for (uint32_t i = 0; i < b->n; i++) {
		fputs(i ? ",\n" : "\n", b->out);
		finding_object(b, &b->at[i]);
	}
	fputs("]}\n", b->out);
}

static int run_brief(const struct cli *c, struct err *e)
{
	struct opened o;
	if (!opened_new(&o, c, e))
		return cli_failed(e);
	struct brief b = {.c = c, .o = &o, .q = window_query(&o.window, NULL), .out = stdout};
	b.q.all_steps = cli_has(c, OPT_ALL_STEPS);
	b.q.shared = shared_new(&b.q);
	bool sound = gather(&b, e);
	if (sound)
		(cli_has(c, OPT_JSON) ? brief_json : brief_text)(&b);
	int code = sound ? cli_settle(c, derived_trace(o.d)) : cli_failed(e);
	shared_free(b.q.shared);
	arena_free(&b.mem);
	opened_free(&o);
	return code;
}

const struct cli_command_info cli_brief_command = {
	.word = "brief",
	.operands = "TRACE...",
	.help = "verdict, three findings and next commands in 4 kB, for scripts and agents",
	.takes = TAKES_TRACES,
	.run = run_brief,
	.examples = "  stepscope brief trace.json.gz\n"
		    "  stepscope brief trace.xplane.pb --json\n"};
