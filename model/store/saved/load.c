/* model/store/saved/load.c - reads a saved file, trusting nothing in it: the table, then the sections on all threads, then every
 * number in them is looked at, and only then what is not saved is built from them. */
#include "load_private.h"
#include "model/store/base/both.h"
#include "model/store/base/memory.h"
#include "model/store/files/trusted.h"
#include "model/store/trace/lazy_sections.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LANES = 2 };

struct loading {
	struct reader *r;
	const char *path;
	struct trace *t;
	struct lane lane[LANES];
	struct err why[LOAD_PARTS_MOST]; /* of each part */
	bool ok[LOAD_PARTS_MOST];
	atomic_uint next;
	uint64_t bad[LANES];    /* rows */
	uint64_t sum_ns[LANES]; /* of all durations */
	struct err *e;
};

/* ---- table ---------------------------------------------------------------------------------------------------------- */

static bool all_known(const struct reader *r, struct err *e)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->table[i].required && !save_knows(r->table[i].name))
			return err_set(e, r->path, (int64_t)r->table[i].offset,
				       "needs a newer stepscope (section %.24s); import the trace again",
				       r->table[i].name);
	return true;
}

/* Before any of it is unpacked. */
static bool plausible(const struct reader *r, struct err *e)
{
	uint64_t least = save_least_bytes(r->table, r->n);
	if (least <= r->size)
		return true;
	return err_set(e, r->path, -1,
		       "damaged stepscope file, or one made to fill memory: %" PRIu64
		       " bytes cannot hold what it says it holds; import the trace again",
		       r->size);
}

static bool read_header(struct reader *r, struct save_header *h, struct err *e)
{
	if (r->size < sizeof *h || !read_at(r->fd, h, sizeof *h, 0) || memcmp(h->magic, SAVE_MAGIC, 8) != 0)
		return err_set(e, r->path, 0, "not a stepscope file");
	if (h->major != SAVE_MAJOR)
		return err_set(e, r->path, 8,
			       "written by another version (format %" PRIu32
			       ", this one reads %d); import the trace again",
			       h->major, SAVE_MAJOR);
	return true;
}

static bool read_table(struct reader *r, struct err *e)
{
	struct save_header h;
	TRY(read_header(r, &h, e));
	/* the number of sections is 32 bits from the file: the product cannot overflow */
	uint64_t bytes = h.sections * (uint64_t)sizeof *r->table;
	if (h.sections > SAVE_MAX_SECTIONS || h.table_at > r->size || bytes > r->size - h.table_at)
		return err_set(e, r->path, 16, "damaged stepscope file: section table");
	r->table = calloc(h.sections + 1, sizeof *r->table);
	r->kept = calloc(h.sections + 1, sizeof *r->kept);
	r->n = h.sections;
	if (!r->table || !r->kept)
		return err_memory(e, r->path);
	if (!read_at(r->fd, r->table, bytes, h.table_at) || codec_hash(r->table, bytes, 0) != h.table_hash)
		return err_set(e, r->path, (int64_t)h.table_at, "damaged stepscope file: section table");
	return all_known(r, e) && plausible(r, e);
}

bool trace_is_saved(const unsigned char *head, size_t n)
{
	return n >= 8 && memcmp(head, SAVE_MAGIC, 8) == 0;
}

/* ---- sections, on all lanes ----------------------------------------------------------------------------------------- */

static void read_parts(struct loading *x, struct lane *l)
{
	for (unsigned i; (i = atomic_fetch_add(&x->next, 1)) < load_parts_n;) {
		x->ok[i] = load_parts[i](l, x->t);
		/* a lane reads many parts: its reason is kept apart for each */
		x->why[i] = l->e;
	}
}

static bool first_lane(void *ctx)
{
	struct loading *x = ctx;
	read_parts(x, &x->lane[0]);
	return true;
}

static bool second_lane(void *ctx)
{
	struct loading *x = ctx;
	if (x->lane[1].scratch)
		read_parts(x, &x->lane[1]);
	return true;
}

static bool open_lanes(struct loading *x)
{
	for (unsigned i = 0; i < LANES; i++)
		x->lane[i] = (struct lane){.r = x->r, .scratch = i < x->r->threads ? codec_scratch_new() : NULL};
	return x->lane[0].scratch ? true : err_memory(x->e, x->r->path);
}

static void close_lanes(struct loading *x)
{
	for (unsigned i = 0; i < LANES; i++) {
		codec_scratch_free(x->lane[i].scratch);
		column_free(&x->lane[i].packed);
	}
}

