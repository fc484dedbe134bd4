/* Rules about Tensor Cores and 16 bit: the guide's kernel statistics and mixed precision, read from the table tensor_cores. */
#include "finding_ctx.h"
#include "model/analysis/kernels/tensor_cores.h"
#include "model/analysis/kernels/tensor_cores_columns.h"
#include <math.h>
#include <string.h>

enum { UNUSED_PCT = 10, INEFFICIENT_PCT = 5, BYTES_PCT = 10 };
enum { MATTERS_PCT = 5, STAKE_PCT = 3 }; /* of the time watched: below, the host is what holds the program up */

/* Rows of one kind added up; the first one is the largest. */
struct pile {
	uint32_t rows, first;
	double total_ns, stake_ns, share_pct;
	bool staked;
};

static bool wanted(const struct table *t, uint32_t row, const char *kind, bool narrow)
{
	const char *precision = row_text(t, row, COL_TENSOR_CORES_PRECISION);
	bool is_narrow = precision && strcmp(precision, "fp32") != 0 && strcmp(precision, "fp64") != 0;
	return !strcmp(row_text(t, row, COL_TENSOR_CORES_PROBLEM), kind) && (!narrow || is_narrow);
}

static struct pile pile_up(const struct table *t, const char *kind, bool narrow)
{
	struct pile p = {.first = NONE_ID};
	for (uint32_t i = 0; i < t->n_rows; i++) {
		double v;
		if (!wanted(t, i, kind, narrow))
			continue;
		p.first = p.rows++ ? p.first : i;
		p.total_ns += row_number(t, i, COL_TENSOR_CORES_TOTAL);
		p.share_pct += row_number(t, i, COL_TENSOR_CORES_SHARE);
		if (row_real(t, i, COL_TENSOR_CORES_STAKE, &v)) {
			p.stake_ns += v;
			p.staked = true;
		}
	}
	return p;
}

/* The sums under names that begin with `name`, and what the first row says. */
static void from_pile(struct finding_ctx *c, const char *name, const struct pile *p, const char *rows)
{
	const struct table *t = ctx_table(c, "tensor_cores");
	from_known(c, arena_printf(c->mem, "%s_ns", name), p->total_ns, t, COL_TENSOR_CORES_TOTAL, rows);
	from_known(c, arena_printf(c->mem, "%s_pct", name), p->share_pct, t, COL_TENSOR_CORES_SHARE, rows);
	if (p->staked)
		from_known(c, arena_printf(c->mem, "%s_stake_ns", name), p->stake_ns, t, COL_TENSOR_CORES_STAKE, rows);
	if (p->first == NONE_ID)
		return;
	from_text(c, arena_printf(c->mem, "%s_op", name), t, p->first, COL_TENSOR_CORES_OP);
	from_text(c, arena_printf(c->mem, "%s_reason", name), t, p->first, COL_TENSOR_CORES_REASON);
	from_text(c, arena_printf(c->mem, "%s_detail", name), t, p->first, COL_TENSOR_CORES_DETAIL);
}

static const char *row_word(const struct table *t, uint32_t row, uint32_t column, const char *otherwise)
{
	const char *text = row == NONE_ID ? NULL : row_text(t, row, column);
	return text ? text : otherwise;
}

static void fill(struct finding_ctx *c, struct finding *x, const struct table *t, const struct pile *p,
		 double threshold)
{
	x->value = p->share_pct;
	x->unit = UNIT_PERCENT;
	x->threshold = threshold;
	x->lost_ns = p->staked ? llround(p->stake_ns) : UNKNOWN_I64;
	if (p->first == NONE_ID)
		return;
	show_row(c, x, t, p->first);
}

static bool there_are_kernels(struct finding_ctx *c)
{
	double n;
	return ctx_real(c, "overview", "kernels", &n) && n > 0;
}

/* ---- Q17: could use them and does not ------------------------------------------------------------------------------ */

static const char unused_formula[] =
	"time of matrix products, convolutions and attention on ordinary units / time of all kernels; warning from 10 "
	"% where a device has compute capability 7.0 or newer; at most 2/3 of it could be saved, as Tensor Cores "
	"promise 3x; unknown where the names of kernels with 10 % or more of the time do not say";

static const char own_rules_advice[] = "Say what these kernels do: one line in kernels.rules in the configuration "
				       "directory is enough (see the manual).";

static enum finding_state unused_state(const struct pile *p, double untold_pct, enum tc_device device)
{
	if (device == TC_DEVICE_WITHOUT)
		return FINDING_INFO;
	if (p->share_pct < UNUSED_PCT)
		return untold_pct < UNUSED_PCT ? FINDING_PASS : FINDING_UNKNOWN;
	return device == TC_DEVICE_WITH ? FINDING_WARN : FINDING_UNKNOWN;
}

