#include "step_part.h"
#include "steps_columns.h"

const struct step_part step_parts[STEP_PARTS] = {
#define STEP_PART(id, column, words) [STEP_PART_##id] = {COL_STEPS_##column, words},
	STEP_PARTS_LIST(STEP_PART)
#undef STEP_PART
};

enum input_holds input_holds(double input, double copies)
{
	enum { NAMED_FROM = 100 }; /* one in so many */
	if (!(input > 0))
		return INPUT_HOLDS_NOTHING;
	if (NAMED_FROM * copies < input)
		return INPUT_HOLDS_WAITS;
	return NAMED_FROM * (input - copies) < input ? INPUT_HOLDS_COPIES : INPUT_HOLDS_BOTH;
}

const char *input_words(enum input_holds holds)
{
	static const char *const words[] = {
		[INPUT_HOLDS_NOTHING] = "input",
		[INPUT_HOLDS_WAITS] = "input wait",
		[INPUT_HOLDS_COPIES] = "copies to device",
		[INPUT_HOLDS_BOTH] = "input + copies",
	};
	return words[holds];
}

struct sums {
	double input, copies;
};

static void add(struct sums *s, const struct cell *input, const struct cell *copies)
{
	s->input += input->null ? 0 : (double)input->i;
	s->copies += copies->null ? 0 : (double)copies->i;
}

enum input_holds steps_input_holds(const struct table *steps)
{
	struct sums counted = {0}, all = {0};
	if (!steps || table_place(steps, COL_STEPS_INPUT_COPY_NS) < 0)
		return INPUT_HOLDS_NOTHING;
	for (uint32_t row = 0; row < steps->n_rows; row++) {
		const struct cell *input = column_cell(steps, row, COL_STEPS_INPUT_NS),
				  *copies = column_cell(steps, row, COL_STEPS_INPUT_COPY_NS),
				  *counts = column_cell(steps, row, COL_STEPS_COUNTED);
		add(&all, input, copies);
		if (!counts->null && counts->b)
			add(&counted, input, copies);
	}
	const struct sums *s = counted.input > 0 ? &counted : &all;
	return input_holds(s->input, s->copies);
}

const char *step_part_words(const struct table *steps, enum step_part_id part)
{
	return part == STEP_PART_INPUT ? input_words(steps_input_holds(steps)) : step_parts[part].words;
}
