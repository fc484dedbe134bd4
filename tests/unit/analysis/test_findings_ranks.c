/* What collectives cost, and who is waited for: collectives of the host rank by rank, advice by what is exposed, ranks that are missing. */
#include "model/analysis/findings/findings.h"
#include "model/store/facts/collectives.h"
#include "tests/unit/ask.h"
#include "tests/unit/collective_calls.h"
#include <string.h>

enum { STEPS = 8 };

/* Four ranks on CPUs; `late` loads its batch for 6 ms, for which the others wait in the reduction; -1: all are alike. */
static struct derived *gloo_job(int late, const char *around)
{
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 4; rank++) {
		char name[8];
		snprintf(name, sizeof name, "h%d", rank);
		build_host(&b, name, rank);
		for (int i = 0; i < STEPS; i++) {
			double at = i * 10000.0, loads = rank == late ? 6000 : 100;
			profiler_step(&b, 1, i, at, 10000);
			op(&b, 1, "load_batch", at, loads);
			op(&b, 1, around, at + loads, 2900);
			host_event(&b, KIND_ANNOTATION, 1, "gloo:all_reduce", at + loads + 2900, 9900 - loads - 2900);
		}
	}
	return derive(&b);
}

static void the_rank_that_waits_least_is_waited_for(void **state)
{
	(void)state;
	struct derived *d = gloo_job(2, "DistributedDataParallel.forward");
	struct table *t = ask(d, "findings");
	assert_non_null(strstr(rule_says(t, "collectives", "sentence"),
			       "; rank 2 is in them for 1.000 ms of a step, the others for 6.900 ms: they wait for it, "
			       "which has 5.900 ms more of input wait."));
	assert_string_equal(rule_says(t, "collectives", "advice"),
			    "Most of it is waiting: find out why rank 2 is late before looking at the network.");
	assert_string_equal(rule_says(t, "collectives", "about"), "waiting for rank 2");
	ask_done(d);
}

/* All ranks are recorded: nobody is told to record them. */
static void ranks_that_are_alike_wait_for_none(void **state)
{
	(void)state;
	struct derived *d = gloo_job(-1, "DistributedDataParallel.forward");
	struct table *t = ask(d, "findings");
	assert_null(strstr(rule_says(t, "collectives", "sentence"), "they wait for it"));
	assert_null(strstr(rule_says(t, "collectives", "advice"), "record all ranks"));
	assert_non_null(strstr(rule_says(t, "collectives", "advice"), "DistributedDataParallel"));
	ask_done(d);
}

static void what_shards_is_not_told_about_buckets(void **state)
{
	(void)state;
	struct derived *d = gloo_job(-1, "FSDP::pre_forward");
	struct table *t = ask(d, "findings");
	assert_non_null(strstr(rule_says(t, "collectives", "advice"), "Gather the next layer's parameters"));
	assert_null(strstr(rule_says(t, "collectives", "advice"), "DistributedDataParallel"));
	ask_done(d);
}

/* One rank alone of a job: 3 ms of compute, then 6 ms of a collective that nothing hides, launched in `around`. */
static struct derived *one_rank(const char *around, const char *collective)
{
	struct build b = build_new("kineto");
	for (int i = 0; i < STEPS; i++) {
		double at = i * 10000.0;
		profiler_step(&b, 1, i, at, 10000);
		launch(&b, 1, at + 10, 5, 2 * i + 1);
		kernel(&b, 0, 7, "a", at + 20, 3000, 2 * i + 1);
		host_event(&b, KIND_ANNOTATION, 1, around, at + 30, 100);
		launch(&b, 1, at + 40, 5, 2 * i + 2);
		kernel(&b, 0, 20, collective, at + 3100, 6000, 2 * i + 2);
	}
	return derive(&b);
}

