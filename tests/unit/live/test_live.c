/* The viewer's side of live mode: from what a target writes to a trace; what is kept and what is let go. */
#include "live/capture.h"
#include "live_stand.h"

static row_id named(const struct trace *t, const char *name)
{
	const struct columns *c = trace_columns(t);
	for (row_id r = 0; r < c->n; r++)
		if (strcmp(trace_str(t, c->name[r]), name) == 0)
			return r;
	return NONE_ID;
}

static void a_kernel_and_its_launch(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 0, 0);
	small_world(&s.fake);
	struct trace *t = trace_of(&s);
	const struct columns *c = trace_columns(t);
	row_id kernel = named(t, "k_add"), call = named(t, "cudaLaunchKernel");
	assert_int_equal(c->n, 2);
	assert_int_equal(c->kind[kernel], KIND_KERNEL);
	assert_int_equal(c->dur_ns[kernel], 10000);
	assert_int_equal(c->start_ns[kernel] - c->start_ns[call], 9000);
	assert_int_equal(c->link[kernel], call);
	assert_int_equal(trace_base_ns(t), T0);
	assert_int_equal(trace_kernel(t, kernel)->grid[0], 7);
	assert_int_equal(trace_kernel(t, kernel)->dynamic_smem_bytes, 3072);
	assert_int_equal(trace_track(t, c->track[kernel])->key, 7);
	assert_int_equal(trace_track(t, c->track[call])->key, 77);
	assert_string_equal(trace_source(t, 0).path, "python train.py (4242)");
	trace_free(t);
	stand_down(&s);
}

/* One record of each kind that is no kernel and no call. */
static void put_all_kinds(struct fake *f)
{
	struct wire_copy copy = {.start_ns = T0,
				 .end_ns = T0 + 10,
				 .bytes = 1 << 20,
				 .corr = 12,
				 .place = 1,
				 .count = 1,
				 .copy_kind = 1,
				 .from_kind = 2,
				 .to_kind = 3};
	struct wire_memset set = {
		.start_ns = T0 + 20, .end_ns = T0 + 30, .bytes = 64, .place = 1, .value = 0xAB, .memory_kind = 3};
	struct wire_sync sync = {
		.start_ns = T0, .end_ns = T0 + 9, .type = 3, .context = 1, .stream = 7, .event = WIRE_NO_ID};
	struct wire_overhead over = {.start_ns = T0, .end_ns = T0 + 9, .what = 6 << 16, .object_kind = 2, .object = 77};
	struct wire_memory alloc = {.at_ns = T0 + 1, .address = 4096, .bytes = 512, .place = 1, .memory_kind = 3};
	struct wire_graph graph = {.start_ns = T0 + 40, .end_ns = T0 + 50, .graph = 5, .place = 1};
	struct wire_external external = {.external_id = 9, .corr = 11};
	struct wire_event event = {.at_ns = T0 + 60, .place = 1, .event = 3};
	struct wire_jit jit = {.start_ns = T0, .end_ns = T0 + 70, .entry = 1, .operation = 3};
	fake_put(f, &copy, sizeof copy, WIRE_RECORD + WIRE_COPY, WIRE_ASYNC);
	fake_put(f, &set, sizeof set, WIRE_RECORD + WIRE_MEMSET, 0);
	fake_put(f, &sync, sizeof sync, WIRE_RECORD + WIRE_SYNC, 0);
	fake_put(f, &over, sizeof over, WIRE_RECORD + WIRE_OVERHEAD, 0);
	fake_put(f, &alloc, sizeof alloc, WIRE_RECORD + WIRE_MEMORY, 0);
	fake_put(f, &graph, sizeof graph, WIRE_RECORD + WIRE_GRAPH, 0);
	fake_put(f, &external, sizeof external, WIRE_RECORD + WIRE_EXTERNAL, 0);
	fake_put(f, &event, sizeof event, WIRE_RECORD + WIRE_EVENT, 0);
	fake_put(f, &jit, sizeof jit, WIRE_RECORD + WIRE_JIT, 0);
}

