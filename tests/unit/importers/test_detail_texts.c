/* The small texts beside an event: every era and spelling that recorders have used. */
#include "importers/detail_texts.h"
#include "model/store/ingest/ingest.h"
#include "tests/unit/unit.h"
#include <math.h>
#include <string.h>

static struct kernel_info kernel(const char *text)
{
	struct kernel_info k;
	kernel_info_init(&k);
	details_kernel(text, strlen(text), &k);
	return k;
}

static struct copy_info copy(const char *text)
{
	struct copy_info c;
	copy_info_init(&c);
	details_copy(text, strlen(text), &c);
	return c;
}

static const char *direction(const char *name)
{
	struct copy_info c;
	copy_info_init(&c);
	return details_copy_name(name, strlen(name), &c) ? copy_kind_name((enum copy_kind)c.kind) : "no copy";
}

static void dimensions(const uint32_t d[3], uint32_t x, uint32_t y, uint32_t z)
{
	assert_int_equal(d[0], x);
	assert_int_equal(d[1], y);
	assert_int_equal(d[2], z);
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */
static void kernel_details_of_today(void **state)
{
	(void)state;
	struct kernel_info k =
		kernel("regs:32 static_shared:1024 dynamic_shared:64 grid:8,4,2 block:256,1,1 occ_pct:62.5");
	assert_int_equal(k.registers, 32);
	assert_int_equal(k.static_smem_bytes, 1024);
	assert_int_equal(k.dynamic_smem_bytes, 64);
	dimensions(k.grid, 8, 4, 2);
	dimensions(k.block, 256, 1, 1);
	assert_float_equal(k.occupancy_pct, 62.5, 0.001);
}

static void kernel_details_may_stand_on_lines(void **state)
{
	(void)state;
	struct kernel_info k =
		kernel("regs:40\nstatic_shared:0\ndynamic_shared:0\ngrid:9,1,1\nblock:64,2,1\nocc_pct:50");
	assert_int_equal(k.registers, 40);
	dimensions(k.grid, 9, 1, 1);
	dimensions(k.block, 64, 2, 1);
}

static void kernel_details_of_the_first_releases(void **state)
{
	(void)state;
	struct kernel_info k = kernel("registers_per_thread:20\nstatic_shared_memory_usage:16\n"
				      "dynamic_shared_memory_usage:8\nblock_x:128\nblock_y:2\nblock_z:1\n"
				      "grid_x:7\ngrid_y:5\ngrid_z:3");
	assert_int_equal(k.registers, 20);
	assert_int_equal(k.static_smem_bytes, 16);
	assert_int_equal(k.dynamic_smem_bytes, 8);
	dimensions(k.block, 128, 2, 1);
	dimensions(k.grid, 7, 5, 3);
	assert_true(isnan(k.occupancy_pct));
}

static void kernel_details_of_rocm(void **state)
{
	(void)state;
	struct kernel_info k = kernel(" grid:4,64,1 block:256,1,1 private_mem:0 group_mem:8704 occ_pct:0");
	assert_int_equal(k.static_smem_bytes, 8704);
	assert_int_equal(k.registers, UNKNOWN_U32);
	dimensions(k.grid, 4, 64, 1);
}

static void dimensions_left_out_are_one(void **state)
{
	(void)state;
	dimensions(kernel("grid:12").grid, 12, 1, 1);
	dimensions(kernel("block:32,4").block, 32, 4, 1);
}

static void foreign_tokens_are_passed_over(void **state)
{
	(void)state;
	struct kernel_info k = kernel("hello regs:8 cluster:2,1,1 : regs 99");
	assert_int_equal(k.registers, 8);
	assert_false(details_kernel("nothing here", 12, &k));
	assert_false(details_kernel("", 0, &k));
}

static void numbers_that_do_not_fit_are_unknown_and_absurd(void **state)
{
	(void)state;
	const char *wild = "regs:687194767361 shm:4294967297 grid:2256,139757090178736,5 block:0,0,0";
	struct kernel_info k = kernel(wild);
	assert_int_equal(k.registers, UNKNOWN_U32);
	dimensions(k.grid, 2256, UNKNOWN_U32, 5);
	assert_true(details_kernel_absurd(wild, strlen(wild)));
	assert_true(details_kernel_absurd("regs:2191500840", 15));
	assert_true(details_kernel_absurd("block:2048,1,1", 14));
	assert_false(details_kernel_absurd("regs:255 grid:2147483647,1,1 block:1024,1,1 occ_pct:100", 55));
}

/* ---- copies ------------------------------------------------------------------------------------------------------- */
static void copy_details_of_today(void **state)
{
	(void)state;
	struct copy_info c = copy("kind_src:pageable kind_dst:device size:4096 dest:0 async:0");
	assert_string_equal(copy_kind_name((enum copy_kind)c.kind), "H2D");
	assert_int_equal(c.src, MEM_PAGEABLE);
	assert_int_equal(c.dst, MEM_DEVICE);
	assert_int_equal(c.bytes, 4096);
	assert_int_equal(c.is_async, 0);
}

static void copy_details_of_the_first_releases(void **state)
{
	(void)state;
	struct copy_info c = copy("num_bytes:640\ndestination:0\nasync:1");
	assert_int_equal(c.bytes, 640);
	assert_int_equal(c.is_async, 1);
	assert_int_equal(c.kind, COPY_UNKNOWN);
}

static void async_is_a_mask_of_flags(void **state)
{
	(void)state;
	assert_int_equal(copy("size:1 async:12").is_async, 1);
	assert_int_equal(copy("size:1").is_async, 255);
}

static void both_ends_give_the_direction(void **state)
{
	(void)state;
	assert_int_equal(copy("kind_src:device kind_dst:pinned").kind, COPY_D2H);
	assert_int_equal(copy("kind_src:array kind_dst:device_static").kind, COPY_D2D);
	assert_int_equal(copy("kind_src:pinned kind_dst:pageable").kind, COPY_H2H);
	assert_int_equal(copy("kind_src:managed kind_dst:device").kind, COPY_UNKNOWN);
}

static void memsets_and_allocations_name_one_memory(void **state)
{
	(void)state;
	struct copy_info c = copy("kind:device num_bytes:512 async:1");
	assert_int_equal(c.dst, MEM_DEVICE);
	assert_int_equal(c.src, MEM_UNKNOWN);
	assert_int_equal(c.bytes, 512);
	assert_int_equal(copy("kind:pinned num_bytes:8 addr:0x00007f0000000000").dst, MEM_PINNED);
}

static void rocm_does_not_know_the_kind(void **state)
{
	(void)state;
	struct copy_info c = copy("kind:Unknown size:655360 dest:2 async:1");
	assert_int_equal(c.kind, COPY_UNKNOWN);
	assert_int_equal(c.bytes, 655360);
}

static void copy_names_in_every_spelling(void **state)
{
	(void)state;
	assert_string_equal(direction("MemcpyH2D"), "H2D");
	assert_string_equal(direction("MemcpyHToD"), "H2D");
	assert_string_equal(direction("memcpyhtod"), "H2D");
	assert_string_equal(direction("Memcpy DtoH (Device -> Pageable)"), "D2H");
	assert_string_equal(direction("MemcpyD2D"), "D2D");
	assert_string_equal(direction("MemcpyP2P"), "P2P");
	assert_string_equal(direction("Memcpy PtoP (Device -> Device)"), "P2P");
	assert_string_equal(direction("UM_BYTES_TRANSFER_HTOD"), "H2D");
	assert_string_equal(direction("CopyDeviceToHost"), "D2H");
	assert_int_equal(strcmp(direction("MemcpyOther"), direction("Memcpy")), 0);
	assert_string_equal(direction("CopyKernel"), "no copy");
	assert_string_equal(direction("volta_sgemm"), "no copy");
}

static void memories_of_a_name(void **state)
{
	(void)state;
	struct copy_info c;
	copy_info_init(&c);
	assert_true(details_copy_name("Memcpy HtoD (Pinned -> Device)", 30, &c));
	assert_int_equal(c.src, MEM_PINNED);
	assert_int_equal(c.dst, MEM_DEVICE);
	copy_info_init(&c);
	assert_true(details_copy_name("Memset (Device)", 15, &c));
	assert_int_equal(c.kind, COPY_MEMSET);
	assert_int_equal(c.dst, MEM_DEVICE);
	assert_string_equal(direction("Memset 3"), copy_kind_name(COPY_MEMSET));
	assert_string_equal(direction("memset_kernel"), "no copy");
}

/* ---- ops ---------------------------------------------------------------------------------------------------------- */
/* "name|type", as the text is split */
static void op_is(const char *text, const char *want_op, const char *want_type)
{
	struct strings *s = strings_new();
	str_id op, type;
	details_tf_op(s, text, strlen(text), &op, &type);
	assert_string_equal(strings_z(s, op), want_op);
	assert_string_equal(strings_z(s, type), want_type);
	strings_free(s);
}

static void tensorflow_ops(void **state)
{
	(void)state;
	op_is("model/dense_1/MatMul:MatMul", "model/dense_1/MatMul", "MatMul");
	op_is("a/b-c>d.e:_Recv", "a/b-c>d.e", "_Recv");
	op_is("gradients/conv_3:", "gradients/conv_3", "conv");
	op_is("a/b/MatMul_12:", "a/b/MatMul_12", "MatMul");
}

static void jax_ops(void **state)
{
	(void)state;
	op_is("jit(f)/jit(main)/dot_general:", "jit(f)/jit(main)/dot_general", "dot_general");
	op_is("jit(f)/reduce:reduce_sum[axes=(0,)]", "jit(f)/reduce", "reduce_sum");
}

static void input_pipeline_ops(void **state)
{
	(void)state;
	op_is("Iterator::Batch::Map::TFRecord", "Iterator::Batch::Map::TFRecord", "Dataset");
}

static void copies_are_ops_without_a_colon(void **state)
{
	(void)state;
	op_is("MEMCPYHToD", "MEMCPYHToD", "MemcpyHToD");
	op_is("memcpydtoh (x)", "memcpydtoh (x)", "MemcpyDToH");
}

static void any_other_text_is_no_op(void **state)
{
	(void)state;
	op_is("ExecutorState::Process", "ExecutorState::Process", "");
	op_is("train step 5", "train step 5", "");
	op_is("my range: phase one", "my range: phase one", "");
	op_is("", "", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_details_of_today),
		cmocka_unit_test(kernel_details_may_stand_on_lines),
		cmocka_unit_test(kernel_details_of_the_first_releases),
		cmocka_unit_test(kernel_details_of_rocm),
		cmocka_unit_test(dimensions_left_out_are_one),
		cmocka_unit_test(foreign_tokens_are_passed_over),
		cmocka_unit_test(numbers_that_do_not_fit_are_unknown_and_absurd),
		cmocka_unit_test(copy_details_of_today),
		cmocka_unit_test(copy_details_of_the_first_releases),
		cmocka_unit_test(async_is_a_mask_of_flags),
		cmocka_unit_test(both_ends_give_the_direction),
		cmocka_unit_test(memsets_and_allocations_name_one_memory),
		cmocka_unit_test(rocm_does_not_know_the_kind),
		cmocka_unit_test(copy_names_in_every_spelling),
		cmocka_unit_test(memories_of_a_name),
		cmocka_unit_test(tensorflow_ops),
		cmocka_unit_test(jax_ops),
		cmocka_unit_test(input_pipeline_ops),
		cmocka_unit_test(copies_are_ops_without_a_colon),
		cmocka_unit_test(any_other_text_is_no_op),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
