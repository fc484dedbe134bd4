/* model/store/saved/save.c - writes the file; save.h draws its layout. */
#include "save_private.h"
#include "model/store/facts/attrs_private.h"
#include "model/store/files/text_stream.h"
#include "model/store/trace/lazy_sections.h"
#include "model/store/trace/packed_tables.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct writer {
	FILE *f;
	struct column packed; /* bytes */
	struct save_section table[SAVE_MAX_SECTIONS];
	uint32_t n;
	uint64_t at;
	bool failed;
	int why;                  /* errno of the write that failed, 0 = none did */
	const _Atomic bool *stop; /* NULL = cannot be stopped */
};

/* True when nothing more need be written. */
static bool given_up(struct writer *w)
{
	if (w->stop && atomic_load(w->stop))
		w->failed = true;
	return w->failed;
}

static void write_failed(struct writer *w)
{
	w->why = w->failed ? w->why : errno;
	w->failed = true;
}

static void write_bytes(struct writer *w, const void *p, size_t n)
{
	if (n && fwrite(p, 1, n, w->f) != n)
		write_failed(w);
	w->at += n;
}

static struct save_section *begin(struct writer *w, const char *name, enum codec c, size_t n, size_t size)
{
	struct save_section *s = &w->table[w->n++];
	snprintf(s->name, sizeof s->name, "%s", name);
	/* whoever does not know the section must not read the file; what is optional takes it back */
	s->required = 1;
	s->codec = (uint32_t)c;
	s->size = (uint32_t)size;
	s->count = n;
	s->plain = n * size;
	s->offset = w->at;
	return s;
}

static void put_by_kind(struct writer *w, const char *name, enum codec c, const void *values, size_t n, size_t size,
			const uint8_t *kinds)
{
	struct save_section *s = begin(w, name, c, n, size);
	w->packed.size = 1;
	w->packed.n = 0;
	if (given_up(w))
		return;
	if (!codec_pack(c, values, n, size, kinds, &w->packed)) {
		w->failed = true;
		return;
	}
	s->stored = w->packed.n;
	s->hash = codec_hash(w->packed.p, w->packed.n, 0);
	write_bytes(w, w->packed.p, w->packed.n);
}

static void put(struct writer *w, const char *name, enum codec c, const void *values, size_t n, size_t size)
{
	put_by_kind(w, name, c, values, n, size, NULL);
}

static void put_text(struct writer *w, const char *name, char *text, size_t n)
{
	put(w, name, CODEC_ZSTD, text, n, 1);
	free(text);
}

/* Field by field: neighbours in a column resemble each other, neighbours in a row do not. */
#define FLAT(f)                   \
	flat[at] = (int64_t)x->f; \
	at += flat_n;
#define PUT_FLAT(w, section, type, rows, count, fields, n_fields)                     \
	do {                                                                          \
		size_t flat_n = (count);                                              \
		int64_t *flat = malloc((flat_n * (n_fields) + 1) * sizeof *flat);     \
		const type *x = (rows);                                               \
		if (!flat) {                                                          \
			(w)->failed = true;                                           \
			break;                                                        \
		}                                                                     \
		for (size_t i = 0; i < flat_n; i++, x++) {                            \
			size_t at = i;                                                \
			fields(FLAT)                                                  \
		}                                                                     \
		put(w, section, CODEC_STEPS, flat, flat_n *(n_fields), sizeof *flat); \
		free(flat);                                                           \
	} while (0)

static void put_owners(struct writer *w, const struct trace *t)
{
	PUT_FLAT(w, "hosts", struct host, t->hosts, t->n_hosts, SAVE_HOST, HOST_FIELDS);
	PUT_FLAT(w, "processes", struct process, t->processes, t->n_processes, SAVE_PROCESS, PROCESS_FIELDS);
	PUT_FLAT(w, "devices", struct device, t->devices, t->n_devices, SAVE_DEVICE, DEVICE_FIELDS);
	PUT_FLAT(w, "tracks", struct trace_track, t->tracks, t->n_tracks, SAVE_TRACK, TRACK_FIELDS);
}

