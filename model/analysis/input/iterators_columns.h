/* model/analysis/input/iterators_columns.h - the columns of the table iterators. */
#ifndef STEPSCOPE_ITERATORS_COLUMNS_H
#define STEPSCOPE_ITERATORS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define ITERATORS_COLUMNS(_) \
	_(COL_ITERATORS_PIPELINE,        SHARED_PIPELINE) \
	_(COL_ITERATORS_ITERATOR,        "iterator",        TEXT, NONE,    "last part of its name") \
	_(COL_ITERATORS_PARENT,          "parent",          TEXT, NONE,    "iterator that calls it; empty: a root") \
	_(COL_ITERATORS_DEPTH,           SHARED_DEPTH) \
	_(COL_ITERATORS_CALLS,           "iterator_calls",  INT,  COUNT,   "calls below root calls that start inside the window") \
	_(COL_ITERATORS_TOTAL_NS,        "total_ns",        INT,  NS,      "sum of their lengths") \
	_(COL_ITERATORS_SELF_NS,         SHARED_SELF_NS) \
	_(COL_ITERATORS_BLOCKING,        "blocking",        BOOL, NONE,    "whether the root waited for it: each caller on the way down overlapped with what it calls") \
	_(COL_ITERATORS_IS_BOTTLENECK,      "is_bottleneck",   BOOL, NONE,    "blocking, and with the most self time in the pipeline's longest call") \
	_(COL_ITERATORS_PARAMETERS,      "parameters",      TEXT, NONE,    "its settings, as its first event states them") \
	_(COL_ITERATORS_SLOWEST_NS,      "slowest_ns",      INT,  NS,      "total inside the pipeline's longest call") \
	_(COL_ITERATORS_SLOWEST_SELF_NS, "slowest_self_ns", INT,  NS,      "self time inside the pipeline's longest call") \
	_(COL_ITERATORS_ASYNC,           "async",           BOOL, NONE,    "works ahead on threads of its own") \
	_(COL_ITERATORS_LONG_NAME,       "long_name",       TEXT, NONE,    "its name with its callers")
/* clang-format on */
enum iterators_column { ITERATORS_COLUMNS(COLUMN_ID) };
#endif
