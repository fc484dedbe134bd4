/* importers/chrome/place.c - which track an event belongs to and of what kind it is, by its category, or by the names of
 * its process and thread. */
#include <string.h>
#include "chrome.h"
#include "importers/detail_texts.h"
#include "model/store/base/spans.h"

static int64_t fact_or(const struct record *r, enum known_arg a, int64_t otherwise)
{
	int64_t i;
	return record_has(r, a) && value_int(r->known[a], &i) && i >= 0 ? i : otherwise;
}

static int64_t stream_of(const struct identity *x)
{
	return x->is_stream ? x->stream : x->id.tid;
}

/* Kineto's device classes say all themselves. */
static void place_on_device(struct chrome *c, const struct record *r, struct pending *q)
{
	struct identity *x = identity_at(&c->identities, q->ident);
	int64_t device = fact_or(r, ARG_DEVICE, x->id.pid), stream = fact_or(r, ARG_STREAM, stream_of(x));
	switch (q->class) {
	case CLASS_KERNEL:
		q->e.kind = KIND_KERNEL;
		break;
	case CLASS_COPY:
		q->e.kind = KIND_COPY;
		break;
	case CLASS_MEMSET:
		q->e.kind = KIND_MEMSET;
		break;
	default:
		q->e.kind = KIND_DEVICE_RANGE;
		q->e.track = identities_lane(&c->identities, device, stream,
					     q->class == CLASS_DEVICE_ANNOTATION ? "annotations"
					     : q->class == CLASS_DEVICE_SYNC     ? "synchronisation"
										 : "hardware counters",
					     false);
		x->lane_track = q->e.track;
		return;
	}
	q->e.track = identity_stream_track(&c->identities, q->ident, device, stream);
}

uint8_t place_host_kind(enum category_class class)
{
	static const uint8_t kinds[CLASS_COUNT] = {
#define KIND_OF(class, kind) [CLASS_##class] = KIND_##kind,
		HOST_CLASSES(KIND_OF)
#undef KIND_OF
	};
	return kinds[class];
}

bool place_is_allocation(const struct chrome *c, const struct pending *q)
{
	struct span name = strings_get(c->strings, q->e.name);
	return name.n == 8 && memcmp(name.p, "[memory]", 8) == 0;
}

static enum event_kind host_kind(const struct chrome *c, const struct pending *q)
{
	uint8_t kind = place_host_kind(q->class);
	if (kind)
		return kind;
	if (place_is_allocation(c, q))
		return KIND_MEMORY;
	return phase_is_instant(q->ph) ? KIND_INSTANT : KIND_OTHER;
}

/* TensorFlow and JAX on the host: calls carry a correlation id, ops a "name:Type" as name or argument, python frames a "$". */
static enum event_kind tf_host_kind(const struct chrome *c, const struct pending *q)
{
	struct span name = strings_get(c->strings, q->e.name);
	str_id op, type;
	if (q->has_call_id)
		return KIND_RUNTIME;
	if (name.n > 0 && name.p[0] == '$')
		return KIND_PYTHON;
	if (phase_is_instant(q->ph))
		return KIND_INSTANT;
	details_tf_op(c->strings, name.p, name.n, &op, &type);
	return type || q->says_op ? KIND_OP : KIND_ANNOTATION;
}

/* On a stream thread: what the details say, else the name, else a kernel where kernels may run. */
static enum event_kind tf_device_kind(struct chrome *c, struct pending *q, bool compute)
{
	struct copy_info copy;
	struct span name = strings_get(c->strings, q->e.name);
	bool tf_node = q->class == CLASS_TF_NODE;
	if (q->detail == DETAIL_KERNEL && !tf_node)
		return KIND_KERNEL;
	if (q->detail == DETAIL_COPY || q->detail == DETAIL_MEMSET)
		return q->detail == DETAIL_COPY ? KIND_COPY : KIND_MEMSET;
	copy_info_init(&copy);
	if (details_copy_name(name.p, name.n, &copy))
		return copy.kind == COPY_MEMSET ? KIND_MEMSET : KIND_COPY;
	return compute ? KIND_KERNEL : KIND_DEVICE_OTHER;
}

