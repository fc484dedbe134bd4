/* tui/screen/term_caps.h - what the terminal can do, by its database and the environment. Between term_open and term_close only. */
#ifndef STEPSCOPE_TERM_CAPS_H
#define STEPSCOPE_TERM_CAPS_H
#include "paint.h"

/* What the terminal's database says of a capability; curses reads it, so that term.c has them. A text is the database's, NULL = none;
 * a number is below 0 where there is none. */
const char *term_text(const char *cap);
int term_number(const char *cap);
bool term_flag(const char *cap);

/* type: what TERM says, also where another description was taken. */
struct paint_caps term_caps(enum color_mode color, const char *type);
#endif
