/* tests/live/records.c - records through the converter, without driver, threads or sockets.
 *   records CUPTI        tests, TAP; CUPTI is a libcupti whose record iterator is used: the real one or the stand-in
 *   records CUPTI bench  what a record costs us, in ns of CPU */
#include "live/inject/cupti/convert.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static struct cupti cupti;
static struct output out;
static struct convert convert;
static int ran, failed;

static void ok(bool good, const char *name)
{
	failed += !good;
	printf("%sok %d - %s\n", good ? "" : "not ", ++ran, name);
}

static uint64_t cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void begin(uint64_t ring_bytes)
{
	output_open(&out, ring_bytes);
	output_clock(&out);
}

/* A viewer that reads everything; returns the last frame of a type, copied. */
static size_t frames[WIRE_RECORD + WIRE_KIND_COUNT];
static _Alignas(8) char last[WIRE_RECORD + WIRE_KIND_COUNT][256];

static bool read_frame(const struct wire_frame *f, uint64_t left, uint64_t to_end)
{
	if (f->bytes < 8 || f->bytes % 8 || f->bytes > left || f->bytes > to_end)
		return false;
	if (f->type < WIRE_RECORD + WIRE_KIND_COUNT) {
		frames[f->type]++;
		memcpy(last[f->type], f, f->bytes < sizeof last[0] ? f->bytes : sizeof last[0]);
	}
	return true;
}

static bool read_ring(void)
{
	struct wire_header *h = out.ring.header;
	uint64_t head = h->head, tail = h->tail;
	for (const struct wire_frame *f; tail < head; tail += f->bytes) {
		uint64_t at = tail & (out.ring.bytes - 1);
		f = (const struct wire_frame *)(out.ring.data + at);
		if (!read_frame(f, head - tail, out.ring.bytes - at))
			return false;
	}
	h->tail = tail;
	return true;
}

static void *last_record(enum wire_kind kind)
{
	return last[WIRE_RECORD + kind];
}

/* Memory whose end is a wall: reading one byte after it kills us. */
static uint8_t *walled(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (n + page - 1) / page * page;
	uint8_t *m = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(m + whole, page, PROT_NONE);
	return m + whole - n;
}

#define PUT(record, type, offset, value)                                 \
	do {                                                             \
		type put_ = (type)(value);                               \
		memcpy((char *)(record) + (offset), &put_, sizeof put_); \
	} while (0)

static void fill_kernel(uint8_t *r, size_t n, uint64_t start)
{
	static const char name[] = "_Z5k_addPfi";
	for (size_t i = 0; i < n; i++)
		r[i] = (uint8_t)i; /* every field its own value */
	PUT(r, uint32_t, 0, CUPTI_KIND_KERNEL);
	PUT(r, uint64_t, 16, start);
	PUT(r, uint64_t, 24, start + 1500);
	PUT(r, uint64_t, 104, (uintptr_t)name);
	PUT(r, uint64_t, 120, 0);
	PUT(r, uint64_t, 128, 0);
}

/* How far this CUPTI steps over a record of one kind; 0: it does not know it. */
static size_t step_of(uint32_t kind)
{
	static _Alignas(8) uint8_t b[1024];
	void *record = NULL;
	for (size_t at = 0; at < sizeof b; at += 8)
		PUT(b, uint64_t, at, kind);
	if (cupti.next_record(b, sizeof b, &record) || cupti.next_record(b, sizeof b, &record))
		return 0;
	return (size_t)((uint8_t *)record - b);
}

static void test_kernel(void)
{
	size_t n = step_of(CUPTI_KIND_KERNEL); /* 208 bytes in 12.0, 216 in 13.0, more since */
	uint8_t *r = walled(n);
	uint64_t start = now_ns();
	begin(1 << 20);
	fill_kernel(r, n, start);
	convert_buffer(&convert, r, n);
	ok(read_ring() && frames[WIRE_RECORD + WIRE_KERNEL] == 1, "a kernel record becomes one frame");
	const struct wire_kernel *k = last_record(WIRE_KERNEL);
	const struct wire_shape *s = (const void *)last[WIRE_SHAPE];
	const struct wire_string *t = (const void *)last[WIRE_STRING];
	ok(k->start_ns == start && k->end_ns == start + 1500 && k->corr == 0x5f5e5d5c && k->shape == s->id,
	   "its times, correlation and shape");
	ok(s->grid[0] == 0x37363534 && s->block[2] == 0x4b4a4948 && s->registers == 0x0706 &&
		   s->dynamic_smem_bytes == 0x53525150,
	   "grid, block, registers, shared memory");
	ok(t->n == 11 && !memcmp(t->text, "_Z5k_addPfi", 11) && s->name == t->id,
	   "its name is a string of the dictionary");
	ok(k->f.bytes == WIRE_KERNEL_SHORT, "no latencies, no room for them");
}

