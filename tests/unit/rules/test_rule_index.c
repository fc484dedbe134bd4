/* rule_index: lists with an index answer as those that ask each rule, for all rules that are built in and for all names of events of
 * all sample traces; pattern_words: which words a regular expression is known to need. */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "importers/open.h"
#include "model/analysis/rules/pattern_words.h"
#include "model/analysis/rules/rules_file.h"
#include "model/pattern.h"

/* ---- words ---------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *pattern,
		*words; /* with a comma between them; | where something is said of what stands there; "" = none are known */
} words[] = {
	{"gemm", "gemm"},
	{"^triton_", "|triton_"},
	{"splitK_?reduce", "splitK_reduce,splitKreduce"},
	{"all_?reduce_?(k|f)",
	 "all_reduce_k,allreduce_k,all_reducek,allreducek,all_reduce_f,allreduce_f,all_reducef,allreducef"},
	{"flash_(fwd|bwd)", "flash_fwd,flash_bwd"},
	{"(?:^|\\s)(regular|vector)_fft", "|regular_fft,|vector_fft"},
	{"(^|_)attn(_|$)", "|attn|"},
	{"(^|/|::)to(_f|\\.|$)", "::to_f,|to_f,::to|,|to|"},
	{"(?<![a-z])f16(?![0-9])", "|f16|"},
	{"[shc]gemm[0-9]", "cgemm|,hgemm|,sgemm|"},
	{"[a-z]gemm[0-9]+", "|gemm|"},
	{"x[shc]gemm", "xcgemm,xhgemm,xsgemm"},
	{"(a|b|c)(d|e|f)ghi", "adghi,bdghi,cdghi,aeghi,beghi,ceghi,afghi,bfghi,cfghi"},
	{"k(a|b|c)(d|e|f)(g|h|i)jkl", "gjkl,hjkl,ijkl"}, /* they would be too many */
	{"a?b?c?(def|g)", "def,g"},
	{"(x(y|z))?w(q)", "wq"},
	{"^_(fwd|bwd)_kernel", "|_fwd_kernel,|_bwd_kernel"},
	{"adam(_kernel|_cuda)", "adam_kernel,adam_cuda"},
	{"(to|add)\\w*Kernel", "to,add"},
	{"\\w*Kernel", "Kernel"},
	{"Kernel\\w*", "Kernel"},
	{"(fwd|bwd).*_kernel", "fwd,bwd"}, /* most kernels are called one */
	{"(one|two)_?shot", "one_shot,two_shot,oneshot,twoshot"},
	{"imma|dmma", "imma,dmma"},
	{"a(b|c(d|e)f)", "ab,acdf,acef"},
	{"xmma_.*_(ffma|dfma)(_|$)", "xmma_"},
	{"_[cf]p32_", "_cp32_,_fp32_"},
	{"ab{0,2}cd", "cd"},
	{"ab{0}cde", "cde"},
	{"ab{2}cdef", "cdef"},
	{"xyz+", "xyz"},
	{"(?i)conv(?!ert)", "conv"},
	{"(?:abc)?de", "de"},
	{"(abc)+d", "abcd"},
	{"(abc){0}d", "d"},
	{"\\bdouble2?\\b", "double"},
	{"cudnn\\$\\.x", "cudnn$.x"},
	{"(?<![a-z])xdl", "|xdl"},
	{"a[]b]cd", "a]cd,abcd"},
	{"[ab]", "a,b"},
	{".*", ""},
	{"^", ""},
	{"abc|", ""},
	{"abc|.", ""},
	{"(?=abc)", ""},
	{"a|(?=bcd)", ""},
	{"(?!a)abc", ""}, /* nowhere */
	/* what is not read at all */
	{"abc(?#d)", ""},
	{"(?x)a b", ""},
	{"(abc)\\1", ""},
	{"\\Qabc\\E", ""},
	{"(*ACCEPT)abc", ""},
	{"\\x61bc", ""},
	{"[[:alpha:]]bc", ""},
	{"a{b", ""},
	{"(?<n>abc)", "abc"},
	{"(?|abc)", ""},
	{"stra\xc3\x9f\x65", ""},
};