/* The detail row must be of the table that the kind implies. */
static void settle_detail(struct chrome *c, struct pending *q)
{
	static const uint8_t wanted[KIND_COUNT] = {
		[KIND_KERNEL] = DETAIL_KERNEL,
		[KIND_DEVICE_OTHER] = DETAIL_KERNEL,
		[KIND_COPY] = DETAIL_COPY,
		[KIND_MEMSET] = DETAIL_MEMSET,
	};
	uint8_t want = wanted[q->e.kind] ? wanted[q->e.kind] : DETAIL_HOST;
	if (q->detail == want)
		return;
	q->e.detail = 0;
	if (q->e.kind == KIND_COPY || q->e.kind == KIND_MEMSET)
		q->e.detail = detail_copy_by_name(c, q->e.name);
}

static void place_on_host(struct chrome *c, struct pending *q, enum event_kind kind)
{
	q->e.kind = (uint8_t)kind;
	q->e.track = identity_host_track(&c->identities, q->ident);
}

static void place_on_tf_device(struct chrome *c, struct pending *q)
{
	const struct identity *x = identity_at(&c->identities, q->ident);
	const struct proc *p = identity_proc(&c->identities, q->ident);
	bool has_details = q->detail == DETAIL_KERNEL || q->detail == DETAIL_COPY || q->detail == DETAIL_MEMSET;
	/* a thread without a name whose events have kernel details is a stream: some files lack the metadata */
	bool unnamed = !x->name && has_details;
	c->saw_tf = true;
	if (x->is_stream || unnamed) {
		q->e.kind = (uint8_t)tf_device_kind(c, q, x->compute || unnamed);
		q->e.track = identity_stream_track(&c->identities, q->ident, p->parsed.device, stream_of(x));
		return;
	}
	q->e.kind = KIND_DEVICE_RANGE;
	q->e.track = identities_lane(&c->identities, p->parsed.device, x->id.tid, strings_z(c->strings, x->name), true);
}

static void place_on_tf1_device(struct chrome *c, struct pending *q)
{
	const struct proc *p = identity_proc(&c->identities, q->ident);
	c->saw_tf = true;
	if (p->parsed.role == ROLE_TF1_STREAM) {
		q->e.kind = (uint8_t)tf_device_kind(c, q, true);
		q->e.track = identity_stream_track(&c->identities, q->ident, p->parsed.device, p->parsed.stream);
		return;
	}
	q->e.kind = KIND_DEVICE_RANGE;
	q->e.track = identities_lane(&c->identities, p->parsed.device, p->pid, strings_z(c->strings, p->name), true);
}

/* True when nothing that may still come could change where this event belongs. */
static bool decided(const struct chrome *c, const struct identity *x, const struct proc *p)
{
	if (c->names_final)
		return true;
	/* metadata entries may stand anywhere in the file, after the events they name */
	bool needs_thread = p->parsed.role == ROLE_TF_DEVICE || p->parsed.role == ROLE_ASCEND_DEVICE ||
			    p->parsed.role == ROLE_ASCEND_LINKS || p->parsed.role == ROLE_ASCEND_DERIVED;
	return p->parsed.role != ROLE_UNNAMED && (!needs_thread || x->name);
}

/* On a thread of the host. */
static void place_plainly(struct chrome *c, struct pending *q, enum process_role role)
{
	place_on_host(c, q, host_kind(c, q));
	c->saw_tf |= role == ROLE_TF_OPS && q->class == CLASS_TF_NODE;
	/* host details mean something on TensorFlow's threads only */
	if (q->detail == DETAIL_HOST && role != ROLE_TF_OPS)
		q->detail = DETAIL_NONE;
	if (q->is_ascend)
		q->e.corr = 0; /* it launches nothing itself */
}

