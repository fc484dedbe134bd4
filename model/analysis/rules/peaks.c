#include "peaks.h"
#include "rules_file.h"
#include "model/analysis/names/device_vendor.h"
#include "model/store/base/arena.h"
#include "model/store/base/embed.h"
#include "model/store/base/memory.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

EMBED(peaks_rules, "model/analysis/rules/peaks.rules");

enum { PEAKS_VERSION = 1 };

/* clang-format off */
#define SECTIONS(_)             \
	_(PER_SM, "per-sm")     \
	_(AMD,    "amd")        \
	_(DEVICE, "device")
/* columns of [per-sm] in the file's order */
#define RATES(_)                                  \
	_(CORE_FP64) _(CORE_FP32) _(CORE_FP16) _(CORE_BF16) \
	_(MATRIX_FP64) _(MATRIX_TF32) _(MATRIX_FP16) _(MATRIX_BF16) _(MATRIX_FP8) _(MATRIX_INT8) \
	_(SHARED)
/* columns of [device] in the file's order */
#define LIMITS(_) _(SMS) _(MHZ) _(MEMORY) _(HOST) _(PEERS)
/* clang-format on */

enum section {
#define SECTION_ENUM(id, word) SECTION_##id,
	SECTIONS(SECTION_ENUM)
#undef SECTION_ENUM
		SECTION_COUNT
};
enum rate {
#define RATE_ENUM(id) RATE_##id,
	RATES(RATE_ENUM)
#undef RATE_ENUM
		RATE_COUNT
};
enum limit {
#define LIMIT_ENUM(id) LIMIT_##id,
	LIMITS(LIMIT_ENUM)
#undef LIMIT_ENUM
		LIMIT_COUNT
};
static const char *const section_words[] = {
#define SECTION_WORD(id, word) word,
	SECTIONS(SECTION_WORD)
#undef SECTION_WORD
};

struct arch {
	const char *name;
	int64_t capability; /* 100 * major + minor; 0 = named otherwise */
	double per_clock[RATE_COUNT];
};
struct alias {
	int64_t capability;
	const char *arch;
	double sms;        /* NaN = any */
	const char *board; /* "-" = none */
};
struct board {
	const char *arch;
	double limit[LIMIT_COUNT];
	struct rule_match match;
};
struct peak_table {
	struct arena mem;
	struct arch *archs;
	struct alias *amd;
	struct board *boards;
	uint32_t n_archs, n_amd, n_boards;
};

/* ---- reading -------------------------------------------------------------------------------------------------------- */

/* Rows of one list, one more than there are. */
static void *one_more(struct peak_table *t, void *at, uint32_t n, size_t size)
{
	return arena_grow(&t->mem, at, n * size, (n + 1u) * size);
}

static bool read_numbers(struct rules_reader *in, char **rest, double *out, int n)
{
	for (int i = 0; i < n; i++) {
		const char *word = rules_next_word(rest);
		char *end = NULL;
		bool unknown = strcmp(word, "-") == 0;
		out[i] = unknown ? NAN : strtod(word, &end);
		if (!*word || (!unknown && (*end || !(out[i] >= 0))))
			return rules_complain(in, "expected a number or - instead of", word);
	}
	return true;
}

/* "8.6" -> 806; 0 for other texts. */
static int64_t capability_of(const char *word)
{
	char *end;
	long major = strtol(word, &end, 10), minor = end != word && *end == '.' ? strtol(end + 1, &end, 10) : -1;
	return *end || minor < 0 || minor > 99 || major < 1 || major > 999 ? 0 : major * 100 + minor;
}

static bool read_arch(struct rules_reader *in, const char *word, char *rest)
{
	struct peak_table *t = in->ctx;
	t->archs = one_more(t, t->archs, t->n_archs, sizeof *t->archs);
	struct arch *a = &t->archs[t->n_archs++];
	*a = (struct arch){.name = word, .capability = capability_of(word)};
	return read_numbers(in, &rest, a->per_clock, RATE_COUNT);
}

