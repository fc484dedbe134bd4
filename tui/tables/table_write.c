/* CSV and JSON, and the choice of a format. Text and Markdown: table_text.c. */
#include "table_write.h"
#include "block.h"
#include "rows_ahead.h"
#include "table_text.h"
#include "model/store/base/memory.h"
#include "tui/text/utf8.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const format_words[] = {
	[TABLE_TEXT] = "text", [TABLE_CSV] = "csv", [TABLE_JSON] = "json", [TABLE_MD] = "md", [TABLE_JSONL] = "jsonl"};
static const char *const type_words[] = {
	[CELL_INT] = "int", [CELL_REAL] = "real", [CELL_TEXT] = "text", [CELL_BOOL] = "bool"};
/* readers of JSON take numbers for doubles: larger ones are written as texts */
static const int64_t exact_in_double = INT64_C(9007199254740991); /* 2^53 - 1 */

bool table_format_parse(const char *word, enum table_format *out)
{
	for (size_t i = 0; i < sizeof format_words / sizeof *format_words; i++)
		if (!strcmp(word, format_words[i])) {
			*out = (enum table_format)i;
			return true;
		}
	return false;
}

static bool is_unknown(const struct cell *c)
{
	return c->null || (c->type == CELL_REAL && !isfinite(c->r));
}

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

/* What spreadsheets take for a formula: = + - @, also in their wide forms, and blanks that they skip before one. A text that is
 * a number is none. */
static bool is_formula(const char *s)
{
	static const uint32_t starts[] = {'=', '+', '-', '@', '\t', '\r', '\n', 0xFF1D, 0xFF0B, 0xFF0D, 0xFF20};
	const char *next = s;
	uint32_t first = *s && strchr("\t\r\n", *s) ? (uint32_t)*s : utf8_next_exact(&next);
	if ((*s == '+' || *s == '-') && s[1] && !s[1 + strspn(s + 1, "0123456789.")])
		return false;
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (first == starts[i])
			return true;
	return false;
}

/* What a byte of a text needs: to be looked at as a code point, or quotes around the text. */
enum { NEEDS_LOOK = 1, NEEDS_QUOTES = 2 };

static unsigned needs_of(const unsigned char *s, size_t *n)
{
	/* clang-format off */
	static const unsigned char needs[256] = {
		[0x01 ... 0x1F] = NEEDS_LOOK, [0x7F ... 0xFF] = NEEDS_LOOK, [','] = NEEDS_QUOTES,
		['"'] = NEEDS_LOOK | NEEDS_QUOTES,
	};
	/* clang-format on */
	const unsigned char *from = s;
	unsigned all = !*s || *s == ' ' ? NEEDS_QUOTES : 0;
	for (; *s; s++)
		all |= *s == '\r' || *s == '\n' ? NEEDS_LOOK | NEEDS_QUOTES : needs[*s];
	*n = (size_t)(s - from);
	return all;
}

/* Line breaks and tabs stay what they are, other control characters do not get out. */
static void put_csv_checked(const char *s, struct block *out)
{
	while (*s) {
		if (*s == '"')
			block_char(out, '"');
		if (strchr("\t\r\n", *s))
			block_char(out, *s++);
		else
			block_code_point(out, utf8_next_exact(&s));
	}
}

/* What is known of texts that were written before: long names come in row after row. A text stays where it is while a table is written. */
struct known_text {
	const char *s;
	uint32_t n, needs;
};
enum { KNOWN_BITS = 10 };
struct csv {
	struct block *out;
	bool spreadsheet;
	struct known_text *known; /* 1 << KNOWN_BITS of them */
};

static struct known_text looked_at(const struct csv *w, const char *s)
{
	uint32_t at = (uint32_t)((uintptr_t)s * 0x9E3779B97F4A7C15u >> (64 - KNOWN_BITS));
	struct known_text *known = &w->known[at];
	if (known->s == s)
		return *known;
	size_t n;
	unsigned needs = needs_of((const unsigned char *)s, &n);
	if (n <= UINT32_MAX)
		*known = (struct known_text){s, (uint32_t)n, needs};
	return (struct known_text){s, (uint32_t)n, needs | (n > UINT32_MAX ? NEEDS_LOOK : 0)};
}

