/* XSpace under bad luck: cut, damaged, converted, huge, foreign. What is sound is kept, the rest is said. */
#include "importers/xspace/hold.h"
#include "tests/unit/xspace_write.h"
#include <stdio.h>
#include <stdlib.h>

/* A host plane of `n` events named "a", "b", ... on one thread, 10 us apart. */
static struct bytes letters(int n)
{
	struct bytes p = plane_of("/host:CPU"), l = line_of(7, "main", 0);
	char name[] = "a";
	for (int i = 0; i < n; i++) {
		struct bytes e = event_of(i + 1, i * 10000000, 1000000);
		line_event(&l, &e);
	}
	plane_line(&p, &l);
	for (int i = 0; i < n; i++, name[0]++)
		name_event(&p, i + 1, name);
	return p;
}

static uint64_t shown(const struct loaded *l)
{
	return trace_columns(l->trace)->n;
}

/* ---- cuts --------------------------------------------------------------------------------------------------------- */
static void a_cut_behind_a_plane_is_legal(void **state)
{
	(void)state;
	struct bytes space = {0}, p = letters(3);
	add_block(&space, 1, &p);
	size_t whole = space.n;
	add_block(&space, 1, &p);
	struct loaded t = load_bytes(space.p, whole);
	assert_int_equal(shown(&t), 3);
	assert_int_equal(notes_of(trace_notes(t.trace), NOTE_LOST), 0);
	unload(&t);
}

static void every_other_cut_keeps_what_was_before_it(void **state)
{
	(void)state;
	struct bytes space = {0}, p = letters(5);
	add_block(&space, 1, &p);
	uint64_t before = 0;
	for (size_t n = 20; n < space.n; n++) {
		struct loaded t = load_bytes(space.p, n);
		assert_non_null(t.trace);
		assert_int_equal(count_of(&t, NOTE_TRUNCATED), 1);
		assert_int_equal(trace_notes(t.trace)->at[NOTE_TRUNCATED].first_at, n);
		assert_true(shown(&t) >= before);
		before = shown(&t);
		unload(&t);
	}
	assert_int_equal(before, 5);
}

static void a_cut_in_a_message_of_the_recorder_is_a_cut(void **state)
{
	(void)state;
	struct bytes space = {0}, p = letters(2);
	add_block(&space, 1, &p);
	add_text(&space, 3, "something odd");
	struct loaded t = load_bytes(space.p, space.n - 4);
	assert_int_equal(shown(&t), 2);
	assert_int_equal(count_of(&t, NOTE_TRUNCATED), 1);
	assert_int_equal(count_of(&t, NOTE_DAMAGED_REGION), 0);
	unload(&t);
}

static void a_cut_in_the_metadata_leaves_events_without_names(void **state)
{
	(void)state;
	struct bytes space = {0}, p = letters(2);
	add_block(&space, 1, &p);
	struct loaded t = load_bytes(space.p, space.n - 2);
	assert_int_equal(shown(&t), 2);
	assert_int_equal(count_of(&t, NOTE_METADATA_MISSING), 1);
	unload(&t);
}

/* ---- damage ------------------------------------------------------------------------------------------------------- */
static void a_bad_event_costs_only_itself(void **state)
{
	(void)state;
	struct bytes p = plane_of("/host:CPU"), l = line_of(7, "main", 0), good = event_of(1, 0, 1000), bad = {0};
	add_number(&bad, 1, 1);
	add_text(&bad, 2, "an offset is no text");
	line_event(&l, &good);
	line_event(&l, &bad);
	line_event(&l, &good);
	plane_line(&p, &l);
	name_event(&p, 1, "x");
	struct loaded t = load_plane(&p);
	assert_int_equal(shown(&t), 2);
	assert_int_equal(count_of(&t, NOTE_BAD_RECORD), 1);
	assert_int_equal(trace_notes(t.trace)->entries, 3);
	unload(&t);
}

static void bytes_that_are_no_fields_end_the_line_only(void **state)
{
	(void)state;
	struct bytes p = plane_of("/host:CPU"), l = line_of(7, "main", 0), next = line_of(8, "other", 0);
	struct bytes e = event_of(1, 0, 1000);
	line_event(&l, &e);
	memset(l.p + l.n, 0xff, 12); /* no varint is that long */
	l.n += 12;
	line_event(&next, &e);
	plane_line(&p, &l);
	plane_line(&p, &next);
	name_event(&p, 1, "x");
	struct loaded t = load_plane(&p);
	assert_int_equal(shown(&t), 2);
	assert_int_equal(count_of(&t, NOTE_DAMAGED_REGION), 1);
	unload(&t);
}

