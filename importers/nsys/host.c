/* Rows of host threads: calls of CUDA and of the operating system, waits, memory, and what the profiler itself cost. */
#include "nsys.h"
#include <stdio.h>
#include <string.h>

/* "cudaLaunchKernel_v7000", "cudaStreamIsCapturing_v10000" -> the function's name. Versions have four digits or more: the
 * "_v2" of a driver call is part of its name. */
static size_t without_version(struct span s)
{
	size_t digits = 0;
	while (digits < s.n && s.p[s.n - 1 - digits] >= '0' && s.p[s.n - 1 - digits] <= '9')
		digits++;
	size_t tail = digits + 2;
	return digits >= 4 && s.n > tail && s.p[s.n - tail] == '_' && s.p[s.n - tail + 1] == 'v' ? s.n - tail : s.n;
}

static str_id call_name(struct nsys *n, const struct rows *r, int column)
{
	str_id name = nsys_text_at(n, r, column);
	struct span s = strings_get(n->strings, name);
	size_t k = without_version(s);
	return k == s.n ? name : strings_add(n->strings, s.p, k);
}

/* Ids count within a process: of those that share a host with others, only one has device work. */
static bool keeps_correlation(const struct nsys *n, uint32_t process)
{
	return n->gpu_processes < 2 || n->processes[process].on_device;
}

static void call(struct nsys *n, const struct rows *r, enum event_kind kind)
{
	enum { START, END, TID, CORRELATION, NAME, RESULT };
	struct event_in e;
	if (!nsys_times(n, r, START, END, &e))
		return;
	int64_t tid = rows_int_or(r, TID, 0);
	e.track = nsys_thread(n, tid);
	e.name = call_name(n, r, NAME);
	e.kind = (uint8_t)kind;
	if (kind == KIND_RUNTIME && keeps_correlation(n, nsys_process(n, tid)))
		e.corr = nsys_corr(r, CORRELATION);
	attrs_begin(n->attrs);
	nsys_put_int(n, r, RESULT, WORD_RESULT);
	e.attrs = attrs_end(n->attrs);
	ingest_event(n->in, &e);
}

static void take_call(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	call(n, r, KIND_RUNTIME);
}

static void take_os_call(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	call(n, r, KIND_OTHER);
}

/* Making a node of a graph, inside of the call that does it; of a copy of a graph the node that it is a copy of. */
static void take_graph_node(void *reader, const struct rows *r)
{
	enum { START, END, TID, CORRELATION, NAME, RESULT, NODE, ORIGINAL };
	struct nsys *n = reader;
	struct event_in e;
	if (!nsys_times(n, r, START, END, &e))
		return;
	e.track = nsys_thread(n, rows_int_or(r, TID, 0));
	e.name = call_name(n, r, NAME);
	e.kind = KIND_OTHER;
	attrs_begin(n->attrs);
	nsys_put_int(n, r, NODE, WORD_GRAPH_NODE);
	nsys_put_int(n, r, ORIGINAL, WORD_ORIGINAL_NODE);
	e.attrs = attrs_end(n->attrs);
	ingest_event(n->in, &e);
}

/* ---- waits, events -------------------------------------------------------------------------------------------------------- */

/* Waits of the host lie on the calling thread as calls already; these tell what was waited for. */
static void take_sync(void *reader, const struct rows *r)
{
	enum { START, END, PID, TYPE, OLD_TYPE, CONTEXT, STREAM, EVENT };
	struct nsys *n = reader;
	static const char *const words[] = {"wait", "wait for an event", "stream waits for an event",
					    "wait for a stream", "wait for a context"};
	struct event_in e;
	if (!nsys_times(n, r, START, END, &e))
		return;
	int64_t type = rows_int_or(r, TYPE, rows_int_or(r, OLD_TYPE, 0));
	e.track = nsys_process_lane(n, rows_int_or(r, PID, 0), TRACK_OTHER, WORD_SYNC_LANE);
	e.name = strings_addz(n->strings, words[type >= 0 && type < 5 ? type : 0]);
	e.kind = KIND_OTHER;
	attrs_begin(n->attrs);
	nsys_put_int(n, r, CONTEXT, WORD_CONTEXT);
	nsys_put_int(n, r, STREAM, WORD_STREAM);
	nsys_put_int(n, r, EVENT, WORD_EVENT);
	e.attrs = attrs_end(n->attrs);
	ingest_event(n->in, &e);
}

/* Those without a time only join an id with a call. */
static void take_event(void *reader, const struct rows *r)
{
	enum { AT, PID, DEVICE, STREAM, EVENT };
	struct nsys *n = reader;
	char text[48];
	struct event_in e = {.group = -1, .at = -1, .kind = KIND_INSTANT};
	if (!rows_int(r, AT, &e.start_ns) || e.start_ns == 0) {
		n->notes->merged++;
		return;
	}
	e.track = nsys_device_lane(n, rows_int_or(r, PID, 0), rows_int_or(r, DEVICE, 0), rows_int_or(r, STREAM, 0),
				   WORD_EVENT_LANE);
	snprintf(text, sizeof text, "event %lld", (long long)rows_int_or(r, EVENT, 0));
	e.name = strings_addz(n->strings, text);
	ingest_event(n->in, &e);
}

/* ---- memory ------------------------------------------------------------------------------------------------------------- */

