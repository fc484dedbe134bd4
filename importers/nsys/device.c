/* Device work: kernels, copies, memsets, whole graphs; and what stands beside it: events, waits, memory. */
#include "nsys.h"
#include <stdio.h>
#include <string.h>

bool nsys_times(struct nsys *n, const struct rows *r, int start, int end, struct event_in *e)
{
	int64_t a, b;
	*e = (struct event_in){.group = -1, .at = -1};
	if (!rows_int(r, start, &a) || (rows_int(r, end, &b) && __builtin_sub_overflow(b, a, &e->dur_ns))) {
		notes_add(n->notes, NOTE_BAD_TIME, -1, 1);
		return false;
	}
	e->start_ns = a;
	return true;
}

void nsys_put_int(struct nsys *n, const struct rows *r, int column, enum nsys_word key)
{
	int64_t v = rows_int_or(r, column, 0);
	if (v && v != UINT32_MAX)
		attrs_put_int(n->attrs, n->words[key], v);
}

static uint32_t small(const struct rows *r, int column, int64_t most)
{
	int64_t v = rows_int_or(r, column, -1);
	return v >= 0 && v <= most ? (uint32_t)v : UNKNOWN_U32;
}

/* What the tables of device work have in common. */
#define WORK_COLUMNS "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid"
enum { START, END, DEVICE, CONTEXT, STREAM, CORRELATION, PID, WORK_END };

static bool work(struct nsys *n, const struct rows *r, struct event_in *e)
{
	if (!nsys_times(n, r, START, END, e))
		return false;
	uint32_t place = nsys_place(n, rows_int_or(r, PID, 0), rows_int_or(r, DEVICE, 0), rows_int_or(r, CONTEXT, 0),
				    rows_int_or(r, STREAM, 0));
	e->track = n->places[place].track;
	e->corr = nsys_corr(r, CORRELATION);
	return true;
}

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

static void take_kernel(void *reader, const struct rows *r)
{
	struct nsys *n = reader;
	enum {
		DEMANGLED = WORK_END,
		SHORT,
		MANGLED,
		REGISTERS,
		GRID,
		BLOCK = GRID + 3,
		STATIC = BLOCK + 3,
		DYNAMIC,
		LOCAL,
		NODE,
		GRAPH
	};
	/* beyond any hardware: numbers of a damaged file */
	enum { MAX_REGISTERS = 4096, MAX_SHARED_BYTES = 16 << 20, MAX_BLOCK = 1 << 16 };
	struct event_in e;
	struct kernel_info k;
	if (!work(n, r, &e))
		return;
	kernel_info_init(&k);
	k.registers = small(r, REGISTERS, MAX_REGISTERS);
	k.static_smem_bytes = small(r, STATIC, MAX_SHARED_BYTES);
	k.dynamic_smem_bytes = small(r, DYNAMIC, MAX_SHARED_BYTES);
	for (int i = 0; i < 3; i++) {
		k.grid[i] = small(r, GRID + i, INT32_MAX);
		k.block[i] = small(r, BLOCK + i, MAX_BLOCK);
	}
	for (int c = DEMANGLED; !e.name && c <= MANGLED; c++)
		e.name = nsys_text_at(n, r, c);
	e.kind = KIND_KERNEL;
	e.kernel = &k;
	attrs_begin(n->attrs);
	nsys_put_int(n, r, LOCAL, WORD_LOCAL_BYTES);
	nsys_put_int(n, r, NODE, WORD_GRAPH_NODE);
	nsys_put_int(n, r, GRAPH, WORD_GRAPH_ID);
	e.attrs = attrs_end(n->attrs);
	ingest_event(n->in, &e);
}

/* Recorded as one piece: --cuda-graph-trace=graph. */
static void take_graph(void *reader, const struct rows *r)
{
	enum { GRAPH = WORK_END };
	struct nsys *n = reader;
	struct event_in e;
	char text[48];
	if (!work(n, r, &e))
		return;
	snprintf(text, sizeof text, "CUDA graph %lld", (long long)rows_int_or(r, GRAPH, 0));
	e.name = strings_addz(n->strings, text);
	e.kind = KIND_DEVICE_OTHER;
	ingest_event(n->in, &e);
}

/* ---- copies ------------------------------------------------------------------------------------------------------------ */

static const struct {
	enum copy_kind kind;
	const char *name;
} copy_kinds[] = {
	{COPY_UNKNOWN, "Memcpy"},          {COPY_H2D, "Memcpy HtoD"},         {COPY_D2H, "Memcpy DtoH"},
	{COPY_H2D, "Memcpy HtoA"},         {COPY_D2H, "Memcpy AtoH"},         {COPY_D2D, "Memcpy AtoA"},
	{COPY_D2D, "Memcpy AtoD"},         {COPY_D2D, "Memcpy DtoA"},         {COPY_D2D, "Memcpy DtoD"},
	{COPY_H2H, "Memcpy HtoH"},         {COPY_P2P, "Memcpy PtoP"},         {COPY_H2D, "Unified memory HtoD"},
	{COPY_D2H, "Unified memory DtoH"}, {COPY_D2D, "Unified memory DtoD"},
};
static const struct {
	enum memory_kind kind;
	const char *name;
} memories[] = {{MEM_PAGEABLE, "Pageable"}, {MEM_PINNED, "Pinned"}, {MEM_DEVICE, "Device"},  {MEM_ARRAY, "Array"},
		{MEM_MANAGED, "Managed"},   {MEM_DEVICE, "Device"}, {MEM_MANAGED, "Managed"}};
