/* A trace saved and loaded is the same trace; a damaged file is refused with a reason or harmless, never a crash. */
#include "model/store/ingest/ingest.h"
#include "model/store/trace/lazy_sections.h"
#include "model/store/saved/save_private.h"
#include "tests/unit/unit.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];

static unsigned rnd(unsigned *seed, unsigned n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

static struct trace *made_up(unsigned seed, int n)
{
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	ingest_fact(in, "producer", "test");
	ingest_epoch(in, 1700000000000000000);
	uint32_t host = ingest_host(in, "demo", 3), process = ingest_process(in, host, 100),
		 device = ingest_device(in, host, 1);
	uint32_t tracks[] = {ingest_track(in, TRACK_STREAM, device, 7, 0),
			     ingest_track(in, TRACK_THREAD, process, 1, 0),
			     ingest_track(in, TRACK_THREAD, process, 2, 0)};
	uint32_t power = ingest_track(in, TRACK_COUNTER, process, 0, strings_addz(ingest_strings(in), "power"));
	struct kernel_info k;
	struct copy_info c;
	kernel_info_init(&k);
	copy_info_init(&c);
	k.registers = 32;
	k.op = strings_addz(ingest_strings(in), "model/dense/MatMul");
	c.bytes = 1 << 20;
	for (int i = 0; i < n; i++) {
		unsigned where = rnd(&seed, 3);
		char name[32];
		struct event_in e = {
			.start_ns = 1000 + rnd(&seed, 1000000), .dur_ns = rnd(&seed, 3000), .track = tracks[where]};
		snprintf(name, sizeof name, "event %u", rnd(&seed, 50));
		e.name = strings_addz(ingest_strings(in), name);
		e.group = (int32_t)rnd(&seed, 4) - 1;
		e.corr = rnd(&seed, 200);
		e.kind = where ? KIND_RUNTIME : rnd(&seed, 2) ? KIND_KERNEL : KIND_COPY;
		e.detail = e.kind == KIND_KERNEL ? ingest_kernel(in, &k)
			   : e.kind == KIND_COPY ? ingest_copy(in, &c)
						 : 0;
		attrs_begin(ingest_attrs(in));
		attrs_put_int(ingest_attrs(in), e.name, i);
		e.attrs = attrs_end(ingest_attrs(in));
		ingest_notes(in)->entries++;
		ingest_event(in, &e);
		ingest_sample(in, power, e.start_ns, i);
	}
	ingest_notes(in)->entries += 3;
	notes_add(ingest_notes(in), NOTE_PHASE_OTHER, 77, 1);
	ingest_flow(in, 's', tracks[1], 0, 9, 500000, true, 5);
	ingest_flow(in, 'f', tracks[2], 0, 9, 600000, true, 6);
	return ingest_seal(in, NULL);
}

static void same_rows(const struct trace *x, const struct trace *y)
{
	const struct columns *a = trace_columns(x), *b = trace_columns(y);
	assert_int_equal(a->n, b->n);
	assert_memory_equal(a->start_ns, b->start_ns, a->n * 8);
	assert_memory_equal(a->dur_ns, b->dur_ns, a->n * 8);
	assert_memory_equal(a->name, b->name, a->n * 4);
	assert_memory_equal(a->track, b->track, a->n * 4);
	assert_memory_equal(a->kind, b->kind, a->n);
	assert_memory_equal(a->depth, b->depth, a->n * 2);
	assert_memory_equal(a->disp, b->disp, a->n * 2);
	for (uint64_t r = 0; r < a->n; r++)
		assert_true(number_at(a->corr, (row_id)r) == number_at(b->corr, (row_id)r) &&
			    step_group_at(a->group, (row_id)r) == step_group_at(b->group, (row_id)r));
	assert_memory_equal(a->link, b->link, a->n * 4);
	assert_memory_equal(a->detail, b->detail, a->n * 4);
}

static void same_attributes(const struct trace *x, const struct trace *y)
{
	struct arena mem = {0};
	for (uint64_t r = 0; r < trace_columns(x)->n; r++) {
		struct attr *a, *b;
		size_t n, m;
		assert_true(attrs_read(trace_attrs(x), number_at(trace_columns(x)->attrs, r), &mem, &a, &n));
		assert_true(attrs_read(trace_attrs(y), number_at(trace_columns(y)->attrs, r), &mem, &b, &m));
		assert_int_equal(n, m);
		assert_int_equal(a[0].i, b[0].i);
	}
	arena_free(&mem);
}

static void what_is_saved_comes_back(void **state)
{
	(void)state;
	struct trace *t = made_up(1, 30000);
	struct err e;
	assert_true(trace_save(t, path, OUTPUT_FORCE, &e));
	struct trace *u = trace_load(path, 1, NULL, &e);
	assert_non_null(u);
	same_rows(t, u);
	same_attributes(t, u);
	assert_int_equal(trace_span_ns(t), trace_span_ns(u));
	assert_int_equal(trace_epoch_ns(t), trace_epoch_ns(u));
	assert_string_equal(trace_source(u, 0).path, "some/file.json");
	assert_memory_equal(trace_notes(t)->at, trace_notes(u)->at, sizeof trace_notes(t)->at);
	assert_true(notes_balance(trace_notes(u)));
	const struct flow *f, *g;
	assert_int_equal(trace_flows(t, &f), trace_flows(u, &g));
	const row_id *rows, *again;
	for (row_id r = 0; r < trace_columns(t)->n; r++) {
		uint32_t n = trace_launched(t, r, &rows);
		assert_int_equal(n, trace_launched(u, r, &again));
		if (n)
			assert_memory_equal(rows, again, n * sizeof *rows);
	}
	trace_free(t);
	trace_free(u);
}

/* cmocka speaks for one thread only: the others count. */
struct asking {
	const struct trace *was, *is;
	uint64_t wrong;
};

static void *ask_for_all(void *ctx)
{
	struct asking *a = ctx;
	const struct columns *was = trace_columns(a->was), *is = trace_columns(a->is);
	const struct flow *f, *g;
	a->wrong += trace_flows(a->was, &f) != trace_flows(a->is, &g);
	for (row_id r = 0; r < was->n; r++) {
		a->wrong += number_at(was->corr, r) != number_at(is->corr, r);
		a->wrong += number_at(was->attrs, r) != number_at(is->attrs, r);
		a->wrong += !trace_kernel(a->was, r) != !trace_kernel(a->is, r);
		a->wrong += !trace_kernel_with_op(a->was, r) != !trace_kernel_with_op(a->is, r);
	}
	return NULL;
}

/* What a loaded trace unpacks late comes whole to each of those who ask for it at once. */
static void two_threads_may_ask_for_what_comes_late(void **state)
{
	(void)state;
	struct trace *t = made_up(6, 200000);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	struct trace *u = trace_load(path, 2, NULL, NULL);
	assert_non_null(u);
	struct asking here = {t, u, 0}, there = {t, u, 0};
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, ask_for_all, &there), 0);
	ask_for_all(&here);
	pthread_join(thread, NULL);
	assert_int_equal(here.wrong + there.wrong, 0);
	trace_free(t);
	trace_free(u);
}

