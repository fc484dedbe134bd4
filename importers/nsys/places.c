/* Whose a row is: processes, devices, streams, threads, and texts by number. */
#include "nsys.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/store/base/grow.h"

/* ---- texts ------------------------------------------------------------------------------------------------------------ */

str_id nsys_text(struct nsys *n, int64_t id)
{
	uint32_t known = idmap_get(&n->texts, (uint64_t)id);
	if (known != UINT32_MAX || !n->string_ids)
		return known != UINT32_MAX ? known : 0;
	struct span text = lookup_text(n->string_ids, id);
	str_id fresh = text.p ? strings_add(n->strings, text.p, text.n) : 0;
	*idmap_put(&n->texts, (uint64_t)id, fresh) = fresh;
	return fresh;
}

str_id nsys_text_at(struct nsys *n, const struct rows *r, int column)
{
	int64_t id;
	struct span text = rows_text(r, column);
	if (text.p)
		return strings_add(n->strings, text.p, text.n);
	return rows_int(r, column, &id) ? nsys_text(n, id) : 0;
}

/* ---- processes and hosts ------------------------------------------------------------------------------------------------ */

static int64_t process_part(int64_t global)
{
	return global & ~INT64_C(0xffffff);
}

uint32_t nsys_process(struct nsys *n, int64_t global)
{
	global = process_part(global);
	uint32_t at = *idmap_put(&n->process_of, (uint64_t)global, n->n_processes);
	if (at < n->n_processes)
		return at;
	GROW_ARRAY(n->processes, at, n->cap_processes);
	n->processes[at] = (struct nsys_process){.global = global, .process = NONE_ID};
	n->n_processes++;
	return at;
}

/* Its host in the ingest; before nsys_settle_hosts only for processes with device work. */
static uint32_t nsys_host(struct nsys *n, uint32_t process)
{
	struct nsys_process *p = &n->processes[process];
	char name[320];
	if (p->has_host)
		return p->host;
	if (p->on_device)
		snprintf(name, sizeof name, "%s:%lld", n->stem, (long long)nsys_pid(p->global));
	else
		snprintf(name, sizeof name, "%s", n->stem);
	p->host = ingest_host(n->in, name, -1);
	p->has_host = true;
	return p->host;
}

uint32_t nsys_process_id(struct nsys *n, uint32_t process)
{
	struct nsys_process *p = &n->processes[process];
	if (p->process == NONE_ID) {
		uint32_t host = nsys_host(n, process), name = idmap_get(&n->names, (uint64_t)p->global);
		p->process = ingest_process(n->in, host, nsys_pid(p->global));
		if (name != UINT32_MAX)
			ingest_process_info(n->in, p->process)->name = name;
	}
	return p->process;
}

static int by_device(const void *x, const void *y)
{
	const struct nsys_process *const *a = x, *const *b = y;
	return (*a)->device < (*b)->device ? -1 : (*a)->device > (*b)->device;
}

/* One process for each GPU: launchers give GPU k of a machine to its k-th rank. */
static void number_ranks(struct nsys *n, struct nsys_process **of, uint32_t count)
{
	qsort(of, count, sizeof *of, by_device);
	for (uint32_t i = 0; i < count; i++)
		if (of[i]->several_devices || (i && of[i]->device == of[i - 1]->device))
			return;
	for (uint32_t i = 0; i < count; i++)
		ingest_host_info(n->in, of[i]->host)->rank = (int32_t)i;
}

/* The only one with device work has the host for itself, and all others are on it. */
void nsys_settle_hosts(struct nsys *n)
{
	struct nsys_process **worked = calloc(n->n_processes + 1, sizeof *worked);
	uint32_t count = 0;
	for (uint32_t i = 0; worked && i < n->n_processes; i++)
		if (n->processes[i].on_device)
			worked[count++] = &n->processes[i];
	n->gpu_processes = count;
	if (count == 1) {
		struct host *h = ingest_host_info(n->in, worked[0]->host);
		h->name = strings_addz(n->strings, n->stem);
		h->rank = n->rank;
	} else if (count) {
		number_ranks(n, worked, count);
	} else {
		ingest_host(n->in, n->stem, n->rank);
	}
	free(worked);
}

/* ---- devices and streams ------------------------------------------------------------------------------------------------ */

static uint64_t hash_of(int64_t a, int64_t b, uint64_t with)
{
	return idmap_hash(&(int64_t[]){a, b}, 2 * sizeof(int64_t), with);
}

/* CUDA numbers the GPUs that a process may see; the machine's own number is another table's. */
static int64_t gpu_number(const struct nsys *n, int64_t global, int64_t device)
{
	uint32_t id = idmap_get(&n->gpu_of, hash_of(nsys_pid(global), device, 0));
	return id == UINT32_MAX ? device : (int64_t)id;
}

