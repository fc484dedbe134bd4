/* tui/screen/theme.h - what each part of the screen is called, and which colours a theme gives it.
 * Files:   "ink = FG BG [bold] [underline] [reverse] / FG BG [..]": left of the slash for 256 colours and more, right of
 *          it for 8 and 16. Colours: default, the 16 names (black .. white, bright-black .. bright-white), 0..255, #rrggbb.
 * Search:  $XDG_CONFIG_HOME/stepscope/themes/NAME.theme, then the built-in ones. What a file leaves out
 *          stays as in dark. */
#ifndef STEPSCOPE_THEME_H
#define STEPSCOPE_THEME_H
#include "surface.h"
#include "model/store/base/err.h"
#include <stddef.h>

/* clang-format off */
/*    id              word in theme files   used for */
#define INKS(_) \
	_(TEXT,           "text",           "everything else; its background is the screen's ground") \
	_(QUIET,          "quiet",          "units, hints, lines") \
	_(STRONG,         "strong",         "the number that matters") \
	_(TITLE,          "title",          "first line of the screen") \
	_(STATUS,         "status",         "status line") \
	_(FOOTER,         "footer",         "what a key does") \
	_(KEY,            "key",            "a key in footer and help") \
	_(HEAD,           "head",           "column heads and section titles") \
	_(SELECTED,       "selected",       "the current row or lane") \
	_(CURSOR,         "cursor",         "time cursor") \
	_(RANGE,          "range",          "the chosen range on the ruler") \
	_(RANGE_LANES,    "range-lanes",    "the chosen range through the lanes, where they are blank") \
	_(MATCH,          "match",          "search hits") \
	_(GOOD,           "good",           "fine") \
	_(WARN,           "warn",           "worth a look") \
	_(BAD,            "bad",            "errors and losses") \
	_(GROUP,          "group",          "name of a device or process above its lanes") \
	_(STEP_EVEN,      "step-even",      "step markers, every other one") \
	_(STEP_ODD,       "step-odd",       "step markers, the others") \
	_(PREFILL,        "prefill",        "iterations of a server: prompts") \
	_(DECODE,         "decode",         "iterations: a token for each request") \
	_(MIXED,          "mixed",          "iterations: both") \
	_(VERIFY,         "verify",         "iterations: tokens of a draft model verified") \
	_(DRAFT,          "draft",          "iterations: of a draft model") \
	_(DIFFUSION,      "diffusion",      "iterations: a step of diffusion") \
	_(GAP,            "gap",            "idle time between steps") \
	_(GAP_CHOSEN,     "gap-chosen",     "the selected gap") \
	_(BUSY,           "busy",           "density of device work, minimap, progress") \
	_(EVENT_CHOSEN,   "event-chosen",   "the selected event") \
	_(FILTERED,       "filtered",       "events the filter leaves out") \
	_(KERNEL_0,       "kernel-0",       "kernels, by hash of the name") \
	_(KERNEL_1,       "kernel-1",       "kernels") \
	_(KERNEL_2,       "kernel-2",       "kernels") \
	_(KERNEL_3,       "kernel-3",       "kernels") \
	_(KERNEL_4,       "kernel-4",       "kernels") \
	_(KERNEL_5,       "kernel-5",       "kernels") \
	_(COLLECTIVE,     "collective",     "collective communication on a device") \
	_(COPY,           "copy",           "copies") \
	_(MEMSET,         "memset",         "memory sets and other device work") \
	_(LANE,           "lane",           "op and annotation lanes of a device") \
	_(OP_0,           "op-0",           "host ops, by hash of the name") \
	_(OP_1,           "op-1",           "host ops") \
	_(OP_2,           "op-2",           "host ops") \
	_(OP_3,           "op-3",           "host ops") \
	_(ANNOTATION,     "annotation",     "user ranges") \
	_(RUNTIME,        "runtime",        "driver and runtime calls, launches") \
	_(PYTHON,         "python",         "python frames") \
	_(OTHER,          "other",          "other host events")
/* clang-format on */

enum ink {
#define INK_ENUM(id, word, use) INK_##id,
	INKS(INK_ENUM)
#undef INK_ENUM
		INK_COUNT
};

/* How many colours the user wants the terminal to be asked for. */
enum color_mode { COLOR_AUTO, COLOR_NEVER, COLOR_8, COLOR_16, COLOR_256, COLOR_TRUECOLOR };
enum { COLOR_DEFAULT = -1, COLOR_RGB = 0x1000000 }; /* -1, a palette index 0..255, or COLOR_RGB | 0xrrggbb */
struct style {
	int32_t fg, bg;
	int pen; /* enum pen bits */
};
struct theme {
	char name[64];
	struct style rich[INK_COUNT], basic[INK_COUNT];
};

/* Reads theme text into t, over what t holds. False with the line number in e->msg when a line makes no sense. */
bool theme_parse(struct theme *t, const char *text, const char *file, struct err *e);
bool theme_load(struct theme *t, const char *name, struct err *e);
/* Names of built-in and user themes, NULL-terminated, up to max - 1 of them; texts live in buf. */
const char *theme_built_in(size_t i); /* its name for i = 0, 1, ...; NULL after the last */
size_t theme_names(const char **names, size_t max, char *buf, size_t size);
/* How a cell of this ink and pen looks; inks: rich or basic of a theme. What the ink leaves open is that of the screen's ground,
 * which may be COLOR_DEFAULT; pen has no PEN_SHAPE. */
struct style theme_cell(const struct style *inks, int ink, int pen);
int color_to_256(int32_t color); /* nearest entry of the colour cube for COLOR_RGB; others unchanged */
int32_t color_to_rgb(int32_t c); /* 0xrrggbb of a palette index 16..255 or COLOR_RGB; others unchanged */
#endif
