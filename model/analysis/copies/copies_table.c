/* copies: what is moved between host and devices, and on and between devices. */
#include "copies_columns.h"
#include "copies.h"
#include "model/analysis/ops/op_index.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/rules/peaks.h"
#include <math.h>
#include <string.h>

TABLE_DECL(copies);

static const struct column columns[] = {COPIES_COLUMNS(COLUMN_ROW)};

static const char *device_text(const struct derived *d, uint32_t device, struct arena *mem)
{
	char text[128];
	return arena_strdup(mem, trace_device_label(derived_trace(d), device, text, sizeof text));
}

/* The device of the same host with that number. */
static const char *ordinal_text(const struct derived *d, uint32_t near, int ordinal, struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	for (uint32_t i = 0; i < trace_devices(t); i++)
		if (trace_device(t, i)->ordinal == ordinal && trace_device(t, i)->host == trace_device(t, near)->host)
			return device_text(d, i, mem);
	return arena_printf(mem, "GPU %d", ordinal);
}

static void fill_ends(struct cell *row, const struct derived *d, const struct copy_key *k, struct arena *mem)
{
	const char *device = device_text(d, k->device, mem), *from = NULL, *to = NULL;
	switch ((enum copy_kind)k->kind) {
	case COPY_H2D:
		from = "host", to = device;
		break;
	case COPY_D2H:
		from = device, to = "host";
		break;
	case COPY_D2D:
		from = to = device;
		break;
	case COPY_H2H:
		from = to = "host";
		break;
	case COPY_P2P:
		from = k->from_device < 0 ? device : ordinal_text(d, k->device, k->from_device, mem);
		to = k->to_device < 0 ? NULL : ordinal_text(d, k->device, k->to_device, mem);
		break;
	default:
		break;
	}
	cell_text(&row[COL_COPIES_DIRECTION], k->kind == COPY_UNKNOWN ? NULL : copy_kind_name((enum copy_kind)k->kind));
	cell_text(&row[COL_COPIES_FROM], from);
	cell_text(&row[COL_COPIES_TO], to);
}

/* "pageable, async" */
static const char *memory_text(const struct copy_key *k, struct arena *mem)
{
	uint8_t host = k->kind == COPY_D2H ? k->dst : k->src;
	const char *memory = host == MEM_UNKNOWN ? NULL : memory_kind_name((enum memory_kind)host);
	const char *mode = k->is_async == 255 ? NULL : k->is_async ? "async" : "sync";
	if (memory && mode)
		return arena_printf(mem, "%s, %s", memory, mode);
	return memory ? memory : mode;
}

/* TensorFlow's JSON writes "name:Type" where XSpace tells both apart. */
static const char *op_text(const struct derived *d, str_id op, struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	if (!op)
		return NULL;
	struct op_name parts = op_name_parse(strings_get(trace_strings(t), op));
	if (ops_are_torch(d) || parts.category != OP_TENSORFLOW)
		return trace_str(t, op);
	return arena_strndup(mem, parts.name.p, parts.name.n);
}

static void fill_key(struct cell *row, const struct derived *d, const struct copy_group *g, struct arena *mem)
{
	static const char *const by[] = {NULL, "correlation", "neighbour"};
	const struct trace *t = derived_trace(d);
	const struct copy_key *k = &g->key;
	row_id in = copy_called_in(d, g->longest);
	fill_ends(row, d, k, mem);
	cell_text(&row[COL_COPIES_MEMORY], memory_text(k, mem));
	cell_text(&row[COL_COPIES_OP], op_text(d, k->op, mem));
	cell_text(&row[COL_COPIES_OP_BY], by[k->by]);
	cell_text(&row[COL_COPIES_CALLER], op_text(d, k->caller, mem));
	cell_text(&row[COL_COPIES_CALLED_IN], in == NONE_ID ? NULL : trace_str(t, trace_columns(t)->name[in]));
	cell_text(&row[COL_COPIES_SIZE], copy_size_text(k->size));
	if (k->expected != VERDICT_UNKNOWN)
		cell_bool(&row[COL_COPIES_EXPECTED], k->expected == VERDICT_YES);
	cell_rank(&row[COL_COPIES_RANK], t, trace_device(t, k->device)->host);
	cell_host(&row[COL_COPIES_HOST], t, trace_device(t, k->device)->host);
	cell_device(&row[COL_COPIES_DEVICE], t, k->device);
}

static void fill_steps(struct cell *row, const struct copy_group *g)
{
	cell_int(&row[COL_COPIES_OF_STEPS], g->of_steps ? g->of_steps : UNKNOWN_I64);
	if (!g->of_steps)
		return;
	cell_real(&row[COL_COPIES_PER_STEP], (double)g->in_steps / g->of_steps);
	cell_int(&row[COL_COPIES_IN_STEPS], g->steps_with);
	cell_int(&row[COL_COPIES_PLACES], g->of_steps > 1 ? g->places : UNKNOWN_I64);
}

static double peak_of(const struct peaks *p, enum copy_kind kind)
{
	switch (kind) {
	case COPY_H2D:
	case COPY_D2H:
		return p->host_bytes_per_s;
	case COPY_P2P:
		return p->peer_bytes_per_s;
	case COPY_D2D:
		return p->memory_bytes_per_s / 2;
	default:
		return NAN;
	}
}

