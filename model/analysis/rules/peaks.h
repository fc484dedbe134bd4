/* model/analysis/rules/peaks.h - how fast a device can be at most: arithmetic, memory, links. From what the trace says about it,
 * else from the data file rules/peaks.rules by compute capability and name. Unknown is NaN, never 0.
 * Arithmetic counts a fused multiply-add as two operations and is dense (no structured sparsity): SMs x clock x
 * operations per SM and clock. The clock is the highest one, so a share of a peak is a lower bound.
 * Links count one direction. Life: peaks_read -> peaks_of... -> peaks_free; read only in between: any number of threads. */
#ifndef STEPSCOPE_PEAKS_H
#define STEPSCOPE_PEAKS_H
#include "kernel_rules.h"
#include "model/store/base/err.h"
#include "model/store/trace/trace.h"

enum { PEAK_PRECISIONS = PREC_OTHER + 1 }; /* places by enum precision */
struct peaks {
	double core_flops[PEAK_PRECISIONS]; /* per second, ordinary arithmetic units; NaN = unknown */
	double matrix_flops
		[PEAK_PRECISIONS]; /* per second, Tensor Cores or matrix cores; 0 = has none of that precision */
	double memory_bytes_per_s;
	double shared_bytes_per_s; /* shared memory, all SMs together */
	double host_bytes_per_s;   /* link to the host, one direction */
	double peer_bytes_per_s;   /* links to other devices (NVLink, Infinity Fabric), all together, one direction */
	double sms, clock_hz;
	const char *arch; /* row of the table that gave operations per clock ("9.0", "gfx942"), NULL = none fits */
	const char *name; /* row that gave clock, memory and links, NULL = none fits the device's name */
};
struct peak_table;
struct peak_table *peaks_builtin(struct err *e);
struct peak_table *peaks_read(const char *text, size_t n, struct err *e); /* NULL with the line that is wrong */
void peaks_free(struct peak_table *t);
/* Texts of the answer live as long as the table. */
struct peaks peaks_of(const struct peak_table *p, const struct trace *t, uint32_t device);
/* Operations per second with which work of that precision can run at best, on matrix units or without; PREC_UNKNOWN counts
 * as fp32. Precisions that are computed in a wider one (bf16 without units for it) answer with that. NaN = unknown. */
double peaks_flops(const struct peaks *p, enum precision precision, bool matrix);
/* Of any precision from 16 to 32 bit on any unit: the roof the reference tool draws. */
double peaks_highest(const struct peaks *p);
#endif
