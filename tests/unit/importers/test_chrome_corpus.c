/* Published traces: every entry is accounted for, and device work is what an independent count of the file says.
 * The last row's streams are those that TensorFlow names as processes. */
#include "tests/unit/unit.h"
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include "importers/open.h"

#define CORPUS "../shared/traces/"

static const struct row {
	const char *file;
	uint64_t entries, kernels, copies, memsets, streams;
} rows[] = {
	/* clang-format off */
	{"chrome/bazel/bazel-profile-with_queuing.json.gz", 16342, 0, 0, 0, 0},
	{"chrome/catapult/async_begin_end.json", 35, 0, 0, 0, 0},
	{"chrome/catapult/flow_simple.json", 10, 0, 0, 0, 0},
	{"chrome/catapult/instance_counters.json", 12, 0, 0, 0, 0},
	{"chrome/catapult/instant_events.json", 5, 0, 0, 0, 0},
	{"chrome/catapult/lthi_cats.json.gz", 67595, 0, 0, 0, 0},
	{"chrome/catapult/main_thread_has_unclosed_slices.json", 3386, 0, 0, 0, 0},
	{"chrome/catapult/nanoseconds.json", 16, 0, 0, 0, 0},
	{"chrome/catapult/nestable_async.json", 20, 0, 0, 0, 0},
	{"chrome/catapult/simple_trace.json", 37, 0, 0, 0, 0},
	{"chrome/catapult/simple_trace_gz.gz", 35, 0, 0, 0, 0},
	{"chrome/clang-time-trace/BuildEvents.json", 1416, 0, 0, 0, 0},
	{"chrome/clang-verylong-names/test.json", 234, 0, 0, 0, 0},
	{"chrome/devtools-page-load/load.json", 9778, 0, 0, 0, 0},
	{"chrome/speedscope/not-enough-end-events.json", 3, 0, 0, 0, 0},
	{"chrome/speedscope/out-of-order-unbalanced-name.json", 4, 0, 0, 0, 0},
	{"chrome/speedscope/simple-partial-trailing-comma.json", 6, 0, 0, 0, 0},
	{"chrome/speedscope/simple-partial.json", 6, 0, 0, 0, 0},
	{"chrome/speedscope/too-many-end-events.json", 6, 0, 0, 0, 0},
	{"kineto/b200-eager/eager_trace.json.gz", 24656, 768, 161, 0, 1},
	{"kineto/cpu-only/rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", 7604, 0, 0, 0, 0},
	{"kineto/cupti-counters/benchmark_result_924719_1679055439_trace.json.gz", 4222, 0, 0, 0, 0},
	{"kineto/dlrm-8rank-nccl/worker0_step_12.1694128201545.pt.trace.json.gz", 3290, 245, 16, 0, 4},
	{"kineto/dlrm-8rank-nccl/worker1_step_12.1694128201556.pt.trace.json.gz", 3424, 310, 16, 0, 4},
	{"kineto/dlrm-8rank-nccl/worker2_step_12.1694128201554.pt.trace.json.gz", 3268, 246, 16, 0, 4},
	{"kineto/dlrm-8rank-nccl/worker3_step_12.1694128201557.pt.trace.json.gz", 3474, 315, 16, 6, 4},
	{"kineto/dlrm-8rank-nccl/worker4_step_12.1694128201547.pt.trace.json.gz", 3310, 251, 16, 6, 4},
	{"kineto/dlrm-8rank-nccl/worker5_step_12.1694128201549.pt.trace.json.gz", 3250, 245, 16, 0, 4},
	{"kineto/dlrm-8rank-nccl/worker6_step_12.1694128201553.pt.trace.json.gz", 3272, 246, 16, 0, 4},
	{"kineto/dlrm-8rank-nccl/worker7_step_12.1694128201553.pt.trace.json.gz", 3250, 246, 16, 0, 4},
	{"kineto/h100-bert/gaunernst_bert-small-uncased__1016001.json.gz", 2551, 60, 1, 0, 1},
	{"kineto/h100-owlv2/google_owlv2-large-patch14-ensemble__1016001.json.gz", 132152, 4330, 85, 750, 1},
	{"kineto/h100-qwen/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 18221, 1465, 1, 241, 1},
	{"kineto/mi210-gpu-only/gpu_only_trace.json.gz", 2443, 562, 0, 0, 1},
	{"kineto/mi300-ddp-resnet18/train_resnet18.json.gz", 29746, 2360, 5, 10, 1},
	{"kineto/mi300-flux-big/profile_trace_rank_0.json.gz", 229459, 7830, 36, 0, 1},
	{"kineto/mi300-qwen/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 18090, 1516, 1, 0, 1},
	{"kineto/param-resnet/resnet_kineto.json.gz", 111631, 9628, 123, 362, 3},
	{"kineto/resnet50-array-form/worker0.pt.trace.json.gz", 82276, 9538, 12, 377, 1},
	{"kineto/resnet50-autograd-13streams/worker0.pt.trace.json.gz", 79711, 9329, 338, 466, 13},
	{"kineto/resnet50-v100-2spans/worker0.1623143089861.pt.trace.json.gz", 75718, 8772, 12, 312, 1},
	{"kineto/resnet50-v100-2spans/worker0.1623143566756.pt.trace.json.gz", 75718, 8772, 12, 312, 1},
	{"kineto/segment-anything-fast/amg_example_trace.json.gz", 20446, 2514, 274, 0, 2},
	{"kineto/sglang-decode/sglang_Qwen3-8B_decode.json.gz", 2058, 555, 3, 0, 2},
	{"kineto/torch-compile-triton/trace.json.gz", 246, 12, 0, 0, 1},
	{"kineto/transformer-small/dcb0aa1a78e7_4399.1752181589621105859.pt.trace.json", 1520, 48, 0, 0, 1},
	{"kineto/vllm-decode-graph/graph_capture_rank_0.1773709742341309550.pt.trace.json.gz", 131243, 7, 3, 0, 1},
	{"kineto/vllm-decode-graph/graph_execution.json.gz", 1993, 425, 9, 0, 1},
	{"tf/tf1-timeline-gpu/timeline_01.json", 10019, 4799, 11, 0, 6},
	/* clang-format on */
};

static uint64_t count_kind(const struct trace *t, enum event_kind kind)
{
	const struct columns *c = trace_columns(t);
	uint64_t n = 0;
	for (uint64_t i = 0; i < c->n; i++)
		n += c->kind[i] == kind;
	return n;
}

static uint64_t count_streams(const struct trace *t)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < trace_tracks(t); i++)
		n += trace_track(t, i)->kind == TRACK_STREAM;
	return n;
}

