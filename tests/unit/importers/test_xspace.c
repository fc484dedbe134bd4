/* XSpace events: what they are, what they say. One plane, one line, few events at a time. */
#include "xspace_event.h"

/* ---- kinds -------------------------------------------------------------------------------------------------------- */
static void kernel_details_make_a_kernel(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, 0, 1000);
	stat_text(&e, 5, "regs:32 static_shared:0 dynamic_shared:0 grid:8,1,1 block:256,1,1 occ_pct:75");
	struct bytes p = stream_with("gemm", &e);
	name_stat(&p, 5, "kernel_details");
	struct loaded t = load_plane(&p);
	assert_string_equal(kind_of_row(&t, 0), "kernel");
	assert_int_equal(trace_kernel(t.trace, 0)->registers, 32);
	assert_int_equal(trace_kernel(t.trace, 0)->grid[0], 8);
	assert_float_equal(trace_kernel(t.trace, 0)->occupancy_pct, 75, 0.001);
	unload(&t);
}

static void empty_kernel_details_make_none(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, 0, 1000);
	stat_text(&e, 5, "");
	struct bytes p = stream_with("something", &e);
	name_stat(&p, 5, "kernel_details");
	struct loaded t = load_plane(&p);
	assert_string_equal(kind_of_row(&t, 0), "device_other");
	unload(&t);
}

static void copies_and_memsets(void **state)
{
	(void)state;
	struct bytes l = line_of(14, "Stream #14", 0), p = plane_of("/device:GPU:0");
	struct bytes copy = event_of(1, 0, 1000), set = event_of(2, 2000, 1000), bare = event_of(3, 4000, 1000);
	stat_text(&copy, 5, "kind_src:pinned kind_dst:device size:64 dest:0 async:1");
	stat_text(&set, 6, "kind:device num_bytes:512 async:1");
	line_event(&l, &copy);
	line_event(&l, &set);
	line_event(&l, &bare);
	plane_line(&p, &l);
	name_event(&p, 1, "anything");
	name_event(&p, 2, "Memset 1");
	name_event(&p, 3, "MemcpyDtoH");
	name_stat(&p, 5, "memcpy_details");
	name_stat(&p, 6, "Memset_details");
	struct loaded t = load_plane(&p);
	assert_string_equal(kind_of_row(&t, 0), "copy");
	assert_int_equal(trace_copy(t.trace, 0)->kind, COPY_H2D);
	assert_int_equal(trace_copy(t.trace, 0)->bytes, 64);
	assert_string_equal(kind_of_row(&t, 1), "memset");
	assert_int_equal(trace_copy(t.trace, 1)->kind, COPY_MEMSET);
	assert_int_equal(trace_copy(t.trace, 1)->bytes, 512);
	assert_string_equal(kind_of_row(&t, 2), "copy");
	assert_int_equal(trace_copy(t.trace, 2)->kind, COPY_D2H);
	unload(&t);
}

static void a_peer_copy_is_told_by_its_name(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, 0, 1000);
	stat_text(&e, 5, "kind_src:device kind_dst:device size:64 dest:1 async:1");
	struct bytes p = stream_with("MemcpyP2P", &e);
	name_stat(&p, 5, "memcpy_details");
	struct loaded t = load_plane(&p);
	assert_int_equal(trace_copy(t.trace, 0)->kind, COPY_P2P);
	unload(&t);
}

static void allocations_on_a_stream_are_no_work(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, 0, 1000);
	stat_text(&e, 5, "kind:device num_bytes:512");
	struct bytes p = stream_with("Memory device", &e);
	name_stat(&p, 5, "memalloc_details");
	struct loaded t = load_plane(&p);
	assert_string_equal(kind_of_row(&t, 0), "memory");
	unload(&t);
}

static void host_events_are_told_apart(void **state)
{
	(void)state;
	static const struct {
		const char *name, *kind;
	} events[] = {{"cuLaunchKernel", "runtime"},     {"$train.py:12 step", "python"},
		      {"MemoryAllocation", "memory"},    {"model/dense/MatMul:MatMul", "op"},
		      {"Iterator::Map::TFRecord", "op"}, {"my own range", "annotation"},
		      {"NVTX:forward", "annotation"}};
	struct bytes l = line_of(7, "main", 0), p = plane_of("/host:CPU");
	for (int i = 0; i < 7; i++) {
		struct bytes e = event_of(i + 1, i * 10000, 1000);
		if (i == 0)
			stat_uint(&e, 9, 77);
		line_event(&l, &e);
		name_event(&p, i + 1, events[i].name);
	}
	plane_line(&p, &l);
	name_stat(&p, 9, "correlation_id");
	struct loaded t = load_plane(&p);
	for (int i = 0; i < 7; i++)
		assert_string_equal(kind_of_row(&t, row_named(&t, events[i].name)), events[i].kind);
	assert_int_equal(number_at(trace_columns(t.trace)->corr, row_named(&t, "cuLaunchKernel")), 77);
	unload(&t);
}

