/* tui/text/tone.h - colours of text that goes to a terminal: the sixteen that every terminal has, so that they fit its ground.
 * Nothing is told by colour alone. Off until somebody turns them on; one thread writes text. */
#ifndef STEPSCOPE_TONE_H
#define STEPSCOPE_TONE_H
#include <stdbool.h>

enum tone { TONE_PLAIN, TONE_HEAD, TONE_BAD, TONE_WARN, TONE_GOOD, TONE_FAINT };
void tone_use(bool on);
const char *tone(enum tone i); /* the sequence that begins it, TONE_PLAIN the one that ends all; "" while off */
#endif
