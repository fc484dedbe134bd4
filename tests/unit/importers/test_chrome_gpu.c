/* Chrome traces of GPU work: PyTorch's Kineto of all years, TensorFlow's JSON, TensorFlow 1 timelines. */
#include "tests/unit/chrome_read.h"
#include <math.h>

#define KERNEL(more)                                                                                         \
	"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":10,\"dur\":5,\"args\":{" \
	"\"device\":0,"                                                                                      \
	"\"stream\":7,\"correlation\":42" more "}}"

static void a_kernel_lies_on_its_stream_and_knows_its_launch(void **state)
{
	(void)state;
	struct trace *t = chrome_read("[" KERNEL(
		",\"registers per thread\":32,\"shared memory\":4096,\"blocks per SM\":1.5,\"grid\":[8,2,1],"
		"\"block\":[256,1,1],\"est. achieved occupancy %\":37") ","
									"{\"ph\":\"X\",\"cat\":\"cuda_runtime\","
									"\"name\":\"cudaLaunchKernel\",\"pid\":9,"
									"\"tid\":9,\"ts\":1,\"dur\":2,"
									"\"args\":{\"correlation\":42}}]");
	assert_event(t, "k", "kernel", 9000, 5000);
	assert_event(t, "cudaLaunchKernel", "runtime", 0, 2000);
	assert_int_equal(track_of(t, "k")->kind, TRACK_STREAM);
	assert_int_equal(track_of(t, "k")->key, 7);
	assert_int_equal(trace_columns(t)->link[event_named(t, "k")], event_named(t, "cudaLaunchKernel"));
	const struct kernel_info *k = trace_kernel(t, event_named(t, "k"));
	assert_int_equal(k->registers, 32);
	assert_int_equal(k->static_smem_bytes, 4096);
	assert_int_equal(k->dynamic_smem_bytes, UNKNOWN_U32); /* which part is not recorded */
	assert_true(k->grid[0] == 8 && k->grid[1] == 2 && k->block[0] == 256);
	assert_true(k->occupancy_pct == 37 && k->blocks_per_sm == 1.5f);
	trace_free(t);
}

static void what_no_gpu_can_have_is_unknown(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"[" KERNEL(",\"registers per thread\":-1,\"shared memory\":99999999999,\"grid\":[-1,0]") "]");
	const struct kernel_info *k = trace_kernel(t, event_named(t, "k"));
	assert_int_equal(k->registers, UNKNOWN_U32);
	assert_int_equal(k->static_smem_bytes, UNKNOWN_U32);
	assert_int_equal(k->grid[0], UNKNOWN_U32);
	assert_true(isnan(k->occupancy_pct));
	assert_int_equal(noted(t, NOTE_VALUE_ABSURD), 1);
	trace_free(t);
}

static void a_grid_is_read_however_it_is_written(void **state)
{
	enum { NOT = -1 };
	static const struct {
		const char *text;
		int64_t x, y, z;
	} grids[] = {
		{"[109, 2, 1]", 109, 2, 1},
		{"[109,2,1]", 109, 2, 1},
		{"[ 109 , 2 ,1 ]", 109, 2, 1},
		{"[109,\n 2, 1]", 109, 2, 1},
		{"[7, 12, 34]", 7, 12, 34},
		{"[12, 3, 45]", 12, 3, 45},
		{"[12345678, 65535, 65535]", 12345678, 65535, 65535},
		{"[123456789, 2, 1]", 123456789, 2, 1},
		{"[2147483647, 2, 1]", INT32_MAX, 2, 1},
		{"[2147483648, 2, 1]", NOT, 2, 1},
		{"[12345678901234567890, 2, 1]", NOT, 2, 1},
		{"[007, 2, 1]", 7, 2, 1},
		{"[1, 2, 3, 4]", 1, 2, 3},
		{"[128]", 128, NOT, NOT},
		{"[128, 2]", 128, 2, NOT},
		{"[]", NOT, NOT, NOT},
		{"[\"109\", 2, 1]", 109, 2, 1},
		{"[1.5, 2, 1]", NOT, 2, 1},
		{"[1e2, 2, 1]", NOT, 2, 1},
		{"[109, -2, 1]", 109, NOT, 1},
		{"[109, 2, null]", 109, 2, NOT},
		{"\"109, 2, 1\"", NOT, NOT, NOT},
	};
	(void)state;
	for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
		char text[512];
		snprintf(text, sizeof text, "[" KERNEL(",\"grid\":%s") "]", grids[i].text);
		struct trace *t = chrome_read(text);
		const struct kernel_info *k = trace_kernel(t, event_named(t, "k"));
		assert_int_equal(k->grid[0], (uint32_t)grids[i].x);
		assert_int_equal(k->grid[1], (uint32_t)grids[i].y);
		assert_int_equal(k->grid[2], (uint32_t)grids[i].z);
		trace_free(t);
	}
}

