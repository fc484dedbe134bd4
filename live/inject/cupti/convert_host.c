/* Records of what the host does. */
#include "convert.h"
#include "live/inject/base/process.h"
#include <string.h>

static struct convert_call *call_of(struct convert *c, int domain, uint32_t cbid)
{
	struct convert_call *k = cbid < CALLS_MAX_CBID ? &c->calls[domain == CUPTI_DOMAIN_DRIVER][cbid] : NULL;
	const char *name = NULL;
	if (!k || k->known)
		return k;
	k->known = true;
	if (c->cupti->callback_name(domain, cbid, &name) || !name) {
		k->wanted = true; /* newer than its own list: show it by its number */
		k->n = (uint8_t)snprintf(k->name, sizeof k->name, "%s %u",
					 domain == CUPTI_DOMAIN_DRIVER ? "driver" : "runtime", cbid);
		return k;
	}
	size_t n = call_name_bytes(name);
	k->wanted = call_is_wanted(domain, name);
	k->n = (uint8_t)(n < sizeof k->name ? n : sizeof k->name);
	memcpy(k->name, name, k->n);
	return k;
}

/* First sight of a thread: its name goes to the viewer while the thread still lives. */
static void note_thread(struct convert *c, uint32_t tid)
{
	struct wire_thread t = {.f = {.bytes = sizeof t, .type = WIRE_THREAD}, .tid = tid};
	char name[64];
	if (c->last_tid == tid && c->tid_generation == c->out->generation)
		return;
	c->last_tid = tid;
	c->tid_generation = c->out->generation;
	if (output_get_fact(c->out, WIRE_THREAD, tid, 0))
		return;
	size_t n = thread_name(tid, name, sizeof name);
	t.name = output_string(c->out, name, n);
	if (t.name)
		output_fact(c->out, &t.f, tid, 0);
}

/* The call's name as a string id that this ring knows; 0: no room. */
static uint32_t call_id(struct convert *c, struct convert_call *call)
{
	if (call->generation != c->out->generation) {
		call->id = output_string(c->out, call->name, call->n);
		call->generation = call->id ? c->out->generation : 0;
	}
	return call->id;
}

void convert_api(struct convert *c, const void *r, int domain)
{
	uint32_t v = c->cupti->layout;
	enum wire_kind kind = domain == CUPTI_DOMAIN_DRIVER ? WIRE_DRIVER : WIRE_RUNTIME;
	struct convert_call *call = call_of(c, domain, api_cbid(r, v));
	struct wire_api k = {.f.bytes = sizeof k,
			     .start_ns = convert_time(c, api_start(r, v)),
			     .end_ns = convert_time(c, api_end(r, v)),
			     .corr = api_corr(r, v),
			     .tid = api_thread(r, v),
			     .result = (int32_t)api_result(r, v)};
	if (call && !call->wanted) {
		atomic_fetch_add_explicit(&c->out->ring.header->left_out, 1, memory_order_relaxed);
		return;
	}
	if (!convert_begin(c, kind, k.start_ns, k.end_ns))
		return;
	note_thread(c, k.tid);
	if (call)
		k.name = call_id(c, call);
	convert_end(c, kind, &k.f, k.start_ns, k.end_ns, !call || k.name);
}

void convert_sync(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	struct wire_sync k = {.f.bytes = sizeof k,
			      .start_ns = convert_time(c, sync_start(r, v)),
			      .end_ns = convert_time(c, sync_end(r, v)),
			      .corr = sync_corr(r, v),
			      .type = sync_type(r, v),
			      .context = sync_context(r, v),
			      .stream = sync_stream(r, v),
			      .event = sync_event(r, v),
			      .result = (int32_t)sync_result(r, v)};
	if (convert_begin(c, WIRE_SYNC, k.start_ns, k.end_ns))
		convert_end(c, WIRE_SYNC, &k.f, k.start_ns, k.end_ns, true);
}

