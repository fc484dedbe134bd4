#include "ingest_private.h"
#include "model/store/base/memory.h"
#include "model/store/base/paths.h"
#include "model/store/base/strings.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Keys stand at the start of their rows, so that one index serves all of them. Padding is zeroed. */
struct track_row {
	struct {
		int64_t key;
		uint32_t kind, owner;
		str_id lane;
	} key;
	uint32_t pad;
	struct track_info info;
};
struct process_row {
	struct {
		int64_t pid;
		uint32_t host, pad;
	} key;
	struct process info;
};
enum { TRACK_KEY = 20, PROCESS_KEY = 16, HLO_KEY = offsetof(struct hlo_info, known) };

/* A column knows the size of its elements before the first one is pushed. */
static void set_sizes(struct ingest *in)
{
#define RAW_SIZE(type, name) in->raw.name.size = sizeof(type);
	RAW_COLUMNS(RAW_SIZE)
#undef RAW_SIZE
	in->raw.corr.size = in->raw.attrs.size = in->raw.detail.size = sizeof(uint32_t);
	in->raw.group.size = sizeof(uint16_t);
	in->pairs.size = sizeof(struct pair_point);
	in->pair_rests.size = sizeof(struct pair_rest);
	in->flows.size = sizeof(struct flow_point);
	in->samples.size = sizeof(struct sample_in);
	in->hosts.size = sizeof(struct host);
	in->processes.size = sizeof(struct process_row);
	in->devices.size = sizeof(struct device);
	in->tracks.size = sizeof(struct track_row);
	for (enum side_table i = 0; i < SIDE_TABLE_COUNT; i++)
		in->side[i].size = side_tables[i].row_bytes;
	in->facts.size = sizeof(struct fact);
	in->sources.size = sizeof(struct source_in);
	in->bins.tracks.size = sizeof(struct coverage_row);
}

struct ingest *ingest_new(void)
{
	struct ingest *in = calloc(1, sizeof *in);
	if (!in)
		return NULL;
	set_sizes(in);
	in->strings = strings_new();
	in->attrs = attrs_new(0);
	in->epoch_ns = UNKNOWN_I64;
	pthread_mutex_init(&in->published_lock, NULL);
	bool ok = in->strings && in->attrs;
	for (enum side_table i = 0; ok && i < SIDE_TABLE_COUNT; i++) /* row 0 means "none" */
		ok = side_tables[i].rows != SIDE_NUMBERED || column_push(&in->side[i]);
	if (!ok) {
		ingest_free(in);
		return NULL;
	}
	return in;
}

static void free_texts(struct ingest *in)
{
	for (size_t i = 0; i < in->facts.n; i++) {
		free(((struct fact *)in->facts.p)[i].key);
		free(((struct fact *)in->facts.p)[i].value);
	}
	for (size_t i = 0; i < in->sources.n; i++) {
		free(((struct source_in *)in->sources.p)[i].path);
		free(((struct source_in *)in->sources.p)[i].format);
		free(((struct source_in *)in->sources.p)[i].producer);
	}
}

void ingest_forget_indexes(struct ingest *in)
{
	row_index_free(&in->track_index);
	row_index_free(&in->kernel_index);
	row_index_free(&in->copy_index);
	row_index_free(&in->process_index);
	row_index_free(&in->hlo_index);
	row_index_free(&in->pool_index);
}

void ingest_free(struct ingest *in)
{
	if (!in)
		return;
	ahead_free(in->ahead);
	free_texts(in);
	strings_free(in->strings);
	attrs_free(in->attrs);
#define RAW_FREE(type, name) column_free(&in->raw.name);
	RAW_COLUMNS(RAW_FREE)
#undef RAW_FREE
	column_free(&in->raw.corr);
	column_free(&in->raw.attrs);
	column_free(&in->raw.detail);
	column_free(&in->raw.group);
	struct column *all[] = {&in->pairs,     &in->pair_rests, &in->flows,  &in->samples, &in->hosts,
				&in->processes, &in->devices,    &in->tracks, &in->facts,   &in->sources};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		column_free(all[i]);
	for (enum side_table i = 0; i < SIDE_TABLE_COUNT; i++) {
		column_free(&in->side[i]);
		side_packed_free(&in->packed[i]);
	}
	spare_free(&in->spare);
	ingest_forget_indexes(in);
	coverage_free(in);
	pthread_mutex_destroy(&in->published_lock);
	free(in);
}

