/* Table threads: what a thread is for, when the launching ones are quiet, who prepares input meanwhile, who is on a CPU. */
#include "tests/unit/ask.h"
#include "tests/unit/scenes.h"

/* Two kernels of 1 ms with 10 ms between them; the second is launched 9.9 ms into the gap by a call of 10 us, the first from 0 us
 * on: the thread is quiet for 9900 us and, after the call, for 90 us. */
static struct build apart(void)
{
	struct build b = build_new("kineto");
	launch(&b, 1, 0, 5, 1);
	kernel(&b, 0, 7, "a", 10, 990, 1);
	launch(&b, 1, 10900, 10, 2);
	kernel(&b, 0, 7, "b", 11000, 1000, 2);
	return b;
}

enum { QUIET_US = 9900 + 90 };

static void name_thread(struct build *b, int64_t tid, const char *name)
{
	ingest_track_info(b->in, build_thread(b, tid))->name = build_text(b, name);
}

static void lane(struct build *b, int64_t tid, const char *cpu, double start_us, double dur_us)
{
	uint32_t track = ingest_track(b->in, TRACK_OTHER, ingest_process(b->in, b->host, b->pid), tid,
				      build_text(b, "on a CPU"));
	struct event_in e = build_event(b, KIND_OTHER, track, cpu, start_us, dur_us);
	build_add(b, &e);
}

static void assert_us(const struct table *t, uint32_t row, const char *column, int64_t us)
{
	assert_int_equal(int_of(t, row, column), us * 1000);
}

static void a_launching_thread_is_quiet_where_it_and_the_device_record_nothing(void **state)
{
	(void)state;
	struct build b = apart();
	host_event(&b, KIND_PYTHON, 1, "train.py(1): main", 0, 12000); /* a frame says nothing of work */
	profiler_step(&b, 1, 1, 0, 12000);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "threads");
	assert_int_equal(t->n_rows, 1);
	assert_string_equal(text_of(t, 0, "thread_role"), "launch");
	assert_us(t, 0, "quiet_ns", QUIET_US);
	assert_true(cell_of(t, 0, "input_beside_ns")->null);
	assert_true(cell_of(t, 0, "off_cpu_ns")->null && cell_of(t, 0, "cpus")->null);
	ask_done(d);
	b = apart();
	op(&b, 1, "aten::add", 2000, 3000);
	d = derive(&b);
	assert_us(ask(d, "threads"), 0, "quiet_ns", QUIET_US - 3000);
	ask_done(d);
	b = apart();
	op(&b, 1, "FSDP::pre_forward (block._checkpoint_wrapped_module)", 2000, 3000); /* tells no cause, but is work */
	d = derive(&b);
	assert_us(ask(d, "threads"), 0, "quiet_ns", QUIET_US - 3000);
	ask_done(d);
}

static void another_thread_that_launches_for_the_device_ends_the_quiet(void **state)
{
	(void)state;
	struct build b = apart();
	launch(&b, 2, 4000, 5, 3);
	kernel(&b, 0, 7, "c", 4005, 995, 3);
	name_thread(&b, 2, "thread 2 (pt_autograd_0)");
	op(&b, 2, "MulBackward0", 6000, 500);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "threads");
	assert_int_equal(t->n_rows, 2);
	for (uint32_t row = 0; row < 2; row++)
		assert_us(t, row, "quiet_ns", QUIET_US - 1000 - 500);
	assert_string_equal(text_of(t, 0, "thread_role"), "launch");
	assert_string_equal(text_of(t, 1, "thread_role"), "autograd");
	ask_done(d);
}