static void describe(struct nsys *n, uint32_t device, int64_t number)
{
	struct device *to = ingest_device_info(n->in, device);
	to->vendor = strings_addz(n->strings, "Nvidia");
	to = ingest_device_info(n->in, device);
	for (uint32_t i = 0; i < n->n_gpus; i++)
		if (n->gpus[i].id == number) {
			const struct nsys_gpu *g = &n->gpus[i];
			to->name = g->name;
			to->memory_bytes = g->memory_bytes;
			to->memory_bytes_per_s = g->bytes_per_s;
			to->clock_khz = g->clock_khz;
			to->sms = g->sms;
			to->cc_major = g->cc_major;
			to->cc_minor = g->cc_minor;
		}
}

static uint32_t device_of(struct nsys *n, uint32_t process, int64_t device)
{
	struct nsys_process *p = &n->processes[process];
	int64_t number = gpu_number(n, p->global, device);
	if (!p->on_device)
		p->device = number;
	p->several_devices |= p->device != number;
	p->on_device = true;
	uint32_t id = ingest_device(n->in, nsys_host(n, process), number);
	describe(n, id, number);
	return id;
}

/* Streams of two contexts may have one number: all but the first context seen say which. */
static uint32_t stream_track(struct nsys *n, const struct nsys_place *p)
{
	char lane[48] = "";
	uint32_t context = (uint32_t)p->context;
	uint64_t key = hash_of(p->device_id, p->stream, 1);
	if (*idmap_put(&n->context_of, key, context) != context)
		snprintf(lane, sizeof lane, "context %lld", (long long)p->context);
	uint32_t track = ingest_track(n->in, TRACK_STREAM, p->device_id, p->stream, strings_addz(n->strings, lane));
	if (*lane) {
		char name[80];
		snprintf(name, sizeof name, "stream %lld, %s", (long long)p->stream, lane);
		ingest_track_info(n->in, track)->name = strings_addz(n->strings, name);
	}
	return track;
}

static bool same_place(const struct nsys_place *a, const struct nsys_place *b)
{
	return a->process == b->process && a->device == b->device && a->context == b->context && a->stream == b->stream;
}

uint32_t nsys_place(struct nsys *n, int64_t global, int64_t device, int64_t context, int64_t stream)
{
	struct nsys_place p = {
		.process = nsys_process(n, global), .device = device, .context = context, .stream = stream};
	uint64_t key = hash_of(device, context, hash_of(p.process, stream, 2));
	for (;; key++) {
		uint32_t at = *idmap_put(&n->place_of, key, n->n_places);
		if (at == n->n_places)
			break;
		if (same_place(&n->places[at], &p))
			return at;
	}
	p.device_id = device_of(n, p.process, device);
	p.track = stream_track(n, &p);
	GROW_ARRAY(n->places, n->n_places, n->cap_places);
	n->places[n->n_places] = p;
	return n->n_places++;
}

uint32_t nsys_process_lane(struct nsys *n, int64_t global, enum track_kind kind, enum nsys_word lane)
{
	return ingest_track(n->in, kind, nsys_process_id(n, nsys_process(n, global)), 0, n->words[lane]);
}

/* Only where the process did work on that device: a wait alone makes no device. */
uint32_t nsys_device_lane(struct nsys *n, int64_t global, int64_t device, int64_t stream, enum nsys_word lane)
{
	uint32_t process = nsys_process(n, global);
	const struct nsys_process *p = &n->processes[process];
	if (!p->on_device || (p->several_devices ? 0 : gpu_number(n, p->global, device) != p->device))
		return nsys_process_lane(n, global, TRACK_OTHER, lane);
	return ingest_track(n->in, TRACK_STREAM_LANE, device_of(n, process, device), stream, n->words[lane]);
}

/* ---- threads ------------------------------------------------------------------------------------------------------------ */

uint32_t nsys_thread(struct nsys *n, int64_t global_tid)
{
	uint32_t known = idmap_get(&n->thread_of, (uint64_t)global_tid);
	if (known != UINT32_MAX)
		return known;
	uint32_t process = nsys_process_id(n, nsys_process(n, global_tid));
	uint32_t track = ingest_track(n->in, TRACK_THREAD, process, global_tid & 0xffffff, 0);
	uint32_t name = idmap_get(&n->names, (uint64_t)global_tid);
	if (name != UINT32_MAX && (global_tid & 0xffffff))
		ingest_track_info(n->in, track)->name = name;
	*idmap_put(&n->thread_of, (uint64_t)global_tid, track) = track;
	return track;
}

void nsys_places_free(struct nsys *n)
{
	struct idmap *const maps[] = {&n->texts,     &n->process_of, &n->place_of,    &n->context_of, &n->gpu_of,
				      &n->thread_of, &n->names,      &n->domains,     &n->categories, &n->metrics,
				      &n->copies,    &n->schemas,    &n->enum_values, &n->group_sizes};
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		idmap_free(maps[i]);
	free(n->processes);
	free(n->places);
	free(n->gpus);
	free(n->fields);
}

/* ---- who is who --------------------------------------------------------------------------------------------------------- */

static void take_process(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	str_id name = nsys_text_at(n, r, 1);
	int64_t global;
	n->notes->merged++;
	if (rows_int(r, 0, &global) && name)
		*idmap_put(&n->names, (uint64_t)process_part(global), name) = name;
}

