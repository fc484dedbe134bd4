/* model/analysis/comms/exposed_by.h - why collectives are exposed: what of their exposed time (exposed.h) is for which reason. The reasons add
 * up to it, to the ns. Of each moment the first that holds:
 * RANK:     until the last device of the call has started.
 * LINK:     what the transfer takes longer than --link-bandwidth allows, where that is half as long again or more.
 * STREAM:   the rest, where its stream mostly computes: nothing on it can run beside it.
 * UNTOLD:   the rest of calls without a match: waiting and transfer cannot be distinguished.
 * LATE:     the rest, where the launch call began when the device had had no compute for 20 us or more and for a tenth of that rest:
 *           earlier launched it would have run beside the compute before.
 * COMPUTE:  the rest: it was launched in time, and nothing is left to compute beside it.
 * SEMANTICS.md, 16. */
#ifndef STEPSCOPE_EXPOSED_BY_H
#define STEPSCOPE_EXPOSED_BY_H
#include "collectives.h"
#include "exposed.h"

/*   id, word of the tables, words of sentences */
#define EXPOSED_REASONS(_)                                                                                \
	_(RANK, "waited for a rank", "while they wait for other ranks")                                   \
	_(LINK, "slow link", "because the link is slower than --link-bandwidth")                          \
	_(STREAM, "on the compute stream", "on the stream that computes, where nothing runs beside them") \
	_(LATE, "launched late", "because they are launched when compute is over")                        \
	_(COMPUTE, "no compute left", "with no compute left to hide them")                                \
	_(UNTOLD, "cannot tell",                                                                          \
	  "in calls of whose other ranks nothing is known, so that it may be waiting as well as transfer")
enum exposed_reason {
#define EXPOSED_ENUM(id, ...) EXPOSED_##id,
	EXPOSED_REASONS(EXPOSED_ENUM)
#undef EXPOSED_ENUM
		EXPOSED_COUNT
};
struct exposure {
	int64_t exposed_ns, ns[EXPOSED_COUNT];
};
/* What it is told by. without_ns: how long the device had had no compute when the launch call of the collective began, at most until the collective
 * began; below 0: it still had some; UNKNOWN_I64: no call is recorded, or there was no compute before. */
struct exposed_facts {
	int64_t exposed_ns, wait_exposed_ns, too_long_ns, without_ns; /* too_long_ns: of the link, 0 = nothing known */
	bool matched, on_compute_stream;
};
struct exposure exposure_split(const struct exposed_facts *f);
int64_t exposed_without_compute_ns(const struct derived *d, const struct intervals *computing,
				   const struct collective *c);
struct exposure exposure_of(const struct derived *d, const struct collectives *x, const struct computing *computing,
			    const struct collective *c);
/* The reason with the most of it; EXPOSED_COUNT: nothing is exposed. */
enum exposed_reason exposed_most(const struct exposure *x);
/* NULL for EXPOSED_COUNT. */
const char *exposed_word(enum exposed_reason r);
const char *exposed_clause(enum exposed_reason r);
#endif
