/* tui/commands/commands.h - what the files of this room know of each other: the list of commands, and completion. */
#ifndef STEPSCOPE_COMMANDS_H
#define STEPSCOPE_COMMANDS_H
#include "tui/explorer/state.h"

struct command {
	const char *name;
	int argument; /* what stands after it; of command.c */
	const char *written, *help;
	bool (*run)(struct state *st, const char *arg, struct err *e);
};
uint32_t command_count(void);
const struct command *command_at(uint32_t i);
/* The command that a word stands for, also by its beginning where that is no other one's; NULL = none. */
const struct command *command_named(const char *word, size_t n);
bool command_wants_word(const struct command *c);
bool command_is_time(const char *line); /* ":700ms" */
/* Candidates for a filter's line as whole lines: fields, their words, what the trace has of streams, threads and the like, and the
 * filters that were kept. Returns how many; texts are of mem. */
size_t filter_candidates(const struct state *st, const char *line, const char **out, size_t max, struct arena *mem);
/* "NAME VALUE", "NAME" and "no-NAME" of a switch; "" lists all settings with their values (settings.c). */
bool settings_set(struct state *st, const char *line, struct err *e);
/* Candidates for what stands after "set ". Returns how many; texts are of mem. */
size_t settings_candidates(const char *typed, const char **out, size_t max, struct arena *mem);
/* Keeps the filter that holds under a name; forgets the name when none holds. */
bool kept_filters_add(struct state *st, const char *name, struct err *e);
#endif
