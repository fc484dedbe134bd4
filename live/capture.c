#include "capture.h"
#include "address.h"
#include "decode.h"
#include "model/store/base/clock.h"
#include "model/store/base/thread.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
	TARGETS_MAX = 1024,
	READ_BYTES = 256 << 10, /* of one target, before another one has its turn and the lock is let go */
	POLL_MS = 50,
	RATE_MS = 1000,
};

struct capture {
	struct capture_opts opts;
	pthread_mutex_t lock; /* around everything below */
	pthread_t thread;
	bool started, quit;
	uint64_t rounds; /* of the reading thread */
	int poke;        /* eventfd: wakes the thread */
	int listener;
	char path[WIRE_PATH_BYTES]; /* of the listener */
	struct target *targets[TARGETS_MAX];
	uint32_t n;
	struct names names;
	struct kept kept;
	uint64_t records, traced;         /* received; of them when the last trace was made */
	uint64_t changes, changes_traced; /* targets came, went, told facts */
	struct err turned_away;           /* why one that came was not taken */
	/* rate */
	int64_t rated_ms;
	uint64_t rated_records;
	double per_s;
};

/* ---- life ---------------------------------------------------------------------------------------------------------- */

struct capture *capture_new(const struct capture_opts *o, struct err *e)
{
	struct capture *c = calloc(1, sizeof *c);
	if (!c || !names_init(&c->names)) {
		free(c);
		err_memory(e, NULL);
		return NULL;
	}
	c->opts = *o;
	kept_init(&c->kept, o->keep_bytes, o->keep_ns);
	if (o->spill)
		kept_spill(&c->kept); /* without a temporary file memory has to do */
	pthread_mutex_init(&c->lock, NULL);
	c->poke = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	c->listener = -1;
	c->rated_ms = now_ms();
	return c;
}

static void poke(struct capture *c)
{
	uint64_t one = 1;
	if (c->poke >= 0 && write(c->poke, &one, sizeof one) < 0)
		return; /* it is awake already */
}

static void stop_listening(struct capture *c)
{
	if (c->listener < 0)
		return;
	close(c->listener);
	unlink(c->path);
	c->listener = -1;
}

static void join(struct capture *c)
{
	pthread_mutex_lock(&c->lock);
	c->quit = true;
	pthread_mutex_unlock(&c->lock);
	poke(c);
	if (c->started)
		pthread_join(c->thread, NULL);
	c->started = false;
}

void capture_free(struct capture *c)
{
	if (!c)
		return;
	join(c);
	stop_listening(c);
	for (uint32_t i = 0; i < c->n; i++) {
		target_free(c->targets[i]);
		free(c->targets[i]);
	}
	kept_free(&c->kept);
	names_free(&c->names);
	if (c->poke >= 0)
		close(c->poke);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

/* ---- targets come -------------------------------------------------------------------------------------------------- */

static bool enter(struct capture *c, const struct client *client, struct err *e)
{
	if (c->n == TARGETS_MAX)
		return err_usage(e, "too many processes in one capture: at most %u", TARGETS_MAX);
	struct target *t = calloc(1, sizeof *t);
	if (!t)
		return err_memory(e, NULL);
	t->client = *client;
	pthread_mutex_lock(&c->lock);
	c->targets[c->n++] = t;
	pthread_mutex_unlock(&c->lock);
	poke(c);
	return true;
}

bool capture_attach(struct capture *c, const char *path, struct err *e)
{
	struct client client;
	TRY(client_dial(&client, path, e));
	if (enter(c, &client, e))
		return true;
	client_close(&client);
	return false;
}

bool capture_listen(struct capture *c, char path[WIRE_PATH_BYTES], struct err *e)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	TRY(address_viewer(c->path, e));
	snprintf(a.sun_path, sizeof a.sun_path, "%s", c->path);
	unlink(c->path);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, 64) != 0) {
		int why = errno;
		if (fd >= 0)
			close(fd);
		return err_usage(e, "cannot listen on %s: %s", c->path, strerror(why));
	}
	c->listener = fd;
	memcpy(path, c->path, WIRE_PATH_BYTES);
	return true;
}

