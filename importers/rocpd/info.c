/* Who is who: processes, threads, agents, streams; and texts by number. */
#include "rocpd.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "importers/flat_json.h"
#include "model/store/base/grow.h"

/* ---- texts ------------------------------------------------------------------------------------------------------------ */

str_id rocpd_text(struct rocpd *x, int64_t row)
{
	uint32_t known = idmap_get(&x->text_of, (uint64_t)row);
	if (known != UINT32_MAX || !x->texts)
		return known != UINT32_MAX ? known : 0;
	struct span text = lookup_text(x->texts, row);
	str_id fresh = text.p ? strings_add(x->strings, text.p, text.n) : 0;
	return *idmap_put(&x->text_of, (uint64_t)row, fresh) = fresh;
}

static str_id text_at(struct rocpd *x, const struct rows *r, int column)
{
	struct span s = rows_text(r, column);
	return s.p ? strings_add(x->strings, s.p, s.n) : 0;
}

/* ---- processes and threads ------------------------------------------------------------------------------------------------ */

static void take_process(void *reader, const struct rows *r)
{
	struct rocpd *x = reader;
	int64_t row;
	x->notes->merged++;
	if (rows_int(r, 0, &row)) {
		uint32_t process = ingest_process(x->in, x->host, rows_int_or(r, 1, row));
		*idmap_put(&x->process_of, (uint64_t)row, process) = process;
	}
}

uint32_t rocpd_process(struct rocpd *x, int64_t row)
{
	uint32_t known = idmap_get(&x->process_of, (uint64_t)row);
	return known != UINT32_MAX ? known : ingest_process(x->in, x->host, row);
}

static void take_thread(void *reader, const struct rows *r)
{
	enum { ROW, PID, TID, NAME };
	struct rocpd *x = reader;
	int64_t row;
	x->notes->merged++;
	if (!rows_int(r, ROW, &row))
		return;
	uint32_t process = rocpd_process(x, rows_int_or(r, PID, 0));
	uint32_t track = ingest_track(x->in, TRACK_THREAD, process, rows_int_or(r, TID, row), 0);
	str_id name = text_at(x, r, NAME);
	if (name)
		ingest_track_info(x->in, track)->name = name;
	*idmap_put(&x->thread_of, (uint64_t)row, track) = track;
}

uint32_t rocpd_thread(struct rocpd *x, int64_t row, int64_t process)
{
	uint32_t known = idmap_get(&x->thread_of, (uint64_t)row);
	return known != UINT32_MAX ? known : ingest_track(x->in, TRACK_THREAD, rocpd_process(x, process), row, 0);
}

/* ---- agents ----------------------------------------------------------------------------------------------------------------- */

static void take_agent(void *reader, const struct rows *r)
{
	enum { ROW, TYPE, NUMBER, LOGICAL, PRODUCT, MODEL, NAME, VENDOR, EXTRA };
	struct rocpd *x = reader;
	struct span type = rows_text(r, TYPE);
	struct rocpd_agent a = {.id = rows_int_or(r, ROW, -1),
				.number = rows_int_or(r, NUMBER, rows_int_or(r, LOGICAL, 0))};
	x->notes->merged++;
	a.is_gpu = type.p && type.n == 3 && !memcmp(type.p, "GPU", 3);
	for (int c = PRODUCT; !a.name && c <= NAME; c++)
		a.name = text_at(x, r, c);
	a.vendor = text_at(x, r, VENDOR);
	a.compute_units = flat_json_int(rows_text(r, EXTRA), "cu_count");
	GROW_ARRAY(x->agents, x->n_agents, x->cap_agents);
	x->agents[x->n_agents++] = a;
}

static void describe(struct rocpd *x, uint32_t device, struct rocpd_agent *a)
{
	str_id amd = strings_addz(x->strings, "AMD");
	struct device *d = ingest_device_info(x->in, device);
	d->name = a->name;
	d->vendor = amd;
	d->sms = a->compute_units;
	a->described = true;
}

uint32_t rocpd_device(struct rocpd *x, int64_t agent)
{
	for (uint32_t i = 0; i < x->n_agents; i++) {
		struct rocpd_agent *a = &x->agents[i];
		if (a->id != agent)
			continue;
		uint32_t device = a->is_gpu ? ingest_device(x->in, x->host, a->number) : NONE_ID;
		if (a->is_gpu && !a->described)
			describe(x, device, a);
		return device;
	}
	return NONE_ID;
}

static void take_stream(void *reader, const struct rows *r)
{
	struct rocpd *x = reader;
	int64_t row;
	str_id name = text_at(x, r, 1);
	x->notes->merged++;
	if (rows_int(r, 0, &row) && name)
		*idmap_put(&x->stream_name, (uint64_t)row, name) = name;
}

uint32_t rocpd_stream(struct rocpd *x, uint32_t device, int64_t row)
{
	uint32_t track = ingest_track(x->in, TRACK_STREAM, device, row, 0),
		 name = idmap_get(&x->stream_name, (uint64_t)row);
	if (name != UINT32_MAX)
		ingest_track_info(x->in, track)->name = name;
	return track;
}

/* ---- a set of tables ---------------------------------------------------------------------------------------------------------- */

static struct lookup *lookup_of(struct rocpd *x, const char *table, const char *value)
{
	char name[256];
	snprintf(name, sizeof name, "%s%s", table, x->suffix);
	return lookup_new(x->db, name, "id", value);
}

void rocpd_set_begin(struct rocpd *x)
{
	x->texts = lookup_of(x, "rocpd_string", "string");
	x->stacks = lookup_of(x, "rocpd_event", "stack_id");
	x->correlations = lookup_of(x, "rocpd_event", "correlation_id");
	x->categories = lookup_of(x, "rocpd_event", "category_id");
	x->symbols = lookup_of(x, "rocpd_info_kernel_symbol", "display_name");
	x->plain_symbols = lookup_of(x, "rocpd_info_kernel_symbol", "kernel_name");
	x->registers = lookup_of(x, "rocpd_info_kernel_symbol", "arch_vgpr_count");
	const struct lookup *counted[] = {x->texts, x->stacks, x->symbols};
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
		if (counted[i]) {
			x->notes->entries += lookup_rows(counted[i]);
			x->notes->merged += lookup_rows(counted[i]);
		}
}

void rocpd_set_end(struct rocpd *x)
{
	struct lookup *const lookups[] = {x->texts,   x->stacks,        x->correlations, x->categories,
					  x->symbols, x->plain_symbols, x->registers};
	struct idmap *const maps[] = {&x->text_of, &x->kernel_of, &x->process_of, &x->thread_of, &x->stream_name};
	for (size_t i = 0; i < sizeof lookups / sizeof *lookups; i++)
		lookup_free(lookups[i]);
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		idmap_free(maps[i]);
	free(x->agents);
	x->agents = NULL;
	x->n_agents = x->cap_agents = 0;
}

static const char *const process_columns[] = {"id", "pid"};
static const char *const thread_columns[] = {"id", "pid", "tid", "name"};
static const char *const agent_columns[] = {"id",         "type", "type_index",  "logical_index", "product_name",
					    "model_name", "name", "vendor_name", "extdata"};
static const char *const stream_columns[] = {"id", "name"};
const struct row_table rocpd_info_tables[] = {ROW_TABLE("rocpd_info_process", process_columns, take_process),
					      ROW_TABLE("rocpd_info_thread", thread_columns, take_thread),
					      ROW_TABLE("rocpd_info_agent", agent_columns, take_agent),
					      ROW_TABLE("rocpd_info_stream", stream_columns, take_stream),
					      {0}};
