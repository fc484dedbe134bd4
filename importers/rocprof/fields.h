/* importers/rocprof/fields.h - a line of a table of text, cut into its fields at commas. */
#ifndef STEPSCOPE_ROCPROF_FIELDS_H
#define STEPSCOPE_ROCPROF_FIELDS_H
#include "model/store/base/strings.h"
#include <stdbool.h>
#include <stdint.h>

enum { MOST_FIELDS = 256 };
struct fields {
	struct span at[MOST_FIELDS]; /* without quotes and blanks around; in the line, or where it was unquoted */
	unsigned n;                  /* those beyond MOST_FIELDS are counted only */
};
/* Cuts `line`, n bytes without its end. Fields that begin with a quote end at the quote before a comma or the end of the line, and a quote
 * in them may be doubled; such a text is moved together within the line. False: a quote that nothing closes. */
bool fields_cut(char *line, size_t n, struct fields *f);
/* A whole number as it is usually written; false: the field holds something else. */
bool fields_int(struct span s, int64_t *v);
#endif
