/* Step annotations of the field. What a framework writes stands here once; how steps are made of it is steps_find.c's. */
#include "step_marks.h"
#include "nvtx_name.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum how {
	EXACT,   /* the text itself */
	FRAMED,  /* begins with `text`, holds `more` */
	FRAME,   /* Python frame: function `more` of a file whose path ends in `text` */
	COUNTED, /* the word and a number: "iteration 12", "Iteration_12", "iteration12", "iteration[12,16)" */
	PHRASED  /* words that speak of a loop's turn, and a number: "train_epoch 12", "my-eval-batch#3" */
};
struct family {
	const char *framework;
	enum how how;
	const char *text, *more;
	const char *ends;  /* event that closes the step; NULL: the marker spans it */
	const char *shown; /* name of the steps; NULL: the text */
	uint32_t least;
};

/* In order of trust: what a framework writes around a whole step, then ranges that users write.
 * A bare "step" is no marker: people write it around the optimizer. */
/* clang-format off */
static const struct family families[] = {
	{"PyTorch Lightning", EXACT,  "[pl][profile]run_training_batch",      NULL,            NULL, "run_training_batch", 1},
	{"PyTorch Lightning", EXACT,  "run_training_batch",                   NULL,            NULL, NULL,                 1},
	{"PyTorch Lightning", EXACT,  "[pl][profile]run_training_step",       NULL,            NULL, "run_training_step",  1},
	{"PyTorch Lightning", FRAMED, "[pl][profile][Strategy]",              ".validation_step", NULL, "validation_step",  1},
	{"PyTorch Lightning", FRAMED, "[pl][profile][Strategy]",              ".test_step",    NULL, "test_step",          1},
	{"PyTorch Lightning", FRAMED, "[pl][profile][Strategy]",              ".predict_step", NULL, "predict_step",       1},
	{"PyTorch Lightning", EXACT,  "[pl][profile]evaluation_step_and_end", NULL,            NULL, "evaluation_step",    1},
	{"PaddlePaddle",      COUNTED, "ProfileStep",                         NULL,            NULL, NULL,                 1},
	{"DeepSpeed",         FRAME,  "deepspeed/runtime/pipe/engine.py",     "train_batch",   NULL, "train_batch",        1},
	{"DeepSpeed",         EXACT,  "DeepSpeedEngine.forward",              NULL, "DeepSpeedEngine.step", "DeepSpeedEngine",  1},
	{"Megatron-LM",       FRAME,  "megatron/training/training.py",        "train_step",    NULL, "train_step",         1},
	{"Megatron-LM",       FRAME,  "megatron/training.py",                 "train_step",    NULL, "train_step",         1},
	{"Hugging Face Trainer", FRAME, "transformers/trainer.py",            "training_step", NULL, "training_step",      1},
	{"Hugging Face Trainer", FRAME, "transformers/trainer.py",            "prediction_step", NULL, "prediction_step",  1},
	{"SGLang",            FRAMED, "step[",                                "]",             NULL, "step",               1},
	{"vLLM",              FRAMED, "execute_",                             "_generation_",  NULL, "execute",            1},
	{"a range",           COUNTED, "iteration",                           NULL,            NULL, NULL,                 2},
	{"a range",           COUNTED, "iterations",                          NULL,            NULL, NULL,                 2},
	{"a range",           COUNTED, "iter",                                NULL,            NULL, NULL,                 2},
	{"a range",           COUNTED, "global_step",                         NULL,            NULL, NULL,                 2},
	{"a range",           COUNTED, "train_step",                          NULL,            NULL, NULL,                 2},
	{"a range",           COUNTED, "training_step",                       NULL,            NULL, NULL,                 2},
	{"a range",           COUNTED, "train",                               NULL,            NULL, NULL,                 2},
	{"a range",           COUNTED, "step",                                NULL,            NULL, NULL,                 2},
	{"a range",           COUNTED, "batch",                               NULL,            NULL, NULL,                 2},
	{"a range",           EXACT,  "iteration",                            NULL,            NULL, NULL,                 2},
	{"a range",           EXACT,  "train_iteration",                      NULL,            NULL, NULL,                 2},
	{"a range",           EXACT,  "train_step",                           NULL,            NULL, NULL,                 2},
	{"a range",           EXACT,  "training_step",                        NULL,            NULL, NULL,                 2},
	{"a range",           EXACT,  "train_batch",                          NULL,            NULL, NULL,                 2},
	{"a range",           PHRASED, "",                                    NULL,            NULL, NULL,                 3},
};
/* clang-format on */
enum { N_FAMILIES = sizeof families / sizeof *families };

/* The digits of a number that ends the text, after a sign between; NULL when the text is something else. */
static const char *digits_at(const char *at)
{
	at += *at && strchr("#:_-[/=", *at) ? 1 : 0;
	at += strspn(at, " ");
	size_t digits = strspn(at, "0123456789");
	if (!digits || digits > 18)
		return NULL;
	const char *end = at + digits;
	bool range = *end == ',' && end[1 + strspn(end + 1, "0123456789")] == ')';
	return !*end || range || (*end == ']' && !end[1]) ? at : NULL;
}