static void advice_goes_by_what_is_exposed(void **state)
{
	(void)state;
	static const struct {
		const char *around, *kernel, *says, *not ;
	} cases[] = {
		{"FSDP::all_gather", "ncclDevKernel_AllGather_RING_LL(x)", "Gather the next layer", "bucket"},
		{"DistributedDataParallel.forward", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)",
		 "send 16-bit gradients", "next layer"},
		{"DistributedDataParallel.forward", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)", "bucket sizes",
		 "16-bit"},
		{"moe", "ncclDevKernel_AllToAll_RING_LL(x)", "send fewer bytes", "bucket"},
		{"pipeline", "ncclDevKernel_SendRecv(x)", "If it is waiting, give the stages equal work", "backward"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct derived *d = one_rank(cases[i].around, cases[i].kernel);
		const char *advice = rule_says(ask(d, "findings"), "collectives", "advice");
		assert_non_null(strstr(advice, "One rank alone cannot tell"));
		assert_non_null(strstr(advice, cases[i].says));
		assert_non_null(strstr(rule_says(ask(d, "findings"), "collectives", "sentence"),
				       "it may be waiting as well as transfer"));
		assert_null(strstr(advice, cases[i].not ));
		ask_done(d);
	}
}

/* Two ranks of a group of `of`; both reduce for 6 ms of each step of 10, at the same time. */
static struct derived *two_of(int of, const char *ranks)
{
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 2; rank++) {
		build_host(&b, rank ? "h1" : "h0", rank);
		for (int i = 0; i < STEPS; i++) {
			double at = i * 10000.0;
			profiler_step(&b, 1, i, at, 10000);
			launch(&b, 1, at + 10, 5, 2 * i + 1);
			kernel(&b, 0, 7, "a", at + 20, 3000, 2 * i + 1);
			launch(&b, 1, at + 40, 5, 2 * i + 2);
			group_call(&b, 20, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", at + 3100, 6000, 2 * i + 2,
				   (struct collective_info){.op = build_text(&b, "allreduce"),
							    .group = build_text(&b, "0"),
							    .group_ranks = build_text(&b, ranks),
							    .in_elements = 1000000,
							    .out_elements = 1000000,
							    .group_size = of,
							    .seq = i,
							    .src_rank = UNKNOWN_I64,
							    .dst_rank = UNKNOWN_I64});
		}
	}
	return derive(&b);
}

static void who_is_not_recorded_may_be_late(void **state)
{
	(void)state;
	struct derived *d = two_of(2, "[0, 1]");
	assert_null(strstr(rule_says(ask(d, "findings"), "collectives", "advice"), "recorded"));
	ask_done(d);
	d = two_of(8, "[0, 1, 2, 3, 4, 5, 6, 7]");
	assert_non_null(strstr(rule_says(ask(d, "findings"), "collectives", "advice"),
			       "Not all ranks are recorded: what these wait for may be one that is not. Check bucket"));
	ask_done(d);
}

/* Rank 0 computes 2 ms and sends, rank 1 waits for it and computes 6 ms: stages, of which no advice for replicas holds. `ends`: the other
 * rank of each send and receive is recorded, else it is the other one of the group. */
static struct derived *two_stages(bool ends)
{
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 2; rank++) {
		build_host(&b, rank ? "h1" : "h0", rank);
		for (int i = 0; i < STEPS; i++) {
			double at = i * 10000.0;
			profiler_step(&b, 1, i, at, 10000);
			launch(&b, 1, at + 10, 5, 2 * i + 1);
			kernel(&b, 0, 7, "a", at + (rank ? 2600 : 20), rank ? 6000 : 2000, 2 * i + 1);
			launch(&b, 1, at + 30, 5, 2 * i + 2);
			group_call(&b, 20, "ncclDevKernel_SendRecv(x)", at + (rank ? 50 : 2050), rank ? 2450 : 450,
				   2 * i + 2,
				   (struct collective_info){.op = build_text(&b, rank ? "recv" : "send"),
							    .group = build_text(&b, "0"),
							    .group_ranks = build_text(&b, "[0, 1]"),
							    .in_elements = 1000000,
							    .out_elements = 1000000,
							    .group_size = 2,
							    .seq = UNKNOWN_I64,
							    .src_rank = rank && ends ? 0 : UNKNOWN_I64,
							    .dst_rank = rank || !ends ? UNKNOWN_I64 : 1});
		}
	}
	return derive(&b);
}