/* Finds track and kind by the names of process and thread. False: not yet. */
bool place_by_name(struct chrome *c, struct pending *q)
{
	const struct proc *p = identity_proc(&c->identities, q->ident);
	if (!decided(c, identity_at(&c->identities, q->ident), p))
		return false;
	switch (p->parsed.role) {
	case ROLE_TF_DEVICE:
		place_on_tf_device(c, q);
		break;
	case ROLE_TF1_STREAM:
	case ROLE_TF1_COPIES:
		place_on_tf1_device(c, q);
		break;
	case ROLE_TF_HOST:
		c->saw_tf = true;
		place_on_host(c, q, tf_host_kind(c, q));
		break;
	case ROLE_ROCPROF_DEVICE:
	case ROLE_ROCPROF_HIP:
	case ROLE_ROCPROF_CALLS:
	case ROLE_ROCPROF_MARKERS:
		rocprof_place(c, q, &p->parsed);
		break;
	case ROLE_ASCEND_DEVICE:
	case ROLE_ASCEND_CALLS:
	case ROLE_ASCEND_LINKS:
	case ROLE_ASCEND_DERIVED:
		if (!ascend_place(c, q, p->parsed.role))
			place_plainly(c, q, p->parsed.role);
		break;
	case ROLE_TF_OPS:
	case ROLE_HOST:
	case ROLE_UNNAMED:
		place_plainly(c, q, p->parsed.role);
		break;
	}
	settle_detail(c, q);
	return true;
}

static void side_track(struct chrome *c, struct pending *q, int64_t key, const char *lane)
{
	q->e.kind = (uint8_t)host_kind(c, q);
	q->e.track = identity_side_track(&c->identities, q->ident, TRACK_OTHER, key, strings_addz(c->strings, lane));
	struct track_info *t = ingest_track_info(c->in, q->e.track);
	const struct identity *x = identity_at(&c->identities, q->ident);
	if (!t->name)
		t->name = *lane ? t->lane : x->text ? x->text : x->name;
}

bool place_args_have_averages(const struct record *r)
{
	struct value key, v;
	const char *p = r->args.p;
	while (r->args.type == VALUE_OBJ && object_next(&p, r->args.p + r->args.n, &key, &v))
		if (value_is(&key, "avg ms"))
			return true;
	return false;
}

/* clang adds up what it spent by kind: "Total Frontend", with how often and how long on average, from 0 on a lane of its own each. Nothing ran
 * there. */
static bool is_total_of_clang(const struct chrome *c, const struct record *r, const struct pending *q)
{
	return !q->e.start_ns && q->class == CLASS_NONE && r->ph == 'X' &&
	       text_starts(strings_z(c->strings, q->e.name), "Total ") && place_args_have_averages(r);
}

static void make_lane_of_totals(struct chrome *c, const struct pending *q)
{
	struct identity *x = identity_at(&c->identities, q->ident);
	if (x->host_track != NONE_ID)
		return;
	x->lane = q->e.name;
	x->lane_derived = true;
}

bool place(struct chrome *c, const struct record *r, struct pending *q)
{
	if (is_total_of_clang(c, r, q))
		make_lane_of_totals(c, q);
	c->saw_kineto |= q->class != CLASS_NONE && q->class != CLASS_TF_NODE;
	if (q->class >= CLASS_FIRST_ON_DEVICE)
		place_on_device(c, r, q);
	else if (q->class == CLASS_PROFILE)
		side_track(c, q, identity_at(&c->identities, q->ident)->id.tid, "");
	else if (phase_is_instant(q->ph) && q->scope == 'g')
		side_track(c, q, 0, "global instants");
	else if (phase_is_instant(q->ph) && q->scope == 'p')
		side_track(c, q, 0, "process instants");
	else if (q->class != CLASS_NONE && q->class != CLASS_TF_NODE && q->class != CLASS_LAUNCH_FLOW)
		place_on_host(c, q, host_kind(c, q));
	else
		return place_by_name(c, q);
	return true;
}