static void put_kernels(struct writer *w, const struct trace *t)
{
	size_t n = t->kernels.n;
	uint32_t *words = malloc((n * KERNEL_WORDS + 1) * sizeof *words);
	const struct kernel_info *rows = t->kernels.p;
	for (size_t i = 0; words && i < n; i++)
		for (size_t k = 0; k < KERNEL_WORDS; k++)
			memcpy(&words[k * n + i], (const uint32_t *)&rows[i] + k, sizeof *words);
	w->failed |= !words;
	if (words)
		put(w, "kernels", CODEC_PLANES, words, n * KERNEL_WORDS, sizeof *words);
	free(words);
}

/* Column by column: neighbours in a column resemble each other, neighbours in a row do not. */
static void put_side_columns(struct writer *w, const struct side_table_info *x, const struct column *rows)
{
	int64_t *flat = malloc((rows->n * x->n_columns + 1) * sizeof *flat);
	w->failed |= !flat;
	for (uint32_t k = 0; flat && k < x->n_columns; k++)
		side_column_get(x, &x->columns[k], rows->p, rows->n, flat + k * rows->n);
	if (flat)
		put(w, x->section, CODEC_STEPS, flat, rows->n * x->n_columns, sizeof *flat);
	free(flat);
}

static void put_side_tables(struct writer *w, const struct trace *t)
{
	for (enum side_table i = 0; i < SIDE_TABLE_COUNT; i++) {
		const struct side_table_info *x = &side_tables[i];
		uint64_t none = x->rows == SIDE_NUMBERED; /* row 0 */
		if (x->saved == SIDE_BY_HAND || (x->saved == SIDE_WHERE_ANY && t->side[i].n <= none))
			continue;
		uint32_t at = w->n;
		packed_tables_need(t, i);
		if (x->saved == SIDE_AS_ROWS)
			put(w, x->section, CODEC_ZSTD, t->side[i].p, t->side[i].n, x->row_bytes);
		else
			put_side_columns(w, x, &t->side[i]);
		if (at < w->n)
			w->table[at].required = x->saved != SIDE_WHERE_ANY;
	}
}

/* Sections of their own, and none where no program is: programs without them read the rest all the same. */
static void put_hlo_rows(struct writer *w, const struct trace *t)
{
	const struct kernel_info *k = t->kernels.p;
	const struct copy_info *c = t->copies.p;
	uint32_t *rows = malloc((t->kernels.n + t->copies.n + 1) * sizeof *rows), from = w->n;
	w->failed |= !rows;
	if (t->hlos.n < 2 || !rows) {
		free(rows);
		return;
	}
	for (size_t i = 0; i < t->kernels.n; i++)
		rows[i] = k[i].hlo;
	put(w, "kernel_hlo", CODEC_PLANES, rows, t->kernels.n, sizeof *rows);
	for (size_t i = 0; i < t->copies.n; i++)
		rows[i] = c[i].hlo;
	put(w, "copy_hlo", CODEC_PLANES, rows, t->copies.n, sizeof *rows);
	for (; from < w->n; from++)
		w->table[from].required = 0;
	free(rows);
}

/* A section of its own, and none where no copy tells its devices: programs without it read the rest all the same. */
static void put_copy_devices(struct writer *w, const struct trace *t)
{
	const struct copy_info *c = t->copies.p;
	uint32_t *ends = malloc((t->copies.n + 1) * sizeof *ends), from = w->n;
	bool any = false;
	w->failed |= !ends;
	for (size_t i = 0; ends && i < t->copies.n; i++) {
		ends[i] = (uint32_t)(uint16_t)c[i].from_device << 16 | (uint16_t)c[i].to_device;
		any |= ends[i] != UINT32_MAX;
	}
	if (ends && any)
		put(w, "copy_devices", CODEC_PLANES, ends, t->copies.n, sizeof *ends);
	for (; from < w->n; from++)
		w->table[from].required = 0;
	free(ends);
}

