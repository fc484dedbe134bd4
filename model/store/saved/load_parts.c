/* model/store/saved/load_parts.c - fills the trace from the sections of a saved file. */
#include "load_private.h"
#include "model/store/base/memory.h"
#include "model/store/facts/attrs_private.h"
#include "model/store/trace/lazy_sections.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- words: ledger, times, notes, sources, facts ---------------------------------------------------------------- */

static void take_note(struct trace *t, const char *name, const char *value)
{
	struct note *x = NULL;
	uint64_t count = 0;
	for (int i = 0; i < NOTE_COUNT; i++)
		if (strcmp(note_info(i)->name, name) == 0)
			x = &t->notes.at[i];
	if (!x)
		return;
	sscanf(value, "%" SCNu64 " %" SCNd64 " %" SCNu32, &count, &x->first_at, &x->first_source);
	x->count = count;
}

/* False when memory is out. */
static bool promise(struct source_in *x, uint32_t traits, const char *producer)
{
	free(x->producer);
	x->producer = producer ? strdup(producer) : NULL;
	x->traits = traits;
	return x->producer || !producer;
}

/* Files that were saved before sources stated their traits have the format's name alone. */
static bool promise_by_format(struct source_in *x)
{
	static const struct {
		const char *format, *producer;
		uint32_t traits;
	} before[] = {{"xspace", "a program with the TensorFlow or JAX profiler (XSpace)",
		       SOURCE_PROFILER | SOURCE_OP_PATHS | SOURCE_EDGES},
		      {"chrome", "a program that writes Chrome trace events", 0},
		      {"live", NULL, SOURCE_PROFILER}};
	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		if (strcmp(before[i].format, x->format) == 0)
			return promise(x, before[i].traits, before[i].producer);
	return true;
}

/* False when memory is out. */
static bool take_source(struct trace *t, const char *format, const char *path)
{
	struct source_in *x = &t->sources[t->n_sources++];
	*x = (struct source_in){.path = strdup(path), .format = strdup(format)};
	return x->path && x->format && promise_by_format(x);
}

/* Of the source before it. */
static bool take_traits(struct trace *t, const char *traits, const char *producer)
{
	struct source_in *x = t->n_sources ? &t->sources[t->n_sources - 1] : NULL;
	return !x || promise(x, (uint32_t)strtoul(traits, NULL, 10), *producer ? producer : NULL);
}

static bool take_fact(struct trace *t, const char *key, const char *value)
{
	struct fact *x = &t->facts[t->n_facts++];
	*x = (struct fact){strdup(key), strdup(value)};
	return x->key && x->value;
}

static bool take_word(struct trace *t, const char *key, const char *value)
{
	if (strcmp(key, "ledger") == 0)
		sscanf(value, "%" SCNu64 " %" SCNu64 " %" SCNu64, &t->notes.entries, &t->notes.merged, &t->notes.shown);
	else if (strcmp(key, "times") == 0)
		sscanf(value, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNu64, &t->base_ns, &t->epoch_ns, &t->span_ns,
		       &t->c.n);
	else if (strncmp(key, "note:", 5) == 0)
		take_note(t, key + 5, value);
	else if (strncmp(key, "source:", 7) == 0)
		return take_source(t, key + 7, value);
	else if (strncmp(key, "traits:", 7) == 0)
		return take_traits(t, key + 7, value);
	else if (strncmp(key, "fact:", 5) == 0)
		return take_fact(t, key + 5, value);
	return true;
}

static bool take_words(struct lane *l, struct trace *t)
{
	uint64_t n, words = 0;
	char *text = take(l, "words", 1, &n);
	TRY(text);
	for (uint64_t i = 0; i < n; i++)
		words += text[i] == 0;
	bool whole = words % 2 == 0 && (n == 0 || text[n - 1] == 0);
	t->sources = calloc(words / 2 + 1, sizeof *t->sources);
	t->facts = calloc(words / 2 + 1, sizeof *t->facts);
	bool ok = whole && t->sources && t->facts;
	for (char *key = text, *value; ok && key < text + n; key = value + strlen(value) + 1) {
		value = key + strlen(key) + 1;
		ok = take_word(t, key, value);
	}
	free(text);
	return ok ? true : whole ? out_of_memory(l) : damaged(l, 0, "words");
}

