#include "occupancy.h"
#include "model/analysis/names/device_vendor.h"
#include <math.h>

enum { WARP = 32, MAX_THREADS_PER_BLOCK = 1024, MAX_REGISTERS = 256, REGISTER_GRANULARITY = 256, KIB = 1024 };

/* What a streaming multiprocessor of each compute capability holds. From the CUDA programming guide, "Technical
 * specifications per compute capability"; sizes in KiB. Registers are 32 bit wide. `reserved`: bytes that the driver takes
 * from every block. `parts`: register files per SM. */
/* clang-format off */
/*  major minor  warps blocks  Ki registers  parts  shared KiB: SM, block  granularity  reserved */
#define CAPABILITIES(_)                                      \
	_( 5, 0,  64, 32,  64, 4,   64,  48, 256,    0)      \
	_( 5, 2,  64, 32,  64, 4,   96,  48, 256,    0)      \
	_( 5, 3,  64, 32,  64, 4,   64,  48, 256,    0)      \
	_( 6, 0,  64, 32,  64, 2,   64,  48, 256,    0)      \
	_( 6, 1,  64, 32,  64, 4,   96,  48, 256,    0)      \
	_( 6, 2,  64, 32,  64, 4,   64,  48, 256,    0)      \
	_( 7, 0,  64, 32,  64, 4,   96,  96, 256,    0)      \
	_( 7, 2,  64, 32,  64, 4,   96,  96, 256,    0)      \
	_( 7, 5,  32, 16,  64, 4,   64,  64, 256,    0)      \
	_( 8, 0,  64, 32,  64, 4,  164, 163, 128, 1024)      \
	_( 8, 6,  48, 16,  64, 4,  100,  99, 128, 1024)      \
	_( 8, 7,  48, 16,  64, 4,  164, 163, 128, 1024)      \
	_( 8, 9,  48, 24,  64, 4,  100,  99, 128, 1024)      \
	_( 9, 0,  64, 32,  64, 4,  228, 227, 128, 1024)      \
	_(10, 0,  64, 32,  64, 4,  228, 227, 128, 1024)      \
	_(10, 1,  48, 24,  64, 4,  228, 227, 128, 1024)      \
	_(10, 3,  64, 32,  64, 4,  228, 227, 128, 1024)      \
	_(11, 0,  48, 24,  64, 4,  228, 227, 128, 1024)      \
	_(12, 0,  48, 24,  64, 4,  100,  99, 128, 1024)      \
	_(12, 1,  48, 24,  64, 4,  100,  99, 128, 1024)
/* clang-format on */

struct capability {
	int64_t major, minor;
	uint32_t warps, blocks, registers, parts, smem_bytes, block_smem_bytes, granularity_bytes, reserved_bytes;
};
static const struct capability capabilities[] = {
#define CAPABILITY(major, minor, warps, blocks, registers, parts, smem, block_smem, granularity, reserved) \
	{major, minor, warps, blocks, (registers)*KIB, parts, (smem)*KIB, (block_smem)*KIB, granularity, reserved},
	CAPABILITIES(CAPABILITY)
#undef CAPABILITY
};

const char *occupancy_limit_word(enum occupancy_limit l)
{
	static const char *const words[] = {
#define OCCUPANCY_WORD(id, word, help) word,
		OCCUPANCY_LIMITS(OCCUPANCY_WORD)
#undef OCCUPANCY_WORD
	};
	return words[l];
}

static const struct capability *capability_of(const struct device *d)
{
	for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
		if (capabilities[i].major == d->cc_major && capabilities[i].minor == d->cc_minor)
			return &capabilities[i];
	return NULL;
}

static uint32_t round_up(uint32_t x, uint32_t to)
{
	return (x + to - 1) / to * to;
}

/* Dimensions that the producer left out are 1. 0 = not known, or a product beyond any sense. */
static uint64_t volume(const uint32_t dims[3])
{
	uint64_t n = dims[0] == UNKNOWN_U32 ? 0 : dims[0];
	for (int i = 1; i < 3; i++)
		if (__builtin_mul_overflow(n, dims[i] == UNKNOWN_U32 ? 1 : (uint64_t)dims[i], &n))
			return 0;
	return n;
}

static bool known_smem(const struct kernel_info *k, uint64_t *bytes)
{
	uint32_t fixed = k->static_smem_bytes, dynamic = k->dynamic_smem_bytes;
	*bytes = (uint64_t)(fixed == UNKNOWN_U32 ? 0 : fixed) + (dynamic == UNKNOWN_U32 ? 0 : dynamic);
	return fixed != UNKNOWN_U32 || dynamic != UNKNOWN_U32;
}

/* Registers are given to warps, from the file of the part of the SM that a warp runs on. */
static uint32_t fit_registers(const struct capability *c, uint32_t registers, uint32_t warps)
{
	uint32_t per_warp = round_up(registers * WARP, REGISTER_GRANULARITY);
	if (!per_warp)
		return UINT32_MAX;
	if (per_warp * round_up(warps, c->parts) > c->registers)
		return 0;
	return c->registers / c->parts / per_warp * c->parts / warps;
}

static uint32_t fit_smem(const struct capability *c, uint64_t bytes)
{
	if (bytes > c->block_smem_bytes)
		return 0;
	uint32_t taken = round_up((uint32_t)bytes + c->reserved_bytes, c->granularity_bytes);
	return taken ? c->smem_bytes / taken : UINT32_MAX;
}

bool occupancy_of(const struct trace *t, const struct device *d, const struct kernel_info *k, struct occupancy *out)
{
	const struct capability *c = device_is_amd(t, d) ? NULL : capability_of(d);
	uint64_t smem, threads = volume(k->block);
	if (!c || !threads || threads > MAX_THREADS_PER_BLOCK || k->registers > MAX_REGISTERS || !known_smem(k, &smem))
		return false;
	uint32_t warps = round_up((uint32_t)threads, WARP) / WARP;
	const uint32_t fits[OCCUPANCY_LIMIT_COUNT] = {[OCCUPANCY_WARPS] = c->warps / warps,
						      [OCCUPANCY_REGISTERS] = fit_registers(c, k->registers, warps),
						      [OCCUPANCY_SMEM] = fit_smem(c, smem),
						      [OCCUPANCY_BLOCKS] = c->blocks};
	int least = OCCUPANCY_WARPS;
	for (int i = 0; i < OCCUPANCY_LIMIT_COUNT; i++)
		if (fits[i] < fits[least])
			least = i;
	*out = (struct occupancy){fits[least], 100.0 * fits[least] * (double)threads / (c->warps * WARP),
				  fits[least] * warps == c->warps, (enum occupancy_limit)least};
	return out->blocks_per_sm > 0;
}

bool waves_of(const struct device *d, const struct kernel_info *k, const struct occupancy *o, struct waves *out)
{
	uint64_t blocks = volume(k->grid);
	bool exact = blocks && d->sms != UNKNOWN_I64 && d->sms > 0; /* what the recorder says is rounded */
	double per_sm = exact ? (double)blocks / (double)d->sms : k->blocks_per_sm;
	if (!(per_sm > 0))
		return false;
	*out = (struct waves){per_sm, NAN, NAN, NAN, NAN};
	if (!o)
		return true;
	out->waves = exact ? (double)blocks / ((double)o->blocks_per_sm * (double)d->sms) : per_sm / o->blocks_per_sm;
	out->tail_pct = 100.0 * (ceil(out->waves) - out->waves);
	out->tail_loss_pct = out->tail_pct / ceil(out->waves);
	out->occupancy_pct = out->waves < 1 ? o->pct * out->waves : o->pct;
	return true;
}
