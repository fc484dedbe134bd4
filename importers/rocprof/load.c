/* importers/rocprof/load.c - tables of kernels, one dispatch a line: results.csv of rocprof and rocprofv2, kernel_trace.csv of rocprofv3. */
#include "fields.h"
#include <stdlib.h>
#include <string.h>
#include "importers/detail_texts.h"
#include "importers/file_names.h"
#include "importers/importer.h"
#include "model/store/base/memory.h"
#include "model/store/base/spans.h"

/* ---- columns, by their names ------------------------------------------------------------------------------------------------------ */

enum field_of {
	NAME,
	BEGIN,
	END,
	DEVICE,
	QUEUE,
	STREAM,
	CORRELATION,
	SHARED,
	REGISTERS,
	COUNTER,
	GRID,
	GRID_X,
	GRID_Y,
	GRID_Z,
	GROUP,
	GROUP_X,
	GROUP_Y,
	GROUP_Z,
	COLUMNS
};
/* In any case, with - for _. */
enum { MOST_SPELLINGS = 4 };
static const char *const spellings[COLUMNS][MOST_SPELLINGS] = {
	[NAME] = {"KernelName", "Kernel_Name"},
	[BEGIN] = {"BeginNs", "Start_Timestamp"},
	[END] = {"EndNs", "End_Timestamp", "Stop_Timestamp"},
	[DEVICE] = {"gpu_id", "Agent_Id"},
	[QUEUE] = {"queue_id"},
	[STREAM] = {"Stream_Id"},
	[CORRELATION] = {"Correlation_Id"},
	[SHARED] = {"lds", "LDS_Per_Workgroup", "LDS_Block_Size", "Group_Segment_Size"},
	[REGISTERS] = {"arch_vgpr", "vgpr", "VGPR_Count"},
	[COUNTER] = {"Counter_Name"},
	[GRID] = {"grd", "Grid_Size"},
	[GRID_X] = {"Grid_Size_X"},
	[GRID_Y] = {"Grid_Size_Y"},
	[GRID_Z] = {"Grid_Size_Z"},
	[GROUP] = {"wgr", "Workgroup_Size"},
	[GROUP_X] = {"Workgroup_Size_X"},
	[GROUP_Y] = {"Workgroup_Size_Y"},
	[GROUP_Z] = {"Workgroup_Size_Z"},
};

struct table {
	unsigned place[COLUMNS]; /* which field; MOST_FIELDS = none */
	unsigned fields;
};

static bool is_spelled(struct span s, const char *name)
{
	if (s.n != strlen(name))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i] == '-' ? '_' : s.p[i];
		if (strncasecmp(&c, name + i, 1) != 0)
			return false;
	}
	return true;
}

static unsigned find(const struct fields *head, enum field_of c)
{
	for (unsigned i = 0; i < head->n && i < MOST_FIELDS; i++)
		for (unsigned k = 0; k < MOST_SPELLINGS && spellings[c][k]; k++)
			if (is_spelled(head->at[i], spellings[c][k]))
				return i;
	return MOST_FIELDS;
}

/* False: no table of dispatches with their times. One of rocprofv3's counters has a line per counter, and the same dispatch in several. */
static bool read_head(struct table *t, const struct fields *head)
{
	t->fields = head->n;
	for (enum field_of c = 0; c < COLUMNS; c++)
		t->place[c] = find(head, c);
	for (enum field_of c = NAME; c <= DEVICE; c++)
		if (t->place[c] == MOST_FIELDS)
			return false;
	return t->place[COUNTER] == MOST_FIELDS;
}

/* ---- lines ------------------------------------------------------------------------------------------------------------------------- */

enum { FIRST_LINE_BYTES = 4096, LONGEST_LINE_BYTES = 1 << 20 };

static size_t line_length(const char *p, size_t have, bool *ended)
{
	size_t n = have < LONGEST_LINE_BYTES ? have : LONGEST_LINE_BYTES;
	const char *newline = memchr(p, '\n', n);
	*ended = newline != NULL;
	return newline ? (size_t)(newline - p) : n;
}

