/* The arrow between the selected event and its launch or work: head, bend and tail where they belong; a hint where the other
 * end is out of sight. */
#include "tests/unit/screen_of.h"
#include <locale.h>

enum { UP = 0x25B2, DOWN = 0x25BC, RIGHT = 0x25B6, LEFT = 0x25C0, UPRIGHT = 0x2503 };

/* Times in microseconds: a launch at 100, its kernel at 700; a call in between; a long op from 0 to 1000. */
static int start(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "all", 0, 1000);
	launch(&b, 1, 100, 20, 5);
	kernel(&b, 0, 7, "far", 700, 100, 5);
	op(&b, 2, "beside", 300, 100);
	screen_open(&b, 30, 100);
	return 0;
}

/* Threads 1 and 3: a flow from "forward" to "backward"; "makes" hands something to "takes". */
static int start_ties(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	struct host_info made, taken;
	op(&b, 1, "all", 0, 1000);
	op(&b, 1, "forward", 100, 20);
	op(&b, 2, "between", 0, 1000);
	op(&b, 3, "backward", 600, 50);
	str_id category = build_text(&b, "fwdbwd");
	ingest_notes(b.in)->entries += 2;
	ingest_flow(b.in, 's', build_thread(&b, 1), category, 7, US(105), true, -1);
	ingest_flow(b.in, 'f', build_thread(&b, 3), category, 7, US(610), true, -1);
	host_info_init(&made);
	host_info_init(&taken);
	made.producer_type = taken.consumer_type = 1;
	made.producer_id = taken.consumer_id = 4;
	fact_event(&b, 1, "makes", 200, 20, &made);
	fact_event(&b, 3, "takes", 800, 20, &taken);
	screen_open(&b, 30, 100);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	screen_close();
	return 0;
}

static void from_the_launch_to_the_kernel(void **state)
{
	(void)state;
	screen_select("far");
	/* the stream is two cells high */
	int head = screen_lane("stream 7") + 1, tail = screen_lane("thread 1") + 1;
	assert_int_equal(screen_at(head + 1, 700), UP);
	assert_int_equal(screen_at(head - 1, 700), 'f'); /* the kernel itself is whole */
	assert_int_equal(screen_at(head, 700), 0x2502);  /* the cursor stands on its lower half */
	/* exactly one upright line leaves the launch, and one reaches the kernel */
	assert_int_equal(screen_at(tail - 1, 100), UPRIGHT);
	int bends = 0;
	for (int y = head + 2; y < tail; y++) {
		uint32_t at_tail = screen_at(y, 100), at_head = screen_at(y, 700);
		bool bend = at_tail == 0x250F && at_head == 0x251B;
		bends += bend;
		assert_true(bend || (bends ? at_tail == UPRIGHT : at_head == UPRIGHT));
		assert_int_equal(screen_at(y, 400) == 0x2501, bend);
	}
	assert_int_equal(bends, 1);
}

/* Where the arrow's lines stand, as one bit per column in each row. */
static void lines_of(uint64_t rows[30][2])
{
	screen_draw();
	memset(rows, 0, 30 * sizeof rows[0]);
	for (int y = 0; y < 30; y++)
		for (int x = 0; x < 100; x++) {
			uint32_t cp = surface_at(&screen_now, y, x)->cp;
			if (cp == UPRIGHT || cp == 0x2501 || cp == 0x250F || cp == 0x251B || cp == UP)
				rows[y][x / 64] |= UINT64_C(1) << x % 64;
		}
}

static void the_same_arrow_from_the_other_end(void **state)
{
	(void)state;
	uint64_t one[30][2], other[30][2];
	screen_select("far");
	lines_of(one);
	screen_type("[");
	lines_of(other);
	assert_memory_equal(one, other, sizeof one);
	assert_true(one[screen_lane("stream 7") + 2][1] != 0);
}

static void an_edge_hint_says_what_where_and_which_key(void **state)
{
	(void)state;
	screen_select("far");
	viewport_show(&screen_st->view.port, US(650), US(850), 0);
	const char *line = screen_line(screen_lane("thread 1") + 1);
	if (!strstr(line, "\xe2\x97\x80 [ cudaLaunchKernel, 600.000 us before"))
		fail_msg("%s", line);
	screen_select("cudaLaunchKernel");
	viewport_show(&screen_st->view.port, US(50), US(250), 0);
	line = screen_line(screen_lane("stream 7"));
	if (!strstr(line, "] far, 600.000 us later \xe2\x96\xb6"))
		fail_msg("%s", line);
}

static void a_lane_out_of_sight_is_pointed_at(void **state)
{
	(void)state;
	screen_select("cudaLaunchKernel");
	screen_st->view.top = 3;
	struct timeline_layout l = timeline_layout(screen_st);
	const char *line = screen_line(l.y_lanes);
	if (!strstr(line, "\xe2\x96\xb2") || !strstr(line, "] far, 600.000 us later"))
		fail_msg("%s", line);
}

static void nothing_is_drawn_for_what_is_out_of_sight(void **state)
{
	(void)state;
	screen_type("2");
	char *before = strdup(screen_line(screen_lane("stream 7")));
	screen_select("far");
	viewport_show(&screen_st->view.port, US(0), US(90), 0);
	screen_draw();
	for (int i = 0; i < screen_now.rows * screen_now.cols; i++)
		assert_true(screen_now.cells[i].cp != LEFT && screen_now.cells[i].cp != RIGHT);
	free(before);
}

/* Flows, and what produces for what consumes: from the earlier end to the later one, whichever is selected. */
static void other_ties_have_arrows(void **state)
{
	(void)state;
	static const struct {
		const char *tail, *head;
		double tail_us, head_us;
	} ties[] = {{"forward", "backward", 100, 600}, {"makes", "takes", 200, 800}};
	for (size_t i = 0; i < 2; i++)
		for (int end = 0; end < 2; end++) {
			screen_select(end ? ties[i].head : ties[i].tail);
			int head = screen_lane("thread 3"), tail = screen_lane("thread 1") + 1;
			assert_int_equal(screen_at(head - 1, ties[i].head_us), DOWN);
			assert_int_equal(screen_at(tail + 1, ties[i].tail_us), 0x2517);
		}
	screen_select("takes");
	viewport_show(&screen_st->view.port, US(750), US(850), 0);
	if (!strstr(screen_line(screen_lane("thread 1") + 1), "[ makes, 600.000 us before"))
		fail_msg("%s", screen_line(screen_lane("thread 1") + 1));
}

static void ascii_has_an_arrow_too(void **state)
{
	(void)state;
	screen_now.ascii = true;
	screen_select("far");
	assert_int_equal(screen_at(screen_lane("stream 7") + 2, 700), '^');
	screen_now.ascii = false;
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(from_the_launch_to_the_kernel),
		TEST(the_same_arrow_from_the_other_end),
		TEST(an_edge_hint_says_what_where_and_which_key),
		TEST(a_lane_out_of_sight_is_pointed_at),
		TEST(nothing_is_drawn_for_what_is_out_of_sight),
		TEST(ascii_has_an_arrow_too),
		cmocka_unit_test_setup_teardown(other_ties_have_arrows, start_ties, stop),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