static void a_tf_op_stat_makes_a_host_event_an_op(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, 0, 1000);
	stat_text(&e, 5, "model/Relu:Relu");
	struct bytes p = host_with("Compute", &e);
	name_stat(&p, 5, "tf_op");
	struct loaded t = load_plane(&p);
	assert_string_equal(kind_of_row(&t, 0), "op");
	assert_string_equal(trace_str(t.trace, trace_host_detail(t.trace, 0)->op), "model/Relu");
	assert_string_equal(trace_str(t.trace, trace_host_detail(t.trace, 0)->op_type), "Relu");
	unload(&t);
}

/* ---- stats -------------------------------------------------------------------------------------------------------- */
static void every_form_of_a_stat_is_kept(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, 0, 1000), p;
	stat_int(&e, 1, -5);
	stat_uint(&e, 2, UINT64_MAX);
	stat_double(&e, 3, 0.25);
	stat_text(&e, 4, "inline");
	stat_ref(&e, 5, 100);
	stat_int(&e, 1, 6);
	p = host_with("x", &e);
	name_stat(&p, 1, "int");
	name_stat(&p, 2, "uint");
	name_stat(&p, 3, "double");
	name_stat(&p, 4, "text");
	name_stat(&p, 5, "ref");
	name_stat(&p, 100, "the interned text");
	struct loaded t = load_plane(&p);
	assert_string_equal(attributes_of(&t, 0), "int=-5 uint=18446744073709551615 double=0.25 text=inline "
						  "ref=the interned text int=6");
	unload(&t);
}

static void a_reference_to_nowhere_stays_a_number(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, 0, 1000);
	stat_ref(&e, 5, 4711);
	stat_int(&e, 6, 1);
	struct bytes p = host_with("x", &e);
	name_stat(&p, 5, "shape");
	struct loaded t = load_plane(&p);
	assert_string_equal(attributes_of(&t, 0), "shape=4711 stat 6=1");
	unload(&t);
}

static void the_map_key_counts_not_the_id(void **state)
{
	(void)state;
	struct bytes e = event_of(40, 0, 1000), l = line_of(7, "main", 0), p = plane_of("/host:CPU"), m = {0};
	line_event(&l, &e);
	plane_line(&p, &l);
	add_number(&m, 1, 99);
	add_text(&m, 2, "by key");
	add_entry(&p, 4, 40, &m);
	name_event(&p, 99, "by id");
	struct loaded t = load_plane(&p);
	assert_string_equal(trace_str(t.trace, trace_columns(t.trace)->name[0]), "by key");
	unload(&t);
}

static void ids_may_be_any_number(void **state)
{
	(void)state;
	static const int64_t ids[] = {0, -1, INT64_MIN, INT64_MAX, 1 << 20, INT64_C(2433868464432466958)};
	struct bytes l = line_of(7, "main", 0), p = plane_of("/host:CPU");
	char name[] = "event A";
	for (int i = 0; i < 6; i++) {
		struct bytes e = event_of(ids[i], i * 10000, 1000);
		name[6] = (char)('A' + i);
		line_event(&l, &e);
		name_event(&p, ids[i], name);
	}
	plane_line(&p, &l);
	struct loaded t = load_plane(&p);
	assert_int_equal(count_of(&t, NOTE_METADATA_MISSING), 0);
	assert_int_equal(start_of(&t, row_named(&t, "event F")), 50);
	unload(&t);
}

static void an_event_without_metadata_is_shown_and_noted(void **state)
{
	(void)state;
	struct bytes e = event_of(12345, 0, 1000), p = host_with("other", &e);
	struct loaded t = load_plane(&p);
	assert_int_equal(trace_columns(t.trace)->n, 1);
	assert_int_equal(count_of(&t, NOTE_METADATA_MISSING), 1);
	unload(&t);
}

static void stats_of_the_name_apply_unless_overridden(void **state)
{
	(void)state;
	struct bytes l = line_of(7, "main", 0), p = plane_of("/host:CPU"), m = {0};
	struct bytes first = event_of(1, 0, 1000), second = event_of(1, 5000, 1000);
	stat_int(&second, 5, 9);
	line_event(&l, &first);
	line_event(&l, &second);
	plane_line(&p, &l);
	add_number(&m, 1, 1);
	add_text(&m, 2, "step");
	add_stat(&m, 5, 5, 4, 3);
	add_entry(&p, 4, 1, &m);
	name_stat(&p, 5, "step_num");
	struct loaded t = load_plane(&p);
	assert_int_equal(trace_host_detail(t.trace, 0)->step_num, 3);
	assert_int_equal(trace_host_detail(t.trace, 1)->step_num, 9);
	assert_string_equal(attributes_of(&t, 1), "step_num=3 step_num=9");
	unload(&t);
}

