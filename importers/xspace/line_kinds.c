/* What a line is: a thread, a stream, a computed lane, counters. Told by its plane, its name and its id. */
#include "xspace.h"
#include "model/store/base/grow.h"
#include <stdio.h>

/* Decimal digits at p; false when there is none or they do not fit. */
static bool digits(struct span s, int64_t *out, size_t *used)
{
	int64_t v = 0;
	size_t i = 0;
	for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, s.p[i] - '0', &v))
			return false;
	*out = v;
	*used = i;
	return i > 0;
}

/* ---- lanes a tool derived ----------------------------------------------------------------------------------------- */
/* The ids 0xdeadbeef and up, held in 32 signed bits: +0 steps .. +289, then 16 streams of 100 ids. */
enum { FIRST_DERIVED = -559038737, LAST_DERIVED = FIRST_DERIVED + 290 + 16 * 100 - 1 };

static const char *const level_names[] = {"Steps",           "XLA Modules",           "XLA Ops",
					  "Async XLA Ops",   "Framework Name Scope",  "Framework Ops",
					  "Source code",     "Launch Stats",          "Host Offload Ops",
					  "TensorFlow Ops",  "TensorFlow Name Scope", "Sparse Core Steps",
					  "Sparse Core Ops", "Sparse Core Modules"};

static bool level_name(struct span s)
{
	for (size_t i = 0; i < sizeof level_names / sizeof *level_names; i++)
		if (span_is(s, level_names[i]))
			return true;
	return false;
}

static bool derived_id(int64_t id)
{
	return id >= FIRST_DERIVED && id <= LAST_DERIVED;
}

/* "XLA Ops - from #14" -> "XLA Ops" and 14. */
static bool split_stream(struct span *name, int64_t *stream)
{
	static const char mark[] = " - from #";
	const char *at = name->n ? memmem(name->p, name->n, mark, sizeof mark - 1) : NULL;
	if (!at)
		return false;
	size_t before = (size_t)(at - name->p), used;
	struct span number = {at + sizeof mark - 1, name->n - before - (sizeof mark - 1)};
	if (!digits(number, stream, &used) || used != number.n)
		return false;
	name->n = before;
	return true;
}

/* ---- devices ------------------------------------------------------------------------------------------------------ */
bool plane_is_device(struct span name)
{
	return span_starts(name, "/device:") || span_starts(name, "/custom:") || span_starts(name, "#Chip");
}

bool line_is_counter(struct span name)
{
	return span_starts(name, "_counters_") || span_starts(name, "counters_");
}

/* What a recorder of another kind calls itself: "/device:CUSTOM:Megascale Trace", "/custom:456" of old. */
static bool custom_plane(struct span name)
{
	return span_starts(name, "/device:CUSTOM:") || span_starts(name, "/custom:");
}

/* Its name as recorded, as the device's: "CUSTOM:Megascale Trace". */
static str_id custom_name(struct xspace *x, struct span plane)
{
	size_t skip = span_starts(plane, "/device:") ? sizeof "/device:" - 1 : 1;
	return strings_add(x->strings, plane.p + skip, plane.n - skip);
}

/* "/device:TPU:0 SparseCore 1": the device's own name and what follows it. That of a custom one may have blanks. */
static struct span base_name(struct span plane, struct span *rest)
{
	const char *blank = plane.n && plane.p[0] != '#' && !custom_plane(plane) ? memchr(plane.p, ' ', plane.n) : NULL;
	size_t n = blank ? (size_t)(blank - plane.p) : plane.n;
	*rest = (struct span){plane.p + n + (blank ? 1 : 0), plane.n - n - (blank ? 1 : 0)};
	return (struct span){plane.p, n};
}

static int64_t trailing_number(struct span s)
{
	size_t n = s.n, used;
	int64_t v;
	while (n && s.p[n - 1] >= '0' && s.p[n - 1] <= '9')
		n--;
	return digits((struct span){s.p + n, s.n - n}, &v, &used) ? v : 0;
}

static bool ordinal_taken(const struct xspace *x, int64_t ordinal)
{
	for (size_t i = 0; i < x->n_devices; i++)
		if (x->devices[i].ordinal == ordinal)
			return true;
	return false;
}

/* Devices count as their producer counts; a TPU 0 beside a GPU 0 becomes 1000, and so does a custom one, which goes by its name. */
static uint32_t device_of(struct xspace *x, struct span base)
{
	str_id id = strings_add(x->strings, base.p, base.n);
	for (size_t i = 0; i < x->n_devices; i++)
		if (x->devices[i].plane == id)
			return x->devices[i].device;
	int64_t ordinal = trailing_number(base);
	while (ordinal_taken(x, ordinal))
		ordinal += 1000;
	uint32_t device = ingest_device(x->in, x->host, ordinal);
	GROW_ARRAY(x->devices, x->n_devices, x->devices_cap);
	x->devices[x->n_devices++] = (struct known_device){id, ordinal, device};
	return device;
}

