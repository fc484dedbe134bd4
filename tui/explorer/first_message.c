/* tui/explorer/first_message.c - what is said of a trace before anybody asks. */
#include "state.h"
#include "model/analysis/comms/clocks.h"
#include "model/analysis/derived/pauses.h"
#include "tui/text/open_named.h"

/* What is not as recorded, and what is no one run, is told first. */
void state_say_clocks(struct state *st)
{
	enum clock_method by;
	char text[256];
	uint32_t moved = clocks_moved(st->t, &by), hosts = trace_hosts(st->t);
	if (*recordings_say(st->t, text, sizeof text))
		state_say(st, INK_WARN, "%s", text);
	else if (*open_named_say(st->t, text, sizeof text))
		state_say(st, INK_STATUS, "%s", text);
	else if (*derived_pauses_say(st->d, text, sizeof text))
		state_say(st, INK_STATUS, "%s", text);
	else if (by == CLOCK_OWN_AXIS)
		state_say(st, INK_WARN, "recorded times of the ranks do not fit together: each starts at 0 (--shift)");
	else if (moved)
		state_say(st, INK_STATUS, "clocks of %u of %u hosts moved, %s: :table hosts", moved, hosts,
			  by == CLOCK_HAND ? "by hand" : "by their collectives");
}
