/* tui/lanes/op_lane.h - lanes under a stream that tell which framework op its kernels come from, and the scope of that op's name.
 * Derived:  from the events in the columns at hand, while drawing; nothing is stored, and no such block is an event.
 * Levels:   0 is the op; 1, 2, ... are the parts of its name ("model/dense/MatMul": scopes "model" and "dense") after what
 *           all names of the stream begin with.
 * Modules:  a lane below the scopes names the XLA module, where kernels tell it.
 * Phases:   a lane of its own tells forward, loss, backward and optimizer apart, where a stream has two of them.
 * Blocks:   neighbouring columns of one text are one block; a column shows the op of its longest kernel. */
#ifndef STEPSCOPE_OP_LANE_H
#define STEPSCOPE_OP_LANE_H
#include "model/analysis/steps/phases.h"
#include "model/viewport.h"
#include "tui/screen/surface.h"

enum {
	OP_LANE_SCOPES = 2, /* levels of scope that are shown at most */
	OP_LANE_PHASE = UINT16_MAX,
	OP_LANE_MODULE = OP_LANE_PHASE - 1 /* as levels */
};
struct op_lanes {
	struct phases *phases; /* NULL: there is no lane of phases */
	uint8_t levels;        /* 0: no op of this stream is known; else the op's and the scopes' */
	uint8_t common;        /* parts that all names begin with */
	bool modules;          /* kernels name the XLA module that they belong to */
};
/* What the lanes of a stream can show, by a sample of its kernels. */
struct op_lanes op_lanes_of(const struct derived *d, uint32_t track);
bool op_lane_recorded(const struct trace *t, uint32_t track); /* a lane of ops that the recorder made */
/* Adds the lane of phases when the sample shows two; p must live as long. */
void op_lanes_phases(struct op_lanes *x, const struct derived *d, uint32_t track, struct phases *p);
const char *op_lane_name(uint32_t level); /* "op", "scope", "module", "phase" */
void op_lane_draw(const struct derived *d, const struct op_lanes *lanes, uint32_t track, uint32_t level,
		  const struct viewport *v, struct surface *s, int y, int x);
#endif
