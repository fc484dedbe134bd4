#include "control.h"
#include "live/inject/base/control_socket.h"
#include "live/inject/base/log.h"
#include "live/inject/base/process.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { DIALS = 50, DIAL_EVERY_MS = 20, IDLE_TICK_MS = 1000, EXIT_RECORDING_MS = 1500, EXIT_IDLE_MS = 200 };

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

bool control_init(struct control *c, const struct settings *s)
{
	c->settings = s;
	c->listener = c->viewer = c->data = -1;
	c->flush_ms = s->flush_ms;
	c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->wake < 0 || sem_init(&c->over, 0, 0))
		return false;
	recorder_init(&c->recorder, s);
	return true;
}

/* ---- messages ---- */

static struct wire_msg message(const struct control *c, enum wire_verb verb)
{
	const struct recorder *r = &c->recorder;
	struct wire_msg m = {.verb = verb,
			     .state = r->state,
			     .code = r->code,
			     .abi = WIRE_ABI,
			     .kinds = recorder_kinds(r),
			     .flush_ms = c->flush_ms,
			     .pid = (int32_t)getpid(),
			     .uid = getuid(),
			     .start_ticks = process_start_ticks(),
			     .ring_bytes = c->settings->ring_bytes,
			     .cupti_version = r->cupti.number,
			     .cuda_version = r->cupti.driver};
	memcpy(m.text, r->text, sizeof m.text);
	return m;
}

static void reply(struct control *c, uint32_t about, int result, const char *text)
{
	struct wire_msg m = message(c, WIRE_REPLY);
	m.about = about;
	m.result = result;
	if (text)
		snprintf(m.text, sizeof m.text, "%s", text);
	control_socket_send(c->viewer, &m, NULL);
}

static void tell_state(struct control *c)
{
	if (c->viewer < 0 || c->state_told == c->recorder.state)
		return;
	struct wire_msg m = message(c, WIRE_STATE);
	control_socket_send(c->viewer, &m, NULL);
	c->state_told = c->recorder.state;
}

/* ---- a viewer comes and goes ---- */

static void hang_up(struct control *c)
{
	close_fd(&c->viewer);
	close_fd(&c->data);
	c->due = 0;
	recorder_stop(&c->recorder);
	pthread_mutex_lock(&c->recorder.out.lock);
	output_close(&c->recorder.out);
	pthread_mutex_unlock(&c->recorder.out.lock);
	c->flush_ms = c->settings->flush_ms;
}

static void refuse(struct control *c, int fd, enum wire_verb verb, int result)
{
	struct wire_msg m = message(c, verb);
	if (verb == WIRE_BUSY)
		m.pid = control_socket_peer_pid(c->viewer);
	m.about = WIRE_HELLO;
	m.result = result;
	if (result)
		snprintf(m.text, sizeof m.text, "the target cannot make a ring: %s", strerror(result));
	control_socket_send(fd, &m, NULL);
	close(fd);
}

/* The ring that records from the start waits for its first viewer; otherwise each gets a fresh one. */
static void welcome(struct control *c, int fd)
{
	if (c->viewer >= 0) {
		refuse(c, fd, WIRE_BUSY, 0);
		return;
	}
	c->data = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->data < 0 || (!output_is_open(&c->recorder.out) && !recorder_open_ring(&c->recorder))) {
		refuse(c, fd, WIRE_REPLY, errno);
		close_fd(&c->data);
		return;
	}
	c->viewer = fd;
	struct wire_msg m = message(c, WIRE_HELLO);
	int fds[2] = {c->recorder.out.ring.fd, c->data};
	c->state_told = c->recorder.state;
	c->head_told = 0;
	if (!control_socket_send(fd, &m, fds))
		hang_up(c);
}

static void dial(struct control *c)
{
	int fd = control_socket_dial(c->settings->viewer);
	c->dials_left = fd < 0 && (errno == EAGAIN || errno == ECONNREFUSED) && c->dials_left ? c->dials_left - 1 : 0;
	if (fd >= 0)
		welcome(c, fd);
	else if (!c->dials_left)
		log_line("viewer %s: %s", c->settings->viewer, strerror(errno));
}

void control_open(struct control *c)
{
	char why[256];
	if (c->settings->start_kinds && recorder_open_ring(&c->recorder))
		recorder_start(&c->recorder, c->settings->start_kinds);
	c->recording = c->recorder.kinds;
	c->listener = control_socket_listen(c->settings->runtime_dir, c->path, why, sizeof why);
	if (c->listener < 0)
		log_line("no viewer can attach: %s", why);
	c->dials_left = DIALS;
	if (c->settings->viewer)
		dial(c);
	else
		c->dials_left = 0;
	c->recorder.is_injected = true;
}

/* ---- verbs ---- */

/* The answer to what was put off while the driver was starting up, once it is done or another verb has come instead. */
static void answer_due(struct control *c, bool instead)
{
	uint32_t verb = c->due;
	if (!verb || (!instead && recorder_is_waiting(&c->recorder)))
		return;
	c->due = 0;
	bool started = c->recorder.state == WIRE_STATE_RECORDING;
	bool wanted = verb == WIRE_START || verb == WIRE_SET_KINDS;
	reply(c, verb, instead ? ECANCELED : wanted && !started ? EIO : 0, NULL);
	c->state_told = c->recorder.state;
}

/* Done, or to be done. */
static void answer(struct control *c, uint32_t verb, int result)
{
	if (!result && recorder_is_waiting(&c->recorder))
		c->due = verb;
	else
		reply(c, verb, result, NULL);
}

