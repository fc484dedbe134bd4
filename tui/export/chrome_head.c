/* tui/export/chrome_head.c - what stands before the events: facts about the capture that may leave, devices, names of lanes. */
#include "arg_list.h"
#include "chrome_private.h"
#include "json_value.h"
#include <inttypes.h>
#include <string.h>

/* ---- facts ------------------------------------------------------------------------------------------------------------------ */

const char *chrome_fact(const struct trace *t, const char *wanted)
{
	const char *key, *value;
	for (uint32_t i = 0; i < trace_facts(t); i++) {
		trace_fact(t, i, &key, &value);
		if (!strcmp(key, wanted))
			return value;
	}
	return NULL;
}

static void put_member(struct chrome_out *o, const char *key, const char *value)
{
	block_json(&o->b, key);
	block_char(&o->b, ':');
	if (json_value_is(value, strlen(value)) && *value != '"')
		block_text(&o->b, value);
	else
		block_json(&o->b, value);
	block_text(&o->b, ",\n");
}

static void put_facts(struct chrome_out *o)
{
	static const char *const kept[] = {"schemaVersion",       "cuda_runtime_version",
					   "cuda_driver_version", "cupti_version",
					   "hip_runtime_version", "hip_driver_version",
					   "roctracer_version",   "nccl_version",
					   "beginningOfTime",     "baseTimeNanoseconds",
					   "record_shapes",       "profile_memory",
					   "with_stack",          "with_flops",
					   "with_modules",        "trace_level",
					   "span_indx",           "SpanNumber"};
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (chrome_fact(o->t, kept[i]))
			put_member(o, kept[i], chrome_fact(o->t, kept[i]));
}

/* Whose options advice names when the slice is read back. Of frameworks' profilers the events tell it. */
static void put_recorder(struct chrome_out *o)
{
	const char *producer = chrome_fact(o->t, "producer");
	if (trace_traits(o->t) & SOURCE_OUTSIDE && producer)
		put_member(o, "recordedBy", producer);
}

static bool number_of(const char *text, int64_t *v)
{
	int end = 0;
	return text && sscanf(text, "%" SCNd64 "%n", v, &end) == 1 && !text[end] && *v >= 0;
}

/* Times are written as the source wrote them where it says what they count from, or where they are exact as numbers of 53 bits; else
 * they count from the first event. Perfetto drops what lies before 0. */
static void choose_origin(struct chrome_out *o)
{
	const int64_t exact = INT64_C(1) << 53;
	int64_t base_ns, begin = trace_base_ns(o->t), epoch = trace_epoch_ns(o->t);
	if (number_of(chrome_fact(o->t, "baseTimeNanoseconds"), &base_ns))
		o->origin_ns = begin - base_ns;
	else if (chrome_fact(o->t, "beginningOfTime") ||
		 (epoch == UNKNOWN_I64 && begin >= 0 && begin + trace_span_ns(o->t) < exact))
		o->origin_ns = begin;
	else if (epoch != UNKNOWN_I64 && epoch >= 0) {
		char text[32];
		snprintf(text, sizeof text, "%" PRId64, epoch);
		put_member(o, "baseTimeNanoseconds", text);
	}
}

/* ---- devices ---------------------------------------------------------------------------------------------------------------- */

static void put_known(struct chrome_out *o, const char *name, int64_t v)
{
	if (v != UNKNOWN_I64)
		chrome_number(o, name, v);
}

static void put_device(struct chrome_out *o, uint32_t i)
{
	const struct device *x = trace_device(o->t, i);
	block_text(&o->b, "{\"id\":");
	block_i64(&o->b, o->many_hosts ? o->lanes.device[i] : x->ordinal);
	if (x->name)
		chrome_text(o, "name", trace_str(o->t, x->name));
	/* of Chrome traces the name of the device tells it again, if there is one */
	if (x->vendor && (!o->of_chrome || !x->name))
		chrome_text(o, "vendor", trace_str(o->t, x->vendor));
	put_known(o, "computeMajor", x->cc_major);
	put_known(o, "computeMinor", x->cc_minor);
	put_known(o, "numSms", x->sms);
	put_known(o, "clockRate", x->clock_khz);
	put_known(o, "totalGlobalMem", x->memory_bytes);
	if (!o->used_device[i])
		block_text(&o->b, ",\"without_work\":true");
	block_char(&o->b, '}');
}