/* The one id out of CUPTI's union of (process, thread) and (device, context, stream) that object_kind speaks of. */
static uint32_t object_of(uint32_t kind, uint32_t first, uint32_t second, uint32_t third)
{
	switch (kind) {
	case CUPTI_OBJECT_THREAD:
	case CUPTI_OBJECT_CONTEXT:
		return second;
	case CUPTI_OBJECT_STREAM:
		return third;
	default:
		return first;
	}
}

void convert_overhead(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	struct wire_overhead k = {.f.bytes = sizeof k,
				  .start_ns = convert_time(c, overhead_start(r, v)),
				  .end_ns = convert_time(c, overhead_end(r, v)),
				  .what = overhead_what(r, v),
				  .corr = overhead_corr(r, v),
				  .object_kind = overhead_object_kind(r, v)};
	k.object = object_of(k.object_kind, overhead_object_first(r, v), overhead_object_second(r, v),
			     overhead_object_third(r, v));
	if (convert_begin(c, WIRE_OVERHEAD, k.start_ns, k.end_ns))
		convert_end(c, WIRE_OVERHEAD, &k.f, k.start_ns, k.end_ns, true);
}

void convert_marker(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	struct wire_marker k = {
		.f.bytes = sizeof k,
		.f.flags = (uint16_t)(marker_flags(r, v) & (WIRE_MARK_START | WIRE_MARK_END | WIRE_MARK_INSTANT)),
		.at_ns = convert_time(c, marker_at(r, v)),
		.id = marker_id(r, v)};
	if (marker_object_kind(r, v) == CUPTI_OBJECT_THREAD)
		k.tid = marker_thread(r, v);
	if (!convert_begin(c, WIRE_MARKER, k.at_ns, k.at_ns))
		return;
	if (k.tid)
		note_thread(c, k.tid);
	bool defined = k.f.flags & WIRE_MARK_END ||
		       (convert_text(c, marker_name(r, v), &k.name) && convert_text(c, marker_domain(r, v), &k.domain));
	convert_end(c, WIRE_MARKER, &k.f, k.at_ns, k.at_ns, defined);
}

void convert_external(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	struct wire_external k = {.f.bytes = sizeof k,
				  .external_id = external_id(r, v),
				  .external_kind = external_kind_of_id(r, v),
				  .corr = external_corr(r, v)};
	output_seen(c->out, WIRE_EXTERNAL);
	output_record(c->out, WIRE_EXTERNAL, &k.f, 0, 0);
}

void convert_jit(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout;
	struct wire_jit k = {.f.bytes = sizeof k,
			     .start_ns = convert_time(c, jit_start(r, v)),
			     .end_ns = convert_time(c, jit_end(r, v)),
			     .corr = jit_corr(r, v),
			     .device = jit_device(r, v),
			     .entry = jit_entry(r, v),
			     .operation = jit_operation(r, v)};
	if (convert_begin(c, WIRE_JIT, k.start_ns, k.end_ns))
		convert_end(c, WIRE_JIT, &k.f, k.start_ns, k.end_ns, true);
}

static void name_stream(struct convert *c, uint32_t context, uint32_t stream, uint32_t name)
{
	struct wire_stream s = {.f = {.bytes = sizeof s, .type = WIRE_STREAM}, .context = context, .stream = stream};
	const struct wire_frame *old = output_get_fact(c->out, WIRE_STREAM, context, stream);
	if (old)
		memcpy(&s, old, sizeof s);
	s.name = name;
	output_fact(c->out, &s.f, context, stream);
}

/* Names the program gave its threads and streams through NVTX. */
void convert_name(struct convert *c, const void *r)
{
	uint32_t v = c->cupti->layout, name = 0;
	if (!convert_text(c, name_name(r, v), &name) || !name)
		return;
	if (name_object_kind(r, v) == CUPTI_OBJECT_THREAD) {
		struct wire_thread t = {
			.f = {.bytes = sizeof t, .type = WIRE_THREAD}, .tid = name_object_second(r, v), .name = name};
		output_fact(c->out, &t.f, t.tid, 0);
	} else if (name_object_kind(r, v) == CUPTI_OBJECT_STREAM)
		name_stream(c, name_object_second(r, v), name_object_third(r, v), name);
}
