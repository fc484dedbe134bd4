/* XLA programs stored in a profile: what they say of the work that names their instructions. */
#include "model/store/saved/save.h"
#include "tests/unit/xspace_write.h"
#include <stdlib.h>
#include <unistd.h>

enum { DETAILS = 1, TF_OP, HLO_OP, HLO_MODULE, PROGRAM_ID, COPY_DETAILS };

/* ---- programs ----------------------------------------------------------------------------------------------------- */

struct instruction {
	const char *name, *opcode, *op, *fusion;
	int64_t id, calls;
};

static void add_instruction(struct bytes *computation, const struct instruction *i)
{
	struct bytes b = {0}, op = {0};
	add_text(&b, 1, i->name);
	add_text(&b, 2, i->opcode);
	if (i->op) {
		add_text(&op, 2, i->op);
		add_text(&op, 3, "model.py");
		add_number(&op, 4, 26);
	}
	add_block(&b, 7, &op);
	if (i->fusion)
		add_text(&b, 11, i->fusion);
	add_number(&b, 35, i->id);
	if (i->calls) {
		struct bytes packed = {0};
		add_varint(&packed, (uint64_t)i->calls);
		add_block(&b, 38, &packed);
	}
	add_block(computation, 2, &b);
}

/* Computation `main` holds `outer`, computation 9 holds `inner`. */
static struct bytes program_of(const char *module, int64_t id, const struct instruction *outer,
			       const struct instruction *inner)
{
	struct bytes main = {0}, fused = {0}, m = {0}, proto = {0};
	add_text(&main, 1, "main");
	add_instruction(&main, outer);
	add_number(&main, 5, 1);
	add_text(&m, 1, module);
	if (inner) {
		add_text(&fused, 1, "fused");
		add_instruction(&fused, inner);
		add_number(&fused, 5, 9);
		add_block(&m, 3, &fused);
	}
	add_block(&m, 3, &main);
	add_number(&m, 5, id);
	add_block(&proto, 1, &m);
	return proto;
}

static void add_program(struct bytes *plane, int64_t key, const char *name, const struct bytes *program)
{
	struct bytes m = {0}, s = {0};
	add_number(&s, 1, 1);
	add_block(&s, 6, program);
	add_text(&m, 2, name);
	add_block(&m, 5, &s);
	add_entry(plane, 4, key, &m);
}

/* ---- work --------------------------------------------------------------------------------------------------------- */

static void add_work(struct bytes *line, int64_t name, int64_t program, const char *hlo_op)
{
	struct bytes e = event_of(name, name * 1000000, 500000);
	if (name < 10)
		stat_text(&e, DETAILS, "regs:8 grid:1,1,1 block:1,1,1 occ_pct:50");
	else
		stat_text(&e, COPY_DETAILS, "kind_src:device kind_dst:device size:64 dest:0 async:1");
	stat_text(&e, TF_OP, "XlaModule:");
	stat_text(&e, HLO_OP, hlo_op);
	stat_text(&e, HLO_MODULE, "jit_f");
	if (program)
		stat_int(&e, PROGRAM_ID, program);
	line_event(line, &e);
}

static struct bytes device_with(const struct bytes *line)
{
	struct bytes p = plane_of("/device:GPU:0");
	plane_line(&p, line);
	name_event(&p, 1, "kernel_1");
	name_event(&p, 2, "kernel_2");
	name_event(&p, 11, "MemcpyD2D");
	name_stat(&p, DETAILS, "kernel_details");
	name_stat(&p, COPY_DETAILS, "memcpy_details");
	name_stat(&p, TF_OP, "tf_op");
	name_stat(&p, HLO_OP, "hlo_op");
	name_stat(&p, HLO_MODULE, "hlo_module");
	name_stat(&p, PROGRAM_ID, "program_id");
	return p;
}

static struct loaded load_two(const struct bytes *first, const struct bytes *second)
{
	struct bytes space = {0};
	add_block(&space, 1, first);
	add_block(&space, 1, second);
	return load_space(&space);
}

static const char *op_of(const struct loaded *t, const char *event)
{
	return trace_str(t->trace, trace_kernel(t->trace, row_named(t, event))->op);
}

/* ---- tests -------------------------------------------------------------------------------------------------------- */