static void stages_are_no_replicas(bool ends)
{
	struct derived *d = two_stages(ends);
	struct table *t = ask(d, "findings");
	assert_string_equal(rule_says(t, "pipeline-bubble", "severity"), "fail");
	assert_string_equal(
		rule_says(t, "replicas", "advice"),
		"Give the stages of the pipeline equal work: move layers from the one that computes longest "
		"to the others.");
	assert_string_equal(rule_says(t, "collectives", "advice"),
			    "Most of it is waiting for other stages of the pipeline: give them equal work, and see the "
			    "rule about its bubble.");
	ask_done(d);
}

static void stages_of_a_pipeline_are_no_replicas(void **state)
{
	(void)state;
	stages_are_no_replicas(true);
	stages_are_no_replicas(false);
}

/* ---- who is late, and why ------------------------------------------------------------------------------------------------- */

/* Four ranks; rank 2 collects garbage for 5 ms before each of its steps, and comes to the reduction as much later. */
static struct derived *garbage_before_steps(void)
{
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 4; rank++) {
		build_host(&b, (const char *[]){"h0", "h1", "h2", "h3"}[rank], rank);
		for (int i = 0; i < STEPS; i++) {
			double at = i * 10000.0, late = rank == 2 ? 5000 : 0;
			if (late > 0)
				host_event(&b, KIND_PYTHON, 1, "<built-in function collect>", at, late);
			profiler_step(&b, 1, i, at + late, 10000 - late);
			launch(&b, 1, at + late + 10, 5, 2 * i + 1);
			kernel(&b, 0, 7, "a", at + late + 20, 3000, 2 * i + 1);
			launch(&b, 1, at + late + 40, 5, 2 * i + 2);
			reduce(&b, at + late + 3100, at + 9000, 2 * i + 2, i);
		}
	}
	return derive(&b);
}

static void what_delays_the_begin_of_a_step_is_named(void **state)
{
	(void)state;
	struct derived *d = garbage_before_steps();
	struct table *t = ask(d, "findings");
	assert_non_null(strstr(rule_says(t, "waits-for-rank", "sentence"), "Rank 2 is last at 8 of 8"));
	assert_non_null(strstr(rule_says(t, "waits-for-rank", "sentence"), "most in <built-in function collect>"));
	assert_null(strstr(rule_says(t, "waits-for-rank", "sentence"), "its step begins later"));
	assert_non_null(strstr(rule_says(t, "waits-for-rank", "advice"), "Collect garbage outside of the loop"));
	ask_done(d);
}

/* Four ranks whose collectives nothing is recorded of but a kernel for all ops; rank 1 loads its batch for 3 ms; `apart`: those of another
 * rank end at times of their own. */
static struct derived *kernels_for_all_ops(bool apart)
{
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 4; rank++) {
		build_host(&b, (const char *[]){"h0", "h1", "h2", "h3"}[rank], rank);
		for (int i = 0; i < STEPS; i++) {
			double at = i * 10000.0, late = rank == 1 ? (apart ? 1000 : 3000) : 0,
			       end = apart ? 600 * (i * (rank + 2) % 5) : 0;
			profiler_step(&b, 1, i, at, 10000);
			if (late > 0)
				op(&b, 1, "load_batch", at, late);
			launch(&b, 1, at + late + 10, 5, 2 * i + 1);
			kernel(&b, 0, 7, "a", at + late + 20, 3000, 2 * i + 1);
			launch(&b, 1, at + late + 30, 5, 2 * i + 2);
			kernel(&b, 0, 20, "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)", at + late + 3100,
			       5000 - late - end, 2 * i + 2);
		}
	}
	return derive(&b);
}

