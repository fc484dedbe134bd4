/* The quick ways through an XSpace lead where the general ones do: odd forms of fields, names told late, files read twice. */
#include "importers/xspace/hold.h"
#include "importers/xspace/protobuf_wire.h"
#include "tests/unit/xspace_write.h"
#include <stdlib.h>
#include <unistd.h>

enum { THE_EVENT = 1, OTHER_EVENT = 2 };

/* ---- varints ------------------------------------------------------------------------------------------------------ */
static void reads_alike(const unsigned char *p)
{
	uint64_t quick = 1, slow = 2;
	struct wire w = {p, p + 10};
	const unsigned char *behind = wire_quick(p, &quick);
	if (wire_varint(&w, &slow) != WIRE_OK) {
		assert_null(behind);
		return;
	}
	assert_ptr_equal(behind, w.p);
	assert_true(quick == slow);
}

static void varints_read_alike(void **state)
{
	(void)state;
	unsigned char p[WIRE_PAD];
	uint32_t seed = 1;
	for (int i = 0; i < 20000; i++) { /* runs of "more follows" of every length, the last too long */
		for (int k = 0; k < WIRE_PAD; k++)
			p[k] = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 24 | (k < i % 12 ? 0x80 : 0));
		reads_alike(p);
	}
	memset(p, 0x80, sizeof p); /* zeros that go on */
	reads_alike(p);
	p[9] = 0;
	reads_alike(p);
	p[7] = 0;
	reads_alike(p);
}

/* ---- odd forms ---------------------------------------------------------------------------------------------------- */
static struct bytes host_with(const struct bytes *event)
{
	struct bytes p = plane_of("/host:CPU"), l = line_of(7, "main", 1000), shown = {0};
	line_event(&l, event);
	plane_line(&p, &l);
	name_event(&p, OTHER_EVENT, "other");
	add_text(&shown, 2, "its full name");
	add_text(&shown, 4, "shown");
	add_stat_text(&shown, 5, 1, "of every event");
	add_entry(&p, 4, THE_EVENT, &shown);
	name_stat(&p, 1, "key");
	name_stat(&p, 2, "group_id");
	name_stat(&p, 3, "a text");
	return p;
}

static void the_name_may_stand_behind_the_stats(void **state)
{
	(void)state;
	struct bytes e = {0};
	add_number(&e, 1, OTHER_EVENT);
	stat_int(&e, 2, 5);
	stat_uint(&e, 1, 300);
	add_number(&e, 3, 1000);
	add_number(&e, 1, THE_EVENT); /* the last one counts */
	struct bytes p = host_with(&e);
	struct loaded t = load_plane(&p);
	row_id r = row_named(&t, "shown");
	assert_string_equal(attributes_of(&t, r), "long_name=its full name key=of every event group_id=5 key=300");
	assert_int_equal(step_group_at(trace_columns(t.trace)->group, r), 5);
	unload(&t);
}

static void a_name_behind_everything_needs_no_stats(void **state)
{
	(void)state;
	struct bytes e = {0};
	add_number(&e, 3, 1000);
	add_number(&e, 1, THE_EVENT);
	struct bytes p = host_with(&e);
	struct loaded t = load_plane(&p);
	assert_string_equal(attributes_of(&t, row_named(&t, "shown")), "long_name=its full name key=of every event");
	unload(&t);
}

