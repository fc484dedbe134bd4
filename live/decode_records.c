/* live/decode_records.c - one record of a target as one event of the trace. */
#include "decode_private.h"
#include <math.h>

static struct event_in event(uint64_t start_ns, uint64_t end_ns, uint32_t track, enum event_kind kind)
{
	return (struct event_in){.start_ns = (int64_t)start_ns,
				 .dur_ns = (int64_t)(end_ns - start_ns),
				 .track = track,
				 .kind = (uint8_t)kind,
				 .group = -1,
				 .at = -1};
}

/* ---- attributes: only what says something --------------------------------------------------------------------------- */

static void put_uint(struct decoding *d, enum decode_word key, uint64_t v)
{
	if (v)
		attrs_put_uint(ingest_attrs(d->in), d->words[key], v);
}

static void put_graph(struct decoding *d, uint32_t graph, uint64_t node)
{
	if (graph == 0 || graph == WIRE_NO_ID)
		return;
	put_uint(d, WORD_GRAPH_ID, graph);
	put_uint(d, WORD_GRAPH_NODE, node);
}

static void put_unfinished(struct decoding *d, const struct wire_frame *f)
{
	put_uint(d, WORD_UNFINISHED, f->flags & WIRE_UNFINISHED ? 1 : 0);
}

/* ---- device work ---------------------------------------------------------------------------------------------------- */

static uint32_t kernel_row(struct decoding *d, uint32_t shape, str_id *name)
{
	*name = 0;
	if (shape == 0 || shape > d->s->n_shapes)
		return 0;
	const struct wire_shape *s = &d->s->shapes[shape - 1];
	*name = decode_text(d, s->name);
	if (d->kernels[shape])
		return d->kernels[shape];
	struct kernel_info k;
	kernel_info_init(&k);
	k.registers = s->registers;
	k.static_smem_bytes = s->static_smem_bytes;
	k.dynamic_smem_bytes = s->dynamic_smem_bytes;
	for (int i = 0; i < 3; i++) {
		k.grid[i] = s->grid[i] > 0 ? (uint32_t)s->grid[i] : UNKNOWN_U32;
		k.block[i] = s->block[i] > 0 ? (uint32_t)s->block[i] : UNKNOWN_U32;
	}
	return d->kernels[shape] = ingest_kernel(d->in, &k);
}

static void put_shape(struct decoding *d, uint32_t shape)
{
	if (shape == 0 || shape > d->s->n_shapes)
		return;
	const struct wire_shape *s = &d->s->shapes[shape - 1];
	put_uint(d, WORD_LOCAL_BYTES, s->local_bytes);
	put_uint(d, WORD_EXECUTED_SMEM, s->executed_smem_bytes);
	if (s->cluster[0] > 1 || s->cluster[1] > 1 || s->cluster[2] > 1) {
		char text[48];
		int n = snprintf(text, sizeof text, "%u,%u,%u", s->cluster[0], s->cluster[1], s->cluster[2]);
		attrs_put_str(ingest_attrs(d->in), d->words[WORD_CLUSTER], text, (size_t)n);
	}
}

static void on_kernel(struct decoding *d, const void *record)
{
	const struct wire_kernel *k = record;
	struct event_in e = event(k->start_ns, k->end_ns, decode_stream(d, k->place), KIND_KERNEL);
	e.detail = kernel_row(d, k->shape, &e.name);
	e.corr = k->corr;
	attrs_begin(ingest_attrs(d->in));
	put_shape(d, k->shape);
	put_graph(d, k->graph, k->graph_node);
	if (k->f.flags & WIRE_LATENCY) {
		put_uint(d, WORD_QUEUED, k->queued_ns);
		put_uint(d, WORD_SUBMITTED, k->submitted_ns);
	}
	put_unfinished(d, &k->f);
	e.attrs = attrs_end(ingest_attrs(d->in));
	decode_count(d, &e);
}

static enum memory_kind memory_kind(unsigned cupti)
{
	static const uint8_t kinds[] = {MEM_UNKNOWN, MEM_PAGEABLE, MEM_PINNED, MEM_DEVICE,
					MEM_ARRAY,   MEM_MANAGED,  MEM_DEVICE, MEM_MANAGED};
	return cupti < sizeof kinds ? (enum memory_kind)kinds[cupti] : MEM_UNKNOWN;
}

