/* model/analysis/recorded/event_links.h - what is tied to an event: its launch or what it launched, flows, producers and consumers.
 * Life:    event_links_new (once for a trace) -> event_links_of any number of times -> event_links_free.
 * Threads: read only after event_links_new. Memory: 8 bytes per flow, 24 per producer and consumer. */
#ifndef STEPSCOPE_EVENT_LINKS_H
#define STEPSCOPE_EVENT_LINKS_H
#include "model/store/base/progress.h"
#include "model/store/trace/trace.h"

/* What the other event is to the one that is asked about. */
enum link_kind { LINK_LAUNCH, LINK_WORK, LINK_FLOW_FROM, LINK_FLOW_TO, LINK_PRODUCER, LINK_CONSUMER };
struct event_link {
	enum link_kind kind;
	row_id row;
};
const char *link_kind_name(enum link_kind kind); /* "launch", "work", "flow from", ... */
/* Whether it comes before the event by cause: an arrow leads from it to the event. */
bool link_kind_leads_in(enum link_kind kind);

struct event_links;
/* Finds both ends of what the trace does not keep by event. NULL only when cancelled. */
struct event_links *event_links_new(const struct trace *t, struct progress *p);
void event_links_free(struct event_links *x);
enum { LINKS_COUNTED = 1000 }; /* flows, producers and consumers of one event that are looked at */
/* The ends tied to event r: its launch or work first, each event once. Fills at most `room`, gives how many there are (of those
 * beyond `room`, some may be counted twice). x NULL: launches and their work only. */
uint32_t event_links_of(const struct event_links *x, const struct trace *t, row_id r, struct event_link *out,
			uint32_t room);
#endif