static bool is_described(const struct device *x)
{
	return x->name || x->vendor || x->cc_major != UNKNOWN_I64 || x->sms != UNKNOWN_I64 ||
	       x->memory_bytes != UNKNOWN_I64;
}

static void put_devices(struct chrome_out *o)
{
	bool any = false;
	for (uint32_t i = 0; i < trace_devices(o->t); i++) {
		if (!is_described(trace_device(o->t, i)) && o->used_device[i])
			continue;
		block_text(&o->b, any ? ",\n" : "\"deviceProperties\":[\n");
		put_device(o, i);
		any = true;
	}
	block_text(&o->b, any ? "],\n" : "");
}

void chrome_head(struct chrome_out *o)
{
	const char *producer = chrome_fact(o->t, "producer");
	o->by_names = trace_traits(o->t) & SOURCE_OP_PATHS || (producer && strstr(producer, "TensorFlow"));
	block_text(&o->b, "{\"displayTimeUnit\":\"ns\",\n");
	put_facts(o);
	put_recorder(o);
	choose_origin(o);
	int32_t rank = trace_hosts(o->t) == 1 ? trace_host(o->t, 0)->rank : -1;
	if (rank >= 0) {
		block_text(&o->b, "\"distributedInfo\":{\"rank\":");
		block_i64(&o->b, rank);
		block_text(&o->b, "},\n");
	}
	put_devices(o);
}

/* ---- names of lanes --------------------------------------------------------------------------------------------------------- */

static void open_meta(struct chrome_out *o, const char *name, int64_t pid)
{
	chrome_next(o);
	block_text(&o->b, "{\"ph\":\"M\"");
	chrome_text(o, "name", name);
	chrome_number(o, "pid", pid);
}

static void meta_text(struct chrome_out *o, const char *name, struct thread_number at, const char *key,
		      const char *text)
{
	open_meta(o, name, at.pid);
	chrome_number(o, "tid", at.tid);
	block_text(&o->b, ",\"args\":{\"");
	block_text(&o->b, key);
	block_text(&o->b, "\":");
	block_json(&o->b, text);
	block_text(&o->b, "}}");
}

static void meta_number(struct chrome_out *o, const char *name, struct thread_number at, const char *key, int64_t v)
{
	open_meta(o, name, at.pid);
	chrome_number(o, "tid", at.tid);
	block_text(&o->b, ",\"args\":{\"");
	block_text(&o->b, key);
	block_text(&o->b, "\":");
	block_i64(&o->b, v);
	block_text(&o->b, "}}");
}

/* Of several hosts: whose the process or the device is, by the words that stepscope reads. */
static void tell_host(struct chrome_out *o, int64_t pid, uint32_t host, int64_t device)
{
	const struct host *h = trace_host(o->t, host);
	if (!o->many_hosts)
		return;
	open_meta(o, "host_of_process", pid);
	block_text(&o->b, ",\"args\":{\"host\":");
	block_json(&o->b, scrub_text(o->scrub, "host", trace_str(o->t, h->name), &o->mem));
	if (h->rank >= 0)
		chrome_number(o, "rank", h->rank);
	if (device >= 0)
		chrome_number(o, "device", device);
	block_text(&o->b, "}}");
}

/* What a process is called by whose number is another one here, by words that stepscope reads: of one that the file named by a text
 * the number was made. */
static void tell_number(struct chrome_out *o, uint32_t i)
{
	int64_t pid = trace_process(o->t, i)->pid;
	if (pid > UINT32_MAX) {
		open_meta(o, "process_without_number", o->lanes.process[i]);
		block_text(&o->b, ",\"args\":{}}");
	} else if (pid != o->lanes.process[i]) {
		meta_number(o, "number_of_process", (struct thread_number){o->lanes.process[i], 0}, "pid", pid);
	}
}