/* Quoted as RFC 4180 wants it. */
static void put_csv_text(const struct csv *w, const char *s)
{
	struct block *out = w->out;
	struct known_text known = looked_at(w, s);
	unsigned needs = known.needs;
	if (needs & NEEDS_QUOTES)
		block_char(out, '"');
	if (w->spreadsheet && is_formula(s))
		block_char(out, '\'');
	if (needs & NEEDS_LOOK)
		put_csv_checked(s, out);
	else
		block_bytes(out, s, known.n);
	if (needs & NEEDS_QUOTES)
		block_char(out, '"');
}

static void put_csv_cell(const struct csv *w, const struct cell *c)
{
	struct block *out = w->out;
	if (is_unknown(c))
		return;
	if (c->type == CELL_INT)
		block_i64(out, c->i);
	else if (c->type == CELL_REAL)
		block_real(out, c->r);
	else if (c->type == CELL_BOOL)
		block_text(out, c->b ? "true" : "false");
	else
		put_csv_text(w, c->s);
}

static void write_csv_rows(const struct csv *w, const struct table *t)
{
	struct rows_ahead *rows = rows_ahead_new(t);
	for (const struct cell *row; (row = rows_ahead_next(rows));) {
		for (uint32_t c = 0; c < t->n_cols; c++) {
			if (c)
				block_char(w->out, ',');
			put_csv_cell(w, &row[c]);
		}
		block_char(w->out, '\n');
	}
	rows_ahead_free(rows);
}

