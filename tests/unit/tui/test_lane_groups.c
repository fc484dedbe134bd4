/* One row per GPU where more than two work: what folds under which, in which order they stand, what unfolds them, and what their rows
 * show of collectives. */
#include "tests/unit/screen_of.h"
#include <locale.h>

static const char NCCL[] = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

/* A rank that computes for so long, 1000 us after the one before, and is in a call until all have entered and 100 us have passed. */
static void rank(struct build *b, int32_t number, double busy_us, int calls, double entered_us)
{
	char host[32];
	snprintf(host, sizeof host, "host%d", 9 - number);
	build_host(b, host, number);
	build_pid(b, 100 + number);
	for (int i = 0; i < calls; i++) {
		double at = 3000.0 * i;
		uint64_t corr = (uint64_t)(100 * number + 2 * i + 1);
		launch(b, 1, at, 5, corr);
		kernel(b, number, 7, "gemm", at + 10, busy_us, corr);
		launch(b, 1, at + 6, 5, corr + 1);
		kernel(b, number, 20, NCCL, at + 10 + busy_us, entered_us + 110 - busy_us - 10, corr + 1);
	}
}

static void ranks(int32_t n, int32_t late)
{
	struct build b = build_new("chrome");
	for (int32_t i = 0; i < n; i++)
		rank(&b, i, i == late ? 2000 : 500 + 10 * i, 4, 2010);
	screen_open(&b, 24, 80);
	screen_type("2");
}

static int stop(void **state)
{
	(void)state;
	screen_close();
	return 0;
}

static const char *label_at(uint32_t lane)
{
	static char label[160];
	return lane_label(&screen_st->lanes, lane, label, sizeof label);
}

static uint32_t lane_named(const char *label)
{
	for (uint32_t i = 0; i < screen_st->lanes.n; i++)
		if (!strcmp(label_at(i), label))
			return i;
	return NONE_ID;
}

/* The label of rank 3 of four on a host of this name, with 24 columns of room. */
static const char *beside_host(const char *host)
{
	static char label[160];
	struct build b = build_new("chrome");
	for (int32_t i = 0; i < 3; i++)
		rank(&b, i, 500, 1, 2010);
	build_host(&b, host, 3);
	kernel(&b, 3, 7, "gemm", 10, 500, 0);
	screen_open(&b, 24, 80);
	screen_type("2");
	assert_string_equal(lane_label(&screen_st->lanes, 3, label, sizeof label), "rank 3 GPU 3");
	lane_label_fit(&screen_st->lanes, 3, 24, label, sizeof label);
	screen_close();
	return label;
}

static void a_host_that_only_repeats_its_rank_is_not_told(void **state)
{
	(void)state;
	assert_string_equal(beside_host("node17"), "rank 3 GPU 3  node17");
	assert_string_equal(beside_host("rank17"), "rank 3 GPU 3  rank17");
	assert_string_equal(beside_host("rank3-b"), "rank 3 GPU 3  rank3-b");
	assert_string_equal(beside_host("rank3"), "rank 3 GPU 3");
	assert_string_equal(beside_host("rank_3"), "rank 3 GPU 3");
}

static void select_lane(const char *label)
{
	screen_st->view.lane = lane_named(label);
	assert_int_not_equal(screen_st->view.lane, NONE_ID);
}

static int two(void **state)
{
	(void)state;
	ranks(2, 1);
	return 0;
}

static void two_gpus_stand_with_their_streams(void **state)
{
	(void)state;
	assert_false(screen_st->lanes.groups.on);
	assert_int_not_equal(lane_named("stream 7 compute"), NONE_ID);
	screen_type("o");
	assert_non_null(strstr(screen_st->message, "more than 2"));
}

static int four(void **state)
{
	(void)state;
	ranks(4, 2);
	return 0;
}

