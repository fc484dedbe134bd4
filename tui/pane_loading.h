/* tui/pane_loading.h - the first picture: progress, and the lanes as far as they are known. */
#ifndef STEPSCOPE_PANE_LOADING_H
#define STEPSCOPE_PANE_LOADING_H
#include "load.h"
#include "surface.h"

void loading_draw(const struct load_picture *p, const struct app_opts *o, struct surface *s);
#endif
