/* A damaged file is refused with a reason, or what is damaged is noted and the rest stands; never a crash. */
#include "saved_trace.h"

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

/* A chunk of the fourth word: pieces of rows that lie in it are empty, which is noted once, whether they are asked for or checked. */
static void a_damaged_chunk_of_kernels_is_noted(void **state)
{
	(void)state;
	enum { WORDS = KERNEL_WORDS * (KERNELS + 1), DAMAGED = 8, PIECE = 1 << LAZY_KERNELS_SHIFT };
	/* rows of the table, whose first one is none */
	enum { FIRST = DAMAGED * CODEC_CHUNK - 3 * (KERNELS + 1), LAST = FIRST + CODEC_CHUNK - 1 };
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
			assert_int_equal(trace_kernel(t, r)->grid[0],
					 (r + 1) / PIECE < FIRST / PIECE || (r + 1) / PIECE > LAST / PIECE ? r : 0);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cut_file_is_refused),
		cmocka_unit_test(a_changed_byte_is_refused_or_harmless),
		cmocka_unit_test(attributes_of_an_older_file_are_checked_too),
		cmocka_unit_test(a_damaged_block_of_attributes_is_noted),
		cmocka_unit_test(what_fails_late_is_noted),
		cmocka_unit_test(a_damaged_chunk_of_kernels_is_noted),
		cmocka_unit_test(a_damaged_chunk_of_numbers_is_noted),
		cmocka_unit_test(durations_are_bounded_together),
		cmocka_unit_test(times_that_no_clock_can_tell_are_refused),
		cmocka_unit_test(other_files_and_versions_are_named),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("save damaged", tests, saved_begin, saved_end);
}
