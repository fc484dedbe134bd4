/* model/analysis/comms/collectives.h - the collectives of a trace, each with those of other devices that it was one call with.
 * Found:   device work that a rule or its own record calls a collective (derived_is_collective, SIDE_COLLECTIVES).
 * Matched: of one communicator, on different devices. By the recorded group and its sequence number where these are told; else
 *          collectives of one name that leave no rank before all have entered (collective_blocks), in their order on each device,
 *          shifted against each other where windows differ, on the devices where they end together (collective_match.c).
 *          Sends and receives are matched by their ends where these are told: the n-th send of one rank to another is the n-th receive.
 * Times:   on the common axis of the hosts (rank_axis.h), which is the recorded one unless the ends say otherwise.
 * Formulas: SEMANTICS.md, 16. */
#ifndef STEPSCOPE_COLLECTIVES_H
#define STEPSCOPE_COLLECTIVES_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/names/collective_name.h"
#include "rank_axis.h"

struct collective {
	row_id row;
	uint32_t device, host, step; /* step: index, NONE_ID = none */
	uint64_t peer; /* equal for the recordings of one device of one rank, which are no two members of a call */
	int64_t step_number;      /* as the producer counts; UNKNOWN_I64: none, or inferred */
	int64_t start_ns, end_ns; /* on the common axis */
	struct collective_name is;
	int64_t bytes; /* of the message: what every rank holds before or after, the larger of the two; UNKNOWN_I64 */
	bool by_parameters; /* bytes are --parameters x 4 */
	const char *group;  /* for people: the description of the process group, else its name; NULL = not recorded */
	str_id group_id;    /* the recorded name of the group */
	const char *kind, *ranks; /* "TP", "[0, 1]"; NULL = not recorded */
	const char *purpose;      /* "DDP bucket"; NULL = not recorded */
	uint64_t group_key;       /* equal for one recorded group with its ranks; 0: not recorded */
	uint64_t key;             /* equal for what may be one communicator */
	bool keyed;               /* the group is recorded: the key is sure */
	int64_t group_size, seq;  /* as recorded, UNKNOWN_I64 */
	int64_t sent, received;   /* bytes that this rank gives and gets, as recorded; UNKNOWN_I64 */
	int32_t from, to;         /* ranks at both ends of a send or receive; -1: not recorded */
	double to_one;  /* share of what is sent that goes to the rank that gets most, by recorded split sizes; NaN */
	uint32_t match; /* NONE_ID: no other device's call is known to be the same */
};
/* One call on all its devices. */
struct collective_match {
	const uint32_t *members; /* places in collectives.at, by device */
	uint32_t n;
	uint32_t last; /* member that started last; of equal ones the first */
	int64_t last_start_ns;
};
struct collectives {
	struct collective *at; /* by start_ns, then device */
	uint32_t n;
	struct collective_match *matches; /* by last_start_ns */
	uint32_t n_matches;
	struct rank_axis axis;
};
/* All of the trace, whatever the window; false with `e` when it was cancelled. */
bool collectives_find(const struct derived *d, struct arena *mem, struct progress *p, struct collectives *out,
		      struct err *e);
/* Of collectives as recorded, in any order, whose matches and axis are empty: puts them in order, matches them, and puts the hosts on
 * one axis where their ends ask for it. */
void collectives_put_together(struct collectives *x, struct arena *mem);
/* From its start until the last device has started, at most until its end; UNKNOWN_I64 without a match. */
int64_t collective_wait_ns(const struct collectives *x, const struct collective *c);
/* It moves between two ranks only. */
bool collective_in_pairs(const struct collective *c);
/* What several tables call a rank: the job's number, else the device's. */
int64_t collective_rank(const struct trace *t, const struct collective *c);
/* Adds what one collective has to a sum over several, in the same unit: where one is UNKNOWN_I64 the sum is. */
static inline void collective_add(int64_t *sum, int64_t v)
{
	*sum = *sum == UNKNOWN_I64 || v == UNKNOWN_I64 ? UNKNOWN_I64 : *sum + v;
}
#endif
