/* Occupancy: the numbers of NVIDIA's own calculation, what limits, and how a grid falls upon a device. */
#include "model/analysis/kernels/occupancy.h"
#include "tests/unit/build_trace.h"
#include "tests/unit/unit.h"

struct launch {
	int cc_major, cc_minor;
	uint32_t threads, registers, smem_bytes, blocks_per_sm;
	enum occupancy_limit limit;
};

/* Answers of the occupancy calculation that comes with CUDA 13.0, for launches drawn by lot; shared memory allowed up to
 * what a block may ask for. 0: does not fit. */
/* clang-format off */
static const struct launch answers[] = {
	{ 5, 0,  704,  59,  31610,  1, OCCUPANCY_REGISTERS},
	{ 5, 0,  544,  63,  20558,  1, OCCUPANCY_REGISTERS},
	{ 5, 0,  832,  16,   4140,  2, OCCUPANCY_WARPS},
	{ 5, 2,  570, 115,    498,  0, OCCUPANCY_REGISTERS},
	{ 5, 2,  576,  77,      0,  1, OCCUPANCY_REGISTERS},
	{ 5, 2,  192, 112,  44717,  2, OCCUPANCY_REGISTERS},
	{ 6, 0,  384, 133,      0,  1, OCCUPANCY_REGISTERS},
	{ 6, 0,   83, 239,      0,  2, OCCUPANCY_REGISTERS},
	{ 6, 0,  128, 112,  23598,  2, OCCUPANCY_SMEM},
	{ 6, 1,  800, 124,  40944,  0, OCCUPANCY_REGISTERS},
	{ 6, 1,   36, 128,      0,  8, OCCUPANCY_REGISTERS},
	{ 6, 1,  480, 148,  18042,  0, OCCUPANCY_REGISTERS},
	{ 7, 0,  544, 112,      0,  0, OCCUPANCY_REGISTERS},
	{ 7, 0,   32,  32,      0, 32, OCCUPANCY_BLOCKS},
	{ 7, 0,  416,  16,  69149,  1, OCCUPANCY_SMEM},
	{ 7, 2,  288,  16,   8137,  7, OCCUPANCY_WARPS},
	{ 7, 2,  320, 131,      0,  1, OCCUPANCY_REGISTERS},
	{ 7, 2,  512,  88,      0,  1, OCCUPANCY_REGISTERS},
	{ 7, 5,  160, 252,  60629,  1, OCCUPANCY_REGISTERS},
	{ 7, 5,   64,  49,  24212,  2, OCCUPANCY_SMEM},
	{ 7, 5,  960, 151,      0,  0, OCCUPANCY_REGISTERS},
	{ 8, 0,  320,  93,      0,  2, OCCUPANCY_REGISTERS},
	{ 8, 0,  352,  80,  14972,  2, OCCUPANCY_REGISTERS},
	{ 8, 0,  160,  52,  39220,  4, OCCUPANCY_SMEM},
	{ 8, 6,  832,  48,      0,  1, OCCUPANCY_WARPS},
	{ 8, 6,  480,  78,  54235,  1, OCCUPANCY_REGISTERS},
	{ 8, 6,  352, 200,      0,  0, OCCUPANCY_REGISTERS},
	{ 8, 7,  438,  29,  15018,  3, OCCUPANCY_WARPS},
	{ 8, 7,  224, 224,      0,  1, OCCUPANCY_REGISTERS},
	{ 8, 7,  256, 172,  66476,  1, OCCUPANCY_REGISTERS},
	{ 8, 9,   64,  96,  13433,  7, OCCUPANCY_SMEM},
	{ 8, 9,  864, 240,      0,  0, OCCUPANCY_REGISTERS},
	{ 8, 9,  992,  80,  39081,  0, OCCUPANCY_REGISTERS},
	{ 9, 0,  320,  46,      0,  4, OCCUPANCY_REGISTERS},
	{ 9, 0,   96, 149,  19221,  4, OCCUPANCY_REGISTERS},
	{ 9, 0,  736, 243,      0,  0, OCCUPANCY_REGISTERS},
	{10, 0,  672, 196,  22390,  0, OCCUPANCY_REGISTERS},
	{10, 0,  768,  96,  18460,  0, OCCUPANCY_REGISTERS},
	{10, 0, 1024, 112,  26159,  0, OCCUPANCY_REGISTERS},
	{10, 1,   96, 128,  24835,  5, OCCUPANCY_REGISTERS},
	{10, 1,  608,  80,  26123,  1, OCCUPANCY_REGISTERS},
	{10, 1,  224, 175,      0,  1, OCCUPANCY_REGISTERS},
	{10, 3,  576,  96,  60220,  1, OCCUPANCY_REGISTERS},
	{10, 3,   64, 210, 101629,  2, OCCUPANCY_SMEM},
	{10, 3,  928,  80,  30390,  0, OCCUPANCY_REGISTERS},
	{11, 0,  992, 196,      0,  0, OCCUPANCY_REGISTERS},
	{11, 0,   96, 168,  10616,  4, OCCUPANCY_REGISTERS},
	{11, 0,  576,  16,  14422,  2, OCCUPANCY_WARPS},
	{12, 0,  608, 184,  23799,  0, OCCUPANCY_REGISTERS},
	{12, 0,  192, 128,  46831,  2, OCCUPANCY_REGISTERS},
	{12, 0,   32,  16,      0, 24, OCCUPANCY_BLOCKS},
	{12, 1,  480,  59,   2137,  2, OCCUPANCY_REGISTERS},
	{12, 1,  160, 205,      0,  1, OCCUPANCY_REGISTERS},
	{12, 1,  608, 198,      0,  0, OCCUPANCY_REGISTERS},
};
/* clang-format on */