static void take_thread_name(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	int64_t tid;
	n->notes->merged++;
	if (!rows_int(r, 0, &tid))
		return;
	str_id name = nsys_text_at(n, r, 1);
	/* that of thread 0 would be the process's */
	if (name && (tid & 0xffffff))
		*idmap_put(&n->names, (uint64_t)tid, name) = name;
}

static int64_t positive(const struct rows *r, int column)
{
	int64_t v = rows_int_or(r, column, 0);
	return v > 0 ? v : UNKNOWN_I64;
}

static void take_gpu(void *reader, const struct rows *r)
{
	enum { ID, NAME, MEMORY, BANDWIDTH, CLOCK, SMS, MAJOR, MINOR };
	struct nsys *n = reader;
	enum { LEAST_HZ = 100000000 };
	const int64_t most_kb_per_s = INT64_C(20000000000);
	n->notes->merged++;
	int64_t id = rows_int_or(r, ID, -1), bandwidth = positive(r, BANDWIDTH), clock = positive(r, CLOCK);
	GROW_ARRAY(n->gpus, n->n_gpus, n->cap_gpus);
	n->gpus[n->n_gpus++] = (struct nsys_gpu){
		.id = id,
		.name = nsys_text_at(n, r, NAME),
		.memory_bytes = positive(r, MEMORY),
		/* bytes and Hz; older versions wrote them as CUPTI does: kB/s and kHz */
		.bytes_per_s = bandwidth != UNKNOWN_I64 && bandwidth < most_kb_per_s ? bandwidth * 1000 : bandwidth,
		.clock_khz = clock > LEAST_HZ ? clock / 1000 : clock,
		.sms = positive(r, SMS),
		.cc_major = positive(r, MAJOR),
		.cc_minor = rows_int_or(r, MINOR, UNKNOWN_I64)};
}

static void take_cuda_device(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	int64_t gpu = rows_int_or(r, 0, -1), cuda = rows_int_or(r, 1, -1), pid = rows_int_or(r, 2, -1);
	n->notes->merged++;
	if (gpu >= 0 && gpu < INT32_MAX && cuda >= 0)
		*idmap_put(&n->gpu_of, hash_of(pid, cuda, 0), (uint32_t)gpu) = (uint32_t)gpu;
}

static void take_session(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	n->notes->merged++;
	int64_t utc = rows_int_or(r, 0, UNKNOWN_I64), clock = rows_int_or(r, 1, UNKNOWN_I64);
	n->epoch_ns = utc;
	if (clock != UNKNOWN_I64)
		n->base_ns = clock;
}

/* When the capture began, by the clock of the events; before there was systemClockNs. */
static void take_analysis(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	n->notes->merged++;
	if (n->base_ns == UNKNOWN_I64)
		n->base_ns = rows_int_or(r, 0, UNKNOWN_I64);
}

/* Versions only: paths, hosts, users, arguments and variables stay in the file. */
static void take_export(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	static const struct {
		const char *name, *fact;
	} kept[] = {{"EXPORT_PRODUCT_VERSION", "nsys_version"}, {"EXPORT_SCHEMA_VERSION", "nsys_schema"}};
	struct span name = rows_text(r, 0), value = rows_text(r, 1);
	char text[64];
	n->notes->merged++;
	for (size_t i = 0; name.p && value.p && i < sizeof kept / sizeof *kept; i++)
		if (strlen(kept[i].name) == name.n && !memcmp(kept[i].name, name.p, name.n)) {
			snprintf(text, sizeof text, "%.*s", (int)(value.n < 60 ? value.n : 60), value.p);
			ingest_fact(n->in, kept[i].fact, text);
		}
}

static const char *const process_columns[] = {"globalPid", "name"};
static const char *const thread_columns[] = {"globalTid", "nameId"};
static const char *const gpu_columns[] = {"id",        "name",    "totalMemory",  "memoryBandwidth",
					  "clockRate", "smCount", "computeMajor", "computeMinor"};
static const char *const cuda_device_columns[] = {"gpuId", "cudaId", "pid"};
static const char *const session_columns[] = {"utcEpochNs", "systemClockNs"};
static const char *const analysis_columns[] = {"startTime"};
static const char *const export_columns[] = {"name", "value"};
const struct row_table nsys_first_tables[] = {
	ROW_TABLE("META_DATA_EXPORT", export_columns, take_export),
	ROW_TABLE("TARGET_INFO_SESSION_START_TIME", session_columns, take_session),
	ROW_TABLE("ANALYSIS_DETAILS", analysis_columns, take_analysis),
	ROW_TABLE("PROCESSES", process_columns, take_process),
	ROW_TABLE("ThreadNames", thread_columns, take_thread_name),
	ROW_TABLE("TARGET_INFO_GPU", gpu_columns, take_gpu),
	ROW_TABLE("TARGET_INFO_CUDA_DEVICE", cuda_device_columns, take_cuda_device),
	{0}};
