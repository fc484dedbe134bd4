/* Why a rank is late: more kernels than others run, longer ones, or a slower clock. */
#include "model/analysis/findings/findings.h"
#include "tests/unit/ask.h"
#include "tests/unit/collective_calls.h"
#include <string.h>

enum { STEPS = 8 };

/* A kernel with a launch shape of `blocks`. */
static void shaped(struct build *b, const char *name, uint32_t blocks, double start_us, double dur_us, uint64_t corr)
{
	struct kernel_info k;
	kernel_info_init(&k);
	k.grid[0] = blocks;
	k.grid[1] = k.grid[2] = k.block[1] = k.block[2] = 1;
	k.block[0] = 128;
	struct event_in e = build_event(b, KIND_KERNEL, build_stream(b, 0, 7), name, start_us, dur_us);
	e.corr = corr;
	e.detail = ingest_kernel(b->in, &k);
	build_add(b, &e);
}

/* Four ranks run three kernels; of rank 3 each takes `longer` times as long, and has `blocks` where those of the others have 100. */
static struct derived *longer_kernels(const double longer[3], uint32_t blocks)
{
	static const char *const names[] = {"gemm", "norm", "add"};
	static const double dur_us[] = {4000, 800, 600};
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 4; rank++) {
		build_host(&b, (const char *[]){"h0", "h1", "h2", "h3"}[rank], rank);
		for (int i = 0; i < STEPS; i++) {
			double at = i * 10000.0, now = at + 30;
			profiler_step(&b, 1, i, at, 10000);
			for (int k = 0; k < 3; k++) {
				double dur = dur_us[k] * (rank == 3 ? longer[k] : 1);
				launch(&b, 1, at + 10 + 5 * k, 2, 4 * i + k + 1);
				shaped(&b, names[k], rank == 3 ? blocks : 100, now, dur, 4 * i + k + 1);
				now += dur;
			}
			launch(&b, 1, at + 30, 5, 4 * i + 4);
			reduce(&b, now, at + 9000, 4 * i + 4, i);
		}
	}
	return derive(&b);
}

/* Four ranks run a product of 1 ms `usual` times, rank 3 `own` times of `dur_us` each. */
static struct derived *more_kernels(int usual, int own, const char *name, double dur_us)
{
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 4; rank++) {
		build_host(&b, (const char *[]){"h0", "h1", "h2", "h3"}[rank], rank);
		for (int i = 0; i < STEPS; i++) {
			double at = i * 10000.0, dur = rank == 3 ? dur_us : 1000;
			int n = rank == 3 ? own : usual;
			profiler_step(&b, 1, i, at, 10000);
			for (int k = 0; k < n; k++) {
				launch(&b, 1, at + 10 + 5 * k, 2, 16 * i + k + 1);
				shaped(&b, rank == 3 ? name : "gemm", 100, at + 30 + k * dur, dur, 16 * i + k + 1);
			}
			launch(&b, 1, at + 80, 5, 16 * i + 16);
			reduce(&b, at + 30 + n * dur, at + 9000, 16 * i + 16, i);
		}
	}
	return derive(&b);
}

static void a_late_rank_runs_more_kernels_or_longer_ones(void **state)
{
	(void)state;
	static const struct {
		int own;
		const char *name;
		double dur_us;
		const char *says, *advice;
	} cases[] = {
		{6, "gemm", 1000, "because it runs more kernels (2.000 ms", "as much to do as the others"},
		{6, "gemm", 1010, "because it runs more kernels (2.060 ms", "as much to do as the others"},
		{4, "gemm", 1500, "because its kernels take longer (2.000 ms", "longer sequences"},
		{4, "larger_gemm", 1500, "because its kernels take longer (2.000 ms", "longer sequences"},
		{5, "gemm", 1201, "because its kernels take longer (2.005 ms", "longer sequences"},
		{5, "gemm", 1199, "because it runs more kernels (1.995 ms", "as much to do"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct derived *d = more_kernels(4, cases[i].own, cases[i].name, cases[i].dur_us);
		struct table *t = ask(d, "findings");
		assert_non_null(strstr(rule_says(t, "waits-for-rank", "sentence"), cases[i].says));
		assert_non_null(strstr(rule_says(t, "waits-for-rank", "advice"), cases[i].advice));
		ask_done(d);
	}
}

static void the_same_kernels_that_all_take_longer_are_a_slow_clock(void **state)
{
	(void)state;
	struct derived *d = longer_kernels((double[]){1.25, 1.25, 1.2}, 100);
	struct table *t = ask(d, "findings");
	assert_non_null(strstr(rule_says(t, "waits-for-rank", "sentence"),
			       "mostly because the same kernels each take longer on it, by 24.4 % in all (1.320 ms"));
	assert_non_null(
		strstr(rule_says(t, "waits-for-rank", "advice"), "look at its clock, power limit and temperature"));
	assert_non_null(strstr(rule_says(t, "replicas", "sentence"), "; the same kernels each take longer on it."));
	assert_string_equal(rule_says(t, "replicas", "advice"), rule_says(t, "waits-for-rank", "advice"));
	ask_done(d);
}

static void larger_kernels_and_one_that_is_slow_are_no_slow_clock(void **state)
{
	(void)state;
	static const struct {
		double longer[3];
		uint32_t blocks;
	} cases[] = {{{1.25, 1.25, 1.2}, 125}, {{1.35, 1, 1}, 100}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct derived *d = longer_kernels(cases[i].longer, cases[i].blocks);
		struct table *t = ask(d, "findings");
		assert_non_null(strstr(rule_says(t, "waits-for-rank", "sentence"), "because its kernels take longer"));
		assert_non_null(strstr(rule_says(t, "replicas", "advice"), "same share of the batch"));
		ask_done(d);
	}
}
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_late_rank_runs_more_kernels_or_longer_ones),
		cmocka_unit_test(the_same_kernels_that_all_take_longer_are_a_slow_clock),
		cmocka_unit_test(larger_kernels_and_one_that_is_slow_are_no_slow_clock),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