static const struct instruction dot = {.name = "fusion.7", .opcode = "dot", .op = "jit(f)/dot_general", .id = 3};
static const struct instruction add = {.name = "fusion.7", .opcode = "add", .op = "jit(f)/add", .id = 3};

static void an_instruction_has_the_op_of_its_program(void **state)
{
	(void)state;
	struct bytes program = program_of("jit_f", 5, &dot, NULL), programs = plane_of("/host:metadata");
	struct bytes line = line_of(14, "Stream #14", 0);
	add_program(&programs, 5, "jit_f(5)", &program);
	add_work(&line, 1, 5, "while.1::fusion.7");
	struct bytes device = device_with(&line);
	struct loaded t = load_two(&programs, &device);
	const struct hlo_info *h = trace_hlo(t.trace, row_named(&t, "kernel_1"));
	assert_non_null(h);
	assert_int_equal(h->known, 1);
	assert_int_equal(h->program, 5);
	assert_string_equal(trace_str(t.trace, h->name), "fusion.7");
	assert_string_equal(trace_str(t.trace, h->op), "jit(f)/dot_general");
	assert_string_equal(trace_str(t.trace, h->op_type), "dot_general");
	assert_string_equal(trace_str(t.trace, h->category), "dot");
	assert_string_equal(trace_str(t.trace, h->source), "model.py:26");
	assert_string_equal(op_of(&t, "kernel_1"), "jit(f)/dot_general");
	assert_string_equal(fact_of(&t, "hlo_module: jit_f(5)"),
			    arena_printf(&t.mem, "%zu bytes of HLO, 1 instructions", program.n));
	unload(&t);
}

static void the_program_may_come_behind_its_work(void **state)
{
	(void)state;
	struct bytes program = program_of("jit_f", 5, &dot, NULL), programs = plane_of("/host:metadata");
	struct bytes line = line_of(14, "Stream #14", 0);
	add_program(&programs, 5, "jit_f(5)", &program);
	add_work(&line, 1, 5, "fusion.7");
	struct bytes device = device_with(&line);
	struct loaded t = load_two(&device, &programs);
	assert_string_equal(op_of(&t, "kernel_1"), "jit(f)/dot_general");
	unload(&t);
}

static void programs_of_one_name_are_told_apart_by_their_ids(void **state)
{
	(void)state;
	struct bytes five = program_of("jit_f", 5, &dot, NULL), six = program_of("jit_f", 6, &add, NULL);
	struct bytes programs = plane_of("/host:metadata"), line = line_of(14, "Stream #14", 0);
	add_program(&programs, 5, "jit_f(5)", &five);
	add_program(&programs, 6, "jit_f(6)", &six);
	add_work(&line, 1, 5, "fusion.7");
	add_work(&line, 2, 6, "fusion.7");
	struct bytes device = device_with(&line);
	struct loaded t = load_two(&programs, &device);
	assert_string_equal(op_of(&t, "kernel_1"), "jit(f)/dot_general");
	assert_string_equal(op_of(&t, "kernel_2"), "jit(f)/add");
	unload(&t);
}

/* Without an id the module's name decides, when one program has it. */
static void without_an_id_the_name_must_be_of_one_program(void **state)
{
	(void)state;
	struct bytes five = program_of("jit_f", 5, &dot, NULL), six = program_of("jit_f", 6, &add, NULL);
	struct bytes one = plane_of("/host:metadata"), both, line = line_of(14, "Stream #14", 0);
	add_program(&one, 5, "jit_f(5)", &five);
	both = one;
	add_program(&both, 6, "jit_f(6)", &six);
	add_work(&line, 1, 0, "fusion.7");
	struct bytes device = device_with(&line);
	struct loaded t = load_two(&one, &device);
	assert_string_equal(op_of(&t, "kernel_1"), "jit(f)/dot_general");
	unload(&t);
	t = load_two(&both, &device);
	assert_string_equal(op_of(&t, "kernel_1"), "fusion.7");
	assert_int_equal(trace_hlo(t.trace, row_named(&t, "kernel_1"))->known, 0);
	unload(&t);
}