void finding_tensor_cores(struct finding_ctx *c)
{
	double used, untold = 0;
	if (!there_are_kernels(c) || !ctx_real(c, "overview", "tensor_core_time_pct", &used))
		return;
	enum tc_device device = tc_device_of(c->d);
	const struct table *t = ctx_table(c, "tensor_cores");
	struct pile p = pile_up(t, "unused", false);
	from_pile(c, "unused", &p, "tc_problem=unused");
	const char *also = "";
	if (ctx_real(c, "overview", "tensor_core_unknown_time_pct", &untold) && untold >= UNUSED_PCT)
		also = arena_printf(c->mem, "; the names of another %s do not say", pct_text(c, untold));
	enum finding_state state = unused_state(&p, untold, device);
	const char *no_device = "";
	if (state == FINDING_UNKNOWN && device == TC_DEVICE_UNKNOWN)
		no_device = "; whether the device has any is not recorded: the compute capability is missing";
	struct finding *x;
	if (device == TC_DEVICE_WITHOUT)
		x = say(c, state, "No device here has Tensor Cores: they come with compute capability 7.0.");
	else if (!p.rows)
		x = say(c, state, "Tensor Core kernels take %s of the kernel time; %s%s.", pct_text(c, used),
			*also ? "no kernel is known that could use them and does not"
			      : "every kernel that could use them does",
			also);
	else
		x = say(c, state,
			"Tensor Core kernels take %s of the kernel time; %s (%s) could use them and do not, most of it "
			"%s (%s)%s%s.",
			pct_text(c, used), ns_text(c, p.total_ns), pct_text(c, p.share_pct),
			row_word(t, p.first, COL_TENSOR_CORES_OP, "a kernel of no known op"),
			row_word(t, p.first, COL_TENSOR_CORES_REASON, "unknown"), also, no_device);
	fill(c, x, t, &p, UNUSED_PCT);
	x->formula = unused_formula;
	x->advice = state == FINDING_WARN ? row_word(t, p.first, COL_TENSOR_CORES_ADVICE, NULL)
		    : *also               ? own_rules_advice
					  : NULL;
}

/* ---- Q18: 16 and 8 bit products held back ------------------------------------------------------------------------- */

static const char dims_formula[] =
	"time of 16-bit and 8-bit products that fell back to ordinary units or whose N or K is not a multiple of 8 (16 "
	"in 8 bit) / time of all kernels; warning from 5 %; cuDNN pads convolutions";

/* "40.000 ms run without Tensor Cores, 1.000 ms are slowed down by a dimension" */
static const char *how_long(struct finding_ctx *c, const struct pile *back, const struct pile *slow)
{
	const char *a = arena_printf(c->mem, "%s run without Tensor Cores", ns_text(c, back->total_ns));
	const char *b = arena_printf(c->mem, "%s are slowed down by a dimension", ns_text(c, slow->total_ns));
	return !slow->rows ? a : !back->rows ? b : arena_printf(c->mem, "%s, %s", a, b);
}

static const char *first_of(struct finding_ctx *c, const struct table *t, const struct pile *p)
{
	const char *detail = row_word(t, p->first, COL_TENSOR_CORES_DETAIL, NULL);
	const char *op = row_word(t, p->first, COL_TENSOR_CORES_OP, "a kernel of no known op");
	return detail ? arena_printf(c->mem, "%s: %s", op, detail) : op;
}

void finding_dimensions(struct finding_ctx *c)
{
	enum tc_device device = tc_device_of(c->d);
	if (!there_are_kernels(c) || device == TC_DEVICE_WITHOUT)
		return;
	const struct table *t = ctx_table(c, "tensor_cores");
	struct pile back = pile_up(t, "unused", true), slow = pile_up(t, "inefficient", false);
	from_pile(c, "unused", &back, "tc_problem=unused and precision!=null|fp32|fp64");
	from_pile(c, "slowed", &slow, "tc_problem=inefficient");
	double share =
		made_of(c, "share_pct", back.share_pct + slow.share_pct, UNIT_PERCENT, "unused_pct + slowed_pct");
	const struct pile *main = back.rows ? &back : &slow;
	bool matters = share_of_time_pct(c, back.total_ns + slow.total_ns) >= MATTERS_PCT;
	enum finding_state state = share < INEFFICIENT_PCT || !matters      ? FINDING_PASS
				   : device == TC_DEVICE_WITH || !back.rows ? FINDING_WARN
									    : FINDING_UNKNOWN;
	struct finding *x;
	if (!main->rows)
		x = say(c, state,
			"No 16-bit or 8-bit product is held back by a dimension or runs without Tensor Cores.");
	else
		x = say(c, state, "Of the 16-bit and 8-bit products %s; first %s%s.", how_long(c, &back, &slow),
			first_of(c, t, main),
			state == FINDING_UNKNOWN ? "; the compute capability is not recorded" : "");
	fill(c, x, t, main, INEFFICIENT_PCT);
	x->value = share;
	x->formula = dims_formula;
	if (share >= INEFFICIENT_PCT && !matters)
		x->why = "these kernels take less than 5 % of the time: the host holds the program up";
	x->advice = state == FINDING_WARN
			    ? row_word(t, main->first, COL_TENSOR_CORES_ADVICE, tc_reason_advice(TC_DIMENSION))
			    : NULL;
}

/* ---- Q18: half the bytes ------------------------------------------------------------------------------------------ */

void finding_half_bytes(struct finding_ctx *c)
{
	if (!there_are_kernels(c))
		return;
	const struct table *t = ctx_table(c, "tensor_cores");
	struct pile p = pile_up(t, "bytes", false);
	from_pile(c, "moved", &p, "tc_problem=bytes");
	if (p.share_pct < BYTES_PCT || share_of_time_pct(c, p.stake_ns) < STAKE_PCT) {
		say_nothing(c,
			    p.share_pct < BYTES_PCT
				    ? "fp32 kernels other than matrix products take less than 10 % of the kernel time"
				    : "half of their time is less than 3 % of the time watched");
		return;
	}
	bool can = tc_device_of(c->d) == TC_DEVICE_WITH;
	struct finding *x = say(c, FINDING_INFO,
				"fp32 kernels other than matrix products take %s (%s of the kernel time); 16 bit would "
				"save at most %s, if memory limits them.",
				ns_text(c, p.total_ns), pct_text(c, p.share_pct), ns_text(c, p.stake_ns));
	fill(c, x, t, &p, BYTES_PCT);
	x->formula = "half the time of fp32 kernels other than matrix products, which memory usually limits; reported "
		     "from 10 % of the kernel time";
	x->advice = can ? tc_reason_advice(TC_HALF_BYTES) : NULL;
}
