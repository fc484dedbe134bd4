/* tui/screen/mix_ink.h - which ink draws a part of the step time. */
#ifndef STEPSCOPE_MIX_INK_H
#define STEPSCOPE_MIX_INK_H
#include "tui/tables/step_mix.h"

int mix_ink(enum mix_part p); /* enum ink */
#endif
