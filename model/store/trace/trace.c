#include "lazy_sections.h"
#include "packed_tables.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct trace *trace_ref(struct trace *t)
{
	atomic_fetch_add(&t->refs, 1);
	return t;
}

static void free_columns(struct trace *t)
{
	void *all[] = {t->start_ns, t->dur_ns,    t->name,      t->track,      t->detail,   t->link,     t->kind,
		       t->depth,    t->disp,      t->corr,      t->attrs_at,   t->group,    t->corr32,   t->attrs32,
		       t->group16,  t->disp_rows, t->by_disp,   t->sum_before, t->launches, t->launched, t->flows,
		       t->samples,  t->hosts,     t->processes, t->devices,    t->tracks,   t->reached};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		free(all[i]);
	for (int i = 0; i < MAX_LEVELS; i++)
		free(t->longest[i]);
	for (int i = 0; i < SKIP_LEVELS; i++)
		free(t->skip[i]);
}

static void drop_damaged(struct trace *t)
{
	if (t->drop_path && (t->notes.at[NOTE_ATTRS_DAMAGED].count || t->notes.at[NOTE_PART_DAMAGED].count))
		unlink(t->drop_path);
	free(t->drop_path);
}

void trace_free(struct trace *t)
{
	if (!t || atomic_fetch_sub(&t->refs, 1) > 1)
		return;
	lazy_free(t->lazy);
	drop_damaged(t);
	free_columns(t);
	for (uint32_t i = 0; i < t->n_facts; i++) {
		free(t->facts[i].key);
		free(t->facts[i].value);
	}
	for (uint32_t i = 0; i < t->n_sources; i++) {
		free(t->sources[i].path);
		free(t->sources[i].format);
		free(t->sources[i].producer);
	}
	free(t->facts);
	free(t->sources);
	for (enum side_table i = 0; i < SIDE_TABLE_COUNT; i++)
		if (!t->whole || side_tables[i].rows == SIDE_OF_EVENTS)
			column_free(&t->side[i]);
	packed_tables_free(t->packed);
	if (!t->whole) {
		strings_free(t->strings);
		attrs_free(t->attrs);
	}
	trace_free(t->whole);
	free(t);
}

const struct strings *trace_strings(const struct trace *t)
{
	return t->strings;
}

const struct notes *trace_notes(const struct trace *t)
{
	return &t->notes;
}

struct attrs *trace_attrs(const struct trace *t)
{
	return t->attrs;
}

const char *trace_str(const struct trace *t, str_id id)
{
	return strings_z(t->strings, id);
}

int64_t trace_base_ns(const struct trace *t)
{
	return t->base_ns;
}

int64_t trace_epoch_ns(const struct trace *t)
{
	return t->epoch_ns;
}

int64_t trace_span_ns(const struct trace *t)
{
	return t->span_ns;
}

uint32_t trace_sources(const struct trace *t)
{
	return t->n_sources;
}

struct source_info trace_source(const struct trace *t, uint32_t i)
{
	const struct source_in *s = &t->sources[i];
	return (struct source_info){s->path, s->format, s->producer, s->traits};
}

uint32_t trace_traits(const struct trace *t)
{
	uint32_t traits = 0;
	for (uint32_t i = 0; i < t->n_sources; i++)
		traits |= t->sources[i].traits;
	return traits;
}

uint32_t trace_facts(const struct trace *t)
{
	return t->n_facts;
}

void trace_fact(const struct trace *t, uint32_t i, const char **key, const char **value)
{
	*key = t->facts[i].key;
	*value = t->facts[i].value;
}

uint32_t trace_hosts(const struct trace *t)
{
	return t->n_hosts;
}

uint32_t trace_processes(const struct trace *t)
{
	return t->n_processes;
}

uint32_t trace_devices(const struct trace *t)
{
	return t->n_devices;
}

const struct host *trace_host(const struct trace *t, uint32_t i)
{
	return &t->hosts[i];
}

const struct process *trace_process(const struct trace *t, uint32_t i)
{
	return &t->processes[i];
}

const struct device *trace_device(const struct trace *t, uint32_t i)
{
	return &t->devices[i];
}

const char *trace_track_label(const struct trace *t, uint32_t track, char *buf, size_t size)
{
	const struct track_info *x = &t->tracks[track].info;
	const char *name = trace_str(t, x->name), *lane = trace_str(t, x->lane);
	if (*name)
		snprintf(buf, size, "%s", name);
	else if (x->kind == TRACK_STREAM)
		snprintf(buf, size, "stream %" PRId64, x->key);
	else if (x->kind == TRACK_STREAM_LANE)
		snprintf(buf, size, "stream %" PRId64 " %s", x->key, lane);
	else if (*lane)
		snprintf(buf, size, "%s", lane);
	else
		snprintf(buf, size, "%s %" PRId64, track_kind_name(x->kind), x->key);
	return buf;
}

/* " #2" at the end of a name that several recordings of one worker have (number.c); "" where there is none. */
static const char *recording_number(const char *name)
{
	const char *space = strrchr(name, ' ');
	return space && space[1] == '#' && space[2] && space[2 + strspn(space + 2, "0123456789")] == 0 ? space : "";
}

uint32_t trace_recording(const struct trace *t, uint32_t device)
{
	const char *number = recording_number(trace_str(t, t->hosts[t->devices[device].host].name));
	return *number ? (uint32_t)strtoul(number + 2, NULL, 10) : 1;
}

