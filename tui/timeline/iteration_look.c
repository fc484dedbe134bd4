#include "iteration_look.h"
#include "tui/screen/theme.h"

static const struct iteration_look looks[ITERATION_KIND_COUNT] = {
	[ITERATION_UNKNOWN] = {INK_STEP_EVEN, 'I'},  [ITERATION_PREFILL] = {INK_PREFILL, 'P'},
	[ITERATION_DECODE] = {INK_DECODE, 'D'},      [ITERATION_MIXED] = {INK_MIXED, 'M'},
	[ITERATION_VERIFY] = {INK_VERIFY, 'V'},      [ITERATION_DRAFT] = {INK_DRAFT, 'R'},
	[ITERATION_DIFFUSION] = {INK_DIFFUSION, 'F'}};

const struct iteration_look *iteration_look(enum iteration_kind kind)
{
	return &looks[kind];
}
