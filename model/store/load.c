/* model/store/load.c - reads a saved file, trusting nothing in it. */
#include "attrs_private.h"
#include "save_private.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct reader {
	int fd;
	const char *path;
	uint64_t size;
	struct save_section *table;
	uint32_t n;
	struct err *e;
};

static bool read_at(int fd, void *to, uint64_t n, uint64_t at)
{
	for (char *p = to; n > 0;) {
		ssize_t got = pread(fd, p, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		at += (uint64_t)got;
		n -= (uint64_t)got;
	}
	return true;
}

static bool damaged(struct reader *r, uint64_t at, const char *what)
{
	return err_set(r->e, r->path, (int64_t)at, "damaged stepscope file: %s", what);
}

static const struct save_section *find(const struct reader *r, const char *name)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (strncmp(r->table[i].name, name, sizeof r->table[i].name) == 0)
			return &r->table[i];
	return NULL;
}

static bool inside(const struct reader *r, const struct save_section *s)
{
	return s->offset <= r->size && s->stored <= r->size - s->offset;
}

/* The section's stored bytes, checked; NULL on damage. Caller frees. */
static unsigned char *stored_bytes(struct reader *r, const struct save_section *s)
{
	unsigned char *p = inside(r, s) ? malloc(s->stored + 1) : NULL;
	if (p && read_at(r->fd, p, s->stored, s->offset) && codec_hash(p, s->stored, 0) == s->hash)
		return p;
	free(p);
	damaged(r, s->offset, s->name);
	return NULL;
}

/* Elements of a section in fresh memory; *n receives how many. `size` is what this version expects. */
static void *take(struct reader *r, const char *name, size_t size, uint64_t *n)
{
	const struct save_section *s = find(r, name);
	*n = 0;
	if (!s || s->size != size || s->codec > CODEC_DELTA ||
	    !codec_fits((enum codec)s->codec, s->stored, s->count, size)) {
		damaged(r, s ? s->offset : 0, name);
		return NULL;
	}
	unsigned char *packed = stored_bytes(r, s);
	void *values = packed ? calloc(s->count + 1, size) : NULL;
	bool ok = values && codec_unpack((enum codec)s->codec, packed, s->stored, values, s->count, size);
	free(packed);
	if (ok) {
		*n = s->count;
		return values;
	}
	free(values);
	damaged(r, s->offset, name);
	return NULL;
}

static void *take_n(struct reader *r, const char *name, size_t size, uint64_t want)
{
	uint64_t n;
	void *p = take(r, name, size, &n);
	if (p && n != want) {
		free(p);
		damaged(r, 0, name);
		return NULL;
	}
	return p;
}

/* ---- words: ledger, times, notes, sources, facts ---------------------------------------------------------------- */

static void take_note(struct trace *t, const char *name, const char *value)
{
	for (int i = 0; i < NOTE_COUNT; i++)
		if (strcmp(note_info(i)->name, name) == 0)
			sscanf(value, "%" SCNu64 " %" SCNd64 " %" SCNu32, &t->notes.at[i].count,
			       &t->notes.at[i].first_at, &t->notes.at[i].first_source);
}

static void take_word(struct trace *t, const char *key, const char *value)
{
	if (strcmp(key, "ledger") == 0)
		sscanf(value, "%" SCNu64 " %" SCNu64 " %" SCNu64, &t->notes.entries, &t->notes.merged, &t->notes.shown);
	else if (strcmp(key, "times") == 0)
		sscanf(value, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNu64, &t->base_ns, &t->epoch_ns, &t->span_ns,
		       &t->c.n);
	else if (strncmp(key, "note:", 5) == 0)
		take_note(t, key + 5, value);
	else if (strncmp(key, "source:", 7) == 0)
		t->sources[t->n_sources++] = (struct source_in){strdup(value), strdup(key + 7)};
	else if (strncmp(key, "fact:", 5) == 0)
		t->facts[t->n_facts++] = (struct fact){strdup(key + 5), strdup(value)};
}