static void a_fusion_without_an_op_is_shown_by_what_is_in_it(void **state)
{
	(void)state;
	static const struct instruction bare = {
		.name = "fusion.7", .opcode = "fusion", .fusion = "kLoop", .id = 3, .calls = 9};
	struct bytes program = program_of("jit_f", 5, &bare, &add), programs = plane_of("/host:metadata");
	struct bytes line = line_of(14, "Stream #14", 0);
	add_program(&programs, 5, "jit_f(5)", &program);
	add_work(&line, 1, 5, "fusion.7");
	struct bytes device = device_with(&line);
	struct loaded t = load_two(&programs, &device);
	const struct hlo_info *h = trace_hlo(t.trace, row_named(&t, "kernel_1"));
	assert_string_equal(op_of(&t, "kernel_1"), "jit(f)/add");
	assert_string_equal(trace_str(t.trace, h->op), ""); /* what the program itself says */
	assert_string_equal(trace_str(t.trace, h->category), "loop fusion");
	unload(&t);
}

static void a_copy_belongs_to_an_instruction_too(void **state)
{
	(void)state;
	struct bytes program = program_of("jit_f", 5, &dot, NULL), programs = plane_of("/host:metadata");
	struct bytes line = line_of(14, "Stream #14", 0);
	add_program(&programs, 5, "jit_f(5)", &program);
	add_work(&line, 11, 5, "fusion.7");
	struct bytes device = device_with(&line);
	struct loaded t = load_two(&programs, &device);
	const struct copy_info *c = trace_copy(t.trace, row_named(&t, "MemcpyD2D"));
	assert_string_equal(trace_str(t.trace, c->op), "jit(f)/dot_general");
	assert_non_null(trace_hlo(t.trace, row_named(&t, "MemcpyD2D")));
	unload(&t);
}

static void a_damaged_program_takes_no_event_with_it(void **state)
{
	(void)state;
	struct bytes program = program_of("jit_f", 5, &dot, NULL), programs = plane_of("/host:metadata");
	struct bytes line = line_of(14, "Stream #14", 0);
	program.p[2] = 0x7f; /* the module's first field claims more than there is */
	add_program(&programs, 5, "jit_f(5)", &program);
	add_work(&line, 1, 5, "fusion.7");
	struct bytes device = device_with(&line);
	struct loaded t = load_two(&programs, &device);
	assert_string_equal(op_of(&t, "kernel_1"), "fusion.7");
	assert_non_null(strstr(fact_of(&t, "hlo_module: jit_f(5)"), "damaged"));
	assert_int_equal(count_of(&t, NOTE_DAMAGED_REGION), 0);
	unload(&t);
}

static void instructions_are_saved(void **state)
{
	(void)state;
	struct bytes program = program_of("jit_f", 5, &dot, NULL), programs = plane_of("/host:metadata");
	struct bytes line = line_of(14, "Stream #14", 0);
	char path[] = "/tmp/stepscope-test-XXXXXX";
	add_program(&programs, 5, "jit_f(5)", &program);
	add_work(&line, 1, 5, "fusion.7");
	add_work(&line, 11, 5, "fusion.7");
	struct bytes device = device_with(&line);
	struct loaded t = load_two(&programs, &device);
	int fd = mkstemp(path);
	assert_true(fd >= 0 && trace_save(t.trace, path, OUTPUT_FORCE, NULL));
	close(fd);
	unload(&t);
	struct loaded u = {.trace = trace_load(path, 1, NULL, NULL)};
	unlink(path);
	assert_non_null(u.trace);
	const struct hlo_info *h = trace_hlo(u.trace, row_named(&u, "kernel_1"));
	assert_string_equal(trace_str(u.trace, h->op), "jit(f)/dot_general");
	assert_int_equal(h->program, 5);
	assert_ptr_equal(h, trace_hlo(u.trace, row_named(&u, "MemcpyD2D")));
	unload(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_instruction_has_the_op_of_its_program),
		cmocka_unit_test(the_program_may_come_behind_its_work),
		cmocka_unit_test(programs_of_one_name_are_told_apart_by_their_ids),
		cmocka_unit_test(without_an_id_the_name_must_be_of_one_program),
		cmocka_unit_test(a_fusion_without_an_op_is_shown_by_what_is_in_it),
		cmocka_unit_test(a_copy_belongs_to_an_instruction_too),
		cmocka_unit_test(a_damaged_program_takes_no_event_with_it),
		cmocka_unit_test(instructions_are_saved),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
