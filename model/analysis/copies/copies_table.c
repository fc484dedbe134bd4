/* copies: what is moved between host and devices, and on and between devices. */
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

/* clang-format off */
#define COPY_COLUMNS(_)                                                                                                \
	_(KIND,      "kind",        TEXT, NONE,    "direction: H2D, D2H, D2D, P2P (between devices), H2H")             \
	_(FROM,      "src",         TEXT, NONE,    "where the bytes come from: host, or a device")                     \
	_(TO,        "dst",         TEXT, NONE,    "where they go")                                                    \
	_(COUNT,     "count",       INT,  COUNT,   "copies that start inside the window")                              \
	_(BYTES,     "bytes",       INT,  BYTES,   "their bytes, as far as the trace tells")                           \
	_(TOTAL,     "total_ns",    INT,  NS,      "time inside the window (cut at its edges)")                        \
	_(RATE,      "bytes_per_s", REAL, BYTES_PER_S, "bytes / whole time of the copies whose bytes are known")       \
	_(MEMORY,    "memory",      TEXT, NONE,    "memory of the host's end (pageable or pinned), and whether the call is async or sync") \
	_(OP,        "op",          TEXT, NONE,    "framework op the copy belongs to")                                 \
	_(OP_BY,     "op_by",       TEXT, NONE,    "correlation: the copy or the op around its launch says so; neighbour: ops launched around it do") \
	_(PER_STEP,  "per_step",    REAL, COUNT,   "copies that belong to a step / steps of the device in the window") \
	_(EXPECTED,  "expected",    BOOL, NONE,    "input or output of the step: copies to the device before its first kernel, to the host from its last kernel on (none there: its first or last burst), no round trips; null for other directions and outside of steps") \
	_(BLOCKED,   "blocked_ns",  INT,  NS,      "time of the copies in which no kernel ran on the device although the next one was launched, or waited for the copy to be launched; null when launches are not recorded") \
	_(SIZE,      "size",        TEXT, NONE,    "size class of one copy")                                           \
	_(SHARE,     "share_pct",   REAL, PERCENT, "share of the time of all copies in the table")                     \
	_(EXPOSED,   "exposed_ns",  INT,  NS,      "time of the copies in which no kernel ran on the device")          \
	_(PLACES,    "places",      INT,  COUNT,   "the n-th copy of a row in its step is a place: those that recur in nine steps of ten") \
	_(IN_STEPS,  "in_steps",    INT,  COUNT,   "steps that have such copies")                                      \
	_(OF_STEPS,  "of_steps",    INT,  COUNT,   "steps of the device in the window")                                \
	_(PEAK,      "peak_bytes_per_s", REAL, BYTES_PER_S, "what the link does at most: to the host, to other devices, or half of the memory's rate, as a copy reads and writes; from the trace or the table of peaks") \
	_(PEAK_PCT,  "peak_pct",    REAL, PERCENT, "bytes_per_s as a share of it")                                    \
	_(CALLER,    "caller",      TEXT, NONE,    "outermost op around the launch, when it is another one")           \
	_(CALLED_IN, "called_in",   TEXT, NONE,    "Python frame or annotation around the longest copy's launch")      \
	_(AVG,       "avg_ns",      INT,  NS,      "mean whole duration of those whose bytes are known, rounded down") \
	_(MIN,       "min_ns",      INT,  NS,      "shortest of the counted ones")                                     \
	_(MAX,       "max_ns",      INT,  NS,      "longest of the counted ones")                                      \
	_(RANK,      "rank",        INT,  ID,      "rank of the distributed job")                                      \
	_(DEVICE,    "device",      INT,  ID,      "GPU number as the producer counts, of the stream that copies")
/* clang-format on */

