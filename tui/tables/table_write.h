/* tui/tables/table_write.h - a table as text, CSV, JSON ("stepscope.table/1"), JSON lines or Markdown on a FILE*. No curses.
 * TEXT, MD: numbers with their units as in the explorer, "-" for unknown. Names are cleaned (see report/words.h).
 * CSV:      RFC 4180 quoting, lines end with \n; raw numbers, unknown empty, empty text "".
 * SPREADSHEET: the same, and a ' before texts that a spreadsheet would run as a formula; numbers stay what they are.
 * JSON:     integers beyond 2^53 are strings, unknown and NaN null, bytes that are not UTF-8 U+FFFD; `evidence` runs
 *           parallel to `rows`: the window, the ids of events, and of findings the inputs (finding.h).
 * JSONL:    one object for each row, its keys the names of the columns; values as in JSON. */
#ifndef STEPSCOPE_TABLE_WRITE_H
#define STEPSCOPE_TABLE_WRITE_H
#include "model/finding.h"
#include <stdio.h>

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_MD, TABLE_JSONL, TABLE_SPREADSHEET };
bool table_format_parse(const char *word, enum table_format *out); /* "text" "csv" "json" "md" "jsonl" */
/* width: columns of the terminal for TEXT (0 = no limit: never cut). sources: file names for JSON. */
void table_write(const struct table *t, enum table_format f, FILE *out, const char *const *sources, int n_sources,
		 unsigned width);
/* `,"inputs":[...]` of a JSON object: name, value, unit, and table, column, rows (each absent: see finding.h) or made_of. */
void table_write_inputs(const struct finding_inputs *inputs, FILE *out);
#endif