/* So many that they lie in three chunks, and in other ones for each word. */
enum { KERNELS = 150000 };

static void save_kernels(void)
{
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	uint32_t track = ingest_track(in, TRACK_STREAM, ingest_device(in, ingest_host(in, "demo", 0), 0), 7, 0);
	for (int i = 0; i < KERNELS; i++) {
		struct kernel_info k;
		kernel_info_init(&k);
		k.grid[0] = (uint32_t)i;
		struct event_in e = {.start_ns = i * 10, .dur_ns = 5, .track = track, .kind = KIND_KERNEL, .group = -1};
		e.detail = ingest_kernel(in, &k);
		ingest_event(in, &e);
	}
	struct trace *t = ingest_seal(in, NULL);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	trace_free(t);
}

static void many_different_kernels_come_back(void **state)
{
	(void)state;
	save_kernels();
	struct trace *t = trace_load(path, 1, NULL, NULL);
	assert_non_null(t);
	assert_false(trace_kernels_may_tell_module(t));
	assert_int_equal(trace_kernel(t, KERNELS - 1)->grid[0], KERNELS - 1);
	trace_check_rest(t);
	assert_int_equal(trace_notes(t)->at[NOTE_PART_DAMAGED].count, 0);
	/* who asks for one gets its chunk, and a check keeps none */
	assert_true(atomic_load(&t->lazy->kernels_made)[2]);
	assert_false(atomic_load(&t->lazy->kernels_made)[0]);
	assert_false(atomic_load(&t->lazy->kernels_made)[1]);
	for (row_id r = 0; r < KERNELS; r++)
		assert_int_equal(trace_kernel(t, r)->grid[0], r);
	assert_true(atomic_load(&t->lazy->done[LAZY_KERNELS]));
	trace_free(t);
}

