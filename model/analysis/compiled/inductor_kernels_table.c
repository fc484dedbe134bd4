/* inductor_kernels: the kernels that Inductor wrote, with the ops they stand for, one row for each name. */
#include "fused_name.h"
#include "inductor_kernels_columns.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/cells.h"
#include "model/query.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

TABLE_DECL(inductor_kernels);

static const struct column columns[] = {INDUCTOR_KERNELS_COLUMNS(COLUMN_ROW)};
enum { NOT_ASKED, NO_KERNEL, FIRST_KERNEL };

struct inductor_kernel {
	str_id name;
	struct fused_name says;
	uint32_t kernels, calls;
	int64_t kernel_ns, calls_ns;
	row_id call, kernel; /* the first ones; NONE_ID */
};
struct reader {
	const struct derived *d;
	const struct query *q;
	struct arena *mem;
	uint32_t *of_text; /* per text: NO_KERNEL, or FIRST_KERNEL + its place */
	struct inductor_kernel *at;
	uint32_t n;
};

static struct inductor_kernel *kernel_of(struct reader *in, str_id name)
{
	uint32_t *known = &in->of_text[name];
	struct fused_name says;
	if (*known == NOT_ASKED && !fused_name_parse(trace_str(derived_trace(in->d), name), &says, in->mem))
		*known = NO_KERNEL;
	if (*known == NO_KERNEL)
		return NULL;
	if (*known == NOT_ASKED) {
		in->at = arena_next_row(in->mem, in->at, in->n, sizeof *in->at);
		in->at[in->n] =
			(struct inductor_kernel){.name = name, .says = says, .call = NONE_ID, .kernel = NONE_ID};
		*known = FIRST_KERNEL + in->n++;
	}
	return &in->at[*known - FIRST_KERNEL];
}

static void take(struct reader *in, row_id r)
{
	const struct columns *c = derived_columns(in->d);
	bool kernel = c->kind[r] == KIND_KERNEL;
	if ((!kernel && c->kind[r] != KIND_OP) || !query_holds(in->q, c->start_ns[r]))
		return;
	struct inductor_kernel *x = kernel_of(in, c->name[r]);
	if (!x || !event_wanted(in->d, in->q, r))
		return;
	row_id *first = kernel ? &x->kernel : &x->call;
	*first = *first == NONE_ID ? r : *first;
	x->kernels += kernel;
	x->calls += !kernel;
	*(kernel ? &x->kernel_ns : &x->calls_ns) += c->dur_ns[r];
}

/* ---- rows --------------------------------------------------------------------------------------------------------------- */

static void recorded_cells(struct cell *row, const struct derived *d, row_id call, struct arena *mem)
{
	static const struct {
		const char *key;
		uint32_t column;
		bool number;
	} told[] = {{"kernel_file", COL_INDUCTOR_KERNELS_FILE, false},
		    {"kernel_kwargs", COL_INDUCTOR_KERNELS_CONFIG, false},
		    {"num_warps", COL_INDUCTOR_KERNELS_WARPS, true},
		    {"num_stages", COL_INDUCTOR_KERNELS_STAGES, true}};
	struct attr *attrs;
	size_t n;
	attr_at at = call == NONE_ID ? 0 : number_at(derived_columns(d)->attrs, call);
	if (!at || !attrs_read(trace_attrs(derived_trace(d)), at, mem, &attrs, &n))
		return;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizeof told / sizeof *told; k++) {
			if (strcmp(trace_str(derived_trace(d), attrs[i].key), told[k].key) != 0)
				continue;
			const char *text = attr_text(&attrs[i], trace_strings(derived_trace(d)), mem);
			if (told[k].number)
				cell_int(&row[told[k].column], strtoll(text, NULL, 10));
			else
				cell_text(&row[told[k].column], text);
		}
}

static void add_row(struct table *out, const struct derived *d, const struct inductor_kernel *x)
{
	const struct columns *c = derived_columns(d);
	struct cell *row = table_row(out);
	row_id shown = x->kernel == NONE_ID ? x->call : x->kernel;
	cell_text(&row[COL_INDUCTOR_KERNELS_KERNEL], trace_str(derived_trace(d), x->name));
	cell_text(&row[COL_INDUCTOR_KERNELS_BACKEND], x->says.backend);
	cell_text(&row[COL_INDUCTOR_KERNELS_SORT], x->says.sort);
	cell_text(&row[COL_INDUCTOR_KERNELS_OPS], *x->says.ops ? x->says.ops : NULL);
	cell_int(&row[COL_INDUCTOR_KERNELS_KERNELS], x->kernels);
	cell_int(&row[COL_INDUCTOR_KERNELS_TIME], x->kernel_ns);
	cell_int(&row[COL_INDUCTOR_KERNELS_CALLS], x->calls);
	cell_int(&row[COL_INDUCTOR_KERNELS_CALL_NS], x->calls_ns);
	recorded_cells(row, d, x->call, out->mem);
	table_evidence(out, c->start_ns[shown], row_end(c, shown), &shown, 1);
}

static struct table *run_inductor_kernels(const struct derived *d, const struct query *q, struct arena *mem,
					  struct progress *p, struct err *e)
{
	struct progress_loop loop = {.progress = p};
	struct reader in = {.d = d, .q = q, .mem = mem};
	struct table *out = table_new(mem, &inductor_kernels_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	in.of_text = must(calloc(strings_count(trace_strings(derived_trace(d))) + (size_t)1, sizeof *in.of_text));
	for (uint64_t r = 0; r < derived_columns(d)->n && !progress_loop_cancelled(&loop); r++)
		take(&in, (row_id)r);
	free(in.of_text);
	if (loop.cancelled) {
		err_usage(e, "cancelled");
		return NULL;
	}
	for (uint32_t i = 0; i < in.n; i++)
		if (in.at[i].calls || in.at[i].kernels)
			add_row(out, d, &in.at[i]);
	return out;
}

const struct table_desc inductor_kernels_desc = {
	.name = "inductor_kernels",
	.title = "Kernels of torch.compile",
	.help = "the kernels that Inductor wrote, and which ops each of them stands for",
	TABLE_COLUMNS(columns),
	.run = run_inductor_kernels,
	.first = COLUMN_LIST(COL_INDUCTOR_KERNELS_KERNEL, COL_INDUCTOR_KERNELS_OPS, COL_INDUCTOR_KERNELS_TIME,
			     COL_INDUCTOR_KERNELS_KERNELS, COL_INDUCTOR_KERNELS_CALLS, COL_INDUCTOR_KERNELS_CALL_NS,
			     COL_INDUCTOR_KERNELS_SORT, COL_INDUCTOR_KERNELS_CONFIG, COL_INDUCTOR_KERNELS_FILE),
	.vs = {.key = COLUMN_LIST(COL_INDUCTOR_KERNELS_OPS, COL_INDUCTOR_KERNELS_KERNEL),
	       .sums = COLUMN_LIST(COL_INDUCTOR_KERNELS_TIME, COL_INDUCTOR_KERNELS_KERNELS,
				   COL_INDUCTOR_KERNELS_CALL_NS)},
};
