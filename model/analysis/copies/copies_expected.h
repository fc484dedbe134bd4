/* model/analysis/copies/copies_expected.h - copies that every step needs, told from excess ones: its input and its output.
 * Input:   copies to the device that begin before the step's first kernel does; when there are none (input fetched ahead
 *          of time), the step's first copy to the device and those launched with it.
 * Output:  copies to the host that begin with the step's last kernel or after; when there are none, the step's last copy to
 *          the host and those launched with it.
 * Neither: a round trip, which brings back what was copied to the host right before.
 * Unknown: for copies of no step, of steps without kernels, and of other directions.
 * "Launched with" = on the same thread, no kernel launched in between. Life: new -> copy_expected... -> free. */
#ifndef STEPSCOPE_COPIES_EXPECTED_H
#define STEPSCOPE_COPIES_EXPECTED_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/rules/kernel_rules.h"

struct copies_expected;
/* Of the steps of one device that meet [a, b). */
struct copies_expected *copies_expected_new(const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns);
void copies_expected_free(struct copies_expected *x);
enum verdict copy_expected(struct copies_expected *x, row_id r, enum copy_kind kind);
uint32_t copies_steps(const struct copies_expected *x); /* steps of the device that meet [a, b) */
/* Which of them the event belongs to, as a number; NONE_ID = none. */
uint32_t copies_step_of(struct copies_expected *x, row_id r);
#endif
