/* model/analysis/names/input_names.h - what texts say about an event of the input pipeline, each text judged once.
 * Millions of events share a few thousand names: comparing words belongs here, not into a pass over events.
 * Life: input_names_open -> input_name_of any number of times -> input_names_close. One thread. */
#ifndef STEPSCOPE_INPUT_NAMES_H
#define STEPSCOPE_INPUT_NAMES_H
#include "op_names.h"

struct input_name {
	str_id key;             /* under this name the event is counted */
	uint8_t by_op, by_name; /* enum input_class: as the reference tool tells; as PyTorch's names tell */
	bool op, loads, infeed; /* a framework op at all; input_name_loads; an infeed enqueue */
	bool reads;             /* input_name_reads */
	bool dataset;           /* a tf.data op: its class depends on the op's own name */
	bool judged;
	bool silent; /* the name alone says that the event is none of this */
};
struct input_names {
	const struct trace *t;
	/* by text, of those before n_names and n_types; names but those that are like others; types: of ops whose type is recorded */
	struct input_name *names, *types;
	uint32_t n_names, n_types;
	const str_id *like; /* names_like.h */
};
void input_names_open(struct input_names *n, const struct trace *t, const str_id *like);
void input_names_close(struct input_names *n);
/* It was judged, and the name alone says that its events are none of this. */
static inline bool input_name_silent(const struct input_names *n, str_id name)
{
	return n->like[name] < n->n_names && n->names[n->like[name]].silent;
}
/* Of a host event. */
struct input_name input_name_of(struct input_names *n, row_id r);
#endif
