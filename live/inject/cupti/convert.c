#include "convert.h"

bool convert_begin(struct convert *c, enum wire_kind kind, uint64_t from_ns, uint64_t to_ns)
{
	output_seen(c->out, kind);
	if (output_is_sane(c->out, from_ns, to_ns))
		return true;
	output_bad_time(c->out, kind);
	return false;
}

void convert_end(struct convert *c, enum wire_kind kind, struct wire_frame *f, uint64_t from_ns, uint64_t to_ns,
		 bool defined)
{
	if (defined)
		output_record(c->out, kind, f, from_ns, to_ns);
	else
		output_drop(c->out, kind, from_ns, to_ns);
}

bool convert_text(struct convert *c, uint64_t address, uint32_t *id)
{
	*id = output_pointer(c->out, address);
	return *id || !address || !*(const char *)(uintptr_t)address;
}

bool convert_place(struct convert *c, uint32_t device, uint32_t context, uint32_t stream, uint32_t channel,
		   uint32_t channel_type, uint32_t *id)
{
	struct wire_place p = {.device = device,
			       .context = context,
			       .stream = stream,
			       .channel = channel_type ? channel : WIRE_NO_ID,
			       .channel_type = channel_type};
	*id = output_place(c->out, &p);
	return *id;
}

static void runtime_call(struct convert *c, const void *r)
{
	convert_api(c, r, CUPTI_DOMAIN_RUNTIME);
}

static void driver_call(struct convert *c, const void *r)
{
	convert_api(c, r, CUPTI_DOMAIN_DRIVER);
}

static void nothing(struct convert *c, const void *r)
{
	(void)c, (void)r;
}

typedef void convert_function(struct convert *c, const void *r);
enum { MAX_KIND = 64 };
static convert_function *const by_kind[MAX_KIND] = {
	[CUPTI_KIND_KERNEL] = convert_kernel,    [CUPTI_KIND_SERIAL_KERNEL] = convert_kernel,
	[CUPTI_KIND_MEMCPY] = convert_memcpy,    [CUPTI_KIND_MEMCPY_PEER] = convert_peer,
	[CUPTI_KIND_MEMSET] = convert_memset,    [CUPTI_KIND_RUNTIME] = runtime_call,
	[CUPTI_KIND_DRIVER] = driver_call,       [CUPTI_KIND_INTERNAL_LAUNCH] = driver_call,
	[CUPTI_KIND_SYNC] = convert_sync,        [CUPTI_KIND_OVERHEAD] = convert_overhead,
	[CUPTI_KIND_MARKER] = convert_marker,    [CUPTI_KIND_MEMORY] = convert_memory,
	[CUPTI_KIND_GRAPH] = convert_graph,      [CUPTI_KIND_EXTERNAL] = convert_external,
	[CUPTI_KIND_CUDA_EVENT] = convert_event, [CUPTI_KIND_JIT] = convert_jit,
	[CUPTI_KIND_DEVICE] = convert_device,    [CUPTI_KIND_STREAM] = convert_stream,
	[CUPTI_KIND_NAME] = convert_name,        [CUPTI_KIND_CONTEXT] = nothing, /* places name contexts */
	[CUPTI_KIND_MARKER_DATA] = nothing,                                      /* payloads of marks */
};

static void one_record(struct convert *c, const void *r)
{
	uint32_t kind = cupti_kind_of(r);
	if (kind < MAX_KIND && by_kind[kind])
		by_kind[kind](c, r);
	else
		atomic_fetch_add_explicit(&c->out->ring.header->unknown, 1, memory_order_relaxed);
}

void convert_buffer(struct convert *c, uint8_t *buffer, size_t valid_bytes)
{
	void *record = NULL;
	cupti_result result = CUPTI_MAX_LIMIT_REACHED;
	if (!output_is_open(c->out))
		return;
	struct wire_header *h = c->out->ring.header;
	while (valid_bytes >= sizeof(uint32_t) && !(result = c->cupti->next_record(buffer, valid_bytes, &record)))
		one_record(c, record);
	if (result != CUPTI_MAX_LIMIT_REACHED) /* a kind it cannot step over: the rest is unreadable */
		atomic_fetch_add_explicit(&h->unknown, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&h->buffers, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&h->buffer_bytes, valid_bytes, memory_order_relaxed);
}
