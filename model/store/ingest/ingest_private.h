/* model/store/ingest/ingest_private.h - the inside of an ingest, shared by the files that fill and seal it. */
#ifndef STEPSCOPE_INGEST_PRIVATE_H
#define STEPSCOPE_INGEST_PRIVATE_H
#include "ahead.h"
#include "ingest.h"
#include "model/store/base/column.h"
#include "model/store/facts/attrs.h"
#include "model/store/base/row_index.h"
#include "model/store/facts/side_packed.h"
#include <pthread.h>
#include <stdatomic.h>

/* Events in order of arrival, one array per attribute. */
#define RAW_COLUMNS(_)       \
	_(int64_t, start_ns) \
	_(int64_t, dur_ns)   \
	_(str_id, name)      \
	_(uint32_t, track)   \
	_(uint8_t, kind)
struct raw_events {
#define RAW_FIELD(type, name) struct column name;
	RAW_COLUMNS(RAW_FIELD)
#undef RAW_FIELD
	struct column corr, attrs; /* uint32_t, uint64_t from the first number on that needs it; see struct numbers */
	struct column detail;      /* uint32_t; it and corr have no memory before the first event that has one */
	struct column group;       /* uint16_t, int32_t from the first number on that needs it; filled from the first
				      event on that has one, so that others do not pay */
	size_t n, cap;             /* every column but the group, and those without memory, has room for so many */
};

/* B/E and async b/n/e points wait here until seal pairs them: half the bytes of a struct event_in, for the kernel clears what is
 * touched first. */
enum { PAIR_AT_BITS = 48 };
struct pair_point {
	int64_t start_ns;
	uint64_t id; /* async */
	attr_at attrs;
	int64_t at : PAIR_AT_BITS; /* byte offsets up to 128 TiB */
	uint64_t phase : 8;        /* 'B' 'E' 'b' 'n' 'e' */
	uint64_t kind : 8;
	str_id name;
	uint32_t track;
	uint32_t detail;
	uint32_t rest; /* 0: none; of in->pair_rests, counted from 1 */
};
/* What few points have. */
struct pair_rest {
	uint64_t corr;
	uint32_t side;
	int32_t group;
};
enum { FLOW_AT_BITS = 40 }; /* offsets up to a terabyte; all ones = unknown */
struct flow_point {
	int64_t ts_ns;
	uint64_t id;
	/* one word: a trace of ten million entries holds three million of these.
	 * of_event: it stands for the event of that track and start whose attributes are at `at` */
	uint64_t at : FLOW_AT_BITS, source : 15, phase : 7, enclosing : 1, of_event : 1;
	str_id category;
	union {
		uint32_t track;
		uint32_t row; /* from seal on */
	};
};
struct sample_in {
	int64_t ts_ns;
	double value;
	uint32_t track;
};
struct fact {
	char *key, *value;
};
struct source_in {
	char *path, *format, *producer; /* producer: NULL = none */
	uint32_t traits;                /* enum source_trait */
};

/* A launch whose row is looked up some launches later: rows of a million launches lie all over memory, and each look-up at
 * once waits for it. */
enum { PENDING_KERNELS = 8, PENDING_ROWS = 4 };
struct pending_kernel {
	struct kernel_info is;
	uint32_t hash;
	uint32_t event; /* raw index; NONE_ID: it did not become one */
};

struct coverage_bins {
	int64_t origin_ns, last_ns;
	int shift; /* a bin is 1 << shift ns wide */
	bool begun;
	struct column tracks; /* struct coverage_row, by provisional track */
};
struct coverage_row {
	uint64_t events;
	float busy_ns[COVERAGE_BINS];
};

struct ingest {
	struct strings *strings;
	struct attrs *attrs;
	struct notes notes;
	struct progress *progress;
	struct raw_events raw;
	struct column pairs, flows, samples; /* pair_point, flow_point, sample_in */
	struct column pair_rests;            /* pair_rest */
	struct spare spare;                  /* for growing and sealing */
	struct column hosts, processes, devices, tracks;
	SIDE_TABLE_ROWS; /* those of events say the raw index, NONE_ID: not taken yet */
	struct side_packed
		packed[SIDE_TABLE_COUNT]; /* rows of tables that are packed; those of events only from the seal on */
	struct column facts, sources;
	struct row_index track_index, kernel_index, copy_index, process_index, hlo_index, pool_index;
	struct pending_kernel pending
		[PENDING_KERNELS]; /* numbers [pending_from, pending_to), each in place number % PENDING_KERNELS */
	uint32_t pending_from, pending_to;
	int64_t epoch_ns, reference_ns;
	int64_t source_bytes; /* of the current source, 0 = not known */
	unsigned threads;     /* 0 and 1: only the caller's */
	struct ahead *ahead;  /* from many events on */
	bool has_reference, failed;
	struct {
		size_t raw, pairs, flows, samples;
	} source_from; /* where the current source begins */
	/* picture while importing */
	atomic_bool coverage_wanted;
	struct coverage_bins bins;
	bool bins_on;
	pthread_mutex_t published_lock;
	struct coverage_track *published;
	uint32_t n_published;
	int64_t published_span_ns;
};

/* A row of a table by event, for the event of that raw index. */
void ingest_side_of(struct ingest *in, enum side_table table, uint64_t event, const void *row);
/* The row that ingest_side gave the number of is that event's. */
void ingest_side_bind(struct ingest *in, uint32_t side, uint64_t event);
/* Adds one event to the raw columns; false when memory is out (in->failed is set then). */
bool ingest_append(struct ingest *in, const struct event_in *e);
/* Sets the detail of a raw event; told at seal when memory is out. */
void ingest_set_detail(struct ingest *in, uint32_t event, uint32_t detail);
/* Makes the group column as long as the others; false when memory is out. */
bool ingest_fill_groups(struct ingest *in);
/* Takes memory for what is coming on another thread; for every thousand events or so. */
void ingest_ahead(struct ingest *in);
/* Frees what finds rows: no more are made. */
void ingest_forget_indexes(struct ingest *in);
/* Pairs everything that waits; events are appended. */
void ingest_pair(struct ingest *in);
void coverage_event(struct ingest *in, const struct event_in *e);
void coverage_publish(struct ingest *in);
void coverage_free(struct ingest *in);

/* Takes the launch of a raw event, whose detail is set later; rows are made in order of these calls and ingest_kernel's. */
void pending_kernel_add(struct ingest *in, const struct kernel_info *k, uint32_t event);
void pending_kernels_settle(struct ingest *in); /* sets what is due */

#endif