const char *trace_device_label(const struct trace *t, uint32_t device, char *buf, size_t size)
{
	const struct device *d = &t->devices[device];
	const struct host *h = &t->hosts[d->host];
	const char *name = trace_str(t, d->name), *sort = strncmp(name, "TPU", 3) == 0   ? "TPU"
							  : strncmp(name, "NPU", 3) == 0 ? "NPU"
											 : "GPU";
	char own[128];
	if (strncasecmp(name, "custom:", 7) == 0) /* its number says nothing */
		snprintf(own, sizeof own, "%s", name);
	else
		snprintf(own, sizeof own, "%s %" PRId64, sort, d->ordinal);
	if (t->n_hosts > 1 && h->rank >= 0)
		snprintf(buf, size, "rank %" PRId32 " %s%s", h->rank, own, recording_number(trace_str(t, h->name)));
	else if (t->n_hosts > 1)
		snprintf(buf, size, "%s %s", trace_str(t, h->name), own);
	else
		snprintf(buf, size, "%s", own);
	return buf;
}

const char *trace_recorded_again(const struct trace *t, char *buf, size_t size)
{
	uint32_t first = 0, apart = 0;
	for (uint32_t i = t->n_devices; i-- > 0;)
		if (trace_recording(t, i) == 1) {
			apart++;
			first = i;
		}
	if (apart == t->n_devices)
		return NULL;
	if (apart != 1)
		snprintf(buf, size, "devices");
	return apart == 1 ? trace_device_label(t, first, buf, size) : buf;
}

const char *trace_devices_text(const struct trace *t, uint32_t n, char *buf, size_t size)
{
	char label[96];
	const char *again = trace_recorded_again(t, label, sizeof label);
	if (again)
		snprintf(buf, size, "%u recordings of %s", n, again);
	else
		snprintf(buf, size, "%u devices", n);
	return buf;
}

/* Row of a details table; NULL for "none" and for a number no importer could have given. */
static const void *detail(const struct trace *t, const struct column *rows, row_id r)
{
	uint32_t i = t->detail[r];
	return i && i < rows->n ? (const char *)rows->p + i * rows->size : NULL;
}

const struct kernel_info *trace_kernel(const struct trace *t, row_id r)
{
	bool is = t->kind[r] == KIND_KERNEL || t->kind[r] == KIND_DEVICE_OTHER;
	if (!is)
		return NULL;
	lazy_need_kernel(t, t->detail[r]);
	return detail(t, &t->kernels, r);
}

bool trace_kernels_tell_op(const struct trace *t)
{
	const struct kernel_info *k = t->kernels.p;
	size_t i = 0;
	while (i < t->kernels.n && !k[i].op && !k[i].op_type)
		i++;
	return i < t->kernels.n;
}

const struct kernel_info *trace_kernel_with_op(const struct trace *t, row_id r)
{
	return t->kernels_tell_no_op ? NULL : trace_kernel(t, r);
}

void trace_kernels_look(struct trace *t)
{
	const struct kernel_info *k = t->kernels.p;
	bool op = false, others = false;
	for (size_t i = 0; i < t->kernels.n && !op; i++) {
		op = k[i].op || k[i].op_type;
		others |= k[i].equation || k[i].shape;
	}
	t->kernels_tell_no_op = !op;
	t->kernels_tell_no_texts = !op && !others;
}

const struct kernel_info *trace_kernel_with_texts(const struct trace *t, row_id r)
{
	return trace_kernels_may_tell_texts(t) ? trace_kernel(t, r) : NULL;
}

const struct copy_info *trace_copy(const struct trace *t, row_id r)
{
	bool is = t->kind[r] == KIND_COPY || t->kind[r] == KIND_MEMSET;
	return is ? detail(t, &t->copies, r) : NULL;
}

const struct host_info *trace_host_detail(const struct trace *t, row_id r)
{
	return !t->detail[r] || kind_is_work(t->kind[r]) ? NULL : detail(t, &t->host_details, r);
}

uint32_t trace_hlo_row(const struct trace *t, row_id r)
{
	const struct kernel_info *k = trace_kernel(t, r);
	const struct copy_info *c = k ? NULL : trace_copy(t, r);
	return k ? k->hlo : c ? c->hlo : 0;
}

const struct hlo_info *trace_hlo(const struct trace *t, row_id r)
{
	uint32_t row = t->hlos.n > 1 ? trace_hlo_row(t, r) : 0; /* row 0 is none */
	return row ? (const struct hlo_info *)t->hlos.p + row : NULL;
}

uint64_t trace_side_rows(const struct trace *t, enum side_table table, const void **rows)
{
	if (!rows)
		return t->side[table].n;
	if (table == SIDE_KERNELS)
		lazy_need(t, LAZY_KERNELS);
	packed_tables_need(t, table);
	*rows = t->side[table].p;
	return t->side[table].n;
}

const void *trace_side(const struct trace *t, enum side_table table, row_id r)
{
	packed_tables_need(t, table);
	const struct column *c = &t->side[table];
	size_t lo = 0, hi = c->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const uint64_t *event = (const void *)((const char *)c->p + mid * c->size);
		if (*event == r)
			return event;
		if (*event < r)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

attr_at trace_end_attrs(const struct trace *t, row_id r)
{
	const struct end_attrs *end = trace_side(t, SIDE_ENDS, r);
	return end ? end->attrs : 0;
}

uint64_t trace_samples(const struct trace *t, uint32_t track, const struct sample **out)
{
	*out = t->samples + t->tracks[track].first_sample;
	return t->tracks[track].n_samples;
}
