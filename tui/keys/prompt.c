#include "prompt.h"
#include "tui/text/utf8.h"
#include <stdio.h>
#include <string.h>

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *text)
{
	p->kind = kind;
	p->back = p->choice = 0;
	snprintf(p->text, sizeof p->text, "%s", text);
}

const char *prompt_sign(const struct prompt *p)
{
	static const char *const signs[PROMPT_KINDS] = {":", "/", "&"};
	return signs[p->kind];
}

static void add(struct prompt *p, int key)
{
	char utf8[5];
	size_t have = strlen(p->text), n = utf8_encode((uint32_t)key, utf8);
	/* full: the key is lost, but no character is cut */
	if (have + n < sizeof p->text)
		memcpy(p->text + have, utf8, n + 1);
}

/* The last character with all its bytes. */
static void erase(struct prompt *p)
{
	size_t n = strlen(p->text);
	while (n > 0 && ((unsigned char)p->text[n - 1] & 0xC0) == 0x80)
		n--;
	p->text[n > 0 ? n - 1 : 0] = 0;
}

static void erase_word(struct prompt *p)
{
	size_t n = strlen(p->text);
	while (n > 0 && p->text[n - 1] == ' ')
		n--;
	while (n > 0 && p->text[n - 1] != ' ')
		n--;
	p->text[n] = 0;
}

/* A line that repeats the one before it is not kept twice; in a full history the oldest makes room. */
static void remember(struct prompt *p)
{
	uint32_t *n = &p->n_old[p->kind];
	if (!*p->text || (*n && strcmp(p->old[p->kind][*n - 1], p->text) == 0))
		return;
	if (*n == PROMPT_HISTORY)
		memmove(p->old[p->kind][0], p->old[p->kind][1], (size_t)-- * n * PROMPT_SIZE);
	memcpy(p->old[p->kind][(*n)++], p->text, PROMPT_SIZE);
}

static void recall(struct prompt *p, int direction)
{
	uint32_t n = p->n_old[p->kind], back = p->back + (uint32_t)direction;
	if (back > n)
		return; /* also when it went below 0 */
	p->back = back;
	if (back == 0)
		p->text[0] = 0;
	else
		memcpy(p->text, p->old[p->kind][n - back], PROMPT_SIZE);
}

static void complete_next(struct prompt *p, prompt_completer *complete, void *ctx)
{
	const char *found[256];
	struct arena mem = {0};
	/* Tab again goes on through the completions of what was typed, not of what Tab put there */
	if (p->choice == 0)
		memcpy(p->typed, p->text, sizeof p->typed);
	size_t n = complete ? complete(ctx, p->typed, found, sizeof found / sizeof *found, &mem) : 0;
	if (n)
		snprintf(p->text, sizeof p->text, "%s", found[p->choice++ % n]);
	if (n == 1)
		p->choice = 0; /* settled: the next Tab completes what follows */
	arena_free(&mem);
}

static enum prompt_result edit(struct prompt *p, enum action a)
{
	switch (a) {
	case ACT_ACCEPT:
		remember(p);
		return PROMPT_DONE;
	case ACT_ABANDON:
		return PROMPT_LEFT;
	case ACT_ERASE:
		if (!*p->text)
			return PROMPT_LEFT;
		erase(p);
		break;
	case ACT_ERASE_WORD:
		erase_word(p);
		break;
	case ACT_ERASE_LINE:
		p->text[0] = 0;
		break;
	case ACT_OLDER:
		recall(p, 1);
		break;
	case ACT_NEWER:
		recall(p, -1);
		break;
	default:
		break;
	}
	return PROMPT_MORE;
}

enum prompt_result prompt_key(struct prompt *p, int key, prompt_completer *complete, void *ctx)
{
	enum action a = keymap_find(SCOPE_PROMPT, false, key);
	if (a == ACT_COMPLETE) {
		complete_next(p, complete, ctx);
		return PROMPT_MORE;
	}
	p->choice = 0;
	if (a != ACT_NONE)
		return edit(p, a);
	if (p->kind == PROMPT_FILTER && !*p->text && key == *prompt_sign(p))
		return PROMPT_AGAIN;
	if (key >= ' ' && key < K_UNKNOWN && key != K_BACKSPACE)
		add(p, key);
	return PROMPT_MORE;
}
