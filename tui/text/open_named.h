/* tui/text/open_named.h - a trace whose replayed graphs are named by the trace of their capture.
 * Pairs: a capture and what replays it are two recordings with nothing between them: their clocks have minutes between them, and
 *        one of them runs hardly any work. They are never put on one axis; `diff CAPTURE EXECUTION` shows them one above the other. */
#ifndef STEPSCOPE_OPEN_NAMED_H
#define STEPSCOPE_OPEN_NAMED_H
#include "importers/open.h"

/* As open_trace. capture: a file, or NULL: then two files, or a folder of two, that are such a pair are distinguished by themselves. */
struct trace *open_named(const char *const *paths, int n_paths, const char *capture, const struct open_opts *o,
			 struct err *e);
/* "graph_capture.json.gz names 421 of 421 kernels and copies of graphs"; "" without a capture. */
const char *open_named_say(const struct trace *t, char *buf, size_t size);
#endif
