/* Kernels by kind and by group: both add up to the same, and groups of some kinds are those of all, without the others. */
#include "model/analysis/kernels/kernel_stats.h"
#include "tests/unit/ask.h"
#include <string.h>

enum { KERNELS = 3000, NAMES = 5, OPS = 3, FEW_GRIDS = 7, MANY_GRIDS = 1500, CLASSES = 4 };

/* Kernels of a few names, ops and grids, from numbers that are the same every time. */
static struct derived *many_kernels(uint32_t grids)
{
	static const char *const names[NAMES] = {"volta_sgemm", "softmax_warp", "elementwise", "ampere_h884gemm",
						 "zeta"},
				 *const ops[OPS] = {"", "dense/MatMul", "loss/Softmax"};
	struct build b = build_new("xspace");
	uint32_t x = 7;
	for (int i = 0; i < KERNELS; i++) {
		struct kernel_info k;
		x = x * 1664525u + 1013904223u;
		kernel_info_init(&k);
		k.grid[0] = 1 + (x >> 12) % grids;
		k.block[0] = 32;
		k.op = build_text(&b, ops[(x >> 20) % OPS]);
		struct event_in e = build_event(&b, KIND_KERNEL, build_stream(&b, 0, 7 + (x >> 24) % 2),
						names[(x >> 8) % NAMES], i * 10, 1 + (x >> 16) % 9);
		e.detail = ingest_kernel(b.in, &k);
		build_add(&b, &e);
	}
	return derive(&b);
}

static struct kernel_stats stats_of(const struct derived *d, struct arena *mem, struct query *q)
{
	struct kernel_stats s;
	assert_true(kernel_stats_make(d, q, mem, NULL, &s, NULL));
	return s;
}

static void assert_in_order(const struct kernel_stats *s)
{
	for (uint32_t i = 0; i + 1 < s->n; i++) {
		uint32_t a = kernel_stats_at(s, i), b = kernel_stats_at(s, i + 1);
		assert_true(s->group_ns[a] > s->group_ns[b] || (s->group_ns[a] == s->group_ns[b] && a < b));
	}
	for (uint32_t i = 0; i + 1 < s->n; i++)
		assert_true(s->kinds[s->kind_of[i]].name_rank <= s->kinds[s->kind_of[i + 1]].name_rank);
}

static void groups_add_up_to_kinds(void **state)
{
	(void)state;
	struct derived *d = many_kernels(FEW_GRIDS);
	struct arena mem = {0};
	struct query q = query_all();
	q.a_ns = US(4003); /* cuts a kernel */
	q.b_ns = US(20005);
	struct kernel_stats s = stats_of(d, &mem, &q);
	kernel_stats_make_groups(&s, NULL, &mem);
	int64_t ns[NAMES * OPS * 3] = {0};
	uint64_t count[NAMES * OPS * 3] = {0}, all = 0;
	assert_in_range(s.n_kinds, 2, NAMES * OPS);
	assert_in_range(s.n, s.n_kinds + 1, NAMES * OPS * FEW_GRIDS);
	for (uint32_t i = 0; i < s.n; i++) {
		struct kernel_group g = kernel_stats_group(&s, i);
		ns[s.kind_of[i]] += g.total_ns;
		count[s.kind_of[i]] += g.count;
		assert_true(s.group_ns[kernel_kind_top(&s, g.kind)] >= g.total_ns);
	}
	for (uint32_t i = 0; i < s.n_kinds; i++) {
		assert_int_equal(ns[i], s.kinds[i].total_ns);
		assert_int_equal(count[i], s.kinds[i].count);
		all += count[i];
	}
	assert_int_equal(all, s.count);
	assert_int_equal(s.from[s.n], s.n_kernels);
	assert_in_order(&s);
	arena_free(&mem);
	ask_done(d);
}