void ingest_reuse(struct ingest *in, struct column *c)
{
	spare_column(&in->spare, c);
}

struct strings *ingest_strings(struct ingest *in)
{
	return in->strings;
}

struct notes *ingest_notes(struct ingest *in)
{
	return &in->notes;
}

struct attrs *ingest_attrs(struct ingest *in)
{
	return in->attrs;
}

void ingest_progress(struct ingest *in, struct progress *p)
{
	in->progress = p;
}

void ingest_threads(struct ingest *in, unsigned n)
{
	in->threads = n;
	attrs_threads(in->attrs, n);
	for (enum side_table i = 0; i < SIDE_TABLE_COUNT; i++)
		in->packed[i].threads = n;
}

uint32_t ingest_source(struct ingest *in, const char *path, const char *format)
{
	struct source_in *s = must(column_push(&in->sources));
	s->path = must(strdup(path));
	s->format = must(strdup(format));
	s->producer = NULL;
	s->traits = 0;
	attrs_next_source(in->attrs);
	in->notes.source = (uint32_t)in->sources.n - 1;
	in->source_from.raw = in->raw.n;
	in->source_from.pairs = in->pairs.n;
	in->source_from.flows = in->flows.n;
	in->source_from.samples = in->samples.n;
	return in->notes.source;
}

void ingest_promise(struct ingest *in, uint32_t traits, const char *producer)
{
	struct source_in *s = (struct source_in *)in->sources.p + in->sources.n - 1;
	free(s->producer);
	s->producer = producer ? must(strdup(producer)) : NULL;
	s->traits = traits;
}

void ingest_expect(struct ingest *in, int64_t bytes)
{
	in->source_bytes = bytes;
}

void ingest_fact(struct ingest *in, const char *key, const char *value)
{
	struct fact *f = in->facts.p;
	for (size_t i = 0; i < in->facts.n; i++)
		if (strcmp(f[i].key, key) == 0) {
			free(f[i].value);
			f[i].value = must(strdup(value));
			return;
		}
	f = must(column_push(&in->facts));
	*f = (struct fact){must(strdup(key)), must(strdup(value))};
}

void ingest_epoch(struct ingest *in, int64_t epoch_ns)
{
	if (in->epoch_ns == UNKNOWN_I64)
		in->epoch_ns = epoch_ns;
}

/* ---- who and where ------------------------------------------------------------------------------------------- */

uint32_t ingest_host(struct ingest *in, const char *name, int32_t rank)
{
	str_id id = strings_addz(in->strings, name);
	struct host *h = in->hosts.p;
	for (uint32_t i = 0; i < in->hosts.n; i++)
		if (h[i].name == id && h[i].source == in->notes.source)
			return i;
	h = must(column_push(&in->hosts));
	*h = (struct host){.name = id, .rank = rank, .source = in->notes.source};
	return (uint32_t)in->hosts.n - 1;
}

static bool lies_beside(const struct ingest *in, uint32_t a, uint32_t b)
{
	const struct source_in *s = in->sources.p;
	return strcmp(s[a].format, s[b].format) == 0 && path_same_folder(s[a].path, s[b].path);
}

uint32_t ingest_host_of_run(struct ingest *in, const char *name, int32_t rank)
{
	str_id id = strings_addz(in->strings, name);
	struct host *h = in->hosts.p;
	for (uint32_t i = 0; i < in->hosts.n; i++)
		if (h[i].name == id && lies_beside(in, h[i].source, in->notes.source)) {
			h[i].several_files |= h[i].source != in->notes.source;
			return i;
		}
	return ingest_host(in, name, rank);
}

struct host *ingest_host_info(struct ingest *in, uint32_t host)
{
	return (struct host *)in->hosts.p + host;
}

uint32_t ingest_process(struct ingest *in, uint32_t host, int64_t pid)
{
	struct process_row key = {.key = {pid, host, 0}};
	uint32_t hash = row_index_hash(&key.key, PROCESS_KEY),
		 at = row_index_find(&in->process_index, in->processes.p, in->processes.size, &key.key, PROCESS_KEY,
				     hash);
	if (at != NONE_ID)
		return at;
	struct process_row *p = must(column_push(&in->processes));
	*p = key;
	p->info = (struct process){.host = host, .pid = pid};
	at = (uint32_t)in->processes.n - 1;
	in->failed |= !row_index_add(&in->process_index, hash, at);
	return at;
}

