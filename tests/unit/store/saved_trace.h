/* tests/unit/store/saved_trace.h - made-up traces and the file that they are saved in: saved_begin() before the first test,
 * saved_end() after the last one. */
#ifndef SAVED_TRACE_H
#define SAVED_TRACE_H
#include "model/store/ingest/ingest.h"
#include "model/store/trace/lazy_sections.h"
#include "model/store/saved/save_private.h"
#include "tests/unit/unit.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static inline unsigned rnd(unsigned *seed, unsigned n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

static inline struct trace *made_up(unsigned seed, int n)
{
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	ingest_fact(in, "producer", "test");
	ingest_epoch(in, 1700000000000000000);
	uint32_t host = ingest_host(in, "demo", 3), process = ingest_process(in, host, 100),
		 device = ingest_device(in, host, 1);
	uint32_t tracks[] = {ingest_track(in, TRACK_STREAM, device, 7, 0),
			     ingest_track(in, TRACK_THREAD, process, 1, 0),
			     ingest_track(in, TRACK_THREAD, process, 2, 0)};
	uint32_t power = ingest_track(in, TRACK_COUNTER, process, 0, strings_addz(ingest_strings(in), "power"));
	struct kernel_info k;
	struct copy_info c;
	kernel_info_init(&k);
	copy_info_init(&c);
	k.registers = 32;
	k.op = strings_addz(ingest_strings(in), "model/dense/MatMul");
	c.bytes = 1 << 20;
	for (int i = 0; i < n; i++) {
		unsigned where = rnd(&seed, 3);
		char name[32];
		struct event_in e = {
			.start_ns = 1000 + rnd(&seed, 1000000), .dur_ns = rnd(&seed, 3000), .track = tracks[where]};
		snprintf(name, sizeof name, "event %u", rnd(&seed, 50));
		e.name = strings_addz(ingest_strings(in), name);
		e.group = (int32_t)rnd(&seed, 4) - 1;
		e.corr = rnd(&seed, 200);
		e.kind = where ? KIND_RUNTIME : rnd(&seed, 2) ? KIND_KERNEL : KIND_COPY;
		e.detail = e.kind == KIND_KERNEL ? ingest_kernel(in, &k)
			   : e.kind == KIND_COPY ? ingest_copy(in, &c)
						 : 0;
		attrs_begin(ingest_attrs(in));
		attrs_put_int(ingest_attrs(in), e.name, i);
		e.attrs = attrs_end(ingest_attrs(in));
		ingest_notes(in)->entries++;
		ingest_event(in, &e);
		ingest_sample(in, power, e.start_ns, i);
	}
	ingest_notes(in)->entries += 3;
	notes_add(ingest_notes(in), NOTE_PHASE_OTHER, 77, 1);
	ingest_flow(in, 's', tracks[1], 0, 9, 500000, true, 5);
	ingest_flow(in, 'f', tracks[2], 0, 9, 600000, true, 6);
	return ingest_seal(in, NULL);
}

/* So many that they lie in three chunks, and in other ones for each word. */
enum { KERNELS = 150000 };

static inline void save_kernels(void)
{
	struct ingest *in = ingest_new();
	ingest_source(in, "some/file.json", "chrome");
	uint32_t track = ingest_track(in, TRACK_STREAM, ingest_device(in, ingest_host(in, "demo", 0), 0), 7, 0);
	for (int i = 0; i < KERNELS; i++) {
		struct kernel_info k;
		kernel_info_init(&k);
		k.grid[0] = (uint32_t)i;
		struct event_in e = {.start_ns = i * 10, .dur_ns = 5, .track = track, .kind = KIND_KERNEL, .group = -1};
		e.detail = ingest_kernel(in, &k);
		ingest_event(in, &e);
	}
	struct trace *t = ingest_seal(in, NULL);
	assert_true(trace_save(t, path, OUTPUT_FORCE, NULL));
	trace_free(t);
}

static inline unsigned char *read_file(size_t *n)
{
	FILE *f = fopen(path, "rb");
	enum { MOST = 1 << 23 };
	unsigned char *p = malloc(MOST);
	*n = fread(p, 1, MOST, f);
	fclose(f);
	return p;
}

static inline void write_file(const unsigned char *p, size_t n)
{
	FILE *f = fopen(path, "wb");
	assert_int_equal(fwrite(p, 1, n, f), n);
	fclose(f);
}

static inline int saved_begin(void **state)
{
	(void)state;
	strcpy(path, "/tmp/stepscope-test-XXXXXX");
	int fd = mkstemp(path);
	close(fd);
	return fd < 0;
}

static inline int saved_end(void **state)
{
	(void)state;
	return unlink(path);
}

#endif