static void accept_all(struct capture *c)
{
	struct client client;
	struct err why;
	int fd;
	while (c->listener >= 0 && (fd = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
		if (client_take(&client, fd, NULL) && !enter(c, &client, &why)) {
			client_close(&client);
			pthread_mutex_lock(&c->lock);
			c->turned_away = why;
			pthread_mutex_unlock(&c->lock);
		}
}

static uint32_t count_of(struct capture *c)
{
	pthread_mutex_lock(&c->lock);
	uint32_t n = c->n;
	pthread_mutex_unlock(&c->lock);
	return n;
}

/* ---- the reading thread -------------------------------------------------------------------------------------------- */

static uint64_t received(const struct target *t)
{
	uint64_t all = 0;
	for (int k = 0; k < WIRE_KIND_COUNT; k++)
		all += t->facts.received[k];
	return all;
}

static void greet(struct capture *c, struct target *t)
{
	if (t->greeted || t->client.state != CLIENT_LIVE)
		return;
	t->greeted = true;
	c->changes++;
	if (t->client.target_state != WIRE_STATE_RECORDING || c->opts.kinds)
		client_say(&t->client, WIRE_START, c->opts.kinds);
}

/* What is over and read to its end needs no connection any more; facts and records stay. */
static void let_go(struct capture *c, struct target *t)
{
	target_settle(t);
	client_close(&t->client);
	names_map_free(&t->map);
	c->changes++;
}

/* True when there may be more to read at once. */
static bool serve(struct capture *c, uint32_t i)
{
	struct target *t = c->targets[i];
	/* let go already */
	if (t->client.state == CLIENT_OVER && t->client.sock < 0)
		return false;
	pthread_mutex_lock(&c->lock);
	client_hear(&t->client);
	greet(c, t);
	uint64_t before = received(t);
	size_t n = target_take(t, i, &c->names, &c->kept, READ_BYTES);
	c->records += received(t) - before;
	target_settle(t);
	if (t->client.state == CLIENT_OVER && n == 0)
		let_go(c, t);
	pthread_mutex_unlock(&c->lock);
	return n >= READ_BYTES;
}

static void rate(struct capture *c)
{
	int64_t ms = now_ms() - c->rated_ms;
	if (ms < RATE_MS)
		return;
	pthread_mutex_lock(&c->lock);
	c->per_s = (double)(c->records - c->rated_records) * 1000.0 / (double)ms;
	c->rated_records = c->records;
	c->rated_ms += ms;
	pthread_mutex_unlock(&c->lock);
}

static void add(struct pollfd *at, nfds_t *n, int fd)
{
	if (fd >= 0)
		at[(*n)++] = (struct pollfd){.fd = fd, .events = POLLIN};
}

/* The eventfds of targets wake us; the timeout is for those whose bump was missed, and for the rate. */
static void wait_for_some(struct capture *c)
{
	struct pollfd at[2 + 2 * TARGETS_MAX];
	nfds_t n = 0;
	uint64_t pokes;
	add(at, &n, c->poke);
	add(at, &n, c->listener);
	for (uint32_t i = 0, all = count_of(c); i < all; i++) {
		add(at, &n, c->targets[i]->client.sock);
		add(at, &n, c->targets[i]->client.wake);
	}
	poll(at, n, POLL_MS);
	if (read(c->poke, &pokes, sizeof pokes) < 0)
		return; /* no wake-up was sent */
}

static bool wants_to_quit(struct capture *c)
{
	pthread_mutex_lock(&c->lock);
	bool quit = c->quit;
	c->rounds++;
	pthread_mutex_unlock(&c->lock);
	return quit;
}

static void *read_all(void *arg)
{
	struct capture *c = arg;
	while (!wants_to_quit(c)) {
		bool more = false;
		accept_all(c);
		for (uint32_t i = 0, all = count_of(c); i < all; i++)
			more |= serve(c, i);
		rate(c);
		if (!more)
			wait_for_some(c);
	}
	return NULL;
}

bool capture_start(struct capture *c, struct err *e)
{
	c->started = thread_start(&c->thread, read_all, c);
	return c->started || err_usage(e, "cannot start a thread");
}

/* ---- the end ------------------------------------------------------------------------------------------------------- */

/* Every connection made before `round` is accepted, and everything written by then is read. */
static bool all_quiet(struct capture *c, uint64_t round)
{
	pthread_mutex_lock(&c->lock);
	bool quiet = c->rounds >= round;
	for (uint32_t i = 0; i < c->n; i++) {
		const struct client *k = &c->targets[i]->client;
		bool full = k->ring && atomic_load(&k->ring->head) != k->tail;
		quiet &= k->sock < 0 || (k->state == CLIENT_LIVE && !full && k->target_state != WIRE_STATE_RECORDING);
	}
	pthread_mutex_unlock(&c->lock);
	return quiet;
}

void capture_stop(struct capture *c, int wait_ms)
{
	enum { ROUNDS = 3 }; /* the one under way, one that lets everybody in, one that has read */
	int64_t until_ms = now_ms() + wait_ms;
	pthread_mutex_lock(&c->lock);
	uint64_t round = c->rounds + ROUNDS;
	for (uint32_t i = 0; i < c->n; i++)
		client_say(&c->targets[i]->client, WIRE_STOP, 0);
	pthread_mutex_unlock(&c->lock);
	/* asked again and again, since a target answers in its own time; poke makes the thread go round */
	for (; c->started && !all_quiet(c, round) && now_ms() < until_ms; poke(c))
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	join(c);
	for (uint32_t i = 0; i < c->n; i++) {
		target_settle(c->targets[i]);
		client_close(&c->targets[i]->client);
	}
	stop_listening(c);
}

/* ---- what is told -------------------------------------------------------------------------------------------------- */

static void add_target(struct capture_status *s, const struct target *t)
{
	struct client_counts n = client_counts(&t->client, -1);
	uint64_t lost = t->facts.lost_by_cupti, bad = t->facts.damaged;
	for (int k = 0; k < WIRE_KIND_COUNT; k++) {
		lost += t->client.ring ? 0 : t->facts.lost_in_ring[k];
		bad += t->facts.bad_time[k];
	}
	s->lost += lost + n.dropped;
	s->bad += bad;
	bool connected = t->client.state == CLIENT_LIVE && t->client.sock >= 0;
	s->live += connected;
	s->over &= t->client.state == CLIENT_OVER;
	uint32_t told = t->client.target_state;
	if (told > WIRE_STATE_RECORDING && told < WIRE_STATE_ENDED) {
		s->state = (enum wire_state)t->client.target_state;
		memcpy(s->text, t->client.text, sizeof s->text);
	} else if (!connected && *t->client.why && !*s->text) {
		snprintf(s->text, sizeof s->text, "%s", t->client.why);
	}
}

void capture_status(struct capture *c, struct capture_status *out)
{
	*out = (struct capture_status){.state = WIRE_STATE_RECORDING};
	pthread_mutex_lock(&c->lock);
	out->targets = c->n;
	out->over = c->n > 0 && c->listener < 0;
	out->records = c->records;
	out->kept = c->kept.records;
	out->let_go = c->kept.evicted;
	out->kept_bytes = c->kept.bytes;
	out->kept_ns = c->kept.n > 0 ? c->kept.last_ns - c->kept.sealed[0]->last_ns : 0;
	out->per_s = c->per_s;
	for (uint32_t i = 0; i < c->n; i++)
		add_target(out, c->targets[i]);
	if (!*out->text && *c->turned_away.msg)
		snprintf(out->text, sizeof out->text, "a process could not be watched: %s", c->turned_away.msg);
	pthread_mutex_unlock(&c->lock);
}

bool capture_grew(struct capture *c)
{
	pthread_mutex_lock(&c->lock);
	bool grew = c->records > 0 && (c->records != c->traced || c->changes != c->changes_traced);
	pthread_mutex_unlock(&c->lock);
	return grew;
}

/* ---- a trace ------------------------------------------------------------------------------------------------------- */

static void snapshot_free(struct snapshot *s)
{
	segments_free(s->segments, s->n_segments);
	for (uint32_t i = 0; s->targets && i < s->n_targets; i++)
		target_facts_free(&s->targets[i]);
	free(s->targets);
	free(s->shapes);
	free(s->places);
}

static void *copy_of(const void *from, size_t n, size_t size)
{
	void *to = calloc(n + 1, size);
	if (to && n)
		memcpy(to, from, n * size);
	return to;
}

/* Under the lock. */
static bool take_all(struct capture *c, struct snapshot *s)
{
	s->segments = kept_all(&c->kept, &s->n_segments);
	s->targets = calloc(c->n + 1, sizeof *s->targets);
	s->shapes = copy_of(c->names.shapes.rows, c->names.shapes.n, sizeof *s->shapes);
	s->places = copy_of(c->names.places.rows, c->names.places.n, sizeof *s->places);
	s->n_shapes = c->names.shapes.n;
	s->n_places = c->names.places.n;
	if (!s->segments || !s->targets || !s->shapes || !s->places)
		return false;
	for (; s->n_targets < c->n; s->n_targets++)
		if (!target_facts_copy(&s->targets[s->n_targets], &c->targets[s->n_targets]->facts))
			return false;
	s->evicted = c->kept.evicted;
	s->evicted_to_ns = c->kept.evicted_to_ns;
	s->refused = c->kept.refused;
	c->traced = c->records;
	c->changes_traced = c->changes;
	return true;
}

static struct trace *trace_of(const struct snapshot *s, struct progress *p, struct err *e)
{
	struct ingest *in = ingest_new();
	if (!in) {
		err_memory(e, NULL);
		return NULL;
	}
	ingest_progress(in, p);
	ingest_threads(in, 2);
	if (decode(s, in, p, e))
		return ingest_seal(in, e);
	ingest_free(in);
	return NULL;
}

struct trace *capture_trace(struct capture *c, struct progress *p, struct err *e)
{
	struct snapshot s = {.strings = c->names.strings, .lock = &c->lock};
	struct trace *t = NULL;
	pthread_mutex_lock(&c->lock);
	bool any = c->records > 0, ok = any && take_all(c, &s);
	pthread_mutex_unlock(&c->lock);
	if (ok)
		t = trace_of(&s, p, e);
	else if (any)
		err_memory(e, NULL);
	snapshot_free(&s);
	return t;
}
