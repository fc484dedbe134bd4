/* tui/tables/step_mix.h - where step time goes, made from the table `steps` for the Steps pane and the reports: the parts of one row,
 * their means over all rows, and how many columns of a bar each of them gets. */
#ifndef STEPSCOPE_STEP_MIX_H
#define STEPSCOPE_STEP_MIX_H
#include "model/table.h"

/* clang-format off */
/*   id           column of steps  letter label              ink         colour in reports */
#define MIX_PARTS_LIST(_) \
	_(COMPUTE,    COMPUTE_NS,     'C', "device compute",  KERNEL_0,   0x3f74b5) \
	_(D2D,        D2D_NS,         'D', "device copies",   KERNEL_4,   0xa8902a) \
	_(COLLECTIVE, COLLECTIVES_NS, 'N', "collectives",     COLLECTIVE, 0x8a55b3) \
	_(OUTPUT,     OUTPUT_NS,      'O', "output",          KERNEL_3,   0x2e9363) \
	_(INPUT,      INPUT_NS,       'I', "input",           COPY,       0xcf7a22) \
	_(LAUNCH,     LAUNCH_NS,      'L', "kernel launch",   PYTHON,     0xb8586c) \
	_(HOST,       HOST_NS,        'H', "host compute",    OP_2,       0x26868c) \
	_(COMPILE,    COMPILE_NS,     'X', "compilation",     ANNOTATION, 0x97894b) \
	_(OTHER,      OTHER_NS,       '.', "other",           MEMSET,     0x7c7f86)
/* clang-format on */
enum mix_part {
#define MIX_ENUM(id, column, letter, label, ink, colour) MIX_##id,
	MIX_PARTS_LIST(MIX_ENUM)
#undef MIX_ENUM
		MIX_PARTS
};
struct mix_info {
	uint8_t column; /* of the table steps */
	const char *label;
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
	int64_t scale_ns; /* full length of a bar: the longest row, unless that is more than twice the median */
};
struct mix_row mix_row(const struct table *steps, uint32_t row);
struct step_mix step_mix(const struct table *steps);
/* What the part means, from the table's own help. */
const char *mix_help(const struct table *steps, enum mix_part p);

/* How many of `width` columns each part gets when the bar as a whole stands for scale_ns. What is there gets a column at
 * least, as long as there are as many. Returns the sum. */
int mix_columns(const struct mix_row *r, int64_t scale_ns, int width, int cols[MIX_PARTS]);
#endif
