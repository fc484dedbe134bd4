/* XSpace planes and lines: which become devices, streams, lanes, threads; what the file says about itself. */
#include "tests/unit/xspace_write.h"

/* A plane with one line and one event named "x" on it, 1 us long. */
static struct bytes plane_with_line(const char *plane, int64_t line_id, const char *line)
{
	struct bytes p = plane_of(plane), l = line_of(line_id, line, 0), e = event_of(1, 0, 1000000);
	line_event(&l, &e);
	plane_line(&p, &l);
	name_event(&p, 1, "x");
	return p;
}

static void add_plane(struct bytes *space, const struct bytes *plane)
{
	add_block(space, 1, plane);
}

static void plane_stat(struct bytes *p, int64_t key, const char *name, unsigned form, int64_t v)
{
	add_stat(p, 6, key, form, v);
	name_stat(p, key, name);
}

/* ---- devices ------------------------------------------------------------------------------------------------------ */
static void an_idle_gpu_is_a_device_all_the_same(void **state)
{
	(void)state;
	struct bytes p = plane_of("/device:GPU:3");
	plane_stat(&p, 1, "core_count", 4, 80);
	plane_stat(&p, 2, "clock_rate", 4, 1530000);
	plane_stat(&p, 3, "memory_size", 3, INT64_C(16945512448));
	plane_stat(&p, 4, "memory_bandwidth", 3, INT64_C(898048000000));
	plane_stat(&p, 5, "compute_cap_major", 4, 7);
	plane_stat(&p, 6, "compute_cap_minor", 4, 0);
	add_stat_text(&p, 6, 7, "Nvidia");
	name_stat(&p, 7, "device_vendor");
	add_stat_text(&p, 6, 8, "Tesla V100");
	name_stat(&p, 8, "gpu_device_name");
	struct loaded t = load_plane(&p);
	assert_int_equal(trace_devices(t.trace), 1);
	const struct device *d = trace_device(t.trace, 0);
	assert_int_equal(d->ordinal, 3);
	assert_int_equal(d->sms, 80);
	assert_int_equal(d->clock_khz, 1530000);
	assert_int_equal(d->memory_bytes, INT64_C(16945512448));
	assert_int_equal(d->memory_bytes_per_s, INT64_C(898048000000));
	assert_int_equal(d->cc_major, 7);
	assert_int_equal(d->cc_minor, 0);
	assert_string_equal(trace_str(t.trace, d->vendor), "Nvidia");
	assert_string_equal(trace_str(t.trace, d->name), "Tesla V100");
	unload(&t);
}

static void what_a_plane_does_not_say_is_unknown(void **state)
{
	(void)state;
	struct bytes p = plane_of("/device:GPU:0");
	struct loaded t = load_plane(&p);
	assert_int_equal(trace_device(t.trace, 0)->sms, UNKNOWN_I64);
	assert_int_equal(trace_device(t.trace, 0)->name, 0);
	unload(&t);
}

static void a_tpu_beside_a_gpu_is_another_device(void **state)
{
	(void)state;
	struct bytes space = {0}, gpu = plane_with_line("/device:GPU:0", 1, "Stream #1");
	struct bytes tpu = plane_with_line("/device:TPU:0", 3, "XLA Ops");
	struct bytes sparse = plane_with_line("/device:TPU:0 SparseCore 1", 3, "Sparse Core Ops");
	add_plane(&space, &gpu);
	add_plane(&space, &tpu);
	add_plane(&space, &sparse);
	struct loaded t = load_space(&space);
	assert_int_equal(trace_devices(t.trace), 2);
	assert_int_equal(trace_tracks(t.trace), 3);
	unload(&t);
}

