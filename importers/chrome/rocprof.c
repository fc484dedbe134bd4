/* What rocprof (before rocprofv3) writes as JSON: no categories, times as texts in whole microseconds with the nanoseconds among the args,
 * processes called "GPU0", "CPU HIP API", "Markers and Ranges", often with a number in front. */
#include <string.h>
#include "chrome.h"
#include "importers/detail_texts.h"
#include "importers/flat_json.h"
#include "model/store/base/spans.h"

/* Nanoseconds of the machine, which the member ts has cut to microseconds and moved: all move as the first does. */
bool rocprof_times(struct chrome *c, const struct record *r, struct event_in *e)
{
	struct span args = {r->args.p, r->args.n};
	int64_t begin, end, index;
	struct fine_time ts;
	if (r->ph != 'X' || r->member[PLACE_TS]->type != VALUE_STR || r->args.type != VALUE_OBJ)
		return false;
	begin = flat_json_int(args, "BeginNs");
	end = flat_json_int(args, "EndNs");
	if (begin == UNKNOWN_I64 || end < begin || value_us(r->member[PLACE_TS], &ts) != NUMBER_OK)
		return false;
	if (!c->saw_rocprof)
		c->rocprof_zero_ns = begin - ts.ns;
	c->saw_rocprof = true;
	if (__builtin_sub_overflow(begin, c->rocprof_zero_ns, &e->start_ns) ||
	    __builtin_add_overflow(e->start_ns, c->base_ns, &e->start_ns))
		return false;
	e->dur_ns = end - begin;
	/* calls and what they launched share a number; that of kernels with a "gpu-id" counts dispatches */
	index = flat_json_int(args, "Index");
	if (index >= 0 && (flat_json_int(args, "dev-id") >= 0 || flat_json_text(args, "args").p))
		e->corr = (uint64_t)index + 1;
	return true;
}

static enum event_kind device_kind(struct span name)
{
	struct copy_info copy;
	copy_info_init(&copy);
	if (details_copy_name(name.p, name.n, &copy))
		return copy.kind == COPY_MEMSET ? KIND_MEMSET : KIND_COPY;
	if (span_starts_any_case(name, "FillBuffer"))
		return KIND_MEMSET;
	return span_starts_any_case(name, "Marker") || span_starts_any_case(name, "Barrier") ? KIND_DEVICE_OTHER
											     : KIND_KERNEL;
}

void rocprof_place(struct chrome *c, struct pending *q, const struct process_name *process)
{
	bool device = process->role == ROLE_ROCPROF_DEVICE, hip = process->role == ROLE_ROCPROF_HIP;
	if (!device && !hip)
		q->e.corr = 0;
	if (device) {
		c->accelerator = "AMD";
		q->e.kind = (uint8_t)device_kind(strings_get(c->strings, q->e.name));
		q->e.track = identity_stream_track(&c->identities, q->ident, process->device,
						   identity_at(&c->identities, q->ident)->id.tid);
		return;
	}
	q->e.kind = process->role == ROLE_ROCPROF_MARKERS ? KIND_ANNOTATION : KIND_RUNTIME;
	q->e.track = identity_host_track(&c->identities, q->ident);
}