/* So that a reader need not look through the kernels. */
static void put_kernels_tell_op(struct writer *w, const struct trace *t)
{
	uint8_t any = trace_kernels_tell_op(t);
	uint32_t from = w->n;
	put(w, "kernels_tell_op", CODEC_RAW, &any, 1, 1);
	w->table[from].required = 0;
}

static void put_details(struct writer *w, const struct trace *t)
{
	put_side_tables(w, t);
	put_kernels(w, t);
	put_kernels_tell_op(w, t);
	put_hlo_rows(w, t);
	put_copy_devices(w, t);
	PUT_FLAT(w, "flows", struct flow, t->flows, t->n_flows, SAVE_FLOW, FLOW_FIELDS);
}

static void put_strings(struct writer *w, const struct trace *t)
{
	uint32_t n = strings_count(t->strings);
	uint32_t *sizes = malloc((n + 1) * sizeof *sizes);
	struct column bytes = {.size = 1};
	for (uint32_t i = 0; sizes && i < n; i++) {
		struct span s = strings_get(t->strings, i);
		sizes[i] = (uint32_t)s.n;
		w->failed |= !column_grow(&bytes, bytes.n + s.n + 1);
		if (w->failed)
			break;
		memcpy((char *)bytes.p + bytes.n, s.p, s.n);
		bytes.n += s.n;
	}
	w->failed |= !sizes;
	if (!w->failed) {
		put(w, "string_sizes", CODEC_PLANES, sizes, n, sizeof *sizes);
		put(w, "string_bytes", CODEC_ZSTD, bytes.p, bytes.n, 1);
	}
	column_free(&bytes);
	free(sizes);
}

static void put_samples(struct writer *w, const struct trace *t)
{
	size_t n = 0;
	for (uint32_t i = 0; i < t->n_tracks; i++)
		n += t->tracks[i].n_samples;
	put(w, "samples", CODEC_ZSTD, t->samples, n, sizeof *t->samples);
}

/* Facts, sources and notes as text: readable in any version. */
static void put_words(struct writer *w, const struct trace *t)
{
	struct text_stream words;
	size_t n = 0;
	FILE *f = text_stream_open(&words);
	if (!f) {
		w->failed = true;
		return;
	}
	fprintf(f, "ledger%c%" PRIu64 " %" PRIu64 " %" PRIu64 "%c", 0, t->notes.entries, t->notes.merged,
		t->notes.shown, 0);
	fprintf(f, "times%c%" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64 "%c", 0, t->base_ns, t->epoch_ns, t->span_ns,
		t->c.n, 0);
	for (int i = 0; i < NOTE_COUNT; i++)
		if (t->notes.at[i].count && i != NOTE_ATTRS_DAMAGED) /* reading the block will note it again */
			fprintf(f, "note:%s%c%" PRIu64 " %" PRId64 " %" PRIu32 "%c", note_info(i)->name, 0,
				t->notes.at[i].count, t->notes.at[i].first_at, t->notes.at[i].first_source, 0);
	for (uint32_t i = 0; i < t->n_sources; i++) {
		const struct source_in *s = &t->sources[i];
		fprintf(f, "source:%s%c%s%c", s->format, 0, s->path, 0);
		fprintf(f, "traits:%" PRIu32 "%c%s%c", s->traits, 0, s->producer ? s->producer : "",
			0); /* of that source */
	}
	for (uint32_t i = 0; i < t->n_facts; i++)
		fprintf(f, "fact:%s%c%s%c", t->facts[i].key, 0, t->facts[i].value, 0);
	char *text = text_stream_close(&words, &n);
	w->failed |= !text;
	if (!w->failed)
		put_text(w, "words", text, n);
}

struct block_sizes {
	struct writer *w;
	struct column sizes, hashes; /* uint32_t, uint64_t */
	uint64_t all;                /* of all blocks, one after the other */
};