/* ---- device lines ------------------------------------------------------------------------------------------------- */
static void a_stream_is_known_by_its_id(void **state)
{
	(void)state;
	struct bytes p = plane_with_line("/device:GPU:0", 14, "Stream #14(Compute,MemcpyD2D)");
	struct loaded t = load_plane(&p);
	assert_int_equal(track_of(&t, 0)->kind, TRACK_STREAM);
	assert_int_equal(track_of(&t, 0)->key, 14);
	assert_string_equal(trace_str(t.trace, track_of(&t, 0)->name), "Stream #14(Compute,MemcpyD2D)");
	unload(&t);
}

static void lines_of_one_id_are_one_timeline(void **state)
{
	(void)state;
	struct bytes p = plane_of("/device:GPU:0"), a = line_of(14, "Stream #14", 0),
		     b = line_of(14, "Stream #14", 7000);
	struct bytes e = event_of(1, 0, 1000000);
	line_event(&a, &e);
	line_event(&b, &e);
	plane_line(&p, &a);
	plane_line(&p, &b);
	name_event(&p, 1, "x");
	struct loaded t = load_plane(&p);
	assert_int_equal(trace_tracks(t.trace), 1);
	assert_int_equal(start_of(&t, 1) - start_of(&t, 0), 7000);
	unload(&t);
}

static void the_display_name_and_order_of_a_line(void **state)
{
	(void)state;
	struct bytes p = plane_of("/device:GPU:0"), l = line_of(14, "raw", 0), e = event_of(1, 0, 1000);
	line_event(&l, &e);
	add_number(&l, 10, 3);
	add_text(&l, 11, "shown");
	plane_line(&p, &l);
	struct loaded t = load_plane(&p);
	assert_string_equal(trace_str(t.trace, track_of(&t, 0)->name), "shown");
	assert_int_equal(track_of(&t, 0)->sort, 3);
	assert_int_equal(track_of(&t, 0)->key, 14);
	unload(&t);
}

static void is_derived(const char *line, int64_t id, int64_t key, const char *lane)
{
	struct bytes p = plane_with_line("/device:GPU:0", id, line);
	struct loaded t = load_plane(&p);
	assert_int_equal(track_of(&t, 0)->kind, TRACK_STREAM_LANE);
	assert_true(track_of(&t, 0)->derived_by_producer);
	assert_int_equal(track_of(&t, 0)->key, key);
	assert_string_equal(trace_str(t.trace, track_of(&t, 0)->lane), lane);
	assert_string_equal(kind_of_row(&t, 0), "device_range");
	unload(&t);
}

static void derived_lanes_are_no_work(void **state)
{
	(void)state;
	is_derived("Steps", -559038737, -559038737, "Steps");
	is_derived("TensorFlow Name Scope", -559038735, -559038735, "TensorFlow Name Scope");
	is_derived("TensorFlow Ops", 5, 5, "TensorFlow Ops");
	is_derived("whatever it is called", -559038737 + 290, -559038737 + 290, "whatever it is called");
}

static void a_derived_lane_names_its_stream(void **state)
{
	(void)state;
	is_derived("XLA Ops - from #14", -559038737 + 293, 14, "XLA Ops");
	is_derived("Framework Name Scope - from #7", 12, 7, "Framework Name Scope");
}

static void ids_around_the_derived_range_are_streams(void **state)
{
	(void)state;
	struct bytes p = plane_with_line("/device:GPU:0", -559038738, "Stream #x");
	struct loaded t = load_plane(&p);
	assert_int_equal(track_of(&t, 0)->kind, TRACK_STREAM);
	unload(&t);
}

static void the_ops_of_a_tpu_are_its_work(void **state)
{
	(void)state;
	struct bytes space = {0}, ops = plane_with_line("/device:TPU:0", 3, "XLA Ops");
	struct bytes modules = plane_with_line("/device:TPU:0", 2, "XLA Modules");
	add_plane(&space, &ops);
	add_plane(&space, &modules);
	struct loaded t = load_space(&space);
	for (row_id r = 0; r < 2; r++) {
		bool work = track_of(&t, r)->key == 3;
		assert_string_equal(kind_of_row(&t, r), work ? "device_other" : "device_range");
		assert_int_equal(track_of(&t, r)->kind, work ? TRACK_STREAM : TRACK_STREAM_LANE);
		assert_false(track_of(&t, r)->derived_by_producer);
	}
	unload(&t);
}