static void set_number(const struct xspace *x, enum stat_role r, int64_t *to)
{
	int64_t v = gathered_or_unknown(&x->facts, r);
	if (v != UNKNOWN_I64)
		*to = v;
}

static void set_text(const struct xspace *x, enum stat_role r, str_id *to)
{
	str_id v = gathered_text(&x->facts, r, x->strings);
	if (v)
		*to = v;
}

void lanes_device(struct xspace *x)
{
	struct span rest, base = base_name(strings_get(x->strings, x->plane.name), &rest);
	struct device *d = ingest_device_info(x->in, device_of(x, base));
	x->plane_pid = UNKNOWN_I64;
	attr_at attrs = plane_stats(x);
	if (attrs && !rest.n)
		d->attrs = attrs;
	set_text(x, ROLE_DEVICE_TYPE, &d->name);
	set_text(x, ROLE_DEVICE_NAME, &d->name);
	if (custom_plane(base))
		d->name = custom_name(x, base);
	set_text(x, ROLE_DEVICE_VENDOR, &d->vendor);
	set_number(x, ROLE_COMPUTE_CAP_MAJOR, &d->cc_major);
	set_number(x, ROLE_COMPUTE_CAP_MINOR, &d->cc_minor);
	set_number(x, ROLE_CORE_COUNT, &d->sms);
	set_number(x, ROLE_CLOCK_RATE, &d->clock_khz);
	set_number(x, ROLE_MEMORY_SIZE, &d->memory_bytes);
	set_number(x, ROLE_MEMORY_BANDWIDTH, &d->memory_bytes_per_s);
}

/* ---- device lines ------------------------------------------------------------------------------------------------- */
/* A TPU records ops and lanes alike. Its `XLA Ops` line is what the core executes, one op after another, and therefore
 * the device work; modules, steps, asynchronous copies and trace marks lie beside it. */
static enum lane tpu_lane(struct span line)
{
	return span_is(line, "XLA Ops") || span_is(line, "Sparse Core Ops") ? LANE_OPS : LANE_RANGE;
}

static enum lane device_lane(struct span base, struct span line, int64_t id, bool *derived)
{
	bool tpu = span_starts(base, "/device:TPU:") || span_starts(base, "#Chip");
	int64_t stream;
	*derived = derived_id(id) || (!tpu && (split_stream(&line, &stream) || level_name(line)));
	if (*derived)
		return LANE_RANGE;
	if (line_is_counter(line))
		return LANE_COUNTER;
	if (span_has(line, "CUPTI overhead"))
		return LANE_OVERHEAD;
	return tpu ? tpu_lane(line) : LANE_STREAM;
}

static str_id lane_name(struct xspace *x, struct span plane_rest, struct span line)
{
	char text[512];
	int n = snprintf(text, sizeof text, "%.*s%s%.*s", (int)(plane_rest.n < 200 ? plane_rest.n : 200), plane_rest.p,
			 plane_rest.n && line.n ? " " : "", (int)(line.n < 300 ? line.n : 300), line.p);
	return strings_add(x->strings, text, (size_t)n);
}

static uint32_t host_process(struct xspace *x);

static struct lane_info counter_lane(struct xspace *x, uint32_t device)
{
	char prefix[64];
	struct span plane = strings_get(x->strings, x->plane.name);
	int64_t ordinal = ingest_device_info(x->in, device)->ordinal;
	int n = custom_plane(plane)
			? snprintf(prefix, sizeof prefix, "%.40s ", strings_get(x->strings, custom_name(x, plane)).p)
			: snprintf(prefix, sizeof prefix, "GPU %lld ", (long long)ordinal);
	return (struct lane_info){.lane = LANE_COUNTER,
				  .counter = strings_add(x->strings, prefix, (size_t)n),
				  .owner = host_process(x),
				  .key = ordinal};
}

static struct lane_info device_line(struct xspace *x, const struct line *l, str_id shown)
{
	struct span rest, base = base_name(strings_get(x->strings, x->plane.name), &rest);
	struct span name = strings_get(x->strings, l->name), line = name;
	uint32_t device = device_of(x, base);
	bool derived;
	enum lane lane = device_lane(base, name, l->id, &derived);
	if (lane == LANE_COUNTER)
		return counter_lane(x, device);
	bool work = lane == LANE_STREAM || lane == LANE_OPS;
	int64_t key = l->id;
	if (derived)
		split_stream(&line, &key);
	str_id lane_id = lane_name(x, rest, work ? (struct span){"", 0} : line);
	uint32_t track = ingest_track(x->in, work ? TRACK_STREAM : TRACK_STREAM_LANE, device, key, lane_id);
	struct track_info *t = ingest_track_info(x->in, track);
	t->name = shown ? shown : t->name;
	t->derived_by_producer = derived;
	return (struct lane_info){.lane = lane, .track = track};
}

