#include "err.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void copy_front_cut(char *to, size_t size, const char *from)
{
	size_t n = strlen(from);
	if (n < size)
		memcpy(to, from, n + 1);
	else
		snprintf(to, size, "...%s", from + n - (size - 4));
}

static void fill(struct err *e, const char *file, int64_t at, const char *fmt, va_list ap)
{
	vsnprintf(e->msg, sizeof e->msg, fmt, ap);
	copy_front_cut(e->file, sizeof e->file, file ? file : "");
	e->at = at;
	e->unreadable = e->unwritten = e->memory = false;
}

bool err_set(struct err *e, const char *file, int64_t at, const char *fmt, ...)
{
	if (!e)
		return false;
	va_list ap;
	va_start(ap, fmt);
	fill(e, file, at, fmt, ap);
	va_end(ap);
	e->unreadable = true;
	return false;
}

bool err_memory(struct err *e, const char *file)
{
	err_set(e, file, -1, "out of memory");
	if (e)
		e->memory = true;
	return false;
}

bool err_usage(struct err *e, const char *fmt, ...)
{
	if (!e)
		return false;
	va_list ap;
	va_start(ap, fmt);
	fill(e, NULL, -1, fmt, ap);
	va_end(ap);
	return false;
}

bool err_unwritten(struct err *e, const char *fmt, ...)
{
	if (!e)
		return false;
	va_list ap;
	va_start(ap, fmt);
	fill(e, NULL, -1, fmt, ap);
	va_end(ap);
	e->unwritten = true;
	return false;
}

const char *err_text(const struct err *e, char *buf, unsigned long size)
{
	int n = snprintf(buf, size, "%s%s%s", e->file, e->file[0] ? ": " : "", e->msg);
	if (e->at >= 0 && n > 0 && (unsigned long)n < size)
		snprintf(buf + n, size - (unsigned long)n, " (at byte %" PRId64 ")", e->at);
	return buf;
}
