#include "line.h"
#include <string.h>

enum { LOST_MS = 30000, TELLING_BYTES = 1024, SLACK_MS = 50 };

void line_begin(struct line *l, int64_t now_ms)
{
	*l = (struct line){.slow = true, .n = 1, .sent_ms = {now_ms}, .least_ms = LOST_MS};
}

bool line_asks(const struct line *l)
{
	return l->answers && l->n < LINE_MOST;
}

void line_sent(struct line *l, size_t bytes, int64_t now_ms)
{
	if (!line_asks(l))
		return;
	l->sent_ms[l->n] = now_ms;
	l->bytes[l->n++] = bytes;
}

/* Bytes take the time when a frame was on its way for much longer than the shortest one. A short frame cannot tell that they do
 * not. */
static void judge(struct line *l, int64_t took_ms, size_t bytes)
{
	l->least_ms = took_ms < l->least_ms ? took_ms : l->least_ms;
	bool long_way = took_ms > 2 * l->least_ms + SLACK_MS;
	if (long_way || bytes >= TELLING_BYTES)
		l->slow = long_way;
}

void line_answered(struct line *l, int64_t now_ms)
{
	if (!l->n)
		return;
	judge(l, now_ms - l->sent_ms[0], l->bytes[0]);
	l->answers = true;
	l->n--;
	memmove(l->sent_ms, l->sent_ms + 1, (size_t)l->n * sizeof *l->sent_ms);
	memmove(l->bytes, l->bytes + 1, (size_t)l->n * sizeof *l->bytes);
}

int line_wait_ms(const struct line *l, int64_t now_ms)
{
	int64_t gone_ms = l->n ? now_ms - l->sent_ms[0] : LOST_MS;
	if (!l->answers || l->n < (l->slow ? 1 : LINE_MOST) || gone_ms >= LOST_MS)
		return 0;
	return (int)(LOST_MS - gone_ms);
}

void line_forget(struct line *l)
{
	l->n = 0;
}
