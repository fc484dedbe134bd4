/* model/store/facts/collectives.h - what a collective's record says of it. */
#ifndef STEPSCOPE_FACTS_COLLECTIVES_H
#define STEPSCOPE_FACTS_COLLECTIVES_H
#include "model/store/base/strings.h"
#include <stdint.h>

/* Of the device work itself, or of the host op that started it. Unknown = 0 for texts,
 * UNKNOWN_I64. */
struct collective_info {
	uint64_t event;
	str_id op, dtype;                      /* as the producer spells them: "_allgather_base", "BFloat16" */
	str_id group, group_desc, group_ranks; /* of the process group: "7", "mesh_tp", "[0, 1]" */
	str_id in_split, out_split;            /* elements per peer, as a list */
	int64_t in_elements, out_elements;     /* of this rank's message */
	int64_t group_size, seq;               /* ranks of the group; which call of the group it is */
	int64_t src_rank, dst_rank;            /* of sends and receives: the other end, as a place in the group */
};
/* clang-format off */
#define COLLECTIVE_SIDE_COLUMNS(_, T) \
	_(T, event, SIDE_ANY) _(T, op, SIDE_TEXT) _(T, dtype, SIDE_TEXT) _(T, group, SIDE_TEXT) _(T, group_desc, SIDE_TEXT) \
	_(T, group_ranks, SIDE_TEXT) _(T, in_split, SIDE_TEXT) _(T, out_split, SIDE_TEXT) _(T, in_elements, SIDE_ANY) \
	_(T, out_elements, SIDE_ANY) _(T, group_size, SIDE_ANY) _(T, seq, SIDE_ANY) \
	_(T, src_rank, SIDE_ANY) _(T, dst_rank, SIDE_ANY)
/* clang-format on */
#endif
