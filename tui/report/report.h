/* tui/report/report.h - the selected window for a colleague: Markdown, one self-contained HTML file, SVG, JSON or text.
 * The first five lines say what was looked at, the verdict, the numbers that matter and the command that makes the same
 * report again. Numbers come from the analyses and are printed by the same formatting as in the explorer.
 * Environment metadata recorded by the producer never leaves, except the allow-list in report.c. */
#ifndef STEPSCOPE_REPORT_H
#define STEPSCOPE_REPORT_H
#include "model/store/files/output.h"
#include "tui/text/window.h"
#include <stdio.h>

enum report_format { REPORT_MD, REPORT_HTML, REPORT_SVG, REPORT_JSON, REPORT_TEXT };
struct report_req {
	const struct derived *d;
	struct window window;
	const struct filter *filter; /* NULL = all */
	enum report_format format;
	const char *const *paths; /* as the user named them */
	int n_paths;
	const char *program;      /* argv[0]'s last part */
	uint32_t every_k;         /* the what-if of recurring gaps: 0 = as the analysis has it */
	bool all_steps;           /* means are of all steps, not of the steady ones alone */
	bool redact;              /* names that somebody chose become hashes, see tui/tables/scrub.h */
	const char *sections;     /* names of tables with commas between them, see sections_known; NULL = all */
	const char *title, *note; /* of the user, above and below the verdict; NULL = none */
	bool brief;               /* Markdown and text: what fits a chat message, BRIEF_BYTES at most */
	bool ascii;               /* text and Markdown: draw the lanes with ASCII characters */
};
enum { BRIEF_BYTES = 2000 };
bool sections_known(const char *list, struct err *e); /* usage error otherwise */
bool report_write(const struct report_req *r, FILE *out, struct err *e);
bool report_format_parse(const char *word, enum report_format *out); /* "md", "html", ...; also by file name's ending */
const char *report_format_ending(enum report_format f);              /* "md", "html", ... */
/* To the target `path`, as a whole or not at all; flags: output.h, which also says what can be a target. */
bool report_save(const struct report_req *r, const char *path, unsigned flags, struct err *e);
#endif