static void words_of_patterns(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct arena mem = {0};
		char got[256] = "";
		struct rule_words w = pattern_words(&mem, words[i].pattern, strlen(words[i].pattern), false);
		for (uint32_t k = 0; k < w.n; k++)
			snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s%.*s%s", k ? "," : "",
				 w.at[k].before ? "|" : "", (int)w.at[k].n, w.at[k].text, w.at[k].behind ? "|" : "");
		if (strcmp(got, words[i].words))
			fail_msg("'%s' gives '%s' instead of '%s'", words[i].pattern, got, words[i].words);
		arena_free(&mem);
	}
}

/* Where words, and what stands beside them, are all that matters. */
static void words_that_are_enough(void **state)
{
	static const struct {
		const char *pattern;
		bool enough, any_case;
	} patterns[] = {
		{"nccl|rccl", true, false},    {"(layer|rms)_?norm|all", true, false},
		{"^nccl", true, false},        {"nccl\\b", false, false},
		{"nccl(?!x)", true, false},    {"nccl(?!xy)", false, false},
		{"nccl+", false, false},       {"nc[cx]l", true, false},
		{"nc[a-z]l", false, false},    {"nc++l", false, false},
		{"(?>nc|ncc)l", false, false}, {"(^|[_:])(lamb_|lambstage)", true, false},
		{"(?i)nccl", false, true},     {"pool|(?i:quant)", false, true},
		{"abc|", false, false},        {"abcdefghijklmnopqrstuvwxyz", false, false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		struct arena mem = {0};
		struct rule_words w = pattern_words(&mem, patterns[i].pattern, strlen(patterns[i].pattern), false);
		if (w.enough != patterns[i].enough || w.any_case != patterns[i].any_case)
			fail_msg("'%s': enough %d, any case %d", patterns[i].pattern, w.enough, w.any_case);
		arena_free(&mem);
	}
}

/* ---- the rules of all files, in lists that ask each rule and in lists with an index ------------------------------------ */

static const char *const sections[] = {"helper",     "tensor-core", "precision", "eligible-op", "eligible-kernel",
				       "collective", "options",     "kernel",    "op",          "otherwise",
				       "copying"};
enum { SECTIONS = sizeof sections / sizeof *sections, OPTIONS = 6 };

struct set {
	struct arena mem;
	struct pattern_budget budget;
	struct rule_list lists[SECTIONS];
};

static bool read_rule(struct rules_reader *in, const char *word, char *rest)
{
	struct set *s = in->ctx;
	struct rule rule = {.says = in->line};
	if (in->section == OPTIONS || !strcmp(word, "default") || !strcmp(word, "trust"))
		return true;
	if (!rule_match_read(in, rest, &rule.match))
		return false;
	rule_list_add(&s->lists[in->section], &s->mem, &rule);
	return true;
}

static void read_set(struct set *s, const char *text, size_t n, bool with_index)
{
	struct err e = {.at = -1};
	struct rules_format format = {.what = "rules",
				      .version = 2,
				      .sections = sections,
				      .section_count = SECTIONS,
				      .ways = (1u << RULE_WAY_COUNT) - 1,
				      .line = read_rule};
	struct rules_reader in = {.format = &format, .mem = &s->mem, .ctx = s, .budget = &s->budget, .err = &e};
	pattern_budget_open_each(&s->budget);
	if (!rules_read(&in, text, n))
		fail_msg("%s", e.msg);
	struct rule_list *lists[] = {&s->lists[0], &s->lists[1], &s->lists[2],
				     &s->lists[3], &s->lists[4], &s->lists[5]};
	struct rule_list *families[] = {&s->lists[7], &s->lists[8], &s->lists[9], &s->lists[10]};
	if (!with_index)
		return;
	rule_lists_index(lists, sizeof lists / sizeof *lists, &s->mem);
	rule_lists_index(families, sizeof families / sizeof *families, &s->mem);
	assert_non_null(s->lists[0].index);
	assert_non_null(s->lists[10].index);
}

static void free_set(struct set *s)
{
	for (int i = 0; i < SECTIONS; i++)
		rule_list_free(&s->lists[i]);
	arena_free(&s->mem);
}

static struct sets {
	struct set each, indexed;
	uint32_t asked, found;
} sets[4];
enum { SETS = sizeof sets / sizeof *sets };

static char *read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	char *text = malloc(1 << 20);
	assert_non_null(text);
	*n = fread(text, 1, (1 << 20) - 1, f);
	text[*n] = '\0';
	fclose(f);
	return text;
}

