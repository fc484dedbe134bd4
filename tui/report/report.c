/* tui/report/report.c - dispatch to the formats. */
#include "report.h"
#include "formats.h"
#include "model/store/base/memory.h"
#include "model/store/files/text_stream.h"
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

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Paths are found in the text as a whole. */
static void write_redacted(struct content *c, FILE *out)
{
	struct text_stream whole;
	writers[c->req->format](c, must(text_stream_open(&whole)));
	char *text = must(text_stream_close(&whole, NULL));
	put_without_paths(text, out);
	free(text);
}

bool report_write(const struct report_req *r, FILE *out, struct err *e)
{
	struct content c;
	const struct trace *t = derived_trace(r->d);
	trace_check_rest(t); /* a report says what was lost */
	TRY(content_new(&c, r, e));
	if (r->redact)
		write_redacted(&c, out);
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
