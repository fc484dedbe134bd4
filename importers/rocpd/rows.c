/* What happened: dispatches of kernels, copies, calls and markers, allocations. */
#include "rocpd.h"
#include <stdio.h>
#include <string.h>
#include "importers/detail_texts.h"
#include "importers/flat_json.h"

static bool times(struct rocpd *x, const struct rows *r, struct event_in *e)
{
	enum { START, END };
	int64_t a, b;
	*e = (struct event_in){.group = -1, .at = -1};
	if (!rows_int(r, START, &a) || !rows_int(r, END, &b) || __builtin_sub_overflow(b, a, &e->dur_ns)) {
		notes_add(x->notes, NOTE_BAD_TIME, -1, 1);
		return false;
	}
	e->start_ns = a;
	return true;
}

/* The call that a row came from: rocprofiler's own number of it, else the one that the program gave. */
static uint64_t correlation(struct rocpd *x, int64_t event)
{
	int64_t v;
	if (x->stacks && lookup_int(x->stacks, event, &v) && v > 0)
		return (uint64_t)v;
	return x->correlations && lookup_int(x->correlations, event, &v) && v > 0 ? (uint64_t)v : 0;
}

static str_id kernel_name(struct rocpd *x, int64_t row)
{
	uint32_t known = idmap_get(&x->kernel_of, (uint64_t)row);
	if (known != UINT32_MAX)
		return known;
	struct span s = x->symbols ? lookup_text(x->symbols, row) : (struct span){NULL, 0};
	if ((!s.p || !s.n) && x->plain_symbols)
		s = lookup_text(x->plain_symbols, row);
	str_id name = s.p ? strings_add(x->strings, s.p, s.n) : 0;
	return *idmap_put(&x->kernel_of, (uint64_t)row, name) = name;
}

/* ---- kernels ---------------------------------------------------------------------------------------------------------------- */

static void take_dispatch(void *reader, const struct rows *r)
{
	enum { AGENT = 2, KERNEL, STREAM, LDS, BLOCK, GRID = BLOCK + 3, EVENT = GRID + 3 };
	struct rocpd *x = reader;
	struct event_in e;
	struct kernel_info k;
	int64_t registers, kernel = rows_int_or(r, KERNEL, -1);
	if (!times(x, r, &e))
		return;
	uint32_t device = rocpd_device(x, rows_int_or(r, AGENT, -1));
	if (device == NONE_ID)
		device = ingest_device(x->in, x->host, 0);
	kernel_info_init(&k);
	k.static_smem_bytes = details_small(rows_int_or(r, LDS, -1), DETAILS_MOST_LDS);
	if (x->registers && lookup_int(x->registers, kernel, &registers))
		k.registers = details_small(registers, DETAILS_MOST_REGISTERS);
	for (int i = 0; i < 3; i++) {
		/* the grid counts work-items */
		int64_t items = rows_int_or(r, GRID + i, -1), block = rows_int_or(r, BLOCK + i, 0);
		k.block[i] = details_small(block, DETAILS_MOST_GROUP);
		k.grid[i] = details_groups(items, block);
	}
	e.track = rocpd_stream(x, device, rows_int_or(r, STREAM, 0));
	e.corr = correlation(x, rows_int_or(r, EVENT, -1));
	e.name = kernel_name(x, kernel);
	e.kind = KIND_KERNEL;
	e.kernel = &k;
	ingest_event(x->in, &e);
}

/* ---- copies ------------------------------------------------------------------------------------------------------------------ */

static bool says(struct span s, const char *word)
{
	return s.p && memmem(s.p, s.n, word, strlen(word));
}

static void take_copy(void *reader, const struct rows *r)
{
	enum { NAME = 2, DST, SRC, SIZE, STREAM, EVENT };
	struct rocpd *x = reader;
	struct event_in e;
	struct copy_info c;
	if (!times(x, r, &e))
		return;
	uint32_t to = rocpd_device(x, rows_int_or(r, DST, -1)), from = rocpd_device(x, rows_int_or(r, SRC, -1));
	uint32_t device = to != NONE_ID ? to : from != NONE_ID ? from : ingest_device(x->in, x->host, 0);
	copy_info_init(&c);
	struct span name = strings_get(x->strings, rocpd_text(x, rows_int_or(r, NAME, -1)));
	c.kind = (uint8_t)details_rocm_direction(name.p, name.n);
	c.bytes = rows_int_or(r, SIZE, UNKNOWN_I64);
	if (c.kind == COPY_D2D && to != NONE_ID && from != NONE_ID && to != from) {
		c.kind = COPY_P2P;
		c.from_device = (int16_t)ingest_device_info(x->in, from)->ordinal;
		c.to_device = (int16_t)ingest_device_info(x->in, to)->ordinal;
	}
	e.track = rocpd_stream(x, device, rows_int_or(r, STREAM, 0));
	e.corr = correlation(x, rows_int_or(r, EVENT, -1));
	e.name = strings_addz(x->strings, details_copy_text((enum copy_kind)c.kind));
	e.kind = KIND_COPY;
	e.detail = ingest_copy(x->in, &c);
	ingest_event(x->in, &e);
}

