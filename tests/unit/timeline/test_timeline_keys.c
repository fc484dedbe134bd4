/* Moving about in the explorer: what keys and commands lead to, and back; any keys in any order do no harm. */
#include "gap_screen.h"
#include <locale.h>

static void backspace_comes_back_exactly(void **state)
{
	(void)state;
	type("2wwdjj");
	char *before = picture();
	type("b");
	state_key(st, K_BACKSPACE);
	char *after = picture();
	assert_string_equal(after, before);
	free(before);
	free(after);
}

static void zooming_in_and_out_is_where_it_was(void **state)
{
	(void)state;
	type("2");
	char *before = picture();
	type("wwwwssss");
	char *after = picture();
	assert_string_equal(after, before);
	free(before);
	free(after);
}

static void brackets_follow_launch_and_kernel(void **state)
{
	(void)state;
	type("2.");
	screen_says("kernel #");
	type("[");
	screen_says("cudaLaunchKernel");
	screen_says("launches ] gemm");
	type("]");
	screen_says("launch [ cudaLaunchKernel");
}

static void steps_and_gaps_in_time_order(void **state)
{
	(void)state;
	type("2g");
	screen_says("gap 7→8");
	type("g");
	screen_says("gap 8→9");
	type("G");
	screen_says("gap 7→8");
	type("0}");
	screen_says("─ step ");
	type(":step 9\r");
	screen_says("─ step 9 ");
	type("}");
	screen_says("─ step 10 ");
	type("{{");
	screen_says("─ step 8 ");
}

static void a_search_finds_and_counts(void **state)
{
	(void)state;
	type("2/iterator\r");
	screen_says("op #");
	screen_says("IteratorGetNext");
	screen_says("1 of 1 for /iterator/");
	type("/nosuchname\r");
	screen_says("no event matches /nosuchname/");
	type("/(\r");
	screen_says("pattern:");
}

static void commands_say_what_is_wrong(void **state)
{
	(void)state;
	type(":gap 99\r");
	screen_says("there is no gap '99'");
	type(":nonsense\r");
	screen_says("no command");
	type(":goto soon\r");
	screen_says("is not a time");
	type(":table gone\r");
	screen_says("no table");
}

static void a_time_alone_is_gone_to(void **state)
{
	(void)state;
	type("2:205ms\r");
	screen_says("at 205.000 ms");
}

static void tab_completes_commands_and_tables(void **state)
{
	(void)state;
	type(":ta\t");
	assert_string_equal(st->prompt.text, "table ");
	type("k\t");
	assert_string_equal(st->prompt.text, "table kernels");
	type("\r");
	screen_says("[5 Kernels]");
}

static void enter_leads_from_a_row_to_its_evidence(void **state)
{
	(void)state;
	type(":table gaps\r");
	screen_says("[Gaps]");
	type("/8\r");
	state_key(st, K_ENTER);
	screen_says("[2 Timeline]");
	screen_says("─ gap ");
	state_key(st, K_BACKSPACE);
	screen_says("[Gaps]");
}

static void a_range_becomes_the_window_of_the_tables(void **state)
{
	(void)state;
	type(":step 9\r");
	type("2.v");
	type(".v");
	screen_says("window ");
	type("5");
	screen_says("window ");
	state_key(st, K_ESC);
	screen_keeps_quiet_about("window ");
}

static void marks_remember_views(void **state)
{
	(void)state;
	type("bma10'a");
	screen_says("gap 8→9");
}

/* Any keys in any order: nothing crashes, and the picture stays sound. */
static void random_keys_do_no_harm(void **state)
{
	(void)state;
	static const int special[] = {K_TAB, K_ENTER, K_ESC, K_BACKSPACE, K_UP, K_DOWN, K_PGUP, K_PGDN, K_SHIFT_TAB};
	unsigned seed = 1;
	for (int i = 0; i < 4000; i++) {
		seed = seed * 1103515245u + 12345u;
		unsigned r = seed >> 16;
		int key = r % 4 ? 33 + (int)(r / 4 % 94) : special[r / 4 % (sizeof special / sizeof *special)];
		if (key == 'q' || key == 'e')
			continue; /* leaves, or writes files */
		state_key(st, key);
		if (i % 97 == 0)
			state_resize(st, 8 + (int)(r % 50), 30 + (int)(r % 170));
		if (i % 10 == 0)
			free(picture());
		if (st->mode == MODE_PROMPT && i % 5 == 0)
			state_key(st, K_ESC);
		st->quit = false;
	}
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(backspace_comes_back_exactly),
		TEST(zooming_in_and_out_is_where_it_was),
		TEST(brackets_follow_launch_and_kernel),
		TEST(steps_and_gaps_in_time_order),
		TEST(a_search_finds_and_counts),
		TEST(commands_say_what_is_wrong),
		TEST(a_time_alone_is_gone_to),
		TEST(tab_completes_commands_and_tables),
		TEST(enter_leads_from_a_row_to_its_evidence),
		TEST(a_range_becomes_the_window_of_the_tables),
		TEST(marks_remember_views),
		TEST(random_keys_do_no_harm),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	surface_free(&screen);
	return failed;
}
