/*
 * frame - draws the timeline of a made-up trace at random zooms and tells how long a frame takes.
 * Usage:  frame [-n FRAMES] EVENTS    (EVENTS takes k and M)
 * The trace: 50 tracks, made straight in the store. 10 streams of kernels that follow each other, 40 threads of nested
 * calls; heavy-tailed durations. A frame is one state_draw of the whole screen at 200x60, after its lanes: query and drawing, no terminal.
 * Bytes: what paint.h sends to a terminal of 256 colours for each frame, and for a pan by an eighth of the screen after it.
 * Zooms: the span is log-uniform from the whole trace down to 200 ns, its place uniform, the first lane random.
 */
#include "clock.h"
#include "model/store/base/memory.h"
#include "model/store/ingest/ingest.h"
#include "tui/explorer/pane.h"
#include "tui/screen/paint.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { STREAMS = 10, THREADS = 40, NAMES = 64, ROWS = 60, COLS = 200 };

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static double uniform(void)
{
	return (double)(random64() >> 11) / 9007199254740992.0;
}

/* 1 us to 10 ms, most of them short */
static int64_t some_ns(void)
{
	return (int64_t)(1000.0 * exp(uniform() * uniform() * 9.2));
}

/* ---- the trace ---------------------------------------------------------------------------------------------------- */

static str_id names[NAMES];

static void add(struct ingest *in, uint32_t track, enum event_kind kind, int64_t start_ns, int64_t dur_ns)
{
	struct event_in e = {.start_ns = start_ns,
			     .dur_ns = dur_ns,
			     .name = names[random64() % NAMES],
			     .track = track,
			     .kind = (uint8_t)kind,
			     .group = -1,
			     .at = -1};
	ingest_notes(in)->entries++;
	ingest_event(in, &e);
}

static void fill_stream(struct ingest *in, uint32_t track, uint64_t n)
{
	int64_t ts_ns = 0;
	for (uint64_t i = 0; i < n; i++) {
		int64_t dur_ns = some_ns();
		add(in, track, KIND_KERNEL, ts_ns, dur_ns);
		ts_ns += dur_ns + (random64() % 4 ? 0 : some_ns());
	}
}

/* Calls of up to four levels: a child takes the middle third of its parent. */
static void fill_thread(struct ingest *in, uint32_t track, uint64_t n)
{
	int64_t ts_ns = 0;
	for (uint64_t i = 0; i < n;) {
		int64_t dur_ns = some_ns(), a_ns = ts_ns, d_ns = dur_ns;
		for (uint64_t depth = random64() % 4 + 1; depth > 0 && i < n; depth--, i++) {
			add(in, track, KIND_OP, a_ns, d_ns);
			a_ns += d_ns / 3;
			d_ns /= 3;
		}
		ts_ns += dur_ns + (random64() % 4 ? 0 : some_ns());
	}
}

static struct trace *make_trace(uint64_t n, struct err *e)
{
	struct ingest *in = ingest_new();
	ingest_source(in, "made.trace", "made");
	uint32_t host = ingest_host(in, "h", 0), process = ingest_process(in, host, 1);
	for (int i = 0; i < NAMES; i++) {
		char name[48];
		snprintf(name, sizeof name, "some_kernel_or_function_%d", i);
		names[i] = strings_addz(ingest_strings(in), name);
	}
	for (int i = 0; i < STREAMS; i++)
		fill_stream(in, ingest_track(in, TRACK_STREAM, ingest_device(in, host, i / 2), i, 0),
			    n / (STREAMS + THREADS));
	for (int i = 0; i < THREADS; i++)
		fill_thread(in, ingest_track(in, TRACK_THREAD, process, 100 + i, 0), n / (STREAMS + THREADS));
	return ingest_seal(in, e);
}

/* ---- the frames --------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

static void random_view(struct state *st)
{
	struct viewport *p = &st->view.port;
	double widest = (double)p->total_ns, narrowest = p->cols;
	p->span_ns = (int64_t)(widest * pow(narrowest / widest, uniform()));
	p->from_ns = (int64_t)(uniform() * (double)(p->total_ns - p->span_ns));
}

struct frames {
	double *s, *bytes, *pan_bytes; /* n of each, sorted */
	int n;
};

