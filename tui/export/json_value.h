/* tui/export/json_value.h - whether a text is one value of JSON, as the standard has it: what producers wrote is not always. */
#ifndef STEPSCOPE_EXPORT_JSON_VALUE_H
#define STEPSCOPE_EXPORT_JSON_VALUE_H
#include <stdbool.h>
#include <stddef.h>

/* True for one whole value, blanks around it included; texts in it are plain ASCII, at most 64 levels deep. */
bool json_value_is(const char *p, size_t n);
#endif
