/* live/client.h - the viewer's end of one connection to a target: the socket and the ring of wire.h.
 * Trust:   none. The peer must be of our own user or root; sizes, positions, lengths are checked, the ring must be sealed
 *          against shrinking, and what is looked at is copied out first. Damage ends the session with a reason; what was
 *          read before stands.
 * Life:    client_dial or client_take -> client_hear / client_frames whenever its descriptors are readable, until
 *          CLIENT_OVER -> client_close. Nothing here waits.
 * Threads: one. */
#ifndef STEPSCOPE_LIVE_CLIENT_H
#define STEPSCOPE_LIVE_CLIENT_H
#include "wire.h"
#include "model/store/base/err.h"

enum client_state {
	CLIENT_CALLING, /* no HELLO yet */
	CLIENT_LIVE,
	CLIENT_OVER /* the ring may still hold frames: client_frames until it gives nothing */
};
/* What HELLO and the ring's header say, copied once. */
struct client_facts {
	int32_t pid, rank, local_rank;
	uint64_t start_ticks;
	uint32_t cupti_version, cuda_version;
	char cupti_path[512], command[256], host[64];
};
struct client_counts {
	uint64_t seen, sent, dropped, bad_time; /* of one kind or of all */
};
struct client {
	enum client_state state;
	int sock, wake; /* wake: the target's eventfd, -1 = none */
	struct wire_header *ring;
	uint64_t ring_bytes, tail;
	struct client_facts facts;
	uint32_t target_state; /* enum wire_state, as last told */
	int32_t code;
	char text[WIRE_TEXT_BYTES]; /* what the target said with it */
	char why[240];              /* why it is over; "" = in order */
	bool ended;                 /* WIRE_END was read: nothing is missing */
	bool gone;                  /* the peer hung up */
	uint64_t frames, bytes;
	uint64_t damaged; /* frames that made no sense, skipped */
};

/* path: a target's socket. False with a reason that says what to do. */
bool client_dial(struct client *c, const char *path, struct err *e);
/* sock: a connection that a target made to us. */
bool client_take(struct client *c, int sock, struct err *e);
void client_close(struct client *c);

/* Takes every message that waits. */
void client_hear(struct client *c);
/* Sends a verb. Not an error when the peer does not read: the connection ends when it hangs up. */
void client_say(struct client *c, enum wire_verb verb, uint32_t kinds);
/* Hands out whole frames, a copy of each, until the ring is empty or about `most` bytes are read. Returns the bytes. */
size_t client_frames(struct client *c, void (*frame)(void *ctx, const struct wire_frame *f), void *ctx, size_t most);
struct client_counts client_counts(const struct client *c, int kind); /* kind < 0: all kinds together */
#endif