struct process *ingest_process_info(struct ingest *in, uint32_t process)
{
	return &((struct process_row *)in->processes.p)[process].info;
}

uint32_t ingest_device(struct ingest *in, uint32_t host, int64_t ordinal)
{
	struct device *d = in->devices.p;
	for (uint32_t i = 0; i < in->devices.n; i++)
		if (d[i].host == host && d[i].ordinal == ordinal)
			return i;
	d = must(column_push(&in->devices));
	*d = (struct device){.host = host,
			     .ordinal = ordinal,
			     .cc_major = UNKNOWN_I64,
			     .cc_minor = UNKNOWN_I64,
			     .sms = UNKNOWN_I64,
			     .clock_khz = UNKNOWN_I64,
			     .memory_bytes = UNKNOWN_I64,
			     .memory_bytes_per_s = UNKNOWN_I64};
	return (uint32_t)in->devices.n - 1;
}

struct device *ingest_device_info(struct ingest *in, uint32_t device)
{
	return (struct device *)in->devices.p + device;
}

static struct track_info new_track_info(struct ingest *in, const struct track_row *k)
{
	bool on_device = k->key.kind == TRACK_STREAM || k->key.kind == TRACK_STREAM_LANE;
	struct track_info t = {.kind = (enum track_kind)k->key.kind,
			       .process = on_device ? NONE_ID : k->key.owner,
			       .device = on_device ? k->key.owner : NONE_ID,
			       .key = k->key.key,
			       .lane = k->key.lane,
			       .sort = UNKNOWN_I64};
	t.host = on_device ? ingest_device_info(in, k->key.owner)->host : ingest_process_info(in, k->key.owner)->host;
	return t;
}

uint32_t ingest_track(struct ingest *in, enum track_kind kind, uint32_t owner, int64_t key, str_id lane)
{
	struct track_row k = {.key = {key, kind, owner, lane}};
	uint32_t hash = row_index_hash(&k.key, TRACK_KEY),
		 at = row_index_find(&in->track_index, in->tracks.p, in->tracks.size, &k.key, TRACK_KEY, hash);
	if (at != NONE_ID)
		return at;
	k.info = new_track_info(in, &k);
	struct track_row *t = must(column_push(&in->tracks));
	*t = k;
	at = (uint32_t)in->tracks.n - 1;
	in->failed |= !row_index_add(&in->track_index, hash, at);
	return at;
}

struct track_info *ingest_track_info(struct ingest *in, uint32_t track)
{
	return &((struct track_row *)in->tracks.p)[track].info;
}

/* ---- detail rows --------------------------------------------------------------------------------------------- */

void kernel_info_init(struct kernel_info *k)
{
	memset(k, 0, sizeof *k);
	k->registers = k->static_smem_bytes = k->dynamic_smem_bytes = UNKNOWN_U32;
	for (int i = 0; i < 3; i++)
		k->grid[i] = k->block[i] = UNKNOWN_U32;
	k->occupancy_pct = k->blocks_per_sm = NAN;
}

void copy_info_init(struct copy_info *c)
{
	memset(c, 0, sizeof *c);
	c->kind = COPY_UNKNOWN;
	c->is_async = 255;
	c->from_device = c->to_device = -1;
	c->bytes = UNKNOWN_I64;
}

void host_info_init(struct host_info *h)
{
	memset(h, 0, sizeof *h);
	h->step_num = h->iter_num = h->step_id = h->root_level = UNKNOWN_I64;
	h->producer_type = h->consumer_type = h->device_ordinal = h->is_func = UNKNOWN_I64;
}

uint32_t ingest_copy(struct ingest *in, const struct copy_info *c)
{
	uint32_t hash = row_index_hash(c, sizeof *c),
		 at = row_index_find(&in->copy_index, in->copies.p, in->copies.size, c, sizeof *c, hash);
	if (at != NONE_ID)
		return at;
	struct copy_info *p = must(column_push(&in->copies));
	*p = *c;
	at = (uint32_t)in->copies.n - 1;
	in->failed |= !row_index_add(&in->copy_index, hash, at);
	return at;
}

