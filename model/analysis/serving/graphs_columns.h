/* model/analysis/serving/graphs_columns.h - the columns of the tables graphs and graph_kernels. */
#ifndef STEPSCOPE_GRAPHS_COLUMNS_H
#define STEPSCOPE_GRAPHS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define SHARED_GRAPH "graph_id", INT, ID, "number of the graph: launches that replay the same work in the same order are one, counted from 0 in order of time"
#define SHARED_GRAPH_LAUNCHES "graph_launches", INT, COUNT, "launches of the graph whose first work starts inside the window"

#define GRAPHS_COLUMNS(_) \
	_(COL_GRAPHS_GRAPH,     SHARED_GRAPH) \
	_(COL_GRAPHS_RANK,      SHARED_RANK) \
	_(COL_GRAPHS_DEVICE,    SHARED_DEVICE) \
	_(COL_GRAPHS_LAUNCHES,  SHARED_GRAPH_LAUNCHES) \
	_(COL_GRAPHS_WORK,      "graph_work",       INT,  COUNT,   "kernels, copies and memsets of one launch") \
	_(COL_GRAPHS_LAYERS,    "graph_layers",     INT,  COUNT,   "how often the same kernels come again in it, as layers do; null: nothing repeats") \
	_(COL_GRAPHS_SPAN,      "graph_span_ns",    INT,  NS,      "from the start of its first work to the end of its last, mean of its launches") \
	_(COL_GRAPHS_BUSY,      "graph_busy_ns",    INT,  NS,      "of that time with at least one kernel, copy or memset of it, mean") \
	_(COL_GRAPHS_IDLE_PCT,  "graph_idle_pct",   REAL, PERCENT, "the rest: time between its kernels, that no launch explains") \
	_(COL_GRAPHS_BETWEEN,   "graph_between_ns", INT,  NS,      "from the end of its work to the start of the next graph's on the device, median; null: none follows") \
	_(COL_GRAPHS_CALL,      "graph_call_ns",    INT,  NS,      "length of the call that launches it, median") \
	_(COL_GRAPHS_EACH,      "kernel_call_ns",   INT,  NS,      "median length of the calls that launch one kernel each, of the same process; null: fewer than three") \
	_(COL_GRAPHS_SAVED,     "call_saved_ns",    INT,  NS,      "time of the host that one launch saves at most: graph_work x kernel_call_ns - graph_call_ns") \
	_(COL_GRAPHS_NAMED,     "captured_pct",     REAL, PERCENT, "share of its work that the trace of its capture names (--capture); null without one") \
	_(COL_GRAPHS_UNNAMED,   "not_captured",     INT,  COUNT,   "work of one launch that has no counterpart in the capture; table graph_kernels says which") \
	_(COL_GRAPHS_HOST, SHARED_HOST)

#define GRAPH_KERNELS_COLUMNS(_) \
	_(COL_GRAPH_KERNELS_GRAPH,    SHARED_GRAPH) \
	_(COL_GRAPH_KERNELS_PLACE,    "graph_place",   INT,  ID,   "place in the order of the graph's work, from 0") \
	_(COL_GRAPH_KERNELS_LAYER,    "layer",         INT,  ID,   "layer that it belongs to, by the kernels that come again; null: before or after them, or nothing repeats") \
	_(COL_GRAPH_KERNELS_KERNEL,   SHARED_KERNEL) \
	_(COL_GRAPH_KERNELS_OP,       "op",            TEXT, NONE, "op that launched it when it was captured, or that the trace names; empty: neither does") \
	_(COL_GRAPH_KERNELS_MODULE,   "module",        TEXT, NONE, "module around that launch, the outermost first") \
	_(COL_GRAPH_KERNELS_STACK,    "stack",         TEXT, NONE, "Python frames around that launch, the innermost first") \
	_(COL_GRAPH_KERNELS_MATCH,    "captured",      TEXT, NONE, "name: a captured launch of this kernel stands at this place; place: of another kernel, between two that are the same; node: the trace records which call made this node of the graph; no: none does; empty: no capture was given") \
	_(COL_GRAPH_KERNELS_LAUNCHES, SHARED_GRAPH_LAUNCHES) \
	_(COL_GRAPH_KERNELS_TIME,     "place_ns",      INT,  NS,   "its time in all of these launches, summed") \
	_(COL_GRAPH_KERNELS_BEFORE,   "place_idle_ns", INT, NS,   "time between it and the end of the graph's work before it, summed; 0 where they overlap")
/* clang-format on */
enum graphs_column { GRAPHS_COLUMNS(COLUMN_ID) };
enum graph_kernels_column { GRAPH_KERNELS_COLUMNS(COLUMN_ID) };
#endif
