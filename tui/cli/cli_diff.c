/* tui/cli/cli_diff.c - `stepscope diff`: two runs, several of each, or two windows of one, and limits that a pipeline stops at. */
#include "cli_live.h"
#include "cli_open.h"
#include "model/analysis/analysis.h"
#include "tui/app/app.h"
#include "tui/compare/diff.h"
#include "tui/text/words.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUNS_MAX = 64 };
/* Operands in their roles: A, and what is compared with it. */
struct roles {
	const char *a[RUNS_MAX], *b[RUNS_MAX];
	uint32_t n_a, n_b;
	bool repeated; /* A A --vs B B: repetitions of one run; else each B is compared on its own */
	bool same;     /* one trace, of which B is another rank, step or window */
};

static bool take(const char **list, uint32_t *n, const char *path, struct err *e)
{
	if (*n == RUNS_MAX)
		return err_usage(e, "diff takes at most %d runs of a side", RUNS_MAX);
	list[(*n)++] = path;
	return true;
}

static bool assign(const struct cli *c, struct roles *r, struct err *e)
{
	int vs_at = c->command == CMD_DIFF ? c->vs_at : c->n_paths; /* report A --vs B, in any order */
	*r = (struct roles){.repeated = cli_has(c, OPT_VS)};
	if (cli_has(c, OPT_BASELINE))
		TRY(take(r->a, &r->n_a, c->value[OPT_BASELINE], e));
	for (int i = 0; i < c->n_paths; i++) {
		bool before = r->repeated ? i < vs_at : !r->n_a;
		if (r->repeated && i == vs_at)
			TRY(take(r->b, &r->n_b, c->value[OPT_VS], e));
		TRY(before ? take(r->a, &r->n_a, c->paths[i], e) : take(r->b, &r->n_b, c->paths[i], e));
	}
	if (r->repeated && vs_at >= c->n_paths)
		TRY(take(r->b, &r->n_b, c->value[OPT_VS], e));
	r->same = r->n_a == 1 && !r->n_b && cli_same_trace(c);
	if (r->same)
		TRY(take(r->b, &r->n_b, r->a[0], e));
	if (!r->n_a || !r->n_b)
		return err_usage(e, "diff wants two traces, or one and --vs-step, --vs-window or --vs-rank: "
				    "diff BEFORE AFTER, diff TRACE --step 8 --vs-step 9");
	return true;
}

/* ---- opening --------------------------------------------------------------------------------------------------------- */

struct opened_run {
	struct opened o;
	struct diff_run run;
};

struct job {
	const struct cli *c;
	struct roles roles;
	struct opened_run *a, *b;
	struct gate *gates;
	void (*write)(const struct diff_req *r, const struct diff *x, FILE *out);
	FILE *out;
	bool json;
	struct arena mem;
};

static void describe(const struct cli *c, const char *path, struct opened_run *out, struct arena *mem)
{
	struct query q = window_query(&out->o.window, NULL);
	q.all_steps = cli_has(c, OPT_ALL_STEPS);
	out->run = (struct diff_run){out->o.d,
				     q,
				     path,
				     opened_label(&out->o, path, mem),
				     out->o.whole,
				     out->o.rank,
				     out->o.window.kind == WINDOW_ALL ? NULL : out->o.window.text};
}

static bool open_runs(const struct cli *c, const char *const *paths, uint32_t n, struct opened_run *out,
		      struct arena *mem, struct err *e)
{
	for (uint32_t i = 0; i < n; i++) {
		struct cli one = *c;
		one.paths = &paths[i];
		one.n_paths = 1;
		TRY(opened_new(&out[i].o, &one, e));
		describe(c, paths[i], &out[i], mem);
	}
	return true;
}

static bool open_sides(struct job *j, struct err *e)
{
	const struct roles *r = &j->roles;
	struct cli after = cli_for_after(j->c, r->b);
	TRY(open_runs(j->c, r->a, r->n_a, j->a, &j->mem, e));
	if (!r->same)
		return open_runs(&after, r->b, r->n_b, j->b, &j->mem, e);
	TRY(opened_after(&j->b->o, &j->a->o, j->c, e));
	describe(j->c, r->b[0], j->b, &j->mem);
	return true;
}

