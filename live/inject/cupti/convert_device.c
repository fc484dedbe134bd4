/* Records of device work. */
#include "convert.h"
#include <string.h>

/* As convert_begin, of device work: one that still ran at the stop ends there. */
static bool begin_work(struct convert *c, enum wire_kind kind, uint64_t start_ns, uint64_t *end_ns, uint16_t *flags)
{
	c->device_records++;
	c->zero_stamps = start_ns || *end_ns ? 0 : c->zero_stamps + 1;
	if (start_ns && !*end_ns && c->stopped_ns >= start_ns) {
		*end_ns = c->stopped_ns;
		*flags |= WIRE_UNFINISHED;
	}
	return convert_begin(c, kind, start_ns, *end_ns);
}

static bool kernel_shape(struct convert *c, const void *r, uint32_t v, uint32_t *id)
{
	struct wire_shape s = {
		.grid = {kernel_grid_x(r, v), kernel_grid_y(r, v), kernel_grid_z(r, v)},
		.block = {kernel_block_x(r, v), kernel_block_y(r, v), kernel_block_z(r, v)},
		.cluster = {kernel_cluster_x(r, v), kernel_cluster_y(r, v), kernel_cluster_z(r, v)},
		.registers = kernel_registers(r, v),
		.static_smem_bytes = (uint32_t)kernel_static_smem(r, v),
		.dynamic_smem_bytes = (uint32_t)kernel_dynamic_smem(r, v),
		.local_bytes = kernel_local(r, v),
		.executed_smem_bytes = kernel_executed_smem(r, v),
		.launch_type = kernel_launch_type(r, v),
		.max_clusters = kernel_max_clusters(r, v),
	};
	if (!convert_text(c, kernel_name(r, v), &s.name))
		return false;
	*id = output_shape(c->out, &s);
	return *id;
}

void convert_kernel(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	struct wire_kernel k = {.f.bytes = WIRE_KERNEL_SHORT,
				.start_ns = convert_time(c, kernel_start(r, v)),
				.end_ns = convert_time(c, kernel_end(r, v)),
				.corr = kernel_corr(r, v),
				.graph = kernel_graph(r, v),
				.graph_node = kernel_graph_node(r, v),
				.queued_ns = convert_time(c, kernel_queued(r, v)),
				.submitted_ns = convert_time(c, kernel_submitted(r, v))};
	if (!begin_work(c, WIRE_KERNEL, k.start_ns, &k.end_ns, &k.f.flags))
		return;
	if (k.queued_ns || k.submitted_ns) {
		k.f.bytes = sizeof k;
		k.f.flags |= WIRE_LATENCY;
	}
	if (kernel_by_device(r, v))
		k.f.flags |= WIRE_DEVICE_LAUNCHED;
	bool defined = kernel_shape(c, r, v, &k.shape) &&
		       convert_place(c, kernel_device(r, v), kernel_context(r, v), kernel_stream(r, v),
				     kernel_channel(r, v), kernel_channel_type(r, v), &k.place);
	convert_end(c, WIRE_KERNEL, &k.f, k.start_ns, k.end_ns, defined);
}

void convert_memcpy(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	uint64_t count = memcpy_count(r, v);
	struct wire_copy k = {.f.bytes = sizeof k,
			      .f.flags = memcpy_flags(r, v) & 1 ? WIRE_ASYNC : 0,
			      .start_ns = convert_time(c, memcpy_start(r, v)),
			      .end_ns = convert_time(c, memcpy_end(r, v)),
			      .bytes = memcpy_bytes(r, v),
			      .corr = memcpy_corr(r, v),
			      .graph = memcpy_graph(r, v),
			      .graph_node = memcpy_graph_node(r, v),
			      .count = count > 1 && count < UINT32_MAX ? (uint32_t)count : 1,
			      .from_device = WIRE_NO_ID,
			      .to_device = WIRE_NO_ID,
			      .copy_kind = memcpy_copy_kind(r, v),
			      .from_kind = memcpy_from_kind(r, v),
			      .to_kind = memcpy_to_kind(r, v)};
	if (!begin_work(c, WIRE_COPY, k.start_ns, &k.end_ns, &k.f.flags))
		return;
	if (memcpy_by_device(r, v))
		k.f.flags |= WIRE_DEVICE_LAUNCHED;
	bool placed = convert_place(c, memcpy_device(r, v), memcpy_context(r, v), memcpy_stream(r, v),
				    memcpy_channel(r, v), memcpy_channel_type(r, v), &k.place);
	convert_end(c, WIRE_COPY, &k.f, k.start_ns, k.end_ns, placed);
}

void convert_peer(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	struct wire_copy k = {.f.bytes = sizeof k,
			      .f.flags = (uint16_t)(WIRE_PEER | (peer_flags(r, v) & 1 ? WIRE_ASYNC : 0)),
			      .start_ns = convert_time(c, peer_start(r, v)),
			      .end_ns = convert_time(c, peer_end(r, v)),
			      .bytes = peer_bytes(r, v),
			      .corr = peer_corr(r, v),
			      .graph = peer_graph(r, v),
			      .graph_node = peer_graph_node(r, v),
			      .count = 1,
			      .from_device = peer_from_device(r, v),
			      .to_device = peer_to_device(r, v),
			      .copy_kind = peer_copy_kind(r, v),
			      .from_kind = peer_from_kind(r, v),
			      .to_kind = peer_to_kind(r, v)};
	if (!begin_work(c, WIRE_COPY, k.start_ns, &k.end_ns, &k.f.flags))
		return;
	bool placed = convert_place(c, peer_device(r, v), peer_context(r, v), peer_stream(r, v), peer_channel(r, v),
				    peer_channel_type(r, v), &k.place);
	convert_end(c, WIRE_COPY, &k.f, k.start_ns, k.end_ns, placed);
}