static void what_a_source_promises_comes_back(void **state)
{
	(void)state;
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.new", "new");
	ingest_promise(in, SOURCE_OP_PATHS | SOURCE_EDGES, "a new profiler");
	ingest_source(in, "some/other.new", "chrome");
	ingest_promise(in, SOURCE_PROFILER, NULL); /* not what files of old promise by the format's name */
	struct trace *t = ingest_seal(in, NULL);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	struct trace *u = trace_load(path, 1, NULL, NULL);
	assert_non_null(u);
	assert_int_equal(trace_sources(u), 2);
	assert_int_equal(trace_source(u, 0).traits, SOURCE_OP_PATHS | SOURCE_EDGES);
	assert_string_equal(trace_source(u, 0).producer, "a new profiler");
	assert_int_equal(trace_source(u, 1).traits, SOURCE_PROFILER);
	assert_null(trace_source(u, 1).producer);
	assert_int_equal(trace_traits(u), SOURCE_PROFILER | SOURCE_OP_PATHS | SOURCE_EDGES);
	trace_free(t);
	trace_free(u);
}

/* Deeper than a display row can be numbered: the rows beyond share the last one. */
static void calls_nested_without_end_come_back(void **state)
{
	(void)state;
	enum { CALLS = 70000 };
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	uint32_t process = ingest_process(in, ingest_host(in, "demo", 0), 1);
	uint32_t track = ingest_track(in, TRACK_THREAD, process, 1, 0);
	for (int i = 0; i < CALLS; i++) {
		struct event_in e = {.start_ns = i, .dur_ns = 3 * CALLS - 2 * i, .track = track, .group = -1};
		ingest_event(in, &e);
	}
	struct trace *t = ingest_seal(in, NULL);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	struct trace *u = trace_load(path, 1, NULL, NULL);
	assert_non_null(u);
	assert_int_equal(trace_columns(u)->n, CALLS);
	assert_memory_equal(trace_columns(t)->disp, trace_columns(u)->disp, CALLS * 2);
	trace_free(t);
	trace_free(u);
}

static void an_existing_file_is_kept(void **state)
{
	(void)state;
	struct trace *t = made_up(2, 10);
	struct err e;
	assert_true(trace_save(t, path, OUTPUT_FORCE, &e));
	assert_false(trace_save(t, path, 0, &e));
	assert_non_null(strstr(e.msg, "--force"));
	trace_free(t);
}

static unsigned char *read_file(size_t *n)
{
	FILE *f = fopen(path, "rb");
	enum { MOST = 1 << 23 };
	unsigned char *p = malloc(MOST);
	*n = fread(p, 1, MOST, f);
	fclose(f);
	return p;
}

static void write_file(const unsigned char *p, size_t n)
{
	FILE *f = fopen(path, "wb");
	assert_int_equal(fwrite(p, 1, n, f), n);
	fclose(f);
}

/* Loads what lies at `path`, touches everything in it; true when it was refused. */
static bool refused(void)
{
	struct err e = {0};
	struct trace *t = trace_load(path, 1, NULL, &e);
	if (!t) {
		assert_true(e.unreadable && e.msg[0]);
		return true;
	}
	struct arena mem = {0};
	for (row_id r = 0; r < trace_columns(t)->n; r++) {
		struct attr *a;
		size_t n;
		attrs_read(trace_attrs(t), number_at(trace_columns(t)->attrs, r), &mem, &a, &n);
		trace_parent(t, r);
	}
	arena_free(&mem);
	trace_free(t);
	return false;
}

static void a_cut_file_is_refused(void **state)
{
	(void)state;
	struct trace *t = made_up(3, 300);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	trace_free(t);
	size_t n;
	unsigned char *p = read_file(&n);
	for (size_t cut = 0; cut < n; cut += 1 + n / 97) {
		write_file(p, cut);
		assert_true(refused());
	}
	free(p);
}