static struct trace *texts; /* for names of devices; it has no other use */
static str_id nvidia, amd, h100, mi210;

static struct kernel_info kernel_of(const struct launch *x)
{
	struct kernel_info k;
	kernel_info_init(&k);
	k.registers = x->registers;
	k.dynamic_smem_bytes = x->smem_bytes;
	k.block[0] = x->threads;
	return k;
}

static struct device device_of(int major, int minor, int64_t sms)
{
	return (struct device){.cc_major = major, .cc_minor = minor, .sms = sms};
}

static void the_answers_are_those_of_the_makers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
		const struct launch *x = &answers[i];
		struct device d = device_of(x->cc_major, x->cc_minor, 100);
		struct kernel_info k = kernel_of(x);
		struct occupancy o = {0};
		bool fits = occupancy_of(texts, &d, &k, &o);
		if (fits != (x->blocks_per_sm > 0) || o.blocks_per_sm != x->blocks_per_sm || o.limit != x->limit)
			fail_msg("compute capability %d.%d, %u threads, %u registers, %u bytes: %u blocks, limited by "
				 "%s",
				 x->cc_major, x->cc_minor, x->threads, x->registers, x->smem_bytes, o.blocks_per_sm,
				 occupancy_limit_word(o.limit));
	}
}

static struct occupancy fit(int major, int minor, uint32_t threads, uint32_t registers, uint32_t smem_bytes)
{
	struct launch x = {.threads = threads, .registers = registers, .smem_bytes = smem_bytes};
	struct device d = device_of(major, minor, 100);
	struct kernel_info k = kernel_of(&x);
	struct occupancy o;
	assert_true(occupancy_of(texts, &d, &k, &o));
	return o;
}

static void what_limits_is_named(void **state)
{
	(void)state;
	assert_string_equal(occupancy_limit_word(fit(8, 0, 768, 32, 0).limit), "block size");
	assert_string_equal(occupancy_limit_word(fit(8, 0, 256, 128, 0).limit), "registers");
	assert_string_equal(occupancy_limit_word(fit(8, 0, 256, 32, 49152).limit), "shared memory");
	assert_string_equal(occupancy_limit_word(fit(8, 0, 32, 16, 0).limit), "blocks per SM");
}

static void a_full_multiprocessor_is_not_limited(void **state)
{
	(void)state;
	struct occupancy full = fit(8, 0, 256, 32, 0), half = fit(8, 0, 256, 64, 0);
	assert_true(full.full);
	assert_float_equal(full.pct, 100, 1e-9);
	assert_false(half.full);
	assert_float_equal(half.pct, 50, 1e-9);
}

static void the_driver_takes_shared_memory_of_its_own_from_ampere_on(void **state)
{
	(void)state;
	assert_int_equal(fit(7, 0, 128, 16, 24 * 1024).blocks_per_sm, 4);
	assert_int_equal(fit(8, 0, 128, 16, 41 * 1024).blocks_per_sm, 3); /* 164 / (41 + 1) */
}

static void unknown_things_have_no_occupancy(void **state)
{
	(void)state;
	struct launch x = {.threads = 256, .registers = 32, .smem_bytes = 0};
	struct device known = device_of(8, 0, 108), strange = device_of(42, 0, 108);
	struct kernel_info k = kernel_of(&x), bare = k, no_block = k, no_registers = k;
	struct occupancy o;
	bare.dynamic_smem_bytes = UNKNOWN_U32;
	no_block.block[0] = UNKNOWN_U32;
	no_registers.registers = UNKNOWN_U32;
	assert_true(occupancy_of(texts, &known, &k, &o));
	assert_false(occupancy_of(texts, &strange, &k, &o));
	assert_false(occupancy_of(texts, &known, &bare, &o));
	assert_false(occupancy_of(texts, &known, &no_block, &o));
	assert_false(occupancy_of(texts, &known, &no_registers, &o));
}

