/* tui/screen/term_caps.h - what the terminal can do, by its database and the environment. Between setupterm and the end only. */
#ifndef STEPSCOPE_TERM_CAPS_H
#define STEPSCOPE_TERM_CAPS_H
#include "paint.h"

/* The database's text for a capability; NULL = none. The text is the database's. */
const char *term_text(const char *cap);
/* type: what TERM says, also where another description was taken. */
struct paint_caps term_caps(enum color_mode color, const char *type);
#endif
