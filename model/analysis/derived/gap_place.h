/* model/analysis/derived/gap_place.h - where idle time lies among the steps of its device. */
#ifndef STEPSCOPE_GAP_PLACE_H
#define STEPSCOPE_GAP_PLACE_H
#include "gaps.h"
#include "model/store/base/arena.h"

/* clang-format off */
/*    id         word in tables             for --by and :gaps */
#define GAP_KINDS(_) \
	_(BETWEEN,   "between steps",           "between") \
	_(INSIDE,    "inside a step",           "inside") \
	_(BEFORE,    "before the first step's work", "before") \
	_(AFTER,     "after the last step's work",   "after") \
	_(OUTSIDE,   "outside steps",           "outside")
/* clang-format on */
enum gap_kind {
#define GAP_KIND_ENUM(id, word, by) GAP_##id,
	GAP_KINDS(GAP_KIND_ENUM)
#undef GAP_KIND_ENUM
		GAP_KIND_COUNT
};
struct gap_place {
	enum gap_kind kind;
	uint32_t step, step_after; /* INSIDE: that step; BETWEEN: before and after; else NONE_ID */
	uint32_t step_gap;         /* BETWEEN: its id; else NONE_ID */
	uint32_t
		marked; /* BEFORE, AFTER: the step whose recorded marker, or work, covers nearly all of it; else NONE_ID */
};
/* Steps count by their device work, first to last; of steps that overlap the one that began last holds the gap. */
struct gap_place derived_gap_place(const struct derived *d, const struct gap_span *span);
const char *gap_kind_word(enum gap_kind k);
const char *gap_kind_by(unsigned i); /* NULL after the last */
/* "between steps 8 and 9", "inside step 4", "inside step 0, before its work", "before the first step's work"; "" in
 * a trace without steps. Constant or in `mem`. */
const char *gap_place_words(const struct derived *d, const struct gap_place *p, struct arena *mem);
const char *gap_place_text(const struct derived *d, const struct gap *g, struct arena *mem);
/* "8->9" with the arrow as given, "in step 4", "before steps"; "idle" in a trace without steps. */
const char *gap_place_short(const struct derived *d, const struct gap *g, const char *arrow, struct arena *mem);
#endif
