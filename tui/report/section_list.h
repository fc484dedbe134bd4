/* tui/report/section_list.h - the sections of a report, in their order: a table, its title, its rows. */
#ifndef STEPSCOPE_REPORT_SECTION_LIST_H
#define STEPSCOPE_REPORT_SECTION_LIST_H
#include "model/table.h"

struct section_spec {
	const struct table_desc *table; /* its columns, its intro, how rows go when there are too many */
	const char *title, *intro;      /* NULL: the table's own */
	const char *served;             /* its title where iterations of a server stand for steps; NULL: the same */
	unsigned kinds;
	bool whole; /* about the whole trace, whatever the window */
	bool (*keep)(const struct table *t, uint32_t row, const char *word);
	enum { FACE_TABLE, FACE_FINDINGS, FACE_STEP_BARS } face;
	const struct table_desc *drawn; /* what is drawn above it for people */
	const struct shared_part *last; /* this and the sections before it are made of it, no later one */
};

const struct section_spec *section_specs(uint32_t *n);
/* Rules that others ask for by name. word: of keep_gap the scope that is the story, of keep_fact SECTION_REDACTING or "". */
#define SECTION_REDACTING "redacting"
bool keep_gap(const struct table *t, uint32_t row, const char *word);
bool keep_fact(const struct table *t, uint32_t row, const char *word);
/* What the first lines, the gaps and the kernels do not say already. */
bool keep_headline(const struct table *t, uint32_t row, const char *word);

/* --sections: names of tables and of what only a report makes, with commas between them; NULL = all. */
enum { SECTION_WORDS = 128 };
bool section_chosen(const char *list, const char *word);
#endif
