/* tui/cli/cli_dump.c - `stepscope dump`: derived data of a window as it is, one fact per line, before any table words it. For those who
 * work on stepscope: lines and words may change at any time, scripts ask `table`. */
#include "cli_open.h"
#include "model/analysis/derived/gaps.h"
#include "model/analysis/query/windowed.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/rows.h"
#include "tui/text/put.h"
#include <inttypes.h>
#include <stdlib.h>

static void put_named(const char *key, const char *text)
{
	printf(" %s=", key);
	put_plain(stdout, text && *text ? text : "-");
}

/* A row, a step or another id; "-" = none. */
static void put_id(const char *key, uint32_t id)
{
	if (id == NONE_ID)
		printf(" %s=-", key);
	else
		printf(" %s=%u", key, id);
}

static bool meets(const struct query *q, int64_t a_ns, int64_t b_ns)
{
	return a_ns < q->b_ns && b_ns > q->a_ns;
}

/* ---- steps --------------------------------------------------------------------------------------------------------- */

static void dump_sources(const struct derived *d)
{
	for (uint32_t host = 0; host < trace_hosts(derived_trace(d)); host++) {
		const struct step_inference *x = derived_inference(d, host);
		printf("host %u", host);
		put_named("steps_from", derived_steps_source(d, host));
		if (x && x->inferred)
			printf(" period_ns=%" PRId64 " regularity=%.3f kernels_per_step=%u", x->period_ns,
			       x->regularity, x->kernels_per_step);
		else if (x)
			put_named("not_inferred", x->why);
		putchar('\n');
	}
}

static void dump_steps(const struct derived *d, const struct query *q)
{
	uint32_t n;
	for (uint32_t i = 0; i < derived_steps(d); i++) {
		const struct step *s = derived_step(d, i);
		if (!meets(q, s->start_ns, s->members_end_ns))
			continue;
		printf("step %u", i);
		put_named("label", s->label);
		put_named("name", derived_step_name(d, s));
		put_id("marker", s->marker);
		printf(" host=%u start_ns=%" PRId64 " end_ns=%" PRId64 " members_end_ns=%" PRId64 "\n", s->host,
		       s->start_ns, s->end_ns, s->members_end_ns);
	}
	const struct step_device *p = derived_step_devices(d, &n);
	for (uint32_t i = 0; i < n; i++)
		if (meets(q, p[i].first_ns, p[i].last_ns))
			printf("step_device step=%u device=%u first_ns=%" PRId64 " last_ns=%" PRId64
			       " work=%u first_row=%u last_row=%u\n",
			       p[i].step, p[i].device, p[i].first_ns, p[i].last_ns, p[i].n_work, p[i].first_row,
			       p[i].last_row);
}

/* ---- kinds, membership, roles ------------------------------------------------------------------------------------- */

typedef uint64_t kind_counts[KIND_COUNT];

static void put_counts(const uint64_t *n)
{
	for (int k = 0; k < KIND_COUNT; k++)
		if (n[k])
			printf(" %s=%" PRIu64, kind_name((enum event_kind)k), n[k]);
	putchar('\n');
}

static void dump_track(const struct derived *d, uint32_t track, const uint64_t *n)
{
	char label[160], role[64];
	const struct intervals *busy = derived_busy_track(d, track);
	printf("track %u", track);
	put_named("name", trace_track_label(derived_trace(d), track, label, sizeof label));
	if (derived_role(d, track))
		put_named("role", role_text(derived_role(d, track), role, sizeof role));
	if (busy && busy->n)
		printf(" busy_intervals=%" PRIu64, (uint64_t)busy->n);
	put_counts(n);
}

static void dump_members(const struct derived *d, kind_counts *members)
{
	for (uint32_t i = 0; i <= derived_steps(d); i++) {
		uint64_t all = 0;
		for (int k = 0; k < KIND_COUNT; k++)
			all += members[i][k];
		if (!all)
			continue;
		printf("members");
		put_named("step", i < derived_steps(d) ? derived_step(d, i)->label : NULL);
		put_counts(members[i]);
	}
}

