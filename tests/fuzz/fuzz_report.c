/* Made-up traces, with names and numbers as hostile as the input likes, through every table and report writer: JSON is JSON,
 * everything is UTF-8 without control characters, no tag of a name survives in HTML.
 * The first byte chooses what is written, the second how the window is cut; the rest is a script of events, see make_trace. */
#include "feed.h"
#include "written.h"
#include "model/analysis/analysis.h"
#include "tests/unit/build_trace.h"
#include "tui/report/report.h"
#include "tui/tables/table_write.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern const unsigned fuzz_every;
const unsigned fuzz_every = 32; /* a run takes 4 ms, half of it to read the rules: see regress.c */

enum { TABLE_FORMATS = TABLE_MD + 1, REPORT_FORMATS = REPORT_TEXT + 1, MAX_EVENTS = 400 };

/* ---- words ---------------------------------------------------------------------------------------------------------- */

/* Names that analyses look for, and names that writers must not believe. */
static const char *const names[] = {
	"ampere_sgemm_128x64_tn",
	"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, at::detail::Array<char*, 3> "
	">(int)",
	"ncclDevKernel_AllReduce_Sum_f32_RING_LL",
	"_ZN7cutlass6KernelI4gemmEEvNT_6ParamsE",
	"cudaLaunchKernel",
	"cudaStreamSynchronize",
	"cudaMemcpyAsync",
	"cudaGraphLaunch",
	"aten::mm",
	"aten::conv2d",
	"autograd::engine::evaluate_function: MmBackward0",
	"Optimizer.step#SGD.step",
	"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
	"IteratorGetNext",
	"Iterator::Root::Prefetch::Map",
	"model/dense/MatMul:MatMul",
	"XlaCompile",
	"train",
	"ProfilerStep#1",
	"ProfilerStep#2",
	"ProfilerStep#3",
	"ProfilerStep#999999999999999999999",
	"Memcpy HtoD (Pageable -> Device)",
	"",
	"<script>alert(1)</script>",
	"\"'><img src=x onerror=alert(1)>&amp;",
	"]]>--></svg></style>",
	"a|b\\|c`d`*e*_f_[g](javascript:h)",
	"\x1b[31m\x1b]0;title\x07",
	"\xff\xfe\xc0\xaf\xed\xa0\x80",
	"\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf",
	"\xc2\x9b"
	"31m\x7f\x01\x08",
	"=cmd|'/c calc'!A0",
	"tab\tline\nreturn\r",
	"<<<<<<<<<<<<<<<<((((((((((((((((",
	"[[1, 2], [3, 4]]",
};
enum { NAMES = sizeof names / sizeof *names };

/* One of them, or (from 224 on) the input's own bytes, zeros included. */
static str_id a_name(struct build *b, struct feed *f)
{
	unsigned which = feed_byte(f);
	char text[64] = {0};
	if (which < 224)
		return build_text(b, names[which % NAMES]);
	size_t n = feed_byte(f) % sizeof text;
	feed_bytes(f, text, n);
	return strings_add(ingest_strings(b->in), text, n);
}

static int64_t a_number(struct feed *f)
{
	static const int64_t numbers[] = {0,
					  1,
					  2,
					  3,
					  7,
					  10,
					  64,
					  128,
					  1000,
					  4096,
					  10000,
					  50000,
					  1000000,
					  60000000,
					  1u << 31,
					  UINT32_MAX,
					  1ll << 53,
					  1ll << 62,
					  INT64_MAX,
					  INT64_MIN,
					  -1,
					  -1000,
					  3600000000000,
					  INT64_MAX / 2,
					  -(1ll << 62)};
	unsigned which = feed_byte(f);
	if (which < 250)
		return numbers[which % (sizeof numbers / sizeof *numbers)];
	return (int64_t)feed_u64(f);
}

static double a_real(struct feed *f)
{
	double v;
	uint64_t bits = feed_byte(f) & 1 ? feed_u64(f) : 0;
	memcpy(&v, &bits, sizeof v);
	return v;
}

/* ---- a trace -------------------------------------------------------------------------------------------------------- */

static uint32_t a_kernel(struct build *b, struct feed *f)
{
	struct kernel_info k;
	kernel_info_init(&k);
	k.registers = (uint32_t)a_number(f);
	k.static_smem_bytes = (uint32_t)a_number(f);
	for (int i = 0; i < 3; i++) {
		k.grid[i] = (uint32_t)a_number(f);
		k.block[i] = (uint32_t)a_number(f);
	}
	k.occupancy_pct = (float)a_real(f);
	k.op = a_name(b, f);
	k.op_type = a_name(b, f);
	k.shape = a_name(b, f);
	return ingest_kernel(b->in, &k);
}