static void equal_numbers_do_not_make_a_thread_a_stream(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"[{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"py\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":90}"
		"," KERNEL("") ","
			       "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":7,\"args\":{\"name\":\"stream "
			       "7 \"}},"
			       "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{\"name\":\"python3\"}}]");
	assert_int_equal(track_of(t, "py")->kind, TRACK_THREAD);
	assert_int_equal(track_of(t, "k")->kind, TRACK_STREAM);
	assert_int_equal(track_of(t, "py")->n, 1);
	trace_free(t);
}

static void capitals_and_stream_texts_of_2020(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"[{\"ph\":\"X\",\"cat\":\"Kernel\",\"name\":\"k\",\"pid\":0,\"tid\":\"stream "
		"7\",\"ts\":10,\"dur\":5,\"args\":{\"device\":0,\"stream\":7,"
		"\"correlation\":3,\"external id\":1}},"
		"{\"ph\":\"X\",\"cat\":\"Memset\",\"name\":\"Memset (Device)\",\"pid\":0,\"tid\":\"stream "
		"7\",\"ts\":20,\"dur\":1,\"args\":{\"device\":0,"
		"\"stream\":7,\"bytes\":512}},"
		"{\"ph\":\"X\",\"cat\":\"Memcpy\",\"name\":\"Memcpy HtoD (Pageable -> "
		"Device)\",\"pid\":0,\"tid\":\"stream 7\",\"ts\":30,\"dur\":1,"
		"\"args\":{\"device\":0,\"stream\":7,\"bytes\":64}},"
		"{\"ph\":\"X\",\"cat\":\"Operator\",\"name\":\"aten::mm\",\"pid\":5,\"tid\":\"25\",\"ts\":1,\"dur\":5,"
		"\"args\":{\"External id\":\"1\"}},"
		"{\"ph\":\"X\",\"cat\":\"Runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":5,\"tid\":25,\"ts\":2,\"dur\":"
		"1,\"args\":{\"cbid\":211,"
		"\"correlation\":3}},"
		"{\"ph\":\"s\",\"cat\":\"async\",\"name\":\"launch\",\"id\":3,\"pid\":5,\"tid\":25,\"ts\":2},"
		"{\"ph\":\"f\",\"cat\":\"async\",\"name\":\"launch\",\"id\":3,\"pid\":0,\"tid\":\"stream "
		"7\",\"ts\":10,\"bp\":\"e\"}]");
	assert_event(t, "k", "kernel", 9000, 5000);
	assert_event(t, "Memset (Device)", "memset", 19000, 1000);
	assert_event(t, "aten::mm", "op", 0, 5000);
	assert_event(t, "cudaLaunchKernel", "runtime", 1000, 1000);
	assert_int_equal(trace_copy(t, event_named(t, "Memset (Device)"))->kind, COPY_MEMSET);
	const struct copy_info *c = trace_copy(t, event_named(t, "Memcpy HtoD (Pageable -> Device)"));
	assert_true(c->kind == COPY_H2D && c->src == MEM_PAGEABLE && c->dst == MEM_DEVICE && c->bytes == 64);
	assert_ptr_equal(track_of(t, "aten::mm"), track_of(t, "cudaLaunchKernel"));
	const struct flow *f;
	assert_int_equal(trace_flows(t, &f), 1);
	assert_int_equal(f->to, event_named(t, "k"));
	trace_free(t);
}

