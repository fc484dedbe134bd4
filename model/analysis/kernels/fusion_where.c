#include "fusion_where.h"
#include "model/analysis/derived/rows.h"
#include <stdio.h>
#include <string.h>

enum { OPS_SHOWN = 6, TEXT_BYTES = 256 };

/* ---- ops ------------------------------------------------------------------------------------------------------------ */

static const char *last_part(const char *op)
{
	const char *slash = strrchr(op, '/'), *colons = strstr(op, "::");
	return slash && slash[1] ? slash + 1 : colons && colons[2] ? colons + 2 : op;
}

static size_t put_op(char *text, size_t at, const char *op, uint32_t times)
{
	int n = times > 1 ? snprintf(text + at, TEXT_BYTES - at, "%s%s x%u", at ? ", " : "", op, times)
			  : snprintf(text + at, TEXT_BYTES - at, "%s%s", at ? ", " : "", op);
	return n < 0 || at + (size_t)n >= TEXT_BYTES ? TEXT_BYTES - 1 : at + (size_t)n;
}

/* The same word again, though it may be another op: TensorFlow and XLA number theirs. */
static bool says_the_same(const struct derived *d, str_id a, str_id b)
{
	return a == b ||
	       (a && b &&
		strcmp(last_part(trace_str(derived_trace(d), a)), last_part(trace_str(derived_trace(d), b))) == 0);
}

const char *fusion_ops(const struct derived *d, row_id first, uint32_t n, struct arena *mem)
{
	char text[TEXT_BYTES] = "";
	size_t at = 0;
	uint32_t shown = 0;
	for (uint32_t i = 0, next; i < n; i = next) {
		str_id op = op_of_event(d, first + i);
		for (next = i + 1; next < n && says_the_same(d, op_of_event(d, first + next), op);)
			next++;
		if (!op)
			continue;
		if (shown++ == OPS_SHOWN) {
			put_op(text, at, "...", 1);
			break;
		}
		at = put_op(text, at, last_part(trace_str(derived_trace(d), op)), next - i);
	}
	return shown ? arena_strdup(mem, text) : NULL;
}

/* ---- scope ---------------------------------------------------------------------------------------------------------- */

/* "model/block/mul" and "model/block/add" share "model/block". */
static const char *shared_scope(const char *a, const char *b, struct arena *mem)
{
	size_t cut = 0;
	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			cut = i;
	return cut ? arena_strndup(mem, a, cut) : NULL;
}

static bool tells(const struct derived *d, row_id at)
{
	uint8_t kind = derived_columns(d)->kind[at];
	return !row_is_marker(d, at) && (kind == KIND_OP || kind == KIND_ANNOTATION || kind == KIND_PYTHON) &&
	       strncmp(trace_str(derived_trace(d), derived_columns(d)->name[at]), "<built-in", 9) != 0;
}

/* The innermost event around both launches that says something. */
static const char *around(const struct derived *d, row_id first, row_id last)
{
	row_id a = derived_columns(d)->link[first], b = derived_columns(d)->link[last];
	if (a == NONE_ID || b == NONE_ID || derived_columns(d)->track[a] != derived_columns(d)->track[b])
		return NULL;
	while (a != NONE_ID && (row_end(derived_columns(d), a) < row_end(derived_columns(d), b) || !tells(d, a)))
		a = parent_of(d, a);
	return a == NONE_ID ? NULL : trace_str(derived_trace(d), derived_columns(d)->name[a]);
}

const char *fusion_scope(const struct derived *d, row_id first, uint32_t n, struct arena *mem)
{
	const char *scope = shared_scope(derived_op(d, first), derived_op(d, first + n - 1), mem);
	return scope ? scope : around(d, first, first + n - 1);
}
