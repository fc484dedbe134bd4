/* model/analysis/kernels/kernel_families.h - the family of each kind of kernel (rules/family_rules.h). */
#ifndef STEPSCOPE_KERNEL_FAMILIES_H
#define STEPSCOPE_KERNEL_FAMILIES_H
#include "kernel_stats.h"
#include "model/analysis/rules/family_rules.h"

/* One enum kernel_family per kind, in `mem`; NULL with `e`. Each name and op is asked once. */
const uint8_t *kernel_stats_families(const struct kernel_stats *s, const struct derived *d, struct arena *mem,
				     struct err *e);
/* The table of this name as a part of answers (query/shared.h): a struct table whose rows have no evidence, as that needs groups. */
extern const struct shared_part kernel_families_part;
#endif