/* Ids must come out as they went in: every text once, none empty. */
static bool add_strings(struct strings *s, struct section_bytes *in, const uint32_t *sizes, uint64_t n)
{
	const char *text;
	for (uint64_t i = 1; i < n; i++)
		if (!(text = section_bytes_next(in, sizes[i])) || strings_add(s, text, sizes[i]) != i)
			return false;
	return true;
}

static bool take_strings(struct lane *l, struct trace *t)
{
	uint64_t n;
	struct section_bytes in;
	uint32_t *sizes = take(l, "string_sizes", sizeof *sizes, &n);
	bool open = sizes && section_bytes_open(&in, l, "string_bytes");
	t->strings = open ? strings_new() : NULL;
	if (t->strings && !strings_expect(t->strings, (uint32_t)n)) {
		strings_free(t->strings);
		t->strings = NULL;
	}
	bool ok = t->strings && add_strings(t->strings, &in, sizes, n), told = !open || in.failed;
	free(sizes);
	if (open)
		ok = section_bytes_close(&in) && ok;
	if (open && !t->strings)
		return out_of_memory(l);
	/* a reason is given once, where it was found */
	return ok || told ? ok : damaged(l, 0, "strings");
}

/* ---- owners and details ------------------------------------------------------------------------------------------- */

#define UNFLAT(f)                              \
	x->f = (__typeof__(x->f + 0))flat[at]; \
	at += rows_n;
/* The rows have place for one more than told: an empty table is no null pointer. Rows are zeroed one by one, right before they are
 * filled. */
#define TAKE_FLAT(l, section, type, rows, count, fields, n_fields)       \
	do {                                                             \
		uint64_t flat_n;                                         \
		int64_t *flat = take(l, section, sizeof *flat, &flat_n); \
		TRY(flat);                                               \
		uint64_t rows_n = flat_n / (n_fields);                   \
		if (flat_n % (n_fields) != 0 || rows_n >= UINT32_MAX) {  \
			free(flat);                                      \
			return damaged(l, 0, section);                   \
		}                                                        \
		(count) = (__typeof__(count))rows_n;                     \
		(rows) = large_alloc((rows_n + 1) * sizeof(type));       \
		type *x = (rows);                                        \
		for (uint64_t i = 0; x && i < rows_n; i++, x++) {        \
			uint64_t at = i;                                 \
			*x = (type){0};                                  \
			fields(UNFLAT)                                   \
		}                                                        \
		if (x)                                                   \
			*x = (type){0};                                  \
		free(flat);                                              \
		TRY((rows) ? true : out_of_memory(l));                   \
	} while (0)

static bool take_owners(struct lane *l, struct trace *t)
{
	TAKE_FLAT(l, "hosts", struct host, t->hosts, t->n_hosts, SAVE_HOST, HOST_FIELDS);
	TAKE_FLAT(l, "processes", struct process, t->processes, t->n_processes, SAVE_PROCESS, PROCESS_FIELDS);
	TAKE_FLAT(l, "devices", struct device, t->devices, t->n_devices, SAVE_DEVICE, DEVICE_FIELDS);
	TAKE_FLAT(l, "tracks", struct trace_track, t->tracks, t->n_tracks, SAVE_TRACK, TRACK_FIELDS);
	return true;
}

static bool take_flows(struct lane *l, struct trace *t)
{
	TAKE_FLAT(l, "flows", struct flow, t->flows, t->n_flows, SAVE_FLOW, FLOW_FIELDS);
	return true;
}

uint32_t *take_optional_rows(struct lane *l, const char *section, uint64_t n, bool *ok)
{
	uint64_t have;
	uint32_t *rows = find_section(l->r, section) ? take(l, section, sizeof *rows, &have) : NULL;
	*ok = rows ? have == n : !find_section(l->r, section);
	if (rows && !*ok)
		damaged(l, 0, section);
	return rows;
}

