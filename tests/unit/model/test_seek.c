/* model/analysis/maths/seek, and what asks it where a device has very many streams (query/next_work): against looking at all. */
#include "model/analysis/query/next_work.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/seek.h"
#include "tests/unit/derive_trace.h"
#include <stdlib.h>

enum { MOST = 300, STREAMS = 90, EVENTS = 1200, LENGTH_US = 400 };

/* ---- moments -------------------------------------------------------------------------------------------------------- */

static unsigned looks;

static int64_t moment(const void *list, uint32_t i)
{
	looks++;
	return ((const int64_t *)list)[i];
}

static void assert_first_later(const int64_t *at, uint32_t from, uint32_t n, int64_t at_ns)
{
	uint32_t first = from;
	while (first < n && at[first] <= at_ns)
		first++;
	looks = 0;
	assert_int_equal(seek_later(at, from, n, at_ns, moment), first);
	unsigned doublings = 0;
	while ((first - from) >> doublings)
		doublings++;
	assert_in_range(looks, 0, 1 + 2 * doublings);
}

static void the_first_later_one_of_none_one_two_and_many(void **state)
{
	(void)state;
	static int64_t same[MOST], up[MOST], uneven[MOST];
	srand(5);
	for (uint32_t i = 0; i < MOST; i++) {
		same[i] = 7;
		up[i] = i;
		uneven[i] = (i ? uneven[i - 1] : 0) + (rand() % 4 ? 0 : rand() % 9);
	}
	static const uint32_t counts[] = {0, 1, 2, 3, MOST};
	for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
		for (uint32_t n = counts[k], from = 0; from <= n; from += 1 + from / 7)
			for (int64_t at_ns = -1; at_ns <= uneven[MOST - 1] + 1; at_ns++) {
				assert_first_later(same, from, n, at_ns);
				assert_first_later(up, from, n, at_ns);
				assert_first_later(uneven, from, n, at_ns);
			}
}

/* ---- streams -------------------------------------------------------------------------------------------------------- */

static bool nearer(const struct columns *c, row_id r, row_id best, bool forward)
{
	if (best == NONE_ID)
		return true;
	if (c->start_ns[r] != c->start_ns[best])
		return forward ? c->start_ns[r] < c->start_ns[best] : c->start_ns[r] > c->start_ns[best];
	if (c->track[r] != c->track[best])
		return c->track[r] < c->track[best];
	return forward ? r < best : r > best;
}

static row_id nearest_of_all(const struct derived *d, uint32_t device, int64_t ts_ns, bool forward)
{
	const struct columns *c = derived_columns(d);
	row_id best = NONE_ID;
	for (row_id r = 0; r < c->n; r++)
		if (trace_track(derived_trace(d), c->track[r])->device == device &&
		    forward == (c->start_ns[r] >= ts_ns) && nearer(c, r, best, forward))
			best = r;
	return best;
}

static void the_nearest_work_of_few_streams_and_of_many(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	srand(6);
	for (int i = 0; i < EVENTS; i++) /* many of them at one time */
		kernel(&b, i % 2, i % 2 ? rand() % 3 : rand() % STREAMS, "k", 100 + rand() % LENGTH_US, 1, 0);
	struct derived *d = derive(&b);
	const struct next_work *x = next_work_of(d);
	for (uint32_t device = 0; device < trace_devices(derived_trace(d)); device++)
		for (int us = 95; us < LENGTH_US + 105; us++)
			for (int more_ns = 0; more_ns < 2; more_ns++) {
				int64_t ts_ns = US(us) + more_ns;
				assert_int_equal(next_work_after(x, device, ts_ns),
						 nearest_of_all(d, device, ts_ns, true));
				assert_int_equal(next_work_before(x, device, ts_ns),
						 nearest_of_all(d, device, ts_ns, false));
			}
	assert_int_equal(next_work_after(x, 0, INT64_MAX), NONE_ID);
	assert_int_equal(next_work_before(x, 0, INT64_MIN), NONE_ID);
	derived_free(d);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_later_one_of_none_one_two_and_many),
		cmocka_unit_test(the_nearest_work_of_few_streams_and_of_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
