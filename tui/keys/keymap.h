/* tui/keys/keymap.h - every key once: where it acts, what it does, how it is written, what footer and help say about it.
 * A user's file may give actions other keys: keys_file.h. From this list come the dispatch, the footer, `?` and the manual. A key bound in a pane's scope must not be bound in
 * GLOBAL too: it would mean two things at once (a test looks). */
#ifndef STEPSCOPE_KEYMAP_H
#define STEPSCOPE_KEYMAP_H
#include "tab_list.h"
#include "tui/screen/keys.h"
#include <stdbool.h>
#include <stddef.h>

/* clang-format off */
#define SCOPES(_) \
	_(GLOBAL,   "everywhere") \
	_(TIMELINE, "timeline") \
	_(OVERVIEW, "overview") \
	_(LIST,     "steps, input and guide") \
	_(TABLE,    "tables") \
	_(READER,   "help and event details") \
	_(BESIDE,   "two runs side by side") \
	_(START,    "choosing a trace") \
	_(LOADING,  "while loading") \
	_(PROMPT,   "input line") \
	_(EXPORT,   "export menu") \
	_(COPY,     "copying")

#define TAB_KEY(_, id, pane, key, name, table, help) _(GLOBAL, PANE_##id, key, "", help)
/*    scope     action         keys              footer      help */
#define KEYS(_) \
	_(TIMELINE, ZOOM_IN,       "w +",            "zoom",     "zoom in around the cursor") \
	_(TIMELINE, ZOOM_OUT,      "s -",            "zoom",     "zoom out") \
	_(TIMELINE, PAN_LEFT,      "a Left",         "pan",      "move the view to the left") \
	_(TIMELINE, PAN_RIGHT,     "d Right",        "pan",      "move the view to the right") \
	_(TIMELINE, LANE_DOWN,     "j Down",         "lane",     "next lane") \
	_(TIMELINE, LANE_UP,       "k Up",           "lane",     "previous lane") \
	_(TIMELINE, EVENT_NEXT,    "Tab .",          "event",    "next event on this lane") \
	_(TIMELINE, EVENT_PREV,    "S-Tab ,",        "",         "previous event on this lane") \
	_(TIMELINE, GAP_NEXT,      "g",              "gap",      "next gap between two steps") \
	_(TIMELINE, GAP_PREV,      "G",              "gap",      "previous gap between two steps") \
	_(TIMELINE, STEP_PREV,     "{",              "step",     "previous step") \
	_(TIMELINE, STEP_NEXT,     "}",              "step",     "next step") \
	_(TIMELINE, TO_LAUNCH,     "[",              "link",     "from device work to its launch, from a free to its allocation") \
	_(TIMELINE, TO_WORK,       "]",              "link",     "from a launch to its device work (again: the next one), from an allocation to its free") \
	_(TIMELINE, FIT,           "f",              "fit",      "fit the selection into the view") \
	_(TIMELINE, WHOLE,         "0",              "all",      "show the whole trace") \
	_(TIMELINE, DETAILS,       "Enter",          "details",  "everything known about the selected event, gap or step") \
	_(TIMELINE, RANGE,         "v",              "range",    "begin a range, again: end it; movement extends it") \
	_(TIMELINE, CURSOR_LEFT,   "h",              "",         "move the cursor one column to the left") \
	_(TIMELINE, CURSOR_RIGHT,  "l",              "",         "move the cursor one column to the right") \
	_(TIMELINE, FOLD,          "z",              "",         "show all rows of this lane (wrappers, tiny and deep events; for a GPU its streams and host threads), or fold it again") \
	_(TIMELINE, FOLD_ALL,      "U",              "",         "several GPUs: show the streams and host threads of all, or one row for each") \
	_(TIMELINE, LANE_ORDER,    "o",              "",         "several GPUs: order them by rank, by how long the others waited for them, by host") \
	_(TIMELINE, SIDE,          "S",              "",         "show or hide statistics of the visible window next to the lanes (from 160 columns on)") \
	_(TIMELINE, IDLE_NEXT,     "i",              "",         "next idle time of this stream (:idle TIME: not shorter than that)") \
	_(TIMELINE, IDLE_PREV,     "I",              "",         "previous idle time of this stream") \
	_(TIMELINE, MEASURE,       "M",              "",         "measure from the selected event to those selected after it; again: stop") \
	_(TIMELINE, HIDE_LANE,     "x",              "",         "hide this lane's track") \
	_(TIMELINE, HIDE_DEVICE,   "Z",              "",         "hide all tracks of this lane's device or process") \
	_(TIMELINE, SHOW_LANES,    "X",              "",         "show all hidden tracks again") \
	_(TIMELINE, PIN_LANE,      "p",              "",         "pin this lane's track above all others, or unpin it") \
	_(TIMELINE, MOVE_LANE_UP,  "K",              "",         "move this lane's track up past the next one of its device or process, then the whole device or process") \
	_(TIMELINE, MOVE_LANE_DOWN, "J",             "",         "move this lane's track down") \
	_(TIMELINE, LANES_DOWN,    "PgDn Ctrl-d",    "",         "ten lanes down") \
	_(TIMELINE, LANES_UP,      "PgUp Ctrl-u",    "",         "ten lanes up") \
	_(TIMELINE, TIME_FIRST,    "Home",           "",         "go to the start of the trace") \
	_(TIMELINE, TIME_LAST,     "End",            "",         "go to the end of the trace") \
	_(OVERVIEW, LINE_OPEN,     "Enter",          "show",     "show this line's evidence on the timeline") \
	_(OVERVIEW, LINE_NEXT,     "j Down",         "line",     "next line") \
	_(OVERVIEW, LINE_PREV,     "k Up",           "line",     "previous line") \
	_(OVERVIEW, SIDE_LEFT,     "h Left",         "side",     "to the headline numbers") \
	_(OVERVIEW, SIDE_RIGHT,    "l Right Tab",    "side",     "to gaps, kernels and devices; again: the next of them") \
	_(OVERVIEW, LINES_NEXT,    "Ctrl-d PgDn",    "",         "eight lines down") \
	_(OVERVIEW, LINES_PREV,    "Ctrl-u PgUp",    "",         "eight lines up") \
	_(OVERVIEW, LINE_FIRST,    "g Home",         "",         "first line") \
	_(OVERVIEW, LINE_LAST,     "G End",          "",         "last line") \
	_(LIST,     ITEM_OPEN,     "Enter",          "show",     "show what is selected on the timeline") \
	_(LIST,     ITEM_NEXT,     "j Down",         "select",   "next item") \
	_(LIST,     ITEM_PREV,     "k Up",           "select",   "previous item") \
	_(LIST,     ITEM_TABLE,    "t",              "table",    "the same as a plain table, with every column") \
	_(LIST,     GROUPS,        "o",              "groups",   "launches: by op, kernel, thread, call, device; comms: what the map shows; memory: blocks by op, size, step, ..., XLA programs; steps: iterations of a server") \
	_(LIST,     FORMULAS,      "f",              "formulas", "what the numbers of this pane mean and how they are made") \
	_(LIST,     ITEMS_NEXT,    "Ctrl-d PgDn Space Ctrl-f", "", "eight items down") \
	_(LIST,     ITEMS_PREV,    "Ctrl-u PgUp Ctrl-b", "",     "eight items up") \
	_(LIST,     ITEM_FIRST,    "g Home",         "",         "the first one") \
	_(LIST,     ITEM_LAST,     "G End",          "",         "the last one") \
	_(TABLE,    OPEN,          "Enter",          "show",     "show this row's evidence on the timeline") \
	_(TABLE,    NAMES,         "o",              "groups",   "kernels: one row per name, per launch shape and op, or per family; ops: by op, type, scope, module, shape, stack") \
	_(TABLE,    PICTURE,       "t",              "picture",  "steps, input, findings, launches: as a picture instead of a table; ops: bars above the table or none") \
	_(TABLE,    IDLE,          "i",              "idle",         "ops: idle time as rows, counted in the shares") \
	_(TABLE,    COLUMNS_TOLD,  "f",              "",         "what each column means and how it is made") \
	_(TABLE,    ROW_DOWN,      "j Down",         "row",      "next row") \
	_(TABLE,    ROW_UP,        "k Up",           "row",      "previous row") \
	_(TABLE,    SORT_PREV,     "<",              "sort",     "sort by the column to the left") \
	_(TABLE,    SORT_NEXT,     ">",              "sort",     "sort by the column to the right") \
	_(TABLE,    SORT_TURN,     "r",              "flip",     "reverse the sort order") \
	_(TABLE,    COL_LEFT,      "h Left",         "columns",       "scroll columns to the left") \
	_(TABLE,    COL_RIGHT,     "l Right",        "columns",  "scroll columns to the right") \
	_(TABLE,    PAGE_DOWN,     "Ctrl-d PgDn Space Ctrl-f", "", "one page down") \
	_(TABLE,    PAGE_UP,       "Ctrl-u PgUp Ctrl-b", "",     "one page up") \
	_(TABLE,    ROW_FIRST,     "g Home",         "",         "first row") \
	_(TABLE,    ROW_LAST,      "G End",          "",         "last row") \
	_(READER,   LINE_DOWN,     "j Down Enter",   "scroll",   "one line down") \
	_(READER,   LINE_UP,       "k Up",           "scroll",   "one line up") \
	_(READER,   TEXT_DOWN,     "Ctrl-d PgDn Space Ctrl-f", "page", "one page down") \
	_(READER,   TEXT_UP,       "Ctrl-u PgUp Ctrl-b", "",     "one page up") \
	_(READER,   TEXT_FIRST,    "g Home",         "",         "first line") \
	_(READER,   TEXT_LAST,     "G End",          "",         "last line") \
	_(GLOBAL,   GAP_BIGGEST,   "b",              "biggest gap", "the biggest gap of any kind, its length and cause; pressed again on the timeline: the next biggest; Esc starts over") \
	_(GLOBAL,   EXPORT,        "e",              "export",   "write the selected window as a report") \
	_(GLOBAL,   HELP,          "? F1",           "help",     "all keys and commands") \
	_(GLOBAL,   COMMAND,       ":",              "command",  "commands, actions, panes, tables, lanes, steps, names: listed as you type; Tab completes") \
	_(GLOBAL,   SEARCH,        "/",              "search",   "search names (PCRE2), or events by fields (kind=memcpy dur>1ms); in a text above the pane, search that") \
	_(GLOBAL,   FOLLOW,        "F",              "freeze",   "live: freeze the picture, or follow the capture again") \
	_(GLOBAL,   OUTPUT,        "O",              "output",   "run --view: what the command has printed") \
	_(GLOBAL,   BACK,          "Backspace",      "back",     "back to exactly where you were before: undoes jumps, zooms and pans") \
	_(GLOBAL,   FORWARD,       "Ctrl-r",         "",         "undo Backspace") \
	_(GLOBAL,   FINDING_NEXT,  ";",              "",         "the next finding's evidence, most important first") \
	_(GLOBAL,   YANK,          "y",              "",         "copy to the clipboard: name, value, row or window command") \
	_(GLOBAL,   LEAVE,         "Q",              "",         "leave at once") \
	_(GLOBAL,   QUIT,          "q",              "quit",     "close what is on top, else go back: to the list, to the first screen, and from there leave") \
	_(GLOBAL,   SEARCH_NEXT,   "n",              "",         "next hit") \
	_(GLOBAL,   SEARCH_PREV,   "N",              "",         "previous hit") \
	_(GLOBAL,   FILTER,        "&",              "filter",   "dim events that do not match (kind=kernel dur>1ms name=/re/); && hides them") \
	_(GLOBAL,   CLEAR_FILTER,  "c",              "",         "clear the filter") \
	_(GLOBAL,   MARK,          "m",              "",         "m and a letter: remember this view") \
	_(GLOBAL,   GO_MARK,       "'",              "",         "' and a letter: go to a remembered view") \
	_(GLOBAL,   COMPARE,       "=",              "",         "remember the selection (range, gap, step, view) as A; again: compare the selection with it") \
	_(GLOBAL,   NOTES,         "!",              "",         "what the import could not simply show") \
	_(GLOBAL,   DROP,          "Esc",            "",         "stop a search under way; drop range, selection, search") \
	_(GLOBAL,   REDRAW,        "Ctrl-l",         "",         "draw the whole screen again") \
	TABS(_, TAB_KEY, TAB_KEY) \
	_(BESIDE,   DIFFERENCE_NEXT, "n j Down",     "next",     "the next difference, the largest change first, on both timelines") \
	_(BESIDE,   DIFFERENCE_PREV, "N k Up",       "",         "the difference before") \
	_(BESIDE,   BESIDE_LIST_NEXT, "Tab",         "list",     "the next list: step, findings, advice, families, ops, kernels, copies, idle times, gaps, memory, kernels in their order") \
	_(BESIDE,   BESIDE_OPEN,   "Enter",          "open",     "open the explorer of B at this place; of A where only A has it") \
	_(BESIDE,   BESIDE_OPEN_A, "A",              "explore",  "open the explorer of A at this place; q comes back") \
	_(BESIDE,   BESIDE_OPEN_B, "B",              "explore",  "open the explorer of B at this place; q comes back") \
	_(BESIDE,   BESIDE_ZOOM_IN, "w +",           "zoom",     "zoom in around the cursor, both timelines alike") \
	_(BESIDE,   BESIDE_ZOOM_OUT, "s -",          "zoom",     "zoom out") \
	_(BESIDE,   BESIDE_LEFT,   "a Left",         "pan",      "move both views to the left") \
	_(BESIDE,   BESIDE_RIGHT,  "d Right",        "pan",      "move both views to the right") \
	_(BESIDE,   BESIDE_FIT,    "f",              "fit",      "fit what is chosen into the view") \
	_(BESIDE,   BESIDE_STEP,   "0",              "step",     "show the whole step") \
	_(BESIDE,   BESIDE_HELP,   "? F1",           "help",     "all keys and commands") \
	_(BESIDE,   BESIDE_LEAVE,  "q Esc",          "quit",     "close the comparison") \
	_(BESIDE,   BESIDE_COMMAND, ":",             "command",  "commands, of A") \
	_(BESIDE,   BESIDE_CURSOR_LEFT, "h",         "",         "move the cursor of both one column to the left") \
	_(BESIDE,   BESIDE_CURSOR_RIGHT, "l",        "",         "move the cursor of both one column to the right") \
	_(BESIDE,   BESIDE_LIST_PREV, "S-Tab",       "",         "the list before") \
	_(BESIDE,   DIFFERENCES_NEXT, "Ctrl-d PgDn Space", "",   "one page down") \
	_(BESIDE,   DIFFERENCES_PREV, "Ctrl-u PgUp", "",         "one page back") \
	_(BESIDE,   DIFFERENCE_FIRST, "g Home",      "",         "the first one") \
	_(BESIDE,   DIFFERENCE_LAST, "G End",        "",         "the last one") \
	_(BESIDE,   BESIDE_LEAVE_ALL, "Q Ctrl-c",    "",         "leave at once") \
	_(BESIDE,   BESIDE_REDRAW, "Ctrl-l",         "",         "draw the whole screen again") \
	_(START,    START_OPEN,    "Enter",          "open",     "open this trace") \
	_(START,    START_NEXT,    "j Down",         "choose",   "the next trace") \
	_(START,    START_PREV,    "k Up",           "choose",   "the one before") \
	_(START,    START_PAGE,    "Ctrl-d PgDn Space", "",      "ten down") \
	_(START,    START_BACK,    "Ctrl-u PgUp",    "",         "ten up") \
	_(START,    START_FIRST,   "g Home",         "",         "the first one") \
	_(START,    START_LAST,    "G End",          "",         "the last one") \
	_(START,    START_LEAVE,   "q Q Esc Ctrl-c", "leave",    "open none and leave") \
	_(LOADING,  STOP,          "q Q Esc Ctrl-c", "cancel",   "stop loading and leave") \
	_(PROMPT,   ACCEPT,        "Enter",          "accept",   "accept the line") \
	_(PROMPT,   COMPLETE,      "Tab",            "complete", "complete the word; again: the next one") \
	_(PROMPT,   OLDER,         "Up",             "history",  "an older line; in the list: the one above") \
	_(PROMPT,   NEWER,         "Down",           "",         "down the list; a newer line") \
	_(PROMPT,   ERASE,         "Backspace",      "",       "erase a character; in an empty line: leave") \
	_(PROMPT,   ERASE_WORD,    "Ctrl-w",         "",         "erase a word") \
	_(PROMPT,   ERASE_LINE,    "Ctrl-u",         "",         "erase the line") \
	_(PROMPT,   ABANDON,       "Esc",            "leave",    "leave the line") \
	_(EXPORT,   AS_HTML,       "h",              "HTML",     "one self-contained HTML file") \
	_(EXPORT,   AS_MD,         "m",              "Markdown", "Markdown, for a ticket") \
	_(EXPORT,   AS_SVG,        "s",              "SVG",      "the picture alone") \
	_(EXPORT,   AS_JSON,       "j",              "JSON",     "the numbers as data") \
	_(EXPORT,   AS_TEXT,       "t",              "text",     "plain text") \
	_(EXPORT,   AS_CSV,        "c",              "CSV",      "the table of this pane as comma-separated values") \
	_(EXPORT,   AS_PERFETTO,   "p",              "Perfetto", "the window's events, as Perfetto and chrome://tracing open them") \
	_(COPY,     COPY_NAME,     "n y",            "name",     "the whole name of the event, gap, lane or row") \
	_(COPY,     COPY_VALUE,    "v",              "value",    "its duration; for a row, the value that the table is sorted by") \
	_(COPY,     COPY_ROW,      "r",              "row",      "the row with tabs between its cells; for an event: name, start and duration") \
	_(COPY,     COPY_COMMAND,  "w",              "window command", "the command that reports this window") \
	_(COPY,     COPY_NONE,     "Esc q",          "leave",    "copy nothing") \
	_(EXPORT,   AS_NONE,       "Esc q",          "leave",    "write nothing")
