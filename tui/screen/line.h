/* tui/screen/line.h - how soon the next frame may follow, so that what is drawn last is not queued after what nobody will see.
 * Way:    after each frame the terminal is asked whether it is well; its answer tells that the frame has arrived. On a line where
 *         the bytes take the time one frame is on its way at most. A terminal that has not answered the first question, asked before
 *         there was a frame, is never waited for.
 * Time:   given by the caller, in ms. One thread. */
#ifndef STEPSCOPE_LINE_H
#define STEPSCOPE_LINE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE_MOST = 8 };
struct line {
	bool answers, slow;
	int n;                                /* frames on their way, the oldest first */
	int64_t sent_ms[LINE_MOST], least_ms; /* least: the shortest way there and back so far */
	size_t bytes[LINE_MOST];
};
#define LINE_QUESTION "\033[5n" /* answered by ESC [ 0 n, or 3 for 0 */

void line_begin(struct line *l, int64_t now_ms); /* the first question is sent now */
bool line_asks(const struct line *l);            /* whether a question goes after the next frame */
void line_sent(struct line *l, size_t bytes, int64_t now_ms);
void line_answered(struct line *l, int64_t now_ms);
/* 0: the next frame may go now; else for how long an answer is waited for at most. */
int line_wait_ms(const struct line *l, int64_t now_ms);
void line_forget(struct line *l); /* what is on its way is not waited for: another terminal may have taken its place */
#endif
