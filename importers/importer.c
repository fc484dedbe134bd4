#include "importer.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct importer *const importers[] = {
#define IMPORTER_ROW(name) &importer_##name,
	IMPORTERS(IMPORTER_ROW)
#undef IMPORTER_ROW
};
enum { IMPORTER_COUNT = sizeof importers / sizeof importers[0] };

const struct importer *const *importer_list(unsigned *n)
{
	*n = IMPORTER_COUNT;
	return importers;
}

const struct importer *importer_for(const unsigned char *head, size_t n, int *score)
{
	const struct importer *best = NULL;
	int highest = 0;
	for (unsigned i = 0; i < IMPORTER_COUNT; i++) {
		int s = importers[i]->sniff(head, n);
		if (s > highest) {
			highest = s;
			best = importers[i];
		}
	}
	if (score)
		*score = highest;
	return best;
}

/* ---- names of files ------------------------------------------------------------------------------------------------ */

/* How much of `name` stands before `ending`, packed or not; -1 when it does not end so. */
static long before_ending(const char *name, const char *ending)
{
	static const char *const packings[] = {"", ".gz", ".zst"};
	size_t n = strlen(name), k = strlen(ending);
	for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
		size_t p = strlen(packings[i]);
		if (n >= k + p && !strcmp(name + n - p, packings[i]) && !strncmp(name + n - p - k, ending, k))
			return (long)(n - p - k);
	}
	return -1;
}

bool importer_is_name(const char *name)
{
	size_t n = strlen(name);
	for (unsigned i = 0; i < IMPORTER_COUNT; i++)
		for (const char *const *ending = importers[i]->endings; *ending; ending++)
			if (before_ending(name, *ending) >= 0)
				return true;
	return n >= 3 && strcmp(name + n - 3, ".gz") == 0; /* what browsers call a download */
}

bool importer_is_run_name(const char *name)
{
	for (unsigned i = 0; i < IMPORTER_COUNT; i++)
		if (importers[i]->run_ending && before_ending(name, importers[i]->run_ending) >= 0)
			return true;
	return false;
}

bool importer_is_ending(const char *text)
{
	for (unsigned i = 0; i < IMPORTER_COUNT; i++)
		for (const char *const *ending = importers[i]->endings; *ending; ending++)
			if (before_ending(text, *ending) == 0)
				return true;
	return false;
}

/* ---- what we know and do not read ------------------------------------------------------------------------------ */

#define EXPORT "`nsys export --type sqlite -o REPORT.sqlite REPORT.nsys-rep`, and open REPORT.sqlite"
#define REPORT "a report of Nsight Systems, whose format is closed; export it where nsys is installed: " EXPORT

/* clang-format off */
#define FOREIGN(_)                                                                                                       \
	_(0, "NVIDIA Tegra Profiler Report", REPORT)                                                                     \
	_(0, "QDSTRM", "a raw stream of Nsight Systems: make a report of it with `QdstrmImporter -i FILE`, then an export: " EXPORT) \
	_(0, "NVR\0", "an Nsight Compute report: it holds single kernels, not a timeline")                               \
	_(0, "\x83\xaf\x70\xd1\x0d\x88\x4a\x3f", "a Riegeli record file: convert it to an XSpace (.xplane.pb) first")    \
	_(0, "PK\3\4", "a zip archive in another one, or through a pipe: unpack it and open what is in it")              \
	_(0, "PAR1", "a Parquet table; of an Nsight Systems report make " EXPORT)                                        \
	_(0, "BZh", "a bzip2 file: unpack it first")                                                                     \
	_(0, "version https://git-lfs", "a pointer of Git LFS in place of the file: fetch the file with `git lfs pull`")    \
	_(0, "\xfd" "7zXZ", "an xz file: unpack it first")                                                               \
	_(0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive: unpack it first")                                                  \
	_(0, "\x04\x22\x4d\x18", "an lz4 file: unpack it first")                                                        \
	_(0, "\xff\xfe", "text in UTF-16, as some shells write: `iconv -f UTF-16 -t UTF-8 FILE > new.json`, and open that") \
	_(0, "\xfe\xff", "text in UTF-16, as some shells write: `iconv -f UTF-16 -t UTF-8 FILE > new.json`, and open that") \
	_(0, "\x80\4\x95", "a Python pickle; of PyTorch's memory snapshot: record allocations in the trace, profile(profile_memory=True)") \
	_(0, "\x80\5\x95", "a Python pickle; of PyTorch's memory snapshot: record allocations in the trace, profile(profile_memory=True)") \
	_(0, "PERFILE2", "a recording of Linux perf: samples of processors, not a trace of events")                      \
	_(257, "ustar", "a tar archive in another one, or through a pipe: unpack it and open what is in it")
/* clang-format on */

static const char *by_magic(const unsigned char *head, size_t n)
{
	static const struct {
		size_t at, size;
		const char *magic, *sentence;
	} table[] = {
#define FOREIGN_ROW(at, magic, sentence) {at, sizeof magic - 1, magic, sentence},
		FOREIGN(FOREIGN_ROW)
#undef FOREIGN_ROW
	};
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (n >= table[i].at + table[i].size && memcmp(head + table[i].at, table[i].magic, table[i].size) == 0)
			return table[i].sentence;
	return memmem(head, n < 512 ? n : 512, "QuadDCommon", 11) ? REPORT : NULL;
}

static size_t after_varint(const unsigned char *head, size_t n, size_t i)
{
	while (i < n && head[i] & 0x80)
		i++;
	return i + 1;
}

/* Two formats begin like an XSpace, with a message in field 1; what that message begins with tells them apart. */
static const char *by_first_message(const unsigned char *head, size_t n)
{
	size_t i = after_varint(head, n, 1);
	if (n < 8 || head[0] != 0x0a || i + 2 >= n)
		return NULL;
	bool packet = head[i] == 0x18 || head[i] == 0x32 || head[i] == 0x40 || head[i] == 0x50 ||
		      (head[i] == 0x8a && head[i + 1] == 0x02) || (head[i] == 0xca && head[i + 1] == 0x05);
	if (packet)
		return "a Perfetto trace in its binary form: convert it with `traceconv json` first";
	/* map<uint32, Device>: key, then a message that begins with its name */
	if (head[i] != 0x08)
		return NULL;
	i = after_varint(head, n, i + 1);
	if (i >= n || head[i] != 0x12)
		return NULL;
	i = after_varint(head, n, i + 1);
	return i < n && head[i] == 0x0a
		       ? "a TensorFlow trace of the years before XSpace (trace-viewer protobuf): record "
			 "again with TensorFlow 2.2 or later"
		       : NULL;
}

static bool begins(const unsigned char *p, size_t n, const char *word)
{
	size_t k = strlen(word);
	return n >= k && strncasecmp((const char *)p, word, k) == 0;
}

static bool is_text(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n && i < 4096; i++)
		if (p[i] < 0x20 && !isspace(p[i]))
			return false;
	return n > 0;
}