/* Of several damaged parts the first in file order is reported, whichever thread read it. */
static bool read_sections(struct loading *x)
{
	if (!load_first(&x->lane[0], x->t)) {
		*x->e = x->lane[0].e;
		return false;
	}
	both(x->r->threads, first_lane, second_lane, x);
	for (unsigned i = 0; i < load_parts_n; i++)
		if (!x->ok[i]) {
			*x->e = x->why[i];
			return false;
		}
	return true;
}

/* ---- checks, then what follows from the sections ---------------------------------------------------------------------- */

static bool check_first_half(void *ctx)
{
	struct loading *x = ctx;
	x->bad[0] = load_check_rows(x->t, 0, x->t->c.n / 2, &x->sum_ns[0]);
	return true;
}

static bool check_second_half(void *ctx)
{
	struct loading *x = ctx;
	x->bad[1] = load_check_rows(x->t, x->t->c.n / 2, x->t->c.n, &x->sum_ns[1]);
	return true;
}

static bool check_all(struct loading *x)
{
	if (!load_check_owners(x->t))
		return err_set(x->e, x->r->path, -1, "damaged stepscope file: a number points outside the trace");
	/* every row is looked at before anything is built from them: what follows indexes arrays by their numbers */
	both(x->r->threads, check_first_half, check_second_half, x);
	uint64_t bad = x->bad[0] != UINT64_MAX ? x->bad[0] : x->bad[1];
	if (bad != UINT64_MAX)
		return err_set(x->e, x->r->path, -1, "damaged stepscope file: row %" PRIu64 " points outside the trace",
			       bad);
	if (!load_check_sum(x->sum_ns[0], x->sum_ns[1]))
		return err_set(x->e, x->r->path, -1, "damaged stepscope file: durations of more than 146 years");
	return load_links(x->t) ? true : err_set(x->e, x->r->path, -1, "damaged stepscope file: links");
}

static bool index_rest(void *ctx)
{
	struct loading *x = ctx;
	return seal_launch_groups(x->t) && seal_skip(x->t);
}

static bool load_all(struct loading *x)
{
	TRY(read_table(x->r, x->e) && open_lanes(x) && read_sections(x) && check_all(x));
	trace_publish_columns(x->t);
	/* not in the file, since it follows from the rest */
	if (!seal_display(x->t, &(struct helpers){x->r->threads, NULL, index_rest, x}) || !lazy_new(x->t, x->r))
		return err_memory(x->e, x->path);
	x->r = NULL; /* the trace's */
	return true;
}

static struct reader *reader_new(int fd, const char *path, unsigned threads, int64_t size)
{
	struct reader *r = calloc(1, sizeof *r);
	if (r)
		*r = (struct reader){.fd = fd, .path = path, .size = (uint64_t)size, .threads = threads};
	return r;
}

static struct trace *load_opened(struct loading *x)
{
	x->t = calloc(1, sizeof *x->t);
	bool ok = x->t && x->r;
	if (ok) {
		atomic_store(&x->t->refs, 1);
		ok = load_all(x);
		close_lanes(x);
	} else
		err_memory(x->e, x->path);
	load_reader_free(x->r);
	if (!ok)
		trace_free(x->t);
	return ok ? x->t : NULL;
}

static void tell_progress(const struct trace *t, int64_t size, struct progress *p)
{
	if (!p)
		return;
	atomic_store(&p->bytes_done, size);
	atomic_store(&p->events, (int64_t)t->c.n);
}

struct trace *trace_load(const char *path, unsigned threads, struct progress *p, struct err *e)
{
	struct stat st;
	struct trace *t = NULL;
	struct err unasked;
	struct loading *x = calloc(1, sizeof *x);
	const char *why = NULL;
	int fd = x ? trusted_file(path, &why) : -1;
	if (fd >= 0 && fstat(fd, &st) == 0) {
		x->e = e ? e : &unasked;
		x->path = path;
		x->r = reader_new(fd, path, threads, st.st_size);
		memory_for_answers();
		t = load_opened(x);
	} else if (why) {
		err_set(e, path, -1, "%s", why);
	} else {
		err_memory(e, path);
	}
	if (t)
		tell_progress(t, st.st_size, p);
	if (fd >= 0)
		close(fd);
	free(x);
	return t;
}

void trace_drop_if_damaged(struct trace *t, const char *path)
{
	free(t->drop_path);
	t->drop_path = strdup(path);
}