/* After a frame the view is moved by an eighth, as a and d do. */
static double pan(struct state *st, struct paint *p, struct surface *s)
{
	viewport_pan(&st->view.port, (int64_t)st->view.port.cols / 8);
	state_draw(st, s);
	paint_frame(p, s, &st->theme);
	return (double)p->n;
}

static void draw_frames(struct state *st, struct frames *f)
{
	struct surface s = {0};
	struct paint p = {0};
	paint_start(&p, (struct paint_caps){DEPTH_256, true, true, true, true, false, false});
	surface_resize(&s, ROWS, COLS);
	nav_pane(st, PANE_TIMELINE, 0);
	state_resize(st, ROWS, COLS); /* the side panel's figures are made once, of the whole trace */
	for (int i = 0; i < f->n; i++) {
		random_view(st);
		double begun = now_s();
		nav_lanes(st); /* as after a key: lanes follow the zoom */
		st->view.top = (uint32_t)(random64() % st->lanes.n);
		surface_clear(&s);
		state_draw(st, &s);
		f->s[i] = now_s() - begun;
		paint_frame(&p, &s, &st->theme);
		f->bytes[i] = (double)p.n;
		f->pan_bytes[i] = pan(st, &p, &s);
	}
	qsort(f->s, (size_t)f->n, sizeof *f->s, by_value);
	qsort(f->bytes, (size_t)f->n, sizeof *f->bytes, by_value);
	qsort(f->pan_bytes, (size_t)f->n, sizeof *f->pan_bytes, by_value);
	paint_free(&p);
	surface_free(&s);
}

static uint64_t parse_count(const char *text)
{
	char *end;
	double v = strtod(text, &end);
	return (uint64_t)(v * (*end == 'M' ? 1e6 : *end == 'k' ? 1e3 : 1));
}

static int fail(const struct err *e)
{
	char text[640];
	fprintf(stderr, "frame: %s\n", err_text(e, text, sizeof text));
	return 1;
}

int main(int argc, char **argv)
{
	memory_in_large_pages();
	int n = 2000;
	if (argc > 2 && strcmp(argv[1], "-n") == 0)
		n = atoi(argv[2]);
	struct err e = {.at = -1};
	struct app_opts o = {.program = "frame"};
	double begun = now_s();
	struct trace *t = make_trace(argc > 1 ? parse_count(argv[argc - 1]) : 10000000, &e);
	if (!t)
		return fail(&e);
	double made = now_s();
	struct derived *d = derived_new(t, &(struct derived_opts){.tc_rules = "stepscope"}, NULL, &e);
	double *values = calloc((size_t)n * 3, sizeof *values);
	if (!d || !values)
		return fail(&e);
	struct frames f = {values, values + n, values + 2 * n, n};
	double derived = now_s();
	draw_frames(state_new(&o, d, -1, true), &f);
	printf("{\"events\": %" PRIu64 ", \"frames\": %d, \"p50_ms\": %.3f, \"p99_ms\": %.3f, \"max_ms\": %.3f, "
	       "\"frame_bytes\": %.0f, \"frame_p99_bytes\": %.0f, \"pan_bytes\": %.0f, \"pan_p99_bytes\": %.0f, "
	       "\"make_s\": %.2f, \"derive_s\": %.2f, \"anon_kib\": %ld, \"peak_kib\": %ld}\n",
	       trace_columns(t)->n, n, f.s[n / 2] * 1e3, f.s[n - 1 - n / 100] * 1e3, f.s[n - 1] * 1e3, f.bytes[n / 2],
	       f.bytes[n - 1 - n / 100], f.pan_bytes[n / 2], f.pan_bytes[n - 1 - n / 100], made - begun, derived - made,
	       status_kib("RssAnon:"), status_kib("VmHWM:"));
	fflush(stdout);
	_Exit(0);
}
