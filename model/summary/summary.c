#include "summary.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "model/analysis/comms/comms.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/step_phase.h"
#include "summary_before.h"
#include <stdlib.h>
#include "model/store/base/memory.h"
#include "model/store/files/text_stream.h"
#include "model/query.h"
#include "model/store/base/idmap.h"
#include "model/store/ingest/ingest.h"

/* The unit tells the kinds of numbers apart. */
#define SUMMARY_KIND_TEXT                    CELL_TEXT, UNIT_NONE
#define SUMMARY_KIND_INT                     CELL_INT, UNIT_ID
#define SUMMARY_KIND_SIZE                    CELL_INT, UNIT_COUNT
#define SUMMARY_KIND_AT                      CELL_INT, UNIT_NS
#define SUMMARY_COLUMN(id, name, kind, help) {name, SUMMARY_KIND_##kind, help},
static const struct column recording_columns[] = {SUMMARY_RECORDING_COLUMNS(SUMMARY_COLUMN)};
static const struct column step_columns[] = {SUMMARY_STEP_COLUMNS(SUMMARY_COLUMN)};
static const struct column call_columns[] = {SUMMARY_CALL_COLUMNS(SUMMARY_COLUMN)};

const struct summary_part_info *summary_part_info(enum summary_part p)
{
	static const struct summary_part_info all[] = {
#define SUMMARY_PART_INFO(id, name, cols, n_key, n_first) {name, cols, sizeof cols / sizeof *cols, n_key, n_first},
		SUMMARY_PARTS(SUMMARY_PART_INFO)
#undef SUMMARY_PART_INFO
	};
	return &all[p];
}

void summary_new(struct summary *s, struct arena *mem)
{
	for (int i = 0; i < SUMMARY_PART_COUNT; i++) {
		const struct summary_part_info *p = summary_part_info((enum summary_part)i);
		s->parts[i] = table_bare(mem, p->name, p->name, p->cols, p->n_cols);
	}
}

/* ---- made of a trace ------------------------------------------------------------------------------------------------ */

struct maker {
	const struct derived *d;
	const struct trace *t;
	struct arena *mem;
	struct progress *p;
	const struct comms *comms;
	const char **ids; /* by device; NULL: it does no work */
	struct computing computing;
	struct late_source *late;
	const struct late_before *before; /* by collective */
	struct summary *out;
};

/* Names, times and amount of what was recorded: the same for the same recording, whoever makes the summary. */
static const char *id_of(const struct maker *m, uint32_t device, const struct intervals *busy)
{
	const struct device *x = trace_device(m->t, device);
	const struct host *h = trace_host(m->t, x->host);
	const char *name = trace_str(m->t, h->name);
	int64_t facts[] = {h->rank, x->ordinal, trace_base_ns(m->t) + busy->at[0].a_ns, intervals_total(busy), busy->n};
	return arena_printf(m->mem, "%016" PRIx64, idmap_hash(facts, sizeof facts, idmap_hash(name, strlen(name), 0)));
}

static void add_recordings(struct maker *m)
{
	int64_t base_ns = trace_base_ns(m->t);
	for (uint32_t i = 0; i < trace_devices(m->t); i++) {
		const struct intervals *busy = derived_busy_device(m->d, i);
		if (!busy->n)
			continue;
		const struct device *x = trace_device(m->t, i);
		const struct host *h = trace_host(m->t, x->host);
		m->ids[i] = id_of(m, i, busy);
		struct cell *row = table_row(m->out->parts[SUMMARY_RECORDING]);
		cell_text(&row[REC_ID], m->ids[i]);
		cell_text(&row[REC_HOST], trace_str(m->t, h->name));
		cell_int(&row[REC_RANK], h->rank < 0 ? UNKNOWN_I64 : h->rank);
		cell_int(&row[REC_DEVICE], x->ordinal);
		cell_text(&row[REC_NAME], trace_str(m->t, x->name));
		cell_int(&row[REC_START], base_ns + busy->at[0].a_ns);
		cell_int(&row[REC_END], base_ns + busy->at[busy->n - 1].b_ns);
		cell_int(&row[REC_BUSY], intervals_total(busy));
	}
}

static int64_t kernels_of(const struct maker *m, const struct step_device *part)
{
	uint32_t n;
	int64_t kernels = 0;
	const uint32_t *tracks = device_streams(m->d, part->device, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it =
			event_iter(m->t, tracks[i], part->first_ns, part->last_ns, KIND_BIT(KIND_KERNEL));
		while (event_next(&it))
			kernels += derived_step_of(m->d, it.row) == part->step && !derived_is_collective(m->d, it.row);
	}
	return kernels;
}