static void a_line_that_claims_too_much_does_not_swallow_the_next(void **state)
{
	(void)state;
	struct bytes p = plane_of("/host:CPU"), l = line_of(7, "main", 0), next = line_of(8, "other", 0);
	struct bytes e = event_of(1, 0, 1000);
	line_event(&l, &e);
	line_event(&next, &e);
	add_varint(&p, 3 << 3 | 2);
	add_varint(&p, 5000); /* the true length is below 128 */
	memcpy(p.p + p.n, l.p, l.n);
	p.n += l.n;
	plane_line(&p, &next);
	struct loaded t = load_plane(&p);
	assert_int_equal(shown(&t), 2);
	assert_int_equal(trace_tracks(t.trace), 2);
	assert_int_equal(count_of(&t, NOTE_DAMAGED_REGION), 1);
	unload(&t);
}

static void a_plane_that_claims_too_much_does_not_swallow_the_next(void **state)
{
	(void)state;
	struct bytes space = {0}, p = letters(2), gpu = plane_of("/device:GPU:0");
	add_varint(&space, 1 << 3 | 2);
	add_varint(&space, p.n + 40);
	memcpy(space.p + space.n, p.p, p.n);
	space.n += p.n;
	add_block(&space, 1, &gpu);
	struct loaded t = load_space(&space);
	assert_int_equal(shown(&t), 2);
	assert_int_equal(trace_devices(t.trace), 1);
	assert_int_equal(count_of(&t, NOTE_DAMAGED_REGION), 1);
	unload(&t);
}

static void a_plane_that_claims_too_little_is_found_again_at_the_next(void **state)
{
	(void)state;
	struct bytes space = {0}, p = letters(3), gpu = plane_of("/device:GPU:0");
	add_varint(&space, 1 << 3 | 2);
	add_varint(&space, p.n - 30);
	memcpy(space.p + space.n, p.p, p.n);
	space.n += p.n;
	add_block(&space, 1, &gpu);
	struct loaded t = load_space(&space);
	assert_int_equal(shown(&t), 3);
	assert_int_equal(trace_devices(t.trace), 1);
	assert_true(count_of(&t, NOTE_DAMAGED_REGION) > 0);
	unload(&t);
}

static void a_damaged_map_entry_costs_a_name(void **state)
{
	(void)state;
	struct bytes p = plane_of("/host:CPU"), l = line_of(7, "main", 0), e = event_of(1, 0, 1000), bad = {0};
	line_event(&l, &e);
	plane_line(&p, &l);
	add_number(&bad, 1, 1);
	add_text(&bad, 2, "\x12\x7f no metadata");
	add_block(&p, 4, &bad);
	struct loaded t = load_plane(&p);
	assert_int_equal(shown(&t), 1);
	assert_int_equal(count_of(&t, NOTE_DAMAGED_REGION), 1);
	assert_int_equal(count_of(&t, NOTE_METADATA_MISSING), 1);
	unload(&t);
}

static void fields_of_a_later_format_are_passed_over(void **state)
{
	(void)state;
	struct bytes space = {0}, p = plane_of("/host:CPU"), l = line_of(7, "main", 0), e = event_of(1, 0, 1000);
	add_number(&e, 15, 4);
	add_text(&e, 300, "news");
	line_event(&l, &e);
	add_text(&l, 12, "news");
	plane_line(&p, &l);
	add_text(&p, 20, "news");
	name_event(&p, 1, "x");
	add_block(&space, 1, &p);
	add_text(&space, 9, "news");
	struct loaded t = load_space(&space);
	assert_int_equal(shown(&t), 1);
	assert_int_equal(count_of(&t, NOTE_WIRE_UNKNOWN), 3);
	assert_int_equal(notes_of(trace_notes(t.trace), NOTE_LOST), 0);
	unload(&t);
}

/* ---- refusal ------------------------------------------------------------------------------------------------------ */
/* What an editor does that takes the file for text: every byte above 127 becomes EF BF BD. */
static size_t convert_to_text(const struct bytes *from, unsigned char *to)
{
	size_t n = 0;
	for (size_t i = 0; i < from->n; i++)
		if (from->p[i] < 0x80)
			to[n++] = from->p[i];
		else
			n += (size_t)snprintf((char *)to + n, 4, "\xef\xbf\xbd");
	return n;
}

static void a_converted_file_is_refused_with_the_reason(void **state)
{
	(void)state;
	static unsigned char text[20000];
	struct bytes space = {0}, p = letters(20);
	add_block(&space, 1, &p);
	size_t n = convert_to_text(&space, text);
	struct loaded t = load_bytes(text, n);
	assert_null(t.trace);
	assert_true(t.err.unreadable);
	assert_int_equal(t.err.at, 1);
	assert_non_null(strstr(t.err.msg, "U+FFFD"));
	assert_true(importer_xspace.sniff(text, n) > 50);
}

static void what_is_no_xspace_is_refused(void **state)
{
	(void)state;
	struct loaded t = load_bytes("\x1f\x8b\x08 nothing of ours", 18);
	assert_null(t.trace);
	assert_true(t.err.unreadable);
}