static void input_threads_are_seen_beside_it(void **state)
{
	(void)state;
	struct build b = apart();
	host_event(&b, KIND_ANNOTATION, 10, "Iterator::ParallelMap", 500,
		   2500); /* until 3000; the device works until 1000 */
	host_event(&b, KIND_ANNOTATION, 11, "Iterator::ParallelMap", 2000, 2000);
	host_event(&b, KIND_ANNOTATION, 11, "wait for an element", 3500, 500); /* nested */
	op(&b, 12, "aten::mul", 2000, 6000);                                   /* no input */
	struct derived *d = derive(&b);
	struct table *t = ask(d, "threads");
	assert_int_equal(t->n_rows, 4);
	assert_us(t, 0, "input_beside_ns", 2500); /* both together: 1000 to 3500 */
	assert_string_equal(text_of(t, 1, "thread_role"), "input");
	assert_us(t, 1, "input_beside_ns", 2000);
	assert_us(t, 2, "input_beside_ns", 1500);
	assert_string_equal(text_of(t, 3, "thread_role"), "other");
	assert_true(cell_of(t, 3, "input_beside_ns")->null);
	t = ask_window(d, "threads", US(2500), US(11500));
	assert_us(t, 0, "quiet_ns", 8400 + 90);
	assert_us(t, 0, "input_beside_ns", 1000);
	ask_done(d);
}

static void input_threads_of_another_host_do_not_count(void **state)
{
	(void)state;
	struct build b = apart();
	build_host(&b, "other", -1);
	host_event(&b, KIND_ANNOTATION, 10, "Iterator::ParallelMap", 500, 2500);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "threads");
	assert_true(cell_of(t, 0, "input_beside_ns")->null);
	assert_int_equal(int_of(t, 1, "input_beside_ns"), 0);
	ask_done(d);
}

static void times_off_the_cpus_are_told_where_they_are_recorded(void **state)
{
	(void)state;
	struct build b = apart();
	lane(&b, 1, "CPU 3", 0, 2000);
	lane(&b, 1, "CPU 5", 8000, 2000);
	lane(&b, 1, "CPU 3", 10500, 1500);
	op(&b, 2, "aten::mul", 2000, 100);
	lane(&b, 2, "CPU 5", 2000, 100);
	struct derived *d = derive(&b);
	struct table *t = ask(d, "threads");
	assert_us(t, 0, "off_cpu_ns", 6000 + 500);
	assert_int_equal(int_of(t, 0, "cpus"), 2);
	assert_true(cell_of(t, 1, "off_cpu_ns")->null);
	assert_int_equal(int_of(t, 1, "cpus"), 1);
	ask_done(d);
}

static void names_tell_what_threads_are_for(void **state)
{
	(void)state;
	static const struct {
		const char *name, *role;
	} known[] = {{"pt_nccl_watchdg", "NCCL watchdog"},
		     {"pt_nccl_heartbt", "NCCL heartbeat"},
		     {"NCCL Progress 0", "NCCL proxy"},
		     {"ncclProxyService", "NCCL proxy"},
		     {"CUPTI worker th", "profiler"},
		     {"thread 7 (pt_autograd_1)", "autograd"},
		     {"python3", "other"},
		     {"tf_Compute/1", "lane"},
		     {"pt_data_pin", "input"}};
	struct build b = apart();
	for (uint32_t i = 0; i < sizeof known / sizeof *known; i++) {
		op(&b, 20 + i, "aten::mul", 100, 100);
		name_thread(&b, 20 + i, known[i].name);
	}
	struct derived *d = derive(&b);
	struct table *t = ask(d, "threads");
	for (uint32_t i = 0; i < sizeof known / sizeof *known; i++)
		assert_string_equal(text_of(t, i + 1, "thread_role"), known[i].role);
	ask_done(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_launching_thread_is_quiet_where_it_and_the_device_record_nothing),
		cmocka_unit_test(another_thread_that_launches_for_the_device_ends_the_quiet),
		cmocka_unit_test(input_threads_are_seen_beside_it),
		cmocka_unit_test(input_threads_of_another_host_do_not_count),
		cmocka_unit_test(times_off_the_cpus_are_told_where_they_are_recorded),
		cmocka_unit_test(names_tell_what_threads_are_for),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
