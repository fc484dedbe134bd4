/* tui/tables/step_mix.h - where step time goes, made from the table `steps` for the Steps pane and the reports: the parts of one row,
 * their means over all rows, and how many columns of a bar each of them gets. */
#ifndef STEPSCOPE_STEP_MIX_H
#define STEPSCOPE_STEP_MIX_H
#include "model/analysis/steps/step_part.h"
#include "model/table.h"

/* clang-format off */
/*   id           letter ink         colour in reports; what the parts are called: step_part.h */
#define MIX_PARTS_LIST(_) \
	_(COMPUTE,    'C', KERNEL_0,   0x3f74b5) \
	_(D2D,        'D', KERNEL_4,   0xa8902a) \
	_(COLLECTIVE, 'N', COLLECTIVE, 0x8a55b3) \
	_(OUTPUT,     'O', KERNEL_3,   0x2e9363) \
	_(INPUT,      'I', COPY,       0xcf7a22) \
	_(LAUNCH,     'L', PYTHON,     0xb8586c) \
	_(HOST,       'H', OP_2,       0x26868c) \
	_(COMPILE,    'X', ANNOTATION, 0x97894b) \
	_(OTHER,      '.', MEMSET,     0x7c7f86)
/* clang-format on */
enum mix_part {
#define MIX_ENUM(id, letter, ink, colour) MIX_##id = STEP_PART_##id,
	MIX_PARTS_LIST(MIX_ENUM)
#undef MIX_ENUM
		MIX_PARTS = STEP_PARTS
};
struct mix_info {
	char letter;
	uint32_t colour; /* 0xRRGGBB */
};
/* The row of the part in the list. */
const struct mix_info *mix_info(enum mix_part p);

struct mix_row {
	int64_t ns[MIX_PARTS], dur_ns; /* unknown parts count 0 */
	double pct[MIX_PARTS];         /* adds up to 100.0; NaN for an empty step */
};
struct step_mix {
	uint32_t n; /* rows that carry means and that the window does not cut */
	double mean_ns[MIX_PARTS],
		sd_ns[MIX_PARTS];      /* sd: of a sample, as in the overview; NaN below two rows; both NaN where
							steady steps are irregular */
	double pct[MIX_PARTS];         /* of the sums; adds up to 100.0 */
	double row_mean_ns, row_sd_ns; /* the same of the rows */
	bool occurs[MIX_PARTS];
	const char *words[MIX_PARTS]; /* what to call the parts */
	int64_t scale_ns; /* full length of a bar: the longest row, unless that is more than twice the median */
};
struct mix_row mix_row(const struct table *steps, uint32_t row);
struct step_mix step_mix(const struct table *steps);
/* What the part means, from the table's own help. */
const char *mix_help(const struct table *steps, enum mix_part p);

/* How many of `width` columns each part gets when the bar as a whole stands for scale_ns. What is there, and reads
 * more than 0.0 %, gets a column at least, as long as there are as many. Returns the sum. */
int mix_columns(const struct mix_row *r, int64_t scale_ns, int width, int cols[MIX_PARTS]);
/* The same of all rows together, in a bar of the whole width. */
int mix_columns_of_all(const struct step_mix *m, int width, int cols[MIX_PARTS]);
#endif