static void kernels_for_all_ops_are_one_call_where_they_end_together(void **state)
{
	(void)state;
	struct derived *d = kernels_for_all_ops(false);
	assert_string_equal(rule_says(ask(d, "findings"), "collectives", "about"), "waiting for rank 1");
	ask_done(d);
	d = kernels_for_all_ops(true);
	assert_int_equal(sum_of(ask(d, "replicas"), "matched_calls"), 0);
	ask_done(d);
}

/* Two pairs of ranks, whose groups have one name and no list; the second pair takes longer. */
static void groups_of_one_name_without_a_list_are_not_one(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 4; rank++) {
		build_host(&b, (const char *[]){"h0", "h1", "h2", "h3"}[rank], rank);
		for (int i = 0; i < STEPS; i++) {
			double at = i * 10000.0, computes = rank < 2 ? 3000 : 5000;
			profiler_step(&b, 1, i, at, 10000);
			launch(&b, 1, at + 10, 5, 2 * i + 1);
			kernel(&b, 0, 7, "a", at + 20, computes, 2 * i + 1);
			launch(&b, 1, at + 30, 5, 2 * i + 2);
			group_call(&b, 20, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", at + computes + 20, 900,
				   2 * i + 2,
				   (struct collective_info){.op = build_text(&b, "allreduce"),
							    .group = build_text(&b, "1"),
							    .in_elements = 1000000,
							    .out_elements = 1000000,
							    .group_size = 2,
							    .seq = i,
							    .src_rank = UNKNOWN_I64,
							    .dst_rank = UNKNOWN_I64});
		}
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "replicas");
	for (uint32_t row = 0; row < t->n_rows; row++)
		assert_int_equal(int_of(t, row, "matched_calls"), 0);
	ask_done(d);
}

/* Two ranks gather gradients over `batches` micro-batches, each of which is reduced, or the last one alone. */
static struct derived *gathers(int batches, bool each)
{
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 2; rank++) {
		uint64_t corr = 1;
		build_host(&b, rank ? "h1" : "h0", rank);
		for (int i = 0; i < STEPS; i++) {
			double at = i * 20000.0;
			profiler_step(&b, 1, i, at, 20000);
			for (int k = 0; k < batches; k++, at += 4000) {
				op(&b, 1, "DistributedDataParallel.forward", at + 5, 50);
				launch(&b, 1, at + 10, 5, corr);
				kernel(&b, 0, 7, "a", at + 20, 1000, corr++);
				if (!each && k + 1 < batches)
					continue;
				op(&b, 2, "c10d::allreduce_", at + 100, 20);
				launch(&b, 2, at + 105, 5, corr);
				kernel(&b, 0, 20, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", at + 1100, 2500,
				       corr++);
			}
			op(&b, 1, "Optimizer.step#SGD.step", at, 20);
			launch(&b, 1, at + 5, 5, corr);
			kernel(&b, 0, 7, "b", at + 10, 300, corr++);
		}
	}
	return derive(&b);
}