static size_t without_return(const char *p, size_t n)
{
	return n && p[n - 1] == '\r' ? n - 1 : n;
}

static size_t mark_bytes(const void *p, size_t n)
{
	return n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static int sniff(const unsigned char *head, size_t n)
{
	struct fields *f = must(malloc(sizeof *f));
	struct table t;
	bool ended;
	size_t mark = mark_bytes(head, n), length = line_length((const char *)head + mark, n - mark, &ended);
	char *line = must(malloc(length + 1));
	memcpy(line, head + mark, length);
	bool known = ended && fields_cut(line, without_return(line, length), f) && read_head(&t, f);
	free(line);
	free(f);
	return known ? 100 : 0;
}

struct reader {
	struct ingest *in;
	struct source *src;
	struct notes *notes;
	struct strings *strings;
	struct attrs *attrs;
	struct table table;
	struct fields fields;
	str_id keys[MOST_FIELDS];
	str_id amd;
	uint32_t host;
	uint64_t taken;
	char line[LONGEST_LINE_BYTES + 1];
};

/* Copies the next line and goes behind it; `at` receives where it began. False: there is none. */
static bool next_line(struct reader *x, size_t *n, int64_t *at)
{
	size_t have, want = FIRST_LINE_BYTES;
	const char *p = (const char *)source_need(x->src, want, &have);
	bool ended;
	*n = line_length(p, have, &ended);
	while (!ended && have >= want && *n < LONGEST_LINE_BYTES) {
		p = (const char *)source_need(x->src, want *= 4, &have);
		*n = line_length(p, have, &ended);
	}
	*at = source_at(x->src);
	if (!have)
		return false;
	memcpy(x->line, p, *n);
	source_skip(x->src, *n + ended);
	*n = without_return(x->line, *n);
	return true;
}

/* ---- a dispatch ------------------------------------------------------------------------------------------------------------------- */

static struct span field(const struct reader *x, enum field_of c)
{
	unsigned i = x->table.place[c];
	return i < MOST_FIELDS ? x->fields.at[i] : (struct span){"", 0};
}

/* "4", or "Agent 4"; -1: no number. */
static int64_t number(const struct reader *x, enum field_of c)
{
	struct span s = field(x, c);
	int64_t v;
	if (span_starts_any_case(s, "agent ")) {
		s.p += 6;
		s.n -= 6;
	}
	return fields_int(s, &v) && v >= 0 ? v : -1;
}

/* As many fields as columns; lines of some versions end with a comma. */
static bool is_whole(const struct reader *x)
{
	for (unsigned i = x->table.fields; i < x->fields.n && i < MOST_FIELDS; i++)
		if (x->fields.at[i].n)
			return false;
	return x->fields.n >= x->table.fields && field(x, NAME).n && number(x, DEVICE) >= 0;
}

/* Where one number is told for the grid and one for the work-group, they count work-items of all dimensions. */
static void launch_shape(const struct reader *x, struct kernel_info *k)
{
	bool one = x->table.place[GRID_X] == MOST_FIELDS;
	k->static_smem_bytes = details_small(number(x, SHARED), DETAILS_MOST_LDS);
	k->registers = details_small(number(x, REGISTERS), DETAILS_MOST_REGISTERS);
	for (int i = 0; i < 3; i++) {
		int64_t items = one ? (i ? 1 : number(x, GRID)) : number(x, (enum field_of)(GRID_X + i));
		int64_t group = one ? (i ? 1 : number(x, GROUP)) : number(x, (enum field_of)(GROUP_X + i));
		k->block[i] = details_small(group, DETAILS_MOST_GROUP);
		k->grid[i] = details_groups(items, group);
	}
}

static attr_at recorded(struct reader *x)
{
	attrs_begin(x->attrs);
	for (unsigned i = 0; i < x->table.fields && i < MOST_FIELDS; i++) {
		struct span s = x->fields.at[i];
		int64_t v;
		if (i == x->table.place[NAME] || i == x->table.place[BEGIN] || i == x->table.place[END] || !s.n)
			continue;
		if (fields_int(s, &v))
			attrs_put_int(x->attrs, x->keys[i], v);
		else
			attrs_put_str(x->attrs, x->keys[i], s.p, s.n);
	}
	return attrs_end(x->attrs);
}

static uint32_t stream(struct reader *x)
{
	uint32_t device = ingest_device(x->in, x->host, number(x, DEVICE));
	int64_t key = number(x, STREAM) >= 0 ? number(x, STREAM) : number(x, QUEUE);
	ingest_device_info(x->in, device)->vendor = x->amd;
	return ingest_track(x->in, TRACK_STREAM, device, key >= 0 ? key : 0, 0);
}

static void take_line(struct reader *x, size_t n, int64_t at)
{
	struct event_in e = {.group = -1, .at = at, .kind = KIND_KERNEL};
	struct kernel_info k;
	int64_t end;
	x->notes->entries++;
	if (!fields_cut(x->line, n, &x->fields) || !is_whole(x)) {
		notes_add(x->notes, NOTE_BAD_RECORD, at, 1);
		return;
	}
	if (!fields_int(field(x, BEGIN), &e.start_ns) || !fields_int(field(x, END), &end) || end < e.start_ns ||
	    __builtin_sub_overflow(end, e.start_ns, &e.dur_ns)) {
		notes_add(x->notes, NOTE_BAD_TIME, at, 1);
		return;
	}
	kernel_info_init(&k);
	launch_shape(x, &k);
	e.corr = number(x, CORRELATION) > 0 ? (uint64_t)number(x, CORRELATION) : 0;
	e.name = strings_add(x->strings, field(x, NAME).p, field(x, NAME).n);
	e.track = stream(x);
	e.kernel = &k;
	e.attrs = recorded(x);
	x->taken++;
	ingest_event(x->in, &e);
}

/* ---- the file ----------------------------------------------------------------------------------------------------------------------- */

static bool take_head(struct reader *x)
{
	size_t n;
	int64_t at;
	if (!next_line(x, &n, &at))
		return false;
	size_t mark = mark_bytes(x->line, n);
	if (!fields_cut(x->line + mark, n - mark, &x->fields) || !read_head(&x->table, &x->fields))
		return false;
	for (unsigned i = 0; i < x->table.fields && i < MOST_FIELDS; i++)
		x->keys[i] = strings_add(x->strings, x->fields.at[i].p, x->fields.at[i].n);
	return true;
}

static bool take_lines(struct reader *x, struct progress *p, struct err *e)
{
	size_t n;
	int64_t at;
	bool known = take_head(x);
	while (known && next_line(x, &n, &at)) {
		if (progress_cancelled(p))
			return err_usage(e, "cancelled");
		/* rocprofv2 leaves a line free behind the first one */
		if (n)
			take_line(x, n, at);
	}
	return x->taken || err_set(e, source_name(x->src), -1,
				   "a table of rocprof without a kernel that has a name, a GPU and its times");
}

static bool load(struct source *src, struct ingest *in, struct progress *p, struct err *e)
{
	struct reader *x = must(calloc(1, sizeof *x));
	char host[256];
	host_in_name(source_name(src), host, sizeof host);
	x->in = in;
	x->src = src;
	x->notes = ingest_notes(in);
	x->strings = ingest_strings(in);
	x->attrs = ingest_attrs(in);
	x->amd = strings_addz(x->strings, "AMD");
	x->host = ingest_host(in, host, rank_in_name(source_name(src)));
	ingest_fact(in, "producer", "rocprof");
	bool ok = take_lines(x, p, e);
	if (source_damage(src))
		notes_add(x->notes, NOTE_STREAM_DAMAGED, source_at(src), 1);
	free(x);
	return ok;
}

static const char *const endings[] = {"results.csv", "kernel_trace.csv", NULL};
const struct importer importer_rocprof = {.name = "rocprof",
					  .what = "a table of kernels of rocprof (results.csv, kernel_trace.csv)",
					  .endings = endings,
					  .sniff = sniff,
					  .load = load,
					  .traits = SOURCE_PROFILER,
					  .producer = "rocprof"};
