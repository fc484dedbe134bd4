#include "notes.h"
#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>

/* The note's word is its identifier in lower case: written once, in NOTES. */
static struct note_info infos[NOTE_COUNT] = {
#define NOTE_INFO_ROW(id, sev, acc, help) [NOTE_##id] = {#id, NOTE_##sev, acc, help},
	NOTES(NOTE_INFO_ROW)
#undef NOTE_INFO_ROW
};
static char words[NOTE_COUNT][32];
static pthread_once_t words_made = PTHREAD_ONCE_INIT;

static void make_words(void)
{
	for (int i = 0; i < NOTE_COUNT; i++) {
		for (int j = 0; j < 31 && infos[i].name[j]; j++)
			words[i][j] = (char)tolower((unsigned char)infos[i].name[j]);
		infos[i].name = words[i];
	}
}

const struct note_info *note_info(enum note_id id)
{
	pthread_once(&words_made, make_words);
	return &infos[id];
}

const char *note_severity_name(enum note_severity s)
{
	static const char *const names[] = {"info", "warn", "lost"};
	return names[s];
}

void notes_add_of(struct notes *n, enum note_id id, uint32_t source, int64_t at, uint64_t count)
{
	struct note *x = &n->at[id];
	if (count == 0)
		return;
	if (x->count == 0) {
		x->first_at = at;
		x->first_source = source;
	}
	atomic_store_explicit(&x->count, x->count + count, memory_order_release); /* there is one writer at a time */
}

void notes_add(struct notes *n, enum note_id id, int64_t at, uint64_t count)
{
	notes_add_of(n, id, n->source, at, count);
}

void notes_add_sealed(struct notes *n, enum note_id id, uint64_t count)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct note *x = &n->at[id];
	pthread_mutex_lock(&lock);
	if (x->count == 0) {
		x->first_at = -1;
		x->first_source = UINT32_MAX;
	}
	atomic_store_explicit(&x->count, x->count + count, memory_order_release);
	pthread_mutex_unlock(&lock);
}

uint64_t notes_noted(const struct notes *n)
{
	uint64_t sum = 0;
	for (int i = 0; i < NOTE_COUNT; i++)
		if (infos[i].accounts)
			sum += n->at[i].count;
	return sum;
}

uint64_t notes_of(const struct notes *n, enum note_severity s)
{
	uint64_t sum = 0;
	for (int i = 0; i < NOTE_COUNT; i++)
		if (infos[i].severity == s)
			sum += n->at[i].count;
	return sum;
}

bool notes_balance(const struct notes *n)
{
	return n->entries == n->shown + n->merged + notes_noted(n);
}
