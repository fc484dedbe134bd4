/* Lanes of ops and scopes under a stream: what they can show, and what they draw. */
#include "tests/unit/derive_trace.h"
#include "tests/unit/surface_dump.h"
#include "tui/lanes/lanes.h"
#include <stdlib.h>

enum { COLS = 40 };

static void xla_kernel(struct build *b, const char *op, const char *module, double start_us, double dur_us)
{
	struct event_in e = build_event(b, KIND_KERNEL, build_stream(b, 0, 7), "gemm", start_us, dur_us);
	struct kernel_info k;
	kernel_info_init(&k);
	k.op = build_text(b, op);
	k.module = build_text(b, module);
	e.detail = ingest_kernel(b->in, &k);
	build_add(b, &e);
}

/* A kernel of a TensorFlow op, as XSpace names it. */
static void op_kernel(struct build *b, const char *op, double start_us, double dur_us)
{
	xla_kernel(b, op, "", start_us, dur_us);
}

static const char *drawn(const struct derived *d, uint32_t level)
{
	static char text[512];
	struct surface s = {0};
	uint32_t track = stream_track(d, 7);
	struct op_lanes lanes = op_lanes_of(d, track);
	struct phases *phases = phases_new(d, NULL);
	struct viewport v = viewport_whole(trace_span_ns(derived_trace(d)), COLS);
	surface_resize(&s, 1, COLS);
	op_lanes_phases(&lanes, d, track, phases);
	if (level != OP_LANE_PHASE || lanes.phases)
		op_lane_draw(d, &lanes, track, level, &v, &s, 0, 0);
	snprintf(text, sizeof text, "%s", surface_line(&s, 0));
	surface_free(&s);
	phases_free(phases);
	return text;
}

static void kernels_of_one_op_are_one_block(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	op_kernel(&b, "MatMul", 0, 10);
	op_kernel(&b, "MatMul", 10, 10);
	op_kernel(&b, "Relu", 20, 10);
	op_kernel(&b, "MatMul", 30, 10);
	struct derived *d = derive(&b);
	assert_int_equal(op_lanes_of(d, stream_track(d, 7)).levels, 1);
	assert_string_equal(drawn(d, 0), "MatMul██████████████▏Relu█████▏MatMul███");
	derived_free(d);
}

static void idle_time_belongs_to_no_op(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	op_kernel(&b, "MatMul", 0, 10);
	op_kernel(&b, "Relu", 30, 10);
	struct derived *d = derive(&b);
	assert_string_equal(drawn(d, 0), "MatMul████                    Relu██████");
	derived_free(d);
}

/* All names begin with "net"; the second level has no part for what stands directly in "b". */
static void scopes_are_the_parts_that_differ(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	op_kernel(&b, "net/a/x/MatMul", 0, 10);
	op_kernel(&b, "net/a/y/Relu", 10, 10);
	op_kernel(&b, "net/b/Add", 20, 20);
	struct derived *d = derive(&b);
	assert_int_equal(op_lanes_of(d, stream_track(d, 7)).levels, 3);
	assert_string_equal(drawn(d, 0), "MatMul████▏Relu█████▏Add████████████████");
	assert_string_equal(drawn(d, 1), "a███████████████████▏b██████████████████");
	assert_string_equal(drawn(d, 2), "x█████████▏y████████");
	derived_free(d);
}

static void a_slash_in_brackets_divides_nothing(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	op_kernel(&b, "jit(a/b)/dot_general", 0, 20);
	struct derived *d = derive(&b);
	assert_string_equal(drawn(d, 0), "dot_general█████████████████████████████");
	derived_free(d);
}

static void what_launched_a_kernel_names_it(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	op(&b, 1, "aten::mm", 0, 10);
	launch(&b, 1, 2, 1, 5);
	kernel(&b, 0, 7, "volta_sgemm", 0, 20, 5);
	copy(&b, 0, 7, COPY_H2D, 64, 20, 20, 0);
	struct derived *d = derive(&b);
	assert_string_equal(drawn(d, 0), "aten::mm████████████");
	derived_free(d);
}