static void annotations_on_a_device_are_no_work(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"[{\"ph\":\"X\",\"cat\":\"gpu_user_annotation\",\"name\":\"step\",\"pid\":2,\"tid\":7,\"ts\":1,\"dur\":"
		"9},"
		"{\"ph\":\"X\",\"cat\":\"cuda_profiler_range\",\"name\":\"range\",\"pid\":2,\"tid\":0,\"ts\":1,\"dur\":"
		"9},"
		"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"linux thing\",\"pid\":2,\"tid\":9,\"ts\":1,\"dur\":1}]");
	assert_event(t, "step", "device_range", 0, 9000);
	assert_event(t, "range", "device_range", 0, 9000);
	assert_int_equal(track_of(t, "step")->kind, TRACK_STREAM_LANE);
	assert_string_equal(trace_str(t, track_of(t, "step")->lane), "annotations");
	/* the word alone, without device or stream, is somebody else's kernel */
	assert_event(t, "linux thing", "other", 0, 1000);
	trace_free(t);
}

static void the_header_describes_devices_that_worked(void **state)
{
	(void)state;
	struct trace *t =
		chrome_read("{\"deviceProperties\":[{\"id\":0,\"name\":\"NVIDIA "
			    "A100\",\"totalGlobalMem\":42,\"computeMajor\":8,\"computeMinor\":6,\"numSms\":108},"
			    "{\"id\":1,\"name\":\"idle\"}],\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":3,"
			    "\"world_size\":8},\"traceEvents\":[" KERNEL("") "]}");
	assert_int_equal(trace_devices(t), 1);
	const struct device *d = trace_device(t, 0);
	assert_string_equal(trace_str(t, d->name), "NVIDIA A100");
	assert_string_equal(trace_str(t, d->vendor), "Nvidia");
	assert_true(d->cc_major == 8 && d->cc_minor == 6 && d->sms == 108 && d->memory_bytes == 42);
	assert_int_equal(trace_host(t, 0)->rank, 3);
	assert_string_equal(fact(t, "world_size"), "8");
	trace_free(t);
}

static void the_file_name_tells_the_rank(void **state)
{
	(void)state;
	static const struct {
		const char *name, *host;
		int rank;
	} files[] = {
		{"x/worker3_step_12.1694128201557.pt.trace.json.gz", "worker3_step_12", 3},
		{"profile_trace_rank_0.json.gz", "profile_trace_rank_0", 0},
		{"rank-34.Jul_15_10_52_41.1074.pt.trace.json", "rank-34.Jul_15_10_52_41.1074", 34},
		{"dcb0aa1a78e7_4399.1752181589621105859.pt.trace.json", "dcb0aa1a78e7_4399", -1},
		{"frank2.json", "frank2", -1},
	};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		struct err e = {0};
		struct trace *t =
			chrome_read_bytes("[" KERNEL("") "]", strlen("[" KERNEL("") "]"), files[i].name, 0, &e);
		assert_string_equal(trace_str(t, trace_host(t, 0)->name), files[i].host);
		assert_int_equal(trace_host(t, 0)->rank, files[i].rank);
		trace_free(t);
	}
}

/* ---- TensorFlow, JAX ------------------------------------------------------------------------------------------------ */

static const char tf_names[] =
	"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"box /device:GPU:1\"}},"
	"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":14,\"args\":{\"name\":\"Stream "
	"#14(Compute,MemcpyH2D)\"}},"
	"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":90,\"args\":{\"name\":\"TensorFlow Ops\"}},"
	"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":701,\"args\":{\"name\":\"box /host:CPU\"}},"
	"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":701,\"tid\":5,\"args\":{\"name\":\"tf_executor\"}}";