static void open_sets(void)
{
	static const char *const files[SETS] = {"stepscope", "xprof", "kineto", "families"};
	for (int i = 0; i < SETS; i++) {
		char path[64];
		size_t n;
		snprintf(path, sizeof path, "model/analysis/rules/%s.rules", files[i]);
		char *text = read_file(path, &n);
		assert_non_null(text);
		read_set(&sets[i].each, text, n, false);
		read_set(&sets[i].indexed, text, n, true);
		free(text);
	}
}

static int line_of(const struct rule *rule)
{
	return rule ? rule->says : 0;
}

static void ask(const char *name)
{
	for (int i = 0; i < SETS; i++) {
		struct rule_text plain, indexed;
		rule_text_open(&plain, name);
		rule_text_open(&indexed, name);
		for (int s = 0; s < SECTIONS; s++) {
			int each = line_of(rule_list_find(&sets[i].each.lists[s], &plain));
			int quick = line_of(rule_list_find(&sets[i].indexed.lists[s], &indexed));
			if (each != quick)
				fail_msg("[%s] of set %d: line %d with an index, %d without, of '%.300s'", sections[s],
					 i, quick, each, name);
			sets[i].asked++;
			sets[i].found += each > 0;
		}
	}
}

/* Each name of a trace's events once. */
static void ask_trace(const char *path)
{
	struct err e = {.at = -1};
	struct trace *t = open_trace(&path, 1, &(struct open_opts){0}, &e);
	if (!t)
		return;
	const struct columns *c = trace_columns(t);
	uint8_t *met = calloc(strings_count(trace_strings(t)) + 1u, 1);
	assert_non_null(met);
	for (row_id r = 0; r < c->n; r++)
		if (!met[c->name[r]]) {
			met[c->name[r]] = 1;
			ask(trace_str(t, c->name[r]));
		}
	free(met);
	trace_free(t);
}

static int visit(const char *path, const struct stat *s, int type, struct FTW *ftw)
{
	(void)ftw;
	const char *end = strrchr(path, '.');
	if (type == FTW_F && s->st_size < 8 << 20 && end &&
	    (!strcmp(end, ".gz") || !strcmp(end, ".json") || !strcmp(end, ".pb")))
		ask_trace(path);
	return 0;
}

static void names_of_traces_are_answered_alike(void **state)
{
	(void)state;
	nftw("tests/traces", visit, 16, FTW_PHYS);
	nftw("../shared/traces", visit, 16, FTW_PHYS);
	for (int i = 0; i < SETS; i++)
		assert_true(sets[i].found > 100 && sets[i].asked > 2 * sets[i].found);
}

static void known_names_are_answered_alike(void **state)
{
	size_t n;
	char *text = read_file("tests/golden/kernel_names.tsv", &n), *rest = text;
	(void)state;
	assert_non_null(text);
	for (char *line; (line = strsep(&rest, "\n"));) {
		char *tab = strrchr(line, '\t');
		ask(tab ? tab + 1 : line);
		ask(line);
	}
	free(text);
}

/* Pieces that rules look for, in places where they do not expect them: whole, cut, in other cases, with letters of other alphabets. */
/* clang-format off */
static const char *const pieces[] = {
	"nccl", "AllReduce", "all_reduce_kernel", "gemm", "sgemm", "S884", "h1688", "fp", "16", "_MI16x16", "Cijk_A",
	"BBS_", "half", "_half_", "c10::Half", "float", "double2", "char", "<", ">", "(", ")", "::", "_", " ",
	"void ", "triton_", "red_fused_", "softMax", "k\xe2\x84\xaa", "\xc5\xbfoftmax", "\xe2\x84\xaa" "ernel",
	"\xc3\xa9", "\xff", "conv", "ert", "Winograd", "_DT_FLOAT_", "nvjet_", "ts", "st_", "wgmma", "Q", "cudnn",
	"e4m3", "flash_", "fwd", "aten::", "mm", "linear", "Backward0", "/MatMul", "_1", "memcpy", "elementwise",
	"radixSort", "\n", "{lambda()#1}"};