static void take_memory(void *reader, const struct rows *r)
{
	enum { AT, PID, DEVICE, OPERATION, BYTES, ADDRESS, KIND };
	struct nsys *n = reader;
	struct event_in e = {.group = -1, .at = -1, .kind = KIND_MEMORY};
	if (!rows_int(r, AT, &e.start_ns)) {
		notes_add(n->notes, NOTE_BAD_TIME, -1, 1);
		return;
	}
	int64_t bytes = rows_int_or(r, BYTES, 0), device = rows_int_or(r, DEVICE, -1);
	bool frees = rows_int_or(r, OPERATION, 0) == 1, on_host = rows_int_or(r, KIND, 2) < 2;
	e.track = nsys_process_lane(n, rows_int_or(r, PID, 0), TRACK_OTHER, WORD_MEMORY_LANE);
	e.name = strings_addz(n->strings, frees ? "free" : "allocation");
	struct allocation x = {.addr = (uint64_t)rows_int_or(r, ADDRESS, 0),
			       .bytes = frees ? -bytes : bytes,
			       .allocated_bytes = UNKNOWN_I64,
			       .reserved_bytes = UNKNOWN_I64};
	if (bytes > 0) {
		bool known = !on_host && device >= 0 && device <= INT16_MAX;
		x.pool = ingest_memory_pool(n->in, n->words[on_host ? WORD_CUDA_HOST : WORD_CUDA],
					    known ? (int32_t)device : -1);
		e.side = ingest_side(n->in, SIDE_ALLOCATIONS, &x);
	}
	attrs_begin(n->attrs);
	nsys_put_int(n, r, BYTES, WORD_BYTES);
	nsys_put_int(n, r, ADDRESS, WORD_ADDRESS);
	nsys_put_int(n, r, KIND, WORD_MEMORY_KIND);
	e.attrs = attrs_end(n->attrs);
	ingest_event(n->in, &e);
}

static void take_page_fault(void *reader, const struct rows *r)
{
	enum { START, END, PID, ADDRESS, FAULTS };
	struct nsys *n = reader;
	struct event_in e;
	if (!nsys_times(n, r, START, END, &e))
		return;
	e.track = nsys_process_lane(n, rows_int_or(r, PID, 0), TRACK_OTHER, WORD_FAULT_LANE);
	e.name = strings_addz(n->strings, "unified memory page fault");
	e.kind = KIND_OTHER;
	attrs_begin(n->attrs);
	nsys_put_int(n, r, ADDRESS, WORD_ADDRESS);
	nsys_put_int(n, r, FAULTS, WORD_FAULTS);
	e.attrs = attrs_end(n->attrs);
	ingest_event(n->in, &e);
}

/* ---- overhead --------------------------------------------------------------------------------------------------------------- */

/* 1 and so on, as CUPTI numbers them; the words are those that other profilers show. */
static const char *const overheads[] = {"overhead",
					"overhead",
					"Driver Compiler",
					"Buffer Flush",
					"Instrumentation",
					"CUPTI Resource",
					"Runtime Triggered Module Loading",
					"Lazy Function Loading",
					"Command Buffer Full"};

static void take_overhead(void *reader, const struct rows *r)
{
	enum { START, END, TID, NAME, TYPE };
	struct nsys *n = reader;
	struct event_in e;
	if (!nsys_times(n, r, START, END, &e))
		return;
	int64_t type = rows_int_or(r, TYPE, 0);
	bool known = type > 1 && type < (int64_t)(sizeof overheads / sizeof *overheads);
	e.track = nsys_thread(n, rows_int_or(r, TID, 0));
	e.name = known ? strings_addz(n->strings, overheads[type]) : nsys_text_at(n, r, NAME);
	e.kind = KIND_OVERHEAD;
	ingest_event(n->in, &e);
}

#define CALL_COLUMNS "start", "end", "globalTid", "correlationId", "nameId", "returnValue"
static const char *const call_columns[] = {CALL_COLUMNS};
static const char *const node_columns[] = {CALL_COLUMNS, "graphNodeId", "originalGraphNodeId"};
static const char *const sync_columns[] = {"start",     "end",      "globalPid", "syncType", "deprecatedSyncType",
					   "contextId", "streamId", "eventId"};
static const char *const event_columns[] = {"timestamp", "globalPid", "deviceId", "streamId", "eventId"};
static const char *const memory_columns[] = {"start", "globalPid", "deviceId", "memoryOperationType",
					     "bytes", "address",   "memKind"};
static const char *const fault_columns[] = {"start", "end", "globalPid", "address", "numberOfPageFaults"};
static const char *const overhead_columns[] = {"start", "end", "globalTid", "nameId", "overheadType"};
const struct row_table nsys_host_tables[] = {ROW_TABLE("CUPTI_ACTIVITY_KIND_RUNTIME", call_columns, take_call),
					     ROW_TABLE("CUPTI_ACTIVITY_KIND_DRIVER", call_columns, take_call),
					     ROW_TABLE("CUDA_GRAPH_NODE_EVENTS", node_columns, take_graph_node),
					     ROW_TABLE("CUDNN_EVENTS", call_columns, take_os_call),
					     ROW_TABLE("CUBLAS_EVENTS", call_columns, take_os_call),
					     ROW_TABLE("OSRT_API", call_columns, take_os_call),
					     ROW_TABLE("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", sync_columns, take_sync),
					     ROW_TABLE("CUPTI_ACTIVITY_KIND_CUDA_EVENT", event_columns, take_event),
					     ROW_TABLE("CUDA_GPU_MEMORY_USAGE_EVENTS", memory_columns, take_memory),
					     ROW_TABLE("CUDA_UM_CPU_PAGE_FAULT_EVENTS", fault_columns, take_page_fault),
					     ROW_TABLE("CUDA_UM_GPU_PAGE_FAULT_EVENTS", fault_columns, take_page_fault),
					     ROW_TABLE("PROFILER_OVERHEAD", overhead_columns, take_overhead),
					     ROW_TABLE("CUPTI_ACTIVITY_KIND_OVERHEAD", overhead_columns, take_overhead),
					     {0}};
