#include "memory_curve.h"
#include "model/analysis/memory/memory_curve_columns.h"
#include <stdio.h>
#include <string.h>

struct curve_part curve_part_at(const struct table *t, uint32_t first)
{
	struct curve_part p = {first, 0};
	if (first >= t->n_rows)
		return p;
	int64_t before = column_int(t, first, COL_MEMORY_CURVE_START), at_ns;
	for (p.n = 1; first + p.n < t->n_rows; p.n++, before = at_ns)
		if ((at_ns = column_int(t, first + p.n, COL_MEMORY_CURVE_START)) <= before)
			break;
	return p;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Point `at` of n: where there are more columns than points it fills several, else several share one. */
static void take_point(struct curve *c, const struct table *t, uint32_t row, uint32_t at, uint32_t n)
{
	int64_t used = column_int(t, row, COL_MEMORY_CURVE_USED), held = column_int(t, row, COL_MEMORY_CURVE_RESERVED);
	uint32_t cols = (uint32_t)c->cols, end = ((at + 1) * cols + n - 1) / n;
	const char *phase = column_text(t, row, COL_MEMORY_CURVE_PHASE);
	for (uint32_t col = at * cols / n; col < end; col++) {
		c->phase[col] = phase ? *phase : c->phase[col];
		c->used[col] = larger(used, c->used[col]);
		c->held[col] = larger(held, c->held[col]);
	}
	c->peak_bytes = larger(used, c->peak_bytes);
	c->held_bytes = larger(held, c->held_bytes);
	c->capacity = column_int(t, row, COL_MEMORY_CURVE_CAPACITY);
}

void curve_fill(struct curve *c, const struct table *t, struct curve_part p, int cols)
{
	*c = (struct curve){
		.cols = cols < CURVE_COLS ? cols : CURVE_COLS, .capacity = UNKNOWN_I64, .held_bytes = UNKNOWN_I64};
	for (int i = 0; i < CURVE_COLS; i++)
		c->used[i] = c->held[i] = UNKNOWN_I64;
	for (uint32_t i = 0; i < p.n; i++)
		take_point(c, t, p.first + i, i, p.n);
	for (int i = 1; i < c->cols; i++)
		c->peak = c->used[i] >= c->used[c->peak] ? i : c->peak;
	c->most = larger(c->peak_bytes, c->held_bytes);
	if (c->capacity > 0 && c->capacity / 4 <= c->most)
		c->most = larger(c->capacity, c->most);
}

struct curve_who curve_who_of(const struct table *t, uint32_t row, uint32_t rank, uint32_t device, uint32_t allocator)
{
	struct curve_who who = {.allocator = column_text(t, row, allocator)};
	char buf[96];
	snprintf(who.rank, sizeof who.rank, "%s", column_words(t, row, rank, buf, sizeof buf));
	snprintf(who.device, sizeof who.device, "%s", column_words(t, row, device, buf, sizeof buf));
	return who;
}

struct curve_who curve_who(const struct table *t, struct curve_part p)
{
	return curve_who_of(t, p.first, COL_MEMORY_CURVE_RANK, COL_MEMORY_CURVE_DEVICE, COL_MEMORY_CURVE_ALLOCATOR);
}

/* TPU 3's allocator is called "3": that says nothing beside the device. */
static bool names_its_device(const struct curve_who *who)
{
	const char *number = strrchr(who->device, ' ');
	return number && who->allocator && strcmp(number + 1, who->allocator) == 0;
}

/* The device's name tells its rank where there are several. */
const char *curve_who_words(const struct curve_who *who, char *buf, size_t size)
{
	bool device = strcmp(who->device, "-") != 0;
	bool ranked = strcmp(who->rank, "-") != 0 && !(device && strncmp(who->device, "rank ", 5) == 0);
	bool told = who->allocator && !names_its_device(who);
	snprintf(buf, size, "%s%s%s%s%s%s", ranked ? "rank " : "", ranked ? who->rank : "", ranked ? " " : "",
		 device ? who->device : "", device && told ? " " : "", told ? who->allocator : "");
	return buf;
}