static void a_changed_byte_is_refused_or_harmless(void **state)
{
	(void)state;
	struct trace *t = made_up(4, 300);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	trace_free(t);
	size_t n, refusals = 0, tries = 0;
	unsigned char *p = read_file(&n);
	for (size_t i = 0; i < n; i += 1 + n / 611, tries++) {
		p[i] ^= 1u << (i % 8);
		write_file(p, n);
		refusals += refused();
		p[i] ^= 1u << (i % 8);
	}
	assert_true(refusals > tries / 2);
	free(p);
}

/* ---- what is damaged without the table knowing ------------------------------------------------------------------- */

/* Where the section stands in the table: its place in the file, which need not be aligned. */
static size_t entry_of(const unsigned char *file, const char *name)
{
	struct save_header h;
	struct save_section s;
	memcpy(&h, file, sizeof h);
	for (uint32_t i = 0; i < h.sections; i++) {
		size_t at = h.table_at + i * sizeof s;
		memcpy(&s, file + at, sizeof s);
		if (strcmp(s.name, name) == 0)
			return at;
	}
	fail_msg("no section %s", name);
	return 0;
}

static struct save_section section(const unsigned char *file, const char *name)
{
	struct save_section s;
	memcpy(&s, file + entry_of(file, name), sizeof s);
	return s;
}

/* Checksums as they must be for what the sections hold. */
static void remake_checksums(unsigned char *file)
{
	struct save_header h;
	struct save_section s;
	memcpy(&h, file, sizeof h);
	for (uint32_t i = 0; i < h.sections; i++) {
		unsigned char *at = file + h.table_at + i * sizeof s;
		memcpy(&s, at, sizeof s);
		if (strcmp(s.name, "attr_blocks") != 0)
			s.hash = codec_hash(file + s.offset, s.stored, 0);
		memcpy(at, &s, sizeof s);
	}
	h.table_hash = codec_hash(file + h.table_at, h.sections * sizeof s, 0);
	memcpy(file, &h, sizeof h);
}

static unsigned char *saved_file(unsigned seed, int n, size_t *size)
{
	struct trace *t = made_up(seed, n);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	trace_free(t);
	return read_file(size);
}

/* How many rows have the attributes they had; those of the others are unknown. */
static uint64_t sound_rows(const struct trace *was, const struct trace *is)
{
	struct arena mem = {0};
	uint64_t sound = 0;
	for (row_id r = 0; r < trace_columns(was)->n; r++) {
		struct attr *a, *b;
		size_t n, m;
		assert_true(attrs_read(trace_attrs(was), number_at(trace_columns(was)->attrs, r), &mem, &a, &n));
		if (!attrs_read(trace_attrs(is), number_at(trace_columns(is)->attrs, r), &mem, &b, &m))
			continue;
		assert_int_equal(n, m);
		assert_int_equal(a[0].i, b[0].i);
		sound++;
	}
	arena_free(&mem);
	return sound;
}

/* 2.3 had one checksum for all blocks. */
static void attributes_of_an_older_file_are_checked_too(void **state)
{
	(void)state;
	size_t n;
	unsigned char *p = saved_file(7, 30000, &n);
	struct trace *was = made_up(7, 30000);
	strcpy((char *)p + entry_of(p, "attr_hashes"), "another"); /* the name comes first */
	remake_checksums(p);
	write_file(p, n);
	struct trace *t = trace_load(path, 1, NULL, NULL);
	assert_non_null(t);
	trace_check_rest(t);
	assert_int_equal(notes_of(trace_notes(t), NOTE_LOST), 0);
	assert_int_equal(sound_rows(was, t), trace_columns(was)->n);
	trace_free(t);
	p[section(p, "attr_blocks").offset + 9] ^= 4;
	write_file(p, n);
	t = trace_load(path, 1, NULL, NULL);
	assert_non_null(t);
	assert_int_equal(sound_rows(was, t), 0);
	assert_true(trace_notes(t)->at[NOTE_ATTRS_DAMAGED].count > 0);
	trace_free(t);
	trace_free(was);
	free(p);
}

