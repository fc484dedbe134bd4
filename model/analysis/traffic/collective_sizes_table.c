/* collective_sizes: how large the messages of each step are on each device, in the size classes of copies. */
#include "collective_sizes_columns.h"
#include <stdlib.h>
#include "model/analysis/comms/comms.h"
#include "model/analysis/copies/copies.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/cells.h"
#include "model/query.h"
#include "model/store/base/idmap.h"

TABLE_DECL(collective_sizes);

static const struct column columns[] = {COLLECTIVE_SIZES_COLUMNS(COLUMN_ROW)};

struct size_sums {
	uint32_t step, device;
	uint8_t size; /* SIZE_UNKNOWN: the bytes are not recorded */
	int64_t calls, bytes, ns, exposed_ns;
	int64_t start_ns, end_ns; /* first start to last end */
};
struct sizes {
	struct size_sums *at;
	uint32_t n;
	struct idmap places;
};

static struct size_sums *sums_of(struct sizes *s, const struct collective *c, struct arena *mem)
{
	struct size_sums key = {.step = c->step, .device = c->device, .size = copy_size_class(c->bytes)};
	uint64_t packed = (uint64_t)key.step << 32 | (uint64_t)key.device << 4 | key.size;
	uint32_t *place = idmap_put(&s->places, packed, s->n);
	if (*place == s->n) {
		key.start_ns = INT64_MAX;
		s->at = arena_next_row(mem, s->at, s->n, sizeof *s->at);
		s->at[s->n++] = key;
	}
	return &s->at[*place];
}

static void add_call(struct sizes *s, const struct comms *comms, uint32_t i, const struct columns *e, struct arena *mem)
{
	const struct collective *c = &comms->x.at[i];
	struct size_sums *x = sums_of(s, c, mem);
	int64_t start_ns = e->start_ns[c->row], end_ns = row_end(e, c->row);
	x->calls++;
	x->bytes += c->bytes == UNKNOWN_I64 ? 0 : c->bytes;
	x->ns += end_ns - start_ns;
	x->exposed_ns += comms->exposed[i].exposed_ns;
	x->start_ns = start_ns < x->start_ns ? start_ns : x->start_ns;
	x->end_ns = end_ns > x->end_ns ? end_ns : x->end_ns;
}

static int by_step(const void *a, const void *b)
{
	const struct size_sums *x = a, *y = b;
	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->size > y->size) - (x->size < y->size);
}

static void put_sums(const struct derived *d, const struct size_sums *x, struct table *out)
{
	const struct trace *t = derived_trace(d);
	struct cell *row = table_row(out);
	cell_text(&row[COL_COLLECTIVE_SIZES_STEP], x->step == NONE_ID ? NULL : derived_step(d, x->step)->label);
	cell_rank(&row[COL_COLLECTIVE_SIZES_RANK], t, trace_device(t, x->device)->host);
	cell_host(&row[COL_COLLECTIVE_SIZES_HOST], t, trace_device(t, x->device)->host);
	cell_device(&row[COL_COLLECTIVE_SIZES_DEVICE], t, x->device);
	cell_text(&row[COL_COLLECTIVE_SIZES_SIZE], copy_size_text(x->size));
	cell_int(&row[COL_COLLECTIVE_SIZES_CALLS], x->calls);
	cell_int(&row[COL_COLLECTIVE_SIZES_BYTES], x->size == SIZE_UNKNOWN ? UNKNOWN_I64 : x->bytes);
	cell_int(&row[COL_COLLECTIVE_SIZES_NS], x->ns);
	cell_int(&row[COL_COLLECTIVE_SIZES_EXPOSED], x->exposed_ns);
	table_evidence(out, x->start_ns, x->end_ns, NULL, 0);
}

static struct table *run_collective_sizes(const struct derived *d, const struct query *q, struct arena *mem,
					  struct progress *p, struct err *e)
{
	const struct comms *comms = comms_of(d, p, e);
	const struct columns *events = derived_columns(d);
	struct sizes s = {0};
	if (!comms)
		return NULL;
	struct table *out = table_new(mem, &collective_sizes_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < comms->x.n; i++)
		if (query_holds(q, events->start_ns[comms->x.at[i].row]) && event_wanted(d, q, comms->x.at[i].row))
			add_call(&s, comms, i, events, mem);
	idmap_free(&s.places);
	if (s.n > 1)
		qsort(s.at, s.n, sizeof *s.at, by_step);
	for (uint32_t i = 0; i < s.n; i++)
		put_sums(d, &s.at[i], out);
	return out;
}

const struct table_desc collective_sizes_desc = {
	.name = "collective_sizes",
	.title = "Sizes of messages",
	.help = "how large the messages of collectives are, per step and device: calls, bytes and time by size class",
	TABLE_COLUMNS(columns),
	.run = run_collective_sizes,
	.report = {.brief = COLUMN_LIST(COL_COLLECTIVE_SIZES_STEP, COL_COLLECTIVE_SIZES_DEVICE,
					COL_COLLECTIVE_SIZES_SIZE, COL_COLLECTIVE_SIZES_CALLS,
					COL_COLLECTIVE_SIZES_BYTES, COL_COLLECTIVE_SIZES_NS,
					COL_COLLECTIVE_SIZES_EXPOSED),
		   .sort = COLUMN_LIST(COL_COLLECTIVE_SIZES_NS)},
	.vs = {.key = COLUMN_LIST(COL_COLLECTIVE_SIZES_RANK, COL_COLLECTIVE_SIZES_DEVICE, COL_COLLECTIVE_SIZES_SIZE),
	       .sums = COLUMN_LIST(COL_COLLECTIVE_SIZES_NS, COL_COLLECTIVE_SIZES_EXPOSED, COL_COLLECTIVE_SIZES_CALLS,
				   COL_COLLECTIVE_SIZES_BYTES)},
};
