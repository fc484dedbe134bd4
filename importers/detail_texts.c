#include "detail_texts.h"
#include "model/store/base/op_text.h"
#include "model/store/base/spans.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- tokens ----------------------------------------------------------------------------------------------------- */
struct token {
	struct span key, value;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Takes one blank-separated word off *text; returns false at the end. A word without a colon has an empty key. */
static bool next_token(struct span *text, struct token *t)
{
	while (text->n && is_blank(*text->p))
		text->p++, text->n--;
	if (!text->n)
		return false;
	size_t n = 0, colon = 0;
	bool found = false;
	for (; n < text->n && !is_blank(text->p[n]); n++) {
		if (text->p[n] == ':' && !found)
			colon = n, found = true;
	}
	*t = (struct token){{text->p, found ? colon : 0},
			    {text->p + (found ? colon + 1 : 0), found ? n - colon - 1 : n}};
	text->p += n, text->n -= n;
	return true;
}

enum number { NUMBER_NONE, NUMBER_FITS, NUMBER_TOO_LARGE };

/* The whole span as an unsigned decimal. */
static enum number read_number(struct span s, uint64_t *out)
{
	uint64_t v = 0;
	if (!s.n)
		return NUMBER_NONE;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return NUMBER_NONE;
		if (__builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, (uint64_t)(s.p[i] - '0'), &v))
			return NUMBER_TOO_LARGE;
	}
	*out = v;
	return NUMBER_FITS;
}

/* A count as a 32-bit field; unknown when it is no number or does not fit. */
static uint32_t read_u32(struct span s)
{
	uint64_t v;
	return read_number(s, &v) == NUMBER_FITS && v < UNKNOWN_U32 ? (uint32_t)v : UNKNOWN_U32;
}

/* A percentage with an optional fraction; hand-written because strtod obeys the locale and wants a NUL. */
static float read_percent(struct span s)
{
	double v = 0, unit = 1;
	bool dot = false, digits = false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.' && !dot) {
			dot = true;
			continue;
		}
		if (s.p[i] < '0' || s.p[i] > '9')
			return NAN;
		digits = true;
		v = v * 10 + (s.p[i] - '0');
		unit *= dot ? 10 : 1;
	}
	return digits ? (float)(v / unit) : NAN;
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */
/* clang-format off */
/*  key                            field                largest value that hardware can have */
#define KERNEL_NUMBERS(_)                                               \
	_("regs",                       registers,          1024)       \
	_("registers_per_thread",       registers,          1024)       \
	_("static_shared",              static_smem_bytes,  1 << 20)    \
	_("static_shared_memory_usage", static_smem_bytes,  1 << 20)    \
	_("shm",                        static_smem_bytes,  1 << 20)    \
	_("group_mem",                  static_smem_bytes,  1 << 20)    \
	_("dynamic_shared",             dynamic_smem_bytes, 1 << 20)    \
	_("dynamic_shared_memory_usage", dynamic_smem_bytes, 1 << 20)   \
	_("grid_x",                     grid[0],            INT32_MAX)  \
	_("grid_y",                     grid[1],            INT32_MAX)  \
	_("grid_z",                     grid[2],            INT32_MAX)  \
	_("block_x",                    block[0],           1024)       \
	_("block_y",                    block[1],           1024)       \
	_("block_z",                    block[2],           1024)
/* clang-format on */

static const struct kernel_number {
	const char *key;
	size_t field;
	uint32_t largest;
} kernel_numbers[] = {
#define ROW(key, field, largest) {key, offsetof(struct kernel_info, field), largest},
	KERNEL_NUMBERS(ROW)
#undef ROW
};
enum { LARGEST_GRID = INT32_MAX, LARGEST_BLOCK = 1024 };

static const struct kernel_number *kernel_number(struct span key)
{
	for (size_t i = 0; i < sizeof kernel_numbers / sizeof *kernel_numbers; i++)
		if (span_is(key, kernel_numbers[i].key))
			return &kernel_numbers[i];
	return NULL;
}

/* Takes "X" off "X,Y,Z". */
static struct span next_dimension(struct span *list)
{
	const char *comma = memchr(list->p, ',', list->n);
	struct span one = {list->p, comma ? (size_t)(comma - list->p) : list->n};
	size_t used = one.n + (comma ? 1 : 0);
	list->p += used, list->n -= used;
	return one;
}

static void read_dimensions(struct span list, uint32_t out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = list.n ? read_u32(next_dimension(&list)) : 1;
}

static bool kernel_token(const struct token *t, struct kernel_info *k)
{
	const struct kernel_number *num = kernel_number(t->key);
	if (num) {
		uint32_t v = read_u32(t->value);
		memcpy((char *)k + num->field, &v, sizeof v);
	} else if (span_is(t->key, "grid")) {
		read_dimensions(t->value, k->grid);
	} else if (span_is(t->key, "block")) {
		read_dimensions(t->value, k->block);
	} else if (span_is(t->key, "occ_pct")) {
		k->occupancy_pct = read_percent(t->value);
	} else {
		return false;
	}
	return true;
}