/* Every event of the window that the filter keeps, by its track and by its step; the last row of `members`: no step. */
static bool dump_events(const struct opened *o, const struct query *q, struct err *e)
{
	const struct trace *t = derived_trace(o->d);
	kind_counts *members = must(calloc((size_t)derived_steps(o->d) + 1, sizeof *members));
	struct windowed w = windowed_open(o->d, q, NULL);
	for (uint32_t track = 0; track < trace_tracks(t); track++) {
		kind_counts own = {0};
		uint64_t all = 0;
		for (windowed_track(&w, track, KINDS_ALL); windowed_next(&w); all++) {
			uint32_t step = derived_step_of(o->d, w.row);
			own[w.c->kind[w.row]]++;
			members[step == NONE_ID ? derived_steps(o->d) : step][w.c->kind[w.row]]++;
		}
		if (all)
			dump_track(o->d, track, own);
	}
	dump_members(o->d, members);
	free(members);
	return windowed_done(&w, e);
}

/* ---- gaps ---------------------------------------------------------------------------------------------------------- */

static void dump_gaps(const struct derived *d, const struct query *q)
{
	static const char *const scopes[] = {[GAP_STEP] = "step", [GAP_DEVICE] = "device", [GAP_STREAM] = "stream"};
	struct gap_iter it = gap_iter(d, q->a_ns, q->b_ns);
	struct gap_span at;
	struct gap g;
	while (gap_next(&it, &at)) {
		if (!derived_gap_at(d, at.id, &g))
			continue;
		printf("gap %u scope=%s start_ns=%" PRId64 " dur_ns=%" PRId64, g.id, scopes[g.scope], g.start_ns,
		       g.dur_ns);
		put_id("device", g.device);
		if (g.scope == GAP_STREAM)
			put_id("track", g.track);
		if (g.scope == GAP_STEP) {
			put_id("step_before", g.step_before);
			put_id("step_after", g.step_after);
		}
		put_id("before", g.before);
		put_id("after", g.after);
		putchar('\n');
	}
}

/* ---- side tables --------------------------------------------------------------------------------------------------- */

static void put_side_row(const struct trace *t, const struct side_table_info *x, const char *row)
{
	printf("%s_row", x->section);
	for (uint32_t k = 0; k < x->n_columns; k++) {
		int64_t v;
		side_column_get(x, &x->columns[k], row, 1, &v);
		if (x->columns[k].below == SIDE_TEXT)
			put_named(x->columns[k].name, trace_str(t, (str_id)v));
		else
			printf(" %s=%" PRId64, x->columns[k].name, v);
	}
	putchar('\n');
}

/* How many rows each has; rows of events for the events that begin in the window. */
static void dump_side_tables(const struct trace *t, const struct query *q)
{
	for (enum side_table i = 0; i < SIDE_TABLE_COUNT; i++) {
		const struct side_table_info *x = &side_tables[i];
		const void *rows;
		uint64_t n = trace_side_rows(t, i, &rows), none = x->rows == SIDE_NUMBERED;
		printf("side_table name=%s rows=%" PRIu64 "\n", x->section, n > none ? n - none : 0);
		for (uint64_t k = 0; x->rows == SIDE_OF_EVENTS && k < n; k++) {
			const char *row = (const char *)rows + k * x->row_bytes;
			if (query_holds(q, trace_columns(t)->start_ns[*(const uint64_t *)(const void *)row]))
				put_side_row(t, x, row);
		}
	}
}

static int run_dump(const struct cli *c, struct err *e)
{
	struct opened o;
	if (!opened_new(&o, c, e))
		return cli_failed(e);
	struct query q = window_query(&o.window, o.filter);
	int64_t a_ns, b_ns; /* told, not asked with: the trace's end holds its last instants */
	query_bounds(&q, derived_trace(o.d), &a_ns, &b_ns);
	printf("window %s a_ns=%" PRId64 " b_ns=%" PRId64 "\n", o.window.text, a_ns, b_ns);
	dump_sources(o.d);
	dump_steps(o.d, &q);
	dump_side_tables(derived_trace(o.d), &q);
	bool sound = dump_events(&o, &q, e);
	if (sound)
		dump_gaps(o.d, &q);
	int code = sound ? cli_settle(c, derived_trace(o.d)) : cli_failed(e);
	opened_free(&o);
	return code;
}

const struct cli_command_info cli_dump_command = {
	.word = "dump",
	.operands = "TRACE...",
	.help = "for work on stepscope itself: derived steps, membership, roles, kinds and gaps, and rows besides "
		"events, one per line",
	.takes = TAKES_TRACES,
	.run = run_dump,
	.examples = "  stepscope dump trace.json.gz --step 8\n"};
