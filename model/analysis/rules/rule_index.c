#include "rule_index_private.h"
#include "pattern_words.h"
#include "model/analysis/names/demangle.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 1 << 14 };
/* Of a word: with more of them hardly a text fewer is named, but there are more states. */
enum { MOST_LETTERS = 12, MOST_OF_ENOUGH = RULE_WORD_SURE_BYTES /* where the word tells all */ };

/* While it is made: with which letters the words of a state go on, as a chain of states that are one letter longer. */
struct branch {
	uint16_t first, other; /* of its own chain, and the next one in the chain that it is in; 0 ends one */
	uint8_t letter;        /* that leads to it */
};
struct building {
	struct rule_index *x;
	struct arena *mem;
	uint32_t n_states, n_rows, n_letters, n_exact;
	struct branch *branches; /* by state */
};

/* What a caseless pattern also takes for k and s. */
static const struct rule_word odd_letters[] = {{.text = "\xe2\x84\xaa", .n = 3}, {.text = "\xc5\xbf", .n = 2}};

static unsigned char small(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c | 0x20) : c;
}

static struct rule_words words_of(const struct rule *rule, struct arena *mem)
{
	static const struct word_edge end = {.end = true};
	const struct rule_match *m = &rule->match;
	if (m->way == RULE_RE || m->way == RULE_REI)
		return pattern_words(mem, m->text, m->n, m->way == RULE_REI);
	struct rule_words w = {
		.at = arena_alloc(mem, sizeof *w.at), .n = 1, .any_case = m->way == RULE_FIND, .enough = true};
	*w.at = (struct rule_word){.text = m->text, .n = m->n};
	w.at->before = m->way == RULE_BEGINS || m->way == RULE_IS ? &end : NULL;
	w.at->behind = m->way == RULE_ENDS || m->way == RULE_IS ? &end : NULL;
	return w;
}

/* In texts of ASCII characters: how long they may be at most if a rule that may match does so for sure. */
static uint16_t sure_bytes(const struct rule *rule)
{
	return rule->match.way == RULE_FIND  ? RULE_TEXT_SMALL_BYTES
	       : rule->match.way == RULE_HAS ? UINT16_MAX
					     : RULE_PATTERN_BYTES;
}

static bool is_letter(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (small((unsigned char)c) >= 'a' && small((unsigned char)c) <= 'z');
}

/* What stands before a name in the readable text is before it in the mangled one, too, or a digit is: its length. */
static const struct word_edge *mangled_edge(const struct word_edge *readable, struct arena *mem)
{
	struct byte_set no_name = {0};
	struct word_edge *e = arena_alloc(mem, sizeof *e);
	for (unsigned c = 0; c < 256; c++)
		if (!is_letter((char)c) || (c >= '0' && c <= '9'))
			byte_set_add(&no_name, (unsigned char)c);
	*e = (struct word_edge){.bytes = no_name, .end = true};
	if (readable)
		word_edge_add(e, readable);
	return e;
}

/* The longest part of the word that stands in a mangled name as in the readable one; n 0: there is none. */
static struct rule_word mangled_part(struct rule_word w, struct arena *mem)
{
	struct rule_word best = {.text = w.text};
	for (size_t i = 0, n; i < w.n; i += n ? n : 1) {
		for (n = 0; i + n < w.n && is_letter(w.text[i + n]);)
			n++;
		if (n > best.n && !demangle_may_write(w.text + i, n))
			best = (struct rule_word){.text = w.text + i, .n = n};
	}
	if (best.text > w.text || w.before)
		best.before = mangled_edge(best.text > w.text ? NULL : w.before, mem);
	return best;
}

static struct rule_words mangled_parts(struct rule_words w, struct arena *mem)
{
	w.enough = false;
	for (uint32_t i = 0; i < w.n; i++) {
		w.at[i] = mangled_part(w.at[i], mem);
		if (!w.at[i].n)
			w.n = 0;
	}
	return w;
}

static struct rule_words beginnings(struct rule_words w)
{
	size_t most = w.enough ? MOST_OF_ENOUGH : MOST_LETTERS;
	for (uint32_t i = 0; i < w.n; i++)
		if (w.at[i].n > most) {
			w.at[i].n = most;
			w.at[i].behind = NULL;
			w.enough = false;
		}
	return w;
}

static struct rule_words searched(const struct rule_index *x, const struct rule *rule, struct arena *mem)
{
	struct rule_words w = words_of(rule, mem);
	return beginnings(x->of == RULE_INDEX_MANGLED ? mangled_parts(w, mem) : w);
}

/* ---- making --------------------------------------------------------------------------------------------------------- */

static void add_letters(struct building *b, const struct rule_word *w)
{
	for (size_t i = 0; i < w->n; i++) {
		uint8_t *letter = &b->x->letter[small((unsigned char)w->text[i])];
		if (!*letter)
			*letter = (uint8_t)++b->n_letters;
	}
}

