/* live/capture_names.h - the dictionary of a capture: strings, kernel shapes and places of all targets, each once, under numbers
 * of our own that never change; and per target the map from its numbers to ours.
 * A target may forget and define anew as often as it likes, and may lie: unknown numbers become 0, "none". */
#ifndef STEPSCOPE_CAPTURE_NAMES_H
#define STEPSCOPE_CAPTURE_NAMES_H
#include "row_pool.h"
#include "wire.h"
#include "model/store/base/strings.h"
#include <stdbool.h>

enum { NAMES_MAX_BYTES = 256 << 20 }; /* of strings; what comes then has no name */
struct names {
	struct strings *strings;
	struct pool shapes, places; /* struct wire_shape, struct wire_place with id 0 and names in our numbers */
};
struct names_map {
	uint32_t *string, *shape, *place; /* [target's number] = ours */
	uint32_t n_string, n_shape, n_place;
};
/* False when memory is out. The maps of targets are freed apart. */
bool names_init(struct names *n);
void names_free(struct names *n);
void names_map_free(struct names_map *m);

/* Takes a STRING, SHAPE, PLACE or FORGET frame; false when it makes no sense. */
bool names_define(struct names *n, struct names_map *m, const struct wire_frame *f);
str_id names_string(const struct names_map *m, uint32_t id); /* 0 for an unknown one, as below */
uint32_t names_shape(const struct names_map *m, uint32_t id);
uint32_t names_place(const struct names_map *m, uint32_t id);
#endif