static void counters_become_samples(void **state)
{
	(void)state;
	struct bytes p = plane_of("/device:GPU:1"), l = line_of(900, "_counters_", 0);
	struct bytes e = event_of(1, 2000000, 0), bad = event_of(1, 3000000, 0), kernel = event_of(2, 0, 9000000);
	struct bytes stream = line_of(1, "Stream #1", 0);
	stat_double(&e, 5, 212.5);
	stat_text(&bad, 5, "none");
	line_event(&l, &e);
	line_event(&l, &bad);
	line_event(&stream, &kernel);
	plane_line(&p, &l);
	plane_line(&p, &stream);
	name_event(&p, 1, "power_mw");
	name_event(&p, 2, "k");
	name_stat(&p, 5, "value");
	struct loaded t = load_plane(&p);
	const struct sample *s;
	uint64_t samples = 0;
	for (uint32_t i = 0; i < trace_tracks(t.trace); i++)
		if (trace_track(t.trace, i)->kind == TRACK_COUNTER) {
			samples = trace_samples(t.trace, i, &s);
			assert_string_equal(trace_str(t.trace, trace_track(t.trace, i)->lane), "GPU 1 power_mw");
		}
	assert_int_equal(samples, 1);
	assert_int_equal(s[0].ts_ns, 2000);
	assert_float_equal(s[0].value, 212.5, 0.001);
	assert_int_equal(count_of(&t, NOTE_COUNTER_NOT_NUMBER), 1);
	unload(&t);
}

/* ---- host lines --------------------------------------------------------------------------------------------------- */
static void callbacks_join_the_thread_that_made_them(void **state)
{
	(void)state;
	struct bytes space = {0}, cupti = plane_with_line("/host:CUPTI", 4711, "Host Threads/4711");
	struct bytes cpu = plane_with_line("/host:CPU", 4711, "python");
	struct bytes nvtx = plane_with_line("/host:NVTX-CUPTI", INT64_C(1) << 32, "Host Threads/4711/NVTX");
	add_plane(&space, &cupti);
	add_plane(&space, &cpu);
	add_plane(&space, &nvtx);
	struct loaded t = load_space(&space);
	assert_int_equal(trace_processes(t.trace), 1);
	assert_int_equal(trace_tracks(t.trace), 1);
	assert_int_equal(track_of(&t, 0)->key, 4711);
	assert_string_equal(trace_str(t.trace, track_of(&t, 0)->name), "python");
	unload(&t);
}

static void other_host_planes_are_processes_of_their_own(void **state)
{
	(void)state;
	struct bytes space = {0}, cpu = plane_with_line("/host:CPU", 1, "main");
	struct bytes child = plane_with_line("/host:CPU [4711]", 1, "main"),
		     kpi = plane_with_line("Host CPUs", 1, "cpu 1");
	add_plane(&space, &cpu);
	add_plane(&space, &child);
	add_plane(&space, &kpi);
	struct loaded t = load_space(&space);
	assert_int_equal(trace_processes(t.trace), 3);
	assert_int_equal(trace_tracks(t.trace), 3);
	unload(&t);
}

static void thread_ids_may_be_negative(void **state)
{
	(void)state;
	struct bytes p = plane_with_line("/host:CPU", -6803497964841705189, "python");
	struct loaded t = load_plane(&p);
	assert_int_equal(track_of(&t, 0)->key, -6803497964841705189);
	unload(&t);
}