void convert_memset(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	struct wire_memset k = {.f.bytes = sizeof k,
				.f.flags = memset_flags(r, v) & 1 ? WIRE_ASYNC : 0,
				.start_ns = convert_time(c, memset_start(r, v)),
				.end_ns = convert_time(c, memset_end(r, v)),
				.bytes = memset_bytes(r, v),
				.corr = memset_corr(r, v),
				.graph = memset_graph(r, v),
				.graph_node = memset_graph_node(r, v),
				.value = memset_value(r, v),
				.memory_kind = memset_memory_kind(r, v)};
	if (!begin_work(c, WIRE_MEMSET, k.start_ns, &k.end_ns, &k.f.flags))
		return;
	bool defined = convert_place(c, memset_device(r, v), memset_context(r, v), memset_stream(r, v),
				     memset_channel(r, v), memset_channel_type(r, v), &k.place);
	convert_end(c, WIRE_MEMSET, &k.f, k.start_ns, k.end_ns, defined);
}

void convert_graph(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout, device = graph_device(r, v);
	struct wire_graph k = {.f.bytes = sizeof k,
			       .start_ns = convert_time(c, graph_start(r, v)),
			       .end_ns = convert_time(c, graph_end(r, v)),
			       .corr = graph_corr(r, v),
			       .graph = graph_graph(r, v)};
	if (!begin_work(c, WIRE_GRAPH, k.start_ns, &k.end_ns, &k.f.flags))
		return;
	if (device == INT32_MAX) /* begins on the host */
		device = WIRE_NO_ID;
	bool defined = convert_place(c, device, graph_context(r, v), graph_stream(r, v), 0, 0, &k.place);
	convert_end(c, WIRE_GRAPH, &k.f, k.start_ns, k.end_ns, defined);
}

void convert_event(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	struct wire_event k = {.f.bytes = sizeof k,
			       .at_ns = convert_time(c, event_at(r, v)),
			       .corr = event_corr(r, v),
			       .event = event_event(r, v)};
	output_seen(c->out, WIRE_EVENT);
	if (k.at_ns && !output_is_sane(c->out, k.at_ns, k.at_ns))
		k.at_ns = 0;
	bool defined = convert_place(c, v >= 26 ? event_device(r, v) : WIRE_NO_ID, event_context(r, v),
				     event_stream(r, v), 0, 0, &k.place);
	convert_end(c, WIRE_EVENT, &k.f, k.at_ns, k.at_ns, defined);
}

void convert_memory(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	struct wire_memory k = {.f.bytes = sizeof k,
				.at_ns = convert_time(c, memory_at(r, v)),
				.address = memory_address(r, v),
				.bytes = memory_bytes(r, v),
				.corr = memory_corr(r, v),
				.memory_kind = memory_memory_kind(r, v),
				.pool = memory_pool(r, v)};
	k.f.flags =
		(uint16_t)((memory_operation(r, v) == 2 ? WIRE_FREE : 0) | (memory_is_async(r, v) ? WIRE_ASYNC : 0));
	if (!convert_begin(c, WIRE_MEMORY, k.at_ns, k.at_ns))
		return;
	bool defined = convert_text(c, memory_name(r, v), &k.name) &&
		       convert_place(c, memory_device(r, v), memory_context(r, v), memory_stream(r, v), 0, 0, &k.place);
	convert_end(c, WIRE_MEMORY, &k.f, k.at_ns, k.at_ns, defined);
}

void convert_device(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	uint64_t uuid[2] = {device_uuid_first(r, v), device_uuid_second(r, v)};
	struct wire_device d = {.f = {.bytes = sizeof d, .type = WIRE_DEVICE},
				.device = device_id(r, v),
				.memory_bytes = device_memory_bytes(r, v),
				.memory_bytes_per_s = device_kb_per_s(r, v) * 1000,
				.core_khz = device_core_khz(r, v),
				.multiprocessors = device_sms(r, v),
				.cc_major = device_cc_major(r, v),
				.cc_minor = device_cc_minor(r, v),
				.smem_bytes_per_sm = device_smem(r, v),
				.registers_per_sm = device_registers(r, v),
				.warps_per_sm = device_warps(r, v),
				.blocks_per_sm = device_blocks(r, v),
				.threads_per_warp = device_warp(r, v)};
	memcpy(d.uuid, uuid, sizeof d.uuid);
	if (convert_text(c, device_name(r, v), &d.name))
		output_fact(c->out, &d.f, d.device, 0);
}

void convert_stream(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	struct wire_stream s = {.f = {.bytes = sizeof s, .type = WIRE_STREAM},
				.context = stream_context(r, v),
				.stream = stream_stream(r, v),
				.priority = stream_priority(r, v),
				.kind = stream_flag(r, v)};
	const struct wire_stream *old = (const void *)output_get_fact(c->out, WIRE_STREAM, s.context, s.stream);
	s.name = old ? old->name : 0;
	output_fact(c->out, &s.f, s.context, s.stream);
}
