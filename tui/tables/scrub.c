#include "scrub.h"
#include "private_words.h"
#include "model/analysis/analysis.h"
#include "model/analysis/names/step_marks.h"
#include "model/columns.h"
#include "model/store/base/memory.h"
#include "model/store/base/spans.h"
#include "tui/text/words.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct scrub {
	const struct trace *t;
	uint8_t *technical;          /* by str_id: an event of a technical kind is called so */
	struct private_words *words; /* what is not to be told, in sentences */
	struct strings *ours;        /* words that this program writes itself, in small letters */
	struct arena mem;            /* labels of threads */
};

/* How PyTorch, NCCL, XLA and TensorFlow call ranges and frames of their own. */
static const char *const public_names[] = {"torch/",
					   "enumerate(DataLoader)#_SingleProcessDataLoaderIter.",
					   "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.",
					   "nccl:",
					   "gloo:",
					   "c10d::",
					   "autograd::",
					   "PyTorch Profiler",
					   "PjRt",
					   "Tfrt",
					   "Xla",
					   "Gpu",
					   "Thunk",
					   "ThreadpoolListener::",
					   "Iterator::"};

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
		return TEXT_STARTS_WITH_ONE_OF(name, public_names);
	}
}

/* "ProfilerStep#12", "iteration 3": what frameworks and everybody call a step. */
static bool is_step_mark(const char *name, enum event_kind kind)
{
	uint8_t family = step_mark(name, kind) & (uint8_t)~MARK_ENDS;
	return text_starts(name, "ProfilerStep#") || (family && !step_mark_has_phrase(family));
}

static void add_own_words(struct scrub *s, const char *text)
{
	char word[64];
	for (size_t n = 0; text && *text; text += n + !n) {
		for (n = 0; isalpha((unsigned char)text[n]); n++)
			word[n % sizeof word] = (char)tolower((unsigned char)text[n]);
		if (n && n < sizeof word)
			strings_add(s->ours, word, n);
	}
}

static bool is_device_lane(enum track_kind k)
{
	return k == TRACK_STREAM || k == TRACK_STREAM_LANE;
}

static void note_technical_places(struct scrub *s)
{
	for (uint32_t i = 0; i < trace_devices(s->t); i++)
		s->technical[trace_device(s->t, i)->name] = 1;
	for (uint32_t i = 0; i < trace_tracks(s->t); i++)
		if (is_device_lane(trace_track(s->t, i)->kind))
			s->technical[trace_track(s->t, i)->name] = 1;
}

static void note_technical(struct scrub *s, const struct derived *d)
{
	const struct columns *c = derived_columns(d);
	for (uint32_t i = 0; i < derived_steps(d); i++) {
		row_id r = derived_step(d, i)->marker;
		if (r == NONE_ID || !is_step_mark(trace_str(s->t, c->name[r]), (enum event_kind)c->kind[r]))
			continue;
		s->technical[c->name[r]] = 1;
		add_own_words(s, derived_step_name(d, derived_step(d, i)));
	}
	for (uint64_t r = 0; r < c->n; r++)
		if (!s->technical[c->name[r]] && is_technical((enum event_kind)c->kind[r], trace_str(s->t, c->name[r])))
			s->technical[c->name[r]] = 1;
}

/* ---- words of this program -------------------------------------------------------------------------------------------------- */

static void note_own_words(struct scrub *s)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++) {
		add_own_words(s, list[i]->name);
		add_own_words(s, list[i]->title);
		for (uint32_t c = 0; c < list[i]->n_cols; c++) {
			add_own_words(s, list[i]->cols[c].name);
			add_own_words(s, list[i]->cols[c].help);
		}
	}
}

/* "forward", "Step 12": one word that stands in any report, and numbers, tell nothing. */
static bool is_own_word(const struct scrub *s, const char *text)
{
	char word[64];
	size_t n = 0;
	for (; n < sizeof word && isalpha((unsigned char)text[n]); n++)
		word[n] = (char)tolower((unsigned char)text[n]);
	return !text[n + strspn(text + n, " #:_0123456789")] &&
	       (!n || (n < sizeof word && strings_find(s->ours, word, n)));
}

/* ---- names that are not to be told ------------------------------------------------------------------------------------------ */

