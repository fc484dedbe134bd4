/* tui/export/arg_list.h - which recorded arguments of events may leave in a file for others: those that tell of work, its size, its
 * shape and its order. Whatever else a producer wrote beside an event stays at home: recorded traces have carried live tokens. */
#ifndef STEPSCOPE_EXPORT_ARG_LIST_H
#define STEPSCOPE_EXPORT_ARG_LIST_H
#include <stdbool.h>

enum arg_rule {
	ARG_STAYS,
	ARG_GOES,
	ARG_GOES_AS_NUMBER, /* numbers, and lists of them: also from a redacted file, where it is one */
	ARG_GOES_AS_WORD    /* the name of a type or kind: also from a redacted file */
};
enum arg_rule arg_rule(const char *key);
/* Of an argument that is text or JSON: digits, addresses, lists of them, yes and no. Under the same word others write what they like. */
bool arg_is_number(const char *text);
#endif