static uint32_t a_copy(struct build *b, struct feed *f)
{
	struct copy_info c;
	copy_info_init(&c);
	c.kind = (uint8_t)(feed_byte(f) % COPY_KINDS);
	c.src = (uint8_t)(feed_byte(f) % MEM_KINDS);
	c.dst = (uint8_t)(feed_byte(f) % MEM_KINDS);
	c.bytes = a_number(f);
	c.op = a_name(b, f);
	return ingest_copy(b->in, &c);
}

static uint32_t a_host_detail(struct build *b, struct feed *f)
{
	struct host_info h;
	host_info_init(&h);
	h.step_num = a_number(f);
	h.root_level = a_number(f);
	h.step_name = a_name(b, f);
	h.op = a_name(b, f);
	h.op_type = a_name(b, f);
	h.is_async = feed_byte(f) & 1;
	return ingest_host_detail(b->in, &h);
}

static attr_at some_attrs(struct build *b, struct feed *f)
{
	static const char *const keys[] = {"Input Dims",      "Input type", "External id",
					   "Collective name", "bytes",      "\x1b[1m"};
	struct attrs *a = ingest_attrs(b->in);
	unsigned n = feed_byte(f) % 4;
	attrs_begin(a);
	for (unsigned i = 0; i < n; i++) {
		str_id key = build_text(b, keys[feed_byte(f) % (sizeof keys / sizeof *keys)]);
		unsigned how = feed_byte(f) % 3;
		if (how == 0)
			attrs_put_ref(a, key, a_name(b, f));
		else if (how == 1)
			attrs_put_int(a, key, a_number(f));
		else
			attrs_put_double(a, key, a_real(f));
	}
	return attrs_end(a);
}

static uint32_t detail_of(struct build *b, struct feed *f, unsigned kind)
{
	if (kind == KIND_KERNEL || kind == KIND_DEVICE_OTHER)
		return a_kernel(b, f);
	if (kind == KIND_COPY || kind == KIND_MEMSET)
		return a_copy(b, f);
	return a_host_detail(b, f);
}

/* Events follow each other by small steps, so that steps and gaps come about; now and then time is absurd. */
static struct event_in an_event(struct build *b, struct feed *f, int64_t *now_ns)
{
	unsigned what = feed_byte(f), kind = what % KIND_COUNT, where = feed_byte(f), more = feed_byte(f);
	bool work = kind_is_work((enum event_kind)kind);
	uint32_t track = work || kind == KIND_DEVICE_RANGE ? build_stream(b, where & 3, where >> 2 & 3)
							   : build_thread(b, where & 3);
	struct event_in e = {.name = a_name(b, f), .track = track, .kind = (uint8_t)kind, .group = -1, .at = -1};
	int64_t step_ns = a_number(f);
	e.start_ns = more & 1 ? step_ns : *now_ns;
	if (!(more & 1) && step_ns > 0 && step_ns < MS(10000))
		*now_ns += step_ns;
	e.dur_ns = a_number(f);
	e.corr = more & 2 ? (uint64_t)feed_byte(f) : 0;
	e.detail = more & 4 ? detail_of(b, f, kind) : 0;
	e.attrs = more & 8 ? some_attrs(b, f) : 0;
	e.group = more & 16 ? (int32_t)feed_byte(f) : -1;
	return e;
}

static void add_rare(struct build *b, struct feed *f, int64_t now_ns)
{
	char value[64] = {0};
	switch (feed_byte(f) % 5) {
	case 0:
		build_host(b, names[feed_byte(f) % NAMES], (int32_t)a_number(f));
		break;
	case 1:
		ingest_process_info(b->in, ingest_process(b->in, b->host, b->pid))->name = a_name(b, f);
		break;
	case 2: {
		struct device *d = ingest_device_info(b->in, ingest_device(b->in, b->host, feed_byte(f) & 3));
		d->name = a_name(b, f);
		d->sms = a_number(f);
		d->clock_khz = a_number(f);
		d->memory_bytes_per_s = a_number(f);
		d->cc_major = a_number(f);
		break;
	}
	case 3:
		feed_bytes(f, value, sizeof value - 1);
		ingest_fact(b->in, names[feed_byte(f) % NAMES], value);
		break;
	default:
		ingest_sample(
			b->in,
			ingest_track(b->in, TRACK_COUNTER, ingest_process(b->in, b->host, b->pid), 0, a_name(b, f)),
			now_ns, a_real(f));
	}
}