/* ---- comparing ------------------------------------------------------------------------------------------------------- */

static int worst_gate(const struct cli *c, const struct diff *x)
{
	int code = EXIT_FINE;
	for (uint32_t i = 0; i < x->n_gates; i++)
		if (x->gates[i].verdict == GATE_FAILS ||
		    (x->gates[i].verdict == GATE_CANNOT_JUDGE && !cli_has(c, OPT_ALLOW_UNJUDGED)))
			code = EXIT_STANDS;
	return code;
}

static int compare_runs(struct job *j, uint32_t first, uint32_t n, struct err *e)
{
	struct diff x;
	struct diff_run *a = arena_alloc(&j->mem, j->roles.n_a * sizeof *a), *b = arena_alloc(&j->mem, n * sizeof *b);
	for (uint32_t i = 0; i < j->roles.n_a; i++)
		a[i] = j->a[i].run;
	for (uint32_t i = 0; i < n; i++)
		b[i] = j->b[first + i].run;
	struct diff_req r = {.a = a,
			     .b = b,
			     .n_a = j->roles.n_a,
			     .n_b = n,
			     .gates = j->gates,
			     .n_gates = (uint32_t)j->c->n_gates,
			     .n_tables = j->json ? DIFF_TABLES : DIFF_SHOWN,
			     .places = j->json,
			     .program = j->c->program};
	if (!diff_make(&r, &j->mem, &x, e))
		return cli_failed(e);
	j->write(&r, &x, j->out);
	return worst_gate(j->c, &x);
}

static int compare_all(struct job *j, struct err *e)
{
	int code = EXIT_FINE;
	uint32_t at_once = j->roles.repeated ? j->roles.n_b : 1;
	bool list = j->json && at_once < j->roles.n_b;
	fputs(list ? "[" : "", j->out);
	for (uint32_t i = 0; i < j->roles.n_b && code <= EXIT_STANDS; i += at_once) {
		if (i)
			fputs(list ? "," : "\n", j->out);
		int one = compare_runs(j, i, at_once, e);
		code = one > code ? one : code;
	}
	fputs(list ? "]\n" : "", j->out);
	for (uint32_t i = 0; i < j->roles.n_a && code == EXIT_FINE; i++)
		code = cli_settle(j->c, derived_trace(j->a[i].o.d));
	for (uint32_t i = 0; i < j->roles.n_b && code == EXIT_FINE; i++)
		code = cli_settle(j->c, derived_trace(j->b[i].o.d));
	return code;
}

static void close_runs(struct opened_run *runs, uint32_t n)
{
	for (uint32_t i = 0; runs && i < n; i++)
		opened_free(&runs[i].o);
	free(runs);
}

static bool read_gates(struct job *j, struct err *e)
{
	j->gates = arena_alloc(&j->mem, ((size_t)j->c->n_gates + 1) * sizeof *j->gates);
	for (int i = 0; i < j->c->n_gates; i++)
		TRY(gate_parse(j->c->gates[i], &j->gates[i], e));
	return true;
}

/* By --format, else by the ending of -o. */
static bool choose_writer(struct job *j, struct err *e)
{
	static const struct {
		const char *word, *ending;
		void (*write)(const struct diff_req *r, const struct diff *x, FILE *out);
	} writers[] = {{"text", ".txt", diff_text},
		       {"md", ".md", diff_md},
		       {"html", ".html", diff_html},
		       {"json", ".json", diff_json}};
	void (*usual)(const struct diff_req *r, const struct diff *x, FILE *out) =
		j->c->command == CMD_REPORT ? diff_md : diff_text;
	const char *word = j->c->value[OPT_FORMAT], *file = j->c->value[OPT_OUTPUT];
	const char *dot = file && !word ? strrchr(words_base(file), '.') : NULL;
	for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
		if (word  ? !strcmp(word, writers[i].word)
		    : dot ? !strcmp(dot, writers[i].ending)
			  : writers[i].write == usual)
			j->write = writers[i].write;
	j->json = j->write == diff_json;
	if (j->write)
		return true;
	return word ? err_usage(e, "--format of a comparison is text, json, md or html, not '%.40s'", word)
		    : err_usage(e, "cannot tell the format from '%.80s'; add --format text, json, md or html", file);
}