static const char tf_events[] =
	"{\"ph\":\"X\",\"pid\":1,\"tid\":14,\"ts\":10.0000004,\"dur\":5,\"name\":\"volta_sgemm\",\"args\":{\"kernel_"
	"details\":"
	"\"regs:32 static_shared:0 dynamic_shared:64 grid:8,1,1 block:256,1,1 occ_pct:50\",\"correlation_id\":\"77\","
	"\"tf_op\":\"model/dense/MatMul:MatMul\",\"group_id\":\"2\"}},"
	"{\"ph\":\"X\",\"pid\":1,\"tid\":14,\"ts\":20,\"dur\":1,\"name\":\"MemcpyH2D\",\"args\":{\"memcpy_details\":"
	"\"kind_src:pinned kind_dst:device size:4096 dest:0 async:1\"}},"
	"{\"ph\":\"X\",\"pid\":1,\"tid\":14,\"ts\":30,\"dur\":1,\"name\":\"bare\"},"
	"{\"ph\":\"X\",\"pid\":1,\"tid\":90,\"ts\":10,\"dur\":5,\"name\":\"MatMul\"},"
	"{\"ph\":\"X\",\"pid\":701,\"tid\":5,\"ts\":1,\"dur\":2,\"name\":\"cuLaunchKernel\",\"args\":{\"correlation_"
	"id\":\"77\",\"device_id\":\"1\"}},"
	"{\"ph\":\"X\",\"pid\":701,\"tid\":5,\"ts\":0,\"dur\":9,\"name\":\"train\",\"args\":{\"step_num\":\"5\",\"_r\":"
	"\"1\",\"step_name\":\"train 5\"}},"
	"{\"ph\":\"X\",\"pid\":701,\"tid\":5,\"ts\":0,\"dur\":8,\"name\":\"$loop.py:7 f\"},{}";

static void tf_streams_and_lanes_go_by_their_names(void **state)
{
	(void)state;
	/* the names first, as TensorFlow writes them, or last */
	for (int last = 0; last < 2; last++) {
		char json[4000];
		snprintf(json, sizeof json, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[%s,%s]}",
			 last ? tf_events : tf_names, last ? tf_names : tf_events);
		struct trace *t = chrome_read(json);
		assert_event(t, "volta_sgemm", "kernel", 10000, 5000);
		assert_event(t, "MemcpyH2D", "copy", 20000, 1000);
		assert_event(t, "bare", "kernel", 30000, 1000);
		assert_event(t, "MatMul", "device_range", 10000, 5000);
		assert_event(t, "cuLaunchKernel", "runtime", 1000, 2000);
		assert_event(t, "train", "annotation", 0, 9000);
		assert_event(t, "$loop.py:7 f", "python", 0, 8000);
		assert_int_equal(track_of(t, "bare")->key, 14);
		assert_int_equal(trace_device(t, track_of(t, "bare")->device)->ordinal, 1);
		assert_true(track_of(t, "MatMul")->derived_by_producer);
		const struct kernel_info *k = trace_kernel(t, event_named(t, "volta_sgemm"));
		assert_true(k->registers == 32 && k->dynamic_smem_bytes == 64 && k->occupancy_pct == 50);
		assert_string_equal(trace_str(t, k->op), "model/dense/MatMul");
		assert_string_equal(trace_str(t, k->op_type), "MatMul");
		assert_int_equal(step_group_at(trace_columns(t)->group, event_named(t, "volta_sgemm")), 2);
		assert_int_equal(trace_columns(t)->link[event_named(t, "volta_sgemm")],
				 event_named(t, "cuLaunchKernel"));
		assert_int_equal(trace_copy(t, event_named(t, "MemcpyH2D"))->bytes, 4096);
		const struct host_info *h = trace_host_detail(t, event_named(t, "train"));
		assert_true(h->step_num == 5 && h->root_level == 1);
		assert_string_equal(trace_str(t, h->step_name), "train 5");
		assert_int_equal(noted(t, NOTE_EMPTY_ENTRY), 1);
		trace_free(t);
	}
}