static void a_published_trace_is_complete(void **state)
{
	const struct row *row = *state;
	char file[300];
	const char *path = file;
	struct err e = {0};
	snprintf(file, sizeof file, CORPUS "%s", row->file);
	struct trace *t = open_trace(&path, 1, NULL, &e);
	if (!t)
		fail_msg("%s: %s", row->file, e.msg);
	assert_int_equal(trace_notes(t)->entries, row->entries);
	assert_true(notes_balance(trace_notes(t)));
	assert_int_equal(notes_of(trace_notes(t), NOTE_LOST), 0);
	assert_int_equal(count_kind(t, KIND_KERNEL), row->kernels);
	assert_int_equal(count_kind(t, KIND_COPY), row->copies);
	assert_int_equal(count_kind(t, KIND_MEMSET), row->memsets);
	assert_int_equal(count_streams(t), row->streams);
	trace_free(t);
}

/* Eight files, eight ranks, one trace. */
static void a_folder_of_ranks_is_one_trace(void **state)
{
	(void)state;
	const char *path = CORPUS "kineto/dlrm-8rank-nccl";
	struct err e = {0};
	struct trace *t = open_trace(&path, 1, NULL, &e);
	assert_non_null(t);
	assert_int_equal(trace_hosts(t), 8);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(trace_host(t, i)->rank, i);
	assert_int_equal(trace_devices(t), 8);
	assert_int_equal(count_kind(t, KIND_KERNEL), 245 + 310 + 246 + 315 + 251 + 245 + 246 + 246);
	assert_true(notes_balance(trace_notes(t)));
	trace_free(t);
}

static void an_old_tensorflow_trace_is_refused(void **state)
{
	(void)state;
	const char *path = CORPUS "tf/legacy-trace-protobuf/local.trace";
	struct err e = {0};
	assert_null(open_trace(&path, 1, NULL, &e));
	assert_true(e.unreadable);
	assert_non_null(strstr(e.msg, "before XSpace"));
}

int main(void)
{
	enum { N = sizeof rows / sizeof rows[0] };
	struct CMUnitTest tests[N + 2];
	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (access(CORPUS, R_OK)) {
		puts("1..0 # SKIP no folder of published traces beside the repository");
		return 0;
	}
	for (size_t i = 0; i < N; i++)
		tests[i] =
			(struct CMUnitTest){rows[i].file, a_published_trace_is_complete, NULL, NULL, (void *)&rows[i]};
	tests[N] = (struct CMUnitTest)cmocka_unit_test(a_folder_of_ranks_is_one_trace);
	tests[N + 1] = (struct CMUnitTest)cmocka_unit_test(an_old_tensorflow_trace_is_refused);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