static void odd_stats_are_kept_like_plain_ones(void **state)
{
	(void)state;
	struct bytes e = event_of(OTHER_EVENT, 0, 1000), turned = {0}, twice = {0}, none = {0}, later = {0};
	add_number(&turned, 4, -7); /* the value before the id */
	add_number(&turned, 1, 2);
	add_number(&twice, 1, 1); /* two values: the last counts */
	add_number(&twice, 3, 8);
	add_text(&twice, 5, "words");
	add_number(&none, 1, 1);
	add_number(&later, 1, 1); /* a field that a later format may add */
	add_number(&later, 3, 9);
	add_number(&later, 12, 1);
	struct bytes *const all[] = {&turned, &twice, &none, &later};
	for (int i = 0; i < 4; i++)
		add_block(&e, 4, all[i]);
	stat_int(&e, 99, INT64_MIN); /* no metadata */
	stat_ref(&e, 1, 3);
	stat_ref(&e, 1, 99); /* leads nowhere */
	stat_uint(&e, 1, UINT64_MAX);
	stat_double(&e, 1, 0.5);
	stat_text(&e, 1, "");
	struct bytes p = host_with(&e);
	struct loaded t = load_plane(&p);
	assert_string_equal(attributes_of(&t, row_named(&t, "other")),
			    "group_id=-7 key=words key=null key=9 stat 99=-9223372036854775808 key=a text key=99 "
			    "key=18446744073709551615 key=0.5 key=");
	unload(&t);
}

static void a_stat_that_ends_too_early_costs_its_event_only(void **state)
{
	(void)state;
	static const unsigned char *const bad[] = {
		(const unsigned char *)"\x08\x01\x18",     /* a tag without its number */
		(const unsigned char *)"\x08\x01\x2a\x09", /* a text longer than the stat */
		(const unsigned char *)"\x08\x01\x11",     /* a double without its bytes */
		(const unsigned char *)"\x08"};
	static const size_t sizes[] = {3, 4, 3, 1};
	for (int i = 0; i < 4; i++) {
		struct bytes e = event_of(OTHER_EVENT, 0, 1000), good = event_of(THE_EVENT, 0, 1000);
		struct bytes l = line_of(7, "main", 1000), p = host_with(&good);
		add_bytes(&e, 4, bad[i], sizes[i]);
		stat_text(&e, 1, "behind it");
		line_event(&l, &e);
		plane_line(&p, &l);
		struct loaded t = load_plane(&p);
		assert_int_equal(count_of(&t, NOTE_BAD_RECORD), 1);
		assert_int_equal(trace_columns(t.trace)->n, 1);
		unload(&t);
	}
}

/* ---- facts -------------------------------------------------------------------------------------------------------- */
static void an_op_has_a_step_id_only_within_an_iteration(void **state)
{
	(void)state;
	struct bytes alone = event_of(THE_EVENT, 0, 1000), within = event_of(THE_EVENT, 5000, 1000);
	struct bytes p = plane_of("/host:CPU"), l = line_of(7, "main", 1000);
	stat_int(&alone, 1, 77);
	stat_int(&within, 1, 78);
	stat_int(&within, 2, 3);
	line_event(&l, &alone);
	line_event(&l, &within);
	plane_line(&p, &l);
	name_event(&p, THE_EVENT, "model/dense/MatMul:MatMul");
	name_stat(&p, 1, "id");
	name_stat(&p, 2, "iter_num");
	struct loaded t = load_plane(&p);
	const struct host_info *a = trace_host_detail(t.trace, 0), *w = trace_host_detail(t.trace, 1);
	assert_string_equal(trace_str(t.trace, a->op_type), "MatMul");
	assert_true(a->step_id == UNKNOWN_I64);
	assert_string_equal(attributes_of(&t, 0), "id=77");
	assert_int_equal(w->step_id, 78);
	unload(&t);
}

/* ---- files -------------------------------------------------------------------------------------------------------- */
/* Many planes of many lines: more than one window of the second reading. */
static size_t large_space(unsigned char *out)
{
	size_t n = 0;
	for (int plane = 0; plane < 120; plane++) {
		struct bytes space = {0}, e = event_of(THE_EVENT, plane * 1000, 1000 + plane);
		stat_int(&e, 2, plane);
		stat_text(&e, 1, "a text that makes the file longer, as the lines of real ones are");
		struct bytes p = host_with(&e), l = line_of(plane, "more", plane);
		for (int i = 0; i < 40; i++)
			line_event(&l, &e);
		plane_line(&p, &l);
		add_block(&space, 1, &p);
		memcpy(out + n, space.p, space.n);
		n += space.n;
	}
	return n;
}