/* Old records end early: what they lack is 0, and nothing after their end is touched. */
static void test_short_kernels(void)
{
	static const struct {
		uint32_t version;
		size_t bytes;
	} old[] = {{13, 160}, {14, 168}, {17, 176}, {18, 200}, {19, 208}, {28, 208}, {130000, 216}};
	bool good = true;
	uint32_t real = cupti.layout;
	for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
		uint8_t *r = walled(old[i].bytes);
		fill_kernel(r, old[i].bytes, now_ns());
		begin(1 << 20);
		cupti.layout = old[i].version;
		convert_kernel(&convert, r);
		cupti.layout = real;
		good = good && read_ring() && ((struct wire_kernel *)last_record(WIRE_KERNEL))->corr == 0x5f5e5d5c &&
		       (((struct wire_shape *)(void *)last[WIRE_SHAPE])->cluster[0] != 0) == (old[i].version >= 18);
	}
	ok(good, "records of CUPTI 11.0 to 13.0 are read to their ends and no further");
}

static void test_impossible_times(void)
{
	uint8_t r[216];
	static const int64_t wrong[][2] = {{0, 0}, {5, 4}, {-7200000000000, 10}, {1, 7200000000000}};
	begin(1 << 20);
	for (size_t i = 0; i < 4; i++) {
		uint64_t now = now_ns();
		fill_kernel(r, sizeof r, now);
		PUT(r, uint64_t, 16, i ? now + (uint64_t)wrong[i][0] : 0);
		PUT(r, uint64_t, 24, i ? now + (uint64_t)wrong[i][1] : 0);
		convert_kernel(&convert, r);
	}
	const struct wire_counters *c = &out.ring.header->counters[WIRE_KERNEL];
	ok(c->seen == 4 && c->bad_time == 4 && c->sent == 0, "impossible times are counted and not sent");
}

static uint64_t random_state = 1;

static uint64_t random_bits(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	return random_state ^= random_state << 17;
}

enum { RANDOM_KINDS = 20, UNKNOWN = RANDOM_KINDS - 1 };
static struct {
	uint32_t kind, texts[2];
	size_t bytes; /* as this version has it */
} random_kinds[RANDOM_KINDS] = {{1, {0}, 0},  {2, {0}, 0},    {4, {0}, 0},   {5, {0}, 0},       {8, {136}, 0},
				{9, {0}, 0},  {10, {104}, 0}, {11, {24}, 0}, {12, {40, 48}, 0}, {13, {0}, 0},
				{17, {0}, 0}, {22, {0}, 0},   {36, {0}, 0},  {37, {0}, 0},      {38, {0}, 0},
				{39, {0}, 0}, {49, {64}, 0},  {51, {0}, 0},  {52, {0}, 0},      {200, {0}, 8}};

/* Records of all kinds with any content, but for addresses, which are CUPTI's to get right. Sometimes an unknown kind ends
 * the buffer early. */
static void random_buffer(uint8_t *b, size_t n)
{
	memset(b, 0, n);
	for (size_t at = 0, which = 0; which != UNKNOWN; at += random_kinds[which].bytes) {
		do
			which = random_bits() % (random_bits() % 16 ? UNKNOWN : RANDOM_KINDS);
		while (!random_kinds[which].bytes);
		if (at + random_kinds[which].bytes > n)
			return;
		for (size_t i = 0; i < random_kinds[which].bytes; i += 8)
			PUT(b, uint64_t, at + i, random_bits() >> random_bits() % 64);
		PUT(b, uint32_t, at, random_kinds[which].kind);
		for (size_t i = 0; i < 2; i++)
			if (random_kinds[which].texts[i])
				PUT(b, uint64_t, at + random_kinds[which].texts[i],
				    random_bits() % 2 ? (uintptr_t) "text" : 0);
	}
}

static void test_random(void)
{
	enum { BYTES = 4096 };
	uint8_t *b = walled(BYTES);
	bool good = true;
	for (size_t i = 0; i < UNKNOWN; i++)
		random_kinds[i].bytes = step_of(random_kinds[i].kind);
	for (int i = 0; i < 3000 && good; i++) {
		if (i % 100 == 0) {
			begin(WIRE_RING_MIN_BYTES);
			out.sane_first_ns = 0; /* any time will do */
			out.sane_last_ns = UINT64_MAX;
		}
		random_buffer(b, BYTES);
		convert_buffer(&convert, b, random_bits() % 4 ? BYTES : random_bits() % BYTES);
		good = random_bits() % 2 || read_ring(); /* a slow viewer: often it is full */
		for (int k = 0; k < WIRE_KIND_COUNT; k++) {
			const struct wire_counters *c = &out.ring.header->counters[k];
			good = good && c->seen == c->sent + c->dropped + c->bad_time;
		}
	}
	ok(good, "random records: every frame is well formed, seen = sent + dropped + bad time");
}