static void keep_back(struct scrub *s, const char *name, const char *kind)
{
	if (name[0] && name[1] && !is_own_word(s, name))
		private_words_add(s->words, name, kind);
}

static void keep_back_id(struct scrub *s, str_id id, const char *kind)
{
	if (!s->technical[id])
		keep_back(s, trace_str(s->t, id), kind);
}

/* "/host:CPU", "myhost /device:GPU:0": the part that says what it is. */
static const char *role_in(const char *name)
{
	const char *role = strstr(name, "/host:");
	return role ? role : strstr(name, "/device:");
}

static void keep_back_places(struct scrub *s, const struct derived *d)
{
	char label[192];
	for (uint32_t i = 0; i < trace_hosts(s->t); i++)
		keep_back(s, trace_str(s->t, trace_host(s->t, i)->name), "host");
	for (uint32_t i = 0; i < trace_tracks(s->t); i++) {
		if (is_device_lane(trace_track(s->t, i)->kind))
			continue;
		keep_back(s, arena_strdup(&s->mem, trace_track_label(s->t, i, label, sizeof label)), "thread");
	}
	for (uint32_t i = 0; i < trace_processes(s->t); i++) {
		const char *name = trace_str(s->t, trace_process(s->t, i)->name);
		if (strcmp(name, "python") != 0 && !role_in(name))
			keep_back(s, name, "process");
	}
	for (uint32_t i = 0; i < derived_steps(d); i++)
		if (derived_step(d, i)->marker != NONE_ID &&
		    !s->technical[derived_columns(d)->name[derived_step(d, i)->marker]])
			keep_back(s, derived_step_name(d, derived_step(d, i)), "name");
}

/* Names of events, and paths among the other texts: modules, scopes, files. */
static void keep_back_names(struct scrub *s)
{
	const struct columns *c = trace_columns(s->t);
	uint32_t n = strings_count(trace_strings(s->t));
	uint8_t *seen = must(calloc((size_t)n + 1, 1));
	for (uint64_t r = 0; r < c->n; r++) {
		if (!seen[c->name[r]])
			keep_back_id(s, c->name[r], "name");
		seen[c->name[r]] = 1;
	}
	for (str_id id = 1; id < n; id++)
		if (!seen[id] && strchr(trace_str(s->t, id), '/'))
			keep_back_id(s, id, "path");
	free(seen);
}

struct scrub *scrub_new(const struct derived *d)
{
	struct scrub *s = must(calloc(1, sizeof *s));
	s->t = derived_trace(d);
	s->technical = must(calloc((size_t)strings_count(trace_strings(s->t)) + 1, 1));
	s->words = private_words_new();
	s->ours = strings_new();
	note_technical_places(s);
	note_technical(s, d);
	note_own_words(s);
	keep_back_places(s, d);
	keep_back_names(s);
	private_words_seal(s->words);
	return s;
}

void scrub_free(struct scrub *s)
{
	if (!s)
		return;
	private_words_free(s->words);
	strings_free(s->ours);
	arena_free(&s->mem);
	free(s->technical);
	free(s);
}

const char *scrub_text(const struct scrub *s, const char *kind, const char *text, struct arena *mem)
{
	if (!s || !*text || is_own_word(s, text))
		return text;
	const char *known = private_words_kind(s->words, text);
	return words_hash(mem, known ? known : kind, text);
}

const char *scrub_sentence(const struct scrub *s, const char *text, struct arena *mem)
{
	return s && text ? private_words_hide(s->words, text, mem) : text;
}

/* ---- names of lanes and events ---------------------------------------------------------------------------------------------- */

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

const char *scrub_track(const struct scrub *s, const struct trace *t, uint32_t track, struct arena *mem)
{
	const struct track_info *x = trace_track(t, track);
	char label[160];
	const char *name = trace_str(t, x->name ? x->name : x->lane);
	if (!*name && x->kind == TRACK_STREAM)
		return arena_strdup(mem, trace_track_label(t, track, label, sizeof label));
	return is_device_lane(x->kind) ? name : scrub_text(s, "thread", name, mem);
}

static bool is_technical_name(const struct scrub *s, const char *text)
{
	str_id id = strings_find(trace_strings(s->t), text, strlen(text));
	return id && s->technical[id];
}