static struct loaded load_path(const char *path, unsigned threads)
{
	struct loaded l = {0};
	struct source *src = source_open(path, NULL, &l.err);
	struct ingest *in = ingest_new();
	assert_non_null(src);
	assert_true(source_file(src) >= 0);
	source_set_threads(src, threads);
	ingest_source(in, path, "xspace");
	assert_true(importer_xspace.load(src, in, NULL, &l.err));
	l.trace = ingest_seal(in, &l.err);
	source_close(src);
	return l;
}

static void write_file(int fd, const void *p, size_t n)
{
	assert_int_equal(write(fd, p, n), n);
	assert_int_equal(close(fd), 0);
}

static void a_file_gives_what_its_bytes_give(void **state)
{
	(void)state;
	char path[] = "/tmp/stepscope-test-XXXXXX";
	static unsigned char space[1 << 20];
	size_t n = large_space(space);
	assert_true(n > 400000);
	write_file(mkstemp(path), space, n);
	struct loaded a = load_bytes(space, n), b = load_path(path, 1);
	unlink(path);
	const struct columns *x = trace_columns(a.trace), *y = trace_columns(b.trace);
	assert_int_equal(x->n, 120 * 41);
	assert_int_equal(y->n, x->n);
	assert_memory_equal(x->start_ns, y->start_ns, x->n * sizeof *x->start_ns);
	assert_memory_equal(x->dur_ns, y->dur_ns, x->n * sizeof *x->dur_ns);
	for (row_id r = 0; r < x->n; r++)
		assert_int_equal(step_group_at(x->group, r), step_group_at(y->group, r));
	for (row_id r = 0; r < x->n; r += 501)
		assert_string_equal(attributes_of(&a, r), attributes_of(&b, r));
	unload(&a);
	unload(&b);
}

/* Field 4 of a line, in three forms that decode in different ways: as most are written, an odd stat, one without metadata. */
static size_t put_event(unsigned char *out, int i)
{
	struct bytes e = event_of(i % 5 ? THE_EVENT : OTHER_EVENT, i * 2000, 1000 + i % 900), line = {0};
	stat_int(&e, 2, i % 50);
	if (i % 7 == 0)
		stat_text(&e, 3, i % 2 ? "odd" : "even");
	if (i % 31 == 0)
		stat_int(&e, 90 + i % 4, i);
	stat_uint(&e, 1, (uint64_t)i);
	if (i % 97 == 0)
		add_number(&e, 1, THE_EVENT); /* the name once more, after the stats */
	add_block(&line, 4, &e);
	memcpy(out, line.p, line.n);
	return line.n;
}

static size_t put_head(unsigned char *out, unsigned field, size_t n)
{
	struct bytes head = {0};
	add_varint(&head, field << 3 | 2);
	add_varint(&head, n);
	memcpy(out, head.p, head.n);
	return head.n;
}

/* A plane with one line of so many events that it is decoded in several pieces, which two threads have at the same time. */
static size_t long_line(unsigned char *out, int events)
{
	struct bytes rest = {0}, shown = {0};
	name_event(&rest, OTHER_EVENT, "other");
	add_text(&shown, 2, "its full name");
	add_text(&shown, 4, "shown");
	add_entry(&rest, 4, THE_EVENT, &shown);
	name_stat(&rest, 1, "key");
	name_stat(&rest, 2, "group_id");
	name_stat(&rest, 3, "a text");
	enum { HEADS = 32 };
	unsigned char heads[HEADS], *line = out + HEADS;
	size_t n = 0;
	for (int i = 0; i < events; i++)
		n += put_event(line + n, i);
	size_t line_head = put_head(heads, 3, n), plane_n = line_head + n + rest.n;
	memcpy(line + n, rest.p, rest.n);
	size_t plane_head = put_head(out, 1, plane_n);
	memcpy(out + plane_head, heads, line_head);
	memmove(out + plane_head + line_head, line, n + rest.n);
	return plane_head + plane_n;
}