bool details_kernel(const char *p, size_t n, struct kernel_info *k)
{
	struct span text = {p, n};
	struct token t;
	bool any = false;
	while (next_token(&text, &t))
		any |= kernel_token(&t, k);
	return any;
}

static bool above(struct span s, uint64_t largest)
{
	uint64_t v;
	enum number r = read_number(s, &v);
	return r == NUMBER_TOO_LARGE || (r == NUMBER_FITS && v > largest);
}

static bool dimensions_above(struct span list, uint64_t largest)
{
	while (list.n)
		if (above(next_dimension(&list), largest))
			return true;
	return false;
}

static bool absurd_token(const struct token *t)
{
	const struct kernel_number *num = kernel_number(t->key);
	if (num)
		return above(t->value, num->largest);
	if (span_is(t->key, "grid"))
		return dimensions_above(t->value, LARGEST_GRID);
	if (span_is(t->key, "block"))
		return dimensions_above(t->value, LARGEST_BLOCK);
	return span_is(t->key, "occ_pct") && read_percent(t->value) > 100;
}

bool details_kernel_absurd(const char *p, size_t n)
{
	struct span text = {p, n};
	struct token t;
	while (next_token(&text, &t))
		if (absurd_token(&t))
			return true;
	return false;
}

/* ---- copies ----------------------------------------------------------------------------------------------------- */
/* clang-format off */
static const struct { const char *word; uint8_t kind; } memory_words[] = {
	{"pageable", MEM_PAGEABLE}, {"pinned", MEM_PINNED}, {"device", MEM_DEVICE}, {"device_static", MEM_DEVICE},
	{"array", MEM_ARRAY},       {"managed", MEM_MANAGED}, {"managed_static", MEM_MANAGED}, {"unknown", MEM_UNKNOWN},
};
static const struct { const char *word; uint8_t kind; } direction_words[] = {
	{"h2d", COPY_H2D}, {"htod", COPY_H2D}, {"host_to_device", COPY_H2D},
	{"d2h", COPY_D2H}, {"dtoh", COPY_D2H}, {"device_to_host", COPY_D2H},
	{"d2d", COPY_D2D}, {"dtod", COPY_D2D}, {"device_to_device", COPY_D2D},
	{"p2p", COPY_P2P}, {"ptop", COPY_P2P}, {"peer_to_peer", COPY_P2P},
	{"h2h", COPY_H2H}, {"htoh", COPY_H2H}, {"host_to_host", COPY_H2H},
	{"hosttodevice", COPY_H2D}, {"devicetohost", COPY_D2H}, {"devicetodevice", COPY_D2D}, {"hosttohost", COPY_H2H},
};
/* clang-format on */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool memory_word(struct span s, uint8_t *kind)
{
	for (size_t i = 0; i < sizeof memory_words / sizeof *memory_words; i++) {
		if (span_is_any_case(s, memory_words[i].word)) {
			*kind = memory_words[i].kind;
			return true;
		}
	}
	return false;
}

/* A direction at the front of s that is not the beginning of a longer word. */
static bool direction_word(struct span s, uint8_t *kind)
{
	for (size_t i = 0; i < sizeof direction_words / sizeof *direction_words; i++) {
		size_t n = strlen(direction_words[i].word);
		if (span_starts_any_case(s, direction_words[i].word) && (s.n == n || !is_word(s.p[n]))) {
			*kind = direction_words[i].kind;
			return true;
		}
	}
	return false;
}

static struct span behind(struct span s, size_t n)
{
	return (struct span){s.p + n, s.n - n};
}

static bool copy_kind_token(struct span v, struct copy_info *c)
{
	struct span dir = span_starts_any_case(v, "memcpy") ? behind(v, strlen("memcpy")) : v;
	return direction_word(dir, &c->kind) || memory_word(v, &c->dst);
}

static bool copy_token(const struct token *t, struct copy_info *c)
{
	uint64_t v;
	if (span_is(t->key, "kind_src"))
		return memory_word(t->value, &c->src);
	if (span_is(t->key, "kind_dst"))
		return memory_word(t->value, &c->dst);
	if (span_is(t->key, "kind"))
		return copy_kind_token(t->value, c);
	if (span_is(t->key, "size") || span_is(t->key, "num_bytes")) {
		bool fits = read_number(t->value, &v) == NUMBER_FITS && v <= INT64_MAX;
		c->bytes = fits ? (int64_t)v : UNKNOWN_I64;
		return true;
	}
	if (span_is(t->key, "async")) { /* a mask of flags since TensorFlow 2.4, 0 or 1 before */
		c->is_async = read_number(t->value, &v) == NUMBER_FITS ? v != 0 : 255;
		return true;
	}
	if (!span_is(t->key, "dest") && !span_is(t->key, "destination"))
		return false;
	c->to_device = read_number(t->value, &v) == NUMBER_FITS && v <= INT16_MAX ? (int16_t)v : -1;
	return true;
}

static bool on_host(uint8_t m)
{
	return m == MEM_PAGEABLE || m == MEM_PINNED;
}

