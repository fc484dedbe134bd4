/* tui/explorer/typed.h - the input line at work: what a search shows while it is typed, and what becomes of a line that is accepted. */
#ifndef STEPSCOPE_TYPED_H
#define STEPSCOPE_TYPED_H
#include "state.h"

void typed_open(struct state *st, enum prompt_kind kind);
void typed_key(struct state *st, int key); /* in MODE_PROMPT */
void typed_free(struct state *st);
#endif
