/* threads: which host thread launches for which device, and how late; lanes that are named like threads are distinguished. */
#include "threads_columns.h"
#include "thread_quiet.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/names/thread_names.h"
#include "model/analysis/query/cells.h"
#include "model/table.h"

TABLE_DECL(threads);

static const struct column columns[] = {THREADS_COLUMNS(COLUMN_ROW)};

static const char *role_of(const struct trace *t, const struct thread_use *x)
{
	const struct track_info *k = trace_track(t, x->track);
	const char *named = thread_name_role(trace_str(t, k->name));
	if (!derived_is_thread(t, k))
		return "lane";
	if (named)
		return named;
	return x->device != NONE_ID ? "launch" : x->input_ns != UNKNOWN_I64 ? "input" : "other";
}

static void put_use(struct table *table, const struct derived *d, const struct thread_use *x)
{
	char label[256];
	const struct trace *t = derived_trace(d);
	const struct track_info *k = trace_track(t, x->track);
	struct cell *row = table_row(table);
	cell_text(&row[COL_THREADS_THREAD],
		  arena_strdup(table->mem, trace_track_label(t, x->track, label, sizeof label)));
	cell_device(&row[COL_THREADS_DEVICE], t, x->device);
	cell_int(&row[COL_THREADS_LAUNCHES], x->launches);
	cell_int(&row[COL_THREADS_FIRST_NS], x->first_ns);
	cell_int(&row[COL_THREADS_SKEW_NS], x->skew_ns);
	cell_text(&row[COL_THREADS_ROLE], role_of(t, x));
	cell_int(&row[COL_THREADS_QUIET_NS], x->quiet_ns);
	cell_int(&row[COL_THREADS_INPUT_NS], x->input_ns);
	cell_int(&row[COL_THREADS_OFF_CPU_NS], x->off_cpu_ns);
	cell_int(&row[COL_THREADS_CPUS], x->cpus);
	cell_bool(&row[COL_THREADS_IS_THREAD], derived_is_thread(t, k));
	cell_rank(&row[COL_THREADS_RANK], t, k->host);
	cell_host(&row[COL_THREADS_HOST], t, k->host);
	if (x->first != NONE_ID)
		table_evidence(table, derived_columns(d)->start_ns[x->first], row_end(derived_columns(d), x->first),
			       &x->first, 1);
}

static struct table *run_threads(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				 struct err *e)
{
	struct thread_uses all;
	if (!thread_uses_make(d, q, mem, p, &all, e) || !thread_quiet_fill(d, q, &all, p, e))
		return NULL;
	struct table *table = table_new(mem, &threads_desc);
	query_bounds(q, derived_trace(d), &table->window_a_ns, &table->window_b_ns);
	for (uint32_t i = 0; i < all.n; i++)
		put_use(table, d, &all.at[i]);
	return table;
}

const struct table_desc threads_desc = {
	.name = "threads",
	.title = "Threads",
	.help = "which host thread launches for which device, how late in its steps, and whether input is prepared "
		"while it is quiet; no trace format records CPU affinity, but Nsight Systems records on which CPUs "
		"threads ran",
	TABLE_COLUMNS(columns),
	.run = run_threads,
	.vs = {.key = COLUMN_LIST(COL_THREADS_DEVICE, COL_THREADS_THREAD), .sums = COLUMN_LIST(COL_THREADS_LAUNCHES)},
};