static bool read_alias(struct rules_reader *in, const char *word, char *rest)
{
	struct peak_table *t = in->ctx;
	t->amd = one_more(t, t->amd, t->n_amd, sizeof *t->amd);
	struct alias *a = &t->amd[t->n_amd++];
	*a = (struct alias){.capability = capability_of(word), .arch = rules_next_word(&rest)};
	TRY(read_numbers(in, &rest, &a->sms, 1));
	a->board = rules_next_word(&rest);
	return a->capability || rules_complain(in, "expected MAJOR.MINOR instead of", word);
}

/* The line's first word is its first number. */
static bool read_board(struct rules_reader *in, const char *word, char *rest)
{
	struct peak_table *t = in->ctx;
	char *first = arena_strdup(in->mem, word);
	t->boards = one_more(t, t->boards, t->n_boards, sizeof *t->boards);
	struct board *b = &t->boards[t->n_boards];
	*b = (struct board){0};
	TRY(read_numbers(in, &first, b->limit, 1));
	TRY(read_numbers(in, &rest, b->limit + 1, LIMIT_COUNT - 1));
	const char *arch = rules_next_word(&rest);
	b->arch = strcmp(arch, "-") ? arch : NULL;
	TRY(rule_match_read(in, rest, &b->match));
	t->n_boards++;
	return true;
}

static bool read_line(struct rules_reader *in, const char *word, char *rest)
{
	switch (in->section) {
	case SECTION_PER_SM:
		return read_arch(in, word, rest);
	case SECTION_AMD:
		return read_alias(in, word, rest);
	default:
		return read_board(in, word, rest);
	}
}

struct peak_table *peaks_read(const char *text, size_t n, struct err *e)
{
	static const struct rules_format format = {
		"table of peaks", PEAKS_VERSION, section_words, SECTION_COUNT, RULE_WAYS_PLAIN | RULE_BIT(FIND),
		read_line};
	struct peak_table *t = must(calloc(1, sizeof *t));
	struct rules_reader in = {.format = &format, .mem = &t->mem, .ctx = t, .err = e};
	if (rules_read(&in, text, n))
		return t;
	peaks_free(t);
	return NULL;
}

struct peak_table *peaks_builtin(struct err *e)
{
	return peaks_read(peaks_rules, EMBED_SIZE(peaks_rules), e);
}

void peaks_free(struct peak_table *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->n_boards; i++)
		rule_match_free(&t->boards[i].match);
	arena_free(&t->mem);
	free(t);
}

/* ---- which rows fit a device ---------------------------------------------------------------------------------------- */

static const struct board *find_board(const struct peak_table *p, const char *name)
{
	struct rule_text text;
	rule_text_open(&text, name);
	for (uint32_t i = 0; *name && i < p->n_boards; i++)
		if (rule_matches(&p->boards[i].match, &text))
			return &p->boards[i];
	return NULL;
}

static const struct arch *arch_named(const struct peak_table *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_archs; i++)
		if (!strcmp(p->archs[i].name, name))
			return &p->archs[i];
	return NULL;
}

/* The highest row that is not above it. */
static const struct arch *arch_of_capability(const struct peak_table *p, int64_t capability)
{
	const struct arch *best = NULL;
	for (uint32_t i = 0; i < p->n_archs; i++) {
		const struct arch *a = &p->archs[i];
		if (a->capability && a->capability <= capability && (!best || a->capability > best->capability))
			best = a;
	}
	return best;
}

static int64_t capability_of_device(const struct device *d)
{
	bool known = d->cc_major > 0 && d->cc_major < 1000 && d->cc_minor >= 0 && d->cc_minor < 100;
	return known ? d->cc_major * 100 + d->cc_minor : 0;
}

static const struct alias *alias_of(const struct peak_table *p, const struct device *d)
{
	for (uint32_t i = 0; i < p->n_amd; i++)
		if (p->amd[i].capability == capability_of_device(d) &&
		    (isnan(p->amd[i].sms) || p->amd[i].sms == (double)d->sms))
			return &p->amd[i];
	return NULL;
}

static const struct arch *find_arch(const struct peak_table *p, const struct trace *t, const struct device *d,
				    const struct board *b)
{
	if (b && b->arch)
		return arch_named(p, b->arch);
	if (!device_is_amd(t, d))
		return arch_of_capability(p, capability_of_device(d));
	const struct alias *a = alias_of(p, d);
	return a ? arch_named(p, a->arch) : NULL;
}