static bool take_words(struct reader *r, struct trace *t)
{
	uint64_t n, words = 0;
	char *text = take(r, "words", 1, &n);
	TRY(text);
	for (uint64_t i = 0; i < n; i++)
		words += text[i] == 0;
	t->sources = calloc(words + 1, sizeof *t->sources);
	t->facts = calloc(words + 1, sizeof *t->facts);
	bool ok = t->sources && t->facts && words % 2 == 0 && (n == 0 || text[n - 1] == 0);
	for (char *key = text, *value; ok && key < text + n; key = value + strlen(value) + 1) {
		value = key + strlen(key) + 1;
		take_word(t, key, value);
	}
	free(text);
	return ok ? true : damaged(r, 0, "words");
}

static bool take_strings(struct reader *r, struct trace *t)
{
	uint64_t n, bytes, at = 0;
	uint32_t *sizes = take(r, "string_sizes", sizeof *sizes, &n);
	char *text = sizes ? take(r, "string_bytes", 1, &bytes) : NULL;
	t->strings = text ? strings_new() : NULL;
	bool ok = t->strings != NULL;
	for (uint64_t i = 1; ok && i < n; i++) { /* ids must come out as they went in: every text once, none empty */
		ok = sizes[i] <= bytes - at && strings_add(t->strings, text + at, sizes[i]) == i;
		at += sizes[i];
	}
	free(sizes);
	free(text);
	return ok ? true : damaged(r, 0, "strings");
}

/* ---- owners and details ------------------------------------------------------------------------------------------- */

#define UNFLAT(f)                          \
	x->f = (__typeof__(x->f))flat[at]; \
	at += rows_n;
#define TAKE_FLAT(r, section, type, rows, count, fields, n_fields)       \
	do {                                                             \
		uint64_t flat_n;                                         \
		int64_t *flat = take(r, section, sizeof *flat, &flat_n); \
		TRY(flat);                                               \
		uint64_t rows_n = flat_n / (n_fields);                   \
		(count) = (__typeof__(count))rows_n;                     \
		(rows) = calloc((size_t)rows_n + 1, sizeof(type));       \
		type *x = (rows);                                        \
		for (uint64_t i = 0; x && i < rows_n; i++, x++) {        \
			uint64_t at = i;                                 \
			fields(UNFLAT)                                   \
		}                                                        \
		free(flat);                                              \
		TRY((rows) ? true : damaged(r, 0, section));             \
	} while (0)

static bool take_owners(struct reader *r, struct trace *t)
{
	TAKE_FLAT(r, "hosts", struct host, t->hosts, t->n_hosts, SAVE_HOST, HOST_FIELDS);
	TAKE_FLAT(r, "processes", struct process, t->processes, t->n_processes, SAVE_PROCESS, PROCESS_FIELDS);
	TAKE_FLAT(r, "devices", struct device, t->devices, t->n_devices, SAVE_DEVICE, DEVICE_FIELDS);
	TAKE_FLAT(r, "tracks", struct trace_track, t->tracks, t->n_tracks, SAVE_TRACK, TRACK_FIELDS);
	TAKE_FLAT(r, "flows", struct flow, t->flows, t->n_flows, SAVE_FLOW, FLOW_FIELDS);
	return true;
}

/* Detail rows live in columns, which own pages of their own. */
static bool to_column(struct column *c, const void *rows, uint64_t n, size_t size)
{
	c->size = size;
	if (!column_grow(c, n + 1))
		return false;
	memcpy(c->p, rows, n * size);
	c->n = n;
	return true;
}

static bool take_kernels(struct reader *r, struct trace *t)
{
	uint64_t n;
	uint32_t *words = take(r, "kernels", sizeof *words, &n);
	TRY(words);
	n /= KERNEL_WORDS;
	t->kernels.size = sizeof(struct kernel_info);
	bool ok = column_grow(&t->kernels, n + 1);
	uint32_t *row = t->kernels.p;
	for (uint64_t i = 0; ok && i < n; i++)
		for (uint64_t k = 0; k < KERNEL_WORDS; k++)
			*row++ = words[k * n + i];
	t->kernels.n = n;
	free(words);
	return ok;
}