/* The number alone: which rank it is of stands beside it, and whether a label needs it depends on what is open. */
static const char *label_of(const struct maker *m, uint32_t step)
{
	return arena_printf(m->mem, "%" PRId64, derived_step(m->d, step)->number);
}

/* Judged host by host: what a row says does not depend on which other ranks are open. */
struct judged_steps {
	struct phase_step *at;
	uint8_t *phases;
	bool *steady; /* by host: it has steady steps */
};

static struct judged_steps judge_steps(const struct maker *m)
{
	uint32_t n = derived_steps(m->d);
	struct judged_steps x = {derived_phase_steps(m->d), arena_alloc(m->mem, n + (size_t)1),
				 arena_alloc(m->mem, (trace_hosts(m->t) + 1) * sizeof *x.steady)};
	struct job_key *keys = arena_alloc(m->mem, (n + (size_t)1) * sizeof *keys);
	for (uint32_t i = 0; i < n; i++) {
		x.at[i].key.rank = -1;
		keys[i] = x.at[i].key;
	}
	struct job_steps *each = job_steps_of(keys, n);
	step_phases(x.at, n, each, x.phases);
	free(each);
	for (uint32_t i = 0; i < n; i++)
		x.steady[x.at[i].key.host] |= x.phases[i] == PHASE_STEADY;
	return x;
}

static bool counts_alone(const struct judged_steps *x, uint32_t step)
{
	return !x->at[step].cut && (!x->steady[x->at[step].key.host] || x->phases[step] == PHASE_STEADY);
}

static void add_step(struct maker *m, const struct judged_steps *judged, const struct step_device *part,
		     int64_t compute_ns)
{
	int64_t a_ns, b_ns, base_ns = trace_base_ns(m->t);
	const struct phase_step *p = &judged->at[part->step];
	step_time(m->d, part->step, part->device, &a_ns, &b_ns);
	struct cell *row = table_row(m->out->parts[SUMMARY_STEP]);
	cell_text(&row[STEP_REC], m->ids[part->device]);
	cell_int(&row[STEP_START], base_ns + a_ns);
	cell_text(&row[STEP_LABEL], label_of(m, part->step));
	cell_int(&row[STEP_DUR], b_ns - a_ns);
	cell_int(&row[STEP_COUNTED], counts_alone(judged, part->step));
	cell_int(&row[STEP_COMPUTE], compute_ns);
	cell_int(&row[STEP_KERNELS], kernels_of(m, part));
	cell_text(&row[STEP_NAME], p->key.name);
	cell_int(&row[STEP_BEGIN], base_ns + p->start_ns);
	cell_int(&row[STEP_COMPILES], p->compiles);
	cell_int(&row[STEP_AHEAD], p->ahead);
	cell_int(&row[STEP_CUT], p->cut);
}

static bool add_steps(struct maker *m)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(m->d, &n);
	const struct step_compute *steps = comms_steps(m->d, m->comms, m->mem, m->p, NULL);
	struct judged_steps judged = judge_steps(m);
	for (uint32_t i = 0; steps && i < n && !progress_cancelled(m->p); i++)
		if (m->ids[parts[i].device])
			add_step(m, &judged, &parts[i], steps[i].compute_ns);
	free(judged.at);
	return !progress_cancelled(m->p);
}

/* Of texts, which are the same in every trace; numbers of texts are not. */
static const char *communicator(const struct maker *m, const struct collective *c)
{
	const char *a = c->keyed ? trace_str(m->t, c->group_id) : trace_str(m->t, derived_columns(m->d)->name[c->row]),
		   *b = c->keyed && c->ranks ? c->ranks : "";
	return arena_printf(m->mem, "%016" PRIx64, idmap_hash(b, strlen(b), idmap_hash(a, strlen(a), c->keyed)));
}