/* CUPTI's numbers 1 to 10, and the words that profilers show for them. */
static const struct {
	enum copy_kind kind;
	const char *word;
} copies[] = {
	{COPY_UNKNOWN, "Memcpy"}, {COPY_H2D, "HtoD"}, {COPY_D2H, "DtoH"}, {COPY_H2D, "HtoA"},
	{COPY_D2H, "AtoH"},       {COPY_D2D, "AtoA"}, {COPY_D2D, "AtoD"}, {COPY_D2D, "DtoA"},
	{COPY_D2D, "DtoD"},       {COPY_H2H, "HtoH"}, {COPY_P2P, "PtoP"},
};

static const char *memory_word(unsigned cupti)
{
	static const char *const words[] = {"Unknown", "Pageable", "Pinned",        "Device",
					    "Array",   "Managed",  "Device Static", "Managed Static"};
	return cupti < sizeof words / sizeof *words ? words[cupti] : "Unknown";
}

static str_id copy_name(struct decoding *d, const struct wire_copy *c)
{
	char text[80];
	unsigned kind = c->copy_kind < sizeof copies / sizeof *copies ? c->copy_kind : 0;
	snprintf(text, sizeof text, "Memcpy %s (%s -> %s)", kind ? copies[kind].word : "unknown",
		 memory_word(c->from_kind), memory_word(c->to_kind));
	return strings_addz(d->to, text);
}

static void on_copy(struct decoding *d, const void *record)
{
	const struct wire_copy *c = record;
	struct copy_info i;
	copy_info_init(&i);
	i.kind = c->copy_kind < sizeof copies / sizeof *copies ? (uint8_t)copies[c->copy_kind].kind : COPY_UNKNOWN;
	i.src = (uint8_t)memory_kind(c->from_kind);
	i.dst = (uint8_t)memory_kind(c->to_kind);
	i.is_async = c->f.flags & WIRE_ASYNC ? 1 : 0;
	i.bytes = c->bytes <= INT64_MAX ? (int64_t)c->bytes : UNKNOWN_I64;
	struct event_in e = event(c->start_ns, c->end_ns, decode_stream(d, c->place), KIND_COPY);
	e.name = copy_name(d, c);
	e.detail = ingest_copy(d->in, &i);
	e.corr = c->corr;
	attrs_begin(ingest_attrs(d->in));
	put_graph(d, c->graph, c->graph_node);
	put_uint(d, WORD_COPIES, c->count > 1 ? c->count : 0);
	if (c->f.flags & WIRE_PEER) {
		attrs_put_uint(ingest_attrs(d->in), d->words[WORD_FROM_DEVICE], c->from_device);
		attrs_put_uint(ingest_attrs(d->in), d->words[WORD_TO_DEVICE], c->to_device);
	}
	put_unfinished(d, &c->f);
	e.attrs = attrs_end(ingest_attrs(d->in));
	decode_count(d, &e);
}

static void on_memset(struct decoding *d, const void *record)
{
	const struct wire_memset *m = record;
	struct copy_info i;
	char text[48];
	copy_info_init(&i);
	i.kind = COPY_MEMSET;
	i.dst = (uint8_t)memory_kind(m->memory_kind);
	i.is_async = m->f.flags & WIRE_ASYNC ? 1 : 0;
	i.bytes = m->bytes <= INT64_MAX ? (int64_t)m->bytes : UNKNOWN_I64;
	snprintf(text, sizeof text, "Memset (%s)", memory_word(m->memory_kind));
	struct event_in e = event(m->start_ns, m->end_ns, decode_stream(d, m->place), KIND_MEMSET);
	e.name = strings_addz(d->to, text);
	e.detail = ingest_copy(d->in, &i);
	e.corr = m->corr;
	attrs_begin(ingest_attrs(d->in));
	put_uint(d, WORD_VALUE, m->value);
	put_graph(d, m->graph, m->graph_node);
	put_unfinished(d, &m->f);
	e.attrs = attrs_end(ingest_attrs(d->in));
	decode_count(d, &e);
}

