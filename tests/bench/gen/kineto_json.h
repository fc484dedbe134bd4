/* tests/bench/gen/kineto_json.h - entries of a Kineto file in the layout of real ones, to stdout: want() -> entry_head(), put_...(),
 * entry_tail(). The trace is made several times, in passes: the first one counts, each other one writes a part of it. */
#ifndef BENCH_GEN_KINETO_JSON_H
#define BENCH_GEN_KINETO_JSON_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int64_t T0 = 1712195495000000000ll;

static int one_line, whole_us; /* -c, -m */
static char buffer[1 << 20];
static size_t buffered;
static uint64_t total_bytes;
static inline void flush(void)
{
	size_t o = 0;
	while (o < buffered) {
		ssize_t w = write(1, buffer + o, buffered - o);
		if (w <= 0) {
			perror("write");
			exit(1);
		}
		o += (size_t)w;
	}
	total_bytes += buffered;
	buffered = 0;
}
static inline void put_bytes(const char *s, size_t n)
{
	memcpy(buffer + buffered, s, n);
	buffered += n;
}
#define PUT(lit) put_bytes(lit, sizeof(lit) - 1)
static inline void put_text(const char *s)
{
	put_bytes(s, strlen(s));
}
static inline void put_number(uint64_t v)
{
	char t[24];
	int i = 24;
	do {
		t[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	put_bytes(t + i, (size_t)(24 - i));
}
/* Microseconds: whole ones, or with 3 decimals. */
static inline void put_us(int64_t ns)
{
	if (whole_us) {
		put_number((uint64_t)ns / 1000);
		return;
	}
	put_number((uint64_t)ns / 1000);
	unsigned r = (unsigned)(ns % 1000);
	buffer[buffered++] = '.';
	buffer[buffered++] = (char)('0' + r / 100);
	buffer[buffered++] = (char)('0' + r / 10 % 10);
	buffer[buffered++] = (char)('0' + r % 10);
}

static uint64_t n_objects;
/* Kinds of entries: id, name in the line of counts. */
/* clang-format off */
#define ENTRY_KINDS(_) \
	_(CPU, "cpu_op") _(RT, "cuda_runtime") _(KERN, "kernel") _(CPY, "gpu_memcpy") _(SET, "gpu_memset") \
	_(UA, "user_annotation") _(GUA, "gpu_user_annotation") _(PY, "python_function") \
	_(AS, "ac2g_s") _(AF, "ac2g_f") _(FS, "fwdbwd_s") _(FF, "fwdbwd_f") _(I, "instant") _(M, "metadata")
/* clang-format on */
#define ID(id, name) K_##id,
enum { ENTRY_KINDS(ID) K_N };
#undef ID
static uint64_t counts[K_N];
enum { COUNT, AUTOGRAD_OPS, MAIN_OPS, CALLS_AND_WORK, N_PASSES }; /* what a pass writes */
static int pass;
static int first_obj;

/* Whether an entry of this kind is written now, in the pass that it belongs to. */
static inline int want(int k, int p)
{
	if (pass == COUNT) {
		n_objects++;
		counts[k]++;
		return 0;
	}
	if (pass != p)
		return 0;
	if (buffered > sizeof buffer - 16384)
		flush();
	if (first_obj)
		first_obj = 0;
	else
		PUT(",");
	if (one_line)
		PUT("\n");
	else
		PUT("\n  ");
	return 1;
}
static inline void line_of_entry(void)
{
	put_text(one_line ? " " : "\n    ");
}
static inline void line_of_args(void)
{
	put_text(one_line ? "" : "\n      ");
}
static inline void entry_head(const char *cat, const char *name, uint64_t pid, uint64_t tid, int64_t ts, int64_t dur)
{
	PUT("{");
	line_of_entry();
	PUT("\"ph\": \"X\", \"cat\": \"");
	put_text(cat);
	PUT("\", \"name\": \"");
	put_text(name);
	PUT("\", \"pid\": ");
	put_number(pid);
	PUT(", \"tid\": ");
	put_number(tid);
	PUT(",");
	line_of_entry();
	PUT("\"ts\": ");
	put_us(T0 + ts);
	PUT(", \"dur\": ");
	put_us(dur);
	PUT(",");
	line_of_entry();
	PUT("\"args\": {");
	line_of_args();
}
static inline void entry_tail(void)
{
	if (one_line)
		PUT("}}");
	else
		PUT("\n    }\n  }");
}
static inline void flow(int k, int p, const char *cat, int ph, uint64_t id, uint64_t pid, uint64_t tid, int64_t ts)
{
	if (!want(k, p))
		return;
	PUT("{");
	line_of_entry();
	PUT("\"ph\": \"");
	buffer[buffered++] = (char)ph;
	PUT("\", \"id\": ");
	put_number(id);
	PUT(", \"pid\": ");
	put_number(pid);
	PUT(", \"tid\": ");
	put_number(tid);
	PUT(", \"ts\": ");
	put_us(T0 + ts);
	PUT(",");
	line_of_entry();
	PUT("\"cat\": \"");
	put_text(cat);
	PUT("\", \"name\": \"");
	put_text(cat);
	PUT("\"");
	if (ph == 'f')
		PUT(", \"bp\": \"e\"");
	if (one_line)
		PUT("}");
	else
		PUT("\n  }");
}
static inline void metadata(const char *what, uint64_t pid, const char *tid, const char *key, const char *val,
			    int is_number)
{
	counts[K_M]++;
	if (buffered > sizeof buffer - 16384)
		flush();
	PUT(",\n  {");
	line_of_entry();
	PUT("\"name\": \"");
	put_text(what);
	PUT("\", \"ph\": \"M\", \"ts\": ");
	put_us(T0);
	PUT(", \"pid\": ");
	put_number(pid);
	PUT(", \"tid\": ");
	put_text(tid);
	PUT(",");
	line_of_entry();
	PUT("\"args\": {");
	line_of_args();
	PUT("\"");
	put_text(key);
	PUT("\": ");
	if (!is_number)
		PUT("\"");
	put_text(val);
	if (!is_number)
		PUT("\"");
	entry_tail();
}
#endif