static void add_capitals(struct rule_index *x)
{
	for (unsigned char c = 'A'; c <= 'Z'; c++)
		x->letter[c] = x->letter[small(c)];
}

static uint64_t *row_of(struct building *b, uint32_t state)
{
	struct rule_index *x = b->x;
	if (!x->seen[state]) {
		x->rules = arena_next_row(b->mem, x->rules, ++b->n_rows, sizeof *x->rules);
		x->seen[state] = (uint16_t)b->n_rows;
	}
	return x->rules[x->seen[state]];
}

static uint16_t branch_to(const struct building *b, uint32_t state, uint8_t letter)
{
	uint16_t to = b->branches[state].first;
	while (to && b->branches[to].letter != letter)
		to = b->branches[to].other;
	return to;
}

static uint16_t add_branch(struct building *b, uint32_t state, uint8_t letter)
{
	uint16_t to = (uint16_t)b->n_states++;
	b->branches[to] = (struct branch){.other = b->branches[state].first, .letter = letter};
	b->branches[state].first = to;
	return to;
}

/* The state after the word. */
static uint32_t add_word(struct building *b, const struct rule_word *w)
{
	uint32_t state = ROOT;
	for (size_t i = 0; i < w->n; i++) {
		uint8_t letter = b->x->letter[(unsigned char)w->text[i]];
		uint16_t to = branch_to(b, state, letter);
		state = to ? to : add_branch(b, state, letter);
		b->x->letters[state] = (uint8_t)(i + 1);
	}
	return state;
}

static const struct word_edge *kept_edge(struct building *b, const struct word_edge *e)
{
	return e ? memcpy(arena_alloc(b->mem, sizeof *e), e, sizeof *e) : NULL;
}

static void add_exact(struct building *b, uint32_t state, const struct rule_words *words, uint32_t i, uint32_t rule)
{
	struct rule_index *x = b->x;
	const struct rule_word *w = &words->at[i];
	x->exact = arena_next_row(b->mem, x->exact, ++b->n_exact, sizeof *x->exact);
	x->exact[b->n_exact] = (struct exact){.text = words->any_case ? NULL : arena_strndup(b->mem, w->text, w->n),
					      .n = (uint8_t)w->n,
					      .rule = (uint16_t)rule,
					      .next = x->first_exact[state],
					      .before = kept_edge(b, w->before),
					      .behind = kept_edge(b, w->behind)};
	x->first_exact[state] = (uint16_t)b->n_exact;
	if (w->behind)
		rule_index_set(x->look_behind, rule);
}

/* What a state's fallback has seen the state has seen, too. */
static void inherit(struct building *b, uint32_t state)
{
	struct rule_index *x = b->x;
	x->with_exact[state] = x->first_exact[state] ? (uint16_t)state : x->with_exact[b->x->fallback[state]];
	uint16_t theirs = x->seen[b->x->fallback[state]];
	if (!theirs)
		return;
	if (!x->seen[state]) {
		x->seen[state] = theirs;
		return;
	}
	for (int i = 0; i < RULE_INDEX_CELLS; i++)
		x->rules[x->seen[state]][i] |= x->rules[theirs][i];
}

/* A state goes on as its fallback does, but where it has words of its own. */
static void link_state(struct building *b, uint32_t state)
{
	struct rule_index *x = b->x;
	uint16_t *own = x->next + ((size_t)state << x->shift);
	const uint16_t *others = x->next + ((size_t)b->x->fallback[state] << x->shift);
	if (state != ROOT)
		memcpy(own, others, (b->n_letters + 1) * sizeof *own);
	for (uint16_t to = b->branches[state].first; to; to = b->branches[to].other) {
		uint8_t letter = b->branches[to].letter;
		b->x->fallback[to] = state == ROOT ? ROOT : others[letter] & STATE;
		inherit(b, to);
		own[letter] = (uint16_t)(to | (x->seen[to] || x->with_exact[to] ? ADDS : 0));
	}
}

/* Breadth first: every fallback, which is shorter, is finished before it is asked. Nothing of `next` is read before it is written, which
 * would cost each page of it two faults. */
static void link_states(struct building *b)
{
	b->x->next = arena_alloc(b->mem, ((size_t)b->n_states << b->x->shift) * sizeof *b->x->next);
	uint16_t *queue = must(malloc(b->n_states * sizeof *queue));
	uint32_t n = 0;
	queue[n++] = ROOT;
	for (uint32_t at = 0; at < n; at++) {
		link_state(b, queue[at]);
		for (uint16_t to = b->branches[queue[at]].first; to; to = b->branches[to].other)
			queue[n++] = to;
	}
	free(queue);
}

static uint32_t shift_for(uint32_t n_letters)
{
	uint32_t shift = 1;
	while ((UINT32_C(1) << shift) <= n_letters)
		shift++;
	return shift;
}