static void the_display_name_is_shown_and_the_long_one_kept(void **state)
{
	(void)state;
	struct bytes e = event_of(1, 0, 1000), l = line_of(7, "main", 0), p = plane_of("/host:CPU"), m = {0};
	line_event(&l, &e);
	plane_line(&p, &l);
	add_text(&m, 2, "model/dense/MatMul:MatMul");
	add_text(&m, 4, "MatMul");
	add_entry(&p, 4, 1, &m);
	struct loaded t = load_plane(&p);
	row_id r = row_named(&t, "MatMul");
	assert_string_equal(attributes_of(&t, r), "long_name=model/dense/MatMul:MatMul");
	assert_string_equal(trace_str(t.trace, trace_host_detail(t.trace, r)->op), "model/dense/MatMul");
	unload(&t);
}

static void metadata_may_stand_before_the_lines(void **state)
{
	(void)state;
	struct bytes e = event_of(1, 0, 1000), l = line_of(7, "main", 0), p = plane_of("/host:CPU");
	name_event(&p, 1, "named in advance");
	line_event(&l, &e);
	plane_line(&p, &l);
	struct loaded t = load_plane(&p);
	assert_int_equal(row_named(&t, "named in advance"), 0);
	unload(&t);
}

static void facts_of_steps_are_typed(void **state)
{
	(void)state;
	static const char *const names[] = {"step_num", "iter_num", "id", "_r", "_pt",
					    "_p",       "_ct",      "_c", "_a", "group_id"};
	struct bytes e = event_of(THE_EVENT, 0, 1000);
	for (int i = 0; i < 10; i++)
		stat_int(&e, i + 1, 10 + i);
	stat_text(&e, 11, "train 10");
	struct bytes p = host_with("train", &e);
	for (int i = 0; i < 10; i++)
		name_stat(&p, i + 1, names[i]);
	name_stat(&p, 11, "step_name");
	struct loaded t = load_plane(&p);
	const struct host_info *h = trace_host_detail(t.trace, 0);
	assert_int_equal(h->step_num, 10);
	assert_int_equal(h->iter_num, 11);
	assert_int_equal(h->step_id, 12);
	assert_int_equal(h->root_level, 13);
	assert_int_equal(h->producer_type, 14);
	assert_int_equal(h->producer_id, 15);
	assert_int_equal(h->consumer_type, 16);
	assert_int_equal(h->consumer_id, 17);
	assert_true(h->is_async);
	assert_string_equal(trace_str(t.trace, h->step_name), "train 10");
	assert_int_equal(step_group_at(trace_columns(t.trace)->group, 0), 19);
	unload(&t);
}

static void plain_events_carry_no_row(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, 0, 1000), p = host_with("my range", &e);
	struct loaded t = load_plane(&p);
	assert_null(trace_host_detail(t.trace, 0));
	unload(&t);
}

static void a_kernel_knows_its_op(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, 0, 1000);
	stat_text(&e, 1, "regs:8 grid:1,1,1 block:1,1,1 occ_pct:50");
	stat_text(&e, 2, "model/einsum/Einsum:Einsum");
	stat_text(&e, 3, "ab,bc->ac");
	stat_text(&e, 4, "(float[2,3];float[3,4])");
	stat_double(&e, 5, 62.5);
	struct bytes p = stream_with("gemm", &e);
	name_stat(&p, 1, "kernel_details");
	name_stat(&p, 2, "tf_op");
	name_stat(&p, 3, "equation");
	name_stat(&p, 4, "shape");
	name_stat(&p, 5, "theoretical_occupancy_pct");
	struct loaded t = load_plane(&p);
	const struct kernel_info *k = trace_kernel(t.trace, 0);
	assert_string_equal(trace_str(t.trace, k->op), "model/einsum/Einsum");
	assert_string_equal(trace_str(t.trace, k->op_type), "Einsum");
	assert_string_equal(trace_str(t.trace, k->equation), "ab,bc->ac");
	assert_string_equal(trace_str(t.trace, k->shape), "(float[2,3];float[3,4])");
	assert_float_equal(k->occupancy_pct, 62.5, 0.001);
	unload(&t);
}

