/*
 * gen_chrome - write a synthetic Chrome trace (JSON) as producers other than Kineto write them, to stdout.
 *
 * Build:  cc -O2 -o gen_chrome gen_chrome.c
 * Usage:  gen_chrome [-s SEED] SHAPE COUNT > trace.json
 *   SHAPE    catapult: as Chrome and Android write: short events on one line, members in one of three orders, X events with
 *                      tdur and tts, one in five a B/E pair, async b/n/e, instants, counters, flows; a fifth of the args empty
 *            bazel:    as Bazel writes: an event per line, X events, mostly without args, one entry in five a counter;
 *                      the names of targets, tens of thousands of them
 *   COUNT    target number of entries; whole tasks are written until it is reached. Suffixes k and M are understood.
 *   -s SEED  seed of the generator (default 1). Same arguments => same bytes.
 * A line with the counts goes to stderr. Memory use is constant. Nothing overlaps: events of a thread nest.
 */
#include "gen/count.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSES = 4, THREADS = 9, LANES = PROCESSES * THREADS, DEEPEST = 6 };

static uint64_t seed, entries, bytes;
static int64_t clock_us[LANES];

static uint64_t rng(void)
{
	uint64_t z = (seed += 0x9E3779B97F4A7C15u);
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static uint32_t below(uint32_t n)
{
	return (uint32_t)((rng() >> 32) * n >> 32);
}

static int pid_of(int lane)
{
	return 89416 + lane / THREADS;
}

static int tid_of(int lane)
{
	return 1287 + lane % THREADS * 1536;
}

/* The text of an entry, with what stands before it. */
static void put(const char *separator, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int head = printf("%s", entries ? separator : ""), n = vprintf(format, args);
	va_end(args);
	if (head < 0 || n < 0)
		exit(1);
	bytes += (uint64_t)(head + n);
	entries++;
}

/* ---- catapult --------------------------------------------------------------------------------------------------------- */

static const char *const categories[] = {
	"toplevel", "cc", "gpu", "renderer", "ipc,toplevel", "blink", "disabled-by-default-v8"};
static const char *const functions[] = {
	"MessageLoop::RunTask",        "ChannelReader::DispatchInputData",
	"LayerTreeHost::UpdateLayers", "GLES2DecoderImpl::HandleAsyncTexImage2DCHROMIUM",
	"TileManager::ManageTiles",    "Paint",
	"MemoryCache::prune()",        "GpuCommandBufferStub::PollWork",
	"Scheduler::SetNeedsCommit",   "V8.Execute",
	"WebViewImpl::layout",         "TaskGraphRunner::RunTask"};

static const char *one_of(const char *const *list, size_t n)
{
	return list[below((uint32_t)n)];
}
#define ONE_OF(list) one_of(list, sizeof(list) / sizeof(list)[0])

/* In the shares of a page load as Chrome recorded it: where it was posted from, two numbers, an object, nothing. */
static const char *catapult_args(void)
{
	static char text[200];
	uint32_t of_ten = below(10);
	if (of_ten < 4)
		snprintf(text, sizeof text,
			 "{\"src_file\":\"../../content/common/gpu/gpu_channel_%" PRIu32 ".cc\",\"src_func\":\"%s\"}",
			 below(40), ONE_OF(functions));
	else if (of_ten < 6)
		snprintf(text, sizeof text, "{\"class\":%" PRIu32 ",\"line\":%" PRIu32 "}", below(70), below(900));
	else if (of_ten < 7)
		snprintf(text, sizeof text,
			 "{\"data\":{\"frame\":\"0x%" PRIx32 "\",\"url\":\"http://example.org/page/%" PRIu32
			 "\",\"type\":\"resize\"}}",
			 below(1 << 30), below(100));
	else if (of_ten < 8)
		snprintf(text, sizeof text, "{\"layerTreeId\":%" PRIu32 "}", below(9));
	else
		snprintf(text, sizeof text, "{}");
	return text;
}

static void catapult_complete(int lane, int64_t ts, int64_t dur)
{
	int64_t cpu_us = dur - below((uint32_t)dur / 2 + 1), thread_us = clock_us[lane] / 3;
	const char *cat = ONE_OF(categories), *name = ONE_OF(functions), *args = catapult_args();
	switch (below(3)) {
	case 0:
		put(",",
		    "{\"cat\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRId64
		    ",\"ph\":\"X\",\"name\":\"%s\",\"args\":%s,\"dur\":%" PRId64 ",\"tdur\":%" PRId64
		    ",\"tts\":%" PRId64 "}",
		    cat, pid_of(lane), tid_of(lane), ts, name, args, dur, cpu_us, thread_us);
		return;
	case 1:
		put(",",
		    "{\"pid\":%d,\"tid\":%d,\"ts\":%" PRId64
		    ",\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"args\":%s,\"dur\":%" PRId64 ",\"tdur\":%" PRId64
		    ",\"tts\":%" PRId64 "}",
		    pid_of(lane), tid_of(lane), ts, cat, name, args, dur, cpu_us, thread_us);
		return;
	default:
		put(",",
		    "{\"name\":\"%s\",\"args\":%s,\"pid\":%d,\"ts\":%" PRId64 ",\"dur\":%" PRId64
		    ",\"cat\":\"%s\",\"tid\":%d,\"ph\":\"X\"}",
		    name, args, pid_of(lane), ts, dur, cat, tid_of(lane));
	}
}

/* An entry of any other phase; more: members after the others, each with a comma before it. */
static void catapult_point(int lane, char phase, int64_t ts, const char *name, const char *args, const char *more)
{
	put(",",
	    "{\"cat\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRId64
	    ",\"ph\":\"%c\",\"name\":\"%s\",\"args\":%s,\"tts\":%" PRId64 "%s}",
	    phase >= 'a' ? "net" : "cc", pid_of(lane), tid_of(lane), ts, phase, name, args, ts / 3, more);
}

static void catapult_async(int lane, int64_t ts, int64_t dur)
{
	char id[40];
	snprintf(id, sizeof id, ",\"id\":\"0x%" PRIx32 "\"", 0x10000 + below(1 << 30));
	catapult_point(lane, 'b', ts, "URL_REQUEST", "{\"source_type\":\"URL_REQUEST\"}", id);
	if (below(3) == 0)
		catapult_point(lane, 'n', ts + dur / 2, "URL_REQUEST_JOB", "{}", id);
	catapult_point(lane, 'e', ts + dur, "URL_REQUEST", "{}", id);
}

static void catapult_extra(int lane, int64_t ts, int64_t dur)
{
	char more[64];
	switch (below(24)) {
	case 0:
	case 1:
		catapult_async(lane, ts, dur);
		break;
	case 2:
		catapult_point(lane, 'i', ts, "NeedsBeginFrameChanged", "{}", ",\"s\":\"t\"");
		break;
	case 3:
		snprintf(more, sizeof more, "{\"value\":%" PRIu32 "}", below(1 << 20));
		catapult_point(lane, 'C', ts, "GpuMemoryUsage", more, "");
		break;
	case 4:
		snprintf(more, sizeof more, ",\"id\":%" PRIu64, entries);
		catapult_point(lane, 's', ts, "LatencyInfo.Flow", "{}", more);
		catapult_point(lane, 'f', ts + 1, "LatencyInfo.Flow", "{}", more);
		break;
	default:
		break;
	}
}

static void catapult_task(int lane, int64_t ts, int64_t dur, int depth)
{
	int paired = below(5) == 0;
	const char *name = ONE_OF(functions);
	if (paired)
		catapult_point(lane, 'B', ts, name, catapult_args(), "");
	else
		catapult_complete(lane, ts, dur);
	for (int64_t at = ts + 1, inner; depth < DEEPEST && ts + dur - at > 4; at += inner + 1) {
		inner = 1 + below((uint32_t)(ts + dur - at) * 2 / 3);
		catapult_task(lane, at, inner, depth + 1);
	}
	if (paired)
		catapult_point(lane, 'E', ts + dur, name, "{}", "");
	catapult_extra(lane, ts, dur);
}

/* ---- bazel -------------------------------------------------------------------------------------------------------------- */

static void bazel_task(int lane, int64_t ts, int64_t dur, int depth)
{
	static const char *const kinds[] = {"general information", "action processing",      "remote action execution",
					    "Filesystem stat",     "local action execution", "package creation"};
	static const char *const verbs[] = {"Compiling", "Linking", "Action", "Testing", "package", "subprocess.run"};
	static const char *const parts[] = {"core", "base", "lib", "proto", "server", "util", "tools", "third_party"};
	const char *a = ONE_OF(parts), *b = ONE_OF(parts);
	if (below(6) == 0)
		put(",\n",
		    "    {\"cat\":\"action processing\",\"name\":\"%s %s/%s/file_%" PRIu32
		    ".cc\",\"ph\":\"X\",\"ts\":%" PRId64 ",\"dur\":%" PRId64
		    ",\"pid\":1,\"args\":{\"mnemonic\":\"CppCompile\"},\"tid\":%d}",
		    ONE_OF(verbs), a, b, below(100), ts, dur, lane);
	else
		put(",\n",
		    "    {\"cat\":\"%s\",\"name\":\"%s %s/%s:target_%" PRIu32 "\",\"ph\":\"X\",\"ts\":%" PRId64
		    ",\"dur\":%" PRId64 ",\"pid\":1,\"tid\":%d}",
		    ONE_OF(kinds), ONE_OF(verbs), a, b, below(40), ts, dur, lane);
	if (below(4) == 0)
		put(",\n",
		    "    {\"name\":\"CPU usage (Bazel)\",\"cname\":\"good\",\"ph\":\"C\",\"ts\":%" PRId64
		    ",\"pid\":1,\"tid\":19,\"args\":{\"cpu\":\"%" PRIu32 ".%06" PRIu32 "\"}}",
		    ts, below(16), below(1000000));
	for (int64_t at = ts + 1, inner; depth < DEEPEST && ts + dur - at > 40; at += inner + 1) {
		inner = 1 + below((uint32_t)(ts + dur - at) * 2 / 3);
		bazel_task(lane, at, inner, depth + 1);
	}
}

/* ---- main --------------------------------------------------------------------------------------------------------------- */

static const struct shape {
	const char *name, *head, *metadata, *tail;
	void (*task)(int lane, int64_t ts, int64_t dur, int depth);
} shapes[] = {
	{"catapult", "{\"traceEvents\": [",
	 "{\"cat\":\"__metadata\",\"pid\":%d,\"tid\":%d,\"ts\":0,\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{"
	 "\"name\":\"Thread %d\"}}",
	 "]}\n", catapult_task},
	{"bazel", "{\"otherData\":{\"date\":\"Mon Aug 08 15:01:48 UTC 2022\"},\"traceEvents\":[\n",
	 "    "
	 "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%2$d,\"args\":{\"name\":\"skyframe-evaluator-%3$d\"}"
	 "}",
	 "\n  ]\n}\n", bazel_task},
};

static void write_trace(const struct shape *s, uint64_t count)
{
	bytes += (uint64_t)printf("%s", s->head);
	for (int lane = 0; lane < LANES; lane++)
		put(s == shapes ? "," : ",\n", s->metadata, pid_of(lane), s == shapes ? tid_of(lane) : lane, lane);
	for (int lane = 0; entries < count; lane = below(8) ? lane : (int)below(LANES)) { /* threads write in runs */
		int64_t dur = 20 + below(400);
		s->task(lane, INT64_C(456438987973) + clock_us[lane], dur, 0);
		clock_us[lane] += dur + 1 + below(200);
	}
	printf("%s", s->tail);
}

int main(int argc, char **argv)
{
	int opt;
	seed = 1;
	while ((opt = getopt(argc, argv, "s:")) == 's')
		seed = strtoull(optarg, NULL, 10);
	const struct shape *s = NULL;
	for (size_t i = 0; argc - optind == 2 && i < sizeof shapes / sizeof shapes[0]; i++)
		s = strcmp(argv[optind], shapes[i].name) ? s : &shapes[i];
	if (!s) {
		fprintf(stderr, "usage: gen_chrome [-s SEED] catapult|bazel COUNT\n");
		return 2;
	}
	write_trace(s, count_of(argv[optind + 1]));
	if (fflush(stdout))
		return 1;
	fprintf(stderr, "%s: %" PRIu64 " entries, %" PRIu64 " bytes, %.1f per entry\n", s->name, entries, bytes,
		(double)bytes / (double)entries);
	return 0;
}
