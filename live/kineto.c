#include "kineto.h"
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { TYPE_BYTES = 32, PAYLOAD_MAX_BYTES = 4096, PIDS_MAX = 64, ACTIVITIES = 2 };

struct head {
	size_t size; /* of the payload after it */
	char type[TYPE_BYTES];
};
struct request {
	int32_t type, n;
	int64_t job;
	int32_t pids[PIDS_MAX]; /* the process, then its ancestors */
};
struct message {
	struct head head;
	char payload[PAYLOAD_MAX_BYTES];
};

static bool refused(struct kineto_daemon *d, struct err *e)
{
	int why = errno;
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
	if (why == EADDRINUSE)
		return err_usage(e,
				 "a daemon serves the profilers of this machine already (dynolog, or another trigger)");
	return err_usage(e, "cannot serve as the profilers' daemon: %s", strerror(why));
}

bool kineto_open(struct kineto_daemon *d, struct err *e)
{
	static const char name[] = "dynolog";
	const char *folder = getenv("KINETO_IPC_SOCKET_DIR");
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + sizeof name;
	memset(d, 0, sizeof *d);
	d->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	const int on = 1;
	if (d->fd < 0 || setsockopt(d->fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0)
		return refused(d, e);
	if (folder && *folder) {
		snprintf(d->path, sizeof d->path, "%.90s/%s", folder, name);
		snprintf(a.sun_path, sizeof a.sun_path, "%s", d->path);
		size = sizeof a;
	} else {
		memcpy(a.sun_path + 1, name, sizeof name); /* a zero before and after it: no file, gone with us */
	}
	if (bind(d->fd, (struct sockaddr *)&a, size) == 0)
		return true;
	d->path[0] = 0; /* it is another one's */
	return refused(d, e);
}

void kineto_close(struct kineto_daemon *d)
{
	if (d->fd >= 0)
		close(d->fd);
	if (*d->path)
		unlink(d->path);
	d->fd = -1;
}

static void answer(const struct kineto_daemon *d, const struct sockaddr_un *to, socklen_t size, const char *type,
		   const void *payload, size_t n)
{
	struct message m;
	memset(&m, 0, sizeof m.head);
	m.head.size = n;
	snprintf(m.head.type, sizeof m.head.type, "%s", type);
	memcpy(m.payload, payload, n);
	sendto(d->fd, &m, sizeof m.head + n, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)to, size);
}

static int on_request(struct kineto_daemon *d, const struct message *m, size_t n, const struct sockaddr_un *from,
		      socklen_t size, const char *config, bool (*wants)(void *ctx, const int *pids, int n), void *ctx)
{
	struct request r = {0};
	size_t least = offsetof(struct request, pids);
	if (n < least)
		return 0;
	memcpy(&r, m->payload, n < sizeof r ? n : sizeof r);
	int known = (int)((n < sizeof r ? n : sizeof r) - least) / (int)sizeof *r.pids;
	int pids = r.n < 0 ? 0 : r.n < known ? r.n : known;
	bool give = (r.type == 0 || r.type & ACTIVITIES) && pids > 0 && wants(ctx, r.pids, pids);
	answer(d, from, size, "req", config, give ? strlen(config) : 0);
	return give ? r.pids[0] : 0;
}

/* The address has no rights of its own, so anybody may write to it: other users do not learn where our files are. */
static bool is_ours(struct msghdr *h)
{
	struct ucred from;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(h); c; c = CMSG_NXTHDR(h, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS) {
			memcpy(&from, CMSG_DATA(c), sizeof from);
			return from.uid == geteuid() || from.uid == 0;
		}
	return false;
}

/* Bytes of a message of this user's, 0 = none. */
static size_t receive(const struct kineto_daemon *d, struct message *m, struct sockaddr_un *from, socklen_t *size)
{
	union {
		char bytes[CMSG_SPACE(sizeof(struct ucred))];
		struct cmsghdr align;
	} room;
	struct iovec part = {m, sizeof *m};
	struct msghdr h = {.msg_name = from,
			   .msg_namelen = sizeof *from,
			   .msg_iov = &part,
			   .msg_iovlen = 1,
			   .msg_control = room.bytes,
			   .msg_controllen = sizeof room.bytes};
	ssize_t n = recvmsg(d->fd, &h, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	*size = h.msg_namelen;
	return n > 0 && is_ours(&h) ? (size_t)n : 0;
}

int kineto_serve(struct kineto_daemon *d, const char *config, bool (*wants)(void *ctx, const int *pids, int n),
		 void *ctx, int wait_ms)
{
	struct pollfd p = {.fd = d->fd, .events = POLLIN};
	struct message m;
	struct sockaddr_un from;
	socklen_t size;
	const int32_t instances = 1;
	if (poll(&p, 1, wait_ms) <= 0)
		return 0;
	size_t n = receive(d, &m, &from, &size);
	if (n < sizeof m.head || m.head.size != n - sizeof m.head)
		return 0;
	m.head.type[TYPE_BYTES - 1] = 0;
	if (strcmp(m.head.type, "ctxt") == 0)
		answer(d, &from, size, "ctxt", &instances, sizeof instances);
	if (strcmp(m.head.type, "req") != 0)
		return 0;
	return on_request(d, &m, m.head.size, &from, size, config, wants, ctx);
}