static void name_process(struct chrome_out *o, uint32_t i)
{
	const struct process *x = trace_process(o->t, i);
	struct thread_number at = {o->lanes.process[i], 0};
	tell_number(o, i);
	tell_host(o, at.pid, x->host, -1);
	if (x->name)
		meta_text(o, "process_name", at, "name", scrub_process(o->scrub, o->t, i, &o->mem));
	if (x->labels && !o->scrub)
		meta_text(o, "process_labels", at, "labels", trace_str(o->t, x->labels));
	meta_number(o, "process_sort_index", at, "sort_index", i);
}

/* After the processes, as PyTorch puts them. */
static void name_device(struct chrome_out *o, uint32_t i)
{
	enum { BEHIND = 5000000 };
	struct thread_number at = {o->lanes.device[i], 0};
	char text[160];
	tell_host(o, at.pid, trace_device(o->t, i)->host, trace_device(o->t, i)->ordinal);
	if (o->by_names)
		snprintf(text, sizeof text, "/device:GPU:%" PRId64, trace_device(o->t, i)->ordinal);
	else
		snprintf(text, sizeof text, "%s", scrub_device(o->scrub, o->t, i, &o->mem));
	meta_text(o, "process_name", at, "name", text);
	meta_number(o, "process_sort_index", at, "sort_index", BEHIND + (int64_t)i);
}

static bool has_thread(const struct chrome_out *o, uint32_t track)
{
	enum track_kind k = trace_track(o->t, track)->kind;
	return o->used[track] && k != TRACK_COUNTER && k != TRACK_ASYNC;
}

/* What is beside the threads of a process, by the words that stepscope reads. */
static void name_lane(struct chrome_out *o, const struct track_info *x, struct thread_number at)
{
	const char *lane = trace_str(o->t, x->lane ? x->lane : x->name);
	open_meta(o, "lane_of_process", at.pid);
	chrome_number(o, "tid", at.tid);
	block_text(&o->b, ",\"args\":{\"lane\":");
	block_json(&o->b, scrub_text(o->scrub, "thread", lane, &o->mem));
	block_text(&o->b, x->derived_by_producer ? ",\"derived\":true}}" : "}}");
}

/* Of a thread or stream that goes under another number, and of the rows of events that overlap: whose they are. */
static void tell_thread(struct chrome_out *o, uint32_t i, struct thread_number at)
{
	const struct track_info *x = trace_track(o->t, i);
	int64_t tid = lanes_of_own_number(&o->lanes, i) ? x->key : o->lanes.track[i].tid;
	if (at.tid != tid)
		meta_number(o, "lane_of_thread", at, "tid", tid);
}

static void name_thread(struct chrome_out *o, uint32_t i, struct thread_number at)
{
	const struct track_info *x = trace_track(o->t, i);
	const char *name = scrub_track(o->scrub, o->t, i, &o->mem);
	tell_thread(o, i, at);
	if (*name)
		meta_text(o, "thread_name", at, "name", name);
	if (x->kind == TRACK_OTHER && !o->of_chrome)
		name_lane(o, x, at);
	if (x->sort != UNKNOWN_I64)
		meta_number(o, "thread_sort_index", at, "sort_index", x->sort);
}

void chrome_metadata(struct chrome_out *o)
{
	for (uint32_t i = 0; i < trace_processes(o->t); i++)
		if (o->used_process[i])
			name_process(o, i);
	for (uint32_t i = 0; i < trace_devices(o->t); i++)
		if (o->used_device[i])
			name_device(o, i);
		else
			tell_host(o, o->lanes.device[i], trace_device(o->t, i)->host, trace_device(o->t, i)->ordinal);
	for (uint32_t i = 0; i < trace_tracks(o->t); i++)
		if (has_thread(o, i))
			name_thread(o, i, o->lanes.track[i]);
	for (uint32_t i = 0; i < o->lanes.n_extra; i++) {
		const struct extra_lane *x = &o->lanes.extra[i];
		if (!o->used[x->track])
			continue;
		struct thread_number at = {o->lanes.track[x->track].pid, x->tid};
		name_thread(o, x->track, at);
	}
	arena_free(&o->mem);
}