const char *scrub_name(const struct scrub *s, const char *name, struct arena *mem)
{
	return !s || is_technical_name(s, name) ? name : scrub_text(s, "name", name, mem);
}

const char *scrub_event(const struct scrub *s, const struct trace *t, row_id r, struct arena *mem)
{
	return scrub_name(s, trace_str(t, trace_columns(t)->name[r]), mem);
}

/* ---- tables ----------------------------------------------------------------------------------------------------------------- */

/* clang-format off */
/* Columns whose texts are words of this program, numbers, shapes or types. */
static const char *const plain_columns[] = {
	"key", "unit", "help", "axis", "role", "track_kind", "step_source", "phase", "iteration_kind", "part",
	"label", "of", "by", "cause", "scope", "gap_kind", "host_or_device", "bound_by",
	"eager", "roof_note", "block", "grid", "precision", "occupancy_by", "limited_by", "on_streams",
	"tc_rule", "api", "direction", "src", "dst", "memory", "op_by", "size", "algorithm", "protocol", "dtype",
	"group_kind", "parameters_dtype", "message_size", "peak_step", "peak_phase", "matched_by", "blocks_of",
	"measure", "launch_range", "reason", "detail", "tc_problem", "rule", "severity", "question", "waits_for",
	"title", "kind", "note", "note_severity", "pipeline_kind", "compiler", "shape", "compiled_shape",
	"previous_shape", "block_shape", "block_type", "category", "type", "opcode", "buffer_kind"};
/* Columns of sentences of this program, with recorded names in them. */
static const char *const sentences[] = {
	"sentence", "about", "advice", "confidence_note", "why", "device", "device_label", "held_stream", "family", "formula", "what", "place", "gap_place",
	"step", "before", "after", "late_because", "tree", "op_list", "allocator", "placement"};
/* Columns of tables that only reports have: labels of places, which are hashed when they are made (tui/text/labels.h). */
static const char *const own_columns[] = {"edge", "where"};
/* Keys of tables of keys and values whose values are the same. */
static const char *const plain_facts[] = {
	"format", "producer", "producer_version", "device", "device_name", "device_type", "steps_source", "tc_rules",
	"semantics", "verdict_class", "epoch", "clock"};
/* clang-format on */

static bool is_own_column(const struct table *t, const char *name)
{
	return !t->desc && TEXT_IS_ONE_OF(name, own_columns);
}

static bool is_plain_column(const char *name)
{
	return TEXT_IS_ONE_OF(name, plain_columns);
}

static bool is_plain_fact(const struct table *t, uint32_t r)
{
	const struct cell *key = table_cell(t, r, KEYED_KEY);
	return !key->null && TEXT_IS_ONE_OF(key->s, plain_facts);
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

static bool is_plain_value(const struct scrub *s, const struct table *t, uint32_t r, const char *text)
{
	bool recorded = !strcmp(t->name, "trace"); /* what producers wrote of their environment */
	return !recorded || (is_plain_fact(t, r) && is_harmless(s, text)) || !text[strspn(text, "0123456789.,%+-: ")];
}

const char *scrub_cell(const struct scrub *s, const struct table *t, uint32_t r, uint32_t c, struct arena *mem)
{
	const char *text = table_cell(t, r, c)->s, *column = t->cols[c].name;
	if (!s || !text || is_technical_name(s, text) || is_own_column(t, column))
		return text;
	if (table_is_keys(t) && c == KEYED_VALUE)
		return is_plain_value(s, t, r, text) ? scrub_sentence(s, text, mem) : scrub_text(s, column, text, mem);
	if (TEXT_IS_ONE_OF(column, sentences))
		return scrub_sentence(s, text, mem);
	bool plain = is_plain_column(column) && (is_harmless(s, text) || !strcmp(column, "help"));
	return plain ? scrub_sentence(s, text, mem) : scrub_text(s, column, text, mem);
}

const struct table *scrub_table(const struct scrub *s, const struct table *t, struct arena *mem)
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
				row[c].s = arena_strdup(mem, scrub_cell(s, t, r, c, mem));
		}
		table_evidence(out, e->a_ns, e->b_ns, e->rows, e->n);
	}
	return out;
}