static void all_kinds_of_records(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 0, 0);
	small_world(&s.fake);
	put_all_kinds(&s.fake);
	struct trace *t = trace_of(&s);
	const struct columns *c = trace_columns(t);
	row_id r = named(t, "Memcpy HtoD (Pinned -> Device)");
	assert_int_not_equal(r, NONE_ID);
	assert_int_equal(c->kind[r], KIND_COPY);
	assert_int_equal(trace_copy(t, r)->bytes, 1 << 20);
	assert_int_equal(trace_copy(t, r)->is_async, 1);
	assert_int_equal(trace_copy(t, r)->kind, COPY_H2D);
	assert_int_equal(c->kind[named(t, "Memset (Device)")], KIND_MEMSET);
	assert_int_not_equal(named(t, "wait for a stream"), NONE_ID);
	assert_int_equal(c->kind[named(t, "Command Buffer Full")], KIND_OVERHEAD);
	assert_int_equal(c->kind[named(t, "allocation")], KIND_MEMORY);
	assert_int_equal(c->kind[named(t, "CUDA graph 5")], KIND_DEVICE_OTHER);
	assert_int_not_equal(named(t, "event 3"), NONE_ID);
	assert_int_not_equal(named(t, "PTX to binary: compile"), NONE_ID);
	assert_int_equal(trace_notes(t)->entries, 11);
	assert_int_equal(trace_notes(t)->merged, 1);
	trace_free(t);
	stand_down(&s);
}

static void put_block(struct fake *f, uint64_t at_ns, uint64_t address, uint64_t bytes, uint32_t kind, unsigned flags)
{
	struct wire_memory m = {.at_ns = at_ns, .address = address, .bytes = bytes, .place = 1, .memory_kind = kind};
	fake_put(f, &m, sizeof m, WIRE_RECORD + WIRE_MEMORY, (uint16_t)flags);
}

/* What the driver gives out and takes back is an allocation as that of any recorder: whose memory, which block. */
static void memory_records_are_allocations(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 0, 0);
	small_world(&s.fake);
	put_block(&s.fake, T0 + 1, 4096, 512, 3, 0);
	put_block(&s.fake, T0 + 2, 8192, 100, 2, 0);
	put_block(&s.fake, T0 + 3, 4096, 512, 3, WIRE_FREE);
	put_block(&s.fake, T0 + 4, 8192, 0, 2, WIRE_FREE);
	put_block(&s.fake, T0 + 5, 1, UINT64_MAX, 3, 0);
	struct trace *t = trace_of(&s);
	const struct allocation *a;
	const struct memory_pool *pools;
	assert_int_equal(trace_side_rows(t, SIDE_ALLOCATIONS, (const void **)&a), 4);
	assert_int_equal(trace_side_rows(t, SIDE_MEMORY_POOLS, (const void **)&pools), 3);
	const int64_t bytes[] = {512, 100, -512, UNKNOWN_I64};
	const uint64_t addresses[] = {4096, 8192, 4096, 8192};
	for (int i = 0; i < 4; i++) {
		assert_int_equal(a[i].bytes, bytes[i]);
		assert_int_equal(a[i].addr, addresses[i]);
		assert_int_equal(a[i].allocated_bytes, UNKNOWN_I64);
		bool host = i % 2;
		assert_int_equal(pools[a[i].pool].device, host ? -1 : 0);
		assert_string_equal(trace_str(t, pools[a[i].pool].allocator),
				    host ? "CUDA host memory" : "CUDA device memory");
	}
	trace_free(t);
	stand_down(&s);
}

static void ranges_pair_by_id(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 0, 0);
	struct fake *f = &s.fake;
	small_world(f);
	fake_string(f, 3, "step 5");
	fake_string(f, 4, "load");
	fake_mark(f, T0 + 100, 50, 3, 77, WIRE_MARK_START);
	fake_mark(f, T0 + 300, 51, 4, 77, WIRE_MARK_START); /* overlaps: only ids can tell which ends first */
	fake_mark(f, T0 + 700, 50, 0, 77, WIRE_MARK_END);
	fake_mark(f, T0 + 900, 99, 0, 77, WIRE_MARK_END);
	struct trace *t = trace_of(&s);
	const struct columns *c = trace_columns(t);
	row_id step = named(t, "step 5"), load = named(t, "load");
	assert_int_equal(c->kind[step], KIND_ANNOTATION);
	assert_int_equal(c->dur_ns[step], 600);
	assert_int_equal(c->start_ns[load] + c->dur_ns[load], 19000); /* still open: as far as the capture has come */
	assert_int_equal(note(t, NOTE_END_WITHOUT_BEGIN), 1);
	trace_free(t);
	stand_down(&s);
}

static void a_range_has_many_open(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 0, 0);
	small_world(&s.fake);
	fake_string(&s.fake, 3, "r");
	enum { N = 300 };
	for (uint32_t i = 1; i <= N; i++)
		fake_mark(&s.fake, T0 + i, i, 3, 77, WIRE_MARK_START);
	for (uint32_t i = 1; i <= N; i++)
		fake_mark(&s.fake, T0 + 1000 + i, i, 0, 77, WIRE_MARK_END);
	struct trace *t = trace_of(&s);
	const struct columns *c = trace_columns(t);
	unsigned thousand = 0;
	for (row_id r = 0; r < c->n; r++)
		thousand += c->kind[r] == KIND_ANNOTATION && c->dur_ns[r] == 1000;
	assert_int_equal(thousand, N);
	trace_free(t);
	stand_down(&s);
}

