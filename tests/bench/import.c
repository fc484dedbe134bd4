/*
 * import - opens a trace as the program does and tells where the time went, phase by phase.
 * Usage:  import [-dmw] [-t THREADS] [-s OUT.stepscope] FILE...
 *   read_s    source, scanner, importer, ingest        seal_s   pairing, sorting, nesting, links, pyramid
 *   derive_s  clocks of ranks, steps, busy time (-d)   frame_s  the first timeline at 200x60 (-d)
 *   frame_cpu_s  processor time up to then, without that of the explorer's thread, which goes on with tables for later (-d)
 *   -s        also writes the saved file (save_s)      -m        watches the memory (peak_anon_kib; see peak.h)
 *   -w        keeps the trace, after what it printed, until its standard input ends
 * Leaves without freeing: giving memory back is not part of an import.
 */
#include "clock.h"
#include "peak.h"
#include "importers/open.h"
#include "model/analysis/comms/clocks.h"
#include "model/store/base/memory.h"
#include "model/store/facts/attrs.h"
#include "model/store/saved/save.h"
#include "tui/explorer/pane.h"
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

struct times {
	double begun, read, opened, derived, framed, saved; /* seconds on the clock */
	double frame_cpu;                                   /* seconds of processor time */
};

/* ingest is spent: what comes now is sealing */
static void on_ingest(void *ctx, struct ingest *in)
{
	struct times *t = ctx;
	if (!in)
		t->read = now_s();
}

static void first_frame(const struct derived *d)
{
	struct app_opts o = {.program = "import"};
	struct surface s = {0};
	struct state *st = state_new(&o, d, -1, false);
	surface_resize(&s, 60, 200);
	state_resize(st, 60, 200);
	nav_pane(st, PANE_TIMELINE, 0);
	state_draw(st, &s);
}

static uint64_t overlaps(const struct trace *t)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		n += trace_track(t, i)->overlaps;
	return n;
}

static void tell(const struct trace *t, const struct times *at)
{
	printf("{\"read_s\": %.4f, \"seal_s\": %.4f, ", at->read - at->begun, at->opened - at->read);
	if (at->derived > 0)
		printf("\"derive_s\": %.4f, \"frame_s\": %.4f, \"frame_cpu_s\": %.5f, ", at->derived - at->opened,
		       at->framed - at->derived, at->frame_cpu);
	if (at->saved > 0)
		printf("\"save_s\": %.4f, ", at->saved);
	if (peak_anon_kib())
		printf("\"peak_anon_kib\": %ld, ", peak_anon_kib());
	printf("\"events\": %" PRIu64 ", \"overlaps\": %" PRIu64 ", \"peak_kib\": %ld, \"anon_kib\": %ld, "
	       "\"file_kib\": %ld, \"spilled_kib\": %" PRIu64 "}\n",
	       trace_columns(t)->n, overlaps(t), status_kib("VmHWM:"), status_kib("RssAnon:"), status_kib("RssFile:"),
	       attrs_spilled(trace_attrs(t)) >> 10);
	fflush(stdout);
}

static void wait_for_end_of_input(void)
{
	while (getchar() != EOF)
		;
}

static int fail(const struct err *e)
{
	char text[640];
	fprintf(stderr, "import: %s\n", err_text(e, text, sizeof text));
	return 1;
}

int main(int argc, char **argv)
{
	memory_in_large_pages();
	struct times at = {.begun = now_s()};
	struct err e = {.at = -1};
	struct open_opts o = {.on_ingest = on_ingest, .ctx = &at};
	const char *save = NULL;
	int opt;
	bool derive = false, keep = false;
	while ((opt = getopt(argc, argv, "dms:t:w")) != -1) {
		derive |= opt == 'd';
		keep |= opt == 'w';
		if (opt == 'm')
			peak_begin();
		if (opt == 't')
			o.threads = (unsigned)atoi(optarg);
		save = opt == 's' ? optarg : save;
	}
	struct trace *t = open_trace((const char *const *)argv + optind, argc - optind, &o, &e);
	if (!t)
		return fail(&e);
	at.opened = now_s();
	if (at.read <= 0) /* a saved file: nothing was imported */
		at.read = at.opened;
	struct derived *d =
		derive ? clocks_derive(t, &(struct derived_opts){.tc_rules = "stepscope"}, open_settle, NULL, &e)
		       : NULL;
	if (derive && !d)
		return fail(&e);
	at.derived = d ? now_s() : 0;
	if (d) {
		at.frame_cpu = clock_s(CLOCK_PROCESS_CPUTIME_ID) - clock_s(CLOCK_THREAD_CPUTIME_ID);
		first_frame(d);
		at.frame_cpu += clock_s(CLOCK_THREAD_CPUTIME_ID);
	}
	at.framed = now_s();
	double before = now_s();
	if (save && !trace_save(t, save, OUTPUT_FORCE, &e))
		return fail(&e);
	at.saved = save ? now_s() - before : 0;
	tell(t, &at);
	if (keep)
		wait_for_end_of_input();
	_Exit(0);
}
