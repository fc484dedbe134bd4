/* tui/text/window.h - what part of a trace the user names: --window, --step, --gap, and the same words in the explorer.
 * Words: "12.5ms..20ms" (either side may be empty), "step:8", "step:8..9", "gap:3", "all". Times count from the trace's
 * first event. */
#ifndef STEPSCOPE_WINDOW_H
#define STEPSCOPE_WINDOW_H
#include "model/analysis/derived/gaps.h"
#include "model/query.h"

enum window_kind { WINDOW_ALL, WINDOW_TIME, WINDOW_STEP, WINDOW_GAP };
struct window {
	enum window_kind kind;
	int64_t a_ns, b_ns;             /* what is looked at; for a gap: exactly the gap */
	bool to_end;                    /* it reaches the end of the trace, and holds instants that lie there */
	const struct gap *gap;          /* WINDOW_GAP */
	uint32_t step_first, step_last; /* WINDOW_STEP */
	char text[96]; /* canonical word, fit for --window: "gap:3", "step:8..9", "12.5ms..20ms", "all" */
};
/* Why a trace has no gap, and what may make one. Static. */
const char *window_no_gap(const struct derived *d);
bool window_parse(const struct derived *d, const char *text, struct window *out, struct err *e);
struct window window_of_gap(const struct derived *d, const struct gap *g);
struct window window_of_time(const struct derived *d, int64_t a_ns, int64_t b_ns);
struct window window_all(const struct derived *d);
/* "gap 3: step 8 -> 9 on GPU 0, 60.000 ms from 202.000 ms" */
const char *window_title(const struct derived *d, const struct window *w, char *buf, size_t size);
struct query window_query(const struct window *w, const struct filter *f);
#endif