/* ---- numbers -------------------------------------------------------------------------------------------------------- */

static double given_or(int64_t given, double unit, double otherwise)
{
	return given > 0 ? (double)given * unit : otherwise;
}

static double limit_of(const struct board *b, enum limit l, double unit)
{
	return b ? b->limit[l] * unit : NAN;
}

/* clang-format off */
static const struct {
	uint8_t precision, core, matrix; /* RATE_COUNT: none */
} rate_rows[] = {
	{PREC_FP64, RATE_CORE_FP64, RATE_MATRIX_FP64},
	{PREC_FP32, RATE_CORE_FP32, RATE_COUNT},
	{PREC_TF32, RATE_CORE_FP32, RATE_MATRIX_TF32},
	{PREC_FP16, RATE_CORE_FP16, RATE_MATRIX_FP16},
	{PREC_BF16, RATE_CORE_BF16, RATE_MATRIX_BF16},
	{PREC_SIXTEEN, RATE_CORE_FP16, RATE_MATRIX_FP16},
	{PREC_FP8,  RATE_COUNT,     RATE_MATRIX_FP8},
	{PREC_INT8, RATE_COUNT,     RATE_MATRIX_INT8},
};
/* clang-format on */

static void put_rates(struct peaks *out, const struct arch *a)
{
	double clocks = out->sms * out->clock_hz;
	for (size_t i = 0; i < sizeof rate_rows / sizeof *rate_rows; i++) {
		int to = rate_rows[i].precision, core = rate_rows[i].core, matrix = rate_rows[i].matrix;
		out->core_flops[to] = core == RATE_COUNT ? NAN : clocks * a->per_clock[core];
		out->matrix_flops[to] = matrix == RATE_COUNT ? 0 : clocks * a->per_clock[matrix];
	}
	out->shared_bytes_per_s = clocks * a->per_clock[RATE_SHARED];
	out->arch = a->name;
}

struct peaks peaks_of(const struct peak_table *p, const struct trace *t, uint32_t device)
{
	const struct device *d = trace_device(t, device);
	bool amd = device_is_amd(t, d);
	const struct alias *alias = amd && !d->name ? alias_of(p, d) : NULL;
	const struct board *b = find_board(p, alias ? alias->board : trace_str(t, d->name));
	const struct arch *a = find_arch(p, t, d, b);
	struct peaks out = {.shared_bytes_per_s = NAN, .name = b ? b->match.text : NULL};
	for (int i = 0; i < PEAK_PRECISIONS; i++)
		out.core_flops[i] = out.matrix_flops[i] = NAN;
	out.sms = given_or(d->sms, 1, limit_of(b, LIMIT_SMS, 1));
	out.clock_hz = given_or(d->clock_khz, 1e3, limit_of(b, LIMIT_MHZ, 1e6));
	double board_memory = limit_of(b, LIMIT_MEMORY, 1e9);
	bool doubtful = amd && board_memory > 0;
	out.memory_bytes_per_s = doubtful ? board_memory : given_or(d->memory_bytes_per_s, 1, board_memory);
	out.host_bytes_per_s = limit_of(b, LIMIT_HOST, 1e9);
	out.peer_bytes_per_s = limit_of(b, LIMIT_PEERS, 1e9);
	if (a)
		put_rates(&out, a);
	return out;
}

/* NaN counts as less than any number. */
static double larger(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

double peaks_flops(const struct peaks *p, enum precision precision, bool matrix)
{
	enum precision at = precision == PREC_UNKNOWN ? PREC_FP32 : precision;
	double best = matrix ? larger(p->core_flops[at], p->matrix_flops[at]) : p->core_flops[at];
	if (best > 0)
		return best;
	return at == PREC_BF16 || at == PREC_FP8 ? peaks_flops(p, at == PREC_FP8 ? PREC_FP16 : PREC_FP32, matrix) : NAN;
}

double peaks_highest(const struct peaks *p)
{
	static const enum precision any[] = {PREC_FP32, PREC_TF32, PREC_FP16, PREC_BF16};
	double best = NAN;
	for (size_t i = 0; i < sizeof any / sizeof *any; i++)
		best = larger(best, peaks_flops(p, any[i], true));
	return best;
}
