/* model/hits: every question against looking at all events, on traces made at random. */
#include "model/hits.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include "tests/unit/build_trace.h"

enum { TRACES = 20, EVENTS = 200, QUESTIONS = 200, SPAN_US = 2000 };

static struct trace *random_trace(void)
{
	struct build b = build_new("chrome");
	for (int i = 0; i < EVENTS; i++)
		host_event(&b, KIND_OTHER, 1 + rand() % 3, "event", rand() % SPAN_US, rand() % 60);
	return build_seal(&b);
}

static bool sometimes(void *ctx, row_id r)
{
	return (r * 2654435761u + *(unsigned *)ctx) % 3 == 0;
}

struct question {
	const struct trace *t;
	const struct columns *c;
	const struct hits *h;
	uint32_t track, disp;
	int64_t a, b;
};

/* The hits of the display row, in order of time. */
static uint32_t hits_of(const struct question *q, row_id *out)
{
	uint32_t n = 0;
	for (row_id r = 0; r < q->c->n; r++)
		if (hits_has(q->h, r) && q->c->track[r] == q->track && q->c->disp[r] == q->disp)
			out[n++] = r;
	return n;
}

static void compare_row(const struct question *q)
{
	row_id rows[EVENTS], within = NONE_ID, next = NONE_ID, prev = NONE_ID;
	uint32_t n = hits_of(q, rows);
	for (uint32_t i = n; i-- > 0;) {
		int64_t start = q->c->start_ns[rows[i]], end = start + q->c->dur_ns[rows[i]];
		if (start < q->b && (end > q->a || start >= q->a))
			within = rows[i];
		if (start > q->a)
			next = rows[i];
		if (prev == NONE_ID && start <= q->a && end <= q->a)
			prev = rows[i];
	}
	assert_int_equal(hits_within(q->h, q->track, q->disp, q->a, q->b), within);
	assert_int_equal(hits_next(q->h, q->track, q->disp, q->a), next);
	assert_int_equal(hits_prev(q->h, q->track, q->disp, q->a), prev);
}

static void compare_places(const struct question *q)
{
	uint64_t place = 0, last = 0, n = 0;
	for (row_id r = 0; r < q->c->n; r++)
		if (hits_has(q->h, r)) {
			place = hits_place(q->h, r);
			assert_true(place >= 1 && place <= hits_count(q->h));
			last = place > last ? place : last;
			n++;
		}
	assert_int_equal(last, hits_count(q->h));
	assert_int_equal(n, hits_count(q->h));
	assert_int_equal(hits_begin_in(q->h, 0, trace_span_ns(q->t)), n);
}

static void answers_are_those_of_looking_at_all(void **state)
{
	(void)state;
	srand(17);
	for (unsigned i = 0; i < TRACES; i++) {
		struct trace *t = random_trace();
		struct question q = {.t = t, .c = trace_columns(t), .h = hits_new(t, sometimes, &i, NULL)};
		for (row_id r = 0; r < q.c->n; r++)
			assert_int_equal(hits_has(q.h, r), sometimes(&i, r));
		for (int k = 0; k < QUESTIONS; k++) {
			q.track = (uint32_t)rand() % trace_tracks(t);
			q.disp = (uint32_t)rand() % (trace_track(t, q.track)->n_rows + 1);
			q.a = rand() % (SPAN_US * 1000);
			q.b = q.a + 1 + rand() % 50000;
			compare_row(&q);
		}
		compare_places(&q);
		hits_free((struct hits *)q.h);
		trace_free(t);
	}
}

static bool never(void *ctx, row_id r)
{
	(void)ctx;
	(void)r;
	return false;
}

static void nothing_is_hit(void **state)
{
	(void)state;
	struct trace *t = random_trace();
	struct hits *h = hits_new(t, never, NULL, NULL);
	assert_int_equal(hits_count(h), 0);
	assert_int_equal(hits_next(h, 0, 0, -1), NONE_ID);
	assert_int_equal(hits_within(h, 0, 0, 0, INT64_MAX), NONE_ID);
	assert_int_equal(hits_next(h, 99, 0, 0), NONE_ID);
	assert_false(hits_touch(h, 0, 0, INT64_MAX));
	assert_int_equal(hits_begin_in(h, 0, 1000), 0);
	hits_free(h);
	struct progress cancelled = {.cancel = true};
	assert_null(hits_new(t, never, NULL, &cancelled));
	trace_free(t);
}

struct few {
	struct progress progress;
	uint32_t asked;
};

static bool cancels_at_the_third(void *ctx, row_id r)
{
	struct few *few = ctx;
	(void)r;
	if (++few->asked == 3)
		atomic_store(&few->progress.cancel, true);
	return true;
}

/* One that is asked may take milliseconds. */
static void no_more_is_asked_once_cancelled(void **state)
{
	(void)state;
	struct trace *t = random_trace();
	struct few few = {.asked = 0};
	assert_null(hits_new(t, cancels_at_the_third, &few, &few.progress));
	assert_int_equal(few.asked, 3);
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_those_of_looking_at_all),
		cmocka_unit_test(nothing_is_hit),
		cmocka_unit_test(no_more_is_asked_once_cancelled),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
