/* tui/explorer/state.h - the explorer's state: what is looked at, and the functions that change it. No terminal in here: keys come
 * in as numbers, the picture goes out as a surface, so tests drive it directly.
 * Life:    state_new (a loaded trace) -> state_resize -> state_key / state_draw any number of times -> state_free.
 * Files:   state.c life and dispatch, nav.c moving about; tui/commands ":" commands and reports; tui/panes pictures.
 * Threads: one, except the workers behind `tables` and `seeker`; see seek.h for waiting. */
#ifndef STEPSCOPE_STATE_H
#define STEPSCOPE_STATE_H
#include "app_opts.h"
#include "feed.h"
#include "tui/keys/keymap.h"
#include "tui/lanes/lanes.h"
#include "palette.h"
#include "tui/keys/prompt.h"
#include "search.h"
#include "seek.h"
#include "tables.h"
#include "timeline_jobs.h"
#include "model/hits.h"
#include "model/viewport.h"
#include "tui/screen/surface.h"
#include "tui/screen/theme.h"
#include "tui/tables/op_bars.h"

/* Lines for the first start (hints.c): not there, shown, or just used, which the app remembers. */
enum hints { HINTS_NONE, HINTS_SHOWN, HINTS_USED };
enum mode { MODE_PANE, MODE_READER, MODE_PROMPT, MODE_EXPORT, MODE_MARK, MODE_GO_MARK, MODE_COPY };

/* Kernels come by name, each launch shape and op by itself, or summed up by family. */
enum kernel_form { FORM_NAMES, FORM_SHAPES, FORM_FAMILIES, FORM_COUNT };
struct table_place {
	uint32_t row, top, left; /* selected row, first row and first column on the screen */
	int sort_col;            /* -1 = as the table comes */
	bool sort_desc;
	enum kernel_form form; /* kernels only */
	uint8_t by;            /* ops: enum op_by; launches: number of the word */
	bool idle, plain;      /* ops: with rows for idle time; without bars above them */
};
/* Everything that Backspace and marks bring back. */
struct view {
	enum pane_id pane;
	uint32_t analysis; /* PANE_TABLE */
	struct viewport port;
	uint32_t lane, top;             /* selected lane and first one on the screen */
	uint32_t lane_track, lane_disp; /* the lane once more, for a view that was put away */
	struct lane_ask ask;            /* the same: the row around which a folded track was shown */
	int64_t cursor_ns;
	row_id event;           /* selected event, NONE_ID = none */
	const struct gap *gap;  /* selected gap, NULL = none */
	uint32_t step;          /* selected step, NONE_ID = none */
	bool gone;              /* it lies before what is kept of a capture */
	bool range, range_open; /* a range is chosen; it still grows with the cursor */
	int64_t anchor_a_ns, anchor_b_ns, range_a_ns, range_b_ns;
	struct table_place place; /* of what is shown, unless that is the timeline */
	bool from_list;           /* the timeline was come to from another pane, by one of its rows as a rule: */
	enum pane_id list;        /* this one */
	uint32_t list_analysis;
};
struct reader_line {
	int ink;
	const char *key, *text; /* key may be NULL */
};
/* Text over the pane: help, or everything about an event. */
struct reader {
	struct arena mem;
	const char *title;
	struct reader_line *lines;
	uint32_t n, cap, top;
	uint32_t hit, hit_from; /* line that a search has found, NONE_ID = none; where the search began */
};
/* Small tables of the first screen, made from the analyses' (overview.c). */
struct overview {
	struct arena mem;
	struct table *gaps, *devices;
	struct table *ops, *threads, *events; /* the last two where there are no devices */
	bool looked, has_kernels, advised,
		no_tensor_cores; /* advised: made by something that the findings' advice is for */
};
enum { MAX_BACK = 64, MAX_TABLES = 64, MARKS = 26 };

/* What is needed to notice that the timeline has moved without a word of nav_push: history_follow. */
struct history {
	struct view seen;   /* as of the last look */
	uint64_t told;      /* counts nav_push, nav_back, nav_forward */
	uint64_t seen_told; /* the same, as of the last look */
	int64_t small_ms;   /* when the last small move was made that the next may go on; 0 = none */
};

