/* live/intake.h - one target of a capture: its connection, what it told about itself, and its records on their way into
 * what is kept. Records are checked and carry our numbers (live/capture_names.h) when they get there, so later readers can
 * trust them.
 * Ledger:  per kind, seen by the target = received + gaps told + not told yet + bad times; `damaged` is what came and made
 *          no sense. */
#ifndef STEPSCOPE_LIVE_INTAKE_H
#define STEPSCOPE_LIVE_INTAKE_H
#include "capture_names.h"
#include "client.h"
#include "kept.h"

/* Everything about a target but its records; plain data, copied for readers. */
struct target_facts {
	struct client_facts told;
	struct wire_device *devices; /* names in our numbers, here and below */
	struct wire_stream *streams;
	struct wire_thread *threads;
	uint32_t n_devices, n_streams, n_threads, cap_devices, cap_streams, cap_threads;
	uint64_t received[WIRE_KIND_COUNT], lost_in_ring[WIRE_KIND_COUNT], bad_time[WIRE_KIND_COUNT];
	uint64_t lost_by_cupti, damaged, clock_steps;
	bool late, over, ended;
	int64_t last_ns; /* latest end of a record */
	char why[240];   /* why it is over, "" = in order or not over */
};
struct target {
	struct client client;
	struct names_map map;
	struct target_facts facts;
	bool greeted; /* START was said */
};
/* Reads at most about `most` bytes of the target's ring into what is kept. Returns the bytes. */
size_t target_take(struct target *t, uint32_t number, struct names *names, struct kept *kept, size_t most);
/* Brings `facts` up to date with the connection: counters, end. */
void target_settle(struct target *t);
bool target_facts_copy(struct target_facts *to, const struct target_facts *from);
void target_facts_free(struct target_facts *f);
void target_free(struct target *t);
#endif
