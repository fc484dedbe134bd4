/* model/analysis/launches/launch_pass.h - one walk over all launches for the tables that are asked together: launches by device for
 * launch_totals, ops by type for tiny_ops. Who asks one table alone walks for itself. */
#ifndef STEPSCOPE_LAUNCH_PASS_H
#define STEPSCOPE_LAUNCH_PASS_H
#include "launch_groups.h"
#include "tiny_ops.h"
#include "model/analysis/query/shared.h"

struct launch_pass {
	struct launch_groups by_device;
	struct tiny_ops tiny_ops;
};
extern const struct shared_part launch_pass_part;
/* Both are asked with this query, or may be. */
bool launch_pass_fits(const struct derived *d, const struct query *q);
#endif