static bool put_block(void *ctx, const void *packed, size_t n, uint64_t hash)
{
	struct block_sizes *b = ctx;
	uint32_t *size = column_push(&b->sizes);
	uint64_t *own = column_push(&b->hashes);
	if (!size || !own)
		return false;
	*size = (uint32_t)n;
	*own = hash;
	b->all = codec_hash(packed, n, b->all);
	write_bytes(b->w, packed, n);
	return !given_up(b->w);
}

static void put_attrs(struct writer *w, const struct trace *t)
{
	struct block_sizes b = {.w = w, .sizes = {.size = sizeof(uint32_t)}, .hashes = {.size = sizeof(uint64_t)}};
	struct save_section *s = begin(w, "attr_blocks", CODEC_RAW, 0, 1);
	w->failed |= !attrs_each_packed(t->attrs, put_block, &b);
	s->stored = s->plain = s->count = w->at - s->offset;
	s->hash = b.all;
	uint64_t total = attrs_total(t->attrs);
	uint8_t coder = 1;
	put(w, "attr_sizes", CODEC_PLANES, b.sizes.p, b.sizes.n, sizeof(uint32_t));
	put(w, "attr_total", CODEC_RAW, &total, 1, sizeof total);
	put(w, "attr_coder", CODEC_RAW, &coder, 1, sizeof coder);
	put(w, "attr_hashes", CODEC_RAW, b.hashes.p, b.hashes.n, sizeof(uint64_t));
	w->table[w->n - 1].required = 0; /* older programs read the rest all the same */
	column_free(&b.sizes);
	column_free(&b.hashes);
}

/* What follows from the rest is written as a difference of nothing: the link of a host row (a launch's is found from its
 * work), the correlation of work that has a link (it is its launch's). */
static void put_links(struct writer *w, const struct trace *t)
{
	uint32_t *links = malloc((t->c.n + 1) * sizeof *links), link[UINT8_MAX + 1] = {0};
	uint64_t *corrs = malloc((t->c.n + 1) * sizeof *corrs), corr[UINT8_MAX + 1] = {0};
	w->failed |= !links || !corrs;
	for (uint64_t r = 0; !w->failed && r < t->c.n; r++) {
		bool device = t->tracks[t->track[r]].info.device != NONE_ID;
		uint8_t kind = t->kind[r];
		if (device)
			link[kind] = t->link[r] + 1; /* none = 0 */
		if (!device || t->link[r] == NONE_ID)
			corr[kind] = number_at(t->c.corr, (row_id)r);
		links[r] = link[kind];
		corrs[r] = corr[kind];
	}
	if (!w->failed) {
		put_by_kind(w, "links", CODEC_KINDS, links, t->c.n, sizeof *links, t->kind);
		put_by_kind(w, "corrs", CODEC_KINDS, corrs, t->c.n, sizeof *corrs, t->kind);
	}
	free(links);
	free(corrs);
}

/* Always 64 bits in the file. */
static void put_attr_names(struct writer *w, const struct trace *t)
{
	attr_at *names = malloc((t->c.n + 1) * sizeof *names);
	w->failed |= !names;
	for (uint64_t r = 0; names && r < t->c.n; r++)
		names[r] = number_at(t->c.attrs, (row_id)r);
	if (names)
		put_by_kind(w, "attrs", CODEC_KINDS, names, t->c.n, sizeof *names, t->kind);
	free(names);
}

/* Always 32 bits. */
static void put_groups(struct writer *w, const struct trace *t)
{
	int32_t *groups = malloc((t->c.n + 1) * sizeof *groups);
	w->failed |= !groups;
	for (uint64_t r = 0; groups && r < t->c.n; r++)
		groups[r] = step_group_at(t->c.group, (row_id)r);
	if (groups)
		put_by_kind(w, "group", CODEC_KINDS, groups, t->c.n, sizeof *groups, t->kind);
	free(groups);
}