static void test_endless_names(void)
{
	uint8_t r[56] = {0};
	char name[32];
	begin(1 << 20);
	memset(frames, 0, sizeof frames);
	PUT(r, uint32_t, 0, CUPTI_KIND_MARKER);
	PUT(r, uint32_t, 4, WIRE_MARK_INSTANT);
	PUT(r, uint64_t, 8, now_ns());
	PUT(r, uint64_t, 40, (uintptr_t)name);
	for (int i = 0; i < 1100000; i++) {
		snprintf(name, sizeof name, "step %d", i);
		convert_marker(&convert, r);
		if (i % 1000 == 0)
			read_ring();
	}
	read_ring();
	const struct wire_string *t = (const void *)last[WIRE_STRING];
	ok(frames[WIRE_FORGET] == 1 && frames[WIRE_RECORD + WIRE_MARKER] == 1100000,
	   "a name for each range: the dictionary starts anew");
	ok(((struct wire_marker *)last_record(WIRE_MARKER))->name == t->id && t->id < 100000 &&
		   !memcmp(t->text, "step 1099999", 12),
	   "and its names are still right");
}

static void test_long_name(void)
{
	uint8_t r[56] = {0};
	char *name = malloc(20001);
	for (int i = 0; i < 20000; i += 2)
		memcpy(name + i, "\xc3\xa9", 2);
	name[20000] = 0;
	name[0] = 'x', name[1] = 'y';
	begin(1 << 20);
	PUT(r, uint32_t, 0, CUPTI_KIND_MARKER);
	PUT(r, uint64_t, 8, now_ns());
	PUT(r, uint64_t, 40, (uintptr_t)name);
	convert_marker(&convert, r);
	read_ring();
	const struct wire_string *t = (const void *)last[WIRE_STRING];
	ok(t->n == WIRE_STRING_MAX && t->f.flags == WIRE_CUT, "a very long name is cut and says so");
	free(name);
}

/* The same address can hold another name once a module was unloaded. */
static void test_stale_pointer(void)
{
	uint8_t r[56] = {0};
	char name[8] = "first";
	begin(1 << 20);
	PUT(r, uint32_t, 0, CUPTI_KIND_MARKER);
	PUT(r, uint64_t, 8, now_ns());
	PUT(r, uint64_t, 40, (uintptr_t)name);
	convert_marker(&convert, r);
	strcpy(name, "second");
	convert_marker(&convert, r);
	read_ring();
	const struct wire_string *t = (const void *)last[WIRE_STRING];
	ok(t->n == 6 && !memcmp(t->text, "second", 6), "a name is read anew when its address was used again");
}

static void test_clock_set(void)
{
	begin(1 << 20);
	out.clock_realtime_ns -= 2000000000; /* as if somebody had set the clock 2 s ahead since */
	output_clock(&out);
	read_ring();
	const struct wire_clock *c = (const void *)last[WIRE_CLOCK];
	ok(c->step_ns > 1999000000 && c->step_ns < 2001000000, "a step of the clock is told");
	output_clock(&out);
	read_ring();
	ok(c->step_ns == 0, "once");
}

static void bench(void)
{
	enum { RECORDS = 1000, ROUNDS = 2000 };
	static uint8_t b[RECORDS * 256];
	size_t n = 0;
	uint64_t now = now_ns();
	for (int i = 0; i < RECORDS / 2; i++, n += 216 + 40) {
		fill_kernel(b + n, 216, now + (uint64_t)i);
		PUT(b + n, uint32_t, 40, 0);
		memset(b + n + 216, 0, 40);
		PUT(b + n + 216, uint32_t, 0, CUPTI_KIND_DRIVER);
		PUT(b + n + 216, uint32_t, 4, 307);
		PUT(b + n + 216, uint64_t, 8, now);
		PUT(b + n + 216, uint64_t, 16, now + 5);
		PUT(b + n + 216, uint32_t, 28, getpid());
	}
	begin(16 << 20);
	uint64_t from = cpu_ns(), read = 0;
	for (int i = 0; i < ROUNDS; i++) {
		convert_buffer(&convert, b, n);
		uint64_t at = cpu_ns();
		out.ring.header->tail = out.ring.header->head;
		read += cpu_ns() - at;
	}
	printf("%.1f ns per record (kernel and launch call alternating), %u CUPTI\n",
	       (double)(cpu_ns() - from - read) / RECORDS / ROUNDS, cupti.number);
	from = cpu_ns();
	for (int i = 0; i < ROUNDS; i++)
		convert_buffer(&convert, b, n);
	const struct wire_counters *c = &out.ring.header->counters[WIRE_KERNEL];
	printf("%.1f ns per record while the ring is full (%llu kernels dropped)\n",
	       (double)(cpu_ns() - from) / RECORDS / ROUNDS, (unsigned long long)c->dropped);
}

int main(int argc, char **argv)
{
	char why[512] = "usage: records LIBCUPTI [bench]";
	if (argc < 2 || !cupti_load(&cupti, argv[1], false, why, sizeof why) || !output_init(&out)) {
		fprintf(stderr, "%s\n", why);
		return 2;
	}
	convert = (struct convert){.cupti = &cupti, .out = &out};
	if (argc > 2) {
		bench();
		return 0;
	}
	test_kernel();
	test_short_kernels();
	test_impossible_times();
	test_random();
	test_endless_names();
	test_long_name();
	test_stale_pointer();
	test_clock_set();
	printf("1..%d\n", ran);
	return failed > 0;
}