static bool take_details(struct reader *r, struct trace *t)
{
	uint64_t n;
	struct copy_info *copies;
	struct host_info *host_details;
	bool ok = take_kernels(r, t);
	TRY(ok);
	TAKE_FLAT(r, "copies", struct copy_info, copies, n, SAVE_COPY, COPY_FIELDS);
	ok = to_column(&t->copies, copies, n, sizeof *copies);
	free(copies);
	TRY(ok);
	TAKE_FLAT(r, "host_details", struct host_info, host_details, n, SAVE_HOST_DETAIL, HOST_DETAIL_FIELDS);
	ok = to_column(&t->host_details, host_details, n, sizeof *host_details);
	free(host_details);
	return ok;
}

static bool take_attrs(struct reader *r, struct trace *t)
{
	uint64_t n;
	const struct save_section *s = find(r, "attr_blocks");
	uint32_t *sizes = take(r, "attr_sizes", sizeof *sizes, &n);
	uint64_t *total = sizes ? take_n(r, "attr_total", sizeof *total, 1) : NULL;
	uint64_t sum = 0;
	for (uint64_t i = 0; total && i < n; i++)
		sum += sizes[i];
	int fd = total && s && inside(r, s) && sum == s->stored ? dup(r->fd) : -1;
	t->attrs = fd >= 0 ? attrs_in_file(fd, (int64_t)s->offset, sizes, n, *total) : NULL;
	free(sizes);
	free(total);
	return t->attrs ? true : damaged(r, 0, "attributes");
}

static bool take_samples(struct reader *r, struct trace *t)
{
	uint64_t n, want = 0, n_ends;
	for (uint32_t i = 0; i < t->n_tracks; i++)
		want += t->tracks[i].n_samples;
	t->samples = take(r, "samples", sizeof *t->samples, &n);
	TRY(t->samples);
	t->ends = take(r, "ends", sizeof *t->ends, &n_ends);
	t->n_ends = n_ends;
	return t->ends && n == want ? true : damaged(r, 0, "samples");
}

static bool take_rows(struct reader *r, struct trace *t)
{
	if (t->c.n >= UINT32_MAX)
		return damaged(r, 0, "rows");
#define TAKE_ROW(section, field, codec)                          \
	t->field = take_n(r, section, sizeof *t->field, t->c.n); \
	TRY(t->field);
	SAVE_ROWS(TAKE_ROW)
#undef TAKE_ROW
	if (find(r, "group")) {
		t->group = take_n(r, "group", sizeof *t->group, t->c.n);
		TRY(t->group);
	}
	t->track = calloc(t->c.n + 1, sizeof *t->track);
	t->corr = calloc(t->c.n + 1, sizeof *t->corr);
	t->link = calloc(t->c.n + 1, sizeof *t->link);
	return t->track && t->corr && t->link ? true : damaged(r, 0, "rows");
}

/* Spreads the stored links and correlations over the rows; rows know their tracks by now. */
static bool spread_links(struct trace *t, const uint32_t *links, uint64_t n_links, const uint64_t *corrs,
			 uint64_t n_corrs)
{
	uint64_t link = 0, corr = 0;
	for (uint64_t r = 0; r < t->c.n; r++) {
		bool device = t->tracks[t->track[r]].info.device != NONE_ID;
		if (device && link == n_links)
			return false;
		t->link[r] = device ? links[link++] - 1 : NONE_ID;
		if (device && t->link[r] != NONE_ID)
			continue;
		if (corr == n_corrs)
			return false;
		t->corr[r] = corrs[corr++];
	}
	for (uint64_t r = 0; r < t->c.n; r++)
		if (t->link[r] < t->c.n)
			t->corr[r] = t->corr[t->link[r]];
	return link == n_links && corr == n_corrs;
}

static bool take_links(struct reader *r, struct trace *t)
{
	uint64_t n_links, n_corrs;
	uint32_t *links = take(r, "links", sizeof *links, &n_links);
	uint64_t *corrs = links ? take(r, "corrs", sizeof *corrs, &n_corrs) : NULL;
	bool ok = corrs && spread_links(t, links, n_links, corrs, n_corrs);
	free(links);
	free(corrs);
	return ok ? true : damaged(r, 0, "links");
}