enum { COPY_KINDS_KNOWN = sizeof copy_kinds / sizeof *copy_kinds, MEMORIES = sizeof memories / sizeof *memories };

/* Names as PyTorch's profiler writes them: "Memcpy HtoD (Pageable -> Device)". There are few: made once each. */
static str_id copy_name(struct nsys *n, int64_t kind, int64_t src, int64_t dst)
{
	uint64_t key = (uint64_t)kind << 16 | (uint64_t)(src + 1) << 8 | (uint64_t)(dst + 1);
	uint32_t known = idmap_get(&n->copies, key);
	char text[80];
	if (known != UINT32_MAX)
		return known;
	if (src >= 0 && dst >= 0)
		snprintf(text, sizeof text, "%s (%s -> %s)", copy_kinds[kind].name, memories[src].name,
			 memories[dst].name);
	else
		snprintf(text, sizeof text, "%s", copy_kinds[kind].name);
	return *idmap_put(&n->copies, key, 0) = strings_addz(n->strings, text);
}

static int64_t index_at(const struct rows *r, int column, int64_t count)
{
	int64_t v = rows_int_or(r, column, -1);
	return v >= 0 && v < count ? v : -1;
}

static int64_t bytes_at(const struct rows *r, int column)
{
	int64_t v = rows_int_or(r, column, -1);
	return v >= 0 ? v : UNKNOWN_I64;
}

static int16_t end_device(const struct rows *r, int column)
{
	int64_t v = rows_int_or(r, column, -1);
	return v >= 0 && v <= INT16_MAX ? (int16_t)v : -1;
}

static void take_copy(void *reader, const struct rows *r)
{
	enum { BYTES = WORK_END, KIND, SRC, DST, SRC_DEVICE, DST_DEVICE, NODE, COUNT };
	struct nsys *n = reader;
	struct event_in e;
	struct copy_info c;
	if (!work(n, r, &e))
		return;
	int64_t kind = index_at(r, KIND, COPY_KINDS_KNOWN), src = index_at(r, SRC, MEMORIES),
		dst = index_at(r, DST, MEMORIES);
	kind = kind < 0 ? 0 : kind;
	copy_info_init(&c);
	c.kind = (uint8_t)copy_kinds[kind].kind;
	c.src = src >= 0 ? (uint8_t)memories[src].kind : MEM_UNKNOWN;
	c.dst = dst >= 0 ? (uint8_t)memories[dst].kind : MEM_UNKNOWN;
	c.bytes = bytes_at(r, BYTES);
	c.from_device = end_device(r, SRC_DEVICE);
	c.to_device = end_device(r, DST_DEVICE);
	e.name = copy_name(n, kind, src, dst);
	e.kind = KIND_COPY;
	e.detail = ingest_copy(n->in, &c);
	attrs_begin(n->attrs);
	nsys_put_int(n, r, NODE, WORD_GRAPH_NODE);
	if (rows_int_or(r, COUNT, 1) > 1)
		nsys_put_int(n, r, COUNT, WORD_COPIES);
	e.attrs = attrs_end(n->attrs);
	ingest_event(n->in, &e);
}

static void take_memset(void *reader, const struct rows *r)
{
	enum { BYTES = WORK_END, VALUE, MEMORY, NODE };
	struct nsys *n = reader;
	struct event_in e;
	struct copy_info c;
	if (!work(n, r, &e))
		return;
	int64_t memory = index_at(r, MEMORY, MEMORIES);
	copy_info_init(&c);
	c.kind = COPY_MEMSET;
	c.bytes = bytes_at(r, BYTES);
	c.dst = memory >= 0 ? (uint8_t)memories[memory].kind : MEM_UNKNOWN;
	char text[40];
	snprintf(text, sizeof text, memory >= 0 ? "Memset (%s)" : "Memset", memory >= 0 ? memories[memory].name : "");
	e.name = strings_addz(n->strings, text);
	e.kind = KIND_MEMSET;
	e.detail = ingest_copy(n->in, &c);
	attrs_begin(n->attrs);
	nsys_put_int(n, r, VALUE, WORD_VALUE);
	nsys_put_int(n, r, NODE, WORD_GRAPH_NODE);
	e.attrs = attrs_end(n->attrs);
	ingest_event(n->in, &e);
}

static const char *const kernel_columns[] = {WORK_COLUMNS,
					     "demangledName",
					     "shortName",
					     "mangledName",
					     "registersPerThread",
					     "gridX",
					     "gridY",
					     "gridZ",
					     "blockX",
					     "blockY",
					     "blockZ",
					     "staticSharedMemory",
					     "dynamicSharedMemory",
					     "localMemoryPerThread",
					     "graphNodeId",
					     "graphId"};
static const char *const copy_columns[] = {WORK_COLUMNS,  "bytes",       "copyKind",    "srcKind",  "dstKind",
					   "srcDeviceId", "dstDeviceId", "graphNodeId", "copyCount"};
static const char *const memset_columns[] = {WORK_COLUMNS, "bytes", "value", "memKind", "graphNodeId"};
static const char *const graph_columns[] = {WORK_COLUMNS, "graphId"};
const struct row_table nsys_device_tables[] = {ROW_TABLE("CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns, take_kernel),
					       ROW_TABLE("CUPTI_ACTIVITY_KIND_MEMCPY", copy_columns, take_copy),
					       ROW_TABLE("CUPTI_ACTIVITY_KIND_MEMSET", memset_columns, take_memset),
					       ROW_TABLE("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", graph_columns, take_graph),
					       {0}};
