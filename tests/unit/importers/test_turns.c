/* Pieces of work that several threads make ready are taken one at a time, in their order. */
#include "tests/unit/unit.h"
#include "importers/turns.h"

enum { PIECES = 3000, THREADS = 4 };

struct work {
	struct turns turns;
	uint64_t taken[PIECES]; /* not atomic: only who has the turn writes */
	int n, inside;
};

static void *make_and_take(void *ctx)
{
	struct work *w = ctx;
	for (uint64_t number; (number = turns_next(&w->turns)) < PIECES;) {
		for (volatile uint64_t i = 0; i < number * 7919 % 3000; i++)
			; /* some are ready long before their turn */
		turns_wait(&w->turns, number);
		w->inside++;
		assert_int_equal(w->inside, 1);
		w->taken[w->n++] = number;
		w->inside--;
		turns_pass(&w->turns, number);
	}
	return NULL;
}

static void whoever_makes_them(void **state)
{
	(void)state;
	static struct work w;
	turns_init(&w.turns);
	for (int round = 0; round < 2; round++) {
		pthread_t thread[THREADS];
		w.n = 0;
		turns_begin(&w.turns);
		for (int i = 0; i < THREADS; i++)
			assert_int_equal(pthread_create(&thread[i], NULL, make_and_take, &w), 0);
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
		assert_int_equal(w.n, PIECES);
		for (int i = 0; i < PIECES; i++)
			assert_int_equal(w.taken[i], i);
	}
	turns_free(&w.turns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whoever_makes_them),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
