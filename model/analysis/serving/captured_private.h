/* model/analysis/serving/captured_private.h - launches that were captured, in pieces, for the files that compare them. */
#ifndef STEPSCOPE_CAPTURED_PRIVATE_H
#define STEPSCOPE_CAPTURED_PRIVATE_H
#include "captured.h"
#include "model/store/base/arena.h"

struct captured_launch {
	const char *kernel;   /* NULL: the capture tells no name, or it is no kernel */
	enum event_kind kind; /* of the work it stands for: KIND_KERNEL, KIND_COPY, KIND_MEMSET */
	row_id row;           /* in the capture */
};
struct captured_piece {
	uint32_t first, n;
};
struct captured_launches {
	struct captured_launch *at;
	struct captured_piece *pieces;
	uint32_t n, n_pieces;
};
/* In `mem`. */
void captured_launches_find(const struct trace *capture, struct captured_launches *out, struct arena *mem);
/* What stands around the launch: op, type, module and frames, in `mem`; texts are "" where nothing tells them. ranges: the innermost range
 * is an op where there is none. */
struct replayed_name captured_around(const struct trace *capture, row_id launch, bool ranges, struct arena *mem);
#endif
