#include "breakdown_class.h"
#include "idle.h"
#include "model/analysis/names/letter_pairs.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include "model/store/base/spans.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SCRATCH_BYTES = 1 << 20 };

struct classes {
	const struct derived *d;
	uint8_t *names; /* per text: class of a host event by its name + 1; 0 = not looked at */
	uint8_t *words; /* likewise, of what its words say */
	uint8_t *works; /* likewise, of work of a device that no detail tells more of */
	str_id stage, region_start, region_stop; /* 0 = the trace has no such text */
	uint32_t stage_track;                    /* where the last input stage was met, */
	int64_t stage_end_ns;                    /* and its end: stages inside it are no roots */
	row_id stop_from, stop;                  /* between them no region stops; one thread */
	struct arena scratch;
};

/* What a name alone cannot tell; a name only markers have; one by which causes.rules knows a wait. */
enum { BY_OTHER_MEANS = TIME_COUNT + 1, MARKER_NAME, NAMED_WAIT };

/* Host events by the beginning of their name, compared without case. */
static const struct {
	const char *prefix;
	uint8_t class;
} host_prefixes[] = {
	{"IteratorGetNext", TIME_INPUT_WAIT},
	{"enumerate(DataLoader)#", TIME_INPUT_WAIT},
	{"enumerate(DataPipe)#", TIME_INPUT_WAIT},
	{"InfeedEnqueue", TIME_INPUT_COPY},
	{"EagerExecute", TIME_NONE}, /* dispatch that encloses the op it runs */
	{"EagerLocalExecute", TIME_NONE},
	{"EagerKernelExecute", TIME_NONE},
	{"FunctionRun", TIME_NONE},
	{"MemcpyHToH", TIME_NONE},
};
/* Compilers, anywhere in the name, compared without case. */
static const char *const compilers[] = {"xlacompil",       "xla compil",   "xla_compil",  "::compile",
					"backend_compile", "nvrtccompile", "cumoduleload"};

/* Calls that wait for the device or somebody else, frames of loaders, and the program's own ranges around the load of a batch, as the
 * causes of idle time know them. */
static bool names_wait(const struct derived *d, str_id name)
{
	uint8_t told = cause_of_name(d, name).section;
	return told == CAUSE_INPUT || told == CAUSE_INPUT_WORKER || told == CAUSE_SYNC || told == CAUSE_HOST_WAIT;
}

static uint8_t class_of_words(const char *name)
{
	for (size_t i = 0; i < sizeof host_prefixes / sizeof *host_prefixes; i++)
		if (!strncasecmp(name, host_prefixes[i].prefix, strlen(host_prefixes[i].prefix)))
			return host_prefixes[i].class;
	const struct letter_pairs pairs = letter_pairs_of(name);
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
		if (letter_pairs_may_hold(&pairs, compilers[i]) && strcasestr(name, compilers[i]))
			return TIME_COMPILE;
	bool marker = (!strncmp(name, "train", 5) || !strncmp(name, "test", 4) || !strncmp(name, "TraceContext", 12)) &&
		      !strchr(name, '/');
	return marker ? MARKER_NAME : BY_OTHER_MEANS;
}

static uint8_t class_of_name(struct classes *x, str_id id)
{
	str_id like = derived_names_like(x->d)[id];
	if (!x->words[like])
		x->words[like] = (uint8_t)(class_of_words(trace_str(derived_trace(x->d), like)) + 1);
	uint8_t class = (uint8_t)(x->words[like] - 1);
	if (class != MARKER_NAME && class != BY_OTHER_MEANS)
		return class;
	bool xprof = class == MARKER_NAME && derived_options(x->d)->semantics == SEM_XPROF;
	return !xprof && names_wait(x->d, id) ? NAMED_WAIT : class;
}

/* The copy had arrived before its call returned, or half of it or more ran beside the call for longer than handing over takes, as from
 * pageable memory: the call copies itself, whatever it is called. */
static bool copies_itself(const struct columns *c, row_id call)
{
	row_id work = c->link[call];
	if (c->kind[work] != KIND_COPY)
		return false;
	int64_t beside_ns = row_end(c, call) - c->start_ns[work];
	return beside_ns >= c->dur_ns[work] || (beside_ns >= IDLE_LATENCY_NS && 2 * beside_ns >= c->dur_ns[work]);
}

