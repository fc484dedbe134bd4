#include "settings.h"
#include <stdlib.h>
#include <string.h>

enum { FLUSH_MIN_MS = 5, FLUSH_DEFAULT_MS = 100, FLUSH_MAX_MS = 60000, RING_MAX_MB = 1024 };

/* The program may change its environment later: what is needed then is copied. Never freed, like the library. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? strdup(value) : NULL;
}

static bool is_on(const char *name)
{
	const char *value = getenv(name);
	return value && *value && strcmp(value, "0") != 0;
}

static uint64_t number(const char *name, uint64_t otherwise, uint64_t least, uint64_t most)
{
	const char *value = getenv(name);
	char *end;
	if (!value || *value < '0' || *value > '9')
		return otherwise;
	unsigned long long n = strtoull(value, &end, 10);
	if (*end)
		return otherwise;
	return n < least ? least : n > most ? most : n;
}

static uint64_t power_of_two(uint64_t n)
{
	uint64_t p = 1;
	while (p * 2 <= n)
		p *= 2;
	return p;
}

/* Bits of the kinds named in text ("default", "all", "kernel,copy"); unknown words are left out. */
static uint32_t settings_kinds(const char *text)
{
#define WORD_(name, word, on, what) {word, 1u << WIRE_##name},
	static const struct {
		const char *word;
		uint32_t bits;
	} words[] = {{"default", WIRE_DEFAULT_KINDS}, {"all", (1u << WIRE_KIND_COUNT) - 1}, WIRE_KINDS(WORD_)};
	uint32_t bits = 0;
	for (size_t n; text && *text; text += n + (text[n] == ',')) {
		n = strcspn(text, ",");
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (strlen(words[i].word) == n && !strncmp(words[i].word, text, n))
				bits |= words[i].bits;
	}
	return bits;
}

void settings_read(struct settings *s)
{
	const char *graphs = getenv("STEPSCOPE_GRAPHS");
	*s = (struct settings){
		.disabled = is_on("STEPSCOPE_DISABLE"),
		.yield = is_on("STEPSCOPE_YIELD"),
		.latency = is_on("STEPSCOPE_LATENCY"),
		.whole_graphs = graphs && !strcmp(graphs, "whole"),
		.start_kinds = settings_kinds(getenv("STEPSCOPE_START")),
		.flush_ms = (uint32_t)number("STEPSCOPE_FLUSH_MS", FLUSH_DEFAULT_MS, FLUSH_MIN_MS, FLUSH_MAX_MS),
		.ring_bytes = power_of_two(number("STEPSCOPE_RING_MB", WIRE_RING_BYTES >> 20, 1, RING_MAX_MB) << 20),
		.window_records = number("STEPSCOPE_WINDOW", 0, 1, 1 << 20) * 1000000,
		.viewer = variable("STEPSCOPE_VIEWER"),
		.cupti = variable("STEPSCOPE_CUPTI"),
		.raw = variable("STEPSCOPE_RAW"),
		.log = variable("STEPSCOPE_LOG"),
		.runtime_dir = variable("XDG_RUNTIME_DIR"),
	};
}