static bool take_copy_hlo(struct lane *l, struct trace *t)
{
	bool ok;
	uint32_t *hlo = take_optional_rows(l, "copy_hlo", t->copies.n, &ok);
	for (uint64_t i = 0; ok && hlo && i < t->copies.n; i++)
		((struct copy_info *)t->copies.p)[i].hlo = hlo[i];
	free(hlo);
	return ok;
}

static bool take_copy_devices(struct lane *l, struct trace *t)
{
	struct copy_info *c = t->copies.p;
	bool ok;
	uint32_t *ends = take_optional_rows(l, "copy_devices", t->copies.n, &ok);
	for (uint64_t i = 0; i < t->copies.n; i++) {
		c[i].from_device = ends && ok ? (int16_t)(ends[i] >> 16) : -1;
		c[i].to_device = ends && ok ? (int16_t)(ends[i] & 0xffff) : -1;
	}
	free(ends);
	return ok;
}

/* ---- side tables --------------------------------------------------------------------------------------------------- */

static bool take_side_columns(struct lane *l, const struct side_table_info *x, struct column *rows)
{
	uint64_t n;
	int64_t *flat = take(l, x->section, sizeof *flat, &n);
	TRY(flat);
	bool whole = n % x->n_columns == 0 && (n /= x->n_columns) < UINT32_MAX;
	bool ok = whole ? column_grow(rows, n + 1) || out_of_memory(l) : damaged(l, 0, x->section);
	for (uint32_t k = 0; ok && k < x->n_columns; k++)
		side_column_set(x, &x->columns[k], rows->p, n, flat + k * n);
	rows->n = ok ? n : 0;
	free(flat);
	return ok;
}

static bool take_side_rows(struct lane *l, const struct side_table_info *x, struct column *rows)
{
	uint64_t n;
	void *all = take(l, x->section, x->row_bytes, &n);
	TRY(all);
	bool ok = column_grow(rows, n + 1) || out_of_memory(l);
	if (ok)
		memcpy(rows->p, all, n * x->row_bytes);
	rows->n = ok ? n : 0;
	free(all);
	return ok;
}

static bool take_side_table(struct lane *l, struct trace *t, enum side_table i)
{
	const struct side_table_info *x = &side_tables[i];
	t->side[i].size = x->row_bytes;
	if (x->saved == SIDE_BY_HAND || (x->saved == SIDE_WHERE_ANY && !find_section(l->r, x->section)))
		return true;
	TRY(x->saved == SIDE_AS_ROWS ? take_side_rows(l, x, &t->side[i]) : take_side_columns(l, x, &t->side[i]));
	return i != SIDE_COPIES || (take_copy_hlo(l, t) && take_copy_devices(l, t));
}

