/* tui/screen/terminfo.h - descriptions of the usual terminals, for machines whose own database lacks them. */
#ifndef STEPSCOPE_TERMINFO_H
#define STEPSCOPE_TERMINFO_H
#include <stdbool.h>

/* Puts our description of this type where curses looks first ($TERMINFO), until it is taken back. False when we have none. */
bool terminfo_lend(const char *type);
/* Restores $TERMINFO: programs that we start see what the user had set. Nothing when nothing was lent. */
void terminfo_take_back(void);
#endif
