/* The events table: everything that touches the window, as it was recorded. */
#include "tests/unit/ask.h"

static struct derived *three_events(void)
{
	struct build b = build_new("chrome");
	host_event(&b, KIND_OP, 1, "outer", 0, 100);
	host_event(&b, KIND_OP, 1, "inner", 20, 10);
	kernel(&b, 0, 7, "gemm", 90, 30, 77);
	return derive(&b);
}

static void every_event_is_a_row_by_its_number(void **state)
{
	(void)state;
	struct derived *d = three_events();
	struct table *t = ask(d, "events");
	assert_int_equal(t->n_rows, 3);
	for (uint32_t r = 0; r < 3; r++)
		assert_int_equal(int_of(t, r, "id"), r);
	uint32_t gemm = row_named(derived_trace(d), "gemm");
	assert_int_equal(int_of(t, gemm, "start_ns"), US(90));
	assert_int_equal(int_of(t, gemm, "dur_ns"), US(30));
	assert_int_equal(int_of(t, gemm, "corr"), 77);
	assert_string_equal(text_of(t, gemm, "kind"), "kernel");
	assert_string_equal(text_of(t, gemm, "track_name"), "stream 7");
	assert_int_equal(int_of(t, row_named(derived_trace(d), "inner"), "depth"), 1);
	assert_int_equal(table_evidence_of(t, gemm)->rows[0], gemm);
	assert_int_equal(table_evidence_of(t, gemm)->a_ns, US(90));
	assert_true(cell_of(t, row_named(derived_trace(d), "inner"), "corr")->null);
	assert_true(cell_of(t, gemm, "step")->null);
	ask_done(d);
}

static void a_window_lists_what_it_touches_and_marks_what_it_cuts(void **state)
{
	(void)state;
	struct derived *d = three_events();
	struct table *t = ask_window(d, "events", US(25), US(120));
	assert_int_equal(t->n_rows, 3);
	for (uint32_t r = 0; r < 3; r++) {
		bool cut = strcmp(text_of(t, r, "name"), "gemm") != 0;
		assert_int_equal(cell_of(t, r, "cut")->b, cut);
	}
	assert_int_equal(ask_window(d, "events", US(30), US(90))->n_rows, 1); /* half-open on both sides */
	assert_int_equal(ask_window(d, "events", US(120), US(200))->n_rows, 0);
	ask_done(d);
}

static void a_filter_leaves_the_numbers_alone(void **state)
{
	(void)state;
	struct derived *d = three_events();
	struct table *t = ask_filter(d, "events", "kind=kernel");
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(int_of(t, 0, "id"), row_named(derived_trace(d), "gemm"));
	ask_done(d);
}

static void steps_are_named(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	profiler_step(&b, 1, 8, 0, 100);
	op(&b, 1, "aten::mm", 10, 20);
	op(&b, 1, "after", 150, 20);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "events");
	assert_string_equal(text_of(t, row_named(derived_trace(d), "aten::mm"), "step"), "8");
	assert_string_equal(text_of(t, row_named(derived_trace(d), "after"), "step"), "-");
	assert_int_equal(ask_filter(d, "events", "step=8 kind=op")->n_rows, 1);
	ask_done(d);
}

static void large_correlation_ids_stay_whole(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "k", 0, 1, UINT64_C(18446744073709551614));
	struct derived *d = derive(&b);
	assert_string_equal(text_of(ask(d, "events"), 0, "corr"), "18446744073709551614");
	ask_done(d);
}

/* ---- --all-columns ---------------------------------------------------------------------------------------------- */

static struct derived *with_attributes(void)
{
	struct build b = build_new("chrome");
	struct attrs *a = ingest_attrs(b.in);
	struct event_in e = build_event(&b, KIND_OP, build_thread(&b, 1), "one", 0, 10);
	attrs_begin(a);
	attrs_put_int(a, build_text(&b, "bytes"), 4096);
	attrs_put_str(a, build_text(&b, "note"), "hello", 5);
	attrs_put_double(a, build_text(&b, "rate"), 1.5);
	attrs_put_int(a, build_text(&b, "mixed"), 7);
	attrs_put_int(a, build_text(&b, "twice"), 1);
	attrs_put_int(a, build_text(&b, "twice"), 2);
	attrs_put_uint(a, build_text(&b, "address"), UINT64_MAX);
	e.attrs = attrs_end(a);
	build_add(&b, &e);
	e = build_event(&b, KIND_OP, build_thread(&b, 1), "two", 20, 10);
	attrs_begin(a);
	attrs_put_str(a, build_text(&b, "mixed"), "seven", 5);
	e.attrs = attrs_end(a);
	build_add(&b, &e);
	return derive(&b);
}

static struct table *ask_all_columns(const struct derived *d)
{
	struct query q = query_all();
	q.all_columns = true;
	return ask_query(d, "events", &q);
}

static void every_attribute_is_a_column_with_its_type(void **state)
{
	(void)state;
	struct derived *d = with_attributes();
	struct table *t = ask_all_columns(d);
	assert_int_equal(int_of(t, 0, "args.bytes"), 4096);
	assert_float_equal(cell_of(t, 0, "args.rate")->r, 1.5, 0);
	assert_string_equal(text_of(t, 0, "args.note"), "hello");
	assert_true(cell_of(t, 1, "args.bytes")->null);
	assert_int_equal(t->cols[table_column(t, "args.bytes")].type, CELL_INT);
	assert_int_equal(table_column(ask(d, "events"), "args.bytes"), -1);
	ask_done(d);
}

static void mixed_and_repeated_values_are_text_as_they_were_written(void **state)
{
	(void)state;
	struct derived *d = with_attributes();
	struct table *t = ask_all_columns(d);
	assert_string_equal(text_of(t, 0, "args.mixed"), "7");
	assert_string_equal(text_of(t, 1, "args.mixed"), "seven");
	assert_string_equal(text_of(t, 0, "args.twice"), "1; 2");
	assert_string_equal(text_of(t, 0, "args.address"), "18446744073709551615");
	ask_done(d);
}

static void attribute_columns_are_in_the_order_of_their_names(void **state)
{
	(void)state;
	struct derived *d = with_attributes();
	struct table *t = ask_all_columns(d);
	for (int c = table_column(t, "args.address"); c + 1 < (int)t->n_cols; c++)
		assert_true(strcmp(t->cols[c].name, t->cols[c + 1].name) < 0);
	ask_done(d);
}

static void a_cancelled_listing_is_an_error(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	for (int i = 0; i < 10000; i++)
		kernel(&b, 0, 7, "k", i, 0.5, 0);
	struct derived *d = derive(&b);
	struct progress p = {.cancel = true};
	struct query q = query_all();
	struct err e = {0};
	assert_null(events_desc.run(d, &q, &asked, &p, &e));
	assert_string_equal(e.msg, "cancelled");
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_is_a_row_by_its_number),
		cmocka_unit_test(a_window_lists_what_it_touches_and_marks_what_it_cuts),
		cmocka_unit_test(a_filter_leaves_the_numbers_alone),
		cmocka_unit_test(steps_are_named),
		cmocka_unit_test(large_correlation_ids_stay_whole),
		cmocka_unit_test(every_attribute_is_a_column_with_its_type),
		cmocka_unit_test(mixed_and_repeated_values_are_text_as_they_were_written),
		cmocka_unit_test(attribute_columns_are_in_the_order_of_their_names),
		cmocka_unit_test(a_cancelled_listing_is_an_error),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