/* The stretches of a call in which its device does not compute: "0+1200,3800+300". */
static const char *exposed_at(const struct maker *m, const struct collective *c)
{
	enum { TEXT_MOST = 1 << 14 };
	const struct columns *e = derived_columns(m->d);
	const struct intervals *busy = &m->computing.devices[c->device];
	int64_t at_ns = e->start_ns[c->row], told_ns = at_ns, b_ns = row_end(e, c->row);
	struct text_stream s;
	size_t size;
	FILE *out = must(text_stream_open(&s));
	const char *between = "";
	for (uint32_t i = intervals_after(busy, at_ns); at_ns < b_ns; i++) {
		bool any = i < busy->n && busy->at[i].a_ns < b_ns;
		int64_t until_ns = any ? busy->at[i].a_ns : b_ns;
		if (until_ns > at_ns) {
			fprintf(out, "%s%" PRId64 "+%" PRId64, between, at_ns - told_ns, until_ns - at_ns);
			told_ns = until_ns;
			between = ",";
		}
		at_ns = any ? busy->at[i].b_ns : b_ns;
	}
	char *text = must(text_stream_close(&s, &size));
	const char *kept = size <= TEXT_MOST ? arena_strdup(m->mem, text) : NULL;
	free(text);
	return kept;
}

/* What the step of a call did on its device before it. */
static const char *before_text(const struct maker *m, uint32_t at, int64_t from_ns, int64_t to_ns)
{
	double ns[LATE_OTHER + 1];
	struct idle_split idle;
	if (from_ns >= to_ns)
		return "";
	late_trace_between(m->late, &m->comms->x.at[at], from_ns, to_ns, ns, &idle);
	return before_write(m->t, ns, &idle, m->mem);
}

/* What lies before the call in its step, in pieces that add up: of the calls of a step all of it is told once. began_ns: the start of the call
 * before on its device. */
static void late_cells(const struct maker *m, uint32_t at, int64_t began_ns, struct cell *row)
{
	const struct late_before *b = &m->before[at];
	if (b->call_ns == UNKNOWN_I64)
		return;
	int64_t from_ns = b->first ? b->step_ns : began_ns, until_ns = earlier(b->call_ns, b->start_ns);
	if (from_ns < until_ns)
		cell_text(&row[CALL_BESIDE], before_text(m, at, from_ns, until_ns));
	cell_text(&row[CALL_SINCE], before_text(m, at, b->call_ns, b->start_ns));
	if (b->first && b->earlier_ns != INT64_MIN)
		cell_text(&row[CALL_BEFORE], before_text(m, at, b->earlier_ns, b->step_ns));
}

static void exposed_cells(const struct maker *m, uint32_t at, struct cell *row)
{
	const struct collective *c = &m->comms->x.at[at];
	const struct intervals *busy = &m->computing.devices[c->device];
	cell_int(&row[CALL_EXPOSED], m->comms->exposed[at].exposed_ns);
	cell_text(&row[CALL_EXPOSED_AT], exposed_at(m, c));
	cell_int(&row[CALL_ON_COMPUTE], m->computing.streams[derived_columns(m->d)->track[c->row]]);
	cell_int(&row[CALL_WITHOUT], exposed_without_compute_ns(m->d, busy, c));
}

static void add_call(struct maker *m, uint32_t at, int64_t ordinal, int64_t began_ns)
{
	const struct collective *c = &m->comms->x.at[at];
	const struct columns *e = derived_columns(m->d);
	int64_t base_ns = trace_base_ns(m->t), a_ns, b_ns;
	struct cell *row = table_row(m->out->parts[SUMMARY_CALL]);
	cell_text(&row[CALL_REC], m->ids[c->device]);
	cell_int(&row[CALL_ORDINAL], ordinal);
	if (c->step != NONE_ID) {
		step_time(m->d, c->step, c->device, &a_ns, &b_ns);
		cell_int(&row[CALL_STEP], base_ns + a_ns);
	}
	cell_int(&row[CALL_NUMBER], c->step_number);
	cell_text(&row[CALL_OP], collective_op_word(c->is.op));
	cell_text(&row[CALL_KEY], communicator(m, c));
	cell_int(&row[CALL_KEYED], c->keyed);
	cell_text(&row[CALL_GROUP], c->group);
	cell_int(&row[CALL_SEQ], c->seq);
	cell_int(&row[CALL_FROM], c->from < 0 ? UNKNOWN_I64 : c->from);
	cell_int(&row[CALL_TO], c->to < 0 ? UNKNOWN_I64 : c->to);
	cell_int(&row[CALL_START], base_ns + e->start_ns[c->row]);
	cell_int(&row[CALL_DUR], e->dur_ns[c->row]);
	cell_int(&row[CALL_BYTES], c->bytes);
	cell_int(&row[CALL_SIZE], c->group_size > 0 ? c->group_size : UNKNOWN_I64);
	cell_text(&row[CALL_ALGORITHM], c->is.algorithm);
	cell_text(&row[CALL_PROTOCOL], c->is.protocol);
	cell_text(&row[CALL_DTYPE], c->is.dtype);
	cell_text(&row[CALL_PURPOSE], c->purpose);
	exposed_cells(m, at, row);
	late_cells(m, at, began_ns, row);
}