/* The dictionary is defined anew with other content; what came before keeps its names. */
static void a_forgotten_dictionary(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 0, 0);
	small_world(&s.fake);
	struct wire_frame forget;
	fake_put(&s.fake, &forget, sizeof forget, WIRE_FORGET, 0);
	fake_kernel(&s.fake, T0 + 20000, T0 + 21000, 0, 1, 1); /* means nothing any more */
	fake_string(&s.fake, 1, "k_mul");
	fake_shape(&s.fake, 1, 1);
	fake_place(&s.fake, 1, 1, 9);
	fake_kernel(&s.fake, T0 + 30000, T0 + 31000, 12, 1, 1);
	struct trace *t = trace_of(&s);
	const struct columns *c = trace_columns(t);
	row_id add = named(t, "k_add"), mul = named(t, "k_mul");
	assert_int_equal(c->start_ns[add], 9000);
	assert_int_equal(c->start_ns[mul], 30000);
	assert_int_equal(trace_devices(t), 2);
	assert_int_equal(c->start_ns[named(t, "")], 20000);
	trace_free(t);
	stand_down(&s);
}

static void lost_records_are_drawn(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 0, 0);
	small_world(&s.fake);
	struct wire_device device = {.device = 0, .cc_major = 9, .multiprocessors = 132};
	struct wire_gap gap = {.first_ns = T0 + 5, .last_ns = T0 + 505};
	struct wire_lost lost = {.realtime_ns = T0 + 600, .count = 4};
	gap.count[WIRE_KERNEL] = 31;
	fake_put(&s.fake, &device, sizeof device, WIRE_DEVICE, 0);
	fake_put(&s.fake, &gap, sizeof gap, WIRE_GAP, 0);
	fake_put(&s.fake, &lost, sizeof lost, WIRE_LOST, 0);
	atomic_store(&s.fake.ring->counters[WIRE_KERNEL].bad_time, 2);
	struct trace *t = trace_of(&s);
	const struct columns *c = trace_columns(t);
	unsigned drawn = 0;
	for (row_id r = 0; r < c->n; r++)
		drawn += strcmp(trace_str(t, c->name[r]), "lost records: 31 kernel") == 0 && c->dur_ns[r] == 500;
	assert_int_equal(drawn, 2); /* of the process and of its device */
	assert_int_not_equal(named(t, "at least 4 records lost by CUPTI"), NONE_ID);
	assert_int_equal(note(t, NOTE_PRODUCER_DROPPED), 35);
	assert_int_equal(note(t, NOTE_BAD_TIME), 2);
	assert_int_equal(trace_device(t, 0)->sms, 132);
	trace_free(t);
	stand_down(&s);
}

/* ---- what is kept ---------------------------------------------------------------------------------------------------- */

enum { MANY = 60000 };
static void put_many(struct stand *s, int64_t apart_ns)
{
	for (int i = 0; i < MANY; i++) {
		int64_t at = T0 + 100000 + i * apart_ns;
		if (i % 500 == 0)
			listen_to(s);
		fake_kernel(&s->fake, at, at + 10, 0, 1, 1);
	}
}

static void memory_bounds_what_is_kept(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 1 << 20, 0);
	small_world(&s.fake);
	put_many(&s, 100);
	struct trace *t = trace_of(&s);
	const struct columns *c = trace_columns(t);
	assert_in_range(s.kept.bytes, 1, 1 << 20);
	assert_int_equal(c->n + s.kept.evicted, MANY + 2);
	assert_int_equal(note(t, NOTE_LET_GO), s.kept.evicted);
	assert_int_equal(trace_base_ns(t) + trace_span_ns(t),
			 T0 + 100000 + (MANY - 1) * 100 + 10); /* the latest stays */
	trace_free(t);
	stand_down(&s);
}

static void time_bounds_what_is_kept(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 0, 20000000);
	small_world(&s.fake);
	put_many(&s, 1000);
	struct trace *t = trace_of(&s);
	assert_true(s.kept.evicted > MANY / 3);
	assert_true(trace_span_ns(t) >= 20000000 && trace_span_ns(t) < 40000000);
	trace_free(t);
	stand_down(&s);
}

