#include "collective_name.h"
#include "kernel_name.h"
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { NAME_MOST = 256, WORDS_MOST = 48 };
enum factor { ONCE, OTHERS, TWICE_OTHERS };

static const struct {
	const char *word;
	enum factor factor;
} ops[] = {
#define COLLECTIVE_ROW(id, word, factor) {word, factor},
	COLLECTIVE_OPS(COLLECTIVE_ROW)
#undef COLLECTIVE_ROW
};

const char *collective_op_word(enum collective_op op)
{
	return op == COLLECTIVE_UNKNOWN ? NULL : ops[op].word;
}

bool collective_blocks(enum collective_op op)
{
	return op == COLLECTIVE_ALL_REDUCE || op == COLLECTIVE_ALL_GATHER || op == COLLECTIVE_REDUCE_SCATTER ||
	       op == COLLECTIVE_ALL_TO_ALL || op == COLLECTIVE_BARRIER;
}

double collective_bus_factor(enum collective_op op, int64_t n)
{
	double others = n > 1 ? (double)(n - 1) / (double)n : 1;
	return n < 2 || ops[op].factor == ONCE ? 1 : ops[op].factor == OTHERS ? others : 2 * others;
}

/* ---- element types ------------------------------------------------------------------------------------------------------ */

/* clang-format off */
static const struct {
	const char *spelling; /* case does not count, "c10::", "__" and a final "_t" are left out */
	const char *word;
	int bytes;
} dtypes[] = {
	{"float", "fp32", 4}, {"f32", "fp32", 4}, {"float32", "fp32", 4}, {"fp32", "fp32", 4},
	{"half", "fp16", 2}, {"f16", "fp16", 2}, {"float16", "fp16", 2}, {"fp16", "fp16", 2},
	{"bfloat16", "bf16", 2}, {"bf16", "bf16", 2}, {"nv_bfloat16", "bf16", 2}, {"hip_bfloat16", "bf16", 2}, {"rccl_bfloat16", "bf16", 2},
	{"double", "fp64", 8}, {"f64", "fp64", 8}, {"float64", "fp64", 8}, {"fp64", "fp64", 8},
	{"float8_e4m3fn", "fp8", 1}, {"float8_e5m2", "fp8", 1}, {"float8_e4m3fnuz", "fp8", 1}, {"float8_e5m2fnuz", "fp8", 1},
	{"f8e4m3", "fp8", 1}, {"f8e5m2", "fp8", 1}, {"fp8_e4m3", "fp8", 1}, {"fp8_e5m2", "fp8", 1}, {"fp8", "fp8", 1}, {"float8", "fp8", 1},
	{"int8", "int8", 1}, {"i8", "int8", 1}, {"char", "int8", 1}, {"signed char", "int8", 1},
	{"uint8", "uint8", 1}, {"u8", "uint8", 1}, {"byte", "uint8", 1}, {"unsigned char", "uint8", 1},
	{"int16", "int16", 2}, {"short", "int16", 2}, {"short int", "int16", 2},
	{"int32", "int32", 4}, {"i32", "int32", 4}, {"int", "int32", 4}, {"uint32", "uint32", 4}, {"u32", "uint32", 4},
	{"int64", "int64", 8}, {"i64", "int64", 8}, {"long", "int64", 8}, {"long int", "int64", 8}, {"uint64", "uint64", 8}, {"u64", "uint64", 8},
	{"bytes", NULL, 1}, /* a size alone is told */
	{"bool", "bool", 1}, {"complexfloat", "complex64", 8}, {"complexdouble", "complex128", 16},
};
/* clang-format on */

static int dtype_row(const char *p, size_t n)
{
	while (n && *p == '_') {
		p++;
		n--;
	}
	if (n > 5 && !strncmp(p, "c10::", 5)) {
		p += 5;
		n -= 5;
	}
	if (n > 2 && !strncmp(p + n - 2, "_t", 2))
		n -= 2;
	for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
		if (strlen(dtypes[i].spelling) == n && !strncasecmp(dtypes[i].spelling, p, n))
			return (int)i;
	return -1;
}

const char *collective_dtype(const char *spelling)
{
	int row = dtype_row(spelling, strlen(spelling));
	return row < 0 ? NULL : dtypes[row].word;
}

int collective_dtype_bytes(const char *spelling)
{
	int row = dtype_row(spelling, strlen(spelling));
	return row < 0 ? 0 : dtypes[row].bytes;
}

/* ---- what it is ----------------------------------------------------------------------------------------------------------- */

/* Looked for in the name without its underscores, in small letters; the first one counts. */
static const struct {
	const char *part;
	enum collective_op op;
} parts[] = {
	{"reducescatter", COLLECTIVE_REDUCE_SCATTER},
	{"allreduce", COLLECTIVE_ALL_REDUCE},
	{"allgather", COLLECTIVE_ALL_GATHER},
	{"alltoall", COLLECTIVE_ALL_TO_ALL},
	{"crossdevicereduce", COLLECTIVE_ALL_REDUCE},
	{"sendrecv", COLLECTIVE_SEND_RECV},
	{"collectivepermute", COLLECTIVE_SEND_RECV},
	{"broadcast", COLLECTIVE_BROADCAST},
	{"bcast", COLLECTIVE_BROADCAST},
	{"barrier", COLLECTIVE_BARRIER},
	{"reduce", COLLECTIVE_REDUCE},
	{"gather", COLLECTIVE_GATHER},
	{"scatter", COLLECTIVE_SCATTER},
	{"send", COLLECTIVE_SEND},
	{"recv", COLLECTIVE_RECV},
};

