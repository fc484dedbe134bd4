/* model/analysis/kernels/kernel_families.h - the family of each kind of kernel (rules/family_rules.h). */
#ifndef STEPSCOPE_KERNEL_FAMILIES_H
#define STEPSCOPE_KERNEL_FAMILIES_H
#include "kernel_stats.h"
#include "model/analysis/rules/family_rules.h"

/* Per kind: its enum kernel_family, and its enum copying; in `mem`. */
struct kernel_said {
	const uint8_t *family, *copying;
};
/* Of the kinds of q's kernel_stats_part. */
extern const struct shared_part kernel_said_part;
/* The same where `s` was made of q: what the query keeps, else made anew. False with `e`. */
bool kernel_stats_said(const struct kernel_stats *s, const struct derived *d, const struct query *q, struct arena *mem,
		       struct kernel_said *said, struct err *e);
/* The families alone; NULL with `e`. */
const uint8_t *kernel_stats_families(const struct kernel_stats *s, const struct derived *d, const struct query *q,
				     struct arena *mem, struct err *e);
/* The table of this name as a part of answers (query/shared.h): a struct table whose rows have no evidence, as that needs groups. */
extern const struct shared_part kernel_families_part;
#endif
