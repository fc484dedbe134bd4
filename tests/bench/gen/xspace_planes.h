/* tests/bench/gen/xspace_planes.h - planes of an XSpace, their lines and what events refer to by number: plane() -> line(),
 * event_metadata(), ref_string() -> s_...(), put_event() for each event -> write_planes(). All of it is held in memory. */
#ifndef BENCH_GEN_XSPACE_PLANES_H
#define BENCH_GEN_XSPACE_PLANES_H
#include "protobuf.h"
#include <unistd.h>

/* Statistics of events: id, name; numbered from 1 in each plane. */
/* clang-format off */
#define STATS(_) \
	_(CORR, "correlation_id") _(CTX, "context_id") _(KDET, "kernel_details") _(MDET, "memcpy_details") \
	_(GROUP, "group_id") _(EAGER, "is_eager") _(SHAPE, "shape") _(TFOP, "tf_op") _(ID, "id") \
	_(KNAME, "kernel_name") _(NOUT, "num_output_edges") _(NCTRL, "num_output_control_edges") \
	_(ANN, "annotation") _(LEVEL0, "level 0") _(PT, "_pt") _(P, "_p") _(CT, "_ct") _(C, "_c") \
	_(ALLOC, "allocator_name") _(BRES, "bytes_reserved") _(BALL, "bytes_allocated") \
	_(BAV, "bytes_available") _(FRAG, "fragmentation") _(PEAK, "peak_bytes_in_use") \
	_(REQ, "requested_bytes") _(ALB, "allocation_bytes") _(ADDR, "addr") _(DT, "data_type") \
	_(REGION, "region_type") _(ITER, "iter_num") _(STEPNAME, "step_name") _(HLOOP, "hlo_op") \
	_(HLOMOD, "hlo_module") _(PROGID, "program_id") _(OCCMIN, "occupancy_min_grid_size") \
	_(OCC, "theoretical_occupancy_pct") _(DEVTYPE, "device_type_string")
/* clang-format on */
#define STAT_ID(id, name)   S_##id,
#define STAT_NAME(id, name) name,
enum { S_NONE, STATS(STAT_ID) S_NSTAT };

struct line {
	char name[96];
	int64_t id;
	struct bytes events;
};
struct plane {
	char name[64];
	struct line lines[24];
	int n_lines;
	struct bytes event_names, stat_names; /* entries of the maps from numbers to names */
	int64_t last_event_name, next_stat_name;
};
static struct plane planes[12];
static int n_planes;
static uint64_t n_events;
static struct bytes stats; /* of the event that comes next */

/* ---- what events refer to -------------------------------------------------------------------------------------------- */

static inline void put_map_entry(struct bytes *map, int field, uint64_t id, const char *name, const char *display_name)
{
	struct bytes value = {0}, entry = {0};
	put_int(&value, 1, id);
	put_text(&value, 2, name);
	if (display_name)
		put_text(&value, 4, display_name);
	put_int(&entry, 1, id);
	put_bytes(&entry, 2, value.p, value.n);
	put_bytes(map, field, entry.p, entry.n);
	free(value.p);
	free(entry.p);
}
static inline struct plane *plane(const char *name)
{
	static const char *const names[S_NSTAT] = {NULL, STATS(STAT_NAME)};
	struct plane *p = &planes[n_planes++];
	snprintf(p->name, sizeof p->name, "%s", name);
	for (int i = 1; i < S_NSTAT; i++)
		put_map_entry(&p->stat_names, 5, (uint64_t)i, names[i], NULL);
	p->next_stat_name = S_NSTAT;
	return p;
}
static inline struct line *line(struct plane *p, const char *name, int64_t id)
{
	struct line *l = &p->lines[p->n_lines++];
	snprintf(l->name, sizeof l->name, "%.*s", (int)sizeof l->name - 1, name);
	l->id = id;
	return l;
}
/* The number of an event's name; `display_name`: NULL where there is none. */
static inline uint64_t event_name(struct plane *p, const char *name, const char *display_name)
{
	uint64_t id = (uint64_t)++p->last_event_name;
	put_map_entry(&p->event_names, 4, id, name, display_name);
	return id;
}
/* The number of a string that several statistics have: s_ref(). */
static inline uint64_t ref_string(struct plane *p, const char *text)
{
	uint64_t id = (uint64_t)p->next_stat_name++;
	put_map_entry(&p->stat_names, 5, id, text, NULL);
	return id;
}

