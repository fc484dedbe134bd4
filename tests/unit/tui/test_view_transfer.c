/* From one trace of a capture to the next: what the user looks at stays what it is. The capture runs a kernel of 10 us every
 * 100 us on stream 7; the next trace has lost the oldest ones and gained new ones. */
#include "tests/unit/derive_trace.h"
#include "tui/app/view_transfer.h"
#include "tui/explorer/pane.h"
#include <locale.h>
#include <stdlib.h>

static struct app_opts opts = {.program = "stepscope"};
static struct derived *old_d, *new_d;
static struct state *from, *to;

static struct derived *capture(int first, int last)
{
	struct build b = build_new("live");
	if (first > 0) /* a stream that was not there before comes first */
		kernel(&b, 0, 3, "other", first * 100 + 20, 10, 0);
	for (int i = first; i < last; i++) {
		char name[16];
		snprintf(name, sizeof name, "k%d", i);
		kernel(&b, 0, 7, name, i * 100, 10, 0);
	}
	return derive(&b);
}

static void look_at(int first, int last)
{
	new_d = capture(first, last);
	to = state_new(&opts, new_d, -1, true);
	state_resize(from, 24, 80);
	view_transfer(to, from);
	view_transfer_mode(to, from);
}

static int start(void **state)
{
	(void)state;
	opts.paths = (const char *const[]){"made.trace"};
	opts.n_paths = 1;
	old_d = capture(0, 100);
	from = state_new(&opts, old_d, -1, true);
	state_resize(from, 24, 80);
	state_key(from, '2');
	return 0;
}

static int stop(void **state)
{
	(void)state;
	state_free(from);
	state_free(to);
	derived_free(old_d);
	derived_free(new_d);
	to = NULL;
	new_d = NULL;
	return 0;
}

static const char *selected(const struct state *st)
{
	if (st->view.event == NONE_ID)
		return "nothing";
	return trace_str(st->t, trace_columns(st->t)->name[st->view.event]);
}

static void a_selected_event_is_found_again(void **state)
{
	(void)state;
	nav_event(from, row_named(from->t, "k60"));
	look_at(50, 200);
	assert_string_equal(selected(to), "k60");
	assert_int_equal(trace_columns(to->t)->start_ns[to->view.event], US(1000));
	assert_int_equal(to->view.cursor_ns, US(1000));
	const struct lane *lane = &to->lanes.at[to->view.lane];
	assert_int_equal(trace_track(to->t, lane->track)->key, 7);
}

static void one_that_was_let_go_is_not(void **state)
{
	(void)state;
	nav_event(from, row_named(from->t, "k10"));
	look_at(50, 200);
	assert_string_equal(selected(to), "nothing");
}

static void the_whole_stays_the_whole(void **state)
{
	(void)state;
	look_at(50, 200);
	assert_int_equal(to->view.port.from_ns, 0);
	assert_int_equal(to->view.port.span_ns, trace_span_ns(to->t));
}

static void the_edge_is_followed(void **state)
{
	(void)state;
	int64_t end = trace_span_ns(from->t);
	viewport_show(&from->view.port, end - US(500), end, 0);
	look_at(50, 200);
	assert_int_equal(to->view.port.span_ns, US(500));
	assert_int_equal(to->view.port.from_ns + US(500), trace_span_ns(to->t));
}

static void the_middle_stays_where_it_is(void **state)
{
	(void)state;
	viewport_show(&from->view.port, US(6000), US(6500), 0);
	look_at(50, 200);
	assert_int_equal(to->view.port.from_ns, US(1000));
	assert_int_equal(to->view.port.span_ns, US(500));
	assert_null(strstr(to->message, "no longer kept"));
}

static void what_was_let_go_says_so(void **state)
{
	(void)state;
	viewport_show(&from->view.port, US(1000), US(1500), 0);
	state_key(from, 'm');
	state_key(from, 'a');
	viewport_show(&from->view.port, US(8000), US(8500), 0);
	look_at(50, 200);
	assert_null(strstr(to->message, "no longer kept"));
	state_key(to, '\'');
	state_key(to, 'a');
	assert_non_null(strstr(to->message, "no longer kept"));
	state_key(to, K_BACKSPACE);
	assert_null(strstr(to->message, "no longer kept"));
	assert_int_equal(to->view.port.from_ns, US(3000));
}

static void the_view_itself_may_be_gone(void **state)
{
	(void)state;
	viewport_show(&from->view.port, US(1000), US(1500), 0);
	look_at(50, 200);
	assert_non_null(strstr(to->message, "no longer kept"));
}

static void the_question_goes_along(void **state)
{
	(void)state;
	state_filter(from, "name=/k6/");
	from->window = window_of_time(from->d, US(6000), US(7000));
	look_at(50, 200);
	assert_string_equal(filter_text(to->filter), "name=/k6/");
	assert_int_equal(to->window.a_ns, US(1000));
	assert_int_equal(to->window.b_ns, US(2000));
}

static void a_window_that_is_gone_gives_way(void **state)
{
	(void)state;
	from->window = window_of_time(from->d, US(1000), US(2000));
	look_at(50, 200);
	assert_int_equal(to->window.kind, WINDOW_ALL);
	assert_non_null(strstr(to->message, "no longer kept"));
}

static void keys_that_wait_are_not_lost(void **state)
{
	(void)state;
	state_key(from, ':');
	state_key(from, 'g');
	look_at(50, 200);
	assert_int_equal(to->mode, MODE_PROMPT);
	assert_string_equal(to->prompt.text, "g");
	from->quit = true;
	view_transfer(to, from);
	assert_true(to->quit);
}

static void the_reader_stays_open(void **state)
{
	(void)state;
	state_key(from, '?');
	uint32_t lines = from->reader.n;
	look_at(50, 200);
	assert_int_equal(to->mode, MODE_READER);
	assert_int_equal(to->reader.n, lines);
	assert_int_equal(from->reader.n, 0);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, start, stop)
int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_selected_event_is_found_again), TEST(one_that_was_let_go_is_not),
		TEST(the_whole_stays_the_whole),       TEST(the_edge_is_followed),
		TEST(the_middle_stays_where_it_is),    TEST(what_was_let_go_says_so),
		TEST(the_view_itself_may_be_gone),     TEST(the_question_goes_along),
		TEST(a_window_that_is_gone_gives_way), TEST(keys_that_wait_are_not_lost),
		TEST(the_reader_stays_open),
	};
	setlocale(LC_CTYPE, "C.UTF-8");
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
