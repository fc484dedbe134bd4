/* What the machine did meanwhile: who ran on its CPUs, samples, counters of GPUs; and what the profiler says of itself. */
#include "nsys.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- CPUs --------------------------------------------------------------------------------------------------------------- */

static uint32_t thread_lane(struct nsys *n, int64_t tid, enum nsys_word lane)
{
	return ingest_track(n->in, TRACK_OTHER, nsys_process_id(n, nsys_process(n, tid)), tid & 0xffffff,
			    n->words[lane]);
}

/* A thread comes onto a CPU, or leaves it: together a span. */
static void take_schedule(void *reader, const struct rows *r)
{
	enum { AT, CPU, IN, TID };
	struct nsys *n = reader;
	char text[32];
	struct event_in e = {.group = -1, .at = -1, .kind = KIND_OTHER};
	if (!rows_int(r, AT, &e.start_ns)) {
		notes_add(n->notes, NOTE_BAD_TIME, -1, 1);
		return;
	}
	e.track = thread_lane(n, rows_int_or(r, TID, 0), WORD_RUNNING_LANE);
	snprintf(text, sizeof text, "CPU %lld", (long long)rows_int_or(r, CPU, 0));
	e.name = strings_addz(n->strings, text);
	if (rows_int_or(r, IN, 0))
		ingest_begin(n->in, &e);
	else
		ingest_end(n->in, &e);
}

static void take_sample(void *reader, const struct rows *r)
{
	enum { AT, CPU, TID };
	struct nsys *n = reader;
	char text[32];
	struct event_in e = {.group = -1, .at = -1, .kind = KIND_INSTANT};
	if (!rows_int(r, AT, &e.start_ns)) {
		notes_add(n->notes, NOTE_BAD_TIME, -1, 1);
		return;
	}
	e.track = thread_lane(n, rows_int_or(r, TID, 0), WORD_SAMPLE_LANE);
	snprintf(text, sizeof text, "sample on CPU %lld", (long long)rows_int_or(r, CPU, 0));
	e.name = strings_addz(n->strings, text);
	ingest_event(n->in, &e);
}

/* ---- counters -------------------------------------------------------------------------------------------------------------- */

/* Of a type's upper bits the number of the GPU: device, VM and sort are packed into it as into a globalPid. */
static uint64_t metric_key(int64_t type, int64_t metric)
{
	return idmap_hash(&(int64_t[]){type, metric}, 2 * sizeof(int64_t), 4);
}

static void take_metric_name(void *reader, const struct rows *r)
{
	enum { TYPE, METRIC, NAME };
	struct nsys *n = reader;
	n->notes->merged++;
	str_id name = nsys_text_at(n, r, NAME);
	int64_t metric = rows_int_or(r, METRIC, 0);
	*idmap_put(&n->metrics, metric_key(rows_int_or(r, TYPE, 0), metric), name) = name;
}

static void take_metric(void *reader, const struct rows *r)
{
	enum { AT, TYPE, METRIC, VALUE };
	struct nsys *n = reader;
	enum { GPU_BITS = 0xff };
	int64_t at, type = rows_int_or(r, TYPE, 0), metric = rows_int_or(r, METRIC, 0);
	double value;
	char lane[320];
	if (!rows_int(r, AT, &at) || !rows_real(r, VALUE, &value)) {
		notes_add(n->notes, NOTE_COUNTER_NOT_NUMBER, -1, 1);
		return;
	}
	uint32_t name = idmap_get(&n->metrics, metric_key(type, metric));
	struct span text = strings_get(n->strings, name == UINT32_MAX ? 0 : name);
	if (text.n)
		snprintf(lane, sizeof lane, "GPU %lld: %.*s", (long long)(type & GPU_BITS),
			 (int)(text.n < 256 ? text.n : 256), text.p);
	else
		snprintf(lane, sizeof lane, "GPU %lld: metric %lld", (long long)(type & GPU_BITS), (long long)metric);
	uint32_t process = nsys_process_id(n, nsys_process(n, n->n_processes ? n->processes[0].global : 0));
	ingest_sample(n->in, ingest_track(n->in, TRACK_COUNTER, process, 0, strings_addz(n->strings, lane)), at, value);
	n->notes->merged++;
}

/* ---- what the profiler says ----------------------------------------------------------------------------------------------- */

static bool tells_of_losses(struct span text)
{
	static const char *const words[] = {"dropped", "lost", "not all", "missing", "might not have been collected"};
	char all[512];
	snprintf(all, sizeof all, "%.*s", (int)(text.n < sizeof all ? text.n : sizeof all - 1), text.p ? text.p : "");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasestr(all, words[i]))
			return true;
	return false;
}

/* Warnings and errors are shown where they were raised; the rest may quote command lines and stays in the file. */
static void take_diagnostic(void *reader, const struct rows *r)
{
	enum { AT, SEVERITY, TEXT, PID };
	struct nsys *n = reader;
	enum { WARNING = 2, FAILURE = 3 };
	int64_t severity = rows_int_or(r, SEVERITY, 0);
	struct span text = rows_text(r, TEXT);
	struct event_in e = {.group = -1, .at = -1, .kind = KIND_INSTANT};
	bool matters = severity == WARNING || severity == FAILURE;
	if (!matters || !rows_int(r, AT, &e.start_ns)) {
		n->notes->merged++;
		return;
	}
	notes_add(n->notes,
		  tells_of_losses(text) ? NOTE_PRODUCER_DROPPED
		  : severity == FAILURE ? NOTE_PRODUCER_ERROR
					: NOTE_PRODUCER_WARNING,
		  -1, 1);
	e.name = strings_add(n->strings, text.p ? text.p : "", text.n);
	e.track = nsys_process_lane(n, rows_int_or(r, PID, n->n_processes ? n->processes[0].global : 0), TRACK_OTHER,
				    WORD_DIAGNOSTIC_LANE);
	ingest_event(n->in, &e);
}

static const char *const schedule_columns[] = {"start", "cpu", "isSchedIn", "globalTid"};
static const char *const sample_columns[] = {"start", "cpu", "globalTid"};
static const char *const metric_name_columns[] = {"typeId", "metricId", "metricName"};
static const char *const metric_columns[] = {"timestamp", "typeId", "metricId", "value"};
static const char *const diagnostic_columns[] = {"timestamp", "severity", "text", "globalPid"};
const struct row_table nsys_system_tables[] = {
	ROW_TABLE("SCHED_EVENTS", schedule_columns, take_schedule),
	ROW_TABLE("COMPOSITE_EVENTS", sample_columns, take_sample),
	ROW_TABLE("TARGET_INFO_GPU_METRICS", metric_name_columns, take_metric_name),
	ROW_TABLE("GPU_METRICS", metric_columns, take_metric),
	ROW_TABLE("DIAGNOSTIC_EVENT", diagnostic_columns, take_diagnostic),
	{0}};