static bool add_calls(struct maker *m)
{
	struct called {
		int64_t n, began_ns;
	} *of = arena_alloc(m->mem, (trace_devices(m->t) + 1) * sizeof *of);
	for (uint32_t i = 0; i < m->comms->x.n && !progress_cancelled(m->p); i++) { /* in order of time */
		struct called *device = &of[m->comms->x.at[i].device];
		if (m->ids[m->comms->x.at[i].device])
			add_call(m, i, device->n++, device->began_ns);
		device->began_ns = m->before[i].start_ns;
	}
	return !progress_cancelled(m->p);
}

bool summary_make(const struct derived *d, struct arena *mem, struct progress *p, struct summary *out, struct err *e)
{
	struct maker m = {.d = d, .t = derived_trace(d), .mem = mem, .p = p, .out = out};
	m.ids = arena_alloc(mem, (trace_devices(m.t) + 1) * sizeof *m.ids);
	summary_new(out, mem);
	if (!(m.comms = comms_of(d, p, e)))
		return false;
	struct query all = query_all();
	bool whole = computing_find(d, p, &m.computing, e);
	m.late = late_trace_new(d, &all, m.comms);
	m.before = lateness_before(m.late, mem);
	if (whole) {
		add_recordings(&m);
		whole = (add_steps(&m) && add_calls(&m)) || err_usage(e, "cancelled");
	}
	late_trace_free(m.late);
	computing_free(&m.computing);
	return whole;
}

/* ---- a trace without events ------------------------------------------------------------------------------------------- */

struct trace *summary_trace(const struct summary *s, const char *const *paths, int n_paths, struct err *e)
{
	const struct table *t = s->parts[SUMMARY_RECORDING];
	struct ingest *in = ingest_new();
	for (int i = 0; i < n_paths; i++)
		ingest_source(in, paths[i], "summary");
	for (uint32_t i = 0; i < t->n_rows; i++) {
		const struct cell *name = table_cell(t, i, REC_HOST), *rank = table_cell(t, i, REC_RANK),
				  *device = table_cell(t, i, REC_DEVICE);
		bool ranked = !rank->null && rank->i >= 0 && rank->i <= INT32_MAX;
		uint32_t host = ingest_host(in, name->null ? "" : name->s, ranked ? (int32_t)rank->i : -1);
		if (device->null)
			continue;
		const struct cell *what = table_cell(t, i, REC_NAME);
		uint32_t made = ingest_device(in, host, device->i);
		if (!what->null)
			ingest_device_info(in, made)->name = strings_add(ingest_strings(in), what->s, strlen(what->s));
	}
	return ingest_seal(in, e);
}

struct derived *summary_devices(const struct summary *s, struct err *e)
{
	struct trace *t = summary_trace(s, NULL, 0, e);
	struct derived *d = t ? derived_new(t, &(struct derived_opts){.tc_rules = "stepscope"}, NULL, e) : NULL;
	if (t)
		trace_free(t);
	return d;
}

/* ---- JSON lines ------------------------------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *s)
{
	fputc('"', out);
	for (const unsigned char *p = (const unsigned char *)s; *p; p++)
		if (*p < 0x20 || *p == '"' || *p == '\\')
			fprintf(out, "\\u%04x", *p);
		else
			fputc(*p, out);
	fputc('"', out);
}

static void put_row(FILE *out, const struct summary_part_info *p, const struct table *t, uint32_t row)
{
	fprintf(out, "{\"part\":\"%s\"", p->name);
	for (uint32_t c = 0; c < p->n_cols; c++) {
		const struct cell *cell = table_cell(t, row, c);
		fprintf(out, ",\"%s\":", p->cols[c].name);
		if (cell->null)
			fputs("null", out);
		else if (p->cols[c].type == CELL_TEXT)
			put_text(out, cell->s);
		else
			fprintf(out, "%" PRId64, cell->i);
	}
	fputs("}\n", out);
}

void summary_write_json(const struct summary *s, FILE *out)
{
	fprintf(out, "{\"schema\":\"stepscope.summary/%d\"}\n", SUMMARY_VERSION);
	for (int i = 0; i < SUMMARY_PART_COUNT; i++)
		for (uint32_t row = 0; row < s->parts[i]->n_rows; row++)
			put_row(out, summary_part_info((enum summary_part)i), s->parts[i], row);
}
