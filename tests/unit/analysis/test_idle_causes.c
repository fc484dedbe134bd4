/* Every ns of a device's idle time has one cause: what the launching thread did, moment by moment, or who else tells more. */
#include "model/analysis/rules/cause.h"
#include "tests/unit/ask.h"
#include "tests/unit/scenes.h"

/* Two kernels of 1 ms with 10 ms between them; the second is launched 9.9 ms into the gap by a call of 10 us. */
static struct build apart(void)
{
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	kernel(&b, 0, 7, "a", 10, 990, 1);
	launch(&b, 1, 10900, 10, 2);
	kernel(&b, 0, 7, "b", 11000, 1000, 2);
	return b;
}

static int64_t idle_of(const struct derived *d, enum cause cause)
{
	struct table *t = ask(d, "idle_causes");
	for (uint32_t row = 0; row < t->n_rows; row++)
		if (!strcmp(text_of(t, row, "cause"), cause_word(cause)))
			return int_of(t, row, "idle_ns");
	return 0;
}

/* The classes of every row of the table of idle time add up to it. */
static void assert_adds_up(const struct derived *d)
{
	static const char *const names[] = {
#define CAUSE_NAME(id, name, word, loses, what, ...) name "_ns",
		CAUSES(CAUSE_NAME)
#undef CAUSE_NAME
	};
	struct table *t = ask(d, "idle"), *causes = ask(d, "idle_causes");
	int64_t in_all_ns = 0;
	for (uint32_t row = 0; row < t->n_rows; row++) {
		int64_t sum_ns = 0;
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			sum_ns += int_of(t, row, names[i]);
		assert_int_equal(sum_ns, int_of(t, row, "idle_ns"));
	}
	for (uint32_t row = 0; row < causes->n_rows; row++)
		in_all_ns += int_of(causes, row, "idle_ns");
	assert_int_equal(in_all_ns, int_of(t, 0, "idle_ns"));
}

/* What the trace says of a cause, in us; the trace ends with it. */
static int64_t us_of(struct build *b, enum cause cause)
{
	struct derived *d = derive(b);
	int64_t ns = idle_of(d, cause);
	assert_adds_up(d);
	ask_done(d);
	assert_int_equal(ns % 1000, 0);
	return ns / 1000;
}

static int64_t with_event(enum event_kind kind, uint32_t tid, const char *name, enum cause cause)
{
	struct build b = apart();
	host_event(&b, kind, tid, name, 2000, 8000);
	return us_of(&b, cause);
}