static void put_rows(struct writer *w, const struct trace *t)
{
#define PUT_ROW(section, field, codec) put_by_kind(w, section, codec, t->field, t->c.n, sizeof *t->field, t->kind);
	put(w, "kind", CODEC_PLANES, t->kind, t->c.n, sizeof *t->kind);
	SAVE_ROWS(PUT_ROW)
#undef PUT_ROW
	put_attr_names(w, t);
	put_links(w, t);
	if (t->group || t->group16)
		put_groups(w, t);
}

/* What packs better than a file may is given the size that it needs: see "Bound" in save.h. */
static void pad(struct writer *w)
{
	static const char zeros[4096];
	uint64_t least = save_least_bytes(w->table, w->n);
	while (w->at < least && !given_up(w))
		write_bytes(w, zeros, least - w->at < sizeof zeros ? (size_t)(least - w->at) : sizeof zeros);
}

static bool write_all(struct writer *w, const struct trace *t)
{
	for (enum lazy_section part = 0; part < LAZY_SECTIONS; part++)
		lazy_need(t, part);
	/* written twice: at first to keep the place, at last with where the table is */
	struct save_header h = {.major = SAVE_MAJOR, .minor = SAVE_MINOR};
	memcpy(h.magic, SAVE_MAGIC, 8);
	write_bytes(w, &h, sizeof h);
	put_words(w, t);
	put_strings(w, t);
	put_owners(w, t);
	put_details(w, t);
	put_samples(w, t);
	put_rows(w, t);
	put_attrs(w, t);
	pad(w);
	h.table_at = w->at;
	h.sections = w->n;
	h.table_hash = codec_hash(w->table, w->n * sizeof *w->table, 0);
	write_bytes(w, w->table, w->n * sizeof *w->table);
	if (!w->failed && (fseek(w->f, 0, SEEK_SET) != 0 || fwrite(&h, sizeof h, 1, w->f) != 1 || fflush(w->f) != 0))
		write_failed(w);
	return !w->failed;
}

static enum output_end save_to(const struct trace *t, const char *path, unsigned flags, const _Atomic bool *stop,
			       struct err *e)
{
	struct output *o = output_open(path, flags | OUTPUT_BINARY, e);
	struct writer *w = calloc(1, sizeof *w);
	bool ok = o && w;
	if (ok) {
		w->f = output_stream(o);
		w->stop = stop;
		ok = write_all(w, t);
		column_free(&w->packed);
	}
	int why = w ? w->why : 0;
	free(w);
	if (ok)
		return output_close(o, e);
	if (o)
		err_unwritten(e, "cannot write %.200s: %s", path, strerror(why ? why : ENOMEM));
	output_drop(o);
	return OUTPUT_LOST;
}

bool trace_save(const struct trace *t, const char *path, unsigned flags, struct err *e)
{
	return trace_save_until(t, path, flags, NULL, e);
}

bool trace_save_until(const struct trace *t, const char *path, unsigned flags, const _Atomic bool *stop, struct err *e)
{
	return save_to(t, path, flags, stop, e) == OUTPUT_DONE;
}

/* Tells in e where it is, and after that why it is not where it should be. */
static bool save_elsewhere(const struct trace *t, struct err *e)
{
	const char *folders[] = {".", getenv("TMPDIR"), "/var/tmp", "/tmp"};
	char name[4096], free_name[4096], why[sizeof e->msg];
	snprintf(why, sizeof why, "%s", e->msg);
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		if (!folders[i] || !*folders[i])
			continue;
		snprintf(name, sizeof name, "%s/stepscope-recording-%d.stepscope", folders[i], (int)getpid());
		if (output_free_name(name, free_name, sizeof free_name) && trace_save(t, free_name, 0, NULL))
			return err_unwritten(e, "what was recorded is in %.180s instead: %s", free_name, why);
	}
	return err_unwritten(e, "%s, and what was recorded found no other place, either", why);
}

bool trace_save_recorded(const struct trace *t, const char *path, unsigned flags, struct err *e)
{
	struct err own;
	e = e ? e : &own;
	enum output_end end = save_to(t, path, flags, NULL, e);
	return end == OUTPUT_LOST ? save_elsewhere(t, e) : end == OUTPUT_DONE;
}