/* ---- what the file says of itself --------------------------------------------------------------------------------- */
static void the_host_is_named_by_the_file_or_by_its_path(void **state)
{
	(void)state;
	struct bytes space = {0}, cpu = plane_with_line("/host:CPU", 1, "main");
	add_plane(&space, &cpu);
	struct loaded t = load_space(&space);
	assert_string_equal(trace_str(t.trace, trace_host(t.trace, 0)->name), "worker-7");
	unload(&t);
	add_text(&space, 4, "gpu-node-3");
	t = load_space(&space);
	assert_string_equal(trace_str(t.trace, trace_host(t.trace, 0)->name), "gpu-node-3");
	unload(&t);
}

static void the_session_gives_the_wall_clock(void **state)
{
	(void)state;
	struct bytes space = {0}, cpu = plane_with_line("/host:CPU", 1, "main"), task = plane_of("Task Environment");
	plane_stat(&task, 1, "profile_start_time", 3, INT64_C(1771595660705918620));
	plane_stat(&task, 2, "profile_stop_time", 3, INT64_C(1771595660745575712));
	add_plane(&space, &cpu);
	add_plane(&space, &task);
	struct loaded t = load_space(&space);
	assert_int_equal(trace_epoch_ns(t.trace), INT64_C(1771595660705918620));
	assert_string_equal(fact_of(&t, "profile_stop_time_ns"), "1771595660745575712");
	unload(&t);
}

static void compiled_modules_are_told_by_name_and_size(void **state)
{
	(void)state;
	struct bytes p = plane_of("/host:metadata"), m = {0}, s = {0};
	add_number(&s, 1, 1);
	add_bytes(&s, 6, "0123456789", 10);
	add_text(&m, 2, "jit_f(3)");
	add_block(&m, 5, &s);
	add_entry(&p, 4, 3, &m);
	name_stat(&p, 1, "Hlo Proto");
	struct loaded t = load_plane(&p);
	assert_string_equal(fact_of(&t, "hlo_module: jit_f(3)"), "10 bytes of HLO, 0 instructions, damaged");
	assert_string_equal(fact_of(&t, "hlo_modules"), "1 (0 instructions, 10 bytes)");
	unload(&t);
}

static void messages_of_the_recorder_are_noted(void **state)
{
	(void)state;
	struct bytes space = {0}, cpu = plane_with_line("/host:CPU", 1, "main");
	add_plane(&space, &cpu);
	add_text(&space, 2, "no device trace");
	add_text(&space, 3, "something odd");
	add_text(&space, 3, "Detected GPU events dropped on worker: 12 activity events");
	struct loaded t = load_space(&space);
	assert_int_equal(count_of(&t, NOTE_PRODUCER_ERROR), 1);
	assert_int_equal(count_of(&t, NOTE_PRODUCER_WARNING), 1);
	assert_int_equal(count_of(&t, NOTE_PRODUCER_DROPPED), 1);
	assert_string_equal(fact_of(&t, "producer_error_1"), "no device trace");
	unload(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_idle_gpu_is_a_device_all_the_same),
		cmocka_unit_test(what_a_plane_does_not_say_is_unknown),
		cmocka_unit_test(a_tpu_beside_a_gpu_is_another_device),
		cmocka_unit_test(a_stream_is_known_by_its_id),
		cmocka_unit_test(lines_of_one_id_are_one_timeline),
		cmocka_unit_test(the_display_name_and_order_of_a_line),
		cmocka_unit_test(derived_lanes_are_no_work),
		cmocka_unit_test(a_derived_lane_names_its_stream),
		cmocka_unit_test(ids_around_the_derived_range_are_streams),
		cmocka_unit_test(the_ops_of_a_tpu_are_its_work),
		cmocka_unit_test(counters_become_samples),
		cmocka_unit_test(callbacks_join_the_thread_that_made_them),
		cmocka_unit_test(other_host_planes_are_processes_of_their_own),
		cmocka_unit_test(thread_ids_may_be_negative),
		cmocka_unit_test(the_host_is_named_by_the_file_or_by_its_path),
		cmocka_unit_test(the_session_gives_the_wall_clock),
		cmocka_unit_test(compiled_modules_are_told_by_name_and_size),
		cmocka_unit_test(messages_of_the_recorder_are_noted),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
