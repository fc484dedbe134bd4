#include "filter_private.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* Other words for kinds, as they stand on the screen. */
static const struct {
	const char *word;
	uint32_t kinds;
} other_words[] = {{"work", KINDS_WORK}, {"memcpy", KIND_BIT(KIND_COPY)}, {"api", KIND_BIT(KIND_RUNTIME)}};
enum { OTHER_WORDS = sizeof other_words / sizeof *other_words };

bool filter_kind(const char *word, uint32_t *kinds, uint32_t *families)
{
	for (int i = 0; i < OTHER_WORDS; i++)
		if (!strcasecmp(word, other_words[i].word))
			*kinds |= other_words[i].kinds;
	for (int k = 0; k < KIND_COUNT; k++)
		if (!strcasecmp(word, kind_name((enum event_kind)k)))
			*kinds |= KIND_BIT(k);
	/* a kind goes before a family of the same name */
	for (uint32_t i = 0; !*kinds && said_word(SAID_FAMILY, i); i++)
		if (!strcasecmp(word, said_word(SAID_FAMILY, i)))
			*families |= 1u << i;
	return *kinds || *families;
}

/* Kinds, their other words, families. */
static const char *kind_value(uint32_t i)
{
	if (i < OTHER_WORDS)
		return other_words[i].word;
	if (i < OTHER_WORDS + KIND_COUNT)
		return kind_name((enum event_kind)(i - OTHER_WORDS));
	return said_word(SAID_FAMILY, i - OTHER_WORDS - KIND_COUNT);
}

static enum said_list list_of(enum field f)
{
	switch (f) {
	case FIELD_IS_TC:
		return SAID_TC;
	case FIELD_IS_PRECISION:
		return SAID_PRECISION;
	case FIELD_IS_FAMILY:
		return SAID_FAMILY;
	case FIELD_IS_PHASE:
		return SAID_PHASE;
	default:
		return SAID_LISTS;
	}
}

const char *filter_value(uint32_t field, uint32_t i)
{
	enum said_list list = list_of((enum field)field);
	if (field == FIELD_IS_KIND)
		return kind_value(i);
	return list == SAID_LISTS ? NULL : said_word(list, i);
}

/* The list that a condition asks; SAID_LISTS: none. */
static enum said_list filter_list_of(const struct condition *c)
{
	return c->field == FIELD_IS_KIND && c->words ? SAID_FAMILY : list_of(c->field);
}