/* clang-format on */

enum scope {
#define SCOPE_ENUM(id, title) SCOPE_##id,
	SCOPES(SCOPE_ENUM)
#undef SCOPE_ENUM
		SCOPE_COUNT
};
enum action {
	ACT_NONE,
#define ACTION_ENUM(scope, id, keys, word, help) ACT_##id,
	KEYS(ACTION_ENUM)
#undef ACTION_ENUM
		ACT_COUNT
};
struct key_binding {
	enum scope scope;
	enum action action;
	const char *keys; /* words separated by blanks */
	const char *word; /* footer, "" = not there */
	const char *help; /* "" = not in the help */
};

const char *scope_title(enum scope s);
const struct key_binding *keymap(size_t *n);
/* The action of a key in a scope, else in GLOBAL when `global` says so; ACT_NONE when it means nothing. */
enum action keymap_find(enum scope s, bool global, int key);
/* "Ctrl-d", "PgDn", "w", "+" -> key code; K_NONE when it is no key word. */
int key_parse(const char *word, size_t n);
/* Each action has a name, for files of keys and for the palette: ZOOM_IN is "zoom-in". Returns buf. */
enum { ACTION_NAME_BUF = 32 };
const char *action_name(enum action a, char buf[static ACTION_NAME_BUF]);
enum action action_find(const char *name, size_t n); /* ACT_NONE when there is none of this name */
/* The first key of an action as it is now, for messages; where it has none, how it is typed: ":fold". Returns buf. */
const char *action_key(enum action a, char buf[static ACTION_NAME_BUF]);
/* Whether a key of GLOBAL works in a scope, so that one key may not mean two things in them. */
bool scope_falls_back(enum scope s);
/* The keys from now on, as many rows as keymap gives and in the same order; NULL: those that the program comes with. The rows are the
 * caller's and stay. Before any other thread asks for keys. */
void keymap_use(const struct key_binding *rows);
enum { KEY_NAME_BUF = 16 };
/* The other way round, for messages: "Ctrl-d", "w"; "U+00E9" for one that has no word. Returns buf. */
const char *key_name(int key, char buf[static KEY_NAME_BUF]);
#endif
