#include "cause_text.h"
#include "utf8.h"
#include "words.h"

enum { NAME_LEAST = 10 }; /* columns of a name that can still be recognised */

static const char *nothing_text(const struct why *why)
{
	switch (why->kind) {
	case WHY_NO_HOST:
		return "not recorded: this trace has no host threads";
	case WHY_NO_LAUNCH:
		return "not recorded: no launch of this device's work is in the trace";
	default:
		if (why->verdict.evidence.launched_before)
			return "not recorded: the work after it was launched before this gap, so the device itself "
			       "waited";
		return "not recorded: the launching thread recorded nothing in this gap";
	}
}

const char *cause_text(struct arena *mem, const struct gap *g, const struct why *why, int cols)
{
	const struct gap_verdict *v = &why->verdict;
	if (v->cause == CAUSE_UNKNOWN && !why->main_event)
		return nothing_text(why);
	int room = cols - utf8_width(gap_cause_words(g, v, "", mem));
	if (room < NAME_LEAST)
		return gap_cause_words(g, v, NULL, mem);
	return gap_cause_words(g, v, words_name(mem, why->main_event, room), mem);
}
