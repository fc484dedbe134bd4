/* tui/report/report.c - dispatch to the formats. */
#include "report.h"
#include "formats.h"
#include "model/store/base/memory.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct {
	const char *word;
	enum report_format format;
} words[] = {{"md", REPORT_MD}, {"html", REPORT_HTML}, {"svg", REPORT_SVG}, {"json", REPORT_JSON}, {"text", REPORT_TEXT},
	     {"markdown", REPORT_MD}, {"htm", REPORT_HTML}, {"txt", REPORT_TEXT}};
static void (*const writers[])(struct content *c, FILE *f) = {
	[REPORT_MD] = report_md, [REPORT_HTML] = report_html, [REPORT_SVG] = report_svg, [REPORT_JSON] = report_json,
	[REPORT_TEXT] = report_text};
/* clang-format on */

bool report_format_parse(const char *word, enum report_format *out)
{
	const char *dot = strrchr(word, '.');
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i].word, dot ? dot + 1 : word) == 0) {
			*out = words[i].format;
			return true;
		}
	return false;
}

const char *report_format_ending(enum report_format f)
{
	return words[f].word;
}

/* ---- no precision that the source lacks -------------------------------------------------------------------------- */

static bool in_whole_us(const struct trace *t)
{
	enum { US = 1000 };
	const struct columns *c = trace_columns(t);
	for (uint64_t r = 0; r < c->n; r++)
		if (c->start_ns[r] % US || c->dur_ns[r] % US)
			return false;
	return true;
}

/* "68.000 us" of a trace in whole microseconds is "68 us". */
static void put_whole_us(const char *text, FILE *out)
{
	static const char zeros[] = ".000 us";
	enum { WITHOUT = 4 }; /* of them ".000" goes */
	for (const char *at; (at = strstr(text, zeros)); text = at + WITHOUT) {
		bool time =
			at > text && isdigit((unsigned char)at[-1]) && !isalnum((unsigned char)at[sizeof zeros - 1]);
		fwrite(text, 1, (size_t)(at - text) + (time ? 0 : WITHOUT), out);
	}
	fputs(text, out);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

typedef void put_text(const char *text, FILE *out);

/* What the format writes, once more through `put`. */
static void write_through(struct content *c, put_text *put, FILE *out)
{
	char *text = NULL;
	size_t n = 0;
	FILE *whole = must(open_memstream(&text, &n));
	writers[c->req->format](c, whole);
	must(fclose(whole) ? NULL : text);
	put(text, out);
	free(text);
}

static void put_both(const char *text, FILE *out)
{
	char *whole = NULL;
	size_t n = 0;
	FILE *us = must(open_memstream(&whole, &n));
	put_whole_us(text, us);
	must(fclose(us) ? NULL : whole);
	put_without_paths(whole, out);
	free(whole);
}

bool report_write(const struct report_req *r, FILE *out, struct err *e)
{
	struct content c;
	const struct trace *t = derived_trace(r->d);
	trace_check_rest(t); /* a report says what was lost */
	TRY(content_new(&c, r, e));
	/* names in JSON are those of the trace */
	bool coarse = r->format != REPORT_JSON && in_whole_us(t);
	put_text *put = coarse && r->redact ? put_both : coarse ? put_whole_us : r->redact ? put_without_paths : NULL;
	if (put)
		write_through(&c, put, out);
	else
		writers[r->format](&c, out);
	content_free(&c);
	return true;
}

bool report_save(const struct report_req *r, const char *path, unsigned flags, struct err *e)
{
	struct output *o = output_open(path, flags, e);
	TRY(o != NULL);
	if (report_write(r, output_stream(o), e))
		return output_close(o, e) == OUTPUT_DONE;
	output_drop(o);
	return false;
}
