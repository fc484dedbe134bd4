/* model/analysis/comms/rank_axis.h - whether the clocks of the hosts agree, told by collectives that end on all ranks at once, and by
 * how much each is off where they do not.
 * Rule:     residual = end of a member - median end of its match. The host with the largest median residual decides: above 50 us and
 *           above a tenth of the median collective the hosts are moved by a robust fit: the median residual of each host, and a drift where
 *           it has DRIFT_PAIRS or more and the drift takes at least half of what is left.
 * Source:   NCCL's reductions and gathers synchronise their ranks; clocks of one host are one. */
#ifndef STEPSCOPE_RANK_AXIS_H
#define STEPSCOPE_RANK_AXIS_H
#include "model/store/base/arena.h"
#include <stdbool.h>
#include <stdint.h>

struct host_shift {
	uint32_t pairs; /* matched collectives of the host with others */
	int64_t off_ns; /* what is taken off its times: 0 unless fitted */
	double drift;   /* and so much per ns since from_ns */
	int64_t from_ns;
	int64_t residual_ns; /* median size of its residuals with these times; UNKNOWN_I64 without pairs */
};
struct rank_axis {
	struct host_shift *hosts;
	uint32_t n_hosts;
	bool by_hand; /* somebody has put the hosts where they are: what is left is measured, and nothing is moved */
	bool fitted;
	int64_t recorded_residual_ns; /* of the host that is furthest off, with the recorded times; UNKNOWN_I64 without pairs */
};
/* One member of a match: which host, when it ended by its own clock, and the median end of the match. */
struct axis_pair {
	uint32_t host;
	int64_t end_ns, median_end_ns, dur_ns;
};
/* x: n_hosts, hosts (zeroed) and by_hand set; pairs are reordered. */
void rank_axis_fit(struct rank_axis *x, struct axis_pair *pairs, uint32_t n, struct arena *mem);
/* A time of the host on the common axis; as it is where nothing was fitted. */
int64_t rank_axis_time(const struct rank_axis *x, uint32_t host, int64_t recorded_ns);
#endif