/* ---- calls and markers ---------------------------------------------------------------------------------------------------------- */

static void take_region(void *reader, const struct rows *r)
{
	enum { PID = 2, TID, NAME, EVENT, EXTRA };
	struct rocpd *x = reader;
	struct event_in e;
	int64_t event = rows_int_or(r, EVENT, -1), category = -1;
	if (!times(x, r, &e))
		return;
	if (x->categories)
		lookup_int(x->categories, event, &category);
	struct span domain = strings_get(x->strings, rocpd_text(x, category));
	e.kind = (uint8_t)details_rocm_call(domain.p, domain.n);
	e.name = rocpd_text(x, rows_int_or(r, NAME, -1));
	/* of a marker the name is the call, and what the program said stands beside it */
	struct span message = flat_json_text(rows_text(r, EXTRA), "message");
	if (e.kind == KIND_ANNOTATION && message.p && message.n)
		e.name = strings_add(x->strings, message.p, message.n);
	e.track = rocpd_thread(x, rows_int_or(r, TID, 0), rows_int_or(r, PID, 0));
	if (e.kind == KIND_RUNTIME)
		e.corr = correlation(x, event);
	ingest_event(x->in, &e);
}

/* ---- memory ------------------------------------------------------------------------------------------------------------------------ */

static void take_allocation(void *reader, const struct rows *r)
{
	enum { PID = 2, AGENT, TYPE, ADDRESS, SIZE };
	struct rocpd *x = reader;
	struct event_in e;
	if (!times(x, r, &e))
		return;
	uint32_t device = rocpd_device(x, rows_int_or(r, AGENT, -1));
	int64_t size = rows_int_or(r, SIZE, 0);
	bool frees = says(rows_text(r, TYPE), "FREE");
	struct allocation a = {.addr = (uint64_t)rows_int_or(r, ADDRESS, 0),
			       .bytes = frees ? size > 0 ? -size : UNKNOWN_I64 : size,
			       .allocated_bytes = UNKNOWN_I64,
			       .reserved_bytes = UNKNOWN_I64};
	if (size > 0 || frees) {
		a.pool = ingest_memory_pool(
			x->in, x->hip, device == NONE_ID ? -1 : (int32_t)ingest_device_info(x->in, device)->ordinal);
		e.side = ingest_side(x->in, SIDE_ALLOCATIONS, &a);
	}
	e.track = ingest_track(x->in, TRACK_OTHER, rocpd_process(x, rows_int_or(r, PID, 0)), 0, x->memory_lane);
	e.name = strings_addz(x->strings, frees ? "free" : "allocation");
	e.kind = KIND_MEMORY;
	ingest_event(x->in, &e);
}

static const char *const dispatch_columns[] = {"start",
					       "end",
					       "agent_id",
					       "kernel_id",
					       "stream_id",
					       "group_segment_size",
					       "workgroup_size_x",
					       "workgroup_size_y",
					       "workgroup_size_z",
					       "grid_size_x",
					       "grid_size_y",
					       "grid_size_z",
					       "event_id"};
static const char *const copy_columns[] = {"start",        "end",  "name_id",   "dst_agent_id",
					   "src_agent_id", "size", "stream_id", "event_id"};
static const char *const region_columns[] = {"start", "end", "pid", "tid", "name_id", "event_id", "extdata"};
static const char *const allocation_columns[] = {"start", "end", "pid", "agent_id", "type", "address", "size"};
const struct row_table rocpd_tables[] = {ROW_TABLE("rocpd_kernel_dispatch", dispatch_columns, take_dispatch),
					 ROW_TABLE("rocpd_memory_copy", copy_columns, take_copy),
					 ROW_TABLE("rocpd_region", region_columns, take_region),
					 ROW_TABLE("rocpd_memory_allocate", allocation_columns, take_allocation),
					 {0}};