/* ---- host lines --------------------------------------------------------------------------------------------------- */
/* Planes whose lines are threads of the one host process; capture merges them into the first, unless it was cut short. */
static bool main_plane(struct span s)
{
	static const char *const names[] = {"/host:CPU",       "/host:CUPTI",         "/host:NVTX-CUPTI",
					    "/host:ROCTRACER", "/host:python-tracer", "/host:TPU-runtime"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (span_is(s, names[i]))
			return true;
	return false;
}

/* The process id, from the stat or from "/host:CPU [4711]". */
void lanes_host(struct xspace *x)
{
	struct span name = strings_get(x->strings, x->plane.name);
	const char *open = name.n ? memchr(name.p, '[', name.n) : NULL;
	size_t used;
	int64_t pid;
	plane_stats(x);
	x->plane_process = NONE_ID;
	x->plane_pid = gathered_or_unknown(&x->facts, ROLE_PROCESS_ID);
	if (x->plane_pid == UNKNOWN_I64 && open &&
	    digits((struct span){open + 1, (size_t)(name.p + name.n - open - 1)}, &pid, &used))
		x->plane_pid = pid;
}

static uint32_t name_process(struct xspace *x, int64_t pid, struct span name)
{
	uint32_t p = ingest_process(x->in, x->host, pid);
	ingest_process_info(x->in, p)->name = strings_add(x->strings, name.p, name.n);
	return p;
}

/* The process of /host:CPU: its pid is 0 unless the plane tells. */
static uint32_t main_process(struct xspace *x)
{
	int64_t pid = x->plane_pid == UNKNOWN_I64 ? 0 : x->plane_pid;
	if (x->main_process == NONE_ID)
		x->main_process = name_process(x, pid, (struct span){"/host:CPU", 9});
	return x->main_process;
}

static uint32_t host_process(struct xspace *x)
{
	struct span name = strings_get(x->strings, x->plane.name);
	if (main_plane(name) || plane_is_device(name))
		return main_process(x);
	if (x->plane_pid != UNKNOWN_I64)
		return name_process(x, x->plane_pid, name);
	if (x->plane_process == NONE_ID)
		x->plane_process = name_process(x, ++x->next_process, name);
	return x->plane_process;
}

/* "Host Threads/4711/NVTX": the thread that a line of another id belongs to. */
static int64_t thread_of(struct span name, int64_t id)
{
	static const char head[] = "Host Threads/";
	int64_t tid;
	size_t used;
	if (!span_starts(name, head) || !span_has(name, "/NVTX"))
		return id;
	struct span rest = {name.p + sizeof head - 1, name.n - (sizeof head - 1)};
	return digits(rest, &tid, &used) ? tid : id;
}

/* A thread's own name counts more than the one its callbacks' line was given. */
static void name_thread(struct xspace *x, struct track_info *t, str_id shown)
{
	bool generic = span_starts(strings_get(x->strings, t->name), "Host Threads/");
	if (!t->name || (generic && shown && !span_starts(strings_get(x->strings, shown), "Host Threads/")))
		t->name = shown;
}

static struct lane_info host_line(struct xspace *x, const struct line *l, str_id shown)
{
	bool derived = derived_id(l->id);
	enum track_kind kind = derived ? TRACK_OTHER : TRACK_THREAD;
	int64_t key = thread_of(strings_get(x->strings, l->name), l->id);
	uint32_t track = ingest_track(x->in, kind, host_process(x), key, derived ? l->name : 0);
	struct track_info *t = ingest_track_info(x->in, track);
	name_thread(x, t, shown);
	t->derived_by_producer = derived;
	return (struct lane_info){.lane = derived ? LANE_HOST_DERIVED : LANE_HOST, .track = track};
}

struct lane_info lane_of(struct xspace *x, const struct line *l)
{
	str_id shown = l->display_name ? l->display_name : l->name;
	bool device = plane_is_device(strings_get(x->strings, x->plane.name));
	struct lane_info lane = device ? device_line(x, l, shown) : host_line(x, l, shown);
	if (l->display_id && lane.lane != LANE_COUNTER)
		ingest_track_info(x->in, lane.track)->sort = l->display_id;
	return lane;
}
