/* model/store/facts/slice_marks.h - what a window that was exported says of an event that does not lie inside of it, in the argument (the
 * stat) SLICE_MARK_KEY: the file holds only a part of what happens around such an event. Written by tui/export, read again by derived. */
#ifndef STEPSCOPE_SLICE_MARKS_H
#define STEPSCOPE_SLICE_MARKS_H

#define SLICE_MARK_KEY "window"
/* How an event lies to the window, and the text. */
#define SLICE_MARKS(_)                            \
	_(INSIDE, "")                             \
	_(CUT_BEGIN, "begins before")             \
	_(CUT_END, "ends behind")                 \
	_(CUT_BOTH, "begins before, ends behind") \
	_(CONTEXT, "outside, for context")

enum slice_place {
#define SLICE_MARK_ENUM(id, text) SLICE_##id,
	SLICE_MARKS(SLICE_MARK_ENUM)
#undef SLICE_MARK_ENUM
		SLICE_PLACES
};
#endif