static void a_damaged_block_of_attributes_is_noted(void **state)
{
	(void)state;
	size_t n;
	unsigned char *p = saved_file(8, 30000, &n);
	struct trace *was = made_up(8, 30000);
	struct save_section s = section(p, "attr_blocks");
	p[s.offset + s.stored / 2] ^= 16;
	write_file(p, n);
	struct trace *t = trace_load(path, 2, NULL, NULL);
	assert_non_null(t);
	assert_int_equal(notes_of(trace_notes(t), NOTE_LOST), 0); /* nobody looked yet */
	uint64_t sound = sound_rows(was, t);
	assert_true(sound > 0 && sound < trace_columns(was)->n);
	assert_int_equal(trace_notes(t)->at[NOTE_ATTRS_DAMAGED].count, 1);
	trace_check_rest(t);
	assert_int_equal(trace_notes(t)->at[NOTE_ATTRS_DAMAGED].count, 1);
	trace_free(t);
	trace_free(was);
	free(p);
}

/* Rows of details and arrows that point outside the trace, with right checksums: found when they are asked for. */
static void what_fails_late_is_noted(void **state)
{
	(void)state;
	static const char *const late[] = {"kernels", "flows"};
	for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
		size_t n;
		unsigned char *p = saved_file(9, 30000, &n);
		struct save_section s = section(p, late[i]);
		assert_true(s.stored > 8);
		memset(p + s.offset + 8, 0xff, s.stored - 8);
		remake_checksums(p);
		write_file(p, n);
		struct trace *t = trace_load(path, 1, NULL, NULL);
		const struct flow *f;
		assert_non_null(t);
		assert_int_equal(notes_of(trace_notes(t), NOTE_LOST), 0);
		for (row_id r = 0; r < trace_columns(t)->n; r++)
			trace_kernel(t, r);
		trace_flows(t, &f);
		assert_int_equal(trace_notes(t)->at[NOTE_PART_DAMAGED].count, 1);
		trace_free(t);
		free(p);
	}
}

/* A chunk of the fourth word: rows that lie in it are empty, which is noted once, whether they are asked for or checked. */
static void a_damaged_chunk_of_kernels_is_noted(void **state)
{
	(void)state;
	enum { WORDS = KERNEL_WORDS * (KERNELS + 1), DAMAGED = 8 };
	size_t n, *at = malloc((codec_chunks(WORDS) + 1) * sizeof *at);
	save_kernels();
	unsigned char *p = read_file(&n);
	struct save_section s = section(p, "kernels");
	assert_true(codec_find_chunks(CODEC_PLANES, p + s.offset, s.stored, WORDS, at));
	memset(p + s.offset + at[DAMAGED] + 8, 0xff, 4); /* where its first frame begins */
	remake_checksums(p);
	write_file(p, n);
	for (int checked = 0; checked < 2; checked++) {
		struct trace *t = trace_load(path, 1, NULL, NULL);
		assert_non_null(t);
		if (checked)
			trace_check_rest(t);
		assert_int_equal(trace_notes(t)->at[NOTE_PART_DAMAGED].count, checked);
		for (row_id r = KERNELS; r-- > 0;)
			assert_int_equal(trace_kernel(t, r)->grid[0], r + 1 < CODEC_CHUNK ? r : 0);
		assert_int_equal(trace_notes(t)->at[NOTE_PART_DAMAGED].count, 1);
		trace_free(t);
	}
	free(at);
	free(p);
}

/* Numbers of events are unpacked chunk by chunk: what is wrong in the last chunk leaves the others as they are, in whatever order
 * they are asked for; a check before finds it, and keeps nothing of the others. */
static void a_damaged_chunk_of_numbers_is_noted(void **state)
{
	(void)state;
	static const char *const late[] = {"corrs", "attrs"};
	enum { EVENTS = 150000, CHUNKS = 3 };
	struct trace *was = made_up(11, EVENTS);
	for (size_t k = 0; k < 2 * (sizeof late / sizeof *late); k++) {
		size_t n, at[CHUNKS + 1], i = k / 2;
		unsigned char *p = saved_file(11, EVENTS, &n);
		struct save_section s = section(p, late[i]);
		assert_int_equal(codec_chunks(EVENTS), CHUNKS);
		assert_true(codec_find_chunks(CODEC_KINDS, p + s.offset, s.stored, EVENTS, at));
		assert_false(codec_find_chunks(CODEC_KINDS, p + s.offset, s.stored - 1, EVENTS, at));
		memset(p + s.offset + at[CHUNKS - 1] + 8, 0xff, 4); /* where its first frame begins */
		remake_checksums(p);
		write_file(p, n);
		struct trace *t = trace_load(path, 1, NULL, NULL);
		if (k % 2) {
			trace_check_rest(t);
			assert_int_equal(trace_notes(t)->at[NOTE_PART_DAMAGED].count, 1);
			assert_false(atomic_load(&(i ? &t->lazy->attrs : &t->lazy->corrs)->made)[0]);
		}
		struct numbers had = i ? trace_columns(was)->attrs : trace_columns(was)->corr,
			       has = i ? trace_columns(t)->attrs : trace_columns(t)->corr;
		for (row_id r = EVENTS; r-- > 0;)
			if (r < 2 * CODEC_CHUNK && trace_track(t, trace_columns(t)->track[r])->device == NONE_ID)
				assert_int_equal(number_at(has, r), number_at(had, r));
			else if (r >= 2 * CODEC_CHUNK)
				assert_int_equal(number_at(has, r), 0);
		assert_int_equal(trace_notes(t)->at[NOTE_PART_DAMAGED].count, 1);
		trace_check_rest(t);
		assert_int_equal(trace_notes(t)->at[NOTE_PART_DAMAGED].count, 1);
		trace_free(t);
		free(p);
	}
	trace_free(was);
}