static bool is_launch_by_details(const struct derived *d, row_id r)
{
	const struct host_info *h = trace_host_detail(derived_trace(d), r);
	if (!h || h->device_ordinal == UNKNOWN_I64)
		return false;
	return number_at(derived_columns(d)->corr, r) ||
	       !strncmp(trace_str(derived_trace(d), derived_columns(d)->name[r]), "ExecutorState::Process", 22);
}

static inline bool is_launch(const struct derived *d, row_id r)
{
	const struct columns *c = derived_columns(d);
	return c->link[r] != NONE_ID ? !copies_itself(c, r) : c->detail[r] && is_launch_by_details(d, r);
}

static uint8_t names_host_collective(struct span name)
{
	static const char *const begins[] = {"gloo:", "mpi:"};
	return TEXT_STARTS_WITH_ONE_OF(name.p, begins);
}

bool is_host_collective(const struct derived *d, str_id name)
{
	return names_host_collective(strings_get(trace_strings(derived_trace(d)), name));
}

static bool holds_collective(const struct derived *d, const struct track_info *k, const uint8_t *names)
{
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++)
		if (names[derived_columns(d)->name[r]])
			return true;
	return false;
}

/* Most traces have no such name, and no event is looked at. */
uint32_t *host_collective_tracks(const struct derived *d, uint32_t *n_tracks)
{
	const struct trace *t = derived_trace(d);
	uint32_t *tracks = NULL, cap = 0;
	uint8_t *names = derived_ask_names(d, names_host_collective);
	for (uint32_t i = 0; names && i < trace_tracks(t); i++) {
		if (!derived_is_host_track(trace_track(t, i)) || !holds_collective(d, trace_track(t, i), names))
			continue;
		GROW_ARRAY(tracks, *n_tracks, cap);
		tracks[(*n_tracks)++] = i;
	}
	free(names);
	return tracks;
}

bool is_host_compute(const struct derived *d, row_id r)
{
	return derived_columns(d)->kind[r] == KIND_OP &&
	       cause_of_name(d, derived_columns(d)->name[r]).section != CAUSE_COMM_CALL;
}

static uint8_t new_name_class(struct classes *x, str_id name)
{
	x->names[name] = (uint8_t)(class_of_name(x, name) + 1);
	return x->names[name];
}

static inline uint8_t name_class(struct classes *x, row_id r)
{
	str_id name = derived_columns(x->d)->name[r];
	uint8_t known = x->names[name];
	return (uint8_t)((known ? known : new_name_class(x, name)) - 1);
}

enum time_class host_class(struct classes *x, row_id r, bool by_time, bool *waits)
{
	const struct derived *d = x->d;
	uint8_t class = name_class(x, r);
	*waits = class == NAMED_WAIT;
	if (class == TIME_INPUT_WAIT || class == TIME_NONE || derived_columns(d)->kind[r] == KIND_PYTHON)
		return class == TIME_INPUT_WAIT ? class : TIME_NONE;
	if (is_launch(d, r))
		return TIME_LAUNCH;
	if (class < TIME_COUNT)
		return class;
	return class == MARKER_NAME && !by_time ? TIME_NONE : TIME_HOST;
}

static enum time_class class_of_work(const struct derived *d, row_id r)
{
	static const uint8_t of_copy[COPY_KINDS] = {
		[COPY_H2D] = TIME_INPUT_COPY, [COPY_D2H] = TIME_OUTPUT, [COPY_D2D] = TIME_D2D,
		[COPY_P2P] = TIME_D2D,        [COPY_H2H] = TIME_NONE,   [COPY_UNKNOWN] = TIME_COMPUTE,
		[COPY_MEMSET] = TIME_COMPUTE,
	};
	return derived_is_collective(d, r) ? TIME_COLLECTIVES : of_copy[derived_copy_kind(d, r)];
}

/* Kernels are most of all work, and their names tell all. */
enum time_class device_class(struct classes *x, row_id r)
{
	const struct columns *c = derived_columns(x->d);
	if (c->kind[r] != KIND_KERNEL)
		return class_of_work(x->d, r);
	uint8_t *class = &x->works[c->name[r]];
	if (!*class)
		*class = (uint8_t)(class_of_work(x->d, r) + 1);
	return (enum time_class)(*class - 1);
}

/* ---- as the reference tool classifies ---------------------------------------------------------------------------------- */

