/* CSV and JSON, and the choice of a format. Text and Markdown: table_text.c. */
#include "table_write.h"
#include "table_text.h"
#include "tui/text/utf8.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const format_words[] = {
	[TABLE_TEXT] = "text", [TABLE_CSV] = "csv", [TABLE_JSON] = "json", [TABLE_MD] = "md"};
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

static void put_code_point(uint32_t c, FILE *out)
{
	char bytes[5];
	fwrite(bytes, 1, utf8_encode(c, bytes), out);
}

/* The fewest digits that give the same number back. */
static void put_real(double v, FILE *out)
{
	char text[40];
	for (int digits = 15; digits <= 17; digits++) { /* 17 always suffice, fewer mostly */
		snprintf(text, sizeof text, "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	fputs(text, out);
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

/* Quoted as RFC 4180 wants it. Line breaks and tabs stay what they are, other control characters do not get out. */
static void put_csv_text(const char *s, bool spreadsheet, FILE *out)
{
	bool quoted = strpbrk(s, ",\"\r\n") || *s == ' ' || !*s;
	if (quoted)
		fputc('"', out);
	if (spreadsheet && is_formula(s))
		fputc('\'', out);
	while (*s) {
		if (*s == '"')
			fputc('"', out);
		if (strchr("\t\r\n", *s))
			fputc(*s++, out);
		else
			put_code_point(utf8_next_exact(&s), out);
	}
	if (quoted)
		fputc('"', out);
}

static void put_csv_cell(const struct cell *c, bool spreadsheet, FILE *out)
{
	if (is_unknown(c))
		return;
	if (c->type == CELL_INT)
		fprintf(out, "%" PRId64, c->i);
	else if (c->type == CELL_REAL)
		put_real(c->r, out);
	else if (c->type == CELL_BOOL)
		fputs(c->b ? "true" : "false", out);
	else
		put_csv_text(c->s, spreadsheet, out);
}

static void write_csv(const struct table *t, bool spreadsheet, FILE *out)
{
	for (uint32_t c = 0; c < t->n_cols; c++) {
		if (c)
			fputc(',', out);
		put_csv_text(t->cols[c].name, spreadsheet, out);
	}
	fputc('\n', out);
	for (uint32_t r = 0; r < t->n_rows; r++) {
		for (uint32_t c = 0; c < t->n_cols; c++) {
			if (c)
				fputc(',', out);
			put_csv_cell(table_cell(t, r, c), spreadsheet, out);
		}
		fputc('\n', out);
	}
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void put_escape(unsigned c, FILE *out)
{
	static const char plain[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
	const char *at = c ? strchr(plain, (int)c) : NULL;
	if (at)
		fprintf(out, "\\%c", letters[at - plain]);
	else
		fprintf(out, "\\u%04x", c);
}

/* Control characters are escaped, so a reader gets them back; bytes that are not UTF-8 become U+FFFD. */
static void put_json_text(const char *s, FILE *out)
{
	fputc('"', out);
	while (*s) {
		const unsigned char *u = (const unsigned char *)s;
		if (*u < 0x20 || *u == '"' || *u == '\\' || *u == 0x7F) {
			put_escape(*u, out);
			s++;
			/* the control characters of Latin-1, in UTF-8 */
		} else if (*u == 0xC2 && u[1] >= 0x80 && u[1] < 0xA0) {
			put_escape(u[1], out);
			s += 2;
		} else {
			put_code_point(utf8_next_exact(&s), out);
		}
	}
	fputc('"', out);
}

static void put_json_int(int64_t v, FILE *out)
{
	bool exact = v >= -exact_in_double && v <= exact_in_double;
	fprintf(out, exact ? "%" PRId64 : "\"%" PRId64 "\"", v);
}

static void put_json_cell(const struct cell *c, FILE *out)
{
	if (is_unknown(c))
		fputs("null", out);
	else if (c->type == CELL_INT)
		put_json_int(c->i, out);
	else if (c->type == CELL_REAL)
		put_real(c->r, out);
	else if (c->type == CELL_BOOL)
		fputs(c->b ? "true" : "false", out);
	else
		put_json_text(c->s, out);
}

static void put_json_window(int64_t a_ns, int64_t b_ns, FILE *out)
{
	fputs("\"window_ns\":[", out);
	put_json_int(a_ns, out);
	fputc(',', out);
	put_json_int(b_ns, out);
	fputc(']', out);
}

static void put_json_head(const struct table *t, const char *const *sources, int n_sources, FILE *out)
{
	fputs("{\"schema\":\"stepscope.table/1\",\"name\":", out);
	put_json_text(t->name, out);
	fputs(",\"source\":[", out);
	for (int i = 0; i < n_sources; i++) {
		if (i)
			fputc(',', out);
		put_json_text(sources[i], out);
	}
	fputs("],", out);
	put_json_window(t->window_a_ns, t->window_b_ns, out);
}

static void put_json_column(const struct column *c, FILE *out)
{
	fputs("{\"name\":", out);
	put_json_text(c->name, out);
	fprintf(out, ",\"type\":\"%s\",\"unit\":\"%s\",\"help\":", type_words[c->type], unit_name(c->unit));
	put_json_text(c->help ? c->help : "", out);
	fputc('}', out);
}

static void put_json_row(const struct table *t, uint32_t r, FILE *out)
{
	fputc('[', out);
	for (uint32_t c = 0; c < t->n_cols; c++) {
		if (c)
			fputc(',', out);
		put_json_cell(table_cell(t, r, c), out);
	}
	fputc(']', out);
}

static void put_json_member(const char *name, const char *text, FILE *out)
{
	if (!text)
		return;
	fprintf(out, ",\"%s\":", name);
	put_json_text(text, out);
}

static void put_json_input(const struct finding_input *x, FILE *out)
{
	fputs("{\"name\":", out);
	put_json_text(x->name, out);
	fputs(",\"value\":", out);
	if (x->text)
		put_json_text(x->text, out);
	else if (isnan(x->value))
		fputs("null", out);
	else
		put_real(x->value, out);
	put_json_member("unit", x->text ? NULL : unit_name(x->unit), out);
	put_json_member("table", x->table, out);
	put_json_member("column", x->column, out);
	put_json_member("rows", x->rows, out);
	put_json_member("made_of", x->made_of, out);
	fputc('}', out);
}

void table_write_inputs(const struct finding_inputs *inputs, FILE *out)
{
	fputs(",\"inputs\":[", out);
	for (uint32_t i = 0; i < inputs->n; i++) {
		fputs(i ? ",\n  " : "\n  ", out);
		put_json_input(&inputs->at[i], out);
	}
	fputc(']', out);
}

static void put_json_evidence(const struct evidence *e, FILE *out)
{
	fputc('{', out);
	if (e->a_ns == e->b_ns)
		fputs("\"window_ns\":null", out);
	else
		put_json_window(e->a_ns, e->b_ns, out);
	fputs(",\"events\":[", out);
	for (uint32_t i = 0; i < e->n; i++)
		fprintf(out, i ? ",%" PRIu32 : "%" PRIu32, e->rows[i]);
	fputc(']', out);
	if (e->inputs)
		table_write_inputs(e->inputs, out);
	fputc('}', out);
}

static void write_json(const struct table *t, FILE *out, const char *const *sources, int n_sources)
{
	put_json_head(t, sources, n_sources, out);
	fputs(",\"columns\":[", out);
	for (uint32_t c = 0; c < t->n_cols; c++) {
		fputs(c ? ",\n " : "\n ", out);
		put_json_column(&t->cols[c], out);
	}
	fputs("],\"rows\":[", out);
	for (uint32_t r = 0; r < t->n_rows; r++) {
		fputs(r ? ",\n " : "\n ", out);
		put_json_row(t, r, out);
	}
	fputs("],\"evidence\":[", out);
	for (uint32_t r = 0; r < t->n_rows; r++) {
		fputs(r ? ",\n " : "\n ", out);
		put_json_evidence(table_evidence_of(t, r), out);
	}
	fputs("]}\n", out);
}

void table_write(const struct table *t, enum table_format f, FILE *out, const char *const *sources, int n_sources,
		 unsigned width)
{
	switch (f) {
	case TABLE_CSV:
	case TABLE_SPREADSHEET:
		write_csv(t, f == TABLE_SPREADSHEET, out);
		break;
	case TABLE_JSON:
		write_json(t, out, sources, n_sources);
		break;
	case TABLE_MD:
		table_text_md(t, out);
		break;
	case TABLE_TEXT:
		table_text(t, out, width);
		break;
	}
}
