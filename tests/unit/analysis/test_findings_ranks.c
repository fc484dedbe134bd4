/* What collectives cost, and who is waited for: collectives of the host rank by rank, advice by what is exposed, ranks that are missing. */
#include "model/analysis/findings/findings.h"
#include "model/store/facts/collectives.h"
#include "tests/unit/ask.h"
#include <string.h>

enum { STEPS = 8 };

static const char *said(const struct table *t, const char *rule, const char *column)
{
	return text_of(t, row_that_says(t, "rule", rule), column);
}

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
	assert_non_null(strstr(said(t, "collectives", "sentence"),
			       "; rank 2 is in them for 1.000 ms of a step, the others for 6.900 ms: they wait for it, "
			       "which has 5.900 ms more of input wait."));
	assert_string_equal(said(t, "collectives", "advice"),
			    "Most of it is waiting: find out why rank 2 is late before looking at the network.");
	assert_string_equal(said(t, "collectives", "about"), "waiting for rank 2");
	ask_done(d);
}

/* All ranks are recorded: nobody is told to record them. */
static void ranks_that_are_alike_wait_for_none(void **state)
{
	(void)state;
	struct derived *d = gloo_job(-1, "DistributedDataParallel.forward");
	struct table *t = ask(d, "findings");
	assert_null(strstr(said(t, "collectives", "sentence"), "they wait for it"));
	assert_null(strstr(said(t, "collectives", "advice"), "record all ranks"));
	assert_non_null(strstr(said(t, "collectives", "advice"), "DistributedDataParallel"));
	ask_done(d);
}

static void what_shards_is_not_told_about_buckets(void **state)
{
	(void)state;
	struct derived *d = gloo_job(-1, "FSDP::pre_forward");
	struct table *t = ask(d, "findings");
	assert_non_null(strstr(said(t, "collectives", "advice"), "Gather the next layer's parameters"));
	assert_null(strstr(said(t, "collectives", "advice"), "DistributedDataParallel"));
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
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct derived *d = one_rank(cases[i].around, cases[i].kernel);
		const char *advice = said(ask(d, "findings"), "collectives", "advice");
		assert_non_null(strstr(advice, "One rank alone cannot tell"));
		assert_non_null(strstr(advice, cases[i].says));
		assert_null(strstr(advice, cases[i].not ));
		ask_done(d);
	}
}

/* A collective of a group of `of` ranks, of which the message and the call are recorded. */
static void group_call(struct build *b, int64_t stream, const char *name, double start_us, double dur_us, uint64_t corr,
		       struct collective_info x)
{
	struct event_in e = build_event(b, KIND_KERNEL, build_stream(b, 0, stream), name, start_us, dur_us);
	e.corr = corr;
	e.side = ingest_side(b->in, SIDE_COLLECTIVES, &x);
	build_add(b, &e);
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
	assert_null(strstr(said(ask(d, "findings"), "collectives", "advice"), "recorded"));
	ask_done(d);
	d = two_of(8, "[0, 1, 2, 3, 4, 5, 6, 7]");
	assert_non_null(strstr(said(ask(d, "findings"), "collectives", "advice"),
			       "Not all ranks are recorded: what these wait for may be one that is not. Check bucket"));
	ask_done(d);
}

/* Rank 0 computes 2 ms and sends, rank 1 waits for it and computes 6 ms: stages, of which no advice for replicas holds. */
static struct derived *two_stages(void)
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
							    .src_rank = rank ? 0 : UNKNOWN_I64,
							    .dst_rank = rank ? UNKNOWN_I64 : 1});
		}
	}
	return derive(&b);
}

static void stages_of_a_pipeline_are_no_replicas(void **state)
{
	(void)state;
	struct derived *d = two_stages();
	struct table *t = ask(d, "findings");
	assert_string_equal(said(t, "pipeline-bubble", "severity"), "fail");
	assert_string_equal(
		said(t, "replicas", "advice"),
		"Give the stages of the pipeline equal work: move layers from the one that computes longest "
		"to the others.");
	assert_string_equal(said(t, "collectives", "advice"),
			    "Most of it is waiting for other stages of the pipeline: give them equal work, and see the "
			    "rule about its bubble.");
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
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
