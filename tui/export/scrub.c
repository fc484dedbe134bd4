#include "scrub.h"
#include "model/columns.h"
#include "model/store/base/memory.h"
#include "tui/text/words.h"
#include <stdlib.h>
#include <string.h>

struct scrub {
	const struct trace *t;
	uint8_t *technical; /* by str_id: an event of a technical kind is called so */
};

/* "model/dense/MatMul" tells of the user's model, "/home/me/train.py" of the user. */
static bool is_technical(enum event_kind k, const char *name)
{
	switch (k) {
	case KIND_RUNTIME:
	case KIND_OVERHEAD:
	case KIND_PROFILE:
	case KIND_MEMORY:
		return true;
	case KIND_OP:
	case KIND_KERNEL:
	case KIND_COPY:
	case KIND_MEMSET:
	case KIND_DEVICE_OTHER:
		return !strchr(name, '/');
	default:
		return false;
	}
}

struct scrub *scrub_new(const struct derived *d)
{
	const struct columns *c = derived_columns(d);
	struct scrub *s = must(calloc(1, sizeof *s));
	s->t = derived_trace(d);
	s->technical = must(calloc((size_t)strings_count(trace_strings(s->t)) + 1, 1));
	for (uint32_t i = 0; i < derived_steps(d); i++) {
		row_id r = derived_step(d, i)->marker;
		if (r != NONE_ID)
			s->technical[c->name[r]] = 1;
	}
	for (uint64_t r = 0; r < c->n; r++)
		if (!s->technical[c->name[r]] && is_technical((enum event_kind)c->kind[r], trace_str(s->t, c->name[r])))
			s->technical[c->name[r]] = 1;
	return s;
}

void scrub_free(struct scrub *s)
{
	if (!s)
		return;
	free(s->technical);
	free(s);
}

const char *scrub_text(const struct scrub *s, const char *kind, const char *text, struct arena *mem)
{
	return s && *text ? words_hash(mem, kind, text) : text;
}

/* ---- names of lanes and events ---------------------------------------------------------------------------------------------- */

/* "/host:CPU", "myhost /device:GPU:0": the part that says what it is. */
static const char *role_in(const char *name)
{
	const char *role = strstr(name, "/host:");
	return role ? role : strstr(name, "/device:");
}

const char *scrub_process(const struct scrub *s, const struct trace *t, uint32_t process, struct arena *mem)
{
	const char *name = trace_str(t, trace_process(t, process)->name), *role = role_in(name);
	if (!s || !strcmp(name, "python") || role == name)
		return name;
	return role ? role : scrub_text(s, "process", name, mem);
}

const char *scrub_device(const struct scrub *s, const struct trace *t, uint32_t device, struct arena *mem)
{
	char label[160];
	const char *text = arena_strdup(mem, trace_device_label(t, device, label, sizeof label));
	/* with several hosts it begins with a host's name */
	return s && trace_hosts(t) > 1 ? scrub_text(s, "device", text, mem) : text;
}

static bool is_device_lane(enum track_kind k)
{
	return k == TRACK_STREAM || k == TRACK_STREAM_LANE;
}

const char *scrub_track(const struct scrub *s, const struct trace *t, uint32_t track, struct arena *mem)
{
	const struct track_info *x = trace_track(t, track);
	char label[160];
	const char *name = trace_str(t, x->name ? x->name : x->lane);
	if (!*name && x->kind == TRACK_STREAM)
		return arena_strdup(mem, trace_track_label(t, track, label, sizeof label));
	return is_device_lane(x->kind) ? name : scrub_text(s, "thread", name, mem);
}

const char *scrub_event(const struct scrub *s, const struct trace *t, row_id r, struct arena *mem)
{
	str_id id = trace_columns(t)->name[r];
	const char *name = trace_str(t, id);
	return s && s->technical[id] ? name : scrub_text(s, "name", name, mem);
}

/* ---- tables ----------------------------------------------------------------------------------------------------------------- */

/* clang-format off */
/* Columns whose texts are words of this program, numbers, shapes or types. */
static const char *const plain_columns[] = {
	"key", "unit", "help", "axis", "role", "track_kind", "step", "step_source", "phase", "iteration_kind", "part",
	"label", "of", "formula", "by", "cause", "scope", "gap_kind", "gap_place", "host_or_device", "bound_by",
	"eager", "roof_note", "block", "grid", "precision", "family", "occupancy_by", "limited_by", "on_streams",
	"tc_rule", "api", "direction", "src", "dst", "memory", "op_by", "size", "algorithm", "protocol", "dtype",
	"group_kind", "parameters_dtype", "message_size", "peak_step", "peak_phase", "matched_by", "blocks_of",
	"measure", "launch_range", "reason", "detail", "tc_problem", "rule", "severity", "question", "waits_for",
	"title", "kind", "note", "note_severity", "pipeline_kind", "compiler", "shape", "compiled_shape",
	"previous_shape", "block_shape", "block_type", "category", "type", "opcode", "buffer_kind"};
/* Keys of tables of keys and values whose values are the same. */
static const char *const plain_facts[] = {
	"format", "producer", "producer_version", "device", "device_name", "device_type", "steps_source", "tc_rules",
	"semantics", "verdict_class", "epoch", "clock"};
/* clang-format on */

static bool is_one_of(const char *word, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

static bool is_plain_column(const char *name)
{
	return is_one_of(name, plain_columns, sizeof plain_columns / sizeof *plain_columns);
}

static bool is_plain_fact(const struct table *t, uint32_t r)
{
	const struct cell *key = table_cell(t, r, KEYED_KEY);
	return !key->null && is_one_of(key->s, plain_facts, sizeof plain_facts / sizeof *plain_facts);
}

static bool has_name_of_host(const struct scrub *s, const char *text)
{
	for (uint32_t i = 0; i < trace_hosts(s->t); i++) {
		const char *name = trace_str(s->t, trace_host(s->t, i)->name);
		if (*name && name[1] && strstr(text, name))
			return true;
	}
	return false;
}

/* No path, no name of a host. */
static bool is_harmless(const struct scrub *s, const char *text)
{
	return !strchr(text, '/') && !has_name_of_host(s, text);
}

static bool may_leave(const struct scrub *s, const struct table *t, uint32_t r, uint32_t c, const char *text)
{
	const struct strings *texts = trace_strings(s->t);
	str_id id = strings_find(texts, text, strlen(text));
	if (id && s->technical[id])
		return true;
	if (table_is_keys(t) && c == KEYED_VALUE)
		return (is_plain_fact(t, r) && is_harmless(s, text)) || !text[strspn(text, "0123456789.,%+-: ")];
	return is_plain_column(t->cols[c].name) && (is_harmless(s, text) || !strcmp(t->cols[c].name, "help"));
}

struct table *scrub_table(const struct scrub *s, struct table *t, struct arena *mem)
{
	if (!s)
		return t;
	struct table *out = table_like(mem, t, t->cols, t->n_cols);
	for (uint32_t r = 0; r < t->n_rows; r++) {
		const struct evidence *e = table_evidence_of(t, r);
		struct cell *row = table_row(out);
		for (uint32_t c = 0; c < t->n_cols; c++) {
			const struct cell *cell = table_cell(t, r, c);
			row[c] = *cell;
			if (!cell->null && cell->type == CELL_TEXT)
				row[c].s = may_leave(s, t, r, c, cell->s)
						   ? arena_strdup(mem, cell->s)
						   : scrub_text(s, t->cols[c].name, cell->s, mem);
		}
		table_evidence(out, e->a_ns, e->b_ns, e->rows, e->n);
	}
	return out;
}
