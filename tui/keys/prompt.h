/* tui/keys/prompt.h - one line of input at the bottom of the screen: editing, history, completion by a callback.
 * Text is UTF-8; the cursor always stands at its end. */
#ifndef STEPSCOPE_PROMPT_H
#define STEPSCOPE_PROMPT_H
#include "keymap.h"
#include "model/store/base/arena.h"
#include <stdint.h>

enum prompt_kind { PROMPT_COMMAND, PROMPT_SEARCH, PROMPT_FILTER, PROMPT_KINDS };
enum { PROMPT_SIZE = 240, PROMPT_HISTORY = 32 };
/* PROMPT_AGAIN: && */
enum prompt_result { PROMPT_MORE, PROMPT_DONE, PROMPT_LEFT, PROMPT_AGAIN };

struct prompt {
	enum prompt_kind kind;
	char text[PROMPT_SIZE];
	char typed[PROMPT_SIZE]; /* what completion started from */
	uint32_t choice;         /* next candidate, 0 = not completing */
	char old[PROMPT_KINDS][PROMPT_HISTORY][PROMPT_SIZE];
	uint32_t n_old[PROMPT_KINDS];
	uint32_t back; /* how far into the history, 0 = the new line */
};

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *text);
const char *prompt_sign(const struct prompt *p); /* ":" "/" "&" */
/* Candidates for the line as whole lines; returns how many. */
typedef size_t prompt_completer(void *ctx, const char *line, const char **out, size_t max, struct arena *mem);
enum prompt_result prompt_key(struct prompt *p, int key, prompt_completer *complete, void *ctx);
#endif