static const char *digits_behind(const char *name, const char *word)
{
	if ((*name | 0x20) != (*word | 0x20)) /* all words begin with a letter */
		return NULL;
	size_t n = strlen(word);
	return strncasecmp(name, word, n) ? NULL : digits_at(name + n);
}

/* ---- phrases -------------------------------------------------------------------------------------------------------- */

/* list: of small letters, as `word` is but for capitals. */
static bool is_one_of(const char *word, size_t n, const char *const *list)
{
	for (; *list; list++)
		if (**list == (*word | 0x20) && strlen(*list) == n && !strncasecmp(*list, word, n))
			return true;
	return false;
}

/* Length of the words before the number when they speak of a whole turn of the loop, 0 = they do not. A part of a step is often
 * numbered and named after it: "optimizer_step 3". */
static size_t phrase_length(const char *name)
{
	static const char *const turns[] = {"epoch",    "step",   "iteration", "iter",       "batch",      "train",
					    "training", "loop",   "eval",      "evaluation", "validation", "inference",
					    "predict",  "decode", "generate",  NULL};
	static const char *const parts[] = {"optimizer", "opt",       "optim",    "grad",   "gradient",   "gradients",
					    "forward",   "fwd",       "backward", "bwd",    "loss",       "scaler",
					    "lr",        "scheduler", "load",     "loader", "data",       "fetch",
					    "copy",      "layer",     "block",    "micro",  "microbatch", "save",
					    "log",       "zero",      "reduce",   NULL};
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", joints[] = "_-/. ";
	bool turn = false;
	const char *at = name;
	for (size_t n; (n = strspn(at, letters)) > 0; at += strspn(at, joints)) {
		if (is_one_of(at, n, parts))
			return 0;
		turn |= is_one_of(at, n, turns);
		at += n;
	}
	size_t length = (size_t)(at - name);
	while (length && strchr(joints, name[length - 1]))
		length--;
	return turn ? length : 0;
}

static const char *digits_behind_phrase(const char *name)
{
	enum { PHRASE_MOST = 128 };
	size_t n = phrase_length(name);
	return n && n < PHRASE_MOST ? digits_at(name + n) : NULL;
}

/* "a/b/file.py(123): function", and "$file.py:123 function" as XSpace has it. */
static bool is_frame(const char *name, const char *path, const char *function)
{
	const char *base = strrchr(path, '/') + 1, *rest;
	const char *file = strstr(name, path);
	if (file) {
		rest = file + strlen(path);
		rest = *rest == '(' ? strstr(rest, "): ") : NULL;
		return rest && !strcmp(rest + 3, function);
	}
	size_t n = strlen(base);
	if (name[0] != '$' || strncmp(name + 1, base, n) || name[1 + n] != ':' || !strcmp(base, "engine.py"))
		return false;
	rest = strchr(name, ' ');
	return rest && !strcmp(rest + 1, function);
}

static bool fits(const struct family *f, const char *name, enum event_kind kind)
{
	if ((f->how == FRAME) != (kind == KIND_PYTHON))
		return false;
	switch (f->how) {
	case EXACT:
		return !strcmp(name, f->text);
	case FRAMED:
		return !strncmp(name, f->text, strlen(f->text)) && strstr(name + strlen(f->text), f->more);
	case FRAME:
		return is_frame(name, f->text, f->more);
	case COUNTED:
		return digits_behind(name, f->text) != NULL;
	case PHRASED:
		return digits_behind_phrase(name) != NULL;
	}
	return false;
}

uint8_t step_mark(const char *name, enum event_kind kind)
{
	if (kind != KIND_ANNOTATION && kind != KIND_PYTHON && kind != KIND_OP)
		return MARK_NONE;
	name = nvtx_name(name);
	for (uint8_t i = 0; i < N_FAMILIES; i++) {
		if (fits(&families[i], name, kind))
			return i + 1;
		if (families[i].ends && kind != KIND_PYTHON && !strcmp(name, families[i].ends))
			return (uint8_t)((i + 1) | MARK_ENDS);
	}
	return MARK_NONE;
}

uint32_t step_mark_families(void)
{
	return N_FAMILIES;
}

const char *step_mark_framework(uint8_t family)
{
	return families[family - 1].framework;
}

uint32_t step_mark_least(uint8_t family)
{
	return families[family - 1].least;
}

const char *step_mark_name(uint8_t family, const char *text, char *buf, size_t size, int64_t *number)
{
	const struct family *f = &families[family - 1];
	text = nvtx_name(text);
	*number = UNKNOWN_I64;
	if (f->how == COUNTED) {
		*number = strtoll(digits_behind(text, f->text), NULL, 10);
		snprintf(buf, size, "%.*s", (int)strlen(f->text), text);
	} else if (f->how == PHRASED) {
		*number = strtoll(digits_behind_phrase(text), NULL, 10);
		snprintf(buf, size, "%.*s", (int)phrase_length(text), text);
	} else {
		snprintf(buf, size, "%s", f->shown ? f->shown : text);
	}
	return buf;
}

bool step_mark_has_phrase(uint8_t family)
{
	return families[family - 1].how == PHRASED;
}
