/* importers/chrome/metadata.c - entries that tell of processes, threads and the trace: names, and what our own exports say of lanes. */
#include "chrome.h"
#include <string.h>

static struct span known_text(struct chrome *c, const struct record *r, enum known_arg a)
{
	const struct value *v = r->known[a];
	if (!record_has(r, a))
		return (struct span){"", 0};
	return v->type == VALUE_STR ? reader_text(&c->reader, v) : (struct span){v->p, v->n};
}

/* Metadata of a name of its own that holds a number, as Kineto writes: a fact about the trace. */
static void keep_number_as_fact(struct chrome *c, const struct record *r)
{
	char key[64], value[64];
	struct span s = known_text(c, r, ARG_NUMBER);
	if (r->member[PLACE_NAME]->n >= sizeof key || s.n >= sizeof value)
		return;
	memcpy(key, r->member[PLACE_NAME]->p, r->member[PLACE_NAME]->n);
	key[r->member[PLACE_NAME]->n] = 0;
	memcpy(value, s.p, s.n);
	value[s.n] = 0;
	ingest_fact(c->in, key, value);
}

/* Our own exports give events that overlap a thread of their own, as viewers nest what one thread holds. */
static void lane_of_thread(struct chrome *c, const struct record *r, uint32_t ident)
{
	struct value key, v;
	const char *p = r->args.p;
	int64_t tid;
	while (r->args.type == VALUE_OBJ && object_next(&p, r->args.p + r->args.n, &key, &v))
		if (value_is(&key, "tid") && value_int(&v, &tid))
			identity_set_same_as(&c->identities, ident, tid);
}

/* The same for lanes of a process that are no threads: what a recorder computed, waits that were written beside their thread. */
static void lane_of_process(struct chrome *c, const struct record *r, uint32_t ident)
{
	struct value key, v;
	const char *p = r->args.p;
	struct identity *x = identity_at(&c->identities, ident);
	while (r->args.type == VALUE_OBJ && object_next(&p, r->args.p + r->args.n, &key, &v)) {
		if (value_is(&key, "lane") && v.type == VALUE_STR) {
			struct span lane = reader_text(&c->reader, &v);
			x->lane = strings_add(c->strings, lane.p, lane.n);
		} else if (value_is(&key, "derived")) {
			x->lane_derived = v.type == VALUE_TRUE;
		}
	}
}

/* Our own exports of several hosts say which one a process, or a device, belongs to. */
static void host_of_process(struct chrome *c, const struct record *r, uint32_t ident)
{
	struct value key, v;
	const char *p = r->args.p;
	struct span host = {"", 0};
	int64_t rank = -1, device = -1;
	while (r->args.type == VALUE_OBJ && object_next(&p, r->args.p + r->args.n, &key, &v)) {
		if (value_is(&key, "host") && v.type == VALUE_STR)
			host = reader_text(&c->reader, &v);
		else if (value_is(&key, "rank"))
			value_int(&v, &rank);
		else if (value_is(&key, "device"))
			value_int(&v, &device);
	}
	bool is_rank = rank >= 0 && rank <= INT32_MAX;
	if (host.n)
		identity_set_host(&c->identities, ident, host, is_rank ? (int32_t)rank : -1, device);
}

/* And the numbers of processes that viewers cut. */
static void number_of_process(struct chrome *c, const struct record *r, uint32_t ident)
{
	struct value key, v;
	const char *p = r->args.p;
	int64_t pid;
	while (r->args.type == VALUE_OBJ && object_next(&p, r->args.p + r->args.n, &key, &v))
		if (value_is(&key, "pid") && value_int(&v, &pid) && pid <= UINT32_MAX)
			identity_set_pid(&c->identities, ident, pid);
}

void metadata_take(struct chrome *c, const struct record *r, uint32_t ident)
{
	if (value_is(r->member[PLACE_NAME], "process_name")) {
		identity_set_process_name(&c->identities, ident, known_text(c, r, ARG_NAME));
	} else if (value_is(r->member[PLACE_NAME], "thread_name")) {
		identity_set_thread_name(&c->identities, ident, known_text(c, r, ARG_NAME));
	} else if (value_is(r->member[PLACE_NAME], "process_labels")) {
		struct span s = known_text(c, r, ARG_LABELS);
		identity_proc(&c->identities, ident)->labels = strings_add(c->strings, s.p, s.n);
	} else if (value_is(r->member[PLACE_NAME], "thread_sort_index")) {
		int64_t sort;
		if (record_has(r, ARG_SORT_INDEX) && value_int(r->known[ARG_SORT_INDEX], &sort))
			identity_at(&c->identities, ident)->sort = sort;
	} else if (value_is(r->member[PLACE_NAME], "lane_of_thread")) {
		lane_of_thread(c, r, ident);
	} else if (value_is(r->member[PLACE_NAME], "lane_of_process")) {
		lane_of_process(c, r, ident);
	} else if (value_is(r->member[PLACE_NAME], "host_of_process")) {
		host_of_process(c, r, ident);
	} else if (value_is(r->member[PLACE_NAME], "number_of_process")) {
		number_of_process(c, r, ident);
	} else if (value_is(r->member[PLACE_NAME], "process_without_number")) {
		identity_hide_pid(&c->identities, ident);
	} else if (record_has(r, ARG_NUMBER) && r->member[PLACE_NAME]->type == VALUE_STR) {
		keep_number_as_fact(c, r);
	} else if (!value_is(r->member[PLACE_NAME], "process_sort_index")) {
		notes_add(c->notes, NOTE_METADATA_UNKNOWN, r->at, 1);
		return;
	}
	c->notes->merged++;
}
