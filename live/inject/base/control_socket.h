/* live/inject/base/control_socket.h - the control socket: its folder, which peers are accepted, sending and receiving messages.
 * No call blocks; a peer that does not read loses messages. */
#ifndef STEPSCOPE_CONTROL_SOCKET_H
#define STEPSCOPE_CONTROL_SOCKET_H
#include "live/wire.h"

/* Makes the folder if need be and listens in it; path receives the socket's name. -1: the folder is open to other users, or no
 * socket can be made; `why` says which. */
int control_socket_listen(const char *runtime_dir, char path[WIRE_PATH_BYTES], char *why, size_t size);
int control_socket_dial(
	const char *path);               /* connects to a viewer that listens; -1 with errno (EAGAIN: try again soon) */
int control_socket_accept(int listener); /* a connection of our own user or root; -1: none waits */
int32_t control_socket_peer_pid(int fd);

/* fds: two descriptors to hand over, or NULL. False: the peer is gone, or does not read. */
bool control_socket_send(int fd, const struct wire_msg *m, const int *fds);
/* 1: a message; 0: none yet; -1: the peer is gone or its message is malformed. */
int control_socket_receive(int fd, struct wire_msg *m);
#endif