#define TAKE_SIDE_TABLE(ID, rows, ...)                               \
	static bool take_all_##rows(struct lane *l, struct trace *t) \
	{                                                            \
		return take_side_table(l, t, SIDE_##ID);             \
	}
SIDE_TABLES(TAKE_SIDE_TABLE)

/* ---- attributes, samples -------------------------------------------------------------------------------------------- */

/* For a file that has none: those of the blocks as they are, or, when they do not add up to the section's, others, so that
 * no block passes. */
static bool make_attr_hashes(struct lane *l, const struct save_section *s, const uint32_t *sizes, uint64_t n,
			     uint64_t *hashes)
{
	uint64_t all = 0, at = s->offset;
	bool read = true;
	l->packed.size = 1;
	for (uint64_t i = 0; read && i < n; at += sizes[i++]) {
		if (!column_grow(&l->packed, sizes[i] + UINT64_C(1)))
			return out_of_memory(l);
		read = read_at(l->r->fd, l->packed.p, sizes[i], at);
		hashes[i] = codec_hash(l->packed.p, sizes[i], 0);
		all = codec_hash(l->packed.p, sizes[i], all);
	}
	for (uint64_t i = 0; (!read || all != s->hash) && i < n; i++)
		hashes[i] = ~hashes[i];
	return true;
}

/* A checksum for each block; NULL with a reason in l->e. */
static uint64_t *take_attr_hashes(struct lane *l, const struct save_section *s, const uint32_t *sizes, uint64_t n)
{
	uint64_t sum = 0, have, *hashes;
	for (uint64_t i = 0; i < n; i++)
		sum += sizes[i];
	if (!s || !section_inside(l->r, s) || sum != s->stored) {
		damaged(l, s ? s->offset : 0, "attributes");
		return NULL;
	}
	if (find_section(l->r, "attr_hashes")) {
		hashes = take(l, "attr_hashes", sizeof *hashes, &have);
		if (!hashes || have == n)
			return hashes;
		damaged(l, s->offset, "attributes");
	} else {
		hashes = calloc(n + 1, sizeof *hashes);
		if (hashes ? make_attr_hashes(l, s, sizes, n, hashes) : out_of_memory(l))
			return hashes;
	}
	free(hashes);
	return NULL;
}

static bool take_attrs(struct lane *l, struct trace *t)
{
	struct attrs_place x = {.fd = -1, .notes = &t->notes};
	const struct save_section *s = find_section(l->r, "attr_blocks");
	uint32_t *sizes = take(l, "attr_sizes", sizeof *sizes, &x.n_blocks);
	uint64_t one = 0, *total = sizes ? take(l, "attr_total", sizeof *total, &one) : NULL;
	if (total && one != 1)
		damaged(l, s ? s->offset : 0, "attr_total");
	uint64_t *hashes = total && one == 1 ? take_attr_hashes(l, s, sizes, x.n_blocks) : NULL;
	if (hashes) {
		x.fd = dup(l->r->fd);
		x.at = (int64_t)s->offset;
		x.sizes = sizes;
		x.hashes = hashes;
		x.total = *total;
		t->attrs = x.fd >= 0 ? attrs_in_file(&x) : NULL;
		if (!t->attrs)
			damaged(l, s->offset, "attributes");
	}
	free(sizes);
	free(total);
	free(hashes);
	return t->attrs != NULL;
}

static bool take_samples(struct lane *l, struct trace *t)
{
	uint64_t n, want = 0;
	for (uint32_t i = 0; i < t->n_tracks; i++)
		want += t->tracks[i].n_samples;
	t->samples = take(l, "samples", sizeof *t->samples, &n);
	TRY(t->samples);
	return n == want ? true : damaged(l, 0, "samples");
}

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

#define TAKE_ROW(section, field, codec)                                              \
	static bool take_##field(struct lane *l, struct trace *t)                    \
	{                                                                            \
		t->field = take_rows(l, section, sizeof *t->field, t->kind, t->c.n); \
		return t->field != NULL;                                             \
	}
SAVE_ROWS(TAKE_ROW)
TAKE_ROW("links", link, CODEC_KINDS)
TAKE_ROW("group", group, CODEC_KINDS)
#undef TAKE_ROW

static bool take_group_if_any(struct lane *l, struct trace *t)
{
	return !find_section(l->r, "group") || take_group(l, t);
}

/* Tracks follow each other without holes and cover all rows; their samples likewise. */
static bool tracks_fit(const struct trace *t)
{
	uint64_t first = 0, sample = 0;
	for (uint32_t i = 0; i < t->n_tracks; i++) {
		const struct trace_track *x = &t->tracks[i];
		if (x->info.first != first || x->info.n > t->c.n - first || x->first_sample != sample ||
		    sample + x->n_samples < sample)
			return false;
		first += x->info.n;
		sample += x->n_samples;
	}
	return first == t->c.n;
}

static bool number_tracks(struct lane *l, struct trace *t)
{
	t->track = large_alloc((t->c.n + 1) * sizeof *t->track);
	for (uint32_t i = 0; t->track && i < t->n_tracks; i++)
		for (uint64_t r = t->tracks[i].info.first; r < t->tracks[i].info.first + t->tracks[i].info.n; r++)
			t->track[r] = i;
	return t->track ? true : out_of_memory(l);
}

bool load_first(struct lane *l, struct trace *t)
{
	TRY(take_words(l, t) && take_owners(l, t));
	if (t->c.n >= UINT32_MAX || !tracks_fit(t))
		return damaged(l, 0, "tracks");
	t->kind = take_rows(l, "kind", sizeof *t->kind, NULL, t->c.n);
	return t->kind != NULL;
}

/* ---- what is taken late ----------------------------------------------------------------------------------------------- */

static bool keep_kernels(struct lane *l, struct trace *t)
{
	TRY(keep_section(l, "kernels", sizeof(uint32_t), UINT64_MAX));
	/* how many there are must be known before they are unpacked: rows are checked against it */
	t->kernels.n = find_section(l->r, "kernels")->count / KERNEL_WORDS;
	return !find_section(l->r, "kernel_hlo") || keep_section(l, "kernel_hlo", sizeof(uint32_t), t->kernels.n);
}

static bool take_kernels_tell_op(struct lane *l, struct trace *t)
{
	uint64_t n;
	if (!find_section(l->r, "kernels_tell_op"))
		return true;
	uint8_t *any = take(l, "kernels_tell_op", sizeof *any, &n);
	t->kernels_tell_no_op = any && n == 1 && !*any;
	free(any);
	return any != NULL;
}

static bool keep_flows(struct lane *l, struct trace *t)
{
	(void)t;
	return keep_section(l, "flows", sizeof(int64_t), UINT64_MAX);
}

static bool keep_corrs(struct lane *l, struct trace *t)
{
	return keep_section(l, "corrs", sizeof *t->corr, t->c.n);
}

static bool keep_attrs(struct lane *l, struct trace *t)
{
	return keep_section(l, "attrs", sizeof *t->attrs_at, t->c.n);
}

static bool take_lazy_flows(struct lane *l, struct trace *t)
{
	if (take_flows(l, t) && load_check_flows(t))
		return true;
	free(t->flows);
	t->flows = NULL;
	t->n_flows = 0;
	return false;
}

load_part *const load_lazy[LAZY_SECTIONS] = {
	[LAZY_FLOWS] = take_lazy_flows,
};

/* The long ones first, so that the threads end together. */
/* clang-format off */
#define SIDE_PART(ID, rows, ...) take_all_##rows,
load_part *const load_parts[] = {
	take_start_ns, take_dur_ns,   take_link,         take_detail, take_name,  take_strings, take_depth,
	take_disp,     number_tracks, take_group_if_any, SIDE_TABLES(SIDE_PART)   take_samples, take_attrs,
	keep_kernels,  keep_flows,    keep_corrs,        keep_attrs,  take_kernels_tell_op,
};
#undef SIDE_PART
/* clang-format on */
const unsigned load_parts_n = sizeof load_parts / sizeof load_parts[0];
_Static_assert(sizeof load_parts / sizeof load_parts[0] <= LOAD_PARTS_MOST, "a reason for each");

static bool points_at_host(const struct trace *t, uint32_t link)
{
	return link < t->c.n && t->tracks[t->track[link]].info.device == NONE_ID;
}

static bool link_device_rows(struct trace *t, uint64_t first, uint64_t n)
{
	for (uint64_t r = first; r < first + n; r++) {
		uint32_t link = --t->link[r]; /* none was 0 */
		if (link == NONE_ID)
			continue;
		if (!points_at_host(t, link))
			return false;
	}
	return true;
}

bool load_links(struct trace *t)
{
	for (uint32_t i = 0; i < t->n_tracks;) {
		const struct track_info *x = &t->tracks[i++].info;
		uint64_t n = x->n;
		if (x->device != NONE_ID) {
			TRY(link_device_rows(t, x->first, n));
			continue;
		}
		for (; i < t->n_tracks && t->tracks[i].info.device == NONE_ID; i++)
			n += t->tracks[i].info.n;
		memset(t->link + x->first, 0xff, n * sizeof *t->link);
	}
	return true;
}