/* ---- one event at a time --------------------------------------------------------------------------------------------- */

static inline void s_begin(int key, size_t value_bytes)
{
	put_varint(&stats, 4 << 3 | 2);
	put_varint(&stats, 1 + varint_len((uint64_t)key) + value_bytes);
	put_int(&stats, 1, (uint64_t)key);
}
static inline void s_number(int key, int field, uint64_t v)
{
	s_begin(key, 1 + varint_len(v));
	put_int(&stats, field, v);
}
static inline void s_u64(int key, uint64_t v)
{
	s_number(key, 3, v);
}
static inline void s_i64(int key, uint64_t v)
{
	s_number(key, 4, v);
}
static inline void s_ref(int key, uint64_t string)
{
	s_number(key, 7, string);
}
static inline void s_str(int key, const char *s)
{
	size_t n = strlen(s);
	s_begin(key, 1 + varint_len(n) + n);
	put_text(&stats, 5, s);
}
static inline void s_dbl(int key, double d)
{
	s_begin(key, 9);
	put_varint(&stats, 2 << 3 | 1);
	memcpy(room(&stats, 8), &d, 8);
	stats.n += 8;
}
/* An event with the statistics put since the one before. Nanoseconds in, picoseconds out. */
static inline void put_event(struct line *l, uint64_t name, int64_t begin_ns, int64_t end_ns)
{
	uint64_t at = (uint64_t)begin_ns * 1000, dur = (uint64_t)(end_ns - begin_ns) * 1000;
	put_varint(&l->events, 4 << 3 | 2);
	put_varint(&l->events, 1 + varint_len(name) + 1 + varint_len(at) + 1 + varint_len(dur) + stats.n);
	put_int(&l->events, 1, name);
	put_int(&l->events, 2, at);
	put_int(&l->events, 3, dur);
	put_all(&l->events, &stats);
	stats.n = 0;
	n_events++;
}

/* ---- the file -------------------------------------------------------------------------------------------------------- */

static inline void put_line(struct bytes *out, const struct line *l)
{
	struct bytes head = {0};
	put_int(&head, 1, (uint64_t)l->id);
	put_text(&head, 2, l->name);
	put_int(&head, 3, 1606419264123456789ull);
	put_varint(out, 3 << 3 | 2);
	put_varint(out, head.n + l->events.n);
	put_all(out, &head);
	put_all(out, &l->events);
	free(head.p);
	free(l->events.p);
}
/* Lines with their lengths, then the maps. */
static inline void put_plane(struct bytes *out, const struct plane *p)
{
	put_int(out, 1, (uint64_t)(p - planes));
	put_text(out, 2, p->name);
	for (int i = 0; i < p->n_lines; i++)
		put_line(out, &p->lines[i]);
	put_all(out, &p->event_names);
	put_all(out, &p->stat_names);
}
static inline size_t write_out(const struct bytes *b)
{
	for (size_t done = 0; done < b->n;) {
		size_t left = b->n - done;
		ssize_t w = write(1, b->p + done, left > 1 << 24 ? 1 << 24 : left);
		if (w <= 0) {
			perror("write");
			exit(1);
		}
		done += (size_t)w;
	}
	free(b->p);
	return b->n;
}
/* Everything to stdout; how many bytes that were. */
static inline size_t write_planes(const char *host_name)
{
	size_t n = 0;
	for (int i = 0; i < n_planes; i++) {
		struct bytes body = {0}, head = {0};
		put_plane(&body, &planes[i]);
		put_varint(&head, 1 << 3 | 2);
		put_varint(&head, body.n);
		n += write_out(&head);
		n += write_out(&body);
	}
	struct bytes name = {0};
	put_text(&name, 4, host_name);
	return n + write_out(&name);
}
#endif
