#include "guide.h"
#include "put.h"
#include "utf8.h"
#include "words.h"
#include "model/store/base/units.h"
#include "model/analysis/findings/findings.h"
#include "model/analysis/findings/findings_columns.h"
#include <math.h>
#include <string.h>

enum { COLS = 80, INDENT = 2 + FINDING_TITLE_MAX + 1 }; /* mark, title, sentence */

struct guide_item guide_item(const struct table *t, uint32_t row)
{
	struct guide_item x = {.state = FINDING_UNKNOWN,
			       .rule = column_text(t, row, COL_FINDINGS_RULE),
			       .title = column_text(t, row, COL_FINDINGS_TITLE),
			       .about = column_text(t, row, COL_FINDINGS_ABOUT),
			       .sentence = column_text(t, row, COL_FINDINGS_SENTENCE),
			       .advice = column_text(t, row, COL_FINDINGS_ADVICE),
			       .formula = column_text(t, row, COL_FINDINGS_FORMULA),
			       .lost_ns = column_int(t, row, COL_FINDINGS_LOST),
			       .confidence = NAN};
	const char *state = column_text(t, row, COL_FINDINGS_SEVERITY);
	const struct cell *sure = column_cell(t, row, COL_FINDINGS_CONFIDENCE);
	if (state)
		finding_state_parse(state, &x.state);
	x.confidence = sure->null ? (double)NAN : sure->r;
	return x;
}

const char *guide_mark(enum finding_state s, bool ascii)
{
	static const char *const marks[FINDING_STATES][2] = {
		[FINDING_PASS] = {"✓", "+"}, [FINDING_INFO] = {"i", "i"},    [FINDING_WARN] = {"!", "!"},
		[FINDING_FAIL] = {"✗", "X"}, [FINDING_UNKNOWN] = {"?", "?"},
	};
	return marks[s][ascii];
}

static uint32_t count(const struct table *t, enum finding_state s)
{
	uint32_t n = 0;
	for (uint32_t row = 0; row < t->n_rows; row++)
		n += guide_item(t, row).state == s;
	return n;
}

const char *guide_summary(const struct table *t, char *buf, size_t size)
{
	uint32_t warned = count(t, FINDING_WARN);
	snprintf(buf, size, "%u failed, %u %s, %u undecided, %u for information, %u fine", count(t, FINDING_FAIL),
		 warned, warned == 1 ? "warning" : "warnings", count(t, FINDING_UNKNOWN), count(t, FINDING_INFO),
		 count(t, FINDING_PASS));
	return buf;
}

/* ---- as text ---------------------------------------------------------------------------------------------------- */

static int word_width(const char *word, size_t n)
{
	char text[256];
	n = n < sizeof text ? n : sizeof text - 1;
	memcpy(text, word, n);
	text[n] = 0;
	return utf8_width(text);
}

/* Words from column INDENT on; the cursor stands at column `at`. Returns where it stands then. */
static int put_words(FILE *out, const char *text, int at)
{
	while (*text) {
		size_t n = strcspn(text, " ");
		if (words_stay(text, n))
			n += 1 + strcspn(text + n + 1, " ");
		int wide = word_width(text, n);
		if (at > INDENT && at + 1 + wide > COLS) {
			fprintf(out, "\n%*s", INDENT, "");
			at = INDENT;
		} else if (at > INDENT) {
			fputc(' ', out);
			at++;
		}
		char word[256];
		snprintf(word, sizeof word, "%.*s", (int)n, text);
		put_plain(out, word);
		at += wide;
		text += n + strspn(text + n, " ");
	}
	return at;
}

static void put_more(FILE *out, const char *label, const char *text)
{
	fprintf(out, "%*s", INDENT, "");
	int at = put_words(out, label, INDENT);
	put_words(out, text, at);
	fputc('\n', out);
}

enum tone guide_tone(enum finding_state s)
{
	return s == FINDING_FAIL   ? TONE_BAD
	       : s == FINDING_WARN ? TONE_WARN
	       : s == FINDING_PASS ? TONE_GOOD
				   : TONE_FAINT;
}

static void put_item(FILE *out, const struct guide_item *x, bool ascii)
{
	char ns[UNITS_BUF];
	fprintf(out, "%s%s %-*s%s", tone(guide_tone(x->state)), guide_mark(x->state, ascii), INDENT - 2,
		x->title ? x->title : "", tone(TONE_PLAIN));
	put_words(out, x->sentence ? x->sentence : "", INDENT);
	fputc('\n', out);
	if (x->state == FINDING_PASS)
		return;
	if (x->advice)
		put_more(out, ascii ? "->" : "→", x->advice);
	if (x->lost_ns != UNKNOWN_I64 && finding_stands(x->state))
		put_more(out, "at stake:", fmt_ns(ns, x->lost_ns));
}

void guide_write(const struct table *findings, FILE *out, bool ascii)
{
	char summary[160];
	for (uint32_t row = 0; row < findings->n_rows; row++) {
		struct guide_item x = guide_item(findings, row);
		put_item(out, &x, ascii);
	}
	fprintf(out, "\n%s\n", guide_summary(findings, summary, sizeof summary));
}