/* That many events of one thread, each from 1 ns after the one before, of 1000 ns. */
static struct trace *calls_in_a_row(int events)
{
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	uint32_t process = ingest_process(in, ingest_host(in, "demo", 0), 1);
	uint32_t track = ingest_track(in, TRACK_THREAD, process, 1, 0);
	for (int i = 0; i < events; i++) {
		struct event_in e = {.start_ns = i, .dur_ns = 1000, .track = track, .group = -1};
		ingest_event(in, &e);
	}
	return ingest_seal(in, NULL);
}

/* No sum of times that an analysis makes can overflow: the seal sees to it, and so must loading. */
static void durations_are_bounded_together(void **state)
{
	(void)state;
	enum { EVENTS = 3 };
	struct trace *t = calls_in_a_row(EVENTS);
	t->span_ns = INT64_MAX / 2;
	for (int i = 0; i < EVENTS; i++)
		t->dur_ns[i] = t->span_ns - EVENTS; /* in order, inside the span, and together too long */
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	trace_free(t);
	struct err e;
	assert_null(trace_load(path, 1, NULL, &e));
	assert_non_null(strstr(e.msg, "146 years"));
}

static void times_that_no_clock_can_tell_are_refused(void **state)
{
	static const struct {
		int64_t base_ns, epoch_ns, start_ns;
		bool sound;
	} cases[] = {
		{0, UNKNOWN_I64, 0, true},          {INT64_MAX - 1002, INT64_MAX - 1002, 0, true},
		{INT64_MAX, UNKNOWN_I64, 0, false}, {0, INT64_MAX, 0, false},
		{0, UNKNOWN_I64, -1, false},        {0, UNKNOWN_I64, INT64_MIN, false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct trace *t = calls_in_a_row(3);
		t->base_ns = cases[i].base_ns;
		t->epoch_ns = cases[i].epoch_ns;
		t->start_ns[0] = cases[i].start_ns;
		assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
		trace_free(t);
		struct err e = {0};
		t = trace_load(path, 1, NULL, &e);
		if (!t != !cases[i].sound)
			fail_msg("case %zu: %s", i, t ? "loaded" : e.msg);
		trace_free(t);
	}
}

/* ---- how much a file may unpack to -------------------------------------------------------------------------------- */

static struct save_section made_section(const char *name, uint32_t size, uint64_t count)
{
	struct save_section s = {.size = size, .count = count};
	snprintf(s.name, sizeof s.name, "%s", name);
	return s;
}

static void a_file_needs_bytes_for_what_it_holds(void **state)
{
	(void)state;
	struct save_section s[] = {made_section("kind", 1, 10000000), made_section("start_ns", 8, 10000000)};
	assert_int_equal(save_least_bytes(s, 2), 0); /* ten million events may be in any file */
	s[0].count = s[1].count = UINT64_C(100000000);
	assert_in_range(save_least_bytes(s, 2), 11000000, 12000000);
	s[0].count = UINT32_MAX;
	assert_true(save_least_bytes(s, 2) == UINT64_MAX);
	s[0] = made_section("samples", 16, 1000);
	assert_int_equal(save_least_bytes(s, 1), 0);
	s[0].count = UINT64_C(1) << 61;
	assert_true(save_least_bytes(s, 1) == UINT64_MAX);
	s[0] = made_section("string_bytes", 1, UINT64_C(3) << 30);
	assert_in_range(save_least_bytes(s, 1), 90 << 20, 100 << 20);
	s[0] = made_section("of a later version", 8, UINT64_C(1) << 60); /* is not unpacked */
	assert_int_equal(save_least_bytes(s, 1), 0);
}

static void events_that_are_all_alike_come_back(void **state)
{
	(void)state;
	enum { EVENTS = 1 << 20 };
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	uint32_t process = ingest_process(in, ingest_host(in, "demo", 0), 1);
	uint32_t track = ingest_track(in, TRACK_THREAD, process, 1, 0);
	struct event_in e = {.dur_ns = 5, .track = track, .group = -1};
	for (int i = 0; i < EVENTS; i++) {
		e.start_ns = i * 10;
		ingest_event(in, &e);
	}
	struct trace *t = ingest_seal(in, NULL);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	trace_free(t);
	t = trace_load(path, 1, NULL, NULL);
	assert_non_null(t);
	assert_int_equal(trace_columns(t)->n, EVENTS);
	trace_free(t);
}

/* What packs better than a file may gets zeros, so that it opens again. */
static void a_file_that_packs_too_well_is_padded(void **state)
{
	(void)state;
	enum { SAMPLES = 6000000 };
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	uint32_t process = ingest_process(in, ingest_host(in, "demo", 0), 1);
	uint32_t power = ingest_track(in, TRACK_COUNTER, process, 0, strings_addz(ingest_strings(in), "power"));
	for (int i = 0; i < SAMPLES; i++)
		ingest_sample(in, power, 1000, 1);
	struct trace *t = ingest_seal(in, NULL);
	assert_non_null(t);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	trace_free(t);
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	uint64_t above = SAMPLES * sizeof(struct sample) - SAVE_ANY_BYTES;
	assert_in_range((uint64_t)st.st_size, above / SAVE_TIMES_STORED, above / SAVE_TIMES_STORED + 16384);
	struct err e = {0};
	t = trace_load(path, 1, NULL, &e);
	assert_string_equal(e.msg, "");
	assert_non_null(t);
	trace_free(t);
}

static void other_files_and_versions_are_named(void **state)
{
	(void)state;
	struct err e;
	write_file((const unsigned char *)"{\"traceEvents\":[]}", 18);
	assert_null(trace_load(path, 1, NULL, &e));
	assert_non_null(strstr(e.msg, "not a stepscope file"));
	struct trace *t = made_up(5, 10);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	trace_free(t);
	size_t n;
	unsigned char *p = read_file(&n);
	p[8] = 99;
	write_file(p, n);
	assert_null(trace_load(path, 1, NULL, &e));
	assert_non_null(strstr(e.msg, "another version"));
	free(p);
}

static int make_path(void **state)
{
	(void)state;
	strcpy(path, "/tmp/stepscope-test-XXXXXX");
	int fd = mkstemp(path);
	close(fd);
	return fd < 0;
}

static int drop_path(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_saved_comes_back),
		cmocka_unit_test(two_threads_may_ask_for_what_comes_late),
		cmocka_unit_test(many_different_kernels_come_back),
		cmocka_unit_test(a_damaged_chunk_of_kernels_is_noted),
		cmocka_unit_test(what_a_source_promises_comes_back),
		cmocka_unit_test(calls_nested_without_end_come_back),
		cmocka_unit_test(an_existing_file_is_kept),
		cmocka_unit_test(a_cut_file_is_refused),
		cmocka_unit_test(a_changed_byte_is_refused_or_harmless),
		cmocka_unit_test(other_files_and_versions_are_named),
		cmocka_unit_test(attributes_of_an_older_file_are_checked_too),
		cmocka_unit_test(a_damaged_block_of_attributes_is_noted),
		cmocka_unit_test(what_fails_late_is_noted),
		cmocka_unit_test(a_damaged_chunk_of_numbers_is_noted),
		cmocka_unit_test(durations_are_bounded_together),
		cmocka_unit_test(times_that_no_clock_can_tell_are_refused),
		cmocka_unit_test(a_file_needs_bytes_for_what_it_holds),
		cmocka_unit_test(events_that_are_all_alike_come_back),
		cmocka_unit_test(a_file_that_packs_too_well_is_padded),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("save", tests, make_path, drop_path);
}