static void add_event(struct build *b, struct feed *f, int64_t *now_ns)
{
	unsigned what = feed_byte(f) % 16;
	struct event_in e;
	if (what == 0) {
		add_rare(b, f, *now_ns);
		return;
	}
	e = an_event(b, f, now_ns);
	ingest_notes(b->in)->entries++;
	if (what == 1)
		ingest_begin(b->in, &e);
	else if (what == 2)
		ingest_end(b->in, &e);
	else if (what == 3)
		ingest_async(b->in, "bne"[feed_byte(f) % 3], feed_byte(f), &e);
	else if (what == 4)
		ingest_flow(b->in, "stf"[feed_byte(f) % 3], e.track, e.name, feed_byte(f) & 7, e.start_ns, true, -1);
	else
		ingest_event(b->in, &e);
}

static struct trace *make_trace(struct feed *f)
{
	static const char *const formats[] = {"chrome", "xspace", "kineto", "\x1b[1m<b>"};
	struct build b = build_new(formats[feed_byte(f) % 4]);
	int64_t now_ns = 0;
	for (int i = 0; f->n && i < MAX_EVENTS; i++)
		add_event(&b, f, &now_ns);
	return build_seal(&b);
}

/* ---- what comes of it ----------------------------------------------------------------------------------------------- */

static const char *const paths[] = {"it's <here> \x1b[1m|.json"};

static struct window a_window(const struct derived *d, unsigned how)
{
	static const char *const words[] = {"gap:biggest", "step:last", "gap:0", "1us..10ms"};
	struct window w;
	struct err e = {.at = -1};
	if (how % 8 < 4 && window_parse(d, words[how % 8], &w, &e))
		return w;
	return window_all(d);
}

static void write_table(const struct derived *d, const struct table_desc *a, const struct query *q,
			enum table_format format)
{
	struct arena mem = {0};
	struct err e = {.at = -1};
	struct written *w = written_begin();
	struct table *t = a->run(d, q, &mem, NULL, &e);
	if (!t && !*e.msg)
		abort(); /* no table and no reason */
	if (t) {
		table_write(t, format, w->f, paths, 1, 0);
		written_check(w, format == TABLE_JSON  ? WRITTEN_JSON
				 : format == TABLE_CSV ? WRITTEN_CSV
						       : WRITTEN_TEXT);
	}
	written_end(w);
	arena_free(&mem);
}

static void write_report(const struct derived *d, const struct window *window, enum report_format format, bool redact)
{
	static const enum written_kind kinds[] = {[REPORT_MD] = WRITTEN_TEXT,
						  [REPORT_HTML] = WRITTEN_HTML,
						  [REPORT_SVG] = WRITTEN_HTML,
						  [REPORT_JSON] = WRITTEN_JSON,
						  [REPORT_TEXT] = WRITTEN_TEXT};
	struct err e = {.at = -1};
	struct written *w = written_begin();
	struct report_req r = {.d = d,
			       .window = *window,
			       .format = format,
			       .paths = paths,
			       .n_paths = 1,
			       .program = "stepscope",
			       .redact = redact};
	if (report_write(&r, w->f, &e))
		written_check(w, kinds[format]);
	else if (!*e.msg)
		abort();
	written_end(w);
}

/* Below 200 a table in one format, else a report in one format. */
static void write_one(const struct derived *d, unsigned what, unsigned how)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	struct window w = a_window(d, how);
	struct query q = window_query(&w, NULL);
	q.all_columns = how & 16;
	q.idle = how & 32;
	if (what < 200)
		write_table(d, list[what % n], &q, (enum table_format)(what / n % TABLE_FORMATS));
	else
		write_report(d, &w, (enum report_format)(what % REPORT_FORMATS), how & 64);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed f = {data, size};
	unsigned what = feed_byte(&f), how = feed_byte(&f);
	struct err e = {.at = -1};
	struct derived_opts opts = {.semantics = (enum semantics)(how >> 6)};
	struct trace *t = make_trace(&f);
	if (!t)
		return 0;
	if (!notes_balance(trace_notes(t)))
		abort();
	struct derived *d = derived_new(t, &opts, NULL, &e);
	trace_free(t);
	if (!d)
		abort();
	write_one(d, what, how);
	derived_free(d);
	return 0;
}
