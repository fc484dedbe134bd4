/* Two threads that share the devices answer as one does: every table, whole and in a window, and the same when it is cancelled. */
#include "model/analysis/analysis.h"
#include "model/analysis/query/halves.h"
#include "tests/unit/ask.h"
#include <string.h>

enum { RANKS = 3, DEVICES = 2, STEPS = 3, WORKS = 6 };

/* Ops of one type and of equal length, a launch that is not recorded, work that waits and a copy: on all devices alike, so that
 * what was met first decides. */
static void add_work(struct build *b, int device, double at_us, int i, uint64_t corr)
{
	static const char *const ops[] = {"aten::mm", "aten::add", "aten::relu"};
	char name[32];
	snprintf(name, sizeof name, i % 2 ? "sgemm_%d" : "elementwise_%d", i % 3);
	bool late = corr > (RANKS - 1) * STEPS * DEVICES *
				   WORKS; /* the last rank has ops of its own, some of them in others */
	op(b, 1, late && i > 2 ? "aten::mul" : ops[(i + device) % 3], at_us, late ? 7 : 6);
	if (i == 1)
		op(b, 1, late ? "aten::div_" : "aten::clone", at_us + 4, 1);
	if (i != 4)
		launch(b, 1, at_us + 1, 3, corr);
	if (i == 3)
		copy(b, device, 7 + i % 2, COPY_H2D, 4096, at_us + 8, 5, corr);
	else
		kernel(b, device, 7 + i % 2, name, at_us + 8 + i % 2, 4, i != 4 ? corr : 0);
}

static struct derived *ranks_as(const struct derived_opts *o)
{
	struct build b = build_new("kineto");
	uint64_t corr = 0;
	for (int rank = 0; rank < RANKS; rank++) {
		char host[16];
		snprintf(host, sizeof host, "node%d", rank);
		build_host(&b, host, rank);
		build_pid(&b, 10 + rank);
		for (int s = 0; s < STEPS; s++) {
			profiler_step(&b, 1, s, s * 1000, 900);
			for (int i = 0; i < DEVICES * WORKS; i++)
				add_work(&b, i % DEVICES, s * 1000 + 20 + i * 30, i / DEVICES, ++corr);
			for (int device = 0; device < DEVICES; device++)
				kernel(&b, device, 9, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", s * 1000 + 700 + rank,
				       50 - rank, 0);
		}
	}
	return derive_as(&b, o);
}

static void same_rows(const struct table_desc *desc, const struct table *x, const struct table *y)
{
	char one[256], two[256];
	if (x->n_rows != y->n_rows || x->n_cols != y->n_cols)
		fail_msg("%s: %u rows and %u", desc->name, x->n_rows, y->n_rows);
	for (uint32_t r = 0; r < x->n_rows; r++)
		for (uint32_t c = 0; c < x->n_cols; c++) {
			const char *a = cell_format(x, r, c, one, sizeof one),
				   *b = cell_format(y, r, c, two, sizeof two);
			if (strcmp(a, b) != 0)
				fail_msg("%s, row %u, column %u: %s and %s", desc->name, r, c, a, b);
		}
}

static void compare(const struct table_desc *desc, const struct derived *shared, const struct derived *alone,
		    const struct query *q)
{
	struct arena mem = {0};
	struct err e = {.at = -1};
	struct table *x = desc->run(shared, q, &mem, NULL, &e), *y = desc->run(alone, q, &mem, NULL, &e);
	assert_int_equal(x != NULL, y != NULL);
	if (x)
		same_rows(desc, x, y);
	arena_free(&mem);
}

static void compare_all(const struct derived *shared, const struct derived *alone, const struct query *q)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++) {
		struct query by = *q;
		compare(list[i], shared, alone, q);
		for (unsigned k = 0; list[i]->by && (by.by = list[i]->by(k)); k++)
			compare(list[i], shared, alone, &by);
	}
}

static void two_threads_answer_as_one(void **state)
{
	(void)state;
	struct query whole = query_all(), part = query_all();
	struct derived *shared = ranks_as(&(struct derived_opts){.halves_from = 1}), *alone = ranks_as(NULL);
	struct halves devices = halves_of_devices(shared), tracks = halves_of_tracks(shared),
		      threads = halves_of_threads(shared);
	assert_int_equal(devices.middle, RANKS * DEVICES / 2);
	assert_true(halves_two(&devices) && halves_two(&tracks) && halves_two(&threads));
	devices = halves_of_devices(alone);
	assert_false(halves_two(&devices));
	part.a_ns = US(1000 + 30);
	part.b_ns = US(2000 + 100);
	part.windowed = true;
	compare_all(shared, alone, &whole);
	compare_all(shared, alone, &part);
	derived_free(shared);
	derived_free(alone);
}

static bool stop_from_second(void *reader, uint32_t from, uint32_t to)
{
	*(uint32_t *)reader += to - from;
	return from == 0;
}

static void each_half_is_read_once_and_one_that_stops_is_told(void **state)
{
	(void)state;
	uint32_t first = 0, second = 0;
	assert_false(halves_read(&(struct halves){3, 5}, stop_from_second, &first, &second));
	assert_int_equal(first, 3);
	assert_int_equal(second, 2);
	assert_true(halves_read(&(struct halves){5, 5}, stop_from_second, &first, NULL));
	assert_int_equal(first, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_threads_answer_as_one),
		cmocka_unit_test(each_half_is_read_once_and_one_that_stops_is_told),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