static void each_class_has_its_events(void **state)
{
	(void)state;
	static const struct {
		enum event_kind kind;
		const char *name;
		enum cause cause;
	} known[] = {
		{KIND_OP, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", CAUSE_INPUT},
		{KIND_ANNOTATION, "Callback/on_train_batch_end", CAUSE_HOST_WORK},
		{KIND_OP, "LossScaleOptimizer/cond:If", CAUSE_LOSS_SCALING},
		{KIND_RUNTIME, "cudaDeviceSynchronize", CAUSE_SYNC},
		{KIND_RUNTIME, "hipMemcpyWithStream", CAUSE_SYNC},
		{KIND_ANNOTATION, "backend_compile", CAUSE_COMPILE},
		{KIND_RUNTIME, "cudaLaunchKernel", CAUSE_COMPILE},          /* 8 ms: it loads code */
		{KIND_RUNTIME, "cudaStreamCreateWithFlags", CAUSE_COMPILE}, /* 8 ms: it makes a context */
		{KIND_RUNTIME, "hipFree", CAUSE_ALLOCATOR},
		{KIND_OP, "c10d::allreduce_", CAUSE_COMMUNICATION},
		{KIND_RUNTIME, "cudaGraphLaunch", CAUSE_LAUNCH},
		{KIND_OP, "aten::cudnn_convolution", CAUSE_HOST_COMPUTE}, /* 8 ms are no handing over */
		{KIND_ANNOTATION, "plan_batches", CAUSE_HOST_COMPUTE},
		{KIND_ANNOTATION, "tokenize", CAUSE_INPUT},
		{KIND_PYTHON, "transformers/tokenization_utils_fast.py(527): _batch_encode_plus", CAUSE_INPUT},
		{KIND_PYTHON, "<built-in method encode_batch of tokenizers.Tokenizer object at 0x7f>", CAUSE_INPUT},
		{KIND_PYTHON, "PIL/ImageFile.py(189): load", CAUSE_INPUT},
		{KIND_PYTHON, "server.py(7): detokenize", CAUSE_HOST_COMPUTE},
		{KIND_RUNTIME, "cudaMemcpyAsync", CAUSE_COPIES},
		{KIND_ANNOTATION, "compute_metrics", CAUSE_HOST_WORK},
		{KIND_ANNOTATION, "## AUCMetric:update ##", CAUSE_HOST_WORK},
		{KIND_PYTHON, "torch_geometric/nn/conv/gcn_conv.py(241): forward", CAUSE_HOST_COMPUTE},
		{KIND_PYTHON, "vllm/pynccl_allocator.py(48): is_symmetric_memory_enabled", CAUSE_HOST_COMPUTE},
		{KIND_PYTHON, "diffusers/utils/peft_utils.py(126): unscale_lora_layers", CAUSE_HOST_COMPUTE},
		{KIND_PYTHON, "flashinfer/autotuner.py(400): choose_one", CAUSE_HOST_COMPUTE},
		{KIND_PYTHON, "triton/compiler/compiler.py(481): run", CAUSE_HOST_COMPUTE},
		{KIND_PYTHON, "triton/compiler/compiler.py(226): compile", CAUSE_COMPILE},
		{KIND_PYTHON, "train.py(10): loop",
		 CAUSE_HOST_COMPUTE}, /* the interpreter stays in no frame for 8 ms */
		{KIND_PYTHON, "<built-in function collect>", CAUSE_PYTHON},
		{KIND_PYTHON, "<built-in method acquire of _thread.lock object at 0x7f>", CAUSE_HOST_WAIT},
		{KIND_OVERHEAD, "Activity Buffer Request", CAUSE_PROFILER},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (with_event(known[i].kind, 1, known[i].name, known[i].cause) < 8000)
			fail_msg("%s is not %s", known[i].name, cause_word(known[i].cause));
}

/* Copying to the host and writing are saving, whatever the innermost event is; loading is not. */
static void a_checkpoint_is_known_by_what_is_around(void **state)
{
	(void)state;
	static const struct {
		enum event_kind kind, of;
		const char *around, *inside;
		enum cause cause;
		bool saves;
	} cases[] = {
		{KIND_ANNOTATION, KIND_OP, "save_checkpoint", "aten::copy_", CAUSE_HOST_WORK, true},
		{KIND_PYTHON, KIND_RUNTIME, "torch/serialization.py(944): _save", "cudaStreamSynchronize", CAUSE_SYNC,
		 true},
		{KIND_PYTHON, KIND_RUNTIME, "torch/serialization.py(1200): load", "cudaStreamSynchronize", CAUSE_SYNC,
		 false},
		{KIND_OP, KIND_OTHER, "EagerLocalExecute: SaveV2", "KernelAndDeviceFunc::Run", CAUSE_HOST_WORK, true},
		{KIND_ANNOTATION, KIND_OP, "load_checkpoint", "aten::copy_", CAUSE_HOST_WORK, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct build b = apart();
		host_event(&b, cases[i].kind, 1, cases[i].around, 2000, 8000);
		host_event(&b, cases[i].of, 1, cases[i].inside, 2100, 7800);
		struct derived *d = derive(&b);
		const struct table *t = ask(d, "idle_causes");
		const char *advice = text_of(t, row_that_says(t, "cause", cause_word(cases[i].cause)), "advice");
		if ((strstr(advice, "Save checkpoints less often") != NULL) != cases[i].saves)
			fail_msg("%s in %s: %s", cases[i].inside, cases[i].around, advice);
		ask_done(d);
	}
}

/* A frame that a whole step lies in is where the program is, whatever its file is called. */
static void what_holds_a_step_is_no_cause(void **state)
{
	(void)state;
	for (int held = 0; held < 2; held++) {
		struct build b = apart();
		host_event(&b, KIND_PYTHON, 1, "checkpoint_bench/train.py(7): run", 5, 30000);
		profiler_step(&b, 1, 1, held ? 10 : 0, 20000);
		assert_int_equal(us_of(&b, CAUSE_HOST_WORK) > 5000, !held);
	}
}

static void what_is_not_recorded_has_no_other_cause(void **state)
{
	(void)state;
	struct build b = apart();
	assert_int_equal(us_of(&b, CAUSE_UNKNOWN), 9900 + 70); /* until the launch; held back from 20 us after it on */
	b = apart();
	assert_int_equal(us_of(&b, CAUSE_LAUNCH), 30);
}

static void a_moment_counts_once(void **state)
{
	(void)state;
	struct build b = apart();
	op(&b, 1, "enumerate(DataLoader)", 2000, 6000);
	host_event(&b, KIND_RUNTIME, 1, "cudaMalloc", 3000, 1000); /* inside: it is input */
	host_event(&b, KIND_RUNTIME, 1, "cudaMalloc", 8500, 500);
	struct derived *d = derive(&b);
	assert_int_equal(idle_of(d, CAUSE_INPUT), US(6000));
	assert_int_equal(idle_of(d, CAUSE_ALLOCATOR), US(500));
	assert_adds_up(d);
	ask_done(d);
}

static void another_thread_tells_where_the_own_one_is_silent(void **state)
{
	(void)state;
	assert_int_equal(with_event(KIND_RUNTIME, 5, "hipFree", CAUSE_ALLOCATOR), 8000);
	struct build b = apart(); /* the own thread waits for the other one in a frame */
	host_event(&b, KIND_PYTHON, 1, "autograd/__init__.py(300): backward", 1500, 9000);
	host_event(&b, KIND_RUNTIME, 5, "hipFree", 2000, 8000);
	assert_int_equal(us_of(&b, CAUSE_ALLOCATOR), 8000);
	b = apart(); /* it knows better itself */
	op(&b, 1, "IteratorGetNext", 2000, 8000);
	host_event(&b, KIND_RUNTIME, 5, "hipFree", 2000, 8000);
	assert_int_equal(us_of(&b, CAUSE_ALLOCATOR), 0);
	b = apart(); /* another process */
	build_pid(&b, 77);
	host_event(&b, KIND_RUNTIME, 5, "hipFree", 2000, 8000);
	assert_int_equal(us_of(&b, CAUSE_ALLOCATOR), 0);
}

static void ops_within_a_millisecond_are_handed_over(void **state)
{
	(void)state;
	struct build b = apart();
	for (int i = 0; i < 80; i++)
		op(&b, 1, "aten::add_", 2000 + 100 * i, 100);
	assert_int_equal(us_of(&b, CAUSE_LAUNCH), 8000 + 30);
}

static void the_first_call_of_an_op_may_be_start_up(void **state)
{
	(void)state;
	for (int slow = 0; slow < 2; slow++) { /* once it is slow every time */
		struct build b = apart();
		op(&b, 1, "aten::mm", 2000, 5000);
		for (int i = 0; i < 4; i++)
			op(&b, 1, "aten::mm", 12000 + 6000 * i, slow ? 5000 : 100);
		assert_int_equal(us_of(&b, CAUSE_COMPILE), slow ? 0 : 5000);
	}
}

static void what_runs_while_a_graph_is_captured_is_start_up(void **state)
{
	(void)state;
	struct build b = apart();
	host_event(&b, KIND_RUNTIME, 1, "hipStreamBeginCapture", 2000, 10);
	host_event(&b, KIND_PYTHON, 1, "model.py(1): forward", 2500, 6000);
	host_event(&b, KIND_RUNTIME, 1, "hipStreamEndCapture", 9000, 10);
	assert_int_equal(us_of(&b, CAUSE_COMPILE), 6000 + 20);
	b = apart(); /* the capture has the name of what holds all of it, not of what it runs */
	host_event(&b, KIND_ANNOTATION, 1, "capture the model", 1990, 7100);
	host_event(&b, KIND_RUNTIME, 1, "hipStreamBeginCapture", 2000, 10);
	host_event(&b, KIND_ANNOTATION, 1, "Pregraph bytecode", 2500, 6000);
	host_event(&b, KIND_RUNTIME, 1, "hipStreamEndCapture", 9000, 10);
	struct derived *d = derive(&b);
	const struct table *t = ask(d, "idle_causes");
	uint32_t row = row_that_says(t, "cause", cause_word(CAUSE_COMPILE));
	assert_string_equal(text_of(t, row, "main_event"), "capture the model");
	ask_done(d);
}

static void an_op_of_a_thread_that_never_launches_hands_nothing_over(void **state)
{
	(void)state;
	for (int launches = 0; launches < 2; launches++) {
		struct build b = apart();
		for (int i = 0; i < 5; i++)
			op(&b, 2, "aten::resize_", 2000 + 900 * i, 800);
		if (launches)
			host_event(&b, KIND_RUNTIME, 2, "cudaStreamIsCapturing", 9000, 5);
		assert_int_equal(us_of(&b, CAUSE_LAUNCH) >= 4000, launches);
	}
}

/* Thread 1 launches before the idle time of 10 ms, and is in a frame for most of it; thread 2 launches after it, as autograd's does. */
static struct build handed_over(const char *frame, double dur_us)
{
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	kernel(&b, 0, 7, "a", 10, 990, 1);
	host_event(&b, KIND_PYTHON, 1, frame, 10800 - dur_us, dur_us);
	launch(&b, 2, 10900, 10, 2);
	kernel(&b, 0, 7, "b", 11000, 1000, 2);
	launch(&b, 2, 10920, 10, 3);
	kernel(&b, 0, 7, "b", 12000, 1000, 3);
	return b;
}

/* Nobody runs Python while garbage is collected, and what else the thread of the forward pass computes keeps the other one waiting. */
static void what_the_thread_of_the_forward_pass_does_tells_before_the_backward_pass(void **state)
{
	(void)state;
	static const struct {
		const char *frame;
		double us;
		enum cause cause;
	} cases[] = {
		{"<built-in function collect>", 9700, CAUSE_PYTHON},
		{"train.py(12): loss", 9700, CAUSE_HOST_COMPUTE},
		{"train.py(12): loss", 700, CAUSE_PYTHON},
		{"torch/utils/data/dataloader.py(1): __next__", 9700, CAUSE_INPUT},
		{"<built-in method run_backward of torch._C._EngineBase object at 0x7f>", 700, CAUSE_LAUNCH},
		/* the other thread does something that nobody recorded */
		{"<built-in method run_backward of torch._C._EngineBase object at 0x7f>", 9700, CAUSE_UNKNOWN},
		{"<built-in method evaluate of Tree object at 0x7f>", 9700, CAUSE_UNKNOWN},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct build b = handed_over(cases[i].frame, cases[i].us);
		struct derived *d = derive(&b);
		int64_t ns = idle_of(d, cases[i].cause);
		if (ns < US(cases[i].us) || ns > US(cases[i].us + 300 + (cases[i].cause == CAUSE_UNKNOWN ? 300 : 0)))
			fail_msg("%s: %lld ns are %s", cases[i].frame, (long long)ns, cause_word(cases[i].cause));
		ask_done(d);
	}
}

/* JAX's Python thread hands programs over to threads that launch: the interpreter goes from frame to frame meanwhile. What stays in one
 * frame may wait, and so does what a rule knows. */
static void frames_of_a_thread_that_never_launches_tell_while_they_change(void **state)
{
	(void)state;
	static const struct {
		const char *around;
		double each_us;
		bool tells;
	} cases[] = {{"$train.py:7 step", 500, true},
		     {"$train.py:7 step", 4000, false},
		     {"$api.py:9 block_until_ready", 500, false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct build b = apart();
		host_event(&b, KIND_PYTHON, 9, cases[i].around, 1500, 9000);
		for (double at = 0; at < 8000; at += cases[i].each_us)
			host_event(&b, KIND_PYTHON, 9, "$array.py:3 index", 2000 + at, cases[i].each_us);
		assert_int_equal(us_of(&b, CAUSE_PYTHON) >= 8000, cases[i].tells);
	}
}

/* By as much as the call had waited the thread would have been ahead without it. */
static void a_drained_queue_costs_what_the_call_waited(void **state)
{
	(void)state;
	struct build b = apart();
	host_event(&b, KIND_RUNTIME, 1, "cudaStreamSynchronize", 500, 600);
	host_event(&b, KIND_PYTHON, 1, "train.py(10): loop", 1200, 9000);
	struct derived *d = derive(&b);
	assert_int_equal(idle_of(d, CAUSE_SYNC), US(500));
	assert_int_equal(idle_of(d, CAUSE_HOST_COMPUTE), US(8700));
	ask_done(d);
}

static void a_drained_queue_costs_a_millisecond_at_most(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	kernel(&b, 0, 7, "a", 20, 4980, 1);
	host_event(&b, KIND_RUNTIME, 1, "cudaStreamSynchronize", 500, 4510);
	host_event(&b, KIND_PYTHON, 1, "train.py(10): loop", 5020, 4900);
	launch(&b, 1, 10000, 5, 2);
	kernel(&b, 0, 7, "b", 10005, 100, 2);
	struct derived *d = derive(&b);
	assert_int_equal(idle_of(d, CAUSE_SYNC), US(1000));
	ask_done(d);
}

/* The next replay is one call: what the host does before it is no part of launching, and no part of the wait either. */
static void the_host_work_behind_a_replayed_graph_is_its_own(void **state)
{
	(void)state;
	static const char *const calls[] = {"cudaGraphLaunch", "cudaLaunchKernel"};
	for (int replays = 0; replays < 2; replays++) {
		struct build b = build_new("kineto");
		host_event(&b, KIND_RUNTIME, 1, calls[!replays], 0, 10);
		kernel(&b, 0, 7, "a", 20, 4980, 0);
		host_event(&b, KIND_RUNTIME, 1, "cudaMemcpyAsync", 30, 5);
		host_event(&b, KIND_RUNTIME, 1, "cudaStreamSynchronize", 500, 4510);
		host_event(&b, KIND_PYTHON, 1, "server/scheduler.py(171): schedule", 5020, 4900);
		launch(&b, 1, 10000, 5, 2);
		kernel(&b, 0, 7, "b", 10005, 100, 2);
		struct derived *d = derive(&b);
		assert_int_equal(idle_of(d, CAUSE_SYNC),
				 replays ? US(10) : US(1000)); /* what the call itself still takes */
		assert_int_equal(idle_of(d, CAUSE_HOST_COMPUTE), replays ? US(4900) : US(3920));
		ask_done(d);
	}
}

/* The first kernel ends at 1,000 us; the second, launched at that time, starts so much later than it could. */
static struct build launched_at(double us, double idle_us)
{
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	launch(&b, 1, us, 4, 2);
	kernel(&b, 0, 7, "a", 20, 980, 1);
	kernel(&b, 0, 7, "b", 1000 + idle_us, 100, 2);
	return b;
}

static struct build held(double idle_us)
{
	return launched_at(6, idle_us);
}

static void queued_work_is_held_back_by_what_is_recorded(void **state)
{
	(void)state;
	struct build b = launched_at(700, 400); /* and begins 696 us after its launch: too soon to tell */
	assert_int_equal(us_of(&b, CAUSE_UNKNOWN), 400);
	b = launched_at(700, 400);
	host_event(&b, KIND_RUNTIME, 1, "hipMemcpyWithStream", 710, 700); /* the host waits meanwhile */
	assert_int_equal(us_of(&b, CAUSE_SYNC), 400);
	b = held(400); /* from a millisecond on what held it is not in the file, */
	assert_int_equal(us_of(&b, CAUSE_HELD), 400);
	b = held(400);
	host_event(&b, KIND_RUNTIME, 1, "hipMemcpyWithStream", 50, 1400); /* which is none of the call that waits, */
	assert_int_equal(us_of(&b, CAUSE_HELD), 400);
	b = held(60); /* but for what is as short as a launch, */
	assert_int_equal(us_of(&b, CAUSE_UNKNOWN), 60);
	b = held(5000);
	assert_int_equal(us_of(&b, CAUSE_HELD), 5000);
	b = held(5000);
	host_event(&b, KIND_RUNTIME, 1, "hipMemcpyWithStream", 50, 5900); /* whether or not the host waits, */
	assert_int_equal(us_of(&b, CAUSE_HELD), 5000);
	b = held(5000);
	kernel(&b, 1, 7, "other", 900, 6000, 0); /* but for another device */
	assert_int_equal(us_of(&b, CAUSE_SYNC), 5000);
	b = held(8); /* the device's own latency */
	assert_int_equal(us_of(&b, CAUSE_LAUNCH), 8);
	b = held(400);
	kernel(&b, 1, 7, "other", 900, 600, 0); /* another device works meanwhile */
	assert_int_equal(us_of(&b, CAUSE_SYNC), 400);
}

/* Work that stood ready before the call that waits: the call is not what held it, and every table says the same. */
static void a_call_that_waits_does_not_hold_work_back(void **state)
{
	(void)state;
	static const char *const own[] = {"cause", "main_event", "advice"};
	struct build b = held(5000);
	host_event(&b, KIND_RUNTIME, 1, "hipMemcpyWithStream", 50, 5900);
	struct derived *d = derive(&b);
	struct table *causes = ask(d, "idle_causes"), *verdicts = ask(d, "verdicts"), *groups = ask(d, "gap_groups"),
		     *gaps = ask(d, "gaps"), *idle = ask(d, "idle");
	assert_string_equal(text_of(causes, 0, "cause"), "held back");
	assert_string_equal(text_of(causes, 0, "main_event"), "b");
	assert_string_equal(text_of(causes, 0, "held_stream"), "stream 7");
	assert_non_null(strstr(text_of(causes, 0, "advice"), "Start recording earlier"));
	assert_non_null(strstr(text_of(verdicts, 0, "what"), "what held it back is not in the file"));
	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		assert_string_equal(text_of(verdicts, 0, own[i]), text_of(causes, 0, own[i]));
		assert_string_equal(text_of(groups, 0, own[i]), text_of(causes, 0, own[i]));
	}
	assert_string_equal(text_of(gaps, 0, "cause"), "held back");
	assert_int_equal(int_of(idle, 0, "held_back_ns"), US(5000));
	assert_true(cell_of(verdicts, 0, "lost_ns")->null && cell_of(groups, 0, "lost_ns")->null &&
		    cell_of(gaps, 0, "lost_ns")->null && cell_of(causes, 0, "lost_ns")->null);
	ask_done(d);
}

static void an_empty_stretch_under_a_crowd_is_contention(void **state)
{
	(void)state;
	struct build b = apart();
	for (uint32_t i = 0; i < 8; i++)
		host_event(&b, KIND_ANNOTATION, 10 + i, "Iterator::ParallelMap", 1500, 9000);
	assert_int_equal(us_of(&b, CAUSE_CONTENTION), 9000);
	b = apart();
	for (uint32_t i = 0; i < 3; i++)
		host_event(&b, KIND_ANNOTATION, 10 + i, "Iterator::ParallelMap", 1500, 9000);
	assert_int_equal(us_of(&b, CAUSE_CONTENTION), 0);
}

static void without_launches_any_thread_tells(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "a", 0, 1000, 0);
	kernel(&b, 0, 7, "b", 11000, 1000, 0);
	host_event(&b, KIND_ANNOTATION, 3, "transpose on the host", 2000, 8000);
	assert_int_equal(us_of(&b, CAUSE_HOST_COMPUTE), 8000);
}

static void steps_count_from_begin_to_end(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	profiler_step(&b, 1, 1, 0, 20000);
	op(&b, 1, "enumerate(DataLoader)", 100, 8000);
	launch(&b, 1, 9000, 10, 1);
	kernel(&b, 0, 7, "a", 9020, 8000, 1);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "idle_causes");
	uint32_t row = row_that_says(t, "cause", "input wait");
	assert_int_equal(int_of(t, row, "idle_ns"), 0);
	assert_int_equal(int_of(t, row, "edge_ns"), US(8000));
	assert_int_equal(int_of(t, row, "lost_ns"), US(8000));
	assert_int_equal(int_of(t, row, "watched_ns"), US(20000));
	ask_done(d);
}

/* Where the first step is a steady one, its wait before its first work is no start-up. */
static void a_steady_first_step_waits_as_the_others_do(void **state)
{
	(void)state;
	struct build b = build_new("kineto");
	for (uint64_t i = 0; i < 8; i++) {
		int64_t at = (int64_t)i * 20000;
		profiler_step(&b, 1, (int64_t)i + 1, at, 20000);
		op(&b, 1, "enumerate(DataLoader)", at + 100, 8000);
		launch(&b, 1, at + 9000, 10, i + 1);
		kernel(&b, 0, 7, "a", at + 9020, 10900, i + 1);
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "idle_causes");
	uint32_t row = row_that_says(t, "cause", "input wait");
	assert_int_equal(int_of(t, row, "edge_ns"), US(8000));
	assert_int_equal(int_of(t, row, "startup_ns"), 0);
	assert_int_equal(int_of(t, row, "lost_ns"), US(8 * 8000));
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_class_has_its_events),
		cmocka_unit_test(a_checkpoint_is_known_by_what_is_around),
		cmocka_unit_test(what_holds_a_step_is_no_cause),
		cmocka_unit_test(what_is_not_recorded_has_no_other_cause),
		cmocka_unit_test(a_moment_counts_once),
		cmocka_unit_test(another_thread_tells_where_the_own_one_is_silent),
		cmocka_unit_test(ops_within_a_millisecond_are_handed_over),
		cmocka_unit_test(the_first_call_of_an_op_may_be_start_up),
		cmocka_unit_test(what_runs_while_a_graph_is_captured_is_start_up),
		cmocka_unit_test(an_op_of_a_thread_that_never_launches_hands_nothing_over),
		cmocka_unit_test(what_the_thread_of_the_forward_pass_does_tells_before_the_backward_pass),
		cmocka_unit_test(frames_of_a_thread_that_never_launches_tell_while_they_change),
		cmocka_unit_test(a_drained_queue_costs_what_the_call_waited),
		cmocka_unit_test(a_drained_queue_costs_a_millisecond_at_most),
		cmocka_unit_test(the_host_work_behind_a_replayed_graph_is_its_own),
		cmocka_unit_test(queued_work_is_held_back_by_what_is_recorded),
		cmocka_unit_test(a_call_that_waits_does_not_hold_work_back),
		cmocka_unit_test(an_empty_stretch_under_a_crowd_is_contention),
		cmocka_unit_test(without_launches_any_thread_tells),
		cmocka_unit_test(steps_count_from_begin_to_end),
		cmocka_unit_test(a_steady_first_step_waits_as_the_others_do),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