static void a_reader_keeps_what_it_holds(void **state)
{
	(void)state;
	struct stand s;
	size_t n;
	stand_up(&s, 1 << 20, 0);
	small_world(&s.fake);
	listen_to(&s);
	struct segment **held = kept_all(&s.kept, &n);
	assert_int_equal(n, 1);
	put_many(&s, 100);
	listen_to(&s);
	assert_true(s.kept.evicted > 2);
	assert_int_equal(held[0]->records, 2);
	assert_int_equal(((const struct wire_frame *)(const void *)held[0]->bytes)->type, WIRE_RECORD + WIRE_RUNTIME);
	segments_free(held, n);
	stand_down(&s);
}

static void a_file_keeps_everything(void **state)
{
	(void)state;
	struct stand s;
	stand_up(&s, 0, 0);
	assert_true(kept_spill(&s.kept));
	small_world(&s.fake);
	put_many(&s, 100);
	struct trace *t = trace_of(&s);
	assert_int_equal(trace_columns(t)->n, MANY + 2);
	assert_int_equal(s.kept.evicted, 0);
	assert_true(s.kept.spilled > MANY * (int64_t)WIRE_KERNEL_SHORT);
	trace_free(t);
	stand_down(&s);
}

/* ---- the whole capture, with its thread ------------------------------------------------------------------------------ */

static void dial(struct fake *f, const char *path)
{
	struct sockaddr_un *a = calloc(1, sizeof *a);
	a->sun_family = AF_UNIX;
	snprintf(a->sun_path, sizeof a->sun_path, "%s", path);
	close(fake_open(f, WIRE_RING_MIN_BYTES, true, 4242));
	close(f->sock);
	f->sock = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_int_equal(connect(f->sock, (struct sockaddr *)a, sizeof *a), 0);
	free(a);
}

static void wait_for_records(struct capture *c, uint64_t n)
{
	struct capture_status st;
	for (int i = 0; i < 60000; i++) {
		capture_status(c, &st);
		if (st.records >= n)
			return;
		usleep(2000);
	}
	fail_msg("only %llu records came", (unsigned long long)st.records);
}

static void a_capture_of_two_targets(void **state)
{
	(void)state;
	struct err e = {.at = -1};
	char dir[] = "/tmp/stepscope-test-XXXXXX", path[WIRE_PATH_BYTES];
	struct fake a, b;
	struct wire_msg m;
	assert_non_null(mkdtemp(dir));
	setenv("XDG_RUNTIME_DIR", dir, 1);
	struct capture *c = capture_new(&(struct capture_opts){.keep_bytes = CAPTURE_KEEP_BYTES}, &e);
	assert_true(capture_listen(c, path, &e) && capture_start(c, &e));
	assert_null(capture_trace(c, NULL, &e)); /* nothing yet is no error */
	assert_string_equal(e.msg, "");
	dial(&a, path);
	dial(&b, path);
	small_world(&a);
	wait_for_records(c, 2);
	struct trace *t = capture_trace(c, NULL, &e);
	assert_int_equal(trace_columns(t)->n, 2);
	assert_false(capture_grew(c));
	trace_free(t);
	b.ring->rank = 3;
	b.ring->pid = 5;
	small_world(&b);
	for (int i = 0; i < 5000; i++) /* more than a ring: pads, and a reader that keeps up */
		fake_kernel(&b, T0 + 100000 + i * 10, T0 + 100000 + i * 10 + 5, 0, 1, 1);
	struct wire_frame end;
	fake_put(&b, &end, sizeof end, WIRE_END, 0);
	wait_for_records(c, 5004);
	assert_true(capture_grew(c));
	assert_int_equal(recv(a.sock, &m, sizeof m, MSG_DONTWAIT), -1); /* it records already: nothing is asked of it */
	close(a.sock);
	close(b.sock);
	a.sock = b.sock = -1;
	capture_stop(c, 2000);
	t = capture_trace(c, NULL, &e);
	assert_int_equal(trace_columns(t)->n, 5004);
	assert_int_equal(trace_hosts(t), 2);
	trace_free(t);
	capture_free(c);
	assert_int_equal(access(path, F_OK), -1);
	fake_close(&a);
	fake_close(&b);
	snprintf(path, sizeof path, "%s/stepscope", dir);
	rmdir(path);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_and_its_launch),        cmocka_unit_test(all_kinds_of_records),
		cmocka_unit_test(memory_records_are_allocations), cmocka_unit_test(ranges_pair_by_id),
		cmocka_unit_test(a_range_has_many_open),          cmocka_unit_test(a_forgotten_dictionary),
		cmocka_unit_test(lost_records_are_drawn),         cmocka_unit_test(memory_bounds_what_is_kept),
		cmocka_unit_test(time_bounds_what_is_kept),       cmocka_unit_test(a_reader_keeps_what_it_holds),
		cmocka_unit_test(a_file_keeps_everything),        cmocka_unit_test(a_capture_of_two_targets),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
