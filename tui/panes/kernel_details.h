/* tui/panes/kernel_details.h - what is known about a kernel besides its times: its name as the compiler means it, its launch shape, how
 * that fills the device. Adds pairs of a word and a text. */
#ifndef STEPSCOPE_KERNEL_DETAILS_H
#define STEPSCOPE_KERNEL_DETAILS_H
#include "tui/explorer/pane.h"

/* The readable name; nothing where the recorded one is. */
void kernel_details_name(const struct state *st, struct reader *out, row_id r);
void kernel_details(const struct state *st, struct reader *out, row_id r, const struct kernel_info *k);
#endif