/* An object whose first member is that of the library under rocprofv3. */
static bool is_sdk_json(const unsigned char *p, size_t n)
{
	size_t i = 1;
	while (i < n && isspace(p[i]))
		i++;
	return *p == '{' && i < n && begins(p + i, n - i, "\"rocprofiler-sdk-tool\"");
}

/* clang-format off */
#define FOREIGN_JSON(_)                                                                                                  \
	_("speedscope.app/file-format", "a profile for speedscope: stacks and no timeline; of `py-spy record`, record again with --format chrometrace") \
	_("-chakra.", "an execution trace of PyTorch (Chakra): the graph of a run, not its timeline; open the profiler's trace") \
	_("\"callFrame\"", "a CPU profile of V8: samples and no timeline; record a trace (DevTools' Performance panel, node --trace-events-enabled)") \
	_("\"stackTable\"", "a profile of Firefox's profiler: samples, not a trace of events")
/* clang-format on */

/* JSON of other programs, by a word that stands at its head. Where a trace may follow, the importer looks. */
static const char *by_json_word(const unsigned char *head, size_t n)
{
	static const struct {
		const char *word, *sentence;
	} table[] = {
#define FOREIGN_JSON_ROW(word, sentence) {word, sentence},
		FOREIGN_JSON(FOREIGN_JSON_ROW)
#undef FOREIGN_JSON_ROW
	};
	if (memmem(head, n, "\"ph\"", 4) || memmem(head, n, "\"traceEvents\"", 13))
		return NULL;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (memmem(head, n < 512 ? n : 512, table[i].word, strlen(table[i].word)))
			return table[i].sentence;
	return NULL;
}

static const char *by_text(const unsigned char *head, size_t n)
{
	size_t i = n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	while (i < n && isspace(head[i]))
		i++;
	if (i == n)
		return n ? "nothing but blanks" : "the file is empty";
	const unsigned char *p = head + i;
	if (begins(p, n - i, "<!doctype html") || begins(p, n - i, "<html"))
		return "an HTML page, not a trace: download the file itself, or export JSON from the viewer";
	if (is_sdk_json(p, n - i))
		return "JSON of rocprofv3, whose schema is for programs: record again without --output-format, and "
		       "open "
		       "the database, or with --output-format csv";
	if (*p == '{')
		return by_json_word(p, n - i);
	if (*p == '[' || *p < 0x20 || !is_text(p, n - i))
		return NULL;
	if (begins(p, n - i, "Index,KernelName,"))
		return "a table of rocprof without times: record again with `rocprof --timestamp on`";
	const unsigned char *line = memchr(p, '\n', n - i);
	size_t first = line ? (size_t)(line - p) : n - i;
	return memchr(p, ',', first) ? "a table of text (CSV?), not a trace" : "plain text, not a trace";
}

enum { CERTAIN = 100 }; /* some tables of text are traces */

const char *importer_refusal(const unsigned char *head, size_t n)
{
	const char *why = by_magic(head, n);
	int score = 0;
	if (!why)
		why = by_first_message(head, n);
	if (why)
		return why;
	why = by_text(head, n);
	if (why)
		importer_for(head, n, &score);
	return score == CERTAIN ? NULL : why;
}
