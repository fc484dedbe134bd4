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

/* "68.000 us" of a trace in whole microseconds is "68 us": a stream in front of another one that leaves ".000" out. */
struct whole_us {
	FILE *out;
	size_t matched; /* so much of ZEROS has come and is held back */
	char before;    /* what stands in front of it; 0 = nothing */
};
static const char ZEROS[] = ".000 us";
enum { ZEROS_N = sizeof ZEROS - 1, WITHOUT = 4 /* of them ".000" goes */ };

static void put_held(struct whole_us *w, size_t from)
{
	fwrite(ZEROS + from, 1, w->matched - from, w->out);
	w->before = w->matched ? ZEROS[w->matched - 1] : w->before;
	w->matched = 0;
}

/* Nothing goes where it is no time of its own. */
static void put_zeros(struct whole_us *w, char after)
{
	bool time = isdigit((unsigned char)w->before) && !isalnum((unsigned char)after);
	put_held(w, time ? WITHOUT : 0);
}

static ssize_t write_whole_us(void *cookie, const char *text, size_t n)
{
	struct whole_us *w = cookie;
	for (size_t i = 0; i < n;) {
		if (w->matched == ZEROS_N) {
			put_zeros(w, text[i]);
		} else if (w->matched && text[i] == ZEROS[w->matched]) {
			w->matched++;
			i++;
		} else if (w->matched) {
			put_held(w, 0);
		} else {
			const char *dot = memchr(text + i, ZEROS[0], n - i);
			size_t run = dot ? (size_t)(dot - text) - i : n - i;
			fwrite(text + i, 1, run, w->out);
			w->before = run ? text[i + run - 1] : w->before;
			w->matched = dot != NULL;
			i += run + (dot != NULL);
		}
	}
	return (ssize_t)n; /* what went wrong is known to the stream behind */
}

static int close_whole_us(void *cookie)
{
	struct whole_us *w = cookie;
	if (w->matched == ZEROS_N)
		put_zeros(w, '\0');
	put_held(w, 0);
	free(w);
	return 0;
}

static FILE *whole_us_open(FILE *out)
{
	struct whole_us *w = must(malloc(sizeof *w));
	*w = (struct whole_us){.out = out};
	return must(fopencookie(w, "w", (cookie_io_functions_t){.write = write_whole_us, .close = close_whole_us}));
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void write_format(struct content *c, bool coarse, FILE *out)
{
	FILE *to = coarse ? whole_us_open(out) : out;
	writers[c->req->format](c, to);
	if (coarse)
		fclose(to);
}

/* Paths are found in the text as a whole. */
static void write_redacted(struct content *c, bool coarse, FILE *out)
{
	char *text = NULL;
	size_t n = 0;
	FILE *whole = must(open_memstream(&text, &n));
	write_format(c, coarse, whole);
	must(fclose(whole) ? NULL : text);
	put_without_paths(text, out);
	free(text);
}

bool report_write(const struct report_req *r, FILE *out, struct err *e)
{
	struct content c;
	const struct trace *t = derived_trace(r->d);
	trace_check_rest(t); /* a report says what was lost */
	TRY(content_new(&c, r, e));
	/* names in JSON are those of the trace */
	bool coarse = r->format != REPORT_JSON && in_whole_us(t);
	if (r->redact)
		write_redacted(&c, coarse, out);
	else
		write_format(&c, coarse, out);
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
