/* importers/flat_json.h - values of a small JSON object without objects in it, as databases keep what they have no column for. A key is
 * the first text of that spelling. Nothing is unescaped. */
#ifndef STEPSCOPE_FLAT_JSON_H
#define STEPSCOPE_FLAT_JSON_H
#include "model/store/base/strings.h"
#include <stdbool.h>
#include <stdint.h>

/* The value without its quotes, in the memory of `json`; p NULL = none. */
struct span flat_json_text(struct span json, const char *key);
/* UNKNOWN_I64: none, negative, or no whole number. */
int64_t flat_json_int(struct span json, const char *key);
#endif