static void fill_peak(struct cell *row, const struct copy_group *g, const struct peaks *p)
{
	double peak = peak_of(p, (enum copy_kind)g->key.kind);
	cell_real(&row[COL_COPIES_PEAK], peak);
	if (g->rated_ns > 0)
		cell_real(&row[COL_COPIES_PEAK_PCT], 100e9 * (double)g->bytes / (double)g->rated_ns / peak);
}

static void fill_sums(struct cell *row, const struct copy_group *g, int64_t all_ns)
{
	cell_int(&row[COL_COPIES_COUNT], g->count);
	cell_int(&row[COL_COPIES_BYTES], g->rated || !g->count ? g->bytes : UNKNOWN_I64);
	cell_int(&row[COL_COPIES_TOTAL], g->total_ns);
	cell_pct(&row[COL_COPIES_SHARE], g->total_ns, all_ns);
	cell_int(&row[COL_COPIES_EXPOSED], g->exposed_ns);
	cell_int(&row[COL_COPIES_BLOCKING], g->launches_known ? g->blocked_ns : UNKNOWN_I64);
	if (g->rated_ns > 0)
		cell_real(&row[COL_COPIES_RATE], (double)g->bytes * 1e9 / (double)g->rated_ns);
	if (g->rated)
		cell_int(&row[COL_COPIES_AVG], g->rated_ns / g->rated);
	if (!g->count)
		return;
	cell_int(&row[COL_COPIES_MIN], g->min_ns);
	cell_int(&row[COL_COPIES_MAX], g->max_ns);
}

static void add_row(struct table *t, const struct derived *d, const struct copy_group *g, const struct peaks *peaks,
		    int64_t all_ns)
{
	struct cell *row = table_row(t);
	row_id rows[2] = {g->longest, g->first};
	fill_key(row, d, g, t->mem);
	fill_sums(row, g, all_ns);
	fill_steps(row, g);
	fill_peak(row, g, &peaks[g->key.device]);
	if (g->count)
		table_evidence(t, g->first_ns, g->last_end_ns, rows, g->first == g->longest ? 1 : 2);
	else
		table_evidence(t, 0, 0, rows, 1);
}

static struct peaks *peaks_of_devices(const struct derived *d, const struct peak_table *p, struct arena *mem)
{
	uint32_t n = trace_devices(derived_trace(d));
	struct peaks *peaks = arena_alloc(mem, (n + 1u) * sizeof *peaks);
	for (uint32_t i = 0; i < n; i++)
		peaks[i] = peaks_of(p, derived_trace(d), i);
	return peaks;
}

static struct table *run_copies(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				struct err *e)
{
	struct copy_stats stats;
	struct peak_table *rules = peaks_builtin(e);
	if (!rules || !copy_stats_make(d, q, mem, p, &stats, e)) {
		peaks_free(rules);
		return NULL;
	}
	struct peaks *peaks = peaks_of_devices(d, rules, mem);
	peaks_free(rules);
	struct table *t = table_new(mem, &copies_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	for (uint32_t i = 0; i < stats.n; i++)
		add_row(t, d, &stats.at[i], peaks, stats.total_ns);
	t->sort_col = COL_COPIES_TOTAL;
	t->sort_desc = true;
	return t;
}

const struct table_desc copies_desc = {
	.name = "copies",
	.title = "Copies",
	.help = "copies between host and devices: needed or not, at what rate, by which op, and what they block",
	TABLE_COLUMNS(columns),
	.run = run_copies,
	.first = COLUMN_LIST(COL_COPIES_DIRECTION, COL_COPIES_SIZE, COL_COPIES_COUNT, COL_COPIES_TOTAL,
			     COL_COPIES_BLOCKING, COL_COPIES_EXPECTED, COL_COPIES_RATE, COL_COPIES_BYTES, COL_COPIES_OP,
			     COL_COPIES_OP_BY, COL_COPIES_CALLER, COL_COPIES_PLACES, COL_COPIES_IN_STEPS,
			     COL_COPIES_MEMORY),
	.lead = 2,
	.report = {.intro = "between host and devices, on and between devices; blocked: time in which a kernel waited",
		   .brief = COLUMN_LIST(COL_COPIES_DIRECTION, COL_COPIES_SIZE, COL_COPIES_COUNT, COL_COPIES_BYTES,
					COL_COPIES_RATE, COL_COPIES_OP, COL_COPIES_EXPECTED, COL_COPIES_BLOCKING),
		   .wide = COLUMN_LIST(COL_COPIES_DIRECTION, COL_COPIES_FROM, COL_COPIES_TO, COL_COPIES_SIZE,
				       COL_COPIES_COUNT, COL_COPIES_BYTES, COL_COPIES_TOTAL, COL_COPIES_RATE,
				       COL_COPIES_PEAK_PCT, COL_COPIES_MEMORY, COL_COPIES_OP, COL_COPIES_OP_BY,
				       COL_COPIES_CALLER, COL_COPIES_PER_STEP, COL_COPIES_PLACES, COL_COPIES_IN_STEPS,
				       COL_COPIES_EXPECTED, COL_COPIES_BLOCKING),
		   .sort = COLUMN_LIST(COL_COPIES_TOTAL)},
	.vs = {.key = COLUMN_LIST(COL_COPIES_DIRECTION, COL_COPIES_MEMORY, COL_COPIES_SIZE, COL_COPIES_OP),
	       .sums = COLUMN_LIST(COL_COPIES_TOTAL, COL_COPIES_COUNT, COL_COPIES_BYTES)},
};
