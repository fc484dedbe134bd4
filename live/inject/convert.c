#include "convert.h"

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

static void one_record(struct convert *c, const void *r)
{
	switch (cupti_kind_of(r)) {
	case CUPTI_KIND_KERNEL:
	case CUPTI_KIND_SERIAL_KERNEL:
		convert_kernel(c, r);
		break;
	case CUPTI_KIND_MEMCPY:
		convert_memcpy(c, r);
		break;
	case CUPTI_KIND_MEMCPY_PEER:
		convert_peer(c, r);
		break;
	case CUPTI_KIND_MEMSET:
		convert_memset(c, r);
		break;
	case CUPTI_KIND_RUNTIME:
		convert_api(c, r, CUPTI_DOMAIN_RUNTIME);
		break;
	case CUPTI_KIND_DRIVER:
	case CUPTI_KIND_INTERNAL_LAUNCH:
		convert_api(c, r, CUPTI_DOMAIN_DRIVER);
		break;
	case CUPTI_KIND_SYNC:
		convert_sync(c, r);
		break;
	case CUPTI_KIND_OVERHEAD:
		convert_overhead(c, r);
		break;
	case CUPTI_KIND_MARKER:
		convert_marker(c, r);
		break;
	case CUPTI_KIND_MEMORY:
		convert_memory(c, r);
		break;
	case CUPTI_KIND_GRAPH:
		convert_graph(c, r);
		break;
	case CUPTI_KIND_EXTERNAL:
		convert_external(c, r);
		break;
	case CUPTI_KIND_CUDA_EVENT:
		convert_event(c, r);
		break;
	case CUPTI_KIND_JIT:
		convert_jit(c, r);
		break;
	case CUPTI_KIND_DEVICE:
		convert_device(c, r);
		break;
	case CUPTI_KIND_STREAM:
		convert_stream(c, r);
		break;
	case CUPTI_KIND_NAME:
		convert_name(c, r);
		break;
	case CUPTI_KIND_CONTEXT:     /* places name contexts */
	case CUPTI_KIND_MARKER_DATA: /* colours and payloads of marks */
		break;
	default:
		atomic_fetch_add_explicit(&c->out->ring.header->unknown, 1, memory_order_relaxed);
	}
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