static void without_ops_there_is_no_lane(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "volta_sgemm", 0, 20, 0);
	copy(&b, 0, 8, COPY_H2D, 64, 20, 20, 0);
	struct derived *d = derive(&b);
	assert_int_equal(op_lanes_of(d, stream_track(d, 7)).levels, 0);
	assert_int_equal(op_lanes_of(d, stream_track(d, 8)).levels, 0);
	derived_free(d);
}

static uint32_t op_lanes_shown(const struct derived *d)
{
	struct lanes l;
	uint32_t n = 0;
	assert_true(lanes_init(&l, d, NULL));
	lanes_fill(&l, 20);
	for (uint32_t i = 0; i < l.n; i++)
		n += l.at[i].kind == LANE_OP;
	lanes_free(&l);
	return n;
}

static void modules_have_a_lane_below_the_scopes(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	xla_kernel(&b, "jit(f)/dot_general", "jit_f", 0, 20);
	xla_kernel(&b, "jit(g)/add", "jit_g", 20, 10);
	xla_kernel(&b, "copy.1", "jit_g", 30, 10);
	struct derived *d = derive(&b);
	assert_string_equal(drawn(d, OP_LANE_MODULE), "jit_f███████████████▏jit_g██████████████");
	assert_int_equal(op_lanes_shown(d), 3); /* op, scope, module */
	derived_free(d);
}

static void lanes_of_ops_need_room(void **state)
{
	(void)state;
	struct lanes l;
	struct build b = build_new("xspace");
	op_kernel(&b, "net/a/x/MatMul", 0, 10);
	op_kernel(&b, "net/b/Add", 20, 20);
	struct derived *d = derive(&b);
	assert_int_equal(op_lanes_shown(d), 3); /* the op and both scopes */
	assert_true(lanes_init(&l, d, NULL));
	lanes_fill(&l, 3);
	for (uint32_t i = 0; i < l.n; i++)
		assert_int_not_equal(l.at[i].kind, LANE_OP);
	lanes_free(&l);
	derived_free(d);
}

static void a_recorded_lane_of_ops_is_enough(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	op_kernel(&b, "MatMul", 0, 20);
	uint32_t lane = ingest_track(b.in, TRACK_STREAM_LANE, ingest_device(b.in, b.host, 0), 9, 0);
	ingest_track_info(b.in, lane)->name = build_text(&b, "TensorFlow Ops");
	struct event_in e = build_event(&b, KIND_DEVICE_RANGE, lane, "MatMul", 0, 20);
	build_add(&b, &e);
	struct derived *d = derive(&b);
	assert_int_equal(op_lanes_shown(d), 0);
	derived_free(d);
}

static void phases_have_a_lane_where_there_are_two(void **state)
{
	(void)state;
	struct build b = build_new("xspace");
	op_kernel(&b, "loss/Mean", 0, 10);
	op_kernel(&b, "gradient_tape/a/MatMul", 10, 10);
	op_kernel(&b, "gradient_tape/b/MatMul", 20, 10);
	op_kernel(&b, "what/ever", 30, 10);
	struct derived *d = derive(&b);
	assert_string_equal(drawn(d, OP_LANE_PHASE), "loss██████▏backward███████████");
	derived_free(d);
	b = build_new("xspace");
	op_kernel(&b, "loss/Mean", 0, 10);
	d = derive(&b);
	assert_string_equal(drawn(d, OP_LANE_PHASE), "");
	derived_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_of_one_op_are_one_block),
		cmocka_unit_test(idle_time_belongs_to_no_op),
		cmocka_unit_test(scopes_are_the_parts_that_differ),
		cmocka_unit_test(a_slash_in_brackets_divides_nothing),
		cmocka_unit_test(what_launched_a_kernel_names_it),
		cmocka_unit_test(without_ops_there_is_no_lane),
		cmocka_unit_test(modules_have_a_lane_below_the_scopes),
		cmocka_unit_test(lanes_of_ops_need_room),
		cmocka_unit_test(a_recorded_lane_of_ops_is_enough),
		cmocka_unit_test(phases_have_a_lane_where_there_are_two),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