static bool has_stage(struct classes *x, row_id r)
{
	struct attr *attrs;
	size_t n = 0;
	bool found = false;
	if (!x->stage || !attrs_read(trace_attrs(derived_trace(x->d)), number_at(derived_columns(x->d)->attrs, r),
				     &x->scratch, &attrs, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		found |= attrs[i].key == x->stage;
	if (x->scratch.bytes > SCRATCH_BYTES)
		arena_free(&x->scratch);
	return found;
}

/* Stages come in order of their start, outer ones first. */
static bool is_root_stage(struct classes *x, row_id r)
{
	const struct columns *c = derived_columns(x->d);
	if (!has_stage(x, r) || (x->stage_track == c->track[r] && row_end(c, r) <= x->stage_end_ns))
		return false;
	x->stage_track = c->track[r];
	x->stage_end_ns = row_end(c, r);
	return true;
}

/* The thread's next stop event after r; its end when there is none. What was found holds for every r before it. */
static row_id region_stop_after(struct classes *x, row_id r)
{
	const struct columns *c = derived_columns(x->d);
	const struct track_info *k = trace_track(derived_trace(x->d), c->track[r]);
	row_id end = (row_id)(k->first + k->n);
	if (r >= x->stop_from && r < x->stop)
		return x->stop;
	x->stop_from = r;
	for (x->stop = r + 1; x->stop < end && c->name[x->stop] != x->region_stop;)
		x->stop++;
	return x->stop;
}

int64_t class_end_xprof(struct classes *x, row_id r)
{
	const struct columns *c = derived_columns(x->d);
	if (!x->region_start || !x->region_stop || c->name[r] != x->region_start)
		return row_end(c, r);
	row_id stop = region_stop_after(x, r);
	const struct track_info *k = trace_track(derived_trace(x->d), c->track[r]);
	return stop < k->first + k->n ? c->start_ns[stop] : row_end(c, r);
}

bool class_marks_step_xprof(const struct derived *d, row_id marker)
{
	static const char *const silent[] = {"FunctionRun", "SessionRun", "RunGraph", "ExecutorState::Process"};
	for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
		if (marker != NONE_ID &&
		    !strcmp(trace_str(derived_trace(d), derived_columns(d)->name[marker]), silent[i]))
			return false;
	return true;
}

enum time_class host_class_xprof(struct classes *x, row_id r)
{
	static const char to_device[] = "MemcpyHToD";
	uint8_t class = name_class(x, r);
	if (!strncasecmp(trace_str(derived_trace(x->d), derived_columns(x->d)->name[r]), to_device,
			 sizeof to_device - 1))
		return TIME_INPUT_COPY;
	if (is_root_stage(x, r))
		return TIME_INPUT_WAIT;
	if (class == MARKER_NAME)
		return TIME_NONE;
	return class == BY_OTHER_MEANS || class == NAMED_WAIT || class == TIME_COMPILE ? TIME_HOST : class;
}

enum time_class device_class_xprof(const struct classes *x, row_id r)
{
	static const struct {
		const char *prefix;
		enum time_class class;
	} spelled[] = {
		{"MemcpyHToD", TIME_INPUT_COPY}, {"MemcpyDToH", TIME_OUTPUT}, {"MemcpyDToD", TIME_D2D},
		{"MemcpyHToH", TIME_NONE},       {"nccl", TIME_COLLECTIVES},
	};
	const char *name = trace_str(derived_trace(x->d), derived_columns(x->d)->name[r]);
	for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++)
		if (!strncasecmp(name, spelled[i].prefix, strlen(spelled[i].prefix)))
			return spelled[i].class;
	return TIME_COMPUTE;
}

static str_id text_of(const struct derived *d, const char *text)
{
	return strings_find(trace_strings(derived_trace(d)), text, strlen(text));
}

struct classes *classes_new(const struct derived *d)
{
	size_t texts = strings_count(trace_strings(derived_trace(d))) + (size_t)1;
	struct classes *x = must(malloc(sizeof *x));
	*x = (struct classes){.d = d,
			      .names = must(calloc(texts, 1)),
			      .words = must(calloc(texts, 1)),
			      .works = must(calloc(texts, 1)),
			      .stage_track = NONE_ID};
	x->stage = text_of(d, "_ipl_stage_id");
	x->region_start = text_of(d, "ThreadpoolListener::StartRegion");
	x->region_stop = text_of(d, "ThreadpoolListener::StopRegion");
	return x;
}

void classes_free(struct classes *x)
{
	arena_free(&x->scratch);
	free(x->names);
	free(x->words);
	free(x->works);
	free(x);
}
