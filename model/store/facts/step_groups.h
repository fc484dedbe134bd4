/* model/store/facts/step_groups.h - the step group that a producer gives an event. Numbers are small as a rule: a column of them has 16 bits
 * each where all fit, and 0xffff stands for none. */
#ifndef STEPSCOPE_STEP_GROUPS_H
#define STEPSCOPE_STEP_GROUPS_H
#include <stdint.h>

/* Neither: no event has one. */
struct step_groups {
	const uint16_t *narrow;
	const int32_t *wide;
};

/* What a number of 16 bits stands for; -1 = none. */
static inline int32_t group_from_16_bits(uint16_t narrow)
{
	return narrow == UINT16_MAX ? -1 : narrow;
}

/* Of row r; -1 = none. */
static inline int32_t step_group_at(struct step_groups x, uint32_t r)
{
	return x.wide ? x.wide[r] : x.narrow ? group_from_16_bits(x.narrow[r]) : -1;
}
#endif
