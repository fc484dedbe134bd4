/* model/analysis/gaps/thread_shares.h - what a thread did in a gap, as shares of causes. Of verdict_evidence.c.
 * Cost: of the thread's events in the gap. Where many devices wait for one thread each of their idle times lies beside much of what it did:
 * a judge that has gone through a thread several times adds it up once in blocks, from one moment at which nothing but markers is open to
 * another one, and then goes through the events at both ends of a gap only; not where a block would have more events than a question. */
#ifndef STEPSCOPE_THREAD_SHARES_H
#define STEPSCOPE_THREAD_SHARES_H
#include "verdict.h"

struct gap_judge;
struct thread_blocks;
/* Time of an event whose class `owner` gives. */
void cause_share_add(struct cause_share *s, row_id owner, int64_t ns, int trust);
/* So much of it is the event's own. */
void cause_share_main(struct cause_share *s, row_id row, int64_t ns);
/* Both, of an event in which nothing else is. */
void cause_share_add_alone(struct cause_share *s, row_id row, int64_t ns, int trust);
/* What the thread that launches does in [a, b): `own`, `largest`, `recorded_ns` and the hole of `out`, which know of nothing yet. */
void thread_shares_launching(struct gap_judge *j, uint32_t track, int64_t a_ns, int64_t b_ns, struct gap_evidence *out);
/* The same of `own[cause].owner` alone, for less; NONE_ID: that cannot be had. */
row_id thread_shares_owner(struct gap_judge *j, uint32_t track, int64_t a_ns, int64_t b_ns, enum cause cause);
/* The same where few events begin in [a, b), else false; *owner becomes NONE_ID where the thread tells nothing of that cause. */
bool thread_shares_owner_of_few(struct gap_judge *j, uint32_t track, int64_t a_ns, int64_t b_ns, enum cause cause,
				row_id *owner);
/* Adds what another one does to `others`. */
void thread_shares_beside(struct gap_judge *j, uint32_t track, int64_t a_ns, int64_t b_ns, struct gap_evidence *out);
void gap_evidence_empty(struct gap_evidence *out, int64_t start_ns);
/* Events that the judge's threads were gone through, one by one, so far. */
uint64_t thread_shares_events(const struct gap_judge *j);
void thread_blocks_free(struct thread_blocks *x); /* NULL is fine */
#endif