static void gradients_of_all_micro_batches_are_to_be_reduced_once(void **state)
{
	(void)state;
	static const struct {
		int batches;
		bool each, advised;
	} cases[] = {{4, true, true}, {4, false, false}, {1, true, false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct derived *d = gathers(cases[i].batches, cases[i].each);
		const char *advice = rule_says(ask(d, "findings"), "collectives", "advice");
		assert_int_equal(strstr(advice, "no_sync()") != NULL, cases[i].advised);
		ask_done(d);
	}
}

/* Two kernels of 2 and 3 ms, between which the gradients of the first are reduced, beside the second; rank 2 begins `late` later, so that the
 * second ones of the others run while they wait, and only its own hides the transfer. */
static struct derived *second_kernel_hides(double late_us)
{
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 4; rank++) {
		build_host(&b, (const char *[]){"h0", "h1", "h2", "h3"}[rank], rank);
		for (int i = 0; i < STEPS; i++) {
			double at = i * 10000.0, begin = at + 20 + (rank == 2 ? late_us : 0);
			profiler_step(&b, 1, i, at, 10000);
			if (rank == 2)
				host_event(&b, KIND_PYTHON, 1, "<built-in function collect>", at, late_us);
			launch(&b, 1, begin - 10, 2, 4 * i + 1);
			launch(&b, 1, begin - 7, 2, 4 * i + 2);
			launch(&b, 1, begin - 4, 2, 4 * i + 3);
			kernel(&b, 0, 7, "a", begin, 2000, 4 * i + 1);
			kernel(&b, 0, 7, "b", begin + 2000, 3000, 4 * i + 2);
			reduce(&b, begin + 2000, at + late_us + 3520, 4 * i + 3, i);
		}
	}
	return derive(&b);
}

static void transfers_that_fall_behind_are_due_to_the_late_rank(void **state)
{
	(void)state;
	struct derived *d = second_kernel_hides(3000);
	struct table *t = ask(d, "findings"), *steps = ask(d, "collective_steps");
	assert_string_equal(rule_says(t, "collectives", "about"), "waiting for rank 2");
	assert_non_null(
		strstr(rule_says(t, "collectives", "sentence"), ", 100.0 % because it ran while they waited for "));
	assert_string_equal(rule_says(t, "waits-for-rank", "severity"), "warn");
	for (uint32_t row = 0; row < steps->n_rows; row++)
		assert_int_equal(int_of(steps, row, "exposed_behind_ns"),
				 int_of(steps, row, "rank") == 2 ? 0 : US(1500));
	ask_done(d);
	d = second_kernel_hides(0);
	steps = ask(d, "collective_steps");
	for (uint32_t row = 0; row < steps->n_rows; row++)
		assert_int_equal(int_of(steps, row, "exposed_behind_ns"), 0);
	ask_done(d);
}

/* Four ranks; of three the first step is shorter, as where a pipeline is still empty. */
static void a_step_has_one_phase_on_all_ranks(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (int rank = 0; rank < 4; rank++) {
		build_host(&b, (const char *[]){"h0", "h1", "h2", "h3"}[rank], rank);
		for (int i = 0; i < STEPS; i++) {
			double at = i * 10000.0, dur = i ? 10000 : 10000 - 1500 * rank;
			profiler_step(&b, 1, i, at, dur);
			launch(&b, 1, at + 10, 5, i + 1);
			kernel(&b, 0, 7, "a", at + 20, dur - 100, i + 1);
		}
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "steps");
	for (uint32_t row = 0; row < t->n_rows; row++)
		assert_string_equal(text_of(t, row, "phase"), "steady");
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rank_that_waits_least_is_waited_for),
		cmocka_unit_test(ranks_that_are_alike_wait_for_none),
		cmocka_unit_test(what_shards_is_not_told_about_buckets),
		cmocka_unit_test(advice_goes_by_what_is_exposed),
		cmocka_unit_test(who_is_not_recorded_may_be_late),
		cmocka_unit_test(stages_of_a_pipeline_are_no_replicas),
		cmocka_unit_test(what_delays_the_begin_of_a_step_is_named),
		cmocka_unit_test(transfers_that_fall_behind_are_due_to_the_late_rank),
		cmocka_unit_test(kernels_for_all_ops_are_one_call_where_they_end_together),
		cmocka_unit_test(groups_of_one_name_without_a_list_are_not_one),
		cmocka_unit_test(gradients_of_all_micro_batches_are_to_be_reduced_once),
		cmocka_unit_test(a_step_has_one_phase_on_all_ranks),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