struct state {
	const struct app_opts *opts;
	const struct derived *d;
	const struct trace *t;
	struct theme theme, theme_before; /* before: what a preview gives back */
	bool previewing;
	bool ascii, patterns, mouse;
	bool only_ascii; /* the terminal takes nothing else */
	bool mono;       /* no colours: the theme cannot be changed */
	bool no_side;    /* the timeline is without statistics at its side */
	bool all_steps;  /* means are of all steps, not of the steady ones alone */
	enum hints hints;
	int rows, cols;
	enum mode mode;
	struct view view;
	struct view back[MAX_BACK];
	uint32_t n_back;
	struct view marks[MARKS];
	bool marked[MARKS];
	char mark_names[MARKS][32];
	struct view forward[MAX_BACK]; /* what Backspace has left */
	uint32_t n_forward;
	struct history history;
	enum pane_id home;     /* the first screen, where `q` leaves */
	row_id measure;        /* event that others are measured from, NONE_ID = none */
	uint32_t finding;      /* that `;` has shown last, NONE_ID = none */
	bool finding_owed;     /* it was pressed while they were being made, and no other key since */
	int64_t least_idle_ns; /* i and I pass over shorter idle times */
	char *clip;            /* text for the clipboard; the app sends it and frees it */
	struct table_place places[MAX_TABLES], pane_places[PANE_IDS]; /* of tables, of other panes */
	struct lanes lanes;
	uint32_t *row_steps; /* steps shown in the marker row: indices, by time */
	uint32_t n_row_steps, row_steps_process;
	struct tables *tables;
	struct overview overview;
	struct op_chart op_charts[OP_CHARTS]; /* as of when their tables came */
	struct reader reader;
	struct search *reader_search; /* in the text over the pane */
	bool reading;                 /* the input line is for that text */
	struct prompt prompt;
	struct palette palette;
	/* Filters kept under names, "NAME FILTER", where nothing is remembered from run to run. */
	struct arena kept_mem;
	const char **kept;
	size_t n_kept;
	struct filter *filter; /* NULL = all */
	struct hits *hits;     /* events that pass it; NULL = all */
	bool filter_hides;     /* what does not pass is left out of the timeline, else dimmed */
	struct window window;  /* the question's window, chosen by the user */
	struct search *search;
	/* While a search is typed: where it began and what was searched for before. */
	struct view typed_from;
	struct search *typed_before;
	bool typing;
	struct seeker *seeker;
	struct timeline_jobs *jobs;
	enum action last;    /* the action before this one */
	uint32_t gaps_shown; /* of the biggest in this window; `b` goes on to the next */
	int64_t self_ns;     /* of the selected event, without its children */
	row_id self_of;
	char message[512];
	int message_ink;
	struct feed *feed; /* where the next traces come from; NULL = this is the only one */
	struct feed_status told;
	bool frozen;  /* stays with this trace though there are later ones */
	bool hit_row; /* the last click selected a row of a list */
	bool unbound; /* the last key does nothing where it was pressed */
	bool quit, theme_changed, mouse_changed, redraw;
	bool beside; /* one of the two runs of a comparison (tui/beside) */
	/* What `=` has remembered as A, and what it is to be compared with: the app takes both. */
	struct window compared[2];
	int64_t compared_rank[2]; /* of ranks that were chosen in Comms, by job_rank.h; UNKNOWN_I64: windows */
	bool remembered_a, compare;
	bool arranged; /* lanes or marks have changed since they were kept: arrangement_keep */
};

