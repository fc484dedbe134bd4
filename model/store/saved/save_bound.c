/* model/store/saved/save_bound.c - which sections there are, and how much a file of some size may unpack to. */
#include "save_private.h"
#include <string.h>

/* What an element of a section costs in memory, as a multiple of its plain bytes: structures made from numbers exist beside
 * them, texts get an entry in a table each, a word of two empty texts a structure. Rows of events are bounded by their
 * number; blocks of attributes are unpacked one at a time, but one attribute may stretch over all of them: a quarter counts. */
enum { OF_EVENTS = 0, AS_IT_IS = 1, TWICE = 2, TEXTS = 10, WORDS = 16, BLOCKS = 16 * 1024 / sizeof(uint32_t) };

/* clang-format off */
static const struct {
	const char *name;
	uint32_t times;
} sections[] = {
	{"words", WORDS},
	{"string_sizes", TEXTS},
	{"string_bytes", TWICE},
	{"hosts", TWICE},
	{"processes", TWICE},
	{"devices", TWICE},
	{"tracks", TWICE},
	{"flows", TWICE},
	{"kernel_hlo", AS_IT_IS},
	{"kernels_tell_op", AS_IT_IS},
	{"copy_hlo", AS_IT_IS},
	{"copy_devices", AS_IT_IS},
	{"samples", AS_IT_IS},
	{"attr_blocks", OF_EVENTS},
	{"attr_sizes", BLOCKS},
	{"attr_hashes", TWICE},
	{"attr_total", AS_IT_IS},
	{"attr_coder", AS_IT_IS},
	{"kind", OF_EVENTS},
	{"attrs", OF_EVENTS},
	{"links", OF_EVENTS},
	{"corrs", OF_EVENTS},
	{"group", OF_EVENTS},
#define ROW_SECTION(section, field, codec) {section, OF_EVENTS},
	SAVE_ROWS(ROW_SECTION)
#undef ROW_SECTION
#define SIDE_SECTION(ID, rows, type, section, columns, whose, saved) {section, SIDE_##saved == SIDE_AS_ROWS ? AS_IT_IS : TWICE},
	SIDE_TABLES(SIDE_SECTION)
#undef SIDE_SECTION
};
/* clang-format on */
enum { SECTIONS = sizeof sections / sizeof sections[0] };

static bool is(const char *section, const char *name)
{
	return strncmp(section, name, sizeof((struct save_section){0}).name) == 0;
}

/* Index into sections, SECTIONS when it is none of them. */
static unsigned which(const char *section)
{
	unsigned i = 0;
	while (i < SECTIONS && !is(section, sections[i].name))
		i++;
	return i;
}

bool save_knows(const char *section)
{
	return which(section) < SECTIONS;
}

/* False when the sum is beyond 64 bits. */
static bool add_cost(const struct save_section *s, uint64_t *bytes)
{
	uint64_t cost;
	unsigned i = which(s->name);
	uint32_t times = i < SECTIONS ? sections[i].times : 0;
	return !__builtin_mul_overflow(s->count, (uint64_t)s->size * times, &cost) &&
	       !__builtin_add_overflow(*bytes, cost, bytes);
}

/* What is above the allowance, as bytes of file of which each allows `each` more. */
static uint64_t least(uint64_t want, uint64_t allowed, uint64_t each)
{
	return want <= allowed ? 0 : (want - allowed - 1) / each + 1;
}

uint64_t save_least_bytes(const struct save_section *table, uint32_t n)
{
	uint64_t bytes = 0, events = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (!add_cost(&table[i], &bytes))
			return UINT64_MAX;
		if (is(table[i].name, "kind") && table[i].count > events)
			events = table[i].count;
	}
	if (events >= UINT32_MAX) /* a row's number has 32 bits */
		return UINT64_MAX;
	/* the larger of two bounds: rows are cheap per byte of file, all else is compared with its own bytes */
	uint64_t for_events = least(events, SAVE_ANY_EVENTS, SAVE_EVENTS_PER_BYTE);
	uint64_t for_rest = least(bytes, SAVE_ANY_BYTES + events * SAVE_BYTES_PER_EVENT, SAVE_TIMES_STORED);
	return for_events > for_rest ? for_events : for_rest;
}
