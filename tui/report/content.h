/* tui/report/content.h - what a report says, before anybody decides on a format. Every text is one line; every number
 * comes from an analysis or the overlay and was formatted by units.h.
 * Owner: the arena inside; content_free drops everything at once. */
#ifndef STEPSCOPE_REPORT_CONTENT_H
#define STEPSCOPE_REPORT_CONTENT_H
#include "picture.h"
#include "report.h"
#include "runs.h"
#include "model/analysis/analysis.h"
#include "model/analysis/gaps/why.h"
#include "tui/tables/op_bars.h"
#include "tui/tables/scrub.h"
#include "tui/tables/step_mix.h"

enum { SECTIONS_MAX = 56, CARDS_MAX = 6, ROWS_BRIEF = 12, ROWS_WIDE = 100, ROWS_FULL = 2000 };
enum section_look { LOOK_TABLE, LOOK_GUIDE, LOOK_BARS, LOOK_HISTOGRAMS, LOOK_OPS, LOOK_MEMORY };
struct section {
	const char *title, *intro;
	enum section_look look;
	const struct table *source;    /* GUIDE: the findings; BARS: the steps, drawn above the table of their parts;
				     HISTOGRAMS: latency_histogram, above the launches;
				     MEMORY: memory_curve, above the allocators */
	const struct step_mix *mix;    /* BARS: what these steps are made of */
	const struct op_chart *charts; /* OPS: above the table of ops */
	const struct table *table;     /* as much of it as the format shows, see enum extent */
	const char *unknown;           /* HTML: columns that are unknown in every row and so left out, "" = none */
	uint32_t total;                /* rows before the cut */
};
/* How much of a table is shown. */
enum extent {
	BRIEF, /* Markdown and text: at most 8 columns, few rows, names shortened */
	WIDE,  /* HTML: more columns and rows */
	FULL   /* JSON: all columns */
};
struct card {
	const char *label, *value, *sub;
};
struct content {
	struct arena mem;
	const struct report_req *req;
	struct scrub *scrub;          /* NULL: names as recorded */
	const char *title;            /* "gap 3: step 8 -> 9 on GPU 0" */
	const char *own_title, *note; /* the user's, one line each; NULL = none */
	const char *heading;          /* one line: of a gap where it is, else what the findings say first */
	const char *advice;           /* what to do about it, NULL = nothing */
	const char *looked_at, *verdict, *numbers, *ledger, *command; /* the first five lines */
	const char *facts;    /* the verdict without what the findings say: how busy devices are, the longest gap */
	const char **sources; /* as named by the user, or hashed */
	struct card cards[CARDS_MAX];
	uint32_t n_cards;
	struct section sections[SECTIONS_MAX];
	uint32_t n_sections;
	const struct gap *focus; /* the gap of the window, else the longest one that meets it; NULL = none */
	struct gap why_gap;      /* the last gap that was asked why, */
	const struct why *why;   /* and what was found; NULL: none was */
	struct picture *picture;
	struct table *findings; /* see content_findings */
	struct runs *runs;      /* what sections are cut from */
};
/* Collects what the report says, in c's arena. False with e. */
bool content_new(struct content *c, const struct report_req *r, struct err *e);
void content_free(struct content *c);

/* headline.c */
const char *verdict_sentence(struct content *c);
struct why told_why(struct content *c, const struct gap *g); /* why_of with the event named as the report may */
void verdict_lead(struct content *c);                        /* heading and advice, when the sentence is there */
const char *verdict_mark(struct content *c, int line);       /* what the picture writes on the focus gap */
const char *verdict_share(struct arena *mem, int64_t part, int64_t whole); /* "37.5 %" */
const char *verdict_time(struct arena *mem, int64_t ns);
/* cards.c */
void cards_fill(struct content *c);
/* The cards from one on as one line, in c's memory; "" when there are none. */
const char *cards_line(struct content *c, uint32_t from);
/* sections.c: begins to make what sections will be cut from, on a second thread; then the sections */
void sections_plan(struct content *c);
bool sections_fill(struct content *c, struct err *e);
/* Of the report's window, made on first use: the verdict and the section read the same table. NULL with `e` on failure. */
struct table *content_findings(struct content *c, struct err *e);
enum extent extent_of(enum report_format f);
/* evidence.c: tables only a report needs */
struct table *evidence_self(struct content *c, uint32_t track, int64_t a_ns, int64_t b_ns);
struct table *evidence_threads(struct content *c, const struct gap *g);
struct table *evidence_edges(struct content *c, const struct gap *g);
struct table *evidence_longest(struct content *c, int64_t a_ns, int64_t b_ns);
/* step_bars.c: where step time goes */
/* `m`: of the steps (tui/tables/step_mix.h). */
struct table *bars_parts(const struct table *steps, const struct step_mix *m,
			 struct arena *mem); /* part, share, mean, sd */
void bars_text(const struct table *steps, const struct step_mix *m, FILE *f,
	       int cols); /* letters, so no colours are needed */
void bars_svg(const struct table *steps, const struct step_mix *m, FILE *f);
/* histograms.c: distributions of launch latency, calls and work */
void histograms_text(const struct table *latency_histogram, FILE *f, int cols);
void histograms_svg(const struct table *latency_histogram, FILE *f);
/* op_pies.c: shares of self time, as bars: pies would need colours and space */
void op_pies_text(const struct op_chart charts[OP_CHARTS], FILE *f);
void op_pies_svg(const struct op_chart charts[OP_CHARTS], FILE *f);
/* memory_curves.c: memory in use over time, of the first eight allocators */
void memory_curves_text(const struct table *memory_curve, FILE *f, int cols, bool ascii);
void memory_curves_svg(const struct table *memory_curve, FILE *f);
/* findings_list.c */
void findings_md(const struct table *findings, FILE *f);
void findings_html(const struct table *findings, FILE *f);
/* hide_paths.c: a finished report without names of files and of Python's functions but PyTorch's own; hashes stand for them. */
void put_without_paths(const char *text, FILE *out);
#endif