static void write_csv(const struct table *t, bool spreadsheet, struct block *out)
{
	struct csv w = {out, spreadsheet, must(calloc(1 << KNOWN_BITS, sizeof *w.known))};
	for (uint32_t c = 0; c < t->n_cols; c++) {
		if (c)
			block_char(out, ',');
		put_csv_text(&w, t->cols[c].name);
	}
	block_char(out, '\n');
	write_csv_rows(&w, t);
	free(w.known);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void put_json_int(int64_t v, struct block *out)
{
	bool exact = v >= -exact_in_double && v <= exact_in_double;
	if (!exact)
		block_char(out, '"');
	block_i64(out, v);
	if (!exact)
		block_char(out, '"');
}

static void put_json_cell(const struct cell *c, struct block *out)
{
	if (is_unknown(c))
		block_text(out, "null");
	else if (c->type == CELL_INT)
		put_json_int(c->i, out);
	else if (c->type == CELL_REAL)
		block_real(out, c->r);
	else if (c->type == CELL_BOOL)
		block_text(out, c->b ? "true" : "false");
	else
		block_json(out, c->s);
}

static void put_json_window(int64_t a_ns, int64_t b_ns, struct block *out)
{
	block_text(out, "\"window_ns\":[");
	put_json_int(a_ns, out);
	block_char(out, ',');
	put_json_int(b_ns, out);
	block_char(out, ']');
}

static void put_json_head(const struct table *t, const char *const *sources, int n_sources, struct block *out)
{
	block_text(out, "{\"schema\":\"stepscope.table/1\",\"name\":");
	block_json(out, t->name);
	block_text(out, ",\"source\":[");
	for (int i = 0; i < n_sources; i++) {
		if (i)
			block_char(out, ',');
		block_json(out, sources[i]);
	}
	block_text(out, "],");
	put_json_window(t->window_a_ns, t->window_b_ns, out);
}

/* `word` is one of ours. */
static void put_json_word(const char *name, const char *word, struct block *out)
{
	block_text(out, name);
	block_char(out, '"');
	block_text(out, word);
	block_char(out, '"');
}

static void put_json_column(const struct column *c, struct block *out)
{
	block_text(out, "{\"name\":");
	block_json(out, c->name);
	put_json_word(",\"type\":", type_words[c->type], out);
	put_json_word(",\"unit\":", unit_name(c->unit), out);
	block_text(out, ",\"help\":");
	block_json(out, c->help ? c->help : "");
	block_char(out, '}');
}

static void put_json_row(const struct table *t, const struct cell *row, struct block *out)
{
	block_char(out, '[');
	for (uint32_t c = 0; c < t->n_cols; c++) {
		if (c)
			block_char(out, ',');
		put_json_cell(&row[c], out);
	}
	block_char(out, ']');
}

static void put_json_rows(const struct table *t, struct block *out)
{
	struct rows_ahead *rows = rows_ahead_new(t);
	const char *before = "\n ";
	for (const struct cell *row; (row = rows_ahead_next(rows)); before = ",\n ") {
		block_text(out, before);
		put_json_row(t, row, out);
	}
	rows_ahead_free(rows);
}

static void put_json_member(const char *name, const char *text, struct block *out)
{
	if (!text)
		return;
	block_text(out, ",\"");
	block_text(out, name);
	block_text(out, "\":");
	block_json(out, text);
}

static void put_json_input(const struct finding_input *x, struct block *out)
{
	block_text(out, "{\"name\":");
	block_json(out, x->name);
	block_text(out, ",\"value\":");
	if (x->text)
		block_json(out, x->text);
	else if (isnan(x->value))
		block_text(out, "null");
	else
		block_real(out, x->value);
	put_json_member("unit", x->text ? NULL : unit_name(x->unit), out);
	put_json_member("table", x->table, out);
	put_json_member("column", x->column, out);
	put_json_member("rows", x->rows, out);
	put_json_member("made_of", x->made_of, out);
	block_char(out, '}');
}

static void put_json_inputs(const struct finding_inputs *inputs, struct block *out)
{
	block_text(out, ",\"inputs\":[");
	for (uint32_t i = 0; i < inputs->n; i++) {
		block_text(out, i ? ",\n  " : "\n  ");
		put_json_input(&inputs->at[i], out);
	}
	block_char(out, ']');
}

void table_write_inputs(const struct finding_inputs *inputs, FILE *out)
{
	struct block b = {.out = out};
	put_json_inputs(inputs, &b);
	block_flush(&b);
}

static void put_json_evidence(const struct evidence *e, struct block *out)
{
	block_char(out, '{');
	if (e->a_ns == e->b_ns)
		block_text(out, "\"window_ns\":null");
	else
		put_json_window(e->a_ns, e->b_ns, out);
	block_text(out, ",\"events\":[");
	for (uint32_t i = 0; i < e->n; i++) {
		if (i)
			block_char(out, ',');
		block_u64(out, e->rows[i]);
	}
	block_char(out, ']');
	if (e->inputs)
		put_json_inputs(e->inputs, out);
	block_char(out, '}');
}

static void write_json(const struct table *t, struct block *out, const char *const *sources, int n_sources)
{
	put_json_head(t, sources, n_sources, out);
	block_text(out, ",\"columns\":[");
	for (uint32_t c = 0; c < t->n_cols; c++) {
		block_text(out, c ? ",\n " : "\n ");
		put_json_column(&t->cols[c], out);
	}
	block_text(out, "],\"rows\":[");
	put_json_rows(t, out);
	block_text(out, "],\"evidence\":[");
	for (uint32_t r = 0; r < t->n_rows; r++) {
		block_text(out, r ? ",\n " : "\n ");
		put_json_evidence(table_evidence_of(t, r), out);
	}
	block_text(out, "]}\n");
}

static void write_json_lines(const struct table *t, struct block *out)
{
	for (uint32_t r = 0; r < t->n_rows; r++) {
		const struct cell *row = table_cells(t, r);
		for (uint32_t c = 0; c < t->n_cols; c++) {
			block_char(out, c ? ',' : '{');
			block_json(out, t->cols[c].name);
			block_char(out, ':');
			put_json_cell(&row[c], out);
		}
		block_text(out, "}\n");
	}
}

void table_write(const struct table *t, enum table_format f, FILE *out, const char *const *sources, int n_sources,
		 unsigned width)
{
	enum { LONG_TABLE = 1 << 15 }; /* rows: worth a thread that writes */
	struct block b = {.out = out, .behind = t->n_rows < LONG_TABLE ? NULL : write_behind_new(out)};
	switch (f) {
	case TABLE_CSV:
	case TABLE_SPREADSHEET:
		write_csv(t, f == TABLE_SPREADSHEET, &b);
		break;
	case TABLE_JSON:
		write_json(t, &b, sources, n_sources);
		break;
	case TABLE_JSONL:
		write_json_lines(t, &b);
		break;
	case TABLE_MD:
		table_text_md(t, out);
		break;
	case TABLE_TEXT:
		table_text(t, out, width);
		break;
	}
	block_flush(&b);
	write_behind_free(b.behind);
}
