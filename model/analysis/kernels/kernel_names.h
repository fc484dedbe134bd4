/* model/analysis/kernels/kernel_names.h - kernels by name, for screens that show few. The table `kernels` tells kernels of one name apart by
 * launch shape and op; where only the top ones fit, the same work would look small in many lines. */
#ifndef STEPSCOPE_KERNEL_NAMES_H
#define STEPSCOPE_KERNEL_NAMES_H
#include "model/table.h"

enum {
	KERNEL_NAMES_SHARE,
	KERNEL_NAMES_TOTAL,
	KERNEL_NAMES_COUNT,
	KERNEL_NAMES_AVG,
	KERNEL_NAMES_MIN,
	KERNEL_NAMES_MAX,
	KERNEL_NAMES_TC,
	KERNEL_NAMES_PRECISION,
	KERNEL_NAMES_OP,
	KERNEL_NAMES_NAME,
	KERNEL_NAMES_FORMS,
	KERNEL_NAMES_FAMILY,
	KERNEL_NAMES_COLUMNS
};

/* Of what kernels_by_name gives. */
TABLE_DECL(kernel_names);
/* One row per name, by time; the ids of its columns are above. `op` is null where ops differ.
 * Evidence is that of the largest part. `kernels` must outlive the result. */
struct table *kernels_by_name(const struct table *kernels, struct arena *mem);
#endif
