/* Kernel counts and time by precision and Tensor Core use. Where names tell nothing, the share that is unknown stands
 * beside the share that is known. */
#include "overview_parts.h"
#include "model/analysis/kernels/tensor_cores.h"
#include "model/analysis/query/keyed.h"
#include <math.h>

struct sums {
	int64_t by_precision_ns[PREC_OTHER + 1];
	int64_t by_tc_ns[VERDICT_UNKNOWN + 1];
	int64_t unused_ns;                 /* eligible, but not on Tensor Cores */
	uint64_t half_count, untold_count; /* whose names tell no precision */
	int64_t half_ns;
};

static struct sums add_up(const struct kernel_stats *k)
{
	struct sums s = {0};
	for (uint32_t i = 0; i < k->n_kinds; i++) {
		const struct kernel_kind *g = &k->kinds[i];
		s.by_precision_ns[g->precision] += g->total_ns;
		s.by_tc_ns[g->uses_tc] += g->total_ns;
		if (g->eligible == VERDICT_YES && g->uses_tc == VERDICT_NO)
			s.unused_ns += g->total_ns;
		if (g->precision == PREC_UNKNOWN)
			s.untold_count += g->count;
		if (precision_is_16bit(g->precision)) {
			s.half_count += g->count;
			s.half_ns += g->total_ns;
		}
	}
	return s;
}

static void add_precisions(struct table *t, const struct sums *s, double all)
{
	for (int p = PREC_FP64; p <= PREC_OTHER; p++)
		if (s->by_precision_ns[p])
			keyed_real(t, arena_printf(t->mem, "kernels_%s_time_pct", precision_name((enum precision)p)),
				   UNIT_PERCENT, keyed_pct((double)s->by_precision_ns[p], all),
				   "Share of the kernel time spent in this precision, by the kernels' names.");
	keyed_real(t, "kernels_unknown_precision_time_pct", UNIT_PERCENT,
		   keyed_pct((double)s->by_precision_ns[PREC_UNKNOWN], all),
		   "Share of the kernel time in kernels whose names do not say a precision.");
}

/* Where no name tells a precision the share is not known, and not nothing. */
static void add_16bit(struct table *t, const struct sums *s, const struct kernel_stats *k, double all)
{
	double n = s->untold_count < k->count ? (double)k->count : NAN;
	keyed_int(t, "kernels_16bit", UNIT_COUNT, (int64_t)s->half_count,
		  "Kernels that compute in fp16 or bf16, by their names.");
	keyed_real(t, "kernels_16bit_pct", UNIT_PERCENT, keyed_pct((double)s->half_count, n),
		   "Share of the kernels that compute in fp16 or bf16, by count.");
	keyed_real(t, "kernels_unknown_precision_pct", UNIT_PERCENT,
		   keyed_pct((double)s->untold_count, (double)k->count),
		   "Share of the kernels whose names do not say a precision, by count.");
	keyed_real(t, "kernels_16bit_time_pct", UNIT_PERCENT,
		   s->by_precision_ns[PREC_UNKNOWN] < k->total_ns ? keyed_pct((double)s->half_ns, all) : NAN,
		   "Share of the kernel time in kernels that compute in fp16 or bf16.");
}

/* On devices without Tensor Cores nothing is left unused. */
static void add_tensor_cores(struct table *t, const struct sums *s, double all, enum tc_device device, bool no_question)
{
	bool none = device == TC_DEVICE_WITHOUT;
	if (no_question)
		return;
	bool known = s->by_tc_ns[VERDICT_YES] || s->by_tc_ns[VERDICT_NO];
	keyed_real(t, "tensor_core_time_pct", UNIT_PERCENT,
		   known ? keyed_pct((double)s->by_tc_ns[VERDICT_YES], all) : NAN,
		   "Share of the kernel time on Tensor Cores, as far as names show.");
	keyed_real(t, "tensor_core_unknown_time_pct", UNIT_PERCENT,
		   keyed_pct((double)s->by_tc_ns[VERDICT_UNKNOWN], all),
		   "Share of the kernel time in kernels whose names do not say whether they use Tensor Cores.");
	keyed_int(t, "tensor_core_unused_ns", UNIT_NS, all > 0 && !none ? s->unused_ns : UNKNOWN_I64,
		  "Time of kernels whose ops could use Tensor Cores, but that do not.");
	keyed_real(t, "tensor_core_unused_pct", UNIT_PERCENT, none ? NAN : keyed_pct((double)s->unused_ns, all),
		   "Share of kernel time whose ops could use Tensor Cores and do not.");
}

void overview_kernels(struct table *t, const struct derived *d, const struct kernel_stats *k)
{
	struct sums s = add_up(k);
	double all = (double)k->total_ns;
	keyed_int(t, "kernels", UNIT_COUNT, (int64_t)k->count, "Kernels that start inside the window.");
	keyed_int(t, "kernel_ns", UNIT_NS, k->total_ns, "Time of all kernels inside the window, summed.");
	add_16bit(t, &s, k, all);
	add_precisions(t, &s, all);
	add_tensor_cores(t, &s, all, tc_device_of(d), tc_no_question(d));
}