static bool prepare(struct job *j, struct err *e)
{
	return cli_after_fits(j->c, e) && choose_writer(j, e) && read_gates(j, e) && assign(j->c, &j->roles, e) &&
	       cli_may_write(j->c, 0, e);
}

static int compare_into_output(struct job *j, struct err *e)
{
	struct output *o =
		output_open(cli_has(j->c, OPT_OUTPUT) ? j->c->value[OPT_OUTPUT] : "-", cli_output_flags(j->c), e);
	if (!o)
		return cli_failed(e);
	j->out = output_stream(o);
	int code = compare_all(j, e);
	if (code == EXIT_USAGE || code == EXIT_UNREADABLE)
		output_drop(o);
	else if (output_close(o, e) != OUTPUT_DONE)
		code = cli_failed(e);
	return code;
}

/* ---- on the screen --------------------------------------------------------------------------------------------------- */

/* One run a side, for a person at a terminal who asked for no document. */
static bool on_screen(const struct cli *c, const struct roles *r)
{
	return c->command == CMD_DIFF && r->n_a == 1 && r->n_b == 1 && !c->n_gates && !cli_has(c, OPT_OUTPUT) &&
	       !cli_has(c, OPT_FORMAT) && cli_has_screen() && isatty(STDIN_FILENO);
}

static int explore(struct job *j, struct err *e)
{
	char word[128];
	struct app_opts o;
	if (!cli_app_opts(j->c, &o, word, e))
		return EXIT_USAGE;
	o.start_window = NULL;
	int code = app_compare(&o, &j->a->run, &j->b->run, e);
	code = code == EXIT_FINE ? cli_settle(j->c, derived_trace(j->a->o.d)) : code;
	return code == EXIT_FINE ? cli_settle(j->c, derived_trace(j->b->o.d)) : code;
}

static int run_diff(const struct cli *c, struct err *e)
{
	struct job j = {.c = c};
	int code;
	if (!prepare(&j, e)) {
		arena_free(&j.mem);
		return cli_failed(e);
	}
	j.a = calloc(j.roles.n_a, sizeof *j.a);
	j.b = calloc(j.roles.n_b, sizeof *j.b);
	if (!j.a || !j.b)
		err_memory(e, NULL);
	bool sound = j.a && j.b && open_sides(&j, e);
	code = !sound ? cli_failed(e) : on_screen(c, &j.roles) ? explore(&j, e) : compare_into_output(&j, e);
	close_runs(j.b, j.roles.n_b); /* which may be of the same trace */
	close_runs(j.a, j.roles.n_a);
	arena_free(&j.mem);
	return code;
}

const struct cli_command_info cli_diff_command = {
	.word = "diff",
	.operands = "BEFORE AFTER...",
	.help = "what changed between two runs, and where the change comes from; in a terminal, on its own screen",
	.takes = TAKES_TRACES,
	.run = run_diff,
	.formats = "text json md html",
	.exit_1 = "1 a --gate says no, or cannot judge",
	.examples = "  stepscope diff before.json.gz after.json.gz\n"
		    "  stepscope diff base1 base2 --vs new1 new2 --gate 'step +3%'   repetitions\n"
		    "  stepscope diff before.json.gz after.json.gz -o change.html   for a colleague\n"
		    "  stepscope diff trace.json.gz --step 8 --vs-step 9   two steps of one run\n"
		    "  stepscope diff ranks/ --rank 0 --vs-rank 7   two ranks of one run\n"};