enum copy_column {
#define COLUMN_ENUM(id, name, type, unit, help) COL_##id,
	COPY_COLUMNS(COLUMN_ENUM)
#undef COLUMN_ENUM
		COL_COUNT_
};
static const struct column columns[] = {
#define COLUMN_ROW(id, name, type, unit, help) {name, CELL_##type, UNIT_##unit, help},
	COPY_COLUMNS(COLUMN_ROW)
#undef COLUMN_ROW
};

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
	cell_text(&row[COL_KIND], k->kind == COPY_UNKNOWN ? NULL : copy_kind_name((enum copy_kind)k->kind));
	cell_text(&row[COL_FROM], from);
	cell_text(&row[COL_TO], to);
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
	cell_text(&row[COL_MEMORY], memory_text(k, mem));
	cell_text(&row[COL_OP], op_text(d, k->op, mem));
	cell_text(&row[COL_OP_BY], by[k->by]);
	cell_text(&row[COL_CALLER], op_text(d, k->caller, mem));
	cell_text(&row[COL_CALLED_IN], in == NONE_ID ? NULL : trace_str(t, trace_columns(t)->name[in]));
	cell_text(&row[COL_SIZE], copy_size_text(k->size));
	if (k->expected != VERDICT_UNKNOWN)
		cell_bool(&row[COL_EXPECTED], k->expected == VERDICT_YES);
	cell_rank(&row[COL_RANK], t, trace_device(t, k->device)->host);
	cell_device(&row[COL_DEVICE], t, k->device);
}

static void fill_steps(struct cell *row, const struct copy_group *g)
{
	cell_int(&row[COL_OF_STEPS], g->of_steps ? g->of_steps : UNKNOWN_I64);
	if (!g->of_steps)
		return;
	cell_real(&row[COL_PER_STEP], (double)g->in_steps / g->of_steps);
	cell_int(&row[COL_IN_STEPS], g->steps_with);
	cell_int(&row[COL_PLACES], g->of_steps > 1 ? g->places : UNKNOWN_I64);
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
	cell_real(&row[COL_PEAK], peak);
	if (g->rated_ns > 0)
		cell_real(&row[COL_PEAK_PCT], 100e9 * (double)g->bytes / (double)g->rated_ns / peak);
}

static void fill_sums(struct cell *row, const struct copy_group *g, int64_t all_ns)
{
	cell_int(&row[COL_COUNT], g->count);
	cell_int(&row[COL_BYTES], g->rated || !g->count ? g->bytes : UNKNOWN_I64);
	cell_int(&row[COL_TOTAL], g->total_ns);
	cell_pct(&row[COL_SHARE], g->total_ns, all_ns);
	cell_int(&row[COL_EXPOSED], g->exposed_ns);
	cell_int(&row[COL_BLOCKED], g->launches_known ? g->blocked_ns : UNKNOWN_I64);
	if (g->rated_ns > 0)
		cell_real(&row[COL_RATE], (double)g->bytes * 1e9 / (double)g->rated_ns);
	if (g->rated)
		cell_int(&row[COL_AVG], g->rated_ns / g->rated);
	if (!g->count)
		return;
	cell_int(&row[COL_MIN], g->min_ns);
	cell_int(&row[COL_MAX], g->max_ns);
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
	t->sort_col = COL_TOTAL;
	t->sort_desc = true;
	return t;
}

const struct table_desc copies_desc = {
	.name = "copies",
	.title = "Copies",
	.help = "what is copied between host and devices: needed or not, at which rate, by which op, and what it "
		"blocks",
	TABLE_COLUMNS(columns),
	.run = run_copies,
	.first = COLUMN_LIST(COL_KIND, COL_SIZE, COL_COUNT, COL_TOTAL, COL_BLOCKED, COL_EXPECTED, COL_RATE, COL_BYTES,
			     COL_OP, COL_OP_BY, COL_CALLER, COL_PLACES, COL_IN_STEPS, COL_MEMORY),
	.report = {.intro = "between host and devices, on and between devices; blocked: time in which a kernel waited",
		   .brief = COLUMN_LIST(COL_KIND, COL_SIZE, COL_COUNT, COL_BYTES, COL_RATE, COL_OP, COL_EXPECTED,
					COL_BLOCKED),
		   .wide = COLUMN_LIST(COL_KIND, COL_FROM, COL_TO, COL_SIZE, COL_COUNT, COL_BYTES, COL_TOTAL, COL_RATE,
				       COL_PEAK_PCT, COL_MEMORY, COL_OP, COL_OP_BY, COL_CALLER, COL_PER_STEP,
				       COL_PLACES, COL_IN_STEPS, COL_EXPECTED, COL_BLOCKED),
		   .sort = COLUMN_LIST(COL_TOTAL)},
};
