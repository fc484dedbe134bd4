/* tui/app/loading.h - the first picture: progress, and the lanes as far as they are known. */
#ifndef STEPSCOPE_LOADING_H
#define STEPSCOPE_LOADING_H
#include "trace_load.h"
#include "tui/screen/surface.h"

/* Until the first trace of a feed is there; with what the target has printed, if wanted. */
void waiting_draw(const struct app_opts *o, bool output, struct surface *s);
void loading_draw(const struct load_picture *p, const struct app_opts *o, struct surface *s);
#endif
