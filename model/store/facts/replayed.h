/* model/store/facts/replayed.h - what a capture told about the work of a replayed graph. */
#ifndef STEPSCOPE_FACTS_REPLAYED_H
#define STEPSCOPE_FACTS_REPLAYED_H
#include "model/store/base/strings.h"
#include <stdint.h>

/* How a replayed kernel was found among the captured launches: none has its name at its place; one has; one of another name stands
 * at its place, between two that have theirs; the trace itself tells which call made its node. */
enum replay_match { REPLAY_UNMATCHED, REPLAY_BY_NAME, REPLAY_BY_PLACE, REPLAY_BY_NODE, REPLAY_MATCHES };
/* Its op and module stand with the kernel, as those of any other. */
struct replayed_work {
	uint64_t event;
	str_id stack;  /* Python frames around the captured launch, the innermost first; 0 = none recorded */
	uint8_t match; /* enum replay_match */
};
#define REPLAYED_SIDE_COLUMNS(_, T) _(T, event, SIDE_ANY) _(T, stack, SIDE_TEXT) _(T, match, REPLAY_MATCHES)
#endif