/* clang-format on */

enum { PIECES = sizeof pieces / sizeof *pieces, NAME_BYTES = 4096 };

static uint32_t random_below(uint32_t n)
{
	static uint64_t random = 88172645463325252u;
	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	return (uint32_t)(random >> 20) % n;
}

static void add_pieces(char *name, int n)
{
	for (int k = 0; k < n; k++)
		strcat(name, pieces[random_below(PIECES)]);
}

static void made_up_names_are_answered_alike(void **state)
{
	enum { NAMES = 20000, MOST = 7 };
	(void)state;
	for (int i = 0; i < NAMES; i++) {
		char name[NAME_BYTES] = "";
		add_pieces(name, i % MOST + 1);
		ask(name);
	}
}

/* The other name with something else in one place: a letter in the other case, a piece more, a few letters less. */
static void change(char *name, const char *other)
{
	enum { MOST_LESS = 40 };
	uint32_t n = (uint32_t)strlen(other), at = random_below(n), how = random_below(3);
	uint32_t less = how == 2 ? random_below(MOST_LESS) % (n - at) : 0;
	memcpy(name, other, at);
	name[at] = '\0';
	if (how == 1)
		add_pieces(name, 1);
	strcat(name, other + at + less);
	if (how == 0)
		name[at] ^= 0x20;
}

/* Letters that say nothing, so that a piece in the middle of them decides. */
static void add_quiet(char *name, uint32_t n)
{
	size_t at = strlen(name);
	memset(name + at, 'z', n);
	name[at + n] = '\0';
}

/* Of a name like one before only what differs is read. */
static void names_like_others_are_answered_alike(void **state)
{
	enum { NAMES = 500, OTHERS = 40, MOST = 12, MOST_QUIET = 60 };
	(void)state;
	for (int i = 0; i < NAMES; i++) {
		char name[NAME_BYTES] = "", other[NAME_BYTES];
		for (int k = i % MOST; k >= 0; k--) {
			add_quiet(name, random_below(MOST_QUIET) + 1);
			add_pieces(name, 1);
		}
		add_quiet(name, random_below(MOST_QUIET) + 1);
		ask(name);
		for (int k = 0; k < OTHERS; k++) {
			change(other, name);
			ask(other);
			if (k % 4 == 3)
				strcpy(name, other);
		}
	}
}

/* Of a long one four parts are read at once, which overlap by the longest word: a piece may lie where one begins, or the one before ends. */
static void long_names_are_answered_alike(void **state)
{
	enum { BYTES = 4800, PARTS = 4, OVERLAP = 255, AROUND = 24 };
	(void)state;
	for (size_t i = 0; i < PIECES; i++)
		for (size_t k = 0; k < (PARTS - 1) * AROUND; k++) {
			char name[BYTES + 1] = "";
			size_t begins = (k / AROUND + 1) * ((BYTES - OVERLAP) / PARTS) + (i % 2 ? OVERLAP : 0);
			add_quiet(name, BYTES);
			memcpy(name + begins + AROUND / 4 - k % AROUND, pieces[i], strlen(pieces[i]));
			ask(name);
		}
}

/* ---- what stands beside words --------------------------------------------------------------------------------------- */

