/* tui/panes/overview.h - what the first screen shows beside the tables that exist anyway: short forms, made once. */
#ifndef STEPSCOPE_OVERVIEW_H
#define STEPSCOPE_OVERVIEW_H
#include "tui/explorer/state.h"

/* The biggest gaps with share and cause; "gap" holds the id, so Enter selects it. Made on first use. */
enum {
	BIG_GAP_STEP,
	BIG_GAP_IDLE,
	BIG_GAP_SHARE,
	BIG_GAP_DEVICE,
	BIG_GAP_CAUSE,
	BIG_GAP_CAUSE_NS,
	BIG_GAP_CONFIDENCE,
	BIG_GAP_MAIN_EVENT,
	BIG_GAP_MAIN_EVENT_NS,
	BIG_GAP_GAP
};
struct table *overview_gaps(struct state *st);
/* Devices with their busy share, from the table `devices` (NULL until that is ready). */
enum { SHORT_DEVICE_DEVICE, SHORT_DEVICE_BUSY, SHORT_DEVICE_IDLE, SHORT_DEVICE_KERNELS, SHORT_DEVICE_NAME };
struct table *overview_devices(struct state *st, const struct table *devices);

/* The table `kernels` with one row per name (NULL until that is ready). */
struct table *overview_kernel_names(const struct state *st);

/* The largest ops of devices, else of the host, from the table `ops` (NULL until that is ready). */
enum { SHORT_OP_SHARE, SHORT_OP_SELF, SHORT_OP_COUNT, SHORT_OP_EAGER, SHORT_OP_TYPE, SHORT_OP_NAME };
struct table *overview_ops_made(struct state *st, const struct table *ops);
/* What stands in for devices where there are none. */
void overview_top(struct state *st);

/* Headline numbers: rows of the table `overview` or `trace`, some with a second number beside. */
/*  FAR: a share that should be 100 %, with what is missing. BAR: a share. MIX: the parts of the steps, no number. STEP: a mean, of
 *  irregular steps their median. TEXT: a sentence. */
enum headline_look { HEAD_PLAIN, HEAD_FAR, HEAD_BAR, HEAD_MIX, HEAD_STEP, HEAD_TEXT };
enum headline_when {
	SHOW_DEVICES,
	SHOW_DEVICE_COUNT,
	SHOW_RECORDINGS,
	SHOW_KERNELS,
	SHOW_TENSOR_CORES,
	SHOW_STEPS,
	SHOW_OWN_STEPS, /* that are not the labels of a server's iterations */
	SHOW_DEVICE_STEPS,
	SHOW_ITERATIONS,
	SHOW_GRAPHS,
	SHOW_PADDING,
	SHOW_HOST
};
struct headline {
	enum headline_when when; /* what the trace must have; HOST: no devices, and the row is of `trace` */
	const char *label;
	const char *key;    /* row of the table */
	const char *joint;  /* text between the numbers, NULL = no second one */
	const char *second; /* its key */
	enum headline_look look;
};
enum { HEADLINES_MAX = 40 };
/* Those that can say something about this trace; returns how many. */
uint32_t headlines(const struct state *st, const struct headline *out[HEADLINES_MAX]);
uint32_t overview_row(const struct table *overview, const char *key); /* NONE_ID when absent */
/* t: the table that holds its row */
void headline_draw(const struct state *st, const struct headline *h, const struct table *t, struct surface *s,
		   struct rect line, bool chosen);
/* The overview speaks about the whole trace; its tables are its own copies, so sorting here disturbs no pane. NULL until
 * the table is ready. */
struct table *overview_table(const struct state *st, const char *name);
void overview_want(struct state *st, const char *name);
#endif
