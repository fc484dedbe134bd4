/* tests/fuzz/fuzz_rules.c - any bytes as a rules file of each sort: refused with the line that is wrong, or asked about a few
 * names; a limit that its regular expressions hit is said with its line. */
#include "model/analysis/kernels/kernel_families.h"
#include "model/analysis/rules/cause_rules.h"
#include "model/analysis/rules/kernel_rules.h"
#include "model/analysis/rules/op_rules.h"
#include "model/analysis/rules/peaks.h"
#include "model/analysis/rules/phase_rules.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 4096 };
static const char *const names[] = {"", "volta_fp16_s884gemm_fp16_128x64", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
				    "\xff\xc3\xa9 aten::mm", "ij,jk->ik"};
enum { NAMES = sizeof names / sizeof *names };

static void refused(const struct err *e)
{
	if (!*e->msg || e->unreadable) /* a wrong request, and it says why */
		abort();
}

static void ask_kernel_rules(const char *path)
{
	struct err e = {.at = -1};
	struct kernel_rules *r = kernel_rules_load(path, NULL, &e);
	for (size_t i = 0; r && i < NAMES; i++) {
		struct kernel_facts k = kernel_facts_ask(r, names[i]);
		kernel_tc_eligible(r, &k, names[NAMES - 2], names[i], names[NAMES - 1], (enum verdict)k.uses_tc);
	}
	if (!r || !kernel_rules_sound(r, &e))
		refused(&e);
	kernel_rules_free(r);
}

/* With the built-in rules after them, which take most of the time: only what has such a section is tried. */
static void ask_family_rules(const char *path)
{
	struct err e = {.at = -1};
	struct family_rules *r = family_rules_load(path, &e);
	for (size_t i = 0; r && i < NAMES; i++)
		family_of(r, names[i], names[NAMES - 2]);
	if (!r || !family_rules_sound(r, &e))
		refused(&e);
	family_rules_free(r);
}

static void ask_files(const uint8_t *data, size_t size)
{
	char path[64];
	int fd = memfd_create("rules", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	ask_kernel_rules(path);
	if (memmem(data, size, "[kernel]", 8))
		ask_family_rules(path);
	close(fd);
}

/* What is read from memory: without regular expressions, so there is nothing to run out of. */
static void ask_texts(const char *text, size_t n)
{
	struct err e = {.at = -1};
	struct op_rules *ops = op_rules_read(text, n, &e);
	struct phase_rules *phases = phase_rules_read(text, n, &e);
	struct cause_rules *causes = cause_rules_read(text, n, &e);
	struct peak_table *peaks = peaks_read(text, n, &e);
	for (size_t i = 0; i < NAMES; i++) {
		struct span name = {names[i], strlen(names[i])};
		if (ops)
			op_rules_ask(ops, name, name);
		if (phases)
			phase_rules_ask(phases, names[i]);
		if (causes)
			cause_rules_ask(causes, names[i], i & 1);
	}
	if (!ops || !phases || !causes || !peaks)
		refused(&e);
	op_rules_free(ops);
	phase_rules_free(phases);
	cause_rules_free(causes);
	peaks_free(peaks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > MOST_BYTES)
		return 0;
	ask_files(data, size);
	ask_texts((const char *)data, size);
	return 0;
}