/* A whole graph launch: with --graphs whole there is nothing finer. */
static void on_graph(struct decoding *d, const void *record)
{
	const struct wire_graph *g = record;
	char text[40];
	snprintf(text, sizeof text, "CUDA graph %u", g->graph);
	struct event_in e = event(g->start_ns, g->end_ns, decode_stream(d, g->place), KIND_DEVICE_OTHER);
	e.name = strings_addz(d->to, text);
	e.corr = g->corr;
	decode_count(d, &e);
}

/* ---- host ----------------------------------------------------------------------------------------------------------- */

static void on_api(struct decoding *d, const void *record)
{
	const struct wire_api *a = record;
	struct event_in e = event(a->start_ns, a->end_ns, decode_thread(d, a->tid), KIND_RUNTIME);
	e.name = decode_text(d, a->name);
	e.corr = a->corr;
	if (a->result) {
		attrs_begin(ingest_attrs(d->in));
		attrs_put_int(ingest_attrs(d->in), d->words[WORD_RESULT], a->result);
		e.attrs = attrs_end(ingest_attrs(d->in));
	}
	decode_count(d, &e);
}

/* Waits of the host lie on the calling thread as calls already; these tell what was waited for. */
static void on_sync(struct decoding *d, const void *record)
{
	static const char *const words[] = {"wait", "wait for an event", "stream waits for an event",
					    "wait for a stream", "wait for a context"};
	const struct wire_sync *s = record;
	struct event_in e = event(s->start_ns, s->end_ns, decode_process_lane(d, WORD_SYNC_LANE), KIND_OTHER);
	e.name = strings_addz(d->to, words[s->type < sizeof words / sizeof *words ? s->type : 0]);
	attrs_begin(ingest_attrs(d->in));
	if (s->context != WIRE_NO_ID)
		attrs_put_uint(ingest_attrs(d->in), d->words[WORD_CONTEXT], s->context);
	if (s->stream != WIRE_NO_ID)
		attrs_put_uint(ingest_attrs(d->in), d->words[WORD_STREAM], s->stream);
	if (s->event != WIRE_NO_ID)
		attrs_put_uint(ingest_attrs(d->in), d->words[WORD_EVENT], s->event);
	e.attrs = attrs_end(ingest_attrs(d->in));
	decode_count(d, &e);
}

/* 1 << 16 and so on; the words are those that other profilers show. */
static const char *overhead_word(uint32_t what)
{
	static const char *const words[] = {
		"overhead",
		"Buffer Flush",
		"Instrumentation",
		"CUPTI Resource",
		"Runtime Triggered Module Loading",
		"Lazy Function Loading",
		"Command Buffer Full",
		"Activity Buffer Request",
		"Managed Memory Initialization",
	};
	uint32_t n = what >> 16;
	return what == 1 ? "Driver Compiler" : words[n < sizeof words / sizeof *words ? n : 0];
}

static void on_overhead(struct decoding *d, const void *record)
{
	enum { OBJECT_THREAD = 2 };
	const struct wire_overhead *o = record;
	uint32_t track = o->object_kind == OBJECT_THREAD ? decode_thread(d, o->object)
							 : decode_process_lane(d, WORD_OVERHEAD_LANE);
	struct event_in e = event(o->start_ns, o->end_ns, track, KIND_OVERHEAD);
	e.name = strings_addz(d->to, overhead_word(o->what));
	decode_count(d, &e);
}

static void on_marker(struct decoding *d, const void *record)
{
	decode_marker(d, record);
}

/* What the driver gives out, by the sort of memory; blocks of a stream-ordered pool apart, which frees what others may get. */
static uint32_t memory_pool_of(struct decoding *d, const struct wire_memory *m)
{
	enum { PAGEABLE = 1, PINNED = 2, MANAGED = 5, MANAGED_STATIC = 7 };
	bool host = m->memory_kind == PAGEABLE || m->memory_kind == PINNED;
	bool managed = m->memory_kind == MANAGED || m->memory_kind == MANAGED_STATIC;
	const char *name = host      ? "CUDA host memory"
			   : managed ? "CUDA managed memory"
			   : m->pool ? "CUDA memory pool"
				     : "CUDA device memory";
	return ingest_memory_pool(d->in, strings_addz(d->to, name), host ? -1 : decode_ordinal(d, m->place));
}