static bool read_sections(struct reader *r, struct trace *t)
{
	return take_words(r, t) && take_strings(r, t) && take_owners(r, t) && take_details(r, t) &&
	       take_samples(r, t) && take_rows(r, t) && take_attrs(r, t);
}

static bool known(const char *name)
{
	static const char *const names[] = {"words",
					    "string_sizes",
					    "string_bytes",
					    "hosts",
					    "processes",
					    "devices",
					    "tracks",
					    "flows",
					    "kernels",
					    "copies",
					    "host_details",
					    "samples",
					    "ends",
					    "group",
					    "attr_blocks",
					    "attr_sizes",
					    "attr_total",
					    "links",
					    "corrs",
#define ROW_NAME(section, field, codec) section,
					    SAVE_ROWS(ROW_NAME)
#undef ROW_NAME
	};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strncmp(names[i], name, sizeof((struct save_section){0}).name) == 0)
			return true;
	return false;
}

static bool read_table(struct reader *r)
{
	struct save_header h;
	if (r->size < sizeof h || !read_at(r->fd, &h, sizeof h, 0) || memcmp(h.magic, SAVE_MAGIC, 8) != 0)
		return err_set(r->e, r->path, 0, "not a stepscope file");
	if (h.major > SAVE_MAJOR || h.major + 1 < SAVE_MAJOR)
		return err_set(r->e, r->path, 8,
			       "written by another version (format %" PRIu32
			       ", this one reads %d); import the trace again",
			       h.major, SAVE_MAJOR);
	uint64_t bytes = h.sections * (uint64_t)sizeof *r->table;
	if (h.sections > SAVE_MAX_SECTIONS || h.table_at > r->size || bytes > r->size - h.table_at)
		return damaged(r, 16, "section table");
	r->table = calloc(h.sections + 1, sizeof *r->table);
	r->n = h.sections;
	if (!r->table || !read_at(r->fd, r->table, bytes, h.table_at) || codec_hash(r->table, bytes, 0) != h.table_hash)
		return damaged(r, h.table_at, "section table");
	for (uint32_t i = 0; i < r->n; i++)
		if (r->table[i].required && !known(r->table[i].name))
			return err_set(r->e, r->path, (int64_t)r->table[i].offset,
				       "needs a newer stepscope (section %.24s); import the trace again",
				       r->table[i].name);
	return true;
}

bool trace_is_saved(const unsigned char *head, size_t n)
{
	return n >= 8 && memcmp(head, SAVE_MAGIC, 8) == 0;
}

static bool load_all(struct reader *r, struct trace *t)
{
	TRY(read_table(r) && read_sections(r, t));
	if (!load_tracks(t))
		return damaged(r, 0, "tracks");
	TRY(take_links(r, t));
	uint64_t bad = load_check(t);
	if (bad != UINT64_MAX)
		return err_set(r->e, r->path, -1, "damaged stepscope file: row %" PRIu64 " points outside the trace",
			       bad);
	trace_publish_columns(t);
	return seal_rows(t) && seal_launch_groups(t) ? true : damaged(r, 0, "not enough memory");
}

struct trace *trace_load(const char *path, struct progress *p, struct err *e)
{
	struct reader r = {.path = path, .e = e};
	struct stat st;
	r.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (r.fd < 0 || fstat(r.fd, &st) != 0) {
		err_set(e, path, -1, "%s", strerror(errno));
		if (r.fd >= 0)
			close(r.fd);
		return NULL;
	}
	r.size = (uint64_t)st.st_size;
	struct trace *t = calloc(1, sizeof *t);
	bool ok = t != NULL;
	if (ok) {
		atomic_store(&t->refs, 1);
		ok = load_all(&r, t);
	}
	if (ok && p) {
		atomic_store(&p->bytes_done, st.st_size);
		atomic_store(&p->events, (int64_t)t->c.n);
	}
	free(r.table);
	close(r.fd);
	if (!ok)
		trace_free(t);
	return ok ? t : NULL;
}
