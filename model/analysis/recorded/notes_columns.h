/* model/analysis/recorded/notes_columns.h - the columns of the table notes. */
#ifndef STEPSCOPE_NOTES_COLUMNS_H
#define STEPSCOPE_NOTES_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define NOTES_COLUMNS(_) \
	_(COL_NOTES_NOTE,     "note",         TEXT, NONE,    "stable identifier of the note") \
	_(COL_NOTES_SEVERITY, "note_severity",   TEXT, NONE,    "info: normal for the format; warn: worth knowing; lost: something sound may be missing") \
	_(COL_NOTES_COUNT,    "times",        INT,  COUNT,   "how often") \
	_(COL_NOTES_FIRST,    "first_offset", INT,  BYTES,   "byte of the first one in the unpacked input") \
	_(COL_NOTES_HELP,     COLUMN_HELP,    TEXT, NONE,    "meaning and rule") \
	_(COL_NOTES_FILE,   COLUMN_FILE,    TEXT, NONE,    "file of the first one") \
	_(COL_NOTES_ACCOUNTS, "accounts",     BOOL, NONE,    "whether it accounts for entries of the file that are not shown; the entries of other notes are shown all the same")
/* clang-format on */
enum notes_column { NOTES_COLUMNS(COLUMN_ID) };
#endif
