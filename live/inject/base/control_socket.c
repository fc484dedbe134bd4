#include "control_socket.h"
#include "process.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 4 };

static bool refuse(char *why, size_t size, const char *what, const char *path)
{
	snprintf(why, size, "%s %s: %s", what, path, strerror(errno));
	return false;
}

/* A folder of ours with mode 0700: otherwise another user could put a socket of theirs into it. */
static bool is_private(const char *dir, char *why, size_t size)
{
	struct stat st;
	if (lstat(dir, &st))
		return refuse(why, size, "cannot look at", dir);
	if (S_ISDIR(st.st_mode) && st.st_uid == getuid() && !(st.st_mode & 077))
		return true;
	snprintf(why, size, "%s is not a folder of ours alone (mode 0700, own uid, no link)", dir);
	return false;
}

static bool make_dir(const char *dir, char *why, size_t size)
{
	if (mkdir(dir, 0700) && errno != EEXIST)
		return refuse(why, size, "cannot make", dir);
	return is_private(dir, why, size);
}

static int seqpacket(void)
{
	return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static void set_address(struct sockaddr_un *a, const char *path)
{
	memset(a, 0, sizeof *a);
	a->sun_family = AF_UNIX;
	memcpy(a->sun_path, path, strnlen(path, sizeof a->sun_path - 1));
}

/* The socket is renamed into place when it already listens, so every visible name can be connected to. */
static int listen_at(const char *path, char *why, size_t size)
{
	struct sockaddr_un a;
	char unready[WIRE_PATH_BYTES];
	snprintf(unready, sizeof unready, "%.*s.new", (int)(strlen(path) - strlen(".sock")), path);
	set_address(&a, unready);
	int fd = seqpacket();
	/* what has this name already can only be left over: pid and start time are ours */
	if (fd >= 0 && (!unlink(unready) || errno == ENOENT) && !bind(fd, (struct sockaddr *)&a, sizeof a) &&
	    !listen(fd, BACKLOG) && !rename(unready, path))
		return fd;
	refuse(why, size, "cannot listen at", path);
	if (fd >= 0)
		close(fd);
	return -1;
}

static int listen_in(const char *runtime_dir, char path[WIRE_PATH_BYTES], char *why, size_t size)
{
	char dir[WIRE_PATH_BYTES];
	wire_socket_dir(dir, runtime_dir, getuid());
	if (!make_dir(dir, why, size) || !wire_socket_path(path, dir, (int)getpid(), process_start_ticks()))
		return -1;
	return listen_at(path, why, size);
}

int control_socket_listen(const char *runtime_dir, char path[WIRE_PATH_BYTES], char *why, size_t size)
{
	int fd = listen_in(runtime_dir, path, why, size);
	if (fd < 0 && runtime_dir) /* no such folder in this container, or read only */
		fd = listen_in(NULL, path, why, size);
	if (fd < 0)
		*path = 0;
	return fd;
}

static bool may_talk(int fd)
{
	struct ucred peer;
	socklen_t n = sizeof peer;
	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) && (peer.uid == getuid() || peer.uid == 0);
}

int32_t control_socket_peer_pid(int fd)
{
	struct ucred peer;
	socklen_t n = sizeof peer;
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) ? 0 : (int32_t)peer.pid;
}

int control_socket_dial(const char *path)
{
	struct sockaddr_un a;
	int fd = seqpacket();
	set_address(&a, path);
	if (fd >= 0 && !connect(fd, (struct sockaddr *)&a, sizeof a) && may_talk(fd))
		return fd;
	int saved = errno;
	if (fd >= 0)
		close(fd);
	errno = saved;
	return -1;
}

int control_socket_accept(int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd < 0 || may_talk(fd))
		return fd;
	close(fd);
	return -1;
}

bool control_socket_send(int fd, const struct wire_msg *m, const int *fds)
{
	struct iovec part = {(void *)(uintptr_t)m, sizeof *m};
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = {0};
	struct msghdr h = {.msg_iov = &part, .msg_iovlen = 1};
	if (fds) {
		h.msg_control = &control;
		h.msg_controllen = sizeof control.bytes;
		struct cmsghdr *c = CMSG_FIRSTHDR(&h);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(2 * sizeof(int));
		memcpy(CMSG_DATA(c), fds, 2 * sizeof(int));
	}
	return sendmsg(fd, &h, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof *m;
}

int control_socket_receive(int fd, struct wire_msg *m)
{
	/* MSG_TRUNC: the packet's true length; descriptors sent along are not asked for and so never received */
	ssize_t n = recv(fd, m, sizeof *m, MSG_DONTWAIT | MSG_TRUNC);
	if (n == sizeof *m)
		return 1;
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}