uint32_t filter_asks(const struct filter *f)
{
	uint32_t lists = 0;
	for (size_t i = 0; i < f->n; i++)
		if (filter_list_of(&f->conditions[i]) != SAID_LISTS)
			lists |= 1u << filter_list_of(&f->conditions[i]);
	return lists;
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
		free(f->conditions[i].memory.said);
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
	case FIELD_IS_THREAD:
		return track->kind == TRACK_THREAD ? c->track[r] : UINT32_MAX;
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
	if (c->field == FIELD_IS_TRACK || c->field == FIELD_IS_THREAD) {
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

static bool match_text(const struct condition *c, const struct trace *t, row_id r)
{
	uint32_t key = text_key(t, r, c->field);
	return key < c->memory.n && c->memory.said[key] == TEXT_HIT; /* no process: no text */
}

/* ---- binding ---------------------------------------------------------------------------------------------------- */

struct binding {
	const struct trace *t;
	struct condition *c;
	struct pattern_budget *budget;
	const struct filter_sayer *sayer; /* NULL = nobody says anything */
	struct progress *progress;
};

static bool goes_on(const struct binding *b)
{
	return !b->budget->stopped && !progress_cancelled(b->progress);
}

static void ask(const struct binding *b, uint32_t key)
{
	struct condition *c = b->c;
	if (c->memory.said[key] == TEXT_UNASKED)
		c->memory.said[key] = match_key(c, b->t, key) ? TEXT_HIT : TEXT_MISS;
}

/* Every text that op_of can give. */
static void ask_ops_of(const struct binding *b, row_id r)
{
	const struct columns *c = trace_columns(b->t);
	const struct kernel_info *k = trace_kernel(b->t, r);
	const struct copy_info *copy = trace_copy(b->t, r);
	const struct host_info *h = trace_host_detail(b->t, r);
	ask(b, k ? k->op : copy ? copy->op : h ? h->op : 0);
	if (c->kind[r] == KIND_OP)
		ask(b, c->name[r]);
}

/* Texts that occur as the name or the op of an event: the string table holds many more. */
static void ask_rows(const struct binding *b)
{
	const struct columns *c = trace_columns(b->t);
	bool names = b->c->field == FIELD_IS_NAME;
	for (row_id r = 0; r < c->n && goes_on(b); r++) {
		if (names)
			ask(b, c->name[r]);
		else
			ask_ops_of(b, r);
	}
}

static void bind_text(const struct binding *b)
{
	struct condition *c = b->c;
	c->memory.n = text_keys(b->t, c->field);
	free(c->memory.said);
	c->memory.said = must(calloc(c->memory.n + 1, 1));
	if (c->field == FIELD_IS_NAME || c->field == FIELD_IS_OP) {
		ask_rows(b);
		return;
	}
	for (uint32_t key = 0; key < c->memory.n && goes_on(b); key++)
		ask(b, key);
}

/* What is said is asked once per event: whoever says it may be one thread's. */
static void bind_said(const struct binding *b)
{
	struct condition *c = b->c;
	const struct columns *col = trace_columns(b->t);
	enum said_list list = filter_list_of(c);
	free(c->memory.said);
	c->memory.n = col->n;
	c->memory.said = must(calloc(col->n + 1, 1));
	struct progress_loop loop = {.progress = b->progress};
	for (row_id r = 0; b->sayer && r < col->n && !progress_loop_cancelled(&loop); r++) {
		int word = kind_is_work((enum event_kind)col->kind[r]) ? b->sayer->says(b->sayer->ctx, list, r) : -1;
		c->memory.said[r] = word >= 0 && c->words >> word & 1 ? TEXT_HIT : TEXT_MISS;
	}
}

bool filter_bind(struct filter *f, const struct trace *t, struct progress *p, struct err *e)
{
	return filter_bind_said(f, t, NULL, p, e);
}

bool filter_bind_said(struct filter *f, const struct trace *t, const struct filter_sayer *s, struct progress *p,
		      struct err *e)
{
	struct binding b = {.t = t, .budget = &f->budget, .sayer = s, .progress = p};
	f->bound = NULL;
	pattern_budget_open(&f->budget, p);
	for (size_t i = 0; i < f->n; i++) {
		b.c = &f->conditions[i];
		if (filter_field_type(b.c->field) == FIELD_TEXT)
			bind_text(&b);
		else if (filter_list_of(b.c) != SAID_LISTS)
			bind_said(&b);
	}
	TRY(!s || s->sound(s->ctx, e));
	TRY(pattern_budget_sound(&f->budget, e));
	if (progress_cancelled(p))
		return err_usage(e, "cancelled");
	f->bound = t;
	return true;
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

/* What is taken back counts as what is given out. */
static bool bytes_of(const struct trace *t, row_id r, wide *out)
{
	const struct copy_info *copy = trace_copy(t, r);
	const struct allocation *block = copy ? NULL : trace_side(t, SIDE_ALLOCATIONS, r);
	bool told = (copy && known(copy->bytes, out)) || (block && known(block->bytes, out));
	if (told && block && *out < 0)
		*out = -*out;
	return told;
}

static bool addr_of(const struct trace *t, row_id r, wide *out)
{
	const struct allocation *block = trace_side(t, SIDE_ALLOCATIONS, r);
	*out = block ? block->addr : 0; /* 0 is none */
	return *out != 0;
}

static bool number_of(const struct trace *t, row_id r, enum field field, wide *out)
{
	const struct columns *c = trace_columns(t);
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
		return bytes_of(t, r, out);
	case FIELD_IS_ADDR:
		return addr_of(t, r, out);
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

static bool match(const struct condition *c, const struct trace *t, row_id r, const char *step_label)
{
	wide n;
	switch (filter_field_type(c->field)) {
	case FIELD_TEXT:
		return match_text(c, t, r);
	case FIELD_KIND:
		return c->kinds >> trace_columns(t)->kind[r] & 1 || (c->words && c->memory.said[r] == TEXT_HIT);
	case FIELD_SAID:
		return c->memory.said[r] == TEXT_HIT;
	case FIELD_STEP:
		return match_step(c, step_label);
	default:
		return number_of(t, r, c->field, &n) && n >= c->low && n <= c->high;
	}
}

bool filter_match(const struct filter *f, row_id r, const char *step_label)
{
	if (!f->bound)
		abort(); /* it would match nothing, without a word */
	for (size_t i = 0; i < f->n; i++)
		if (match(&f->conditions[i], f->bound, r, step_label) == f->conditions[i].negated)
			return false;
	return true;
}