static void groups_of_some_kinds_are_those_of_all(void **state)
{
	(void)state;
	struct derived *d = many_kernels(FEW_GRIDS);
	struct arena mem = {0};
	struct query q = query_all();
	struct kernel_stats all = stats_of(d, &mem, &q), some = stats_of(d, &mem, &q);
	uint8_t *wanted = arena_alloc(&mem, all.n_kinds);
	for (uint32_t i = 1; i < all.n_kinds; i += 3)
		wanted[i] = 1;
	kernel_stats_make_groups(&all, NULL, &mem);
	kernel_stats_make_groups(&some, wanted, &mem);
	uint32_t at = 0;
	for (uint32_t i = 0; i < all.n; i++) {
		if (!wanted[all.kind_of[i]])
			continue;
		assert_true(at < some.n);
		uint32_t n = all.from[i + 1] - all.from[i];
		assert_memory_equal(&some.kinds[some.kind_of[at]], &all.kinds[all.kind_of[i]], sizeof *all.kinds);
		assert_int_equal(some.from[at + 1] - some.from[at], n);
		assert_memory_equal(&some.rows[some.from[at]], &all.rows[all.from[i]], n * sizeof *all.rows);
		at++;
	}
	assert_int_equal(at, some.n);
	assert_true(at > 0 && at < all.n);
	arena_free(&mem);
	ask_done(d);
}

static void assert_same_group(const struct kernel_stats *x, uint32_t i, const struct kernel_stats *y, uint32_t k)
{
	uint32_t n = x->from[i + 1] - x->from[i];
	assert_int_equal(x->kind_of[i], y->kind_of[k]);
	assert_int_equal(x->group_ns[i], y->group_ns[k]);
	assert_int_equal(n, y->from[k + 1] - y->from[k]);
	assert_memory_equal(&x->rows[x->from[i]], &y->rows[y->from[k]], n * sizeof *x->rows);
}

/* The next one of the class from place *at on; *at goes after it. */
static bool next_of(const struct kernel_stats *s, const uint8_t *class, uint8_t wanted, uint32_t *at, uint32_t *group)
{
	while (*at < s->n) {
		*group = kernel_stats_at(s, (*at)++);
		if (class[s->kind_of[*group]] == wanted)
			return true;
	}
	return false;
}

static void assert_longest_alike(const struct derived *d, const struct query *q, uint32_t classes)
{
	struct arena mem = {0};
	struct query window = *q;
	struct kernel_stats all = stats_of(d, &mem, &window), some = stats_of(d, &mem, &window);
	uint8_t *class = arena_alloc(&mem, all.n_kinds + 1);
	for (uint32_t i = 0; i < all.n_kinds; i++)
		class[i] = (uint8_t)(i % classes);
	kernel_stats_make_groups(&all, NULL, &mem);
	kernel_stats_make_longest(&some, class, classes, &mem);
	for (uint32_t c = 0; c < classes; c++) {
		uint32_t at = 0, few_at = 0, x, y;
		if (!next_of(&all, class, (uint8_t)c, &at, &x))
			continue;
		assert_true(next_of(&some, class, (uint8_t)c, &few_at, &y));
		assert_same_group(&all, x, &some, y);
	}
	assert_int_equal(some.n_kernels, all.n_kernels);
	arena_free(&mem);
}

/* With groups of dozens of kernels and with thousands of one or two, many of which took equally long. */
static void the_longest_groups_are_those_of_all(void **state)
{
	(void)state;
	static const uint32_t grids[] = {1, FEW_GRIDS, MANY_GRIDS};
	for (uint32_t i = 0; i < sizeof grids / sizeof *grids; i++) {
		struct derived *d = many_kernels(grids[i]);
		struct query q = query_all();
		assert_longest_alike(d, &q, 1);
		assert_longest_alike(d, &q, CLASSES);
		q.a_ns = US(4003);
		q.b_ns = US(5005);
		assert_longest_alike(d, &q, CLASSES);
		q.b_ns = US(4003);
		assert_longest_alike(d, &q, CLASSES); /* no kernel at all */
		ask_done(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_add_up_to_kinds),
		cmocka_unit_test(groups_of_some_kinds_are_those_of_all),
		cmocka_unit_test(the_longest_groups_are_those_of_all),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