static void pieces_of_a_line_are_the_same_on_two_threads(void **state)
{
	(void)state;
	enum { EVENTS = 40000 };
	char path[] = "/tmp/stepscope-test-XXXXXX";
	unsigned char *space = malloc(4 << 20);
	size_t n = long_line(space, EVENTS);
	assert_true(n > (1 << 20) && n < (4 << 20));
	write_file(mkstemp(path), space, n);
	struct loaded a = load_path(path, 1), b = load_path(path, 2);
	unlink(path);
	const struct columns *x = trace_columns(a.trace), *y = trace_columns(b.trace);
	assert_int_equal(x->n, EVENTS);
	assert_int_equal(y->n, EVENTS);
	assert_memory_equal(x->name, y->name, EVENTS * sizeof *x->name);
	for (row_id r = 0; r < EVENTS; r++) {
		assert_int_equal(step_group_at(x->group, r), step_group_at(y->group, r));
		assert_int_equal(number_at(x->attrs, r), number_at(y->attrs, r));
		if (r % 89 == 0 || r % 97 == 0)
			assert_string_equal(attributes_of(&a, r), attributes_of(&b, r));
	}
	assert_string_equal(attributes_of(&a, 31 * 97), "long_name=its full name group_id=7 stat 93=3007 key=3007");
	unload(&a);
	unload(&b);
	free(space);
}

static void bytes_in_memory_are_no_file(void **state)
{
	(void)state;
	struct source *src = source_memory("x", 1, "x");
	assert_int_equal(source_file(src), -1);
	source_close(src);
}

static void a_borrowed_file_is_viewed_anywhere(void **state)
{
	(void)state;
	enum { BYTES = 1 << 20 };
	char path[] = "/tmp/stepscope-test-XXXXXX";
	unsigned char *all = malloc(BYTES);
	int fd = mkstemp(path);
	unlink(path);
	for (size_t i = 0; i < BYTES; i++)
		all[i] = (unsigned char)(i * 2654435761u >> 13);
	assert_int_equal(write(fd, all, BYTES), BYTES);
	struct hold h = {0};
	hold_borrow(&h, fd);
	assert_true(hold_add(&h, "passed over", 11));
	static const size_t places[] = {0, 700000, 699990, 100, BYTES - 20};
	struct hold_view v = {0};
	assert_true(hold_settle(&h));
	for (int i = 0; i < 5; i++) {
		size_t have;
		const unsigned char *p = hold_view(&h, &v, places[i], 20, &have);
		assert_int_equal(have, 20);
		assert_memory_equal(p, all + places[i], 20);
	}
	size_t have;
	assert_null(hold_view(&h, &v, BYTES, 1, &have)); /* shorter than it was */
	assert_int_equal(have, 0);
	hold_view_free(&v);
	hold_free(&h);
	assert_int_equal(close(fd), 0); /* the caller's to the end */
	free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(varints_read_alike),
		cmocka_unit_test(the_name_may_stand_behind_the_stats),
		cmocka_unit_test(a_name_behind_everything_needs_no_stats),
		cmocka_unit_test(odd_stats_are_kept_like_plain_ones),
		cmocka_unit_test(a_stat_that_ends_too_early_costs_its_event_only),
		cmocka_unit_test(an_op_has_a_step_id_only_within_an_iteration),
		cmocka_unit_test(a_file_gives_what_its_bytes_give),
		cmocka_unit_test(pieces_of_a_line_are_the_same_on_two_threads),
		cmocka_unit_test(bytes_in_memory_are_no_file),
		cmocka_unit_test(a_borrowed_file_is_viewed_anywhere),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