/* Row of what the record says of the block, 0: not enough. Totals are in no record. */
static uint32_t block_row(struct decoding *d, const struct wire_memory *m)
{
	const struct allocation none = {.allocated_bytes = UNKNOWN_I64, .reserved_bytes = UNKNOWN_I64};
	struct allocation x = none;
	if (m->bytes > INT64_MAX || (m->bytes == 0 && !(m->f.flags & WIRE_FREE)))
		return 0;
	x.addr = m->address;
	x.bytes = m->f.flags & WIRE_FREE ? m->bytes ? -(int64_t)m->bytes : UNKNOWN_I64 : (int64_t)m->bytes;
	x.pool = memory_pool_of(d, m);
	return ingest_side(d->in, SIDE_ALLOCATIONS, &x);
}

static void on_memory(struct decoding *d, const void *record)
{
	const struct wire_memory *m = record;
	struct event_in e = event(m->at_ns, m->at_ns, decode_process_lane(d, WORD_MEMORY_LANE), KIND_MEMORY);
	e.name = strings_addz(d->to, m->f.flags & WIRE_FREE ? "free" : "allocation");
	e.corr = 0;
	attrs_begin(ingest_attrs(d->in));
	put_uint(d, WORD_BYTES, m->bytes);
	put_uint(d, WORD_ADDRESS, m->address);
	const char *kind = memory_word(m->memory_kind);
	attrs_put_ref(ingest_attrs(d->in), d->words[WORD_MEMORY_KIND], strings_addz(d->to, kind));
	e.attrs = attrs_end(ingest_attrs(d->in));
	e.side = block_row(d, m);
	decode_count(d, &e);
}

/* Joins the framework's own numbers with ours; there is no framework's record here to join. */
static void on_external(struct decoding *d, const void *record)
{
	(void)record;
	ingest_notes(d->in)->entries++;
	ingest_notes(d->in)->merged++;
}

static void on_event(struct decoding *d, const void *record)
{
	const struct wire_event *v = record;
	if (v->at_ns == 0) {
		on_external(d, record); /* its record has no time */
		return;
	}
	struct event_in e = event(v->at_ns, v->at_ns, decode_lane(d, v->place, WORD_EVENT_LANE), KIND_INSTANT);
	char text[40];
	snprintf(text, sizeof text, "event %u", v->event);
	e.name = strings_addz(d->to, text);
	decode_count(d, &e);
}

static void on_jit(struct decoding *d, const void *record)
{
	static const char *const words[] = {"compile", "load from cache", "store in cache", "compile"};
	const struct wire_jit *j = record;
	struct event_in e = event(j->start_ns, j->end_ns, decode_process_lane(d, WORD_JIT_LANE), KIND_OTHER);
	char text[64];
	snprintf(text, sizeof text, "%s: %s", j->entry == 2 ? "NVVM to PTX" : "PTX to binary",
		 words[j->operation < sizeof words / sizeof *words ? j->operation : 0]);
	e.name = strings_addz(d->to, text);
	decode_count(d, &e);
}

void decode_record(struct decoding *d, const struct wire_frame *f)
{
	static void (*const takers[WIRE_KIND_COUNT])(struct decoding * d, const void *record) = {
		[WIRE_KERNEL] = on_kernel,     [WIRE_COPY] = on_copy,         [WIRE_MEMSET] = on_memset,
		[WIRE_RUNTIME] = on_api,       [WIRE_DRIVER] = on_api,        [WIRE_SYNC] = on_sync,
		[WIRE_OVERHEAD] = on_overhead, [WIRE_MARKER] = on_marker,     [WIRE_MEMORY] = on_memory,
		[WIRE_GRAPH] = on_graph,       [WIRE_EXTERNAL] = on_external, [WIRE_EVENT] = on_event,
		[WIRE_JIT] = on_jit,
	};
	takers[f->type - WIRE_RECORD](d, f);
}
