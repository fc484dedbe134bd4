#include "summary.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "model/analysis/comms/comms.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/step_phase.h"
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
		[SUMMARY_RECORDING] = {"recordings", recording_columns, REC_COLUMNS, 1},
		[SUMMARY_STEP] = {"steps", step_columns, STEP_COLUMNS, 2},
		[SUMMARY_CALL] = {"calls", call_columns, CALL_COLUMNS, 2},
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

static bool add_steps(struct maker *m)
{
	uint32_t n;
	struct query q = query_all();
	const struct step_device *parts = derived_step_devices(m->d, &n);
	struct counted_steps counted = counted_steps(m->d, &q);
	for (uint32_t i = 0; i < n; i++) {
		int64_t a_ns, b_ns;
		if (progress_cancelled(m->p))
			return false;
		if (!m->ids[parts[i].device])
			continue;
		step_time(m->d, parts[i].step, parts[i].device, &a_ns, &b_ns);
		struct cell *row = table_row(m->out->parts[SUMMARY_STEP]);
		cell_text(&row[STEP_REC], m->ids[parts[i].device]);
		cell_int(&row[STEP_START], trace_base_ns(m->t) + a_ns);
		cell_text(&row[STEP_LABEL], label_of(m, parts[i].step));
		cell_int(&row[STEP_DUR], b_ns - a_ns);
		cell_int(&row[STEP_COUNTED], step_counts(&counted, parts[i].step));
		cell_int(&row[STEP_COMPUTE], m->comms->steps[i].compute_ns);
		cell_int(&row[STEP_KERNELS], kernels_of(m, &parts[i]));
	}
	return true;
}

/* Of texts, which are the same in every trace; numbers of texts are not. */
static const char *communicator(const struct maker *m, const struct collective *c)
{
	const char *a = c->keyed ? trace_str(m->t, c->group_id) : trace_str(m->t, derived_columns(m->d)->name[c->row]),
		   *b = c->keyed && c->ranks ? c->ranks : "";
	return arena_printf(m->mem, "%016" PRIx64, idmap_hash(b, strlen(b), idmap_hash(a, strlen(a), c->keyed)));
}

static void add_call(struct maker *m, uint32_t at, int64_t ordinal)
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
	cell_int(&row[CALL_EXPOSED], m->comms->exposed[at].exposed_ns);
}

static void add_calls(struct maker *m)
{
	int64_t *ordinals = arena_alloc(m->mem, (trace_devices(m->t) + 1) * sizeof *ordinals);
	for (uint32_t i = 0; i < m->comms->x.n; i++) /* in order of time */
		if (m->ids[m->comms->x.at[i].device])
			add_call(m, i, ordinals[m->comms->x.at[i].device]++);
}

bool summary_make(const struct derived *d, struct arena *mem, struct progress *p, struct summary *out, struct err *e)
{
	struct maker m = {.d = d, .t = derived_trace(d), .mem = mem, .p = p, .out = out};
	m.ids = arena_alloc(mem, (trace_devices(m.t) + 1) * sizeof *m.ids);
	summary_new(out, mem);
	if (!(m.comms = comms_of(d, p, e)))
		return false;
	add_recordings(&m);
	if (!add_steps(&m))
		return err_usage(e, "cancelled");
	add_calls(&m);
	return true;
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
		if (!device->null)
			ingest_device(in, host, device->i);
	}
	return ingest_seal(in, e);
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
