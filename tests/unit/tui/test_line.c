/* Frames on slow and on far lines, with a clock that the test turns: on a slow line no frame queues after another one. */
#include "tui/screen/line.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* A line that carries so many bytes in a second, each way_ms after it was sent; the terminal answers at once. */
struct wire {
	struct line line;
	int64_t now_ms, free_ms; /* free: when the last byte sent so far will have left */
	int bytes_s, way_ms;
	int64_t due_ms[LINE_MOST];
	int n;
	size_t sent;
};

static void turn_clock(struct wire *w, int64_t to_ms)
{
	for (; w->n && w->due_ms[0] <= to_ms; w->n--) {
		w->now_ms = w->due_ms[0];
		line_answered(&w->line, w->now_ms);
		memmove(w->due_ms, w->due_ms + 1, sizeof w->due_ms - sizeof *w->due_ms);
	}
	w->now_ms = to_ms;
}

static void send(struct wire *w, size_t bytes)
{
	bool asks = line_asks(&w->line);
	line_sent(&w->line, bytes, w->now_ms);
	w->free_ms = (w->free_ms > w->now_ms ? w->free_ms : w->now_ms) + (int64_t)bytes * 1000 / w->bytes_s;
	w->sent += bytes;
	if (asks)
		w->due_ms[w->n++] = w->free_ms + 2 * w->way_ms;
}

static struct wire connect(int bytes_s, int way_ms)
{
	struct wire w = {.bytes_s = bytes_s, .way_ms = way_ms};
	line_begin(&w.line, 0);
	w.due_ms[w.n++] = 2 * way_ms;
	return w;
}

/* Twenty keys, 30 ms apart, each of which asks for a frame; returns when the last one has arrived. */
static int64_t play_burst(struct wire *w, size_t frame)
{
	int64_t begun = w->now_ms;
	bool stale = false;
	for (int keys = 0; keys < 20 || stale;) {
		if (keys < 20 && w->now_ms >= begun + keys * 30) {
			keys++;
			stale = true;
		}
		if (stale && line_wait_ms(&w->line, w->now_ms) == 0) {
			send(w, frame);
			stale = false;
		}
		turn_clock(w, w->now_ms + 10);
	}
	return w->free_ms + w->way_ms - begun;
}

static void a_burst_over_9600_baud_takes_two_frames(void **state)
{
	(void)state;
	enum { FRAME = 4500 };
	struct wire w = connect(960, 5);
	turn_clock(&w, 100);
	send(&w, FRAME);
	turn_clock(&w, 10000);
	w.sent = 0;
	int64_t took_ms = play_burst(&w, FRAME);
	assert_int_equal(w.sent, 2 * FRAME);
	assert_in_range(took_ms, 0, 2 * FRAME * 1000 / 960 + 100);
}

static void the_first_frames_queue_no_more_than_later_ones(void **state)
{
	(void)state;
	struct wire w = connect(960, 5);
	turn_clock(&w, 100);
	play_burst(&w, 4500);
	assert_int_equal(w.sent, 2 * 4500);
}

static void a_far_and_wide_line_gets_every_frame(void **state)
{
	(void)state;
	struct wire w = connect(10000000, 100);
	turn_clock(&w, 1000);
	send(&w, 8000);
	turn_clock(&w, 2000);
	w.sent = 0;
	play_burst(&w, 4500);
	assert_true(w.sent >= 15 * 4500);
}

static void a_line_that_becomes_slow_is_noticed(void **state)
{
	(void)state;
	struct wire w = connect(1000000, 5);
	turn_clock(&w, 100);
	send(&w, 8000);
	turn_clock(&w, 1000);
	assert_false(w.line.slow);
	w.bytes_s = 960;
	send(&w, 300);
	turn_clock(&w, 2000);
	assert_true(w.line.slow);
}

static void a_terminal_that_never_answers_is_not_waited_for(void **state)
{
	(void)state;
	struct line l;
	line_begin(&l, 0);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(line_wait_ms(&l, i), 0);
		assert_false(line_asks(&l));
		line_sent(&l, 5000, i);
	}
}

static void an_answer_that_is_lost_is_waited_for_once(void **state)
{
	(void)state;
	struct line l;
	line_begin(&l, 0);
	line_answered(&l, 10);
	line_sent(&l, 5000, 100);
	assert_true(line_wait_ms(&l, 200) > 0);
	assert_int_equal(line_wait_ms(&l, 100 + line_wait_ms(&l, 100)), 0);
	line_forget(&l);
	assert_int_equal(line_wait_ms(&l, 200), 0);
}

static void answers_that_nobody_asked_for_change_nothing(void **state)
{
	(void)state;
	struct line l;
	line_begin(&l, 0);
	line_answered(&l, 10);
	line_answered(&l, 20);
	assert_int_equal(l.n, 0);
	assert_int_equal(line_wait_ms(&l, 20), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_burst_over_9600_baud_takes_two_frames),
		cmocka_unit_test(the_first_frames_queue_no_more_than_later_ones),
		cmocka_unit_test(a_far_and_wide_line_gets_every_frame),
		cmocka_unit_test(a_line_that_becomes_slow_is_noticed),
		cmocka_unit_test(a_terminal_that_never_answers_is_not_waited_for),
		cmocka_unit_test(an_answer_that_is_lost_is_waited_for_once),
		cmocka_unit_test(answers_that_nobody_asked_for_change_nothing),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
