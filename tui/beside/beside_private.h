/* tui/beside/beside_private.h - what the files of this folder share. */
#ifndef STEPSCOPE_BESIDE_PRIVATE_H
#define STEPSCOPE_BESIDE_PRIVATE_H
#include "beside.h"
#include "tui/explorer/worker.h"

enum { SIDE_A, SIDE_B, BOTH };
enum { LIST_STEP, LIST_FINDINGS, LIST_ADVICE, LIST_FIRST_TABLE, LIST_SEQUENCE = LIST_FIRST_TABLE + DIFF_SHOWN, LISTS };

struct beside_row {
	const char *name;
	const char *word; /* findings: gone, new, ...; tables: how the rows were matched; NULL: nothing to say */
	const char *a, *b, *change, *pct; /* NULL: none */
	double share;                     /* of the largest change of its list, -1 .. 1 */
	int64_t from_ns, to_ns;           /* the waterfall: where the part begins and ends */
	struct compare_place place;
};
struct beside_list {
	const char *name;
	struct beside_row *rows;
	uint32_t n, chosen, top;
};
struct beside {
	struct state *side[2];
	struct app_opts opts;
	struct diff_run run[2];
	struct worker *worker;
	struct progress progress;
	struct arena mem;
	struct diff diff;
	struct err err;
	bool made;          /* the worker's, as diff, mem and err are until it has ended; */
	bool ready, failed; /* then one of these is set */
	struct beside_list lists[LISTS];
	uint32_t list;
	int where;         /* SIDE_A, SIDE_B: that run by itself; BOTH */
	bool visiting;     /* for help, or for what is typed: back when that is closed */
	struct view aside; /* of the run that is looked at: as it was here */
	/* Both timelines: moment t of the axis is t - zero_ns + origin_ns[side] of the side's own. */
	int64_t origin_ns[2], zero_ns, length_ns;
	struct viewport port;
	int64_t cursor_ns; /* behind the origins */
	int rows, cols;
	struct surface *half; /* what a side's timeline is drawn on before it is cut out */
	char message[256];
	enum beside_end end;
};

/* ---- beside_rows.c */
void beside_make_lists(struct beside *b);
const struct beside_row *beside_chosen(const struct beside *b); /* NULL: the list is empty */

/* ---- beside_view.c */
struct beside_layout {
	int y_lists, y_rows, h_rows, y_ruler, y_side[2], h_lanes[2];
};
struct beside_layout beside_layout(const struct beside *b);
void beside_begin(struct beside *b);       /* the steps that stand for both runs */
void beside_show_chosen(struct beside *b); /* the place of the chosen row on both timelines */
void beside_apply(struct beside *b);       /* axis and cursor to the states of both */
void beside_fit_step(struct beside *b);
void beside_fit_event(struct beside *b);
void beside_zoom(struct beside *b, int64_t num, int64_t den);
void beside_pan(struct beside *b, int tenths); /* of the view */
void beside_move_cursor(struct beside *b, int cols);
void beside_cursor_to(struct beside *b, int col);
void beside_size_sides(struct beside *b);
#endif