/* gfx90a calls itself 9.0, like Hopper. */
static void a_device_of_amd_is_known_by_its_vendor_or_its_name(void **state)
{
	(void)state;
	struct kernel_info k = kernel_of(&(struct launch){.threads = 256, .registers = 32});
	struct occupancy o;
	struct device hopper = device_of(9, 0, 132), named = device_of(9, 0, 104), nameless = named;
	hopper.vendor = nvidia;
	hopper.name = h100;
	named.name = mi210;
	nameless.vendor = amd;
	assert_true(occupancy_of(texts, &hopper, &k, &o));
	assert_false(occupancy_of(texts, &named, &k, &o));
	assert_false(occupancy_of(texts, &nameless, &k, &o));
}

static void absurd_numbers_do_not_count(void **state)
{
	(void)state;
	struct launch x = {.threads = 256, .registers = 32, .smem_bytes = 0};
	struct device d = device_of(8, 0, 108);
	struct kernel_info k = kernel_of(&x);
	struct occupancy o;
	struct waves w;
	k.static_smem_bytes = k.dynamic_smem_bytes = UNKNOWN_U32 - 1;
	assert_false(occupancy_of(texts, &d, &k, &o));
	k.block[1] = k.block[2] = UNKNOWN_U32 - 1;
	assert_false(occupancy_of(texts, &d, &k, &o));
	k.grid[0] = k.grid[1] = k.grid[2] = UNKNOWN_U32 - 1;
	assert_false(waves_of(&d, &k, NULL, &w));
}

static struct waves spread_out(uint32_t blocks, int64_t sms)
{
	struct launch x = {.threads = 256, .registers = 64, .smem_bytes = 0}; /* 4 blocks per SM, half full */
	struct device d = device_of(8, 0, sms);
	struct kernel_info k = kernel_of(&x);
	struct occupancy o;
	struct waves w;
	k.grid[0] = blocks;
	assert_true(occupancy_of(texts, &d, &k, &o));
	assert_true(waves_of(&d, &k, &o, &w));
	return w;
}

static void a_grid_comes_in_waves(void **state)
{
	(void)state;
	struct waves two_and_a_half = spread_out(1000, 100), small = spread_out(100, 100), even = spread_out(800, 100);
	assert_float_equal(two_and_a_half.blocks_per_sm, 10, 1e-9);
	assert_float_equal(two_and_a_half.waves, 2.5, 1e-9);
	assert_float_equal(two_and_a_half.tail_pct, 50, 1e-9);
	assert_float_equal(two_and_a_half.tail_loss_pct, 50.0 / 3, 1e-9);
	assert_float_equal(two_and_a_half.occupancy_pct, 50, 1e-9);
	assert_float_equal(small.waves, 0.25, 1e-9);
	assert_float_equal(small.occupancy_pct, 12.5, 1e-9); /* one block of 256 threads per SM */
	assert_float_equal(even.tail_pct, 0, 1e-9);
}

static void without_occupancy_only_blocks_per_sm_are_known(void **state)
{
	(void)state;
	struct kernel_info k;
	struct waves w;
	struct device d = device_of(9, 4, 304), unknown = device_of(9, 4, UNKNOWN_I64);
	kernel_info_init(&k);
	k.grid[0] = 608;
	assert_true(waves_of(&d, &k, NULL, &w));
	assert_float_equal(w.blocks_per_sm, 2, 1e-9);
	assert_true(isnan(w.waves));
	assert_false(waves_of(&unknown, &k, NULL, &w));
}

static int make_texts(void **state)
{
	(void)state;
	struct build b = build_new("chrome");
	nvidia = build_text(&b, "Nvidia");
	amd = build_text(&b, "AMD");
	h100 = build_text(&b, "NVIDIA H100 80GB HBM3");
	mi210 = build_text(&b, "AMD Instinct MI210");
	texts = build_seal(&b);
	return 0;
}
static int free_texts(void **state)
{
	(void)state;
	trace_free(texts);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_answers_are_those_of_the_makers),
		cmocka_unit_test(what_limits_is_named),
		cmocka_unit_test(a_full_multiprocessor_is_not_limited),
		cmocka_unit_test(the_driver_takes_shared_memory_of_its_own_from_ampere_on),
		cmocka_unit_test(unknown_things_have_no_occupancy),
		cmocka_unit_test(a_device_of_amd_is_known_by_its_vendor_or_its_name),
		cmocka_unit_test(absurd_numbers_do_not_count),
		cmocka_unit_test(a_grid_comes_in_waves),
		cmocka_unit_test(without_occupancy_only_blocks_per_sm_are_known),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_texts, free_texts);
}