static void an_xla_kernel_is_named_by_its_hlo_op(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, 0, 1000);
	stat_text(&e, 1, "regs:8 grid:1,1,1 block:1,1,1 occ_pct:0");
	stat_text(&e, 2, "XlaModule:");
	stat_text(&e, 3, "while.1::fusion.7");
	stat_text(&e, 4, "jit_train");
	struct bytes p = stream_with("fusion_7", &e);
	name_stat(&p, 1, "kernel_details");
	name_stat(&p, 2, "tf_op");
	name_stat(&p, 3, "hlo_op");
	name_stat(&p, 4, "hlo_module");
	struct loaded t = load_plane(&p);
	const struct kernel_info *k = trace_kernel(t.trace, 0);
	assert_string_equal(trace_str(t.trace, k->op), "fusion.7");
	assert_string_equal(trace_str(t.trace, k->module), "jit_train");
	assert_true(isnan(k->occupancy_pct)); /* 0 means that the recorder could not tell */
	unload(&t);
}

static void before_tf_op_there_were_levels(void **state)
{
	(void)state;
	struct bytes e = event_of(THE_EVENT, 0, 1000);
	stat_text(&e, 1, "regs:8 shm:0 grid:1,1,1 block:1,1,1");
	stat_text(&e, 2, "a/Relu:Relu#shape=(float[2])#::#edge=x#");
	struct bytes p = stream_with("relu", &e);
	name_stat(&p, 1, "kernel_details");
	name_stat(&p, 2, "annotation");
	struct loaded t = load_plane(&p);
	assert_string_equal(trace_str(t.trace, trace_kernel(t.trace, 0)->op), "a/Relu");
	assert_string_equal(trace_str(t.trace, trace_kernel(t.trace, 0)->op_type), "Relu");
	unload(&t);
}

static void absurd_details_are_noted_per_event(void **state)
{
	(void)state;
	struct bytes l = line_of(14, "Stream #14", 0), p = plane_of("/device:GPU:0");
	for (int i = 0; i < 3; i++) {
		struct bytes e = event_of(1, i * 10000, 1000);
		stat_text(&e, 5, "regs:2191500840 grid:1,1,1 block:1,1,1");
		line_event(&l, &e);
	}
	plane_line(&p, &l);
	name_event(&p, 1, "k");
	name_stat(&p, 5, "kernel_details");
	struct loaded t = load_plane(&p);
	assert_int_equal(count_of(&t, NOTE_VALUE_ABSURD), 3);
	assert_string_equal(attributes_of(&t, 0), "kernel_details=regs:2191500840 grid:1,1,1 block:1,1,1");
	unload(&t);
}

static void launch_and_kernel_are_linked(void **state)
{
	(void)state;
	struct bytes launch = event_of(THE_EVENT, 0, 1000), kernel = event_of(THE_EVENT, 9000, 5000), space = {0};
	stat_int(&launch, 1, 77); /* either integer form */
	stat_uint(&kernel, 1, 77);
	stat_text(&kernel, 2, "regs:8 grid:1,1,1 block:1,1,1");
	struct bytes host = host_with("cuLaunchKernel", &launch), gpu = stream_with("gemm", &kernel);
	name_stat(&host, 1, "correlation_id");
	name_stat(&gpu, 1, "correlation_id");
	name_stat(&gpu, 2, "kernel_details");
	add_block(&space, 1, &host);
	add_block(&space, 1, &gpu);
	struct loaded t = load_space(&space);
	row_id l = row_named(&t, "cuLaunchKernel"), k = row_named(&t, "gemm");
	assert_int_equal(trace_columns(t.trace)->link[k], l);
	assert_int_equal(trace_columns(t.trace)->link[l], k);
	unload(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_details_make_a_kernel),
		cmocka_unit_test(empty_kernel_details_make_none),
		cmocka_unit_test(copies_and_memsets),
		cmocka_unit_test(a_peer_copy_is_told_by_its_name),
		cmocka_unit_test(allocations_on_a_stream_are_no_work),
		cmocka_unit_test(host_events_are_told_apart),
		cmocka_unit_test(a_tf_op_stat_makes_a_host_event_an_op),
		cmocka_unit_test(every_form_of_a_stat_is_kept),
		cmocka_unit_test(a_reference_to_nowhere_stays_a_number),
		cmocka_unit_test(the_map_key_counts_not_the_id),
		cmocka_unit_test(ids_may_be_any_number),
		cmocka_unit_test(an_event_without_metadata_is_shown_and_noted),
		cmocka_unit_test(stats_of_the_name_apply_unless_overridden),
		cmocka_unit_test(the_display_name_is_shown_and_the_long_one_kept),
		cmocka_unit_test(metadata_may_stand_before_the_lines),
		cmocka_unit_test(facts_of_steps_are_typed),
		cmocka_unit_test(plain_events_carry_no_row),
		cmocka_unit_test(a_kernel_knows_its_op),
		cmocka_unit_test(an_xla_kernel_is_named_by_its_hlo_op),
		cmocka_unit_test(before_tf_op_there_were_levels),
		cmocka_unit_test(absurd_details_are_noted_per_event),
		cmocka_unit_test(launch_and_kernel_are_linked),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
