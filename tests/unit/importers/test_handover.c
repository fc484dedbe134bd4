/* Batches are taken once each, in the order sent, whichever thread does it; what was taken may be used once it was waited for. */
#include "tests/unit/unit.h"
#include "importers/handover.h"
#include <stdatomic.h>
#include <stdlib.h>

struct number {
	int value;
	int *owned; /* dropped with the batch */
};
struct taken {
	int n;
	int value[4000];
};
static atomic_int dropped;

static void take(void *ctx, void *batch)
{
	struct taken *t = ctx;
	t->value[t->n++] = ((struct number *)batch)->value;
}

static void drop(void *batch)
{
	struct number *b = batch;
	free(b->owned);
	dropped++;
}
static const struct handover_kind numbers = {sizeof(struct number), 4, take, drop};

static void send(struct handover *h, int value)
{
	struct number *b = handover_current(h);
	b->owned = b->owned ? b->owned : malloc(sizeof *b->owned);
	b->value = value;
	handover_send(h);
}

static void in_order(const struct taken *t, int n)
{
	assert_int_equal(t->n, n);
	for (int i = 0; i < n; i++)
		assert_int_equal(t->value[i], i);
}

static void batches_are_taken_in_order(bool threaded)
{
	static struct taken t;
	t.n = 0;
	dropped = 0;
	struct handover *h = handover_new(threaded, &numbers, &t);
	assert_non_null(h);
	for (int i = 0; i < 4000; i++) {
		send(h, i);
		if (i % 7 == 0) { /* with a few of them, or one, under way */
			handover_wait(h, handover_sent(h));
			in_order(&t, i + 1);
		}
	}
	((struct number *)handover_current(h))->value = -1; /* being filled, never sent */
	handover_free(h);
	in_order(&t, 4000);
	assert_int_equal(dropped, threaded ? 4 : 1);
}

static void on_one_thread(void **state)
{
	(void)state;
	batches_are_taken_in_order(false);
}

static void on_two_threads(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++)
		batches_are_taken_in_order(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_one_thread),
		cmocka_unit_test(on_two_threads),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
