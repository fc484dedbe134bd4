#include "filter_private.h"
#include "store/memory.h"
#include <stdlib.h>
#include <string.h>

static const struct filter_field fields[] = {
#define FIELD_ROW(id, name, type, values, help) {name, values, help},
	FILTER_FIELDS(FIELD_ROW)
#undef FIELD_ROW
};
static const unsigned char field_types[] = {
#define FIELD_TYPE(id, name, type, values, help) FIELD_##type,
	FILTER_FIELDS(FIELD_TYPE)
#undef FIELD_TYPE
};

const struct filter_field *filter_fields(uint32_t *n)
{
	*n = FIELD_COUNT;
	return fields;
}

enum field_type filter_field_type(enum field f)
{
	return (enum field_type)field_types[f];
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

struct filter *filter_new(const char *text, struct err *e)
{
	struct filter *f = calloc(1, sizeof *f);
	if (!f || !(f->text = strdup(text)))
		memory_exhausted();
	if (filter_parse(f, e))
		return f;
	filter_free(f);
	return NULL;
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++) {
		pattern_free(f->conditions[i].pattern);
		free(f->conditions[i].label);
		free(f->conditions[i].memory.seen);
	}
	free(f->conditions);
	free(f->text);
	free(f);
}

const char *filter_text(const struct filter *f)
{
	return f->text;
}

bool filter_needs_step(const struct filter *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->conditions[i].field == FIELD_IS_STEP)
			return true;
	return false;
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* The op of an event: its own, else the innermost op around it (device work: around its launch). */
static str_id op_of(const struct trace *t, row_id r)
{
	const struct columns *c = trace_columns(t);
	const struct kernel_info *k = trace_kernel(t, r);
	if (k && k->op)
		return k->op;
	const struct copy_info *copy = trace_copy(t, r);
	if (copy && copy->op)
		return copy->op;
	row_id at = kind_is_work((enum event_kind)c->kind[r]) ? c->link[r] : r;
	for (; at != NONE_ID; at = trace_parent(t, at)) {
		const struct host_info *h = trace_host_detail(t, at);
		if (h && h->op)
			return h->op;
		if (c->kind[at] == KIND_OP)
			return c->name[at];
	}
	return 0;
}

/* Texts are asked by a small number: string id, track, process or host. */
static uint32_t text_key(const struct trace *t, row_id r, enum field field)
{
	const struct columns *c = trace_columns(t);
	const struct track_info *track = trace_track(t, c->track[r]);
	switch (field) {
	case FIELD_IS_NAME:
		return c->name[r];
	case FIELD_IS_OP:
		return op_of(t, r);
	case FIELD_IS_PROCESS:
		return track->process;
	case FIELD_IS_HOST:
		return track->host;
	default:
		return c->track[r];
	}
}

static size_t text_keys(const struct trace *t, enum field field)
{
	switch (field) {
	case FIELD_IS_NAME:
	case FIELD_IS_OP:
		return strings_count(trace_strings(t));
	case FIELD_IS_PROCESS:
		return trace_processes(t);
	case FIELD_IS_HOST:
		return trace_hosts(t);
	default:
		return trace_tracks(t);
	}
}

static bool match_key(const struct condition *c, const struct trace *t, uint32_t key)
{
	char label[256];
	str_id id = key;
	if (c->field == FIELD_IS_TRACK) {
		trace_track_label(t, key, label, sizeof label);
		return pattern_matches(c->pattern, label, strlen(label));
	}
	if (c->field == FIELD_IS_PROCESS)
		id = trace_process(t, key)->name;
	if (c->field == FIELD_IS_HOST)
		id = trace_host(t, key)->name;
	struct span s = strings_get(trace_strings(t), id);
	return pattern_matches(c->pattern, s.p, s.n);
}

static void remember_for(struct memory *m, const struct trace *t, size_t n)
{
	if (m->of == t && m->n == n)
		return;
	free(m->seen);
	m->seen = must(calloc(n ? n : 1, 1));
	m->n = n;
	m->of = t;
}

static bool match_text(struct condition *c, const struct trace *t, row_id r)
{
	remember_for(&c->memory, t, text_keys(t, c->field));
	uint32_t key = text_key(t, r, c->field);
	if (key >= c->memory.n)
		return false; /* no process */
	if (!c->memory.seen[key])
		c->memory.seen[key] = match_key(c, t, key) ? 2 : 1;
	return c->memory.seen[key] == 2;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static bool known(int64_t v, wide *out)
{
	*out = v;
	return v != UNKNOWN_I64;
}

static bool number_of_track(const struct trace *t, const struct track_info *track, enum field field, wide *out)
{
	switch (field) {
	case FIELD_IS_RANK:
		*out = trace_host(t, track->host)->rank;
		return *out >= 0;
	case FIELD_IS_DEVICE:
		return track->device != NONE_ID && known(trace_device(t, track->device)->ordinal, out);
	case FIELD_IS_STREAM:
		return track->kind == TRACK_STREAM && known(track->key, out);
	case FIELD_IS_PID:
		return track->process != NONE_ID && known(trace_process(t, track->process)->pid, out);
	default: /* FIELD_IS_TID */
		return track->kind == TRACK_THREAD && known(track->key, out);
	}
}

static bool number_of(const struct trace *t, row_id r, enum field field, wide *out)
{
	const struct columns *c = trace_columns(t);
	const struct copy_info *copy = NULL;
	switch (field) {
	case FIELD_IS_DUR:
		return known(c->dur_ns[r], out);
	case FIELD_IS_START:
		return known(c->start_ns[r], out);
	case FIELD_IS_END:
		return known(c->start_ns[r] + c->dur_ns[r], out);
	case FIELD_IS_CORR:
		*out = number_at(c->corr, r);
		return *out && number_at(c->corr, r) != UINT64_MAX;
	case FIELD_IS_DEPTH:
		return known(c->depth[r], out);
	case FIELD_IS_ID:
		return known(r, out);
	case FIELD_IS_BYTES:
		copy = trace_copy(t, r);
		return copy && known(copy->bytes, out);
	default:
		return number_of_track(t, trace_track(t, c->track[r]), field, out);
	}
}

static bool match_step(const struct condition *c, const char *label)
{
	wide n;
	if (!label)
		return false;
	if (c->label)
		return !strcmp(c->label, label);
	return filter_number(&label, &n) && !*label && n >= c->low && n <= c->high;
}

/* ---- matching --------------------------------------------------------------------------------------------------- */

static bool match(struct condition *c, const struct trace *t, row_id r, const char *step_label)
{
	wide n;
	switch (filter_field_type(c->field)) {
	case FIELD_TEXT:
		return match_text(c, t, r);
	case FIELD_KIND:
		return c->kinds >> trace_columns(t)->kind[r] & 1;
	case FIELD_STEP:
		return match_step(c, step_label);
	default:
		return number_of(t, r, c->field, &n) && n >= c->low && n <= c->high;
	}
}

bool filter_match(const struct filter *f, const struct trace *t, row_id r, const char *step_label)
{
	for (size_t i = 0; i < f->n; i++)
		if (match(&f->conditions[i], t, r, step_label) == f->conditions[i].negated)
			return false;
	return true;
}