static void more_than_two_have_a_row_each(void **state)
{
	(void)state;
	assert_int_equal(screen_st->lanes.n, 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_true(lane_selects(&screen_st->lanes.at[i]));
	assert_string_equal(label_at(0), "rank 0 GPU 0");
	assert_string_equal(label_at(3), "rank 3 GPU 3");
}

static void z_unfolds_streams_and_threads_and_folds_them(void **state)
{
	(void)state;
	select_lane("rank 1 GPU 1");
	screen_type("z");
	uint32_t head = lane_named("rank 1 GPU 1"), stream = lane_named("stream 7 compute"),
		 process = lane_named("process 101"), next = lane_named("rank 2 GPU 2");
	assert_int_equal(screen_st->view.lane, head);
	assert_true(head < stream && stream < process && process < next);
	assert_int_equal(lane_named("process 102"), NONE_ID);
	screen_type("w"); /* zooming builds the lanes anew and keeps the row */
	assert_int_equal(screen_st->view.lane, lane_named("rank 1 GPU 1"));
	screen_type("z");
	assert_int_equal(screen_st->lanes.n, 4);
	assert_int_equal(screen_st->view.lane, 1);
}

static void one_key_unfolds_all_and_folds_them(void **state)
{
	(void)state;
	screen_type("U");
	assert_int_not_equal(lane_named("process 103"), NONE_ID);
	screen_type("U");
	assert_int_equal(screen_st->lanes.n, 4);
}

static void rows_stand_in_order_of_number_lateness_and_host(void **state)
{
	(void)state;
	select_lane("rank 0 GPU 0");
	screen_type("o");
	assert_string_equal(label_at(0), "rank 2 GPU 2");
	assert_int_equal(screen_st->view.lane, 1); /* the selected one stays selected */
	screen_type("o");
	assert_string_equal(label_at(0), "rank 3 GPU 3"); /* host6 */
	screen_type("o");
	assert_string_equal(label_at(0), "rank 0 GPU 0");
	command_run(screen_st, "order lateness");
	assert_string_equal(label_at(0), "rank 2 GPU 2");
	command_run(screen_st, "order weight");
	assert_non_null(strstr(screen_st->message, "number, lateness or host"));
}

static void a_device_hides_and_pins_as_one(void **state)
{
	(void)state;
	select_lane("rank 3 GPU 3");
	screen_type("p");
	assert_string_equal(label_at(0), "rank 3 GPU 3");
	screen_type("p");
	assert_string_equal(label_at(3), "rank 3 GPU 3");
	select_lane("rank 1 GPU 1");
	screen_type("x");
	assert_int_equal(lane_named("rank 1 GPU 1"), NONE_ID);
	assert_int_equal(screen_st->lanes.n, 3);
	screen_type("X");
	assert_int_equal(screen_st->lanes.n, 4);
}

static row_id first_of(const char *name, uint32_t device)
{
	const struct columns *c = trace_columns(screen_st->t);
	for (row_id r = 0; r < c->n; r++)
		if (!strcmp(trace_str(screen_st->t, c->name[r]), name) &&
		    trace_track(screen_st->t, c->track[r])->device == device)
			return r;
	return NONE_ID;
}

static void going_to_an_event_unfolds_only_what_it_needs(void **state)
{
	(void)state;
	nav_event(screen_st, first_of(NCCL, 1)); /* the row's own events are picked on it */
	assert_int_equal(screen_st->lanes.n, 4);
	assert_string_equal(label_at(screen_st->view.lane), "rank 1 GPU 1");
	nav_event(screen_st, first_of("gemm", 1));
	assert_string_equal(label_at(screen_st->view.lane), "stream 7 compute");
	assert_int_equal(lane_named("process 102"), NONE_ID);
}

static void rows_say_where_they_wait_and_who_is_last(void **state)
{
	(void)state;
	int y = screen_lane("rank 0"), last = screen_lane("rank 2");
	assert_int_equal(screen_at(y, 1500), 0x2591);        /* waits */
	assert_int_not_equal(screen_at(last, 1500), 0x2591); /* computes */
	assert_non_null(strstr(screen_line(last), "!"));
	assert_null(strstr(screen_line(y), "!"));
	screen_draw();
	bool said = false;
	for (int i = 0; i < 24; i++)
		said |= strstr(screen_line(i), "rank 2 is last at 4 of 4 collectives; the others wait") != NULL;
	assert_true(said);
}

static void a_selected_call_is_joined_over_all_its_ranks(void **state)
{
	(void)state;
	nav_event(screen_st, first_of(NCCL, 0));
	int a = screen_lane("rank 0"), b = screen_lane("rank 3");
	uint32_t joined = screen_at(a, 2011);
	assert_int_equal(joined, 0x2503);
	assert_int_equal(screen_at(b, 2011), joined);
	assert_int_equal(screen_at(screen_lane("rank 2"), 2011), 0x25B6);
}

static int sixty_four(void **state)
{
	(void)state;
	ranks(64, 40);
	return 0;
}

static void many_rows_have_a_map_of_their_own(void **state)
{
	(void)state;
	struct timeline_layout l = timeline_layout(screen_st);
	screen_draw();
	int seen = 0, latest = 0;
	for (int y = l.y_lanes; y < l.y_lanes + l.h_lanes; y++) {
		seen += surface_at(&screen_now, y, l.x - 1)->cp == 0x2588;
		latest += surface_at(&screen_now, y, l.x - 1)->cp == '!' ? y - l.y_lanes : 0;
	}
	assert_int_equal(seen, (l.h_lanes * l.h_lanes + 63) / 64);
	assert_int_equal(latest, 40 * l.h_lanes / 64);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
#define TEST(name, start) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(two_gpus_stand_with_their_streams, two),
		TEST(more_than_two_have_a_row_each, four),
		TEST(z_unfolds_streams_and_threads_and_folds_them, four),
		TEST(one_key_unfolds_all_and_folds_them, four),
		TEST(rows_stand_in_order_of_number_lateness_and_host, four),
		TEST(a_device_hides_and_pins_as_one, four),
		TEST(going_to_an_event_unfolds_only_what_it_needs, four),
		TEST(rows_say_where_they_wait_and_who_is_last, four),
		TEST(a_selected_call_is_joined_over_all_its_ranks, four),
		TEST(many_rows_have_a_map_of_their_own, sixty_four),
		cmocka_unit_test(a_host_that_only_repeats_its_rank_is_not_told),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