/* All words are known: how many states there can be, and the letters. False where that is too many. */
static bool make_room(struct building *b, const struct rule_words *words, uint32_t n_rules)
{
	size_t states = 1;
	for (uint32_t r = 0; r < n_rules; r++)
		for (uint32_t i = 0; i < words[r].n; i++) {
			states += words[r].at[i].n;
			add_letters(b, &words[r].at[i]);
		}
	for (size_t i = 0; i < sizeof odd_letters / sizeof *odd_letters; i++) {
		states += odd_letters[i].n;
		add_letters(b, &odd_letters[i]);
	}
	if (states > MOST_STATES)
		return false;
	add_capitals(b->x);
	b->x->shift = shift_for(b->n_letters);
	b->x->letters = arena_alloc(b->mem, states * sizeof *b->x->letters);
	b->x->seen = arena_alloc(b->mem, states * sizeof *b->x->seen);
	b->x->rules = arena_next_row(b->mem, NULL, 0, sizeof *b->x->rules);
	b->x->exact = arena_next_row(b->mem, NULL, 0, sizeof *b->x->exact);
	b->x->first_exact = arena_alloc(b->mem, states * sizeof *b->x->first_exact);
	b->x->with_exact = arena_alloc(b->mem, states * sizeof *b->x->with_exact);
	b->x->fallback = arena_alloc(b->mem, states * sizeof *b->x->fallback);
	b->branches = must(calloc(states, sizeof *b->branches));
	b->n_states = 1;
	return true;
}

static void set_all(uint64_t *cells, uint32_t n_rules)
{
	for (uint32_t r = 0; r < n_rules; r++)
		rule_index_set(cells, r);
}

/* The letters that a caseless pattern takes in place of others: then every rule may match. */
static void add_odd_letters(struct building *b, uint32_t n_rules)
{
	for (size_t i = 0; i < sizeof odd_letters / sizeof *odd_letters; i++)
		set_all(row_of(b, add_word(b, &odd_letters[i])), n_rules);
}

static void add_rule(struct building *b, const struct rule_words *words, uint32_t rule)
{
	for (uint32_t i = 0; i < words->n; i++) {
		uint32_t state = add_word(b, &words->at[i]);
		if (words->any_case && !words->at[i].before && !words->at[i].behind)
			rule_index_set(row_of(b, state), rule);
		else
			add_exact(b, state, words, i, rule);
	}
	if (!words->n)
		rule_index_set(b->x->always, rule);
}

static void add_rules(struct building *b, const struct rule_words *words, uint32_t n_rules)
{
	for (uint32_t r = 0; r < n_rules; r++)
		add_rule(b, &words[r], r);
	add_odd_letters(b, n_rules);
	link_states(b);
}

static uint32_t count_rules(const struct rule_list *const *lists, uint32_t n_lists, uint32_t *first)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < n_lists; i++) {
		first[i] = n;
		n += lists[i]->n < RULE_INDEX_RULES ? lists[i]->n : RULE_INDEX_RULES + 1;
	}
	return n;
}

void rule_index_make(struct rule_index *x)
{
	struct arena scratch = {0};
	struct rule_words *words = arena_alloc(&scratch, (x->n_rules + 1) * sizeof *words);
	struct building b = {.x = x, .mem = x->mem};
	uint32_t at = 0;
	for (uint32_t i = 0; i < x->n_lists; i++)
		for (uint32_t r = 0; r < x->lists[i]->n; r++) {
			words[at] = searched(x, &x->lists[i]->at[r], &scratch);
			x->sure_bytes[at] = words[at].enough ? sure_bytes(&x->lists[i]->at[r]) : 0;
			at++;
		}
	if (make_room(&b, words, x->n_rules))
		add_rules(&b, words, x->n_rules);
	else
		set_all(x->always, x->n_rules);
	free(b.branches);
	arena_free(&scratch);
	x->made = true;
}

struct rule_index *rule_index_new(const struct rule_list *const *lists, uint32_t n_lists, enum rule_index_of of,
				  uint32_t *first, struct arena *mem)
{
	uint32_t n_rules = count_rules(lists, n_lists, first);
	if (n_rules > RULE_INDEX_RULES)
		return NULL;
	struct rule_index *x = arena_alloc(mem, sizeof *x);
	memcpy(x->lists, lists, n_lists * sizeof *lists);
	x->n_lists = n_lists;
	x->n_rules = n_rules;
	x->of = of;
	x->cells = (n_rules + 63) / 64;
	x->mem = mem;
	return x;
}

const uint16_t *rule_index_sure_bytes(const struct rule_index *x)
{
	return x->sure_bytes;
}

bool rule_index_looks_behind(const struct rule_index *x, uint32_t rule)
{
	return x->look_behind[rule / 64] >> rule % 64 & 1;
}