static void sniff_is(const void *head, size_t n, int low, int high)
{
	int s = importer_xspace.sniff(head, n);
	assert_in_range(s, low, high);
}

static void sniffing(void **state)
{
	(void)state;
	struct bytes space = {0}, p = letters(5), other = plane_of("a plane of another name"), odd = {0};
	add_block(&space, 1, &p);
	sniff_is(space.p, space.n, 90, 100);
	sniff_is(space.p, 30, 90, 100); /* a head cut anywhere after the name */
	add_block(&odd, 1, &other);
	sniff_is(odd.p, odd.n, 20, 60);
	static const char *const foreign[] = {
		"{\"traceEvents\":[]}", "[\n{\"ph\":\"X\"}]", "\n\n  text with /host:CPU in it",
		"SQLite format 3",      "\x1f\x8b\x08\x08",   "\x28\xb5\x2f\xfd"};
	for (int i = 0; i < 6; i++)
		sniff_is(foreign[i], strlen(foreign[i]), 0, 0);
	/* TensorFlow's older trace.proto: the same first tag, but what would be the name is a message */
	static const unsigned char old[] = "\x0a\x12\x08\x00\x12\x0e\x0a\x09/host:CPU\x1a\x01\x31";
	sniff_is(old, sizeof old - 1, 0, 0);
	sniff_is("", 0, 0, 0);
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */
static void the_hold_gives_back_what_it_took(void **state)
{
	(void)state;
	struct hold h = {.cap = 64}; /* everything beyond goes to the file */
	unsigned char part[7];
	for (int i = 0; i < 1000; i++) {
		memset(part, i & 0xff, sizeof part);
		assert_true(hold_add(&h, part, sizeof part));
	}
	assert_int_equal(hold_size(&h), 7000);
	assert_true(h.spilled > 0);
	assert_true(hold_settle(&h));
	struct hold_view v = {0};
	for (int i = 999; i >= 0; i -= 37) {
		size_t have;
		const unsigned char *p = hold_view(&h, &v, (uint64_t)i * 7, 7, &have);
		assert_int_equal(have, 7);
		assert_int_equal(p[0], i & 0xff);
		assert_int_equal(p[6], i & 0xff);
	}
	hold_clear(&h);
	assert_true(hold_add(&h, "again", 5));
	size_t have;
	assert_memory_equal(hold_view(&h, &v, 0, 5, &have), "again", 5);
	hold_view_free(&v);
	hold_free(&h);
}

static void without_a_temporary_file_memory_serves(void **state)
{
	(void)state;
	const char *was = getenv("TMPDIR");
	char keep[256];
	snprintf(keep, sizeof keep, "%s", was ? was : "");
	setenv("TMPDIR", "/nonexistent", 1);
	struct hold h = {.cap = 64};
	for (int i = 0; i < 100; i++)
		assert_true(hold_add(&h, "0123456789", 10));
	size_t have;
	assert_true(hold_settle(&h));
	assert_memory_equal(hold_view(&h, &(struct hold_view){0}, 990, 10, &have), "0123456789", 10);
	hold_free(&h);
	if (was)
		setenv("TMPDIR", keep, 1);
	else
		unsetenv("TMPDIR");
}

static void a_cancelled_import_says_so(void **state)
{
	(void)state;
	struct bytes space = {0}, p = letters(3);
	struct progress progress = {.cancel = true};
	struct err e = {0};
	add_block(&space, 1, &p);
	struct source *src = source_memory(space.p, space.n, "x");
	struct ingest *in = ingest_new();
	assert_false(importer_xspace.load(src, in, &progress, &e));
	assert_string_equal(e.msg, "cancelled");
	ingest_free(in);
	source_close(src);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cut_behind_a_plane_is_legal),
		cmocka_unit_test(every_other_cut_keeps_what_was_before_it),
		cmocka_unit_test(a_cut_in_a_message_of_the_recorder_is_a_cut),
		cmocka_unit_test(a_cut_in_the_metadata_leaves_events_without_names),
		cmocka_unit_test(a_bad_event_costs_only_itself),
		cmocka_unit_test(bytes_that_are_no_fields_end_the_line_only),
		cmocka_unit_test(a_line_that_claims_too_much_does_not_swallow_the_next),
		cmocka_unit_test(a_plane_that_claims_too_much_does_not_swallow_the_next),
		cmocka_unit_test(a_plane_that_claims_too_little_is_found_again_at_the_next),
		cmocka_unit_test(a_damaged_map_entry_costs_a_name),
		cmocka_unit_test(fields_of_a_later_format_are_passed_over),
		cmocka_unit_test(a_converted_file_is_refused_with_the_reason),
		cmocka_unit_test(what_is_no_xspace_is_refused),
		cmocka_unit_test(sniffing),
		cmocka_unit_test(the_hold_gives_back_what_it_took),
		cmocka_unit_test(without_a_temporary_file_memory_serves),
		cmocka_unit_test(a_cancelled_import_says_so),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