static const char *const edges[] = {
	"^ab",      "ab$",          "^ab$",     "(^|_)ab(_|$)", "(?<![a-z])ab", "ab(?![b_])",     "(?<!a)b(?!b)$",
	"(?<=_)ab", "ab(?=_)",      "[a_]b",    "[^a]ba",       "b[^b]",        "(a|_)+b",        "b(a|_)*",
	"a?+ab",    "(?>a|ab)b",    "(?>ab|a)", "a*+ab",        "ab(_|bb|$)",   "(^|_|bb)a",      "^(a|bb)_?b",
	"(?!b)a",   "a(?!b)_",      "a(?=b)b",  "(?<!_)(a|_a)", "(a|^)b",       "(^|a)(^|b)_",    "(a|$)",
	"a(b|$)",   "a($|_)b",      "^$|aba",   "(?m)^ab",      "(?i)^ab$",     "\\bab",          "ab\\z",
	"[A-Z]b",   "(^|[^a-z])ab", "b\\s",     "b\\n?$",       "(?!ab)a",      "(?<![^_])a",     "(a|b)(_|a)(b|_)",
	"(a|_)?b$", "^a*b",         "_{2}a",    "a|^b|_$",      "(_|a(b|_))$",  "(?<!a)(?<!b)_a", "a(?!b)(?!_)"};

static bool says(const char *text, bool any_case, const char *pattern, bool with_index, struct rule_list *l,
		 struct arena *mem, struct pattern_budget *budget)
{
	struct rule_list *lists[] = {l};
	struct rule_text asked;
	if (!l->n) {
		struct rule rule = {
			.match = {.way = any_case ? RULE_REI : RULE_RE, .text = pattern, .n = strlen(pattern)}};
		rule.match.pattern =
			pattern_new("test", pattern, rule.match.n, any_case ? PATTERN_CASELESS : 0, budget, NULL, NULL);
		assert_non_null(rule.match.pattern);
		rule_list_add(l, mem, &rule);
		if (with_index)
			rule_lists_index(lists, 1, mem);
	}
	rule_text_open(&asked, text);
	return rule_list_find(l, &asked) != NULL;
}

/* Every text of few letters: the answer of words and edges is that of the regular expression. */
static void edges_of_words_are_those_of_patterns(void **state)
{
	static const char letters[] = "ab_A\n";
	enum { LETTERS = sizeof letters - 1, MOST = 5 };
	(void)state;
	for (size_t i = 0; i < 2 * sizeof edges / sizeof *edges; i++) {
		struct arena mem = {0};
		struct rule_list each = {0}, indexed = {0};
		struct pattern_budget budget;
		const char *pattern = edges[i / 2];
		pattern_budget_open_each(&budget);
		for (int n = 0, texts = 1; n <= MOST; n++, texts *= LETTERS)
			for (int k = 0; k < texts; k++) {
				char text[MOST + 1] = "";
				for (int at = 0, left = k; at < n; at++, left /= LETTERS)
					text[at] = letters[left % LETTERS];
				if (says(text, i % 2, pattern, false, &each, &mem, &budget) !=
				    says(text, i % 2, pattern, true, &indexed, &mem, &budget))
					fail_msg("'%s' is answered otherwise for '%s'%s", pattern, text,
						 i % 2 ? ", caseless" : "");
			}
		rule_list_free(&each);
		rule_list_free(&indexed);
		arena_free(&mem);
	}
}

/* Too many rules for an index: each is asked. */
static void many_rules_have_no_index(void **state)
{
	struct arena mem = {0};
	struct rule_list many = {0}, *lists[] = {&many};
	(void)state;
	for (int i = 0; i <= RULE_INDEX_RULES; i++)
		rule_list_add(&many, &mem, &(struct rule){.match = {.way = RULE_HAS, .text = "x", .n = 1}, .says = i});
	rule_lists_index(lists, 1, &mem);
	assert_null(many.index);
	struct rule_text text;
	rule_text_open(&text, "axb");
	assert_ptr_equal(rule_list_find(&many, &text), many.at);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_patterns),
		cmocka_unit_test(words_that_are_enough),
		cmocka_unit_test(known_names_are_answered_alike),
		cmocka_unit_test(edges_of_words_are_those_of_patterns),
		cmocka_unit_test(made_up_names_are_answered_alike),
		cmocka_unit_test(names_like_others_are_answered_alike),
		cmocka_unit_test(long_names_are_answered_alike),
		cmocka_unit_test(names_of_traces_are_answered_alike),
		cmocka_unit_test(many_rules_have_no_index),
	};
	open_sets();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	for (int i = 0; i < SETS; i++) {
		free_set(&sets[i].each);
		free_set(&sets[i].indexed);
	}
	return failed;
}
