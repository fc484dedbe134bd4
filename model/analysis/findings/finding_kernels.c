/* Findings about single families of kernels. */
#include "finding_ctx.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/kernels/kernel_families.h"
#include "model/analysis/names/kernel_name.h"
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- softmax on its own ------------------------------------------------------------------------------------------ */

struct softmax {
	uint64_t count, count_16bit, wide_sums; /* wide_sums: read or write 16 bit and add up in 32 */
	int64_t total_ns, ns_16bit, wide_ns, unknown_ns;
	uint8_t *half;   /* per kind: one of those in 16 bit */
	uint32_t halves; /* so many kinds are */
};

/* "float" as a word of its own: not in "bfloat16" or "__nv_float". */
static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = text; (at = strstr(at, word)); at += n) {
		bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
		if (begins && !isalnum((unsigned char)at[n]) && at[n] != '_')
			return true;
	}
	return false;
}

/* Of the template arguments (input, output, accumulator) one is wider: exponentials are added up in it. */
static bool adds_in_32_bit(struct finding_ctx *c, const struct kernel_kind *k)
{
	const char *name = kernel_name_bare(c->mem, trace_str(derived_trace(c->d), k->name));
	return has_word(name, "float") || has_word(name, "double");
}

static void add_softmax(struct finding_ctx *c, struct softmax *s, const struct kernel_kind *k)
{
	s->count += k->count;
	s->total_ns += k->total_ns;
	if (k->precision == PREC_UNKNOWN)
		s->unknown_ns += k->total_ns;
	if (!precision_is_16bit(k->precision))
		return;
	if (adds_in_32_bit(c, k)) {
		s->wide_sums += k->count;
		s->wide_ns += k->total_ns;
		return;
	}
	s->count_16bit += k->count;
	s->ns_16bit += k->total_ns;
	s->half[k - c->answers.kernels->kinds] = 1;
	s->halves++;
}

static bool sum_softmax(struct finding_ctx *c, struct softmax *s)
{
	const struct kernel_stats *k = c->answers.kernels;
	const struct kernel_said *said = c->answers.said;
	s->half = arena_alloc(c->mem, k->n_kinds + (size_t)1);
	for (uint32_t i = 0; i < k->n_kinds; i++)
		if (said->family[i] == FAMILY_SOFTMAX)
			add_softmax(c, s, &k->kinds[i]);
	return s->total_ns > 0;
}

static void from_softmax(struct finding_ctx *c, const struct softmax *s)
{
	static const char half[] = "family=softmax and precision=fp16|bf16",
			  wide[] = "family=softmax and precision=fp16|bf16 and name~float",
			  unknown[] = "family=softmax and precision=null", all[] = "family=softmax";
	double half_n = (double)(s->count_16bit + s->wide_sums), half_ns = (double)(s->ns_16bit + s->wide_ns);
	const struct finding_input inputs[] = {
		{"half_kernels", half_n, NULL, UNIT_COUNT, "kernels", "kernels", half, NULL},
		{"wide_kernels", (double)s->wide_sums, NULL, UNIT_COUNT, "kernels", "kernels", wide, NULL},
		{"kernels", (double)s->count, NULL, UNIT_COUNT, "kernels", "kernels", all, NULL},
		{"half_ns", half_ns, NULL, UNIT_NS, "kernels", "total_ns", half, NULL},
		{"wide_ns", (double)s->wide_ns, NULL, UNIT_NS, "kernels", "total_ns", wide, NULL},
		{"total_ns", (double)s->total_ns, NULL, UNIT_NS, "kernels", "total_ns", all, NULL},
		{"unknown_ns", (double)s->unknown_ns, NULL, UNIT_NS, "kernels", "total_ns", unknown, NULL},
	};
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		from_table(c, inputs[i]);
	made_of(c, "kernels_16bit", (double)s->count_16bit, UNIT_COUNT, "half_kernels - wide_kernels");
	made_of(c, "ns_16bit", (double)s->ns_16bit, UNIT_NS, "half_ns - wide_ns");
}

const char *kernel_kind_words(struct finding_ctx *c, const struct kernel_kind *k)
{
	enum { NAME_MAX_BYTES = 60 };
	const struct trace *t = derived_trace(c->d);
	if (k->op)
		return trace_str(t, k->op);
	const char *name = kernel_name_short(c->mem, trace_str(t, k->name));
	size_t n = strcspn(name, "<(");
	return arena_printf(c->mem, "%.*s", (int)(n && n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES), name);
}

void show_longest_kernel(struct finding_ctx *c, const uint8_t *marked, struct finding *x)
{
	struct arena mem = {0};
	struct kernel_stats k = *c->answers.kernels; /* which stay without groups */
	kernel_stats_make_groups(&k, marked, &mem);
	struct kernel_group top = kernel_stats_group(&k, kernel_stats_at(&k, 0));
	finding_evidence(c->out, x, top.first_ns, top.last_end_ns, &top.longest, 1);
	arena_free(&mem);
}

/* Attention kernels keep their softmax in 32 bit by themselves; only softmax as a kernel of its own is asked about. */
void finding_softmax(struct finding_ctx *c)
{
	struct softmax s = {0};
	if (!sum_softmax(c, &s)) {
		say_nothing(c, "no softmax runs as a kernel of its own");
		return;
	}
	from_softmax(c, &s);
	enum finding_state state = s.ns_16bit ? FINDING_INFO : s.unknown_ns ? FINDING_UNKNOWN : FINDING_PASS;
	struct finding *x;
	if (state == FINDING_INFO)
		x = say(c, state, "Softmax runs on its own in 16 bit: %s of %s kernels, %s.",
			count_text(c, (double)s.count_16bit), count_text(c, (double)s.count),
			ns_text(c, (double)s.ns_16bit));
	else if (state == FINDING_UNKNOWN)
		x = say(c, state, "The names of the softmax kernels (%s) do not tell whether they compute in 16 bit.",
			ns_text(c, (double)s.unknown_ns));
	else
		x = say(c, state, "Softmax kernels (%s, %s) do not run in 16 bit%s.", count_text(c, (double)s.count),
			ns_text(c, (double)s.total_ns),
			s.wide_sums ? ": what reads or writes 16 bit adds up in 32" : "");
	x->value = (double)s.ns_16bit;
	x->unit = UNIT_NS;
	x->formula = "time of softmax kernels that read or write fp16 or bf16, judged by their names; those with a "
		     "32-bit accumulator, and attention in one kernel, do not count";
	if (!s.halves)
		return;
	x->advice = "Sums of many exponentials lose digits in 16 bit: cast the softmax and what follows to fp32 "
		    "(TensorFlow: dtype='float32' on the last layers) and see whether the loss changes.";
	show_longest_kernel(c, s.half, x);
}