static bool on_device(uint8_t m)
{
	return m == MEM_DEVICE || m == MEM_ARRAY;
}

/* Managed memory may be on either side, so it decides nothing. */
static void kind_from_memories(struct copy_info *c)
{
	if (on_host(c->src) && on_device(c->dst))
		c->kind = COPY_H2D;
	else if (on_device(c->src) && on_host(c->dst))
		c->kind = COPY_D2H;
	else if (on_device(c->src) && on_device(c->dst))
		c->kind = COPY_D2D;
	else if (on_host(c->src) && on_host(c->dst))
		c->kind = COPY_H2H;
}

bool details_copy(const char *p, size_t n, struct copy_info *c)
{
	struct span text = {p, n};
	struct token t;
	bool any = false;
	while (next_token(&text, &t))
		any |= copy_token(&t, c);
	if (c->kind == COPY_UNKNOWN)
		kind_from_memories(c);
	return any;
}

/* "(Pageable -> Device)" or "(Device)" somewhere after the direction. */
static void memories_in_name(struct span s, struct copy_info *c)
{
	const char *open = memchr(s.p, '(', s.n);
	if (!open)
		return;
	uint8_t *to[] = {&c->src, &c->dst};
	const char *end = s.p + s.n;
	int found = 0;
	for (const char *w = open; w < end && found < 2;) {
		const char *b = w;
		while (w < end && is_word(*w))
			w++;
		found += memory_word((struct span){b, (size_t)(w - b)}, to[found]);
		w += w == b;
	}
	if (found == 1) {
		c->dst = c->src;
		c->src = MEM_UNKNOWN;
	}
}

static bool is_separator(char c)
{
	return c == ' ' || c == '_' || c == ':';
}

/* Takes the word that announces a copy off the front; "Copy" alone is too common a word, it wants a direction after it. */
static bool copy_word(struct span *s, uint8_t *kind)
{
	static const char *const words[] = {"UM_BYTES_TRANSFER", "memcpy", "Copy"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!span_starts_any_case(*s, words[i]))
			continue;
		struct span rest = behind(*s, strlen(words[i]));
		while (rest.n && is_separator(*rest.p))
			rest = behind(rest, 1);
		bool directed = direction_word(rest, kind);
		if (!directed && i == 2)
			return false;
		*s = rest;
		return true;
	}
	return false;
}

bool details_copy_name(const char *p, size_t n, struct copy_info *c)
{
	struct span s = {p, n};
	uint8_t kind = COPY_UNKNOWN;
	if (span_starts_any_case(s, "memset") && (n == 6 || !is_word(p[6])))
		kind = COPY_MEMSET;
	else if (!copy_word(&s, &kind))
		return false;
	c->kind = kind;
	if (span_starts_any_case((struct span){p, n}, "UM_BYTES_TRANSFER"))
		c->src = c->dst = MEM_MANAGED;
	memories_in_name(s, c);
	return true;
}

/* ---- AMD ------------------------------------------------------------------------------------------------------------ */

uint32_t details_small(int64_t v, int64_t most)
{
	return v >= 0 && v <= most ? (uint32_t)v : UNKNOWN_U32;
}

uint32_t details_groups(int64_t items, int64_t group)
{
	return group > 0 && items >= 0 ? details_small(items / group + (items % group != 0), INT32_MAX) : UNKNOWN_U32;
}

static bool says(const char *p, size_t n, const char *word)
{
	return n && memmem(p, n, word, strlen(word));
}

enum copy_kind details_rocm_direction(const char *p, size_t n)
{
	return says(p, n, "HOST_TO_DEVICE")     ? COPY_H2D
	       : says(p, n, "DEVICE_TO_HOST")   ? COPY_D2H
	       : says(p, n, "DEVICE_TO_DEVICE") ? COPY_D2D
	       : says(p, n, "HOST_TO_HOST")     ? COPY_H2H
						: COPY_UNKNOWN;
}

const char *details_copy_text(enum copy_kind k)
{
	return k == COPY_H2D   ? "Memcpy HtoD"
	       : k == COPY_D2H ? "Memcpy DtoH"
	       : k == COPY_D2D ? "Memcpy DtoD"
	       : k == COPY_P2P ? "Memcpy PtoP"
	       : k == COPY_H2H ? "Memcpy HtoH"
			       : "Memcpy";
}

enum event_kind details_rocm_call(const char *p, size_t n)
{
	if (says(p, n, "MARKER") || says(p, n, "ROCTX") || says(p, n, "RCCL"))
		return KIND_ANNOTATION;
	return says(p, n, "HIP") || says(p, n, "HSA") ? KIND_RUNTIME : KIND_OTHER;
}

/* ---- ops ------------------------------------------------------------------------------------------------------------ */

void details_tf_op(struct strings *s, const char *p, size_t n, str_id *op, str_id *op_type)
{
	struct op_name t = op_name_parse((struct span){n ? p : "", n});
	*op = strings_add(s, t.name.p, t.name.n);
	*op_type = strings_add(s, t.type.p, t.type.n);
}
