/* compiles: what the host compiled or traced, when, and for which shapes. */
#include "compiles.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(compiles);

/* clang-format off */
static const struct column columns[] = {
	{"kind", CELL_TEXT, UNIT_NONE, "xla, inductor (torch.compile), triton, tf_function (tracing), nvrtc (and module loading), jax_trace"},
	{"name", CELL_TEXT, UNIT_NONE, "outermost event of the compilation on its thread"},
	{"step", CELL_TEXT, UNIT_NONE, "step it belongs to"},
	{"start_ns", CELL_INT, UNIT_NS, "when it began"},
	{"dur_ns", CELL_INT, UNIT_NS, "how long it took, inside the window"},
	{"after_warmup", CELL_BOOL, UNIT_NONE, "it began after the last warm-up step of its host (of few steps: after the second); unknown without steps"},
	{"shape", CELL_TEXT, UNIT_NONE, "shapes it was compiled for, where recorded"},
	{"previous_shape", CELL_TEXT, UNIT_NONE, "shapes of the compilation of that name before it"},
	{"thread", CELL_TEXT, UNIT_NONE, "thread that compiled"},
	{"event", CELL_INT, UNIT_ID, "id of the event"},
};
/* clang-format on */
enum { KIND, NAME, STEP, START_NS, DUR_NS, AFTER_WARMUP, SHAPE, PREVIOUS_SHAPE, THREAD, EVENT };

static void compile_row(const struct derived *d, const struct query *q, struct table *out, const struct compile *x)
{
	const struct trace *t = derived_trace(d);
	const struct columns *c = trace_columns(t);
	int64_t a_ns = c->start_ns[x->row], b_ns = a_ns + c->dur_ns[x->row];
	char text[128];
	struct cell *row = table_row(out);
	cell_text(&row[KIND], x->kind);
	cell_text(&row[NAME], trace_str(t, c->name[x->row]));
	cell_text(&row[STEP], x->step == NONE_ID ? NULL : derived_step(d, x->step)->label);
	cell_int(&row[START_NS], a_ns);
	cell_int(&row[DUR_NS], (b_ns < q->b_ns ? b_ns : q->b_ns) - (a_ns > q->a_ns ? a_ns : q->a_ns));
	if (x->warm_known)
		cell_bool(&row[AFTER_WARMUP], x->after_warmup);
	cell_text(&row[SHAPE], x->shape);
	cell_text(&row[PREVIOUS_SHAPE], x->previous);
	cell_text(&row[THREAD], arena_strdup(out->mem, trace_track_label(t, c->track[x->row], text, sizeof text)));
	cell_int(&row[EVENT], x->row);
	table_evidence(out, a_ns, b_ns, &x->row, 1);
}

static struct table *run_compiles(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct compiles v;
	struct table *out = table_new(mem, &compiles_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (!compiles_read(d, q, mem, p, &v, e))
		return NULL;
	for (uint32_t i = 0; i < v.n; i++)
		compile_row(d, q, out, &v.at[i]);
	return out;
}

const struct table_desc compiles_desc = {
	.name = "compiles",
	.title = "Compilations",
	.help = "what the host compiled or traced, when and for which shapes",
	TABLE_COLUMNS(columns),
	.run = run_compiles,
	.first = COLUMN_LIST(STEP, DUR_NS, NAME, KIND, AFTER_WARMUP, SHAPE, PREVIOUS_SHAPE, THREAD),
	.report = {.brief = COLUMN_LIST(KIND, NAME, STEP, START_NS, DUR_NS, AFTER_WARMUP),
		   .wide = COLUMN_LIST(KIND, NAME, STEP, START_NS, DUR_NS, AFTER_WARMUP, SHAPE, PREVIOUS_SHAPE)},
};
