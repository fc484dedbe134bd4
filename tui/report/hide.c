#include "content.h"
#include "tui/text/words.h"
#include <string.h>

/* Every place where the name stands gets the word instead. */
static const char *replaced(const char *text, const char *name, const char *word, struct arena *mem)
{
	size_t n = strlen(name), places = 0;
	for (const char *at = text; n && (at = strstr(at, name)); at += n)
		places++;
	if (!places)
		return text;
	char *out = arena_alloc(mem, strlen(text) + places * strlen(word) + 1), *to = out;
	for (const char *at; (at = strstr(text, name)); text = at + n)
		to = stpcpy(mempcpy(to, text, (size_t)(at - text)), word);
	strcpy(to, text);
	return out;
}

static const char *hidden(const char *text, const struct trace *t, struct arena *mem)
{
	for (uint32_t i = 0; i < trace_hosts(t); i++) {
		const char *name = trace_str(t, trace_host(t, i)->name);
		if (strlen(name) > 1)
			text = replaced(text, name, words_hash(mem, "host", name), mem);
	}
	return text;
}

struct table *hide_hosts(const struct table *t, const struct derived *d, struct arena *mem)
{
	struct table *out = table_like(mem, t, t->cols, t->n_cols);
	for (uint32_t r = 0; r < t->n_rows; r++) {
		struct cell *cells = table_row(out);
		for (uint32_t c = 0; c < t->n_cols; c++) {
			cells[c] = *table_cell(t, r, c);
			if (!cells[c].null && cells[c].type == CELL_TEXT && cells[c].s)
				cells[c].s = hidden(cells[c].s, derived_trace(d), mem);
		}
		const struct evidence *e = table_evidence_of(t, r);
		table_evidence(out, e->a_ns, e->b_ns, e->rows, e->n);
	}
	return out;
}
