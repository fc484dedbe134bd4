/* What other threads pack of the log while it is written comes back as it was: whoever packs it, and where nobody does after all. */
#include "model/store/facts/attrs_private.h"
#include "tests/unit/unit.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { RECORDS = 100000, TEXT = 30 };

struct helper {
	struct attrs *a;
	_Atomic bool stop;
	pthread_t thread;
};

static void *help(void *ctx)
{
	struct helper *h = ctx;
	while (!h->stop)
		attrs_help(h->a);
	return NULL;
}

static void begin_help(struct helper *h, struct attrs *a)
{
	*h = (struct helper){.a = a};
	assert_int_equal(pthread_create(&h->thread, NULL, help, h), 0);
	attrs_helped(a, true);
}

static void end_help(struct helper *h)
{
	attrs_helped(h->a, false);
	h->stop = true;
	pthread_join(h->thread, NULL);
}

static const char *text_of(unsigned i)
{
	static char text[TEXT + 1];
	for (int k = 0; k < TEXT; k++)
		text[k] = (char)('a' + (i >> k % 17 & 7) + (unsigned)k % 3);
	return text;
}

static attr_at put(struct attrs *a, unsigned i)
{
	attrs_begin(a);
	attrs_put_uint(a, 9, i);
	attrs_put_str(a, 10, text_of(i), TEXT);
	return attrs_end(a);
}

static void all_come_back(struct attrs *a, const attr_at *at)
{
	assert_true(attrs_seal(a, NULL));
	for (unsigned k = 0; k < RECORDS; k += 7) {
		unsigned i = k * 1009 % RECORDS;
		struct arena mem = {0};
		struct attr *v;
		size_t n;
		assert_true(attrs_read(a, at[i], &mem, &v, &n));
		assert_int_equal(n, 2);
		assert_int_equal(v[0].u, i);
		assert_memory_equal(v[1].p, text_of(i), TEXT);
		arena_free(&mem);
	}
}

/* The helper comes before the first block is packed and leaves when some of them wait. */
static void helped_for_most_of_it(size_t cap, unsigned threads)
{
	struct attrs *a = attrs_new(cap);
	static attr_at at[RECORDS];
	struct helper helper;
	attrs_threads(a, threads);
	for (unsigned i = 0; i < RECORDS; i++) {
		if (i == 100)
			begin_help(&helper, a);
		if (i == RECORDS / 4 * 3)
			end_help(&helper);
		at[i] = put(a, i);
	}
	all_come_back(a, at);
	attrs_free(a);
}

static void whoever_packs_them(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 2; threads++) {
		helped_for_most_of_it(1, threads);
		helped_for_most_of_it(1 << 20, threads);
	}
}

/* The writer packs what finds no place. */
static void without_the_help_it_was_promised(void **state)
{
	(void)state;
	struct attrs *a = attrs_new(1);
	static attr_at at[RECORDS];
	attrs_helped(a, true);
	for (unsigned i = 0; i < RECORDS; i++)
		at[i] = put(a, i);
	all_come_back(a, at);
	attrs_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whoever_packs_them),
		cmocka_unit_test(without_the_help_it_was_promised),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