static void a_tf1_timeline_names_streams_as_processes(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"/gpu:0/"
		"stream:13 Compute\"}},"
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":2,\"args\":{\"name\":\"/gpu:0/stream:all Compute\"}},"
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":3,\"args\":{\"name\":\"/job:localhost/replica:0/"
		"task:0/device:GPU:0 Compute\"}},"
		"{\"ph\":\"X\",\"cat\":\"Op\",\"name\":\"Conv2D\",\"pid\":1,\"tid\":0,\"ts\":5,\"dur\":2,\"args\":{"
		"\"name\":\"net/conv\",\"op\":\"Conv2D\"}},"
		"{\"ph\":\"X\",\"cat\":\"Op\",\"name\":\"MEMCPYHtoD\",\"pid\":1,\"tid\":1,\"ts\":9,\"dur\":2,\"args\":{"
		"\"name\":\"edge\",\"op\":\"MEMCPYHtoD\"}},"
		"{\"ph\":\"X\",\"cat\":\"Op\",\"name\":\"again\",\"pid\":2,\"tid\":0,\"ts\":5,\"dur\":2,\"args\":{"
		"\"name\":\"net/conv\",\"op\":\"Conv2D\"}},"
		"{\"ph\":\"X\",\"cat\":\"Op\",\"name\":\"node\",\"pid\":3,\"tid\":0,\"ts\":1,\"dur\":2,\"args\":{"
		"\"name\":\"net/conv\",\"op\":\"Conv2D\"}},"
		"{\"ph\":\"X\",\"cat\":\"Op\",\"name\":\"next\",\"pid\":3,\"tid\":0,\"ts\":6,\"dur\":2,\"args\":{"
		"\"name\":\"net/x\",\"op\":\"X\"}},"
		"{\"ph\":\"s\",\"cat\":\"DataFlow\",\"name\":\"net/conv\",\"id\":0,\"pid\":3,\"tid\":0,\"ts\":3},"
		"{\"ph\":\"t\",\"cat\":\"DataFlow\",\"name\":\"net/conv\",\"id\":0,\"pid\":3,\"tid\":0,\"ts\":6}]}");
	assert_event(t, "Conv2D", "kernel", 4000, 2000);
	assert_event(t, "MEMCPYHtoD", "copy", 8000, 2000);
	assert_event(t, "again", "device_range", 4000, 2000);
	assert_event(t, "node", "op", 0, 2000);
	assert_ptr_equal(track_of(t, "Conv2D"), track_of(t, "MEMCPYHtoD"));
	assert_int_equal(track_of(t, "Conv2D")->key, 13);
	assert_true(track_of(t, "again")->derived_by_producer);
	assert_string_equal(trace_str(t, trace_kernel(t, event_named(t, "Conv2D"))->op), "net/conv");
	assert_int_equal(trace_copy(t, event_named(t, "MEMCPYHtoD"))->kind, COPY_H2D);
	const struct flow *f;
	assert_int_equal(trace_flows(t, &f), 1);
	assert_int_equal(f->from, event_named(t, "node"));
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_lies_on_its_stream_and_knows_its_launch),
		cmocka_unit_test(what_no_gpu_can_have_is_unknown),
		cmocka_unit_test(a_grid_is_read_however_it_is_written),
		cmocka_unit_test(equal_numbers_do_not_make_a_thread_a_stream),
		cmocka_unit_test(capitals_and_stream_texts_of_2020),
		cmocka_unit_test(annotations_on_a_device_are_no_work),
		cmocka_unit_test(the_header_describes_devices_that_worked),
		cmocka_unit_test(the_file_name_tells_the_rank),
		cmocka_unit_test(tf_streams_and_lanes_go_by_their_names),
		cmocka_unit_test(a_tf1_timeline_names_streams_as_processes),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