struct state *state_new(const struct app_opts *o, const struct derived *d, int wake_fd, bool inline_jobs);
void state_free(struct state *st);
void state_resize(struct state *st, int rows, int cols);
/* How it is drawn: theme, ASCII only, without colours. */
void state_theme(struct state *st, const struct theme *t); /* from the next frame on */
void state_look(struct state *st, const struct theme *t, bool ascii, bool mono);
void state_key(struct state *st, int key);
/* The second click of a double one comes as BUTTON_DOUBLE; DRAG: moved while the button is down; RELEASE only after that. */
enum mouse_button { BUTTON_CLICK, BUTTON_WHEEL_UP, BUTTON_WHEEL_DOWN, BUTTON_DOUBLE, BUTTON_DRAG, BUTTON_RELEASE };
bool state_reads(const struct state *st);        /* text is shown over the pane */
void state_act(struct state *st, enum action a); /* as if its key had been pressed in a pane */
void state_mouse(struct state *st, enum mouse_button what, int y, int x);
void state_draw(const struct state *st, struct surface *s);
void state_say(struct state *st, int ink, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void state_say_err(struct state *st, const struct err *e);
void state_say_clocks(struct state *st); /* of clocks that were moved, of recordings that are no one run */
void state_quiet(struct state *st);      /* drops what was said last */
bool state_collect(struct state *st);    /* takes over what workers have finished; true when there was something */
bool state_busy(struct state *st);       /* they have not finished */

/* ---- where one was (tui/commands/history.c) ---- */
void nav_push(struct state *st); /* remembers the view for Backspace */
void nav_push_view(struct state *st, const struct view *v);
void nav_back(struct state *st);
void nav_forward(struct state *st); /* undoes nav_back */
/* After whatever a key, the mouse or a worker did by way of this action: where the timeline was becomes a step for Backspace when it shows
 * another part now and nobody has told. Small moves (zoom, pan, along events) without a pause or another key between them are one. */
void history_follow(struct state *st, enum action a);
/* `q` in a pane: back to the list that the timeline was come to from, else to the first screen, else it leaves. */
void nav_quit(struct state *st);
bool nav_quit_leaves(const struct state *st);

/* ---- moving about (nav.c) ---- */
void nav_idle_beside(struct state *st, int direction); /* idle times of the lane's stream */
void nav_next_finding(struct state *st);
void nav_measure(struct state *st);
/* "from gemm: 12 ms start to start, 2 ms end to start", while something is measured and an event is selected; "" else. */
const char *nav_measured(const struct state *st, char *buf, size_t size);
void nav_hide(struct state *st, bool all_of_owner); /* the lane's track, or all of its device or process */
void nav_show_all(struct state *st);
void nav_pin(struct state *st);
void nav_move_lane(struct state *st, int direction); /* 1: down */
void nav_fold_group(struct state *st);               /* the device of the selected lane: its streams, or one row */
void nav_fold_all(struct state *st);
void nav_order(struct state *st, enum lane_order by);
void nav_order_next(struct state *st);
void nav_tell_gone(struct state *st); /* when the view lies before what is kept of a capture */
struct view nav_remember(const struct state *st);
void nav_restore(struct state *st, const struct view *v);
void nav_pane(struct state *st, enum pane_id pane, uint32_t analysis); /* without pushing */
void nav_whole(struct state *st);
void nav_lanes(struct state *st);           /* lanes follow the zoom; the selected one stays selected */
void nav_event(struct state *st, row_id r); /* select, and bring it into view */
void nav_gap(struct state *st, const struct gap *g);
void nav_step(struct state *st, uint32_t step);
void nav_time(struct state *st, int64_t ts_ns);
void nav_window(struct state *st, const struct window *w);
void nav_evidence(struct state *st, const struct evidence *e);
void nav_device(struct state *st, uint32_t device); /* its row of the timeline, or that of its first stream */
/* Stays valid as long as the state; NULL when there is no such id. */
void nav_biggest_gap(struct state *st);
void nav_gap_beside(struct state *st, int direction);
void nav_step_beside(struct state *st, int direction);
bool nav_iteration_beside(struct state *st,
			  int direction); /* of a server; false: none is labelled, or they are the steps */
void nav_event_beside(struct state *st, int direction);
void nav_lane(struct state *st, int lanes_moved);
const struct lane *nav_selected_lane(const struct state *st); /* NULL: a heading, or none is selected */
void nav_cursor(struct state *st, int64_t ts_ns);             /* and what lies under it on the lane */
void nav_to_launch(struct state *st);
void nav_to_work(struct state *st);
void nav_range(struct state *st);
void nav_grow_range(struct state *st);
void nav_drag(struct state *st, int64_t from_ns,
	      int64_t to_ns); /* a range by the mouse; nav_drag_end makes it the window */
void nav_drag_end(struct state *st);
void nav_fit(struct state *st);
void nav_compare(struct state *st);                      /* `=`: tui/commands/marks.c */
struct window nav_export_window(const struct state *st); /* range, gap, step, else what is in view */
void nav_steps_row(struct state *st);

/* ---- what is remembered of a trace from run to run: lanes and marks (tui/commands/arrangement.c) ---- */
/* A trace is known again by what it holds, wherever it lies. Both do nothing where nothing may be remembered, or while it grows. */
void arrangement_take(struct state *st); /* once, at the start */
void arrangement_keep(struct state *st);
/* As if it had never been arranged; all: every trace's is forgotten, else this one's. */
void arrangement_forget(struct state *st, bool all);

/* ---- marks (tui/commands/marks.c): views remembered under the letters a to z ---- */
void marks_key(struct state *st, int key); /* the letter after m and ' */
/* "a 12.5 ms, b warm-up": those that are set, in at most size bytes. */
const char *marks_text(const struct state *st, char *buf, size_t size);
bool marks_name(struct state *st, const char *text, struct err *e); /* "a warm-up"; "a" takes the name away */
void marks_list(struct state *st);                                  /* as text over the pane */
/* The letters at their times, on the ruler's row y from column x on. */
void marks_draw(const struct state *st, struct surface *s, int y, int x);

/* ---- other parts ---- */
void command_run(struct state *st, const char *line);
/* Candidates for the line of st->prompt as whole lines; returns how many. Texts are of mem. */
size_t typed_candidates(const struct state *st, const char *line, const char **out, size_t max, struct arena *mem);
/* The line with each @NAME replaced by the filter that is kept under it; NULL with e when there is none. Text of mem. */
const char *filter_line_expand(struct state *st, const char *line, struct arena *mem, struct err *e);
/* The settings, as lines of the help. */
void settings_help(struct arena *mem, void (*line)(void *ctx, const char *left, const char *right), void *ctx);
void command_help(struct arena *mem, void (*line)(void *ctx, const char *left, const char *right), void *ctx);
void export_key(struct state *st, int key);                           /* the key after e */
void copy_key(struct state *st, int key);                             /* the key after y */
bool export_named(struct state *st, const char *word, struct err *e); /* format word or file name */
bool export_trace(struct state *st, const char *path, struct err *e); /* as a .stepscope file */
/* The screen as it is drawn now, as shot.h writes it; the file's ending chooses. */
bool export_screen(const struct state *st, const char *path, struct err *e);
void state_filter(struct state *st, const char *text);
void state_question(struct state *st); /* window or filter changed: tables follow */
#endif
