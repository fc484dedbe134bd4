/* tui/lanes/lane_rows.h - which display rows of a host thread stand as lanes of their own, and which are summed up.
 * Wrappers: rows that hold Python frames which only call others (rules/frames.rules) are one lane, which tells how many.
 * Density:  where the view is so wide that no event of a row would be more than a speck, the row and those below it are one
 *           lane that shows how busy they are.
 * Both depend on the trace and on how much time a column holds, never on which part is in view: panning moves no lane. */
#ifndef STEPSCOPE_LANE_ROWS_H
#define STEPSCOPE_LANE_ROWS_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/rules/frame_rules.h"

struct row_facts {
	int64_t speck_ns; /* of it and the rows below that have lanes the largest of: nine of ten events in a row are shorter, those
			     hidden by longer ones left out; 0 = all are empty */
	uint32_t lane; /* how many lanes stand above it */
	bool wrapper;
};
struct track_rows {
	struct row_facts *at;
	uint32_t n;        /* 0: every row of the track stands for itself */
	uint32_t wrappers; /* how many hold wrappers, */
	uint32_t wrapper;  /* and the first of them: several have one lane */
};
enum row_look { ROW_PLAIN, ROW_WRAPPERS, ROW_DENSE };
struct shown_row {
	uint32_t disp, count; /* first display row, and how many it stands for */
	enum row_look look;
};

/* Of the tracks that have several, in order of their numbers: there may be a million others. */
struct lane_rows {
	struct track_rows *at;
	uint32_t *tracks, n;
};
/* What there is to know about the rows of each track; free with lane_rows_free. rules NULL: no wrappers. */
struct lane_rows lane_rows_new(const struct derived *d, const struct frame_rules *rules);
void lane_rows_free(struct lane_rows *x);
/* Those of the track; n is 0 where it has one row, or none is summed up. */
const struct track_rows *lane_rows_of(const struct lane_rows *x, uint32_t track);
/* The first `most` lanes of a track from top to bottom into out, which has room for r->n; returns how many there are in all. */
uint32_t lane_rows_shown(const struct track_rows *r, int64_t col_ns, uint32_t most, struct shown_row *out);
/* Columns of both lengths show the same lanes of the track. */
bool lane_rows_alike(const struct track_rows *r, int64_t col_ns, int64_t other_col_ns);
/* All lanes where the display row `asked` stands for itself, and no row of the track is shown as density. */
uint32_t lane_rows_asked(const struct track_rows *r, uint32_t asked, struct shown_row *out);
#endif
