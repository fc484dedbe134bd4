/* Where one was: zooms, pans and jumps are steps for Backspace and Ctrl-r; `q` goes back level by level and always gets out. The trace is
 * that of gap_screen.h. */
#include "tests/unit/scenes.h"
#include "tests/unit/screen_of.h"

enum { CTRL_R = 'r' - 'a' + 1, MOST_LEVELS = 4 };

static int start(void **state)
{
	(void)state;
	struct build b = scene_gap();
	op(&b, 1, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	screen_open(&b, 24, 80);
	screen_type("2");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	screen_close();
	return 0;
}

static struct viewport port(void)
{
	return screen_st->view.port;
}

static void shows(struct viewport p)
{
	assert_int_equal(port().from_ns, p.from_ns);
	assert_int_equal(port().span_ns, p.span_ns);
}

static void back(void)
{
	state_key(screen_st, K_BACKSPACE);
}

/* As if the user had looked at the picture for a while. */
static void pause_keys(void)
{
	if (screen_st->history.small_ms)
		screen_st->history.small_ms -= 60000;
}

static void a_burst_of_zooms_and_pans_is_one_step(void **state)
{
	(void)state;
	struct viewport whole = port();
	screen_type("wwwdwsa");
	struct viewport there = port();
	assert_true(there.span_ns < whole.span_ns);
	back();
	shows(whole);
	state_key(screen_st, CTRL_R);
	shows(there);
	back();
	shows(whole);
}

static void a_pause_or_another_key_begins_a_new_step(void **state)
{
	(void)state;
	struct viewport whole = port();
	screen_type("ww");
	struct viewport first = port();
	pause_keys();
	screen_type("ww");
	struct viewport second = port();
	screen_type("jd");
	back();
	shows(second);
	back();
	shows(first);
	back();
	shows(whole);
}

static void each_jump_is_a_step(void **state)
{
	(void)state;
	struct viewport whole = port();
	screen_type("g");
	const struct gap *first = screen_st->view.gap;
	struct viewport one = port();
	screen_type("g");
	struct viewport two = port();
	assert_ptr_not_equal(screen_st->view.gap, first);
	screen_type("0");
	shows(whole);
	back();
	shows(two);
	back();
	shows(one);
	assert_ptr_equal(screen_st->view.gap, first);
	back();
	shows(whole);
	state_key(screen_st, CTRL_R);
	shows(one);
}

static void after_going_back_a_new_move_is_a_new_step(void **state)
{
	(void)state;
	struct viewport whole = port();
	screen_type("ww");
	back();
	screen_type("w");
	back();
	shows(whole);
}

static void the_biggest_gaps_are_left_together(void **state)
{
	(void)state;
	struct viewport whole = port();
	screen_type("bbb");
	back();
	shows(whole);
}

static void what_a_search_shows_while_it_is_typed_is_one_step(void **state)
{
	(void)state;
	screen_type("www");
	state_key(screen_st, K_END);
	struct viewport before = port();
	screen_type("/train");
	state_key(screen_st, K_ENTER);
	assert_int_not_equal(port().from_ns, before.from_ns);
	back();
	shows(before);
}

static void the_wheel_is_a_small_move(void **state)
{
	(void)state;
	struct viewport whole = port();
	for (int i = 0; i < 4; i++)
		state_mouse(screen_st, BUTTON_WHEEL_UP, 8, 50);
	assert_true(port().span_ns < whole.span_ns);
	back();
	shows(whole);
}

/* ---- levels ----------------------------------------------------------------------------------------------------------- */

static void q_closes_the_text_then_the_timeline_then_the_list(void **state)
{
	(void)state;
	screen_type("4");
	state_key(screen_st, K_ENTER);
	screen_type("wwd?");
	assert_int_equal(screen_st->mode, MODE_READER);
	screen_type("q");
	assert_int_equal(screen_st->mode, MODE_PANE);
	assert_int_equal(screen_st->view.pane, PANE_TIMELINE);
	screen_type("q");
	assert_int_equal(screen_st->view.pane, PANE_TABLE);
	screen_type("q");
	assert_int_equal(screen_st->view.pane, PANE_OVERVIEW);
	assert_false(screen_st->quit);
	assert_non_null(strstr(screen_line(-2), "q once more leaves"));
	screen_type("q");
	assert_true(screen_st->quit);
}

static void backspace_undoes_q(void **state)
{
	(void)state;
	screen_type("ww");
	struct viewport there = port();
	screen_type("q");
	assert_int_equal(screen_st->view.pane, PANE_OVERVIEW);
	back();
	assert_int_equal(screen_st->view.pane, PANE_TIMELINE);
	shows(there);
}

static void large_q_leaves_from_everywhere(void **state)
{
	(void)state;
	screen_type("4?Q");
	assert_true(screen_st->quit);
}

/* Whatever was pressed: out of an input line Esc, and then q a few times. */
static void q_always_gets_out(void **state)
{
	(void)state;
	static const char keys[] = "12345689bgG{}wsad0fvzSiIjkxXpn;[]hl:/&?mymeo!OFt'";
	unsigned seed = 7;
	for (int run = 0; run < 300; run++) {
		for (int i = 0; i < 12; i++) {
			seed = seed * 1103515245u + 12345u;
			unsigned r = seed >> 16;
			state_key(screen_st, r % 5 ? keys[r % (sizeof keys - 1)] : r % 2 ? K_ENTER : K_BACKSPACE);
			if (screen_st->mode == MODE_EXPORT) /* it would write files */
				state_key(screen_st, K_ESC);
		}
		if (screen_st->mode != MODE_PANE && screen_st->mode != MODE_READER)
			state_key(screen_st, K_ESC);
		screen_st->quit = false;
		int pressed = 0;
		for (; !screen_st->quit && pressed < MOST_LEVELS + 1; pressed++)
			screen_type("q");
		assert_true(screen_st->quit);
		assert_in_range(pressed, 1, MOST_LEVELS);
		screen_st->quit = false;
	}
}

int main(void)
{
#define HISTORY(test) cmocka_unit_test_setup_teardown(test, start, stop)
	const struct CMUnitTest tests[] = {
		HISTORY(a_burst_of_zooms_and_pans_is_one_step),
		HISTORY(a_pause_or_another_key_begins_a_new_step),
		HISTORY(each_jump_is_a_step),
		HISTORY(after_going_back_a_new_move_is_a_new_step),
		HISTORY(the_biggest_gaps_are_left_together),
		HISTORY(what_a_search_shows_while_it_is_typed_is_one_step),
		HISTORY(the_wheel_is_a_small_move),
		HISTORY(q_closes_the_text_then_the_timeline_then_the_list),
		HISTORY(backspace_undoes_q),
		HISTORY(large_q_leaves_from_everywhere),
		HISTORY(q_always_gets_out),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
