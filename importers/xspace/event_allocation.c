/* Blocks that TensorFlow's and XLA's allocators give and take back: MemoryAllocation, MemoryDeallocation. All numbers of the allocator are
 * of the moment after the event. */
#include "xspace.h"
#include "importers/detail_texts.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static str_id told_text(struct xspace *x, enum stat_role role)
{
	str_id id = gathered_text(&x->facts, role, x->strings);
	return id && !span_is(strings_get(x->strings, id), "(null)") ? id : 0;
}

/* The number in "GPU_0_bfc" and "gpu_async_0", -1: none, as in "gpu_host_bfc". */
static int32_t device_in_name(struct span name)
{
	static const char *const before[] = {"GPU_", "gpu_async_"};
	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		size_t at = strlen(before[i]), end = at;
		int32_t n = 0;
		if (!span_starts(name, before[i]))
			continue;
		for (; end < name.n && end < at + 4 && name.p[end] >= '0' && name.p[end] <= '9'; end++)
			n = n * 10 + (name.p[end] - '0');
		return end > at && (end == name.n || name.p[end] == '_') ? n : -1;
	}
	return -1;
}

/* By its name, else, of TPUs, by the number of the device. */
static uint32_t pool_of(struct xspace *x)
{
	char text[32];
	int64_t index;
	str_id name = told_text(x, ROLE_ALLOCATOR);
	if (name)
		return ingest_memory_pool(x->in, name, device_in_name(strings_get(x->strings, name)));
	if (!gathered_int(&x->facts, ROLE_DEVICE_ORDINAL, &index) &&
	    !gathered_int(&x->facts, ROLE_INDEX_ON_HOST, &index))
		return ingest_memory_pool(x->in, strings_addz(x->strings, "unknown"), -1);
	snprintf(text, sizeof text, "%" PRId64, index);
	return ingest_memory_pool(x->in, strings_addz(x->strings, text),
				  index >= 0 && index <= INT16_MAX ? (int32_t)index : -1);
}

static void op_of_block(struct xspace *x, struct allocator_state *s)
{
	str_id tf_op = told_text(x, ROLE_TF_OP);
	struct span text = strings_get(x->strings, tf_op);
	if (tf_op)
		details_tf_op(x->strings, text.p, text.n, &s->op, &s->type);
}

static uint32_t state_of(struct xspace *x)
{
	double fragmentation = gathered_double(&x->facts, ROLE_FRAGMENTATION);
	bool told = fragmentation >= 0 && fragmentation <= 1;
	struct allocator_state s = {.stack_bytes = gathered_or_unknown(&x->facts, ROLE_BYTES_RESERVED),
				    .available_bytes = gathered_or_unknown(&x->facts, ROLE_BYTES_AVAILABLE),
				    .peak_bytes = gathered_or_unknown(&x->facts, ROLE_PEAK_BYTES),
				    .fragmentation = told ? llround(fragmentation * 1e6) : UNKNOWN_I64,
				    .requested_bytes = gathered_or_unknown(&x->facts, ROLE_REQUESTED_BYTES),
				    .shape = told_text(x, ROLE_SHAPE),
				    .region = told_text(x, ROLE_REGION_TYPE),
				    .data_type = gathered_or_unknown(&x->facts, ROLE_DATA_TYPE)};
	op_of_block(x, &s);
	return ingest_allocator_state(x->in, &s);
}

uint32_t detail_allocation(struct xspace *x, const struct event_meta *m)
{
	struct span name = m ? strings_get(x->strings, m->name) : (struct span){"", 0};
	bool freed = span_is(name, "MemoryDeallocation");
	int64_t bytes = gathered_or_unknown(&x->facts, ROLE_ALLOCATION_BYTES), addr;
	if (bytes < 0 && bytes != UNKNOWN_I64)
		return 0;
	if (!freed && (bytes == UNKNOWN_I64 || !span_is(name, "MemoryAllocation")))
		return 0;
	struct allocation a = {.addr = gathered_int(&x->facts, ROLE_ADDR, &addr) ? (uint64_t)addr : 0,
			       .bytes = freed && bytes != UNKNOWN_I64 ? -bytes : bytes,
			       .allocated_bytes = gathered_or_unknown(&x->facts, ROLE_BYTES_ALLOCATED),
			       .reserved_bytes = UNKNOWN_I64,
			       .pool = pool_of(x),
			       .state = state_of(x)};
	return ingest_side(x->in, SIDE_ALLOCATIONS, &a);
}
