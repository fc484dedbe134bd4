/* tests/fuzz/fuzz_filter.c - any bytes as a filter: refused with a reason, or bound to a small trace and asked about all of it,
 * or stopped by a limit that says so. What "!" turns round passes exactly what the filter itself does not. */
#include "model/filter.h"
#include "tests/unit/build_trace.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 2048 };

static const struct trace *small_trace(void)
{
	static struct trace *t;
	struct build b;
	if (t)
		return t;
	b = build_new("chrome");
	host_event(&b, KIND_ANNOTATION, 12, "train step", 0, 1000);
	op(&b, 12, "aten::mm", 10, 50);
	launch(&b, 12, 20, 5, 77);
	kernel(&b, 0, 7, "Gemm_16816", 100, 2000, 77);
	kernel(&b, 0, 13, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", 200, 20, 0);
	copy(&b, 1, 7, COPY_H2D, 4 << 20, 300, 1, 0);
	build_host(&b, "node2", 3);
	build_pid(&b, 99);
	host_event(&b, KIND_OTHER, 5, "\xff \"quoted\" \xc3\xa9\xf0\x9f\x98\x80", 400, 3);
	t = build_seal(&b);
	return t;
}

/* Something about some of the device work, the same each time. */
static int says(void *ctx, enum said_list list, row_id r)
{
	(void)ctx;
	return (int)((r + (row_id)list) % 4) - 1;
}

static bool sound(void *ctx, struct err *e)
{
	(void)e;
	return !ctx;
}

static struct filter *bound(const char *text, const struct trace *t)
{
	struct err e = {.at = -1};
	struct filter *f = filter_new(text, &e);
	static const struct filter_sayer sayer = {NULL, says, sound};
	if (f && filter_bind_said(f, t, &sayer, NULL, &e))
		return f;
	if (!*e.msg || e.unreadable) /* a wrong request, and it says why */
		abort();
	filter_free(f);
	return NULL;
}

static void compare(const struct filter *f, const struct filter *turned, const struct trace *t)
{
	static const char *const labels[] = {NULL, "5", "train:5"};
	for (row_id r = 0; r < trace_columns(t)->n; r++)
		for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
			if (filter_match(f, r, labels[i]) == filter_match(turned, r, labels[i]))
				abort();
}

/* One condition, so that "!" in front means the opposite of all of it. */
static bool is_one_condition(const char *text)
{
	return *text && !strpbrk(text, " \t\n");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct trace *t = small_trace();
	char *text = calloc(1, size + 2);
	if (!t || !text)
		abort();
	if (size <= MOST_BYTES) {
		text[0] = '!';
		memcpy(text + 1, data, size);
		struct filter *f = bound(text + 1, t);
		struct filter *turned = f && is_one_condition(text + 1) ? bound(text, t) : NULL;
		for (row_id r = 0; f && r < trace_columns(t)->n; r++)
			filter_match(f, r, "5");
		if (turned)
			compare(f, turned, t);
		filter_free(turned);
		filter_free(f);
	}
	free(text);
	return 0;
}
