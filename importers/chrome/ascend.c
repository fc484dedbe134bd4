/* What torch_npu's profiler and msprof write of Huawei's Ascend NPUs: times as texts (once as numbers), no categories but the host's, and a process for each
 * layer: "Ascend Hardware" (a thread for each stream), "CANN" (calls), "Communication" or "HCCL" (a thread for each group and for each
 * of its planes), "Overlap Analysis" (what msprof computed). What a call and its work share is the argument "connection_id". */
#include <string.h>
#include "chrome.h"
#include "importers/flat_json.h"
#include "model/store/base/spans.h"

enum { TASK_WORK, TASK_COPY, TASK_WAIT, TASK_LINK };
/* Their processes are numbered process << 10 | layer << 5 | device. */
enum { DEVICE_BITS = 5, LAYER_BITS = 10 };
/* Threads of layers without streams are numbered as streams are, and mean something else. */
enum { BEHIND_STREAMS = 100000 };

/* By a word in the type of a task; what has none of them computes. */
static uint8_t task_of(struct span type)
{
	static const struct {
		const char *word;
		uint8_t task;
	} words[] = {{"WAIT", TASK_WAIT},   {"RECORD", TASK_WAIT}, {"NOTIFY", TASK_WAIT}, {"EVENT", TASK_WAIT},
		     {"MODEL_", TASK_WAIT}, {"VALUE", TASK_WAIT},  {"HOLDER", TASK_WAIT}, {"LABEL", TASK_WAIT},
		     {"MEMCPY", TASK_COPY}, {"DMA", TASK_LINK}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (span_has(type, words[i].word))
			return words[i].task;
	return TASK_WORK;
}

bool ascend_is(const struct chrome *c, const struct record *r, uint32_t ident)
{
	bool text = r->member[PLACE_TS]->type == VALUE_STR && !c->saw_rocprof;
	return text || identity_proc(&c->identities, ident)->parsed.role >= ROLE_FIRST_OF_ASCEND;
}

void ascend_facts(struct chrome *c, const struct record *r, struct pending *q)
{
	struct span args = {r->args.p, r->args.n};
	q->e.corr = 0; /* that of a queue's two ends counts on its own */
	struct span name = strings_get(c->strings, q->e.name), type = {NULL, 0};
	if (r->args.type == VALUE_OBJ) {
		int64_t connection = flat_json_int(args, "connection_id");
		type = flat_json_text(args, "Task Type");
		q->e.corr = connection >= 0 ? (uint64_t)connection + 1 : 0;
	}
	q->task = span_has(name, "MEMCPY") ? TASK_COPY : task_of(type.p ? type : name);
}

static int64_t device_of(const struct proc *p)
{
	return p->pid >> LAYER_BITS > 0 && !p->text ? p->pid & ((1 << DEVICE_BITS) - 1) : 0;
}

int64_t ascend_process_of_calls(int64_t pid)
{
	return pid >> LAYER_BITS > 0 ? pid >> LAYER_BITS : pid;
}

static void place_on_hardware(struct chrome *c, struct pending *q, int64_t device)
{
	struct identity *x = identity_at(&c->identities, q->ident);
	int64_t stream = x->is_stream ? x->stream : x->id.tid;
	/* transfers over links are part of a collective, which its group shows */
	if (q->task == TASK_WAIT || q->task == TASK_LINK) {
		q->e.kind = KIND_DEVICE_RANGE;
		q->e.track = identities_lane(&c->identities, device, stream,
					     q->task == TASK_WAIT ? "synchronisation" : "transfers", false);
		x->lane_track = q->e.track;
		return;
	}
	q->e.kind = q->task == TASK_COPY ? KIND_COPY : KIND_KERNEL;
	q->e.track = identity_stream_track(&c->identities, q->ident, device, stream);
}

/* Collectives are work of the device in a stream of their group; what the planes of a group do is theirs. */
static void place_on_links(struct chrome *c, struct pending *q, int64_t device)
{
	struct identity *x = identity_at(&c->identities, q->ident);
	struct span name = strings_get(c->strings, x->name);
	if (span_starts_any_case(name, "Group")) {
		x->is_stream = true;
		q->e.kind = KIND_KERNEL;
		q->e.track = identity_stream_track(&c->identities, q->ident, device, BEHIND_STREAMS + x->id.tid);
		return;
	}
	q->e.kind = KIND_DEVICE_RANGE;
	q->e.track = identities_lane(&c->identities, device, BEHIND_STREAMS + x->id.tid, strings_z(c->strings, x->name),
				     true);
}

bool ascend_place(struct chrome *c, struct pending *q, enum process_role role)
{
	const struct identity *x = identity_at(&c->identities, q->ident);
	int64_t device = device_of(identity_proc(&c->identities, q->ident));
	struct span thread = strings_get(c->strings, x->name);
	if (role == ROLE_ASCEND_LINKS && !span_starts_any_case(thread, "Group") &&
	    !span_starts_any_case(thread, "Plane"))
		return false;
	if (role == ROLE_ASCEND_CALLS) {
		q->e.kind = KIND_RUNTIME;
		q->e.track = identity_host_track(&c->identities, q->ident);
		return true;
	}
	c->accelerator = ASCEND;
	if (role == ROLE_ASCEND_DEVICE) {
		place_on_hardware(c, q, device);
		return true;
	}
	q->e.corr = 0;
	if (role == ROLE_ASCEND_LINKS) {
		place_on_links(c, q, device);
		return true;
	}
	q->e.kind = KIND_DEVICE_RANGE;
	q->e.track = identities_lane(&c->identities, device, BEHIND_STREAMS + x->id.tid, strings_z(c->strings, x->name),
				     true);
	return true;
}