static void start(struct control *c, const struct wire_msg *m)
{
	if (m->flush_ms)
		c->flush_ms = m->flush_ms < 5 ? 5 : m->flush_ms > 60000 ? 60000 : m->flush_ms;
	if (m->verb == WIRE_SET_KINDS && !m->kinds)
		recorder_stop(&c->recorder);
	else if (!recorder_start(&c->recorder, m->kinds)) {
		reply(c, m->verb, c->recorder.state == WIRE_STATE_BUSY ? EBUSY : EIO, NULL);
		return;
	}
	answer(c, m->verb, 0);
}

static void obey(struct control *c, const struct wire_msg *m)
{
	if (m->verb != WIRE_STATS)
		answer_due(c, true);
	switch (m->verb) {
	case WIRE_START:
	case WIRE_SET_KINDS:
		start(c, m);
		break;
	case WIRE_STOP:
		recorder_stop(&c->recorder);
		answer(c, m->verb, 0);
		break;
	case WIRE_STATS:
		recorder_publish(&c->recorder);
		reply(c, m->verb, 0, NULL);
		break;
	case WIRE_DETACH:
		recorder_detach(&c->recorder);
		reply(c, m->verb, 0, NULL);
		hang_up(c);
		break;
	default:
		reply(c, m->verb, ENOSYS, "this target does not know the verb");
	}
	c->state_told = c->recorder.state;
}

static void listen_to_viewer(struct control *c)
{
	struct wire_msg m;
	int got = control_socket_receive(c->viewer, &m);
	if (got > 0)
		obey(c, &m);
	else if (got < 0)
		hang_up(c);
}

/* ---- the thread ---- */

static void wake_viewer(struct control *c)
{
	uint64_t one = 1, head = 0;
	if (c->viewer < 0)
		return;
	pthread_mutex_lock(&c->recorder.out.lock);
	head = c->recorder.out.ring.head;
	pthread_mutex_unlock(&c->recorder.out.lock);
	if (head != c->head_told && write(c->data, &one, sizeof one) == sizeof one)
		c->head_told = head;
}

static void tick(struct control *c)
{
	if (c->dials_left)
		dial(c);
	recorder_tick(&c->recorder);
	answer_due(c, false);
	tell_state(c);
	wake_viewer(c);
	if (c->exit_again && recorder_saw_device(&c->recorder)) {
		c->exit_again();
		c->exit_again = NULL;
	}
}

static int wait_ms(const struct control *c)
{
	if (c->dials_left || recorder_is_waiting(&c->recorder))
		return DIAL_EVERY_MS;
	if (c->recorder.kinds)
		return (int)c->flush_ms;
	return c->viewer >= 0 || c->recorder.is_leaving ? IDLE_TICK_MS : -1;
}

/* Polls until something happened or the next tick is due. Busy sockets do not put ticks off. */
static void one_round(struct control *c, struct pollfd fds[3], uint64_t *ticked_ns)
{
	int left_ms = wait_ms(c);
	if (left_ms > 0) {
		uint64_t since_ms = (clock_ns(CLOCK_MONOTONIC) - *ticked_ns) / 1000000;
		left_ms = since_ms < (uint64_t)left_ms ? left_ms - (int)since_ms : 0;
	}
	fds[0] = (struct pollfd){c->wake, POLLIN, 0};
	fds[1] = (struct pollfd){c->listener, POLLIN, 0};
	fds[2] = (struct pollfd){c->viewer, POLLIN, 0};
	if (left_ms && poll(fds, 3, left_ms) > 0)
		return;
	fds[0].revents = fds[1].revents = fds[2].revents = 0;
	tick(c);
	*ticked_ns = clock_ns(CLOCK_MONOTONIC);
}

static void come_in(struct control *c)
{
	int fd = control_socket_accept(c->listener);
	if (fd >= 0)
		welcome(c, fd);
	else if (errno == EMFILE || errno == ENFILE) /* the target is out of descriptors: do not spin */
		poll(NULL, 0, DIAL_EVERY_MS);
}

void *control_forever(void *control)
{
	struct control *c = control;
	struct pollfd fds[3];
	uint64_t ticked_ns = 0;
	for (;;) {
		one_round(c, fds, &ticked_ns);
		if (fds[0].revents)
			break;
		if (fds[2].revents)
			listen_to_viewer(c);
		if (fds[1].revents)
			come_in(c);
		c->recording = c->recorder.kinds;
	}
	answer_due(c, true);
	recorder_finish(&c->recorder);
	tell_state(c);
	wake_viewer(c);
	sem_post(&c->over);
	return NULL;
}

static void take_down_name(const struct control *c)
{
	if (*c->path)
		unlink(c->path);
}

void control_finish(struct control *c)
{
	uint64_t one = 1;
	struct timespec until;
	take_down_name(c);
	if (write(c->wake, &one, sizeof one) != sizeof one || clock_gettime(CLOCK_MONOTONIC, &until))
		return;
	uint64_t ns = (uint64_t)until.tv_nsec + (c->recording ? EXIT_RECORDING_MS : EXIT_IDLE_MS) * 1000000ull;
	until.tv_sec += (time_t)(ns / 1000000000u);
	until.tv_nsec = (long)(ns % 1000000000u);
	while (sem_clockwait(&c->over, CLOCK_MONOTONIC, &until) && errno == EINTR)
		continue;
}

void control_give_up(struct control *c)
{
	take_down_name(c);
	recorder_detach(&c->recorder);
	control_forget(c);
}

void control_forget(struct control *c)
{
	close_fd(&c->listener);
	close_fd(&c->viewer);
	close_fd(&c->wake);
	close_fd(&c->data);
	close_fd(&c->recorder.out.ring.fd);
}
