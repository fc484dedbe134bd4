/* model/analysis/maths/text_order.h - texts of a trace in the order of their bytes. Names of kernels are long and much alike: each byte that
 * many of them begin with is read a few times, not once for each comparison. */
#ifndef STEPSCOPE_TEXT_ORDER_H
#define STEPSCOPE_TEXT_ORDER_H
#include "model/store/base/strings.h"

/* As strcmp has it (a text ends at its first NUL), equal ones by their ids. */
void text_order_sort(const struct strings *texts, str_id *at, uint32_t n);
#endif
