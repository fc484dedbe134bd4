/* tui/export/chrome_private.h - what the writer of Chrome's format is made of: chrome.c the file, chrome_head.c what stands before the
 * events, chrome_event.c one event. */
#ifndef STEPSCOPE_EXPORT_CHROME_PRIVATE_H
#define STEPSCOPE_EXPORT_CHROME_PRIVATE_H
#include "export.h"
#include "lanes_of.h"
#include "tui/tables/scrub.h"
#include "slice.h"
#include "tui/tables/block.h"

struct chrome_out {
	const struct export_req *req;
	const struct trace *t;
	const struct columns *c;
	struct slice slice;
	struct scrub *scrub; /* NULL: as recorded */
	struct lanes_of lanes;
	struct block b;
	struct attrs *attrs; /* a reader of its own */
	struct arena mem;    /* of the event at hand */
	uint8_t *rule;       /* by str_id of an argument's name: 0 = not asked yet, else arg_rule + 1 */
	int64_t origin_ns;   /* what is added to times of the trace */
	bool by_names;       /* names of processes and threads tell what events are, as TensorFlow and JAX have it */
	bool of_chrome;      /* what was recorded speaks for itself; else categories and details are made */
	bool many_hosts;
	/* something of it is written: by track, process, device */
	bool *used, *used_process, *used_device;
	bool any;          /* an entry was written */
	uint64_t left_out; /* arguments */
};
/* "," where it is not the first, and a line of its own. */
void chrome_next(struct chrome_out *o);
void chrome_time(struct chrome_out *o, int64_t ns); /* microseconds with as many places as nanoseconds need */
void chrome_number(struct chrome_out *o, const char *name, int64_t v);   /* `,"name":v` */
void chrome_text(struct chrome_out *o, const char *name, const char *v); /* the same of a text */
const char *chrome_fact(const struct trace *t, const char *key);         /* about the capture; NULL = not there */
void chrome_head(struct chrome_out *o);                                  /* facts, devices */
void chrome_metadata(struct chrome_out *o);                              /* names and order of processes and threads */
void chrome_event(struct chrome_out *o, row_id r);
#endif