uint32_t ingest_host_detail(struct ingest *in, const struct host_info *h)
{
	struct host_info *p = must(column_push(&in->host_details));
	*p = *h;
	return (uint32_t)in->host_details.n - 1;
}

uint32_t ingest_hlo(struct ingest *in, int64_t program, str_id module, str_id name)
{
	struct hlo_info h = {.program = program, .module = module, .name = name};
	uint32_t hash = row_index_hash(&h, HLO_KEY),
		 at = row_index_find(&in->hlo_index, in->hlos.p, in->hlos.size, &h, HLO_KEY, hash);
	if (at != NONE_ID)
		return at;
	struct hlo_info *p = must(column_push(&in->hlos));
	h.flops = h.bytes = UNKNOWN_I64;
	*p = h;
	at = (uint32_t)in->hlos.n - 1;
	in->failed |= !row_index_add(&in->hlo_index, hash, at);
	return at;
}

uint32_t ingest_hlos(const struct ingest *in)
{
	return (uint32_t)in->hlos.n;
}

struct hlo_info *ingest_hlo_info(struct ingest *in, uint32_t row)
{
	return &((struct hlo_info *)in->hlos.p)[row];
}

uint32_t ingest_copies(const struct ingest *in)
{
	return (uint32_t)in->copies.n;
}

struct copy_info *ingest_copy_info(struct ingest *in, uint32_t row)
{
	return &((struct copy_info *)in->copies.p)[row];
}

uint32_t ingest_memory_pool(struct ingest *in, str_id allocator, int32_t device)
{
	struct memory_pool want = {allocator, device};
	uint32_t hash = row_index_hash(&want, sizeof want),
		 at = row_index_find(&in->pool_index, in->memory_pools.p, in->memory_pools.size, &want, sizeof want,
				     hash);
	if (at != NONE_ID)
		return at;
	struct memory_pool *p = must(column_push(&in->memory_pools));
	*p = want;
	at = (uint32_t)in->memory_pools.n - 1;
	in->failed |= !row_index_add(&in->pool_index, hash, at);
	return at;
}

uint32_t ingest_allocator_state(struct ingest *in, const struct allocator_state *x)
{
	const struct side_table_info *info = &side_tables[SIDE_ALLOCATOR_STATES];
	struct side_packed *p = &in->packed[SIDE_ALLOCATOR_STATES];
	if ((!p->n && !side_packed_add(p, info, in->allocator_states.p)) || !side_packed_add(p, info, x))
		memory_exhausted();
	return (uint32_t)p->n - 1;
}

uint32_t ingest_numbered(struct ingest *in, enum side_table table, const void *row)
{
	memcpy(must(column_push(&in->side[table])), row, side_tables[table].row_bytes);
	return (uint32_t)in->side[table].n - 1;
}

/* A table and a row of it in 32 bits, so that an event in work is no larger for it. */
enum { SIDE_ROW_BITS = 27, SIDE_ROWS_MOST = 1 << SIDE_ROW_BITS };
_Static_assert(SIDE_TABLE_COUNT <= 1 << (32 - SIDE_ROW_BITS), "the table's number must fit, too");

void ingest_side_of(struct ingest *in, enum side_table table, uint64_t event, const void *row)
{
	void *p = column_push(&in->side[table]);
	if (!p) {
		in->failed = true;
		return;
	}
	memcpy(p, row, side_tables[table].row_bytes);
	memcpy(p, &event, sizeof event);
}

uint32_t ingest_side(struct ingest *in, enum side_table table, const void *row)
{
	if (in->side[table].n == SIDE_ROWS_MOST - 1) {
		in->failed = true;
		return 0;
	}
	ingest_side_of(in, table, NONE_ID, row);
	return (uint32_t)table << SIDE_ROW_BITS | (uint32_t)in->side[table].n;
}

void ingest_side_bind(struct ingest *in, uint32_t side, uint64_t event)
{
	const struct column *rows = &in->side[side >> SIDE_ROW_BITS];
	uint32_t number = side & (SIDE_ROWS_MOST - 1);
	if (number)
		memcpy((char *)rows->p + (number - 1) * rows->size, &event, sizeof event);
}