enum collective_op collective_of_record(const char *word)
{
	char text[NAME_MOST];
	size_t n = 0;
	for (const char *p = word; *p && *p != '(' && *p != '<' && n < sizeof text - 1; p++)
		if (*p != '_' && *p != '-')
			text[n++] = (char)tolower((unsigned char)*p);
	text[n] = '\0';
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strstr(text, parts[i].part))
			return parts[i].op;
	return COLLECTIVE_UNKNOWN;
}

/* ---- kernels ------------------------------------------------------------------------------------------------------------- */

struct words {
	struct {
		const char *p;
		size_t n;
	} at[WORDS_MOST];
	uint32_t n;
};

/* What parts words: each more than the one before. */
enum parting { PUNCTUATION, UNDERSCORES, CAPITALS };

static bool ends_word(const char *p, enum parting by)
{
	unsigned char a = (unsigned char)p[0], b = (unsigned char)p[1];
	if (!isalnum(b))
		return b != '_' || by >= UNDERSCORES;
	/* "ReduceRing", "LL128Kernel"; and "LLKernel", where the last of the capitals begins the next word */
	return by == CAPITALS && isupper(b) && (!isupper(a) || islower((unsigned char)p[2]));
}

/* The words of a name up to its parameters. */
static void words_of(const char *name, enum parting by, struct words *out)
{
	out->n = 0;
	for (const char *p = name; *p && *p != '(' && out->n < WORDS_MOST; p++) {
		if (!isalnum((unsigned char)*p) && (*p != '_' || by >= UNDERSCORES))
			continue;
		const char *from = p;
		while (p[1] && !ends_word(p, by))
			p++;
		out->at[out->n].p = from;
		out->at[out->n++].n = (size_t)(p + 1 - from);
	}
}

static const char *word_among(const struct words *w, const char *const (*list)[2], size_t n)
{
	for (size_t k = 0; k < n; k++)
		for (uint32_t i = 0; i < w->n; i++)
			if (strlen(list[k][0]) == w->at[i].n && !strncasecmp(list[k][0], w->at[i].p, w->at[i].n))
				return list[k][1];
	return NULL;
}
#define WORD_AMONG(w, list) word_among(w, list, sizeof(list) / sizeof *(list))

/* "..._Sum_f32_RING_LL", "...<c10::BFloat16>", "..._Sum___nv_bfloat16". */
static const char *dtype_of_kernel(const char *name)
{
	struct words w;
	for (int by = PUNCTUATION; by <= UNDERSCORES; by++) {
		words_of(name, (enum parting)by, &w);
		for (uint32_t i = 0; i < w.n; i++) {
			int row = dtype_row(w.at[i].p, w.at[i].n);
			if (row >= 0)
				return dtypes[row].word;
		}
	}
	return NULL;
}

/* "void c10d::(anonymous namespace)::multimem_all_reduce_kernel<...>(...)": its own name and template arguments, without casts: "(Mode)1". */
static void bare_kernel(const char *kernel, char name[NAME_MOST])
{
	size_t n = cxx_without_parameters(kernel, strlen(kernel)), at = 0;
	for (size_t i = 0; i < n; i++) {
		static const char nameless[] = "(anonymous namespace)";
		size_t cast = i && strchr("<,( ", kernel[i - 1]) && kernel[i] == '(' ? strcspn(&kernel[i], ")") : 0;
		if (n - i >= sizeof nameless - 1 && !strncmp(&kernel[i], nameless, sizeof nameless - 1))
			i += sizeof nameless - 2;
		else if (cast && i + cast < n)
			i += cast;
		else if (at < NAME_MOST - 1)
			name[at++] = kernel[i];
	}
	name[at] = '\0';
}

struct collective_name collective_of_kernel(const char *kernel)
{
	char name[NAME_MOST];
	bare_kernel(kernel, name);
	static const char *const algorithms[][2] = {{"ring", "ring"},     {"tree", "tree"},  {"nvlstree", "NVLS tree"},
						    {"nvls", "NVLS"},     {"pat", "PAT"},    {"collnet", "CollNet"},
						    {"direct", "direct"}, {"chain", "chain"}};
	static const char *const protocols[][2] = {{"LL128", "LL128"}, {"LL", "LL"}, {"simple", "simple"}};
	struct collective_name out = {.op = collective_of_record(name)};
	struct words w;
	words_of(name, CAPITALS, &w);
	/* "ll" and "direct" mean other things where no library of collectives is named: internode_ll is low latency */
	if (strcasestr(name, "ccl")) {
		out.algorithm = WORD_AMONG(&w, algorithms);
		out.protocol = WORD_AMONG(&w, protocols);
	}
	if (out.op != COLLECTIVE_SEND_RECV)
		out.dtype = dtype_of_kernel(name);
	return out;
}
