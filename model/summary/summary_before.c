#include "summary_before.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/store/base/memory.h"
#include "model/store/files/text_stream.h"

enum { NAME_MOST = 240 };

static const char *const class_names[TIME_COUNT] = {
#define CLASS_NAME(id, help) #id,
	TIME_CLASSES(CLASS_NAME)
#undef CLASS_NAME
};
static const char *const cause_names[CAUSE_COUNT] = {
#define CAUSE_NAME(id, name, ...) name,
	CAUSES(CAUSE_NAME)
#undef CAUSE_NAME
};
static const char idle_word[] = "idle.";

/* ---- out ------------------------------------------------------------------------------------------------------------------ */

static void put_name(FILE *out, const char *name)
{
	size_t n = strlen(name);
	if (n > NAME_MOST)
		for (n = NAME_MOST; n && ((unsigned char)name[n] & 0xc0) == 0x80;)
			n--;
	for (size_t i = 0; i < n; i++)
		if (name[i] == '|' || name[i] == '\\')
			fprintf(out, "\\%c", name[i] == '|' ? 'p' : '\\');
		else
			fputc(name[i], out);
}

static void put_class(FILE *out, int class, double ns)
{
	for (const char *c = class_names[class]; *c; c++)
		fputc(tolower((unsigned char)*c), out);
	fprintf(out, "=%" PRId64, (int64_t)llround(ns));
}

static void put_idle(FILE *out, const struct trace *t, int cause, const struct idle_part *x)
{
	fprintf(out, "%s%s=%" PRId64, idle_word, cause_names[cause], x->ns);
	if (x->row == NONE_ID || x->row_ns <= 0)
		return;
	fprintf(out, ",%" PRId64 ",", x->row_ns);
	put_name(out, trace_str(t, trace_columns(t)->name[x->row]));
}

const char *before_write(const struct trace *t, const double ns[TIME_COUNT], const struct idle_split *idle,
			 struct arena *mem)
{
	struct text_stream s;
	FILE *out = must(text_stream_open(&s));
	const char *between = "";
	for (int i = 0; i < TIME_COUNT; i++)
		if (ns[i] != 0) {
			fputs(between, out);
			put_class(out, i, ns[i]);
			between = "|";
		}
	for (int i = 0; i < CAUSE_COUNT; i++)
		if (idle->part[i].ns != 0) {
			fputs(between, out);
			put_idle(out, t, i, &idle->part[i]);
			between = "|";
		}
	char *text = must(text_stream_close(&s, NULL));
	const char *kept = arena_strdup(mem, text);
	free(text);
	return kept;
}

/* ---- in ------------------------------------------------------------------------------------------------------------------- */

/* The number at *at, which follows; sizes are those that no sum overflows with. */
static bool take_number(const char **at, int64_t *out)
{
	static const int64_t most = INT64_C(1) << 46;
	char *end;
	if (**at != '-' && !isdigit((unsigned char)**at))
		return false;
	*out = strtoll(*at, &end, 10);
	bool ok = end > *at && *out <= most && *out >= -most;
	*at = end;
	return ok;
}

static bool read_idle(const char *word, size_t n_word, const char *value, const char *end, struct before_told *out)
{
	int cause = 0;
	struct before_idle one = {0};
	while (cause < CAUSE_COUNT &&
	       (strlen(cause_names[cause]) != n_word || memcmp(cause_names[cause], word, n_word) != 0))
		cause++;
	if (cause == CAUSE_COUNT || !take_number(&value, &one.ns))
		return false;
	if (value != end) {
		if (*value++ != ',' || !take_number(&value, &one.main_ns) || *value++ != ',' || value > end)
			return false;
		one.main = value;
		one.n_main = (size_t)(end - value);
	}
	struct before_idle *sum = &out->idle[cause];
	one.ns += sum->ns;
	if (one.main_ns <= sum->main_ns) {
		int64_t ns = one.ns;
		one = *sum;
		one.ns = ns;
	}
	*sum = one;
	return true;
}

static bool read_class(const char *word, size_t n_word, const char *value, const char *end, struct before_told *out)
{
	int class = 0;
	int64_t ns;
	while (class < TIME_COUNT &&
	       (strlen(class_names[class]) != n_word || strncasecmp(class_names[class], word, n_word) != 0))
		class ++;
	if (class == TIME_COUNT || !take_number(&value, &ns) || value != end)
		return false;
	out->ns[class] += (double)ns;
	return true;
}

bool before_add(struct before_told *sum, const char *text)
{
	enum { IDLE_WORD = sizeof idle_word - 1 };
	while (text && *text) {
		const char *end = text + strcspn(text, "|"), *equals = memchr(text, '=', (size_t)(end - text));
		if (!equals)
			return false;
		bool idle = equals - text > IDLE_WORD && !memcmp(text, idle_word, IDLE_WORD);
		const char *word = text + (idle ? IDLE_WORD : 0);
		if (!(idle ? read_idle : read_class)(word, (size_t)(equals - word), equals + 1, end, sum))
			return false;
		text = *end ? end + 1 : end;
	}
	return true;
}

const char *before_name(const struct before_idle *x, struct arena *mem)
{
	char *name = arena_alloc(mem, x->n_main + 1), *to = name;
	for (size_t i = 0; i < x->n_main; i++) {
		bool escaped = x->main[i] == '\\' && i + 1 < x->n_main;
		i += escaped;
		*to++ = x->main[i];
		if (escaped && x->main[i] == 'p')
			to[-1] = '|';
	}
	*to = 0;
	return name;
}
