/* XSpace events: where they lie in time. One plane, one line, few events at a time. */
#include "xspace_event.h"

static void picoseconds_are_rounded_to_the_nearest(void **state)
{
	(void)state;
	struct bytes l = line_of(7, "main", 1000), p = plane_of("/host:CPU");
	struct bytes down = event_of(THE_EVENT, 5499, 1000), up = event_of(OTHER_EVENT, 7500, 2000);
	line_event(&l, &down);
	line_event(&l, &up);
	plane_line(&p, &l);
	name_event(&p, THE_EVENT, "down");
	name_event(&p, OTHER_EVENT, "up");
	struct loaded t = load_plane(&p);
	assert_int_equal(start_of(&t, row_named(&t, "down")), 1005);
	assert_int_equal(dur_of(&t, row_named(&t, "down")), 1);
	assert_int_equal(start_of(&t, row_named(&t, "up")), 1008);
	assert_int_equal(dur_of(&t, row_named(&t, "up")), 2);
	unload(&t);
}

static void rounding_keeps_nesting(void **state)
{
	(void)state;
	struct bytes l = line_of(7, "main", 0), p = plane_of("/host:CPU");
	struct bytes outer = event_of(THE_EVENT, 1400, 3000), inner = event_of(OTHER_EVENT, 2600, 1800);
	line_event(&l, &outer); /* both end at 4400 ps; with rounded durations the inner one would end at 3 + 2 ns */
	line_event(&l, &inner);
	plane_line(&p, &l);
	name_event(&p, THE_EVENT, "outer");
	name_event(&p, OTHER_EVENT, "inner");
	struct loaded t = load_plane(&p);
	row_id o = row_named(&t, "outer"), i = row_named(&t, "inner");
	assert_int_equal(start_of(&t, o) + dur_of(&t, o), 4);
	assert_int_equal(start_of(&t, i) + dur_of(&t, i), 4);
	assert_int_equal(trace_parent(t.trace, i), o);
	assert_int_equal(count_of(&t, NOTE_OVERLAP), 0);
	unload(&t);
}

static void an_absent_offset_is_zero(void **state)
{
	(void)state;
	struct bytes e = {0};
	add_number(&e, 1, THE_EVENT);
	add_number(&e, 3, 4000);
	struct bytes p = host_with("at the start", &e);
	struct loaded t = load_plane(&p);
	assert_int_equal(start_of(&t, row_named(&t, "at the start")), 1000);
	assert_int_equal(dur_of(&t, 0), 4);
	unload(&t);
}

static void wall_clock_lines_do_not_overflow(void **state)
{
	(void)state;
	const int64_t epoch_ns = INT64_C(1771595660705918620);
	struct bytes l = line_of(7, "main", epoch_ns), p = plane_of("/host:CPU");
	struct bytes e = event_of(THE_EVENT, 1500, 1000);
	line_event(&l, &e);
	plane_line(&p, &l);
	name_event(&p, THE_EVENT, "now");
	struct loaded t = load_plane(&p);
	assert_int_equal(start_of(&t, row_named(&t, "now")), epoch_ns + 2);
	assert_int_equal(trace_epoch_ns(t.trace), epoch_ns + 2);
	unload(&t);
}

static void negative_offsets_round_alike(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, -1500, 2500), p = host_with("early", &e);
	struct loaded t = load_plane(&p);
	assert_int_equal(start_of(&t, row_named(&t, "early")), 999);
	assert_int_equal(dur_of(&t, 0), 2);
	unload(&t);
}

static void a_time_beyond_64_bits_is_noted(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, INT64_MAX, INT64_MAX), p = host_with("never", &e);
	struct loaded t = load_plane(&p);
	assert_int_equal(count_of(&t, NOTE_TIME_OVERFLOW), 1);
	assert_int_equal(trace_columns(t.trace)->n, 0);
	unload(&t);
}

static void an_aggregated_event_has_no_place(void **state)
{
	(void)state;
	struct bytes e = {0};
	add_number(&e, 1, THE_EVENT);
	add_number(&e, 5, 0); /* present is enough */
	add_number(&e, 3, 4000);
	struct bytes p = host_with("total", &e);
	struct loaded t = load_plane(&p);
	assert_int_equal(count_of(&t, NOTE_AGGREGATED), 1);
	assert_int_equal(trace_columns(t.trace)->n, 0);
	unload(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(picoseconds_are_rounded_to_the_nearest),
		cmocka_unit_test(rounding_keeps_nesting),
		cmocka_unit_test(an_absent_offset_is_zero),
		cmocka_unit_test(wall_clock_lines_do_not_overflow),
		cmocka_unit_test(negative_offsets_round_alike),
		cmocka_unit_test(a_time_beyond_64_bits_is_noted),
		cmocka_unit_test(an_aggregated_event_has_no_place),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
